/* net.h: the server's loop: HTTP and WebSocket by libwebsockets, on libev. */
#ifndef SERVER_NET_H
#define SERVER_NET_H

#include "server/hall.h"

struct srv_config {
    const char *host;
    int port;          /* 0: any that is free */
    const char *store; /* "sqlite:PATH" */
    const struct fm_library *library;
    unsigned bot_ms, tables;
};

/* Serves until SIGTERM or SIGINT; `ready` is called once with the port. FM_OK, or a fault. */
enum fm_err srv_serve(const struct srv_config *config, void (*ready)(const char *host, int port),
                      struct fm_fault *fault);

#endif
