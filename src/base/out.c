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

/* ---- JSON ----------------------------------------------------------------------------------- */

static void separate(struct fm_out *o)
{
    if (fm__js_more(o->last))
        fm_put_bytes(o, ",", 1);
}

void fm__js_sign(struct fm_out *o, bool separates, char sign)
{
    if (separates)
        separate(o);
    fm_put_bytes(o, &sign, 1);
}

void fm__js_quoted(struct fm_out *o, const char *word, size_t n, bool is_key)
{
    separate(o);
    fm_put_bytes(o, "\"", 1);
    fm_put_bytes(o, word, n);
    fm_put(o, is_key ? "\":" : "\"");
}

/* What needs no escape is put as a whole. */
static void put_quoted(struct fm_out *o, const char *text)
{
    fm_put_bytes(o, "\"", 1);
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
    fm_put_bytes(o, "\"", 1);
}

void fm_js_text(struct fm_out *o, const char *text)
{
    separate(o);
    if (text == NULL)
        fm_put(o, "null");
    else
        put_quoted(o, text);
}

void fm__js_int(struct fm_out *o, int64_t value)
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
    fm_put_bytes(o, "\"", 1);
    fm_put_hex(o, bytes, n);
    fm_put_bytes(o, "\"", 1);
}

void fm_js_raw(struct fm_out *o, const char *json, size_t n)
{
    if (n == 0)
        return;
    separate(o);
    fm_put_bytes(o, json, n);
}

void fm_put_once(struct fm_out *o, void (*put)(struct fm_out *o, const void *about),
                 const void *about)
{
    struct fm_memo *m = o->memo;
    separate(o);
    for (unsigned i = 0; m != NULL && i < m->n; i++)
        if (m->part[i].put == put && m->part[i].about == about) {
            fm_put_bytes(o, m->part[i].text, m->part[i].n);
            return;
        }
    const size_t from = o->len;
    put(o, about);
    fm_assert(o->len > from);
    if (m != NULL && m->n < FM_MEMO_PARTS && fm_out_ok(o)) {
        m->part[m->n].put = put;
        m->part[m->n].about = about;
        m->part[m->n].text = o->buf + from;
        m->part[m->n++].n = o->len - from;
    }
}
