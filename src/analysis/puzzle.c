/* puzzle.c: finds puzzles, and writes them down. */
#include "analysis/puzzle.h"

#include "analysis/analysis.h"
#include "base/panic.h"

#include <math.h>
#include <string.h>

#define HARDLY 70000  /* a glance that roughly seems this far behind the best may have missed it */
#define LIKELY 100000 /* margin at `quick` from which a closer look is worth it */
#define NEARLY 130000 /* the same at `normal` */
#define SURE   3.0    /* standard errors */

/* The second best; of equals the one that was listed first. */
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

static const struct study_worlds *worlds_of(const struct decision *d)
{
    return fm__study_of(d->game)->worlds;
}

static bool is_found(const struct decision *d, fm_action action)
{
    return fm__study_alike(fm__decision_view(d), d->played, action);
}

/* A choice at a glance; where there is something to look at, from what somebody happened to see. */
static fm_action glance(const struct decision *d, const void *match, const struct fm_eyes *eyes,
                        struct fm_rng *rng)
{
    struct fm_sight sight = {0};
    if (worlds_of(d) == NULL)
        return fm__reasoning_of(d->game)->policy->quick(fm__decision_view(d), rng);
    d->game->look(match, eyes, rng, &sight);
    return worlds_of(d)->glance(fm__decision_view(d), &sight, rng);
}

static unsigned glances(const struct decision *d, const void *match, const struct fm_eyes *eyes)
{
    unsigned found = 0;
    struct fm_rng rng;
    fm__decision_rng(d, "fathom puzzle glances 1", &rng);
    for (unsigned i = 0; i < PUZZLE_TRIES; i++)
        found += is_found(d, glance(d, match, eyes, &rng));
    return found;
}

static bool is_missed(const struct puzzle *p)
{
    return 2 * p->glances < PUZZLE_TRIES;
}

/* Would this bot first do something else, which is no decision? */
static bool is_other(const struct decision *d, fm_action action)
{
    const struct fm_study *study = fm__study_of(d->game);
    return worlds_of(d) != NULL && (action == 0 || !study->decides(action));
}

/* How often it finds the action; below zero: it would do something else first. */
static int ask(const struct decision *d, const struct fm_bot *bot, const void *match,
               const struct fm_eyes *eyes)
{
    struct fm_sight sight;
    struct fm_budget budget = {.eyes = eyes};
    int found = 0;
    struct fm_rng rng;
    fm__decision_rng(d, "fathom puzzle bots 1", &rng);
    for (unsigned i = 0; i < PUZZLE_TRIES; i++) {
        memset(&sight, 0, sizeof sight);
        if (d->game->look != NULL) {
            d->game->look(match, eyes, &rng, &sight);
            budget.sight = &sight;
        }
        const fm_action action = bot->think(fm__decision_view(d), &rng, budget).action;
        if (is_other(d, action))
            return -1;
        found += is_found(d, action);
    }
    return found;
}

/* false: one of them would do something else first. */
static bool ask_bots(struct puzzle *p, const void *match, const struct fm_eyes *eyes)
{
    const struct decision *d = &p->decision;
    const struct fm_bot *bot;
    p->n_bots = 0;
    for (size_t i = 0; (bot = fm_bot_at(i)) != NULL && p->n_bots < PUZZLE_BOTS; i++) {
        if (bot->game == NULL || strcmp(bot->game, d->game->id) != 0)
            continue;
        const int found = ask(d, bot, match, eyes);
        if (found < 0)
            return false;
        p->bot[p->n_bots++] = (struct puzzle_bot){bot, (unsigned)found};
    }
    return true;
}

/* ---- choices --------------------------------------------------------------------------------- */

/* The candidate of d that is the same choice as this action; d->n: none is. */
static size_t choice_of(const struct decision *d, fm_action action)
{
    size_t i = 0;
    while (i < d->n && !fm__study_alike(fm__decision_view(d), d->candidate[i].action, action))
        i++;
    return i;
}

/* Keeps one candidate of each choice: the one at `first`, and the best of all others. */
static void keep_choices(struct decision *d, size_t first)
{
    const struct decision all = *d;
    d->candidate[0] = all.candidate[first];
    d->n = 1;
    for (size_t i = 0; i < all.n; i++) {
        const size_t k = choice_of(d, all.candidate[i].action);
        if (k == d->n)
            d->candidate[d->n++] = all.candidate[i];
        else if (k > 0 && all.candidate[i].value > d->candidate[k].value)
            d->candidate[k] = all.candidate[i];
    }
    d->best = 0;
    d->chosen = true;
}

