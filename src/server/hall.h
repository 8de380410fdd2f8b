/*
 * hall.h: all tables of a server, and what can be asked of them, without any sockets.
 *
 * Only the loop's thread calls these functions. A request is drafted at its table, given to the
 * store, and answered once the store has it. Each table has one event at a time with the store; its
 * other requests queue. Nothing is sent to anybody before it is durable. The owner of the
 * connections passes functions to the hall (struct srv_net) and embeds two structs in its own:
 * srv_call for an HTTP request that waits for its answer, srv_stream for a WebSocket.
 */
#ifndef SERVER_HALL_H
#define SERVER_HALL_H

#include "server/metrics.h"
#include "server/table.h"

#include "base/json_in.h"

struct srv_hall;
struct srv_slot; /* a table's entry in the hall */

#define SRV_TOKEN_BYTES 16
#define SRV_TOKEN_TEXT  (2 * SRV_TOKEN_BYTES)

struct srv_call { /* an HTTP request; zeroed by its owner */
    /* what it waits for (each may be NULL), to be found again when the client hangs up */
    struct srv_request *request;
    struct srv_parked *parked; /* a read of the store */
    struct srv_picture_wait *picture;
    struct srv_job *job;     /* a replay, a verdict or an analysis */
    struct srv_why_job *why; /* an explanation */
    bool takes_gzip;         /* set by its owner */
    bool gzip;               /* the answer is compressed */
};

struct srv_stream {                /* a WebSocket; zeroed by its owner */
    struct srv_slot *slot;         /* NULL: it has not said hello */
    struct srv_parked *parked;     /* its hello waits for a read; NULL: it does not */
    struct srv_stream *next, **at; /* in the list of its slot */
    int seat;                      /* FM_WATCHER: none */
    bool is_screen;                /* it is a table's own screen */
    bool is_host;                  /* its device also has the host's token */
    const char *address;           /* as in srv_http_request; set by its owner */
    uint32_t rtt_ms;               /* round-trip time, measured by its owner; 0: not yet */
    uint64_t pinged_ms;            /* when it was measured last */
    struct srv_delayed *delayed, *last_delayed; /* messages held back, in order */
};

struct srv_net {
    void *arg;
    /* Sends a whole message, which is copied. */
    void (*send)(void *arg, struct srv_stream *stream, const char *text, size_t n);
    /* A change has been sent to everybody: flush. NULL: not needed. */
    void (*flush)(void *arg);
    /* Answers a call, once; the text is copied. */
    void (*answer)(void *arg, struct srv_call *call, int status, const char *text, size_t n);
    /* Measure stream->rtt_ms. */
    void (*ping)(void *arg, struct srv_stream *stream);
    /* A message that had to wait was not understood: see srv_hall_message. */
    void (*misunderstood)(void *arg, struct srv_stream *stream);
    /* Ask the client to reconnect, and close: another node may be able to serve it. */
    void (*ask_reconnect)(void *arg, struct srv_stream *stream);
    /* From any thread: call srv_hall_settle soon. */
    void (*wake)(void *arg);
};

struct srv_limits {
    unsigned tables;   /* in memory */
    unsigned waiting;  /* requests queued at a table */
    unsigned bot_ms;   /* the longest pause of a bot before it acts */
    unsigned think_ms; /* the longest a bot thinks, less when many do; 0: no limit */
    unsigned thinkers; /* threads that bots think on; 0: one */
    unsigned idle_ms;  /* a table that nobody asked for in this time may leave memory */
    /* actions of a seat per second, and in a burst, over all its streams; 0: no limit */
    unsigned messages, burst;
    unsigned notes_ms;           /* how long notes wait before they are stored */
    unsigned why_worlds;         /* that an explanation is based on; 0: as many as usual */
    unsigned secret_ms;          /* from an action to its answer, where seats act in secret */
    unsigned analysis_nice;      /* of the thread that analyses finished games */
    const struct srv_keep *keep; /* retention.h; NULL: nothing is removed */
};

struct srv_oceans; /* oceans.h; NULL: no pictures */

struct srv_hall *srv_hall_create(struct st_store *store, struct srv_oceans *oceans,
                                 const struct fm_library *library, const struct srv_net *net,
                                 const struct srv_limits *limits, uint64_t now_ms,
                                 struct fm_fault *fault);
void srv_hall_destroy(struct srv_hall *h); /* when the store has been drained; takes NULL */

/* ---- HTTP ------------------------------------------------------------------------------------ */

struct srv_http_request {
    const char *method;    /* "GET" */
    const char *path;      /* "/api/tables/…", without the query */
    const char *token;     /* from the Authorization header; NULL: none */
    const char *address;   /* of the client: addresses take turns; NULL: unknown */
    unsigned waiting_most; /* tables of this address that may wait for players; 0: no limit */
    const char *body;
    size_t n;
};
/* Answers now or later, by srv_net.answer. */
void srv_hall_request(struct srv_hall *h, struct srv_call *call, const struct srv_http_request *r,
                      uint64_t now_ms);
void srv_hall_hung_up(struct srv_hall *h, struct srv_call *call); /* the client is gone */

/* {"error":{"code":…,"message":…}}, the form of every refusal over HTTP. */
void srv_put_error(struct fm_out *o, enum fm_err code, const char *message);

/* ---- streams --------------------------------------------------------------------------------- */

/* Handles a message; false: it was not understood, and a refusal without an id was sent. */
bool srv_hall_message(struct srv_hall *h, struct srv_stream *stream, const char *path,
                      const char *text, size_t n, uint64_t now_ms);
void srv_hall_stream_closed(struct srv_hall *h, struct srv_stream *stream);

/* ---- time ------------------------------------------------------------------------------------ */

/* The loop has read all input of this turn: drafts go to the store, and reads begin. */
void srv_hall_turn(struct srv_hall *h);
void srv_hall_stop(struct srv_hall *h); /* the server stops: stores what was waiting */
void srv_hall_settle(struct srv_hall *h,
                     uint64_t now_ms); /* handles what other threads have done */
void srv_hall_tick(struct srv_hall *h,
                   uint64_t now_ms); /* several times a second: clocks and bots */

void srv_hall_sent(struct srv_hall *h); /* everything sent so far has been written */

struct srv_hall_stats {
    unsigned tables, streams;
    uint64_t moves, refusals[FM_ERR_COUNT];
    struct srv_histogram delivery; /* from durable to srv_hall_sent */
    unsigned thinking;             /* bots that think or wait for a thread */
    uint64_t dropped;              /* choices of bots that came too late */
    struct srv_histogram waited, thought;
};
struct srv_hall_stats srv_hall_stats(const struct srv_hall *h);

#endif
