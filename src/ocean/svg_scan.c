/* svg_scan.c: words, numbers, paths and transforms of an SVG, read but not kept. */
#include "ocean/svg_scan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define STEPS    3000 /* numbers and letters of one path or list of points */
#define MOVES    8    /* functions of one transform */
#define DIGITS   16   /* characters of a number */
#define EXPONENT 6
#define PI       3.14159265358979

bool oc__refuse(struct oc__scan *s, const char *format, ...)
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

bool oc__skip_space(struct oc__scan *s)
{
    const char *from = s->at;
    while (s->at < s->end && oc__is_space(*s->at))
        s->at++;
    return s->at > from;
}

/* Take a word if it comes next. */
bool oc__take(struct oc__scan *s, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
        return false;
    s->at += n;
    return true;
}

bool oc__starts(const struct oc__scan *s, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(s->stop - s->at) >= n && memcmp(s->at, word, n) == 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

void oc__skip_comma(struct oc__scan *s)
{
    for (int commas = 0; s->at < s->stop; s->at++) {
        commas += *s->at == ',';
        if (commas > 1 || !(oc__is_space(*s->at) || *s->at == ','))
            break;
    }
}

static const char *skip_digits(const char *p, const char *stop)
{
    while (p < stop && oc__is_digit(*p))
        p++;
    return p;
}

/* A number that is one in CSS, too: a dot must be followed by digits. */
bool oc__read_number(struct oc__scan *s, double *out)
{
    const char *p = s->at;
    const double sign = p < s->stop && *p == '-' ? -1 : 1;
    int power = 0;
    p += p < s->stop && oc__is_among("+-", *p);
    const char *whole = p, *dot, *end;
    dot = skip_digits(whole, s->stop);
    end = dot < s->stop && *dot == '.' ? skip_digits(dot + 1, s->stop) : dot;
    if (end == whole || end[-1] == '.')
        return oc__refuse(s, "a number is expected at \"%.*s\"",
                          s->stop - s->at > 20 ? 20 : (int)(s->stop - s->at), s->at);
    p = end;
    if (end < s->stop && oc__is_among("eE", *end)) {
        const bool negative = end + 1 < s->stop && end[1] == '-';
        const char *digits = end + 1 + (end + 1 < s->stop && oc__is_among("+-", end[1]));
        p = skip_digits(digits, s->stop);
        if (p - digits != 1 || *digits - '0' > EXPONENT)
            return oc__refuse(s, "the exponent of a number is one digit up to %d", EXPONENT);
        power = negative ? -(*digits - '0') : *digits - '0';
    }
    if (p - s->at > DIGITS)
        return oc__refuse(s, "a number has more than %d characters", DIGITS);
    double value = 0;
    for (const char *c = whole; c < end; c++) {
        value = *c == '.' ? value : 10 * value + (*c - '0');
        power -= c > dot;
    }
    *out = sign * value * pow(10, power);
    s->at = p;
    return true;
}

void oc__note_far(struct oc__outline *o, double value)
{
    o->far = fmax(o->far, fabs(value));
}

/* ---- paths and transforms -------------------------------------------------------------------- */

static void go_to(struct oc__outline *o, double x, double y)
{
    o->travel += hypot(x - o->x, y - o->y);
    o->x = x;
    o->y = y;
}

/* The arc that v describes is no longer than this. Radii too small for it are enlarged; if one is
 * 0, it is a line. */
static double arc_length(const double v[7], double chord)
{
    const double large = fmax(fabs(v[0]), fabs(v[1])), small = fmin(fabs(v[0]), fabs(v[1]));
    if (small <= 0)
        return chord;
    const double least = PI / 2 * chord * large / small;
    const double whole = fmax(2 * PI * large, 2 * least);
    return v[3] > 0 ? whole : fmin(whole, least);
}

/* One command of a path with its numbers. A curve is no longer than the way along its control
 * points. */
static void follow(struct oc__outline *o, char letter, const double *v, int n)
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

static bool count_step(struct oc__scan *s, struct oc__outline *o)
{
    return ++o->steps <= STEPS ||
           oc__refuse(s, "a path has more than %d numbers and letters", STEPS);
}

/* The numbers of one command. The flags of an arc may touch what follows. */
static bool read_arguments(struct oc__scan *s, struct oc__outline *o, char letter, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        const bool arc = letter == 'a' || letter == 'A';
        if (!count_step(s, o))
            return false;
        if (arc && (i == 3 || i == 4)) {
            if (s->at == s->stop || !oc__is_among("01", *s->at))
                return oc__refuse(s, "the flags of an arc are 0 or 1");
            v[i] = *s->at++ - '0';
            oc__skip_comma(s);
            continue;
        }
        if (!oc__read_number(s, &v[i]))
            return false;
        oc__skip_comma(s);
        oc__note_far(o, arc && i == 2 ? 0 : v[i]); /* that one is an angle */
    }
    return true;
}

