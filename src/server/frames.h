/*
 * frames.h: parses the frames of a WebSocket (RFC 6455) from bytes as they arrive.
 *
 * Bytes go in; complete messages and control frames come out, or the reason to close the stream.
 * Nothing here knows sockets.
 */
#ifndef SERVER_FRAMES_H
#define SERVER_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SRV_FRAME_HEAD    14   /* most bytes: two, the length, the mask */
#define SRV_FRAME_CONTROL 125  /* most bytes of a control frame */
#define SRV_FRAME_PIECES  1024 /* most fragments of one message */

enum srv_opcode {
    SRV_OP_MORE, /* continuation of a fragmented message */
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
    SRV_FRAME_NONE, /* incomplete: all bytes were used, more are needed */
    SRV_FRAME_TEXT, /* a whole message */
    SRV_FRAME_PING,
    SRV_FRAME_PONG,
    SRV_FRAME_CLOSE, /* code: the client's */
    SRV_FRAME_WRONG  /* cannot be parsed; code and reason: how to close */
};

struct srv_frame {
    enum srv_frame_kind kind;
    int code;
    const char *data; /* valid until the next call; without a NUL */
    size_t n;
    const char *reason;
};

struct srv_frames {               /* zeroed at first */
    uint8_t head[SRV_FRAME_HEAD]; /* of the present frame */
    uint8_t head_n;
    uint8_t control[SRV_FRAME_CONTROL];
    uint8_t control_n;
    bool begun, whole; /* of a message */
    unsigned pieces;
    uint64_t left, at; /* bytes of the frame's payload: to come, and read */
    char *message;     /* the fragments so far; NULL: none */
    size_t n;
};

/* Parses the next frame or message from *bytes, *n bytes long, and advances both. Unmasks the bytes
 * in place. most: bytes of a message. */
struct srv_frame srv_frames_read(struct srv_frames *f, uint8_t **bytes, size_t *n, size_t most);
void srv_frames_finish(struct srv_frames *f);

/* Writes the head of an unmasked frame with a payload of n bytes; returns its length. */
size_t srv_frame_head(uint8_t head[SRV_FRAME_HEAD], enum srv_opcode opcode, size_t n);

#endif
