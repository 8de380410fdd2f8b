/* dive_deal.c: the one place where the ocean learns what the rules know about the sheets. */
#include "ocean/sheets.h"

#include "base/hash.h"
#include "games/dive/dive_state.h"

#include <string.h>

_Static_assert(OC_SHEETS == DIVE_CARDS && OC_KINDS == DIVE_KINDS && OC_KIND_SHARK == DIVE_SHARK &&
                   OC_SEEN_DOWN == DIVE_DEEPEST,
               "the ocean's sheets are Dive's cards");
_Static_assert((int)OC_GREEN == DIVE_GREEN && (int)OC_RED == DIVE_RED &&
                   (int)OC_MANTA == DIVE_MANTA,
               "roles are helpers");
_Static_assert(OC_SECRET_BYTES == FM_HASH_BYTES && FM_SEED_BYTES == FM_HASH_BYTES,
               "a secret is a hash");

/* The secret comes from the deal's seed by a hash of its own domain: whoever came to know it could
 * not go back to the seed. */
void oc_deal_of_dive(struct oc_deal *deal, const struct dive_state *s)
{
    const struct fm_span seed = {s->secret.head.rng.key, sizeof s->secret.head.rng.key};
    memset(deal, 0, sizeof *deal);
    fm__hash(deal->secret, "fathom ocean 1", &seed, 1);
    deal->n = s->pub.stack_n;
    for (int i = 0; i < deal->n; i++) {
        deal->kind[i] = s->secret.stack[i] & (DIVE_KINDS - 1);
        deal->orientation[i] = s->secret.stack[i] >> 3 & (OC_ORIENTATIONS - 1);
    }
}
