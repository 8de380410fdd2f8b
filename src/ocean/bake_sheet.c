/* bake_sheet.c: draws one sheet, or the slab of all below, and turns it into a layer's words. */
#include "ocean/bake.h"
#include "ocean/draw.h"

#include <math.h>
#include <string.h>

#define IN_SLAB .25  /* of a gap: how close the sheets of the slab lie together */
#define SOFT    .006 /* how soft a shadow is, in widths of the window */

static const struct oc_rgb bottom_light = {{.020, .085, .150}};

static const struct oc_rgb lamp_light = {{.80, .95, 1.0}};

static struct oc_rgb haze_light(void)
{
    return (struct oc_rgb){{oc_haze_light[0], oc_haze_light[1], oc_haze_light[2]}};
}

static inline uint16_t chroma_word(uint32_t passes, int32_t tint)
{
    const uint32_t p = oc__to_byte(passes);
    const int32_t grey = (int32_t)((OC_ONE - passes) * 128 / 255);
    const int32_t light = grey + tint;
    return oc__word(p, oc__to_byte((uint32_t)(light < 0                 ? 0
                                              : light > (int32_t)OC_ONE ? (int32_t)OC_ONE
                                                                        : light)));
}

static cairo_t *canvas(uint32_t *argb, int side, cairo_surface_t **surface)
{
    memset(argb, 0, (size_t)side * (size_t)side * sizeof *argb);
    *surface = cairo_image_surface_create_for_data((unsigned char *)argb, CAIRO_FORMAT_ARGB32, side,
                                                   side, 4 * side);
    return cairo_create(*surface);
}

static bool finish_canvas(cairo_t *cr, cairo_surface_t *surface)
{
    const bool fine = cairo_status(cr) == CAIRO_STATUS_SUCCESS;
    cairo_surface_flush(surface);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return fine;
}

static bool draw_sheet(const struct oc_plan *p, int level, struct oc_scratch *scratch)
{
    const struct oc_spot *spot = &p->spot[level];
    cairo_surface_t *surface;
    cairo_t *cr = canvas(scratch->argb, spot->side, &surface);
    cairo_translate(cr, spot->origin, spot->origin);
    cairo_scale(cr, spot->width, spot->width);
    cairo_rectangle(cr, 0, 0, 1, 1);
    cairo_clip(cr);
    oc_draw_sheet(cr, oc__sheet_at(p, level));
    return finish_canvas(cr, surface);
}

/* What a film scatters along one row: uneven, and nothing in holes. */
static void film_row(const struct oc_plan *p, int level, int y, uint16_t *row)
{
    const struct oc_water *w = p->s->water;
    const struct oc_sheet *sheet = oc__sheet_at(p, level);
    const struct oc_spot *spot = &p->spot[level];
    const double haze = w->haze * (level == 0 ? w->haze_top : 1);
    const float v = (float)((y + .5 - spot->origin) / spot->width);
    const float base = (float)(haze * OC_ONE), vary = (float)(haze * w->murk * OC_ONE);
    enum { STEP = 8 }; /* fields are smooth: straight lines between points will do */
    float from = oc_field_at(&sheet->murk, (float)(-spot->origin / spot->width), v);
    for (int x = 0; x < spot->side; x += STEP) {
        const float to =
            oc_field_at(&sheet->murk, (float)((x + STEP - spot->origin) / spot->width), v);
        const int n = spot->side - x < STEP ? spot->side - x : STEP;
        for (int k = 0; k < n; k++)
            row[x + k] = (uint16_t)(base + vary * (from + (to - from) * (float)k / STEP));
        from = to;
    }
    for (int i = 0; i < sheet->n_holes; i++) {
        const struct oc_hole *h = &sheet->hole[i];
        float hx = h->x, hy = h->y;
        oc_orient(sheet->orientation, &hx, &hy);
        const double cx = spot->origin + (double)hx * spot->width - .5,
                     cy = spot->origin + (double)hy * spot->width - .5,
                     r = (double)h->r * spot->width, dy = y - cy;
        if (fabs(dy) > r + 1)
            continue;
        for (int x = (int)(cx - r - 1) < 0 ? 0 : (int)(cx - r - 1);
             x <= cx + r + 1 && x < spot->side; x++)
            row[x] = (uint16_t)(row[x] * fmin(fmax(hypot(x - cx, dy) - r + .5, 0), 1));
    }
}

