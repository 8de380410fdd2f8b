/*
 * cairo.c: the part of cairo that the ocean draws with, for the page, by cairo's own header.
 *
 * Sprites are painted as cairo and pixman paint them: matrices in 16.16, weights of seven bits, and
 * products of bytes rounded to the nearest. Which way up a sheet lies is decided by counting pixels
 * (visible.c), so a sheet looks the same here and at a server only if these pixels are the same.
 * Edges of holes, rims and clips are sampled, and may differ by a shade.
 */
#include <cairo.h>

#include "base/panic.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PI    3.14159265358979323846
#define SAVES 8   /* nested saves */
#define FINE  8   /* samples of a pixel at an edge, in each axis */
#define NEAR  1.5 /* pixels from an edge that need them */

/* ---- surfaces and patterns ------------------------------------------------------------------- */

struct _cairo_surface {
    int references;
    cairo_status_t status;
    int width, height;
    uint32_t *pixels; /* premultiplied ARGB, rows without gaps */
    bool own;
};

enum source_kind { SOLID, PICTURE, RADIAL };

struct colour {
    double red, green, blue, alpha;
};

struct circle {
    double x, y, r;
};

struct _cairo_pattern {
    int references;
    enum source_kind kind;
    struct colour colour[2]; /* solid: the first; radial: at both ends */
    struct circle circle[2];
    cairo_surface_t *surface;
    cairo_extend_t extend;
    cairo_matrix_t matrix; /* from pixels of the target to those of the source */
};

static cairo_surface_t no_memory = {.status = CAIRO_STATUS_NO_MEMORY};

cairo_surface_t *cairo_image_surface_create_for_data(unsigned char *data, cairo_format_t format,
                                                     int width, int height, int stride)
{
    fm_assert(format == CAIRO_FORMAT_ARGB32 && stride == 4 * width);
    cairo_surface_t *surface = calloc(1, sizeof *surface);
    if (surface == NULL)
        return &no_memory;
    *surface = (cairo_surface_t){
        .references = 1, .width = width, .height = height, .pixels = (uint32_t *)(void *)data};
    return surface;
}

cairo_surface_t *cairo_image_surface_create(cairo_format_t format, int width, int height)
{
    uint32_t *pixels = width >= 0 ? calloc((size_t)width * (size_t)height, sizeof *pixels) : NULL;
    if (pixels == NULL)
        return &no_memory;
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)pixels, format,
                                                                   width, height, 4 * width);
    surface->own = surface != &no_memory;
    if (!surface->own)
        free(pixels);
    return surface;
}

void cairo_surface_destroy(cairo_surface_t *surface)
{
    if (surface == NULL || surface == &no_memory || --surface->references > 0)
        return;
    if (surface->own)
        free(surface->pixels);
    free(surface);
}

unsigned char *cairo_image_surface_get_data(cairo_surface_t *surface)
{
    return (unsigned char *)surface->pixels;
}

void cairo_surface_mark_dirty(cairo_surface_t *surface)
{
    (void)surface;
}

void cairo_surface_flush(cairo_surface_t *surface)
{
    (void)surface;
}

static cairo_pattern_t *pattern_of(enum source_kind kind)
{
    cairo_pattern_t *pattern = calloc(1, sizeof *pattern);
    fm_assert(pattern != NULL);
    pattern->references = 1;
    pattern->kind = kind;
    return pattern;
}

cairo_pattern_t *cairo_pattern_create_radial(double x0, double y0, double r0, double x1, double y1,
                                             double r1)
{
    cairo_pattern_t *pattern = pattern_of(RADIAL);
    pattern->circle[0] = (struct circle){x0, y0, r0};
    pattern->circle[1] = (struct circle){x1, y1, r1};
    return pattern;
}

void cairo_pattern_add_color_stop_rgb(cairo_pattern_t *pattern, double offset, double red,
                                      double green, double blue)
{
    pattern->colour[offset > 0] = (struct colour){red, green, blue, 1};
}

void cairo_pattern_destroy(cairo_pattern_t *pattern)
{
    if (pattern == NULL || --pattern->references > 0)
        return;
    cairo_surface_destroy(pattern->surface);
    free(pattern);
}

