/* hall_http.c: what is asked of the hall over HTTP. */
#include "server/hall_state.h"
#include "server/picture_waits.h"

#include "base/hash.h"
#include "base/panic.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LISTED 100

/* A request on its way through the hall. */
struct asking {
    struct srv_hall *hall;
    struct srv_call *call;
    const struct srv_request *r;
    struct srv_place *place;
    const char *rest; /* of the path, after the table's id */
    struct fm_fault fault;
    json_t *body;
    struct srv_parked *parked; /* it waited before; NULL: it did not */
    bool fresh;                /* no other program knows more of the table */
    bool waits;                /* for a read: it is answered later */
};

static void refuse(struct asking *a)
{
    srv_answer_error(a->hall, a->call, &a->fault);
}

static bool fail(struct asking *a, enum fm_err code)
{
    fm_fail_plain(&a->fault, code);
    refuse(a);
    return false;
}

/* It waits for a read; NULL: refused. */
static struct srv_parked *park(struct asking *a)
{
    if (a->parked != NULL)
        srv_park_again(a->parked, a->call, NULL);
    else
        a->parked = srv_park_call(a->hall, a->call, a->r, &a->fault);
    a->waits = a->parked != NULL;
    if (!a->waits)
        refuse(a);
    return a->parked;
}

/* What it was to wait for cannot be begun. */
static void no_wait(struct asking *a)
{
    a->waits = false;
    a->call->parked = NULL;
    a->parked->call = NULL;
    fail(a, FM_E_MEMORY);
}

/* Until it is known what other programs wrote. */
static void wait_for_more(struct asking *a)
{
    struct srv_parked *k = park(a);
    struct srv_waiters *waiters = k != NULL ? srv_catch_up(a->hall, a->place) : NULL;
    if (waiters != NULL)
        srv_waiters_add(waiters, k);
    else if (k != NULL)
        no_wait(a);
}

/* ---- bodies and tokens ---------------------------------------------------------------------- */

/* The body as an object; {} if there is none. */
static bool read_body(struct asking *a)
{
    a->body = a->r->n > 0 ? fm_json_load(a->r->body, a->r->n, &a->fault) : json_object();
    if (a->body != NULL && !json_is_object(a->body)) {
        fm_fail(&a->fault, FM_E_VALUE, "the body is not an object");
        json_decref(a->body);
        a->body = NULL;
    }
    if (a->body == NULL)
        refuse(a);
    return a->body != NULL;
}

/* Who asks: SRV_HOST, SRV_PLAYER with its seat, or 0 for a stranger (refused). */
static int read_token(struct asking *a, int *seat)
{
    *seat = FM_WATCHER;
    const int role = a->r->token != NULL ? srv_token_role(&a->place->table, a->r->token, seat) : 0;
    if (role == 0)
        fail(a, FM_E_NO_TOKEN_GIVEN);
    return role;
}

static bool need_host(struct asking *a)
{
    int seat;
    const int role = read_token(a, &seat);
    if (role == SRV_PLAYER)
        return fail(a, FM_E_FORBIDDEN);
    return role == SRV_HOST;
}

static bool need_seat(struct asking *a, int *seat)
{
    const int role = read_token(a, seat);
    if (role == SRV_HOST)
        return fail(a, FM_E_FORBIDDEN);
    return role == SRV_PLAYER;
}

/* In line at its table. */
static struct srv_wish *wish(struct asking *a, enum srv_what what)
{
    struct srv_wish *w = srv_wish_new(a->hall, a->place, what, a->call);
    if (w == NULL)
        fail(a, FM_E_MEMORY);
    return w;
}

/* ---- one table ------------------------------------------------------------------------------ */

static void get_table(struct asking *a)
{
    struct fm_out o;
    fm_out_init(&o, a->hall->text, SRV_MESSAGE);
    srv_put_table(&o, &a->place->table, a->place->here);
    srv_answer_out(a->hall, a->call, 200, &o);
}

/* "id" of a request for a seat: as good as the token that it gets, so as hard to guess. */
static bool read_seat_id(struct asking *a, const char **id)
{
    uint8_t bytes[SRV_TOKEN_BYTES];
    const json_t *value = json_object_get(a->body, "id");
    *id = json_string_value(value);
    if (value == NULL ||
        (*id != NULL && strlen(*id) == SRV_TOKEN_TEXT && fm__unhex(bytes, sizeof bytes, *id) == 0))
        return true;
    fm_fail(&a->fault, FM_E_VALUE, "id: %d random bytes as lower-case hex digits are expected",
            SRV_TOKEN_BYTES);
    refuse(a);
    return false;
}

