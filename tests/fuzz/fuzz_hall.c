/*
 * fuzz_hall.c: any bytes as requests and messages to a hall with a table that waits and one that
 * runs. The first byte picks the game; each line after it is one of
 *
 *     HtMETHOD PATH BODY   a request with token t: 0 none, 1 2 host and seat of the table that
 *                          waits, 3 4 5 host and seats of the one that runs, else a wrong one
 *     hMETHOD …            the same, and nobody waits for the store before the next line
 *     WcTEXT  wcTEXT       a message of stream c: 0 and 1 at the running table, 2 at the waiting
 *     Lc                   it leaves                  X   the last request hangs up
 *     Tx                   time passes                ?x  a random legal action of who is asked
 *
 * @W and @R in a path or text stand for the tables' ids, @P for a practice's, @n for the end of a
 * line, $t for a token. Every request is answered exactly once, whatever is refused changes
 * nothing, and the logs read back as what is in memory.
 */
#include "fuzz.h"

#include "base/hash.h"
#include "base/panic.h"
#include "server/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_CLIENTS   4
#define N_CALLS     64
#define TEXT_MAX    (40u << 10)
#define TOKEN       (SRV_TOKEN_TEXT + 1)
#define MESSAGE_MAX 16384 /* what the network hands on */

struct table {
    char id[2 * ST_ID_BYTES + 1], host[TOKEN], seat[2][TOKEN];
};

static struct world world;
static struct table waits, runs;
static char practice[2 * ST_ID_BYTES + 1];
static struct client clients[N_CLIENTS];
static struct call calls[N_CALLS];
static bool hung_up[N_CALLS];
static unsigned n_calls;

static void copy_text(char *to, size_t cap, const char *from)
{
    fm_assert(strlen(from) > 0 && strlen(from) < cap);
    (void)snprintf(to, cap, "%s", from);
}

static void make(struct table *t, const char *game, int people)
{
    char body[80];
    (void)snprintf(body, sizeof body, "{\"game\":\"%s\",\"listed\":true}", game);
    fm_assert(world_ask(&world, "POST", NULL, body, "/api/tables") == 201);
    copy_text(t->id, sizeof t->id, world_text(&world, "table"));
    copy_text(t->host, sizeof t->host, world_text(&world, "host"));
    for (int i = 0; i < people; i++) {
        fm_assert(world_ask(&world, "POST", NULL, "{\"name\":\"Ana\"}", "/api/tables/%s/seats",
                            t->id) == 201);
        copy_text(t->seat[i], TOKEN, world_text(&world, "token"));
    }
}

static void open_tables(uint8_t pick)
{
    const char *game = fuzz_game(pick)->id;
    world.limits = (struct srv_limits){.tables = 64, .waiting = 8};
    world.library = fuzz_library();
    world_open(&world, 1);
    make(&waits, game, 1);
    make(&runs, game, 2);
    struct srv_slot *slot = world_slot(&world, runs.id);
    for (unsigned i = 2; i < slot->table.setup.n_seats; i++)
        fm_assert(world_ask(&world, "POST", NULL, "{\"name\":\"Bo\"}", "/api/tables/%s/seats",
                            runs.id) == 201);
    fm_assert(world_ask(&world, "POST", runs.host, NULL, "/api/tables/%s/start", runs.id) == 200);
    for (int i = 0; i < N_CLIENTS; i++)
        client_open(&clients[i], &world, i == 2 ? waits.id : runs.id);
    for (int i = 0; i < 2; i++)
        fm_assert(client_say(&clients[i], "{\"hello\":\"%s\"}", runs.seat[i]));
    fm_assert(world_ask(&world, "POST", NULL, NULL, "/api/practice") == 201);
    copy_text(practice, sizeof practice, world_text(&world, "practice"));
    n_calls = 0;
}

static const char *token_of(char c)
{
    switch (c) {
    case '0':
        return NULL;
    case '1':
        return waits.host;
    case '2':
        return waits.seat[0];
    case '3':
        return runs.host;
    case '4':
    case '5':
        return runs.seat[c - '4'];
    default:
        return "0123456789abcdef0123456789abcdef";
    }
}

/* @W, @R, @P, @n and $t are put in; whatever else stays as it is. */
static size_t expand(char *to, const char *from, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n && used + 64 < TEXT_MAX; i++) {
        const char *in = NULL;
        if (from[i] == '@' && i + 1 < n && (from[i + 1] == 'W' || from[i + 1] == 'R'))
            in = from[i + 1] == 'W' ? waits.id : runs.id;
        else if (from[i] == '@' && i + 1 < n && from[i + 1] == 'P')
            in = practice;
        else if (from[i] == '@' && i + 1 < n && from[i + 1] == 'n')
            in = "\n";
        else if (from[i] == '$' && i + 1 < n && from[i + 1] >= '1' && from[i + 1] <= '6')
            in = token_of(from[i + 1]);
        if (in == NULL) {
            to[used++] = from[i];
            continue;
        }
        memcpy(to + used, in, strlen(in));
        used += strlen(in);
        i++;
    }
    to[used] = '\0';
    return used;
}

