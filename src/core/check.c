/* check.c: the check of a state, over its fields in the order of their list. */
#include <fathom/game.h>

#include "base/hash.h"
#include "base/panic.h"
#include "core/fields.h"

#include <string.h>

/* Version 1 covers the bytes that the structs of 0.1.0 had, unused ones too: so records of 0.1.0,
 * whose checks were over those bytes, need no reader of their own. */

const struct fm_field fm__pub_fields[] = {
    FM_FIELD(struct fm_pub, seq),
    FM_FIELD(struct fm_pub, now_ms),
    FM_FIELD(struct fm_pub, deadline_ms),
    FM_FIELD(struct fm_pub, n_seats),
    FM_FIELD(struct fm_pub, phase),
    FM_FIELD(struct fm_pub, status),
    FM_FIELD(struct fm_pub, may),
    FM_FIELD(struct fm_pub, owes),
    FM_BLANK(3),
    FM_FIELD_SINCE(2, struct fm_pub, rules),
    FM_UNCHECKED(struct fm_pub, zero),
    FM_FIELDS_END,
};

const struct fm_field fm__priv_fields[] = {
    FM_FIELD(struct fm_priv, seq),
    FM_FIELD(struct fm_priv, zero),
    FM_FIELDS_END,
};

const struct fm_field fm__secret_fields[] = {
    FM_FIELD(struct fm_secret, rng.key),
    FM_FIELD(struct fm_secret, rng.block),
    FM_FIELD(struct fm_secret, rng.stream),
    FM_FIELD(struct fm_secret, rng.word),
    FM_FIELD(struct fm_secret, rng.used),
    FM_FIELD(struct fm_secret, rng.zero),
    FM_FIELD(struct fm_secret, now_ms),
    FM_FIELD(struct fm_secret, n_events),
    FM_FIELDS_END,
};

struct text { /* what is hashed */
    size_t n;
    uint8_t bytes[FM_STATE_MAX];
};

static void add_fields(struct text *text, const struct fm_field *f, const uint8_t *block,
                       unsigned rules)
{
    for (; f->name != NULL; f++) {
        if (f->since == 0 || f->since > rules)
            continue;
        fm_assert(text->n + f->size <= sizeof text->bytes);
        if (f->blank)
            memset(text->bytes + text->n, 0, f->size);
        else
            memcpy(text->bytes + text->n, block + f->offset, f->size);
        text->n += f->size;
    }
}

uint64_t fm_hash(const struct fm_game *g, const void *state)
{
    const uint8_t *pub = state, *priv = pub + g->priv_off, *secret = pub + g->secret_off;
    const unsigned rules = ((const struct fm_pub *)state)->rules;
    struct text text;
    text.n = 0;
    add_fields(&text, fm__pub_fields, pub, rules);
    add_fields(&text, g->fields.pub, pub, rules);
    for (unsigned seat = 0; seat < g->max_seats; seat++, priv += g->priv_size) {
        add_fields(&text, fm__priv_fields, priv, rules);
        add_fields(&text, g->fields.priv, priv, rules);
    }
    add_fields(&text, fm__secret_fields, secret, rules);
    add_fields(&text, g->fields.secret, secret, rules);

    uint8_t hash[FM_HASH_BYTES];
    uint64_t out;
    fm__hash(hash, "fathom state 1", &(struct fm_span){text.bytes, text.n}, 1);
    memcpy(&out, hash, sizeof out);
    return out;
}

uint32_t fm_check(const struct fm_game *g, const void *state)
{
    const uint32_t check = (uint32_t)fm_hash(g, state);
    return check ? check : 1;
}
