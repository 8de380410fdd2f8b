/*
 * action_text.c: an action on one line for people: "place card=2 at=[1,3]".
 *
 * The first word is the verb, the others are its keys; values are JSON without spaces, and
 * plain words go without quotes. It is the JSON form spelled differently, so no game writes
 * any of it.
 */
#include <fathom/game.h>

#include "base/json_in.h"
#include "base/panic.h"

#include <string.h>

#define ACTION_TEXT_MAX 1024

static void put_value(struct fm_out *o, const json_t *value)
{
    if (json_is_string(value)) {
        fm_put(o, json_string_value(value));
        return;
    }
    char json[ACTION_TEXT_MAX];
    const size_t n = json_dumpb(value, json, sizeof json, JSON_COMPACT | JSON_ENCODE_ANY);
    fm_assert(n > 0 && n <= sizeof json);
    fm_put_bytes(o, json, n);
}

void fm_put_action_text(struct fm_out *o, const struct fm_game *g, fm_action a)
{
    char text[ACTION_TEXT_MAX];
    struct fm_out json;
    fm_out_init(&json, text, sizeof text);
    fm_put_action(&json, g, a);
    fm_assert(fm_out_ok(&json));
    struct fm_fault fault;
    json_t *object = fm_json_load(text, json.len, &fault);
    fm_assert(object != NULL);
    put_value(o, json_object_get(object, "do"));
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        if (strcmp(key, "do") == 0)
            continue;
        fm_put(o, " ");
        fm_put(o, key);
        fm_put(o, "=");
        put_value(o, value);
    }
    json_decref(object);
}

/* One word of the text into the object; false: it cannot be read. */
static bool read_word(json_t *object, const char *word, size_t n)
{
    const char *equals = memchr(word, '=', n);
    if (equals == NULL)
        return json_object_size(object) == 0 &&
               json_object_set_new(object, "do", json_stringn(word, n)) == 0;
    const char *text = equals + 1;
    const size_t text_n = n - (size_t)(text - word);
    char key[40];
    const size_t key_n = (size_t)(equals - word);
    if (key_n == 0 || key_n >= sizeof key || text_n == 0)
        return false;
    memcpy(key, word, key_n);
    key[key_n] = '\0';
    if (json_object_get(object, key) != NULL)
        return false;
    json_t *value = json_loadb(text, text_n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    return json_object_set_new(object, key, value ? value : json_stringn(text, text_n)) == 0;
}

enum fm_err fm_action_parse_text(const struct fm_game *g, fm_action *out, const char *text,
                                 struct fm_fault *fault)
{
    if (strlen(text) >= ACTION_TEXT_MAX)
        return fm_fail(fault, FM_E_SIZE, "no action is that long");
    json_t *object = json_object();
    enum fm_err err = object ? FM_OK : fm_fail(fault, FM_E_SIZE, "out of memory");
    const char *word = text;
    while (err == FM_OK && *(word += strspn(word, " ")) != '\0') {
        const size_t n = strcspn(word, " ");
        if (!read_word(object, word, n))
            err = fm_fail(fault, FM_E_ACTION, "\"%.*s\" cannot be read; write \"verb key=value\"",
                          n > 40 ? 40 : (int)n, word);
        word += n;
    }
    if (err == FM_OK)
        err = g->wire->parse_action(out, object, fault);
    json_decref(object);
    return err;
}
