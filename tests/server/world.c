/* world.c: a hall whose network is memory. */
#include "server/world.h"

#include "base/hash.h"
#include "base/panic.h"

#include <dirent.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- chance --------------------------------------------------------------------------------- */

static struct world *ruling;

uint64_t world_chance(void)
{
    fm_assert(ruling != NULL);
    uint64_t z = ruling->chance += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

struct world *world_ruling(void)
{
    return ruling;
}

static const char *chance_name(void)
{
    return "test";
}

static uint32_t chance_u32(void)
{
    return (uint32_t)world_chance();
}

static void chance_bytes(void *const bytes, const size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)world_chance();
}

void world_rule(struct world *w)
{
    static struct randombytes_implementation chance = {
        .implementation_name = chance_name, .random = chance_u32, .buf = chance_bytes};
    const bool first = ruling == NULL;
    ruling = w;
    if (first) {
        fm_assert(randombytes_set_implementation(&chance) == 0);
        fm_assert(fm__hash_start() == 0);
    }
}

/* ---- mail ----------------------------------------------------------------------------------- */

static void mail_add(struct mail *m, const char *text, size_t n)
{
    if (m->n + n + 2 > m->cap) {
        m->cap = 2 * (m->n + n + 2);
        m->text = realloc(m->text, m->cap);
        fm_assert(m->text != NULL);
    }
    memcpy(m->text + m->n, text, n);
    m->n += n;
    m->text[m->n++] = '\n';
    m->text[m->n] = '\0';
    m->lines++;
}

void mail_clear(struct mail *m)
{
    m->n = m->lines = 0;
    if (m->text != NULL)
        m->text[0] = '\0';
}

static void mail_finish(struct mail *m)
{
    free(m->text);
    *m = (struct mail){0};
}

static json_t *mail_search(const struct mail *m, const char *key, unsigned *count)
{
    json_t *last = NULL;
    *count = 0;
    for (size_t at = 0; at < m->n;) {
        const size_t n = strcspn(m->text + at, "\n");
        json_t *json = json_loadb(m->text + at, n, 0, NULL);
        fm_assert(json != NULL); /* whatever is sent is JSON */
        if (json_object_get(json, key) != NULL) {
            json_decref(last);
            last = json_incref(json);
            ++*count;
        }
        json_decref(json);
        at += n + 1;
    }
    return last;
}

json_t *mail_last(const struct mail *m, const char *key)
{
    unsigned count;
    return mail_search(m, key, &count);
}

unsigned mail_count(const struct mail *m, const char *key)
{
    unsigned count;
    json_decref(mail_search(m, key, &count));
    return count;
}

/* ---- the network ---------------------------------------------------------------------------- */