static void post_seats(struct asking *a)
{
    const char *id;
    struct srv_wish *w = read_body(a) && read_seat_id(a, &id) ? wish(a, SRV_WANTS_SEAT) : NULL;
    if (w == NULL)
        return;
    if (id != NULL)
        srv_derive_token(w->token, &a->place->table.id, id);
    else
        srv_draw_token(w->token);
    w->body = json_incref(a->body);
    srv_wish_queue(w);
}

static void delete_seat(struct asking *a)
{
    int seat;
    const char *number = a->rest + strlen("/seats/");
    if (number[0] < '0' || number[0] > '6' || number[1] != '\0') {
        fail(a, FM_E_SEAT);
        return;
    }
    const int role = read_token(a, &seat);
    if (role == 0)
        return;
    if (role == SRV_PLAYER && seat != number[0] - '0') {
        fail(a, FM_E_FORBIDDEN);
        return;
    }
    struct srv_wish *w = wish(a, SRV_WANTS_LEAVE);
    if (w == NULL)
        return;
    w->seat = number[0] - '0';
    srv_notes_flush(a->hall, a->place, w->seat);
    srv_wish_queue(w);
}

static void answer_not_yet(struct asking *a)
{
    char text[32];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "done");
    fm_js_bool(&o, false);
    fm_js_end_object(&o);
    srv_answer_out(a->hall, a->call, 200, &o);
}

/* {"seat":2,"bot":"greedy"}: the host says it, an owner takes its seat back, others vote. */
static void post_bots(struct asking *a)
{
    static const char *const keys[] = {"seat", "bot", NULL};
    struct fm_in in, value;
    const char *bot = NULL;
    int own, seat;
    const int role = read_token(a, &own);
    if (role == 0 || !read_body(a))
        return;
    in = fm_in_root(a->body, "", &a->fault);
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "seat", &value) ||
        !fm_in_int(&value, 0, a->place->table.setup.n_seats - 1, &seat) ||
        !fm_in_get(&in, "bot", &value) ||
        (!json_is_null(value.json) && !fm_in_text(&value, SRV_BOT - 1, &bot))) {
        refuse(a);
        return;
    }
    if (bot != NULL && fm_bot_find(a->place->table.setup.game, bot) == NULL) { /* nor a vote */
        fm_fail(&a->fault, FM_E_VALUE, "there is no bot \"%.40s\" for %s", bot,
                a->place->table.setup.game->title);
        refuse(a);
        return;
    }
    const bool playing = a->place->table.state == ST_PLAYING;
    if (role == SRV_PLAYER && !playing) {
        fail(a, FM_E_FORBIDDEN);
        return;
    }
    if (playing && bot != NULL && (a->place->here >> seat & 1) && seat != own) {
        fm_fail(&a->fault, FM_E_TAKEN_SEAT, "seat %d is here: nobody plays in its place", seat);
        refuse(a);
        return;
    }
    if (role == SRV_PLAYER && seat != own) {
        const bool enough = srv_vote(a->place, seat, own, bot != NULL);
        if (!enough) { /* with a peer's it may be */
            srv_peers_vote(a->hall, a->place, seat, own, bot);
            answer_not_yet(a);
            return;
        }
    }
    struct srv_wish *w = wish(a, SRV_WANTS_BOT);
    if (w != NULL)
        srv_wish_bot(w, seat, bot);
}

static void post_start(struct asking *a)
{
    struct srv_wish *w = need_host(a) ? wish(a, SRV_WANTS_START) : NULL;
    if (w != NULL)
        srv_wish_queue(w);
}

static void post_rematch(struct asking *a)
{
    int seat;
    const struct srv_table *t = &a->place->table;
    if (read_token(a, &seat) == 0)
        return;
    if (t->state != ST_OVER) {
        fm_fail(&a->fault, FM_E_PHASE, "the game is not over yet");
        refuse(a);
        return;
    }
    struct srv_wish *w = wish(a, SRV_WANTS_AGAIN);
    if (w != NULL)
        srv_wish_queue(w);
}

