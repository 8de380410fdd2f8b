/* draw.c: puts the sprites of a sheet where they belong. */
#include "ocean/draw.h"

#include <math.h>

#define PI 3.14159265358979323846

/* ---- drawings ------------------------------------------------------------------------------- */

/* The sprite that is shrunk, by less than half, rather than blown up. */
static int sprite_for(double pixels)
{
    int i = OC_SPRITES - 1;
    while (i > 0 && OC_SPRITE_MAX >> i < pixels)
        i--;
    return i;
}

static double scale_of(cairo_t *cr) /* pixels of a unit */
{
    cairo_matrix_t m;
    cairo_get_matrix(cr, &m);
    return sqrt(fabs(m.xx * m.yy - m.xy * m.yx));
}

static uint32_t toned(uint32_t argb, uint32_t tone) /* in 1/256; no more light than ink */
{
    const uint32_t alpha = argb >> 24;
    uint32_t out = alpha << 24;
    for (int shift = 0; shift < 24; shift += 8) {
        const uint32_t light = (argb >> shift & 0xff) * tone >> 8;
        out |= (light < alpha ? light : alpha) << shift;
    }
    return out;
}

/* The sprite lighter or darker, in a surface of its own: two threads must not share one. Without
 * memory the surface is in an error state, and so is a context that draws it. */
static cairo_surface_t *tone_sprite(const struct oc_drawing *d, int i, double tone)
{
    const uint32_t *sprite = oc_sprite(d, i);
    const int side = sprite != NULL ? OC_SPRITE_MAX >> i : -1; /* in error */
    const uint32_t k = (uint32_t)lround(256 * fmin(fmax(tone, 0), 4));
    if (k == 256 && sprite != NULL)
        return cairo_image_surface_create_for_data((unsigned char *)sprite, CAIRO_FORMAT_ARGB32,
                                                   side, side, 4 * side);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, side, side);
    uint32_t *pixels = (uint32_t *)(void *)cairo_image_surface_get_data(surface);
    for (int p = 0; pixels != NULL && p < side * side; p++)
        pixels[p] = toned(sprite[p], k);
    cairo_surface_mark_dirty(surface);
    return surface;
}

/* The drawing fills the unit square of the context. */
static void paint(cairo_t *cr, const struct oc_drawing *d, double density, double tone)
{
    const int i = sprite_for(scale_of(cr));
    const double side = OC_SPRITE_MAX >> i;
    cairo_surface_t *sprite = tone_sprite(d, i, tone);
    cairo_scale(cr, 1 / side, 1 / side);
    cairo_set_source_surface(cr, sprite, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_BILINEAR);
    cairo_paint_with_alpha(cr, density);
    cairo_surface_destroy(sprite);
}

void oc_draw_drawing(cairo_t *cr, const struct oc_drawing *d, double x, double y, double size)
{
    cairo_save(cr);
    cairo_translate(cr, x - size / 2, y - size / 2);
    cairo_scale(cr, size, size);
    paint(cr, d, 1, 1);
    cairo_restore(cr);
}

/* ---- sheets --------------------------------------------------------------------------------- */

static void draw_item(cairo_t *cr, const struct oc_item *item, double opacity)
{
    const double size = (double)item->size;
    cairo_save(cr);
    cairo_translate(cr, (double)item->x, (double)item->y);
    cairo_rotate(cr, (double)item->angle);
    cairo_scale(cr, size, item->mirrored ? -size : size);
    cairo_translate(cr, -.5, -.5);
    const double tone = opacity < 1 ? 1 : (double)item->tone; /* nobody sees it in the deep */
    paint(cr, item->drawing, opacity * (double)item->density, tone);
    cairo_restore(cr);
}

/* No ink in a hole, and a bright rim around it. */
static void draw_hole(cairo_t *cr, const struct oc_hole *h)
{
    const double x = (double)h->x, y = (double)h->y, r = (double)h->r;
    cairo_set_operator(cr, CAIRO_OPERATOR_CLEAR);
    cairo_arc(cr, x, y, r, 0, 2 * PI);
    cairo_fill(cr);
    cairo_set_operator(cr, CAIRO_OPERATOR_OVER);
    cairo_set_line_width(cr, .004);
    cairo_set_source_rgba(cr, .85, .95, 1, .38);
    cairo_arc(cr, x, y, r, 0, 2 * PI);
    cairo_stroke(cr);
    cairo_set_line_width(cr, .006);
    cairo_set_source_rgba(cr, 1, 1, 1, .55);
    cairo_arc(cr, x, y, r, 1.08 * PI, 1.46 * PI);
    cairo_stroke(cr);
}

static void orient(cairo_t *cr, unsigned orientation)
{
    cairo_translate(cr, .5, .5);
    cairo_rotate(cr, (orientation & 3) * PI / 2);
    if (orientation & 4)
        cairo_scale(cr, -1, 1);
    cairo_translate(cr, -.5, -.5);
}

void oc_draw_faintly(cairo_t *cr, const struct oc_sheet *sheet, double opacity)
{
    cairo_save(cr);
    orient(cr, sheet->orientation);
    for (int i = 0; i < sheet->n_items; i++)
        draw_item(cr, &sheet->item[i], opacity);
    cairo_restore(cr);
}

void oc_draw_sheet(cairo_t *cr, const struct oc_sheet *sheet)
{
    oc_draw_faintly(cr, sheet, 1);
    cairo_save(cr);
    orient(cr, sheet->orientation);
    for (int i = 0; i < sheet->n_holes; i++)
        draw_hole(cr, &sheet->hole[i]);
    cairo_restore(cr);
}

void oc_draw_item(cairo_t *cr, const struct oc_sheet *sheet, const struct oc_item *item)
{
    cairo_save(cr);
    orient(cr, sheet->orientation);
    draw_item(cr, item, 1);
    cairo_restore(cr);
}
