/*
 * svg_value.c: the values of a drawing's attributes, and the limits of what they cost to draw.
 *
 * What costs most is how far the outlines go: where many long edges cross, cairo's work grows with
 * the square of their number. Without the limits a file takes minutes; at them, about a second; the
 * built-in ones ten milliseconds each.
 */
#include "ocean/svg_value.h"

#include <math.h>

#define STEPS       8000 /* numbers and letters of all paths and lists of points */
#define CLIP_STEPS  1500 /* of those, in clips and what they clip: these are intersected */
#define SHAPE_STEPS 8    /* that every shape counts for in addition */
#define LAYERED     32   /* gradients, clips and opacities used: each costs a picture's area */
#define MITER_MAX   10.0
#define SIDE_MIN    16.0 /* of the viewBox */
#define SIDE_MAX    4096.0

/* In sides of the viewBox, after all transforms. */
#define FAR         16.0   /* the largest number */
#define BROAD       1.0    /* the broadest stroke */
#define TRAVEL      100.0  /* how far the outlines of one shape go, strokes included */
#define CLIP_TRAVEL 10.0   /* all shapes of clipPaths together */
#define ALL_TRAVEL  1000.0 /* all shapes together */

/* ---- numbers --------------------------------------------------------------------------------- */

/* A number or a share in percent, and nothing else. */
static bool check_number(struct oc__document *d, double *value)
{
    struct oc__scan *s = &d->scan;
    if (!oc__read_number(s, value))
        return false;
    if (s->at < s->stop && *s->at == '%') {
        s->at++;
        *value *= d->side / 100;
    }
    return s->at == s->stop ||
           oc__refuse(s, "a number without a unit is expected, not with \"%.*s\"",
                      s->stop - s->at > 20 ? 20 : (int)(s->stop - s->at), s->at);
}

static bool check_place(struct oc__document *d)
{
    double value;
    if (!check_number(d, &value))
        return false;
    oc__note_far(&d->outline, value);
    return true;
}

static bool check_size(struct oc__document *d)
{
    double value;
    if (!check_number(d, &value))
        return false;
    oc__note_far(&d->outline, value);
    d->outline.size = fmax(d->outline.size, fabs(value));
    return true;
}

static bool check_breadth(struct oc__scan *s, struct oc__open *open)
{
    if (!oc__read_number(s, &open->broad))
        return false;
    return (s->at == s->stop && open->broad >= 0) ||
           oc__refuse(s, "the width of a stroke is a number without a unit");
}

static bool check_viewbox(struct oc__document *d)
{
    struct oc__scan *s = &d->scan;
    double box[4];
    for (int i = 0; i < 4; i++) {
        if (i > 0)
            oc__skip_comma(s);
        if (!oc__read_number(s, &box[i]))
            return false;
    }
    if (s->at < s->stop)
        return oc__refuse(s, "a viewBox has four numbers");
    if (box[2] < box[3] || box[2] > box[3])
        return oc__refuse(s, "the viewBox is not square: %g x %g", box[2], box[3]);
    if (box[2] < SIDE_MIN || box[2] > SIDE_MAX)
        return oc__refuse(s, "the viewBox is %g wide, not %g to %g", box[2], SIDE_MIN, SIDE_MAX);
    d->side = box[2];
    oc__note_far(&d->outline, box[0]);
    oc__note_far(&d->outline, box[1]);
    return true;
}

/* ---- what it costs --------------------------------------------------------------------------- */

static bool count_steps(struct oc__document *d, const struct oc__open *open)
{
    const int steps = d->outline.steps + SHAPE_STEPS;
    d->steps += steps;
    d->clip_steps += open->clips || open->clipped ? steps : 0;
    if (d->steps > STEPS)
        return oc__refuse(&d->scan, "paths have more than %d numbers and letters", STEPS);
    if (d->clip_steps > CLIP_STEPS)
        return oc__refuse(
            &d->scan, "clips and what they clip have more than %d numbers and letters", CLIP_STEPS);
    return true;
}

bool oc__count_travel(struct oc__document *d, const struct oc__open *open)
{
    struct oc__scan *s = &d->scan;
    const struct oc__outline *o = &d->outline;
    const double unit = open->scale / d->side;
    double travel = o->travel + 8 * o->size; /* a circle's is 6.3 radii, a rectangle's 4 sides */
    if (open->stroked)
        travel = 3 * travel + 3 * (o->bends + 12) * open->broad; /* both its sides, its joins */
    travel *= unit;
    d->travel += travel;
    d->clip_travel += open->clips ? travel : 0;
    if (travel > TRAVEL)
        return oc__refuse(s, "the outline of this shape is too long: %.0f sides of the viewBox",
                          travel);
    if (d->travel > ALL_TRAVEL)
        return oc__refuse(s, "all outlines together are too long: %.0f sides of the viewBox",
                          d->travel);
    if (d->clip_travel > CLIP_TRAVEL)
        return oc__refuse(s, "the outlines of clipPaths are too long: %.0f sides of the viewBox",
                          d->clip_travel);
    return count_steps(d, open);
}

