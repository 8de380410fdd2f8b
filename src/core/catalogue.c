/* catalogue.c: the games that can be played, and which of their options go together. */
#include "core/catalogue.h"

#include "base/json_in.h"

#include <fathom/bot.h>

#include <string.h>

static void put_option(struct fm_out *o, const struct fm_option *option)
{
    static const char *const types[] = {[FM_OPT_FLAG] = "bool",
                                        [FM_OPT_INT] = "int",
                                        [FM_OPT_WORD] = "choice",
                                        [FM_OPT_SEAT] = "seat",
                                        [FM_OPT_SEATS] = "seats"};
    fm_js_object(o);
    fm_js_key_text(o, "name", option->name);
    fm_js_key_text(o, "type", types[option->kind]);
    switch (option->kind) {
    case FM_OPT_FLAG:
        fm_js_key(o, "default");
        fm_js_bool(o, option->fallback);
        break;
    case FM_OPT_INT:
        fm_js_key_int(o, "min", option->min);
        fm_js_key_int(o, "max", option->max);
        fm_js_key_int(o, "default", option->fallback);
        break;
    case FM_OPT_WORD:
        fm_js_key(o, "values");
        fm_js_array(o);
        for (const char *const *word = option->words; *word != NULL; word++)
            fm_js_text(o, *word);
        fm_js_end_array(o);
        fm_js_key_text(o, "default", option->words[option->fallback]);
        break;
    case FM_OPT_SEAT:
        fm_js_key(o, "default");
        if (option->fallback == FM_RANDOM)
            fm_js_text(o, "random");
        else
            fm_js_int(o, option->fallback);
        break;
    case FM_OPT_SEATS: /* if left out, the game decides */
        fm_js_key(o, "default");
        fm_js_null(o);
        break;
    }
    fm_js_key_text(o, "about", option->about);
    fm_js_end_object(o);
}

static void put_bots(struct fm_out *o, const struct fm_game *g)
{
    const struct fm_bot *bot;
    fm_js_key(o, "bots");
    fm_js_array(o);
    for (size_t i = 0; (bot = fm_bot_at(i)) != NULL; i++) {
        if (bot->game != NULL && strcmp(bot->game, g->id) != 0)
            continue;
        fm_js_object(o);
        fm_js_key_text(o, "id", bot->id);
        fm_js_key_text(o, "about", bot->about);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
}

static void put_decks(struct fm_out *o, const struct fm_library *l, const struct fm_game *g)
{
    fm_js_key(o, "decks");
    fm_js_array(o);
    for (size_t i = 0; i < l->n_decks; i++) {
        if (l->decks[i].game != g)
            continue;
        fm_js_object(o);
        fm_js_key_text(o, "id", l->decks[i].id);
        fm_js_key_text(o, "title", l->decks[i].title);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
}

static void put_constants(struct fm_out *o, const struct fm_game *g)
{
    fm_js_key(o, "constants");
    fm_js_object(o);
    for (const struct fm_value *v = g->constants; v != NULL && v->name != NULL; v++)
        fm_js_key_int(o, v->name, v->value);
    if (g->wire->put_constants != NULL)
        g->wire->put_constants(o);
    fm_js_end_object(o);
}

void fm__put_game(struct fm_out *o, const struct fm_library *library, const struct fm_game *g)
{
    fm_js_key_text(o, "id", g->id);
    fm_js_key_text(o, "title", g->title);
    fm_put_rules(o, g);
    fm_js_key(o, "seats");
    fm_js_object(o);
    fm_js_key_int(o, "min", g->min_seats);
    fm_js_key_int(o, "max", g->max_seats);
    fm_js_end_object(o);
    fm_js_key(o, "options");
    fm_js_array(o);
    for (uint32_t i = 0; i < g->n_options; i++)
        put_option(o, &g->options[i]);
    fm_js_end_array(o);
    put_constants(o, g);
    put_bots(o, g);
    put_decks(o, library, g);
}

/* A fault at "options.divers" is about the option "divers"; any other is about all of them. */
static void put_fault(struct fm_out *o, const struct fm_fault *fault)
{
    static const char root[] = "options.";
    const size_t n = sizeof root - 1;
    const size_t end = fault->where >= 2 ? (size_t)fault->where - 2 : 0; /* without ": " */
    char path[FM_JSON_PATH];
    struct fm_out word;
    fm_out_init(&word, path, sizeof path);
    if (end > n && strncmp(fault->text, root, n) == 0)
        fm_put_bytes(&word, fault->text + n, end - n);
    fm_js_key(o, "ok");
    fm_js_bool(o, false);
    fm_js_fault(o, fault, fault->where);
    fm_js_key_text(o, "path", word.len > 0 ? path : NULL);
}

void fm__put_options_check(struct fm_out *o, const struct fm_library *library, struct json_t *table)
{
    struct fm_fault fault = {.action = -1};
    struct fm_setup setup;
    fm_js_object(o);
    if (fm_setup_parse(&setup, table, library, &fault) == FM_OK) {
        fm_js_key(o, "ok");
        fm_js_bool(o, true);
        fm_js_key_int(o, "seats", setup.n_seats);
        fm_js_key(o, "options");
        fm_put_options(o, &setup);
    } else {
        put_fault(o, &fault);
    }
    fm_js_end_object(o);
}
