/* report.c: an analysis as JSON, and as text for people. */
#include "analysis/analysis.h"

static bool is_wanted(const struct analysis *a, unsigned seat)
{
    return a->seat < 0 || (unsigned)a->seat == seat;
}

static int64_t accuracy_tenths(const struct analysis_seat *s)
{
    return (s->accuracy + STUDY_ONE / 2000) / (STUDY_ONE / 1000);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_accuracy(struct fm_out *o, const struct analysis_seat *s)
{
    fm_js_key(o, "accuracy");
    if (s->accuracy < 0) {
        fm_js_null(o);
        return;
    }
    fm_js_int(o, accuracy_tenths(s) / 10);
    fm_put(o, ".");
    fm_put_int(o, accuracy_tenths(s) % 10);
}

static void put_seat(struct fm_out *o, const struct analysis *a, unsigned seat)
{
    const struct analysis_seat *s = &a->seats[seat];
    fm_js_object(o);
    fm_js_key_int(o, "seat", seat);
    fm_js_key_text(o, "name", a->names[seat]);
    fm_js_key_int(o, "decisions", s->decisions);
    put_accuracy(o, s);
    fm__js_key_chance(o, "result", s->result);
    fm__js_key_chance(o, "lost", s->lost);
    fm__js_key_chance(o, "luck", s->luck);
    if (s->sharp)
        fm__js_key_chance(o, "eyes", s->eyes);
    fm_js_key_int(o, "slips", s->marks[ANALYSIS_SLIP]);
    fm_js_key_int(o, "mistakes", s->marks[ANALYSIS_MISTAKE]);
    fm_js_key_int(o, "blunders", s->marks[ANALYSIS_BLUNDER]);
    fm_js_end_object(o);
}

static void put_action(struct fm_out *o, const struct decision *d, const char *key, size_t i)
{
    fm_js_key(o, key);
    fm_put_action(o, d->game, d->candidate[i].action);
}

static void put_candidate(struct fm_out *o, const struct decision *d, size_t i)
{
    const struct study_worlds *own = fm__study_of(d->game)->worlds;
    fm_js_object(o);
    put_action(o, d, "action", i);
    fm__js_key_chance(o, "value", d->candidate[i].value);
    fm__js_key_chance(o, "se", d->candidate[i].error);
    if (own != NULL)
        fm__js_key_chance(o, own->gain, d->candidate[i].gain);
    fm_js_end_object(o);
}

/* Does candidate i come before k? The best comes first; equals stay in the order of the list. */
static bool is_before(const struct decision *d, size_t i, size_t k)
{
    const int64_t by = d->candidate[i].value - d->candidate[k].value;
    return i == d->best || (k != d->best && (by > 0 || (by == 0 && i < k)));
}

void fm__put_candidates(struct fm_out *o, const struct decision *d)
{
    size_t order[STUDY_CANDIDATES];
    for (size_t i = 0; i < d->n; i++) {
        size_t at = i;
        for (; at > 0 && is_before(d, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    fm_js_key(o, "candidates");
    fm_js_array(o);
    for (size_t i = 0; i < d->n; i++)
        put_candidate(o, d, order[i]);
    fm_js_end_array(o);
}

static void put_knew(struct fm_out *o, const struct decision *d)
{
    const struct fm_study *study = fm__study_of(d->game);
    if (study->worlds != NULL)
        study->worlds->put_knew(o, fm__decision_view(d), d->scene);
    else
        study->put_knew(o, fm__decision_view(d), d->candidate, d->n);
}

static void put_decision(struct fm_out *o, const struct decision *d)
{
    fm_js_object(o);
    fm_js_key_int(o, "step", d->step);
    fm_js_key_int(o, "seat", d->seat);
    put_action(o, d, "played", 0);
    fm__js_key_chance(o, "value", d->candidate[0].value);
    put_action(o, d, "best", d->best);
    fm__js_key_chance(o, "best_value", d->candidate[d->best].value);
    fm__js_key_chance(o, "lost", d->lost);
    fm__js_key_chance(o, "luck", d->luck);
    fm_js_key_word(o, "mark", fm__mark_names[fm__decision_mark(d)]);
    fm_js_key(o, "exact");
    fm_js_bool(o, d->exact);
    if (d->sharper != 0) {
        fm_js_key(o, "sharper");
        fm_put_action(o, d->game, d->sharper);
        fm__js_key_chance(o, "eyes", d->eyes);
    }
    fm__put_candidates(o, d);
    fm_js_key(o, "knew");
    fm_js_object(o);
    put_knew(o, d);
    fm_js_end_object(o);
    fm_js_end_object(o);
}

void fm__put_analysis(struct fm_out *o, const struct analysis *a)
{
    fm_js_object(o);
    fm_js_key_int(o, "fathom", FM_RECORD_VERSION);
    fm_js_key_text(o, "game", a->setup->game->id);
    fm_js_key_int(o, "rules", a->setup->rules);
    fm_js_key_word(o, "budget", fm__budget_names[a->budget]);
    fm_js_key(o, "seats");
    fm_js_array(o);
    for (unsigned seat = 0; seat < a->setup->n_seats; seat++)
        if (is_wanted(a, seat))
            put_seat(o, a, seat);
    fm_js_end_array(o);
    fm_js_key(o, "decisions");
    fm_js_array(o);
    for (size_t i = 0; i < a->n; i++)
        put_decision(o, &a->decision[i]);
    fm_js_end_array(o);
    fm_js_end_object(o);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Thousandths as "12.3"; sign: with a plus. */
static void put_tenths(struct fm_out *o, int64_t number, bool sign)
{
    const int64_t size = ((number < 0 ? -number : number) + 50) / 100;
    if (size > 0 && (number < 0 || sign))
        fm_put(o, number < 0 ? "-" : "+");
    fm_put_int(o, size / 10);
    fm_put(o, ".");
    fm_put_int(o, size % 10);
}

/* "12.3 %"; sign: with a plus. */
static void put_percent(struct fm_out *o, int64_t chance, bool sign)
{
    const int64_t tenths = ((chance < 0 ? -chance : chance) + 500) / 1000;
    put_tenths(o, (chance < 0 ? -tenths : tenths) * 100, sign);
    fm_put(o, " %");
}

static void put_count(struct fm_out *o, unsigned n, const char *word)
{
    fm_put(o, ", ");
    fm_put_int(o, n);
    fm_put(o, " ");
    fm_put(o, word);
    if (n != 1)
        fm_put(o, "s");
}

static void put_seat_text(struct fm_out *o, const struct analysis *a, unsigned seat)
{
    const struct analysis_seat *s = &a->seats[seat];
    fm_put(o, "\nseat ");
    fm_put_int(o, seat);
    fm_put(o, ", ");
    fm_put(o, a->names[seat]);
    put_count(o, s->decisions, "decision");
    if (s->accuracy >= 0) {
        fm_put(o, ", accuracy ");
        fm_put_int(o, accuracy_tenths(s) / 10);
        fm_put(o, ".");
        fm_put_int(o, accuracy_tenths(s) % 10);
    }
    fm_put(o, "; lost ");
    put_percent(o, s->lost, false);
    fm_put(o, a->setup->n_seats > 2 ? ", others and chance " : ", luck ");
    put_percent(o, s->luck, true);
    if (s->sharp) {
        fm_put(o, ", eyes ");
        put_tenths(o, -s->eyes / (STUDY_ONE / 1000), true);
        fm_put(o, " ");
        fm_put(o, fm__study_of(a->setup->game)->worlds->unit);
    }
    for (unsigned mark = ANALYSIS_SLIP; mark < ANALYSIS_MARKS; mark++)
        if (s->marks[mark] > 0)
            put_count(o, s->marks[mark], fm__mark_names[mark]);
}

/* "program 1 shark / 2 / 3+5, 18.7 % (+4.9 spaces)" */
static void put_candidate_text(struct fm_out *o, const struct decision *d, size_t i)
{
    const struct study_worlds *own = fm__study_of(d->game)->worlds;
    const struct study_value *c = &d->candidate[i];
    if (own != NULL)
        own->put_action(o, c->action);
    else
        fm_put_action_text(o, d->game, c->action);
    fm_put(o, ", ");
    put_percent(o, c->value, false);
    if (own == NULL)
        return;
    fm_put(o, " (");
    put_tenths(o, c->gain / (STUDY_ONE / 1000), true);
    fm_put(o, " ");
    fm_put(o, own->unit);
    fm_put(o, ")");
}

static void put_decision_text(struct fm_out *o, const struct decision *d)
{
    fm_put(o, "\nmove ");
    fm_put_int(o, d->step);
    fm_put(o, ", seat ");
    fm_put_int(o, d->seat);
    fm_put(o, ": ");
    put_candidate_text(o, d, 0);
    if (d->lost > 0) {
        fm_put(o, "; better was ");
        put_candidate_text(o, d, d->best);
    }
    if (fm__decision_mark(d) != ANALYSIS_NONE) {
        fm_put(o, ": ");
        fm_put(o, fm__mark_names[fm__decision_mark(d)]);
    }
    fm_put(o, d->luck != 0 ? "; then " : "");
    if (d->luck != 0)
        put_percent(o, d->luck, true);
}

void fm__put_analysis_text(struct fm_out *o, const struct analysis *a)
{
    fm_put(o, a->setup->game->title);
    fm_put(o, ", ");
    fm_put(o, fm__budget_names[a->budget]);
    fm_put(o, ": the chance to win, from what each seat knew; then what others and\n"
              "chance did until its next decision\n");
    for (unsigned seat = 0; seat < a->setup->n_seats; seat++)
        if (is_wanted(a, seat))
            put_seat_text(o, a, seat);
    fm_put(o, "\n");
    for (size_t i = 0; i < a->n; i++)
        put_decision_text(o, &a->decision[i]);
}
