/* svg_value.h: what svg_check.c knows of a drawing, and the check of its attributes' values. */
#ifndef OCEAN_SVG_VALUE_H
#define OCEAN_SVG_VALUE_H

#include "ocean/svg_scan.h"

#define OC__SVG_DEPTH 16 /* how deep elements may be nested */

enum oc__kind { ROOT, GROUP, SHAPE, GRADIENT, STOP, CLIP, TITLE };

struct oc__element {
    const char *name;
    enum oc__kind kind;
};

enum oc__value {
    WORD,
    ID,
    XMLNS,
    VIEWBOX,
    NUMBER,
    PLACE, /* where something is */
    SIZE,  /* how large it is */
    BREADTH,
    PATH,
    POINTS,
    TRANSFORM,
    PAINT,
    STROKE,
    CLIPPING,
    CLIP_UNITS,
    SPREAD,
    OPACITY,
    MITER
};

struct oc__open { /* an element that is not closed yet; what its children inherit */
    const struct oc__element *element;
    int stops;
    bool clips;   /* it is a clipPath or inside one */
    bool clipped; /* it is clipped or inside something that is */
    bool stroked;
    double broad; /* its stroke */
    double scale; /* its unit is at most this many times the viewBox's */
};

struct oc__document {
    struct oc__scan scan;
    int depth;
    struct oc__open open[OC__SVG_DEPTH + 1]; /* [0] is around the root */
    struct oc__outline outline;              /* of the element that is looked at */
    bool rooted;
    int elements, steps, clip_steps, layered, clipped;
    double travel, clip_travel; /* in sides */
    double side;                /* of the viewBox; 0: not known yet */
};

/* The value of an attribute, which scan.at and scan.stop enclose. */
bool oc__check_value(struct oc__document *d, enum oc__value value, struct oc__open *open);
/* Of any element, once its attributes are known. */
bool oc__check_extent(struct oc__document *d, const struct oc__open *open);
/* Of a shape, once all of it is known: how far its outlines go, and of how many steps they are. */
bool oc__count_travel(struct oc__document *d, const struct oc__open *open);

#endif
