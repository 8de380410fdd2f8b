/* why.c: deals worlds for a question about a move, and compares the move with alternatives. */
#include "bots/why.h"

#include "base/bits.h"
#include "base/hash.h"
#include "bots/bots.h"

#include <math.h>
#include <string.h>

#define WORLDS 400  /* that an answer rests on, unless somebody says otherwise */
#define FIRST  24   /* of them for all options; the rest for those that will be shown */
#define DEALS  400  /* at most, to find one world that agrees with what was told */
#define MOVES  4000 /* at most, when a world is played to its end */
#define BARS   2.0  /* standard errors within which two values count as equal */

const struct fm_reasoning *fm__reasoning_of(const struct fm_game *game)
{
    static const struct fm_reasoning plain;
    for (const struct fm_bot *const *bot = fm__bots; *bot != NULL; bot++)
        if ((*bot)->game != NULL && strcmp((*bot)->game, game->id) == 0 &&
            (*bot)->reasoning != NULL)
            return (*bot)->reasoning;
    return &plain;
}

static const struct fm_game *game_of(const struct why *w)
{
    return w->q.before.game;
}

static bool act(const struct why *w, void *state, unsigned seat, fm_action action,
                struct fm_notes *notes)
{
    const struct fm_event ev = {
        .t_ms = ((const struct fm_pub *)state)->now_ms, .seat = (uint8_t)seat, .action = action};
    return action != 0 && fm_apply(game_of(w), state, &ev, notes) == FM_OK;
}

/* ---- worlds ---------------------------------------------------------------------------------- */

/* A note without what the rules want players to remember by themselves: nobody is reminded of that
 * here. */
static struct fm_note forget(struct fm_note note, const struct fm_game *g)
{
    if (g->memory_notes >> note.kind & 1) {
        note.hidden = 0;
        note.cut = 1;
    }
    return note;
}

/* Would the asker have been told the same if the seat had done this in the dealt world? */
static bool tells_the_same(struct why *w, fm_action action)
{
    struct fm_notes notes = {0};
    memcpy(w->state, w->world, game_of(w)->state_size);
    if (!act(w, w->state, w->q.seat, action, &notes))
        return false;
    for (size_t i = 0; i < notes.len; i++) {
        if (!fm_note_cut(&notes.item[i], w->q.before.seat))
            continue;
        const struct fm_note here = forget(notes.item[i], game_of(w));
        const struct fm_note there = forget(w->q.told, game_of(w));
        return memcmp(&here, &there, sizeof here) == 0;
    }
    return w->q.told.kind == 0;
}

static size_t options(const struct why *w, struct fm_view v, fm_action *out, size_t cap)
{
    if (w->r->options != NULL)
        return w->r->options(&w->q, v, out, cap);
    if (w->r->policy != NULL)
        return w->r->policy->options(v, out, cap);
    const size_t n = v.game->legal(v, out, cap);
    return n < cap ? n : cap;
}

/* The move in the dealt world; 0: it would not be made there, or not be told in the same way. */
static fm_action find_move(struct why *w)
{
    const struct fm_view mover = fm_view_of(game_of(w), w->world, (int)w->q.seat);
    fm_action list[FM_LEGAL_MAX];
    if (fm__why_own(&w->q))
        return w->q.played;
    if (w->r->replay != NULL) {
        const fm_action action = w->r->replay(&w->q, mover);
        return tells_the_same(w, action) ? action : 0;
    }
    size_t n = game_of(w)->legal(mover, list, FM_LEGAL_MAX);
    n = n < FM_LEGAL_MAX ? n : FM_LEGAL_MAX;
    for (size_t i = 0; i < n; i++)
        if (tells_the_same(w, list[i]))
            return list[i];
    return 0;
}

/* Deals until the move fits; 0: it never does. */
static fm_action deal(struct why *w)
{
    for (uint32_t i = 0; i < DEALS; i++) {
        w->deals++;
        if (game_of(w)->deal(w->world, w->q.before, &w->rng) != FM_OK)
            return 0;
        const fm_action move = find_move(w);
        if (move != 0)
            return move;
    }
    return 0;
}

