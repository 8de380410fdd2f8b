/* divercity_why.h: how moves of DiverCity are explained. */
#ifndef DIVERCITY_WHY_H
#define DIVERCITY_WHY_H

#include "bots/why.h"

extern const struct search_policy divercity_policy; /* divercity_search.c */
extern const struct fm_reasoning divercity_reasoning;
extern const struct fm_study divercity_study; /* divercity_study.c */

#endif