static void put_notes(struct asking *a)
{
    static const char *const keys[] = {"notes", NULL};
    int seat;
    if (!need_seat(a, &seat) || !read_body(a))
        return;
    const struct fm_in in = fm_in_root(a->body, "", &a->fault);
    struct fm_in value;
    bool fine = fm_in_object(&in, keys) && fm_in_get(&in, "notes", &value);
    if (fine && !json_is_string(value.json))
        fine = fm_in_fail(&in, FM_E_VALUE, "notes: a text is expected");
    else if (fine && json_string_length(value.json) > SRV_NOTES)
        fine = fm_in_fail(&in, FM_E_SIZE, "notes: at most %d bytes", SRV_NOTES);
    if (!fine) {
        refuse(a);
        return;
    }
    struct srv_wish *w = wish(a, SRV_WANTS_NOTES);
    if (w == NULL)
        return;
    w->seat = seat;
    w->body = json_incref(a->body);
    srv_notes_put(w);
}

static void put_entropy(struct asking *a)
{
    int seat;
    struct srv_wish *w = need_seat(a, &seat) && read_body(a) ? wish(a, SRV_WANTS_CHANCE) : NULL;
    if (w == NULL)
        return;
    w->seat = seat;
    w->body = json_incref(a->body);
    srv_wish_queue(w);
}

static void get_notes(struct asking *a)
{
    int seat;
    struct fm_out o;
    if (!need_seat(a, &seat))
        return;
    fm_out_init(&o, a->hall->text, SRV_MESSAGE);
    fm_js_object(&o);
    fm_js_key_text(&o, "notes", srv_notes_of(a->place, seat));
    fm_js_end_object(&o);
    srv_answer_out(a->hall, a->call, 200, &o);
}

static void answer_record(struct srv_hall *h, struct srv_record *r)
{
    const struct fm_out o = {.buf = r->text, .cap = r->n + 1, .len = r->n};
    struct srv_call *const call = r->parked->call;
    if (call != NULL && r->err != FM_OK)
        srv_answer_error(h, call, &r->fault);
    else if (call != NULL)
        srv_answer_out(h, call, 200, &o);
}

static void get_record(struct asking *a)
{
    if (a->place->table.state != ST_OVER) {
        fm_fail(&a->fault, FM_E_PHASE, "there is a record once the game is over");
        refuse(a);
        return;
    }
    struct srv_parked *k = park(a);
    if (k != NULL && !srv_read_record(a->hall, &a->place->table.id, k, answer_record, NULL))
        no_wait(a);
}

static void get_replay(struct asking *a)
{
    srv_get_replay(a->hall, a->call, a->place, a->rest + strlen("/replay/"));
}

static void get_verify(struct asking *a)
{
    srv_get_verify(a->hall, a->call, a->place);
}

static bool has_stream(const struct srv_place *p, const char *address)
{
    for (const struct srv_live *l = p->lives; l != NULL; l = l->next)
        if (address != NULL && l->address != NULL && strcmp(l->address, address) == 0)
            return true;
    return false;
}

/* Whoever merely knows the table's id may not make the server work. */
static struct srv_viewer viewer_of(const struct asking *a)
{
    const struct srv_table *t = &a->place->table;
    const char *token = a->r->token;
    struct srv_viewer v = {.call = a->call, .address = a->r->address, .seat = FM_WATCHER};
    v.visited = token != NULL ? srv_token_role(t, token, &v.seat) != 0 || srv_is_visit(t, token)
                              : has_stream(a->place, v.address);
    return v;
}

static void get_ocean(struct asking *a)
{
    struct srv_hall *h = a->hall;
    const struct srv_viewer viewer = viewer_of(a);
    if (srv_ocean_ask(h->oceans, a->place->ocean, &a->place->table, &viewer,
                      a->rest + strlen("/ocean/"), h->now_ms, &a->fault) == FM_OK)
        return;
    if (h->shared && !a->fresh)
        wait_for_more(a);
    else
        refuse(a);
}

static const struct {
    const char *method, *path; /* a path that ends with / goes on */
    void (*answer)(struct asking *a);
} routes[] = {
    {"GET", "", get_table},
    {"POST", "/seats", post_seats},
    {"DELETE", "/seats/", delete_seat},
    {"POST", "/bots", post_bots},
    {"POST", "/start", post_start},
    {"POST", "/rematch", post_rematch},
    {"PUT", "/entropy", put_entropy},
    {"PUT", "/notes", put_notes},
    {"GET", "/notes", get_notes},
    {"GET", "/record", get_record},
    {"GET", "/replay/", get_replay},
    {"GET", "/verify", get_verify},
    {"GET", "/ocean/", get_ocean},
};

static void ask_table(struct asking *a)
{
    const size_t n = strlen(a->rest);
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        const size_t m = strlen(routes[i].path);
        const bool open = m > 0 && routes[i].path[m - 1] == '/';
        if (strcmp(a->r->method, routes[i].method) == 0 &&
            (open ? n > m && memcmp(a->rest, routes[i].path, m) == 0
                  : strcmp(a->rest, routes[i].path) == 0)) {
            routes[i].answer(a);
            return;
        }
    }
    fail(a, FM_E_NO_PATH);
}

