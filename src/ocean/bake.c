/*
 * bake.c: sheets to layers, once a round.
 *
 * A sheet is drawn at the size it has in its depth, blurred, put under a film, darkened by the
 * water above it, and set into the wall of the box. All arithmetic on pixels is on 16-bit
 * integers, one being 65535: the same bytes everywhere, and compilers make vectors of it.
 */
#include "ocean/draw.h"
#include "ocean/layers.h"

#include "base/panic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI       3.14159265358979323846
#define ONE      65535u
#define EDGE     2    /* pixels of a card's edge on the wall */
#define SLAB_GAP 3    /* gaps from the last sheet that moves to the slab of the rest */
#define IN_SLAB  .25  /* of a gap: how close the rest lie together */
#define LAMP_GAP 1.6  /* gaps that a lamp's shadow is long */
#define SHADES   8    /* sheets whose shadows under a lamp can be made out */
#define SOFT     .006 /* how soft a shadow is, in widths of the window */

enum channel { RED, GREEN, BLUE, ALPHA, CHANNELS };

struct rgb {
    double c[3];
};

static const struct rgb wall_light = {{.085, .20, .285}};
static const struct rgb edge_light = {{.45, .68, .78}};
static const struct rgb bottom_light = {{.020, .085, .150}};
static const struct rgb lamp_light = {{.80, .95, 1.0}};

/* ---- memory --------------------------------------------------------------------------------- */

struct oc_scratch {
    size_t cap; /* pixels that each of these has room for */
    uint32_t *argb;
    uint16_t *plane[CHANNELS], *shadow, *spare;
    size_t bytes;
};

struct oc_scratch *oc_scratch_create(void)
{
    return calloc(1, sizeof(struct oc_scratch));
}

static void scratch_clear(struct oc_scratch *s)
{
    free(s->argb);
    *s = (struct oc_scratch){0};
}

void oc_scratch_destroy(struct oc_scratch *scratch)
{
    if (scratch != NULL)
        scratch_clear(scratch);
    free(scratch);
}

size_t oc_scratch_bytes(const struct oc_scratch *scratch)
{
    return scratch->bytes;
}

static bool scratch_grow(struct oc_scratch *s, size_t pixels)
{
    if (pixels <= s->cap)
        return true;
    scratch_clear(s);
    pixels = (pixels + 63) / 64 * 64;
    s->bytes = pixels * (sizeof(uint32_t) + (CHANNELS + 2) * sizeof(uint16_t));
    s->argb = aligned_alloc(64, s->bytes);
    if (s->argb == NULL) {
        s->bytes = 0;
        return false;
    }
    uint16_t *at = (uint16_t *)(s->argb + pixels);
    for (int k = 0; k < CHANNELS; k++, at += pixels)
        s->plane[k] = at;
    s->shadow = at;
    s->spare = at + pixels;
    s->cap = pixels;
    return true;
}

/* ---- geometry ------------------------------------------------------------------------------- */

struct spot {      /* one layer while it is laid out */
    double depth;  /* in widths of the card */
    double scale;  /* how much smaller it looks from above */
    int pad;       /* pixels around the window, even */
    int side;      /* of its planes: window and pads */
    double origin; /* the card's first pixel */
    double width;  /* pixels of the card */
};

struct plan {
    const struct oc_sheets *s;
    int left, size, tiles, sheets, n; /* sheets that move; layers with the slab */
    bool lamps;
    struct spot spot[OC_LAYERS];
    float *depths, *depth[OC_LAYERS]; /* one block, and each layer's part: by tile */
    struct oc_layers *out;
};

static const struct oc_sheet *sheet_at(const struct plan *p, int level) /* from 0, the top */
{
    return &p->s->sheet[p->left - 1 - level];
}

static void measure(struct plan *p)
{
    const struct oc_water *w = p->s->water;
    double depth = .5 * w->gap;
    p->sheets = p->left < w->layers ? p->left : w->layers;
    p->n = p->sheets + 1;
    for (int i = 0; i < p->n; i++) {
        if (i == p->sheets)
            depth += w->gap * (p->left > p->sheets ? 1 + SLAB_GAP : 1);
        else if (i > 0)
            depth += w->gap * (double)sheet_at(p, i)->gap;
        p->spot[i].depth = depth;
        p->spot[i].scale = 1 / (1 + depth * w->perspective);
    }
}

