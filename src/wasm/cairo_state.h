/* cairo_state.h: what the files that stand in for cairo in the page share. */
#ifndef WASM_CAIRO_STATE_H
#define WASM_CAIRO_STATE_H

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

#define SAVES 8 /* nested saves */

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

static inline struct state *cairo__now(cairo_t *cr)
{
    return &cr->state[cr->saved];
}

/* The inverse of a matrix; a place moved by a matrix. */
cairo_matrix_t cairo__inverse(cairo_matrix_t m);
void cairo__move(const cairo_matrix_t *m, double *x, double *y);

#endif
