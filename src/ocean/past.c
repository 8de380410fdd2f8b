/* past.c: finds past rounds by playing the game again. */
#include "ocean/past.h"

void oc_past_note(struct oc_past *p, const struct fm_stack *stack, unsigned round)
{
    if (stack->round == round && stack->open) {
        p->left = stack->n;
        p->covered = stack->covered;
        p->x = (double)stack->x / FM_STACK_SCALE;
        p->y = (double)stack->y / FM_STACK_SCALE;
    }
    if (stack->turned_round == round && round > 0) {
        p->n_turned = stack->turned_n;
        p->top = stack->n + stack->turned_n - 1;
    }
}

struct oc_past oc_past_find(const struct fm_game *game, void *match, const struct fm_event *event,
                            size_t n, unsigned round)
{
    struct oc_past p = {0};
    struct fm_stack stack;
    game->ocean->stack(match, &stack);
    oc_past_note(&p, &stack, round);
    for (size_t i = 0; i < n && stack.round <= round; i++) {
        if (fm_apply(game, match, &event[i], NULL) != FM_OK)
            break;
        game->ocean->stack(match, &stack);
        oc_past_note(&p, &stack, round);
    }
    return p;
}
