/* hall_test.c: the life of tables over the hall's interface: requests, streams, clocks, faults. */
#include "tests.h"

#include "base/hash.h"
#include "base/panic.h"
#include "server/world.h"
#include "store/faulty.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a table with people -------------------------------------------------------------------- */

static struct world world;

struct party { /* a table in the world, its tokens, and a stream for each seat and a spectator */
    char id[2 * ST_ID_BYTES + 1], code[ST_CODE + 1], host[SRV_TOKEN_TEXT + 1];
    int n;
    char token[FM_MAX_SEATS][SRV_TOKEN_TEXT + 1];
    struct client seat[FM_MAX_SEATS], watcher;
};

static struct party party;

static void copy_text(char *to, size_t cap, const char *from)
{
    assert_true(strlen(from) > 0 && strlen(from) < cap);
    (void)snprintf(to, cap, "%s", from);
}

#define COPY(to, key) copy_text(to, sizeof(to), world_text(&world, key))

static void make(struct party *p, const char *body)
{
    memset(p, 0, sizeof *p);
    assert_int_equal(world_ask(&world, "POST", NULL, body, "/api/tables"), 201);
    COPY(p->id, "table");
    COPY(p->code, "code");
    COPY(p->host, "host");
    p->n = world_place(&world, p->id)->table.setup.n_seats;
}

static int sit(struct party *p, int seat)
{
    char body[128];
    (void)snprintf(body, sizeof body, "{\"name\":\"P%d\",\"seat\":%d,\"entropy\":\"0%d\"}", seat,
                   seat, seat);
    const int status = world_ask(&world, "POST", NULL, body, "/api/tables/%s/seats", p->id);
    if (status == 201) {
        COPY(p->token[seat], "token");
        assert_int_equal(json_integer_value(json_object_get(world.json, "seat")), seat);
    }
    return status;
}

static void come(struct party *p, int seat)
{
    client_finish(&p->seat[seat]); /* if it was here before */
    client_open(&p->seat[seat], &world, p->id);
    assert_true(client_say(&p->seat[seat], "{\"hello\":\"%s\"}", p->token[seat]));
}

static void come_all(struct party *p)
{
    for (int seat = 0; seat < p->n; seat++)
        if (p->token[seat][0] != '\0')
            come(p, seat);
    client_open(&p->watcher, &world, p->id);
    assert_true(client_say(&p->watcher, "{\"hello\":null}"));
}

static void go_all(struct party *p)
{
    for (int seat = 0; seat < p->n; seat++)
        client_finish(&p->seat[seat]);
    client_finish(&p->watcher);
}

static int begin(struct party *p)
{
    return world_ask(&world, "POST", p->host, NULL, "/api/tables/%s/start", p->id);
}

/* Made, all seats taken, everybody there, started. */
static void open_party(struct party *p, const char *body)
{
    make(p, body);
    for (int seat = 0; seat < p->n; seat++)
        assert_int_equal(sit(p, seat), 201);
    come_all(p);
    assert_int_equal(begin(p), 200);
}

/* Whoever asks gets it back into the memory. */
static const struct srv_table *table_of(const struct party *p)
{
    const struct srv_place *place = world_place(&world, p->id);
    if (place == NULL && world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", p->id) == 200)
        place = world_place(&world, p->id);
    assert_non_null(place);
    return &place->table;
}

static const struct fm_pub *pub_of(const struct party *p)
{
    return (const void *)table_of(p)->match;
}

/* {"do":…} that this seat may do, at random; NULL: it lets things be. */
static const char *choose(const struct party *p, int seat)
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

/* One thing happens at the table: somebody who owes acts, or the clock speaks. */
static void step(struct party *p)
{
    static unsigned number;
    const struct fm_pub *pub = pub_of(p);
    const unsigned asked = pub->owes != 0 ? pub->owes : pub->may;
    const unsigned from = (unsigned)(world_chance() % 7);
    for (unsigned i = 0; i < FM_MAX_SEATS; i++) {
        const int seat = (int)((from + i) % FM_MAX_SEATS);
        if (!(asked >> seat & 1) || p->seat[seat].live.place == NULL)
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

static void play_out(struct party *p)
{
    for (int i = 0; table_of(p)->state == ST_PLAYING; i++) {
        assert_true(i < 30000);
        step(p);
    }
}

static int open_world(void **state)
{
    (void)state;
    memset(&party, 0, sizeof party);
    world_open(&world, 42);
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    faulty_heal();
    world_settle(&world);
    world_close(&world);
    return 0;
}

static void assert_code(int status, int expected, const char *code)
{
    if (status != expected || strcmp(world_code(&world), code) != 0)
        fail_msg("%d %s, not %d %s", status, world_code(&world), expected, code);
}

static void assert_refused(const struct client *c, const char *id, const char *code)
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

/* What the store has of it is what is in memory. */
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

static void assert_stored(const struct party *p)
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

static const char *const bodies[] = {
    "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"market\":true}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"ten\",\"clock\":20}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"level\":\"divemaster\"}}",
};
#define SOUM  "{\"game\":\"soumsoum\",\"options\":{\"players\":2,\"first\":0}}"
#define SOUM3 "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"first\":0}}"

/* ---- a whole life --------------------------------------------------------------------------- */

static void a_table_lives_from_its_making_to_its_rematch(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct fm_event ev;
        struct fm_fault fault;
        static struct fm_playback playback;
        char next[sizeof party.id];
        open_party(&party, bodies[i]);
        assert_int_equal(mail_count(&party.watcher.mail, "view"), 2); /* hello, and the start */
        assert_code(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s/record", party.id), 409,
                    "wrong-phase");
        assert_code(world_ask(&world, "POST", party.host, NULL, "/api/tables/%s/rematch", party.id),
                    409, "wrong-phase");
        play_out(&party);
        assert_stored(&party);
        assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s/record", party.id),
                         200);
        const struct mail *m = &world.last.mail;
        enum fm_err err = fm_playback_open(&playback, m->text, m->n - 1, NULL, NULL, &fault);
        while (err == FM_OK)
            err = fm_playback_next(&playback, &ev, NULL, &fault);
        assert_int_equal(err, FM_E_OVER);
        mail_clear(&party.seat[0].mail);
        assert_true(
            client_say(&party.seat[0], "{\"id\":\"late\",\"action\":%s}", "{\"do\":\"pass\"}") ||
            true);
        world_settle(&world);
        assert_int_equal(mail_count(&party.seat[0].mail, "refused"), 1);
        /* anybody of the table asks for a rematch, and gets the same one */
        assert_int_equal(
            world_ask(&world, "POST", party.token[1], NULL, "/api/tables/%s/rematch", party.id),
            201);
        COPY(next, "table");
        assert_string_not_equal(next, party.id);
        assert_int_equal(
            world_ask(&world, "POST", party.host, NULL, "/api/tables/%s/rematch", party.id), 201);
        assert_string_equal(world_text(&world, "table"), next);
        assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
        assert_string_equal(world_text(&world, "rematch"), next);
        assert_string_equal(world_text(&world, "state"), "over");
        go_all(&party);
        /* the same tokens are good there */
        memcpy(party.id, next, sizeof next);
        come_all(&party);
        assert_int_equal(begin(&party), 200);
        for (int k = 0; k < 10 && table_of(&party)->state == ST_PLAYING; k++)
            step(&party);
        assert_stored(&party);
        go_all(&party);
    }
}

static size_t waiting_tables(void) /* in the store */
{
    struct st_table tables[16];
    struct fm_fault fault;
    size_t n;
    assert_int_equal(st_list_state(world.store, ST_WAITING, tables, 16, &n, &fault), FM_OK);
    return n;
}

#define SEAT_ID "00112233445566778899aabbccddeeff"

/* A request for a seat with this id; the seat that it got. */
static int ask_for_seat(const char *seat_id, char token[SRV_TOKEN_TEXT + 1])
{
    char body[128];
    (void)snprintf(body, sizeof body, "{\"name\":\"Ana\",\"id\":\"%s\"}", seat_id);
    const int status = world_ask(&world, "POST", NULL, body, "/api/tables/%s/seats", party.id);
    if (status != 201)
        return -status;
    copy_text(token, SRV_TOKEN_TEXT + 1, world_text(&world, "token"));
    return (int)json_integer_value(json_object_get(world.json, "seat"));
}

static void W12_a_seat_that_is_asked_for_again_is_the_same_seat(void **state)
{
    (void)state;
    char first[SRV_TOKEN_TEXT + 1], again[SRV_TOKEN_TEXT + 1];
    make(&party, "{\"game\":\"soumsoum\",\"options\":{\"players\":3}}");
    assert_int_equal(ask_for_seat(SEAT_ID, first), 0);
    assert_int_equal(ask_for_seat(SEAT_ID, again), 0);
    assert_string_equal(first, again);
    world_restart(&world); /* nothing of it was in memory alone */
    assert_int_equal(ask_for_seat(SEAT_ID, again), 0);
    assert_string_equal(first, again);
    assert_int_equal(ask_for_seat("ff112233445566778899aabbccddeeff", again), 1);
    assert_string_not_equal(first, again);
    assert_false(table_of(&party)->seat[2].taken);
    assert_int_equal(sit(&party, 2), 201); /* without an id a request is always a new one */
    assert_int_equal(begin(&party), 200);
    assert_int_equal(ask_for_seat(SEAT_ID, again), 0); /* however late the answer is asked for */
    assert_string_equal(first, again);
    assert_int_equal(world_ask(&world, "GET", first, NULL, "/api/tables/%s/notes", party.id), 200);
}

static void W12_two_requests_at_once_with_one_id_get_one_seat(void **state)
{
    (void)state;
    struct call calls[2] = {0};
    char path[128];
    make(&party, "{\"game\":\"soumsoum\",\"options\":{\"players\":3}}");
    (void)snprintf(path, sizeof path, "/api/tables/%s/seats", party.id);
    for (int i = 0; i < 2; i++)
        world_send(&world, &calls[i], "POST", NULL, "{\"name\":\"Ana\",\"id\":\"" SEAT_ID "\"}",
                   path);
    world_settle(&world);
    assert_int_equal(calls[0].status, 201);
    assert_int_equal(calls[1].status, 201);
    assert_string_equal(calls[0].mail.text, calls[1].mail.text);
    assert_false(table_of(&party)->seat[1].taken);
    for (int i = 0; i < 2; i++)
        call_finish(&calls[i]);
}

static void W12_an_id_must_be_as_hard_to_guess_as_a_token(void **state)
{
    (void)state;
    static const char *const weak[] = {"1", "", "00112233445566778899AABBCCDDEEFF",
                                       "00112233445566778899aabbccddeef", SEAT_ID "0"};
    char token[SRV_TOKEN_TEXT + 1];
    make(&party, "{\"game\":\"soumsoum\"}");
    for (size_t i = 0; i < sizeof weak / sizeof weak[0]; i++)
        assert_int_equal(ask_for_seat(weak[i], token), -400);
    assert_int_equal(ask_for_seat(SEAT_ID, token), 0);
    assert_int_equal(world_ask(&world, "DELETE", token, NULL, "/api/tables/%s/seats/0", party.id),
                     200);
    assert_int_equal(ask_for_seat(SEAT_ID, token), -409); /* whoever left needs another */
    assert_false(table_of(&party)->seat[0].taken);
}

static int add_chance(const char *token, const char *entropy)
{
    char body[128];
    (void)snprintf(body, sizeof body, "{\"entropy\":\"%s\"}", entropy);
    return world_ask(&world, "PUT", token, body, "/api/tables/%s/entropy", party.id);
}

static void W06_seats_add_to_the_deal_of_a_rematch(void **state)
{
    (void)state;
    uint8_t seed[FM_SEED_BYTES];
    open_party(&party, SOUM);
    play_out(&party);
    go_all(&party);
    assert_code(add_chance(party.token[0], "aa"), 409, "over");
    assert_int_equal(
        world_ask(&world, "POST", party.token[1], NULL, "/api/tables/%s/rematch", party.id), 201);
    COPY(party.id, "table");
    assert_int_equal(table_of(&party)->fair.entropy_n[0], 0);
    assert_code(add_chance(party.host, "aa"), 403, "forbidden");
    assert_code(add_chance(NULL, "aa"), 401, "no-such-token");
    assert_code(add_chance(party.token[0], "xx"), 400, "bad-value");
    assert_code(add_chance(party.token[0], ""), 400, "bad-value");
    assert_int_equal(add_chance(party.token[0], "0a0b0c"), 200);
    assert_int_equal(add_chance(party.token[0], "0a0b0c"), 200); /* asked again */
    assert_code(add_chance(party.token[0], "0a0b0d"), 409, "wrong-phase");
    world_restart(&world);
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
    const struct srv_table *t = table_of(&party);
    assert_int_equal(t->fair.entropy_n[0], 3);
    assert_memory_equal(t->fair.entropy[0], "\x0a\x0b\x0c", 3);
    assert_int_equal(t->fair.entropy_n[1], 0); /* who adds nothing is dealt with as before */
    assert_true(t->seat[0].taken && t->seat[1].taken);
    assert_int_equal(begin(&party), 200);
    assert_code(add_chance(party.token[1], "aa"), 409, "wrong-phase");
    /* it is in the deal */
    const struct fm_span spans[] = {{t->seed, sizeof t->seed}, {"\x0a\x0b\x0c", 3}, {"", 0}};
    struct fm_setup setup = t->setup;
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    fm__hash(seed, "fathom deal 2", spans, 3);
    memcpy(setup.seed, seed, sizeof seed);
    assert_int_equal(fm_init(match, &setup, NULL), FM_OK);
    assert_memory_equal(match, t->match, t->setup.game->state_size);
}

static void rematches_at_once_are_one(void **state)
{
    (void)state;
    struct call calls[5] = {0};
    char path[128];
    open_party(&party, SOUM);
    play_out(&party);
    (void)snprintf(path, sizeof path, "/api/tables/%s/rematch", party.id);
    for (int i = 0; i < 5; i++)
        world_send(&world, &calls[i], "POST", party.token[i % 2], NULL, path);
    world_settle(&world);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(calls[i].status, 201);
        assert_string_equal(calls[i].mail.text, calls[0].mail.text);
    }
    for (int i = 0; i < 5; i++)
        call_finish(&calls[i]);
    assert_int_equal(waiting_tables(), 1);
    assert_stored(&party);
    go_all(&party);
}

