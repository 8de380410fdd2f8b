/* net_state.h: what the files of net.h share: one connection, and the loop with all of them. */
#ifndef SERVER_NET_STATE_H
#define SERVER_NET_STATE_H

#include "server/address.h"
#include "server/clock.h"
#include "server/files.h"
#include "server/frames.h"
#include "server/head.h"
#include "server/log.h"
#include "server/net.h"
#include "server/oceans.h"
#include "server/rates.h"

#include <ev.h>
#include <libwebsockets.h>

#define NET_READ_MAX    16384 /* most bytes that are read at once */
#define NET_PATH_MAX    512
#define NET_CLOSE_CODES 16
#define NET_RETRY_S     2  /* Retry-After, unless the rate limit knows better */
#define NET_SPARE       16 /* output buffers kept for reuse */

struct message { /* an answer over HTTP */
    size_t n;
    uint8_t bytes[]; /* LWS_PRE, then head and body */
};

enum net_step { /* of a connection that is not a stream */
                NET_HEAD,
                NET_BODY,
                NET_ANSWER, /* the request is complete, its answer not yet written */
                NET_DRAIN   /* the answer is written, and input is discarded until the client closes
                             */
};

struct session { /* a connection; allocated and zeroed by libwebsockets */
    struct net *net;
    struct lws *wsi;
    struct session *next, **at; /* in the list of all */
    struct ev_io readable;
    bool taken_over;          /* we, not libwebsockets, read from the socket */
    uint64_t ends_ms;         /* when it is cut off; 0: no limit */
    struct srv_address from;  /* the other end: a client, or a trusted proxy */
    struct srv_address asker; /* the client's network, which limits apply to */
    unsigned quota;           /* a slot of net->quotas; valid while has_quota */
    bool has_quota, proxied;
    /* a request */
    enum net_step step;
    struct srv_call call;
    char method[8], path[NET_PATH_MAX], token[SRV_TOKEN_TEXT + 2];
    char *in;             /* bytes of an incomplete head; NULL: none */
    size_t in_n, in_seen; /* in_seen: how many were searched for the end */
    char *body;
    size_t n, body_n;
    bool written;  /* the answer was handed to libwebsockets */
    bool feeding;  /* input is being handled: the answer is written afterwards */
    bool keep;     /* keep-alive */
    bool is_local; /* the client is on this machine, not behind a proxy */
    int status;
    unsigned retry_s; /* Retry-After of a refusal */
    struct message *answer;
    const struct srv_file *file; /* to be sent in place of an answer */
    const char *encoding;        /* of the content; NULL: none */
    bool unchanged, bodiless;    /* unchanged: 304; bodiless: HEAD */
    /* a stream */
    bool is_stream;
    struct srv_stream stream;
    char stream_of[2 * sizeof(struct srv_address) +
                   1];        /* asker in hex, as in srv_http_request.address */
    struct srv_frames frames; /* input */
    struct session *next_pending,
        **at_pending;             /* in the list of those with output; NULL: not in it */
    uint8_t *out;                 /* LWS_PRE bytes, then frames to write; NULL: none */
    size_t out_n, out_cap, stuck; /* stuck: bytes that libwebsockets could not write yet */
    bool broken, probed;          /* probed: it was silent, and was sent a ping */
    uint64_t since_ms, heard_ms;
    struct srv_bucket message_rate; /* of its messages */
    uint64_t ping_us;               /* when the ping was sent; 0: none is unanswered */
    uint8_t ping[8]; /* its random content, so that nobody can answer before it arrives */
    unsigned misunderstood;
    uint64_t closing_ms; /* when we sent the close frame; 0: not yet */
    bool ignores_input;  /* after a close, or a frame that cannot be parsed */
    bool over;           /* both sides have sent their close frame */
};

struct srv_socket { /* the file of a socket on a path, so that only our own is removed */
    uint64_t device, inode;
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
    struct srv_counts quotas; /* connections per address; behind a proxy: requests and streams */
    const struct srv_config *config;
    struct session *sessions, *pending;
    int listener;
    struct srv_socket socket; /* of the listener, if it has a path */
    struct ev_io acceptable;
    struct ev_timer accept_again;
    uint64_t complained_ms;       /* when the log last said that no connection can be accepted */
    struct srv_address accepting; /* the address of the connection being accepted ... */
    struct session *accepted;     /* ... and its session, once there is one */
    unsigned most; /* connections: as configured, or as the limit of open files allows */
    uint8_t *spare[NET_SPARE];
    unsigned n_spare;
    uint64_t checked_ms;
    uint64_t alive_ms;       /* when config->alive was last called */
    int64_t calendar_off_ms; /* srv_time_off_ms at the last check */
    int health;              /* of the store, at the last check: net_health.c */
    uint64_t requests;
    unsigned connections;
    unsigned streams;
    uint64_t closes[NET_CLOSE_CODES]; /* close frames sent, by code from SRV_CLOSE_NORMAL on */
    bool stopping;
    uint8_t in[NET_READ_MAX];
};