/* ---- what there is -------------------------------------------------------------------------- */

struct state {
    uint64_t seq[2];
    unsigned here[2];
    bool bots;
};

static bool last_seq(void *arg, uint64_t seq, const void *event, size_t n)
{
    (void)event;
    (void)n;
    *(uint64_t *)arg = seq;
    return true;
}

/* How far a table has come that has left memory. */
static uint64_t stored_seq(const char *table)
{
    struct st_id id;
    struct fm_fault fault;
    uint64_t seq = 0;
    fm_assert(fm__unhex(id.bytes, sizeof id.bytes, table) == 0);
    fm_assert(st_read_log(world.store, &id, 1, last_seq, &seq, &fault) == FM_OK);
    return seq;
}

static struct state look(void)
{
    const struct table *tables[] = {&waits, &runs};
    struct state s = {.bots = false};
    for (int i = 0; i < 2; i++) {
        const struct srv_slot *slot = world_slot(&world, tables[i]->id);
        if (slot == NULL) {
            s.seq[i] = stored_seq(tables[i]->id);
            continue;
        }
        s.seq[i] = slot->table.seq;
        for (unsigned k = 0; k < FM_MAX_SEATS; k++)
            s.bots |= slot->table.seat[k].bot[0] != '\0';
    }
    return s;
}

/* Something refused changed nothing; bots do what they like. */
static void check_same(const struct state *before)
{
    const struct state now = look();
    fm_assert(before->bots || now.bots ||
              (before->seq[0] == now.seq[0] && before->seq[1] == now.seq[1]));
}

struct reading {
    struct srv_table table;
    struct st_id id;
};

static bool read_one(void *arg, uint64_t seq, const void *event, size_t n)
{
    struct reading *r = arg;
    struct fm_fault fault;
    fm_assert(srv_table_read(&r->table, &r->id, event, n, fuzz_library(), &fault) == FM_OK);
    fm_assert(r->table.seq == seq);
    return true;
}

static void check_log(const struct table *of)
{
    static struct reading r;
    struct fm_fault fault;
    const struct srv_slot *slot = world_slot(&world, of->id);
    if (slot == NULL)
        return;
    srv_table_init(&r.table);
    r.id = slot->table.id;
    fm_assert(st_read_log(world.store, &r.id, 1, read_one, &r, &fault) == FM_OK);
    const struct srv_table *t = &slot->table;
    fm_assert(r.table.seq == t->seq && r.table.state == t->state);
    fm_assert(r.table.n_events == t->n_events);
    fm_assert(memcmp(r.table.match, t->match, sizeof t->match) == 0);
    for (unsigned i = 0; i < FM_MAX_SEATS; i++) {
        const struct srv_seat *a = &r.table.seat[i], *b = &t->seat[i];
        fm_assert(strcmp(a->name, b->name) == 0 && strcmp(a->bot, b->bot) == 0);
        fm_assert(memcmp(a->token, b->token, sizeof a->token) == 0 && a->taken == b->taken);
        fm_assert((a->notes == NULL) == (b->notes == NULL));
        fm_assert(a->notes == NULL || strcmp(a->notes, b->notes) == 0);
    }
    srv_table_finish(&r.table);
}

