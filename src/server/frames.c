/* frames.c: checks, unmasks and reassembles the frames of a WebSocket. */
#include "server/frames.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static struct srv_frame wrong(int code, const char *reason)
{
    return (struct srv_frame){.kind = SRV_FRAME_WRONG, .code = code, .reason = reason};
}

static bool is_control(const struct srv_frames *f)
{
    return f->head[0] & 8;
}

static bool is_final(const struct srv_frames *f)
{
    return f->head[0] & 0x80;
}

/* ---- heads ----------------------------------------------------------------------------------- */

/* Bytes of the extended length after the first two bytes. */
static unsigned length_bytes(const struct srv_frames *f)
{
    const unsigned n = f->head[1] & 0x7f;
    return n < 126 ? 0 : n == 126 ? 2 : 8;
}

/* The length of the head, as far as the bytes so far show. */
static unsigned head_size(const struct srv_frames *f)
{
    return f->head_n < 2 ? 2 : 2 + length_bytes(f) + 4;
}

/* What is wrong with the first two bytes; NULL: nothing. */
static const char *fault_of(const struct srv_frames *f)
{
    const unsigned opcode = f->head[0] & 0xf, length = f->head[1] & 0x7f;
    if (f->head[0] & 0x70)
        return "reserved bits";
    if (!(f->head[1] & 0x80))
        return "a frame without a mask";
    if (is_control(f)) {
        if (opcode > SRV_OP_PONG)
            return "an unknown kind of frame";
        return !is_final(f) || length > SRV_FRAME_CONTROL ? "a control frame is short and whole"
                                                          : NULL;
    }
    if (opcode > SRV_OP_BYTES)
        return "an unknown kind of frame";
    if ((opcode == SRV_OP_MORE) != f->begun)
        return f->begun ? "a message within a message" : "a continuation of nothing";
    return NULL;
}

/* The head is complete: sets the length of the payload, and checks the limits of the message. */
static struct srv_frame begin_payload(struct srv_frames *f, size_t most)
{
    const unsigned bytes = length_bytes(f);
    f->left = bytes == 0 ? f->head[1] & 0x7f : 0;
    f->at = 0;
    f->control_n = 0;
    for (unsigned i = 0; i < bytes; i++)
        f->left = f->left << 8 | f->head[2 + i];
    if (f->left >> 63 || (bytes == 2 && f->left < 126) || (bytes == 8 && f->left < 65536))
        return wrong(SRV_CLOSE_PROTOCOL, "a length that is not written as it should be");
    if (is_control(f))
        return (struct srv_frame){.kind = SRV_FRAME_NONE};
    if ((f->head[0] & 0xf) == SRV_OP_BYTES)
        return wrong(SRV_CLOSE_KIND, "text is expected");
    f->begun = true;
    if (f->left > most || f->n + f->left > most)
        return wrong(SRV_CLOSE_SIZE, "the message is too large");
    if (++f->pieces > SRV_FRAME_PIECES)
        return wrong(SRV_CLOSE_SIZE, "the message comes in too many pieces");
    return (struct srv_frame){.kind = SRV_FRAME_NONE};
}

/* Reads bytes of the head; NONE also when it is complete. */
static struct srv_frame read_head(struct srv_frames *f, uint8_t **bytes, size_t *n, size_t most)
{
    while (f->head_n < head_size(f)) {
        if (*n == 0)
            return (struct srv_frame){.kind = SRV_FRAME_NONE};
        f->head[f->head_n++] = *(*bytes)++;
        --*n;
        const char *fault = f->head_n == 2 ? fault_of(f) : NULL;
        if (fault != NULL)
            return wrong(SRV_CLOSE_PROTOCOL, fault);
    }
    return begin_payload(f, most);
}

static bool head_is_whole(const struct srv_frames *f)
{
    return f->head_n >= 2 && f->head_n == head_size(f);
}

/* ---- payloads -------------------------------------------------------------------------------- */

/* Unmasks the payload as far as it has arrived; returns how many bytes. */
static size_t unmask(struct srv_frames *f, uint8_t *bytes, size_t n)
{
    const uint8_t *mask = f->head + f->head_n - 4;
    const size_t take = f->left < n ? (size_t)f->left : n;
    for (size_t i = 0; i < take; i++)
        bytes[i] ^= mask[(f->at + i) & 3];
    f->at += take;
    f->left -= take;
    return take;
}

