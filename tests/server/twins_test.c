/*
 * twins_test.c: hidden means hidden, also where bytes leave the hall. Two worlds have the same
 * table, tokens and clock, and differ only in what a viewer may not know: whatever that viewer is
 * sent must be the same bytes in both: changes, refusals, legal lists, presence, what is told at a
 * reconnect, what-ifs, answers over HTTP, and what somebody without a token gets.
 *
 *   waiting   before the start: other seeds, other entropy of others, others' notes
 *   dealt     a state of a random match, and one that game->deal makes of the viewer's view
 *   hidden    what others do in secret, their notes, votes, refusals; over restarts, too
 *   bots      the same where one seat is a bot's: what it does, and when, shows nothing of others
 *
 * As long as the viewer's bytes of the match are equal it must be sent equal bytes; once an event
 * shows it something that differs, a pair is done with. Each leak that is planted must be found.
 */
#include "tests.h"

#include "base/hash.h"
#include "base/panic.h"
#include "games/dive/dive_state.h"
#include "games/divercity/divercity_state.h"
#include "games/soumsoum/soumsoum_state.h"
#include "server/world.h"

#include <fathom/games.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- leaks that are planted between the files of the server --------------------------------- */

enum planted {
    NOTHING,
    CHANGE_FORGETS_SEQ,
    CHANGE_TELLS_ALL,
    CHANGE_TO_WRONG_SEAT,
    CHANGE_COUNTS_EVENTS,
    SPECTATOR_SEES_SEAT_0,
    HELLO_SHOWS_LOG,
    HELLO_SHOWS_LAST_ACTION,
    HELLO_OF_SPECTATOR_SEES_SEAT_0,
    SEATS_SHOW_NOTES,
    SEATS_SHOW_VOTES,
    SEATS_SHOW_WHO_ACTED,
    SEATS_SHOW_ENTROPY,
    TABLE_SHOWS_SEED,
    TABLE_SHOWS_LOG,
    TABLE_SHOWS_NOTES,
    ACK_TO_OTHERS,
    REFUSAL_TO_OTHERS,
    FAILED_LOGIN_TELLS,
    RESTART_DEALS_AGAIN,
    WHAT_LOOKS_AT_THE_MATCH,
    WHAT_IS_SEEDED_BY_THE_TABLE,
    BOT_HESITATES,
    BOT_CHOOSES,
};

static enum planted planted;
static bool restarted;

bool __real_srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                           const void *before, int seat);
bool __wrap_srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                           const void *before, int seat);
void __real_srv_put_hello(struct fm_out *o, const struct srv_table *t, int seat, int64_t from,
                          bool visits);
void __wrap_srv_put_hello(struct fm_out *o, const struct srv_table *t, int seat, int64_t from,
                          bool visits);
void __real_srv_put_seats(struct fm_out *o, const struct srv_table *t, unsigned here);
void __wrap_srv_put_seats(struct fm_out *o, const struct srv_table *t, unsigned here);
void __real_srv_put_table(struct fm_out *o, const struct srv_table *t, unsigned here);
void __wrap_srv_put_table(struct fm_out *o, const struct srv_table *t, unsigned here);
void __real_fm_fair_deal_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES],
                              const struct fm_fair *fair, unsigned n_seats);
void __wrap_fm_fair_deal_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES],
                              const struct fm_fair *fair, unsigned n_seats);

bool __real_srv_read_what(struct srv_hall *h, struct srv_live *live, struct fm_in *in,
                          const char **id);
bool __wrap_srv_read_what(struct srv_hall *h, struct srv_live *live, struct fm_in *in,
                          const char **id);
const struct fm_bot *__real_fm_bot_find(const struct fm_game *game, const char *id);
const struct fm_bot *__wrap_fm_bot_find(const struct fm_game *game, const char *id);

/* One more key in the object that was just closed. */
static void add_key(struct fm_out *o, const char *key, int64_t value)
{
    char text[80];
    (void)snprintf(text, sizeof text, ",\"%s\":%lld}", key, (long long)value);
    fm_assert(o->len > 0 && o->buf[o->len - 1] == '}');
    o->len--;
    fm_put(o, text);
}

bool __wrap_srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                           const void *before, int seat)
{
    static const uint8_t nothing[FM_STATE_MAX];
    struct srv_draft *started;
    switch (planted) {
    case CHANGE_FORGETS_SEQ:
        if (__real_srv_put_change(o, t, d, before, seat))
            return true;
        started = malloc(sizeof *started); /* as if it were a start: told whatever its seq */
        fm_assert(started != NULL);
        memcpy(started, d, sizeof *started);
        started->kind = SRV_STARTED;
        (void)__real_srv_put_change(o, t, started, nothing, seat);
        free(started);
        return true;
    case CHANGE_TELLS_ALL:
        if (!__real_srv_put_change(o, t, d, before, seat))
            return false;
        for (size_t i = 0; i < d->notes.len; i++)
            add_key(o, "all", (int64_t)(d->notes.item[i].hidden & 0xffffffff));
        return true;
    case CHANGE_TO_WRONG_SEAT:
        return __real_srv_put_change(o, t, d, before,
                                     seat < 0 ? seat : (seat + 1) % t->setup.n_seats);
    case CHANGE_COUNTS_EVENTS:
        if (!__real_srv_put_change(o, t, d, before, seat))
            return false;
        add_key(o, "n", (int64_t)t->n_events);
        return true;
    case SPECTATOR_SEES_SEAT_0:
        return __real_srv_put_change(o, t, d, before, seat < 0 ? 0 : seat);
    default:
        return __real_srv_put_change(o, t, d, before, seat);
    }
}

void __wrap_srv_put_hello(struct fm_out *o, const struct srv_table *t, int seat, int64_t from,
                          bool visits)
{
    const bool watches =
        planted == HELLO_OF_SPECTATOR_SEES_SEAT_0 && seat < 0 && t->state != ST_WAITING;
    __real_srv_put_hello(o, t, watches ? 0 : seat, from, visits);
    if (planted == HELLO_SHOWS_LOG)
        add_key(o, "log", (int64_t)t->seq);
    if (planted == HELLO_SHOWS_LAST_ACTION && t->n_events > 0)
        add_key(o, "last", (int64_t)(t->event[t->n_events - 1].action >> 8));
}

void __wrap_srv_put_seats(struct fm_out *o, const struct srv_table *t, unsigned here)
{
    const struct srv_place *p = (const void *)((const char *)t - offsetof(struct srv_place, table));
    int64_t more = 0;
    __real_srv_put_seats(o, t, here);
    for (unsigned i = 0; i < FM_MAX_SEATS; i++) {
        const struct srv_seat *s = &t->seat[i];
        if (planted == SEATS_SHOW_NOTES)
            more += s->notes != NULL ? (int64_t)strlen(s->notes) : 0;
        if (planted == SEATS_SHOW_VOTES)
            more += p->votes_for[i] + p->votes_against[i];
        if (planted == SEATS_SHOW_WHO_ACTED)
            more += (int64_t)t->n_done;
        if (planted == SEATS_SHOW_ENTROPY)
            more += t->fair.entropy[i][0];
    }
    if (planted >= SEATS_SHOW_NOTES && planted <= SEATS_SHOW_ENTROPY) {
        o->len--; /* ] */
        char text[40];
        (void)snprintf(text, sizeof text, ",%lld]", (long long)more);
        fm_put(o, text);
    }
}

