/*
 * svg_check.c: a scanner for a small part of SVG that is cheap to draw.
 *
 * XML allows far more than a drawing needs, and SVG can ask for any amount of work in a few bytes.
 * So everything is refused that is not listed here, and what takes librsvg and cairo time is
 * bounded. Above all that is how far the outlines go: where many long edges cross, cairo's work
 * grows with the square of their number. Without the limits a file takes minutes; at them, about a
 * second; the built-in ones ten milliseconds each.
 */
#include "ocean/svg_check.h"

#include "base/text.h"
#include "ocean/art.h"
#include "ocean/svg_scan.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DEPTH       16
#define ELEMENTS    2000
#define STEPS       8000 /* numbers and letters of all paths and lists of points */
#define CLIP_STEPS  1500 /* of those, in what clips or is clipped: it is cut with one another */
#define SHAPE_STEPS 8    /* what any shape counts among them */
#define CLIPPED     24   /* shapes that are clipped */
#define LAYERED     32   /* gradients, clips and opacities used: each costs a picture's area */
#define STOPS       16   /* of one gradient */
#define MITER_MAX   10.0
#define SIDE_MIN    16.0 /* of the viewBox */
#define SIDE_MAX    4096.0

/* In sides of the viewBox, after all transforms. */
#define FAR         16.0   /* the largest number */
#define BROAD       1.0    /* the broadest stroke */
#define TRAVEL      100.0  /* how far the outlines of one shape go, strokes included */
#define CLIP_TRAVEL 10.0   /* all shapes of clipPaths together */
#define ALL_TRAVEL  1000.0 /* all shapes together */

/* ---- what there is --------------------------------------------------------------------------- */

enum kind { ROOT, GROUP, SHAPE, GRADIENT, STOP, CLIP, TITLE };

static const struct {
    const char *name;
    enum kind kind;
} elements[] = {
    {"svg", ROOT},      {"g", GROUP},      {"defs", GROUP},
    {"path", SHAPE},    {"circle", SHAPE}, {"ellipse", SHAPE},
    {"rect", SHAPE},    {"line", SHAPE},   {"polyline", SHAPE},
    {"polygon", SHAPE}, {"stop", STOP},    {"linearGradient", GRADIENT},
    {"clipPath", CLIP}, {"title", TITLE},  {"radialGradient", GRADIENT},
};