/* Adds choices that differ from what was played in a single thing. */
static void add_variations(struct decision *d)
{
    fm_action other[STUDY_CANDIDATES];
    const size_t n = worlds_of(d)->vary(d->played, other, STUDY_CANDIDATES);
    for (size_t i = 0; i < n && d->n < STUDY_CANDIDATES; i++)
        if (choice_of(d, other[i]) == d->n)
            d->candidate[d->n++] = (struct study_value){.action = other[i]};
}

/* Where a game has worlds of its own: lists the candidates, one of each choice. What was played
 * comes first. */
static void list_choices(struct decision *d, struct race *memory)
{
    if (worlds_of(d) == NULL)
        return;
    d->chosen = false;
    fm__decision_weigh(d, STUDY_QUICK, memory);
    if (d->n == 0)
        return;
    keep_choices(d, 0);
    add_variations(d);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Is what was played the best by at least this much? */
static bool leads(struct decision *d, enum study_budget budget, int64_t by, struct race *memory)
{
    fm__decision_weigh(d, budget, memory);
    return d->n > 1 && d->best == 0 && fm__puzzle_margin(d) >= by;
}

/* How far the first of a pair, which a race never drops, is surely behind the second. */
static int64_t surely_behind(const struct decision *pair)
{
    const double a = (double)pair->candidate[0].error, b = (double)pair->candidate[1].error;
    return pair->candidate[1].value - pair->candidate[0].value -
           (int64_t)(SURE * sqrt(a * a + b * b));
}

/* A race drops what falls behind, and learns little more about it. So each action is compared with
 * the best alone, with growing budgets, until it is surely PUZZLE_MARGIN behind; if it never is, it
 * has to be `by` behind with the last budget. */
static bool is_behind(const struct decision *d, struct study_value *other, enum study_budget last,
                      int64_t by, struct race *memory)
{
    struct decision pair = *d;
    pair.chosen = true;
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
    other->gain = pair.candidate[0].gain;
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

/* A scene from one sighting: what somebody who looked once may believe. */
static void imagine_scene(struct fm__scene *scene, const struct decision *d, const void *match,
                          const struct fm_eyes *eyes)
{
    struct fm_sight sight = {0};
    struct fm_rng rng;
    *scene = (struct fm__scene){.eyes = eyes};
    fm__decision_rng(d, "fathom puzzle sight 1", &rng);
    d->game->look(match, eyes, &rng, &sight);
    scene->average.levels = sight.levels;
    for (unsigned level = 0; level < sight.levels; level++) {
        uint64_t sum = 0;
        for (unsigned kind = 0; kind < FM_EYES_KINDS; kind++)
            sum += eyes->chance[level][kind][sight.seen[level]];
        for (unsigned kind = 0; kind < FM_EYES_KINDS && sum > 0; kind++)
            scene->average.chance[level][kind] =
                (uint32_t)((uint64_t)FM__SCENE_ONE * eyes->chance[level][kind][sight.seen[level]] /
                           sum);
    }
}

static bool note(struct puzzle *p, const struct fm_game *game, const void *match,
                 const struct fm_event *event)
{
    const bool noted = fm__decision_note(&p->decision, game, match, event);
    p->decision.scene = &p->scene;
    return noted;
}

/* Does something seem to be better than what a glance finds? Most decisions are ruled out here,
 * before anybody looks at pictures. */
static bool is_promising(struct puzzle *p, const void *match, const struct fm_event *event,
                         const struct fm_eyes *eyes, struct race *memory)
{
    struct decision *d = &p->decision;
    struct fm_event first = *event;
    struct fm_rng rng;
    if (worlds_of(d) != NULL)
        imagine_scene(&p->scene, d, match, eyes);
    fm__decision_rng(d, "fathom puzzle glance 1", &rng);
    first.action = glance(d, match, eyes, &rng);
    if (first.action == 0 || !note(p, d->game, match, &first))
        return false;
    fm__decision_weigh_roughly(d, memory);
    if (d->n < 2 || d->candidate[d->best].value - d->candidate[0].value < HARDLY)
        return false;
    if (worlds_of(d) == NULL)
        return true;
    keep_choices(d, d->best);
    return d->n > 1 && fm__puzzle_margin(d) >= HARDLY;
}

/* Looks at the pictures, if there are any, and finds the best action. */
static bool look_closely(struct puzzle *p, const void *match, const struct fm_event *event,
                         const struct puzzle_looking *looking, struct race *memory)
{
    struct decision *d = &p->decision;
    struct fm_event best = *event;
    if (worlds_of(d) != NULL && !looking->look(looking->arg, d, &p->scene))
        return false;
    d->chosen = false;
    fm__decision_weigh(d, STUDY_QUICK, memory);
    if (d->n < 2)
        return false;
    if (worlds_of(d) != NULL)
        keep_choices(d, d->best);
    best.action = d->candidate[d->best].action;
    if (d->n < 2 || fm__puzzle_margin(d) < LIKELY || !note(p, d->game, match, &best))
        return false;
    list_choices(d, memory);
    return d->n > 1 && (worlds_of(d) == NULL || worlds_of(d)->is_true(d->played, &p->scene));
}

bool fm__puzzle_find(struct puzzle *p, const struct fm_game *game, const void *match,
                     const struct fm_event *event, const struct puzzle_looking *looking,
                     struct race *memory)
{
    struct decision *d = &p->decision;
    p->scene = (struct fm__scene){.eyes = looking->eyes};
    if (!note(p, game, match, event) || !is_promising(p, match, event, looking->eyes, memory) ||
        !look_closely(p, match, event, looking, memory))
        return false;
    p->glances = glances(d, match, looking->eyes);
    if (!is_missed(p) || !leads(d, STUDY_QUICK, LIKELY, memory) || !seems_clear(d, memory) ||
        !leads(d, STUDY_NORMAL, LIKELY, memory) || !ask_bots(p, match, looking->eyes))
        return false;
    return fm__puzzle_difficulty(p) >= PUZZLE_EASIEST && is_clear(d, memory) &&
           others_are_behind(d, memory);
}

static bool is_equal(const struct decision *a, const struct decision *b)
{
    bool equal = a->n == b->n && a->exact == b->exact;
    for (size_t i = 0; i < a->n && equal; i++)
        equal = a->candidate[i].action == b->candidate[i].action &&
                a->candidate[i].value == b->candidate[i].value &&
                a->candidate[i].gain == b->candidate[i].gain &&
                a->candidate[i].error == b->candidate[i].error;
    return equal;
}

/* Would the same candidates be listed again? */
static bool has_all_choices(const struct decision *d, struct race *memory)
{
    struct decision again = *d;
    list_choices(&again, memory);
    for (size_t i = 0; i < again.n; i++)
        if (choice_of(d, again.candidate[i].action) == d->n)
            return false;
    return again.n == d->n;
}

enum puzzle_verdict fm__puzzle_check(const struct puzzle *p, const void *match,
                                     enum study_budget budget, struct race *memory)
{
    struct decision again = p->decision;
    if (glances(&again, match, p->scene.eyes) != p->glances || !is_missed(p))
        return PUZZLE_FOUND_BY_GLANCES;
    if (budget != STUDY_DEEP)
        return leads(&again, budget, 1, memory) ? PUZZLE_HOLDS : PUZZLE_NOT_BEST;
    if (!is_clear(&again, memory))
        return PUZZLE_NOT_BEST;
    return is_equal(&again, &p->decision) && has_all_choices(&p->decision, memory)
               ? PUZZLE_HOLDS
               : PUZZLE_OTHER_VALUES;
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

/* What average eyes made of the pictures: for each level the chance of each kind. */
static void put_belief(struct fm_out *o, const struct fm__belief *belief)
{
    fm_js_key(o, "belief");
    fm_js_array(o);
    for (unsigned level = 0; level < belief->levels; level++) {
        fm_js_array(o);
        for (unsigned kind = 0; kind < FM_EYES_KINDS; kind++)
            fm__js_chance(o, belief->chance[level][kind]);
        fm_js_end_array(o);
    }
    fm_js_end_array(o);
}

/* The record as a list of its lines, so that people can read the file. */
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
    if (worlds_of(d) != NULL)
        put_belief(o, &p->scene.average);
    put_record(o, record);
    fm_js_end_object(o);
    fm_put(o, "\n");
}
