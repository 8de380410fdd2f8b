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
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fm_memo;

struct fm_out {
    char *buf;
    size_t cap;           /* room in buf, with the closing NUL */
    size_t len;           /* bytes written or wanted; len >= cap: cut */
    char last;            /* last character, for commas */
    struct fm_memo *memo; /* of fm_put_once(); NULL: nothing is remembered */
};

void fm_out_init(struct fm_out *o, char *buf, size_t cap); /* empty; buf becomes "" */
bool fm_out_ok(const struct fm_out *o);                    /* everything fitted */

void fm_put(struct fm_out *o, const char *text);                 /* plain text */
void fm_put_bytes(struct fm_out *o, const char *text, size_t n); /* n plain characters */
void fm_put_int(struct fm_out *o, int64_t value);                /* decimal */
void fm_put_hex(struct fm_out *o, const uint8_t *bytes, size_t n);

static inline void fm_js_object(struct fm_out *o);                 /* { */
static inline void fm_js_end_object(struct fm_out *o);             /* } */
static inline void fm_js_array(struct fm_out *o);                  /* [ */
static inline void fm_js_end_array(struct fm_out *o);              /* ] */
static inline void fm_js_key(struct fm_out *o, const char *key);   /* "key": a plain word of ours */
static inline void fm_js_word(struct fm_out *o, const char *word); /* "word", not escaped: ours */
void fm_js_text(struct fm_out *o, const char *text);               /* "text", escaped; NULL: null */
static inline void fm_js_int(struct fm_out *o, int64_t value);     /* 42 */
void fm_js_bool(struct fm_out *o, bool value);                     /* true */
void fm_js_null(struct fm_out *o);                                 /* null */
void fm_js_fixed(struct fm_out *o, double v, int digits);          /* 0.25 */
void fm_js_hex(struct fm_out *o, const uint8_t *bytes, size_t n);  /* "00ff" */
void fm_js_raw(struct fm_out *o, const char *json, size_t n);      /* finished JSON */
static inline void fm_js_key_word(struct fm_out *o, const char *key, const char *word);
static inline void fm_js_key_text(struct fm_out *o, const char *key, const char *text);
static inline void fm_js_key_int(struct fm_out *o, const char *key, int64_t value);

/* ---- what several texts share ---------------------------------------------------------------- */

/*
 * Texts about one thing for several readers, written one after another, differ little: what is
 * the same in all of them is written once and copied from then on. Those texts have one memo,
 * zeroed before the first, and their buffers stay as they are until the last is written.
 */
#define FM_MEMO_PARTS 8
struct fm_memo {
    unsigned n;
    struct {
        void (*put)(struct fm_out *o, const void *about);
        const void *about;
        const char *text;
        size_t n;
    } part[FM_MEMO_PARTS];
};

/* What `put` writes about something: JSON that begins with a key or a value, and is not empty. */
void fm_put_once(struct fm_out *o, void (*put)(struct fm_out *o, const void *about),
                 const void *about);

/* ---- inside: most of JSON is signs and known words, put without a call and a scan ------------ */

void fm__js_sign(struct fm_out *o, bool separates, char sign); /* without room: counted */
void fm__js_int(struct fm_out *o, int64_t value);
void fm__js_quoted(struct fm_out *o, const char *word, size_t n, bool is_key);

/* Does a value or key after this sign need a comma? */
static inline bool fm__js_more(char last)
{
    return last != ':' && last != '[' && last != '{' && last != ',' && last != '\0';
}

static inline void fm__js_put(struct fm_out *o, bool separates, char sign)
{
    if (o->len + 2 >= o->cap) {
        fm__js_sign(o, separates, sign);
        return;
    }
    char *p = o->buf + o->len;
    if (separates && fm__js_more(o->last))
        *p++ = ',';
    *p++ = o->last = sign;
    *p = '\0';
    o->len = (size_t)(p - o->buf);
}

static inline void fm__js_put_quoted(struct fm_out *o, const char *word, bool is_key)
{
    const size_t n = strlen(word);
    if (o->len + n + 4 >= o->cap) {
        fm__js_quoted(o, word, n, is_key);
        return;
    }
    char *p = o->buf + o->len;
    if (fm__js_more(o->last))
        *p++ = ',';
    *p++ = '"';
    memcpy(p, word, n);
    p += n;
    *p++ = o->last = '"';
    if (is_key)
        *p++ = o->last = ':';
    *p = '\0';
    o->len = (size_t)(p - o->buf);
}

static inline void fm_js_object(struct fm_out *o)
{
    fm__js_put(o, true, '{');
}

static inline void fm_js_end_object(struct fm_out *o)
{
    fm__js_put(o, false, '}');
}

static inline void fm_js_array(struct fm_out *o)
{
    fm__js_put(o, true, '[');
}

static inline void fm_js_end_array(struct fm_out *o)
{
    fm__js_put(o, false, ']');
}

static inline void fm_js_key(struct fm_out *o, const char *key)
{
    fm__js_put_quoted(o, key, true);
}

static inline void fm_js_word(struct fm_out *o, const char *word)
{
    fm__js_put_quoted(o, word, false);
}

static inline void fm_js_int(struct fm_out *o, int64_t value)
{
    if (value >= 0 && value < 10) /* nearly always */
        fm__js_put(o, true, (char)('0' + value));
    else
        fm__js_int(o, value);
}

static inline void fm_js_key_word(struct fm_out *o, const char *key, const char *word)
{
    fm_js_key(o, key);
    fm_js_word(o, word);
}

static inline void fm_js_key_text(struct fm_out *o, const char *key, const char *text)
{
    fm_js_key(o, key);
    fm_js_text(o, text);
}

static inline void fm_js_key_int(struct fm_out *o, const char *key, int64_t value)
{
    fm_js_key(o, key);
    fm_js_int(o, value);
}

#ifdef __cplusplus
}
#endif

#endif
