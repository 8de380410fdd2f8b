/* water.c: the presets. What was tried and why these: docs/ocean.md. */
#include "ocean/water.h"

#include <fathom/out.h>

#include <string.h>

const double oc_haze_light[3] = {.16, .44, .60};

#define REEF                                                                                       \
    .ink = .80, .decoration_ink = .65, .ink_vary = .08, .tone_vary = .08, .hole = .30,             \
    .gap = .012, .gap_vary = .20, .bend = .5, .perspective = .45, .haze = .10, .haze_top = 1.8,    \
    .murk = .4, .dim = .07, .dim_red = .03, .blur = .22, .shadow = .35, .sheen = .10, .layers = 12

#pragma GCC diagnostic push /* the other presets say only how they differ */
#pragma GCC diagnostic ignored "-Woverride-init"
const struct oc_water oc_waters[] = {
    {.name = "reef", .about = "the default: to see well, you have to tilt", REEF},
    {.name = "clear",
     .about = "easy, for children: wide gaps, flat sheets",
     REEF,
     .gap = .020,
     .bend = 0,
     .layers = 11},
    {.name = "murky",
     .about = "hard: thicker water, sheets closer together",
     REEF,
     .gap = .0105,
     .haze = .13,
     .murk = .6,
     .dim = .085,
     .blur = .30},
    {.name = NULL},
};
#pragma GCC diagnostic pop
_Static_assert(sizeof oc_waters / sizeof oc_waters[0] == OC_WATERS + 1, "all are counted");

const struct oc_water *oc_water_find(const char *name)
{
    for (const struct oc_water *w = oc_waters; w->name != NULL; w++)
        if (strcmp(w->name, name) == 0)
            return w;
    return NULL;
}

void oc_waters_put(struct fm_out *o)
{
    fm_js_key(o, "waters");
    fm_js_array(o);
    for (const struct oc_water *w = oc_waters; w->name != NULL; w++) {
        fm_js_object(o);
        fm_js_key_text(o, "id", w->name);
        fm_js_key_text(o, "about", w->about);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
}
