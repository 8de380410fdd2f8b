/* eyes_art.c: drawings as points with colours, and how these look through the water. */
#include "ocean/eyes_state.h"

#include <math.h>

#define SPRITE    3 /* the smallest is fine enough */
#define SPRITE_OF (OC_SPRITE_MAX >> SPRITE)
#define RING      4 /* pixels of it: how far off points around a drawing lie */
#define BELOW_INK .22

/* ---- points --------------------------------------------------------------------------------- */

struct texel {
    double alpha, rgb[3];
};

/* The mean over a square of 2 r + 1 pixels. */
static struct texel look_up(const struct oc_drawing *d, int x, int y, int r)
{
    const uint32_t *sprite = oc_sprite(d, SPRITE);
    struct texel t = {0};
    for (int j = y - r; j <= y + r; j++)
        for (int i = x - r; i <= x + r; i++) {
            if (i < 0 || j < 0 || i >= SPRITE_OF || j >= SPRITE_OF)
                continue;
            const uint32_t argb = sprite[j * SPRITE_OF + i];
            t.alpha += argb >> 24;
            for (int k = 0; k < 3; k++)
                t.rgb[k] += argb >> (16 - 8 * k) & 0xff;
        }
    for (int k = 0; k < 3; k++)
        t.rgb[k] = t.alpha > 0 ? t.rgb[k] / t.alpha : 0;
    t.alpha /= 255.0 * (2 * r + 1) * (2 * r + 1);
    return t;
}

static struct point point_at(int x, int y, const struct texel *t)
{
    struct point p = {.x = (float)((x + .5) / SPRITE_OF - .5),
                      .y = (float)((y + .5) / SPRITE_OF - .5)};
    for (int k = 0; k < 3; k++)
        p.rgb[k] = (float)t->rgb[k];
    return p;
}

/* Every step-th pixel that is inked all over; how many there are, writes at most cap. */
static int list_inside(const struct oc_drawing *d, int step, int r, struct point *out, int cap)
{
    int n = 0;
    for (int y = step / 2; y < SPRITE_OF; y += step)
        for (int x = step / 2; x < SPRITE_OF; x += step) {
            const struct texel t = look_up(d, x, y, r);
            if (t.alpha < .85)
                continue;
            if (n < cap)
                out[n] = point_at(x, y, &t);
            n++;
        }
    return n;
}

/* Pixels without ink beside inked ones, with the colour of these. */
static int list_around(const struct oc_drawing *d, int step, struct point *out, int cap)
{
    int n = 0;
    for (int y = 0; y < SPRITE_OF; y += step)
        for (int x = 0; x < SPRITE_OF; x += step) {
            const struct texel at = look_up(d, x, y, 2), near = look_up(d, x, y, RING);
            if (at.alpha > 0 || near.alpha < .02)
                continue;
            if (n < cap)
                out[n] = point_at(x, y, &near);
            n++;
        }
    return n;
}

static int densest(int (*list)(const struct oc_drawing *, int, struct point *, int),
                   const struct oc_drawing *d, struct point *out, int cap)
{
    int step = 1;
    while (list(d, step, out, 0) > cap)
        step++;
    return list(d, step, out, cap);
}

static int inside_finely(const struct oc_drawing *d, int step, struct point *out, int cap)
{
    return list_inside(d, step, 1, out, cap);
}

static int inside_coarsely(const struct oc_drawing *d, int step, struct point *out, int cap)
{
    return list_inside(d, step, 2, out, cap);
}

/* ---- colours -------------------------------------------------------------------------------- */

static double daylight(const struct oc_water *w, int level, int channel)
{
    const double dim[] = {w->dim + w->dim_red, w->dim, .72 * w->dim};
    return exp(-dim[channel] * level);
}

/* An ink on a level, under all films above it, with some of the deep shining through. */
static struct colour tint(const struct oc_water *w, int level, const float rgb[3])
{
    static const double deep[] = {.05, .19, .29};
    double c[3];
    for (int k = 0; k < 3; k++) {
        const double ink = w->ink;
        c[k] = ink * (double)rgb[k] * daylight(w, level, k) + (1 - ink) * deep[k];
        for (int above = level - 1; above >= 0; above--) {
            const double haze = w->haze * (above == 0 ? w->haze_top : 1);
            c[k] = (1 - haze) * c[k] + haze * oc_haze_light[k] * daylight(w, above, k);
        }
    }
    const double y = .299 * c[0] + .587 * c[1] + .114 * c[2];
    const double u = -.168736 * c[0] - .331264 * c[1] + .5 * c[2];
    const double v = .5 * c[0] - .418688 * c[1] - .081312 * c[2];
    return (struct colour){
        {(uint8_t)(255 * y + .5), (uint8_t)(128.5 + 255 * u), (uint8_t)(128.5 + 255 * v)}};
}

static void tint_all(const struct oc_water *w, int level, const struct drawn *d, struct tints *out)
{
    for (int i = 0; i < d->n_inside; i++)
        out->inside[i] = tint(w, level, d->inside[i].rgb);
    for (int i = 0; i < d->n_around; i++)
        out->around[i] = tint(w, level, d->around[i].rgb);
    for (int i = 0; i < d->n_glance; i++)
        out->glance[i] = tint(w, level, d->glance[i].rgb);
}

bool oc_eyes_learn(struct oc_eyes *e, const struct oc_art *art)
{
    for (int i = 0; i < art->n && e->n_drawn < DRAWN; i++) {
        const struct oc_drawing *from = &art->drawing[i];
        if (from->role > OC_WHALE)
            continue;
        if (oc_sprite(from, SPRITE) == NULL)
            return false;
        struct drawn *d = &e->drawn[e->n_drawn];
        d->role = from->role;
        d->even = from->role == OC_GREEN || from->role == OC_RED || from->role == OC_MANTA;
        d->small = from->small;
        d->large = from->large;
        d->n_inside = densest(inside_finely, from, d->inside, INSIDE);
        d->n_glance = densest(inside_coarsely, from, d->glance, GLANCE);
        d->n_around = densest(list_around, from, d->around, AROUND);
        for (int level = 0; level < OC_EYES_DEEP; level++)
            tint_all(e->water, level, d, &e->tints[e->n_drawn][level]);
        e->n_drawn++;
    }
    return true;
}
