/*
 * decision.h: what a decision was worth, from what the seat knew.
 *
 * Worlds are dealt from the view of the seat; in each of them all candidates are played on to the
 * end with the same random numbers (a game with something to look at imagines worlds itself:
 * study.h). What is surely worse is dropped. The few that are left are compared again in new
 * worlds, and finally what was played and the best other: the best of many were partly lucky. No
 * thread, file or clock is used, and equal views give equal values.
 */
#ifndef ANALYSIS_DECISION_H
#define ANALYSIS_DECISION_H

#include "bots/study.h"
#include "bots/why.h"

#include <fathom/record.h>

struct decision {
    uint32_t step; /* number of the event, from 1 */
    unsigned seat;
    fm_action played;
    const struct fm_game *game;
    _Alignas(8) uint8_t view[FM_STATE_MAX]; /* before it */
    const struct fm__scene *scene;          /* from the caller, if the game has worlds of its own */
    bool chosen; /* the caller chose the candidates, although such a game lists them itself */
    /* found by fm__decision_weigh() */
    size_t n;                                       /* candidates; 0: no world could be dealt */
    struct study_value candidate[STUDY_CANDIDATES]; /* [0]: what was played */
    size_t best;
    int64_t lost;
    bool exact;
    uint32_t worlds; /* that the best and what was played were compared in */
    fm_action
        sharper;  /* what was played, as sharp eyes would have had it; 0: they did not look ... */
    int64_t eyes; /* ... and how much more they expect to gain by that, in millionths */
    /* found when all decisions are known */
    int64_t luck;
};

struct race { /* memory for the work; nothing in it outlives a decision */
    const struct fm_reasoning *reasoning;
    struct fm_view from;
    struct fm_rng rng;
    struct decision *decision;
    size_t n;                                          /* candidates that are not dropped */
    size_t runner[STUDY_CANDIDATES];                   /* their numbers; [0] is 0 */
    int64_t worlds;                                    /* that all of them were tried in */
    int64_t sum[STUDY_CANDIDATES];                     /* of their values */
    int64_t gain[STUDY_CANDIDATES];                    /* of their gains */
    int64_t cross[STUDY_CANDIDATES][STUDY_CANDIDATES]; /* of products of values */
    int64_t behind[STUDY_CANDIDATES]; /* of one that was dropped: how far behind what was played */
    bool dropped[STUDY_CANDIDATES];
    _Alignas(8) uint8_t world[FM_STATE_MAX], state[FM_STATE_MAX];
};

/* What a game adds to its analysis; NULL: it is not analysed. */
const struct fm_study *fm__study_of(const struct fm_game *game);
/* Can its decisions be weighed without pictures of what the seats saw? */
bool fm__study_is_blind(const struct fm_game *game);

/* Takes down what a seat is about to do in a match; false: it is not a choice. */
bool fm__decision_note(struct decision *d, const struct fm_game *game, const void *match,
                       const struct fm_event *event);
struct fm_view fm__decision_view(const struct decision *d);
/* Is this what was played, or the same thing as far as the seat can tell? */
bool fm__decision_same(const struct decision *d, fm_action action);
/* For puzzles: are two actions one choice? */
bool fm__study_alike(struct fm_view v, fm_action a, fm_action b);
/* Chance that follows from what the seat knew, and from nothing else. */
void fm__decision_rng(const struct decision *d, const char *domain, struct fm_rng *rng);
void fm__decision_weigh(struct decision *d, enum study_budget budget, struct race *memory);
/* With fewer playouts than `quick`, for a search through many decisions. */
void fm__decision_weigh_roughly(struct decision *d, struct race *memory);

/* What an ending is worth to a seat. */
int64_t fm__ending_value(const struct fm_game *game, const void *match, unsigned seat);

#endif