static void a_rematch_that_cannot_be_stored_is_refused_and_can_be_asked_for_again(void **state)
{
    (void)state;
    struct call calls[2] = {0};
    char path[128];
    open_party(&party, SOUM);
    play_out(&party);
    (void)snprintf(path, sizeof path, "/api/tables/%s/rematch", party.id);
    faulty_arm(0, SQLITE_FULL, true);
    for (int i = 0; i < 2; i++)
        world_send(&world, &calls[i], "POST", party.token[i], NULL, path);
    world_settle(&world);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(calls[i].status, 503);
        call_finish(&calls[i]);
    }
    assert_false(table_of(&party)->has_rematch);
    faulty_heal();
    assert_int_equal(waiting_tables(), 0);
    assert_int_equal(
        world_ask(&world, "POST", party.host, NULL, "/api/tables/%s/rematch", party.id), 201);
    assert_int_equal(waiting_tables(), 1);
    assert_stored(&party);
    go_all(&party);
}

static void seats_codes_and_lists(void **state)
{
    (void)state;
    make(&party, "{\"game\":\"soumsoum\",\"options\":{\"players\":3},\"listed\":true}");
    assert_int_equal(
        world_ask(&world, "GET", NULL, NULL, "/api/codes/%.3s-%s", party.code, party.code + 3),
        200);
    assert_string_equal(world_text(&world, "table"), party.id);
    assert_code(world_ask(&world, "GET", NULL, NULL, "/api/codes/%sX", party.code), 404,
                "no-such-table");
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables"), 200);
    assert_int_equal(json_array_size(json_object_get(world.json, "tables")), 1);
    assert_int_equal(sit(&party, 1), 201);
    assert_code(sit(&party, 1), 409, "seat-taken");
    come(&party, 1);
    assert_code(begin(&party), 409, "wrong-phase");
    assert_int_equal(world_ask(&world, "POST", NULL, "{\"name\":\" A\\u202e  B \"}",
                               "/api/tables/%s/seats", party.id),
                     201);
    copy_text(party.token[0], sizeof party.token[0], world_text(&world, "token"));
    assert_string_equal(table_of(&party)->seat[0].name, "A B");
    assert_true(mail_count(&party.seat[1].mail, "seats") >= 2);
    /* bots in seats are the host's business */
    assert_code(world_ask(&world, "POST", party.token[0], "{\"seat\":2,\"bot\":\"greedy\"}",
                          "/api/tables/%s/bots", party.id),
                403, "forbidden");
    assert_code(world_ask(&world, "POST", party.host, "{\"seat\":2,\"bot\":\"nobody\"}",
                          "/api/tables/%s/bots", party.id),
                400, "bad-value");
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":2,\"bot\":\"greedy\"}",
                               "/api/tables/%s/bots", party.id),
                     200);
    assert_code(sit(&party, 2), 409, "seat-taken");
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":2,\"bot\":null}",
                               "/api/tables/%s/bots", party.id),
                     200);
    assert_int_equal(sit(&party, 2), 201);
    /* one leaves by its own token, one is sent away by the host, none by another */
    assert_code(
        world_ask(&world, "DELETE", party.token[0], NULL, "/api/tables/%s/seats/1", party.id), 403,
        "forbidden");
    assert_int_equal(
        world_ask(&world, "DELETE", party.token[0], NULL, "/api/tables/%s/seats/0", party.id), 200);
    assert_code(
        world_ask(&world, "DELETE", party.token[0], NULL, "/api/tables/%s/seats/0", party.id), 401,
        "no-such-token");
    assert_int_equal(
        world_ask(&world, "DELETE", party.host, NULL, "/api/tables/%s/seats/2", party.id), 200);
    assert_code(world_ask(&world, "DELETE", party.host, NULL, "/api/tables/%s/seats/9", party.id),
                400, "no-such-seat");
    assert_code(world_ask(&world, "DELETE", party.host, NULL, "/api/tables/%s/seats/2", party.id),
                400, "no-such-seat");
    assert_stored(&party);
    go_all(&party);
}

static void who_left_a_seat_does_not_see_what_the_next_one_sees(void **state)
{
    (void)state;
    struct client old;
    make(&party, SOUM);
    assert_int_equal(sit(&party, 0), 201);
    assert_int_equal(sit(&party, 1), 201);
    client_open(&old, &world, party.id);
    assert_true(client_say(&old, "{\"hello\":\"%s\"}", party.token[1]));
    assert_int_equal(
        world_ask(&world, "DELETE", party.token[1], NULL, "/api/tables/%s/seats/1", party.id), 200);
    assert_int_equal(sit(&party, 1), 201);
    json_t *seats = mail_last(&old.mail, "seats"); /* the new one is not here yet */
    assert_true(
        json_is_false(json_object_get(json_array_get(json_object_get(seats, "seats"), 1), "here")));
    json_decref(seats);
    come_all(&party);
    assert_int_equal(begin(&party), 200);
    json_t *last = mail_last(&old.mail, "view");
    assert_non_null(last);
    assert_true(json_is_null(json_object_get(json_object_get(last, "view"), "seat")));
    assert_null(json_object_get(json_object_get(last, "view"), "hand"));
    json_decref(last);
    assert_true(client_say(&old, "{\"id\":\"x\",\"action\":{\"do\":\"pass\"}}"));
    assert_refused(&old, "x", "forbidden");
    client_finish(&old);
    go_all(&party);
}

