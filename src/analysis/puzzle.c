/* puzzle.c: finds puzzles, and writes them down. */
#include "analysis/puzzle.h"

#include "analysis/analysis.h"
#include "base/panic.h"

#include <math.h>
#include <string.h>

#define HARDLY 70000  /* behind the best, roughly: a glance that may have missed it */
#define LIKELY 100000 /* margin at `quick` from which a closer look is worth it */
#define NEARLY 130000 /* the same at `normal` */
#define SURE   3.0    /* standard errors */

/* The best after the best; of equals the first that was listed. */
static const struct study_value *second(const struct decision *d)
{
    const struct study_value *found = NULL;
    for (size_t i = 0; i < d->n; i++)
        if (i != d->best && (found == NULL || d->candidate[i].value > found->value))
            found = &d->candidate[i];
    return found;
}

int64_t fm__puzzle_margin(const struct decision *d)
{
    return d->candidate[d->best].value - second(d)->value;
}

int64_t fm__puzzle_difficulty(const struct puzzle *p)
{
    int64_t missed = 0;
    for (size_t i = 0; i < p->n_bots; i++)
        missed += PUZZLE_TRIES - p->bot[i].found;
    return p->n_bots > 0 ? fm__share(missed, (int64_t)(PUZZLE_TRIES * p->n_bots)) : 0;
}

/* ---- who finds it ---------------------------------------------------------------------------- */

static unsigned glances(const struct decision *d)
{
    const struct search_policy *policy = fm__reasoning_of(d->game)->policy;
    unsigned found = 0;
    struct fm_rng rng;
    fm__decision_rng(d, "fathom puzzle glances 1", &rng);
    for (unsigned i = 0; i < PUZZLE_TRIES; i++)
        found += fm__decision_same(d, policy->quick(fm__decision_view(d), &rng));
    return found;
}

static bool is_missed(const struct puzzle *p)
{
    return 2 * p->glances < PUZZLE_TRIES;
}

static unsigned ask(const struct decision *d, const struct fm_bot *bot, const void *match,
                    const struct fm_eyes *eyes)
{
    struct fm_sight sight;
    struct fm_budget budget = {.eyes = eyes};
    unsigned found = 0;
    struct fm_rng rng;
    fm__decision_rng(d, "fathom puzzle bots 1", &rng);
    for (unsigned i = 0; i < PUZZLE_TRIES; i++) {
        memset(&sight, 0, sizeof sight);
        if (d->game->look != NULL) {
            d->game->look(match, eyes, &rng, &sight);
            budget.sight = &sight;
        }
        found += fm__decision_same(d, bot->think(fm__decision_view(d), &rng, budget).action);
    }
    return found;
}

