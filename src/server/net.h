/* net.h: the server's loop: HTTP and WebSocket by libwebsockets, on libev. */
#ifndef SERVER_NET_H
#define SERVER_NET_H

#include "server/address.h"
#include "server/hall.h"
#include "server/retention.h"

struct srv_config {
    const char *host;
    unsigned port;     /* 0: any that is free */
    const char *store; /* "sqlite:PATH" */
    const struct fm_library *library;
    const char *data;       /* a folder of files to serve; NULL: none */
    const char *cert, *key; /* for TLS; NULL: none */
    const char *origin;     /* of the page; NULL: as the Host header says */
    unsigned bot_ms, think_ms, secret_ms;
    unsigned thinkers; /* 0: one less than there are processors, or one */
    unsigned painters; /* threads for ocean pictures; 0: half as many as processors, or two */
    unsigned tables, connections;
    unsigned address_connections; /* of one address; 0: 1000, and of this machine all */
    unsigned address_tables;      /* that wait for players; 0: 100, and of this machine all */
    struct srv_proxies proxies;   /* that say whom they speak for */
    unsigned rate;                /* requests of an address in a second */
    unsigned messages, burst;     /* of a stream in a second, and at once; and actions of a seat */
    unsigned queue;               /* KB that a reader may be behind */
    struct srv_keep keep;         /* how long what is kept */
    uint64_t alive_ms;            /* between two calls of `alive` by the loop; 0: none */
    void (*alive)(void);
};

/* Serves until SIGTERM or SIGINT; `ready` is called once with the port. FM_OK, or a fault. */
enum fm_err srv_serve(const struct srv_config *config,
                      void (*ready)(const struct srv_config *config, int port),
                      struct fm_fault *fault);

#endif