struct inks { /* how a sheet's channels and its film become light */
    uint16_t y[3], film_y;
    int32_t u[3], v[3], film_u, film_v;
};

static struct inks mix(struct oc_rgb day)
{
    struct inks inks;
    for (int k = 0; k < 3; k++) {
        struct oc_rgb one = {{0, 0, 0}};
        one.c[k] = day.c[k];
        const struct oc_yuv c = oc__to_yuv(one);
        inks.y[k] = oc__fixed(c.y);
        inks.u[k] = (int32_t)lround(c.u * 32768);
        inks.v[k] = (int32_t)lround(c.v * 32768);
    }
    const struct oc_yuv film = oc__to_yuv(oc__dimmed(haze_light(), day, 1));
    inks.film_y = oc__fixed(film.y);
    inks.film_u = (int32_t)lround(film.u * 32768);
    inks.film_v = (int32_t)lround(film.v * 32768);
    return inks;
}

/* A row of luma: what passes through ink, film and contact shadow, and the light that ink and film
 * add. Afterwards `film` is what the film adds where there is no ink. */
static void luma_row(const struct oc_plane *out, const struct oc_spot *spot, int y,
                     uint16_t *const ink[CHANNELS], const uint16_t *restrict shadow,
                     const struct inks *inks, uint16_t *restrict passes, uint16_t *restrict film)
{
    const size_t at = (size_t)y * (size_t)spot->side;
    const uint16_t *restrict r = ink[RED] + at, *restrict g = ink[GREEN] + at;
    const uint16_t *restrict b = ink[BLUE] + at, *restrict a = ink[ALPHA] + at;
    uint16_t *restrict to = out->at + (ptrdiff_t)(y - spot->pad) * out->stride - spot->pad;
    const uint16_t ky = inks->film_y, kr = inks->y[0], kg = inks->y[1], kb = inks->y[2];
    for (int x = 0; x < spot->side; x++) {
        const uint16_t free_of_ink = (uint16_t)(OC_ONE - a[x]);
        passes[x] = oc__times(
            oc__times((uint16_t)(OC_ONE - shadow[x]), (uint16_t)(OC_ONE - film[x])), free_of_ink);
        film[x] = oc__times(film[x], free_of_ink);
        const uint16_t light = (uint16_t)(oc__times(film[x], ky) + oc__times(r[x], kr) +
                                          oc__times(g[x], kg) + oc__times(b[x], kb));
        to[x] = oc__word(oc__to_byte(passes[x]), oc__to_byte(light));
    }
}

static void chroma_row(const struct oc_layer *l, const struct oc_spot *spot, int y,
                       uint16_t *const ink[CHANNELS], const struct inks *inks,
                       const struct oc_row_pair *pair)
{
    const size_t a = (size_t)(2 * y) * (size_t)spot->side, b = a + (size_t)spot->side;
    const ptrdiff_t row = y - spot->pad / 2;
    uint16_t *u = l->u.at + row * l->u.stride - spot->pad / 2;
    uint16_t *v = l->v.at + row * l->v.stride - spot->pad / 2;
    for (int x = 0; x < spot->side / 2; x++) {
        const uint32_t passes = oc__mean(pair->passes[0], pair->passes[1], x);
        const int32_t film = (int32_t)oc__mean(pair->film[0], pair->film[1], x) >> 1;
        const int32_t red = (int32_t)oc__mean(ink[RED] + a, ink[RED] + b, x) >> 1;
        const int32_t green = (int32_t)oc__mean(ink[GREEN] + a, ink[GREEN] + b, x) >> 1;
        const int32_t blue = (int32_t)oc__mean(ink[BLUE] + a, ink[BLUE] + b, x) >> 1;
        u[x] = chroma_word(passes, (film * inks->film_u + red * inks->u[0] + green * inks->u[1] +
                                    blue * inks->u[2]) >>
                                       14);
        v[x] = chroma_word(passes, (film * inks->film_v + red * inks->v[0] + green * inks->v[1] +
                                    blue * inks->v[2]) >>
                                       14);
    }
}

