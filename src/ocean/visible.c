/*
 * visible.c: can every creature that counts be seen?
 *
 * At least a quarter of it must be free of ink above it in some view, down to the sixth level.
 * Sheets are turned over until that is so. This is settled for all rounds when the game is dealt:
 * no more than five sheets can lie on a level that counts, and what can be seen under five can be
 * seen under fewer.
 */
#include "ocean/draw.h"
#include "ocean/look.h"

#include "base/panic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE     128 /* pixels of a card here: one bit each */
#define COVERS   115 /* of 255: ink that hides what is below it */
#define WANTED   .32 /* more than is promised: these masks are coarse */
#define DRAWINGS 12  /* of a sheet that are tried, at most */
#define PI       3.14159265358979323846

__extension__ typedef unsigned __int128 row_bits;

struct mask {
    row_bits row[SIDE];
};

/* ---- masks ---------------------------------------------------------------------------------- */

/* Ink of a sheet, or of one of its items, as bits. */
static void draw_mask(struct mask *m, const struct oc_sheet *sheet, const struct oc_item *item)
{
    uint32_t pixels[SIDE * SIDE] = {0};
    struct oc_sheet plain = *sheet; /* tones cover nothing, and take time */
    for (int i = 0; i < plain.n_items; i++)
        plain.item[i].tone = 1;
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (unsigned char *)pixels, CAIRO_FORMAT_ARGB32, SIDE, SIDE, 4 * SIDE);
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, SIDE, SIDE);
    if (item != NULL)
        oc_draw_item(cr, &plain, &plain.item[item - sheet->item]);
    else
        oc_draw_sheet(cr, &plain);
    fm_assert(cairo_status(cr) == CAIRO_STATUS_SUCCESS);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    for (int y = 0; y < SIDE; y++) {
        m->row[y] = 0;
        for (int x = 0; x < SIDE; x++)
            if (pixels[y * SIDE + x] >> 24 >= COVERS)
                m->row[y] |= (row_bits)1 << x;
    }
}

static int count(const struct mask *m)
{
    int n = 0;
    for (int y = 0; y < SIDE; y++)
        n += __builtin_popcountll((uint64_t)m->row[y]) +
             __builtin_popcountll((uint64_t)(m->row[y] >> 64));
    return n;
}

/* Take away what lies under the other mask, which is moved by (dx, dy) against this one. */
static void hide(struct mask *m, const struct mask *above, int dx, int dy)
{
    for (int y = 0; y < SIDE; y++) {
        if (y - dy < 0 || y - dy >= SIDE)
            continue;
        const row_bits bits = above->row[y - dy];
        m->row[y] &= ~(dx >= 0 ? bits << dx : bits >> -dx);
    }
}

/* ---- looking -------------------------------------------------------------------------------- */

/* The part of an item that is free, in the best of nine views. masks[k] is the sheet k above. */
static double best_view(const struct oc_sheets *s, const struct mask *item,
                        const struct mask *masks, int index, int above)
{
    const int all = count(item);
    const double slope = tan(OC_TILT_MAX * PI / 180) * s->water->gap * SIDE;
    double best = 0;
    for (int view = 0; view < 9; view++) {
        struct mask left = *item;
        double depth = 0; /* of the item below the sheet that covers it, in gaps */
        for (int k = 0; k < above; k++) {
            depth += (double)s->sheet[index + k].gap;
            hide(&left, &masks[k], (int)lround(-(view % 3 - 1) * slope * depth),
                 (int)lround(-(view / 3 - 1) * slope * depth));
        }
        best = fmax(best, all > 0 ? (double)count(&left) / all : 1);
    }
    return best;
}