/* How deep every tile of every layer is, in pixels of shift for 45 degrees. Gaps stay open: a
 * sheet never comes up through the one above it. */
static void bend(const struct plan *p, float *at[OC_LAYERS])
{
    const struct oc_water *w = p->s->water;
    const int tiles = p->tiles * p->tiles;
    for (int t = 0; t < tiles; t++) {
        const float x = ((float)(t % p->tiles) + .5f) / (float)p->tiles;
        const float y = ((float)(t / p->tiles) + .5f) / (float)p->tiles;
        double depth = p->spot[0].depth;
        for (int i = 0; i < p->n; i++) {
            if (i > 0) {
                const double gap = p->spot[i].depth - p->spot[i - 1].depth;
                const double bent =
                    i < p->left ? (double)oc_field_at(&sheet_at(p, i)->bend, x, y) : 0;
                depth += fmax(gap + w->gap * w->bend * bent, .3 * w->gap);
            }
            at[i][t] = (float)(depth * p->spot[i].scale * p->size);
        }
    }
}

/* Pads are as wide as the widest shift. */
static void lay_out(struct plan *p, float *depth[OC_LAYERS])
{
    const double steepest = tan(OC_TILT_MAX * PI / 180);
    for (int i = 0; i < p->n; i++) {
        struct spot *spot = &p->spot[i];
        float deepest = 0;
        for (int t = 0; t < p->tiles * p->tiles; t++)
            deepest = fmaxf(deepest, depth[i][t]);
        spot->pad = ((int)ceil((double)deepest * steepest) + 2) / 2 * 2;
        spot->side = p->tiles * OC_TILE + 2 * spot->pad;
        spot->width = p->size * spot->scale;
        spot->origin = spot->pad + (p->size - spot->width) / 2;
    }
}

/* ---- the block of all layers ---------------------------------------------------------------- */

/* Counts bytes at first; gives addresses once there is a block. */
struct carver {
    uint8_t *block;
    size_t used;
};

static void *carve(struct carver *c, size_t bytes)
{
    void *at = c->block != NULL ? c->block + c->used : NULL;
    c->used += (bytes + 63) / 64 * 64;
    return at;
}

static int lamp_reach(const struct plan *p)
{
    return (int)ceil(LAMP_GAP * p->s->water->gap * p->size);
}

static void carve_plane(struct carver *c, struct oc_plane *plane, int side, int pad)
{
    plane->stride = (side + 15) / 16 * 16;
    uint16_t *first = carve(c, (size_t)plane->stride * (size_t)side * sizeof *first);
    plane->at = first != NULL ? first + (ptrdiff_t)pad * plane->stride + pad : NULL;
}

static void carve_words(struct carver *c, struct oc_layer *l, const struct spot *spot)
{
    carve_plane(c, &l->y, spot->side, spot->pad);
    carve_plane(c, &l->u, spot->side / 2, spot->pad / 2);
    carve_plane(c, &l->v, spot->side / 2, spot->pad / 2);
}

static int shade_pad(const struct plan *p, int i) /* in half pixels */
{
    return p->spot[i].pad / 2 + lamp_reach(p) / 2 + 1;
}

static int shade_side(const struct plan *p, int i)
{
    return p->tiles * OC_TILE / 2 + 2 * shade_pad(p, i);
}

static void carve_shade(struct carver *c, struct oc_shade *shade, const struct plan *p, int i)
{
    const int pad = shade_pad(p, i), side = shade_side(p, i);
    shade->stride = i < SHADES ? (side + 15) / 16 * 16 : 0; /* 0: the same row over and over */
    uint8_t *first = carve(c, (size_t)(i < SHADES ? shade->stride * side : side));
    shade->at = first != NULL ? first + (ptrdiff_t)pad * shade->stride + pad : NULL;
}

static void carve_all(struct carver *c, const struct plan *p, struct oc_layers *out)
{
    carve(c, sizeof *out);
    for (int i = 0; i < p->n; i++) {
        struct oc_layer *l = &out->layer[i];
        carve_words(c, l, &p->spot[i]);
        l->tile_depth = carve(c, (size_t)(p->tiles * p->tiles) * sizeof *l->tile_depth);
        if (p->lamps && i < p->sheets)
            carve_shade(c, &l->shade, p, i);
    }
    if (p->lamps)
        carve_words(c, &out->lit_slab, &p->spot[p->n - 1]);
    out->lit_slab.tile_depth = out->layer[p->n - 1].tile_depth;
}

