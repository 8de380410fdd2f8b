/* draw.h: a sheet's inks, by cairo. */
#ifndef OCEAN_DRAW_H
#define OCEAN_DRAW_H

#include "ocean/sheets.h"

#include <cairo.h>

/* The card as a square from 0 to 1, in its orientation, on the context's present scale. */
void oc_draw_sheet(cairo_t *cr, const struct oc_sheet *sheet);
/* The same fainter, and without its holes: for the deep. */
void oc_draw_faintly(cairo_t *cr, const struct oc_sheet *sheet, double opacity);
/* One item of it alone. */
void oc_draw_item(cairo_t *cr, const struct oc_sheet *sheet, const struct oc_item *item);
/* A drawing upright with its centre at (x, y), in widths of a unit square. */
void oc_draw_drawing(cairo_t *cr, const struct oc_drawing *d, double x, double y, double size);

#endif