/* Whatever is sent is JSON of its own. */
static void check_mail(struct mail *m)
{
    for (size_t at = 0; at < m->n;) {
        struct fm_fault fault;
        const char *end = memchr(m->text + at, '\n', m->n - at);
        const size_t n = (size_t)(end - (m->text + at));
        json_t *json = fm_json_load(m->text + at, n, &fault);
        if (json == NULL)
            fprintf(stderr, "%s: %.*s\n", fault.text, (int)n, m->text + at);
        fm_assert(json_is_object(json));
        json_decref(json);
        at += n + 1;
    }
    mail_clear(m);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void settle_all(void)
{
    world_settle(&world);
    for (unsigned i = 0; i < n_calls; i++) {
        fm_assert(calls[i].answers == (hung_up[i] ? 0 : 1) ||
                  (hung_up[i] && calls[i].answers <= 1));
        const bool record =
            calls[i].mail.n > 0 && memchr(calls[i].mail.text, '\n', calls[i].mail.n - 1) != NULL;
        if (!record)
            check_mail(&calls[i].mail);
        call_finish(&calls[i]);
    }
    n_calls = 0;
}

static void request(const char *line, size_t n, bool waits_for_it)
{
    static char text[TEXT_MAX];
    if (n_calls == N_CALLS)
        settle_all();
    if (n < 1)
        return;
    const char *token = token_of(line[0]);
    const size_t used = expand(text, line + 1, n - 1);
    char *method = text, *path = memchr(text, ' ', used);
    if (path == NULL || memchr(text, '\0', used) != NULL)
        return;
    *path++ = '\0';
    char *body = strchr(path, ' ');
    if (body != NULL)
        *body++ = '\0';
    const size_t size = body != NULL ? (size_t)(text + used - body) : 0;
    if (size > MESSAGE_MAX)
        return;
    if (waits_for_it)
        settle_all();
    const struct state before = look();
    struct call *c = &calls[n_calls];
    hung_up[n_calls++] = false;
    *c = (struct call){0};
    /* exactly so many bytes: reading beyond them is found */
    char *exact = malloc(size > 0 ? size : 1);
    fm_assert(exact != NULL);
    if (size > 0)
        memcpy(exact, body, size);
    const struct srv_http_request r = {
        .method = method, .path = path, .token = token, .body = exact, .n = size};
    srv_hall_request(world.hall, &c->call, &r, world.now_ms);
    free(exact);
    if (!waits_for_it)
        return;
    world_settle(&world);
    fm_assert(c->answers == 1);
    if (c->status >= 400 || strcmp(method, "GET") == 0)
        check_same(&before);
}

static void message(const char *line, size_t n, bool waits_for_it)
{
    static char text[TEXT_MAX];
    if (n < 1)
        return;
    struct client *c = &clients[(uint8_t)line[0] % N_CLIENTS];
    const size_t used = expand(text, line + 1, n - 1);
    if (used > MESSAGE_MAX)
        return;
    if (waits_for_it)
        settle_all();
    const struct state before = look();
    mail_clear(&c->mail);
    char *exact = malloc(used > 0 ? used : 1);
    fm_assert(exact != NULL);
    memcpy(exact, text, used);
    const bool fine = srv_hall_message(world.hall, &c->stream, c->path, exact, used, world.now_ms);
    free(exact);
    fm_assert(fine || c->mail.lines == 1);
    if (!waits_for_it)
        return;
    world_settle(&world);
    if (!fine)
        check_same(&before);
    check_mail(&c->mail);
}

static void act(uint8_t pick)
{
    struct srv_slot *slot = world_slot(&world, runs.id);
    struct fm_rng rng;
    char action[4096];
    struct fm_out o;
    static unsigned number;
    if (slot == NULL || slot->table.state != ST_PLAYING)
        return;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){pick}, 0);
    const struct fm_game *g = slot->table.setup.game;
    for (int seat = 0; seat < 2; seat++) {
        const fm_action a = g->sample(fm_view_of(g, slot->table.match, seat), &rng);
        if (a == 0 || clients[seat].stream.slot != slot || clients[seat].stream.seat != seat)
            continue;
        fm_out_init(&o, action, sizeof action);
        fm_put_action(&o, g, a);
        (void)client_say(&clients[seat], "{\"id\":\"n%u\",\"action\":%s}", ++number, action);
        world_settle(&world);
        check_mail(&clients[seat].mail);
        return;
    }
}

static void obey(const char *line, size_t n)
{
    if (n < 1)
        return;
    switch (line[0]) {
    case 'H':
    case 'h':
        request(line + 1, n - 1, line[0] == 'H');
        break;
    case 'W':
    case 'w':
        message(line + 1, n - 1, line[0] == 'W');
        break;
    case 'L':
        if (n > 1)
            client_leave(&clients[(uint8_t)line[1] % N_CLIENTS]);
        break;
    case 'X':
        if (n_calls > 0) {
            hung_up[n_calls - 1] = true;
            srv_hall_hung_up(world.hall, &calls[n_calls - 1].call);
        }
        break;
    case 'T':
        world.now_ms += n > 1 ? (uint64_t)(uint8_t)line[1] * 100 : 1;
        srv_hall_tick(world.hall, world.now_ms);
        break;
    case '?':
        act(n > 1 ? (uint8_t)line[1] : 0);
        break;
    default:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 2)
        return 0;
    open_tables(data[0]);
    const char *text = (const char *)data;
    int lines = 0;
    for (size_t pos = 1; pos < n && lines < 100; lines++) {
        const char *end = memchr(text + pos, '\n', n - pos);
        const size_t length = end != NULL ? (size_t)(end - (text + pos)) : n - pos;
        obey(text + pos, length);
        pos += length + 1;
    }
    settle_all();
    check_log(&waits);
    check_log(&runs);
    for (int i = 0; i < N_CLIENTS; i++) {
        check_mail(&clients[i].mail);
        client_finish(&clients[i]);
    }
    world_close(&world);
    return 0;
}
