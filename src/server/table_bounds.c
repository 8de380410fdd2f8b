/* table_bounds.c: how often a seat may repeat itself, and the clock act, in one match. */
#include "server/table.h"

static bool repeats(const struct fm_game *g, fm_action action)
{
    return g->repeat_verbs >> fm_verb(action) & 1;
}

static uint16_t length_of(const struct fm_game *g, const void *match)
{
    struct fm_outcome so_far;
    g->outcome(match, &so_far);
    return so_far.length;
}

void srv_tally_begin(struct srv_tally *tally, const struct fm_game *g, const void *match)
{
    *tally = (struct srv_tally){.length = length_of(g, match)};
}

void srv_tally_add(struct srv_tally *tally, const struct fm_game *g, const void *match,
                   const struct fm_event *ev)
{
    const uint16_t length = length_of(g, match);
    if (ev->seat == FM_TABLE) {
        tally->clock++;
    } else if (repeats(g, ev->action)) {
        tally->in_round[ev->seat]++;
        tally->in_match[ev->seat]++;
    }
    if (length == tally->length)
        return;
    tally->length = length;
    for (unsigned seat = 0; seat < FM_MAX_SEATS; seat++)
        tally->in_round[seat] = 0;
}

/* Bits of the verbs that this seat may use, without those that count as repetitions. */
static uint32_t verbs_of(struct fm_view v)
{
    fm_action legal[FM_LEGAL_MAX];
    const size_t n = v.game->legal(v, legal, FM_LEGAL_MAX);
    uint32_t verbs = 0;
    for (size_t i = 0; i < n && i < FM_LEGAL_MAX; i++)
        verbs |= 1u << fm_verb(legal[i]);
    return verbs & ~v.game->repeat_verbs;
}

enum fm_err srv_check_repeat(const struct srv_tally *tally, const struct fm_game *g,
                             const void *before, const void *after, const struct fm_event *ev)
{
    const struct fm_pub *pub = before;
    if (ev->seat == FM_TABLE || !repeats(g, ev->action))
        return FM_OK;
    const bool quiet = g->quiet_verbs >> fm_verb(ev->action) & 1; /* a claim delays nobody */
    if ((quiet || tally->in_round[ev->seat] < SRV_REPEATS) &&
        tally->in_match[ev->seat] < SRV_REPEATS_MATCH / pub->n_seats)
        return FM_OK;
    /* a seat that the game waits for may still do what lets the game continue */
    const uint32_t could = verbs_of(fm_view_of(g, before, ev->seat));
    const uint32_t can = verbs_of(fm_view_of(g, after, ev->seat));
    return (pub->owes >> ev->seat & 1) && (can & ~could) != 0 ? FM_OK : FM_E_OFTEN;
}

bool srv_clock_stopped(const struct srv_tally *tally)
{
    return tally->clock >= SRV_CLOCK_WORDS;
}

fm_action srv_unrepeated_action(struct fm_view v)
{
    fm_action legal[FM_LEGAL_MAX];
    const size_t n = v.pub->owes >> v.seat & 1 ? v.game->legal(v, legal, FM_LEGAL_MAX) : 0;
    for (size_t i = 0; i < n && i < FM_LEGAL_MAX; i++)
        if (!repeats(v.game, legal[i]))
            return legal[i];
    return 0;
}
