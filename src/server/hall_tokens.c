/* hall_tokens.c: makes tokens, and finds out whose a token is. */
#include "server/hall_state.h"

#include "base/hash.h"

#include <sodium.h>
#include <string.h>

void srv_random(void *bytes, size_t n)
{
    randombytes_buf(bytes, n);
}

void srv_draw_token(char text[SRV_TOKEN_TEXT + 1])
{
    uint8_t bytes[SRV_TOKEN_BYTES];
    struct fm_out o;
    srv_random(bytes, sizeof bytes);
    fm_out_init(&o, text, SRV_TOKEN_TEXT + 1);
    fm_put_hex(&o, bytes, sizeof bytes);
}

void srv_derive_token(char text[SRV_TOKEN_TEXT + 1], const struct st_id *table, const char *id)
{
    const struct fm_span spans[] = {{table->bytes, sizeof table->bytes}, {id, strlen(id)}};
    uint8_t hash[32];
    struct fm_out o;
    fm__hash(hash, "fathom seat token 1", spans, 2);
    fm_out_init(&o, text, SRV_TOKEN_TEXT + 1);
    fm_put_hex(&o, hash, SRV_TOKEN_BYTES);
}

void srv_token_hash(uint8_t hash[ST_HASH_BYTES], const char *token)
{
    fm__hash(hash, "fathom token 1", &(struct fm_span){token, strlen(token)}, 1);
}

/* Takes the same time for every token, valid or not. */
int srv_token_role(const struct srv_table *t, const char *token, int *seat)
{
    uint8_t hash[ST_HASH_BYTES];
    int role = 0;
    srv_token_hash(hash, token);
    if (sodium_memcmp(t->host, hash, sizeof hash) == 0)
        role = SRV_HOST;
    for (int i = 0; i < t->setup.n_seats; i++)
        if (sodium_memcmp(t->seat[i].token, hash, sizeof hash) == 0 && t->seat[i].taken) {
            role = SRV_PLAYER;
            *seat = i;
        }
    return role;
}
