/* deal.c: the one place where the ocean learns from a game's rules what lies on the sheets. */
#include "ocean/sheets.h"

#include "base/hash.h"

#include <fathom/game.h>
#include <fathom/ocean.h>

#include <string.h>

_Static_assert(OC_SHEETS == FM_SHEETS_MAX && OC_KINDS == FM_SHEET_KINDS &&
                   OC_KIND_SHARK == FM_SHEET_SHARK && OC_SEEN_DOWN == FM_LEVELS_MAX,
               "what the rules call sheets is drawn as sheets");
_Static_assert((int)OC_GREEN == FM_SHEET_GREEN && (int)OC_RED == FM_SHEET_RED &&
                   (int)OC_MANTA == FM_SHEET_MANTA,
               "roles are helpers");
_Static_assert(OC_SECRET_BYTES == FM_HASH_BYTES && FM_SEED_BYTES == FM_HASH_BYTES,
               "a secret is a hash");

const struct fm_game *oc_game(void)
{
    size_t i = 0;
    while (fm_game_at(i) != NULL && fm_game_at(i)->ocean == NULL)
        i++;
    return fm_game_at(i);
}

/* The secret comes from the deal's seed by a hash of its own domain: whoever came to know it could
 * not go back to the seed. */
void oc_deal_of(struct oc_deal *deal, const struct fm_game *game, const void *state)
{
    const struct fm_secret *secret = (const void *)((const uint8_t *)state + game->secret_off);
    const struct fm_span seed = {secret->rng.key, sizeof secret->rng.key};
    uint8_t sheet[FM_SHEETS_MAX];
    memset(deal, 0, sizeof *deal);
    fm__hash(deal->secret, "fathom ocean 1", &seed, 1);
    deal->n = (int)game->ocean->sheets(state, sheet);
    for (int i = 0; i < deal->n; i++) {
        deal->kind[i] = sheet[i] & (OC_KINDS - 1);
        deal->orientation[i] = sheet[i] >> 3 & (OC_ORIENTATIONS - 1);
    }
}
