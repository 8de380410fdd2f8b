/*
 * world.h: a hall without sockets, for tests: a store in a folder of its own, a clock that the
 * test sets, chance that the test seeds, and clients that keep whatever they are sent.
 */
#ifndef TESTS_SERVER_WORLD_H
#define TESTS_SERVER_WORLD_H

#include "server/hall_state.h"

#include <jansson.h>

struct mail { /* all that somebody was sent: a line each */
    char *text;
    size_t n, cap;
    unsigned lines;
};

struct client { /* a stream */
    struct srv_stream stream;
    struct world *world;
    struct mail mail;
    char path[96];
    unsigned pings;     /* so often its way was to be measured */
    bool away;          /* it was told to come back elsewhere */
    bool misunderstood; /* what it said had to wait, and was not understood */
};

struct call { /* a request */
    struct srv_call call;
    const char *address; /* of the client; NULL: unknown */
    unsigned answers;
    int status;
    struct mail mail;
};

struct world {
    struct st_store *store;
    struct srv_hall *hall;
    struct srv_limits limits;
    const struct fm_library *library; /* NULL: the built-in decks */
    uint64_t now_ms;
    uint64_t chance; /* seeds ids, codes, tokens and deals */
    char folder[64];
    bool guest;                 /* in the folder of another world */
    struct call last;           /* what world_ask was answered */
    json_t *json;               /* the same, read; NULL: no JSON */
    unsigned long n_sent;       /* to all streams */
    size_t first_bucket;        /* of the hall that has a table, when last looked at */
    struct client *echo;        /* a planted leak: what begins with ... */
    const char *echoes;         /* ... this goes there, too; or NULL */
    const char *(*taint)(void); /* a planted leak: what follows a refusal without an id; or NULL */
};

/* Chance of the whole program comes from this world from now on; as does that of libsodium. */
void world_rule(struct world *w);
uint64_t world_chance(void); /* a number from it */
struct world *world_ruling(void);

void world_open(struct world *w, uint64_t chance);           /* limits that are 0 get values */
void world_join(struct world *w, const struct world *other); /* another program on its store */
void world_close(struct world *w);                           /* guests first */
void world_restart(struct world *w); /* the hall and the store are closed and opened again */
/* Until the store and the bots have done all that can be done now. */
void world_settle(struct world *w);
void world_read(struct world *w);              /* until the store has been read, and no more */
void world_pass(struct world *w, uint64_t ms); /* time, with a tick each 50 ms at most */

/* A request and its answer: its status; body NULL: none. */
int world_ask(struct world *w, const char *method, const char *token, const char *body,
              const char *format, ...) __attribute__((format(printf, 5, 6)));
const char *world_text(const struct world *w, const char *key); /* of that answer; "": none */
const char *world_code(const struct world *w);                  /* of that refusal; "": none */
/* A request that is not waited for. */
void world_send(struct world *w, struct call *c, const char *method, const char *token,
                const char *body, const char *path);
void call_finish(struct call *c);

void client_open(struct client *c, struct world *w, const char *table);
bool client_say(struct client *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void client_leave(struct client *c);  /* its mail can still be read */
void client_finish(struct client *c); /* leaves, forgets its mail */
void mail_clear(struct mail *m);
/* The last message that has this key, and how many have; json_decref() it. */
json_t *mail_last(const struct mail *m, const char *key);
unsigned mail_count(const struct mail *m, const char *key);

struct srv_slot *world_slot(struct world *w, const char *table); /* NULL: not in memory */

#endif