static void what_a_seat_asked_before_it_was_freed_is_not_done_to_the_next(void **state)
{
    (void)state;
    struct call leave = {0}, taken = {0}, notes = {0};
    char seats[128], path[128];
    make(&party, SOUM);
    assert_int_equal(sit(&party, 0), 201);
    assert_int_equal(sit(&party, 1), 201);
    (void)snprintf(path, sizeof path, "/api/tables/%s/seats/1", party.id);
    (void)snprintf(seats, sizeof seats, "/api/tables/%s/seats", party.id);
    world_send(&world, &leave, "DELETE", party.host, NULL, path);
    world_send(&world, &taken, "POST", NULL, "{\"name\":\"New\",\"seat\":1}", seats);
    (void)snprintf(path, sizeof path, "/api/tables/%s/notes", party.id);
    world_send(&world, &notes, "PUT", party.token[1], "{\"notes\":\"mine\"}", path);
    world_settle(&world);
    assert_int_equal(leave.status, 200);
    assert_int_equal(taken.status, 201);
    assert_int_equal(notes.status, 400);
    assert_null(table_of(&party)->seat[1].notes);
    call_finish(&leave);
    call_finish(&taken);
    call_finish(&notes);
}

/* ---- tokens --------------------------------------------------------------------------------- */

static void wrong_tokens_get_nothing(void **state)
{
    (void)state;
    static const char none[] = "00000000000000000000000000000000";
    static struct party other;
    struct client c;
    open_party(&party, SOUM);
    make(&other, SOUM);
    assert_int_equal(sit(&other, 0), 201);
    const char *const wrong[] = {NULL, none, "", "x", other.token[0], other.host};
    static const struct {
        const char *method, *body, *path;
    } asks[] = {
        {"POST", NULL, "/start"},
        {"POST", NULL, "/rematch"},
        {"DELETE", NULL, "/seats/0"},
        {"POST", "{\"seat\":0,\"bot\":\"greedy\"}", "/bots"},
        {"PUT", "{\"notes\":\"x\"}", "/notes"},
        {"GET", NULL, "/notes"},
    };
    const uint64_t seq = table_of(&party)->seq;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        for (size_t k = 0; k < sizeof asks / sizeof asks[0]; k++)
            assert_code(world_ask(&world, asks[k].method, wrong[i], asks[k].body,
                                  "/api/tables/%s%s", party.id, asks[k].path),
                        401, "no-such-token");
    assert_code(world_ask(&world, "POST", party.token[0], NULL, "/api/tables/%s/start", party.id),
                403, "forbidden");
    assert_code(world_ask(&world, "GET", party.host, NULL, "/api/tables/%s/notes", party.id), 403,
                "forbidden");
    client_open(&c, &world, party.id);
    assert_false(client_say(&c, "{\"hello\":\"%s\"}", other.token[0]));
    assert_refused(&c, NULL, "forbidden");
    assert_false(client_say(&c, "{\"hello\":\"%s\"}", none));
    assert_false(client_say(&c, "{\"hello\":7}"));
    assert_false(client_say(&c, "{\"id\":\"a\",\"action\":{\"do\":\"pass\"}}"));
    assert_int_equal(c.mail.lines, 4);
    assert_true(client_say(&c, "{\"hello\":\"%s\"}", party.host)); /* a host watches */
    assert_true(client_say(&c, "{\"id\":\"a\",\"action\":{\"do\":\"pass\"}}"));
    assert_refused(&c, "a", "forbidden");
    assert_false(client_say(&c, "{\"hello\":null}"));
    client_finish(&c);
    client_open(&c, &world, none);
    assert_false(client_say(&c, "{\"hello\":null}"));
    assert_refused(&c, NULL, "no-such-table");
    client_finish(&c);
    assert_int_equal(table_of(&party)->seq, seq);
    go_all(&party);
}

/* ---- streams -------------------------------------------------------------------------------- */

static void retries_are_acknowledged_and_not_done_again(void **state)
{
    (void)state;
    char action[512], first[256];
    open_party(&party, SOUM);
    (void)snprintf(action, sizeof action, "{\"id\":\"once\",\"action\":%s}", choose(&party, 0));
    mail_clear(&party.seat[0].mail);
    assert_true(client_say(&party.seat[0], "%s", action));
    assert_true(client_say(&party.seat[0], "%s", action)); /* the first is on its way */
    world_settle(&world);
    const uint64_t seq = table_of(&party)->seq;
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 2);
    assert_int_equal(mail_count(&party.seat[0].mail, "view"), 1);
    json_t *ack = mail_last(&party.seat[0].mail, "ack");
    char *text = json_dumps(ack, JSON_SORT_KEYS);
    copy_text(first, sizeof first, text);
    free(text);
    json_decref(ack);
    for (int restarts = 0; restarts < 3; restarts++) {
        go_all(&party);
        world_restart(&world);
        come_all(&party);
        mail_clear(&party.seat[0].mail);
        assert_true(client_say(&party.seat[0], "%s", action));
        world_settle(&world);
        assert_int_equal(table_of(&party)->seq, seq);
        ack = mail_last(&party.seat[0].mail, "ack");
        assert_non_null(ack);
        text = json_dumps(ack, JSON_SORT_KEYS);
        assert_string_equal(text, first);
        free(text);
        json_decref(ack);
    }
    /* another seat's id is its own */
    assert_true(client_say(&party.seat[1], "%s", action));
    world_settle(&world);
    assert_refused(&party.seat[1], "once", "not-your-turn");
    assert_stored(&party);
    go_all(&party);
}

static void hello_tells_what_was_missed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        open_party(&party, bodies[i]);
        for (int k = 0; k < 4; k++)
            step(&party);
        for (int viewer = 0; viewer < 2; viewer++) {
            struct client *c = viewer == 0 ? &party.watcher : &party.seat[1];
            json_t *events = json_array();
            mail_clear(&c->mail);
            const struct srv_table *t = table_of(&party);
            const int seat = viewer == 0 ? FM_WATCHER : 1;
            const uint32_t from = fm_view_seq(fm_view_of(t->setup.game, t->match, seat));
            for (int k = 0; k < 12 && t->state == ST_PLAYING; k++) {
                step(&party); /* a seat's own mail is cleared by it: so collect as it goes */
                json_t *last = mail_last(&c->mail, "events");
                if (last != NULL)
                    (void)json_array_extend(events, json_object_get(last, "events"));
                json_decref(last);
                mail_clear(&c->mail);
            }
            struct client back;
            client_open(&back, &world, party.id);
            if (viewer == 0)
                assert_true(client_say(&back, "{\"hello\":null,\"from\":%u}", from));
            else
                assert_true(
                    client_say(&back, "{\"hello\":\"%s\",\"from\":%u}", party.token[1], from));
            json_t *hello = mail_last(&back.mail, "events");
            assert_non_null(hello);
            assert_true(json_equal(json_object_get(hello, "events"), events));
            json_decref(hello);
            json_decref(events);
            client_finish(&back);
            client_open(&back, &world, party.id);
            assert_true(client_say(&back, "{\"hello\":null}"));
            assert_int_equal(mail_count(&back.mail, "events"), 0);
            assert_int_equal(mail_count(&back.mail, "view"), 1);
            assert_int_equal(mail_count(&back.mail, "seats"), 1);
            client_finish(&back);
        }
        go_all(&party);
    }
}

static void claim(struct party *p, int seat, unsigned n)
{
    assert_true(client_say(&p->seat[seat],
                           "{\"id\":\"claim-%u\",\"action\":{\"do\":\"claim\",\"card\":0,"
                           "\"species\":\"%s\"}}",
                           n, n % 2 ? "crab" : "eel"));
    world_settle(&world);
}

static void no_id_is_ever_forgotten(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"divercity\",\"options\":{\"divers\":2}}");
    for (unsigned n = 0; n < 200; n++)
        claim(&party, (int)(n & 1), n);
    const uint64_t seq = table_of(&party)->seq;
    for (int restarts = 0; restarts < 2; restarts++) {
        for (unsigned n = 0; n < 200; n++) {
            struct mail *m = &party.seat[n & 1].mail;
            mail_clear(m);
            claim(&party, (int)(n & 1), n);
            json_t *ack = mail_last(m, "ack");
            assert_int_equal(json_integer_value(json_object_get(ack, "seq")), n + 1);
            json_decref(ack);
            assert_int_equal(m->lines, 1);
        }
        assert_int_equal(table_of(&party)->seq, seq);
        go_all(&party);
        world_restart(&world);
        come_all(&party);
    }
    claim(&party, 0, 1); /* the other's id is not one's own */
    assert_int_equal(table_of(&party)->seq, seq + 1);
    go_all(&party);
}

