/* divercity_signs.h: how DiverCity's bots make and read hand signs (C33): by what they show. */
#ifndef DIVERCITY_BOTS_SIGNS_H
#define DIVERCITY_BOTS_SIGNS_H

#include "divercity/rules/divercity.h"

/* The signs that a bot makes for a species, as struct divercity_pub has them. */
unsigned divercity_sign_for(unsigned species);
/* The species that signs mean; left: how many cards of each it may be, NULL: any. DIVERCITY_NONE:
 * several, or none. */
unsigned divercity_sign_meaning(unsigned sign, const int left[DIVERCITY_SPECIES]);

#endif
