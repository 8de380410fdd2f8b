/* table.c: {"game":…,"options":{…}}: a game's declared options read, completed, written. */
#include <fathom/game.h>

#include "base/json_in.h"
#include "base/panic.h"

#include <string.h>

static bool read_option(const struct fm_in *in, const struct fm_option *option, int *value)
{
    bool flag;
    const char *word;
    switch (option->kind) {
    case FM_OPT_FLAG:
        if (!fm_in_bool(in, &flag))
            return false;
        *value = flag;
        return true;
    case FM_OPT_INT:
        return fm_in_int(in, option->min, option->max, value);
    case FM_OPT_WORD:
        return fm_in_word(in, option->words, value);
    case FM_OPT_SEAT:
        if (!json_is_string(in->json))
            return fm_in_int(in, 0, FM_MAX_SEATS - 1, value);
        if (!fm_in_text(in, FM_FAULT_TEXT, &word))
            return false;
        if (strcmp(word, "random") != 0)
            return fm_in_fail(in, FM_E_VALUE, "a seat or \"random\" is expected here");
        *value = FM_RANDOM;
        return true;
    }
    fm_panic(__FILE__, __LINE__, "an option of no kind");
}

static bool read_options(struct fm_setup *setup, const struct fm_in *in, const char **deck)
{
    const struct fm_game *g = setup->game;
    const char *keys[FM_MAX_OPTIONS + 2] = {"deck"};
    for (uint32_t i = 0; i < g->n_options; i++)
        keys[i + 1] = g->options[i].name;
    if (!fm_in_object(in, keys))
        return false;
    struct fm_in value;
    for (uint32_t i = 0; i < g->n_options; i++) {
        int number = g->options[i].fallback;
        if (fm_in_has(in, g->options[i].name, &value)) {
            if (!read_option(&value, &g->options[i], &number))
                return false;
            setup->given |= 1u << i;
        }
        setup->option[i] = (int16_t)number;
    }
    return !fm_in_has(in, "deck", &value) || fm_in_text(&value, FM_DECK_ID - 1, deck);
}

enum fm_err fm_setup_parse(struct fm_setup *setup, json_t *table, const struct fm_library *library,
                           struct fm_fault *fault)
{
    memset(setup, 0, sizeof *setup);
    const struct fm_in in = fm_in_root(table, "", fault);
    struct fm_in value;
    const char *id;
    if (!fm_in_get(&in, "game", &value) || !fm_in_text(&value, FM_FAULT_TEXT, &id))
        return fault->code;
    const struct fm_game *g = fm_game_find(id);
    if (g == NULL)
        return fm_fail(fault, FM_E_GAME, "game: there is no game \"%.40s\"", id);
    fm_assert(g->n_options <= FM_MAX_OPTIONS);
    setup->game = g;

    const char *deck = NULL;
    json_t *none = NULL;
    if (!fm_in_has(&in, "options", &value))
        value.json = none = json_object();
    const bool read = read_options(setup, &value, &deck);
    enum fm_err err = read ? FM_OK : fault->code;
    if (err == FM_OK)
        err = g->settle(setup, fault);
    for (uint32_t i = 0; i < g->n_options && err == FM_OK; i++)
        if (g->options[i].kind == FM_OPT_SEAT && setup->option[i] >= setup->n_seats)
            err = fm_fail(fault, FM_E_VALUE, "options.%s: there is no seat %d at a table of %d",
                          g->options[i].name, setup->option[i], setup->n_seats);
    if (err == FM_OK)
        err = fm_deck_find(&setup->deck, library, g, deck, fault);
    json_decref(none);
    return err;
}

void fm_put_options(struct fm_out *o, const struct fm_setup *setup)
{
    fm_js_object(o);
    for (uint32_t i = 0; i < setup->game->n_options; i++) {
        const struct fm_option *option = &setup->game->options[i];
        const int value = setup->option[i];
        fm_js_key(o, option->name);
        if (option->kind == FM_OPT_FLAG)
            fm_js_bool(o, value);
        else if (option->kind == FM_OPT_WORD)
            fm_js_text(o, option->words[value]);
        else if (option->kind == FM_OPT_SEAT && value == FM_RANDOM)
            fm_js_text(o, "random");
        else
            fm_js_int(o, value);
    }
    fm_js_key_text(o, "deck", setup->deck.id);
    fm_js_end_object(o);
}