static void whoever_was_here_before_the_start_is_told_of_it(void **state)
{
    (void)state;
    struct client *c = &party.seat[0];
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        open_party(&party, bodies[i]);
        json_t *start = mail_last(&c->mail, "events");
        come(&party, 1);
        client_finish(c);
        client_open(c, &world, party.id);
        assert_true(client_say(c, "{\"hello\":\"%s\",\"from\":-1}", party.token[0]));
        json_t *hello = mail_last(&c->mail, "events");
        assert_true(json_equal(json_object_get(hello, "events"), json_object_get(start, "events")));
        json_decref(hello);
        client_finish(c);
        client_open(c, &world, party.id); /* whoever saw the start is not told again */
        assert_true(client_say(c, "{\"hello\":\"%s\",\"from\":0}", party.token[0]));
        hello = mail_last(&c->mail, "events");
        assert_int_equal(json_array_size(json_object_get(hello, "events")), 0);
        json_decref(hello);
        json_decref(start);
        go_all(&party);
    }
}

static void whoever_missed_too_much_is_shown_the_view_alone(void **state)
{
    (void)state;
    struct client back;
    open_party(&party, "{\"game\":\"divercity\",\"options\":{\"divers\":2}}");
    unsigned n = 0;
    for (bool told = true; told; n += 500) {
        for (unsigned k = 0; k < 500; k++)
            claim(&party, 0, n + k);
        assert_true(n < 10000);
        client_open(&back, &world, party.id);
        assert_true(client_say(&back, "{\"hello\":null,\"from\":0}"));
        assert_int_equal(mail_count(&back.mail, "view"), 1);
        told = mail_count(&back.mail, "events") == 1;
        assert_true(told == (strlen(back.mail.text) > 500 * 30));
        client_finish(&back);
    }
    assert_true(n > 1000);
    go_all(&party);
}

static void presence_is_told_once_per_change(void **state)
{
    (void)state;
    struct client twice;
    make(&party, SOUM);
    assert_int_equal(sit(&party, 0), 201);
    client_open(&party.watcher, &world, party.id);
    assert_true(client_say(&party.watcher, "{\"hello\":null}"));
    mail_clear(&party.watcher.mail);
    come(&party, 0);
    assert_int_equal(party.watcher.mail.lines, 1);
    assert_int_equal(party.seat[0].mail.lines, 2);
    client_open(&twice, &world, party.id); /* the same seat on another device */
    assert_true(client_say(&twice, "{\"hello\":\"%s\"}", party.token[0]));
    assert_int_equal(party.watcher.mail.lines, 1);
    client_leave(&twice);
    client_leave(&twice);
    assert_int_equal(party.watcher.mail.lines, 1);
    client_leave(&party.seat[0]);
    assert_int_equal(party.watcher.mail.lines, 2);
    assert_int_equal(srv_hall_stats(world.hall).streams, 1);
    client_finish(&twice);
    go_all(&party);
}

static void who_holds_the_stack_shows_it_to_table_screens(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2}}");
    struct client *a = &party.seat[0], *b = &party.seat[1], *screen = &party.watcher;
    mail_clear(&screen->mail);
    assert_true(client_say(a, "{\"look\":{\"tilt\":[1,2]}}")); /* nobody follows it */
    assert_int_equal(screen->mail.lines, 0);
    assert_true(client_say(a, "{\"hold\":true}"));
    assert_true(client_say(b, "{\"hold\":true}"));
    mail_clear(&screen->mail);
    mail_clear(&b->mail);
    assert_true(client_say(a, "{\"look\":{\"tilt\":[14,-9.5],\"lamp\":\"above:0.5,0.25\"}}"));
    assert_non_null(strstr(screen->mail.text, "{\"look\":{\"seat\":0,\"tilt\":[14"));
    assert_int_equal(b->mail.lines, 0);
    assert_true(client_say(b, "{\"look\":{\"tilt\":[1,2]}}"));
    assert_int_equal(mail_count(&screen->mail, "look"), 1);
    assert_false(client_say(a, "{\"look\":{\"tilt\":[99,2]}}"));
    assert_false(client_say(a, "{\"look\":{\"tilt\":[1,2],\"lamp\":\"I have an eel\"}}"));
    assert_false(client_say(screen, "{\"hold\":true}"));
    mail_clear(&screen->mail);
    client_leave(a);
    assert_true(client_say(b, "{\"hold\":true}"));
    assert_true(client_say(b, "{\"look\":{\"tilt\":[1,2],\"lamp\":null}}"));
    assert_int_equal(mail_count(&screen->mail, "look"), 1);
    assert_true(client_say(b, "{\"hold\":false}"));
    assert_true(client_say(b, "{\"look\":{\"tilt\":[1,2]}}"));
    assert_int_equal(mail_count(&screen->mail, "look"), 1);
    go_all(&party);
}

static void a_stream_may_leave_while_its_action_is_on_its_way(void **state)
{
    (void)state;
    open_party(&party, SOUM);
    const uint64_t seq = table_of(&party)->seq;
    assert_true(client_say(&party.seat[0], "{\"id\":\"gone\",\"action\":%s}", choose(&party, 0)));
    assert_true(client_say(&party.seat[0], "{\"id\":\"gone2\",\"action\":{\"do\":\"pass\"}}"));
    mail_clear(&party.seat[0].mail);
    mail_clear(&party.watcher.mail);
    client_leave(&party.seat[0]);
    world_settle(&world);
    assert_int_equal(party.seat[0].mail.lines, 0);
    assert_int_equal(table_of(&party)->seq, seq + 2);
    assert_int_equal(mail_count(&party.watcher.mail, "view"), 2);
    come(&party, 0); /* and its retry is known */
    assert_true(client_say(&party.seat[0], "{\"id\":\"gone\",\"action\":{\"do\":\"pass\"}}"));
    world_settle(&world);
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 1);
    assert_int_equal(table_of(&party)->seq, seq + 2);
    go_all(&party);
}

/* ---- bots ----------------------------------------------------------------------------------- */

static const char *bot_of(int seat)
{
    return table_of(&party)->seat[seat].bot;
}

static int vote(int voter, int seat, const char *bot)
{
    char body[64];
    (void)snprintf(body, sizeof body, "{\"seat\":%d,\"bot\":%s}", seat, bot);
    return world_ask(&world, "POST", party.token[voter], body, "/api/tables/%s/bots", party.id);
}

static void the_others_vote_for_a_bot_until_the_owner_is_back(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"first\":3}}");
    assert_code(vote(0, 1, "\"greedy\""), 409, "seat-taken"); /* seat 1 is here */
    client_leave(&party.seat[1]);
    mail_clear(&party.seat[2].mail);
    assert_int_equal(vote(0, 1, "\"greedy\""), 200);
    assert_true(json_is_false(json_object_get(world.json, "done")));
    assert_int_equal(vote(0, 1, "\"greedy\""), 200); /* the same voice does not count twice */
    assert_string_equal(bot_of(1), "");
    assert_int_equal(vote(3, 1, "null"), 200); /* nor does one for the contrary */
    assert_string_equal(bot_of(1), "");
    assert_int_equal(party.seat[2].mail.lines, 0); /* nobody is told who voted */
    assert_int_equal(vote(2, 1, "\"greedy\""), 200);
    assert_true(json_is_true(json_object_get(world.json, "done")));
    assert_string_equal(bot_of(1), "greedy");
    assert_int_equal(mail_count(&party.seat[2].mail, "seats"), 1);
    come(&party, 1);
    world_settle(&world);
    assert_string_equal(bot_of(1), ""); /* the owner is back */
    /* votes of the time before do not count any more */
    client_leave(&party.seat[1]);
    assert_int_equal(vote(0, 1, "\"greedy\""), 200);
    come(&party, 1);
    client_leave(&party.seat[1]);
    assert_int_equal(vote(2, 1, "\"greedy\""), 200);
    assert_true(json_is_false(json_object_get(world.json, "done")));
    /* the host needs no votes; an owner may let a bot play for itself */
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":1,\"bot\":\"greedy\"}",
                               "/api/tables/%s/bots", party.id),
                     200);
    assert_string_equal(bot_of(1), "greedy");
    assert_int_equal(vote(0, 0, "\"greedy\""), 200);
    assert_string_equal(bot_of(0), "greedy");
    assert_stored(&party);
    go_all(&party);
}

static void bots_play_games_to_their_end(void **state)
{
    (void)state;
    static const char *const bots[] = {"greedy", "steady", "ranger"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        make(&party, bodies[i]);
        for (int seat = 0; seat < party.n; seat++) {
            char body[64];
            (void)snprintf(body, sizeof body, "{\"seat\":%d,\"bot\":\"%s\"}", seat, bots[i]);
            assert_int_equal(
                world_ask(&world, "POST", party.host, body, "/api/tables/%s/bots", party.id), 200);
        }
        assert_int_equal(begin(&party), 200);
        for (int k = 0; table_of(&party)->state == ST_PLAYING; k++) {
            assert_true(k < 20000);
            if (k == 20) /* games of bots go on after a restart */
                world_restart(&world);
            world_pass(&world, 400);
        }
        assert_stored(&party);
        assert_int_equal(
            world_ask(&world, "POST", party.host, NULL, "/api/tables/%s/rematch", party.id), 201);
    }
    const struct srv_hall_stats stats = srv_hall_stats(world.hall);
    uint64_t thoughts = 0, waits = 0;
    for (unsigned i = 0; i < SRV_SLOTS; i++) {
        thoughts += stats.thought.count[i];
        waits += stats.waited.count[i];
    }
    assert_true(thoughts > 50 && waits == thoughts);
}

static void a_bot_that_was_overtaken_does_not_act(void **state)
{
    (void)state;
    open_party(&party, SOUM3);
    struct srv_place *p = world_place(&world, party.id);
    step(&party); /* seat 0 places; it owes a diver or a pass */
    client_leave(&party.seat[0]);
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":0,\"bot\":\"greedy\"}",
                               "/api/tables/%s/bots", party.id),
                     200);
    assert_true(p->plan[0].action != 0 && p->plan[0].at_ms >= world.now_ms);
    /* its owner comes back and the bot's moment comes, both before anything is stored */
    const size_t events = p->table.n_events;
    come(&party, 0);
    world.now_ms += 10000;
    srv_hall_tick(world.hall, world.now_ms);
    world_settle(&world);
    assert_string_equal(bot_of(0), "");
    assert_int_equal(p->table.n_events, events);
    go_all(&party);
}