void cairo_pattern_set_filter(cairo_pattern_t *pattern, cairo_filter_t filter)
{
    (void)pattern;
    fm_assert(filter == CAIRO_FILTER_BILINEAR); /* there is no other here */
}

void cairo_pattern_set_extend(cairo_pattern_t *pattern, cairo_extend_t extend)
{
    pattern->extend = extend;
}

/* ---- contexts -------------------------------------------------------------------------------- */

struct box {
    double x0, y0, x1, y1;
};

struct state {
    cairo_matrix_t matrix; /* from the user's lengths to pixels */
    struct box clip;       /* in pixels */
    cairo_operator_t operator;
    double line_width;
    cairo_surface_t *target;
};

struct path {
    enum { NOTHING, RECTANGLE, ARC } kind;
    struct box box; /* of a rectangle */
    struct circle circle;
    double from, to; /* angles of an arc */
};

struct _cairo {
    cairo_status_t status;
    int saved;
    struct state state[SAVES];
    struct path path;
    cairo_pattern_t *source;
};

static struct state *now(cairo_t *cr)
{
    return &cr->state[cr->saved];
}

static struct box whole(const cairo_surface_t *surface)
{
    return (struct box){0, 0, surface->width, surface->height};
}

cairo_t *cairo_create(cairo_surface_t *target)
{
    cairo_t *cr = calloc(1, sizeof *cr);
    fm_assert(cr != NULL);
    cr->status = target->status;
    cr->state[0] = (struct state){.matrix = {.xx = 1, .yy = 1},
                                  .clip = whole(target),
                                  .operator= CAIRO_OPERATOR_OVER,
                                  .line_width = 2,
                                  .target = target};
    if (target != &no_memory)
        target->references++;
    cairo_set_source_rgb(cr, 0, 0, 0);
    return cr;
}

void cairo_destroy(cairo_t *cr)
{
    cairo_pattern_destroy(cr->source);
    cairo_surface_destroy(cr->state[0].target);
    free(cr);
}

cairo_status_t cairo_status(cairo_t *cr)
{
    return cr->status;
}

void cairo_save(cairo_t *cr)
{
    fm_assert(cr->saved + 1 < SAVES);
    cr->state[cr->saved + 1] = cr->state[cr->saved];
    cr->saved++;
}

void cairo_restore(cairo_t *cr)
{
    fm_assert(cr->saved > 0);
    cr->saved--;
}

static void change(cairo_t *cr, cairo_matrix_t by) /* comes before the present matrix */
{
    const cairo_matrix_t m = now(cr)->matrix;
    now(cr)->matrix = (cairo_matrix_t){
        .xx = by.xx * m.xx + by.yx * m.xy,
        .yx = by.xx * m.yx + by.yx * m.yy,
        .xy = by.xy * m.xx + by.yy * m.xy,
        .yy = by.xy * m.yx + by.yy * m.yy,
        .x0 = by.x0 * m.xx + by.y0 * m.xy + m.x0,
        .y0 = by.x0 * m.yx + by.y0 * m.yy + m.y0,
    };
}

void cairo_translate(cairo_t *cr, double x, double y)
{
    change(cr, (cairo_matrix_t){.xx = 1, .yy = 1, .x0 = x, .y0 = y});
}

void cairo_scale(cairo_t *cr, double x, double y)
{
    change(cr, (cairo_matrix_t){.xx = x, .yy = y});
}

void cairo_rotate(cairo_t *cr, double angle)
{
    const double c = cos(angle), s = sin(angle);
    change(cr, (cairo_matrix_t){.xx = c, .yx = s, .xy = -s, .yy = c});
}

void cairo_get_matrix(cairo_t *cr, cairo_matrix_t *matrix)
{
    *matrix = now(cr)->matrix;
}

static cairo_matrix_t inverse(cairo_matrix_t m)
{
    const double k = 1 / (m.xx * m.yy - m.yx * m.xy);
    return (cairo_matrix_t){.xx = m.yy * k,
                            .yx = -m.yx * k,
                            .xy = -m.xy * k,
                            .yy = m.xx * k,
                            .x0 = (m.xy * m.y0 - m.yy * m.x0) * k,
                            .y0 = (m.yx * m.x0 - m.xx * m.y0) * k};
}

