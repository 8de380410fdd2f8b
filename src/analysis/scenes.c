/* scenes.c: which states of a stack decisions were made at. */
#include "analysis/scenes.h"

#include <string.h>

static bool is_same(const struct fm_stack *a, const struct fm_stack *b)
{
    return a->n == b->n && a->open == b->open && a->covered == b->covered && a->x == b->x &&
           a->y == b->y;
}

/* The number of a stack among those that are looked at. */
static size_t number_of(struct analysis_scenes *s, const struct decision *d)
{
    struct fm_stack stack;
    size_t i = 0;
    d->game->ocean->stack(d->view, &stack);
    while (i < s->n && !is_same(&s->stack[i], &stack))
        i++;
    if (i == s->n)
        s->stack[s->n++] = stack;
    return i;
}

static enum fm_err find_eyes(struct fm_eyes *eyes, const char *water, struct fm_fault *fault)
{
    char name[64];
    struct fm_out o;
    fm_out_init(&o, name, sizeof name);
    fm_put(&o, "picture-average");
    fm_put(&o, water != NULL ? "-" : "");
    fm_put(&o, water != NULL ? water : "");
    return fm_eyes_named(eyes, name, fault);
}

enum fm_err fm__scenes_list(struct analysis_scenes *s, struct analysis *a, const char *water,
                            struct fm_fault *fault)
{
    const enum fm_err err = find_eyes(&s->eyes, water, fault);
    if (err != FM_OK)
        return err;
    s->n = 0;
    for (size_t i = 0; i < a->n; i++)
        a->decision[i].scene = &s->scene[number_of(s, &a->decision[i])];
    for (size_t i = 0; i < s->n; i++)
        s->scene[i] = (struct fm__scene){.eyes = &s->eyes};
    return FM_OK;
}