static struct oc_layers *allocate(struct plan *p)
{
    struct oc_layers sizes = {0};
    struct carver counter = {0};
    carve_all(&counter, p, &sizes);
    struct oc_layers *out = aligned_alloc(64, counter.used);
    if (out == NULL)
        return NULL;
    memset(out, 0, sizeof *out);
    struct carver carver = {.block = (uint8_t *)out};
    carve_all(&carver, p, out);
    fm_assert(carver.used == counter.used);
    out->bytes = counter.used;
    return out;
}

void oc_layers_free(struct oc_layers *layers)
{
    free(layers);
}

/* ---- pixels --------------------------------------------------------------------------------- */

static inline uint16_t times(uint32_t a, uint32_t b) /* of numbers up to ONE */
{
    return (uint16_t)(a * b >> 16);
}

static uint16_t fixed(double v)
{
    return (uint16_t)lround(fmin(fmax(v, 0), 1) * ONE);
}

static inline uint16_t to_byte(uint32_t v) /* 0 .. ONE to 0 .. 255, nearest */
{
    return (uint16_t)((v - (v >> 8) + 128) >> 8);
}

static void split(const uint32_t *argb, uint16_t *plane[CHANNELS], size_t n)
{
    static const int shift[CHANNELS] = {[RED] = 16, [GREEN] = 8, [BLUE] = 0, [ALPHA] = 24};
    for (int k = 0; k < CHANNELS; k++) {
        uint16_t *restrict out = plane[k];
        const int bits = shift[k];
        for (size_t i = 0; i < n; i++)
            out[i] = (uint16_t)((argb[i] >> bits & 0xff) * 257);
    }
}

#define TAPS 24 /* to either side, at most */

/* A Gaussian, first along rows, then along columns. */
static void blur(uint16_t *plane, uint16_t *spare, int side, double sigma)
{
    uint16_t weight[TAPS + 1];
    uint16_t line[OC_SIZE_MAX * 2 + 2 * TAPS];
    const int reach = sigma < .15 ? 0 : (int)fmin(ceil(2.6 * sigma), TAPS);
    double sum = 0;
    if (reach == 0)
        return;
    fm_assert(side + 2 * reach <= (int)(sizeof line / sizeof line[0]));
    for (int i = -reach; i <= reach; i++)
        sum += exp(-i * i / (2 * sigma * sigma));
    for (int i = 0; i <= reach; i++)
        weight[i] = (uint16_t)(ONE * exp(-i * i / (2 * sigma * sigma)) / sum);
    memset(line, 0, sizeof line);
    for (int y = 0; y < side; y++) {
        uint16_t *restrict out = spare + (size_t)y * (size_t)side;
        memcpy(line + reach, plane + (size_t)y * (size_t)side, (size_t)side * sizeof *line);
        for (int x = 0; x < side; x++)
            out[x] = times(line[x + reach], weight[0]);
        for (int i = 1; i <= reach; i++) {
            const uint16_t *restrict a = line + reach - i, *restrict b = line + reach + i;
            for (int x = 0; x < side; x++)
                out[x] = (uint16_t)(out[x] + times(a[x], weight[i]) + times(b[x], weight[i]));
        }
    }
    for (int y = 0; y < side; y++) {
        uint16_t *restrict out = plane + (size_t)y * (size_t)side;
        for (int x = 0; x < side; x++)
            out[x] = 0;
        for (int i = -reach; i <= reach; i++) {
            if (y + i < 0 || y + i >= side)
                continue;
            const uint16_t *restrict in = spare + (size_t)(y + i) * (size_t)side;
            const uint16_t w = weight[i < 0 ? -i : i];
            for (int x = 0; x < side; x++)
                out[x] = (uint16_t)(out[x] + times(in[x], w));
        }
    }
}

/* ---- colours -------------------------------------------------------------------------------- */

/* A light's part in luma and chroma; chroma without its grey. */
struct yuv {
    double y, u, v;
};

