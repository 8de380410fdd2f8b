/* soumsoum_state.h: the whole of a Soum Soum match, secrets included; and positions given to it. */
#ifndef SOUMSOUM_STATE_H
#define SOUMSOUM_STATE_H

#include "soumsoum/rules/soumsoum.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

struct soumsoum_secret {
    struct fm_secret head;
    uint8_t pile[SOUMSOUM_CARDS]; /* the top is the last of pub.pile_n */
    uint8_t zero[4];
};

struct soumsoum_state {
    struct soumsoum_pub pub;
    struct soumsoum_priv priv[SOUMSOUM_SEATS];
    struct soumsoum_secret secret;
};

struct soumsoum_position { /* a scenario's setup: what is given replaces what would be dealt */
    bool has_board, has_divers, has_hands, has_pile, has_market, has_active;
    uint8_t board[SOUMSOUM_PLACES];
    uint8_t diver[SOUMSOUM_PLACES];
    uint8_t hand[SOUMSOUM_SEATS][SOUMSOUM_HAND];
    uint8_t hand_n[SOUMSOUM_SEATS];
    uint8_t pile[SOUMSOUM_CARDS]; /* top first */
    uint8_t pile_n;
    uint8_t market[SOUMSOUM_MARKET];
    uint8_t market_n;
    uint8_t active;
};

#pragma GCC diagnostic pop

_Static_assert(sizeof(struct soumsoum_state) <= 1024, "a Soum Soum match fits 1 KiB");
_Static_assert(sizeof(struct soumsoum_position) <= FM_POSITION_MAX, "a position fits a setup");
_Static_assert(sizeof(struct soumsoum_card) * SOUMSOUM_CARDS <= FM_DECK_CARDS, "a deck fits");

extern const struct fm_wire soumsoum_wire;

void soumsoum_put_card(struct fm_out *o, struct soumsoum_card card); /* "shark:octopus@row" */
/* For terminals (soumsoum_words.c). */
void soumsoum_put_board(struct fm_out *o, struct fm_view v);
void soumsoum_put_sentence(struct fm_out *o, struct fm_view v, const struct fm_note *note);

#endif
