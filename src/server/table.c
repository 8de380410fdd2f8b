/* table.c: the state of a table, and what can be looked up in it. */
#include "server/table_internal.h"

#include "base/hash.h"
#include "base/json_in.h"

#include <stdlib.h>
#include <string.h>

const char *const srv_event_kinds[] = {[SRV_MADE] = "made",
                                       [SRV_SAT] = "sat",
                                       [SRV_LEFT] = "left",
                                       [SRV_BOT_SET] = "bot",
                                       [SRV_STARTED] = "started",
                                       [SRV_DID] = "did",
                                       [SRV_NOTED] = "noted",
                                       [SRV_AGAIN] = "again",
                                       [SRV_CLOSED] = "closed",
                                       [SRV_HANDED] = "handed",
                                       NULL};

void srv_table_init(struct srv_table *t)
{
    memset(t, 0, sizeof *t);
    t->water = oc_waters;
}

void srv_table_finish(struct srv_table *t)
{
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        free(t->seat[i].notes);
    free(t->event);
    free(t->done);
    srv_table_init(t);
}

void srv_draft_finish(struct srv_draft *d)
{
    free(d->record);
    free(d->handed);
    d->record = d->handed = NULL;
}

/* -1: there is none. */
int srv_free_seat(const struct srv_table *t)
{
    for (int seat = 0; seat < t->setup.n_seats; seat++)
        if (!t->seat[seat].taken && t->seat[seat].bot[0] == '\0')
            return seat;
    return -1;
}

bool srv_is_client_id(const char *id)
{
    const size_t n = strlen(id);
    return n > 0 && n <= SRV_CLIENT_ID &&
           strspn(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == n;
}

bool srv_table_has_entropy(const struct srv_table *t, int seat, struct json_t *body)
{
    uint8_t bytes[FM_ENTROPY_BYTES];
    const char *text = json_string_value(json_object_get(body, "entropy"));
    const size_t n = t->fair.entropy_n[seat];
    return n > 0 && text != NULL && strlen(text) == 2 * n && fm__unhex(bytes, n, text) == 0 &&
           memcmp(bytes, t->fair.entropy[seat], n) == 0;
}

bool srv_table_has_action(const struct srv_table *t, int seat, const char *id, uint32_t *seq)
{
    for (size_t i = t->n_done; i-- > 0;) /* retries are mostly of recent actions */
        if (t->done[i].seat == seat && strcmp(t->done[i].id, id) == 0) {
            *seq = t->done[i].seq;
            return true;
        }
    return false;
}

int srv_table_seat_of(const struct srv_table *t, const uint8_t token[ST_HASH_BYTES])
{
    for (int seat = 0; seat < t->setup.n_seats; seat++)
        if (t->seat[seat].taken && memcmp(t->seat[seat].token, token, ST_HASH_BYTES) == 0)
            return seat;
    return SRV_NO_SEAT;
}