static struct yuv to_yuv(struct rgb l)
{
    return (struct yuv){.299 * l.c[0] + .587 * l.c[1] + .114 * l.c[2],
                        -.168736 * l.c[0] - .331264 * l.c[1] + .5 * l.c[2],
                        .5 * l.c[0] - .418688 * l.c[1] - .081312 * l.c[2]};
}

static struct rgb dimmed(struct rgb l, struct rgb by, double k)
{
    return (struct rgb){{k * l.c[0] * by.c[0], k * l.c[1] * by.c[1], k * l.c[2] * by.c[2]}};
}

static struct rgb haze_light(void)
{
    return (struct rgb){{oc_haze_light[0], oc_haze_light[1], oc_haze_light[2]}};
}

/* What is left of daylight under so many layers of water. */
static struct rgb daylight(const struct oc_water *w, double layers)
{
    return (struct rgb){
        {exp(-(w->dim + w->dim_red) * layers), exp(-w->dim * layers), exp(-.72 * w->dim * layers)}};
}

/* ---- words ---------------------------------------------------------------------------------- */

static inline uint16_t word(uint32_t passes, uint32_t light) /* bytes */
{
    return (uint16_t)(passes << 8 | (light < 255 - passes ? light : 255 - passes));
}

/* Half as fine: the mean of four pixels. */
static inline uint32_t mean(const uint16_t *a, const uint16_t *b, int x)
{
    return ((uint32_t)a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1]) >> 2;
}

static inline uint16_t chroma_word(uint32_t passes, int32_t tint)
{
    const uint32_t p = to_byte(passes);
    const int32_t grey = (int32_t)((ONE - passes) * 128 / 255);
    const int32_t light = grey + tint;
    return word(p, to_byte((uint32_t)(light < 0              ? 0
                                      : light > (int32_t)ONE ? (int32_t)ONE
                                                             : light)));
}

/* Lay a light of some opacity over a rectangle of a plane. */
static void tint(const struct oc_plane *plane, int pad, int x0, int y0, int x1, int y1,
                 double light, double opacity)
{
    for (int y = y0; y < y1; y++) {
        uint16_t *row = plane->at + (ptrdiff_t)(y - pad) * plane->stride - pad;
        for (int x = x0; x < x1; x++) {
            const double passes = (row[x] >> 8) * (1 - opacity);
            const double own = (row[x] & 0xff) * (1 - opacity) + 255 * opacity * light;
            row[x] = word((uint32_t)(passes + .5), (uint32_t)(fmax(own, 0) + .5));
        }
    }
}

static void tint_layer(const struct oc_layer *l, const struct spot *spot, int x0, int y0, int x1,
                       int y1, struct rgb light, double opacity)
{
    const struct yuv c = to_yuv(light);
    const double grey = 128. / 255;
    tint(&l->y, spot->pad, x0, y0, x1, y1, c.y, opacity);
    tint(&l->u, spot->pad / 2, x0 / 2, y0 / 2, x1 / 2, y1 / 2, grey + c.u, opacity);
    tint(&l->v, spot->pad / 2, x0 / 2, y0 / 2, x1 / 2, y1 / 2, grey + c.v, opacity);
}

/* The box around the card: every sheet has its own stripe of wall and a bright edge, so that
 * edges can be counted like the marks of a ruler. */
static void build_wall(const struct oc_layer *l, const struct spot *spot, int level, struct rgb day)
{
    const int a = (int)spot->origin, b = (int)(spot->origin + spot->width), end = spot->side;
    const struct rgb wall = dimmed(wall_light, day, level % 2 ? 1 : .82);
    const struct rgb edge = dimmed(edge_light, day, 1);
    tint_layer(l, spot, 0, 0, end, a, wall, 1);
    tint_layer(l, spot, 0, b, end, end, wall, 1);
    tint_layer(l, spot, 0, a, a, b, wall, 1);
    tint_layer(l, spot, b, a, end, b, wall, 1);
    tint_layer(l, spot, a, a, b, a + EDGE, edge, .45);
    tint_layer(l, spot, a, b - EDGE, b, b, edge, .45);
    tint_layer(l, spot, a, a + EDGE, a + EDGE, b - EDGE, edge, .45);
    tint_layer(l, spot, b - EDGE, a + EDGE, b, b - EDGE, edge, .45);
}

/* ---- a sheet -------------------------------------------------------------------------------- */

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

