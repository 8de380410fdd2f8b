/*
 * fuzz_head.c: any bytes as heads of requests. The end of a head is found at the same place however
 * the bytes come, and what is read of it holds what its reader relies on.
 */
#include "fuzz.h"

#include "base/panic.h"
#include "server/head.h"

#include <stdlib.h>
#include <string.h>

static void check(const struct srv_head *h)
{
    fm_assert(h->method[0] >= 'A' && h->method[0] <= 'Z' && h->path[0] == '/');
    fm_assert(h->field[SRV_FIELD_TRANSFER_ENCODING] == NULL);
    fm_assert(h->old || h->field[SRV_FIELD_HOST] != NULL);
    for (const char *p = h->path; *p != '\0'; p++)
        fm_assert((unsigned char)*p >= ' ' && *p != 0x7f);
    for (int i = 0; i < SRV_FIELD_COUNT; i++)
        fm_assert(h->field[i] == NULL || strpbrk(h->field[i], "\r\n") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n == 0)
        return 0;
    const char *text = (const char *)data;
    const size_t size = srv_head_size(text, n, 0);
    for (size_t m = 1; m <= n; m++)
        fm_assert(srv_head_size(text, m, m - 1) == (size > 0 && m >= size ? size : 0) ||
                  (size > 0 && m > size));
    if (size == 0)
        return 0;
    struct srv_head h;
    const char *why = NULL;
    char *copy = malloc(size);
    fm_assert(copy != NULL);
    memcpy(copy, data, size);
    const int status = srv_head_read(&h, copy, size, &why);
    fm_assert(status == 0 || why != NULL);
    if (status == 0)
        check(&h);
    free(copy);
    return 0;
}
