/* soumsoum_flat.h: Soum Soum in fixed numbers. Made public as part of fathom/flat.h, which
 * explains. */
#ifndef SOUMSOUM_FLAT_H
#define SOUMSOUM_FLAT_H

#include <stdint.h>

struct fm_obs_soumsoum {
    uint8_t phase; /* 0 place, 1 diver, 2 take */
    uint8_t seat, n_seats, zero;
    uint32_t empty, free; /* places without a card; with one and without a diver: bits */
    uint8_t active;       /* the same as seat */
    uint8_t market_on, market_n, pile_n;
    uint8_t market[4]; /* cards: numbers into the deck; the fourth is unused */
    uint16_t turns;    /* begun so far */
    uint16_t score[4]; /* 0 until it is over */
    uint8_t winner;    /* likewise */
    uint8_t board[25]; /* cards, row by row */
    uint8_t diver[25]; /* whose diver stands there */
    uint8_t divers_left[4];
    uint8_t hand_n[4];
    uint8_t hand[4];    /* three at most */
    uint8_t seen[4][4]; /* cards of each hand that all saw taken */
    uint8_t end[3];     /* 0 */
};

enum fm_flat_soumsoum {
    FM_SOUMSOUM_PLACE = 0,  /* + 32 * card of the hand + place */
    FM_SOUMSOUM_DIVE = 96,  /* + place */
    FM_SOUMSOUM_PASS = 121, /* no diver */
    FM_SOUMSOUM_TAKE = 122, /* + card of the market */
    FM_SOUMSOUM_INDICES = 125
};

#endif