void __wrap_srv_put_table(struct fm_out *o, const struct srv_table *t, unsigned here)
{
    __real_srv_put_table(o, t, here);
    if (planted == TABLE_SHOWS_SEED)
        add_key(o, "seed", t->seed[0]);
    if (planted == TABLE_SHOWS_LOG)
        add_key(o, "log", (int64_t)t->seq);
    for (unsigned i = 0; planted == TABLE_SHOWS_NOTES && i < FM_MAX_SEATS; i++)
        if (t->seat[i].notes != NULL)
            add_key(o, "notes", (int64_t)strlen(t->seat[i].notes));
}

void __wrap_fm_fair_deal_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES],
                              const struct fm_fair *fair, unsigned n_seats)
{
    __real_fm_fair_deal_seed(out, seed, fair, n_seats);
    if (planted == RESTART_DEALS_AGAIN && restarted)
        out[0] ^= 1;
}

/* As the preview would be, were it made of the true match. */
static void answer_truly(struct srv_hall *h, struct srv_live *live, json_t *actions)
{
    static _Alignas(8) uint8_t match[FM_STATE_MAX];
    const struct srv_table *t = &live->place->table;
    const struct fm_game *g = t->setup.game;
    struct fm_fault fault;
    struct fm_out o;
    memcpy(match, t->match, g->state_size);
    for (size_t i = 0; i < json_array_size(actions); i++) {
        struct fm_event ev = {.t_ms = UINT32_MAX >> 2, .seat = (uint8_t)live->seat};
        if (g->wire->parse_action(&ev.action, json_array_get(actions, i), &fault) != FM_OK ||
            fm_apply(g, match, &ev, NULL) != FM_OK)
            return;
    }
    fm_out_init(&o, h->text, SRV_MESSAGE);
    fm_put_view(&o, fm_view_of(g, match, live->seat));
    srv_send_out(h, live, &o);
}

bool __wrap_srv_read_what(struct srv_hall *h, struct srv_live *live, struct fm_in *in,
                          const char **id)
{
    struct srv_table *t = &live->place->table;
    if (planted == WHAT_LOOKS_AT_THE_MATCH)
        answer_truly(h, live, json_object_get(in->json, "if"));
    if (planted != WHAT_IS_SEEDED_BY_THE_TABLE || t->state != ST_PLAYING)
        return __real_srv_read_what(h, live, in, id);
    struct fm_pub *pub = (void *)t->match; /* as if the seed went into the hash of the view */
    pub->zero[2] = t->seed[0];
    const bool fine = __real_srv_read_what(h, live, in, id);
    pub->zero[2] = 0;
    return fine;
}

static const struct fm_bot *true_bot;
static size_t events_there(void); /* how many events the table of the present world has */

/* A bot that knows how much has happened, secrets included. */
static struct fm_choice think_leaky(struct fm_view v, struct fm_rng *of, struct fm_budget budget)
{
    const size_t n = events_there();
    for (size_t i = 0; planted == BOT_CHOOSES && i < n; i++)
        (void)fm_rng_u32(of);
    struct fm_choice choice = true_bot->think(v, of, budget);
    if (planted == BOT_HESITATES)
        choice.after_ms = (uint32_t)(60 * (n + 1) % 400);
    return choice;
}

const struct fm_bot *__wrap_fm_bot_find(const struct fm_game *game, const char *id)
{
    static struct fm_bot leaky;
    const struct fm_bot *bot = __real_fm_bot_find(game, id);
    if (bot == NULL || (planted != BOT_HESITATES && planted != BOT_CHOOSES))
        return bot;
    true_bot = bot;
    leaky = *bot;
    leaky.think = think_leaky;
    return &leaky;
}

/* ---- leaks in a game ------------------------------------------------------------------------ */

static uint8_t top_of_pile(const void *state)
{
    const struct soumsoum_state *s = state;
    return s->pub.pile_n ? s->secret.pile[s->pub.pile_n - 1] : 0;
}

static void view_shows_pile(struct fm_out *o, struct fm_view v)
{
    fm_game_soumsoum.wire->put_view(o, v);
    fm_js_key_int(o, "next", top_of_pile(v.pub));
}

static void spectator_sees_hand(struct fm_out *o, struct fm_view v)
{
    const struct soumsoum_state *s = (const void *)v.pub;
    fm_game_soumsoum.wire->put_view(o, v);
    if (v.seat == FM_WATCHER)
        fm_js_key_int(o, "first", s->priv[0].hand[0]);
}

static void length_tells(struct fm_out *o, struct fm_view v)
{
    fm_game_soumsoum.wire->put_view(o, v);
    fm_js_key_text(o, "pad", top_of_pile(v.pub) & 1 ? "long" : "");
}

static size_t list_tells(struct fm_view v, fm_action *out, size_t cap)
{
    const size_t n = fm_game_soumsoum.legal(v, out, cap);
    return n > 1 && (top_of_pile(v.pub) & 1) ? n - 1 : n;
}

static enum fm_err error_tells(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = fm_game_soumsoum.apply(state, ev, notes);
    return err != FM_OK && (top_of_pile(state) & 1) ? FM_E_STUCK : err;
}

static void note_tells(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    const struct soumsoum_state *s = (const void *)v.pub;
    fm_game_soumsoum.wire->put_note(o, v, note);
    if (note->cut)
        fm_js_key_int(o, "really", s->priv[note->seat].hand[0]);
}

static void view_shows_depth(struct fm_out *o, struct fm_view v)
{
    const struct dive_state *s = (const void *)v.pub;
    fm_game_dive.wire->put_view(o, v);
    fm_js_key_int(o, "deepest",
                  dive_depth(s->priv[0].program) + 7 * dive_depth(s->priv[1].program));
}

static enum fm_err program_moves_the_clock(void *state, const struct fm_event *ev,
                                           struct fm_notes *notes)
{
    struct dive_state *s = state;
    const enum fm_err err = fm_game_dive.apply(state, ev, notes);
    if (err == FM_OK && fm_verb(ev->action) == DIVE_DO_PROGRAM)
        s->pub.head.seq++;
    return err;
}

static void view_shows_own_card(struct fm_out *o, struct fm_view v)
{
    const struct divercity_state *s = (const void *)v.pub;
    fm_game_divercity.wire->put_view(o, v);
    if (v.seat != FM_WATCHER)
        fm_js_key_int(o, "mine", s->secret.hand[v.seat][0]);
}

struct leak {
    const char *name;
    const char *(*found_by)(const char *body, unsigned matches);
    const char *body;
    enum planted planted;
    void (*put_view)(struct fm_out *, struct fm_view);
    void (*put_note)(struct fm_out *, struct fm_view, const struct fm_note *);
    size_t (*legal)(struct fm_view, fm_action *, size_t);
    enum fm_err (*apply)(void *, const struct fm_event *, struct fm_notes *);
};

static const struct leak *leak; /* in the games of both worlds; NULL: none */

/* ---- two worlds ----------------------------------------------------------------------------- */

#define MAX_EARS 8