/* The soft shadow of a sheet's ink, at full strength. */
static void cast(const struct oc_spot *spot, int size, struct oc_scratch *scratch)
{
    const size_t n = (size_t)spot->side * (size_t)spot->side;
    memcpy(scratch->shadow, scratch->plane[ALPHA], n * sizeof *scratch->shadow);
    oc__blur(scratch->shadow, scratch->spare, spot->side, SOFT * size);
}

/* Daylight comes from the upper left: the contact shadow lies a little beside the ink. */
static void contact_row(const struct oc_plan *p, const struct oc_spot *spot, const uint16_t *shadow,
                        int y, uint16_t *row)
{
    const double off = .55 * p->s->water->gap * p->size;
    const int dx = (int)lround(.6 * off), dy = (int)lround(.8 * off);
    const uint16_t k = oc__fixed(p->s->water->shadow);
    memset(row, 0, (size_t)spot->side * sizeof *row);
    if (y < dy)
        return;
    const uint16_t *from = shadow + (size_t)(y - dy) * (size_t)spot->side;
    for (int x = dx; x < spot->side; x++)
        row[x] = oc__times(from[x - dx], k);
}

/* What the shadow of a lamp lets through. */
static void keep_shade(const struct oc_plan *p, const struct oc_shade *shade, int level,
                       const uint16_t *shadow)
{
    const struct oc_spot *spot = &p->spot[level];
    const int pad = oc__shade_pad(p, level), side = oc__shade_side(p, level);
    const int border = pad - spot->pad / 2;
    const uint16_t k = oc__fixed(1.5 * p->s->water->shadow);
    if (level >= OC_SHADES) {
        memset(shade->at - pad, 255, (size_t)side);
        return;
    }
    for (int y = 0; y < side; y++) {
        uint8_t *row = shade->at + (ptrdiff_t)(y - pad) * shade->stride - pad;
        memset(row, 255, (size_t)side);
        const int from = y - border;
        if (from < 0 || from >= spot->side / 2)
            continue;
        const uint16_t *a = shadow + (size_t)(2 * from) * (size_t)spot->side;
        for (int x = 0; x < spot->side / 2; x++)
            row[x + border] =
                (uint8_t)oc__to_byte(OC_ONE - oc__times(oc__mean(a, a + spot->side, x), k));
    }
}

bool oc__bake_sheet(const struct oc_plan *p, int level, struct oc_scratch *scratch,
                    struct oc_row_pair *pair)
{
    const struct oc_spot *spot = &p->spot[level];
    const struct oc_layer *l = &p->out->layer[level];
    const struct oc_rgb day = oc__daylight(p->s->water, level);
    const struct inks inks = mix(day);
    uint16_t shadow[2 * OC_SIZE_MAX];
    if (!draw_sheet(p, level, scratch))
        return false;
    oc__split_channels(scratch->argb, scratch->plane, (size_t)spot->side * (size_t)spot->side);
    for (int k = 0; k < CHANNELS; k++)
        oc__blur(scratch->plane[k], scratch->spare, spot->side,
                 p->s->water->blur * level * p->size / 640);
    cast(spot, p->size, scratch);
    for (int y = 0; y < spot->side; y++) {
        contact_row(p, spot, scratch->shadow, y, shadow);
        film_row(p, level, y, pair->film[y % 2]);
        luma_row(&l->y, spot, y, scratch->plane, shadow, &inks, pair->passes[y % 2],
                 pair->film[y % 2]);
        if (y % 2)
            chroma_row(l, spot, y / 2, scratch->plane, &inks, pair);
    }
    oc__build_wall(l, spot, level, day);
    if (p->lamps)
        keep_shade(p, &l->shade, level, scratch->shadow);
    return true;
}

