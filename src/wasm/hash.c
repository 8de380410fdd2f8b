/* hash.c: base/hash.h and base/panic.h by means of the page. */
#include "wasm/page.h"

#include "base/panic.h"

#include <string.h>

#define SPANS_MAX 16

void fm__hash(uint8_t out[FM_HASH_BYTES], const char *domain, const struct fm_span *spans,
              size_t n_spans)
{
    struct fm_span all[SPANS_MAX] = {{domain, strlen(domain)}};
    fm_assert(n_spans < SPANS_MAX);
    memcpy(all + 1, spans, n_spans * sizeof *spans);
    page_hash(out, all, 1 + n_spans);
}

void fm_panic(const char *file, int line, const char *what)
{
    page_panic(file, line, what);
}