struct twin {
    struct world w;
    char id[2 * ST_ID_BYTES + 1], host[SRV_TOKEN_TEXT + 1];
    char token[FM_MAX_SEATS][SRV_TOKEN_TEXT + 1];
    struct client seat[FM_MAX_SEATS]; /* those of others, who act */
    struct client ear[MAX_EARS];      /* the viewer's streams, and the stranger's */
    unsigned n_ears;
    struct mail http; /* what the viewer was answered */
    struct fm_game game;
    struct fm_wire wire;
    _Alignas(8) uint8_t origin[FM_STATE_MAX];
};

static struct twin two[2];
static struct fm_rng rng;
static char report[2000];

static const char *found(const char *format, ...) __attribute__((format(printf, 1, 2)));
static const char *found(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(report, sizeof report, format, args);
    va_end(args);
    return report;
}

static struct srv_table *table_of(struct twin *t)
{
    struct srv_place *p = world_place(&t->w, t->id);
    fm_assert(p != NULL);
    return &p->table;
}

static size_t events_there(void)
{
    return table_of(world_ruling() == &two[0].w ? &two[0] : &two[1])->n_events;
}

/* Its seat is a bot's, and nobody's token is for it. */
static bool is_bots(int seat)
{
    return two[0].token[seat][0] == '\0';
}

static int n_seats(void)
{
    return table_of(&two[0])->setup.n_seats;
}

static struct fm_view view_of(struct twin *t, int viewer)
{
    const struct srv_table *table = table_of(t);
    return fm_view_of(table->setup.game, table->match, viewer);
}

static void copy_text(char *to, size_t cap, const char *from)
{
    fm_assert(strlen(from) > 0 && strlen(from) < cap);
    (void)snprintf(to, cap, "%s", from);
}

/* A table with everybody seated and not here; bot: on its last seat, NULL: none. With `other` the
 * seats of others give other chance. */
static void open_twin(struct twin *t, const char *body, unsigned chance, int viewer, bool other,
                      const char *bot)
{
    memset(t, 0, sizeof *t);
    t->w.limits.bot_ms = 6000; /* a bot takes as long as it likes */
    world_open(&t->w, chance);
    fm_assert(world_ask(&t->w, "POST", NULL, body, "/api/tables") == 201);
    copy_text(t->id, sizeof t->id, world_text(&t->w, "table"));
    copy_text(t->host, sizeof t->host, world_text(&t->w, "host"));
    for (int seat = 0; seat < table_of(t)->setup.n_seats; seat++) {
        char sits[80];
        if (bot != NULL && seat == table_of(t)->setup.n_seats - 1) {
            (void)snprintf(sits, sizeof sits, "{\"seat\":%d,\"bot\":\"%s\"}", seat, bot);
            fm_assert(world_ask(&t->w, "POST", t->host, sits, "/api/tables/%s/bots", t->id) == 200);
            continue;
        }
        (void)snprintf(sits, sizeof sits, "{\"name\":\"P%d\",\"entropy\":\"%s\"}", seat,
                       other && seat != viewer ? "ff" : "0a");
        fm_assert(world_ask(&t->w, "POST", NULL, sits, "/api/tables/%s/seats", t->id) == 201);
        copy_text(t->token[seat], sizeof t->token[seat], world_text(&t->w, "token"));
    }
}

static void forget_ears(struct twin *t)
{
    for (unsigned i = 0; i < t->n_ears; i++)
        client_finish(&t->ear[i]);
    for (int i = 0; i < FM_MAX_SEATS; i++)
        client_finish(&t->seat[i]);
    memset(t->seat, 0, sizeof t->seat);
    memset(t->ear, 0, sizeof t->ear);
    t->n_ears = 0;
    t->w.echo = NULL;
    t->w.taint = NULL;
    mail_clear(&t->http);
}

static void close_twin(struct twin *t)
{
    world_settle(&t->w);
    forget_ears(t);
    free(t->http.text);
    world_close(&t->w);
}

/* ---- what a viewer hears -------------------------------------------------------------------- */

static const char *taint(struct twin *t)
{
    return table_of(t)->seed[0] & 1 ? "{\"x\":1}" : "{\"x\":12}";
}

static const char *taint_0(void)
{
    return taint(&two[0]);
}

static const char *taint_1(void)
{
    return taint(&two[1]);
}

static void plant_in_net(struct twin *t)
{
    if (planted == ACK_TO_OTHERS || planted == REFUSAL_TO_OTHERS) {
        t->w.echo = &t->ear[0];
        t->w.echoes = planted == ACK_TO_OTHERS ? "{\"ack\"" : "{\"refused\":\"";
    }
    if (planted == FAILED_LOGIN_TELLS)
        t->w.taint = t == &two[0] ? taint_0 : taint_1;
}

/* A stream of the viewer; from SRV_NO_FROM: without it. */
static void listen(struct twin *t, int viewer, int64_t from)
{
    fm_assert(t->n_ears < MAX_EARS);
    struct client *c = &t->ear[t->n_ears++];
    client_open(c, &t->w, t->id);
    if (t->n_ears == 1)
        plant_in_net(t);
    char hello[120], since[40] = "";
    if (from != SRV_NO_FROM)
        (void)snprintf(since, sizeof since, ",\"from\":%lld", (long long)from);
    if (viewer == FM_WATCHER)
        (void)snprintf(hello, sizeof hello, "{\"hello\":null%s}", since);
    else
        (void)snprintf(hello, sizeof hello, "{\"hello\":\"%s\"%s}", t->token[viewer], since);
    (void)client_say(c, "%s", hello);
}

static void stranger_tries(struct twin *t)
{
    fm_assert(t->n_ears < MAX_EARS);
    struct client *c = &t->ear[t->n_ears++];
    client_open(c, &t->w, t->id);
    (void)client_say(c, "{\"hello\":\"0123456789abcdef0123456789abcdef\"}");
    (void)client_say(c, "{\"id\":\"a\",\"action\":{\"do\":\"pass\"}}");
    (void)client_say(c, "{");
}

static void keep_answer(struct twin *t, int status)
{
    struct mail *m = &t->http;
    const struct mail *more = &t->w.last.mail;
    if (m->n + more->n + 20 > m->cap) {
        m->cap = 2 * (m->n + more->n + 20);
        m->text = realloc(m->text, m->cap);
        fm_assert(m->text != NULL);
    }
    const int n = snprintf(m->text + m->n, m->cap - m->n, "%d %s", status, more->text);
    fm_assert(n > 0);
    m->n += (size_t)n;
}

/* Everything that may be asked over HTTP, by the viewer and by one who has no token. */
static void ask_all(struct twin *t, int viewer)
{
    static const char *const asks[][3] = {
        {"GET", "", NULL},
        {"GET", "/record", NULL},
        {"GET", "/notes", NULL},
        {"POST", "/start", NULL},
        {"POST", "/rematch", NULL},
        {"DELETE", "/seats/0", NULL},
        {"DELETE", "/seats/1", NULL},
        {"POST", "/bots", "{\"seat\":0,\"bot\":\"nobody\"}"},
        {"POST", "/bots", "{\"seat\":1,\"bot\":7}"},
        {"POST", "/seats", "{\"name\":\"Late\",\"seat\":1}"},
        {"PUT", "/notes", "{\"notes\":7}"},
        {"GET", "/nothing", NULL},
    };
    const char *const tokens[] = {viewer == FM_WATCHER ? NULL : t->token[viewer],
                                  "00112233445566778899aabbccddeeff"};
    const bool waits = table_of(t)->state == ST_WAITING;
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++)
        for (size_t k = 0; k < 2; k++)
            if (!waits || k == 1 || strcmp(asks[i][0], "DELETE") != 0)
                keep_answer(t, world_ask(&t->w, asks[i][0], tokens[k], asks[i][2],
                                         "/api/tables/%s%s", t->id, asks[i][1]));
    keep_answer(t, world_ask(&t->w, "GET", NULL, NULL, "/api/tables"));
}

