/* json_in.c: strict JSON input: what jansson does not check, and readers that name the key. */
#include "base/json_in.h"

#include "base/panic.h"

#include <fathom/out.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- where in the text something stands -------------------------------------------------------- */

struct walk { /* through a text, minding brackets and strings only */
    size_t at;
    int depth;       /* of nesting */
    int line;        /* from 1 */
    int element;     /* of the list at depth 2 */
    bool in_actions; /* inside the list that is the root's "actions" */
    const char *key; /* the last key, not terminated; NULL: none yet */
    size_t key_n;
};

/* Does a colon follow the closing quote? */
static bool is_key(const char *text, size_t quote, size_t end)
{
    size_t i = quote + 1;
    while (i < end && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n'))
        i++;
    return i < end && text[i] == ':';
}

/* Over a string, from its opening quote to its closing one. */
static void walk_string(struct walk *w, const char *text, size_t end)
{
    const size_t start = ++w->at;
    for (; w->at < end && text[w->at] != '"'; w->at++) {
        w->line += text[w->at] == '\n';
        w->at += text[w->at] == '\\';
    }
    if (is_key(text, w->at, end)) {
        w->key = text + start;
        w->key_n = w->at - start;
    }
}

/* One character or string further. */
static void walk_on(struct walk *w, const char *text, size_t end)
{
    switch (text[w->at]) {
    case '\n':
        w->line++;
        break;
    case '"':
        walk_string(w, text, end);
        break;
    case '{':
    case '[':
        if (w->depth++ == 1) {
            w->in_actions =
                text[w->at] == '[' && w->key_n == 7 && memcmp(w->key, "actions", 7) == 0;
            w->element = 0;
        }
        break;
    case '}':
    case ']':
        w->in_actions = --w->depth > 1 && w->in_actions;
        break;
    case ',':
        w->element += w->depth == 2;
        break;
    default:
        break;
    }
    w->at++;
}

static struct walk walk_to(const char *text, size_t end)
{
    struct walk w = {.line = 1};
    while (w.at < end)
        walk_on(&w, text, end);
    return w;
}

bool fm_json_cut_actions(char *text, size_t n, int i)
{
    struct walk w = {.line = 1};
    while (w.at < n && !(w.in_actions && w.depth == 2 && w.element == i))
        walk_on(&w, text, n);
    const size_t from = w.at;
    while (w.at < n && w.in_actions)
        walk_on(&w, text, n);
    if (w.in_actions || w.at < from + 2) /* no end, or nothing to be cut */
        return false;
    memset(text + from, ' ', w.at - 1 - from);
    text[from] = '0';
    return true;
}

/* ---- loading ------------------------------------------------------------------------------------ */

/* What jansson refuses, in our words where it speaks of itself. */
static const char *in_words(const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_duplicate_key:
        return "a key stands twice in one object";
    case json_error_numeric_overflow:
        return "a number is larger than any that is used here";
    case json_error_invalid_utf8:
        return "this is not UTF-8";
    case json_error_null_character:
    case json_error_null_byte_in_key:
        return "a text holds the character NUL";
    default:
        return error->text;
    }
}

static enum fm_err code_of(const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_duplicate_key:
        return FM_E_KEY;
    case json_error_numeric_overflow:
        return FM_E_VALUE;
    default:
        return FM_E_JSON;
    }
}

/* A fault at a place: inside an action it belongs to that action. */
static void refuse(struct fm_fault *fault, enum fm_err code, const struct walk *at,
                   const char *what)
{
    if (at->key != NULL)
        fm_fail(fault, code, "line %d, at or after the key \"%.*s\": %s", at->line,
                at->key_n > 40 ? 40 : (int)at->key_n, at->key, what);
    else
        fm_fail(fault, code, "line %d: %s", at->line, what);
    fault->line = at->line;
    fault->action = at->in_actions ? at->element : -1;
}

/*
 * Most texts are small and plain, as JSON.stringify writes them: objects, lists, numbers of a few
 * digits, texts of printable ASCII without escapes, and no blanks. They are read here in a
 * quarter of the time; NULL at anything else, which jansson then reads from the start.
 */
struct plain {
    const char *at, *end;
};

static bool plain_sign(struct plain *p, char sign)
{
    const bool there = p->at < p->end && *p->at == sign;
    p->at += there;
    return there;
}

static bool plain_text(struct plain *p, const char **text, size_t *n)
{
    if (!plain_sign(p, '"'))
        return false;
    *text = p->at;
    while (p->at < p->end && *p->at >= 0x20 && *p->at < 0x7f && *p->at != '"' && *p->at != '\\')
        p->at++;
    *n = (size_t)(p->at - *text);
    return plain_sign(p, '"');
}