static bool begins(const char *text, size_t n, const char *with)
{
    return n >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

static void net_send(void *arg, struct srv_stream *stream, const char *text, size_t n)
{
    struct world *w = arg;
    struct client *c = (struct client *)stream;
    fm_assert(c->world == w);
    w->n_sent++;
    mail_add(&c->mail, text, n);
    if (w->echo != NULL && w->echo != c && begins(text, n, w->echoes))
        mail_add(&w->echo->mail, text, n);
    if (w->taint != NULL && begins(text, n, "{\"refused\":null"))
        mail_add(&c->mail, w->taint(), strlen(w->taint()));
}

static void net_answer(void *arg, struct srv_call *call, int status, const char *text, size_t n)
{
    struct call *c = (struct call *)call;
    (void)arg;
    fm_assert(c->answers++ == 0);
    fm_assert(call->request == NULL && call->picture == NULL && call->job == NULL);
    fm_assert(status >= 200 && status < 600);
    c->status = status;
    mail_add(&c->mail, text, n);
}

static void net_ping(void *arg, struct srv_stream *stream)
{
    (void)arg;
    ((struct client *)stream)->pings++;
}

static void net_misunderstood(void *arg, struct srv_stream *stream)
{
    (void)arg;
    ((struct client *)stream)->misunderstood = true;
}

static void net_ask_reconnect(void *arg, struct srv_stream *stream)
{
    (void)arg;
    ((struct client *)stream)->away = true;
}

static void net_wake(void *arg)
{
    (void)arg;
}

/* ---- beginning and end ---------------------------------------------------------------------- */

static void start(struct world *w)
{
    const struct srv_net net = {.arg = w,
                                .send = net_send,
                                .answer = net_answer,
                                .ping = net_ping,
                                .misunderstood = net_misunderstood,
                                .ask_reconnect = net_ask_reconnect,
                                .wake = net_wake};
    struct fm_fault fault;
    char where[96];
    world_rule(w);
    (void)snprintf(where, sizeof where, "sqlite:%s/hall.db", w->folder);
    w->store = st_open(where, &fault);
    fm_assert(w->store != NULL);
    w->hall = srv_hall_create(w->store, NULL, w->library, &net, &w->limits, w->now_ms, &fault);
    fm_assert(w->hall != NULL);
}

void world_open(struct world *w, uint64_t chance)
{
    const struct srv_limits usual = {.tables = 64, .waiting = 16, .bot_ms = 400, .idle_ms = 60000};
    world_rule(w); /* at first, libsodium takes some of it for itself */
    w->chance = chance;
    w->now_ms = 1700000000000;
    w->limits.tables = w->limits.tables ? w->limits.tables : usual.tables;
    w->limits.waiting = w->limits.waiting ? w->limits.waiting : usual.waiting;
    w->limits.bot_ms = w->limits.bot_ms ? w->limits.bot_ms : usual.bot_ms;
    w->limits.idle_ms = w->limits.idle_ms ? w->limits.idle_ms : usual.idle_ms;
    (void)snprintf(w->folder, sizeof w->folder, "%s/fathom-hall-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    fm_assert(mkdtemp(w->folder) != NULL);
    start(w);
}

void world_join(struct world *w, const struct world *other)
{
    w->chance = ~other->chance;
    w->now_ms = other->now_ms;
    w->limits = other->limits;
    w->guest = true;
    memcpy(w->folder, other->folder, sizeof w->folder);
    start(w);
}

static void stop(struct world *w)
{
    st_drain(w->store);
    srv_hall_destroy(w->hall);
    st_close(w->store);
    w->hall = NULL;
    w->store = NULL;
}

void world_restart(struct world *w)
{
    stop(w);
    start(w);
}

static void remove_folder(const char *folder)
{
    char path[400];
    DIR *d = opendir(folder);
    fm_assert(d != NULL);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            (void)remove(path);
        }
    (void)closedir(d);
    (void)rmdir(folder);
}

void world_close(struct world *w)
{
    stop(w);
    if (!w->guest)
        remove_folder(w->folder);
    json_decref(w->json);
    mail_finish(&w->last.mail);
    memset(w, 0, sizeof *w);
}

/* ---- time ----------------------------------------------------------------------------------- */

/* Something is still to come from the store, or from a bot. Most worlds have one table: the search
 * begins where the last one found a table, and ends when it has seen them all. */
/* Requests that are on their way to the store, or back. */
static bool writes(struct srv_hall *h)
{
    (void)pthread_mutex_lock(&h->lock);
    const bool any = h->ready != NULL || h->settled != NULL;
    (void)pthread_mutex_unlock(&h->lock);
    return any;
}

static bool is_busy(struct world *w)
{
    if (st_stats(w->store).waiting > 0 || srv_reads(w->hall) > 0 || writes(w->hall))
        return true;
    const size_t begin = w->first_bucket;
    unsigned seen = 0;
    for (size_t i = 0; i < SRV_BUCKETS && seen < w->hall->n_slots; i++) {
        const size_t at = (begin + i) % SRV_BUCKETS;
        for (const struct srv_slot *slot = w->hall->bucket[at]; slot != NULL; slot = slot->next) {
            if (seen++ == 0)
                w->first_bucket = at;
            if (slot->in_flight != NULL || slot->first != NULL || slot->n_jobs > 0 ||
                slot->table.seq == 0)
                return true;
        }
    }
    return false;
}

void world_settle(struct world *w)
{
    const struct timespec moment = {.tv_nsec = 200000};
    world_rule(w);
    for (int i = 0;; i++) {
        st_drain(w->store);
        srv_hall_settle(w->hall, w->now_ms);
        if (!is_busy(w))
            return;
        fm_assert(i < 100000);
        if (i > 2) /* a bot thinks */
            (void)nanosleep(&moment, NULL);
    }
}

void world_read(struct world *w)
{
    const struct timespec moment = {.tv_nsec = 20000};
    world_rule(w);
    for (int i = 0; srv_reads(w->hall) > 0; i++) {
        fm_assert(i < 1000000);
        srv_reads_begin(w->hall);
        srv_reads_settle(w->hall);
        if (srv_reads(w->hall) > 0)
            (void)nanosleep(&moment, NULL);
    }
}

void world_pass(struct world *w, uint64_t ms)
{
    const uint64_t end = w->now_ms + ms;
    world_rule(w);
    while (w->now_ms < end) {
        w->now_ms = end - w->now_ms > 50 ? w->now_ms + 50 : end;
        srv_hall_tick(w->hall, w->now_ms);
        world_settle(w);
    }
}

/* ---- requests ------------------------------------------------------------------------------- */

void world_send(struct world *w, struct call *c, const char *method, const char *token,
                const char *body, const char *path)
{
    const struct srv_http_request r = {.method = method,
                                       .path = path,
                                       .token = token,
                                       .body = body,
                                       .n = body != NULL ? strlen(body) : 0,
                                       .address = c->address};
    world_rule(w);
    c->call = (struct srv_call){.takes_gzip = c->call.takes_gzip};
    c->answers = 0;
    c->status = 0;
    mail_clear(&c->mail);
    srv_hall_request(w->hall, &c->call, &r, w->now_ms);
}

void call_finish(struct call *c)
{
    mail_finish(&c->mail);
}

int world_ask(struct world *w, const char *method, const char *token, const char *body,
              const char *format, ...)
{
    char path[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(path, sizeof path, format, args);
    va_end(args);
    world_send(w, &w->last, method, token, body, path);
    world_settle(w);
    fm_assert(w->last.answers == 1);
    json_decref(w->json);
    w->json = json_loads(w->last.mail.text, 0, NULL);
    return w->last.status;
}

const char *world_text(const struct world *w, const char *key)
{
    const char *text = json_string_value(json_object_get(w->json, key));
    return text != NULL ? text : "";
}

const char *world_code(const struct world *w)
{
    const char *text =
        json_string_value(json_object_get(json_object_get(w->json, "error"), "code"));
    return text != NULL ? text : "";
}

/* ---- streams -------------------------------------------------------------------------------- */

void client_open(struct client *c, struct world *w, const char *table)
{
    memset(c, 0, sizeof *c);
    c->world = w;
    (void)snprintf(c->path, sizeof c->path, "/api/tables/%s/live", table);
}

bool client_say(struct client *c, const char *format, ...)
{
    static char text[1 << 16];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fm_assert(n >= 0 && (size_t)n < sizeof text);
    world_rule(c->world);
    c->misunderstood = false;
    const bool fine =
        srv_hall_message(c->world->hall, &c->stream, c->path, text, (size_t)n, c->world->now_ms);
    if (c->stream.parked != NULL) /* a hello to a table that has to be read */
        world_read(c->world);
    return fine && !c->misunderstood;
}

void client_leave(struct client *c)
{
    world_rule(c->world);
    srv_hall_stream_closed(c->world->hall, &c->stream);
}

void client_finish(struct client *c)
{
    if (c->world != NULL && c->world->hall != NULL)
        client_leave(c);
    mail_finish(&c->mail);
}

struct srv_slot *world_slot(struct world *w, const char *table)
{
    struct st_id id;
    fm_assert(fm__unhex(id.bytes, sizeof id.bytes, table) == 0);
    return srv_slot_known(w->hall, &id);
}