/* Commitments are another's by design until the end. */
static void hide_commitments(struct mail *m)
{
    static const char key[] = "\"commitment\":\"";
    for (char *at = m->n > 0 ? strstr(m->text, key) : NULL; at != NULL; at = strstr(at + 1, key))
        memset(at + sizeof key - 1, '*', 64);
}

static const char *compare_mail(const struct mail *a, const struct mail *b, const char *what,
                                const char *when)
{
    if (a->n == b->n && (a->n == 0 || memcmp(a->text, b->text, a->n) == 0))
        return NULL;
    size_t at = 0;
    while (at < a->n && at < b->n && a->text[at] == b->text[at])
        at++;
    const size_t from = at > 60 ? at - 60 : 0;
    return found("%s: %s differs at byte %zu: %.120s | %.120s", when, what, at,
                 from < a->n ? a->text + from : "(end)", from < b->n ? b->text + from : "(end)");
}

/* What both viewers heard so far; then they listen anew. */
static const char *compare(int viewer, const char *when)
{
    char what[40];
    const char *wrong = NULL;
    fm_assert(two[0].n_ears == two[1].n_ears);
    for (unsigned i = 0; i < two[0].n_ears && wrong == NULL; i++) {
        (void)snprintf(what, sizeof what, "stream %u of viewer %d", i, viewer);
        wrong = compare_mail(&two[0].ear[i].mail, &two[1].ear[i].mail, what, when);
        mail_clear(&two[0].ear[i].mail);
        mail_clear(&two[1].ear[i].mail);
    }
    (void)snprintf(what, sizeof what, "an answer to viewer %d", viewer);
    if (wrong == NULL)
        wrong = compare_mail(&two[0].http, &two[1].http, what, when);
    mail_clear(&two[0].http);
    mail_clear(&two[1].http);
    return wrong;
}

static bool same_match(int viewer)
{
    static uint8_t a[FM_STATE_MAX], b[FM_STATE_MAX];
    const size_t n = fm_view_copy(view_of(&two[0], viewer), a, sizeof a);
    return n == fm_view_copy(view_of(&two[1], viewer), b, sizeof b) && memcmp(a, b, n) == 0;
}

/* ---- what happens --------------------------------------------------------------------------- */

/* An action as JSON that may be anything: by number, so that both worlds get the same. */
static const char *noise(const struct fm_game *g, uint32_t number)
{
    static char text[200];
    const unsigned a = number >> 4 & 3, b = number >> 6 & 3, c = number >> 8 & 3;
    static const char *const dive[] = {"{\"do\":\"ready\"}",
                                       "{\"do\":\"unready\"}",
                                       "{\"do\":\"breathe\"}",
                                       "{\"do\":\"axolotl\",\"use\":true}",
                                       "{\"do\":\"use\",\"companion\":\"orca\"}",
                                       "{\"do\":\"use\",\"companion\":\"dolphins\",\"target\":1}",
                                       "{\"do\":\"choose\",\"companion\":\"narwhal\"}",
                                       "{\"do\":\"stop\",\"why\":\"orca\"}"};
    static const char *const city[] = {"{\"do\":\"end\"}",
                                       "{\"do\":\"pass\"}",
                                       "{\"do\":\"walkie\",\"target\":1}",
                                       "{\"do\":\"take\",\"diver\":\"captain\"}",
                                       "{\"do\":\"diver\",\"use\":\"explorer\"}",
                                       "{\"do\":\"claim\",\"card\":0,\"species\":\"crab\"}",
                                       "{\"do\":\"rig\",\"card\":0}"};
    if (g->id[0] == 's') {
        if (number % 4 < 2)
            (void)snprintf(text, sizeof text, "{\"do\":\"place\",\"card\":%u,\"at\":[%u,%u]}", a, b,
                           c);
        else
            (void)snprintf(text, sizeof text,
                           number % 4 == 2 ? "{\"do\":\"diver\",\"at\":[%u,%u]}"
                                           : "{\"do\":\"take\",\"market\":%u}",
                           b, c);
        return text;
    }
    if (strcmp(g->id, "dive") == 0) {
        if (number % 3 != 0)
            return dive[number / 3 % 8];
        (void)snprintf(text, sizeof text,
                       "{\"do\":\"program\",\"levels\":[{\"tokens\":[%u],\"shark\":%s}]}", 1 + a,
                       b & 1 ? "true" : "false");
        return text;
    }
    if (number % 3 != 0)
        return city[number / 3 % 7];
    (void)snprintf(text, sizeof text,
                   b & 1 ? "{\"do\":\"play\",\"card\":%u}"
                         : "{\"do\":\"close\",\"card\":%u,\"hotel\":\"red\"}",
                   a);
    return text;
}

static void act(struct twin *t, int seat, const char *id, const char *action)
{
    struct client *c = &t->seat[seat];
    if (c->live.place == NULL) {
        client_open(c, &t->w, t->id);
        (void)client_say(c, "{\"hello\":\"%s\"}", t->token[seat]);
    }
    (void)client_say(c, "{\"id\":\"%s\",\"action\":%s}", id, action);
    world_settle(&t->w);
    mail_clear(&c->mail);
}

static const char *action_text(const struct fm_game *g, fm_action a)
{
    static char text[4096];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_put_action(&o, g, a);
    fm_assert(fm_out_ok(&o));
    return text;
}

static const char *new_id(void)
{
    static unsigned number;
    static char id[20];
    (void)snprintf(id, sizeof id, "a%u", ++number);
    return id;
}

/* An action that both worlds take from this seat; 0: none was found. */
static fm_action common_action(int seat)
{
    static _Alignas(8) uint8_t there[FM_STATE_MAX];
    for (int tries = 0; tries < 8; tries++) {
        const struct fm_view v = view_of(&two[0], seat);
        const struct fm_event ev = {
            .t_ms = UINT32_MAX >> 2, .seat = (uint8_t)seat, .action = v.game->sample(v, &rng)};
        memcpy(there, table_of(&two[1])->match, sizeof there);
        struct fm_pub *pub = (void *)there;
        pub->deadline_ms = FM_NEVER; /* only whether it is legal is asked here */
        if (ev.action != 0 && fm_apply(v.game, there, &ev, NULL) == FM_OK)
            return ev.action;
    }
    return 0;
}

