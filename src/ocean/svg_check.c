/*
 * svg_check.c: a scanner for a small part of SVG that is cheap to draw.
 *
 * XML allows far more than a drawing needs, and SVG can ask for any amount of work in a few bytes.
 * So everything is refused that is not listed here, and what takes librsvg and cairo time is
 * bounded. Above all that is how far the outlines go: where many long edges cross, cairo's work
 * grows with the square of their number. A drawing at the limits takes a second (see
 * slow_drawings_are_refused in tests/unit/ocean_art_test.c), one of ours ten milliseconds.
 */
#include "ocean/svg_check.h"

#include "base/text.h"
#include "ocean/art.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DEPTH       16
#define ELEMENTS    2000
#define STEPS       8000 /* numbers and letters of all paths and lists of points */
#define CLIP_STEPS  1000 /* of those within clipPath: cut with each shape that it clips */
#define SHAPE_STEPS 8    /* what any shape counts among them */
#define CLIPPED     32   /* shapes that are clipped */
#define LAYERED     48   /* gradients, clips and opacities used: each costs a picture's area */
#define STOPS       16   /* of one gradient */
#define MOVES       8    /* functions of one transform */
#define DIGITS      16   /* characters of a number */
#define EXPONENT    6
#define SIDE_MIN    16.0 /* of the viewBox */
#define SIDE_MAX    4096.0
#define PI          3.14159265358979

/* In sides of the viewBox, after all transforms. */
#define FAR         16.0  /* the largest number */
#define BROAD       1.0   /* the broadest stroke */
#define TRAVEL      100.0 /* how far the outlines of one shape go, strokes included */
#define CLIP_TRAVEL 10.0  /* all shapes of clipPaths together */
#define ALL_TRAVEL  500.0 /* all shapes together */

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
    OPACITY
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
    {"stroke-miterlimit", NUMBER},
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

struct outline { /* of one element, in its units */
    double x, y, first_x, first_y;
    double travel, size, far;
    int bends;
};

struct scan {
    const char *text, *at, *end;
    const char *stop; /* end of the value that is looked at */
    struct fm_fault *fault;
    int depth;
    struct open open[DEPTH + 1]; /* [0] is around the root */
    struct outline outline;      /* of the element that is looked at */
    bool rooted;
    int elements, steps, clip_steps, layered, clipped;
    double travel, clip_travel; /* in sides */
    double side;                /* of the viewBox; 0: not known yet */
};

