/*
 * json_in.h: strict JSON input on jansson.
 *
 * A text is taken only whole: bounded size and depth, UTF-8, no NUL, no key twice. A cursor
 * (struct fm_in) walks the values and knows its path, so that every refusal names its key:
 * "setup.board[2][3]: …". Each reader returns false with the fault filled.
 */
#ifndef BASE_JSON_IN_H
#define BASE_JSON_IN_H

#include <fathom/error.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FM_JSON_DEPTH 12
#define FM_JSON_PATH  96

struct fm_in {
    json_t *json;
    struct fm_fault *fault;
    char path[FM_JSON_PATH];
};

/* Parse; NULL and a fault with its line and, inside "actions"[i] of the root, that i. The caller
 * json_decref()s. */
json_t *fm_json_load(const char *text, size_t n, struct fm_fault *fault);

/* Blank "actions"[i] and all after it to a single 0, so that what stands before and around them
 * can still be read; false: the list has no end. */
bool fm_json_cut_actions(char *text, size_t n, int i);

struct fm_in fm_in_root(json_t *json, const char *name, struct fm_fault *fault);
struct fm_in fm_in_at(const struct fm_in *in, size_t i); /* element of an array */

/* An object with no key but those of the NULL-terminated list. */
bool fm_in_object(const struct fm_in *in, const char *const *keys);
bool fm_in_get(const struct fm_in *in, const char *key, struct fm_in *out); /* must be there */
bool fm_in_has(const struct fm_in *in, const char *key, struct fm_in *out); /* may be there */
bool fm_in_array(const struct fm_in *in, size_t min, size_t max, size_t *n);
bool fm_in_int(const struct fm_in *in, int min, int max, int *out);
bool fm_in_real(const struct fm_in *in, double min, double max, double *out);
bool fm_in_bool(const struct fm_in *in, bool *out);
bool fm_in_text(const struct fm_in *in, size_t max, const char **out);       /* 1 .. max bytes */
bool fm_in_word(const struct fm_in *in, const char *const *words, int *out); /* NULL-terminated */

/* Refuse the value at the cursor: "path: sentence". Always false. */
bool fm_in_refuse(const struct fm_in *in, enum fm_err code, const struct fm_value *values);
bool fm_in_fail(const struct fm_in *in, enum fm_err code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
