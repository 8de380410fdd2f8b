/* hall_replay_steps.c: the replay of a game, step by step, as one viewer was told it. */
#include "server/hall_replay.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

#define ANSWER_MAX (4u << 20) /* most bytes of a replay, as it is sent */

/* ---- a text that grows, perhaps compressed, up to a cap -------------------------------------- */

struct sink {
    bool gzip, failed, full;
    z_stream z;
    uint8_t *bytes;
    size_t n, cap;
};

static bool sink_open(struct sink *s, bool gzip)
{
    *s = (struct sink){.gzip = gzip};
    return !gzip ||
           deflateInit2(&s->z, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
}

/* Makes room for more bytes. */
static bool sink_grow(struct sink *s, size_t more)
{
    if (s->n + more <= s->cap)
        return true;
    size_t cap = 2 * s->cap > s->n + more ? 2 * s->cap : s->n + more + 65536;
    cap = cap < ANSWER_MAX ? cap : ANSWER_MAX;
    s->full = s->n + more > cap;
    uint8_t *bytes = s->full ? NULL : realloc(s->bytes, cap);
    s->failed = bytes == NULL;
    if (s->failed)
        return false;
    s->bytes = bytes;
    s->cap = cap;
    return true;
}

static void sink_deflate(struct sink *s, const char *text, size_t n, int flush)
{
    int status = Z_OK;
    s->z.next_in = (const Bytef *)text;
    s->z.avail_in = (uInt)n;
    do {
        if (!sink_grow(s, 4096))
            return;
        s->z.next_out = s->bytes + s->n;
        s->z.avail_out = (uInt)(s->cap - s->n);
        status = deflate(&s->z, flush);
        s->n = s->cap - s->z.avail_out;
    } while (s->z.avail_out == 0 || (flush == Z_FINISH && status == Z_OK));
}

static void sink_put(struct sink *s, const char *text, size_t n)
{
    if (s->failed)
        return;
    if (s->gzip) {
        sink_deflate(s, text, n, Z_NO_FLUSH);
    } else if (sink_grow(s, n)) {
        memcpy(s->bytes + s->n, text, n);
        s->n += n;
    }
}

static void sink_close(struct sink *s)
{
    if (s->gzip && !s->failed)
        sink_deflate(s, "", 0, Z_FINISH);
    if (s->gzip)
        (void)deflateEnd(&s->z);
}

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

/* Plays the game again; every event that the viewer notices is a step. */
void srv_replay_write(struct srv_job *job, char *step)
{
    const struct srv_table *t = &job->slot->table;
    const struct fm_game *g = t->setup.game;
    struct fm_setup setup = t->setup;
    struct fm_notes notes = {0};
    struct sink sink;
    struct fm_out o;
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    if (!sink_open(&sink, job->gzip)) {
        job->err = fm_fail_plain(&job->fault, FM_E_MEMORY);
        return;
    }
    fm_fair_deal_seed(setup.seed, t->seed, &t->fair, setup.n_seats);
    fm_assert(fm_init(match, &setup, &notes) == FM_OK);
    fm_out_init(&o, step, FM__STEP_MAX);
    put_head(&o, t, job->who);
    fm__put_step(&o, g, job->who, match, NULL, &notes);
    sink_put(&sink, step, o.len);
    for (size_t i = 0; i < t->n_events && !sink.failed; i++) {
        const uint32_t before = fm__step_seq(g, job->who, match);
        notes.len = 0;
        fm_assert(fm_apply(g, match, &t->event[i], &notes) == FM_OK);
        if (fm__step_seq(g, job->who, match) == before)
            continue;
        fm_out_init(&o, step, FM__STEP_MAX);
        fm_put(&o, ",");
        o.last = '\0';
        fm__put_step(&o, g, job->who, match, &t->event[i], &notes);
        sink_put(&sink, step, o.len);
    }
    sink_put(&sink, "]}", 2);
    sink_close(&sink);
    job->text = (char *)sink.bytes;
    job->n = sink.n;
    if (sink.full)
        job->err = fm_fail(&job->fault, FM_E_SIZE,
                           "this replay is larger than %u MB%s; the record "
                           "has all of it",
                           ANSWER_MAX >> 20,
                           job->gzip ? "" : ", and would be sent compressed to who takes gzip");
    else if (sink.failed)
        job->err = fm_fail_plain(&job->fault, FM_E_MEMORY);
}
