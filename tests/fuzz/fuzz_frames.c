/*
 * fuzz_frames.c: any bytes as the frames of a WebSocket. The first byte says how they are cut; what
 * is heard is the same as when they come whole, and no more of them is kept than a message has.
 */
#include "fuzz.h"

#include "base/panic.h"
#include "server/frames.h"

#include <stdlib.h>
#include <string.h>

#define MOST 512

struct heard { /* a hash of it */
    uint64_t all;
    bool ended;
};

static void mix(struct heard *h, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) /* FNV-1a */
        h->all = (h->all ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
}

static void hear(struct heard *h, const struct srv_frame *frame)
{
    const uint32_t head[] = {(uint32_t)frame->kind, (uint32_t)frame->code, (uint32_t)frame->n};
    mix(h, head, sizeof head);
    if (frame->kind != SRV_FRAME_WRONG)
        mix(h, frame->data, frame->n);
    h->ended = frame->kind == SRV_FRAME_WRONG || frame->kind == SRV_FRAME_CLOSE;
    fm_assert(frame->n <= MOST);
    fm_assert(frame->kind != SRV_FRAME_WRONG || frame->reason != NULL);
}

static struct heard listen_to(const uint8_t *data, size_t n, size_t portion)
{
    struct srv_frames f;
    struct heard h = {.all = 1};
    memset(&f, 0, sizeof f);
    for (size_t at = 0; at < n && !h.ended;) {
        size_t m = portion < n - at ? portion : n - at;
        uint8_t *copy = malloc(m), *p = copy;
        fm_assert(copy != NULL);
        memcpy(copy, data + at, m);
        at += m;
        while (m > 0 && !h.ended) {
            const struct srv_frame frame = srv_frames_read(&f, &p, &m, MOST);
            if (frame.kind != SRV_FRAME_NONE)
                hear(&h, &frame);
        }
        free(copy);
    }
    srv_frames_finish(&f);
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 2)
        return 0;
    const struct heard whole = listen_to(data + 1, n - 1, n);
    const struct heard cut = listen_to(data + 1, n - 1, 1u + data[0] % 64u);
    fm_assert(whole.all == cut.all && whole.ended == cut.ended);
    return 0;
}