static void move(const cairo_matrix_t *m, double *x, double *y)
{
    const double from = *x;
    *x = m->xx * from + m->xy * *y + m->x0;
    *y = m->yx * from + m->yy * *y + m->y0;
}

void cairo_set_operator(cairo_t *cr, cairo_operator_t operator)
{
    fm_assert(operator== CAIRO_OPERATOR_OVER || operator== CAIRO_OPERATOR_CLEAR);
    now(cr)->operator= operator;
}

void cairo_set_line_width(cairo_t *cr, double width)
{
    now(cr)->line_width = width;
}

/* ---- sources --------------------------------------------------------------------------------- */

void cairo_set_source(cairo_t *cr, cairo_pattern_t *source)
{
    source->references++;
    cairo_pattern_destroy(cr->source);
    cr->source = source;
    source->matrix = inverse(now(cr)->matrix);
}

cairo_pattern_t *cairo_get_source(cairo_t *cr)
{
    return cr->source;
}

static void set_own(cairo_t *cr, cairo_pattern_t *source)
{
    cairo_set_source(cr, source);
    cairo_pattern_destroy(source);
}

void cairo_set_source_rgba(cairo_t *cr, double red, double green, double blue, double alpha)
{
    cairo_pattern_t *source = pattern_of(SOLID);
    source->colour[0] = (struct colour){red, green, blue, alpha};
    set_own(cr, source);
}

void cairo_set_source_rgb(cairo_t *cr, double red, double green, double blue)
{
    cairo_set_source_rgba(cr, red, green, blue, 1);
}

void cairo_set_source_surface(cairo_t *cr, cairo_surface_t *surface, double x, double y)
{
    fm_assert(x == 0 && y == 0); /* nobody asks for more */
    if (surface->status != CAIRO_STATUS_SUCCESS) {
        cr->status = surface->status;
        return;
    }
    cairo_pattern_t *source = pattern_of(PICTURE);
    source->surface = surface;
    surface->references++;
    set_own(cr, source);
}

void cairo_push_group(cairo_t *cr)
{
    cairo_save(cr);
    cairo_surface_t *target = now(cr)->target;
    cairo_surface_t *group =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, target->width, target->height);
    if (group->status != CAIRO_STATUS_SUCCESS)
        cr->status = group->status;
    now(cr)->target = group;
    now(cr)->clip = whole(group);
}

void cairo_pop_group_to_source(cairo_t *cr)
{
    cairo_surface_t *group = now(cr)->target;
    cairo_restore(cr);
    cairo_set_source_surface(cr, group, 0, 0);
    cr->source->matrix = (cairo_matrix_t){.xx = 1, .yy = 1};
    cairo_surface_destroy(group);
}

/* ---- arithmetic on pixels -------------------------------------------------------------------- */

static inline uint32_t times(uint32_t a, uint32_t b) /* of bytes, 255 being one */
{
    const uint32_t t = a * b + 128;
    return (t + (t >> 8)) >> 8;
}

static inline uint32_t times_all(uint32_t argb, uint32_t by)
{
    uint32_t out = 0;
    for (int shift = 0; shift < 32; shift += 8)
        out |= times(argb >> shift & 0xff, by) << shift;
    return out;
}

static inline uint32_t over(uint32_t source, uint32_t below)
{
    const uint32_t left = 255 - (source >> 24);
    uint32_t out = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const uint32_t sum = (source >> shift & 0xff) + times(below >> shift & 0xff, left);
        out |= (sum < 255 ? sum : 255) << shift;
    }
    return out;
}

static uint32_t byte_of(double v) /* as cairo: sixteen bits first */
{
    return (uint32_t)(fmin(fmax(v, 0), 1) * 65535 + .5) >> 8;
}

static uint32_t nearest(double v)
{
    return (uint32_t)(v * 255 + .5);
}

static uint32_t argb_of(struct colour c)
{
    return byte_of(c.alpha) << 24 | byte_of(c.red * c.alpha) << 16 |
           byte_of(c.green * c.alpha) << 8 | byte_of(c.blue * c.alpha);
}

/* ---- what a source has to show --------------------------------------------------------------- */

