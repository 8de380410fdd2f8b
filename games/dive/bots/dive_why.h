/* dive_why.h: how programs of Dive are explained. */
#ifndef DIVE_WHY_H
#define DIVE_WHY_H

#include "bots/why.h"

extern const struct fm_reasoning dive_reasoning;
extern const struct fm_study dive_study; /* dive_study.c */

/* dive_mako.c: the chance to win with a program, and with the best of each other depth, from what
 * the diver's own eyes saw. */
size_t dive_mako_weigh(const struct why_question *q, struct why_option *out, size_t cap);

#endif
