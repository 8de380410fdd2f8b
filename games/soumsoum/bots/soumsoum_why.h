/* soumsoum_why.h: how moves of Soum Soum are explained. */
#ifndef SOUMSOUM_WHY_H
#define SOUMSOUM_WHY_H

#include "bots/why.h"

extern const struct search_policy soumsoum_policy; /* soumsoum_search.c */
extern const struct fm_reasoning soumsoum_reasoning;
extern const struct fm_study soumsoum_study; /* soumsoum_study.c */

#endif
