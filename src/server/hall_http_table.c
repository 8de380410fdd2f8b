/* hall_http_table.c: requests over HTTP about one table. */
#include "server/hall_http.h"
#include "server/picture_waits.h"

#include "ocean/sheets.h"

#include "base/hash.h"

#include <string.h>

/* ---- who asks -------------------------------------------------------------------------------- */

/* SRV_HOST, SRV_PLAYER with its seat, or 0: no valid token, refused. */
static int read_token(struct srv_exchange *exchange, int *seat)
{
    *seat = FM_WATCHER;
    const int role = exchange->r->token != NULL
                         ? srv_token_role(&exchange->slot->table, exchange->r->token, seat)
                         : 0;
    if (role == 0)
        srv_exchange_fail(exchange, FM_E_NO_TOKEN_GIVEN);
    return role;
}

static bool need_host(struct srv_exchange *exchange)
{
    int seat;
    const int role = read_token(exchange, &seat);
    if (role == SRV_PLAYER)
        return srv_exchange_fail(exchange, FM_E_FORBIDDEN);
    return role == SRV_HOST;
}

static bool need_seat(struct srv_exchange *exchange, int *seat)
{
    const int role = read_token(exchange, seat);
    if (role == SRV_HOST)
        return srv_exchange_fail(exchange, FM_E_FORBIDDEN);
    return role == SRV_PLAYER;
}

/* NULL: refused. */
static struct srv_request *new_request(struct srv_exchange *exchange, enum srv_request_kind kind)
{
    struct srv_request *req = srv_request_new(exchange->hall, exchange->slot, kind, exchange->call);
    if (req == NULL)
        srv_exchange_fail(exchange, FM_E_MEMORY);
    return req;
}

/* ---- seats and bots -------------------------------------------------------------------------- */

static void get_table(struct srv_exchange *exchange)
{
    struct fm_out o;
    fm_out_init(&o, exchange->hall->text, SRV_MESSAGE);
    srv_put_table(&o, &exchange->slot->table, exchange->slot->here);
    srv_answer_out(exchange->hall, exchange->call, 200, &o);
}

/* The "id" of a request for a seat. The token follows from it, so it must be as hard to guess. */
static bool read_seat_id(struct srv_exchange *exchange, const char **id)
{
    uint8_t bytes[SRV_TOKEN_BYTES];
    const json_t *value = json_object_get(exchange->body, "id");
    *id = json_string_value(value);
    if (value == NULL ||
        (*id != NULL && strlen(*id) == SRV_TOKEN_TEXT && fm__unhex(bytes, sizeof bytes, *id) == 0))
        return true;
    fm_fail(&exchange->fault, FM_E_VALUE,
            "id: %d random bytes as lower-case hex digits are expected", SRV_TOKEN_BYTES);
    srv_exchange_refuse(exchange);
    return false;
}

static void post_seats(struct srv_exchange *exchange)
{
    const char *id;
    struct srv_request *req = srv_exchange_body(exchange) && read_seat_id(exchange, &id)
                                  ? new_request(exchange, SRV_REQUEST_SEAT)
                                  : NULL;
    if (req == NULL)
        return;
    if (id != NULL)
        srv_derive_token(req->token, &exchange->slot->table.id, id);
    else
        srv_draw_token(req->token);
    req->body = json_incref(exchange->body);
    srv_request_queue(req);
}

static void delete_seat(struct srv_exchange *exchange)
{
    int seat;
    const char *number = exchange->rest + strlen("/seats/");
    if (number[0] < '0' || number[0] > '6' || number[1] != '\0') {
        srv_exchange_fail(exchange, FM_E_SEAT);
        return;
    }
    const int role = read_token(exchange, &seat);
    if (role == 0)
        return;
    if (role == SRV_PLAYER && seat != number[0] - '0') {
        srv_exchange_fail(exchange, FM_E_FORBIDDEN);
        return;
    }
    struct srv_request *req = new_request(exchange, SRV_REQUEST_LEAVE);
    if (req == NULL)
        return;
    req->seat = number[0] - '0';
    srv_notes_flush(exchange->hall, exchange->slot, req->seat);
    srv_request_queue(req);
}

static void answer_not_yet(struct srv_exchange *exchange)
{
    char text[32];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "done");
    fm_js_bool(&o, false);
    fm_js_end_object(&o);
    srv_answer_out(exchange->hall, exchange->call, 200, &o);
}

