/*
 * why.h: why a seat did what it did: the chances of its move and of the best alternatives, from
 * what somebody knows.
 *
 * All that counts of the asker is its view of the match before the move, and what it was told of
 * the move. Worlds are dealt from that view; those in which the asker would have been told
 * something else are left out; in each of the others the move and its alternatives are played to
 * the end with the same random numbers. The true match is never looked at, so that the answer
 * contains nothing that the view does not. Equal questions get equal answers.
 */
#ifndef BOTS_WHY_H
#define BOTS_WHY_H

#include "bots/search.h"

#define WHY_OPTIONS 24 /* alternatives that are tried, and the move itself */
#define WHY_SHOWN   3  /* of them in an answer: the move and the two best others */
#define WHY_MEMORY  64 /* bytes in which a game may keep what it has heard */

struct fm_study; /* bots/study.h */

struct why_question {
    struct fm_view before;   /* the asker's, right before the move */
    unsigned seat;           /* who moved ... */
    fm_action played;        /* ... and how; only for hooks that say what may be known of it */
    struct fm_note told;     /* the first note that the asker was told of it, cut; kind 0: none */
    struct fm_budget budget; /* eyes and sight, if asked from the mover's own view */
    const void *memory;      /* what the game's `hear` kept, WHY_MEMORY bytes */
};

/* Is the question asked from the mover's own view? */
static inline bool fm__why_own(const struct why_question *q)
{
    return q->before.seat == (int)q->seat;
}

struct why_option {
    fm_action action;    /* as it is shown */
    double sum, squares; /* of its values, 0 .. 1 */
    uint32_t n;          /* worlds that it was tried in */
};

/* What a game may add; each of these may be NULL. Bots point at it (struct fm_bot). */
struct fm_reasoning {
    /* How to look ahead; NULL: all legal actions, random play, and who wins. */
    const struct search_policy *policy;
    /* What an ending is worth as a chance, if policy->value is something else. */
    float (*chance)(const struct fm_outcome *outcome, unsigned n_seats, unsigned seat);
    /* Is this action a choice, as far as others can tell? NULL: all are. */
    bool (*explains)(fm_action action);
    /* The move as the seat would make it in a dealt world, of which `mover` is its view; 0: it
     * would not make it. NULL: any action of which the asker would be told the same. */
    fm_action (*replay)(const struct why_question *q, struct fm_view mover);
    /* What the seat could have done instead, in the same world; NULL: what the policy lists. */
    size_t (*options)(const struct why_question *q, struct fm_view mover, fm_action *out,
                      size_t cap);
    /* An action in the form that the asker may be shown; 0: not at all. NULL: as it is. */
    fm_action (*shown)(const struct why_question *q, fm_action action);
    /* Weighs from the mover's own view in a way of its own: [0] is the move, the best others
     * follow. Returns how many. NULL, or 0: by playing on. */
    size_t (*weigh)(const struct why_question *q, struct why_option *out, size_t cap);
    /* Hears what happened before: each note as the asker was told it; pub: after that event. */
    void (*hear)(void *memory, const struct fm_pub *pub, const struct fm_note *note);
    /* Keys of a reason that holds in this view, "code" first; false: there is none. */
    bool (*put_reason)(struct fm_out *o, const struct why_question *q);
    /* For the analysis of a finished game; NULL: there is none. */
    const struct fm_study *study;
};

struct why {
    struct why_question q;
    const struct fm_reasoning *r;
    struct fm_rng rng;
    struct why_option option[WHY_OPTIONS + 1]; /* [0]: the move itself */
    size_t n;
    uint32_t worlds, deals; /* that were played in; that were dealt */
    uint32_t most;          /* worlds */
    bool done;
    _Alignas(8) uint8_t world[FM_STATE_MAX], state[FM_STATE_MAX];
};

/* The reasoning of a game: that of its bots; or one that goes by the rules alone. */
const struct fm_reasoning *fm__reasoning_of(const struct fm_game *game);

/* worlds: how many to play in; 0: as many as usual. The view of q must stay valid. */
void fm__why_begin(struct why *w, const struct why_question *q, uint32_t worlds);
/* Tries all options in one more world, some milliseconds; true: it is done. Then the best others
 * follow the move, at most WHY_SHOWN in all; n is 0 if the move cannot be explained. */
bool fm__why_step(struct why *w);
double fm__why_value(const struct why_option *option);
double fm__why_error(const struct why_option *option); /* the standard error of that */
/* {"code":…}: the game's reason, or how the move compares with the others. */
void fm__why_put_reason(struct fm_out *o, const struct why *w);

#endif
