/*
 * puzzle.h: a decision with one clearly best action that is missed at a glance, for people to find.
 *
 * A glance is the quick choice with which a game's bots play on when they look ahead
 * (search_policy.quick, or study_worlds.glance where there is something to look at). A puzzle is a
 * decision whose best action is at least PUZZLE_MARGIN better than any other; most glances miss it,
 * and the bots do not always find it. docs/puzzles.md explains the file.
 */
#ifndef ANALYSIS_PUZZLE_H
#define ANALYSIS_PUZZLE_H

#include "analysis/decision.h"

#include <fathom/bot.h>

#define PUZZLE_MARGIN  150000  /* of the best over the next, in millionths */
#define PUZZLE_EASIEST 250000  /* difficulty, at least */
#define PUZZLE_TRIES   8       /* glances, and choices of each bot */
#define PUZZLE_BOTS    8       /* bots of the game that are asked, at most, the weakest first */
#define PUZZLE_TEXT    0x40000 /* bytes of a file, at most */

struct puzzle_bot {
    const struct fm_bot *bot;
    unsigned found; /* how many of PUZZLE_TRIES choices were the best action */
};

enum puzzle_verdict {
    PUZZLE_HOLDS,
    PUZZLE_FOUND_BY_GLANCES, /* not as many as stored, or too many */
    PUZZLE_NOT_BEST,         /* another action leads, or nothing does */
    PUZZLE_OTHER_VALUES
};

struct puzzle {
    struct decision decision; /* "played" is the best action */
    struct fm__scene scene;   /* what was looked at, where there is something to look at */
    unsigned glances;         /* of PUZZLE_TRIES that found it */
    struct puzzle_bot bot[PUZZLE_BOTS];
    size_t n_bots;
};

struct puzzle_memory { /* for reading one */
    const struct fm_library *library;
    struct fm_playback playback; /* its state holds the position afterwards */
    struct fm_eyes eyes;
    char record[PUZZLE_TEXT], text[PUZZLE_TEXT];
};

#define PUZZLE_EYES "picture-average" /* for glances, for bots, and to look at pictures */

struct puzzle_looking {         /* how a search for puzzles looks */
    const struct fm_eyes *eyes; /* PUZZLE_EYES */
    /* Looks at the pictures that the seat could see; not called where there are none. */
    bool (*look)(void *arg, const struct decision *d, struct fm__scene *scene);
    void *arg;
};

/* By how much the best is better than the next. */
int64_t fm__puzzle_margin(const struct decision *d);
/* The share of the bots' choices that were not the best action, in millionths. */
int64_t fm__puzzle_difficulty(const struct puzzle *p);

/* Is the decision that a seat is about to make a puzzle? Weighs it with growing budgets, for as
 * long as it may be one; the last is `deep`. */
bool fm__puzzle_find(struct puzzle *p, const struct fm_game *game, const void *match,
                     const struct fm_event *event, const struct puzzle_looking *looking,
                     struct race *memory);
/* Weighs a stored puzzle again, without changing it: `deep` must give the same values. match: as it
 * is before the decision. What was seen is taken from the file. */
enum puzzle_verdict fm__puzzle_check(const struct puzzle *p, const void *match,
                                     enum study_budget budget, struct race *memory);

/* record: of the match up to the decision; its last line has the seed, and no result. */
void fm__put_puzzle(struct fm_out *o, const struct puzzle *p, const char *record);
/* Reads any bytes: only what fm__put_puzzle() writes of a sound puzzle is taken. */
enum fm_err fm__puzzle_read(struct puzzle *p, const char *text, size_t n,
                            struct puzzle_memory *memory, struct fm_fault *fault);

#endif
