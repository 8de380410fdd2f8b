/* out.c: bounded text and JSON output. */
#include <fathom/out.h>

#include "base/panic.h"

#include <stdio.h>
#include <string.h>

void fm_out_init(struct fm_out *o, char *buf, size_t cap)
{
    fm_assert(cap > 0);
    *o = (struct fm_out){.buf = buf, .cap = cap};
    buf[0] = '\0';
}

bool fm_out_ok(const struct fm_out *o)
{
    return o->len < o->cap;
}

void fm_put_bytes(struct fm_out *o, const char *text, size_t n)
{
    if (n == 0)
        return;
    if (o->len + n < o->cap) {
        memcpy(o->buf + o->len, text, n);
        o->buf[o->len + n] = '\0';
    }
    o->len += n;
    o->last = text[n - 1];
}

/* Most of JSON is single signs: without a call to copy each. */
static void put_sign(struct fm_out *o, char sign)
{
    if (o->len + 1 < o->cap) {
        o->buf[o->len] = sign;
        o->buf[o->len + 1] = '\0';
    }
    o->len++;
    o->last = sign;
}

void fm_put(struct fm_out *o, const char *text)
{
    fm_put_bytes(o, text, strlen(text));
}

void fm_put_int(struct fm_out *o, int64_t value)
{
    char digits[24];
    char *p = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        *--p = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        *--p = '-';
    fm_put_bytes(o, p, (size_t)(digits + sizeof digits - p));
}

void fm_put_hex(struct fm_out *o, const uint8_t *bytes, size_t n)
{
    static const char digit[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++)
        fm_put_bytes(o, (const char[]){digit[bytes[i] >> 4], digit[bytes[i] & 15]}, 2);
}

/* A comma, unless this is the first value of its list or the value of a key. */
static void separate(struct fm_out *o)
{
    const char c = o->last;
    if (c != '\0' && c != '{' && c != '[' && c != ':' && c != ',')
        put_sign(o, ',');
}

void fm_js_object(struct fm_out *o)
{
    separate(o);
    put_sign(o, '{');
}

void fm_js_end_object(struct fm_out *o)
{
    put_sign(o, '}');
}

void fm_js_array(struct fm_out *o)
{
    separate(o);
    put_sign(o, '[');
}

void fm_js_end_array(struct fm_out *o)
{
    put_sign(o, ']');
}

/* What needs no escape is put as a whole. */
static void put_quoted(struct fm_out *o, const char *text)
{
    put_sign(o, '"');
    const char *from = text, *p = text;
    for (; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
            continue;
        fm_put_bytes(o, from, (size_t)(p - from));
        from = p + 1;
        if (c == '"' || c == '\\') {
            fm_put_bytes(o, (const char[]){'\\', *p}, 2);
        } else {
            fm_put(o, "\\u00");
            fm_put_hex(o, &c, 1);
        }
    }
    fm_put_bytes(o, from, (size_t)(p - from));
    put_sign(o, '"');
}

void fm_js_key(struct fm_out *o, const char *key)
{
    separate(o);
    put_quoted(o, key);
    put_sign(o, ':');
}

void fm_js_text(struct fm_out *o, const char *text)
{
    separate(o);
    if (text == NULL)
        fm_put(o, "null");
    else
        put_quoted(o, text);
}

void fm_js_int(struct fm_out *o, int64_t value)
{
    separate(o);
    fm_put_int(o, value);
}

void fm_js_bool(struct fm_out *o, bool value)
{
    separate(o);
    fm_put(o, value ? "true" : "false");
}

void fm_js_null(struct fm_out *o)
{
    separate(o);
    fm_put(o, "null");
}

void fm_js_fixed(struct fm_out *o, double v, int digits)
{
    char text[64];
    const int n = snprintf(text, sizeof text, "%.*f", digits, v);
    fm_assert(n > 0 && n < (int)sizeof text);
    separate(o);
    fm_put_bytes(o, text, (size_t)n);
}

void fm_js_hex(struct fm_out *o, const uint8_t *bytes, size_t n)
{
    separate(o);
    put_sign(o, '"');
    fm_put_hex(o, bytes, n);
    put_sign(o, '"');
}

void fm_js_raw(struct fm_out *o, const char *json, size_t n)
{
    if (n == 0)
        return;
    separate(o);
    fm_put_bytes(o, json, n);
}

void fm_js_key_text(struct fm_out *o, const char *key, const char *text)
{
    fm_js_key(o, key);
    fm_js_text(o, text);
}

void fm_js_key_int(struct fm_out *o, const char *key, int64_t value)
{
    fm_js_key(o, key);
    fm_js_int(o, value);
}
