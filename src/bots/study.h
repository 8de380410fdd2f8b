/*
 * study.h: what a game adds to the analysis of its decisions (src/analysis). Its bots' reasoning
 * points at it (bots/why.h); a game without it is not analysed.
 *
 * Everything here gets the view of whoever decided, as it was before the decision, and nothing
 * else of the match. Chances are in millionths, so that sums are the same on every machine.
 */
#ifndef BOTS_STUDY_H
#define BOTS_STUDY_H

#include "base/scene.h"

#include <fathom/game.h>

#define STUDY_ONE        1000000 /* a chance of 1 */
#define STUDY_CANDIDATES 64      /* of one decision, with what was played */

enum study_budget { STUDY_QUICK, STUDY_NORMAL, STUDY_DEEP, STUDY_BUDGETS };

struct study_value { /* of an action */
    fm_action action;
    int64_t value, error; /* its chance, and the standard error of that */
    int64_t gain;         /* what study_worlds.try_out() reports besides, in millionths */
};

/* For a game whose seats look at something that no view contains: it imagines worlds itself, from
 * the view and from what eyes made of pictures. One decision at a time in each thread. */
struct study_worlds {
    /* Called before the first world; writes actions worth a look, at most cap. */
    size_t (*begin)(struct fm_view v, const struct fm__belief *belief, const struct fm_eyes *eyes,
                    fm_action played, fm_action *out, size_t cap, struct fm_rng *rng);
    void (*imagine)(struct fm_rng *rng); /* the next world */
    /* Tries an action in that world: the chance to win, and the gain. */
    int64_t (*try_out)(fm_action action, int64_t *gain);
    /* After begin(): what was played, corrected by the belief that begin() got. */
    fm_action (*sharpen)(fm_action played);
    const char *gain, *unit; /* the gain's name and unit in reports */
    /* For puzzles: what somebody who saw this does without thinking ahead; 0: this is no puzzle. */
    fm_action (*glance)(struct fm_view v, const struct fm_sight *sight, struct fm_rng *rng);
    /* Choices that differ from one in a single thing, whether or not bots consider them. */
    size_t (*vary)(fm_action action, fm_action *out, size_t cap);
    /* Is what an action says of the stack true? */
    bool (*is_true)(fm_action action, const struct fm__scene *scene);
    void (*put_action)(struct fm_out *o, fm_action action); /* for people */
    /* Keys of what the seat knew, without braces. */
    void (*put_knew)(struct fm_out *o, struct fm_view v, const struct fm__scene *scene);
};

struct fm_study {
    const struct study_worlds *worlds; /* NULL: they are dealt from the view, and played on */
    uint32_t playouts[STUDY_BUDGETS];  /* of one decision */
    /* true: playouts learn from one world to the next (fm__search_walk), each seat playing for
     * itself; false: they follow the policy's quick choices alone. */
    bool learns;
    /* Is this kind of action a choice? NULL: all are. */
    bool (*decides)(fm_action played);
    /* Does a later decision of a seat take back an earlier one, judging by its view before each?
     * Then only the later one counts. NULL: never. */
    bool (*replaces)(struct fm_view later, struct fm_view earlier);
    /* Actions worth a look; writes at most cap. The rest: only for games without own worlds. */
    size_t (*candidates)(struct fm_view v, fm_action played, fm_action *out, size_t cap);
    /* Are these two the same thing, as far as the seat can tell? NULL: never. */
    bool (*same)(struct fm_view v, fm_action a, fm_action b);
    /* For puzzles, with own worlds, too: are they one choice, although they are not quite the same?
     * Some actions are too many and too much alike to ask for exactly one. NULL: never. */
    bool (*alike)(fm_action a, fm_action b);
    /* The chance of an action where it can be computed exactly; < 0: it cannot, and nor can that of
     * any other action in this view. NULL: never. */
    int64_t (*exact)(struct fm_view v, fm_action action);
    /* Keys of what the seat knew, without braces; value: of all candidates, [0] was played. */
    void (*put_knew)(struct fm_out *o, struct fm_view v, const struct study_value *value, size_t n);
};

/* part / whole as a chance, to the nearest. */
static inline int64_t fm__share(int64_t part, int64_t whole)
{
    return (2 * STUDY_ONE * part + whole) / (2 * whole);
}

void fm__js_chance(struct fm_out *o, int64_t chance); /* 0.250000 */
void fm__js_key_chance(struct fm_out *o, const char *key, int64_t chance);

#endif
