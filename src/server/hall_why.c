/*
 * hall_why.c: why a bot did something: its reasons, and the chances of its move and of others.
 *
 * While the game goes on, the answer follows only from the asker's own view before the move and
 * from what the asker was told of the move (bots/why.h): worlds are dealt from these, and nothing
 * else of the match is used. Moves that the asker could not notice are passed over. Once the game
 * is over, moves are explained from what the bot itself knew.
 *
 * The work is done in small pieces, on the threads that bots think on: a bot that waits comes
 * first.
 */
#include "server/hall_replay.h"
#include "server/table_internal.h"

#include "base/panic.h"
#include "bots/why.h"
#include "core/bot_chance.h"

#include <stdlib.h>
#include <string.h>

#define JOBS       64   /* most at a time; more are refused ... */
#define OF_ADDRESS 4    /* ... and of one address */
#define ADDRESS    64   /* characters of an address */
#define TEXT       8192 /* bytes of an answer */
#define PIECE_US   4000 /* after this long, a thread looks for bots that wait */
#define MAX_SEQ    1000000000

struct srv_why_job {
    struct srv_why_job *next;  /* queued or done */
    struct srv_why_job *other; /* in the list of all */
    struct srv_call *call;     /* only for the loop's thread; NULL: nobody waits any more */
    struct srv_slot *slot;     /* likewise */
    bool stale;                /* under the lock: nobody waits */
    char address[ADDRESS];
    /* the question */
    struct st_id table;
    const struct fm_game *game;
    const struct fm_bot *bot;
    const struct fm_eyes *eyes;
    uint8_t seed[FM_SEED_BYTES]; /* the table's; only for what the bot saw */
    int who;                     /* a seat, FM_WATCHER or SRV_OPEN */
    uint32_t seq;
    unsigned seat;
    bool over;
    uint32_t worlds;
    struct fm_event *event;
    size_t n_events;
    uint32_t *persons; /* what a person, not the bot, did in this seat: the seat's seq after each */
    size_t n_persons;
    /* the work */
    bool begun, done;
    uint16_t length; /* of the match before the move: its turn or round */
    fm_action played;
    struct why why;
    struct fm_sight sight;
    _Alignas(8) uint8_t memory[WHY_MEMORY];
    _Alignas(8) uint8_t match[FM_STATE_MAX];  /* as it was dealt, at first */
    _Alignas(8) uint8_t before[FM_STATE_MAX]; /* a view */
    /* what came of it */
    enum fm_err err;
    char text[TEXT];
    size_t n;
};

/* ---- on the bots' threads: the match before the move ----------------------------------------- */

/* How much of the match the asker has noticed. */
static uint32_t seq_of(const struct srv_why_job *job, const void *match)
{
    const struct fm_game *g = job->game;
    const struct fm_secret *secret = (const void *)((const char *)match + g->secret_off);
    return job->who == SRV_OPEN ? secret->n_events : fm_view_seq(fm_view_of(g, match, job->who));
}

static bool is_persons(const struct srv_why_job *job, uint32_t seq)
{
    for (size_t i = 0; i < job->n_persons; i++)
        if (job->persons[i] == seq)
            return true;
    return false;
}

static bool explains(const struct srv_why_job *job, fm_action action)
{
    const struct fm_reasoning *r = fm__reasoning_of(job->game);
    return r->explains == NULL || r->explains(action);
}

/* Is this event a choice of the bot that may be explained to the asker? before: how much the asker
 * had noticed; match: after the event. */
static bool is_choice(const struct srv_why_job *job, const struct fm_event *ev, uint32_t before,
                      const void *match)
{
    const struct fm_game *g = job->game;
    return ev->seat == job->seat && explains(job, ev->action) &&
           (job->over || seq_of(job, match) != before) &&
           !is_persons(job, fm_view_seq(fm_view_of(g, match, (int)job->seat)));
}

/* The last such event up to the change that was asked about; n_events: there is none. */
static size_t find_choice(const struct srv_why_job *job)
{
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    size_t found = job->n_events;
    memcpy(match, job->match, sizeof match);
    for (size_t i = 0; i < job->n_events && seq_of(job, match) < job->seq; i++) {
        const uint32_t before = seq_of(job, match);
        fm_assert(fm_apply(job->game, match, &job->event[i], NULL) == FM_OK);
        if (is_choice(job, &job->event[i], before, match))
            found = i;
    }
    return found;
}

