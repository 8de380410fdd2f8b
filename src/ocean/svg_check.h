/*
 * svg_check.h: whether a text is one of the plain drawings that we let librsvg see.
 *
 * Shapes, groups, gradients and clips; no scripts, styles, texts, pictures, filters, references to
 * anything but an id of the same file. What is let through is also cheap to draw: svg_check.c and
 * svg_value.c say what is bounded and why.
 */
#ifndef OCEAN_SVG_CHECK_H
#define OCEAN_SVG_CHECK_H

#include <fathom/error.h>

#include <stddef.h>

/* One pass over n bytes. FM_E_SIZE if there are too many, else FM_E_ART with the line. */
enum fm_err oc_svg_check(const char *text, size_t n, struct fm_fault *fault);

#endif
