/*
 * jansson.c: the part of jansson that the library uses, for the page.
 *
 * Texts are read by the browser's own JSON (web/src/engine/json.ts), which builds the values with
 * the functions below; what jansson refuses is refused there, too. Objects have few members, so
 * these are a list. References are counted by jansson's own header.
 */
#include "wasm/page.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct member {
    struct member *next;
    json_t *value;
    size_t n;
    char key[]; /* with a closing NUL */
};

struct object {
    json_t json;
    size_t n;
    struct member *first;
};

struct array {
    json_t json;
    size_t n, cap;
    json_t **item;
};

struct string {
    json_t json;
    size_t n;
    char text[]; /* with a closing NUL */
};

struct number {
    json_t json;
    json_int_t integer;
    double real;
};

/* ---- making values --------------------------------------------------------------------------- */

static json_t *make(json_type type, size_t bytes)
{
    json_t *json = calloc(1, bytes);
    if (json != NULL)
        *json = (json_t){.type = type, .refcount = 1};
    return json;
}

json_t *json_object(void)
{
    return make(JSON_OBJECT, sizeof(struct object));
}

json_t *json_array(void)
{
    return make(JSON_ARRAY, sizeof(struct array));
}

json_t *json_stringn_nocheck(const char *text, size_t n)
{
    json_t *json = make(JSON_STRING, sizeof(struct string) + n + 1);
    struct string *string = (struct string *)json;
    if (string != NULL) {
        string->n = n;
        memcpy(string->text, text, n);
    }
    return json;
}

static json_t *number(json_type type, json_int_t integer, double real)
{
    json_t *json = make(type, sizeof(struct number));
    struct number *made = (struct number *)json;
    if (made != NULL) {
        made->integer = integer;
        made->real = real;
    }
    return json;
}

json_t *json_integer(json_int_t value)
{
    return number(JSON_INTEGER, value, (double)value);
}

json_t *json_real(double value)
{
    return number(JSON_REAL, 0, value);
}

/* These three are never freed. */
#define FOR_EVER ((size_t)-1)

json_t *json_true(void)
{
    static json_t json = {JSON_TRUE, FOR_EVER};
    return &json;
}

json_t *json_false(void)
{
    static json_t json = {JSON_FALSE, FOR_EVER};
    return &json;
}

json_t *json_null(void)
{
    static json_t json = {JSON_NULL, FOR_EVER};
    return &json;
}

static void free_member(struct member *member)
{
    json_decref(member->value);
    free(member);
}

void json_delete(json_t *json)
{
    if (json_is_object(json)) {
        for (struct member *m = ((struct object *)json)->first, *next; m != NULL; m = next) {
            next = m->next;
            free_member(m);
        }
    } else if (json_is_array(json)) {
        struct array *array = (struct array *)json;
        for (size_t i = 0; i < array->n; i++)
            json_decref(array->item[i]);
        free(array->item);
    }
    free(json);
}

/* ---- objects --------------------------------------------------------------------------------- */

static const struct object *object_of(const json_t *json)
{
    return json_is_object(json) ? (const struct object *)json : NULL;
}

/* Where the pointer to this member is, or to the end of the list. */
static struct member **find(struct object *object, const char *key, size_t n)
{
    struct member **at = &object->first;
    while (*at != NULL && ((*at)->n != n || memcmp((*at)->key, key, n) != 0))
        at = &(*at)->next;
    return at;
}

json_t *json_object_getn(const json_t *json, const char *key, size_t n)
{
    const struct object *object = object_of(json);
    for (const struct member *m = object != NULL ? object->first : NULL; m != NULL; m = m->next)
        if (m->n == n && memcmp(m->key, key, n) == 0)
            return m->value;
    return NULL;
}

json_t *json_object_get(const json_t *json, const char *key)
{
    return json_object_getn(json, key, strlen(key));
}

/* The library sets no key twice. */
int json_object_setn_new_nocheck(json_t *json, const char *key, size_t n, json_t *value)
{
    struct object *object = (struct object *)json;
    struct member **end = find(object, key, n);
    struct member *member =
        value != NULL && *end == NULL ? calloc(1, sizeof *member + n + 1) : NULL;
    if (member == NULL) {
        json_decref(value);
        return -1;
    }
    member->value = value;
    member->n = n;
    memcpy(member->key, key, n);
    *end = member;
    object->n++;
    return 0;
}

int json_object_del(json_t *json, const char *key)
{
    struct object *object = (struct object *)json;
    struct member **at = json_is_object(json) ? find(object, key, strlen(key)) : NULL;
    struct member *member = at != NULL ? *at : NULL;
    if (member == NULL)
        return -1;
    *at = member->next;
    object->n--;
    free_member(member);
    return 0;
}

