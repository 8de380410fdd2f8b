/* hall_http.c: requests over HTTP: what they are about, and waiting for what has to be read first.
 */
#include "server/hall_http.h"

#include "base/hash.h"

#include <ctype.h>
#include <string.h>

/* ---- refusals and waiting -------------------------------------------------------------------- */

void srv_exchange_refuse(struct srv_exchange *exchange)
{
    srv_answer_error(exchange->hall, exchange->call, &exchange->fault);
}

bool srv_exchange_fail(struct srv_exchange *exchange, enum fm_err code)
{
    fm_fail_plain(&exchange->fault, code);
    srv_exchange_refuse(exchange);
    return false;
}

/* Parks the request until a read is done; NULL: refused. */
struct srv_parked *srv_exchange_park(struct srv_exchange *exchange)
{
    if (exchange->parked != NULL)
        srv_park_again(exchange->parked, exchange->call, NULL);
    else
        exchange->parked =
            srv_park_call(exchange->hall, exchange->call, exchange->r, &exchange->fault);
    exchange->waits = exchange->parked != NULL;
    if (!exchange->waits)
        srv_exchange_refuse(exchange);
    return exchange->parked;
}

/* The read could not be started. */
void srv_exchange_fail_wait(struct srv_exchange *exchange)
{
    exchange->waits = false;
    exchange->call->parked = NULL;
    exchange->parked->call = NULL;
    srv_exchange_fail(exchange, FM_E_MEMORY);
}

/* Waits until the events of other nodes have been read. */
void srv_exchange_wait_for_log(struct srv_exchange *exchange)
{
    struct srv_parked *parked = srv_exchange_park(exchange);
    struct srv_waiters *waiters =
        parked != NULL ? srv_catch_up(exchange->hall, exchange->slot) : NULL;
    if (waiters != NULL)
        srv_waiters_add(waiters, parked);
    else if (parked != NULL)
        srv_exchange_fail_wait(exchange);
}

/* The body as an object; {} if there is none. */
bool srv_exchange_body(struct srv_exchange *exchange)
{
    exchange->body = exchange->r->n > 0
                         ? fm_json_load(exchange->r->body, exchange->r->n, &exchange->fault)
                         : json_object();
    if (exchange->body != NULL && !json_is_object(exchange->body)) {
        fm_fail(&exchange->fault, FM_E_VALUE, "the body is not an object");
        json_decref(exchange->body);
        exchange->body = NULL;
    }
    if (exchange->body == NULL)
        srv_exchange_refuse(exchange);
    return exchange->body != NULL;
}

/* ---- all tables ------------------------------------------------------------------------------ */

static void post_table(struct srv_exchange *exchange)
{
    if (srv_exchange_body(exchange))
        srv_make_table(exchange->hall, exchange->call, exchange->r, exchange->body);
}

static void get_tables(struct srv_exchange *exchange)
{
    struct srv_parked *parked = srv_exchange_park(exchange);
    if (parked != NULL && !srv_list_waiting(exchange->hall, parked))
        srv_exchange_fail_wait(exchange);
}

static void post_record(struct srv_exchange *exchange)
{
    struct srv_parked *parked = srv_exchange_park(exchange);
    if (parked != NULL)
        srv_hand_in(exchange->hall, parked);
}

static void get_code(struct srv_exchange *exchange, const char *text)
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
        srv_exchange_fail(exchange, FM_E_NO_TABLE);
        return;
    }
    struct srv_parked *parked = srv_exchange_park(exchange);
    if (parked != NULL && !srv_find_code(exchange->hall, code, parked))
        srv_exchange_fail_wait(exchange);
}

/* ---- any request ----------------------------------------------------------------------------- */