/* Whose view the answer is made from. */
static int eyes_of(const struct srv_why_job *job)
{
    return job->over ? (int)job->seat : job->who;
}

/* A view of the match as it is now, in the job's own memory. */
static struct fm_view keep_view(struct srv_why_job *job)
{
    const struct fm_game *g = job->game;
    const int seat = eyes_of(job);
    uint8_t *bytes = job->before;
    fm_assert(fm_view_copy(fm_view_of(g, job->match, seat), bytes, sizeof job->before) > 0);
    return (struct fm_view){.game = g,
                            .pub = (const void *)bytes,
                            .priv = seat == FM_WATCHER ? NULL : (const void *)(bytes + g->pub_size),
                            .seat = seat};
}

static void hear(struct srv_why_job *job, const struct fm_notes *notes)
{
    const struct fm_reasoning *r = fm__reasoning_of(job->game);
    for (size_t i = 0; i < notes->len && r->hear != NULL; i++) {
        struct fm_note note = notes->item[i];
        if (fm_note_cut(&note, eyes_of(job)))
            r->hear(job->memory, (const void *)job->match, &note);
    }
}

/* Draws what the bot saw, exactly as when it was asked to choose: hall_bots.c. */
static void look(struct srv_why_job *job, uint32_t *asked)
{
    const struct fm_game *g = job->game;
    const struct fm_pub *pub = (const void *)job->match;
    const uint32_t seq = fm_view_seq(fm_view_of(g, job->match, (int)job->seat));
    struct fm_rng rng;
    if (!job->over || g->look == NULL || !(pub->may >> job->seat & 1) || seq == *asked)
        return;
    *asked = seq;
    fm__bot_rng(&rng, job->seed, job->seat, "look", seq);
    g->look(job->match, job->eyes, &rng, &job->sight);
}

static struct fm_note first_told(const struct srv_why_job *job, const struct fm_notes *notes)
{
    for (size_t i = 0; i < notes->len; i++) {
        struct fm_note note = notes->item[i];
        if (fm_note_cut(&note, eyes_of(job)))
            return note;
    }
    return (struct fm_note){0};
}

