/* deck.c: deck files compiled, hashed and found by name. */
#include <fathom/deck.h>
#include <fathom/game.h>

#include "base/hash.h"
#include "base/json_in.h"
#include "base/panic.h"
#include "base/text.h"
#include "core/builtin.h"

#include <string.h>

static void hash_deck(struct fm_deck *deck)
{
    char text[8192];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    deck->game->wire->put_deck(&o, deck);
    fm_assert(fm_out_ok(&o));
    const struct fm_span spans[] = {{deck->game->id, strlen(deck->game->id)}, {text, o.len}};
    fm__hash(deck->hash, "fathom deck 1", spans, 2);
}

static bool read_deck(struct fm_deck *deck, json_t *root, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(root, "", fault);
    struct fm_in value;
    int version;
    const char *text;
    if (!json_is_object(root))
        return fm_in_fail(&in, FM_E_DECK,
                          "a deck is an object with fathom_deck, id, game, cards …");
    if (!fm_in_get(&in, "fathom_deck", &value) || !fm_in_int(&value, 1, 1, &version))
        return false;
    if (!fm_in_get(&in, "game", &value) || !fm_in_text(&value, FM_FAULT_TEXT, &text))
        return false;
    deck->game = fm_game_find(text);
    if (deck->game == NULL)
        return fm_in_fail(&value, FM_E_GAME, "there is no game \"%.40s\"", text);
    if (!fm_in_get(&in, "id", &value) || !fm_in_text(&value, FM_DECK_ID - 1, &text))
        return false;
    if (!fm__is_id(text))
        return fm_in_fail(&value, FM_E_VALUE, "an id is made of a-z, 0-9 and single dashes");
    memcpy(deck->id, text, strlen(text) + 1);
    if (!fm_in_get(&in, "title", &value) || !fm_in_text(&value, FM_DECK_TITLE - 1, &text))
        return false;
    memcpy(deck->title, text, strlen(text) + 1);
    if (fm_in_has(&in, "about", &value) && !fm_in_text(&value, 2000, &text))
        return false;
    return deck->game->wire->compile_deck(deck, root, fault) == FM_OK;
}

enum fm_err fm_deck_parse(struct fm_deck *deck, const char *text, size_t n, struct fm_fault *fault)
{
    memset(deck, 0, sizeof *deck);
    if (n > FM_DECK_FILE)
        return fm_fail(fault, FM_E_SIZE, "a deck file has at most %d bytes", FM_DECK_FILE);
    json_t *root = fm_json_load(text, n, fault);
    if (root == NULL)
        return fault->code;
    const bool read = read_deck(deck, root, fault);
    json_decref(root);
    if (!read)
        return fault->code;
    hash_deck(deck);
    return FM_OK;
}

size_t fm_deck_builtin_count(void)
{
    return fm__builtin_decks_count;
}

enum fm_err fm_deck_builtin(struct fm_deck *deck, size_t i, struct fm_fault *fault)
{
    fm_assert(i < fm__builtin_decks_count);
    return fm_deck_parse(deck, fm__builtin_decks[i].text, fm__builtin_decks[i].n, fault);
}

static bool is_file_of(const char *name, const char *id)
{
    const size_t n = strlen(id);
    return strncmp(name, id, n) == 0 && strcmp(name + n, ".json") == 0;
}

enum fm_err fm_deck_find(struct fm_deck *deck, const struct fm_library *library,
                         const struct fm_game *game, const char *id, struct fm_fault *fault)
{
    for (size_t i = 0; library != NULL && i < library->n_decks; i++) {
        const struct fm_deck *own = &library->decks[i];
        if (own->game == game && (id == NULL || strcmp(own->id, id) == 0)) {
            *deck = *own;
            return FM_OK;
        }
    }
    const char *wanted = id ? id : game->deck;
    const struct fm_in in = fm_in_root(NULL, "options.deck", fault);
    for (size_t i = 0; i < fm__builtin_decks_count; i++) {
        if (!is_file_of(fm__builtin_decks[i].name, wanted))
            continue;
        const enum fm_err err = fm_deck_builtin(deck, i, fault);
        if (err != FM_OK || deck->game == game)
            return err;
        (void)fm_in_fail(&in, FM_E_DECK, "\"%s\" is a deck for %s, not for %s", wanted,
                         deck->game->id, game->id);
        return FM_E_DECK;
    }
    (void)fm_in_fail(&in, FM_E_DECK, "there is no deck \"%.40s\"", wanted);
    return FM_E_DECK;
}