#define NET_OWNER(pointer, member)                                                                 \
    ((struct session *)(void *)((char *)(pointer)-offsetof(struct session, member)))

static inline struct net *net_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

/* ---- accepting: net_accept.c ----------------------------------------------------------------- */

/* Raises the limit of open files for so many connections; returns how many are possible, and the
 * limit. */
unsigned srv_fit_connections(unsigned connections, uint64_t *files);
#define SRV_FEW_SAY                                                                                \
    "at most %u connections instead of %u: no more than %llu files may be open (ulimit -Hn, "      \
    "LimitNOFILE=)"
enum fm_err srv_listen(struct net *net, int *port, struct fm_fault *fault);
void srv_listen_end(struct net *net);
/* Counts a connection, request or stream for an address; false: it has too many. */
bool srv_quota_take(struct session *s);
void srv_quota_release(struct session *s);

/* ---- listening: net_listen.c ----------------------------------------------------------------- */

/* The path after "unix:"; NULL: the host is an address. */
const char *srv_unix_path(const struct srv_config *config);
/* A socket that listens where the configuration says; *made: the file of its path, if it has one.
 * -1 and a fault; FM_E_BUSY: somebody else listens there. */
int srv_listen_socket(const struct srv_config *config, struct srv_socket *made,
                      struct fm_fault *fault);
int srv_listen_port(int fd);
void srv_listen_close(const struct srv_config *config, int fd, const struct srv_socket *made);
/* Could srv_listen_socket succeed? Leaves no trace. */
enum fm_err srv_listen_check(const struct srv_config *config, struct fm_fault *fault);

/* ---- connections: net_connections.c ---------------------------------------------------------- */

/* Callbacks of libwebsockets; -1: close the connection. */
int srv_connection_begin(struct lws *wsi, struct session *s);
int srv_connection_first(struct session *s, uint8_t *bytes, size_t n);
int srv_connection_write(struct session *s);
void srv_connection_end(struct session *s);
/* Starts or stops reading from the socket, whichever its state asks for. */
void srv_connection_read_on(struct session *s);
/* Closes it at once and frees the session. Not from a callback of libwebsockets. */
void srv_connection_cut(struct session *s);
void srv_connection_check(struct session *s, uint64_t now);

/* ---- requests: net_requests.c ---------------------------------------------------------------- */

/* Handles input; false: close the connection. */
bool srv_http_bytes(struct session *s, uint8_t *bytes, size_t n);
bool srv_http_write(struct session *s); /* the socket is writable; false: close */
void srv_http_reset(struct session *s);
void srv_http_end(struct session *s);
void srv_connection_end_after(struct session *s, uint64_t ms); /* cut off then, unless set anew */

/* ---- answers: net_answers.c, net_metrics.c, net_health.c ------------------------------------- */

/* As struct srv_net's. */
void srv_http_answer(void *arg, struct srv_call *call, int status, const char *text, size_t n);
/* Refuses the request, and closes the connection when the client has read that. */
void srv_http_refuse(struct session *s, int status, enum fm_err code, const char *message);
bool srv_http_go_on(struct session *s); /* writes the answer if it is there; false: closed */
void srv_metrics_answer(struct session *s);
void srv_health_answer(struct session *s);
void srv_health_watch(struct net *net); /* logs when the store stops answering, and starts again */

/* ---- streams: net_streams.c ------------------------------------------------------------------ */

/* Switches to WebSocket, or refuses the request. */
void srv_stream_upgrade(struct session *s, const struct srv_head *head);
void srv_stream_bytes(struct session *s, uint8_t *bytes, size_t n);
void srv_stream_end(struct session *s);
bool srv_stream_write(struct session *s); /* the socket is writable; false: close */
void srv_stream_check(struct session *s, uint64_t now);
/* As struct srv_net's. */
void srv_stream_send(void *arg, struct srv_stream *stream, const char *text, size_t n);
void srv_stream_misunderstood(void *arg, struct srv_stream *stream);
void srv_stream_ask_reconnect(void *arg, struct srv_stream *stream);
void srv_stream_ping(void *arg, struct srv_stream *stream);
void srv_streams_flush(void *arg);

#endif