/* What others do that the viewer may not notice: more of it in the second world. */
static void do_in_secret(int viewer)
{
    for (int i = 0; i < 2; i++) {
        struct twin *t = &two[i];
        for (int seat = 0; seat < n_seats(); seat++) {
            if (seat == viewer || is_bots(seat))
                continue;
            (void)world_ask(&t->w, "PUT", t->token[seat],
                            i == 0 ? "{\"notes\":\"a\"}" : "{\"notes\":\"other, longer\"}",
                            "/api/tables/%s/notes", t->id);
            if (i == 0)
                continue;
            (void)world_ask(&t->w, "GET", t->token[seat], NULL, "/api/tables/%s/notes", t->id);
            (void)world_ask(&t->w, "PUT", t->token[seat], "{\"notes\":7}", "/api/tables/%s/notes",
                            t->id);
            (void)world_ask(&t->w, "POST", "0", NULL, "/api/tables/%s/start", t->id);
            if (t->seat[seat].live.place == NULL)
                continue;
            act(t, seat, "bad id", "{\"do\":\"nothing\"}");
            act(t, seat, new_id(), "{\"do\":\"stop\",\"why\":\"clock\"}");
            if (n_seats() > 3 && table_of(t)->state == ST_PLAYING)
                for (int absent = 0; absent < n_seats(); absent++)
                    if (absent != viewer && absent != seat && !is_bots(absent) &&
                        !(world_place(&t->w, t->id)->here >> absent & 1) &&
                        world_place(&t->w, t->id)->votes_for[absent] == 0)
                        (void)world_ask(&t->w, "POST", t->token[seat],
                                        absent == 0   ? "{\"seat\":0,\"bot\":\"random\"}"
                                        : absent == 1 ? "{\"seat\":1,\"bot\":\"random\"}"
                                        : absent == 2 ? "{\"seat\":2,\"bot\":\"random\"}"
                                                      : "{\"seat\":3,\"bot\":\"random\"}",
                                        "/api/tables/%s/bots", t->id);
        }
        world_settle(&t->w);
    }
}

/* Everybody but one of the others comes: presence is the same in both worlds. */
static void others_come(int viewer)
{
    for (int i = 0; i < 2; i++)
        for (int seat = 0; seat < n_seats(); seat++)
            if (seat != viewer && !is_bots(seat) &&
                (seat != (viewer == 0 ? 1 : 0) || n_seats() < 4) &&
                two[i].seat[seat].live.place == NULL) {
                client_open(&two[i].seat[seat], &two[i].w, two[i].id);
                (void)client_say(&two[i].seat[seat], "{\"hello\":\"%s\"}", two[i].token[seat]);
                mail_clear(&two[i].seat[seat].mail);
            }
}

/* ---- before the start ----------------------------------------------------------------------- */

static const char *check_waiting(const char *body, unsigned matches)
{
    const char *wrong = NULL;
    for (unsigned m = 0; m < matches / 8 + 1 && wrong == NULL; m++)
        for (int viewer = FM_WATCHER; viewer < 2 && wrong == NULL; viewer++) {
            for (int i = 0; i < 2; i++)
                open_twin(&two[i], body, 100 + m, viewer, i == 1, NULL);
            struct srv_table *t = table_of(&two[1]);
            t->seed[0] ^= 0x55; /* it only shows in the commitment */
            fm_fair_commitment(t->commitment, t->seed, t->fair.table, &t->setup);
            for (int i = 0; i < 2; i++) {
                listen(&two[i], viewer, SRV_NO_FROM);
                listen(&two[i], viewer, -1);
                stranger_tries(&two[i]);
                ask_all(&two[i], viewer);
            }
            others_come(viewer);
            do_in_secret(viewer);
            for (int i = 0; i < 2; i++) {
                ask_all(&two[i], viewer);
                act(&two[i], 1, "early", noise(t->setup.game, 5));
                hide_commitments(&two[i].http);
            }
            wrong = compare(viewer, "before the start");
            for (int i = 0; i < 2; i++)
                close_twin(&two[i]);
        }
    return wrong;
}

/* ---- dealt worlds --------------------------------------------------------------------------- */

static enum fm_err init_0(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    (void)notes;
    memcpy(state, two[0].origin, setup->game->state_size);
    return FM_OK;
}

static enum fm_err init_1(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    (void)notes;
    memcpy(state, two[1].origin, setup->game->state_size);
    return FM_OK;
}

/* The table of a world is in its origin's state, and was dealt so: also a replay begins there. */
static void set_origin(struct twin *t, const struct fm_game *game, uint32_t since)
{
    struct srv_table *table = table_of(t);
    t->game = *game;
    t->wire = *game->wire;
    t->game.wire = &t->wire;
    t->game.init = t == &two[0] ? init_0 : init_1;
#define REPLACE(in, function)                                                                      \
    if (leak != NULL && leak->function != NULL)                                                    \
    (in).function = leak->function
    REPLACE(t->wire, put_view);
    REPLACE(t->wire, put_note);
    REPLACE(t->game, legal);
    REPLACE(t->game, apply);
    table->setup.game = &t->game;
    memcpy(table->match, t->origin, game->state_size);
    table->n_events = 0;
    table->state = ST_PLAYING;
    table->has_rematch = false;
    table->start_ms = t->w.now_ms - since;
    table->n_done = 0;
    for (int seat = 0; seat < FM_MAX_SEATS; seat++) {
        free(table->seat[seat].notes);
        table->seat[seat].notes = NULL;
    }
    struct srv_place *p = world_place(&t->w, t->id);
    memset(p->votes_for, 0, sizeof p->votes_for);
    memset(p->votes_against, 0, sizeof p->votes_against);
}

static uint32_t last_ms(const struct fm_game *g, const void *match)
{
    const struct fm_secret *secret = (const void *)((const char *)match + g->secret_off);
    return secret->now_ms;
}

/* A state some events into a random match; false: the match is over before. */
static bool random_state(const struct srv_table *table, uint8_t *match, uint32_t depth)
{
    struct fm_setup setup = table->setup;
    const struct fm_game *g = fm_game_find(setup.game->id);
    setup.game = g;
    for (size_t i = 0; i < sizeof setup.seed; i++)
        setup.seed[i] = (uint8_t)fm_rng_u32(&rng);
    fm_assert(fm_init(match, &setup, NULL) == FM_OK);
    const struct fm_pub *pub = (const void *)match;
    for (uint32_t i = 0; i < depth; i++) {
        const unsigned asked = pub->owes != 0 ? pub->owes : pub->may;
        struct fm_event ev = {.t_ms = last_ms(g, match) + fm_rng_below(&rng, 300)};
        if (pub->deadline_ms != FM_NEVER &&
            (asked == 0 || ev.t_ms > pub->deadline_ms || fm_rng_below(&rng, 8) == 0)) {
            ev.seat = FM_TABLE;
            ev.t_ms = pub->deadline_ms > last_ms(g, match) ? pub->deadline_ms : last_ms(g, match);
            ev.action = g->due(pub);
        } else {
            unsigned seat = fm_rng_below(&rng, pub->n_seats);
            for (unsigned k = 0; k < pub->n_seats && ev.action == 0; k++) {
                ev.seat = (uint8_t)((seat + k) % pub->n_seats);
                if (asked >> ev.seat & 1)
                    ev.action = g->sample(fm_view_of(g, match, ev.seat), &rng);
            }
        }
        if (ev.action == 0 || fm_apply(g, match, &ev, NULL) != FM_OK)
            break;
    }
    return pub->status != FM_OVER;
}

