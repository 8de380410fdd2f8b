/* net_state.h: what the parts of net.h's inside share: a connection and all of them. */
#ifndef SERVER_NET_STATE_H
#define SERVER_NET_STATE_H

#include "server/address.h"
#include "server/clock.h"
#include "server/files.h"
#include "server/frames.h"
#include "server/head.h"
#include "server/net.h"
#include "server/oceans.h"
#include "server/rates.h"

#include <ev.h>
#include <libwebsockets.h>

#define NET_READ_MAX    16384 /* bytes of a stream in one go */
#define NET_PATH_MAX    512
#define NET_CLOSE_CODES 16
#define NET_RETRY_S     2  /* when nothing better is known */
#define NET_SPARE       16 /* buffers that are kept for the next stream that writes */

struct message { /* an answer */
    size_t n;
    uint8_t bytes[]; /* LWS_PRE, then head and body */
};

enum net_step { /* of a connection that is no stream */
                NET_HEAD,
                NET_BODY,
                NET_ANSWER, /* the request is whole, its answer not yet written */
                NET_DRAIN   /* all is said; what still comes is thrown away */
};

struct session { /* a connection; of libwebsockets' making, zeroed */
    struct net *net;
    struct lws *wsi;
    struct session *next, **at; /* among all */
    struct ev_io readable;
    bool ours;                /* libwebsockets reads nothing from it any more */
    uint64_t ends_ms;         /* when it is given up; 0: not for its own sake */
    struct srv_address from;  /* the other end: a client, or a proxy of ours */
    struct srv_address asker; /* whom limits are about: the client's network */
    unsigned held;            /* a slot of net->held; valid while holds */
    bool holds, proxied;
    /* a request */
    enum net_step step;
    struct srv_call call;
    char method[8], path[NET_PATH_MAX], token[SRV_TOKEN_TEXT + 2];
    char *in;             /* bytes that cannot be used yet; NULL: none */
    size_t in_n, in_seen; /* in_seen: of these, so many hold no end of a head */
    char *body;
    size_t n, body_n;
    bool written; /* the answer, though libwebsockets may still hold some of it */
    bool feeding; /* an answer is written when what came has been looked at */
    bool keep;    /* the connection, after this request */
    bool near;    /* asked by this machine itself, not through a proxy */
    int status;
    unsigned retry_s; /* after which it may be asked again, if it is refused for now */
    struct message *answer;
    const struct srv_file *file; /* in place of an answer */
    const char *encoding;        /* of the file or the answer; NULL: none */
    bool unchanged, bodiless;    /* the latter: HEAD */
    /* a stream */
    bool streams;
    struct srv_live live;
    char stream_of[2 * sizeof(struct srv_address) + 1]; /* the asker, as requests name it */
    struct srv_frames frames;                           /* what comes */
    struct session *next_full, **at_full; /* among those with something to write; NULL: none */
    uint8_t *out;                         /* LWS_PRE, then frames to write; NULL: none */
    size_t out_n, out_cap, stuck;         /* stuck: libwebsockets has so much and cannot write it */
    bool broken, asked_after;             /* the latter: whether it is there */
    uint64_t since_ms, heard_ms;
    struct srv_bucket said; /* how much of late */
    uint64_t ping_us;       /* when it was sent; 0: none is on its way */
    uint8_t ping[8];        /* what is in it: nobody can answer before it is there */
    unsigned misunderstood;
    uint64_t closing_ms; /* since when; 0: it is not closed */
    bool deaf;           /* what still comes cannot be read */
    bool over;           /* all is said on both sides */
};

struct net {
    struct lws_context *context;
    struct ev_loop *loop;
    struct ev_async wake;
    struct ev_prepare before_wait;
    struct ev_timer tick;
    struct ev_signal term, interrupt;
    struct st_store *store;
    struct srv_oceans *oceans;
    struct srv_hall *hall;
    struct srv_files *files;
    struct srv_rates rates;
    struct srv_counts held; /* connections, by their address; through a proxy: requests, streams */
    const struct srv_config *config;
    struct session *sessions, *full;
    int listener;
    struct ev_io acceptable;
    struct ev_timer accept_again;
    uint64_t complained_ms;       /* that no connection can be taken */
    struct srv_address accepting; /* the other end of the one that is being taken ... */
    struct session *accepted;     /* ... and what became of it */
    unsigned most;                /* connections: as configured, or as files allow */
    uint8_t *spare[NET_SPARE];
    unsigned n_spare;
    uint64_t looked_ms;
    uint64_t alive_ms;       /* when it was said last that the loop is alive */
    int64_t calendar_off_ms; /* when that was looked at last */
    uint64_t requests;
    unsigned connections;
    unsigned streams;
    uint64_t closes[NET_CLOSE_CODES]; /* of ours, from SRV_CLOSE_NORMAL on */
    bool stopping;
    uint8_t in[NET_READ_MAX];
};

#define NET_OWNER(pointer, member)                                                                 \
    ((struct session *)(void *)((char *)(pointer)-offsetof(struct session, member)))

static inline struct net *net_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

/* ---- who comes: net_accept.c ------------------------------------------------------------------ */

/* Opens as many files as that takes, or says how many connections there may be instead. */
unsigned srv_fit_connections(unsigned connections);
enum fm_err srv_listen(struct net *net, int *port, struct fm_fault *fault);
void srv_listen_end(struct net *net);
/* Counts something for an address; false: it has enough. */
bool srv_hold(struct session *s);
void srv_let_go(struct session *s);

/* ---- connections: net_connections.c ----------------------------------------------------------- */

/* What libwebsockets tells; -1: the connection is to end. */
int srv_connection_begin(struct lws *wsi, struct session *s);
int srv_connection_first(struct session *s, uint8_t *bytes, size_t n);
int srv_connection_write(struct session *s);
void srv_connection_end(struct session *s);
/* Reads on, or lets what comes lie, as it is now. */
void srv_connection_read_on(struct session *s);
/* Ends it at once; the session is gone afterwards. Not from a callback of libwebsockets. */
void srv_connection_cut(struct session *s);
void srv_connection_look(struct session *s, uint64_t now);

/* ---- requests: net_requests.c ----------------------------------------------------------------- */

/* Bytes came; false: the connection is to end. */
bool srv_request_bytes(struct session *s, uint8_t *bytes, size_t n);
bool srv_request_write(struct session *s); /* there is room */
void srv_request_reset(struct session *s);
void srv_request_end(struct session *s);
/* Refuses it, writes that, and ends the connection when that is read. */
void srv_request_refuse(struct session *s, int status, enum fm_err code, const char *message);
/* struct srv_net's. */
void srv_request_answer(void *arg, struct srv_call *call, int status, const char *text, size_t n);

/* ---- streams: net_streams.c ------------------------------------------------------------------- */

/* A request for a stream: it is one from now on, or the request is refused. */
void srv_stream_upgrade(struct session *s, const struct srv_head *head);
void srv_stream_bytes(struct session *s, uint8_t *bytes, size_t n);
void srv_stream_end(struct session *s);
bool srv_stream_write(struct session *s); /* there is room; false: it is to end */
void srv_stream_look(struct session *s, uint64_t now);
/* struct srv_net's. */
void srv_stream_send(void *arg, struct srv_live *live, const char *text, size_t n);
void srv_stream_misunderstood(void *arg, struct srv_live *live);
void srv_stream_send_away(void *arg, struct srv_live *live);
void srv_stream_ping(void *arg, struct srv_live *live);
void srv_streams_flush(void *arg);

#endif