static bool is_close_code(unsigned code)
{
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}

static struct srv_frame end_control(struct srv_frames *f)
{
    struct srv_frame frame = {.data = (const char *)f->control, .n = f->control_n};
    f->head_n = 0;
    switch (f->head[0] & 0xf) {
    case SRV_OP_PING:
        frame.kind = SRV_FRAME_PING;
        return frame;
    case SRV_OP_PONG:
        frame.kind = SRV_FRAME_PONG;
        return frame;
    default:
        break;
    }
    const unsigned code = f->control[0] * 256u + f->control[1];
    frame.kind = SRV_FRAME_CLOSE;
    frame.code = f->control_n == 0 ? SRV_CLOSE_NO_CODE : (int)code;
    if (f->control_n == 1 || (f->control_n > 1 && !is_close_code(code)))
        return wrong(SRV_CLOSE_PROTOCOL, "a close without a right code");
    if (f->control_n > 2 && !fm__is_utf8(frame.data + 2, frame.n - 2))
        return wrong(SRV_CLOSE_UTF8, "the reason is not UTF-8");
    return frame;
}

static struct srv_frame end_message(struct srv_frames *f, const char *text, size_t n)
{
    f->begun = false;
    f->pieces = 0;
    if (!fm__is_utf8(text, n))
        return wrong(SRV_CLOSE_UTF8, "the text is not UTF-8");
    return (struct srv_frame){.kind = SRV_FRAME_TEXT, .data = text, .n = n};
}

static struct srv_frame read_payload(struct srv_frames *f, uint8_t **bytes, size_t *n, size_t most)
{
    const uint8_t *here = *bytes;
    const size_t take = unmask(f, *bytes, *n);
    *bytes += take;
    *n -= take;
    if (is_control(f)) {
        memcpy(f->control + f->control_n, here, take);
        f->control_n = (uint8_t)(f->control_n + take);
        return f->left == 0 ? end_control(f) : (struct srv_frame){.kind = SRV_FRAME_NONE};
    }
    const bool ends = f->left == 0 && is_final(f);
    if (f->left == 0)
        f->head_n = 0;
    if (ends && f->message == NULL && f->at == take) /* nearly always: used in place, not copied */
        return end_message(f, (const char *)here, take);
    if (f->message == NULL && (f->message = malloc(most > 0 ? most : 1)) == NULL)
        return wrong(SRV_CLOSE_FAULT, "no memory");
    memcpy(f->message + f->n, here, take);
    f->n += take;
    if (!ends)
        return (struct srv_frame){.kind = SRV_FRAME_NONE};
    f->whole = true;
    return end_message(f, f->message, f->n);
}

/* ---- reading --------------------------------------------------------------------------------- */

struct srv_frame srv_frames_read(struct srv_frames *f, uint8_t **bytes, size_t *n, size_t most)
{
    if (f->whole) /* its message was returned by the last call; an idle stream keeps no memory */
        srv_frames_finish(f);
    for (;;) {
        struct srv_frame frame = {.kind = SRV_FRAME_NONE};
        const bool begins = !head_is_whole(f);
        if (begins)
            frame = read_head(f, bytes, n, most);
        if (frame.kind != SRV_FRAME_NONE || !head_is_whole(f) ||
            (*n == 0 && (!begins || f->left > 0)))
            return frame;
        frame = read_payload(f, bytes, n, most);
        if (frame.kind != SRV_FRAME_NONE || *n == 0)
            return frame;
    }
}

void srv_frames_finish(struct srv_frames *f)
{
    free(f->message);
    f->message = NULL;
    f->n = 0;
    f->whole = false;
}

size_t srv_frame_head(uint8_t head[SRV_FRAME_HEAD], enum srv_opcode opcode, size_t n)
{
    const int bytes = n < 126 ? 0 : n < 65536 ? 2 : 8;
    head[0] = (uint8_t)(0x80u | opcode);
    head[1] = (uint8_t)(bytes == 0 ? n : bytes == 2 ? 126 : 127);
    for (int i = 0; i < bytes; i++)
        head[2 + i] = (uint8_t)(n >> 8 * (bytes - 1 - i));
    return 2 + (size_t)bytes;
}