/* ---- all tables ----------------------------------------------------------------------------- */

static void post_table(struct asking *a)
{
    if (read_body(a))
        srv_make_table(a->hall, a->call, a->r, a->body);
}

static void get_tables(struct asking *a)
{
    struct srv_parked *k = park(a);
    if (k != NULL && !srv_list_waiting(a->hall, k))
        no_wait(a);
}

static void get_code(struct asking *a, const char *text)
{
    char code[ST_CODE + 1];
    size_t n = 0;
    for (; *text != '\0' && n < ST_CODE; text++)
        if (*text != '-')
            code[n++] = (char)toupper((unsigned char)*text);
    code[n] = '\0';
    while (*text == '-')
        text++;
    if (n < ST_CODE || *text != '\0') {
        fail(a, FM_E_NO_TABLE);
        return;
    }
    struct srv_parked *k = park(a);
    if (k != NULL && !srv_find_code(a->hall, code, k))
        no_wait(a);
}

/* "/api/tables/ID" and what follows it. */
static bool read_table(struct asking *a, const char *text)
{
    char hex[2 * ST_ID_BYTES + 1];
    struct st_id id;
    const size_t n = strcspn(text, "/");
    if (n != sizeof hex - 1)
        return fail(a, FM_E_NO_TABLE);
    memcpy(hex, text, n);
    hex[n] = '\0';
    if (fm__unhex(id.bytes, sizeof id.bytes, hex) != 0)
        return fail(a, FM_E_NO_TABLE);
    a->rest = text + n;
    a->place = srv_place_known(a->hall, &id);
    if (a->place == NULL) {
        struct srv_parked *k = park(a);
        if (k != NULL)
            srv_load_wait(a->hall, &id, k);
        return false;
    }
    if (a->place->table.seq == 0) /* it is being made */
        return fail(a, FM_E_NO_TABLE);
    srv_place_used(a->hall, a->place);
    /* pictures are many: only one that is not there yet asks whether others know more */
    if (a->hall->shared && !a->fresh && strncmp(a->rest, "/ocean/", 7) != 0) {
        wait_for_more(a);
        return false;
    }
    if (srv_place_refusal(a->place, &a->fault) != FM_OK) {
        refuse(a);
        return false;
    }
    return true;
}

static void ask(struct asking *a)
{
    static const char tables[] = "/api/tables", codes[] = "/api/codes/", games[] = "/api/games",
                      practice[] = "/api/practice";
    const struct srv_request *r = a->r;
    const bool get = strcmp(r->method, "GET") == 0;
    if (strcmp(r->path, tables) == 0 && strcmp(r->method, "POST") == 0)
        post_table(a);
    else if (strcmp(r->path, tables) == 0 && get)
        get_tables(a);
    else if (strncmp(r->path, codes, sizeof codes - 1) == 0 && get)
        get_code(a, r->path + sizeof codes - 1);
    else if (strncmp(r->path, tables, sizeof tables - 1) == 0 &&
             r->path[sizeof tables - 1] == '/') {
        if (read_table(a, r->path + sizeof tables)) {
            srv_crash_at(&a->place->table.id, a->place->table.seq);
            ask_table(a);
        }
    } else if (strncmp(r->path, games, sizeof games - 1) == 0) {
        srv_games_ask(a->hall, a->call, r, r->path + sizeof games - 1);
    } else if (strncmp(r->path, practice, sizeof practice - 1) == 0) {
        srv_practice_ask(a->hall, a->call, r, r->path + sizeof practice - 1);
    } else {
        fail(a, FM_E_NO_PATH);
    }
    json_decref(a->body);
}

void srv_hall_request(struct srv_hall *h, struct srv_call *call, const struct srv_request *r,
                      uint64_t now_ms)
{
    struct asking a = {.hall = h, .call = call, .r = r, .fault = {.action = -1}};
    srv_hall_enter(h, now_ms);
    ask(&a);
    if (a.parked != NULL && !a.waits)
        srv_unpark(a.parked);
}

bool srv_request_go(struct srv_parked *k, struct srv_call *call)
{
    struct asking a = {.hall = k->hall,
                       .call = call,
                       .r = &k->request,
                       .fault = {.action = -1},
                       .parked = k,
                       .fresh = k->fresh};
    ask(&a);
    return a.waits;
}
