/*
 * moray.h: Moray as a seat sees it: the public block, a seat's own hand, the actions.
 *
 * A fish is one byte, its kind and its size; equal fish are equal bytes. The public block
 * carries the deck, so a view explains itself.
 */
#ifndef MORAY_H
#define MORAY_H

#include <fathom/game.h>

#define MORAY_SEATS 4
#define MORAY_CARDS 36
#define MORAY_HOLES 3
#define MORAY_HAND  3
#define MORAY_ROOM  15 /* no hole is larger, so none holds more fish */
#define MORAY_SIZE  9  /* no fish is larger */
#define MORAY_BITE  2  /* points, unless the moray is hungry */
#define MORAY_NONE  0xff

enum moray_phase { MORAY_LAY, MORAY_OVER };

enum moray_option { MORAY_OPT_PLAYERS, MORAY_OPT_HUNGRY, MORAY_OPT_FIRST, MORAY_N_OPTIONS };

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

struct moray_pub {
    struct fm_pub head;
    uint8_t active;
    uint8_t hungry; /* the variant */
    uint8_t pile_n;
    uint8_t gone_n;
    uint8_t turns;   /* begun so far */
    uint8_t winners; /* seat bits, once over */
    uint8_t room[MORAY_HOLES];
    uint8_t hole_n[MORAY_HOLES];
    uint8_t hand_n[MORAY_SEATS];
    int8_t score[MORAY_SEATS];
    uint8_t bites[MORAY_SEATS];
    uint8_t hole[MORAY_HOLES][MORAY_ROOM];
    uint8_t gone[MORAY_CARDS]; /* fish that have left the holes, oldest first */
    uint8_t deck[MORAY_CARDS];
    uint8_t zero[7];
};

struct moray_priv {
    struct fm_priv head;
    uint8_t hand[MORAY_HAND];
    uint8_t zero[5];
};

#pragma GCC diagnostic pop

/* ---- fish: kind << 4 | size ------------------------------------------------------------------ */

enum moray_kind {
    MORAY_GOBY,
    MORAY_DAMSEL,
    MORAY_CLOWNFISH,
    MORAY_BUTTERFLY,
    MORAY_SURGEON,
    MORAY_KINDS
};

static inline unsigned moray_kind(uint8_t fish)
{
    return fish >> 4;
}

static inline unsigned moray_size(uint8_t fish)
{
    return fish & 15u;
}

/* ---- actions: verb | card << 8 | hole << 16 --------------------------------------------------- */

enum moray_verb { MORAY_DO_LAY = 1, MORAY_VERBS };

static inline fm_action moray_action(unsigned card, unsigned hole)
{
    return (fm_action)MORAY_DO_LAY | (fm_action)card << 8 | (fm_action)hole << 16;
}

static inline unsigned moray_action_card(fm_action a)
{
    return (unsigned)(a >> 8 & 0xff);
}

static inline unsigned moray_action_hole(fm_action a)
{
    return (unsigned)(a >> 16 & 0xff);
}

/* ---- notes ----------------------------------------------------------------------------------- */

enum moray_note {
    MORAY_DEALT = 1, /* seat; hidden: fish */
    MORAY_STARTS,    /* seat */
    MORAY_LAID,      /* seat; open: fish | hole << 8 */
    MORAY_FILLED,    /* seat; open: hole | points << 8 */
    MORAY_BITTEN,    /* seat; open: hole | points lost << 8 */
    MORAY_DREW,      /* seat; hidden: fish */
    MORAY_SKIPPED,   /* seat: has no fish to lay */
    MORAY_SCORED,    /* seat; open: score + 256 */
    MORAY_WON,       /* seat; open: 1 if it has the same score as another */
    MORAY_NOTES
};

/* ---- what follows from the public block -------------------------------------------------------- */

/* Sizes of the fish in a hole together. */
static inline unsigned moray_total(const struct moray_pub *pub, unsigned hole)
{
    unsigned total = 0;
    for (unsigned i = 0; i < pub->hole_n[hole]; i++)
        total += moray_size(pub->hole[hole][i]);
    return total;
}

/* The fish that this viewer cannot see, in the deck's order; returns how many (M11). */
unsigned moray_unseen(struct fm_view v, uint8_t fish[MORAY_CARDS]);

/* In fixed numbers (moray_flat.c). */
extern const struct fm_flat moray_flat;

#endif