static bool draw_sheet(const struct plan *p, int level, struct oc_scratch *scratch)
{
    const struct spot *spot = &p->spot[level];
    cairo_surface_t *surface;
    cairo_t *cr = canvas(scratch->argb, spot->side, &surface);
    cairo_translate(cr, spot->origin, spot->origin);
    cairo_scale(cr, spot->width, spot->width);
    cairo_rectangle(cr, 0, 0, 1, 1);
    cairo_clip(cr);
    oc_draw_sheet(cr, sheet_at(p, level));
    return finish_canvas(cr, surface);
}

/* What a film scatters along one row: uneven, and nothing in holes. */
static void film_row(const struct plan *p, int level, int y, uint16_t *row)
{
    const struct oc_water *w = p->s->water;
    const struct oc_sheet *sheet = sheet_at(p, level);
    const struct spot *spot = &p->spot[level];
    const double haze = w->haze * (level == 0 ? w->haze_top : 1);
    const float v = (float)((y + .5 - spot->origin) / spot->width);
    const float base = (float)(haze * ONE), vary = (float)(haze * w->murk * ONE);
    enum { STEP = 8 }; /* fields are smooth: between two points a line does */
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

static struct inks mix(struct rgb day)
{
    struct inks inks;
    for (int k = 0; k < 3; k++) {
        struct rgb one = {{0, 0, 0}};
        one.c[k] = day.c[k];
        const struct yuv c = to_yuv(one);
        inks.y[k] = fixed(c.y);
        inks.u[k] = (int32_t)lround(c.u * 32768);
        inks.v[k] = (int32_t)lround(c.v * 32768);
    }
    const struct yuv film = to_yuv(dimmed(haze_light(), day, 1));
    inks.film_y = fixed(film.y);
    inks.film_u = (int32_t)lround(film.u * 32768);
    inks.film_v = (int32_t)lround(film.v * 32768);
    return inks;
}

struct pair { /* two rows of pixels on their way to words */
    uint16_t passes[2][2 * OC_SIZE_MAX], film[2][2 * OC_SIZE_MAX];
};

/* Through ink, film and contact shadow; what the film adds beside the ink. */
static void luma_row(const struct oc_plane *out, const struct spot *spot, int y,
                     uint16_t *const ink[CHANNELS], const uint16_t *restrict shadow,
                     const struct inks *inks, uint16_t *restrict passes, uint16_t *restrict film)
{
    const size_t at = (size_t)y * (size_t)spot->side;
    const uint16_t *restrict r = ink[RED] + at, *restrict g = ink[GREEN] + at;
    const uint16_t *restrict b = ink[BLUE] + at, *restrict a = ink[ALPHA] + at;
    uint16_t *restrict to = out->at + (ptrdiff_t)(y - spot->pad) * out->stride - spot->pad;
    const uint16_t ky = inks->film_y, kr = inks->y[0], kg = inks->y[1], kb = inks->y[2];
    for (int x = 0; x < spot->side; x++) {
        const uint16_t free_of_ink = (uint16_t)(ONE - a[x]);
        passes[x] =
            times(times((uint16_t)(ONE - shadow[x]), (uint16_t)(ONE - film[x])), free_of_ink);
        film[x] = times(film[x], free_of_ink);
        const uint16_t light =
            (uint16_t)(times(film[x], ky) + times(r[x], kr) + times(g[x], kg) + times(b[x], kb));
        to[x] = word(to_byte(passes[x]), to_byte(light));
    }
}

static void chroma_row(const struct oc_layer *l, const struct spot *spot, int y,
                       uint16_t *const ink[CHANNELS], const struct inks *inks,
                       const struct pair *pair)
{
    const size_t a = (size_t)(2 * y) * (size_t)spot->side, b = a + (size_t)spot->side;
    const ptrdiff_t row = y - spot->pad / 2;
    uint16_t *u = l->u.at + row * l->u.stride - spot->pad / 2;
    uint16_t *v = l->v.at + row * l->v.stride - spot->pad / 2;
    for (int x = 0; x < spot->side / 2; x++) {
        const uint32_t passes = mean(pair->passes[0], pair->passes[1], x);
        const int32_t film = (int32_t)mean(pair->film[0], pair->film[1], x) >> 1;
        const int32_t red = (int32_t)mean(ink[RED] + a, ink[RED] + b, x) >> 1;
        const int32_t green = (int32_t)mean(ink[GREEN] + a, ink[GREEN] + b, x) >> 1;
        const int32_t blue = (int32_t)mean(ink[BLUE] + a, ink[BLUE] + b, x) >> 1;
        u[x] = chroma_word(passes, (film * inks->film_u + red * inks->u[0] + green * inks->u[1] +
                                    blue * inks->u[2]) >>
                                       14);
        v[x] = chroma_word(passes, (film * inks->film_v + red * inks->v[0] + green * inks->v[1] +
                                    blue * inks->v[2]) >>
                                       14);
    }
}

/* The soft shadow of a sheet's ink, of full strength. */
static void cast(const struct spot *spot, int size, struct oc_scratch *scratch)
{
    const size_t n = (size_t)spot->side * (size_t)spot->side;
    memcpy(scratch->shadow, scratch->plane[ALPHA], n * sizeof *scratch->shadow);
    blur(scratch->shadow, scratch->spare, spot->side, SOFT * size);
}

/* Daylight comes from the upper left: the contact shadow lies a little beside the ink. */
static void contact_row(const struct plan *p, const struct spot *spot, const uint16_t *shadow,
                        int y, uint16_t *row)
{
    const double off = .55 * p->s->water->gap * p->size;
    const int dx = (int)lround(.6 * off), dy = (int)lround(.8 * off);
    const uint16_t k = fixed(p->s->water->shadow);
    memset(row, 0, (size_t)spot->side * sizeof *row);
    if (y < dy)
        return;
    const uint16_t *from = shadow + (size_t)(y - dy) * (size_t)spot->side;
    for (int x = dx; x < spot->side; x++)
        row[x] = times(from[x - dx], k);
}

/* What the shadow of a lamp lets through. */
static void keep_shade(const struct plan *p, const struct oc_shade *shade, int level,
                       const uint16_t *shadow)
{
    const struct spot *spot = &p->spot[level];
    const int pad = shade_pad(p, level), side = shade_side(p, level);
    const int border = pad - spot->pad / 2;
    const uint16_t k = fixed(1.5 * p->s->water->shadow);
    if (level >= SHADES) {
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
            row[x + border] = (uint8_t)to_byte(ONE - times(mean(a, a + spot->side, x), k));
    }
}

static bool bake_sheet(const struct plan *p, int level, struct oc_scratch *scratch,
                       struct pair *pair)
{
    const struct spot *spot = &p->spot[level];
    const struct oc_layer *l = &p->out->layer[level];
    const struct rgb day = daylight(p->s->water, level);
    const struct inks inks = mix(day);
    uint16_t shadow[2 * OC_SIZE_MAX];
    if (!draw_sheet(p, level, scratch))
        return false;
    split(scratch->argb, scratch->plane, (size_t)spot->side * (size_t)spot->side);
    for (int k = 0; k < CHANNELS; k++)
        blur(scratch->plane[k], scratch->spare, spot->side,
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
    build_wall(l, spot, level, day);
    if (p->lamps)
        keep_shade(p, &l->shade, level, scratch->shadow);
    return true;
}

/* ---- the slab ------------------------------------------------------------------------------- */

/* The rest of the stack, flattened, at half the size: nobody sees sharply so far down. */
static bool draw_slab(const struct plan *p, struct oc_scratch *scratch, bool lit)
{
    const struct oc_water *w = p->s->water;
    const struct spot *spot = &p->spot[p->n - 1];
    const struct rgb bottom = lit ? lamp_light : bottom_light, day = daylight(w, p->sheets);
    const int half = spot->side / 2;
    uint32_t *small = (uint32_t *)scratch->plane[0]; /* four planes of words: room enough */
    cairo_surface_t *surface, *from;
    cairo_t *cr = canvas(small, half, &surface);
    cairo_set_source_rgb(cr, bottom.c[0], bottom.c[1], bottom.c[2]);
    cairo_paint(cr);
    for (int level = p->left - 1; level >= p->sheets; level--) {
        const int k = level - p->sheets;
        const double depth = spot->depth + (k - SLAB_GAP) * w->gap * IN_SLAB;
        const double width = p->size / (1 + depth * w->perspective) / 2;
        const double origin = (spot->pad + p->size / 2.) / 2 - width / 2;
        cairo_save(cr);
        cairo_translate(cr, origin, origin);
        cairo_scale(cr, width, width);
        oc_draw_faintly(cr, sheet_at(p, level), lit ? .22 : .75 * exp(-.5 * w->dim * k));
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

static bool bake_slab(const struct plan *p, struct oc_layer *l, struct oc_scratch *scratch,
                      bool lit, struct pair *pair)
{
    const struct spot *spot = &p->spot[p->n - 1];
    const double left = lit ? 1 : .75;
    const struct inks inks = mix((struct rgb){{left, left, left}});
    uint16_t none[2 * OC_SIZE_MAX] = {0};
    if (!draw_slab(p, scratch, lit))
        return false;
    split(scratch->argb, scratch->plane, (size_t)spot->side * (size_t)spot->side);
    for (int y = 0; y < spot->side; y++) {
        memset(pair->film[y % 2], 0, sizeof pair->film[0]);
        luma_row(&l->y, spot, y, scratch->plane, none, &inks, pair->passes[y % 2],
                 pair->film[y % 2]);
        if (y % 2)
            chroma_row(l, spot, y / 2, scratch->plane, &inks, pair);
    }
    return true;
}

/* ---- a round -------------------------------------------------------------------------------- */

static bool bake_all(const struct plan *p, struct oc_scratch *scratch)
{
    struct pair *pair = malloc(sizeof *pair);
    bool fine = pair != NULL;
    for (int i = 0; i < p->sheets && fine; i++)
        fine = bake_sheet(p, i, scratch, pair);
    fine = fine && bake_slab(p, &p->out->layer[p->n - 1], scratch, false, pair);
    if (fine && p->lamps)
        fine = bake_slab(p, &p->out->lit_slab, scratch, true, pair);
    free(pair);
    return fine;
}

/* Where everything goes; false: no memory. The depths are freed by the caller. */
static bool plan_init(struct plan *p, const struct oc_sheets *s, int left, int size, bool lamps)
{
    fm_assert(left >= 0 && left <= s->n && size >= OC_SIZE_MIN && size <= OC_SIZE_MAX);
    *p = (struct plan){.s = s, .left = left, .size = size, .lamps = lamps};
    p->tiles = oc_frame_padded(size) / OC_TILE;
    measure(p);
    const size_t tiles = (size_t)(p->tiles * p->tiles);
    p->depths = malloc(sizeof(float) * tiles * (size_t)p->n);
    if (p->depths == NULL)
        return false;
    for (int i = 0; i < p->n; i++)
        p->depth[i] = p->depths + (size_t)i * tiles;
    bend(p, p->depth);
    lay_out(p, p->depth);
    return true;
}

static void describe(const struct plan *p)
{
    struct oc_layers *out = p->out;
    out->size = p->size;
    out->tiles = p->tiles;
    out->n = p->n;
    out->sheen = (float)p->s->water->sheen;
    out->lamp_reach = (float)(LAMP_GAP * p->s->water->gap * p->size);
    for (int i = 0; i < p->n; i++) {
        struct oc_layer *l = &out->layer[i];
        l->depth = (float)(p->spot[i].depth * p->spot[i].scale * p->size);
        memcpy(l->tile_depth, p->depth[i], sizeof(float) * (size_t)(p->tiles * p->tiles));
    }
}

size_t oc_bake_bytes(const struct oc_sheets *s, int left, int size, bool lamps)
{
    struct plan p;
    struct oc_layers sizes = {0};
    struct carver counter = {0};
    if (!plan_init(&p, s, left, size, lamps))
        return 0;
    carve_all(&counter, &p, &sizes);
    free(p.depths);
    return counter.used;
}

struct oc_layers *oc_bake(const struct oc_sheets *s, int left, int size, bool lamps,
                          struct oc_scratch *scratch, struct fm_fault *fault)
{
    struct plan p;
    if (plan_init(&p, s, left, size, lamps)) {
        const size_t widest = (size_t)p.spot[p.n - 1].side;
        p.out = scratch_grow(scratch, widest * widest) ? allocate(&p) : NULL;
    }
    if (p.out != NULL) {
        describe(&p);
        if (!bake_all(&p, scratch)) {
            oc_layers_free(p.out);
            p.out = NULL;
        }
    }
    free(p.depths);
    if (p.out == NULL)
        fm_fail_plain(fault, FM_E_MEMORY);
    return p.out;
}
