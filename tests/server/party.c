/* party.c: people at a table of a hall without sockets: they sit down, come, and play at random. */
#include "server/party.h"

#include <stdio.h>
#include <string.h>

struct world world;
struct party party;

const char *const bodies[3] = {
    "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"market\":true}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"ten\",\"clock\":20}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"level\":\"divemaster\"}}",
};

int open_world(void **state)
{
    (void)state;
    memset(&party, 0, sizeof party);
    world_open(&world, 42);
    return 0;
}

int close_world(void **state)
{
    (void)state;
    world_settle(&world);
    world_close(&world);
    return 0;
}

void copy_text(char *to, size_t cap, const char *from)
{
    assert_true(strlen(from) > 0 && strlen(from) < cap);
    (void)snprintf(to, cap, "%s", from);
}

void make(struct party *p, const char *body)
{
    memset(p, 0, sizeof *p);
    assert_int_equal(world_ask(&world, "POST", NULL, body, "/api/tables"), 201);
    COPY(p->id, "table");
    COPY(p->code, "code");
    COPY(p->host, "host");
    p->n = world_slot(&world, p->id)->table.setup.n_seats;
}

int sit(struct party *p, int seat)
{
    char body[128];
    (void)snprintf(body, sizeof body, "{\"name\":\"P%d\",\"seat\":%d%s}", seat, seat,
                   seat % 2 == 0 ? ",\"entropy\":\"c0ffee\"" : "");
    const int status = world_ask(&world, "POST", NULL, body, "/api/tables/%s/seats", p->id);
    if (status == 201) {
        COPY(p->token[seat], "token");
        assert_int_equal(json_integer_value(json_object_get(world.json, "seat")), seat);
    }
    return status;
}

void come(struct party *p, int seat)
{
    client_finish(&p->seat[seat]); /* if it was here before */
    client_open(&p->seat[seat], &world, p->id);
    assert_true(client_say(&p->seat[seat], "{\"hello\":\"%s\"}", p->token[seat]));
}

void come_all(struct party *p)
{
    for (int seat = 0; seat < p->n; seat++)
        if (p->token[seat][0] != '\0')
            come(p, seat);
    client_open(&p->watcher, &world, p->id);
    assert_true(client_say(&p->watcher, "{\"hello\":null}"));
}

void go_all(struct party *p)
{
    for (int seat = 0; seat < p->n; seat++)
        client_finish(&p->seat[seat]);
    client_finish(&p->watcher);
}

int begin(struct party *p)
{
    return world_ask(&world, "POST", p->host, NULL, "/api/tables/%s/start", p->id);
}

void open_party(struct party *p, const char *body)
{
    make(p, body);
    for (int seat = 0; seat < p->n; seat++)
        assert_int_equal(sit(p, seat), 201);
    come_all(p);
    assert_int_equal(begin(p), 200);
}

const struct srv_table *table_of(const struct party *p)
{
    const struct srv_slot *slot = world_slot(&world, p->id);
    if (slot == NULL && world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", p->id) == 200)
        slot = world_slot(&world, p->id);
    assert_non_null(slot);
    return &slot->table;
}

const struct fm_pub *pub_of(const struct party *p)
{
    return (const void *)table_of(p)->match;
}

const char *choose(const struct party *p, int seat)
{
    static char text[4096];
    static struct fm_rng rng;
    static bool seeded;
    struct fm_out o;
    if (!seeded)
        fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){7}, 0);
    seeded = true;
    const struct srv_table *t = table_of(p);
    const fm_action a = t->setup.game->sample(fm_view_of(t->setup.game, t->match, seat), &rng);
    fm_out_init(&o, text, sizeof text);
    if (a == 0)
        return NULL;
    fm_put_action(&o, t->setup.game, a);
    return text;
}

