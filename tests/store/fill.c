/*
 * fill.c: fills a store with games of people who play at random, quickly: there is no server.
 *
 *   fill WHERE FINISHED RUNNING [ABANDONED]
 *
 * Of the running ones it prints a line each: the table, the game, and the token of each seat.
 * Abandoned ones have one person and bots for the rest, have begun, and nobody has made a move.
 */
#include "base/hash.h"
#include "base/panic.h"
#include "server/table.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const bodies[] = {
    "{\"game\":\"soumsoum\"}",
    "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"market\":true},\"listed\":true}",
    "{\"game\":\"dive\",\"options\":{\"divers\":2}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":2}}",
};
#define N_BODIES (sizeof bodies / sizeof bodies[0])
static const char *const bots[] = {"greedy", "greedy", "steady", "ranger"};

static struct st_store *store;
static struct fm_fault fault;
static uint64_t now_ms;

static void must(bool fine)
{
    if (!fine) {
        fprintf(stderr, "fill: %s\n", fault.text);
        exit(1);
    }
}

static void on_done(void *arg, enum fm_err err, const struct fm_fault *why)
{
    (void)arg;
    if (err != FM_OK) {
        fprintf(stderr, "fill: %s\n", why->text);
        abort();
    }
}

static void keep(struct srv_table *t, const struct st_id *id, struct srv_draft *d)
{
    const struct st_write w = {
        .table = *id, .seq = t->seq + 1, .event = d->text, .n = d->n, .change = d->change};
    enum fm_err err;
    while ((err = st_submit(store, &w, on_done, NULL, &fault)) == FM_E_BUSY)
        st_drain(store);
    must(err == FM_OK);
    must((d->kind == SRV_MADE ? srv_table_read(t, id, d->text, d->n, NULL, &fault)
                              : srv_table_commit(t, d, &fault)) == FM_OK);
    srv_draft_finish(d);
}

/* A seat's token, and its hash as the server keeps it. */
static void token_of(char text[33], uint8_t hash[ST_HASH_BYTES], unsigned table, unsigned seat)
{
    (void)snprintf(text, 33, "%016x%016x", table + 1, seat);
    fm__hash(hash, "fathom token 1", &(struct fm_span){text, strlen(text)}, 1);
}

static void sit(struct srv_table *t, struct srv_draft *d, unsigned number, unsigned i)
{
    char text[33];
    uint8_t hash[ST_HASH_BYTES];
    int seat;
    token_of(text, hash, number, i);
    json_t *body = json_pack("{s:s,s:i}", "name", "Somebody", "seat", (int)i);
    must(srv_draft_sat(d, t, body, hash, &seat, &fault) == FM_OK);
    json_decref(body);
    keep(t, &t->id, d);
}

/* So many people sit down, bots on the other seats, and the game begins. */
static void begin(struct srv_table *t, struct srv_draft *d, unsigned number, unsigned people)
{
    char text[33], code[ST_CODE + 1];
    struct srv_made made = {.now_ms = now_ms};
    fm__hash(made.seed, "fill", &(struct fm_span){&number, sizeof number}, 1);
    memcpy(made.id.bytes, made.seed, sizeof made.id.bytes);
    (void)snprintf(code, sizeof code, "%06u", number % 1000000);
    made.code = code;
    token_of(text, made.host, number, 99);
    json_t *body = json_loads(bodies[number % N_BODIES], 0, NULL);
    must(srv_draft_made(d, &made, body, &fault) == FM_OK);
    json_decref(body);
    keep(t, &made.id, d);
    for (unsigned i = 0; i < t->setup.n_seats; i++) {
        if (i < people) {
            sit(t, d, number, i);
            continue;
        }
        must(srv_draft_bot(d, t, (int)i, bots[number % N_BODIES], &fault) == FM_OK);
        keep(t, &t->id, d);
    }
    must(srv_draft_started(d, t, now_ms, &fault) == FM_OK);
    keep(t, &t->id, d);
}

static void play(struct srv_table *t, struct srv_draft *d, struct fm_rng *rng, unsigned events)
{
    const struct fm_game *g = t->setup.game;
    while (events > 0 && t->state == ST_PLAYING) {
        const struct fm_pub *pub = (const void *)t->match;
        const uint8_t may = pub->owes != 0 ? pub->owes : pub->may;
        const uint64_t deadline = srv_table_deadline(t);
        now_ms += fm_rng_below(rng, 2000);
        if (deadline != 0 && now_ms >= deadline) {
            must(srv_draft_clock(d, t, now_ms, &fault) == FM_OK);
        } else {
            int seat = (int)fm_rng_below(rng, t->setup.n_seats);
            while (!(may >> seat & 1))
                seat = (seat + 1) % t->setup.n_seats;
            const fm_action action = g->sample(fm_view_of(g, t->match, seat), rng);
            if (action == 0) /* it lets things be */
                continue;
            must(srv_draft_did(d, t, seat, NULL, action, now_ms, 0, &fault) == FM_OK);
        }
        keep(t, &t->id, d);
        events--;
    }
}

static void print_running(const struct srv_table *t, unsigned number)
{
    char text[33];
    uint8_t hash[ST_HASH_BYTES];
    for (int i = 0; i < ST_ID_BYTES; i++)
        printf("%02x", t->id.bytes[i]);
    printf(" %s", t->setup.game->id);
    for (unsigned i = 0; i < t->setup.n_seats; i++) {
        token_of(text, hash, number, i);
        printf(" %s", text);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static struct srv_table table;
    static struct srv_draft draft;
    struct fm_rng rng;
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: fill WHERE FINISHED RUNNING [ABANDONED]\n");
        return 2;
    }
    const unsigned finished = (unsigned)strtoul(argv[2], NULL, 10);
    const unsigned running = (unsigned)strtoul(argv[3], NULL, 10);
    const unsigned played = finished + running;
    const unsigned abandoned = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 0;
    store = st_open(argv[1], &fault);
    must(store != NULL);
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){3}, 0);
    for (unsigned i = 0; i < played + abandoned; i++) {
        now_ms = (uint64_t)time(NULL) * 1000;
        srv_table_init(&table);
        begin(&table, &draft, i, i < played ? FM_MAX_SEATS : 1);
        if (i < played)
            play(&table, &draft, &rng, i < finished ? UINT32_MAX : 5);
        if (i >= finished)
            print_running(&table, i);
        srv_table_finish(&table);
    }
    st_close(store);
    return 0;
}
