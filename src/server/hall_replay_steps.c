/* hall_replay_steps.c: the replay of a game, step by step, as one viewer was told it. */
#include "server/hall_replay.h"

#include "server/sink.h"
#include "server/table_internal.h"

#include "base/panic.h"

#include <stdlib.h>

/* ---- steps ----------------------------------------------------------------------------------- */

static void put_head(struct fm_out *o, const struct srv_table *t, int who)
{
    fm_js_object(o);
    fm_js_key(o, "table");
    fm_js_hex(o, t->id.bytes, sizeof t->id.bytes);
    fm_js_key_text(o, "game", t->setup.game->id);
    fm_js_key(o, "options");
    fm_put_options(o, &t->setup);
    fm_js_key(o, "who");
    if (who >= 0)
        fm_js_int(o, who);
    else
        fm_js_text(o, who == SRV_OPEN ? "open" : "table");
    fm_js_key(o, "seats");
    fm_js_array(o);
    for (unsigned i = 0; i < t->setup.n_seats; i++) {
        const struct srv_seat *s = &t->seat[i];
        fm_js_object(o);
        fm_js_key_text(o, "name", s->taken ? s->name : NULL);
        fm_js_key_text(o, "bot", s->bot[0] != '\0' ? s->bot : NULL);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
    srv_put_visit(o, t);
    fm_js_key(o, "steps");
    fm_js_array(o);
}

/* Plays the game again; every event that the viewer notices is a step. text: room for one. */
static void put_steps(struct srv_sink *sink, const struct srv_job *job, char *text)
{
    const struct srv_table *t = &job->slot->table;
    const struct fm_game *g = t->setup.game;
    struct fm_setup setup;
    struct fm_notes notes = {0};
    struct fm_out o;
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    fm_assert(srv_table_redeal(match, &setup, t, &notes) == FM_OK);
    fm_out_init(&o, text, FM__STEP_MAX);
    put_head(&o, t, job->who);
    fm__put_step(&o, g, job->who, match, NULL, &notes);
    srv_sink_put(sink, text, o.len);
    for (size_t i = 0; i < t->n_events && !sink->failed; i++) {
        const uint32_t before = fm__step_seq(g, job->who, match);
        notes.len = 0;
        fm_assert(fm_apply(g, match, &t->event[i], &notes) == FM_OK);
        if (fm__step_seq(g, job->who, match) == before)
            continue;
        fm_out_init(&o, text, FM__STEP_MAX);
        fm_put(&o, ",");
        o.last = '\0';
        fm__put_step(&o, g, job->who, match, &t->event[i], &notes);
        srv_sink_put(sink, text, o.len);
    }
    srv_sink_put(sink, "]}", 2);
}

void srv_replay_write(struct srv_job *job)
{
    struct srv_sink sink;
    char *text = malloc(FM__STEP_MAX);
    if (text == NULL || !srv_sink_open(&sink, job->gzip)) {
        job->err = fm_fail_plain(&job->fault, FM_E_MEMORY);
        free(text);
        return;
    }
    put_steps(&sink, job, text);
    free(text);
    srv_sink_close(&sink);
    job->text = (char *)sink.bytes;
    job->n = sink.n;
    if (sink.full)
        job->err = fm_fail(&job->fault, FM_E_SIZE,
                           "this replay is larger than %u MB%s; the record "
                           "has all of it",
                           SRV_SINK_MAX >> 20,
                           job->gzip ? "" : ", and would be sent compressed to who takes gzip");
    else if (sink.failed)
        job->err = fm_fail_plain(&job->fault, FM_E_MEMORY);
}