static json_t *plain_int(struct plain *p)
{
    const char *const from = p->at;
    json_int_t value = 0;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
        value = 10 * (value & 0xffffffff) + (*p->at - '0');
    const ptrdiff_t n = p->at - from;
    const bool ends = p->at < p->end && (*p->at == ',' || *p->at == ']' || *p->at == '}');
    return n > 0 && n < 10 && ends && (n == 1 || *from != '0') ? json_integer(value) : NULL;
}

static json_t *plain_value(struct plain *p, int depth);

static bool plain_members(struct plain *p, json_t *object, int depth)
{
    if (plain_sign(p, '}'))
        return true;
    do {
        const char *key;
        size_t n;
        if (!plain_text(p, &key, &n) || !plain_sign(p, ':') ||
            json_object_getn(object, key, n) != NULL ||
            json_object_setn_new_nocheck(object, key, n, plain_value(p, depth)) != 0)
            return false;
    } while (plain_sign(p, ','));
    return plain_sign(p, '}');
}

static bool plain_elements(struct plain *p, json_t *array, int depth)
{
    if (plain_sign(p, ']'))
        return true;
    do {
        if (json_array_append_new(array, plain_value(p, depth)) != 0) /* takes NULL, and fails */
            return false;
    } while (plain_sign(p, ','));
    return plain_sign(p, ']');
}

static json_t *plain_value(struct plain *p, int depth)
{
    const char *text;
    size_t n;
    const char sign = p->at < p->end ? *p->at : '\0';
    if (sign == '"')
        return plain_text(p, &text, &n) ? json_stringn_nocheck(text, n) : NULL;
    if (sign != '{' && sign != '[')
        return plain_int(p);
    if (depth == FM_JSON_DEPTH)
        return NULL;
    p->at++;
    json_t *json = sign == '{' ? json_object() : json_array();
    if (json != NULL &&
        (sign == '{' ? plain_members(p, json, depth + 1) : plain_elements(p, json, depth + 1)))
        return json;
    json_decref(json);
    return NULL;
}

static json_t *load_plain(const char *text, size_t n)
{
    if (n == 0 || text[0] != '{')
        return NULL;
    struct plain p = {.at = text, .end = text + n};
    json_t *json = plain_value(&p, 0);
    if (p.at == p.end)
        return json;
    json_decref(json);
    return NULL;
}

json_t *fm_json_load(const char *text, size_t n, struct fm_fault *fault)
{
    json_t *const plain = load_plain(text, n);
    if (plain != NULL)
        return plain;
    if (n == 0) {
        fm_fail(fault, FM_E_JSON, "the text is empty");
        return NULL;
    }
    const char *nul = memchr(text, '\0', n);
    if (nul != NULL) { /* jansson stops at some of them as if the text ended there */
        const struct walk at = walk_to(text, (size_t)(nul - text));
        refuse(fault, FM_E_JSON, &at, "the text holds the character NUL");
        return NULL;
    }
    struct walk w = {.line = 1};
    while (w.at < n && w.depth <= FM_JSON_DEPTH)
        walk_on(&w, text, n);
    if (w.depth > FM_JSON_DEPTH) {
        refuse(fault, FM_E_JSON, &w, "lists and objects are nested too deep");
        return NULL;
    }
    json_error_t error;
    json_t *json = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
    if (json == NULL) {
        const size_t offset = error.position > 0 ? (size_t)error.position : 0;
        w = walk_to(text, offset < n ? offset : n);
        refuse(fault, code_of(&error), &w, in_words(&error));
    }
    return json;
}

/* ---- the cursor ----------------------------------------------------------------------------- */

/* The cursor at a value below another; a path that does not fit is cut: it is for people. */
static struct fm_in child(const struct fm_in *in, json_t *json, const char *before,
                          const char *name, const char *after)
{
    struct fm_in out;
    const char *const parts[] = {in != NULL ? in->path : "", before, name, after};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const size_t n = strlen(parts[i]), room = sizeof out.path - 1 - used;
        memcpy(out.path + used, parts[i], n < room ? n : room);
        used += n < room ? n : room;
    }
    out.path[used] = '\0';
    out.json = json;
    out.fault = in != NULL ? in->fault : NULL;
    return out;
}

struct fm_in fm_in_root(json_t *json, const char *name, struct fm_fault *fault)
{
    fm_assert(strlen(name) < FM_JSON_PATH);
    struct fm_in in = child(NULL, json, name, "", "");
    in.fault = fault;
    return in;
}