/* The viewer asks what it would see after these; NULL: one action only. Nothing comes of it. */
static const char *what_if(int viewer, const char *first, const char *then)
{
    static char actions[8192];
    static unsigned number;
    (void)snprintf(actions, sizeof actions, "[%s%s%s]", first, then != NULL ? "," : "",
                   then != NULL ? then : "");
    number++;
    for (int i = 0; i < 2; i++) {
        const uint32_t check = fm_check(&two[i].game, table_of(&two[i])->match);
        (void)client_say(&two[i].ear[0], "{\"what\":\"w%u\",\"if\":%s}", number, actions);
        if (fm_check(&two[i].game, table_of(&two[i])->match) != check)
            return found("viewer %d: %s was done, not only asked", viewer, actions);
    }
    return compare(viewer, actions);
}

/* Whatever may be asked of it: all that is legal, in pairs, too, and some noise. */
static const char *what_ifs(int viewer)
{
    static const char *const last[] = {"{\"do\":\"pass\"}", "{\"do\":\"ready\"}",
                                       "{\"do\":\"end\"}"};
    const struct fm_game *g = &two[0].game;
    const char *wrong = NULL;
    if (viewer == FM_WATCHER)
        return what_if(viewer, noise(g, 2), NULL);
    for (int k = 0; k < 4 && wrong == NULL; k++)
        wrong = what_if(viewer, noise(g, fm_rng_u32(&rng)), NULL);
    for (int k = 0; k < 4 && wrong == NULL; k++) {
        const struct fm_view v = view_of(&two[0], viewer);
        const fm_action a = v.game->sample(v, &rng);
        if (a != 0)
            wrong = what_if(viewer, action_text(g, a), k == 3 ? NULL : last[k]);
    }
    return wrong;
}

/* The same action in both worlds; *on: the viewer still sees the same. */
static const char *step_both(int viewer, int actor, const char *action, bool *on)
{
    char id[20];
    copy_text(id, sizeof id, new_id());
    const uint32_t seq[2] = {fm_view_seq(view_of(&two[0], viewer)),
                             fm_view_seq(view_of(&two[1], viewer))};
    for (int i = 0; i < 2; i++)
        if (actor == viewer && viewer != FM_WATCHER) {
            (void)client_say(&two[i].ear[0], "{\"id\":\"%s\",\"action\":%s}", id, action);
            world_settle(&two[i].w);
        } else {
            act(&two[i], actor, id, action);
        }
    *on = same_match(viewer) && table_of(&two[0])->state == ST_PLAYING &&
          table_of(&two[1])->state == ST_PLAYING;
    if (actor == viewer) { /* it is refused for what the viewer sees, or in neither world */
        const bool a = fm_view_seq(view_of(&two[0], viewer)) != seq[0];
        const bool b = fm_view_seq(view_of(&two[1], viewer)) != seq[1];
        if (a != b)
            return found("viewer %d: %s is taken in one world only", viewer, action);
    }
    return *on ? compare(viewer, action) : NULL;
}

static const char *check_pair(int viewer)
{
    const struct fm_game *g = &two[0].game;
    const uint32_t seq = fm_view_seq(view_of(&two[0], viewer));
    const char *wrong;
    bool on = true;
    for (int i = 0; i < 2; i++) {
        listen(&two[i], viewer, SRV_NO_FROM);
        listen(&two[i], viewer, 0);
        stranger_tries(&two[i]);
        ask_all(&two[i], viewer);
    }
    if ((wrong = compare(viewer, "at hello")) != NULL)
        return wrong;
    others_come(viewer);
    do_in_secret(viewer);
    for (int i = 0; i < 2; i++)
        ask_all(&two[i], viewer);
    if ((wrong = compare(viewer, "after what others asked for")) != NULL ||
        (wrong = what_ifs(viewer)) != NULL)
        return wrong;
    for (int k = 0; k < 4 && on && viewer != FM_WATCHER; k++)
        if ((wrong = step_both(viewer, viewer, noise(g, fm_rng_u32(&rng)), &on)) != NULL)
            return wrong;
    for (int k = 0; k < 6 && on; k++) {
        const int actor = (int)fm_rng_below(&rng, (uint32_t)n_seats());
        const fm_action action = common_action(actor);
        if (action != 0 && (wrong = step_both(viewer, actor, action_text(g, action), &on)) != NULL)
            return wrong;
    }
    if (!on)
        return NULL;
    for (int i = 0; i < 2; i++) { /* a reconnect */
        client_leave(&two[i].ear[1]);
        listen(&two[i], viewer, seq);
        stranger_tries(&two[i]);
        ask_all(&two[i], viewer);
    }
    return compare(viewer, "after a reconnect");
}

