/*
 * water.h: how well one sees: the optics of the stack, in three presets.
 *
 * Lengths are in widths of a card, opacities from 0 to 1.
 */
#ifndef OCEAN_WATER_H
#define OCEAN_WATER_H

#include <stddef.h>

#define OC_LAYERS 13 /* at most twelve sheets that move by themselves, and the slab of the rest */

struct oc_water {
    const char *name;
    const char *about;
    /* the inks */
    double ink, decoration_ink; /* opacity of creatures that count, and of decoration */
    double ink_vary, tone_vary; /* each creature's own, up or down */
    double hole;                /* how often a sheet has holes */
    /* the sheets on each other */
    double gap;         /* from one to the next */
    double gap_vary;    /* each sheet's own, up or down, in gaps */
    double bend;        /* how far a sheet is from flat, in gaps */
    double perspective; /* 1 / distance of the eye */
    /* the light on its way */
    double haze, haze_top; /* what a film scatters; the top one, haze_top times as much */
    double murk;           /* how unevenly */
    double dim, dim_red;   /* what a layer of water takes; of red, dim_red more */
    double blur;           /* pixels a layer, in a window of 640 */
    double shadow;         /* of a sheet on those below it */
    double sheen;          /* the gloss on top */
    int layers;            /* sheets that move by themselves */
};

extern const double oc_haze_light[3]; /* red, green and blue of what films scatter */
#define OC_WATERS 3
extern const struct oc_water oc_waters[]; /* the default first; ends with a nameless one */
const struct oc_water *oc_water_find(const char *name); /* NULL: there is none */
/* "waters":[{"id":…,"about":…},…], the default first. */
struct fm_out;
void oc_waters_put(struct fm_out *o);

#endif