/* ---- notes ---------------------------------------------------------------------------------- */

static void notes_are_kept_for_their_seat_alone(void **state)
{
    (void)state;
    static char much[3 * SRV_NOTES], body[4 * SRV_NOTES];
    open_party(&party, bodies[2]);
    mail_clear(&party.seat[1].mail);
    assert_int_equal(world_ask(&world, "PUT", party.token[0], "{\"notes\":\"eel \\\"2\\\"\\n\"}",
                               "/api/tables/%s/notes", party.id),
                     200);
    assert_int_equal(party.seat[1].mail.lines, 0);
    assert_int_equal(
        world_ask(&world, "GET", party.token[1], NULL, "/api/tables/%s/notes", party.id), 200);
    assert_string_equal(world_text(&world, "notes"), "");
    go_all(&party);
    world_restart(&world);
    assert_int_equal(
        world_ask(&world, "GET", party.token[0], NULL, "/api/tables/%s/notes", party.id), 200);
    assert_string_equal(world_text(&world, "notes"), "eel \"2\"\n");
    memset(much, 'x', SRV_NOTES + 1);
    (void)snprintf(body, sizeof body, "{\"notes\":\"%s\"}", much);
    assert_code(world_ask(&world, "PUT", party.token[0], body, "/api/tables/%s/notes", party.id),
                413, "too-big");
    much[0] = '\0';
    for (int i = 0; i < 1600; i++)
        memcpy(much + 6 * i, "\\u0001", 7);
    (void)snprintf(body, sizeof body, "{\"notes\":\"%.*s%.*s\"}", 9000, much, 6000, much);
    assert_code(world_ask(&world, "PUT", party.token[0], body, "/api/tables/%s/notes", party.id),
                413, "too-big");
    static const char *const wrong[] = {"{}",
                                        "{\"notes\":7}",
                                        "{\"notes\":null}",
                                        "[]",
                                        "\"\"",
                                        "{\"notes\":\"\",\"seat\":1}",
                                        "{",
                                        "{\"notes\":\"\\u0000\"}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(
            world_ask(&world, "PUT", party.token[0], wrong[i], "/api/tables/%s/notes", party.id),
            400);
    assert_stored(&party);
}

/* ---- clocks --------------------------------------------------------------------------------- */

#define CLOCK   "{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":30}}"
#define PROGRAM "{\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":true}]}"

static const struct fm_event *last_event(const struct party *p)
{
    return &table_of(p)->event[table_of(p)->n_events - 1];
}

static void program(struct party *p, int seat, const char *id)
{
    assert_true(client_say(&p->seat[seat], "{\"id\":\"%s\",\"action\":%s}", id, PROGRAM));
    world_settle(&world);
}

static void the_table_clock_speaks_at_its_deadline(void **state)
{
    (void)state;
    open_party(&party, CLOCK);
    const uint64_t deadline = srv_table_deadline(table_of(&party));
    assert_int_equal(deadline, world.now_ms + 30000);
    const size_t events = table_of(&party)->n_events;
    world_pass(&world, 29999);
    assert_int_equal(table_of(&party)->n_events, events);
    world_pass(&world, 1);
    assert_int_equal(table_of(&party)->n_events, events + 1);
    assert_int_equal(last_event(&party)->seat, FM_TABLE);
    assert_int_equal(last_event(&party)->t_ms, 30000);
    assert_stored(&party);
    go_all(&party);
}

static void the_clock_waits_for_what_was_said_in_time(void **state)
{
    (void)state;
    open_party(&party, CLOCK);
    const uint64_t deadline = srv_table_deadline(table_of(&party));
    party.seat[0].live.lag_ms = 40;
    party.seat[1].live.lag_ms = 2000; /* no more than SRV_CREDIT_MS is made up for */
    world_pass(&world, deadline + 41 - world.now_ms);
    program(&party, 0, "late");
    assert_refused(&party.seat[0], "late", "too-late");
    world_pass(&world, 150);
    program(&party, 1, "in-time");
    assert_int_equal(mail_count(&party.seat[1].mail, "ack"), 1);
    assert_int_equal(last_event(&party)->seat, 1);
    assert_int_equal(last_event(&party)->t_ms, 30000);
    const size_t events = table_of(&party)->n_events;
    world_pass(&world, deadline + SRV_CREDIT_MS - 1 - world.now_ms);
    assert_int_equal(table_of(&party)->n_events, events);
    world_pass(&world, 1);
    assert_int_equal(table_of(&party)->n_events, events + 1);
    assert_int_equal(last_event(&party)->seat, FM_TABLE);
    assert_int_equal(last_event(&party)->t_ms, 30000);
    assert_stored(&party);
    go_all(&party);
}

/* What another does in secret moves no time that a seat sees, whatever the lags. */
static void credits_move_no_time_that_others_see(void **state)
{
    (void)state;
    uint32_t seen[2];
    for (int secret = 0; secret < 2; secret++) {
        open_party(&party, CLOCK);
        const uint64_t start = world.now_ms;
        party.seat[0].live.lag_ms = party.seat[1].live.lag_ms = SRV_CREDIT_MS;
        program(&party, 0, "p");
        world_pass(&world, start + 20000 - world.now_ms);
        if (secret)
            program(&party, 1, "s");
        world_pass(&world, 100);
        assert_true(client_say(&party.seat[0], "{\"id\":\"r\",\"action\":{\"do\":\"ready\"}}"));
        world_settle(&world);
        assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 2);
        seen[secret] = pub_of(&party)->now_ms;
        go_all(&party);
    }
    assert_int_equal(seen[0], 20100);
    assert_int_equal(seen[1], 20100);
}

/* Seat 0 does something n times in secret; what seat 1 and a spectator were sent. */
static void sent_to_others(int n, char *text, size_t cap)
{
    open_party(&party, CLOCK);
    mail_clear(&party.seat[1].mail);
    mail_clear(&party.watcher.mail);
    for (int i = 0; i < n; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "p%d", i);
        program(&party, 0, id);
        world_settle(&world);
        world_pass(&world, 50);
    }
    assert_int_equal(mail_count(&party.seat[0].mail, "refused"),
                     n > SRV_REPEATS ? n - SRV_REPEATS : 0);
    world_pass(&world, 20000 - (uint64_t)n * 50);
    program(&party, 1, "mine");
    world_settle(&world);
    (void)snprintf(text, cap, "%s|%s", party.seat[1].mail.text,
                   party.watcher.mail.n > 0 ? party.watcher.mail.text : "");
    go_all(&party);
}

static void W05_only_the_seat_itself_learns_that_it_is_bound(void **state)
{
    (void)state;
    static char none[65536], many[65536];
    sent_to_others(0, none, sizeof none);
    sent_to_others(SRV_REPEATS + 20, many, sizeof many);
    assert_non_null(strstr(none, "\"ack\":\"mine\""));
    assert_string_equal(none, many);
}

/* Seat 1 acts while something that seat 0 did in secret is on its way to the store, or nothing is:
 * what it is sent, and after how many milliseconds. */
static void sent_when(bool secret, char *text, size_t cap)
{
    struct srv_hall *h = world.hall;
    struct fm_out o;
    open_party(&party, CLOCK);
    h->limits.secret_ms = 100;
    fm_out_init(&o, text, cap);
    if (secret)
        assert_true(client_say(&party.seat[0], "{\"id\":\"s\",\"action\":%s}", PROGRAM));
    srv_hall_turn(h); /* the store has it; nobody knows yet what came of it */
    mail_clear(&party.seat[1].mail);
    const uint64_t begin = world.now_ms;
    assert_true(client_say(&party.seat[1], "{\"id\":\"m\",\"action\":%s}", PROGRAM));
    assert_true(client_say(&party.seat[1], "{\"id\":\"n\",\"action\":{\"do\":\"unready\"}}"));
    for (unsigned lines = 0; lines < 3;) {
        srv_hall_turn(h);
        st_drain(world.store);
        srv_hall_settle(h, world.now_ms);
        if (party.seat[1].mail.lines > lines) {
            fm_put_int(&o, party.seat[1].mail.lines);
            fm_put(&o, " lines after ");
            fm_put_int(&o, (int64_t)(world.now_ms - begin));
            fm_put(&o, " ms\n");
        }
        lines = party.seat[1].mail.lines;
        srv_hall_tick(h, world.now_ms += 10);
        assert_true(world.now_ms < begin + 1000);
    }
    assert_int_equal(mail_count(&party.seat[1].mail, "ack"), 1);
    assert_refused(&party.seat[1], "n", "not-ready");
    fm_put(&o, party.seat[1].mail.text);
    assert_true(fm_out_ok(&o));
    world_pass(&world, 200);
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), secret);
    h->limits.secret_ms = 0;
    go_all(&party);
}

static void W12_an_acknowledgement_takes_as_long_whatever_another_does_in_secret(void **state)
{
    (void)state;
    static char none[65536], one[65536];
    sent_when(false, none, sizeof none);
    sent_when(true, one, sizeof one);
    assert_non_null(strstr(none, "3 lines after 100 ms"));
    assert_string_equal(none, one);
}

