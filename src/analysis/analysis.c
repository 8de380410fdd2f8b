/* analysis.c: the decisions of a game, and their sums. */
#include "analysis/analysis.h"

#include "base/panic.h"

#include <string.h>

#define SLIP     50000 /* from this loss on, in millionths */
#define MISTAKE  100000
#define BLUNDER  200000
#define HOPELESS 20000 /* decisions with no more chance than this do not count for accuracy */

const char *const fm__budget_names[STUDY_BUDGETS + 1] = {"quick", "normal", "deep", NULL};
const char *const fm__mark_names[ANALYSIS_MARKS] = {"", "slip", "mistake", "blunder"};

/* Takes out the last decision of the same seat if this one takes it back. */
static void replace(struct analysis *a, const struct decision *later)
{
    const struct fm_study *study = fm__study_of(later->game);
    size_t i = a->n;
    while (i > 0 && a->decision[i - 1].seat != later->seat)
        i--;
    if (i == 0 || study->replaces == NULL ||
        !study->replaces(fm__decision_view(later), fm__decision_view(&a->decision[i - 1])))
        return;
    memmove(&a->decision[i - 1], &a->decision[i], (a->n - i) * sizeof *a->decision);
    a->n--;
}

size_t fm__analysis_find(struct analysis *a, void *match, const struct fm_event *event,
                         size_t n_events, size_t cap)
{
    const struct fm_game *g = a->setup->game;
    struct decision d;
    a->n = 0;
    fm_assert(fm_init(match, a->setup, NULL) == FM_OK);
    for (size_t i = 0; i < n_events; i++) {
        const bool wanted = a->seat < 0 || event[i].seat == a->seat;
        if (wanted && fm__decision_note(&d, g, match, &event[i])) {
            d.step = (uint32_t)i + 1;
            if (cap > 0)
                replace(a, &d);
            if (a->n < cap)
                a->decision[a->n] = d;
            a->n++;
        }
        fm_assert(fm_apply(g, match, &event[i], NULL) == FM_OK);
    }
    return a->n;
}

enum analysis_mark fm__decision_mark(const struct decision *d)
{
    return d->lost >= BLUNDER   ? ANALYSIS_BLUNDER
           : d->lost >= MISTAKE ? ANALYSIS_MISTAKE
           : d->lost >= SLIP    ? ANALYSIS_SLIP
                                : ANALYSIS_NONE;
}

static int64_t best_value(const struct decision *d)
{
    return d->candidate[d->best].value;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Decisions for which no world could be dealt are left out. */
static void leave_out(struct analysis *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        if (a->decision[i].n > 0)
            a->decision[n++] = a->decision[i];
    a->n = n;
}

/* What others and chance did until the seat's next decision, or the end. */
static void find_luck(struct analysis *a)
{
    int64_t next[FM_MAX_SEATS];
    for (unsigned seat = 0; seat < a->setup->n_seats; seat++)
        next[seat] = a->seats[seat].result;
    for (size_t i = a->n; i-- > 0;) {
        struct decision *d = &a->decision[i];
        d->luck = next[d->seat] - best_value(d) + d->lost;
        next[d->seat] = best_value(d);
    }
}

static void add_up(struct analysis *a)
{
    int64_t shares[FM_MAX_SEATS] = {0}, counted[FM_MAX_SEATS] = {0};
    for (size_t i = 0; i < a->n; i++) {
        const struct decision *d = &a->decision[i];
        struct analysis_seat *s = &a->seats[d->seat];
        s->decisions++;
        s->lost += d->lost;
        s->luck += d->luck;
        s->sharp |= d->sharper != 0;
        s->eyes += d->eyes;
        s->marks[fm__decision_mark(d)]++;
        if (best_value(d) <= HOPELESS)
            continue;
        counted[d->seat]++;
        shares[d->seat] += d->lost * STUDY_ONE / best_value(d);
    }
    for (unsigned seat = 0; seat < a->setup->n_seats; seat++)
        a->seats[seat].accuracy = counted[seat] > 0 ? STUDY_ONE - shares[seat] / counted[seat] : -1;
}

/* Does what will be printed add up, for a seat? */
static bool holds(const struct analysis *a, unsigned seat)
{
    const struct decision *first = NULL;
    int64_t luck = 0, lost = 0;
    for (size_t i = 0; i < a->n; i++) {
        const struct decision *d = &a->decision[i];
        if (d->seat != seat)
            continue;
        if (first == NULL)
            first = d;
        luck += d->luck;
        lost += d->lost;
    }
    const struct analysis_seat *s = &a->seats[seat];
    return first == NULL || (s->result - best_value(first) == luck - lost && s->luck == luck &&
                             s->lost == lost && lost >= 0);
}

bool fm__analysis_settle(struct analysis *a, const void *match)
{
    memset(a->seats, 0, sizeof a->seats);
    for (unsigned seat = 0; seat < a->setup->n_seats; seat++)
        a->seats[seat].result = fm__ending_value(a->setup->game, match, seat);
    leave_out(a);
    find_luck(a);
    add_up(a);
    for (unsigned seat = 0; seat < a->setup->n_seats; seat++)
        if (!holds(a, seat))
            return false;
    return true;
}
