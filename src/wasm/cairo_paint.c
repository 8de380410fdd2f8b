/*
 * cairo_paint.c: the part of cairo that the ocean uses, for the page, behind cairo's own header.
 *
 * Sprites are painted as cairo and pixman paint them: matrices in 16.16, weights of seven bits, and
 * products of bytes rounded to the nearest. Which way up a sheet lies is decided by counting pixels
 * (visible.c), so a sheet looks the same here and at a server only if these pixels are the same.
 * Edges of holes, rims and clips are sampled, and may differ by a shade.
 */
#include "wasm/cairo_state.h"

#include "base/panic.h"

#include <math.h>
#include <stddef.h>

#define PI   3.14159265358979323846
#define FINE 8   /* samples of a pixel at an edge, in each axis */
#define NEAR 1.5 /* pixels from an edge within which they are taken */

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
    const cairo_matrix_t *m = &s->pattern->matrix, back = cairo__inverse(*m);
    for (int i = 0; i < 5; i++) {
        double u = row_of(s->xx, s->xy, s->x0, x, y) / 65536.,
               v = row_of(s->yx, s->yy, s->y0, x, y) / 65536.;
        cairo__move(&back, &u, &v);
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
    const cairo_surface_t *from = p->surface;
    uint32_t a, b, c, d, out = 0;
    if (x >= 0 && y >= 0 && x + 1 < from->width && y + 1 < from->height) {
        const uint32_t *at = from->pixels + (ptrdiff_t)y * from->width + x;
        a = at[0];
        b = at[1];
        c = at[from->width];
        d = at[from->width + 1];
    } else {
        a = pixel_at(p, x, y);
        b = pixel_at(p, x + 1, y);
        c = pixel_at(p, x, y + 1);
        d = pixel_at(p, x + 1, y + 1);
    }
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
    cairo__move(&p->matrix, &x, &y);
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

static double overlap(double from, double to, int at) /* how much of a pixel is in an interval */
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
        cairo__move(m, &x, &y);
        out = (struct box){fmin(out.x0, x), fmin(out.y0, y), fmax(out.x1, x), fmax(out.y1, y)};
    }
    return out;
}

/* Where a source can have anything to show. */
static struct box reach_of(const cairo_pattern_t *p, struct box all)
{
    if (p->kind != PICTURE || p->extend == CAIRO_EXTEND_PAD)
        return all;
    const cairo_matrix_t back = cairo__inverse(p->matrix);
    const struct box picture = {-.5, -.5, p->surface->width + .5, p->surface->height + .5};
    return within(all, rounded_out(moved(&back, picture)));
}

void cairo_paint_with_alpha(cairo_t *cr, double alpha)
{
    struct state *s = cairo__now(cr);
    if (cr->status != CAIRO_STATUS_SUCCESS)
        return;
    const struct box box = reach_of(cr->source, rounded_out(s->clip));
    struct sampler from = sampler_of(cr->source, &box);
    const uint32_t all = byte_of(alpha);
    for (int y = (int)box.y0; y < box.y1; y++) {
        start_row(&from, (int)box.x0, y);
        for (int x = (int)box.x0; x < box.x1; x++) {
            const uint32_t source = sample(&from, x, y);
            if (source == 0)
                continue;
            const double part = clipped(&s->clip, x, y);
            lay(s, x, y, source, part < 1 ? (uint32_t)(all * part + .5) : all);
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
    struct state *s = cairo__now(cr);
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

/* How much of a pixel is covered by a path. */
static double covered(const struct path *p, double wide, const cairo_matrix_t *back, int px, int py)
{
    const double unit = sqrt(fabs(back->xx * back->yy - back->xy * back->yx)); /* a pixel's side */
    double x = px + .5, y = py + .5;
    int inside = 0;
    cairo__move(back, &x, &y);
    const double in = depth_in(p, wide, x, y);
    if (fabs(in) > NEAR * unit)
        return in > 0;
    for (int i = 0; i < FINE * FINE; i++) {
        x = px + (i % FINE + .5) / FINE;
        y = py + (i / FINE + .5) / FINE;
        cairo__move(back, &x, &y);
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
    struct state *s = cairo__now(cr);
    const bool clears = s->operator== CAIRO_OPERATOR_CLEAR;
    fm_assert(clears || cr->source->kind != PICTURE); /* a picture is painted */
    if (cr->status != CAIRO_STATUS_SUCCESS)
        return;
    const struct box box =
        within(rounded_out(s->clip), rounded_out(moved(&s->matrix, around(&cr->path, wide))));
    struct sampler from = sampler_of(cr->source, &box);
    const cairo_matrix_t back = cairo__inverse(s->matrix);
    for (int y = (int)box.y0; y < box.y1; y++)
        for (int x = (int)box.x0; x < box.x1; x++) {
            const double part = covered(&cr->path, wide, &back, x, y) * clipped(&s->clip, x, y);
            if (part > 0)
                lay(s, x, y, clears ? 0 : sample(&from, x, y), (uint32_t)(255 * part + .5));
        }
    cr->path.kind = NOTHING;
}

void cairo_fill(cairo_t *cr)
{
    draw_path(cr, 0);
}

void cairo_stroke(cairo_t *cr)
{
    draw_path(cr, cairo__now(cr)->line_width / 2);
}
