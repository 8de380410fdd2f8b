/* table.c: {"game":…,"rules":N,"options":{…}}: a game's declared options read, completed, written.
 */
#include <fathom/game.h>

#include "base/json_in.h"
#include "base/panic.h"

#include <limits.h>
#include <string.h>

/* Orders of 1, 2, … n-1 seats come first, then those of n in lexical order: under 6000 for 7. */
static int orders(size_t n)
{
    int product = 1;
    for (int i = 2; i <= (int)n; i++)
        product *= i;
    return product;
}

int16_t fm_seats_pack(const uint8_t *seats, size_t n)
{
    int packed = 0;
    for (size_t i = 1; i < n; i++)
        packed += orders(i);
    for (size_t i = 0; i < n; i++) {
        int lower = 0;
        for (size_t k = i + 1; k < n; k++)
            lower += seats[k] < seats[i];
        packed += lower * orders(n - 1 - i);
    }
    return (int16_t)packed;
}

size_t fm_seats_unpack(int16_t packed, uint8_t seats[FM_MAX_SEATS])
{
    uint8_t rest[FM_MAX_SEATS] = {0, 1, 2, 3, 4, 5, 6};
    int order = packed;
    size_t n = 1;
    for (; order >= orders(n); n++)
        order -= orders(n);
    for (size_t i = 0; i < n; i++) {
        const int lower = order / orders(n - 1 - i);
        order %= orders(n - 1 - i);
        seats[i] = rest[lower];
        memmove(rest + lower, rest + lower + 1, sizeof rest - (size_t)lower - 1);
    }
    return n;
}

static bool read_seats(const struct fm_in *in, int *value)
{
    uint8_t seats[FM_MAX_SEATS];
    unsigned named = 0;
    size_t n;
    if (!fm_in_array(in, 1, FM_MAX_SEATS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        int seat;
        if (!fm_in_int(&one, 0, (int)n - 1, &seat))
            return false;
        if (named >> seat & 1)
            return fm_in_fail(&one, FM_E_VALUE, "seat %d is named twice", seat);
        named |= 1u << seat;
        seats[i] = (uint8_t)seat;
    }
    *value = fm_seats_pack(seats, n);
    return true;
}

static bool read_players(const struct fm_in *in, const struct fm_option *option, int *value)
{
    if (!fm_in_int(in, INT_MIN, INT_MAX, value))
        return false;
    if (*value > option->max)
        return fm_in_refuse(in, FM_E_MANY_SEATS, FM_VALUES({"max", option->max}));
    if (*value < option->min)
        return fm_in_refuse(in, FM_E_FEW_SEATS, FM_VALUES({"min", option->min}));
    return true;
}

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
        return option->players ? read_players(in, option, value)
                               : fm_in_int(in, option->min, option->max, value);
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
    case FM_OPT_SEATS:
        return read_seats(in, value);
    }
    fm_panic(__FILE__, __LINE__, "an option of no kind");
}

/* Does option i exist in this version of the rules? */
static bool has_option(const struct fm_setup *setup, uint32_t i)
{
    return setup->rules >= setup->game->options[i].since;
}

