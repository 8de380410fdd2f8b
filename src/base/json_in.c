/* json_in.c: strict JSON input: what jansson does not check, and readers that name the key. */
#include "base/json_in.h"

#include "base/panic.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- where in the text something stands -------------------------------------------------------- */

struct place {
    int depth;       /* of nesting at the end of the scan */
    int line;        /* from 1 */
    int action;      /* index i inside "actions"[i] of the root, else -1 */
    const char *key; /* the last key before it, not terminated; NULL: none */
    size_t key_n;
};

/* From after the opening quote to the closing one. */
static size_t skip_string(const char *text, size_t i, size_t end, int *line)
{
    for (; i < end && text[i] != '"'; i++) {
        *line += text[i] == '\n';
        i += text[i] == '\\';
    }
    return i;
}

/* Does a colon follow the closing quote? */
static bool is_key(const char *text, size_t quote, size_t end)
{
    size_t i = quote + 1;
    while (i < end && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n'))
        i++;
    return i < end && text[i] == ':';
}

/* Walk to an offset, or to where nesting gets deeper than allowed, minding strings only: enough to
 * tell depth, line, key and the action it is in. */
static struct place scan(const char *text, size_t end)
{
    struct place at = {.line = 1, .action = -1};
    int element = 0;
    bool in_actions = false; /* inside the value of the root's key "actions" */
    for (size_t i = 0; i < end && at.depth <= FM_JSON_DEPTH; i++) {
        switch (text[i]) {
        case '\n':
            at.line++;
            break;
        case '"': {
            const size_t start = i + 1;
            i = skip_string(text, start, end, &at.line);
            if (is_key(text, i, end)) {
                at.key = text + start;
                at.key_n = i - start;
            }
            break;
        }
        case '{':
        case '[':
            if (at.depth == 1) {
                in_actions = text[i] == '[' && at.key_n == 7 && memcmp(at.key, "actions", 7) == 0;
                element = 0;
            }
            at.depth++;
            break;
        case '}':
        case ']':
            at.depth--;
            in_actions = in_actions && at.depth > 1;
            break;
        case ',':
            element += at.depth == 2;
            break;
        default:
            break;
        }
    }
    if (in_actions)
        at.action = element;
    return at;
}

/* ---- loading ------------------------------------------------------------------------------------ */

/* What jansson refuses in a value rather than in the file's grammar, in our words; NULL: grammar.
 */
static const char *about_value(enum json_error_code code)
{
    switch (code) {
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
        return NULL;
    }
}

/* A fault at a place: inside an action it belongs to that action. */
static void refuse(struct fm_fault *fault, enum fm_err code, const struct place *at,
                   const char *what)
{
    if (at->key != NULL)
        fm_fail(fault, code, "line %d, at or after the key \"%.*s\": %s", at->line,
                at->key_n > 40 ? 40 : (int)at->key_n, at->key, what);
    else
        fm_fail(fault, code, "line %d: %s", at->line, what);
    fault->line = at->line;
    fault->action = at->action;
}

json_t *fm_json_load(const char *text, size_t n, struct fm_fault *fault)
{
    if (n == 0) {
        fm_fail(fault, FM_E_JSON, "the text is empty");
        return NULL;
    }
    const struct place whole = scan(text, n);
    if (whole.depth > FM_JSON_DEPTH) {
        refuse(fault, FM_E_JSON, &whole, "lists and objects are nested too deep");
        return NULL;
    }
    json_error_t error;
    json_t *json = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
    if (json != NULL)
        return json;
    const enum json_error_code code = json_error_code(&error);
    const size_t offset = error.position > 0 ? (size_t)error.position : 0;
    struct place at = scan(text, offset < n ? offset : n);
    const char *what = about_value(code);
    if (what == NULL)
        at.action = -1; /* the file itself is no JSON */
    refuse(fault,
           code == json_error_duplicate_key      ? FM_E_KEY
           : code == json_error_numeric_overflow ? FM_E_VALUE
                                                 : FM_E_JSON,
           &at, what ? what : error.text);
    return NULL;
}

/* ---- the cursor ----------------------------------------------------------------------------- */

struct fm_in fm_in_root(json_t *json, const char *name, struct fm_fault *fault)
{
    struct fm_in in = {.json = json, .fault = fault};
    const int n = snprintf(in.path, sizeof in.path, "%s", name);
    fm_assert(n >= 0 && n < (int)sizeof in.path);
    return in;
}

/* A path that does not fit is cut: it is for people. */
static struct fm_in child(const struct fm_in *in, json_t *json, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static struct fm_in child(const struct fm_in *in, json_t *json, const char *format, ...)
{
    struct fm_in out = {.json = json, .fault = in->fault};
    const size_t used = strlen(in->path);
    memcpy(out.path, in->path, used + 1);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(out.path + used, sizeof out.path - used, format, args);
    va_end(args);
    return out;
}

struct fm_in fm_in_at(const struct fm_in *in, size_t i)
{
    return child(in, json_array_get(in->json, i), "[%zu]", i);
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
    *out = child(in, json_object_get(in->json, key), in->path[0] == '\0' ? "%s" : ".%s", key);
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
