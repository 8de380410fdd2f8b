/* twins_worlds.c: opens two worlds that are alike, listens in both, and compares what was heard. */
#include "server/twins.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct twin two[2];
struct fm_rng rng;
static char report[2000];

const char *found(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(report, sizeof report, format, args);
    va_end(args);
    return report;
}

struct srv_table *twin_table(struct twin *t)
{
    struct srv_slot *slot = world_slot(&t->w, t->id);
    fm_assert(slot != NULL);
    return &slot->table;
}

size_t n_events_now(void)
{
    return twin_table(world_ruling() == &two[0].w ? &two[0] : &two[1])->n_events;
}

bool is_bots(int seat)
{
    return two[0].token[seat][0] == '\0';
}

int n_seats(void)
{
    return twin_table(&two[0])->setup.n_seats;
}

struct fm_view view_of(struct twin *t, int viewer)
{
    const struct srv_table *table = twin_table(t);
    return fm_view_of(table->setup.game, table->match, viewer);
}

void copy_text(char *to, size_t cap, const char *from)
{
    fm_assert(strlen(from) > 0 && strlen(from) < cap);
    (void)snprintf(to, cap, "%s", from);
}

void twin_open(struct twin *t, const char *body, unsigned chance, int viewer, bool other,
               const char *bot)
{
    memset(t, 0, sizeof *t);
    t->w.limits.bot_ms = 6000; /* a bot takes as long as it likes */
    t->w.limits.why_worlds = 4;
    world_open(&t->w, chance);
    fm_assert(world_ask(&t->w, "POST", NULL, body, "/api/tables") == 201);
    copy_text(t->id, sizeof t->id, world_text(&t->w, "table"));
    copy_text(t->host, sizeof t->host, world_text(&t->w, "host"));
    for (int seat = 0; seat < twin_table(t)->setup.n_seats; seat++) {
        char sits[80];
        if (bot != NULL && seat == twin_table(t)->setup.n_seats - 1) {
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

void twin_forget_ears(struct twin *t)
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

void twin_close(struct twin *t)
{
    world_settle(&t->w);
    twin_forget_ears(t);
    free(t->http.text);
    world_close(&t->w);
}

/* ---- what a viewer hears -------------------------------------------------------------------- */

static const char *taint(struct twin *t)
{
    return twin_table(t)->seed[0] & 1 ? "{\"x\":1}" : "{\"x\":12}";
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

void twin_listen(struct twin *t, int viewer, int64_t from)
{
    fm_assert(t->n_ears < MAX_EARS);
    struct client *c = &t->ear[t->n_ears++];
    client_open(c, &t->w, t->id);
    if (t->n_ears == 1)
        plant_in_net(t);
    char hello[160], since[60] = ",\"earlier\":true,\"seqs\":true";
    if (from != SRV_NO_FROM)
        (void)snprintf(since, sizeof since, ",\"earlier\":true,\"seqs\":true,\"from\":%lld",
                       (long long)from);
    if (viewer == FM_WATCHER)
        (void)snprintf(hello, sizeof hello, "{\"hello\":null%s}", since);
    else
        (void)snprintf(hello, sizeof hello, "{\"hello\":\"%s\"%s}", t->token[viewer], since);
    (void)client_say(c, "%s", hello);
}

void stranger_tries(struct twin *t)
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

void ask_why(struct twin *t, int viewer, uint32_t seq, int seat)
{
    char who[16] = "table";
    if (viewer != FM_WATCHER)
        (void)snprintf(who, sizeof who, "%d", viewer);
    keep_answer(t, world_ask(&t->w, "GET", viewer == FM_WATCHER ? NULL : t->token[viewer], NULL,
                             "/api/tables/%s/why/%s/%u/%d", t->id, who, seq, seat));
}

void ask_all(struct twin *t, int viewer)
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
        {"GET", "/why/open/1/0", NULL},
        {"GET", "/why/0/1/1", NULL},
    };
    const char *const tokens[] = {viewer == FM_WATCHER ? NULL : t->token[viewer],
                                  "00112233445566778899aabbccddeeff"};
    const bool waits = twin_table(t)->state == ST_WAITING;
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++)
        for (size_t k = 0; k < 2; k++)
            if (!waits || k == 1 || strcmp(asks[i][0], "DELETE") != 0)
                keep_answer(t, world_ask(&t->w, asks[i][0], tokens[k], asks[i][2],
                                         "/api/tables/%s%s", t->id, asks[i][1]));
    for (int seat = 0; seat < twin_table(t)->setup.n_seats; seat++)
        ask_why(t, viewer, 999999, seat);
    keep_answer(t, world_ask(&t->w, "GET", NULL, NULL, "/api/tables"));
}

void hide_commitments(struct mail *m)
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

const char *compare_twins(int viewer, const char *when)
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

bool same_match(int viewer)
{
    static uint8_t a[FM_STATE_MAX], b[FM_STATE_MAX];
    const size_t n = fm_view_copy(view_of(&two[0], viewer), a, sizeof a);
    return n == fm_view_copy(view_of(&two[1], viewer), b, sizeof b) && memcmp(a, b, n) == 0;
}
