/* bot_chance.h: random numbers of a bot at a table. */
#ifndef CORE_BOT_CHANCE_H
#define CORE_BOT_CHANCE_H

#include <fathom/rng.h>

/* They are a hash of the table's seed, in another domain than the deal's, and of what the bot can
 * notice: how often others acted in secret must not influence them. what: "think" or "look"; n: the
 * seq of the bot's view. */
void fm__bot_rng(struct fm_rng *rng, const uint8_t table_seed[FM_SEED_BYTES], unsigned seat,
                 const char *what, uint64_t n);

#endif