/* ---- the slab -------------------------------------------------------------------------------- */

/* The rest of the stack, flattened, at half the size: nobody sees sharply so far down. */
static bool draw_slab(const struct oc_plan *p, struct oc_scratch *scratch, bool lit)
{
    const struct oc_water *w = p->s->water;
    const struct oc_spot *spot = &p->spot[p->n - 1];
    const struct oc_rgb bottom = lit ? lamp_light : bottom_light, day = oc__daylight(w, p->sheets);
    const int half = spot->side / 2;
    uint32_t *small = (uint32_t *)scratch->plane[0]; /* four planes of words: room enough */
    cairo_surface_t *surface, *from;
    cairo_t *cr = canvas(small, half, &surface);
    cairo_set_source_rgb(cr, bottom.c[0], bottom.c[1], bottom.c[2]);
    cairo_paint(cr);
    for (int level = p->left - 1; level >= p->sheets; level--) {
        const int k = level - p->sheets;
        const double depth = spot->depth + (k - OC_SLAB_GAP) * w->gap * IN_SLAB;
        const double width = p->size / (1 + depth * w->perspective) / 2;
        const double origin = (spot->pad + p->size / 2.) / 2 - width / 2;
        cairo_save(cr);
        cairo_translate(cr, origin, origin);
        cairo_scale(cr, width, width);
        oc_draw_faintly(cr, oc__sheet_at(p, level), lit ? .22 : .75 * exp(-.5 * w->dim * k));
        cairo_restore(cr);
        cairo_set_source_rgba(cr, .6 * oc_haze_light[0] * day.c[0],
                              .6 * oc_haze_light[1] * day.c[1], .7 * oc_haze_light[2] * day.c[2],
                              1.2 * w->haze * (lit ? .45 : 1));
        cairo_paint(cr);
    }
    if (!finish_canvas(cr, surface))
        return false;
    cr = canvas(scratch->argb, spot->side, &surface);
    from = cairo_image_surface_create_for_data((unsigned char *)small, CAIRO_FORMAT_ARGB32, half,
                                               half, 4 * half);
    cairo_scale(cr, 2, 2);
    cairo_set_source_surface(cr, from, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_BILINEAR);
    cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
    cairo_paint(cr);
    cairo_surface_destroy(from);
    return finish_canvas(cr, surface);
}

bool oc__bake_slab(const struct oc_plan *p, struct oc_layer *l, struct oc_scratch *scratch,
                   bool lit, struct oc_row_pair *pair)
{
    const struct oc_spot *spot = &p->spot[p->n - 1];
    const double left = lit ? 1 : .75;
    const struct inks inks = mix((struct oc_rgb){{left, left, left}});
    uint16_t none[2 * OC_SIZE_MAX] = {0};
    if (!draw_slab(p, scratch, lit))
        return false;
    oc__split_channels(scratch->argb, scratch->plane, (size_t)spot->side * (size_t)spot->side);
    for (int y = 0; y < spot->side; y++) {
        memset(pair->film[y % 2], 0, sizeof pair->film[0]);
        luma_row(&l->y, spot, y, scratch->plane, none, &inks, pair->passes[y % 2],
                 pair->film[y % 2]);
        if (y % 2)
            chroma_row(l, spot, y / 2, scratch->plane, &inks, pair);
    }
    return true;
}
