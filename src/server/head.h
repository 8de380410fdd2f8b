/*
 * head.h: the head of an HTTP/1.1 request (RFC 9112): its first line and its fields.
 *
 * Whatever a proxy could read differently than we do is refused, since requests are smuggled
 * through such differences. Nothing here knows sockets.
 */
#ifndef SERVER_HEAD_H
#define SERVER_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#define SRV_HEAD_MAX    8192 /* bytes, the empty line included */
#define SRV_HEAD_FIELDS 100

enum srv_field { /* those that we use; of others only the syntax is checked */
                 SRV_FIELD_HOST,
                 SRV_FIELD_CONTENT_LENGTH,
                 SRV_FIELD_TRANSFER_ENCODING,
                 SRV_FIELD_CONNECTION,
                 SRV_FIELD_UPGRADE,
                 SRV_FIELD_AUTHORIZATION,
                 SRV_FIELD_ORIGIN,
                 SRV_FIELD_ACCEPT_ENCODING,
                 SRV_FIELD_IF_NONE_MATCH,
                 SRV_FIELD_WEBSOCKET_KEY,
                 SRV_FIELD_WEBSOCKET_VERSION,
                 SRV_FIELD_WEBSOCKET_PROTOCOL,
                 SRV_FIELD_X_FORWARDED_FOR,
                 SRV_FIELD_FORWARDED,
                 SRV_FIELD_VIA,
                 SRV_FIELD_COUNT
};

struct srv_head {
    const char *method;
    const char *path;                   /* decoded, without the query */
    const char *field[SRV_FIELD_COUNT]; /* of a repeated field, the last; NULL: none */
    size_t body;                        /* bytes of the body */
    bool old;                           /* HTTP/1.0 */
    bool keep;                          /* the connection is to stay open */
    bool upgrade;                       /* Connection: upgrade */
};

/* The length of the head at the beginning of n bytes; 0: incomplete. The first `seen` bytes were
 * searched before. */
size_t srv_head_size(const char *bytes, size_t n, size_t seen);

/* Parses a head of n bytes in place; h points into them. 0, or the status to refuse the request
 * with, and why. */
int srv_head_read(struct srv_head *h, char *bytes, size_t n, const char **why);

/* A host name or address, with or without a port? */
bool srv_is_host(const char *text);
/* localhost or an IP address, which no name server can redirect? */
bool srv_is_literal_host(const char *text);
/* Is the word in a comma-separated list? Ignores case. */
bool srv_list_has(const char *list, const char *word);

#endif
