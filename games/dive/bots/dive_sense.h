/*
 * dive_sense.h: what a diver can imagine: what lies in the stack, how a dive would go, and who is
 * likely to win from where the pawns are.
 */
#ifndef DIVE_SENSE_H
#define DIVE_SENSE_H

#include "dive/rules/dive.h"

/* ---- belief --------------------------------------------------------------------------------- */

struct dive_belief {
    float kind[DIVE_DEEPEST][DIVE_KINDS]; /* by level, from 0; each makes 1 */
    bool shark[DIVE_DEEPEST];             /* the likelier face */
};

/* What the deck has left, weighed by what was seen and how far these eyes are to be trusted. */
void dive_believe(struct dive_belief *b, const struct dive_pub *pub, const struct fm_sight *sight);
/* The face that somebody with these eyes takes who saw that; eyes may be NULL. */
bool dive_likelier(const struct dive_pub *pub, const struct fm_eyes *eyes, unsigned level,
                   unsigned seen);

/* ---- an imagined dive ----------------------------------------------------------------------- */

struct dive_board { /* what a diver laid, level by level, from 0 */
    uint8_t speed[DIVE_DEEPEST];
    uint8_t depth;
    uint8_t faces; /* bit level: shark */
};

struct dive_world { /* one that may be the true one */
    uint8_t kind[DIVE_DEEPEST];
    uint8_t chief_speed[DIVE_CHIEF_LEVELS];
    uint8_t chief_yellow; /* bit level */
    bool chief;           /* it has numbers in this dive */
};

struct dive_after {
    uint8_t pawn[DIVE_PAWNS];
    uint8_t cards; /* that were turned over */
    uint8_t erred; /* seat bits */
};

/* Dive and Rest as the rules have it, without the axolotl; the effects are those of pub. */
void dive_imagine(const struct dive_pub *pub, const struct dive_world *w,
                  const struct dive_board board[DIVE_SEATS], struct dive_after *after);

/* ---- the race ------------------------------------------------------------------------------- */

struct dive_race { /* chances to be ahead when it ends, by the places of two pawns */
    float diver[DIVE_GOAL][DIVE_GOAL]; /* of a diver against another */
    float chief[DIVE_GOAL][DIVE_GOAL]; /* of a diver against the chief */
};

/* Made of how well all see; eyes may be NULL. */
void dive_race_make(struct dive_race *r, const struct dive_pub *pub, const struct fm_eyes *eyes);
/* The chance that a seat wins, from 0 to 1, if `left` sheets are left. */
float dive_race_win(const struct dive_race *r, const struct dive_pub *pub,
                    const uint8_t pawn[DIVE_PAWNS], unsigned left, unsigned seat);

#endif