/* What waits to be told to one stream delays no other, and is forgotten with its stream. */
static void W12_what_waits_to_be_told_delays_no_other_stream(void **state)
{
    (void)state;
    struct srv_hall *h = world.hall;
    open_party(&party, CLOCK);
    h->limits.secret_ms = 100;
    mail_clear(&party.seat[1].mail);
    program(&party, 0, "s");
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 0);
    assert_true(client_say(&party.seat[1], "{\"what\":\"w\",\"if\":[%s]}", PROGRAM));
    assert_int_equal(mail_count(&party.seat[1].mail, "what"), 1);
    client_leave(&party.seat[0]);
    world_pass(&world, 200);
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 0);
    h->limits.secret_ms = 0;
    go_all(&party);
}

static void ways_are_measured_where_a_clock_ticks_and_only_of_seats(void **state)
{
    (void)state;
    open_party(&party, CLOCK);
    world_pass(&world, 10000);
    for (int seat = 0; seat < 2; seat++)
        assert_in_range(party.seat[seat].pings, 5, 6);
    assert_int_equal(party.watcher.pings, 0);
    go_all(&party);
    open_party(&party, SOUM);
    world_pass(&world, 10000);
    assert_int_equal(party.seat[0].pings + party.seat[1].pings + party.watcher.pings, 0);
    go_all(&party);
}

static void everybody_is_told_how_long_the_clock_runs(void **state)
{
    (void)state;
    struct client late;
    open_party(&party, CLOCK);
    const struct client *all[] = {&party.seat[0], &party.seat[1], &party.watcher};
    for (size_t i = 0; i < 3; i++) {
        json_t *clock = mail_last(&all[i]->mail, "clock");
        assert_int_equal(json_integer_value(json_object_get(clock, "clock")), 30000);
        assert_int_equal(mail_count(&all[i]->mail, "clock"), 1);
        json_decref(clock);
    }
    world_pass(&world, 12345);
    client_open(&late, &world, party.id);
    assert_true(client_say(&late, "{\"hello\":null}"));
    json_t *clock = mail_last(&late.mail, "clock");
    assert_int_equal(json_integer_value(json_object_get(clock, "clock")), 30000 - 12345);
    json_decref(clock);
    client_finish(&late);
    go_all(&party);
}

static void an_action_counts_from_when_it_came(void **state)
{
    (void)state;
    open_party(&party, CLOCK);
    const uint64_t deadline = srv_table_deadline(table_of(&party));
    world.now_ms = deadline - 2;
    assert_true(client_say(&party.seat[0], "{\"id\":\"a\",\"action\":%s}", PROGRAM));
    assert_true(client_say(&party.seat[1], "{\"id\":\"b\",\"action\":%s}", PROGRAM));
    world.now_ms = deadline + 200; /* the store takes its time with the first */
    srv_hall_tick(world.hall, world.now_ms);
    srv_hall_tick(world.hall, world.now_ms); /* the clock is in line, once, behind the second */
    world_settle(&world);
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 1);
    assert_int_equal(mail_count(&party.seat[1].mail, "ack"), 1);
    const struct fm_event *last = last_event(&party);
    assert_int_equal(last->seat, FM_TABLE);
    assert_int_equal(last->t_ms, 30000);
    assert_int_equal(last[-1].t_ms, 29998);
    assert_int_equal(last[-2].t_ms, 29998);
    assert_stored(&party);
    go_all(&party);
}

static void clocks_run_on_while_nobody_looks_and_over_restarts(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":30}}");
    go_all(&party);
    world_restart(&world);
    world.now_ms += 3600000; /* the server was down for an hour */
    world_restart(&world);
    const size_t events = table_of(&party)->n_events;
    world_pass(&world, 100);
    assert_true(table_of(&party)->n_events > events);
    assert_int_equal(table_of(&party)->event[events].seat, FM_TABLE);
    assert_int_equal(table_of(&party)->event[events].t_ms, 30000);
    assert_stored(&party);
}

static void the_orca_gives_its_seconds_and_stops(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2,\"companions\":\"ten\"}}");
    for (int seat = 0; seat < 2; seat++) {
        assert_true(client_say(&party.seat[seat],
                               "{\"id\":\"k\",\"action\":{\"do\":\"choose\",\"companion\":\"%s\"}}",
                               seat == 0 ? "orca" : "narwhal"));
        world_settle(&world);
        assert_int_equal(mail_count(&party.seat[seat].mail, "ack"), 1);
    }
    assert_int_equal(srv_table_deadline(table_of(&party)), 0);
    for (int seat = 0; seat < 2; seat++)
        assert_true(client_say(&party.seat[seat], "{\"id\":\"p\",\"action\":%s}", PROGRAM));
    world_settle(&world);
    assert_true(client_say(&party.seat[0],
                           "{\"id\":\"u\",\"action\":{\"do\":\"use\",\"companion\":\"orca\"}}"));
    world_settle(&world);
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 3);
    const uint64_t deadline = srv_table_deadline(table_of(&party));
    assert_true(deadline > world.now_ms);
    const size_t events = table_of(&party)->n_events;
    go_all(&party);
    world_restart(&world); /* it stands in the store */
    assert_int_equal(srv_table_deadline(table_of(&party)), deadline);
    world_pass(&world, deadline - world.now_ms - 1);
    assert_int_equal(table_of(&party)->n_events, events);
    world_pass(&world, 1);
    assert_int_equal(table_of(&party)->n_events, events + 1);
    assert_int_equal(table_of(&party)->event[events].seat, FM_TABLE);
    assert_stored(&party);
}

/* ---- limits --------------------------------------------------------------------------------- */

static void a_line_that_is_too_long_is_refused(void **state)
{
    (void)state;
    static struct call calls[64];
    char path[128];
    unsigned fine = 0, busy = 0;
    open_party(&party, SOUM);
    (void)snprintf(path, sizeof path, "/api/tables/%s/notes", party.id);
    for (int i = 0; i < 64; i++)
        world_send(&world, &calls[i], "PUT", party.token[0], "{\"notes\":\"x\"}", path);
    mail_clear(&party.seat[0].mail);
    assert_true(client_say(&party.seat[0], "{\"id\":\"q\",\"action\":%s}", choose(&party, 0)));
    assert_refused(&party.seat[0], "q", "busy");
    world_settle(&world);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(calls[i].answers, 1);
        fine += calls[i].status == 200;
        busy += calls[i].status == 429;
        call_finish(&calls[i]);
    }
    assert_int_equal(fine, world.limits.waiting + 1); /* one is at the store */
    assert_int_equal(fine + busy, 64);
    step(&party); /* and it goes on */
    go_all(&party);
}

static void too_many_tables_that_are_looked_at_are_refused(void **state)
{
    (void)state;
    static struct client clients[64];
    assert_int_equal(world.limits.tables, 64);
    for (unsigned i = 0; i < world.limits.tables; i++) {
        assert_int_equal(world_ask(&world, "POST", NULL, SOUM, "/api/tables"), 201);
        client_open(&clients[i], &world, world_text(&world, "table"));
        assert_true(client_say(&clients[i], "{\"hello\":null}"));
    }
    assert_code(world_ask(&world, "POST", NULL, SOUM, "/api/tables"), 429, "busy");
    client_finish(&clients[0]);
    world_pass(&world, 50);
    assert_int_equal(world_ask(&world, "POST", NULL, SOUM, "/api/tables"), 201);
    for (unsigned i = 1; i < world.limits.tables; i++)
        client_finish(&clients[i]);
    world_pass(&world, world.limits.idle_ms + 2000);
    assert_int_equal(srv_hall_stats(world.hall).tables, 0);
}

static void nobody_waits_for_a_call_that_hung_up(void **state)
{
    (void)state;
    struct call a = {0}, b = {0}, c = {0};
    char path[128];
    world_send(&world, &c, "POST", NULL, SOUM, "/api/tables");
    srv_hall_hung_up(world.hall, &c.call);
    make(&party, SOUM);
    assert_int_equal(c.answers, 0);
    (void)snprintf(path, sizeof path, "/api/tables/%s/seats", party.id);
    world_send(&world, &a, "POST", NULL, "{\"name\":\"A\"}", path);
    world_send(&world, &b, "POST", NULL, "{\"name\":\"B\"}", path);
    srv_hall_hung_up(world.hall, &a.call);
    srv_hall_hung_up(world.hall, &b.call);
    world_settle(&world);
    assert_int_equal(a.answers + b.answers, 0);
    assert_true(table_of(&party)->seat[1].taken);
    srv_hall_hung_up(world.hall, &b.call); /* again is harmless */
    assert_stored(&party);
    call_finish(&a);
    call_finish(&b);
    call_finish(&c);
}

static void a_rematch_that_nobody_waits_for_is_made(void **state)
{
    (void)state;
    struct call a = {0};
    char path[128];
    open_party(&party, SOUM);
    play_out(&party);
    (void)snprintf(path, sizeof path, "/api/tables/%s/rematch", party.id);
    world_send(&world, &a, "POST", party.token[0], NULL, path);
    srv_hall_hung_up(world.hall, &a.call);
    world_settle(&world);
    assert_int_equal(a.answers, 0);
    assert_true(table_of(&party)->has_rematch);
    go_all(&party);
}

static void idle_tables_leave_the_memory_and_come_back(void **state)
{
    (void)state;
    open_party(&party, bodies[2]);
    for (int i = 0; i < 5; i++)
        step(&party);
    const uint64_t seq = table_of(&party)->seq;
    world_pass(&world, world.limits.idle_ms + 5000);
    assert_non_null(world_place(&world, party.id)); /* somebody looks at it */
    go_all(&party);
    world_pass(&world, world.limits.idle_ms + 5000);
    assert_null(world_place(&world, party.id));
    come_all(&party);
    assert_int_equal(table_of(&party)->seq, seq);
    step(&party);
    assert_stored(&party);
    go_all(&party);
}

