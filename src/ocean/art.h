/*
 * art.h: the drawings that sheets are made of: SVG files, rasterised once.
 *
 * A folder of art holds art.json, which lists its drawings, and their SVG files. The set in
 * data/art is built in; a folder of one's own replaces drawings of it or adds some. What comes
 * from a folder is checked first (svg_check.h): plain shapes only, bounded in size.
 */
#ifndef OCEAN_ART_H
#define OCEAN_ART_H

#include <fathom/error.h>

#include <stddef.h>
#include <stdint.h>

#define OC_DRAWINGS   64
#define OC_NAME       32
#define OC_SVG_MAX    65536 /* bytes of a file */
#define OC_SPRITE_MAX 512   /* pixels of the largest sprite's side */
#define OC_SPRITES    4     /* 512, 256, 128, 64 */

/* What a drawing stands for. The first four decide a sheet's kind, all others are decoration. */
enum oc_role {
    OC_SHARK,
    OC_GREEN,
    OC_RED,
    OC_MANTA,
    OC_WHALE,
    OC_DECORATION,
    OC_OCTOPUS,
    OC_ROLES
};

struct oc_drawing {
    char name[OC_NAME];
    uint8_t role;
    float small, large; /* how long it is, in widths of a card */
    float weight;       /* among the drawings of its role, how often */
    float reach;        /* how far its ink goes from its centre, in lengths: 0 .. 0.71 */
    struct oc_sprites *sprites;
};

struct oc_art {
    int n;
    struct oc_drawing drawing[OC_DRAWINGS];
    float weight[OC_ROLES]; /* the sum of a role's weights; every role has a drawing */
};

/* The built-in set, with what lies in dir (NULL: nothing more). NULL and a fault otherwise. */
struct oc_art *oc_art_load(const char *dir, struct fm_fault *fault);
void oc_art_free(struct oc_art *art); /* takes NULL */
/* A square picture, cairo's ARGB32 (premultiplied), side OC_SPRITE_MAX >> i, rows without gaps. The
 * creature looks to the right, its centre is the middle. It is drawn when it is first asked for, by
 * any thread: most programs never ask for all. NULL if there is no memory for it. */
const uint32_t *oc_sprite(const struct oc_drawing *d, int i);
/* Draw every sprite now: from then on no picture takes longer because of what is on it. */
void oc_art_draw(const struct oc_art *art);
/* One of a role, by a number from 0 to 1 that weighs them. */
const struct oc_drawing *oc_art_pick(const struct oc_art *art, enum oc_role role, double u);
/* Load one drawing's picture from the text of an SVG; for oc_art_load and its fuzzer. */
enum fm_err oc_drawing_load(struct oc_drawing *d, const char *svg, size_t n,
                            struct fm_fault *fault);
void oc_drawing_finish(struct oc_drawing *d); /* takes NULL */

#endif
