/*
 * soumsoum.h: Soum Soum as a seat sees it: the public block, a seat's own hand, the actions.
 *
 * Cards are numbers into the deck (0 .. 35); the public block carries the deck, so a view
 * explains itself. Places count row by row, 0 .. 24; the submarine stands on 12.
 */
#ifndef SOUMSOUM_H
#define SOUMSOUM_H

#include <fathom/game.h>

#define SOUMSOUM_SEATS  4
#define SOUMSOUM_CARDS  36
#define SOUMSOUM_SIDE   5
#define SOUMSOUM_PLACES 25
#define SOUMSOUM_MIDDLE 12
#define SOUMSOUM_DIVERS 5 /* tokens of a seat */
#define SOUMSOUM_DEALT  3
#define SOUMSOUM_HAND   24 /* no hand is longer: more could never be placed */
#define SOUMSOUM_MARKET 3
#define SOUMSOUM_NONE   0xff

enum soumsoum_phase { SOUMSOUM_PLACE, SOUMSOUM_DIVER, SOUMSOUM_TAKE, SOUMSOUM_OVER };

enum soumsoum_option {
    SOUMSOUM_OPT_PLAYERS,
    SOUMSOUM_OPT_MARKET,
    SOUMSOUM_OPT_FIRST,
    SOUMSOUM_N_OPTIONS
};

enum soumsoum_animal { SOUMSOUM_SHARK, SOUMSOUM_OCTOPUS, SOUMSOUM_HERMIT, SOUMSOUM_ANY };
#define SOUMSOUM_ANIMALS 3

enum soumsoum_zone {
    SOUMSOUM_ROW,
    SOUMSOUM_COLUMN,
    SOUMSOUM_AROUND,
    SOUMSOUM_DIAGONALS,
    SOUMSOUM_ORTHOGONAL,
    SOUMSOUM_BOARD,
    SOUMSOUM_ZONES
};

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

struct soumsoum_card {
    uint8_t shows[SOUMSOUM_ANIMALS]; /* how many of each animal */
    uint8_t rule;                    /* counted animal | zone << 2 | counts itself << 5 */
};

struct soumsoum_pub {
    struct fm_pub head;
    uint32_t empty; /* bit per place: no card */
    uint32_t free;  /* bit per place: an ocean card without a diver */
    uint8_t active;
    uint8_t market_on; /* the variant */
    uint8_t market_n;
    uint8_t pile_n;
    uint8_t market[4];              /* cards, face up; the fourth byte is unused */
    uint16_t turns;                 /* begun so far */
    uint16_t score[SOUMSOUM_SEATS]; /* once over */
    uint8_t winner;                 /* once over */
    uint8_t board[SOUMSOUM_PLACES]; /* card or NONE */
    uint8_t diver[SOUMSOUM_PLACES]; /* seat or NONE */
    uint8_t divers_left[SOUMSOUM_SEATS];
    uint8_t hand_n[SOUMSOUM_SEATS];
    uint8_t seen[SOUMSOUM_SEATS][SOUMSOUM_HAND]; /* cards in hands that all saw taken */
    struct soumsoum_card deck[SOUMSOUM_CARDS];
    uint8_t zero[7];
};

struct soumsoum_priv {
    struct fm_priv head;
    uint8_t hand[SOUMSOUM_HAND];
};

#pragma GCC diagnostic pop

/* ---- actions: verb | card << 8 | place << 16 ------------------------------------------------ */

enum soumsoum_verb {
    SOUMSOUM_DO_PLACE = 1, /* card, place */
    SOUMSOUM_DO_PASS,
    SOUMSOUM_DO_DIVER, /* place */
    SOUMSOUM_DO_TAKE,  /* card: of the market */
    SOUMSOUM_VERBS
};

static inline fm_action soumsoum_action(enum soumsoum_verb verb, unsigned card, unsigned place)
{
    return (fm_action)verb | (fm_action)card << 8 | (fm_action)place << 16;
}

static inline unsigned soumsoum_action_card(fm_action a)
{
    return (unsigned)(a >> 8 & 0xff);
}

static inline unsigned soumsoum_action_place(fm_action a)
{
    return (unsigned)(a >> 16 & 0xff);
}

/* ---- notes ---------------------------------------------------------------------------------- */

enum soumsoum_note {
    SOUMSOUM_DEALT_CARD = 1, /* seat; hidden: card */
    SOUMSOUM_SHOWN,          /* open: card | slot << 8: it lies in the market now */
    SOUMSOUM_STARTS,         /* seat */
    SOUMSOUM_PLACED,         /* seat; open: card | place << 8 */
    SOUMSOUM_DIVED,          /* seat; open: place | worth << 8 */
    SOUMSOUM_PASSED,         /* seat */
    SOUMSOUM_DREW,           /* seat; hidden: card */
    SOUMSOUM_TOOK,           /* seat; open: card | slot << 8 */
    SOUMSOUM_SKIPPED,        /* seat: has no card to place */
    SOUMSOUM_SCORED,         /* seat; open: total */
    SOUMSOUM_WON,            /* seat; open: 1 if it took the tie-break */
    SOUMSOUM_NOTES
};

/* ---- what follows from the public block ----------------------------------------------------- */

static inline unsigned soumsoum_counts(struct soumsoum_card c) /* an enum soumsoum_animal */
{
    return c.rule & 3u;
}

static inline unsigned soumsoum_zone(struct soumsoum_card c)
{
    return c.rule >> 2 & 7u;
}

static inline bool soumsoum_self(struct soumsoum_card c)
{
    return c.rule >> 5 & 1u;
}

/* Places that a zone covers around a place, its middle included, as bits. */
extern const uint32_t soumsoum_zones[SOUMSOUM_ZONES][SOUMSOUM_PLACES];

static inline uint32_t soumsoum_zone_mask(enum soumsoum_zone zone, unsigned place)
{
    return soumsoum_zones[zone][place];
}

/* How many animals of the counted kind a card shows. */
static inline unsigned soumsoum_matches(struct soumsoum_card shown, unsigned counted)
{
    if (counted != SOUMSOUM_ANY)
        return shown.shows[counted];
    return (unsigned)shown.shows[SOUMSOUM_SHARK] + shown.shows[SOUMSOUM_OCTOPUS] +
           shown.shows[SOUMSOUM_HERMIT];
}

/* What a diver on this card's place is worth now (S7); what it would be if this card lay there. */
unsigned soumsoum_worth(const struct soumsoum_pub *pub, unsigned place);
unsigned soumsoum_worth_of(const struct soumsoum_pub *pub, struct soumsoum_card card,
                           unsigned place);

/* Present totals of all seats (S12). */
void soumsoum_scores(const struct soumsoum_pub *pub, unsigned score[SOUMSOUM_SEATS]);

/* Places that are neither empty nor the submarine's. */
static inline uint32_t soumsoum_cards_laid(const struct soumsoum_pub *pub)
{
    return ((1u << SOUMSOUM_PLACES) - 1) & ~pub->empty & ~(1u << SOUMSOUM_MIDDLE);
}

/* In fixed numbers (soumsoum_flat.c). */
extern const struct fm_flat soumsoum_flat;

#endif