bool oc__check_extent(struct oc__document *d, const struct oc__open *open)
{
    struct oc__scan *s = &d->scan;
    if (d->outline.far * open->scale > FAR * d->side)
        return oc__refuse(s, "a number of <%s> is too large for a viewBox of %g",
                          open->element->name, d->side);
    if (open->stroked && open->broad * open->scale > BROAD * d->side)
        return oc__refuse(s, "the stroke of <%s> is broader than the viewBox", open->element->name);
    return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool check_id(struct oc__scan *s, const char *stop)
{
    const char *from = s->at;
    while (s->at < stop &&
           (oc__is_letter(*s->at) || oc__is_digit(*s->at) || oc__is_among("-_.", *s->at)))
        s->at++;
    return (s->at == stop && stop > from) ||
           oc__refuse(s, "an id is made of letters, digits, dashes, dots and underscores");
}

/* Keywords and colours. No quotes, no backslashes: CSS could hide a reference behind them. */
static bool check_word(struct oc__scan *s)
{
    if (memchr(s->at, '(', (size_t)(s->stop - s->at)) != NULL && !oc__starts(s, "rgb(") &&
        !oc__starts(s, "rgba(") && !oc__starts(s, "hsl(") && !oc__starts(s, "hsla("))
        return oc__refuse(s, "\"%.*s\" is not allowed; only url(#id), where a reference can stand",
                          s->stop - s->at > 40 ? 40 : (int)(s->stop - s->at), s->at);
    for (; s->at < s->stop; s->at++)
        if (!oc__is_letter(*s->at) && !oc__is_digit(*s->at) && !oc__is_among("#(),.% -", *s->at))
            return oc__refuse(s, "the character \"%c\" is not allowed here", *s->at);
    return true;
}

static bool count_layer(struct oc__document *d)
{
    struct oc__scan *s = &d->scan;
    return ++d->layered <= LAYERED ||
           oc__refuse(s, "there are more than %d gradients, clips and opacities used", LAYERED);
}

static bool check_reference(struct oc__document *d)
{
    struct oc__scan *s = &d->scan;
    if (s->stop[-1] != ')')
        return oc__refuse(s, "a reference is url(#id) and nothing more");
    s->at += strlen("url(#");
    return check_id(s, s->stop - 1) && count_layer(d);
}

/* url(#id), or a colour. A fill or stroke is inherited: a gradient given to a group would be
 * painted any number of times. */
static bool check_paint(struct oc__document *d, const struct oc__open *open)
{
    struct oc__scan *s = &d->scan;
    if (!oc__starts(s, "url(#"))
        return check_word(s);
    if (open->element->kind != SHAPE)
        return oc__refuse(s, "only shapes are painted with a gradient, not <%s>",
                          open->element->name);
    return check_reference(d);
}

/* Nested clips are intersected, which is the most expensive thing there is. */
static bool check_clipping(struct oc__document *d, struct oc__open *open)
{
    struct oc__scan *s = &d->scan;
    if (!oc__starts(s, "url(#"))
        return check_word(s);
    if (open->clips || open->clipped)
        return oc__refuse(s, "what clips or is clipped is not clipped again");
    open->clipped = true;
    return check_reference(d);
}

static bool check_only(struct oc__scan *s, const char *value)
{
    return ((size_t)(s->stop - s->at) == strlen(value) && oc__starts(s, value)) ||
           oc__refuse(s, "only \"%s\" is allowed here", value);
}

/* ---- all kinds of values --------------------------------------------------------------------- */

bool oc__check_value(struct oc__document *d, enum oc__value value, struct oc__open *open)
{
    struct oc__scan *s = &d->scan;
    const bool root = open->element->kind == ROOT;
    double number;
    switch (value) {
    case ID:
        return check_id(s, s->stop);
    case XMLNS:
        return check_only(s, "http://www.w3.org/2000/svg");
    case VIEWBOX:
        return root ? check_viewbox(d) : oc__refuse(s, "only <svg> has a viewBox");
    case OPACITY:
        return count_layer(d) && check_number(d, &number);
    case MITER: /* spikes are outlines too */
        return check_number(d, &number) &&
               (number <= MITER_MAX || oc__refuse(s, "a miterlimit is at most %g", MITER_MAX));
    case NUMBER:
        return check_number(d, &number);
    case PLACE: /* of the root, this and the next are for browsers */
        return root ? check_word(s) : check_place(d);
    case SIZE:
        return root ? check_word(s) : check_size(d);
    case BREADTH:
        return check_breadth(s, open);
    case PATH:
        return oc__read_path(s, &d->outline);
    case POINTS:
        return oc__read_points(s, &d->outline);
    case TRANSFORM:
        return root ? oc__refuse(s, "<svg> is not transformed")
                    : oc__read_transform(s, &d->outline, &open->scale);
    case STROKE:
        open->stroked = s->stop - s->at != 4 || !oc__starts(s, "none");
        return check_paint(d, open);
    case PAINT:
        return check_paint(d, open);
    case CLIPPING:
        return check_clipping(d, open);
    case CLIP_UNITS: /* other units would add one more scale */
        return check_only(s, "userSpaceOnUse");
    case SPREAD: /* the others cost the more the smaller the gradient is */
        return check_only(s, "pad");
    case WORD:
    default:
        return check_word(s);
    }
}