/* {"seat":2,"bot":"greedy"}: the host decides, an owner gets its seat back, others vote. */
static void post_bots(struct srv_exchange *exchange)
{
    static const char *const keys[] = {"seat", "bot", NULL};
    struct fm_in in, value;
    const char *bot = NULL;
    int own, seat;
    const int role = read_token(exchange, &own);
    if (role == 0 || !srv_exchange_body(exchange))
        return;
    in = fm_in_root(exchange->body, "", &exchange->fault);
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "seat", &value) ||
        !fm_in_int(&value, 0, exchange->slot->table.setup.n_seats - 1, &seat) ||
        !fm_in_get(&in, "bot", &value) ||
        (!json_is_null(value.json) && !fm_in_text(&value, SRV_BOT - 1, &bot))) {
        srv_exchange_refuse(exchange);
        return;
    }
    if (bot != NULL &&
        fm_bot_find(exchange->slot->table.setup.game, bot) == NULL) { /* not open to a vote */
        fm_fail(&exchange->fault, FM_E_VALUE, "there is no bot \"%.40s\" for %s", bot,
                exchange->slot->table.setup.game->title);
        srv_exchange_refuse(exchange);
        return;
    }
    const bool playing = exchange->slot->table.state == ST_PLAYING;
    if (role == SRV_PLAYER && !playing) {
        srv_exchange_fail(exchange, FM_E_FORBIDDEN);
        return;
    }
    if (playing && bot != NULL && (exchange->slot->here >> seat & 1) && seat != own) {
        fm_fail(&exchange->fault, FM_E_TAKEN_SEAT, "seat %d is here: nobody plays in its place",
                seat);
        srv_exchange_refuse(exchange);
        return;
    }
    if (role == SRV_PLAYER && seat != own) {
        const bool enough = srv_vote(exchange->slot, seat, own, bot != NULL);
        if (!enough) { /* together with votes at other nodes it may be a majority */
            srv_peers_vote(exchange->hall, exchange->slot, seat, own, bot);
            answer_not_yet(exchange);
            return;
        }
    }
    struct srv_request *req = new_request(exchange, SRV_REQUEST_BOT);
    if (req != NULL)
        srv_request_bot(req, seat, bot);
}

/* ---- the game -------------------------------------------------------------------------------- */

static void post_start(struct srv_exchange *exchange)
{
    struct srv_request *req = need_host(exchange) ? new_request(exchange, SRV_REQUEST_START) : NULL;
    if (req != NULL)
        srv_request_queue(req);
}

static void post_rematch(struct srv_exchange *exchange)
{
    int seat;
    const struct srv_table *t = &exchange->slot->table;
    if (read_token(exchange, &seat) == 0)
        return;
    if (t->state != ST_OVER) {
        fm_fail_plain(&exchange->fault, FM_E_NOT_OVER);
        srv_exchange_refuse(exchange);
        return;
    }
    struct srv_request *req = new_request(exchange, SRV_REQUEST_REMATCH);
    if (req != NULL)
        srv_request_queue(req);
}

static void put_entropy(struct srv_exchange *exchange)
{
    int seat;
    struct srv_request *req = need_seat(exchange, &seat) && srv_exchange_body(exchange)
                                  ? new_request(exchange, SRV_REQUEST_ENTROPY)
                                  : NULL;
    if (req == NULL)
        return;
    req->seat = seat;
    req->body = json_incref(exchange->body);
    srv_request_queue(req);
}

/* ---- notes ----------------------------------------------------------------------------------- */

static void put_notes(struct srv_exchange *exchange)
{
    static const char *const keys[] = {"notes", NULL};
    int seat;
    if (!need_seat(exchange, &seat) || !srv_exchange_body(exchange))
        return;
    const struct fm_in in = fm_in_root(exchange->body, "", &exchange->fault);
    struct fm_in value;
    bool fine = fm_in_object(&in, keys) && fm_in_get(&in, "notes", &value);
    if (fine && !json_is_string(value.json))
        fine = fm_in_fail(&in, FM_E_VALUE, "notes: a text is expected");
    else if (fine && json_string_length(value.json) > SRV_NOTES)
        fine = fm_in_refuse(&value, FM_E_NOTES_LONG, FM_VALUES({"max", SRV_NOTES}));
    if (!fine) {
        srv_exchange_refuse(exchange);
        return;
    }
    struct srv_request *req = new_request(exchange, SRV_REQUEST_NOTES);
    if (req == NULL)
        return;
    req->seat = seat;
    req->body = json_incref(exchange->body);
    srv_notes_put(req);
}

static void get_notes(struct srv_exchange *exchange)
{
    int seat;
    struct fm_out o;
    if (!need_seat(exchange, &seat))
        return;
    fm_out_init(&o, exchange->hall->text, SRV_MESSAGE);
    fm_js_object(&o);
    fm_js_key_text(&o, "notes", srv_notes_of(exchange->slot, seat));
    fm_js_end_object(&o);
    srv_answer_out(exchange->hall, exchange->call, 200, &o);
}

/* ---- afterwards ------------------------------------------------------------------------------ */

