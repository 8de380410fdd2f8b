/* decision.c: the candidates of a decision, tried in dealt worlds. */
#include "analysis/decision.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/panic.h"

#include <math.h>
#include <string.h>

#define BATCH   16     /* worlds between two looks at the figures */
#define BEHIND  2.5    /* standard errors after which a candidate is dropped */
#define SURE    2.0    /* standard errors beyond which a difference counts as lost */
#define FEW     4      /* candidates that are compared in new worlds */
#define PAIR    2      /* of them in the last worlds: what was played, and the best other */
#define ROUGHLY 8      /* this many times fewer playouts than `quick` */
#define MOVES   4000   /* at most, when a world is played to its end */
#define SHARPLY 2000   /* worlds in which sharp eyes' choice is compared */
#define GRAIN   1000.0 /* added to standard errors, in millionths: few worlds agree by accident */

const struct fm_study *fm__study_of(const struct fm_game *game)
{
    return fm__reasoning_of(game)->study;
}

bool fm__study_is_blind(const struct fm_game *game)
{
    const struct fm_study *study = fm__study_of(game);
    return study != NULL && study->worlds == NULL;
}

/* ---- taking down ----------------------------------------------------------------------------- */

struct fm_view fm__decision_view(const struct decision *d)
{
    return (struct fm_view){.game = d->game,
                            .pub = (const void *)d->view,
                            .priv = (const void *)(d->view + d->game->pub_size),
                            .seat = (int)d->seat};
}

bool fm__decision_same(const struct decision *d, fm_action action)
{
    const struct fm_study *study = fm__study_of(d->game);
    return action == d->played ||
           (study->same != NULL && study->same(fm__decision_view(d), d->played, action));
}

bool fm__study_alike(struct fm_view v, fm_action a, fm_action b)
{
    const struct fm_study *study = fm__study_of(v.game);
    return a == b || (study->alike != NULL && study->alike(a, b)) ||
           (study->same != NULL && study->same(v, a, b));
}

static void add(struct decision *d, fm_action action)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->candidate[i].action == action)
            return;
    if (d->n > 0 && fm__decision_same(d, action))
        return;
    if (d->n < STUDY_CANDIDATES)
        d->candidate[d->n++] = (struct study_value){.action = action};
}

static void list(struct decision *d, const fm_action *action, size_t n)
{
    d->n = 0;
    add(d, d->played);
    for (size_t i = 0; i < n; i++)
        add(d, action[i]);
}

/* Is there anything else to do? What can be found only from pictures is listed later. */
static bool has_choice(struct decision *d)
{
    const struct fm_study *study = fm__study_of(d->game);
    fm_action action[STUDY_CANDIDATES];
    if (study->worlds != NULL)
        return true;
    list(d, action, study->candidates(fm__decision_view(d), d->played, action, STUDY_CANDIDATES));
    return d->n > 1;
}

bool fm__decision_note(struct decision *d, const struct fm_game *game, const void *match,
                       const struct fm_event *event)
{
    const struct fm_study *study = fm__study_of(game);
    const struct fm_pub *pub = match;
    if (event->seat >= pub->n_seats || !(pub->owes >> event->seat & 1) ||
        (study->decides != NULL && !study->decides(event->action)))
        return false;
    *d = (struct decision){.seat = event->seat, .played = event->action, .game = game};
    fm_assert(fm_view_copy(fm_view_of(game, match, event->seat), d->view, sizeof d->view) > 0);
    return has_choice(d);
}

/* ---- playing on ------------------------------------------------------------------------------ */

int64_t fm__ending_value(const struct fm_game *game, const void *match, unsigned seat)
{
    const struct fm_reasoning *r = fm__reasoning_of(game);
    const unsigned n = ((const struct fm_pub *)match)->n_seats;
    struct fm_outcome outcome = {0};
    game->outcome(match, &outcome);
    const float value =
        r->chance != NULL ? r->chance(&outcome, n, seat) : r->policy->value(&outcome, n, seat);
    return (int64_t)((double)value * STUDY_ONE + 0.5);
}

