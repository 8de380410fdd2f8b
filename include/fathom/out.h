/*
 * fathom/out.h: text and JSON into a buffer of fixed size.
 *
 * Nothing is ever written past the end; what did not fit is counted and fm_out_ok() says so.
 * JSON commas come by themselves: a value or key that follows another gets one.
 */
#ifndef FATHOM_OUT_H
#define FATHOM_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fm_out {
    char *buf;
    size_t cap; /* room in buf, with the closing NUL */
    size_t len; /* bytes written or wanted; len >= cap: cut */
    char last;  /* last character, for commas */
};

void fm_out_init(struct fm_out *o, char *buf, size_t cap); /* empty; buf becomes "" */
bool fm_out_ok(const struct fm_out *o);                    /* everything fitted */

void fm_put(struct fm_out *o, const char *text);                 /* plain text */
void fm_put_bytes(struct fm_out *o, const char *text, size_t n); /* n plain characters */
void fm_put_int(struct fm_out *o, int64_t value);                /* decimal */
void fm_put_hex(struct fm_out *o, const uint8_t *bytes, size_t n);

void fm_js_object(struct fm_out *o);                              /* { */
void fm_js_end_object(struct fm_out *o);                          /* } */
void fm_js_array(struct fm_out *o);                               /* [ */
void fm_js_end_array(struct fm_out *o);                           /* ] */
void fm_js_key(struct fm_out *o, const char *key);                /* "key": */
void fm_js_text(struct fm_out *o, const char *text);              /* "text", escaped; NULL: null */
void fm_js_int(struct fm_out *o, int64_t value);                  /* 42 */
void fm_js_bool(struct fm_out *o, bool value);                    /* true */
void fm_js_null(struct fm_out *o);                                /* null */
void fm_js_fixed(struct fm_out *o, double v, int digits);         /* 0.25 */
void fm_js_hex(struct fm_out *o, const uint8_t *bytes, size_t n); /* "00ff" */
void fm_js_raw(struct fm_out *o, const char *json, size_t n);     /* finished JSON */
void fm_js_key_text(struct fm_out *o, const char *key, const char *text);
void fm_js_key_int(struct fm_out *o, const char *key, int64_t value);

#endif