/* ---- playing on ------------------------------------------------------------------------------ */

static bool play_one(struct why *w, struct fm_rng *rng)
{
    const struct fm_pub *pub = (const void *)w->state;
    for (unsigned m = pub->owes; m != 0; m &= m - 1) {
        const unsigned seat = fm__lowest(m);
        const struct fm_view v = fm_view_of(game_of(w), w->state, (int)seat);
        const fm_action action = w->r->policy != NULL && w->r->policy->quick != NULL
                                     ? w->r->policy->quick(v, rng)
                                     : v.game->sample(v, rng);
        if (act(w, w->state, seat, action, NULL))
            return true;
    }
    return false;
}

static double chance_of(const struct why *w, const struct fm_outcome *outcome)
{
    const unsigned n = ((const struct fm_pub *)(const void *)w->state)->n_seats;
    if (w->r->chance != NULL)
        return w->r->chance(outcome, n, w->q.seat);
    if (w->r->policy != NULL)
        return w->r->policy->value(outcome, n, w->q.seat);
    return outcome->winners >> w->q.seat & 1;
}

/* The chance of the seat if it does this in the dealt world; < 0: it cannot. */
static double try_out(struct why *w, fm_action action, struct fm_rng rng)
{
    const struct fm_view from = fm_view_of(game_of(w), w->world, (int)w->q.seat);
    const struct fm_pub *pub = (const void *)w->state;
    struct fm_outcome outcome = {0};
    float value;
    memcpy(w->state, w->world, game_of(w)->state_size);
    const struct fm_view own = fm_view_of(game_of(w), w->state, (int)w->q.seat);
    if (!act(w, w->state, w->q.seat, action, NULL))
        return -1;
    for (unsigned i = 0; pub->status != FM_OVER && i < MOVES; i++) {
        if (w->r->policy != NULL && w->r->policy->judge != NULL &&
            w->r->policy->judge(own, from, &value))
            return value;
        if (!play_one(w, &rng))
            break;
    }
    game_of(w)->outcome(w->state, &outcome);
    return chance_of(w, &outcome);
}

static void count(struct why_option *option, double value)
{
    if (value < 0)
        return;
    option->sum += value;
    option->squares += value * value;
    option->n++;
}

/* ---- options --------------------------------------------------------------------------------- */

static fm_action shown(const struct why *w, fm_action action)
{
    return w->r->shown != NULL ? w->r->shown(&w->q, action) : action;
}

/* The option that is shown as this action; NULL: it is new, but there is no room, or it is too late
 * to add one. */
static struct why_option *option_for(struct why *w, fm_action action)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->option[i].action == action)
            return &w->option[i];
    if (w->worlds >= FIRST || w->n == WHY_OPTIONS + 1)
        return NULL;
    w->option[w->n] = (struct why_option){.action = action};
    return &w->option[w->n++];
}

/* Tries all that the seat could have done instead in the dealt world, each with the same random
 * numbers. */
static void try_others(struct why *w, const struct fm_rng *chance)
{
    fm_action list[SEARCH_WIDTH];
    bool tried[WHY_OPTIONS + 1] = {true};
    const struct fm_view mover = fm_view_of(game_of(w), w->world, (int)w->q.seat);
    const size_t n = options(w, mover, list, SEARCH_WIDTH);
    for (size_t i = 0; i < n; i++) {
        const fm_action as = shown(w, list[i]);
        struct why_option *option = as != 0 ? option_for(w, as) : NULL;
        if (option == NULL || tried[option - w->option])
            continue;
        tried[option - w->option] = true;
        count(option, try_out(w, list[i], *chance));
    }
}

double fm__why_value(const struct why_option *option)
{
    return option->n > 0 ? option->sum / option->n : 0;
}

double fm__why_error(const struct why_option *option)
{
    const double mean = fm__why_value(option);
    const double spread = option->n > 0 ? option->squares / option->n - mean * mean : 0;
    return option->n > 1 ? sqrt((spread > 0 ? spread : 0) / (option->n - 1)) : 0;
}