/* Finds the table of "/api/tables/ID…"; false: refused, or it waits. */
static bool read_table(struct srv_exchange *exchange, const char *text)
{
    char hex[2 * ST_ID_BYTES + 1];
    struct st_id id;
    const size_t n = strcspn(text, "/");
    if (n != sizeof hex - 1)
        return srv_exchange_fail(exchange, FM_E_NO_TABLE);
    memcpy(hex, text, n);
    hex[n] = '\0';
    if (fm__unhex(id.bytes, sizeof id.bytes, hex) != 0)
        return srv_exchange_fail(exchange, FM_E_NO_TABLE);
    exchange->rest = text + n;
    exchange->slot = srv_slot_known(exchange->hall, &id);
    if (exchange->slot == NULL) {
        struct srv_parked *parked = srv_exchange_park(exchange);
        if (parked != NULL)
            srv_load_wait(exchange->hall, &id, parked);
        return false;
    }
    if (exchange->slot->table.seq == 0) /* its first event is not stored yet */
        return srv_exchange_fail(exchange, FM_E_NO_TABLE);
    srv_slot_used(exchange->hall, exchange->slot);
    /* there are many requests for pictures: they catch up only if the picture is not found */
    if (exchange->hall->shared && !exchange->fresh && strncmp(exchange->rest, "/ocean/", 7) != 0) {
        srv_exchange_wait_for_log(exchange);
        return false;
    }
    if (srv_slot_refusal(exchange->slot, &exchange->fault) != FM_OK) {
        srv_exchange_refuse(exchange);
        return false;
    }
    return true;
}

static void ask(struct srv_exchange *exchange)
{
    static const char tables[] = "/api/tables", codes[] = "/api/codes/", games[] = "/api/games",
                      practice[] = "/api/practice", referee[] = "/api/referee",
                      records[] = "/api/records";
    const struct srv_http_request *r = exchange->r;
    const bool get = strcmp(r->method, "GET") == 0;
    if (strcmp(r->path, tables) == 0 && strcmp(r->method, "POST") == 0)
        post_table(exchange);
    else if (strcmp(r->path, tables) == 0 && get)
        get_tables(exchange);
    else if (strcmp(r->path, records) == 0 && strcmp(r->method, "POST") == 0)
        post_record(exchange);
    else if (strncmp(r->path, codes, sizeof codes - 1) == 0 && get)
        get_code(exchange, r->path + sizeof codes - 1);
    else if (strncmp(r->path, tables, sizeof tables - 1) == 0 &&
             r->path[sizeof tables - 1] == '/') {
        if (read_table(exchange, r->path + sizeof tables)) {
            srv_crash_at(&exchange->slot->table.id, exchange->slot->table.seq);
            srv_handle_table(exchange);
        }
    } else if (strncmp(r->path, games, sizeof games - 1) == 0) {
        srv_games_handle(exchange->hall, exchange->call, r, r->path + sizeof games - 1);
    } else if (strncmp(r->path, practice, sizeof practice - 1) == 0) {
        srv_practice_handle(exchange->hall, exchange->call, r, r->path + sizeof practice - 1);
    } else if (strncmp(r->path, referee, sizeof referee - 1) == 0) {
        srv_referee_handle(exchange->hall, exchange->call, r, r->path + sizeof referee - 1);
    } else {
        srv_exchange_fail(exchange, FM_E_NO_PATH);
    }
    json_decref(exchange->body);
}

void srv_hall_request(struct srv_hall *h, struct srv_call *call, const struct srv_http_request *r,
                      uint64_t now_ms)
{
    struct srv_exchange a = {.hall = h, .call = call, .r = r, .fault = {.action = -1}};
    srv_hall_enter(h, now_ms);
    ask(&a);
    if (a.parked != NULL && !a.waits)
        srv_unpark(a.parked);
}

bool srv_http_resume(struct srv_parked *parked, struct srv_call *call)
{
    struct srv_exchange a = {.hall = parked->hall,
                             .call = call,
                             .r = &parked->http,
                             .fault = {.action = -1},
                             .parked = parked,
                             .fresh = parked->fresh};
    ask(&a);
    return a.waits;
}