/* T is left out: by repeating it a control point goes as far away as one likes. */
bool oc__read_path(struct oc__scan *s, struct oc__outline *o)
{
    static const char letters[] = "zhvmlqsca";
    static const int numbers[] = {0, 1, 1, 2, 2, 4, 4, 6, 7};
    char letter = 'z';
    oc__skip_comma(s);
    while (s->at < s->stop) {
        if (oc__is_letter(*s->at)) {
            letter = *s->at;
            if (!oc__is_among(letters, (char)(letter | 0x20)))
                return oc__refuse(s, "a path has no command \"%c\" here", letter);
            s->at++;
            oc__skip_comma(s);
            if (!count_step(s, o))
                return false;
        } else if (letter == 'z' || letter == 'Z') {
            return oc__refuse(s, "a path has a number without a command");
        }
        double v[7];
        const int n = numbers[strchr(letters, letter | 0x20) - letters];
        if (!read_arguments(s, o, letter, v, n))
            return false;
        follow(o, letter, v, n);
        letter = letter == 'm' ? 'l' : letter == 'M' ? 'L' : letter; /* pairs after it are lines */
    }
    return true;
}

bool oc__read_points(struct oc__scan *s, struct oc__outline *o)
{
    char letter = 'M';
    oc__skip_comma(s);
    while (s->at < s->stop) {
        double v[2];
        if (!read_arguments(s, o, letter, v, 2))
            return false;
        follow(o, letter, v, 2);
        letter = 'L';
    }
    return true;
}

/* One function of a transform; *scale is multiplied by the most that it can enlarge. */
static bool read_move(struct oc__scan *s, struct oc__outline *o, double *scale)
{
    double v[6];
    const char *name = s->at;
    int n = 0;
    while (s->at < s->stop && oc__is_letter(*s->at))
        s->at++;
    const size_t length = (size_t)(s->at - name);
    while (s->at < s->stop && oc__is_space(*s->at))
        s->at++;
    if (s->at == s->stop || *s->at != '(')
        return oc__refuse(s,
                          "a transform is a list of matrix(…), translate(…), rotate(…), scale(…)");
    s->at++;
    oc__skip_comma(s);
    while (n < 6 && s->at < s->stop && *s->at != ')') {
        if (!oc__read_number(s, &v[n++]))
            return false;
        oc__skip_comma(s);
    }
    if (s->at == s->stop || *s->at != ')' || n == 0)
        return oc__refuse(s, "a function of a transform has one to six numbers");
    s->at++;
    oc__skip_comma(s);
    if (length == 9 && memcmp(name, "translate", 9) == 0 && n <= 2) {
        oc__note_far(o, v[0]);
        oc__note_far(o, v[n - 1]);
        return true;
    }
    if (length == 6 && memcmp(name, "rotate", 6) == 0 && (n == 1 || n == 3)) {
        oc__note_far(o, n == 1 ? 0 : v[1]);
        oc__note_far(o, n == 1 ? 0 : v[2]);
        return true;
    }
    if (length == 5 && memcmp(name, "scale", 5) == 0 && n <= 2) {
        *scale *= fmax(1, fmax(fabs(v[0]), fabs(v[n - 1])));
        return true;
    }
    if (length == 6 && memcmp(name, "matrix", 6) == 0 && n == 6) {
        *scale *= fmax(1, fmax(fabs(v[0]) + fabs(v[2]), fabs(v[1]) + fabs(v[3])));
        oc__note_far(o, v[4]);
        oc__note_far(o, v[5]);
        return true;
    }
    return oc__refuse(s, "a transform has no function \"%.*s\" with %d numbers",
                      length > 20 ? 20 : (int)length, name, n);
}

bool oc__read_transform(struct oc__scan *s, struct oc__outline *o, double *scale)
{
    oc__skip_comma(s);
    for (int n = 0; s->at < s->stop; n++) {
        if (n == MOVES)
            return oc__refuse(s, "a transform has more than %d functions", MOVES);
        if (!read_move(s, o, scale))
            return false;
    }
    return true;
}