struct sampler { /* places in pictures in 16.16, stepping along a row */
    const cairo_pattern_t *pattern;
    int32_t xx, xy, x0, yx, yy, y0;
    int32_t u, v; /* where in the picture */
    uint32_t solid;
};

static int32_t fixed(double v)
{
    return (int32_t)lround(v * 65536);
}

static int32_t row_of(int32_t a, int32_t b, int32_t c, double x, double y)
{
    const int64_t sum = (int64_t)a * fixed(x) + (int64_t)b * fixed(y) + ((int64_t)c << 16);
    return (int32_t)((sum + 0x8000) >> 16);
}

/* Rounding the matrix moves the picture; it is moved back so that its middle stays. */
static void settle(struct sampler *s, double x, double y)
{
    const cairo_matrix_t *m = &s->pattern->matrix, back = inverse(*m);
    for (int i = 0; i < 5; i++) {
        double u = row_of(s->xx, s->xy, s->x0, x, y) / 65536.,
               v = row_of(s->yx, s->yy, s->y0, x, y) / 65536.;
        move(&back, &u, &v);
        const int32_t dx = fixed(m->xx * (u - x) + m->xy * (v - y)),
                      dy = fixed(m->yx * (u - x) + m->yy * (v - y));
        s->x0 -= dx;
        s->y0 -= dy;
        if (dx == 0 && dy == 0)
            break;
    }
}

static struct sampler sampler_of(const cairo_pattern_t *pattern, const struct box *box)
{
    const cairo_matrix_t *m = &pattern->matrix;
    struct sampler s = {.pattern = pattern};
    if (pattern->kind == SOLID)
        s.solid = argb_of(pattern->colour[0]);
    if (pattern->kind != PICTURE)
        return s;
    s.xx = fixed(m->xx);
    s.xy = fixed(m->xy);
    s.x0 = fixed(m->x0);
    s.yx = fixed(m->yx);
    s.yy = fixed(m->yy);
    s.y0 = fixed(m->y0);
    settle(&s, box->x0 + (box->x1 - box->x0) / 2, box->y0 + (box->y1 - box->y0) / 2);
    return s;
}

static inline uint32_t pixel_at(const cairo_pattern_t *p, int x, int y)
{
    const cairo_surface_t *from = p->surface;
    if (p->extend == CAIRO_EXTEND_PAD) {
        x = x < 0 ? 0 : x >= from->width ? from->width - 1 : x;
        y = y < 0 ? 0 : y >= from->height ? from->height - 1 : y;
    }
    const bool inside = x >= 0 && y >= 0 && x < from->width && y < from->height;
    return inside ? from->pixels[(ptrdiff_t)y * from->width + x] : 0;
}

/* Between four pixels, at a place in 16.16. */
static inline uint32_t between(const cairo_pattern_t *p, int32_t u, int32_t v)
{
    u -= 0x8000;
    v -= 0x8000;
    const int x = u >> 16, y = v >> 16;
    const uint32_t right = (uint32_t)(u >> 9 & 127) << 1, low = (uint32_t)(v >> 9 & 127) << 1;
    const uint32_t a = pixel_at(p, x, y), b = pixel_at(p, x + 1, y);
    const uint32_t c = pixel_at(p, x, y + 1), d = pixel_at(p, x + 1, y + 1);
    uint32_t out = 0;
    if ((a | b | c | d) == 0)
        return 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const uint32_t top = (a >> shift & 0xff) * (256 - right) + (b >> shift & 0xff) * right;
        const uint32_t bottom = (c >> shift & 0xff) * (256 - right) + (d >> shift & 0xff) * right;
        out |= ((top * (256 - low) + bottom * low) >> 16) << shift;
    }
    return out;
}

