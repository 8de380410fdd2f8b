/*
 * hall_waiting.c: counts the tables of each address that wait for players.
 *
 * Only tables made within the last hour count: older ones cost nothing but space in the store, and
 * are deleted by retention. The newest are remembered; if more are made than fit, an address may
 * have a few more than its limit.
 */
#include "server/hall_state.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define REMEMBERED 8192
#define HOUR_MS    3600000u

struct srv_waiting {
    uint8_t key[crypto_shorthash_KEYBYTES]; /* drawn at the first use */
    unsigned next;
    struct {
        struct st_id id;
        uint64_t address, made_ms; /* made_ms 0: a free entry */
    } table[REMEMBERED];
};

bool srv_waiting_start(struct srv_hall *h)
{
    h->waiting = calloc(1, sizeof *h->waiting);
    return h->waiting != NULL;
}

void srv_waiting_stop(struct srv_hall *h)
{
    free(h->waiting);
}

static uint64_t hash_of(const struct srv_waiting *w, const char *address)
{
    uint64_t hash = 0;
    (void)crypto_shorthash((uint8_t *)&hash, (const uint8_t *)address, strlen(address), w->key);
    return hash;
}

bool srv_waiting_may(const struct srv_hall *h, const char *address, unsigned most)
{
    const struct srv_waiting *w = h->waiting;
    if (address == NULL || most == 0)
        return true;
    const uint64_t hash = hash_of(w, address);
    unsigned n = 0;
    for (size_t i = 0; i < REMEMBERED; i++)
        n += w->table[i].address == hash && w->table[i].made_ms != 0 &&
             h->now_ms < w->table[i].made_ms + HOUR_MS;
    return n < most;
}

void srv_waiting_add(struct srv_hall *h, const char *address, const struct st_id *id)
{
    struct srv_waiting *w = h->waiting;
    if (address == NULL)
        return;
    if (sodium_is_zero(w->key, sizeof w->key))
        srv_random(w->key, sizeof w->key);
    const unsigned i = w->next++ % REMEMBERED;
    w->table[i].id = *id;
    w->table[i].address = hash_of(w, address);
    w->table[i].made_ms = h->now_ms > 0 ? h->now_ms : 1;
}

void srv_waiting_done(struct srv_hall *h, const struct st_id *id)
{
    struct srv_waiting *w = h->waiting;
    for (size_t i = 0; i < REMEMBERED; i++)
        if (w->table[i].made_ms != 0 && memcmp(&w->table[i].id, id, sizeof *id) == 0)
            w->table[i].made_ms = 0;
}
