/*
 * frames.h: what comes over a WebSocket (RFC 6455), read as it comes.
 *
 * Bytes go in; whole messages and control frames come out, or why the stream is to be closed.
 * Nothing here knows sockets.
 */
#ifndef SERVER_FRAMES_H
#define SERVER_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SRV_FRAME_HEAD    14   /* bytes at most: two, the length, the mask */
#define SRV_FRAME_CONTROL 125  /* bytes of a control frame at most */
#define SRV_FRAME_PIECES  1024 /* of one message at most */

enum srv_opcode {
    SRV_OP_MORE, /* of a message in pieces */
    SRV_OP_TEXT,
    SRV_OP_BYTES,
    SRV_OP_CLOSE = 8,
    SRV_OP_PING,
    SRV_OP_PONG
};

enum srv_close { /* codes: RFC 6455, 7.4.1, and what was registered later */
                 SRV_CLOSE_NORMAL = 1000,
                 SRV_CLOSE_AWAY,
                 SRV_CLOSE_PROTOCOL,
                 SRV_CLOSE_KIND,
                 SRV_CLOSE_NO_CODE = 1005, /* never sent */
                 SRV_CLOSE_UTF8 = 1007,
                 SRV_CLOSE_POLICY,
                 SRV_CLOSE_SIZE,
                 SRV_CLOSE_FAULT = 1011,
                 SRV_CLOSE_LATER = 1013
};

enum srv_frame_kind {
    SRV_FRAME_NONE, /* all bytes were taken; more are needed */
    SRV_FRAME_TEXT, /* a whole message */
    SRV_FRAME_PING,
    SRV_FRAME_PONG,
    SRV_FRAME_CLOSE, /* code: what the other gave */
    SRV_FRAME_WRONG  /* code and reason: how to close; nothing after it can be read */
};

struct srv_frame {
    enum srv_frame_kind kind;
    int code;
    const char *data; /* until the next call; not ended by a NUL */
    size_t n;
    const char *reason;
};

struct srv_frames {               /* zeroed at first */
    uint8_t head[SRV_FRAME_HEAD]; /* of the frame that is being read */
    uint8_t head_n;
    uint8_t control[SRV_FRAME_CONTROL];
    uint8_t control_n;
    bool begun, whole; /* a message */
    unsigned pieces;
    uint64_t left, at; /* bytes of the frame's payload: to come, and taken */
    char *message;     /* that comes in parts; NULL: none does */
    size_t n;
};

/* The next of what *bytes, *n bytes long, hold; both move on. The bytes are unmasked where they
 * lie. A message has at most `most` bytes. */
struct srv_frame srv_frames_read(struct srv_frames *f, uint8_t **bytes, size_t *n, size_t most);
void srv_frames_finish(struct srv_frames *f);

/* The head of a whole frame of n bytes that is sent, not masked; returns its length. */
size_t srv_frame_head(uint8_t head[SRV_FRAME_HEAD], enum srv_opcode opcode, size_t n);

#endif