struct fm_in fm_in_at(const struct fm_in *in, size_t i)
{
    char number[24];
    struct fm_out o;
    fm_out_init(&o, number, sizeof number);
    fm_put_int(&o, (int64_t)i);
    return child(in, json_array_get(in->json, i), "[", number, "]");
}

bool fm_in_fail(const struct fm_in *in, enum fm_err code, const char *format, ...)
{
    char text[FM_FAULT_TEXT];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (in->path[0] == '\0')
        fm_fail(in->fault, code, "%s", text);
    else
        fm_fail(in->fault, code, "%s: %s", in->path, text);
    in->fault->where = in->path[0] == '\0' ? 0 : (int)strlen(in->path) + 2;
    return false;
}

bool fm_in_refuse(const struct fm_in *in, enum fm_err code, const struct fm_value *values)
{
    (void)fm_fail_values(in->fault, code, in->path, values);
    return false;
}

static bool listed(const char *const *words, const char *word)
{
    for (; *words != NULL; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

bool fm_in_object(const struct fm_in *in, const char *const *keys)
{
    if (!json_is_object(in->json))
        return fm_in_fail(in, FM_E_VALUE, "an object is expected here");
    const char *key;
    json_t *value;
    json_object_foreach(in->json, key, value) {
        if (!listed(keys, key))
            return fm_in_fail(in, FM_E_KEY, "unknown key \"%.40s\"", key);
    }
    return true;
}

bool fm_in_has(const struct fm_in *in, const char *key, struct fm_in *out)
{
    *out = child(in, json_object_get(in->json, key), in->path[0] == '\0' ? "" : ".", key, "");
    return out->json != NULL;
}

bool fm_in_get(const struct fm_in *in, const char *key, struct fm_in *out)
{
    return fm_in_has(in, key, out) || fm_in_fail(in, FM_E_KEY, "the key \"%s\" is missing", key);
}

bool fm_in_array(const struct fm_in *in, size_t min, size_t max, size_t *n)
{
    if (!json_is_array(in->json))
        return fm_in_fail(in, FM_E_VALUE, "a list is expected here");
    *n = json_array_size(in->json);
    if (*n >= min && *n <= max)
        return true;
    if (min == max)
        return fm_in_fail(in, FM_E_VALUE, "a list of %zu is expected, not of %zu", min, *n);
    return fm_in_fail(in, FM_E_VALUE, "a list of %zu to %zu is expected, not of %zu", min, max, *n);
}

bool fm_in_int(const struct fm_in *in, int min, int max, int *out)
{
    if (!json_is_integer(in->json))
        return fm_in_fail(in, FM_E_VALUE, "a whole number is expected here");
    const json_int_t value = json_integer_value(in->json);
    if (value < min || value > max)
        return fm_in_fail(in, FM_E_VALUE, "%" JSON_INTEGER_FORMAT " is not within %d to %d", value,
                          min, max);
    *out = (int)value;
    return true;
}

bool fm_in_real(const struct fm_in *in, double min, double max, double *out)
{
    if (!json_is_number(in->json))
        return fm_in_fail(in, FM_E_VALUE, "a number is expected here");
    *out = json_number_value(in->json);
    return (*out >= min && *out <= max) ||
           fm_in_fail(in, FM_E_VALUE, "%g is not within %g to %g", *out, min, max);
}

bool fm_in_bool(const struct fm_in *in, bool *out)
{
    if (!json_is_boolean(in->json))
        return fm_in_fail(in, FM_E_VALUE, "true or false is expected here");
    *out = json_is_true(in->json);
    return true;
}

bool fm_in_text(const struct fm_in *in, size_t max, const char **out)
{
    if (!json_is_string(in->json))
        return fm_in_fail(in, FM_E_VALUE, "a text is expected here");
    const size_t n = json_string_length(in->json);
    if (n == 0 || n > max)
        return fm_in_fail(in, FM_E_VALUE, "a text of 1 to %zu bytes is expected, not of %zu", max,
                          n);
    *out = json_string_value(in->json);
    for (const char *p = *out; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return fm_in_fail(in, FM_E_VALUE, "a text without control characters is expected");
    return true;
}

bool fm_in_word(const struct fm_in *in, const char *const *words, int *out)
{
    const char *word;
    if (!fm_in_text(in, FM_FAULT_TEXT, &word))
        return false;
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            *out = i;
            return true;
        }
    }
    char known[FM_FAULT_TEXT / 2] = "";
    for (size_t i = 0, used = 0; words[i] != NULL && used < sizeof known; i++) {
        const int n = snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", words[i]);
        used += n > 0 ? (size_t)n : 0;
    }
    return fm_in_fail(in, FM_E_VALUE, "\"%.40s\" is none of %s", word, known);
}
