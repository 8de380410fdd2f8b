/*
 * svg_check.c: a scanner for a small part of SVG that is cheap to draw.
 *
 * XML allows far more than a drawing needs, and SVG can ask for any amount of work in a few bytes.
 * So everything is refused that is not listed here, and what takes librsvg and cairo time is
 * bounded: the number of elements here, the values of their attributes in svg_value.c.
 */
#include "ocean/svg_check.h"

#include "base/text.h"
#include "ocean/art.h"
#include "ocean/svg_value.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ELEMENTS 2000
#define CLIPPED  24 /* shapes that are clipped */
#define STOPS    16 /* of one gradient */

/* ---- what there is --------------------------------------------------------------------------- */

static const struct oc__element elements[] = {
    {"svg", ROOT},      {"g", GROUP},      {"defs", GROUP},
    {"path", SHAPE},    {"circle", SHAPE}, {"ellipse", SHAPE},
    {"rect", SHAPE},    {"line", SHAPE},   {"polyline", SHAPE},
    {"polygon", SHAPE}, {"stop", STOP},    {"linearGradient", GRADIENT},
    {"clipPath", CLIP}, {"title", TITLE},  {"radialGradient", GRADIENT},
};

static const struct {
    const char *name;
    enum oc__value value;
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

#define N_ELEMENTS (int)(sizeof elements / sizeof elements[0])

#define N_ATTRIBUTES (int)(sizeof attributes / sizeof attributes[0])

_Static_assert(sizeof attributes / sizeof attributes[0] <= 64, "a set of them is 64 bits");

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

/* ---- elements -------------------------------------------------------------------------------- */

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

static bool read_attribute(struct oc__document *d, struct oc__open *open, uint64_t *seen)
{
    struct oc__scan *s = &d->scan;
    const int n = name_length(s);
    int a = 0;
    while (a < N_ATTRIBUTES && !is_name(s, n, attributes[a].name))
        a++;
    if (n == 0)
        return oc__refuse(s, "<%s> does not end", open->element->name);
    if (a == N_ATTRIBUTES)
        return oc__refuse(s, "the attribute \"%.*s\" is not allowed", n, s->at);
    if (*seen >> a & 1)
        return oc__refuse(s, "the attribute \"%s\" is given twice", attributes[a].name);
    *seen |= (uint64_t)1 << a;
    s->at += n;
    if (!read_quoted(s))
        return false;
    const char *stop = s->stop;
    if (!oc__check_value(d, attributes[a].value, open))
        return false;
    s->at = stop + 1;
    return true;
}

/* What an element may be where it stands. */
static bool check_nesting(struct oc__document *d, const struct oc__open *open)
{
    struct oc__scan *s = &d->scan;
    const enum oc__kind kind = open->element->kind;
    struct oc__open *around = &d->open[d->depth];
    const enum oc__kind in = d->depth > 0 ? around->element->kind : ROOT;
    if (++d->elements > ELEMENTS)
        return oc__refuse(s, "there are more than %d elements", ELEMENTS);
    if (d->depth == 0 && (kind != ROOT || d->rooted))
        return oc__refuse(s, "a drawing is one <svg>, not <%s>", open->element->name);
    if (d->depth > 0 && kind == ROOT)
        return oc__refuse(s, "an <svg> stands in no other");
    if (d->depth == OC__SVG_DEPTH)
        return oc__refuse(s, "elements are nested more than %d deep", OC__SVG_DEPTH);
    if (kind == STOP ? in != GRADIENT : in != ROOT && in != GROUP && in != CLIP && kind != TITLE)
        return oc__refuse(s, "<%s> does not belong into <%s>", open->element->name,
                          around->element->name);
    if (kind == STOP && ++around->stops > STOPS)
        return oc__refuse(s, "a gradient has more than %d stops", STOPS);
    return true;
}

/* NULL: it is not allowed. */
static const struct oc__element *find_element(const struct oc__scan *s, int n)
{
    for (int i = 0; i < N_ELEMENTS; i++)
        if (is_name(s, n, elements[i].name))
            return &elements[i];
    return NULL;
}

static bool read_element(struct oc__document *d)
{
    struct oc__scan *s = &d->scan;
    const int n = name_length(s);
    struct oc__open fresh = d->open[d->depth];
    fresh.element = find_element(s, n);
    fresh.stops = 0;
    if (fresh.element == NULL)
        return oc__refuse(s, "the element <%.*s> is not allowed", n, s->at);
    if (!check_nesting(d, &fresh))
        return false;
    const enum oc__kind kind = fresh.element->kind;
    struct oc__open *open = &d->open[d->depth + 1];
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
            return oc__refuse(s, "<%s> goes on with something strange", open->element->name);
        if (!read_attribute(d, open, &seen))
            return false;
    }
    d->rooted = true;
    if (d->side <= 0)
        return oc__refuse(s, "<svg> has no viewBox");
    if (open->clipped && kind == SHAPE && ++d->clipped > CLIPPED)
        return oc__refuse(s, "more than %d shapes are clipped", CLIPPED);
    if (!oc__check_extent(d, open) || (kind == SHAPE && !oc__count_travel(d, open)))
        return false;
    d->depth += !closed;
    return true;
}

static bool read_closing(struct oc__document *d)
{
    struct oc__scan *s = &d->scan;
    const int n = name_length(s);
    if (d->depth == 0)
        return oc__refuse(s, "</%.*s> closes nothing", n, s->at);
    const char *name = d->open[d->depth].element->name;
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

static bool read_text(struct oc__document *d)
{
    struct oc__scan *s = &d->scan;
    const bool title = d->depth > 0 && d->open[d->depth].element->kind == TITLE;
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

static bool check_document(struct oc__document *d)
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
        return oc__refuse(s, "<%s> is not closed", d->open[d->depth].element->name);
    return d->rooted || oc__refuse(s, "there is no <svg>");
}

enum fm_err oc_svg_check(const char *text, size_t n, struct fm_fault *fault)
{
    if (n > OC_SVG_MAX)
        return fm_fail(fault, FM_E_SIZE, "a drawing has at most %d bytes", OC_SVG_MAX);
    struct oc__document d = {.scan = {.text = text, .at = text, .end = text + n, .fault = fault}};
    d.open[0].scale = d.open[0].broad = 1;
    return check_document(&d) ? FM_OK : fault->code;
}
