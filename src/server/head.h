/*
 * head.h: the head of an HTTP/1.1 request (RFC 9112): its first line and its fields.
 *
 * Whatever another program on the way could read otherwise than we do is refused: by such
 * differences requests are smuggled past a proxy. Nothing here knows sockets.
 */
#ifndef SERVER_HEAD_H
#define SERVER_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#define SRV_HEAD_MAX    8192 /* bytes, the empty line included */
#define SRV_HEAD_FIELDS 100

enum srv_field { /* that mean something to us; of others only the form is checked */
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
    const char *path;                   /* without %XX, and without what follows a ? */
    const char *field[SRV_FIELD_COUNT]; /* of lists in several lines the last; NULL: none */
    size_t body;                        /* bytes that follow */
    bool old;                           /* HTTP/1.0 */
    bool keep;                          /* the connection is to stay open */
    bool upgrade;                       /* Connection: upgrade */
};

/* How long the head at the beginning of n bytes is; 0: its end is not here yet. The first `seen`
 * bytes were looked at before. */
size_t srv_head_size(const char *bytes, size_t n, size_t seen);

/* Reads a head of n bytes, which are changed; it then points into them. 0, or the status that the
 * request is to be refused with, and why. */
int srv_head_read(struct srv_head *h, char *bytes, size_t n, const char **why);

/* Is this a name or an address, perhaps with a port? */
bool srv_is_host(const char *text);
/* Is this machine meant, whatever a name server may say: localhost or an address? */
bool srv_is_literal_host(const char *text);
/* Does this word stand in a list with commas? Upper and lower case are the same. */
bool srv_list_has(const char *list, const char *word);

#endif