static const char *check_dealt(const char *body, unsigned matches)
{
    const char *wrong = NULL;
    for (int i = 0; i < 2; i++) {
        open_twin(&two[i], body, 200, 0, false, NULL);
        fm_assert(world_ask(&two[i].w, "POST", two[i].host, NULL, "/api/tables/%s/start",
                            two[i].id) == 200);
    }
    const struct fm_game *g = fm_game_find(table_of(&two[0])->setup.game->id);
    table_of(&two[1])->seed[0] ^= 0x77;
    for (unsigned m = 0; m < matches && wrong == NULL; m++) {
        static _Alignas(8) uint8_t match[FM_STATE_MAX];
        if (!random_state(table_of(&two[0]), match, fm_rng_below(&rng, 40)))
            continue;
        for (int viewer = FM_WATCHER; viewer < n_seats() && wrong == NULL; viewer++) {
            memcpy(two[0].origin, match, sizeof match);
            fm_assert(g->deal(two[1].origin, fm_view_of(g, match, viewer), &rng) == FM_OK);
            const uint32_t a = last_ms(g, match), b = last_ms(g, two[1].origin);
            for (int i = 0; i < 2; i++)
                set_origin(&two[i], g, (a > b ? a : b) + 1);
            wrong = check_pair(viewer);
            for (int i = 0; i < 2; i++) {
                world_settle(&two[i].w);
                forget_ears(&two[i]);
                two[i].w.now_ms = 1700000000000 + 1000ull * (m + 1);
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        table_of(&two[i])->setup.game = g;
        close_twin(&two[i]);
    }
    return wrong;
}

/* ---- hidden actions ------------------------------------------------------------------------- */

/* One action of whoever may act, the same in both worlds. */
static bool play_on(void)
{
    const struct fm_pub *pub = (const void *)table_of(&two[0])->match;
    const int from = (int)fm_rng_below(&rng, 7);
    for (int k = 0; k < FM_MAX_SEATS; k++) {
        const int seat = (from + k) % FM_MAX_SEATS;
        if (!(pub->may >> seat & 1) || is_bots(seat))
            continue;
        const struct fm_view v = view_of(&two[0], seat);
        const fm_action action = v.game->sample(v, &rng);
        if (action == 0)
            continue;
        char id[20];
        copy_text(id, sizeof id, new_id());
        for (int i = 0; i < 2; i++)
            act(&two[i], seat, id, action_text(v.game, action));
        return true;
    }
    return false;
}

/* Hidden actions of others, in each world its own and as many as it likes; how many. */
static int act_in_secret(int viewer)
{
    int n = 0;
    for (int i = 0; i < 2; i++)
        for (int seat = 0; seat < n_seats(); seat++)
            for (int k = 0, tries = 0; k < 1 + i && tries < 24 && seat != viewer && !is_bots(seat);
                 tries++) {
                static _Alignas(8) uint8_t after[FM_STATE_MAX];
                const struct fm_view v = view_of(&two[i], seat);
                const struct fm_event ev = {.t_ms = last_ms(v.game, table_of(&two[i])->match),
                                            .seat = (uint8_t)seat,
                                            .action = v.game->sample(v, &rng)};
                memcpy(after, table_of(&two[i])->match, sizeof after);
                if (ev.action == 0 || !(v.game->hidden_verbs >> fm_verb(ev.action) & 1) ||
                    fm_apply(v.game, after, &ev, NULL) != FM_OK)
                    continue;
                const struct fm_pub *now = (const void *)after, *then = v.pub;
                if (now->phase != then->phase || now->may != then->may)
                    continue; /* the last choice: all is shown */
                act(&two[i], seat, new_id(), action_text(v.game, ev.action));
                k++;
                n++;
            }
    return n;
}

static void use_leaky_game(struct twin *t)
{
    struct srv_table *table = table_of(t);
    if (leak == NULL)
        return;
    t->game = *table->setup.game;
    t->wire = *t->game.wire;
    t->game.wire = &t->wire;
    REPLACE(t->wire, put_view);
    REPLACE(t->wire, put_note);
    REPLACE(t->game, legal);
    REPLACE(t->game, apply);
    table->setup.game = &t->game;
}

static const char *check_hidden_once(int viewer, uint32_t depth)
{
    const char *wrong;
    for (int i = 0; i < 2; i++) {
        use_leaky_game(&two[i]);
        listen(&two[i], viewer, SRV_NO_FROM);
    }
    others_come(viewer);
    for (uint32_t k = 0; k < depth && table_of(&two[0])->state == ST_PLAYING; k++)
        if (!play_on())
            break;
    if (table_of(&two[0])->state != ST_PLAYING)
        return NULL;
    if ((wrong = compare(viewer, "while both play the same")) != NULL)
        return wrong;
    const uint32_t seq = fm_view_seq(view_of(&two[0], viewer));
    (void)act_in_secret(viewer);
    do_in_secret(viewer);
    if (!same_match(viewer))
        return found("viewer %d sees what was done in secret", viewer);
    for (int i = 0; i < 2; i++) {
        stranger_tries(&two[i]);
        ask_all(&two[i], viewer);
        listen(&two[i], viewer, seq > 2 ? (int64_t)seq - 2 : -1);
    }
    if ((wrong = compare(viewer, "after secret actions")) != NULL)
        return wrong;
    static const uint32_t own[] = {0, 7, 6, 1};
    for (size_t k = 0; k < 4 && viewer != FM_WATCHER; k++) {
        for (int i = 0; i < 2; i++) {
            (void)client_say(&two[i].ear[0], "{\"id\":\"x%zu\",\"action\":%s}", k,
                             noise(table_of(&two[i])->setup.game, own[k]));
            world_settle(&two[i].w);
        }
        if (!same_match(viewer)) /* it was the last, and all is shown */
            return NULL;
        if ((wrong = compare(viewer, "after an own action")) != NULL)
            return wrong;
    }
    if (leak != NULL && leak->planted == NOTHING)
        return NULL; /* the game of a table that is read is the true one */
    static char before[2][FM_JSON_MAX];
    for (int i = 0; i < 2; i++) { /* and the same after a restart */
        struct fm_out o;
        fm_out_init(&o, before[i], sizeof before[i]);
        fm_put_view(&o, view_of(&two[i], viewer));
        forget_ears(&two[i]);
        table_of(&two[i])->setup.game = fm_game_find(table_of(&two[i])->setup.game->id);
        restarted = true;
        world_restart(&two[i].w);
        listen(&two[i], viewer, SRV_NO_FROM);
        listen(&two[i], viewer, seq);
        restarted = false;
        if (strstr(two[i].ear[0].mail.text, before[i]) == NULL)
            return found("viewer %d is shown something else after a restart", viewer);
        stranger_tries(&two[i]);
        ask_all(&two[i], viewer);
    }
    return compare(viewer, "after a restart");
}

static const char *check_hidden(const char *body, unsigned matches)
{
    const char *wrong = NULL;
    for (unsigned m = 0; m < matches && wrong == NULL; m++) {
        const uint32_t depth = fm_rng_below(&rng, 24);
        for (int viewer = FM_WATCHER; viewer < 2 && wrong == NULL; viewer++) {
            for (int i = 0; i < 2; i++) {
                open_twin(&two[i], body, 300 + m, viewer, false, NULL);
                fm_assert(world_ask(&two[i].w, "POST", two[i].host, NULL, "/api/tables/%s/start",
                                    two[i].id) == 200);
            }
            wrong = check_hidden_once(viewer, depth);
            for (int i = 0; i < 2; i++) {
                struct srv_place *p = world_place(&two[i].w, two[i].id);
                if (p != NULL)
                    p->table.setup.game = fm_game_find(p->table.setup.game->id);
                close_twin(&two[i]);
            }
        }
    }
    return wrong;
}

/* ---- with bots ------------------------------------------------------------------------------ */

static const char *bot_of(const char *body, unsigned number)
{
    if (number % 3 == 0)
        return "random";
    return strstr(body, "\"industrialist\"") != NULL ? "tycoon"
           : strstr(body, "divercity") != NULL       ? "ranger"
           : strstr(body, "dive") != NULL            ? "steady"
                                                     : "greedy";
}

/* How often choices and programs were shown: what differed in secret is known then. */
static unsigned shown(struct twin *t)
{
    const struct srv_table *table = table_of(t);
    const struct dive_pub *pub = (const void *)table->match;
    if (strcmp(table->setup.game->id, "dive") != 0)
        return 0;
    unsigned times = pub->log.round;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        times += pub->companion[seat] != DIVE_NONE;
    return times;
}

static const char *check_bots_once(int viewer)
{
    const char *wrong;
    for (int i = 0; i < 2; i++)
        listen(&two[i], viewer, SRV_NO_FROM);
    others_come(viewer);
    for (int k = 0; k < 24 && table_of(&two[0])->state == ST_PLAYING; k++) {
        const unsigned before = shown(&two[0]);
        (void)act_in_secret(viewer);
        do_in_secret(viewer);
        if (!same_match(viewer))
            return found("viewer %d sees what was done in secret", viewer);
        for (int ms = 0; ms < 700; ms += 50) { /* when it does something counts, too */
            for (int i = 0; i < 2; i++)
                world_pass(&two[i].w, 50);
            if (shown(&two[0]) != before && shown(&two[1]) != before)
                return NULL;
            if (!same_match(viewer))
                return found("viewer %d: a bot does something else", viewer);
            if ((wrong = compare(viewer, "beside a bot")) != NULL)
                return wrong;
        }
        for (int i = 0; i < 2; i++)
            ask_all(&two[i], viewer);
        if ((wrong = compare(viewer, "asked beside a bot")) != NULL)
            return wrong;
        (void)play_on();
        if (shown(&two[0]) != before)
            return NULL;
        if ((wrong = compare(viewer, "after a move beside a bot")) != NULL)
            return wrong;
    }
    return NULL;
}

static const char *check_bots(const char *body, unsigned matches)
{
    const char *wrong = NULL;
    for (unsigned m = 0; m < matches / 4 + 1 && wrong == NULL; m++)
        for (int viewer = FM_WATCHER; viewer < 1 && wrong == NULL; viewer++) {
            for (int i = 0; i < 2; i++) {
                open_twin(&two[i], body, 400 + m, viewer, false, bot_of(body, m));
                fm_assert(world_ask(&two[i].w, "POST", two[i].host, NULL, "/api/tables/%s/start",
                                    two[i].id) == 200);
            }
            wrong = check_bots_once(viewer);
            for (int i = 0; i < 2; i++)
                close_twin(&two[i]);
        }
    return wrong;
}

/* ---- tests ---------------------------------------------------------------------------------- */

static unsigned matches = 10;

static const char *const tables[] = {
    "{\"game\":\"soumsoum\",\"options\":{\"players\":2},\"listed\":true}",
    "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"market\":true}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":2}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":4,\"clock\":3}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\",\"clock\":20}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":3,\"chief\":true,\"companions\":\"seven\"}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"industrialist\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":4,\"level\":\"divemaster\"}}",
};
#define N_TABLES (sizeof tables / sizeof tables[0])

static void twins_hear_the_same(const char *(*check)(const char *, unsigned))
{
    planted = NOTHING;
    leak = NULL;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){11}, 0);
    for (size_t i = 0; i < N_TABLES; i++) {
        const char *wrong = check(tables[i], matches);
        if (wrong != NULL)
            fail_msg("%s: %s", tables[i], wrong);
    }
}