static void ask_bots(struct puzzle *p, const void *match, const struct fm_eyes *eyes)
{
    const struct decision *d = &p->decision;
    const struct fm_bot *bot;
    p->n_bots = 0;
    for (size_t i = 0; (bot = fm_bot_at(i)) != NULL && p->n_bots < PUZZLE_BOTS; i++)
        if (bot->game != NULL && strcmp(bot->game, d->game->id) == 0)
            p->bot[p->n_bots++] = (struct puzzle_bot){bot, ask(d, bot, match, eyes)};
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Is what was played the best by so much? */
static bool leads(struct decision *d, enum study_budget budget, int64_t by, struct race *memory)
{
    fm__decision_weigh(d, budget, memory);
    return d->n > 1 && d->best == 0 && fm__puzzle_margin(d) >= by;
}

/* How far one is behind the other for sure, in a pair whose first is never given up. */
static int64_t surely_behind(const struct decision *pair)
{
    const double a = (double)pair->candidate[0].error, b = (double)pair->candidate[1].error;
    return pair->candidate[1].value - pair->candidate[0].value -
           (int64_t)(SURE * sqrt(a * a + b * b));
}

/* A race gives up what falls behind, and then knows little more of it. So each action is compared
 * with the best alone, until it is surely PUZZLE_MARGIN behind, or with the last budget by so
 * much. */
static bool is_behind(const struct decision *d, struct study_value *other, enum study_budget last,
                      int64_t by, struct race *memory)
{
    struct decision pair = *d;
    pair.played = other->action;
    pair.candidate[0] = *other;
    pair.candidate[1] = d->candidate[0];
    for (unsigned budget = STUDY_QUICK; budget <= (unsigned)last; budget++) {
        pair.n = 2;
        fm__decision_weigh(&pair, (enum study_budget)budget, memory);
        if (pair.n == 2 && surely_behind(&pair) >= PUZZLE_MARGIN)
            break;
    }
    const int64_t lost = pair.candidate[1].value - pair.candidate[0].value;
    other->value = lost < d->candidate[0].value ? d->candidate[0].value - lost : 0;
    other->error = pair.candidate[0].error;
    return pair.n == 2 && lost >= by;
}

/* The same with less effort, to see whether more is worth it. */
static bool seems_clear(const struct decision *d, struct race *memory)
{
    for (size_t i = 1; i < d->n; i++) {
        struct study_value other = d->candidate[i];
        if (!is_behind(d, &other, STUDY_NORMAL, NEARLY, memory))
            return false;
    }
    return true;
}

/* Weighs the best at `deep`, and all others against it. */
static bool is_clear(struct decision *d, struct race *memory)
{
    if (!leads(d, STUDY_DEEP, 1, memory))
        return false;
    for (size_t i = 1; i < d->n; i++)
        if (!is_behind(d, &d->candidate[i], STUDY_DEEP, PUZZLE_MARGIN, memory))
            return false;
    return fm__puzzle_margin(d) >= PUZZLE_MARGIN;
}

/* ---- finding --------------------------------------------------------------------------------- */

static bool is_candidate(const struct decision *d, fm_action action)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->candidate[i].action == action)
            return true;
    return fm__decision_same(d, action);
}

/* Bots consider only some of what is legal: are all others behind, too? Verbs that stand for many
 * actions are left to the bots. */
static bool others_are_behind(const struct decision *d, struct race *memory)
{
    const struct fm_study *study = fm__study_of(d->game);
    fm_action legal[FM_LEGAL_MAX];
    const size_t n = d->game->legal(fm__decision_view(d), legal, FM_LEGAL_MAX);
    for (size_t i = 0; i < n && i < FM_LEGAL_MAX; i++) {
        struct study_value other = {.action = legal[i]};
        if (d->game->open_verbs >> fm_verb(legal[i]) & 1 || is_candidate(d, legal[i]) ||
            (study->decides != NULL && !study->decides(legal[i])))
            continue;
        if (!is_behind(d, &other, STUDY_DEEP, PUZZLE_MARGIN, memory))
            return false;
    }
    return true;
}

/* Does something seem to be better than what a glance finds? Most decisions end here. */
static bool is_promising(struct decision *d, const struct fm_game *game, const void *match,
                         const struct fm_event *event, struct race *memory)
{
    const struct search_policy *policy = fm__reasoning_of(game)->policy;
    struct fm_event glance = *event;
    struct fm_rng rng;
    if (!fm__decision_note(d, game, match, event))
        return false;
    fm__decision_rng(d, "fathom puzzle glance 1", &rng);
    glance.action = policy->quick(fm__decision_view(d), &rng);
    if (glance.action == 0 || !fm__decision_note(d, game, match, &glance))
        return false;
    fm__decision_weigh_roughly(d, memory);
    return d->n > 1 && d->candidate[d->best].value - d->candidate[0].value >= HARDLY;
}

