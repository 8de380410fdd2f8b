/* search.c: the tree, its walk and its memory. */
#include "bots/search.h"

#include "base/bits.h"
#include "base/panic.h"

#include <math.h>
#include <string.h>

#define EDGES 65536
#define NONE  0u /* edge 0 leads to a root */

struct edge { /* an action, and the node that it leads to */
    fm_action action;
    uint32_t next;   /* the next action of the same node */
    uint32_t first;  /* the first action of its own node */
    uint32_t taken;  /* how often it was walked */
    uint32_t offers; /* how often it could have been */
    float sum;       /* of the mover's values */
};

struct tree {
    uint32_t n;
    struct edge edge[EDGES];
};

static _Thread_local struct tree tree;

struct walk {
    const struct search_policy *policy;
    struct fm_rng *rng;
    const struct fm_game *game;
    void *state;
    struct { /* the way down */
        struct edge *edge;
        unsigned seat;
    } step[256];
    unsigned depth;
};

static const struct fm_pub *pub_of(const struct walk *w)
{
    return w->state;
}

/* Who moves: the first seat that the game waits for. */
static int mover(const struct walk *w)
{
    const struct fm_pub *pub = pub_of(w);
    return pub->status == FM_OVER || pub->owes == 0 ? -1 : (int)fm__lowest(pub->owes);
}

static bool act(struct walk *w, unsigned seat, fm_action action)
{
    const struct fm_event ev = {.t_ms = pub_of(w)->now_ms, .seat = (uint8_t)seat, .action = action};
    return fm_apply(w->game, w->state, &ev, NULL) == FM_OK;
}

/* The edge of an action at a node; NULL: it is new and there is no room. */
static struct edge *edge_of(struct edge *node, fm_action action)
{
    uint32_t *link = &node->first;
    for (; *link != NONE; link = &tree.edge[*link].next)
        if (tree.edge[*link].action == action)
            return &tree.edge[*link];
    if (tree.n == EDGES)
        return NULL;
    *link = tree.n++;
    tree.edge[*link] = (struct edge){.action = action};
    return &tree.edge[*link];
}

/* The action with the highest bound: one that was never walked counts as a sure win, and what is
 * listed earlier gets a larger bonus. NULL: there is no room for any. */
static struct edge *select_edge(const struct walk *w, struct edge *node, const fm_action *option,
                                size_t n)
{
    struct edge *best = NULL;
    float best_bound = -1;
    for (size_t i = 0; i < n; i++) {
        struct edge *e = edge_of(node, option[i]);
        if (e == NULL)
            break;
        e->offers++;
        const float mean = e->taken == 0 ? 1 : e->sum / (float)e->taken;
        const float bound = mean + w->policy->curiosity * sqrtf((float)e->offers) /
                                       (float)((1 + e->taken) * (2 + i));
        if (bound > best_bound) {
            best = e;
            best_bound = bound;
        }
    }
    return best;
}

/* Down the tree until something new; then quickly to the end. */
static void descend(struct walk *w, struct edge *at)
{
    fm_action option[SEARCH_WIDTH];
    int seat;
    do {
        if ((seat = mover(w)) < 0 || w->depth == sizeof w->step / sizeof w->step[0])
            break;
        const struct fm_view v = fm_view_of(w->game, w->state, seat);
        at = select_edge(w, at, option, w->policy->options(v, option, SEARCH_WIDTH));
        if (at == NULL)
            break;
        w->step[w->depth].edge = at;
        w->step[w->depth++].seat = (unsigned)seat;
        fm_assert(act(w, (unsigned)seat, at->action));
    } while (at->taken > 0);
    while ((seat = mover(w)) >= 0) {
        const fm_action a = w->policy->quick(fm_view_of(w->game, w->state, seat), w->rng);
        if (!act(w, (unsigned)seat, a))
            break;
    }
}

static void count(struct walk *w)
{
    struct fm_outcome outcome = {0};
    float value[FM_MAX_SEATS];
    w->game->outcome(w->state, &outcome);
    const unsigned n = pub_of(w)->n_seats;
    for (unsigned seat = 0; seat < n; seat++)
        value[seat] = w->policy->value(&outcome, n, seat);
    for (unsigned i = 0; i < w->depth; i++) {
        w->step[i].edge->taken++;
        w->step[i].edge->sum += value[w->step[i].seat];
    }
}

void fm__search_clear(unsigned roots)
{
    memset(tree.edge, 0, roots * sizeof tree.edge[0]);
    tree.n = roots;
}

void fm__search_walk(const struct search_policy *policy, const struct fm_game *game, void *state,
                     unsigned root, struct fm_rng *rng)
{
    static _Thread_local struct walk w;
    w.policy = policy;
    w.rng = rng;
    w.game = game;
    w.state = state;
    w.depth = 0;
    descend(&w, &tree.edge[root]);
    count(&w);
}

fm_action fm__search_best(struct fm_view v, const struct search_policy *policy, uint32_t usual,
                          struct fm_budget budget, struct fm_rng *rng)
{
    const uint32_t iterations = budget.iterations > 0 ? budget.iterations : usual;
    fm_action option[SEARCH_WIDTH];
    const size_t n = policy->options(v, option, SEARCH_WIDTH);
    if (n <= 1)
        return n == 1 ? option[0] : 0;
    static _Thread_local _Alignas(8) uint8_t state[FM_STATE_MAX];
    fm__search_clear(1);
    for (uint32_t i = 0; i < iterations; i++) {
        if (i > 0 && fm_time_up(&budget))
            break;
        if (v.game->deal(state, v, rng) != FM_OK)
            break;
        fm__search_walk(policy, v.game, state, 0, rng);
    }
    const struct edge *best = &tree.edge[0];
    for (uint32_t i = tree.edge[0].first; i != NONE; i = tree.edge[i].next)
        if (tree.edge[i].taken > best->taken)
            best = &tree.edge[i];
    return best->taken > 0 ? best->action : option[0];
}