void *json_object_iter(json_t *json)
{
    const struct object *object = object_of(json);
    return object != NULL ? object->first : NULL;
}

void *json_object_iter_next(json_t *json, void *iter)
{
    (void)json;
    return ((struct member *)iter)->next;
}

const char *json_object_iter_key(void *iter)
{
    return iter != NULL ? ((struct member *)iter)->key : NULL;
}

json_t *json_object_iter_value(void *iter)
{
    return ((struct member *)iter)->value;
}

void *json_object_key_to_iter(const char *key)
{
    return (void *)(uintptr_t)(key - offsetof(struct member, key));
}

/* ---- lists and plain values ------------------------------------------------------------------ */

size_t json_array_size(const json_t *json)
{
    return json_is_array(json) ? ((const struct array *)json)->n : 0;
}

json_t *json_array_get(const json_t *json, size_t i)
{
    return i < json_array_size(json) ? ((const struct array *)json)->item[i] : NULL;
}

static bool grow(struct array *array)
{
    const size_t cap = array->cap > 0 ? 2 * array->cap : 8;
    json_t **item = realloc(array->item, cap * sizeof(json_t *));
    if (item == NULL)
        return false;
    array->item = item;
    array->cap = cap;
    return true;
}

int json_array_append_new(json_t *json, json_t *value)
{
    struct array *array = (struct array *)json;
    if (value == NULL || (array->n == array->cap && !grow(array))) {
        json_decref(value);
        return -1;
    }
    array->item[array->n++] = value;
    return 0;
}

const char *json_string_value(const json_t *json)
{
    return json_is_string(json) ? ((const struct string *)json)->text : NULL;
}

size_t json_string_length(const json_t *json)
{
    return json_is_string(json) ? ((const struct string *)json)->n : 0;
}

json_int_t json_integer_value(const json_t *json)
{
    return json_is_integer(json) ? ((const struct number *)json)->integer : 0;
}

double json_number_value(const json_t *json)
{
    return json_is_number(json) ? ((const struct number *)json)->real : 0;
}

/* ---- values as a whole ----------------------------------------------------------------------- */

/* Only objects are copied: their members are shared. */
json_t *json_copy(json_t *json)
{
    const struct object *object = object_of(json);
    json_t *copy = object != NULL ? json_object() : NULL;
    for (const struct member *m = copy != NULL ? object->first : NULL; m != NULL; m = m->next)
        if (json_object_setn_new_nocheck(copy, m->key, m->n, json_incref(m->value)) != 0) {
            json_decref(copy);
            return NULL;
        }
    return copy;
}

static bool equal_objects(const struct object *a, const json_t *b)
{
    if (a->n != ((const struct object *)b)->n)
        return false;
    for (const struct member *m = a->first; m != NULL; m = m->next)
        if (!json_equal(m->value, json_object_getn(b, m->key, m->n)))
            return false;
    return true;
}

static bool equal_arrays(const json_t *a, const json_t *b)
{
    if (json_array_size(a) != json_array_size(b))
        return false;
    for (size_t i = 0; i < json_array_size(a); i++)
        if (!json_equal(json_array_get(a, i), json_array_get(b, i)))
            return false;
    return true;
}

int json_equal(const json_t *a, const json_t *b)
{
    if (a == NULL || b == NULL || json_typeof(a) != json_typeof(b))
        return 0;
    switch (json_typeof(a)) {
    case JSON_OBJECT:
        return equal_objects((const struct object *)a, b);
    case JSON_ARRAY:
        return equal_arrays(a, b);
    case JSON_STRING:
        return json_string_length(a) == json_string_length(b) &&
               memcmp(json_string_value(a), json_string_value(b), json_string_length(a)) == 0;
    case JSON_INTEGER:
        return json_integer_value(a) == json_integer_value(b);
    case JSON_REAL:
        return json_number_value(a) == json_number_value(b);
    default:
        return 1;
    }
}

/* Duplicate keys are always refused. Browsers do not agree on how to say where a fault is, so it
 * has no position. */
json_t *json_loadb(const char *text, size_t n, size_t flags, json_error_t *error)
{
    static const char words[] = "this is not JSON";
    int code = json_error_invalid_syntax;
    json_t *json = page_json(text, n, &code);
    (void)flags;
    if (json == NULL) {
        *error = (json_error_t){.position = 0};
        memcpy(error->text, words, sizeof words);
        error->text[JSON_ERROR_TEXT_LENGTH - 1] = (char)code;
    }
    return json;
}