enum value {
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

static const struct {
    const char *name;
    enum value value;
} attributes[] = {
    {"id", ID},
    {"xmlns", XMLNS},
    {"version", WORD},
    {"viewBox", VIEWBOX},
    {"d", PATH},
    {"points", POINTS},
    {"transform", TRANSFORM},
    {"gradientTransform", TRANSFORM},
    {"x", PLACE},
    {"y", PLACE},
    {"width", SIZE},
    {"height", SIZE},
    {"cx", PLACE},
    {"cy", PLACE},
    {"r", SIZE},
    {"rx", SIZE},
    {"ry", SIZE},
    {"x1", SIZE},
    {"y1", SIZE},
    {"x2", SIZE},
    {"y2", SIZE},
    {"fx", PLACE},
    {"fy", PLACE},
    {"fr", SIZE},
    {"stroke-width", BREADTH},
    {"offset", NUMBER},
    {"opacity", OPACITY},
    {"fill-opacity", NUMBER},
    {"stroke-opacity", NUMBER},
    {"stop-opacity", NUMBER},
    {"stroke-miterlimit", MITER},
    {"fill", PAINT},
    {"stroke", STROKE},
    {"clip-path", CLIPPING},
    {"stop-color", WORD},
    {"fill-rule", WORD},
    {"clip-rule", WORD},
    {"stroke-linecap", WORD},
    {"stroke-linejoin", WORD},
    {"gradientUnits", WORD},
    {"clipPathUnits", CLIP_UNITS},
    {"spreadMethod", SPREAD},
};

#define N_ELEMENTS   (int)(sizeof elements / sizeof elements[0])
#define N_ATTRIBUTES (int)(sizeof attributes / sizeof attributes[0])
_Static_assert(sizeof attributes / sizeof attributes[0] <= 64, "a set of them is 64 bits");

struct open { /* an element that is not closed yet; what its children inherit */
    int element;
    int stops;
    bool clips;   /* it is a clipPath or stands in one */
    bool clipped; /* it is clipped or stands in what is */
    bool stroked;
    double broad; /* its stroke */
    double scale; /* how much larger than the viewBox's its unit is at most */
};

struct document {
    struct oc__scan scan;
    int depth;
    struct open open[DEPTH + 1]; /* [0] is around the root */
    struct oc__outline outline;  /* of the element that is looked at */
    bool rooted;
    int elements, steps, clip_steps, layered, clipped;
    double travel, clip_travel; /* in sides */
    double side;                /* of the viewBox; 0: not known yet */
};

/* Length of the name at the cursor. */
static int name_length(const struct oc__scan *s)
{
    const char *p = s->at;
    while (p < s->end && (oc__is_letter(*p) || oc__is_digit(*p) || oc__is_among("-_:.", *p)))
        p++;
    return p - s->at > 40 ? 40 : (int)(p - s->at);
}

static bool is_name(const struct oc__scan *s, int n, const char *name)
{
    return strlen(name) == (size_t)n && memcmp(s->at, name, (size_t)n) == 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* A number or a share in percent, and nothing else. */
static bool check_number(struct document *d, double *value)
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

static bool check_place(struct document *d)
{
    double value;
    if (!check_number(d, &value))
        return false;
    oc__note_far(&d->outline, value);
    return true;
}

static bool check_size(struct document *d)
{
    double value;
    if (!check_number(d, &value))
        return false;
    oc__note_far(&d->outline, value);
    d->outline.size = fmax(d->outline.size, fabs(value));
    return true;
}

static bool check_breadth(struct oc__scan *s, struct open *open)
{
    if (!oc__read_number(s, &open->broad))
        return false;
    return (s->at == s->stop && open->broad >= 0) ||
           oc__refuse(s, "the width of a stroke is a number without a unit");
}

static bool check_viewbox(struct document *d)
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

static bool count_steps(struct document *d, const struct open *open)
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

/* When all of a shape is known: how far its outlines go. */
static bool count_travel(struct document *d, const struct open *open)
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

/* Of any element, once its attributes are known. */
static bool check_extent(struct document *d, const struct open *open)
{
    struct oc__scan *s = &d->scan;
    if (d->outline.far * open->scale > FAR * d->side)
        return oc__refuse(s, "a number of <%s> is too large for a viewBox of %g",
                          elements[open->element].name, d->side);
    if (open->stroked && open->broad * open->scale > BROAD * d->side)
        return oc__refuse(s, "the stroke of <%s> is broader than the viewBox",
                          elements[open->element].name);
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

static bool count_layer(struct document *d)
{
    struct oc__scan *s = &d->scan;
    return ++d->layered <= LAYERED ||
           oc__refuse(s, "there are more than %d gradients, clips and opacities used", LAYERED);
}

static bool check_reference(struct document *d)
{
    struct oc__scan *s = &d->scan;
    if (s->stop[-1] != ')')
        return oc__refuse(s, "a reference is url(#id) and nothing more");
    s->at += strlen("url(#");
    return check_id(s, s->stop - 1) && count_layer(d);
}

/* url(#id), or a colour. A fill or stroke is inherited: a gradient given to a group would be
 * painted any number of times. */
static bool check_paint(struct document *d, const struct open *open)
{
    struct oc__scan *s = &d->scan;
    if (!oc__starts(s, "url(#"))
        return check_word(s);
    if (elements[open->element].kind != SHAPE)
        return oc__refuse(s, "only shapes are painted with a gradient, not <%s>",
                          elements[open->element].name);
    return check_reference(d);
}

/* Clips are cut with one another, which is the most expensive thing there is. */
static bool check_clipping(struct document *d, struct open *open)
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

/* ---- elements -------------------------------------------------------------------------------- */

static bool check_value(struct document *d, enum value value, struct open *open)
{
    struct oc__scan *s = &d->scan;
    const bool root = elements[open->element].kind == ROOT;
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
    case CLIP_UNITS: /* the other ones would be one more scale */
        return check_only(s, "userSpaceOnUse");
    case SPREAD: /* the others cost the more the smaller the gradient is */
        return check_only(s, "pad");
    case WORD:
    default:
        return check_word(s);
    }
}

/* The value of an attribute: s->at at its first character, s->stop at its closing quote. */
static bool read_quoted(struct oc__scan *s)
{
    oc__skip_space(s);
    if (!oc__take(s, "="))
        return oc__refuse(s, "an attribute has no value");
    oc__skip_space(s);
    if (s->at == s->end || !oc__is_among("\"'", *s->at))
        return oc__refuse(s, "a value stands in quotes");
    const char quote = *s->at++;
    s->stop = memchr(s->at, quote, (size_t)(s->end - s->at));
    if (s->stop == NULL)
        return oc__refuse(s, "a value does not end");
    for (const char *p = s->at; p < s->stop; p++)
        if (*p == '<' || *p == '&')
            return oc__refuse(s, "the character \"%c\" is not allowed in a value", *p);
    return true;
}

static bool read_attribute(struct document *d, struct open *open, uint64_t *seen)
{
    struct oc__scan *s = &d->scan;
    const int n = name_length(s);
    int a = 0;
    while (a < N_ATTRIBUTES && !is_name(s, n, attributes[a].name))
        a++;
    if (n == 0)
        return oc__refuse(s, "<%s> does not end", elements[open->element].name);
    if (a == N_ATTRIBUTES)
        return oc__refuse(s, "the attribute \"%.*s\" is not allowed", n, s->at);
    if (*seen >> a & 1)
        return oc__refuse(s, "the attribute \"%s\" is given twice", attributes[a].name);
    *seen |= (uint64_t)1 << a;
    s->at += n;
    if (!read_quoted(s))
        return false;
    const char *stop = s->stop;
    if (!check_value(d, attributes[a].value, open))
        return false;
    s->at = stop + 1;
    return true;
}

/* What an element may be where it stands. */
static bool check_nesting(struct document *d, const struct open *open)
{
    struct oc__scan *s = &d->scan;
    const enum kind kind = elements[open->element].kind;
    struct open *around = &d->open[d->depth];
    const enum kind in = d->depth > 0 ? elements[around->element].kind : ROOT;
    if (++d->elements > ELEMENTS)
        return oc__refuse(s, "there are more than %d elements", ELEMENTS);
    if (d->depth == 0 && (kind != ROOT || d->rooted))
        return oc__refuse(s, "a drawing is one <svg>, not <%s>", elements[open->element].name);
    if (d->depth > 0 && kind == ROOT)
        return oc__refuse(s, "an <svg> stands in no other");
    if (d->depth == DEPTH)
        return oc__refuse(s, "elements are nested more than %d deep", DEPTH);
    if (kind == STOP ? in != GRADIENT : in != ROOT && in != GROUP && in != CLIP && kind != TITLE)
        return oc__refuse(s, "<%s> does not belong into <%s>", elements[open->element].name,
                          elements[around->element].name);
    if (kind == STOP && ++around->stops > STOPS)
        return oc__refuse(s, "a gradient has more than %d stops", STOPS);
    return true;
}

static bool read_element(struct document *d)
{
    struct oc__scan *s = &d->scan;
    const int n = name_length(s);
    struct open fresh = d->open[d->depth];
    fresh.element = fresh.stops = 0;
    while (fresh.element < N_ELEMENTS && !is_name(s, n, elements[fresh.element].name))
        fresh.element++;
    if (fresh.element == N_ELEMENTS)
        return oc__refuse(s, "the element <%.*s> is not allowed", n, s->at);
    if (!check_nesting(d, &fresh))
        return false;
    const enum kind kind = elements[fresh.element].kind;
    struct open *open = &d->open[d->depth + 1];
    *open = fresh;
    open->clips |= kind == CLIP;
    d->outline = (struct oc__outline){0};
    s->at += n;
    uint64_t seen = 0;
    bool closed;
    for (;;) {
        const bool space = oc__skip_space(s);
        closed = oc__take(s, "/>");
        if (closed || oc__take(s, ">"))
            break;
        if (!space)
            return oc__refuse(s, "<%s> goes on with something strange",
                              elements[open->element].name);
        if (!read_attribute(d, open, &seen))
            return false;
    }
    d->rooted = true;
    if (d->side <= 0)
        return oc__refuse(s, "<svg> has no viewBox");
    if (open->clipped && kind == SHAPE && ++d->clipped > CLIPPED)
        return oc__refuse(s, "more than %d shapes are clipped", CLIPPED);
    if (!check_extent(d, open) || (kind == SHAPE && !count_travel(d, open)))
        return false;
    d->depth += !closed;
    return true;
}

static bool read_closing(struct document *d)
{
    struct oc__scan *s = &d->scan;
    const int n = name_length(s);
    if (d->depth == 0)
        return oc__refuse(s, "</%.*s> closes nothing", n, s->at);
    const char *name = elements[d->open[d->depth].element].name;
    if (!is_name(s, n, name))
        return oc__refuse(s, "</%.*s> stands where </%s> is expected", n, s->at, name);
    s->at += n;
    oc__skip_space(s);
    if (!oc__take(s, ">"))
        return oc__refuse(s, "</%s> does not end", name);
    d->depth--;
    return true;
}

/* ---- the rest of XML ------------------------------------------------------------------------- */

static bool read_comment(struct oc__scan *s)
{
    for (; s->end - s->at >= 3; s->at++)
        if (oc__take(s, "--"))
            return oc__take(s, ">") || oc__refuse(s, "a comment holds two dashes");
    return oc__refuse(s, "a comment does not end");
}

/* One of the five, or a character by its number. */
static bool read_entity(struct oc__scan *s)
{
    static const char *const five[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (int i = 0; i < 5; i++)
        if (oc__take(s, five[i]))
            return true;
    const int n = s->end - s->at > 20 ? 20 : (int)(s->end - s->at);
    const char *entity = s->at;
    const bool hex = oc__take(s, "&#x");
    if (!hex && !oc__take(s, "&#"))
        return oc__refuse(s, "no entity is known at \"%.*s\"", n, entity);
    while (s->at < s->end &&
           (oc__is_digit(*s->at) || (hex && oc__is_among("abcdefABCDEF", *s->at))))
        s->at++; /* librsvg says which characters there are */
    return oc__take(s, ";") || oc__refuse(s, "an entity does not end at \"%.*s\"", n, entity);
}

static bool read_text(struct document *d)
{
    struct oc__scan *s = &d->scan;
    const bool title = d->depth > 0 && elements[d->open[d->depth].element].kind == TITLE;
    if (!title && !oc__is_space(*s->at))
        return oc__refuse(s, "there is text outside of <title>: \"%.*s\"",
                          s->end - s->at > 20 ? 20 : (int)(s->end - s->at), s->at);
    if (*s->at == '&')
        return read_entity(s);
    s->at++;
    return true;
}

/* <?xml …?> says nothing that we did not know; another encoding would mean other letters. */
static bool read_declaration(struct oc__scan *s)
{
    static const char *const known[] = {"version", "encoding", "standalone"};
    static const char *const values[][3] = {
        {"1.0", "1.0", "1.0"}, {"UTF-8", "utf-8", "utf-8"}, {"yes", "no", "no"}};
    while (oc__skip_space(s) && !(s->end > s->at && *s->at == '?')) {
        const int n = name_length(s);
        int i = 0, k = 0;
        while (i < 3 && !is_name(s, n, known[i]))
            i++;
        if (i == 3)
            return oc__refuse(s, "<?xml …?> has no \"%.*s\"", n, s->at);
        s->at += n;
        if (!read_quoted(s))
            return false;
        while (k < 3 &&
               !((size_t)(s->stop - s->at) == strlen(values[i][k]) && oc__starts(s, values[i][k])))
            k++;
        if (k == 3)
            return oc__refuse(s, "the %s of <?xml …?> is \"%s\" and nothing else", known[i],
                              values[i][0]);
        s->at = s->stop + 1;
    }
    return oc__take(s, "?>") || oc__refuse(s, "<?xml …?> does not end");
}

static bool check_characters(struct oc__scan *s)
{
    const char *from = s->at;
    while (s->at < s->end) {
        const size_t n = oc__is_space(*s->at) ? 1 : fm__character(s->at, (size_t)(s->end - s->at));
        if (n == 0)
            return oc__refuse(s, "there is a control character, or this is not UTF-8");
        s->at += n;
    }
    s->at = from;
    return true;
}

static bool check_document(struct document *d)
{
    struct oc__scan *s = &d->scan;
    if (!check_characters(s))
        return false;
    if (oc__take(s, "<?xml") && !read_declaration(s))
        return false;
    while (s->at < s->end) {
        bool fine;
        if (oc__take(s, "<!--"))
            fine = read_comment(s);
        else if (oc__take(s, "<!"))
            fine = oc__refuse(s, "DOCTYPE, CDATA and the like are not allowed");
        else if (oc__take(s, "<?"))
            fine = oc__refuse(s, "processing instructions are not allowed");
        else if (oc__take(s, "</"))
            fine = read_closing(d);
        else if (oc__take(s, "<"))
            fine = read_element(d);
        else
            fine = read_text(d);
        if (!fine)
            return false;
    }
    if (d->depth > 0)
        return oc__refuse(s, "<%s> is not closed", elements[d->open[d->depth].element].name);
    return d->rooted || oc__refuse(s, "there is no <svg>");
}

enum fm_err oc_svg_check(const char *text, size_t n, struct fm_fault *fault)
{
    if (n > OC_SVG_MAX)
        return fm_fail(fault, FM_E_SIZE, "a drawing has at most %d bytes", OC_SVG_MAX);
    struct document d = {.scan = {.text = text, .at = text, .end = text + n, .fault = fault}};
    d.open[0].scale = d.open[0].broad = 1;
    return check_document(&d) ? FM_OK : fault->code;
}
