/* oceans_past.c: pictures of past rounds, and of sheets that were turned over. During a game only
 * of the last round; after it, of every round. */
#include "server/oceans.h"

#include "server/archive_pictures.h"

#include <fathom/ocean.h>

#include <string.h>

struct past {         /* of one round */
    int left;         /* sheets in the stack when it began; 0: there was no such round */
    int n_cards, top; /* revealed; the index of the first of them */
    bool octopus;
    double x, y;
};

static struct fm_stack stack_of(const struct srv_table *t, const void *match)
{
    struct fm_stack stack;
    t->setup.game->ocean->stack(match, &stack);
    return stack;
}

static void note_round(struct past *p, const struct fm_stack *stack, unsigned round)
{
    if (stack->round == round && stack->open) {
        p->left = stack->n;
        p->octopus = stack->covered;
        p->x = (double)stack->x / FM_STACK_SCALE;
        p->y = (double)stack->y / FM_STACK_SCALE;
    }
    if (stack->turned_round == round && round > 0) {
        p->n_cards = stack->turned_n;
        p->top = stack->n + stack->turned_n - 1;
    }
}

/* Replays the game up to the end of that round. */
static struct past find_past(const struct srv_table *t, unsigned round)
{
    struct past p = {0};
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    srv_table_deal(t, match);
    struct fm_stack stack = stack_of(t, match);
    note_round(&p, &stack, round);
    for (size_t i = 0; i < t->n_events && stack.round <= round; i++) {
        if (fm_apply(t->setup.game, match, &t->event[i], NULL) != FM_OK)
            break;
        stack = stack_of(t, match);
        note_round(&p, &stack, round);
    }
    return p;
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
    struct past p = {0};
    const struct fm_stack stack = stack_of(t, t->match);
    if (t->state == ST_OVER)
        p = find_past(t, round);
    else
        note_round(&p, &stack, round);
    const int n = level[0] - '0';
    if (n > p.n_cards)
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
    const struct past p = find_past(t, round);
    if (p.left == 0)
        return fm_fail(fault, FM_E_GONE, "this game had no round %u", round);
    describe_stack(&g, t);
    g.round = round;
    g.need = OC_NEAR; /* before other pictures: players may be waiting for them */
    g.left = p.left;
    g.octopus = p.octopus;
    g.x = p.x;
    g.y = p.y;
    return srv_archive_look(all, &g, look, viewer, now_ms, fault);
}
