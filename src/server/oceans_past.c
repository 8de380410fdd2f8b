/* oceans_past.c: pictures of past rounds, and of sheets that were turned over. During a game only
 * of the last round; after it, of every round. */
#include "server/oceans.h"

#include "ocean/past.h"
#include "server/archive_pictures.h"

#include <string.h>

static struct fm_stack stack_of(const struct srv_table *t, const void *match)
{
    struct fm_stack stack;
    t->setup.game->ocean->stack(match, &stack);
    return stack;
}

static struct oc_past find_past(const struct srv_table *t, unsigned round)
{
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    srv_table_deal(t, match);
    return oc_past_find(t->setup.game, match, t->event, t->n_events, round);
}

static void describe_stack(struct srv_archive_stack *stack, const struct srv_table *t)
{
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    memset(stack, 0, sizeof *stack);
    memcpy(stack->id, t->id.bytes, sizeof stack->id);
    srv_table_deal(t, match);
    oc_deal_of(&stack->deal, t->setup.game, match);
    stack->water = t->water;
    stack->need = OC_FINGER;
    stack->lamps = stack_of(t, match).lamps;
}

/* Which sheet of the deal was turned over on that level of that round. */
enum fm_err srv_past_index(const struct srv_table *t, unsigned round, const char *level,
                           const char **rest, int *index, struct fm_fault *fault)
{
    if (level[0] < '1' || level[0] > '0' + t->setup.game->ocean->deepest)
        return fm_fail_plain(fault, FM_E_NO_PATH);
    struct oc_past p = {0};
    const struct fm_stack stack = stack_of(t, t->match);
    if (t->state == ST_OVER)
        p = find_past(t, round);
    else
        oc_past_note(&p, &stack, round);
    const int n = level[0] - '0';
    if (n > p.n_turned)
        return fm_fail(fault, FM_E_GONE, "this sheet is not to be seen");
    *index = p.top + 1 - n;
    *rest = level + 1;
    return FM_OK;
}

enum fm_err srv_past_sheet(struct srv_archive_pictures *all, const struct srv_table *t,
                           unsigned round, const char *level, const struct srv_viewer *viewer,
                           uint64_t now_ms, struct fm_fault *fault)
{
    struct srv_archive_stack g;
    const char *rest;
    int index;
    if (srv_past_index(t, round, level, &rest, &index, fault) != FM_OK)
        return fault->code;
    const bool large = strcmp(rest, "/1024.jpg") == 0;
    if (!large && strcmp(rest, ".jpg") != 0)
        return fm_fail_plain(fault, FM_E_NO_PATH);
    describe_stack(&g, t);
    return srv_archive_sheet(all, &g, index, large, viewer, now_ms, fault);
}

enum fm_err srv_past_look(struct srv_archive_pictures *all, const struct srv_table *t,
                          unsigned round, struct oc_look look, const struct srv_viewer *viewer,
                          uint64_t now_ms, struct fm_fault *fault)
{
    struct srv_archive_stack g;
    const struct oc_past p = find_past(t, round);
    if (p.left == 0)
        return fm_fail(fault, FM_E_GONE, "this game had no round %u", round);
    describe_stack(&g, t);
    g.round = round;
    g.need = OC_NEAR; /* before other pictures: players may be waiting for them */
    g.left = p.left;
    g.octopus = p.covered;
    g.x = p.x;
    g.y = p.y;
    return srv_archive_look(all, &g, look, viewer, now_ms, fault);
}
