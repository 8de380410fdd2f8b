/* oceans_past.c: Dive's stack as it lay in the rounds that are over, and the sheets that were
 * revealed. While a game lasts, of the last dive alone; after it, of every round. */
#include "server/oceans.h"

#include "games/dive/dive_state.h"
#include "server/glimpses.h"

#include <string.h>

struct past {         /* of one round */
    int left;         /* sheets in the stack when it began; 0: there was no such round */
    int n_cards, top; /* that were revealed; the index of the first of them */
    bool octopus;
    double x, y;
};

static const struct dive_pub *pub_of(const void *match)
{
    return match;
}

static void note_round(struct past *p, const struct dive_pub *pub, unsigned round)
{
    if (pub->round == round && pub->head.phase == DIVE_PROGRAM) {
        p->left = pub->stack_n;
        p->octopus = pub->effect[DIVE_OCTOPUS] != DIVE_NONE;
        p->x = (double)pub->octopus_x / DIVE_OCTOPUS_SCALE;
        p->y = (double)pub->octopus_y / DIVE_OCTOPUS_SCALE;
    }
    if (pub->log.round == round && round > 0) {
        p->n_cards = pub->log.n_cards;
        p->top = pub->stack_n + pub->log.n_cards - 1;
    }
}

/* The game is played again up to that round's end. */
static struct past find_past(const struct srv_table *t, unsigned round)
{
    struct past p = {0};
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    srv_table_deal(t, match);
    note_round(&p, pub_of(match), round);
    for (size_t i = 0; i < t->n_events && pub_of(match)->round <= round; i++) {
        if (fm_apply(t->setup.game, match, &t->event[i], NULL) != FM_OK)
            break;
        note_round(&p, pub_of(match), round);
    }
    return p;
}

static void make_glimpse(struct srv_glimpse *g, const struct srv_table *t)
{
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    memset(g, 0, sizeof *g);
    memcpy(g->id, t->id.bytes, sizeof g->id);
    srv_table_deal(t, match);
    oc_deal_of_dive(&g->deal, (const struct dive_state *)(const void *)match);
    g->need = OC_FINGER;
    g->lamps = pub_of(match)->flashlight != 0;
}

enum fm_err srv_past_sheet(struct srv_glimpses *all, const struct srv_table *t, unsigned round,
                           const char *level, const struct srv_viewer *viewer, uint64_t now_ms,
                           struct fm_fault *fault)
{
    struct srv_glimpse g;
    if (level[0] < '1' || level[0] > '6' || strcmp(level + 1, ".jpg") != 0)
        return fm_fail_plain(fault, FM_E_NO_PATH);
    struct past p = {0};
    if (t->state == ST_OVER)
        p = find_past(t, round);
    else
        note_round(&p, pub_of(t->match), round);
    const int n = level[0] - '0', index = p.top + 1 - n;
    if (n > p.n_cards)
        return fm_fail(fault, FM_E_GONE, "this sheet is not to be seen");
    make_glimpse(&g, t);
    return srv_glimpse_sheet(all, &g, index, viewer, now_ms, fault);
}

enum fm_err srv_past_look(struct srv_glimpses *all, const struct srv_table *t, unsigned round,
                          struct oc_look look, const struct srv_viewer *viewer, uint64_t now_ms,
                          struct fm_fault *fault)
{
    struct srv_glimpse g;
    const struct past p = find_past(t, round);
    if (p.left == 0)
        return fm_fail(fault, FM_E_GONE, "this game had no round %u", round);
    make_glimpse(&g, t);
    g.round = round;
    g.need = OC_NEAR; /* sheets come first: a game may wait to see them */
    g.left = p.left;
    g.octopus = p.octopus;
    g.x = p.x;
    g.y = p.y;
    return srv_glimpse_look(all, &g, look, viewer, now_ms, fault);
}