static bool act(struct race *r, unsigned seat, fm_action action)
{
    const struct fm_event ev = {.t_ms = ((const struct fm_pub *)(const void *)r->state)->now_ms,
                                .seat = (uint8_t)seat,
                                .action = action};
    return action != 0 && fm_apply(r->from.game, r->state, &ev, NULL) == FM_OK;
}

/* Lets the first seat act that the game waits for and that has something to do. */
static bool play_one(struct race *r, struct fm_rng *rng)
{
    const struct fm_pub *pub = (const void *)r->state;
    for (unsigned m = pub->owes; m != 0; m &= m - 1) {
        const unsigned seat = fm__lowest(m);
        const struct fm_view v = fm_view_of(r->from.game, r->state, (int)seat);
        if (act(r, seat, r->reasoning->policy->quick(v, rng)))
            return true;
    }
    return false;
}

/* One more world; false: none can be dealt. */
static bool next_world(struct race *r)
{
    const struct study_worlds *own = fm__study_of(r->from.game)->worlds;
    if (own == NULL)
        return r->from.game->deal(r->world, r->from, &r->rng) == FM_OK;
    own->imagine(&r->rng);
    return true;
}

/* What becomes of a candidate in the present world. */
static int64_t play_on(struct race *r, size_t i, struct fm_rng rng)
{
    const struct fm_game *game = r->from.game;
    const struct fm_pub *pub = (const void *)r->state;
    memcpy(r->state, r->world, game->state_size);
    fm_assert(act(r, (unsigned)r->from.seat, r->decision->candidate[i].action));
    if (fm__study_of(game)->learns)
        fm__search_walk(r->reasoning->policy, game, r->state, (unsigned)i, &rng);
    for (unsigned n = 0; pub->status != FM_OVER && n < MOVES && play_one(r, &rng); n++)
        ;
    return fm__ending_value(r->from.game, r->state, (unsigned)r->from.seat);
}

static int64_t try_out(struct race *r, size_t i, struct fm_rng rng, int64_t *gain)
{
    const struct study_worlds *own = fm__study_of(r->from.game)->worlds;
    *gain = 0;
    return own != NULL ? own->try_out(r->decision->candidate[i].action, gain) : play_on(r, i, rng);
}

