/* moray_state.h: the whole of a match of Moray, secrets included; and positions given to it. */
#ifndef MORAY_STATE_H
#define MORAY_STATE_H

#include "moray/rules/moray.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

struct moray_secret {
    struct fm_secret head;
    uint8_t pile[MORAY_CARDS]; /* the top is the last of pub.pile_n */
    uint8_t zero[4];
};

struct moray_state {
    struct moray_pub pub;
    struct moray_priv priv[MORAY_SEATS];
    struct moray_secret secret;
};

struct moray_position { /* a scenario's setup: what is given replaces what would be dealt */
    bool has_hands, has_pile, has_active;
    uint8_t active;
    uint8_t hole[MORAY_HOLES][MORAY_ROOM];
    uint8_t hole_n[MORAY_HOLES];
    uint8_t hand[MORAY_SEATS][MORAY_HAND];
    uint8_t hand_n[MORAY_SEATS];
    uint8_t pile[MORAY_CARDS]; /* top first */
    uint8_t pile_n;
    int8_t score[MORAY_SEATS];
    uint8_t bites[MORAY_SEATS];
};

struct moray_deck { /* compiled */
    uint8_t room[MORAY_HOLES];
    uint8_t fish[MORAY_CARDS];
};

#pragma GCC diagnostic pop

_Static_assert(sizeof(struct moray_state) <= 1024, "a match fits 1 KiB");
_Static_assert(sizeof(struct moray_position) <= FM_POSITION_MAX, "a position fits a setup");
_Static_assert(sizeof(struct moray_deck) <= FM_DECK_CARDS, "a deck fits");

extern const char *const moray_kinds[]; /* names of fish, NULL-terminated */
extern const struct fm_wire moray_wire;

/* For terminals (moray_words.c). */
void moray_put_board(struct fm_out *o, struct fm_view v);
void moray_put_sentence(struct fm_out *o, struct fm_view v, const struct fm_note *note);

#endif
