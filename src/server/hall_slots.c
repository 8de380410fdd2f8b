/* hall_slots.c: the slots of the tables in memory, found by id; votes for bots. */
#include "server/hall_state.h"

#include <stdlib.h>
#include <string.h>

static struct srv_slot **bucket_of(struct srv_hall *h, const struct st_id *id)
{
    uint32_t n;
    memcpy(&n, id->bytes, sizeof n); /* ids are random, and drawn by the server */
    return &h->bucket[n % SRV_BUCKETS];
}

struct srv_slot *srv_slot_create(const struct st_id *id)
{
    struct srv_slot *slot = calloc(1, sizeof *slot);
    if (slot == NULL)
        return NULL;
    srv_table_init(&slot->table);
    slot->table.id = *id;
    slot->last = &slot->first;
    slot->holder = FM_WATCHER;
    return slot;
}

void srv_slot_destroy(struct srv_slot *slot)
{
    if (slot == NULL)
        return;
    srv_table_finish(&slot->table);
    free(slot->verdict);
    free(slot);
}

void srv_slot_add(struct srv_hall *h, struct srv_slot *slot)
{
    slot->next = *bucket_of(h, &slot->table.id);
    *bucket_of(h, &slot->table.id) = slot;
    srv_slot_used(h, slot);
    h->n_slots++;
}

struct srv_slot *srv_slot_new(struct srv_hall *h, const struct st_id *id)
{
    struct srv_slot *slot = srv_slot_create(id);
    if (slot != NULL)
        srv_slot_add(h, slot);
    return slot;
}

void srv_slot_free(struct srv_hall *h, struct srv_slot *slot)
{
    struct srv_slot **at = bucket_of(h, &slot->table.id);
    while (*at != slot)
        at = &(*at)->next;
    *at = slot->next;
    srv_slot_unlink(h, slot);
    h->n_slots--;
    srv_ocean_forget(h->oceans, &slot->ocean);
    srv_waiters_free(&slot->waiting);
    srv_slot_destroy(slot);
}

struct srv_slot *srv_slot_known(struct srv_hall *h, const struct st_id *id)
{
    struct srv_slot *slot = *bucket_of(h, id);
    while (slot != NULL && memcmp(&slot->table.id, id, sizeof *id) != 0)
        slot = slot->next;
    return slot;
}

/* ---- votes ----------------------------------------------------------------------------------- */

void srv_forget_votes(struct srv_slot *slot, int seat)
{
    slot->votes_for[seat] = slot->votes_against[seat] = 0;
}

/* Whether more than half of the other people at the table want it. */
bool srv_vote(struct srv_slot *slot, int seat, int by, bool bot)
{
    unsigned *const voters = bot ? &slot->votes_for[seat] : &slot->votes_against[seat];
    unsigned people = 0, votes = 0;
    *voters |= 1u << by;
    for (int i = 0; i < slot->table.setup.n_seats; i++) {
        if (i == seat || !slot->table.seat[i].taken)
            continue;
        people++;
        votes += *voters >> i & 1;
    }
    return 2 * votes > people;
}
