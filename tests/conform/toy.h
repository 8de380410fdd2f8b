/*
 * toy.h: a game for testing the core: three rounds of secret bids for a hidden pearl.
 *
 * It has what Soum Soum lacks: hidden actions that may be done again, several seats at once, a
 * deadline and the table's own word.
 */
#ifndef TOY_H
#define TOY_H

#include <fathom/game.h>

#define TOY_SEATS    4
#define TOY_ROUND_MS 10000

enum toy_verb { TOY_BID = 1, TOY_LOCK, TOY_STOP };

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

struct toy_pub {
    struct fm_pub head;
    uint8_t round;
    uint8_t pearl;          /* of the last round */
    uint8_t bid[TOY_SEATS]; /* of the last round */
    uint8_t score[TOY_SEATS];
    uint8_t zero[2];
};

struct toy_priv {
    struct fm_priv head;
    uint8_t bid; /* 0: none yet */
    uint8_t zero[7];
};

struct toy_secret {
    struct fm_secret head;
    uint8_t pearl; /* of this round */
    uint8_t zero[7];
};

struct toy_state {
    struct toy_pub pub;
    struct toy_priv priv[TOY_SEATS];
    struct toy_secret secret;
};

#pragma GCC diagnostic pop

extern const struct fm_game toy_game;

void toy_table(struct fm_setup *setup, unsigned seats);

#endif
