/*
 * hall.h: all tables of a server, and what is asked of them; no sockets.
 *
 * One thread, the loop's, calls all of this. A request is drafted at its table, given to the
 * store, and answered when that has it: one event of a table at a time, the others wait in line.
 * Nothing is shown to anybody before it is durable. Whoever keeps connections gives the hall
 * some functions (struct srv_net) and is given two structs to put into its own: srv_call for a
 * request that waits for its answer, srv_live for a stream.
 */
#ifndef SERVER_HALL_H
#define SERVER_HALL_H

#include "server/metrics.h"
#include "server/table.h"

#include "base/json_in.h"

struct srv_hall;
struct srv_place; /* a table in the hall */

#define SRV_TOKEN_BYTES 16
#define SRV_TOKEN_TEXT  (2 * SRV_TOKEN_BYTES)

struct srv_call { /* a request over HTTP; zeroed by its owner */
    /* what it waits for, each NULL if it does not: whoever hangs up is found by these alone */
    struct srv_wish *wish;
    struct srv_parked *parked; /* the store is read */
    struct srv_picture_wait *picture;
    struct srv_job *job; /* a replay or a verdict */
    bool takes_gzip;     /* its owner says */
    bool gzip;           /* the answer is compressed so */
};

struct srv_live {                /* a stream; zeroed by its owner */
    struct srv_place *place;     /* NULL: it has not said hello */
    struct srv_parked *parked;   /* its hello waits for the store; NULL: it does not */
    struct srv_live *next, **at; /* at the same place */
    int seat;                    /* FM_WATCHER: none */
    const char *address;         /* as srv_request's; its owner says */
    uint32_t lag_ms;             /* the way there and back, as its owner measured it; 0: not yet */
    uint64_t asked_ms;           /* when that was asked for last */
    struct srv_held *held, *last_held; /* what is sent later, in order; NULL: nothing */
};

struct srv_net {
    void *arg;
    /* A whole message; copied. */
    void (*send)(void *arg, struct srv_live *live, const char *text, size_t n);
    /* Whatever was sent may leave: a change has been told. NULL: it leaves anyhow. */
    void (*flush)(void *arg);
    /* The answer; copied. Once for each call. */
    void (*answer)(void *arg, struct srv_call *call, int status, const char *text, size_t n);
    /* live->lag_ms is to be measured. */
    void (*ping)(void *arg, struct srv_live *live);
    /* A message that had to wait was not understood after all: see srv_hall_message. */
    void (*misunderstood)(void *arg, struct srv_live *live);
    /* It is told to come back, and closed: another program may serve it better. */
    void (*send_away)(void *arg, struct srv_live *live);
    /* From any thread: srv_hall_settle is to be called soon. */
    void (*wake)(void *arg);
};

struct srv_limits {
    unsigned tables;   /* in memory */
    unsigned waiting;  /* requests of a table in line */
    unsigned bot_ms;   /* the longest that a bot waits before it acts */
    unsigned think_ms; /* and that it thinks, less when many do; 0: as long as it likes */
    unsigned thinkers; /* threads for that; 0: one */
    unsigned idle_ms;  /* a table that nobody looks at for so long leaves the memory */
    /* actions of a seat in a second, and at once, over all its streams; 0: as many as it likes */
    unsigned messages, burst;
    unsigned notes_ms;           /* that notes settle before they are stored */
    unsigned secret_ms;          /* from an action until it is told, where others act in secret */
    const struct srv_keep *keep; /* retention.h; NULL: whatever is stored stays */
};

struct srv_oceans; /* oceans.h; NULL: a hall without pictures */

struct srv_hall *srv_hall_create(struct st_store *store, struct srv_oceans *oceans,
                                 const struct fm_library *library, const struct srv_net *net,
                                 const struct srv_limits *limits, uint64_t now_ms,
                                 struct fm_fault *fault);
void srv_hall_destroy(struct srv_hall *h); /* when the store has been drained; takes NULL */

/* ---- HTTP ----------------------------------------------------------------------------------- */

struct srv_request {
    const char *method;    /* "GET" */
    const char *path;      /* "/api/tables/…", without what follows a ? */
    const char *token;     /* of the Authorization header; NULL: none */
    const char *address;   /* of who asks: addresses are served in turn; NULL: unknown */
    unsigned waiting_most; /* tables that it may have waiting for players; 0: any number */
    const char *body;
    size_t n;
};
/* Answers now or later. */
void srv_hall_request(struct srv_hall *h, struct srv_call *call, const struct srv_request *r,
                      uint64_t now_ms);
void srv_hall_hung_up(struct srv_hall *h, struct srv_call *call); /* nobody waits any more */

/* {"error":{"code":…,"message":…}}, as every refusal over HTTP is. */
void srv_put_error(struct fm_out *o, enum fm_err code, const char *message);

/* ---- streams -------------------------------------------------------------------------------- */

/* A message came; false: it was not understood, and a refusal without an id was sent. */
bool srv_hall_message(struct srv_hall *h, struct srv_live *live, const char *path, const char *text,
                      size_t n, uint64_t now_ms);
void srv_hall_left(struct srv_hall *h, struct srv_live *live);

/* ---- time ----------------------------------------------------------------------------------- */

/* The loop has read all that came: what is to be stored goes to the store. */
void srv_hall_turn(struct srv_hall *h);
void srv_hall_stop(struct srv_hall *h); /* the server stops: nothing waits for better times */
void srv_hall_settle(struct srv_hall *h, uint64_t now_ms); /* what the store and bots have done */
void srv_hall_tick(struct srv_hall *h, uint64_t now_ms);   /* often: clocks and bots */

void srv_hall_sent(struct srv_hall *h); /* all that was to be sent is with the system */

struct srv_hall_stats {
    unsigned tables, streams;
    uint64_t moves, refusals[FM_ERR_COUNT];
    struct srv_histogram told; /* from a change's being durable until srv_hall_sent */
    unsigned thinking;         /* bots that think or wait for a thread */
    uint64_t dropped;          /* thoughts that nobody wanted any more */
    struct srv_histogram waited, thought;
};
struct srv_hall_stats srv_hall_stats(const struct srv_hall *h);

#endif
