/* hall.c: creates and destroys the hall, and handles what its threads have done. */
#include "server/hall_state.h"

#include <stdlib.h>

void srv_hall_settle(struct srv_hall *h, uint64_t now_ms)
{
    srv_hall_enter(h, now_ms);
    srv_hall_turn(h);
    (void)pthread_mutex_lock(&h->lock);
    struct srv_request *req = h->settled;
    h->settled = NULL;
    h->settled_last = &h->settled;
    (void)pthread_mutex_unlock(&h->lock);
    while (req != NULL) {
        struct srv_request *next = req->next;
        srv_request_settle(req);
        req = next;
    }
    srv_reads_settle(h);
    srv_retention_settle(h);
    srv_peers_settle(h);
    srv_bots_settle(h);
    srv_jobs_settle(h, h->replays);
    srv_jobs_settle(h, h->analyses);
    srv_why_settle(h);
    srv_oceans_settle(h->oceans);
}

void srv_hall_stop(struct srv_hall *h)
{
    srv_notes_flush(h, NULL, FM_WATCHER);
    srv_hall_turn(h);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* Everything that can fail; srv_hall_destroy undoes what was begun. */
static bool start(struct srv_hall *h, const struct fm_library *library, struct fm_fault *fault)
{
    /* Replays are short. An analysis takes seconds: it gets only the processor time that live
     * tables leave. */
    const struct srv_jobs_limits replays = {.most = 32, .of_address = 32};
    const struct srv_jobs_limits analyses = {
        .most = 8, .of_address = 2, .nice = (int)h->limits.analysis_nice};
    (void)fm_fail_plain(fault, FM_E_MEMORY); /* unless a call below says otherwise */
    h->practice = srv_practice_create(h->store, fault);
    if (h->practice == NULL)
        return false;
    (void)fm_fail_plain(fault, FM_E_MEMORY);
    h->text = malloc((size_t)SRV_MESSAGE * SRV_MESSAGES);
    h->games = srv_games_create(library);
    h->replays = srv_jobs_create(&h->net, replays);
    h->analyses = srv_jobs_create(&h->net, analyses);
    if (h->text == NULL || h->games == NULL || h->replays == NULL || h->analyses == NULL)
        return false;
    h->library = *srv_games_library(h->games);
    if (!srv_memory_start(h) || !srv_waiting_start(h) || !srv_readers_start(h) ||
        !srv_bots_start(h))
        return false;
    if ((h->shared ? srv_peers_start(h, fault) : srv_resume_list(h, fault)) != FM_OK)
        return false;
    (void)fm_fail_plain(fault, FM_E_MEMORY);
    return srv_retention_start(h);
}

struct srv_hall *srv_hall_create(struct st_store *store, struct srv_oceans *oceans,
                                 const struct fm_library *library, const struct srv_net *net,
                                 const struct srv_limits *limits, uint64_t now_ms,
                                 struct fm_fault *fault)
{
    struct srv_hall *h = calloc(1, sizeof *h);
    if (h == NULL) {
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    h->store = store;
    h->oceans = oceans;
    h->net = *net;
    h->limits = *limits;
    h->now_ms = now_ms;
    h->shared = st_shared(store);
    h->settled_last = &h->settled;
    h->noting_last = &h->noting;
    h->bot_queue_last = &h->bot_queue;
    h->why_queue_last = &h->why_queue;
    h->notices_last = &h->notices;
    (void)pthread_mutex_init(&h->lock, NULL);
    (void)pthread_cond_init(&h->bot_wake, NULL);
    if (start(h, library, fault))
        return h;
    srv_hall_destroy(h);
    return NULL;
}

static void free_requests(struct srv_request *req)
{
    for (struct srv_request *next; req != NULL; req = next) {
        next = req->next;
        srv_request_free(req);
    }
}

void srv_hall_destroy(struct srv_hall *h)
{
    if (h == NULL)
        return;
    st_unlisten(h->store);
    srv_retention_stop(h);
    srv_bots_stop(h);
    srv_jobs_destroy(h->replays);
    srv_jobs_destroy(h->analyses);
    srv_readers_stop(h);
    srv_notes_stop(h);
    st_drain(h->store);
    free_requests(h->settled);
    free_requests(h->ready);
    for (size_t i = 0; i < SRV_BUCKETS; i++)
        while (h->bucket[i] != NULL) {
            free_requests(h->bucket[i]->first);
            srv_slot_free(h, h->bucket[i]);
        }
    while (h->n_spare > 0)
        free(h->spare[--h->n_spare]);
    srv_peers_stop(h);
    srv_memory_stop(h);
    srv_readers_free(h);
    srv_waiting_stop(h);
    (void)pthread_mutex_destroy(&h->lock);
    (void)pthread_cond_destroy(&h->bot_wake);
    srv_practice_destroy(h->practice);
    srv_games_destroy(h->games);
    free(h->text);
    free(h);
}

struct srv_hall_stats srv_hall_stats(const struct srv_hall *h)
{
    struct srv_hall_stats stats = h->stats;
    stats.tables = h->n_slots;
    return stats;
}