/* As oc_visible_each; masks[k] is the sheet k above this one. */
static void see_each(const struct oc_sheets *s, const struct mask *masks, int index, int above,
                     double seen[OC_MANTA + 1])
{
    const struct oc_sheet *sheet = &s->sheet[index];
    for (int role = 0; role <= OC_MANTA; role++)
        seen[role] = 1;
    for (int i = 0; i < sheet->n_items; i++) {
        struct mask item;
        if (!oc_counts(&sheet->item[i]))
            continue;
        double *part = &seen[sheet->item[i].drawing->role];
        draw_mask(&item, sheet, &sheet->item[i]);
        *part = fmin(*part, best_view(s, &item, masks, index, above));
    }
}

static double least_of(const double part[OC_MANTA + 1])
{
    double least = 1;
    for (int role = 0; role <= OC_MANTA; role++)
        least = fmin(least, part[role]);
    return least;
}

static double seen(const struct oc_sheets *s, const struct mask *masks, int index, int above)
{
    double part[OC_MANTA + 1];
    see_each(s, masks, index, above, part);
    return least_of(part);
}

static int sheets_above(const struct oc_sheets *s, int index, int at_most)
{
    const int above = s->n - 1 - index;
    return above < at_most ? above : at_most;
}

void oc_visible_each(const struct oc_sheets *s, int index, int above, double part[OC_MANTA + 1])
{
    struct mask masks[OC_SEEN_DOWN - 1];
    above = sheets_above(s, index, above);
    fm_assert(above < OC_SEEN_DOWN);
    for (int k = 0; k < above; k++)
        draw_mask(&masks[k], &s->sheet[index + 1 + k], NULL);
    see_each(s, masks, index, above, part);
}

double oc_visible(const struct oc_sheets *s, int index, int above)
{
    double part[OC_MANTA + 1];
    oc_visible_each(s, index, above, part);
    return least_of(part);
}

double oc_least_visible(const struct oc_sheets *s)
{
    struct mask masks[OC_SEEN_DOWN]; /* of the sheet before and those above it, nearest first */
    double least = 1;
    for (int index = s->n - 1; index >= 0; index--) {
        least = fmin(least, seen(s, masks, index, sheets_above(s, index, OC_SEEN_DOWN - 1)));
        memmove(&masks[1], &masks[0], sizeof masks - sizeof masks[0]);
        draw_mask(&masks[0], &s->sheet[index], NULL);
    }
    return least;
}

/* ---- turning -------------------------------------------------------------------------------- */

/* Turns one sheet to the first orientation that is good, beginning with the one that it was dealt
 * in; to the best of all if none is good. */
static double turn(struct oc_sheets *s, const struct mask *masks, int index, int above)
{
    struct oc_sheet *sheet = &s->sheet[index];
    const unsigned dealt = sheet->orientation;
    unsigned best_at = dealt;
    double best = -1;
    for (unsigned k = 0; k < OC_ORIENTATIONS && best < WANTED; k++) {
        sheet->orientation = (uint8_t)((dealt + k) % OC_ORIENTATIONS);
        const double now = seen(s, masks, index, above);
        if (now > best) {
            best = now;
            best_at = sheet->orientation;
        }
    }
    sheet->orientation = (uint8_t)best_at;
    return best;
}

void oc_make_visible(struct oc_sheets *s, const struct oc_art *art, const struct oc_deal *deal)
{
    struct mask masks[OC_SEEN_DOWN]; /* of this sheet and the five above it, nearest first */
    for (int index = s->n - 1; index >= 0; index--) {
        const int above = sheets_above(s, index, OC_SEEN_DOWN - 1);
        struct oc_sheet best_sheet = s->sheet[index];
        double best = -1;
        for (unsigned i = 0; i < DRAWINGS && best < WANTED; i++) {
            if (i > 0)
                oc_sheet_make(&s->sheet[index], art, s->water, deal, index, i);
            const double now = turn(s, masks, index, above);
            if (now > best) {
                best = now;
                best_sheet = s->sheet[index];
            }
        }
        s->sheet[index] = best_sheet;
        memmove(&masks[1], &masks[0], sizeof masks - sizeof masks[0]);
        draw_mask(&masks[0], &s->sheet[index], NULL);
    }
}
