/* load_table.c: tables of bench_load: they are made, filled and played at random, again and again.
 */
#define _GNU_SOURCE /* memmem */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the life of a table -------------------------------------------------------------------- */

static void take_seat(struct table *t)
{
    char body[64];
    t->step = SITTING;
    (void)snprintf(body, sizeof body, "{\"name\":\"Player %u\",\"seat\":%u}", t->done, t->done);
    conn_post(&t->http, t->id, "/seats", NULL, body);
}

static void join(struct table *t)
{
    t->step = JOINING;
    t->done = 0;
    for (unsigned i = 0; i < load.seats; i++) {
        conn_close(&t->player[i]);
        conn_upgrade(&t->player[i], t->id);
    }
}

static void start(struct table *t)
{
    t->step = STARTING;
    if (load.waits)
        load.began++;
    else
        conn_post(&t->http, t->id, "/start", t->host, "");
}

void table_make(struct table *t)
{
    char body[64];
    t->step = MAKING;
    (void)snprintf(body, sizeof body, "{\"game\":\"soumsoum\",\"options\":{\"players\":%u}}",
                   load.seats);
    conn_post(&t->http, NULL, "", NULL, body);
}

/* The value of a key that is a text of hex digits. */
static void copy_hex(char out[ID + 1], const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (at == NULL || strlen(at) < strlen(key) + ID)
        load_die("an answer without %s: %.300s", key, text);
    memcpy(out, at + strlen(key), ID);
    out[ID] = '\0';
}

/* The server answered: what comes next at this table. */
void table_answered(struct table *t, const char *text)
{
    if (strncmp(text, "HTTP/1.1 20", 11) != 0)
        load_die("refused: %.300s", text);
    switch (t->step) {
    case MAKING:
        copy_hex(t->id, text, "\"table\":\"");
        copy_hex(t->host, text, "\"host\":\"");
        t->done = 0;
        take_seat(t);
        break;
    case SITTING:
        copy_hex(t->token[t->done++], text, "\"token\":\"");
        if (t->done < load.seats)
            take_seat(t);
        else
            join(t);
        break;
    case STARTING: /* it may have begun for the streams already */
        t->step = PLAYING;
        load.began += !t->began;
        t->began = true;
        break;
    case ENDING:
        copy_hex(t->id, text, "\"table\":\"");
        join(t);
        break;
    case JOINING:
    case PLAYING:
        load_die("an answer that nobody asked for: %.300s", text);
    }
}

/* ---- messages ------------------------------------------------------------------------------- */

static void shout(struct conn *c)
{
    static const char text[] =
        "{\"id\":\"m1234\",\"action\":{\"do\":\"place\",\"card\":1,\"at\":[2,3]}}";
    c->echo_us = load_now_us();
    conn_put_frame(c, 1, text, sizeof text - 1);
}

void conn_greet(struct conn *c)
{
    char text[64];
    if (load.echoes) {
        shout(c);
        return;
    }
    const int n = c->table != NULL
                      ? snprintf(text, sizeof text, "{\"hello\":\"%s\"}", c->table->token[c->seat])
                      : snprintf(text, sizeof text, "{\"hello\":null}");
    conn_put_frame(c, 1, text, (size_t)n);
}

static void move(struct conn *c, const char *action, size_t n)
{
    struct table *t = c->table;
    char text[512];
    const uint64_t id = t->moves[c->seat]++;
    const int len = snprintf(text, sizeof text, "{\"id\":\"m%llu\",\"action\":%.*s}",
                             (unsigned long long)id, (int)n, action);
    t->sent_us[c->seat][id % IN_FLIGHT] = load_now_us();
    conn_put_frame(c, 1, text, (size_t)len);
}

/* One of the list's objects; they hold no other objects. False: there is none. */
static bool move_at_random(struct conn *c, const char *list, size_t room)
{
    uint32_t n = 0;
    const char *end = *list == '{' ? memmem(list, room, "}]", 2) : NULL;
    if (end++ == NULL)
        return false;
    for (const char *at = list; (at = memchr(at, '{', (size_t)(end - at))) != NULL; at++)
        n++;
    const char *at = list - 1;
    for (uint32_t k = load_below(n) + 1; k > 0; k--)
        at = memchr(at + 1, '{', (size_t)(end - at - 1));
    const char *close_ = memchr(at, '}', (size_t)(end - at));
    move(c, at, (size_t)(close_ + 1 - at));
    return true;
}

static void see(struct conn *c, const char *text, size_t n)
{
    static const char legal[] = "\"legal\":[", over[] = "\"phase\":\"over\"";
    struct table *t = c->table;
    const char *list = memmem(text, n, legal, sizeof legal - 1);
    if (list != NULL &&
        move_at_random(c, list + sizeof legal - 1, (size_t)(text + n - list) - (sizeof legal - 1)))
        return;
    if (t->step == JOINING && list == NULL && ++t->done == load.seats) {
        start(t);
    } else if (t->step == PLAYING && c->seat == 0 &&
               memmem(text, n, over, sizeof over - 1) != NULL) {
        t->step = ENDING;
        load.games += load.counts;
        conn_post(&t->http, t->id, "/rematch", t->host, "");
    }
}

static void acknowledged(uint64_t sent_us)
{
    if (!load.counts)
        return;
    const uint64_t us = load_now_us() - sent_us;
    load.slow[us < LONGEST ? us : LONGEST]++;
    load.acks++;
}

void conn_message(struct conn *c, int opcode, const char *text, size_t n)
{
    load.messages += load.counts;
    load.bytes += load.counts ? n : 0;
    if (opcode == 9) {
        conn_put_frame(c, 10, text, n);
    } else if (opcode == 8) {
        load.closed++;
        fprintf(stderr, "bench_load: closed by the server: %.*s\n", (int)n - 2, text + 2);
        conn_close(c);
    } else if (load.echoes) {
        acknowledged(c->echo_us);
        shout(c);
    } else if (c->table == NULL) {
        return; /* idle */
    } else if (n > 9 && memcmp(text, "{\"ack\":\"m", 9) == 0) {
        acknowledged(c->table->sent_us[c->seat][strtoull(text + 9, NULL, 10) % IN_FLIGHT]);
    } else if (n > 7 && memcmp(text, "{\"seq\":", 7) == 0) {
        see(c, text, n);
    } else if (n > 11 && memcmp(text, "{\"refused\":", 11) == 0) {
        if (load.refused++ == 0)
            fprintf(stderr, "bench_load: %.*s\n", (int)n, text);
    }
}
