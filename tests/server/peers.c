/* peers.c: opens two halls on one store, passes on or loses their news, and fills a table. */
#include "server/peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world worlds[2];
struct peer_ear listener[2];

unsigned lost_words;

bool store_away;

unsigned n_words[2], n_watch_calls[2];

#define WATCHED 4096

static struct {
    struct st_id table;
    bool by[2];
} watched[WATCHED];

static unsigned n_watched;

bool __wrap_st_shared(const struct st_store *s);
enum fm_err __wrap_st_read_key(struct st_store *s, uint8_t key[ST_KEY_BYTES],
                               struct fm_fault *fault);
enum fm_err __wrap_st_listen(struct st_store *s, st_listener *hear, void *arg,
                             struct fm_fault *fault);
void __wrap_st_notify(struct st_store *s, const struct st_id *table, const void *text, size_t n);
bool __wrap_st_watch(struct st_store *s, const struct st_id *table, bool watches);
enum fm_err __real_st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                               st_each_event *each, void *arg, struct fm_fault *fault);
enum fm_err __wrap_st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                               st_each_event *each, void *arg, struct fm_fault *fault);

bool __wrap_st_shared(const struct st_store *s)
{
    (void)s;
    return true;
}

enum fm_err __wrap_st_read_key(struct st_store *s, uint8_t key[ST_KEY_BYTES],
                               struct fm_fault *fault)
{
    (void)s, (void)fault;
    memset(key, 7, ST_KEY_BYTES);
    return FM_OK;
}

enum fm_err __wrap_st_listen(struct st_store *s, st_listener *hear, void *arg,
                             struct fm_fault *fault)
{
    const int i = listener[HERE].store == NULL ? HERE : THERE;
    (void)fault;
    listener[i].store = s;
    listener[i].hear = hear;
    listener[i].arg = arg;
    return FM_OK;
}

void __wrap_st_notify(struct st_store *s, const struct st_id *table, const void *text, size_t n)
{
    const struct st_notice news = {.kind = ST_MESSAGE, .table = *table, .text = text, .n = n};
    n_words[listener[HERE].store == s ? HERE : THERE]++;
    for (int i = 0; i < 2; i++)
        if (listener[i].store != NULL && listener[i].store != s &&
            world_chance() % 100 >= lost_words)
            listener[i].hear(listener[i].arg, &news);
}

/* Who watches which table; the tables of earlier tests are never asked for again. */
bool __wrap_st_watch(struct st_store *s, const struct st_id *table, bool watches)
{
    const int i = listener[HERE].store == s ? HERE : THERE;
    unsigned at = 0;
    while (at < n_watched && memcmp(&watched[at].table, table, sizeof *table) != 0)
        at++;
    if (at == n_watched) {
        assert_true(n_watched < WATCHED);
        watched[n_watched++].table = *table;
    }
    watched[at].by[i] = watches;
    n_watch_calls[i]++;
    const struct st_notice news = {
        .kind = ST_WATCHED, .table = *table, .others = watched[at].by[1 - i]};
    if (watches)
        listener[i].hear(listener[i].arg, &news);
    return true;
}

enum fm_err __wrap_st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                               st_each_event *each, void *arg, struct fm_fault *fault)
{
    return store_away ? fm_fail(fault, FM_E_STORE, "it is away")
                      : __real_st_read_log(s, table, from, each, arg, fault);
}

static void open_worlds(void)
{
    memset(listener, 0, sizeof listener);
    memset(watched, 0, sizeof watched);
    n_watched = 0;
    n_words[HERE] = n_words[THERE] = n_watch_calls[HERE] = n_watch_calls[THERE] = 0;
    lost_words = 0;
    store_away = false;
    world_open(&worlds[HERE], 11);
    world_join(&worlds[THERE], &worlds[HERE]);
}

int open_both(void **state)
{
    (void)state;
    open_worlds();
    return 0;
}

int close_both(void **state)
{
    (void)state;
    world_settle(&worlds[THERE]);
    world_settle(&worlds[HERE]);
    world_close(&worlds[THERE]);
    world_close(&worlds[HERE]);
    return 0;
}

void settle_both(void)
{
    for (int i = 0; i < 3; i++) { /* an answer may be a question again */
        world_settle(&worlds[HERE]);
        world_settle(&worlds[THERE]);
    }
}

void pass(uint64_t ms)
{
    for (uint64_t at = 0; at < ms; at += 50) {
        world_pass(&worlds[HERE], 50);
        world_pass(&worlds[THERE], 50);
    }
    settle_both();
}

void tell(int whom, enum st_notice_kind kind, const char *table)
{
    const struct srv_slot *from = world_slot(&worlds[1 - whom], table);
    assert_non_null(from);
    const struct st_notice news = {.kind = kind, .table = from->table.id, .seq = from->table.seq};
    listener[whom].hear(listener[whom].arg, &news);
    world_settle(&worlds[whom]);
}

/* ---- a table over both ----------------------------------------------------------------------- */

char id[2 * ST_ID_BYTES + 1], host[SRV_TOKEN_TEXT + 1];

char token[FM_MAX_SEATS][SRV_TOKEN_TEXT + 1];