/* ---- a store that refuses ------------------------------------------------------------------- */

static void what_cannot_be_stored_is_not_shown_and_service_resumes(void **state)
{
    (void)state;
    static const int codes[] = {SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_READONLY};
    char next[512];
    open_party(&party, SOUM3);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        const struct srv_table *t = table_of(&party);
        const uint64_t seq = t->seq;
        const int seat = __builtin_ctz(pub_of(&party)->owes);
        static _Alignas(8) uint8_t before[FM_STATE_MAX];
        memcpy(before, t->match, sizeof before);
        copy_text(next, sizeof next, choose(&party, seat));
        for (int k = 0; k < party.n; k++)
            mail_clear(&party.seat[k].mail);
        mail_clear(&party.watcher.mail);
        faulty_arm(0, codes[i], true);
        assert_true(client_say(&party.seat[seat], "{\"id\":\"f%zu\",\"action\":%s}", i, next));
        world_settle(&world);
        char id[8];
        (void)snprintf(id, sizeof id, "f%zu", i);
        assert_refused(&party.seat[seat], id, "not-stored");
        assert_int_equal(party.seat[seat].mail.lines, 1);
        assert_int_equal(party.watcher.mail.lines, 0);
        assert_memory_equal(before, t->match, sizeof before);
        assert_int_equal(t->seq, seq);
        assert_code(world_ask(&world, "PUT", party.token[0], "{\"notes\":\"n\"}",
                              "/api/tables/%s/notes", party.id),
                    503, "not-stored");
        assert_null(t->seat[0].notes);
        assert_code(world_ask(&world, "POST", NULL, SOUM, "/api/tables"), 503, "not-stored");
        assert_int_equal(srv_hall_stats(world.hall).tables, 1);
        assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
        faulty_heal();
        /* the same id, tried again, is done once */
        assert_true(client_say(&party.seat[seat], "{\"id\":\"f%zu\",\"action\":%s}", i, next));
        world_settle(&world);
        assert_int_equal(mail_count(&party.seat[seat].mail, "ack"), 1);
        assert_int_equal(table_of(&party)->seq, seq + 1);
        assert_stored(&party);
    }
    go_all(&party);
}

static void clocks_and_bots_try_again_when_the_store_refuses(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":30}}");
    client_leave(&party.seat[1]);
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":1,\"bot\":\"steady\"}",
                               "/api/tables/%s/bots", party.id),
                     200);
    const uint64_t seq = table_of(&party)->seq;
    mail_clear(&party.watcher.mail);
    faulty_arm(0, SQLITE_FULL, true);
    world_pass(&world, 31000);
    assert_int_equal(table_of(&party)->seq, seq);
    assert_int_equal(party.watcher.mail.lines, 0);
    faulty_heal();
    world_pass(&world, 2000);
    assert_true(table_of(&party)->seq > seq);
    assert_stored(&party);
    go_all(&party);
}

/* ---- what is wrong -------------------------------------------------------------------------- */

static void bad_requests_are_refused_once_each(void **state)
{
    (void)state;
    static const struct {
        const char *method, *path, *body;
        int status;
    } asks[] = {
        {"POST", "/api/tables", "", 400},
        {"POST", "/api/tables", "[]", 400},
        {"POST", "/api/tables", "{\"game\":\"chess\"}", 400},
        {"POST", "/api/tables", "{\"game\":\"dive\",\"more\":1}", 400},
        {"POST", "/api/tables", "{\"game\":\"dive\",\"options\":{\"divers\":99}}", 400},
        {"POST", "/api/tables", "{\"game\":\"dive\",\"listed\":1}", 400},
        {"POST", "/api/tables", "{\"game\":\"dive\",\"setup\":{}}", 400},
        {"POST", "/api/tables", "{\"\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\":1}", 400},
        {"DELETE", "/api/tables", "", 404},
        {"GET", "/api/tables/", "", 404},
        {"GET", "/api/tables/00", "", 404},
        {"GET", "/api/tables/0000000000000000000000000000000G", "", 404},
        {"GET", "/api/tables/00000000000000000000000000000000", "", 404},
        {"GET", "/api/tables/00000000000000000000000000000000/notes", "", 404},
        {"GET", "/api/codes/", "", 404},
        {"GET", "/api/codes/------", "", 404},
        {"GET", "/api/codes/ABCDEFG", "", 404},
        {"GET", "/api/tablesx", "", 404},
        {"GET", "/", "", 404},
        {"", "", "", 404},
    };
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
        const int status =
            world_ask(&world, asks[i].method, NULL, asks[i].body, "%s", asks[i].path);
        if (status != asks[i].status)
            fail_msg("%s %s %s: %d", asks[i].method, asks[i].path, asks[i].body, status);
        assert_true(world_code(&world)[0] != '\0');
    }
    assert_int_equal(srv_hall_stats(world.hall).tables, 0);
}

/* ---- what if -------------------------------------------------------------------------------- */

/* The view that a seat is shown for these actions; json_decref() it. */
static json_t *what_if(struct party *p, int seat, const char *actions)
{
    static unsigned number;
    char id[20];
    (void)snprintf(id, sizeof id, "w%u", ++number);
    struct mail *m = &p->seat[seat].mail;
    mail_clear(m);
    assert_true(client_say(&p->seat[seat], "{\"what\":\"%s\",\"if\":%s}", id, actions));
    assert_int_equal(m->lines, 1);
    json_t *answer = mail_last(m, "what");
    assert_non_null(answer);
    assert_string_equal(json_string_value(json_object_get(answer, "what")), id);
    json_t *view = json_incref(json_object_get(answer, "view"));
    assert_true(json_is_object(view));
    json_decref(answer);
    return view;
}

static json_t *view_now(const struct party *p, int seat)
{
    json_t *last = mail_last(&p->seat[seat].mail, "view");
    json_t *view = json_incref(json_object_get(last, "view"));
    json_decref(last);
    return view;
}

static void what_if_shows_what_ones_own_actions_lead_to(void **state)
{
    (void)state;
    static const char actions[] =
        "[{\"do\":\"place\",\"card\":1,\"at\":[0,3]},{\"do\":\"diver\",\"at\":[0,3]}]";
    open_party(&party, SOUM);
    json_t *now = view_now(&party, 0);
    const uint64_t seq = table_of(&party)->seq;
    const uint32_t check = fm_check(table_of(&party)->setup.game, table_of(&party)->match);
    mail_clear(&party.seat[1].mail);
    mail_clear(&party.watcher.mail);
    json_t *then = what_if(&party, 0, actions), *again = what_if(&party, 0, actions);
    assert_true(json_equal(then, again)); /* also what is invented in it */
    /* nothing has happened, and nobody else knows */
    assert_int_equal(table_of(&party)->seq, seq);
    assert_int_equal(fm_check(table_of(&party)->setup.game, table_of(&party)->match), check);
    assert_int_equal(party.seat[1].mail.lines + party.watcher.mail.lines, 0);
    /* the same as if it were done, but for the card that was drawn */
    assert_true(client_say(&party.seat[0], "{\"id\":\"a\",\"action\":{\"do\":\"place\",\"card\":1,"
                                           "\"at\":[0,3]}}"));
    assert_true(client_say(&party.seat[0], "{\"id\":\"b\",\"action\":{\"do\":\"diver\","
                                           "\"at\":[0,3]}}"));
    world_settle(&world);
    json_t *done = view_now(&party, 0), *drawn = json_object_get(done, "hand");
    assert_int_equal(json_array_size(drawn), 3);
    assert_int_equal(json_array_size(json_object_get(then, "hand")), 3);
    (void)json_array_remove(drawn, 2);
    (void)json_array_remove(json_object_get(then, "hand"), 2);
    assert_true(json_equal(then, done));
    assert_false(json_equal(now, done));
    json_decref(now);
    json_decref(then);
    json_decref(again);
    json_decref(done);
    go_all(&party);
}

static void what_if_is_for_seats_that_could_do_it(void **state)
{
    (void)state;
    static const char pass[] = "{\"what\":\"w\",\"if\":[{\"do\":\"pass\"}]}";
    make(&party, SOUM);
    assert_int_equal(sit(&party, 0), 201);
    assert_int_equal(sit(&party, 1), 201);
    come_all(&party);
    assert_true(client_say(&party.seat[0], "%s", pass));
    assert_refused(&party.seat[0], "w", "wrong-phase");
    assert_int_equal(begin(&party), 200);
    assert_true(client_say(&party.seat[0], "%s", pass)); /* understood, but a card comes first */
    assert_refused(&party.seat[0], "w", "wrong-phase");
    assert_true(client_say(&party.seat[0], "{\"what\":\"x\",\"if\":[{\"do\":\"place\",\"card\":0,"
                                           "\"at\":[2,2]}]}"));
    assert_refused(&party.seat[0], "x", "submarine");
    assert_true(client_say(&party.seat[0], "{\"what\":\"y\",\"if\":[{\"do\":\"place\",\"card\":0,"
                                           "\"at\":[0,0]},{\"do\":\"diver\",\"at\":[0,1]}]}"));
    assert_refused(&party.seat[0], "y", "no-card-there");
    assert_true(client_say(&party.seat[1], "%s", pass));
    assert_refused(&party.seat[1], "w", "not-your-turn");
    assert_true(client_say(&party.watcher, "%s", pass));
    assert_refused(&party.watcher, "w", "forbidden");
    play_out(&party);
    assert_true(client_say(&party.seat[0], "%s", pass));
    assert_refused(&party.seat[0], "w", "over");
    go_all(&party);
}

