/* bot_chance.c: random numbers of a bot at a table. */
#include "core/bot_chance.h"

#include "base/hash.h"

#include <string.h>

void fm__bot_rng(struct fm_rng *rng, const uint8_t table_seed[FM_SEED_BYTES], unsigned seat,
                 const char *what, uint64_t n)
{
    uint8_t seed[FM_SEED_BYTES];
    const struct fm_span spans[] = {
        {table_seed, FM_SEED_BYTES}, {what, strlen(what)}, {&n, sizeof n}};
    fm__hash(seed, "fathom bot 1", spans, 3);
    fm_rng_init(rng, seed, seat);
}
