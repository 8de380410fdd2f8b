/*
 * page.h: what the engine asks of the page that it runs in. The other side is
 * web/src/engine/instance.ts.
 */
#ifndef WASM_PAGE_H
#define WASM_PAGE_H

#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

#define PAGE(name) __attribute__((import_module("page"), import_name(name)))

struct json_t;

/* The text as jansson would read it; NULL, and *code one of jansson's, if it would refuse it. */
PAGE("json") struct json_t *page_json(const char *text, size_t n, int *code);

/* BLAKE2b over the spans, each preceded by its length. */
PAGE("hash") void page_hash(uint8_t out[FM_HASH_BYTES], const struct fm_span *spans, size_t n);

/* Microseconds of a clock that only goes forward. */
PAGE("now") double page_now_us(void);

/* One of our own mistakes: throws. */
PAGE("panic") _Noreturn void page_panic(const char *file, int line, const char *what);

#endif