static bool refuse(struct scan *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(struct scan *s, const char *format, ...)
{
    char what[FM_FAULT_TEXT];
    int line = 1;
    for (const char *p = s->text; p < s->at; p++)
        line += *p == '\n';
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    fm_fail(s->fault, FM_E_ART, "line %d: %s", line, what);
    s->fault->line = line;
    return false;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_among(const char *set, char c)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static bool skip_space(struct scan *s)
{
    const char *from = s->at;
    while (s->at < s->end && is_space(*s->at))
        s->at++;
    return s->at > from;
}

/* Take a word if it comes next. */
static bool take(struct scan *s, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
        return false;
    s->at += n;
    return true;
}

/* Length of the name at the cursor. */
static int name_length(const struct scan *s)
{
    const char *p = s->at;
    while (p < s->end && (is_letter(*p) || is_digit(*p) || is_among("-_:.", *p)))
        p++;
    return p - s->at > 40 ? 40 : (int)(p - s->at);
}

static bool is_name(const struct scan *s, int n, const char *name)
{
    return strlen(name) == (size_t)n && memcmp(s->at, name, (size_t)n) == 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void note_far(struct scan *s, double value)
{
    s->outline.far = fmax(s->outline.far, fabs(value));
}

static void skip_commas(struct scan *s)
{
    while (s->at < s->stop && (is_space(*s->at) || *s->at == ','))
        s->at++;
}

static const char *skip_digits(const char *p, const char *stop)
{
    while (p < stop && is_digit(*p))
        p++;
    return p;
}

/* A number and the commas and spaces after it. */
static bool read_number(struct scan *s, double *out)
{
    const char *p = s->at;
    const double sign = p < s->stop && *p == '-' ? -1 : 1;
    int power = 0;
    p += p < s->stop && is_among("+-", *p);
    const char *whole = p, *dot, *end;
    dot = skip_digits(whole, s->stop);
    end = dot < s->stop && *dot == '.' ? skip_digits(dot + 1, s->stop) : dot;
    if (end - whole < 1 || (end - whole == 1 && *whole == '.'))
        return refuse(s, "a number is expected at \"%.*s\"",
                      s->stop - s->at > 20 ? 20 : (int)(s->stop - s->at), s->at);
    p = end;
    if (end < s->stop && is_among("eE", *end)) {
        const bool negative = end + 1 < s->stop && end[1] == '-';
        const char *digits = end + 1 + (end + 1 < s->stop && is_among("+-", end[1]));
        p = skip_digits(digits, s->stop);
        if (p - digits != 1 || *digits - '0' > EXPONENT)
            return refuse(s, "the exponent of a number is one digit up to %d", EXPONENT);
        power = negative ? -(*digits - '0') : *digits - '0';
    }
    if (p - s->at > DIGITS)
        return refuse(s, "a number has more than %d characters", DIGITS);
    double value = 0;
    for (const char *c = whole; c < end; c++) {
        value = *c == '.' ? value : 10 * value + (*c - '0');
        power -= c > dot;
    }
    *out = sign * value * pow(10, power);
    s->at = p;
    skip_commas(s);
    return true;
}

/* A number or a share in percent, and nothing else. */
static bool check_number(struct scan *s, double *value)
{
    if (!read_number(s, value))
        return false;
    if (s->at < s->stop && *s->at == '%') {
        s->at++;
        *value *= s->side / 100;
    }
    return s->at == s->stop || refuse(s, "a number without a unit is expected, not with \"%.*s\"",
                                      s->stop - s->at > 20 ? 20 : (int)(s->stop - s->at), s->at);
}

static bool check_place(struct scan *s)
{
    double value;
    if (!check_number(s, &value))
        return false;
    note_far(s, value);
    return true;
}

static bool check_size(struct scan *s)
{
    double value;
    if (!check_number(s, &value))
        return false;
    note_far(s, value);
    s->outline.size = fmax(s->outline.size, fabs(value));
    return true;
}

static bool check_breadth(struct scan *s, struct open *open)
{
    if (!read_number(s, &open->broad))
        return false;
    open->broad = fabs(open->broad);
    return s->at == s->stop || refuse(s, "the width of a stroke is a number without a unit");
}

static bool check_viewbox(struct scan *s)
{
    double box[4];
    for (int i = 0; i < 4; i++)
        if (!read_number(s, &box[i]))
            return false;
    if (s->at < s->stop)
        return refuse(s, "a viewBox has four numbers");
    if (box[2] < box[3] || box[2] > box[3])
        return refuse(s, "the viewBox is not square: %g x %g", box[2], box[3]);
    if (box[2] < SIDE_MIN || box[2] > SIDE_MAX)
        return refuse(s, "the viewBox is %g wide, not %g to %g", box[2], SIDE_MIN, SIDE_MAX);
    s->side = box[2];
    note_far(s, box[0]);
    note_far(s, box[1]);
    return true;
}

/* ---- paths and transforms -------------------------------------------------------------------- */

static bool count_steps(struct scan *s, int n)
{
    s->steps += n;
    if (s->steps > STEPS)
        return refuse(s, "there are more than %d numbers and letters of paths", STEPS);
    s->clip_steps += s->open[s->depth].clips ? n : 0;
    if (s->clip_steps > CLIP_STEPS)
        return refuse(s, "clipPaths have more than %d numbers and letters of paths", CLIP_STEPS);
    return true;
}

static void go_to(struct outline *o, double x, double y)
{
    o->travel += hypot(x - o->x, y - o->y);
    o->x = x;
    o->y = y;
}

/* At most so long is the arc that v describes, from the pen to x, y. */
static double arc_length(const double v[7], double chord)
{
    const double large = fmax(fabs(v[0]), fabs(v[1])), small = fmin(fabs(v[0]), fabs(v[1]));
    const double whole = 2 * PI * fmax(large, chord * large / fmax(small, 1e-6));
    return v[3] > 0 ? whole : fmin(whole, PI / 2 * chord * large / fmax(small, 1e-6));
}

/* One command of a path with its numbers. A curve is no longer than the way by its controls. */
static void follow(struct outline *o, char letter, const double *v, int n)
{
    const bool relative = letter >= 'a';
    const double x = relative ? o->x : 0, y = relative ? o->y : 0;
    const double before = o->travel;
    o->bends += n > 2 ? 3 : 1;
    switch (letter | 0x20) {
    case 'z':
        go_to(o, o->first_x, o->first_y);
        break;
    case 'm':
        o->x = o->first_x = x + v[0];
        o->y = o->first_y = y + v[1];
        break;
    case 'h':
        go_to(o, x + v[0], o->y);
        break;
    case 'v':
        go_to(o, o->x, y + v[0]);
        break;
    case 'a':
        go_to(o, x + v[5], y + v[6]);
        o->travel = before + arc_length(v, o->travel - before);
        break;
    default:
        for (int i = 0; i < n; i += 2)
            go_to(o, x + v[i], y + v[i + 1]);
    }
}

/* The numbers of one command. The flags of an arc may touch what follows. */
static bool read_arguments(struct scan *s, char letter, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        const bool arc = letter == 'a' || letter == 'A';
        if (!count_steps(s, 1))
            return false;
        if (arc && (i == 3 || i == 4)) {
            if (s->at == s->stop || !is_among("01", *s->at))
                return refuse(s, "the flags of an arc are 0 or 1");
            v[i] = *s->at++ - '0';
            skip_commas(s);
            continue;
        }
        if (!read_number(s, &v[i]))
            return false;
        note_far(s, arc && i == 2 ? 0 : v[i]); /* that one is an angle */
    }
    return true;
}

/* T is left out: by repeating it a control point goes as far away as one likes. */
static bool check_path(struct scan *s)
{
    static const char letters[] = "zhvmlqsca";
    static const int numbers[] = {0, 1, 1, 2, 2, 4, 4, 6, 7};
    char letter = 'z';
    skip_commas(s);
    while (s->at < s->stop) {
        if (is_letter(*s->at)) {
            letter = *s->at;
            if (!is_among(letters, (char)(letter | 0x20)))
                return refuse(s, "a path has no command \"%c\" here", letter);
            s->at++;
            skip_commas(s);
            if (!count_steps(s, 1))
                return false;
        } else if (letter == 'z' || letter == 'Z') {
            return refuse(s, "a path has a number without a command");
        }
        double v[7];
        const int n = numbers[strchr(letters, letter | 0x20) - letters];
        if (!read_arguments(s, letter, v, n))
            return false;
        follow(&s->outline, letter, v, n);
        letter = letter == 'm' ? 'l' : letter == 'M' ? 'L' : letter; /* pairs after it are lines */
    }
    return true;
}

static bool check_points(struct scan *s)
{
    char letter = 'M';
    skip_commas(s);
    while (s->at < s->stop) {
        double v[2];
        if (!read_arguments(s, letter, v, 2))
            return false;
        follow(&s->outline, letter, v, 2);
        letter = 'L';
    }
    return true;
}

/* When all of a shape is known: how far its outlines go. */
static bool count_travel(struct scan *s, const struct open *open)
{
    const struct outline *o = &s->outline;
    const double unit = open->scale / s->side;
    double travel = o->travel + 8 * o->size; /* a circle's is 6.3 radii, a rectangle's 4 sides */
    if (open->stroked)
        travel = 3 * travel + 3 * (o->bends + 12) * open->broad; /* both its sides, its joins */
    travel *= unit;
    s->travel += travel;
    s->clip_travel += open->clips ? travel : 0;
    if (travel > TRAVEL)
        return refuse(s, "the outline of this shape is too long: %.0f sides of the viewBox",
                      travel);
    if (s->travel > ALL_TRAVEL)
        return refuse(s, "all outlines together are too long: %.0f sides of the viewBox",
                      s->travel);
    if (s->clip_travel > CLIP_TRAVEL)
        return refuse(s, "the outlines of clipPaths are too long: %.0f sides of the viewBox",
                      s->clip_travel);
    return count_steps(s, SHAPE_STEPS);
}

/* Of any element, once its attributes are known. */
static bool check_extent(struct scan *s, const struct open *open)
{
    if (s->outline.far * open->scale > FAR * s->side)
        return refuse(s, "a number of <%s> is too large for a viewBox of %g",
                      elements[open->element].name, s->side);
    if (open->stroked && open->broad * open->scale > BROAD * s->side)
        return refuse(s, "the stroke of <%s> is broader than the viewBox",
                      elements[open->element].name);
    return true;
}

/* One function of a transform; *scale grows by what it enlarges at most. */
static bool read_move(struct scan *s, double *scale)
{
    double v[6];
    const char *name = s->at;
    int n = 0;
    while (s->at < s->stop && is_letter(*s->at))
        s->at++;
    const size_t length = (size_t)(s->at - name);
    while (s->at < s->stop && is_space(*s->at))
        s->at++;
    if (s->at == s->stop || *s->at != '(')
        return refuse(s, "a transform is a list of matrix(…), translate(…), rotate(…), scale(…)");
    s->at++;
    skip_commas(s);
    while (n < 6 && s->at < s->stop && *s->at != ')')
        if (!read_number(s, &v[n++]))
            return false;
    if (s->at == s->stop || *s->at != ')' || n == 0)
        return refuse(s, "a function of a transform has one to six numbers");
    s->at++;
    skip_commas(s);
    if (length == 9 && memcmp(name, "translate", 9) == 0 && n <= 2) {
        note_far(s, v[0]);
        note_far(s, v[n - 1]);
        return true;
    }
    if (length == 6 && memcmp(name, "rotate", 6) == 0 && (n == 1 || n == 3)) {
        note_far(s, n == 1 ? 0 : v[1]);
        note_far(s, n == 1 ? 0 : v[2]);
        return true;
    }
    if (length == 5 && memcmp(name, "scale", 5) == 0 && n <= 2) {
        *scale *= fmax(fabs(v[0]), fabs(v[n - 1]));
        return true;
    }
    if (length == 6 && memcmp(name, "matrix", 6) == 0 && n == 6) {
        *scale *= fmax(fabs(v[0]) + fabs(v[2]), fabs(v[1]) + fabs(v[3]));
        note_far(s, v[4]);
        note_far(s, v[5]);
        return true;
    }
    return refuse(s, "a transform has no function \"%.*s\" with %d numbers",
                  length > 20 ? 20 : (int)length, name, n);
}

static bool check_transform(struct scan *s, double *scale)
{
    skip_commas(s);
    for (int n = 0; s->at < s->stop; n++) {
        if (n == MOVES)
            return refuse(s, "a transform has more than %d functions", MOVES);
        if (!read_move(s, scale))
            return false;
    }
    return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool starts(const struct scan *s, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(s->stop - s->at) >= n && memcmp(s->at, word, n) == 0;
}

static bool check_id(struct scan *s, const char *stop)
{
    const char *from = s->at;
    while (s->at < stop && (is_letter(*s->at) || is_digit(*s->at) || is_among("-_.", *s->at)))
        s->at++;
    return (s->at == stop && stop > from) ||
           refuse(s, "an id is made of letters, digits, dashes, dots and underscores");
}

/* Keywords and colours. No quotes, no backslashes: CSS could hide a reference behind them. */
static bool check_word(struct scan *s)
{
    if (memchr(s->at, '(', (size_t)(s->stop - s->at)) != NULL && !starts(s, "rgb(") &&
        !starts(s, "rgba(") && !starts(s, "hsl(") && !starts(s, "hsla("))
        return refuse(s, "\"%.*s\" is not allowed; only url(#id), where a reference can stand",
                      s->stop - s->at > 40 ? 40 : (int)(s->stop - s->at), s->at);
    for (; s->at < s->stop; s->at++)
        if (!is_letter(*s->at) && !is_digit(*s->at) && !is_among("#(),.% -", *s->at))
            return refuse(s, "the character \"%c\" is not allowed here", *s->at);
    return true;
}

static bool count_layer(struct scan *s)
{
    return ++s->layered <= LAYERED ||
           refuse(s, "there are more than %d gradients, clips and opacities used", LAYERED);
}

static bool check_reference(struct scan *s)
{
    if (s->stop[-1] != ')')
        return refuse(s, "a reference is url(#id) and nothing more");
    s->at += strlen("url(#");
    return check_id(s, s->stop - 1) && count_layer(s);
}

/* url(#id), or a colour. A fill or stroke is inherited: a gradient given to a group would be
 * painted any number of times. */
static bool check_paint(struct scan *s, const struct open *open)
{
    if (!starts(s, "url(#"))
        return check_word(s);
    if (elements[open->element].kind != SHAPE)
        return refuse(s, "only shapes are painted with a gradient, not <%s>",
                      elements[open->element].name);
    return check_reference(s);
}

/* Clips are cut with one another, which is the most expensive thing there is. */
static bool check_clipping(struct scan *s, struct open *open)
{
    if (!starts(s, "url(#"))
        return check_word(s);
    if (open->clips || open->clipped)
        return refuse(s, "what clips or is clipped is not clipped again");
    open->clipped = true;
    return check_reference(s);
}

static bool check_only(struct scan *s, const char *value)
{
    return ((size_t)(s->stop - s->at) == strlen(value) && starts(s, value)) ||
           refuse(s, "only \"%s\" is allowed here", value);
}

/* ---- elements -------------------------------------------------------------------------------- */

static bool check_value(struct scan *s, enum value value, struct open *open)
{
    const bool root = elements[open->element].kind == ROOT;
    double number;
    switch (value) {
    case ID:
        return check_id(s, s->stop);
    case XMLNS:
        return check_only(s, "http://www.w3.org/2000/svg");
    case VIEWBOX:
        return root ? check_viewbox(s) : refuse(s, "only <svg> has a viewBox");
    case OPACITY:
        return count_layer(s) && check_number(s, &number);
    case NUMBER:
        return check_number(s, &number);
    case PLACE: /* of the root, this and the next are for browsers */
        return root ? check_word(s) : check_place(s);
    case SIZE:
        return root ? check_word(s) : check_size(s);
    case BREADTH:
        return check_breadth(s, open);
    case PATH:
        return check_path(s);
    case POINTS:
        return check_points(s);
    case TRANSFORM:
        return root ? refuse(s, "<svg> is not transformed") : check_transform(s, &open->scale);
    case STROKE:
        open->stroked = !starts(s, "none");
        return check_paint(s, open);
    case PAINT:
        return check_paint(s, open);
    case CLIPPING:
        return check_clipping(s, open);
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
static bool read_quoted(struct scan *s)
{
    skip_space(s);
    if (!take(s, "="))
        return refuse(s, "an attribute has no value");
    skip_space(s);
    if (s->at == s->end || !is_among("\"'", *s->at))
        return refuse(s, "a value stands in quotes");
    const char quote = *s->at++;
    s->stop = memchr(s->at, quote, (size_t)(s->end - s->at));
    if (s->stop == NULL)
        return refuse(s, "a value does not end");
    for (const char *p = s->at; p < s->stop; p++)
        if (*p == '<' || *p == '&')
            return refuse(s, "the character \"%c\" is not allowed in a value", *p);
    return true;
}

static bool read_attribute(struct scan *s, struct open *open, uint64_t *seen)
{
    const int n = name_length(s);
    int a = 0;
    while (a < N_ATTRIBUTES && !is_name(s, n, attributes[a].name))
        a++;
    if (n == 0)
        return refuse(s, "<%s> does not end", elements[open->element].name);
    if (a == N_ATTRIBUTES)
        return refuse(s, "the attribute \"%.*s\" is not allowed", n, s->at);
    if (*seen >> a & 1)
        return refuse(s, "the attribute \"%s\" is given twice", attributes[a].name);
    *seen |= (uint64_t)1 << a;
    s->at += n;
    if (!read_quoted(s))
        return false;
    const char *stop = s->stop;
    if (!check_value(s, attributes[a].value, open))
        return false;
    s->at = stop + 1;
    return true;
}

/* What an element may be where it stands. */
static bool check_nesting(struct scan *s, const struct open *open)
{
    const enum kind kind = elements[open->element].kind;
    struct open *around = &s->open[s->depth];
    const enum kind in = s->depth > 0 ? elements[around->element].kind : ROOT;
    if (++s->elements > ELEMENTS)
        return refuse(s, "there are more than %d elements", ELEMENTS);
    if (s->depth == 0 && (kind != ROOT || s->rooted))
        return refuse(s, "a drawing is one <svg>, not <%s>", elements[open->element].name);
    if (s->depth > 0 && kind == ROOT)
        return refuse(s, "an <svg> stands in no other");
    if (s->depth == DEPTH)
        return refuse(s, "elements are nested more than %d deep", DEPTH);
    if (kind == STOP ? in != GRADIENT : in != ROOT && in != GROUP && in != CLIP && kind != TITLE)
        return refuse(s, "<%s> does not belong into <%s>", elements[open->element].name,
                      elements[around->element].name);
    if (kind == STOP && ++around->stops > STOPS)
        return refuse(s, "a gradient has more than %d stops", STOPS);
    return true;
}

static bool read_element(struct scan *s)
{
    const int n = name_length(s);
    struct open fresh = s->open[s->depth];
    fresh.element = fresh.stops = 0;
    while (fresh.element < N_ELEMENTS && !is_name(s, n, elements[fresh.element].name))
        fresh.element++;
    if (fresh.element == N_ELEMENTS)
        return refuse(s, "the element <%.*s> is not allowed", n, s->at);
    if (!check_nesting(s, &fresh))
        return false;
    const enum kind kind = elements[fresh.element].kind;
    struct open *open = &s->open[s->depth + 1];
    *open = fresh;
    open->clips |= kind == CLIP;
    s->outline = (struct outline){0};
    s->at += n;
    uint64_t seen = 0;
    bool closed;
    for (;;) {
        const bool space = skip_space(s);
        closed = take(s, "/>");
        if (closed || take(s, ">"))
            break;
        if (!space)
            return refuse(s, "<%s> goes on with something strange", elements[open->element].name);
        if (!read_attribute(s, open, &seen))
            return false;
    }
    s->rooted = true;
    if (s->side <= 0)
        return refuse(s, "<svg> has no viewBox");
    if (open->clipped && kind == SHAPE && ++s->clipped > CLIPPED)
        return refuse(s, "more than %d shapes are clipped", CLIPPED);
    if (!check_extent(s, open) || (kind == SHAPE && !count_travel(s, open)))
        return false;
    s->depth += !closed;
    return true;
}

static bool read_closing(struct scan *s)
{
    const int n = name_length(s);
    if (s->depth == 0)
        return refuse(s, "</%.*s> closes nothing", n, s->at);
    const char *name = elements[s->open[s->depth].element].name;
    if (!is_name(s, n, name))
        return refuse(s, "</%.*s> stands where </%s> is expected", n, s->at, name);
    s->at += n;
    skip_space(s);
    if (!take(s, ">"))
        return refuse(s, "</%s> does not end", name);
    s->depth--;
    return true;
}

/* ---- the rest of XML ------------------------------------------------------------------------- */

static bool read_comment(struct scan *s)
{
    for (; s->end - s->at >= 3; s->at++)
        if (take(s, "--"))
            return take(s, ">") || refuse(s, "a comment holds two dashes");
    return refuse(s, "a comment does not end");
}

/* One of the five, or a character by its number. */
static bool read_entity(struct scan *s)
{
    static const char *const five[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (int i = 0; i < 5; i++)
        if (take(s, five[i]))
            return true;
    const int n = s->end - s->at > 20 ? 20 : (int)(s->end - s->at);
    const char *entity = s->at;
    const bool hex = take(s, "&#x");
    if (!hex && !take(s, "&#"))
        return refuse(s, "no entity is known at \"%.*s\"", n, entity);
    while (s->at < s->end && (is_digit(*s->at) || (hex && is_among("abcdefABCDEF", *s->at))))
        s->at++; /* librsvg says which characters there are */
    return take(s, ";") || refuse(s, "an entity does not end at \"%.*s\"", n, entity);
}

static bool read_text(struct scan *s)
{
    const bool title = s->depth > 0 && elements[s->open[s->depth].element].kind == TITLE;
    if (!title && !is_space(*s->at))
        return refuse(s, "there is text outside of <title>: \"%.*s\"",
                      s->end - s->at > 20 ? 20 : (int)(s->end - s->at), s->at);
    if (*s->at == '&')
        return read_entity(s);
    s->at++;
    return true;
}

/* <?xml …?> says nothing that we did not know; another encoding would mean other letters. */
static bool read_declaration(struct scan *s)
{
    static const char *const known[] = {"version", "encoding", "standalone"};
    static const char *const values[][3] = {
        {"1.0", "1.0", "1.0"}, {"UTF-8", "utf-8", "utf-8"}, {"yes", "no", "no"}};
    while (skip_space(s) && !(s->end > s->at && *s->at == '?')) {
        const int n = name_length(s);
        int i = 0, k = 0;
        while (i < 3 && !is_name(s, n, known[i]))
            i++;
        if (i == 3)
            return refuse(s, "<?xml …?> has no \"%.*s\"", n, s->at);
        s->at += n;
        if (!read_quoted(s))
            return false;
        while (k < 3 &&
               !((size_t)(s->stop - s->at) == strlen(values[i][k]) && starts(s, values[i][k])))
            k++;
        if (k == 3)
            return refuse(s, "the %s of <?xml …?> is \"%s\" and nothing else", known[i],
                          values[i][0]);
        s->at = s->stop + 1;
    }
    return take(s, "?>") || refuse(s, "<?xml …?> does not end");
}

static bool check_characters(struct scan *s)
{
    const char *from = s->at;
    while (s->at < s->end) {
        const size_t n = is_space(*s->at) ? 1 : fm__character(s->at, (size_t)(s->end - s->at));
        if (n == 0)
            return refuse(s, "there is a control character, or this is not UTF-8");
        s->at += n;
    }
    s->at = from;
    return true;
}

static bool check_document(struct scan *s)
{
    if (!check_characters(s))
        return false;
    if (take(s, "<?xml") && !read_declaration(s))
        return false;
    while (s->at < s->end) {
        bool fine;
        if (take(s, "<!--"))
            fine = read_comment(s);
        else if (take(s, "<!"))
            fine = refuse(s, "DOCTYPE, CDATA and the like are not allowed");
        else if (take(s, "<?"))
            fine = refuse(s, "processing instructions are not allowed");
        else if (take(s, "</"))
            fine = read_closing(s);
        else if (take(s, "<"))
            fine = read_element(s);
        else
            fine = read_text(s);
        if (!fine)
            return false;
    }
    if (s->depth > 0)
        return refuse(s, "<%s> is not closed", elements[s->open[s->depth].element].name);
    return s->rooted || refuse(s, "there is no <svg>");
}

enum fm_err oc_svg_check(const char *text, size_t n, struct fm_fault *fault)
{
    if (n > OC_SVG_MAX)
        return fm_fail(fault, FM_E_SIZE, "a drawing has at most %d bytes", OC_SVG_MAX);
    struct scan s = {.text = text, .at = text, .end = text + n, .fault = fault};
    s.open[0].scale = s.open[0].broad = 1;
    return check_document(&s) ? FM_OK : fault->code;
}
