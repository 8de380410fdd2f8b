/* picture.c: sheets drawn by cairo, as frames, rows of RGB and words. */
#include "ocean/picture.h"

#include "ocean/draw.h"
#include "ocean/layers.h"

#include "base/hash.h"
#include "base/panic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POSTCARD_SHEETS 13

/* ---- canvases ------------------------------------------------------------------------------- */

struct canvas {
    int width, height;
    uint32_t *argb; /* premultiplied */
    cairo_surface_t *surface;
    cairo_t *cr;
};

static enum fm_err canvas_init(struct canvas *c, int width, int height, struct fm_fault *fault)
{
    *c = (struct canvas){.width = width, .height = height};
    c->argb = calloc((size_t)width * (size_t)height, sizeof *c->argb);
    if (c->argb == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    c->surface = cairo_image_surface_create_for_data((unsigned char *)c->argb, CAIRO_FORMAT_ARGB32,
                                                     width, height, 4 * width);
    c->cr = cairo_create(c->surface);
    return FM_OK;
}

/* All is drawn; argb can be read. */
static enum fm_err canvas_flush(struct canvas *c, struct fm_fault *fault)
{
    cairo_surface_flush(c->surface);
    return cairo_status(c->cr) == CAIRO_STATUS_SUCCESS ? FM_OK : fm_fail_plain(fault, FM_E_MEMORY);
}

static void canvas_finish(struct canvas *c)
{
    cairo_destroy(c->cr);
    cairo_surface_destroy(c->surface);
    free(c->argb);
}

static void draw_on_water(cairo_t *cr, const struct oc_sheet *sheet)
{
    cairo_pattern_t *water = cairo_pattern_create_radial(.5, .45, .05, .5, .5, .75);
    cairo_pattern_add_color_stop_rgb(water, 0, .14, .47, .62);
    cairo_pattern_add_color_stop_rgb(water, 1, .06, .27, .40);
    cairo_set_source(cr, water);
    cairo_rectangle(cr, 0, 0, 1, 1);
    cairo_fill(cr);
    cairo_pattern_destroy(water);
    cairo_save(cr);
    cairo_rectangle(cr, 0, 0, 1, 1);
    cairo_clip(cr);
    cairo_push_group(cr); /* holes are in the sheet, not in the water */
    oc_draw_sheet(cr, sheet);
    cairo_pop_group_to_source(cr);
    cairo_paint(cr);
    cairo_restore(cr);
    cairo_set_line_width(cr, .006);
    cairo_set_source_rgba(cr, .85, .95, 1, .5);
    cairo_rectangle(cr, .003, .003, .994, .994);
    cairo_stroke(cr);
}

/* ---- colours: full-range YCbCr in 1/65536 ------------------------------------------------------ */

struct mean { /* of some pixels, premultiplied, 0 .. 255 */
    int32_t r, g, b, a;
};

static struct mean pixel(uint32_t argb)
{
    return (struct mean){(int32_t)(argb >> 16 & 0xff), (int32_t)(argb >> 8 & 0xff),
                         (int32_t)(argb & 0xff), (int32_t)(argb >> 24)};
}

static struct mean mean_of_four(const struct canvas *c, int x, int y)
{
    struct mean sum = {0, 0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const int px = x + k % 2 < c->width ? x + k % 2 : c->width - 1;
        const int py = y + k / 2 < c->height ? y + k / 2 : c->height - 1;
        const struct mean one = pixel(c->argb[(ptrdiff_t)py * c->width + px]);
        sum = (struct mean){sum.r + one.r, sum.g + one.g, sum.b + one.b, sum.a + one.a};
    }
    return (struct mean){(sum.r + 2) / 4, (sum.g + 2) / 4, (sum.b + 2) / 4, (sum.a + 2) / 4};
}

static uint8_t byte(int32_t v)
{
    v = (v + 32768) >> 16;
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static uint8_t luma(struct mean m)
{
    return byte(19595 * m.r + 38470 * m.g + 7471 * m.b);
}

static uint8_t chroma_u(struct mean m)
{
    return byte(128 * 65536 / 255 * m.a - 11058 * m.r - 21710 * m.g + 32768 * m.b);
}

static uint8_t chroma_v(struct mean m)
{
    return byte(128 * 65536 / 255 * m.a + 32768 * m.r - 27439 * m.g - 5329 * m.b);
}

/* ---- sheets --------------------------------------------------------------------------------- */

static void to_frame(const struct canvas *c, struct oc_frame *f)
{
    const int side = oc_frame_padded(f->size);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const int px = x < f->size ? x : f->size - 1, py = y < f->size ? y : f->size - 1;
            f->y[(ptrdiff_t)y * f->stride + x] = luma(pixel(c->argb[(ptrdiff_t)py * f->size + px]));
        }
    for (int y = 0; y < side / 2; y++)
        for (int x = 0; x < side / 2; x++) {
            const struct mean m = mean_of_four(c, 2 * x, 2 * y);
            f->u[(ptrdiff_t)y * f->cstride + x] = chroma_u(m);
            f->v[(ptrdiff_t)y * f->cstride + x] = chroma_v(m);
        }
}

enum fm_err oc_sheet_picture(struct oc_frame *frame, const struct oc_sheet *sheet,
                             struct fm_fault *fault)
{
    struct canvas c;
    enum fm_err err = canvas_init(&c, frame->size, frame->size, fault);
    if (err != FM_OK)
        return err;
    cairo_scale(c.cr, frame->size, frame->size);
    draw_on_water(c.cr, sheet);
    err = canvas_flush(&c, fault);
    if (err == FM_OK)
        to_frame(&c, frame);
    canvas_finish(&c);
    return err;
}

enum fm_err oc_contact_sheet(uint8_t *rgb, int cell, const struct oc_sheets *s,
                             struct fm_fault *fault)
{
    struct canvas c;
    const int side = OC_CONTACT_ACROSS * cell;
    enum fm_err err = canvas_init(&c, side, side, fault);
    if (err != FM_OK)
        return err;
    for (int i = 0; i < s->n; i++) {
        cairo_save(c.cr);
        cairo_translate(c.cr, i % OC_CONTACT_ACROSS * cell, (double)(i / OC_CONTACT_ACROSS * cell));
        cairo_scale(c.cr, cell, cell);
        draw_on_water(c.cr, &s->sheet[s->n - 1 - i]);
        cairo_restore(c.cr);
    }
    err = canvas_flush(&c, fault);
    for (ptrdiff_t i = 0; err == FM_OK && i < (ptrdiff_t)side * side; i++) {
        const struct mean m = pixel(c.argb[i]);
        rgb[3 * i] = (uint8_t)m.r;
        rgb[3 * i + 1] = (uint8_t)m.g;
        rgb[3 * i + 2] = (uint8_t)m.b;
    }
    canvas_finish(&c);
    return err;
}

void oc_deal_of_postcard(struct oc_deal *deal, const void *name, size_t n)
{
    memset(deal, 0, sizeof *deal);
    fm__hash(deal->secret, "fathom postcard 1", &(struct fm_span){name, n}, 1);
    deal->n = POSTCARD_SHEETS;
}

/* ---- the octopus ---------------------------------------------------------------------------- */

enum fm_err oc_patch_init(struct oc_patch *p, const struct oc_art *art, int size, double x,
                          double y, struct fm_fault *fault)
{
    const struct oc_drawing *octopus = oc_art_pick(art, OC_OCTOPUS, 0);
    struct canvas c;
    const int side = (int)lround((double)octopus->large * size / 2) * 2, half = side / 2;
    memset(p, 0, sizeof *p);
    p->side = side;
    p->x = (int)lround((x * size - half) / 2) * 2;
    p->y = (int)lround((y * size - half) / 2) * 2;
    p->luma =
        calloc((size_t)side * (size_t)side + 2 * (size_t)half * (size_t)half, sizeof *p->luma);
    if (p->luma == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    p->u = p->luma + (ptrdiff_t)side * side;
    p->v = p->u + (ptrdiff_t)half * half;
    enum fm_err err = canvas_init(&c, side, side, fault);
    if (err == FM_OK) {
        cairo_scale(c.cr, side, side);
        oc_draw_drawing(c.cr, octopus, .5, .5, 1);
        err = canvas_flush(&c, fault);
        for (int i = 0; i < side * side; i++) {
            const struct mean m = pixel(c.argb[i]);
            p->luma[i] = (uint16_t)((255 - m.a) << 8 | luma(m));
        }
        for (int i = 0; i < half * half; i++) {
            const struct mean m = mean_of_four(&c, 2 * (i % half), 2 * (i / half));
            p->u[i] = (uint16_t)((255 - m.a) << 8 | chroma_u(m));
            p->v[i] = (uint16_t)((255 - m.a) << 8 | chroma_v(m));
        }
        canvas_finish(&c);
    }
    if (err != FM_OK)
        oc_patch_finish(p);
    return err;
}

void oc_patch_finish(struct oc_patch *p)
{
    free(p->luma);
    *p = (struct oc_patch){0};
}