static void before_the_start(void **state)
{
    (void)state;
    twins_hear_the_same(check_waiting);
}

static void in_dealt_worlds(void **state)
{
    (void)state;
    twins_hear_the_same(check_dealt);
}

static void of_hidden_actions(void **state)
{
    (void)state;
    twins_hear_the_same(check_hidden);
}

static void beside_bots(void **state)
{
    (void)state;
    twins_hear_the_same(check_bots);
}

#define SOUM       "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"market\":true}}"
#define SOUM_PLAIN "{\"game\":\"soumsoum\",\"options\":{\"players\":3}}"
#define DIVE       "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\"}}"
#define DIVE_PLAIN "{\"game\":\"dive\",\"options\":{\"divers\":4}}"
#define CITY       "{\"game\":\"divercity\",\"options\":{\"divers\":3}}"

static const struct leak leaks[] = {
    {"a view shows the pile", check_dealt, SOUM_PLAIN, .put_view = view_shows_pile},
    {"a spectator's view shows a hand", check_dealt, SOUM_PLAIN, .put_view = spectator_sees_hand},
    {"the size of a message tells", check_dealt, SOUM_PLAIN, .put_view = length_tells},
    {"the legal list tells", check_dealt, SOUM_PLAIN, .legal = list_tells},
    {"refusals tell", check_dealt, SOUM_PLAIN, .apply = error_tells},
    {"names of moves tell", check_dealt, SOUM_PLAIN, .put_note = note_tells},
    {"Dive: a view shows how deep another dives", check_dealt, DIVE, .put_view = view_shows_depth},
    {"Dive: the same, of hidden actions", check_hidden, DIVE, .put_view = view_shows_depth},
    {"Dive: a program is counted", check_hidden, DIVE, .apply = program_moves_the_clock},
    {"DiverCity: a view shows an own card", check_dealt, CITY, .put_view = view_shows_own_card},
    {"a change is sent whether noticed or not", check_hidden, DIVE, .planted = CHANGE_FORGETS_SEQ},
    {"a change tells all", check_dealt, SOUM_PLAIN, .planted = CHANGE_TELLS_ALL},
    {"a change goes to the wrong seat", check_hidden, DIVE, .planted = CHANGE_TO_WRONG_SEAT},
    {"a change counts all events", check_hidden, DIVE, .planted = CHANGE_COUNTS_EVENTS},
    {"a spectator is told what seat 0 is", check_dealt, SOUM_PLAIN,
     .planted = SPECTATOR_SEES_SEAT_0},
    {"hello shows how long the log is", check_hidden, DIVE, .planted = HELLO_SHOWS_LOG},
    {"hello shows the last action", check_hidden, DIVE, .planted = HELLO_SHOWS_LAST_ACTION},
    {"hello shows a spectator what seat 0 sees", check_dealt, SOUM_PLAIN,
     .planted = HELLO_OF_SPECTATOR_SEES_SEAT_0},
    {"presence shows notes", check_hidden, SOUM, .planted = SEATS_SHOW_NOTES},
    {"presence shows votes", check_hidden, SOUM, .planted = SEATS_SHOW_VOTES},
    {"presence shows who has acted", check_hidden, DIVE, .planted = SEATS_SHOW_WHO_ACTED},
    {"presence shows entropy", check_waiting, SOUM, .planted = SEATS_SHOW_ENTROPY},
    {"a table shows its seed", check_waiting, SOUM, .planted = TABLE_SHOWS_SEED},
    {"a table shows its seed in the game", check_dealt, SOUM, .planted = TABLE_SHOWS_SEED},
    {"a table shows how long its log is", check_hidden, DIVE, .planted = TABLE_SHOWS_LOG},
    {"a table shows notes", check_hidden, CITY, .planted = TABLE_SHOWS_NOTES},
    {"an acknowledgement goes to others", check_hidden, DIVE, .planted = ACK_TO_OTHERS},
    {"a refusal goes to others", check_hidden, DIVE, .planted = REFUSAL_TO_OTHERS},
    {"a failed log-in tells", check_dealt, SOUM, .planted = FAILED_LOGIN_TELLS},
    {"a restart deals again", check_hidden, SOUM, .planted = RESTART_DEALS_AGAIN},
    {"a what-if draws the true card", check_dealt, SOUM_PLAIN, .planted = WHAT_LOOKS_AT_THE_MATCH},
    {"Dive: a what-if knows the others' programs", check_dealt, DIVE,
     .planted = WHAT_LOOKS_AT_THE_MATCH},
    {"DiverCity: a what-if plays the true card", check_dealt, CITY,
     .planted = WHAT_LOOKS_AT_THE_MATCH},
    {"a what-if is dealt by the table's seed", check_dealt, SOUM_PLAIN,
     .planted = WHAT_IS_SEEDED_BY_THE_TABLE},
    {"a bot hesitates when others act in secret", check_bots, DIVE_PLAIN, .planted = BOT_HESITATES},
    {"a bot chooses by what others do in secret", check_bots, DIVE_PLAIN, .planted = BOT_CHOOSES},
};
#define N_LEAKS (sizeof leaks / sizeof leaks[0])

static void must_be_found(void **state)
{
    leak = *state;
    planted = leak->planted;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){12}, 0);
    const char *wrong = leak->found_by(leak->body, 12);
    leak = NULL;
    planted = NOTHING;
    if (wrong == NULL)
        fail_msg("it is not found");
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[4 + N_LEAKS] = {
        cmocka_unit_test(before_the_start),
        cmocka_unit_test(in_dealt_worlds),
        cmocka_unit_test(of_hidden_actions),
        cmocka_unit_test(beside_bots),
    };
    if (argc > 1)
        matches = (unsigned)strtoul(argv[1], NULL, 10);
    for (size_t i = 0; i < N_LEAKS; i++)
        tests[4 + i] = (struct CMUnitTest){.name = leaks[i].name,
                                           .test_func = must_be_found,
                                           .initial_state = (void *)(uintptr_t)&leaks[i]};
    return tests_run("hall_twins", tests, sizeof tests / sizeof tests[0]);
}