/* Puts the best others right behind the move and drops the rest. What was possible in less than
 * half of the worlds is no alternative. */
static void keep_best(struct why *w)
{
    for (size_t i = 1; i < w->n;) {
        if (2 * w->option[i].n < w->option[0].n)
            w->option[i] = w->option[--w->n];
        else
            i++;
    }
    for (size_t i = 1; i < w->n && i < WHY_SHOWN; i++) {
        size_t best = i;
        for (size_t k = i + 1; k < w->n; k++) {
            const double by = fm__why_value(&w->option[k]) - fm__why_value(&w->option[best]);
            if (by > 0 || (by == 0 && w->option[k].action < w->option[best].action))
                best = k;
        }
        const struct why_option swap = w->option[i];
        w->option[i] = w->option[best];
        w->option[best] = swap;
    }
    w->n = w->n < WHY_SHOWN ? w->n : WHY_SHOWN;
}

/* The best of many were partly lucky: the figures that are shown come from new worlds. */
static void begin_again(struct why *w)
{
    keep_best(w);
    for (size_t i = 0; i < w->n; i++)
        w->option[i] = (struct why_option){.action = w->option[i].action};
}

/* ---- a question ------------------------------------------------------------------------------ */

/* The random numbers follow from what the asker may know, and from nothing else. */
static void seed(struct why *w)
{
    uint8_t bytes[FM_SEED_BYTES], view[FM_STATE_MAX];
    const struct fm_note told = forget(w->q.told, game_of(w));
    const size_t n = fm_view_copy(w->q.before, view, sizeof view);
    const struct fm_span spans[] = {
        {view, n}, {&w->q.seat, sizeof w->q.seat}, {&told, sizeof told}};
    fm__hash(bytes, "fathom why 1", spans, 3);
    fm_rng_init(&w->rng, bytes, w->q.seat);
}

void fm__why_begin(struct why *w, const struct why_question *q, uint32_t worlds)
{
    memset(w, 0, sizeof *w);
    w->q = *q;
    w->r = fm__reasoning_of(q->before.game);
    w->most = worlds > 0 ? worlds : WORLDS;
    seed(w);
    if (fm__why_own(q) && w->r->weigh != NULL) {
        w->n = w->r->weigh(q, w->option, WHY_OPTIONS + 1);
        w->done = w->n > 0;
        if (w->done)
            keep_best(w);
    }
}

static bool end(struct why *w)
{
    if (!w->done)
        keep_best(w);
    w->done = true;
    return true;
}

bool fm__why_step(struct why *w)
{
    if (w->done || w->worlds >= w->most)
        return end(w);
    const fm_action move = deal(w);
    if (move == 0)
        return end(w);
    if (w->n == 0) {
        w->option[0].action = shown(w, move);
        w->n = 1;
    }
    const struct fm_rng chance = w->rng;
    uint8_t next[FM_SEED_BYTES];
    fm_rng_bytes(&w->rng, next, sizeof next);
    count(&w->option[0], try_out(w, move, chance));
    try_others(w, &chance);
    if (++w->worlds == FIRST && w->most > FIRST)
        begin_again(w);
    return w->worlds >= w->most ? end(w) : false;
}

/* ---- reasons --------------------------------------------------------------------------------- */

/* "best", "equal" or "behind": how the move compares with the best of the others; "only": there are
 * no others. */
static const char *standing(const struct why *w)
{
    if (w->n < 2)
        return "only";
    const double by = fm__why_value(&w->option[0]) - fm__why_value(&w->option[1]);
    const double a = fm__why_error(&w->option[0]), b = fm__why_error(&w->option[1]);
    if (fabs(by) <= BARS * sqrt(a * a + b * b))
        return "equal";
    return by > 0 ? "best" : "behind";
}

void fm__why_put_reason(struct fm_out *o, const struct why *w)
{
    fm_js_object(o);
    if (w->r->put_reason == NULL || !w->r->put_reason(o, &w->q))
        fm_js_key_word(o, "code", standing(w));
    fm_js_end_object(o);
}
