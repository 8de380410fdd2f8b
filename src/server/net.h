/* net.h: the server's loop: HTTP and WebSocket by libwebsockets, on libev. */
#ifndef SERVER_NET_H
#define SERVER_NET_H

#include "server/address.h"
#include "server/hall.h"
#include "server/retention.h"

struct srv_config {
    const char *host;  /* an address, or "unix:PATH": every client there is a trusted proxy */
    unsigned port;     /* 0: any free port */
    const char *store; /* "sqlite:PATH" */
    const struct fm_library *library;
    const char *data;   /* a folder of files to serve; NULL: none */
    const char *record; /* of record_n bytes, served as /opened.jsonl; NULL: none */
    size_t record_n;
    const char *cert, *key; /* for TLS; NULL: none */
    const char *origin;     /* of the page; NULL: the Host header */
    unsigned bot_ms, think_ms, secret_ms;
    unsigned thinkers; /* threads for bots; 0: one less than there are processors, at least one */
    unsigned analysis_nice; /* of the thread that analyses finished games */
    unsigned painters;      /* threads for pictures; 0: half the processors, at least two */
    unsigned tables, connections;
    unsigned address_connections; /* of one address; 0: 1000, no limit for this machine */
    unsigned address_tables;      /* of one address that wait for players; 0: 100, no limit for this
                                     machine */
    struct srv_proxies proxies;   /* trusted: their X-Forwarded-For is used */
    unsigned rate;                /* requests of an address per second */
    unsigned messages, burst; /* of a stream, and actions of a seat, per second and in a burst */
    unsigned queue;           /* KB of unsent output after which a slow stream is closed */
    struct srv_keep keep;     /* retention */
    uint64_t alive_ms;        /* how often the loop calls `alive`; 0: never */
    void (*alive)(void);
};

/* Serves until SIGTERM or SIGINT; calls `ready` once, with the port. FM_OK, or a fault. */
enum fm_err srv_serve(const struct srv_config *config,
                      void (*ready)(const struct srv_config *config, int port),
                      struct fm_fault *fault);

enum srv_verdict {
    SRV_FINE,    /* for your information */
    SRV_NOT_NOW, /* the configuration is right, but something is in use, or smaller than wanted */
    SRV_WRONG
};
/* Would srv_serve start? Says what it would find, one sentence for each thing; serves nothing and
 * changes nothing. */
typedef void srv_check_say(void *arg, enum srv_verdict verdict, const char *sentence);
void srv_check(const struct srv_config *config, srv_check_say *say, void *arg);

#endif
