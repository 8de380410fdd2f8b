/* sink.c: an answer that grows while it is written. */
#include "server/sink.h"

#include <stdlib.h>
#include <string.h>

bool srv_sink_open(struct srv_sink *s, bool gzip)
{
    *s = (struct srv_sink){.gzip = gzip};
    return !gzip ||
           deflateInit2(&s->z, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
}

/* Makes room for more bytes. */
static bool sink_grow(struct srv_sink *s, size_t more)
{
    if (s->n + more <= s->cap)
        return true;
    size_t cap = 2 * s->cap > s->n + more ? 2 * s->cap : s->n + more + 65536;
    cap = cap < SRV_SINK_MAX ? cap : SRV_SINK_MAX;
    s->full = s->n + more > cap;
    uint8_t *bytes = s->full ? NULL : realloc(s->bytes, cap);
    s->failed = bytes == NULL;
    if (s->failed)
        return false;
    s->bytes = bytes;
    s->cap = cap;
    return true;
}

static void sink_deflate(struct srv_sink *s, const char *text, size_t n, int flush)
{
    int status = Z_OK;
    s->z.next_in = (const Bytef *)text;
    s->z.avail_in = (uInt)n;
    do {
        if (!sink_grow(s, 4096))
            return;
        s->z.next_out = s->bytes + s->n;
        s->z.avail_out = (uInt)(s->cap - s->n);
        status = deflate(&s->z, flush);
        s->n = s->cap - s->z.avail_out;
    } while (s->z.avail_out == 0 || (flush == Z_FINISH && status == Z_OK));
}

void srv_sink_put(struct srv_sink *s, const char *text, size_t n)
{
    if (s->failed)
        return;
    if (s->gzip) {
        sink_deflate(s, text, n, Z_NO_FLUSH);
    } else if (sink_grow(s, n)) {
        memcpy(s->bytes + s->n, text, n);
        s->n += n;
    }
}

void srv_sink_close(struct srv_sink *s)
{
    if (s->gzip && !s->failed)
        sink_deflate(s, "", 0, Z_FINISH);
    if (s->gzip)
        (void)deflateEnd(&s->z);
}