static bool read_options(struct fm_setup *setup, const struct fm_in *in, const char **deck)
{
    const struct fm_game *g = setup->game;
    const char *keys[FM_MAX_OPTIONS + 2] = {"deck"};
    size_t n = 1;
    for (uint32_t i = 0; i < g->n_options; i++)
        if (has_option(setup, i))
            keys[n++] = g->options[i].name;
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

/* Options that name seats, once it is known how many there are. */
static enum fm_err check_seats(const struct fm_setup *setup, uint32_t i, struct fm_fault *fault)
{
    const struct fm_option *option = &setup->game->options[i];
    const int n = setup->n_seats, value = setup->option[i];
    char where[FM_JSON_PATH];
    uint8_t seats[FM_MAX_SEATS];
    struct fm_out o;
    fm_out_init(&o, where, sizeof where);
    fm_put(&o, "options.");
    fm_put(&o, option->name);
    const struct fm_in in = fm_in_root(NULL, where, fault);
    if (option->kind == FM_OPT_SEAT && value >= n)
        (void)fm_in_fail(&in, FM_E_SEAT, "there is no seat %d at a table of %d", value, n);
    else if (option->kind == FM_OPT_SEATS && fm_seats_unpack((int16_t)value, seats) != (size_t)n)
        (void)fm_in_refuse(&in, FM_E_EACH_SEAT, FM_VALUES({"seats", n}));
    else
        return FM_OK;
    return fault->code;
}

static bool read_rules(struct fm_setup *setup, const struct fm_in *in)
{
    const int newest = setup->game->newest_rules;
    int rules = newest;
    struct fm_in value;
    if (fm_in_has(in, "rules", &value) && !fm_in_int(&value, INT_MIN, INT_MAX, &rules))
        return false;
    if (rules < 1 || rules > newest)
        return fm_in_refuse(&value, FM_E_UNKNOWN_RULES,
                            FM_VALUES({"rules", rules}, {"newest", newest}));
    setup->rules = (uint8_t)rules;
    return true;
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
    if (!read_rules(setup, &in))
        return fault->code;

    const char *deck = NULL;
    json_t *none = NULL;
    if (!fm_in_has(&in, "options", &value))
        value.json = none = json_object();
    const bool read = read_options(setup, &value, &deck);
    enum fm_err err = read ? FM_OK : fault->code;
    if (err == FM_OK)
        err = g->settle(setup, fault);
    for (uint32_t i = 0; i < g->n_options && err == FM_OK; i++)
        err = check_seats(setup, i, fault);
    if (err == FM_OK)
        err = fm_deck_find(&setup->deck, library, g, deck, fault);
    json_decref(none);
    return err;
}

enum fm_err fm_setup_read(struct fm_setup *setup, const char *text, size_t n,
                          const struct fm_library *library, struct fm_fault *fault)
{
    static const char *const keys[] = {"game", "rules", "options", NULL};
    json_t *root = fm_json_load(text, n, fault);
    if (root == NULL)
        return fault->code;
    const struct fm_in in = fm_in_root(root, "", fault);
    const enum fm_err err =
        fm_in_object(&in, keys) ? fm_setup_parse(setup, root, library, fault) : fault->code;
    json_decref(root);
    return err;
}

void fm_put_rules(struct fm_out *o, const struct fm_game *g)
{
    fm_js_key(o, "rules");
    fm_js_array(o);
    for (int rules = 1; rules <= g->newest_rules; rules++)
        fm_js_int(o, rules);
    fm_js_end_array(o);
    fm_js_key_int(o, "newest", g->newest_rules);
}

static void put_seats(struct fm_out *o, int16_t packed)
{
    uint8_t seats[FM_MAX_SEATS];
    const size_t n = fm_seats_unpack(packed, seats);
    fm_js_array(o);
    for (size_t i = 0; i < n; i++)
        fm_js_int(o, seats[i]);
    fm_js_end_array(o);
}

void fm_put_options(struct fm_out *o, const struct fm_setup *setup)
{
    fm_js_object(o);
    for (uint32_t i = 0; i < setup->game->n_options; i++) {
        const struct fm_option *option = &setup->game->options[i];
        const int value = setup->option[i];
        if (!has_option(setup, i))
            continue;
        fm_js_key(o, option->name);
        if (option->kind == FM_OPT_FLAG)
            fm_js_bool(o, value);
        else if (option->kind == FM_OPT_WORD)
            fm_js_text(o, option->words[value]);
        else if (option->kind == FM_OPT_SEAT && value == FM_RANDOM)
            fm_js_text(o, "random");
        else if (option->kind == FM_OPT_SEATS)
            put_seats(o, setup->option[i]);
        else
            fm_js_int(o, value);
    }
    fm_js_key_text(o, "deck", setup->deck.id);
    fm_js_end_object(o);
}
