/* peers.h: two halls on one store, as two programs would be, and a table with seats in both. */
#ifndef TESTS_SERVER_PEERS_H
#define TESTS_SERVER_PEERS_H

#include "tests.h"

#include "server/world.h"

/* ---- a store with two programs: what they tell each other goes through the test --------------- */

enum { HERE, THERE };
extern struct world worlds[2];
extern unsigned lost_words;                   /* per cent of all words that they tell each other */
extern unsigned n_words[2], n_watch_calls[2]; /* messages sent, and calls of st_watch */

extern bool store_away; /* logs cannot be read */

struct peer_ear {
    struct st_store *store;
    st_listener *hear;
    void *arg;
};
extern struct peer_ear listener[2];

int open_both(void **state);
int close_both(void **state);
#define WITH_BOTH(f) cmocka_unit_test_setup_teardown(f, open_both, close_both)

void settle_both(void);
void pass(uint64_t ms); /* time goes on in both */
/* The store tells one of them of a table, as the other has it. */
void tell(int whom, enum st_notice_kind kind, const char *table);

/* ---- a table over both ----------------------------------------------------------------------- */

extern char id[2 * ST_ID_BYTES + 1], host[SRV_TOKEN_TEXT + 1];
extern char token[FM_MAX_SEATS][SRV_TOKEN_TEXT + 1];
extern struct client seat_of[FM_MAX_SEATS], watcher[2];
extern int n_seats;

int world_of(int seat); /* where it sits down */
void copy_text(char *to, size_t cap, const struct world *w, const char *key);
void make(const char *body);
void sit(int seat);
void come(struct client *c, struct world *w, const char *with);
/* Each seat sits down in its own world, and its stream is in the other: there it is known, too. */
void begin(const char *body);
void go(void);

struct srv_table *table_in(int world);
/* An action of this seat at random; NULL: none. */
const char *choose_of(const struct srv_table *t, int seat);
const char *choose(int seat); /* as the hall of its stream sees the game */

void assert_equal_tables(void);
/* Each change that a viewer can notice came to it once, in order. */
void assert_told_in_order(const struct client *c);
void assert_told_the_same(const struct client *a, const struct client *b);

#endif
