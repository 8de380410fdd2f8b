/* hall_verify.c: checks that the record in the store is of the game played at this table. */
#include "server/hall_replay.h"

#include "base/panic.h"
#include "core/verdict.h"

#include <stdlib.h>

void srv_verify_write(struct srv_job *job)
{
    const struct srv_table *t = &job->slot->table;
    struct fm__verdict *v = calloc(1, sizeof *v);
    struct fm_out o;
    job->text = malloc(FM__VERDICT_MAX);
    if (v == NULL || job->text == NULL) {
        job->err = fm_fail_plain(&job->fault, FM_E_MEMORY);
        free(v);
        return;
    }
    const struct fm__played played = {t->commitment, t->event, t->n_events};
    fm__judge(v, &played, job->record, job->record_n, job->library);
    fm_out_init(&o, job->text, FM__VERDICT_MAX);
    fm__put_verdict(&o, v, t->commitment);
    fm_assert(fm_out_ok(&o));
    job->n = o.len;
    free(v);
}