void step(struct party *p)
{
    static unsigned number;
    const struct fm_pub *pub = pub_of(p);
    const unsigned asked = pub->owes != 0 ? pub->owes : pub->may;
    const unsigned from = (unsigned)(world_chance() % 7);
    for (unsigned i = 0; i < FM_MAX_SEATS; i++) {
        const int seat = (int)((from + i) % FM_MAX_SEATS);
        if (!(asked >> seat & 1) || p->seat[seat].stream.slot == NULL)
            continue;
        const char *action = choose(p, seat);
        if (action == NULL)
            continue;
        struct mail *m = &p->seat[seat].mail;
        mail_clear(m);
        world.now_ms += 1 + world_chance() % 100;
        assert_true(client_say(&p->seat[seat], "{\"id\":\"n%u\",\"action\":%s}", ++number, action));
        assert_int_equal(m->lines, 0); /* nothing before it is durable */
        world_settle(&world);
        if (mail_count(m, "refused") > 0) { /* the clock was faster */
            world_pass(&world, 500);
            return;
        }
        assert_int_equal(mail_count(m, "ack"), 1);
        json_t *ack = mail_last(m, "ack");
        const struct srv_table *t = table_of(p);
        assert_int_equal(json_integer_value(json_object_get(ack, "seq")),
                         fm_view_seq(fm_view_of(t->setup.game, t->match, seat)));
        json_decref(ack);
        assert_non_null(strstr(m->text, "{\"seq\""));
        assert_true(strstr(m->text, "{\"seq\"") < strstr(m->text, "{\"ack\""));
        return;
    }
    world_pass(&world, 1000);
}

void play_out(struct party *p)
{
    for (int i = 0; table_of(p)->state == ST_PLAYING; i++) {
        assert_true(i < 30000);
        step(p);
    }
}

void assert_code(int status, int expected, const char *code)
{
    if (status != expected || strcmp(world_code(&world), code) != 0)
        fail_msg("%d %s, not %d %s", status, world_code(&world), expected, code);
}

void assert_refused(const struct client *c, const char *id, const char *code)
{
    json_t *last = mail_last(&c->mail, "refused");
    assert_non_null(last);
    assert_string_equal(json_string_value(json_object_get(last, "code")), code);
    if (id != NULL)
        assert_string_equal(json_string_value(json_object_get(last, "refused")), id);
    else
        assert_true(json_is_null(json_object_get(last, "refused")));
    json_decref(last);
}

struct reading {
    struct srv_table table;
    struct st_id id;
};

static bool read_one(void *arg, uint64_t seq, const void *event, size_t n)
{
    struct reading *r = arg;
    struct fm_fault fault;
    assert_int_equal(srv_table_read(&r->table, &r->id, event, n, NULL, &fault), FM_OK);
    assert_int_equal(r->table.seq, seq);
    return true;
}

void assert_stored(const struct party *p)
{
    static struct reading r;
    struct fm_fault fault;
    const struct srv_table *t = table_of(p);
    srv_table_init(&r.table);
    r.id = t->id;
    assert_int_equal(st_read_log(world.store, &t->id, 1, read_one, &r, &fault), FM_OK);
    assert_int_equal(r.table.seq, t->seq);
    assert_int_equal(r.table.state, t->state);
    assert_memory_equal(r.table.match, t->match, t->setup.game->state_size);
    for (int i = 0; i < FM_MAX_SEATS; i++) {
        assert_string_equal(r.table.seat[i].bot, t->seat[i].bot);
    }
    assert_int_equal(r.table.n_done, t->n_done);
    for (size_t i = 0; i < t->n_done; i++)
        assert_string_equal(r.table.done[i].id, t->done[i].id);
    srv_table_finish(&r.table);
}

const char *text_of(json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL ? text : "";
}

json_int_t int_of(json_t *json, const char *key)
{
    assert_true(json_is_integer(json_object_get(json, key)));
    return json_integer_value(json_object_get(json, key));
}

json_t *find_in(json_t *list, const char *key, const char *value)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        if (strcmp(text_of(one, key), value) == 0)
            return one;
    }
    return NULL;
}

static bool act(struct party *p, int seat, struct fm_rng *rng)
{
    static unsigned number;
    char text[4096];
    struct fm_out o;
    const struct srv_table *t = table_of(p);
    const fm_action a = t->setup.game->sample(fm_view_of(t->setup.game, t->match, seat), rng);
    if (a == 0)
        return false;
    fm_out_init(&o, text, sizeof text);
    fm_put_action(&o, t->setup.game, a);
    world.now_ms += 1 + fm_rng_below(rng, 200);
    assert_true(client_say(&p->seat[seat], "{\"id\":\"r%u\",\"action\":%s}", ++number, text));
    world_settle(&world);
    return true;
}

void play_at_random(struct party *p, uint8_t chance)
{
    struct fm_rng rng;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){chance}, 0);
    for (int i = 0; table_of(p)->state == ST_PLAYING; i++) {
        const int seat = (int)fm_rng_below(&rng, (uint32_t)p->n);
        assert_true(i < 100000);
        if (!(pub_of(p)->may >> seat & 1) || !act(p, seat, &rng))
            world_pass(&world, 300);
    }
}