/* The largest of the circles through this place, and the colour that it has. */
static uint32_t radial(const cairo_pattern_t *p, double x, double y)
{
    const struct circle *c = p->circle, by = {c[1].x - c[0].x, c[1].y - c[0].y, c[1].r - c[0].r};
    move(&p->matrix, &x, &y);
    x -= c[0].x;
    y -= c[0].y;
    const double a = by.x * by.x + by.y * by.y - by.r * by.r;
    const double b = x * by.x + y * by.y + c[0].r * by.r;
    const double k = x * x + y * y - c[0].r * c[0].r;
    const double root = sqrt(fmax(b * b - a * k, 0));
    const double t = fmin(fmax(fmax((b + root) / a, (b - root) / a), 0), 1);
    const struct colour *from = &p->colour[0], *to = &p->colour[1];
    return 255u << 24 | nearest(from->red + t * (to->red - from->red)) << 16 |
           nearest(from->green + t * (to->green - from->green)) << 8 |
           nearest(from->blue + t * (to->blue - from->blue));
}

static void start_row(struct sampler *s, int x, int y)
{
    s->u = row_of(s->xx, s->xy, s->x0, x + .5, y + .5);
    s->v = row_of(s->yx, s->yy, s->y0, x + .5, y + .5);
}

/* The colour of a pixel; the next one of its row is to the right. */
static inline uint32_t sample(struct sampler *s, int x, int y)
{
    if (s->pattern->kind == SOLID)
        return s->solid;
    if (s->pattern->kind == RADIAL)
        return radial(s->pattern, x + .5, y + .5);
    const int32_t u = s->u, v = s->v;
    s->u += s->xx;
    s->v += s->yx;
    return between(s->pattern, u, v);
}

/* ---- laying it on the target ----------------------------------------------------------------- */

static double overlap(double from, double to, int at) /* of a pixel with an interval */
{
    return fmax(fmin(to, at + 1) - fmax(from, at), 0);
}

static double clipped(const struct box *clip, int x, int y) /* how much of a pixel is inside */
{
    if (x >= clip->x0 && y >= clip->y0 && x + 1 <= clip->x1 && y + 1 <= clip->y1)
        return 1;
    return overlap(clip->x0, clip->x1, x) * overlap(clip->y0, clip->y1, y);
}

static void lay(struct state *s, int x, int y, uint32_t source, uint32_t mask)
{
    uint32_t *to = &s->target->pixels[(ptrdiff_t)y * s->target->width + x];
    if (s->operator== CAIRO_OPERATOR_CLEAR)
        *to = times_all(*to, 255 - mask);
    else
        *to = over(mask < 255 ? times_all(source, mask) : source, *to);
}

static struct box rounded_out(struct box b)
{
    return (struct box){floor(b.x0), floor(b.y0), ceil(b.x1), ceil(b.y1)};
}

static struct box within(struct box a, struct box b)
{
    return (struct box){fmax(a.x0, b.x0), fmax(a.y0, b.y0), fmin(a.x1, b.x1), fmin(a.y1, b.y1)};
}

/* The box around a box that a matrix has moved. */
static struct box moved(const cairo_matrix_t *m, struct box b)
{
    struct box out = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 4; k++) {
        double x = k % 2 ? b.x1 : b.x0, y = k / 2 ? b.y1 : b.y0;
        move(m, &x, &y);
        out = (struct box){fmin(out.x0, x), fmin(out.y0, y), fmax(out.x1, x), fmax(out.y1, y)};
    }
    return out;
}

/* Where a source can have anything to show. */
static struct box reach_of(const cairo_pattern_t *p, struct box all)
{
    if (p->kind != PICTURE || p->extend == CAIRO_EXTEND_PAD)
        return all;
    const cairo_matrix_t back = inverse(p->matrix);
    const struct box picture = {-.5, -.5, p->surface->width + .5, p->surface->height + .5};
    return within(all, rounded_out(moved(&back, picture)));
}

void cairo_paint_with_alpha(cairo_t *cr, double alpha)
{
    struct state *s = now(cr);
    if (cr->status != CAIRO_STATUS_SUCCESS)
        return;
    const struct box box = reach_of(cr->source, rounded_out(s->clip));
    struct sampler from = sampler_of(cr->source, &box);
    const uint32_t all = byte_of(alpha);
    for (int y = (int)box.y0; y < box.y1; y++) {
        start_row(&from, (int)box.x0, y);
        for (int x = (int)box.x0; x < box.x1; x++) {
            const uint32_t source = sample(&from, x, y);
            const double part = clipped(&s->clip, x, y);
            if (source != 0)
                lay(s, x, y, source, part < 1 ? (uint32_t)lround(all * part) : all);
        }
    }
}

