/*
 * svg_scan.h: the cursor of svg_check.c, and its readers of numbers, paths and transforms.
 *
 * A reader returns false with the fault filled.
 */
#ifndef OCEAN_SVG_SCAN_H
#define OCEAN_SVG_SCAN_H

#include <fathom/error.h>

#include <stdbool.h>
#include <string.h>

struct oc__scan {
    const char *text, *at, *end;
    const char *stop; /* end of the value that is looked at */
    struct fm_fault *fault;
};

struct oc__outline { /* of one element, in its units */
    double x, y, first_x, first_y;
    double travel; /* how far it goes */
    double size;   /* the largest of its measures, if its travel follows from those */
    double far;    /* the largest number of it */
    int bends, steps;
};

static inline bool oc__is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline bool oc__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool oc__is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool oc__is_among(const char *set, char c)
{
    return c != '\0' && strchr(set, c) != NULL;
}

bool oc__refuse(struct oc__scan *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool oc__skip_space(struct oc__scan *s);                     /* was there any? */
bool oc__take(struct oc__scan *s, const char *word);         /* if it comes next */
bool oc__starts(const struct oc__scan *s, const char *word); /* does the value? */

/* Within a value. */
void oc__skip_comma(struct oc__scan *s); /* and spaces around it */
bool oc__read_number(struct oc__scan *s, double *out);
bool oc__read_path(struct oc__scan *s, struct oc__outline *o);
bool oc__read_points(struct oc__scan *s, struct oc__outline *o);
/* *scale is multiplied by the most that the transform can enlarge; it never shrinks. */
bool oc__read_transform(struct oc__scan *s, struct oc__outline *o, double *scale);
void oc__note_far(struct oc__outline *o, double value);

#endif
