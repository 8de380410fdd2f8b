/* net_state.h: what the parts of net.h's inside share: a connection and all of them. */
#ifndef SERVER_NET_STATE_H
#define SERVER_NET_STATE_H

#include "server/clock.h"
#include "server/files.h"
#include "server/frames.h"
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
    uint8_t bytes[]; /* LWS_PRE, then the text */
};

struct session { /* of libwebsockets' making, zeroed */
    struct net *net;
    struct lws *wsi;
    struct session *next, **at; /* among all streams */
    /* a request */
    struct srv_call call;
    bool asked;
    char method[8], path[NET_PATH_MAX], token[SRV_TOKEN_TEXT + 2];
    char *body;
    size_t n;
    int status;
    unsigned retry_s; /* after which it may be asked again, if it is refused for now */
    struct message *answer;
    const struct srv_file *file; /* in place of an answer */
    const char *encoding;        /* of the file or the answer; NULL: none */
    bool unchanged;
    char address[48];
    /* a stream */
    bool streams;
    struct srv_live live;
    struct ev_io readable;
    struct srv_frames frames;             /* what comes */
    struct session *next_full, **at_full; /* among those with something to write; NULL: none */
    uint8_t *out;                         /* LWS_PRE, then frames to write; NULL: none */
    size_t out_n, out_cap, held;          /* held: libwebsockets has so much and cannot write it */
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
    const struct srv_config *config;
    struct session *sessions, *full;
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

/* ---- requests: net_requests.c ----------------------------------------------------------------- */

/* What libwebsockets tells; -1: the connection is to end. */
int srv_request_begin(struct session *s, const char *uri, size_t n);
int srv_request_body(struct session *s, const void *in, size_t n);
void srv_request_whole(struct session *s);
int srv_request_write(struct session *s);
void srv_request_reset(struct session *s);
/* struct srv_net's. */
void srv_request_answer(void *arg, struct srv_call *call, int status, const char *text, size_t n);

/* ---- streams: net_streams.c ------------------------------------------------------------------- */

/* 0: it may be; 1: it was refused; -1: the connection is to end. */
int srv_stream_upgrade(struct lws *wsi, const char *to);
int srv_stream_open(struct session *s);
void srv_stream_close(struct session *s);
int srv_stream_write(struct session *s); /* there is room */
void srv_stream_look(struct session *s, uint64_t now);
/* struct srv_net's. */
void srv_stream_send(void *arg, struct srv_live *live, const char *text, size_t n);
void srv_stream_send_away(void *arg, struct srv_live *live);
void srv_stream_ping(void *arg, struct srv_live *live);
void srv_streams_flush(void *arg);

#endif
