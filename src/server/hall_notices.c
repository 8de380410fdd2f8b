/*
 * hall_notices.c: handles notices of the store: another node wrote or sent a message, or this one
 * became the keeper of a table.
 *
 * Notices can be lost, so the tables in memory are regularly compared with the store.
 */
#include "server/hall_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTICES_MAX 65536 /* most that wait */
#define HEADS       256   /* tables that are compared with the store in one read ... */
#define HEADS_MS    2000  /* ... and each at most so often */

struct srv_queued_notice *srv_notice_copy(const struct st_notice *notice)
{
    struct srv_queued_notice *queued = malloc(sizeof *queued + notice->n + 1);
    if (queued == NULL)
        return NULL;
    queued->next = NULL;
    queued->notice = *notice;
    queued->notice.text = queued->text;
    if (notice->n > 0)
        memcpy(queued->text, notice->text, notice->n);
    queued->text[notice->n] = '\0';
    return queued;
}

void srv_notices_free(struct srv_queued_notice *queued)
{
    for (struct srv_queued_notice *next; queued != NULL; queued = next) {
        next = queued->next;
        free(queued);
    }
}

/* ---- as they come ---------------------------------------------------------------------------- */

/* On the store's thread. */
static void hear(void *arg, const struct st_notice *notice)
{
    struct srv_hall *h = arg;
    struct srv_queued_notice *queued = srv_notice_copy(notice);
    (void)pthread_mutex_lock(&h->lock);
    if (queued == NULL || (h->n_notices >= NOTICES_MAX && notice->kind != ST_KEEP)) {
        h->missed = true;
        free(queued);
    } else {
        *h->notices_last = queued;
        h->notices_last = &queued->next;
        h->n_notices++;
    }
    (void)pthread_mutex_unlock(&h->lock);
    h->net.wake(h->net.arg);
}

/* This node is the keeper: no other will act for the table. */
static void keep(struct srv_hall *h, const struct st_notice *notice)
{
    struct srv_slot *slot = srv_slot_known(h, &notice->table);
    if (slot == NULL) {
        srv_kept_add(h, &notice->table, notice->seq);
        struct srv_kept *kept = srv_kept_find(h, &notice->table);
        if (kept != NULL)
            srv_kept_wake(h, kept);
        return;
    }
    slot->kept = true;
    slot->kept_seq = notice->seq;
    srv_check_head(h, slot, notice->seq);
    srv_bots_ask(h, slot);
}

static void hear_wrote(struct srv_hall *h, struct srv_slot *slot, const struct st_notice *notice)
{
    struct srv_kept *kept = slot == NULL ? srv_kept_find(h, &notice->table) : NULL;
    struct srv_load *l = slot == NULL ? srv_load_find(h, &notice->table) : NULL;
    if (l != NULL)
        srv_load_behind(l);
    if (kept != NULL && notice->keeps)
        srv_kept_forget(h, &notice->table);
    else if (kept != NULL && notice->seq > kept->seq)
        srv_kept_wake(h, kept);
    if (slot == NULL)
        return;
    if (notice->keeps && notice->seq > slot->kept_seq)
        slot->kept = false;
    srv_check_head(h, slot, notice->seq);
    if (slot->streams == NULL)
        srv_unwatch(h, slot);
}

/* fresh: the log was read after the notice came. */
void srv_notice_handle(struct srv_hall *h, const struct st_notice *notice, bool fresh)
{
    struct srv_slot *slot = srv_slot_known(h, &notice->table);
    if (slot != NULL && slot->table.seq == 0)
        return;
    switch (notice->kind) {
    case ST_KEEP:
        keep(h, notice);
        break;
    case ST_MISSED:
        h->heads_ms = 0;
        srv_watch_again(h);
        break;
    case ST_WATCHED:
        if (slot != NULL)
            srv_check_head(h, slot, notice->seq);
        if (slot != NULL && notice->others)
            srv_peers_ask(h, slot);
        break;
    case ST_WROTE:
        hear_wrote(h, slot, notice);
        break;
    case ST_MESSAGE:
        if (slot != NULL && !srv_peers_message(h, slot, notice, fresh))
            srv_log_plain(SRV_WARNING, "message-unknown",
                          "a message of another node was not understood");
        break;
    }
}

void srv_peers_settle(struct srv_hall *h)
{
    (void)pthread_mutex_lock(&h->lock);
    struct srv_queued_notice *queued = h->notices;
    h->notices = NULL;
    h->notices_last = &h->notices;
    h->n_notices = 0;
    if (h->missed)
        h->heads_ms = 0;
    h->missed = false;
    (void)pthread_mutex_unlock(&h->lock);
    for (const struct srv_queued_notice *one = queued; one != NULL; one = one->next)
        srv_notice_handle(h, &one->notice, false);
    srv_notices_free(queued);
}

/* ---- comparing with the store ---------------------------------------------------------------- */

static bool is_watched(const struct srv_slot *slot)
{
    return slot->table.seq > 0 && (slot->streams != NULL || slot->kept);
}

struct heads_read {
    struct srv_read read;
    struct st_id ids[HEADS];
    uint64_t seqs[HEADS];
    size_t n;
    enum fm_err err;
};

static void read_heads(struct srv_read *read)
{
    struct heads_read *r = (struct heads_read *)read;
    struct fm_fault fault;
    r->err = st_read_heads(read->hall->store, r->ids, r->n, r->seqs, &fault);
}

static void free_heads(struct srv_read *read)
{
    free(read);
}

static void compared(struct srv_read *read)
{
    struct heads_read *r = (struct heads_read *)read;
    read->hall->compares = false;
    for (size_t i = 0; i < r->n && r->err == FM_OK; i++) {
        const struct st_notice notice = {.kind = ST_WROTE,
                                         .table = r->ids[i],
                                         .seq = r->seqs[i] > 0 ? r->seqs[i]
                                                               : UINT64_MAX}; /* removed */
        srv_notice_handle(read->hall, &notice, false);
    }
    free(r);
}

/* Compares the next few tables with the store, in case notices were lost. */
void srv_compare_heads(struct srv_hall *h)
{
    if (h->compares || (h->heads_at == 0 && h->now_ms < h->heads_ms + HEADS_MS))
        return;
    struct heads_read *r = calloc(1, sizeof *r);
    if (r == NULL)
        return;
    if (h->heads_at == 0)
        h->heads_ms = h->now_ms;
    for (; h->heads_at < SRV_BUCKETS && r->n < HEADS / 2; h->heads_at++) {
        for (struct srv_slot *slot = h->bucket[h->heads_at]; slot != NULL && r->n < HEADS;
             slot = slot->next)
            if (is_watched(slot))
                r->ids[r->n++] = slot->table.id;
        for (struct srv_kept *kept = h->kept[h->heads_at]; kept != NULL && r->n < HEADS;
             kept = kept->next)
            if (!kept->wanted)
                r->ids[r->n++] = kept->id;
    }
    if (h->heads_at == SRV_BUCKETS)
        h->heads_at = 0;
    if (r->n == 0) {
        free(r);
        return;
    }
    r->read = (struct srv_read){.work = read_heads, .done = compared, .free = free_heads};
    h->compares = true;
    srv_read_queue(h, &r->read);
}

enum fm_err srv_peers_start(struct srv_hall *h, struct fm_fault *fault)
{
    srv_random(&h->node, sizeof h->node);
    h->node |= 1;
    return st_listen(h->store, hear, h, fault);
}

void srv_peers_stop(struct srv_hall *h)
{
    srv_notices_free(h->notices);
}
