/*
 * fathom/ocean.h: a stack of see-through sheets, as a game describes it to those who draw it.
 *
 * Sheets are named by their index in the stack as it was dealt, from the bottom; the top one is the
 * last. Where a stack can be looked into, nobody may read what lies on it: pictures show it.
 */
#ifndef FATHOM_OCEAN_H
#define FATHOM_OCEAN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_SHEETS_MAX  36
#define FM_LEVELS_MAX  6     /* no round turns over more sheets */
#define FM_STACK_SCALE 10000 /* places on a stack count ten-thousandths of its width */

/* What counts on a sheet: a helper, and perhaps a shark. Eight kinds. */
enum fm_sheet_kind {
    FM_SHEET_EMPTY,
    FM_SHEET_GREEN, /* turtle */
    FM_SHEET_RED,   /* turtle */
    FM_SHEET_MANTA,
    FM_SHEET_SHARK, /* | one of the above */
    FM_SHEET_KINDS = 8
};

struct fm_stack {          /* what everybody knows of it */
    uint16_t round;        /* from 1; 0: the game has not begun */
    uint8_t n;             /* sheets that still lie there */
    bool open;             /* seats are looking into it in this round */
    bool lamps;            /* ... also by lamplight */
    bool covered;          /* something covers part of it ... */
    uint16_t x, y;         /* ... here */
    uint16_t turned_round; /* the last round in which sheets were turned over; 0: none */
    uint8_t turned_n;      /* how many they were */
};

struct fm_ocean {             /* of a game that has such a stack */
    const char *const *kinds; /* names by enum fm_sheet_kind, NULL-terminated */
    uint8_t levels;           /* sheets that seats look for in a round */
    uint8_t deepest;          /* sheets that a round turns over at most */
    void (*stack)(const void *pub, struct fm_stack *out);
    /* What lies on each sheet of the stack, kind | orientation << 3; returns how many there are.
     * An orientation counts quarter turns, 4 more if the sheet is turned over. */
    unsigned (*sheets)(const void *state, uint8_t out[FM_SHEETS_MAX]);
};

#ifdef __cplusplus
}
#endif

#endif
