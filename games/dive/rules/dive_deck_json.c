/* dive_deck_json.c: decks and positions of Dive as JSON. */
#include "dive/rules/dive_json.h"

#include "base/bits.h"
#include "base/json_in.h"

#include <string.h>

/* ---- chief cards ---------------------------------------------------------------------------- */

/* The yellow levels of a chief card: 4, or 3 and 4. */
static bool read_yellow(const struct fm_in *in, enum fm_err code, unsigned *yellow)
{
    size_t n;
    *yellow = 0;
    if (!fm_in_array(in, 0, DIVE_CHIEF_LEVELS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        int level;
        if (!fm_in_int(&one, 1, DIVE_CHIEF_LEVELS, &level))
            return false;
        *yellow |= 1u << (level - 1);
    }
    return (fm__count(*yellow) == n && (*yellow == 0x8 || *yellow == 0xc)) ||
           fm_in_fail(in, code, "a chief card is yellow on level 4, or on 3 and 4");
}

/* `code`: of what is wrong with a card that does not exist. */
static bool read_chief_card(const struct fm_in *in, enum fm_err code, uint8_t *out)
{
    static const char *const keys[] = {"speeds", "yellow", NULL};
    struct fm_in speeds, value;
    uint8_t wanted[DIVE_CHIEF_LEVELS], speed[DIVE_CHIEF_LEVELS], colours;
    unsigned yellow;
    size_t n;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "speeds", &speeds) ||
        !fm_in_array(&speeds, DIVE_CHIEF_LEVELS, DIVE_CHIEF_LEVELS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&speeds, i);
        int number;
        if (!fm_in_int(&one, 2, 6, &number))
            return false;
        wanted[i] = (uint8_t)number;
    }
    if (!fm_in_get(in, "yellow", &value) || !read_yellow(&value, code, &yellow))
        return false;
    for (unsigned card = 0; card < DIVE_CHIEF_CARDS; card++) {
        dive_chief_card(card, speed, &colours);
        if (colours == yellow && memcmp(speed, wanted, sizeof speed) == 0) {
            *out = (uint8_t)card;
            return true;
        }
    }
    return fm_in_fail(&speeds, code, "a chief card shows 2, 3, 4 and 6 in some order");
}

/* ---- decks: how many sheets of each kind ---------------------------------------------------- */

static bool read_count(const struct fm_in *in, uint8_t count[DIVE_KINDS], unsigned *named)
{
    static const char *const keys[] = {"card", "count", NULL};
    struct fm_in value;
    int kind, n;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "card", &value) ||
        !fm_in_word(&value, dive_kind_names, &kind))
        return false;
    if (*named >> kind & 1)
        return fm_in_fail(&value, FM_E_DECK, "\"%s\" stands here twice", dive_kind_names[kind]);
    if (!fm_in_get(in, "count", &value) || !fm_in_int(&value, 0, DIVE_CARDS, &n))
        return false;
    *named |= 1u << kind;
    count[kind] = (uint8_t)n;
    return true;
}

/* The chief's cards, if the file gives them; else there is one of each (D37). */
static bool read_deck_chief(const struct fm_in *in, struct dive_deck *out)
{
    struct fm_in list;
    size_t n;
    memset(out->chief, 1, sizeof out->chief);
    out->chief_given = fm_in_has(in, "chief_cards", &list);
    if (!out->chief_given)
        return true;
    memset(out->chief, 0, sizeof out->chief);
    if (!fm_in_array(&list, DIVE_CHIEF_CARDS, DIVE_CHIEF_CARDS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&list, i);
        uint8_t card;
        if (!read_chief_card(&one, FM_E_DECK, &card))
            return false;
        out->chief[card]++;
    }
    return true;
}

enum fm_err dive_compile_deck(struct fm_deck *deck, json_t *root, struct fm_fault *fault)
{
    static const char *const keys[] = {"fathom_deck", "id",    "game",        "title",
                                       "about",       "cards", "chief_cards", NULL};
    const struct fm_in in = fm_in_root(root, "", fault);
    struct dive_deck out = {0};
    unsigned named = 0, total = 0;
    struct fm_in list;
    size_t n;
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "cards", &list) ||
        !fm_in_array(&list, 1, DIVE_KINDS, &n))
        return fault->code;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&list, i);
        if (!read_count(&one, out.sheets, &named))
            return fault->code;
    }
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
        total += out.sheets[kind];
    if (total != DIVE_CARDS)
        return fm_fail(fault, FM_E_DECK, "cards: a Dive deck has %d sheets, these counts make %u",
                       DIVE_CARDS, total);
    if (!read_deck_chief(&in, &out))
        return fault->code;
    memcpy(deck->cards, &out, sizeof out);
    return FM_OK;
}

/* "2 chief 2,3,4,6 yellow 3,4": a line for each card that is there. */
static void put_chief_line(struct fm_out *o, unsigned n, unsigned card)
{
    uint8_t speed[DIVE_CHIEF_LEVELS], yellow;
    dive_chief_card(card, speed, &yellow);
    fm_put_int(o, n);
    fm_put(o, " chief ");
    for (unsigned i = 0; i < DIVE_CHIEF_LEVELS; i++) {
        fm_put_int(o, speed[i]);
        fm_put(o, i + 1 < DIVE_CHIEF_LEVELS ? "," : " yellow ");
    }
    fm_put(o, yellow == 0xc ? "3,4\n" : "4\n");
}

