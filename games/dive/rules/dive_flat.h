/* dive_flat.h: Dive in fixed numbers. Made public as part of fathom/flat.h, which explains. */
#ifndef DIVE_FLAT_H
#define DIVE_FLAT_H

#include <stdint.h>

/* A program is 28 bits: five times three, the level of each token (0: none); six, sharks on levels
 * 1 to 6; three, the clownfish's level; one, the anglerfish; three, levels without tokens. */
struct fm_obs_dive {
    uint8_t phase; /* 0 setup, 1 program, 2 axolotl */
    uint8_t seat, n_seats;
    uint8_t choice;       /* the companion that it asked for */
    uint32_t program;     /* on the own board */
    uint64_t chief_seen;  /* cards of the chief's that were turned over: bits */
    uint8_t age[4];       /* seats, youngest first */
    uint8_t companion[4]; /* of each seat */
    uint8_t effect[10];   /* the seat that uses each companion now */
    uint8_t pawn[5];      /* the last is the chief's */
    uint8_t left[8];      /* cards of each kind that were not revealed yet */
    uint8_t seen_n;       /* levels that the eyes saw ... */
    uint16_t round;       /* from 1 */
    uint16_t clock;       /* the table's, in seconds; it does not run here */
    uint8_t children, flashlight, chief_on;
    uint8_t stack_n, chief_n;
    uint8_t ready, breathed, spent, gone; /* seat bits */
    uint8_t target;                       /* of the dolphins */
    uint16_t in_play;                     /* companions of this table: bits */
    uint16_t octopus_x, octopus_y;
    uint32_t shown[4];   /* the last dive: programs */
    uint16_t last_round; /* 0: there was none */
    uint8_t n_cards;
    uint8_t card[6]; /* kind | orientation << 3 */
    uint8_t chief_card;
    uint8_t bubbles; /* levels on which the chief was covered: bits */
    uint8_t n_moves;
    uint8_t judged[4]; /* levels that were judged: bits */
    uint8_t right[4];  /* ... and right */
    uint8_t kept[4];   /* levels that counted */
    uint8_t seen[6];   /* what the eyes took the levels for: kinds, from the top */
    uint8_t zero[6];
};

enum fm_flat_dive {
    FM_DIVE_CHOOSE = 0,   /* + companion */
    FM_DIVE_PROGRAM = 10, /* value: of all programs that one may be ready with */
    FM_DIVE_READY = 11,
    FM_DIVE_UNREADY = 12,
    FM_DIVE_BREATHE = 13,
    FM_DIVE_USE = 14,      /* + companion, without the dolphins; value for the octopus: its place,
                              x + 10001 * y */
    FM_DIVE_DOLPHINS = 24, /* + the seat that they are sent to */
    FM_DIVE_AXOLOTL = 28,  /* + 0: not now, 1: it is used */
    FM_DIVE_INDICES = 30
};

#endif
