/* hall_replay.c: handles requests for replays of games that are over, and for checks of their
 * records. */
#include "server/hall_replay.h"

#include <stdlib.h>
#include <string.h>

bool srv_read_who(const char *text, int *who)
{
    if (strcmp(text, "table") == 0)
        *who = FM_WATCHER;
    else if (strcmp(text, "open") == 0)
        *who = SRV_OPEN;
    else if (text[0] >= '0' && text[0] <= '9' && text[1] == '\0')
        *who = text[0] - '0';
    else
        return false;
    return true;
}

static bool read_who(const struct srv_slot *slot, const char *text, int *who,
                     struct fm_fault *fault)
{
    if (!srv_read_who(text, who))
        return fm_fail_plain(fault, FM_E_NO_PATH), false;
    if (*who >= slot->table.setup.n_seats)
        return fm_fail_plain(fault, FM_E_SEAT), false;
    return true;
}

void srv_get_replay(struct srv_hall *h, struct srv_call *call, struct srv_slot *slot,
                    const char *text)
{
    struct fm_fault fault = {.action = -1};
    int who = 0;
    struct srv_job *job = NULL;
    if (read_who(slot, text, &who, &fault) && srv_job_is_over(slot, &fault)) {
        job = srv_job_new(slot, call, NULL);
        if (job == NULL)
            fm_fail_plain(&fault, FM_E_MEMORY);
    }
    if (job == NULL) {
        srv_answer_error(h, call, &fault);
        return;
    }
    job->write = srv_replay_write;
    job->who = who;
    if (srv_job_enlist(h, h->replays, job))
        srv_job_queue(job);
}

/* ---- checks of records ----------------------------------------------------------------------- */

/* The verdict stays with the table. */
static void remember(struct srv_job *job)
{
    struct srv_slot *slot = job->slot;
    free(slot->verdict);
    slot->verdict = job->text;
    slot->verdict_n = job->n;
    memcpy(slot->verdict_of, job->hash, sizeof slot->verdict_of);
    job->text = NULL;
}

/* The record was read: it is checked, unless the verdict on the same bytes is known already. */
static void verify_record(struct srv_hall *h, struct srv_record *r)
{
    struct srv_job *job = r->arg;
    const struct srv_slot *slot = job->slot;
    job->record = r->text;
    job->record_n = r->n;
    r->text = NULL;
    struct srv_call *const call = job->call;
    if (r->err != FM_OK) {
        srv_job_strike(job);
        if (call != NULL)
            srv_answer_error(h, call, &r->fault);
        return;
    }
    fm__hash(job->hash, "fathom verify 1", &(struct fm_span){job->record, job->record_n}, 1);
    if (slot->verdict != NULL && memcmp(slot->verdict_of, job->hash, sizeof job->hash) == 0) {
        const struct fm_out o = {
            .buf = slot->verdict, .cap = slot->verdict_n + 1, .len = slot->verdict_n};
        srv_job_strike(job);
        srv_answer_out(h, call, 200, &o);
        return;
    }
    srv_job_queue(job);
}

/* The record is read from the store each time. */
void srv_get_verify(struct srv_hall *h, struct srv_call *call, struct srv_slot *slot)
{
    struct fm_fault fault = {.action = -1};
    struct srv_job *job = srv_job_is_over(slot, &fault) ? srv_job_new(slot, call, NULL) : NULL;
    if (job == NULL) {
        if (slot->table.state == ST_OVER)
            fm_fail_plain(&fault, FM_E_MEMORY);
        srv_answer_error(h, call, &fault);
        return;
    }
    job->write = srv_verify_write;
    job->sent = remember;
    job->library = &h->library;
    job->gzip = false;
    if (!srv_job_enlist(h, h->replays, job) ||
        srv_read_record(h, &slot->table.id, NULL, verify_record, job))
        return;
    fm_fail_plain(&fault, FM_E_MEMORY);
    srv_job_strike(job);
    srv_answer_error(h, call, &fault);
}
