/* witness.c: bakes a past stack, shows it to eyes, and writes down what they believe. */
#include "ocean/witness.h"

#include "ocean/eyes.h"
#include "ocean/layers.h"

#include "base/panic.h"

#include <stdlib.h>

#define GRAIN 1000 /* chances are rounded to 1 / GRAIN: a float's last bit should not matter */

_Static_assert(OC_SEEN_DOWN == FM_EYES_LEVELS && OC_KINDS == FM_EYES_KINDS,
               "eyes look as deep as sheets are visible");

struct oc_witness {
    const struct oc_art *art;
    struct oc_scratch *scratch;
    struct oc_frame frame;
    struct oc_eyes *average, *sharp; /* sharp: NULL if not asked for */
};

struct oc_witness *oc_witness_create(const struct oc_art *art, const struct oc_water *water,
                                     bool sharp)
{
    struct fm_fault fault;
    struct oc_witness *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->art = art;
    w->scratch = oc_scratch_create();
    w->average = oc_eyes_create(art, water, oc_acuity_find("average"));
    w->sharp = sharp ? oc_eyes_create(art, water, oc_acuity_find("keen")) : NULL;
    if (w->scratch == NULL || w->average == NULL || (sharp && w->sharp == NULL) ||
        oc_frame_init(&w->frame, OC_EYES_PICTURE, &fault) != FM_OK) {
        oc_witness_destroy(w);
        return NULL;
    }
    return w;
}

void oc_witness_destroy(struct oc_witness *w)
{
    if (w == NULL)
        return;
    oc_scratch_destroy(w->scratch);
    oc_frame_finish(&w->frame);
    oc_eyes_destroy(w->average);
    oc_eyes_destroy(w->sharp);
    free(w);
}

/* ---- eyes ----------------------------------------------------------------------------------- */

/* What the pictures alone say: how many sheets of each kind there are in the deck that the eyes
 * were fitted to is divided out. Rounded; the remainder goes to the likeliest kind. */
static void round_level(const float kind[FM_EYES_KINDS], uint32_t chance[FM_EYES_KINDS])
{
    static const float usual[FM_EYES_KINDS] = {10, 5, 2, 3, 9, 3, 3, 1};
    unsigned best = 0;
    uint32_t sum = 0;
    float all = 0;
    for (unsigned k = 0; k < FM_EYES_KINDS; k++)
        all += kind[k] / usual[k];
    for (unsigned k = 0; k < FM_EYES_KINDS; k++) {
        chance[k] = (uint32_t)(kind[k] / usual[k] / all * GRAIN + .5f) * (FM__SCENE_ONE / GRAIN);
        sum += chance[k];
        best = chance[k] > chance[best] ? k : best;
    }
    chance[best] += FM__SCENE_ONE - sum;
}

static void believe(struct oc_witness *w, struct oc_eyes *eyes, const struct oc_layers *layers,
                    const struct oc_patch *patch, struct fm__belief *out)
{
    struct oc_belief belief;
    for (int i = 0; i < oc_eyes_looks(eyes); i++) {
        oc_view(layers, oc_eyes_look(eyes, i), patch, oc_kernel_best(), &w->frame);
        oc_eyes_see_frame(eyes, i, &w->frame);
    }
    oc_eyes_believe(eyes, &belief);
    for (unsigned level = 0; level < out->levels; level++)
        round_level(belief.kind[level], out->chance[level]);
}

static enum fm_err look(struct oc_witness *w, const struct oc_layers *layers,
                        const struct fm_stack *stack, struct fm__scene *scene,
                        struct fm_fault *fault)
{
    struct oc_patch patch;
    const double x = (double)stack->x / FM_STACK_SCALE, y = (double)stack->y / FM_STACK_SCALE;
    if (stack->covered) {
        const enum fm_err err = oc_patch_init(&patch, w->art, OC_EYES_PICTURE, x, y, fault);
        if (err != FM_OK)
            return err;
    }
    believe(w, w->average, layers, stack->covered ? &patch : NULL, &scene->average);
    if (w->sharp != NULL)
        believe(w, w->sharp, layers, stack->covered ? &patch : NULL, &scene->sharp);
    if (stack->covered)
        oc_patch_finish(&patch);
    return FM_OK;
}

/* ---- the truth ------------------------------------------------------------------------------ */

static uint8_t percent(double share)
{
    return (uint8_t)(100 * share + .5);
}

static void tell(const struct oc_sheets *s, int left, struct fm__scene *scene)
{
    for (unsigned level = 0; level < scene->average.levels; level++) {
        const int index = left - 1 - (int)level;
        double seen[OC_MANTA + 1];
        oc_visible_each(s, index, (int)level, seen);
        scene->there[level] = s->sheet[index].kind;
        scene->shark[level] = percent(seen[OC_SHARK]);
        scene->helper[level] = percent(seen[s->sheet[index].kind & ~OC_KIND_SHARK]);
    }
}

enum fm_err oc_witness_look(struct oc_witness *w, const struct oc_sheets *s,
                            const struct fm_stack *stack, struct fm__scene *scene,
                            struct fm_fault *fault)
{
    *scene = (struct fm__scene){.eyes = scene->eyes};
    if (!stack->open)
        return FM_OK;
    scene->average.levels = stack->n < FM_EYES_LEVELS ? stack->n : FM_EYES_LEVELS;
    scene->sharp.levels = w->sharp != NULL ? scene->average.levels : 0;
    struct oc_layers *layers = oc_bake(s, stack->n, OC_EYES_PICTURE, false, w->scratch, fault);
    if (layers == NULL)
        return FM_E_MEMORY;
    const enum fm_err err = look(w, layers, stack, scene, fault);
    oc_layers_free(layers);
    if (err == FM_OK)
        tell(s, stack->n, scene);
    return err;
}