static void try_all(struct race *r)
{
    int64_t gain;
    int64_t value[STUDY_CANDIDATES];
    const struct fm_rng chance = r->rng;
    uint8_t next[FM_SEED_BYTES];
    fm_rng_bytes(&r->rng, next, sizeof next);
    for (size_t i = 0; i < r->n; i++) {
        value[i] = try_out(r, r->runner[i], chance, &gain);
        r->sum[i] += value[i];
        r->gain[i] += gain;
        for (size_t k = 0; k <= i; k++)
            r->cross[i][k] += value[i] * value[k];
    }
    r->worlds++;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* The standard error of a mean, in millionths. */
static double error_of(int64_t sum, int64_t squares, int64_t n)
{
    const double mean = (double)sum / (double)n;
    const double spread = (double)squares / (double)n - mean * mean;
    return n > 1 && spread > 0 ? sqrt(spread / (double)(n - 1)) : 0;
}

static double error_between(const struct race *r, size_t i, size_t k)
{
    const int64_t both = i > k ? r->cross[i][k] : r->cross[k][i];
    return error_of(r->sum[i] - r->sum[k], r->cross[i][i] - 2 * both + r->cross[k][k], r->worlds);
}

/* Rounded to the nearest, halves away from 0. */
static int64_t mean(int64_t sum, int64_t n)
{
    return (2 * sum + (sum < 0 ? -n : n)) / (2 * n);
}

static size_t leader(const struct race *r)
{
    size_t best = 0;
    for (size_t i = 1; i < r->n; i++)
        if (r->sum[i] > r->sum[best])
            best = i;
    return best;
}

/* What is known of a candidate besides its value. */
static void note_figures(const struct race *r, size_t i)
{
    struct study_value *c = &r->decision->candidate[r->runner[i]];
    c->error = (int64_t)(error_of(r->sum[i], r->cross[i][i], r->worlds) + 0.5);
    c->gain = mean(r->gain[i], r->worlds);
}

/* Takes a candidate out of the race, and keeps what is known of it. */
static void drop(struct race *r, size_t i)
{
    const size_t who = r->runner[i];
    r->dropped[who] = true;
    r->behind[who] = mean(r->sum[0] - r->sum[i], r->worlds);
    note_figures(r, i);
    r->n--;
    for (size_t k = i; k < r->n; k++) {
        r->runner[k] = r->runner[k + 1];
        r->sum[k] = r->sum[k + 1];
        r->gain[k] = r->gain[k + 1];
    }
    for (size_t k = 0; k < r->n; k++)
        for (size_t j = 0; j <= k; j++)
            r->cross[k][j] = r->cross[k + (k >= i)][j + (j >= i)];
}

/* Drops what is surely worse than the best. What was played stays, however bad it is. */
static void drop_the_worse(struct race *r)
{
    size_t best = leader(r);
    for (size_t i = r->n; i-- > 1;) {
        const double by = (double)(r->sum[best] - r->sum[i]) / (double)r->worlds;
        if (i == best || by <= BEHIND * (error_between(r, best, i) + GRAIN))
            continue;
        drop(r, i);
        best -= i < best;
    }
}

/* Keeps what was played and the best others, n in all. */
static void keep(struct race *r, size_t n)
{
    while (r->n > n) {
        size_t worst = 1;
        for (size_t i = 2; i < r->n; i++)
            if (r->sum[i] <= r->sum[worst])
                worst = i;
        drop(r, worst);
    }
}

/* ---- a race ---------------------------------------------------------------------------------- */

/* Tries the remaining candidates in new worlds: about `playouts` in all, or until only `enough`
 * candidates are left. */
static bool run(struct race *r, size_t playouts, size_t enough)
{
    memset(r->sum, 0, sizeof r->sum);
    memset(r->gain, 0, sizeof r->gain);
    memset(r->cross, 0, sizeof r->cross);
    r->worlds = 0;
    for (size_t done = 0; done < playouts && r->n > enough;) {
        for (int i = 0; i<BATCH; i++, done += r->n> PAIR ? r->n : PAIR) {
            if (!next_world(r))
                return false;
            try_all(r);
        }
        drop_the_worse(r);
    }
    return true;
}

/* The same; afterwards only the best `enough` are left. */
static bool heat(struct race *r, size_t playouts, size_t enough)
{
    if (!run(r, playouts, enough))
        return false;
    keep(r, enough);
    return true;
}

void fm__decision_rng(const struct decision *d, const char *domain, struct fm_rng *rng)
{
    uint8_t bytes[FM_SEED_BYTES];
    const bool looked = fm__study_of(d->game)->worlds != NULL;
    const struct fm_span spans[] = {
        {d->view, d->game->pub_size + d->game->priv_size},
        {&d->seat, sizeof d->seat},
        {looked ? &d->scene->average : NULL, looked ? sizeof d->scene->average : 0}};
    fm__hash(bytes, domain, spans, looked ? 3 : 2);
    fm_rng_init(rng, bytes, d->seat);
}

static void list_from_pictures(struct race *r, struct decision *d)
{
    const struct study_worlds *own = fm__study_of(d->game)->worlds;
    fm_action action[STUDY_CANDIDATES];
    if (own == NULL)
        return;
    const size_t n = own->begin(r->from, &d->scene->average, d->scene->eyes, d->played, action,
                                STUDY_CANDIDATES, &r->rng);
    if (!d->chosen)
        list(d, action, n);
}

static void begin(struct race *r, struct decision *d)
{
    r->decision = d;
    r->reasoning = fm__reasoning_of(d->game);
    r->from = fm__decision_view(d);
    fm__decision_rng(d, "fathom analysis 1", &r->rng);
    list_from_pictures(r, d);
    r->n = d->n;
    memset(r->dropped, 0, sizeof r->dropped);
    for (size_t i = 0; i < d->n; i++)
        r->runner[i] = i;
    fm__search_clear((unsigned)d->n);
}

/* ---- what came of it ------------------------------------------------------------------------- */

/* A candidate that was dropped stays as far behind what was played as it was then, but is never put
 * ahead of the best. */
static void value_dropped(const struct race *r, struct decision *d)
{
    const int64_t most = d->candidate[d->best].value;
    for (size_t i = 0; i < d->n; i++) {
        if (!r->dropped[i])
            continue;
        const int64_t value = d->candidate[0].value - r->behind[i];
        d->candidate[i].value = value < 0 ? 0 : value > most ? most : value;
    }
}

static void conclude(const struct race *r, struct decision *d)
{
    const size_t best = leader(r);
    for (size_t i = 0; i < r->n; i++) {
        struct study_value *c = &d->candidate[r->runner[i]];
        c->value = mean(r->sum[i], r->worlds);
        note_figures(r, i);
    }
    d->best = r->runner[best];
    d->worlds = (uint32_t)r->worlds;
    const int64_t by = d->candidate[d->best].value - d->candidate[0].value;
    d->lost = (double)by > SURE * error_between(r, best, 0) ? by : 0;
    value_dropped(r, d);
}

/* Compares what was played with the same action as sharp eyes would have corrected it, in worlds
 * imagined from what sharp eyes believe. */
static void look_sharply(struct race *r, struct decision *d)
{
    const struct study_worlds *own = fm__study_of(d->game)->worlds;
    fm_action unused[STUDY_CANDIDATES];
    int64_t sum = 0, gain[2] = {0};
    if (own == NULL || d->n == 0 || d->scene->sharp.levels == 0)
        return;
    fm__decision_rng(d, "fathom sharp 1", &r->rng);
    (void)own->begin(r->from, &d->scene->sharp, d->scene->eyes, d->played, unused, STUDY_CANDIDATES,
                     &r->rng);
    d->sharper = own->sharpen(d->played);
    for (int i = 0; i < SHARPLY && d->sharper != d->played; i++) {
        own->imagine(&r->rng);
        (void)own->try_out(d->sharper, &gain[0]);
        (void)own->try_out(d->played, &gain[1]);
        sum += gain[0] - gain[1];
    }
    d->eyes = sum > 0 ? mean(sum, SHARPLY) : 0;
}

static bool weigh_exactly(struct decision *d)
{
    const struct fm_study *study = fm__study_of(d->game);
    const struct fm_view v = fm__decision_view(d);
    d->best = 0;
    if (study->exact == NULL || study->exact(v, d->played) < 0)
        return false;
    for (size_t i = 0; i < d->n; i++) {
        d->candidate[i].value = study->exact(v, d->candidate[i].action);
        if (d->candidate[i].value > d->candidate[d->best].value)
            d->best = i;
    }
    d->lost = d->candidate[d->best].value - d->candidate[0].value;
    d->exact = true;
    return true;
}

static void weigh(struct decision *d, size_t playouts, struct race *memory)
{
    const size_t fifth = playouts / 5;
    if (weigh_exactly(d))
        return;
    begin(memory, d);
    if (d->n > 1 && heat(memory, 2 * fifth, FEW) && heat(memory, fifth, PAIR) &&
        run(memory, 2 * fifth, 0))
        conclude(memory, d);
    else
        d->n = 0;
    look_sharply(memory, d);
}

void fm__decision_weigh(struct decision *d, enum study_budget budget, struct race *memory)
{
    weigh(d, fm__study_of(d->game)->playouts[budget], memory);
}

void fm__decision_weigh_roughly(struct decision *d, struct race *memory)
{
    weigh(d, fm__study_of(d->game)->playouts[STUDY_QUICK] / ROUGHLY, memory);
}