static void answer_record(struct srv_hall *h, struct srv_record *r)
{
    const struct fm_out o = {.buf = r->text, .cap = r->n + 1, .len = r->n};
    struct srv_call *const call = r->parked->call;
    if (call != NULL && r->err != FM_OK)
        srv_answer_error(h, call, &r->fault);
    else if (call != NULL)
        srv_answer_out(h, call, 200, &o);
}

static void get_record(struct srv_exchange *exchange)
{
    if (exchange->slot->table.state != ST_OVER) {
        fm_fail_plain(&exchange->fault, FM_E_NOT_OVER);
        srv_exchange_refuse(exchange);
        return;
    }
    struct srv_parked *parked = srv_exchange_park(exchange);
    if (parked != NULL &&
        !srv_read_record(exchange->hall, &exchange->slot->table.id, parked, answer_record, NULL))
        srv_exchange_fail_wait(exchange);
}

static void get_replay(struct srv_exchange *exchange)
{
    srv_get_replay(exchange->hall, exchange->call, exchange->slot,
                   exchange->rest + strlen("/replay/"));
}

static void get_why(struct srv_exchange *exchange)
{
    srv_get_why(exchange->hall, exchange->call, exchange->slot, exchange->r,
                exchange->rest + strlen("/why/"));
}

static void get_verify(struct srv_exchange *exchange)
{
    srv_get_verify(exchange->hall, exchange->call, exchange->slot);
}

static void get_analysis(struct srv_exchange *exchange)
{
    const char *seat = exchange->rest + strlen("/analysis");
    srv_get_analysis(exchange->hall, exchange->call, exchange->slot, exchange->r,
                     seat[0] == '/' ? seat + 1 : seat);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static bool has_stream(const struct srv_slot *slot, const char *address)
{
    for (const struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next)
        if (address != NULL && stream->address != NULL && strcmp(stream->address, address) == 0)
            return true;
    return false;
}

/* Pictures cost work: knowing the table's id is not enough to ask for them. */
static struct srv_viewer viewer_of(const struct srv_exchange *exchange)
{
    const struct srv_table *t = &exchange->slot->table;
    const char *token = exchange->r->token;
    struct srv_viewer v = {
        .call = exchange->call, .address = exchange->r->address, .seat = FM_WATCHER};
    v.visited = token != NULL ? srv_token_role(t, token, &v.seat) != 0 || srv_is_visit(t, token)
                              : has_stream(exchange->slot, v.address);
    return v;
}

static enum fm_err see_creatures(struct srv_exchange *exchange, const char *path)
{
    char text[OC_CIRCLES_TEXT];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    const enum fm_err err = srv_ocean_creatures(exchange->slot->ocean, &exchange->slot->table, path,
                                                &o, &exchange->fault);
    if (err == FM_OK)
        srv_answer_out(exchange->hall, exchange->call, 200, &o);
    return err;
}

static enum fm_err see_picture(struct srv_exchange *exchange, const char *path)
{
    struct srv_hall *h = exchange->hall;
    const struct srv_viewer viewer = viewer_of(exchange);
    return srv_ocean_ask(h->oceans, exchange->slot->ocean, &exchange->slot->table, &viewer, path,
                         h->now_ms, &exchange->fault);
}

static void get_ocean(struct srv_exchange *exchange)
{
    static const char json[] = ".json";
    const struct srv_hall *h = exchange->hall;
    const char *path = exchange->rest + strlen("/ocean/");
    const size_t n = strlen(path);
    const bool creatures = n >= strlen(json) && strcmp(path + n - strlen(json), json) == 0;
    if ((creatures ? see_creatures : see_picture)(exchange, path) == FM_OK)
        return;
    if (h->shared && !exchange->fresh)
        srv_exchange_wait_for_log(exchange);
    else
        srv_exchange_refuse(exchange);
}

/* ---- routes ---------------------------------------------------------------------------------- */

static const struct {
    const char *method, *path; /* a path that ends with / is a prefix */
    void (*answer)(struct srv_exchange *exchange);
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
    {"GET", "/why/", get_why},
    {"GET", "/analysis", get_analysis},
    {"GET", "/analysis/", get_analysis},
    {"GET", "/ocean/", get_ocean},
};

void srv_handle_table(struct srv_exchange *exchange)
{
    const size_t n = strlen(exchange->rest);
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        const size_t m = strlen(routes[i].path);
        const bool open = m > 0 && routes[i].path[m - 1] == '/';
        if (strcmp(exchange->r->method, routes[i].method) == 0 &&
            (open ? n > m && memcmp(exchange->rest, routes[i].path, m) == 0
                  : strcmp(exchange->rest, routes[i].path) == 0)) {
            routes[i].answer(exchange);
            return;
        }
    }
    srv_exchange_fail(exchange, FM_E_NO_PATH);
}
