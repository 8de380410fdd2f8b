/*
 * hash.h: BLAKE2b (libsodium), always with a domain, so that no hash of one kind can pass for
 * another.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FM_HASH_BYTES 32

/* Once, before the first hash and any thread; -1: the library cannot be started. */
int fm__hash_start(void);

struct fm_span {
    const void *data;
    size_t n;
};

/* Hash of the spans one after the other, each preceded by its length. */
void fm__hash(uint8_t out[FM_HASH_BYTES], const char *domain, const struct fm_span *spans,
              size_t n_spans);

/* Exactly n bytes of lower-case hex digits; -1 for anything else. */
int fm__unhex(uint8_t *out, size_t n, const char *hex);

#endif
