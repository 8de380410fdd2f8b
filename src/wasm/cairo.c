/* cairo.c: the surfaces, contexts and sources of cairo, for the page; cairo_paint.c paints. */
#include "wasm/cairo_state.h"

#include "base/panic.h"

#include <math.h>
#include <stdlib.h>

/* ---- surfaces and patterns ------------------------------------------------------------------- */

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
    const cairo_matrix_t m = cairo__now(cr)->matrix;
    cairo__now(cr)->matrix = (cairo_matrix_t){
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
    *matrix = cairo__now(cr)->matrix;
}

cairo_matrix_t cairo__inverse(cairo_matrix_t m)
{
    const double k = 1 / (m.xx * m.yy - m.yx * m.xy);
    return (cairo_matrix_t){.xx = m.yy * k,
                            .yx = -m.yx * k,
                            .xy = -m.xy * k,
                            .yy = m.xx * k,
                            .x0 = (m.xy * m.y0 - m.yy * m.x0) * k,
                            .y0 = (m.yx * m.x0 - m.xx * m.y0) * k};
}

void cairo__move(const cairo_matrix_t *m, double *x, double *y)
{
    const double from = *x;
    *x = m->xx * from + m->xy * *y + m->x0;
    *y = m->yx * from + m->yy * *y + m->y0;
}

void cairo_set_operator(cairo_t *cr, cairo_operator_t operator)
{
    fm_assert(operator== CAIRO_OPERATOR_OVER || operator== CAIRO_OPERATOR_CLEAR);
    cairo__now(cr)->operator= operator;
}

void cairo_set_line_width(cairo_t *cr, double width)
{
    cairo__now(cr)->line_width = width;
}

/* ---- sources --------------------------------------------------------------------------------- */

void cairo_set_source(cairo_t *cr, cairo_pattern_t *source)
{
    source->references++;
    cairo_pattern_destroy(cr->source);
    cr->source = source;
    source->matrix = cairo__inverse(cairo__now(cr)->matrix);
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
    cairo_surface_t *target = cairo__now(cr)->target;
    cairo_surface_t *group =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, target->width, target->height);
    if (group->status != CAIRO_STATUS_SUCCESS)
        cr->status = group->status;
    cairo__now(cr)->target = group;
    cairo__now(cr)->clip = whole(group);
}

void cairo_pop_group_to_source(cairo_t *cr)
{
    cairo_surface_t *group = cairo__now(cr)->target;
    cairo_restore(cr);
    cairo_set_source_surface(cr, group, 0, 0);
    cr->source->matrix = (cairo_matrix_t){.xx = 1, .yy = 1};
    cairo_surface_destroy(group);
}