void dive_put_deck(struct fm_out *o, const struct fm_deck *deck)
{
    const struct dive_deck *cards = (const void *)deck->cards;
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++) {
        fm_put_int(o, cards->sheets[kind]);
        fm_put(o, " ");
        fm_put(o, dive_kind_names[kind]);
        fm_put(o, "\n");
    }
    for (unsigned card = 0; card < DIVE_CHIEF_CARDS && cards->chief_given; card++)
        if (cards->chief[card] > 0)
            put_chief_line(o, cards->chief[card], card);
}

/* ---- positions ------------------------------------------------------------------------------ */

static bool read_stack(const struct fm_in *in, const struct fm_deck *deck,
                       struct dive_position *out)
{
    size_t n;
    if (!fm_in_array(in, 0, DIVE_CARDS, &n))
        return false;
    if (n == 0)
        return fm_in_fail(in, FM_E_SETUP, "the stack is empty, the game is over already");
    for (size_t i = 0; i < n; i++) {
        const struct fm_in card = fm_in_at(in, i);
        int kind;
        if (!fm_in_word(&card, dive_kind_names, &kind))
            return false;
        if (((const struct dive_deck *)(const void *)deck->cards)->sheets[kind] == 0)
            return fm_in_fail(&card, FM_E_SETUP, "the deck has no card \"%s\"",
                              dive_kind_names[kind]);
        out->stack[i] = (uint8_t)kind;
    }
    out->stack_n = (uint8_t)n;
    return true;
}

static bool read_pawn(const struct fm_in *in, uint8_t *out)
{
    int space;
    if (!fm_in_int(in, 0, 250, &space))
        return false;
    if (space >= DIVE_GOAL)
        return fm_in_fail(in, FM_E_SETUP, "a pawn on %d or beyond: the game is over already",
                          DIVE_GOAL);
    *out = (uint8_t)space;
    return true;
}

static bool read_pawns(const struct fm_in *in, size_t seats, struct dive_position *out)
{
    size_t n;
    if (!fm_in_array(in, seats, seats, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in pawn = fm_in_at(in, i);
        if (!read_pawn(&pawn, &out->pawn[i]))
            return false;
    }
    return true;
}

static bool read_chief_cards(const struct fm_in *in, const struct fm_deck *deck,
                             struct dive_position *out)
{
    const struct dive_deck *cards = (const void *)deck->cards;
    size_t n;
    if (!fm_in_array(in, 0, DIVE_CHIEF_CARDS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in card = fm_in_at(in, i);
        if (!read_chief_card(&card, FM_E_SETUP, &out->chief[i]))
            return false;
        if (cards->chief[out->chief[i]] == 0)
            return fm_in_fail(&card, FM_E_SETUP, "the deck has no such chief card");
    }
    out->chief_n = (uint8_t)n;
    return true;
}

static bool read_companions(const struct fm_in *in, const struct fm_setup *setup,
                            struct dive_position *out)
{
    const unsigned in_play =
        dive_companions_in_play(setup->option[DIVE_OPT_COMPANIONS], setup->option[DIVE_OPT_CHIEF]);
    unsigned given = 0;
    size_t n;
    if (!fm_in_array(in, setup->n_seats, setup->n_seats, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        int companion;
        if (json_is_null(one.json))
            continue;
        if (!fm_in_word(&one, dive_companion_names, &companion))
            return false;
        if (!(in_play >> companion & 1))
            return fm_in_fail(&one, FM_E_SETUP, "\"%s\" is not in play at this table",
                              dive_companion_names[companion]);
        if (given >> companion & 1)
            return fm_in_fail(&one, FM_E_SETUP, "\"%s\" is given twice",
                              dive_companion_names[companion]);
        given |= 1u << companion;
        out->companion[i] = (uint8_t)companion;
    }
    return true;
}

/* A key of the chief's: given, and not to a table without it; null says nothing. */
static bool read_has_chief(const struct fm_in *in, const char *key, bool chief, struct fm_in *value,
                           bool *has)
{
    *has = fm_in_has(in, key, value) && (chief || !json_is_null(value->json));
    return !*has || chief ||
           fm_in_fail(value, FM_E_SETUP, "this table is without the village chief");
}

static bool read_position(const struct fm_setup *setup, const struct fm_in *in,
                          struct dive_position *out)
{
    static const char *const keys[] = {"stack",       "pawns",      "chief_pawn",
                                       "chief_cards", "companions", NULL};
    const bool chief = setup->option[DIVE_OPT_CHIEF];
    struct fm_in value;
    if (!fm_in_object(in, keys))
        return false;
    memset(out->companion, DIVE_NONE, sizeof out->companion);
    if ((out->has_stack = fm_in_has(in, "stack", &value)) && !read_stack(&value, &setup->deck, out))
        return false;
    if (fm_in_has(in, "pawns", &value) && !read_pawns(&value, setup->n_seats, out))
        return false;
    if (!read_has_chief(in, "chief_pawn", chief, &value, &out->has_chief_pawn) ||
        (out->has_chief_pawn && !read_pawn(&value, &out->pawn[DIVE_CHIEF])))
        return false;
    if (!read_has_chief(in, "chief_cards", chief, &value, &out->has_chief_cards) ||
        (out->has_chief_cards && !read_chief_cards(&value, &setup->deck, out)))
        return false;
    const bool companions = setup->option[DIVE_OPT_COMPANIONS];
    out->has_companions =
        fm_in_has(in, "companions", &value) && (companions || !json_is_null(value.json));
    return !out->has_companions || read_companions(&value, setup, out);
}

enum fm_err dive_parse_position(struct fm_setup *setup, json_t *json, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "setup", fault);
    struct dive_position position = {0};
    if (!read_position(setup, &in, &position))
        return fault->code;
    memcpy(setup->position, &position, sizeof position);
    setup->has_position = true;
    return FM_OK;
}
