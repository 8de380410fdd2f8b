/*
 * hall_after.c: what can be asked of a table once its game is over: the game again, as a viewer was
 * told it, and whether its record is right. A thread of its own works it out: a long game takes
 * longer than the loop may wait.
 *
 * The thread reads tables of the hall without a lock. It may: of a game that is over neither setup
 * nor seats nor events change any more, and a place with a job stays in memory.
 */
#include "server/hall_state.h"

#include "base/hash.h"
#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

#define JOBS       32                        /* at once; more are told to come back */
#define ANSWER_MAX (4u << 20)                /* bytes of a replay as it is sent */
#define STEP_MAX   (2 * FM_JSON_MAX + 65536) /* bytes of one step of it */
#define OPEN       (-2)                      /* who sees everything */

struct srv_job {
    struct srv_job *next;  /* in line, or among those that are done */
    struct srv_call *call; /* under the lock; NULL: nobody waits any more */
    struct srv_place *place;
    bool verifies; /* or replays, for: */
    int who;       /* a seat, FM_WATCHER or OPEN */
    bool gzip;     /* as which it is wanted */
    char *record;  /* to verify ... */
    size_t record_n;
    uint8_t hash[FM_HASH_BYTES];
    /* what came of it */
    enum fm_err err;
    struct fm_fault fault;
    char *text;
    size_t n;
};

struct srv_after {
    const struct fm_library *library;
    struct srv_net net;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool closing;
    struct srv_job *first, **last; /* in line */
    struct srv_job *done;
    struct srv_job *job[JOBS]; /* all; the loop's alone */
    char *step;                /* the thread's: STEP_MAX */
};

/* ---- a text that grows, perhaps compressed, up to a cap ------------------------------------- */

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

/* Room for so many more bytes. */
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

/* ---- replays -------------------------------------------------------------------------------- */

struct viewer {
    const struct fm_game *game;
    int who;
};

static struct fm_view view_of(struct viewer v, const void *match)
{
    return fm_view_of(v.game, match, v.who == OPEN ? FM_WATCHER : v.who);
}

/* Everything is a change to who sees everything. */
static uint32_t seq_of(struct viewer v, const void *match)
{
    const struct fm_secret *secret = (const void *)((const char *)match + v.game->secret_off);
    return v.who == OPEN ? secret->n_events : fm_view_seq(view_of(v, match));
}

/* ev NULL: the deal. */
static void put_step(struct fm_out *o, struct viewer v, const void *match,
                     const struct fm_event *ev, const struct fm_notes *notes)
{
    fm_js_object(o);
    fm_js_key_int(o, "t", ev != NULL ? ev->t_ms : 0);
    fm_js_key(o, "seat");
    if (ev != NULL && ev->seat != FM_TABLE)
        fm_js_int(o, ev->seat);
    else
        fm_js_null(o);
    fm_js_key(o, "action");
    if (ev != NULL)
        fm_put_action(o, v.game, ev->action);
    else
        fm_js_null(o);
    fm_js_key(o, "events");
    fm_js_array(o);
    fm_put_notes(o, view_of(v, match), notes, v.who == OPEN);
    fm_js_end_array(o);
    fm_js_key(o, "view");
    if (v.who == OPEN)
        fm_put_state(o, v.game, match);
    else
        fm_put_view(o, view_of(v, match));
    fm_js_end_object(o);
    fm_assert(fm_out_ok(o));
}

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
        fm_js_text(o, who == OPEN ? "open" : "table");
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