/* Plays the match up to the choice, and asks about it. */
static void begin(struct srv_why_job *job)
{
    const struct fm_game *g = job->game;
    const size_t at = find_choice(job);
    struct fm_notes notes = {0};
    struct fm_outcome outcome;
    uint32_t asked = UINT32_MAX;
    if (at == job->n_events) {
        /* where choices are made in secret, there may be one that is not for others to know */
        job->err = !job->over && g->hidden_verbs != 0 ? FM_E_NOT_NOW : FM_E_NO_REASON;
        return;
    }
    look(job, &asked);
    for (size_t i = 0; i < at; i++) {
        notes.len = 0;
        fm_assert(fm_apply(g, job->match, &job->event[i], &notes) == FM_OK);
        hear(job, &notes);
        look(job, &asked);
    }
    g->outcome(job->match, &outcome);
    job->length = outcome.length;
    job->played = job->event[at].action;
    const struct fm_view before = keep_view(job);
    notes.len = 0;
    fm_assert(fm_apply(g, job->match, &job->event[at], &notes) == FM_OK);
    const struct why_question q = {
        .before = before,
        .seat = job->seat,
        .played = job->played,
        .told = first_told(job, &notes),
        .memory = job->memory,
        .budget = {.eyes = job->eyes, .sight = job->sight.scene != 0 ? &job->sight : NULL}};
    fm__why_begin(&job->why, &q, job->worlds);
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void put_candidate(struct fm_out *o, const struct srv_why_job *job, size_t i)
{
    const struct why_option *option = &job->why.option[i];
    fm_js_object(o);
    fm_js_key(o, "action");
    fm_put_action(o, job->game, option->action);
    fm_js_key(o, "value");
    fm_js_fixed(o, fm__why_value(option), 3);
    fm_js_key(o, "se");
    fm_js_fixed(o, fm__why_error(option), 3);
    fm_js_key(o, "played");
    fm_js_bool(o, i == 0);
    fm_js_end_object(o);
}

static void put_answer(struct srv_why_job *job)
{
    struct fm_out o;
    fm_out_init(&o, job->text, sizeof job->text);
    fm_js_object(&o);
    fm_js_key_int(&o, "seat", job->seat);
    fm_js_key_text(&o, "bot", job->bot->id);
    fm_js_key_int(&o, "turn", job->length);
    fm_js_key_word(&o, "from", job->over ? "bot" : "view");
    fm_js_key(&o, "reason");
    fm__why_put_reason(&o, &job->why);
    fm_js_key_int(&o, "worlds", job->why.option[0].n);
    fm_js_key(&o, "candidates");
    fm_js_array(&o);
    for (size_t i = 0; i < job->why.n; i++)
        put_candidate(&o, job, i);
    fm_js_end_array(&o);
    fm_js_end_object(&o);
    fm_assert(fm_out_ok(&o));
    job->n = o.len;
}

/* A piece of the work. */
static void work(struct srv_why_job *job)
{
    const uint64_t end_us = srv_now_us() + PIECE_US;
    srv_crash_at(&job->table, job->n_events);
    if (!job->begun)
        begin(job);
    job->begun = true;
    job->done = job->err != FM_OK;
    while (!job->done && srv_now_us() < end_us)
        job->done = fm__why_step(&job->why);
    if (job->done && job->err == FM_OK && job->why.n == 0)
        job->err = FM_E_NOT_NOW; /* it cannot be explained without saying what is secret */
    if (job->done && job->err == FM_OK)
        put_answer(job);
    srv_crash_at(NULL, 0);
}

bool srv_why_work(struct srv_hall *h)
{
    struct srv_why_job *job = h->why_queue;
    if (job == NULL)
        return false;
    h->why_queue = job->next;
    if (h->why_queue == NULL)
        h->why_queue_last = &h->why_queue;
    job->next = NULL;
    if (!job->stale) {
        (void)pthread_mutex_unlock(&h->lock);
        work(job);
        (void)pthread_mutex_lock(&h->lock);
    }
    if (!job->done && !job->stale) { /* others come first */
        *h->why_queue_last = job;
        h->why_queue_last = &job->next;
        return true;
    }
    job->next = h->why_done;
    h->why_done = job;
    (void)pthread_mutex_unlock(&h->lock);
    h->net.wake(h->net.arg);
    (void)pthread_mutex_lock(&h->lock);
    return true;
}

/* ---- the loop's side ------------------------------------------------------------------------- */

static void job_free(struct srv_why_job *job)
{
    if (job == NULL)
        return;
    free(job->event);
    free(job->persons);
    free(job);
}

static void strike(struct srv_hall *h, struct srv_why_job *job)
{
    struct srv_why_job **at = &h->whys;
    while (*at != job)
        at = &(*at)->other;
    *at = job->other;
    h->n_whys--;
    job->slot->n_jobs--;
    job_free(job);
}

void srv_why_settle(struct srv_hall *h)
{
    (void)pthread_mutex_lock(&h->lock);
    struct srv_why_job *job = h->why_done;
    h->why_done = NULL;
    (void)pthread_mutex_unlock(&h->lock);
    while (job != NULL) {
        struct srv_why_job *next = job->next;
        struct srv_call *call = job->call;
        const struct fm_out o = {.buf = job->text, .cap = sizeof job->text, .len = job->n};
        struct fm_fault fault = {.action = -1};
        if (call != NULL)
            call->why = NULL;
        if (call != NULL && job->err != FM_OK) {
            fm_fail_plain(&fault, job->err);
            srv_answer_error(h, call, &fault);
        } else if (call != NULL) {
            srv_answer_out(h, call, 200, &o);
        }
        strike(h, job);
        job = next;
    }
}

void srv_why_hung_up(struct srv_hall *h, struct srv_call *call)
{
    (void)pthread_mutex_lock(&h->lock);
    call->why->stale = true;
    (void)pthread_mutex_unlock(&h->lock);
    call->why->call = NULL;
    call->why = NULL;
}

void srv_why_stop(struct srv_hall *h)
{
    for (struct srv_why_job *job = h->whys, *next; job != NULL; job = next) {
        next = job->other;
        job_free(job);
    }
    h->whys = NULL;
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static bool read_number(const char **text, uint32_t *number)
{
    uint64_t n = 0;
    const char *at = *text;
    for (; *at >= '0' && *at <= '9' && n < MAX_SEQ; at++)
        n = 10 * n + (uint64_t)(*at - '0');
    if (at == *text || n >= MAX_SEQ)
        return false;
    *text = at;
    *number = (uint32_t)n;
    return true;
}

/* "WHO/SEQ/SEAT" */
static bool read_question(struct srv_why_job *job, const char *text)
{
    char who[8];
    uint32_t seat = 0;
    const size_t n = strcspn(text, "/");
    if (n >= sizeof who || text[n] != '/')
        return false;
    memcpy(who, text, n);
    who[n] = '\0';
    text += n + 1;
    if (!srv_read_who(who, &job->who) || !read_number(&text, &job->seq) || *text++ != '/' ||
        !read_number(&text, &seat) || *text != '\0')
        return false;
    job->seat = seat;
    return true;
}

/* May this client ask with the view of job->who? After the game, any view is allowed. */
static enum fm_err check_who(const struct srv_why_job *job, const struct srv_table *t,
                             const char *token)
{
    int seat = FM_WATCHER;
    if (job->who >= t->setup.n_seats || job->seat >= t->setup.n_seats)
        return FM_E_SEAT;
    if (t->state == ST_OVER)
        return FM_OK;
    if (t->state != ST_PLAYING)
        return FM_E_NOT_STARTED;
    if (job->who == SRV_OPEN)
        return FM_E_NOT_OVER;
    if (job->who == FM_WATCHER)
        return FM_OK;
    if (token == NULL || srv_token_role(t, token, &seat) == 0)
        return FM_E_NO_TOKEN_GIVEN;
    return seat == job->who ? FM_OK : FM_E_FORBIDDEN;
}

static bool is_too_much(const struct srv_hall *h, const char *address)
{
    unsigned n = 0;
    for (const struct srv_why_job *job = h->whys; job != NULL; job = job->other)
        n += strncmp(job->address, address, ADDRESS - 1) == 0;
    return h->n_whys >= JOBS || n >= OF_ADDRESS;
}

/* The job gets copies: the table goes on. */
static bool copy_table(struct srv_why_job *job, const struct srv_table *t)
{
    struct fm_setup setup;
    job->event = malloc((t->n_events + 1) * sizeof *job->event);
    job->persons = malloc((t->n_done + 1) * sizeof *job->persons);
    if (job->event == NULL || job->persons == NULL)
        return false;
    fm_assert(srv_table_redeal(job->match, &setup, t, NULL) == FM_OK);
    job->table = t->id;
    job->game = t->setup.game;
    job->over = t->state == ST_OVER;
    memcpy(job->seed, t->seed, sizeof job->seed);
    job->n_events = t->n_events;
    if (t->n_events > 0)
        memcpy(job->event, t->event, t->n_events * sizeof *job->event);
    for (size_t i = 0; i < t->n_done; i++)
        if (t->done[i].seat == job->seat)
            job->persons[job->n_persons++] = t->done[i].seq;
    return true;
}

static enum fm_err prepare(const struct srv_hall *h, struct srv_why_job *job,
                           const struct srv_table *t, const struct srv_http_request *r,
                           const char *text)
{
    if (!read_question(job, text))
        return FM_E_NO_PATH;
    const enum fm_err err = check_who(job, t, r->token);
    if (err != FM_OK)
        return err;
    job->bot = t->seat[job->seat].bot[0] != '\0'
                   ? fm_bot_find(t->setup.game, t->seat[job->seat].bot)
                   : NULL;
    if (job->bot == NULL)
        return FM_E_NO_REASON;
    for (size_t i = 0; i < ADDRESS - 1 && r->address != NULL && r->address[i] != '\0'; i++)
        job->address[i] = r->address[i];
    if (is_too_much(h, job->address))
        return FM_E_BUSY;
    job->eyes = srv_bot_eyes(h, t, job->bot);
    job->worlds = h->limits.why_worlds;
    return copy_table(job, t) ? FM_OK : FM_E_MEMORY;
}

void srv_get_why(struct srv_hall *h, struct srv_call *call, struct srv_slot *slot,
                 const struct srv_http_request *r, const char *text)
{
    struct fm_fault fault = {.action = -1};
    struct srv_why_job *job = calloc(1, sizeof *job);
    const enum fm_err err = job != NULL ? prepare(h, job, &slot->table, r, text) : FM_E_MEMORY;
    if (err != FM_OK) {
        job_free(job);
        fm_fail_plain(&fault, err);
        srv_answer_error(h, call, &fault);
        return;
    }
    job->call = call;
    call->why = job;
    job->slot = slot;
    slot->n_jobs++; /* it stays in memory meanwhile */
    job->other = h->whys;
    h->whys = job;
    h->n_whys++;
    (void)pthread_mutex_lock(&h->lock);
    *h->why_queue_last = job;
    h->why_queue_last = &job->next;
    (void)pthread_cond_signal(&h->bot_wake);
    (void)pthread_mutex_unlock(&h->lock);
}