struct client seat_of[FM_MAX_SEATS], watcher[2];

int n_seats;

void copy_text(char *to, size_t cap, const struct world *w, const char *key)
{
    assert_true(strlen(world_text(w, key)) > 0 && strlen(world_text(w, key)) < cap);
    (void)snprintf(to, cap, "%s", world_text(w, key));
}

int world_of(int seat)
{
    return seat % 2 == 0 ? HERE : THERE;
}

void make(const char *body)
{
    assert_int_equal(world_ask(&worlds[HERE], "POST", NULL, body, "/api/tables"), 201);
    copy_text(id, sizeof id, &worlds[HERE], "table");
    copy_text(host, sizeof host, &worlds[HERE], "host");
    n_seats = world_slot(&worlds[HERE], id)->table.setup.n_seats;
}

void sit(int seat)
{
    char body[64];
    struct world *w = &worlds[world_of(seat)];
    (void)snprintf(body, sizeof body, "{\"name\":\"P%d\",\"seat\":%d}", seat, seat);
    assert_int_equal(world_ask(w, "POST", NULL, body, "/api/tables/%s/seats", id), 201);
    copy_text(token[seat], sizeof token[seat], w, "token");
}

void come(struct client *c, struct world *w, const char *with)
{
    client_open(c, w, id);
    assert_true(with != NULL ? client_say(c, "{\"hello\":\"%s\"}", with)
                             : client_say(c, "{\"hello\":null}"));
}

void begin(const char *body)
{
    make(body);
    for (int seat = 0; seat < n_seats; seat++) {
        sit(seat);
        come(&seat_of[seat], &worlds[1 - world_of(seat)], token[seat]);
    }
    for (int i = 0; i < 2; i++)
        come(&watcher[i], &worlds[i], NULL);
    settle_both();
    assert_int_equal(world_ask(&worlds[THERE], "POST", host, NULL, "/api/tables/%s/start", id),
                     200);
    tell(HERE, ST_WROTE, id);
}

void go(void)
{
    for (int seat = 0; seat < n_seats; seat++)
        client_finish(&seat_of[seat]);
    for (int i = 0; i < 2; i++)
        client_finish(&watcher[i]);
    memset(seat_of, 0, sizeof seat_of);
}

struct srv_table *table_in(int world)
{
    struct srv_slot *slot = world_slot(&worlds[world], id);
    assert_non_null(slot);
    return &slot->table;
}

const char *choose_of(const struct srv_table *t, int seat)
{
    static char text[4096];
    struct fm_rng rng;
    uint8_t seed[FM_SEED_BYTES] = {0};
    struct fm_out o;
    const struct fm_pub *pub = (const void *)t->match;
    const uint64_t chance = world_chance();
    if (t->state != ST_PLAYING || !(pub->may >> seat & 1))
        return NULL;
    memcpy(seed, &chance, sizeof chance);
    fm_rng_init(&rng, seed, 0);
    const fm_action a = t->setup.game->sample(fm_view_of(t->setup.game, t->match, seat), &rng);
    if (a == 0)
        return NULL;
    fm_out_init(&o, text, sizeof text);
    fm_put_action(&o, t->setup.game, a);
    return text;
}

const char *choose(int seat)
{
    return choose_of(table_in(1 - world_of(seat)), seat);
}

void assert_equal_tables(void)
{
    const struct srv_table *a = table_in(HERE), *b = table_in(THERE);
    assert_int_equal(a->seq, b->seq);
    assert_int_equal(a->state, b->state);
    assert_int_equal(a->n_done, b->n_done);
    assert_memory_equal(a->match, b->match, a->setup.game->state_size);
}

void assert_told_in_order(const struct client *c)
{
    int64_t last = -2;
    for (size_t at = 0; at < c->mail.n;) {
        const size_t n = strcspn(c->mail.text + at, "\n");
        json_t *json = json_loadb(c->mail.text + at, n, 0, NULL);
        if (json_object_get(json, "view") != NULL) {
            const int64_t seq = json_integer_value(json_object_get(json, "seq"));
            assert_true(seq > last);
            last = seq;
        }
        json_decref(json);
        at += n + 1;
    }
    const struct srv_table *t = table_in(HERE);
    assert_int_equal(last, fm_view_seq(fm_view_of(t->setup.game, t->match, c->stream.seat)));
}

/* The changes in a mail, a line each; free() it. */
static char *changes_of(const struct mail *m)
{
    char *text = malloc(m->n + 1);
    size_t n = 0;
    assert_non_null(text);
    for (size_t at = 0, line; at < m->n; at += line + 1) {
        line = strcspn(m->text + at, "\n");
        if (strncmp(m->text + at, "{\"seq\"", 6) == 0) {
            memcpy(text + n, m->text + at, line + 1);
            n += line + 1;
        }
    }
    text[n] = '\0';
    return text;
}

void assert_told_the_same(const struct client *a, const struct client *b)
{
    char *of_a = changes_of(&a->mail), *of_b = changes_of(&b->mail);
    assert_true(strlen(of_a) > 0);
    assert_string_equal(of_a, of_b);
    free(of_a);
    free(of_b);
}