/* The game is played again, and everything that the viewer notices is a step. */
static void replay(struct srv_job *job, char *step)
{
    const struct srv_table *t = &job->place->table;
    const struct viewer v = {t->setup.game, job->who};
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
    fm_out_init(&o, step, STEP_MAX);
    put_head(&o, t, job->who);
    put_step(&o, v, match, NULL, &notes);
    sink_put(&sink, step, o.len);
    for (size_t i = 0; i < t->n_events && !sink.failed; i++) {
        const uint32_t before = seq_of(v, match);
        notes.len = 0;
        fm_assert(fm_apply(v.game, match, &t->event[i], &notes) == FM_OK);
        if (seq_of(v, match) == before)
            continue;
        fm_out_init(&o, step, STEP_MAX);
        fm_put(&o, ",");
        o.last = '\0';
        put_step(&o, v, match, &t->event[i], &notes);
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

/* ---- is the record right? ------------------------------------------------------------------- */

struct verdict {
    struct fm_playback playback;
    enum fm_stage stage; /* where it failed; past the last: it did not */
    int line, moves;
    struct fm_fault fault;
};

#define FINE (FM_AT_RESULT + 1)

/* A fault in the bytes of a line: which step would have read it? */
static enum fm_stage stage_of_line(int line, const char *text, size_t n)
{
    int lines = n > 0 && text[n - 1] != '\n';
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return line <= 1 ? FM_AT_COMMITMENT : line < lines ? FM_AT_MOVES : FM_AT_RESULT;
}

static bool same_event(const struct fm_event *a, const struct fm_event *b)
{
    return a->t_ms == b->t_ms && a->seat == b->seat && a->action == b->action;
}

static void judge(struct verdict *v, const struct srv_table *t, const char *text, size_t n,
                  const struct fm_library *library)
{
    struct fm_playback *p = &v->playback;
    struct fm_event ev = {0};
    enum fm_err err = fm_playback_open(p, text, n, library, NULL, &v->fault);
    /* it fits itself; does it fit what was shown and played here? */
    if (err == FM_OK && memcmp(p->commitment, t->commitment, sizeof t->commitment) != 0) {
        p->stage = FM_AT_COMMITMENT;
        p->line = 1;
        err =
            fm_fail(&v->fault, FM_E_RECORD, "commitment: another was shown before this game began");
        v->fault.line = 1;
    }
    while (err == FM_OK) {
        const int line = p->line;
        err = fm_playback_next(p, &ev, NULL, &v->fault);
        const size_t i = (size_t)v->moves;
        if (err == FM_OK && (i >= t->n_events || !same_event(&ev, &t->event[i]))) {
            err = fm_fail(&v->fault, FM_E_RECORD, "this is not what was done at this table");
            v->fault.line = line;
        }
        if (err == FM_OK)
            v->moves++;
    }
    if (err == FM_E_OVER && (size_t)v->moves < t->n_events) {
        err = fm_fail(&v->fault, FM_E_RECORD, "moves are missing at the end");
        v->fault.line = p->line;
        p->stage = FM_AT_MOVES;
    }
    v->line = v->fault.line;
    v->stage = err == FM_E_OVER          ? FINE
               : p->stage == FM_AT_BYTES ? stage_of_line(v->line, text, n)
                                         : p->stage;
}

/* {"step":…,"ok":…,"line":…: "ok" is null for what was not reached. A fault in the bytes is found
 * before anything is read. */
static void begin_step(struct fm_out *o, const char *name, const struct verdict *v,
                       enum fm_stage stage)
{
    fm_js_object(o);
    fm_js_key_text(o, "step", name);
    fm_js_key(o, "ok");
    if (stage == v->stage)
        fm_js_bool(o, false);
    else if (stage > v->stage || v->playback.stage == FM_AT_BYTES)
        fm_js_null(o);
    else
        fm_js_bool(o, true);
    fm_js_key(o, "line");
    if (stage == v->stage && v->line > 0)
        fm_js_int(o, v->line);
    else
        fm_js_null(o);
}

static void put_hex_or_null(struct fm_out *o, const char *key, bool there, const uint8_t bytes[32])
{
    fm_js_key(o, key);
    if (there)
        fm_js_hex(o, bytes, 32);
    else
        fm_js_null(o);
}

static void put_verdict(struct fm_out *o, const struct verdict *v, const struct srv_table *t)
{
    const struct fm_playback *p = &v->playback;
    const bool dealt = p->has_commitment && v->stage > FM_AT_COMMITMENT;
    fm_js_object(o);
    fm_js_key(o, "ok");
    fm_js_bool(o, v->stage == FINE);
    fm_js_key(o, "steps");
    fm_js_array(o);
    begin_step(o, "commitment", v, FM_AT_COMMITMENT);
    put_hex_or_null(o, "shown", true, t->commitment);
    put_hex_or_null(o, "computed", p->has_commitment, p->commitment);
    fm_js_end_object(o);
    begin_step(o, "deal", v, FM_AT_DEAL);
    put_hex_or_null(o, "seed", dealt, p->seed);
    fm_js_key(o, "contributions");
    fm_js_array(o);
    for (unsigned i = 0; dealt && i < p->setup.n_seats; i++)
        fm_js_hex(o, p->fair.entropy[i], p->fair.entropy_n[i]);
    fm_js_end_array(o);
    put_hex_or_null(o, "dealt", dealt, p->setup.seed);
    fm_js_end_object(o);
    begin_step(o, "moves", v, FM_AT_MOVES);
    fm_js_key_int(o, "moves", v->moves);
    fm_js_end_object(o);
    begin_step(o, "result", v, FM_AT_RESULT);
    fm_js_end_object(o);
    fm_js_end_array(o);
    fm_js_key_text(o, "message", v->stage == FINE ? NULL : v->fault.text);
    fm_js_end_object(o);
}

static void verify(struct srv_job *job, const struct fm_library *library)
{
    const struct srv_table *t = &job->place->table;
    struct verdict *v = calloc(1, sizeof *v);
    struct fm_out o;
    job->text = malloc(8192);
    if (v == NULL || job->text == NULL) {
        job->err = fm_fail_plain(&job->fault, FM_E_MEMORY);
        free(v);
        return;
    }
    judge(v, t, job->record, job->record_n, library);
    fm_out_init(&o, job->text, 8192);
    put_verdict(&o, v, t);
    fm_assert(fm_out_ok(&o));
    job->n = o.len;
    free(v);
}

/* ---- the thread ----------------------------------------------------------------------------- */

static void *work(void *arg)
{
    struct srv_after *a = arg;
    (void)pthread_mutex_lock(&a->lock);
    while (!a->closing) {
        struct srv_job *job = a->first;
        if (job == NULL) {
            (void)pthread_cond_wait(&a->news, &a->lock);
            continue;
        }
        a->first = job->next;
        if (a->first == NULL)
            a->last = &a->first;
        const bool wanted = job->call != NULL;
        (void)pthread_mutex_unlock(&a->lock);
        srv_crash_at(&job->place->table.id, 0);
        if (wanted && job->verifies)
            verify(job, a->library);
        else if (wanted)
            replay(job, a->step);
        (void)pthread_mutex_lock(&a->lock);
        job->next = a->done;
        a->done = job;
        (void)pthread_mutex_unlock(&a->lock);
        a->net.wake(a->net.arg);
        (void)pthread_mutex_lock(&a->lock);
    }
    (void)pthread_mutex_unlock(&a->lock);
    return NULL;
}

struct srv_after *srv_after_create(const struct fm_library *library, const struct srv_net *net)
{
    struct srv_after *a = calloc(1, sizeof *a);
    if (a == NULL || (a->step = malloc(STEP_MAX)) == NULL) {
        free(a);
        return NULL;
    }
    a->library = library;
    a->net = *net;
    a->last = &a->first;
    (void)pthread_mutex_init(&a->lock, NULL);
    (void)pthread_cond_init(&a->news, NULL);
    if (pthread_create(&a->thread, NULL, work, a) == 0)
        return a;
    (void)pthread_mutex_destroy(&a->lock);
    (void)pthread_cond_destroy(&a->news);
    free(a->step);
    free(a);
    return NULL;
}

static void job_free(struct srv_job *job)
{
    free(job->record);
    free(job->text);
    free(job);
}

void srv_after_destroy(struct srv_after *a)
{
    if (a == NULL)
        return;
    (void)pthread_mutex_lock(&a->lock);
    a->closing = true;
    (void)pthread_cond_signal(&a->news);
    (void)pthread_mutex_unlock(&a->lock);
    (void)pthread_join(a->thread, NULL);
    for (size_t i = 0; i < JOBS; i++)
        if (a->job[i] != NULL)
            job_free(a->job[i]);
    (void)pthread_mutex_destroy(&a->lock);
    (void)pthread_cond_destroy(&a->news);
    free(a->step);
    free(a);
}

/* ---- the loop's side ------------------------------------------------------------------------ */

static void remember(struct srv_place *p, struct srv_job *job)
{
    free(p->verdict);
    p->verdict = job->text;
    p->verdict_n = job->n;
    memcpy(p->verdict_of, job->hash, sizeof p->verdict_of);
    job->text = NULL;
}

static void answer_job(struct srv_hall *h, struct srv_job *job)
{
    const struct fm_out o = {.buf = job->text, .cap = job->n + 1, .len = job->n};
    if (job->call == NULL)
        return;
    job->call->job = NULL;
    if (job->err != FM_OK) {
        srv_answer_error(h, job->call, &job->fault);
        return;
    }
    job->call->gzip = job->gzip;
    srv_answer_out(h, job->call, 200, &o);
    if (job->verifies)
        remember(job->place, job);
}

/* A place among those that are under way: it is heard of hanging up. False: there is none. */
static bool enlist(struct srv_hall *h, struct srv_job *job)
{
    struct srv_after *a = h->after;
    struct fm_fault fault = {.action = -1};
    size_t i = 0;
    while (i < JOBS && a->job[i] != NULL)
        i++;
    if (i == JOBS) {
        fm_fail_plain(&fault, FM_E_BUSY);
        srv_answer_error(h, job->call, &fault);
        job_free(job);
        return false;
    }
    a->job[i] = job;
    job->call->job = job;
    job->place->thinking++; /* it stays in memory meanwhile */
    return true;
}

static void strike(struct srv_hall *h, struct srv_job *job)
{
    struct srv_after *a = h->after;
    if (job->call != NULL)
        job->call->job = NULL;
    job->place->thinking--;
    for (size_t i = 0; i < JOBS; i++)
        if (a->job[i] == job)
            a->job[i] = NULL;
    job_free(job);
}

static void queue(struct srv_hall *h, struct srv_job *job)
{
    struct srv_after *a = h->after;
    (void)pthread_mutex_lock(&a->lock);
    job->next = NULL;
    *a->last = job;
    a->last = &job->next;
    (void)pthread_cond_signal(&a->news);
    (void)pthread_mutex_unlock(&a->lock);
}

void srv_after_settle(struct srv_hall *h)
{
    struct srv_after *a = h->after;
    (void)pthread_mutex_lock(&a->lock);
    struct srv_job *job = a->done;
    a->done = NULL;
    (void)pthread_mutex_unlock(&a->lock);
    while (job != NULL) {
        struct srv_job *next = job->next;
        answer_job(h, job);
        job->call = NULL; /* it has its answer, and may wait for another job by now */
        strike(h, job);
        job = next;
    }
}

void srv_after_hung_up(struct srv_after *a, struct srv_call *call)
{
    (void)pthread_mutex_lock(&a->lock);
    call->job->call = NULL;
    (void)pthread_mutex_unlock(&a->lock);
    call->job = NULL;
}

static bool is_over(const struct srv_place *p, const char *what, struct fm_fault *fault)
{
    if (p->table.state == ST_OVER)
        return true;
    fm_fail(fault, FM_E_PHASE, "%s once the game is over", what);
    return false;
}

/* A seat's number, "table" or "open". */
static bool read_who(const struct srv_place *p, const char *text, int *who, struct fm_fault *fault)
{
    if (strcmp(text, "table") == 0)
        *who = FM_WATCHER;
    else if (strcmp(text, "open") == 0)
        *who = OPEN;
    else if (text[0] >= '0' && text[0] <= '9' && text[1] == '\0')
        *who = text[0] - '0';
    else
        return fm_fail_plain(fault, FM_E_NO_PATH), false;
    if (*who >= p->table.setup.n_seats)
        return fm_fail_plain(fault, FM_E_SEAT), false;
    return true;
}

void srv_get_replay(struct srv_hall *h, struct srv_call *call, struct srv_place *p,
                    const char *text)
{
    struct fm_fault fault = {.action = -1};
    int who = 0;
    struct srv_job *job = NULL;
    if (read_who(p, text, &who, &fault) && is_over(p, "there is a replay", &fault)) {
        job = calloc(1, sizeof *job);
        if (job == NULL)
            fm_fail_plain(&fault, FM_E_MEMORY);
    }
    if (job == NULL) {
        srv_answer_error(h, call, &fault);
        return;
    }
    job->call = call;
    job->place = p;
    job->who = who;
    job->gzip = call->takes_gzip;
    if (enlist(h, job))
        queue(h, job);
}

/* The record is here: what was found out about these very bytes is remembered. */
static void verify_record(struct srv_hall *h, struct srv_record *r)
{
    struct srv_job *job = r->arg;
    const struct srv_place *p = job->place;
    job->record = r->text;
    job->record_n = r->n;
    r->text = NULL;
    struct srv_call *const call = job->call;
    if (r->err != FM_OK) {
        strike(h, job);
        if (call != NULL)
            srv_answer_error(h, call, &r->fault);
        return;
    }
    fm__hash(job->hash, "fathom verify 1", &(struct fm_span){job->record, job->record_n}, 1);
    if (p->verdict != NULL && memcmp(p->verdict_of, job->hash, sizeof job->hash) == 0) {
        const struct fm_out o = {.buf = p->verdict, .cap = p->verdict_n + 1, .len = p->verdict_n};
        strike(h, job);
        srv_answer_out(h, call, 200, &o);
        return;
    }
    queue(h, job);
}

/* The record is read from the store each time. */
void srv_get_verify(struct srv_hall *h, struct srv_call *call, struct srv_place *p)
{
    struct fm_fault fault = {.action = -1};
    struct srv_job *job =
        is_over(p, "the record can be checked", &fault) ? calloc(1, sizeof *job) : NULL;
    if (job == NULL) {
        if (p->table.state == ST_OVER)
            fm_fail_plain(&fault, FM_E_MEMORY);
        srv_answer_error(h, call, &fault);
        return;
    }
    job->call = call;
    job->place = p;
    job->verifies = true;
    if (!enlist(h, job) || srv_read_record(h, &p->table.id, NULL, verify_record, job))
        return;
    fm_fail_plain(&fault, FM_E_MEMORY);
    strike(h, job);
    srv_answer_error(h, call, &fault);
}
