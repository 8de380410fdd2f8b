/*
 * party.h: a world with one hall and a table of people in it, for tests of the hall: they sit down,
 * come, and play at random.
 */
#ifndef TESTS_SERVER_PARTY_H
#define TESTS_SERVER_PARTY_H

#include "tests.h"

#include "server/world.h"

extern struct world world;

/* A test in a world of its own: IN_WORLD(name). Limits that a test sets before are kept. */
int open_world(void **state);
int close_world(void **state);
#define IN_WORLD(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)

struct party { /* a table in the world, its tokens, and a stream for each seat and a spectator */
    char id[2 * ST_ID_BYTES + 1], code[ST_CODE + 1], host[SRV_TOKEN_TEXT + 1];
    int n;
    char token[FM_MAX_SEATS][SRV_TOKEN_TEXT + 1];
    struct client seat[FM_MAX_SEATS], watcher;
};

extern struct party party; /* the one that most tests use; empty when a test begins */

/* Tables of all games, and small ones of two and three that seat 0 begins. */
extern const char *const bodies[3];
#define SOUM  "{\"game\":\"soumsoum\",\"options\":{\"players\":2,\"first\":0}}"
#define SOUM3 "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"first\":0}}"

/* ---- sitting down ---------------------------------------------------------------------------- */

void make(struct party *p, const char *body);
int sit(struct party *p,
        int seat); /* as "P" and its number; even ones add to the deal; the status */
void come(struct party *p, int seat);
void come_all(struct party *p); /* who has a seat, and the watcher */
void go_all(struct party *p);
int begin(struct party *p);
/* Made, all seats taken, everybody there, started. */
void open_party(struct party *p, const char *body);

/* ---- playing --------------------------------------------------------------------------------- */

/* It is brought back into memory if need be. */
const struct srv_table *table_of(const struct party *p);
const struct fm_pub *pub_of(const struct party *p);
/* {"do":…} that this seat may do, at random; NULL: it lets things be. */
const char *choose(const struct party *p, int seat);
/* One thing happens at the table: somebody who owes acts, or the clock speaks. */
void step(struct party *p);
void play_out(struct party *p);
/* To the end, by whoever may act, with this chance; mail is kept. */
void play_at_random(struct party *p, uint8_t chance);

/* ---- what was answered ----------------------------------------------------------------------- */

/* A text of the last answer, or of a client's last refusal. */
void copy_text(char *to, size_t cap, const char *from);
#define COPY(to, key) copy_text(to, sizeof(to), world_text(&world, key))
const char *text_of(json_t *json, const char *key); /* "": none */
json_int_t int_of(json_t *json, const char *key);
/* The entry of a list whose key has this value; NULL: none. */
json_t *find_in(json_t *list, const char *key, const char *value);
void assert_code(int status, int expected, const char *code); /* of the last request */
void assert_refused(const struct client *c, const char *id, const char *code); /* id NULL: none */
/* What the store has of the table is what is in memory. */
void assert_stored(const struct party *p);

#endif