void cairo_paint(cairo_t *cr)
{
    cairo_paint_with_alpha(cr, 1);
}

/* ---- paths: one rectangle or one arc ---------------------------------------------------------- */

void cairo_rectangle(cairo_t *cr, double x, double y, double width, double height)
{
    cr->path = (struct path){.kind = RECTANGLE, .box = {x, y, x + width, y + height}};
}

void cairo_arc(cairo_t *cr, double x, double y, double r, double from, double to)
{
    cr->path = (struct path){.kind = ARC, .circle = {x, y, r}, .from = from, .to = to};
}

void cairo_clip(cairo_t *cr)
{
    struct state *s = now(cr);
    fm_assert(cr->path.kind == RECTANGLE); /* along the axes: no clip is turned */
    s->clip = within(s->clip, moved(&s->matrix, cr->path.box));
    cr->path.kind = NOTHING;
}

/* How far a place is inside of a path that is `wide` on both sides of its line; a filled one has no
 * line, and `wide` is 0. */
static double depth_in(const struct path *p, double wide, double x, double y)
{
    if (p->kind == RECTANGLE) {
        const double in =
            fmin(fmin(x - p->box.x0, p->box.x1 - x), fmin(y - p->box.y0, p->box.y1 - y));
        return wide > 0 ? wide - fabs(in) : in;
    }
    const double dx = x - p->circle.x, dy = y - p->circle.y, far = hypot(dx, dy) - p->circle.r;
    double in = wide > 0 ? wide - fabs(far) : -far;
    if (p->to - p->from < 2 * PI) { /* the angle counted from the middle of the arc */
        const double half = (p->to - p->from) / 2;
        const double turn = remainder(atan2(dy, dx) - p->from - half, 2 * PI);
        in = fmin(in, (half - fabs(turn)) * p->circle.r);
    }
    return in;
}

/* Of a pixel. */
static double covered(const struct path *p, double wide, const cairo_matrix_t *back, int px, int py)
{
    const double unit = sqrt(fabs(back->xx * back->yy - back->xy * back->yx)); /* of a pixel */
    double x = px + .5, y = py + .5;
    int inside = 0;
    move(back, &x, &y);
    const double in = depth_in(p, wide, x, y);
    if (fabs(in) > NEAR * unit)
        return in > 0;
    for (int i = 0; i < FINE * FINE; i++) {
        x = px + (i % FINE + .5) / FINE;
        y = py + (i / FINE + .5) / FINE;
        move(back, &x, &y);
        inside += depth_in(p, wide, x, y) > 0;
    }
    return inside / (double)(FINE * FINE);
}

static struct box around(const struct path *p, double wide)
{
    const struct circle *c = &p->circle;
    const struct box b = p->kind == RECTANGLE
                             ? p->box
                             : (struct box){c->x - c->r, c->y - c->r, c->x + c->r, c->y + c->r};
    return (struct box){b.x0 - wide, b.y0 - wide, b.x1 + wide, b.y1 + wide};
}

static void draw_path(cairo_t *cr, double wide)
{
    struct state *s = now(cr);
    const bool clears = s->operator== CAIRO_OPERATOR_CLEAR;
    fm_assert(clears || cr->source->kind != PICTURE); /* a picture is painted */
    if (cr->status != CAIRO_STATUS_SUCCESS)
        return;
    const struct box box =
        within(rounded_out(s->clip), rounded_out(moved(&s->matrix, around(&cr->path, wide))));
    struct sampler from = sampler_of(cr->source, &box);
    const cairo_matrix_t back = inverse(s->matrix);
    for (int y = (int)box.y0; y < box.y1; y++)
        for (int x = (int)box.x0; x < box.x1; x++) {
            const double part = covered(&cr->path, wide, &back, x, y) * clipped(&s->clip, x, y);
            if (part > 0)
                lay(s, x, y, clears ? 0 : sample(&from, x, y), (uint32_t)lround(255 * part));
        }
    cr->path.kind = NOTHING;
}

void cairo_fill(cairo_t *cr)
{
    draw_path(cr, 0);
}

void cairo_stroke(cairo_t *cr)
{
    draw_path(cr, now(cr)->line_width / 2);
}
