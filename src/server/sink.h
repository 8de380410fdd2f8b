/* sink.h: an answer that grows while it is written, perhaps compressed, up to a cap. */
#ifndef SERVER_SINK_H
#define SERVER_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define ZLIB_CONST
#include <zlib.h>

#define SRV_SINK_MAX (4u << 20) /* most bytes, as they are sent */

struct srv_sink {
    bool gzip, failed, full;
    z_stream z;
    uint8_t *bytes;
    size_t n, cap;
};

bool srv_sink_open(struct srv_sink *s, bool gzip); /* false: no memory */
void srv_sink_put(struct srv_sink *s, const char *text, size_t n);
/* Afterwards the bytes are the caller's to free. `failed`: not all are there: there was no memory
 * or, if `full`, they were too many. */
void srv_sink_close(struct srv_sink *s);

#endif
