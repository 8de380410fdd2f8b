/*
 * eyes_fit.c: what to believe of a find: a softmax over the levels it may lie on, and over none.
 *
 * The weights are fitted by tools/eyes-fit on stacks that nothing is measured with. Its features
 * are the same as those below.
 */
#include "ocean/eyes_state.h"

#include <math.h>

#define FEATURES 16

static const float weights[OC_MANTA + 1][FEATURES] = {
#include "ocean/eyes_weights.inc"
};

/* What speaks for a level. */
static float plea(const float w[FEATURES], const struct oc_find *f, int level)
{
    const float deep = (float)level / OC_EYES_DEEP;
    const float off = fminf(fabsf(f->depth - (float)level - .5f), 2);
    const float spoke = logf(1 + f->clear) / 5;
    const float fits = f->agrees / fmaxf(f->free, .1f);
    const float feature[FEATURES] = {1,
                                     deep,
                                     f->light[level],
                                     deep * f->light[level],
                                     f->vote[level],
                                     deep * f->vote[level],
                                     -off * off,
                                     -deep * off * off,
                                     f->agrees,
                                     f->beside,
                                     spoke,
                                     deep * spoke,
                                     fits,
                                     f->free,
                                     fits * f->vote[level],
                                     spoke * f->vote[level]};
    float sum = 0;
    for (int i = 0; i < FEATURES; i++)
        sum += w[i] * feature[i];
    return fminf(sum, 40);
}

void oc_eyes_judge(struct oc_find *find)
{
    float sum = 1;             /* none of them */
    if (find->role > OC_MANTA) /* a whale counts for nothing */
        return;
    const float *w = weights[find->role];
    for (int level = 0; level < OC_EYES_DEEP; level++) {
        find->chance[level] = expf(plea(w, find, level));
        sum += find->chance[level];
    }
    for (int level = 0; level < OC_EYES_DEEP; level++)
        find->chance[level] /= sum;
}