bool fm__puzzle_find(struct puzzle *p, const struct fm_game *game, const void *match,
                     const struct fm_event *event, const struct fm_eyes *eyes, struct race *memory)
{
    struct decision *d = &p->decision;
    struct fm_event best = *event;
    if (!is_promising(d, game, match, event, memory))
        return false;
    fm__decision_weigh(d, STUDY_QUICK, memory);
    best.action = d->candidate[d->best].action;
    if (fm__puzzle_margin(d) < LIKELY || !fm__decision_note(d, game, match, &best))
        return false;
    p->glances = glances(d);
    if (!is_missed(p) || !leads(d, STUDY_QUICK, LIKELY, memory) || !seems_clear(d, memory) ||
        !leads(d, STUDY_NORMAL, LIKELY, memory))
        return false;
    ask_bots(p, match, eyes);
    return fm__puzzle_difficulty(p) >= PUZZLE_EASIEST && is_clear(d, memory) &&
           others_are_behind(d, memory);
}

static bool is_equal(const struct decision *a, const struct decision *b)
{
    bool equal = a->n == b->n && a->exact == b->exact;
    for (size_t i = 0; i < a->n && equal; i++)
        equal = a->candidate[i].action == b->candidate[i].action &&
                a->candidate[i].value == b->candidate[i].value &&
                a->candidate[i].error == b->candidate[i].error;
    return equal;
}

enum puzzle_verdict fm__puzzle_check(const struct puzzle *p, enum study_budget budget,
                                     struct race *memory)
{
    struct decision again = p->decision;
    if (glances(&again) != p->glances || !is_missed(p))
        return PUZZLE_FOUND_BY_GLANCES;
    if (budget != STUDY_DEEP)
        return leads(&again, budget, 1, memory) ? PUZZLE_HOLDS : PUZZLE_NOT_BEST;
    if (!is_clear(&again, memory))
        return PUZZLE_NOT_BEST;
    return is_equal(&again, &p->decision) ? PUZZLE_HOLDS : PUZZLE_OTHER_VALUES;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_bots(struct fm_out *o, const struct puzzle *p)
{
    fm_js_key(o, "bots");
    fm_js_array(o);
    for (size_t i = 0; i < p->n_bots; i++) {
        fm_js_object(o);
        fm_js_key_text(o, "bot", p->bot[i].bot->id);
        fm_js_key_int(o, "found", p->bot[i].found);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
}

/* Its lines, so that the file can be read. */
static void put_record(struct fm_out *o, const char *record)
{
    char line[FM_RECORD_LINE + 1];
    fm_js_key(o, "record");
    fm_js_array(o);
    while (*record != '\0') {
        const size_t n = strcspn(record, "\n");
        fm_assert(n < sizeof line && record[n] == '\n');
        memcpy(line, record, n);
        line[n] = '\0';
        fm_js_text(o, line);
        record += n + 1;
    }
    fm_js_end_array(o);
}

void fm__put_puzzle(struct fm_out *o, const struct puzzle *p, const char *record)
{
    const struct decision *d = &p->decision;
    fm_js_object(o);
    fm_js_key_int(o, "fathom", FM_RECORD_VERSION);
    fm_js_key_text(o, "game", d->game->id);
    fm_js_key_int(o, "step", d->step);
    fm_js_key_int(o, "seat", d->seat);
    fm_js_key(o, "best");
    fm_put_action(o, d->game, d->played);
    fm_js_key(o, "second");
    fm_put_action(o, d->game, second(d)->action);
    fm__js_key_chance(o, "margin", fm__puzzle_margin(d));
    fm__js_key_chance(o, "difficulty", fm__puzzle_difficulty(p));
    fm_js_key_int(o, "tries", PUZZLE_TRIES);
    fm_js_key_int(o, "glances", p->glances);
    put_bots(o, p);
    fm_js_key(o, "exact");
    fm_js_bool(o, d->exact);
    fm__put_candidates(o, d);
    put_record(o, record);
    fm_js_end_object(o);
    fm_put(o, "\n");
}