/* What a seat may do can be asked at any moment of any game, and nothing has changed. */
static void what_if_of_all_games(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        unsigned answered = 0, asked = 0;
        open_party(&party, bodies[i]);
        for (int k = 0; k < 150 && table_of(&party)->state == ST_PLAYING; k++) {
            for (int seat = 0; seat < party.n; seat++) {
                const char *action = choose(&party, seat);
                struct mail *m = &party.seat[seat].mail;
                const uint32_t check =
                    fm_check(table_of(&party)->setup.game, table_of(&party)->match);
                if (action == NULL)
                    continue;
                mail_clear(m);
                assert_true(client_say(&party.seat[seat], "{\"what\":\"w\",\"if\":[%s]}", action));
                assert_int_equal(m->lines, 1);
                assert_int_equal(fm_check(table_of(&party)->setup.game, table_of(&party)->match),
                                 check);
                answered += mail_count(m, "what");
                asked++;
            }
            step(&party);
        }
        assert_true(asked > 20);
        assert_int_equal(answered, asked);
        assert_stored(&party);
        go_all(&party);
    }
}

static void bad_messages_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "",
        "{",
        "[]",
        "7",
        "null",
        "{}",
        "{\"id\":\"a\"}",
        "{\"action\":{\"do\":\"pass\"}}",
        "{\"id\":\"\",\"action\":{\"do\":\"pass\"}}",
        "{\"id\":7,\"action\":{\"do\":\"pass\"}}",
        "{\"id\":\"a\",\"action\":7}",
        "{\"id\":\"a\",\"action\":{}}",
        "{\"id\":\"a\",\"action\":{\"do\":\"fly\"}}",
        "{\"id\":\"a\",\"action\":{\"do\":\"pass\"},\"seat\":1}",
        "{\"id\":\"a\",\"action\":{\"do\":\"pass\",\"seat\":1}}",
        "{\"hold\":1}",
        "{\"look\":{}}",
        "{\"look\":{\"tilt\":[1]}}",
        "{\"hold\":true,\"look\":{\"tilt\":[0,0]}}",
        "{\"what\":\"w\"}",
        "{\"what\":7,\"if\":[{\"do\":\"pass\"}]}",
        "{\"what\":\"\",\"if\":[{\"do\":\"pass\"}]}",
        "{\"what\":\"a b\",\"if\":[{\"do\":\"pass\"}]}",
        "{\"what\":\"w\",\"if\":{\"do\":\"pass\"}}",
        "{\"what\":\"w\",\"if\":[]}",
        "{\"what\":\"w\",\"if\":[7]}",
        "{\"what\":\"w\",\"if\":[{\"do\":\"fly\"}]}",
        "{\"what\":\"w\",\"if\":[{\"do\":\"pass\",\"seat\":1}]}",
        "{\"what\":\"w\",\"if\":[{\"do\":\"pass\"}],\"id\":\"a\"}",
        ("{\"what\":\"w\",\"if\":[{\"do\":\"pass\"},{\"do\":\"pass\"},{\"do\":\"pass\"},"
         "{\"do\":\"pass\"},{\"do\":\"pass\"}]}"),
        "{\"id\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"action\":{\"do\":\"pass\"}}"};
    open_party(&party, SOUM);
    const uint64_t seq = table_of(&party)->seq;
    mail_clear(&party.seat[1].mail);
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        mail_clear(&party.seat[0].mail);
        const bool understood = client_say(&party.seat[0], "%s", messages[i]);
        json_t *refusal = mail_last(&party.seat[0].mail, "refused");
        assert_non_null(refusal); /* by its id, if that could be read: it was understood so far */
        assert_int_equal(understood, json_is_string(json_object_get(refusal, "refused")));
        json_decref(refusal);
        assert_int_equal(party.seat[0].mail.lines, 1);
    }
    assert_true(client_say(&party.seat[0], "{\"id\":\"a b\",\"action\":%s}", choose(&party, 0)));
    world_settle(&world);
    assert_refused(&party.seat[0], "a b", "bad-value");
    assert_int_equal(table_of(&party)->seq, seq);
    assert_int_equal(party.seat[1].mail.lines, 0);
    go_all(&party);
}

/* What a statement does to the store while no hall has it. */
static void damage(const char *text)
{
    char path[128];
    sqlite3 *db;
    (void)snprintf(path, sizeof path, "%s/hall.db", world.folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    assert_true(sqlite3_changes(db) > 0);
    (void)sqlite3_close(db);
    world_restart(&world);
}

static void W08_a_table_with_a_gap_is_refused_alone(void **state)
{
    (void)state;
    struct party gapped = {0}, sound = {0};
    open_party(&gapped, "{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    open_party(&sound, "{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    for (int i = 0; i < 4; i++) {
        step(&gapped);
        step(&sound);
    }
    go_all(&gapped);
    go_all(&sound);
    damage("DELETE FROM events WHERE table_n = 1 AND seq = 5");
    assert_code(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", gapped.id), 500,
                "bad-record");
    assert_non_null(strstr(world.last.mail.text, "event 5"));
    come_all(&sound);
    step(&sound);
    go_all(&sound);
}

/* A bot of another version has a seat: it does not play, but its table is there. */
static void W08_a_bot_that_nobody_knows_does_not_play(void **state)
{
    (void)state;
    make(&party, "{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    assert_int_equal(sit(&party, 0), 201);
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":1,\"bot\":\"random\"}",
                               "/api/tables/%s/bots", party.id),
                     200);
    assert_int_equal(begin(&party), 200);
    damage("UPDATE events SET event = CAST(replace(CAST(event AS TEXT), '\"random\"', '\"kraken\"')"
           " AS BLOB) WHERE CAST(event AS TEXT) LIKE '%\"e\":\"bot\"%'");
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
    come_all(&party);
    for (int i = 0; i < 10 && pub_of(&party)->may == 1; i++)
        step(&party);
    world_pass(&world, 5000);
    assert_int_equal(pub_of(&party)->may, 2); /* it is waited for */
    go_all(&party);
}

#define IN_WORLD(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_WORLD(a_table_lives_from_its_making_to_its_rematch),
        IN_WORLD(W12_a_seat_that_is_asked_for_again_is_the_same_seat),
        IN_WORLD(W12_two_requests_at_once_with_one_id_get_one_seat),
        IN_WORLD(W12_an_id_must_be_as_hard_to_guess_as_a_token),
        IN_WORLD(W06_seats_add_to_the_deal_of_a_rematch),
        IN_WORLD(rematches_at_once_are_one),
        IN_WORLD(a_rematch_that_cannot_be_stored_is_refused_and_can_be_asked_for_again),
        IN_WORLD(seats_codes_and_lists),
        IN_WORLD(who_left_a_seat_does_not_see_what_the_next_one_sees),
        IN_WORLD(what_a_seat_asked_before_it_was_freed_is_not_done_to_the_next),
        IN_WORLD(wrong_tokens_get_nothing),
        IN_WORLD(retries_are_acknowledged_and_not_done_again),
        IN_WORLD(hello_tells_what_was_missed),
        IN_WORLD(no_id_is_ever_forgotten),
        IN_WORLD(whoever_was_here_before_the_start_is_told_of_it),
        IN_WORLD(whoever_missed_too_much_is_shown_the_view_alone),
        IN_WORLD(presence_is_told_once_per_change),
        IN_WORLD(who_holds_the_stack_shows_it_to_table_screens),
        IN_WORLD(a_stream_may_leave_while_its_action_is_on_its_way),
        IN_WORLD(the_others_vote_for_a_bot_until_the_owner_is_back),
        IN_WORLD(bots_play_games_to_their_end),
        IN_WORLD(a_bot_that_was_overtaken_does_not_act),
        IN_WORLD(notes_are_kept_for_their_seat_alone),
        IN_WORLD(the_table_clock_speaks_at_its_deadline),
        IN_WORLD(the_clock_waits_for_what_was_said_in_time),
        IN_WORLD(credits_move_no_time_that_others_see),
        IN_WORLD(W05_only_the_seat_itself_learns_that_it_is_bound),
        IN_WORLD(W12_an_acknowledgement_takes_as_long_whatever_another_does_in_secret),
        IN_WORLD(W12_what_waits_to_be_told_delays_no_other_stream),
        IN_WORLD(ways_are_measured_where_a_clock_ticks_and_only_of_seats),
        IN_WORLD(everybody_is_told_how_long_the_clock_runs),
        IN_WORLD(an_action_counts_from_when_it_came),
        IN_WORLD(clocks_run_on_while_nobody_looks_and_over_restarts),
        IN_WORLD(the_orca_gives_its_seconds_and_stops),
        IN_WORLD(a_line_that_is_too_long_is_refused),
        IN_WORLD(too_many_tables_that_are_looked_at_are_refused),
        IN_WORLD(nobody_waits_for_a_call_that_hung_up),
        IN_WORLD(a_rematch_that_nobody_waits_for_is_made),
        IN_WORLD(idle_tables_leave_the_memory_and_come_back),
        IN_WORLD(what_cannot_be_stored_is_not_shown_and_service_resumes),
        IN_WORLD(clocks_and_bots_try_again_when_the_store_refuses),
        IN_WORLD(bad_requests_are_refused_once_each),
        IN_WORLD(what_if_shows_what_ones_own_actions_lead_to),
        IN_WORLD(what_if_is_for_seats_that_could_do_it),
        IN_WORLD(what_if_of_all_games),
        IN_WORLD(bad_messages_are_refused_and_change_nothing),
        IN_WORLD(W08_a_table_with_a_gap_is_refused_alone),
        IN_WORLD(W08_a_bot_that_nobody_knows_does_not_play),
    };
    fm_assert(faulty_install() == 0);
    return tests_run("hall", tests, sizeof tests / sizeof tests[0]);
}
