/* soumsoum_json.c: Soum Soum on the wire: decks, positions and actions. */
#include "soumsoum/rules/soumsoum_json.h"

#include "base/json_in.h"
#include "base/panic.h"

#include <string.h>

struct word { /* with its length: cards are written often */
    uint8_t n;
    char text[15];
};

#define NAME(text) text,
#define WORD(text)                                                                                 \
    {                                                                                              \
        sizeof(text) - 1, text                                                                     \
    }
#define WORD_(text) WORD(text),
#define ANIMALS(X)  X("shark") X("octopus") X("hermit") X("any")
#define ZONES(X)    X("row") X("column") X("around") X("diagonals") X("orthogonal") X("board")

static const char *const animals[] = {ANIMALS(NAME) NULL};
static const char *const animals_shown[] = {"shark", "octopus", "hermit", NULL};
static const char *const zones[] = {ZONES(NAME) NULL};
static const struct word animal_words[] = {ANIMALS(WORD_)};
static const struct word zone_words[] = {ZONES(WORD_)};
static const char *const verbs[] = {"place", "pass", "diver", "take", NULL}; /* from 1 */

_Static_assert(sizeof animals / sizeof animals[0] == SOUMSOUM_ANY + 2, "a name for each animal");
_Static_assert(sizeof zones / sizeof zones[0] == SOUMSOUM_ZONES + 1, "a name for each zone");
_Static_assert(sizeof verbs / sizeof verbs[0] == SOUMSOUM_VERBS, "a name for each verb");

#define MAX_ANIMALS 6  /* on one card */
#define CARD_TEXT   80 /* six times "octopus+", ":octopus@orthogonal-self" */

/* ---- cards: "shark:octopus@row", "shark+shark:any@board-self" ------------------------------- */

/* Copied with what stands behind it: that is quicker, and there is room. */
static char *add(char *at, const struct word *word)
{
    memcpy(at, word->text, sizeof word->text);
    return at + word->n;
}

/* Returns its end; no NUL follows. */
static char *write_card(char text[CARD_TEXT + sizeof(struct word)], struct soumsoum_card card)
{
    static const struct word without_itself = WORD("-self");
    char *at = text;
    for (unsigned animal = 0; animal < SOUMSOUM_ANIMALS; animal++) {
        for (unsigned i = 0; i < card.shows[animal]; i++) {
            if (at > text)
                *at++ = '+';
            at = add(at, &animal_words[animal]);
        }
    }
    *at++ = ':';
    at = add(at, &animal_words[soumsoum_counts(card)]);
    *at++ = '@';
    at = add(at, &zone_words[soumsoum_zone(card)]);
    return soumsoum_self(card) ? at : add(at, &without_itself);
}

void soumsoum_put_card(struct fm_out *o, struct soumsoum_card card)
{
    char text[CARD_TEXT + sizeof(struct word)];
    fm_put_bytes(o, text, (size_t)(write_card(text, card) - text));
}

void soumsoum_js_card(struct fm_out *o, const struct soumsoum_card *deck, unsigned card)
{
    char text[1 + CARD_TEXT + sizeof(struct word)];
    text[0] = '"';
    char *end = write_card(text + 1, deck[card]);
    *end++ = '"';
    fm_js_raw(o, text, (size_t)(end - text));
}

void soumsoum_js_cards(struct fm_out *o, const struct soumsoum_card *deck, const uint8_t *cards,
                       unsigned n)
{
    fm_js_array(o);
    for (unsigned i = 0; i < n; i++)
        soumsoum_js_card(o, deck, cards[i]);
    fm_js_end_array(o);
}

/* One of some words at the beginning of a text, and what follows it; -1: none of them. */
static int cut_word(const char **text, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        const size_t n = strlen(words[i]);
        if (strncmp(*text, words[i], n) == 0) {
            *text += n;
            return i;
        }
    }
    return -1;
}

/* The form of soumsoum_put_card(), animals in any order. */
static bool parse_card_text(const char *text, struct soumsoum_card *card)
{
    *card = (struct soumsoum_card){.rule = 0};
    unsigned shown = 0;
    do {
        const int animal = cut_word(&text, animals_shown);
        if (animal < 0 || shown++ == MAX_ANIMALS)
            return false;
        card->shows[animal]++;
    } while (*text++ == '+');
    const int counted = text[-1] == ':' ? cut_word(&text, animals) : -1;
    if (counted < 0 || *text++ != '@')
        return false;
    const int zone = cut_word(&text, zones);
    if (zone < 0)
        return false;
    const bool self = strcmp(text, "-self") != 0;
    card->rule = (uint8_t)(counted | zone << 2 | self << 5);
    return !self || *text == '\0';
}

static bool read_card(const struct fm_in *in, const struct soumsoum_card *deck, uint8_t *out)
{
    const char *text;
    struct soumsoum_card wanted;
    if (!fm_in_text(in, CARD_TEXT, &text))
        return false;
    if (!parse_card_text(text, &wanted))
        return fm_in_fail(in, FM_E_SETUP, "\"%.60s\" is no card; write \"shark:octopus@row\"",
                          text);
    for (unsigned i = 0; i < SOUMSOUM_CARDS; i++) {
        if (memcmp(&deck[i], &wanted, sizeof wanted) == 0) {
            *out = (uint8_t)i;
            return true;
        }
    }
    return fm_in_fail(in, FM_E_SETUP, "the deck has no card \"%.60s\"", text);
}

static bool read_cards(const struct fm_in *in, const struct soumsoum_card *deck, size_t max,
                       uint8_t *out, uint8_t *out_n)
{
    size_t n;
    if (!fm_in_array(in, 0, max, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in card = fm_in_at(in, i);
        if (!read_card(&card, deck, &out[i]))
            return false;
    }
    *out_n = (uint8_t)n;
    return true;
}

/* ---- decks ---------------------------------------------------------------------------------- */

static bool read_deck_card(const struct fm_in *in, struct soumsoum_card *card)
{
    static const char *const keys[] = {"animals", "count", "zone", "self", NULL};
    struct fm_in value;
    size_t n;
    int counted, zone;
    bool self = true;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "animals", &value) ||
        !fm_in_array(&value, 1, MAX_ANIMALS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&value, i);
        int animal;
        if (!fm_in_word(&one, animals_shown, &animal))
            return false;
        card->shows[animal]++;
    }
    if (!fm_in_get(in, "count", &value) || !fm_in_word(&value, animals, &counted) ||
        !fm_in_get(in, "zone", &value) || !fm_in_word(&value, zones, &zone))
        return false;
    if (fm_in_has(in, "self", &value) && !fm_in_bool(&value, &self))
        return false;
    card->rule = (uint8_t)(counted | zone << 2 | self << 5);
    return true;
}

static enum fm_err compile_deck(struct fm_deck *deck, json_t *root, struct fm_fault *fault)
{
    static const char *const keys[] = {"fathom_deck", "id",    "game", "title",
                                       "about",       "cards", NULL};
    const struct fm_in in = fm_in_root(root, "", fault);
    struct soumsoum_card cards[SOUMSOUM_CARDS] = {0};
    struct fm_in list;
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "cards", &list))
        return fault->code;
    if (json_is_array(list.json) && json_array_size(list.json) != SOUMSOUM_CARDS)
        return fm_fail(fault, FM_E_DECK, "cards: a Soum Soum deck has %d cards, this one has %zu",
                       SOUMSOUM_CARDS, json_array_size(list.json));
    size_t n;
    if (!fm_in_array(&list, SOUMSOUM_CARDS, SOUMSOUM_CARDS, &n))
        return fault->code;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in card = fm_in_at(&list, i);
        if (!read_deck_card(&card, &cards[i]))
            return fault->code;
    }
    memcpy(deck->cards, cards, sizeof cards);
    return FM_OK;
}

static void put_deck(struct fm_out *o, const struct fm_deck *deck)
{
    struct soumsoum_card cards[SOUMSOUM_CARDS];
    memcpy(cards, deck->cards, sizeof cards);
    for (unsigned i = 0; i < SOUMSOUM_CARDS; i++) {
        soumsoum_put_card(o, cards[i]);
        fm_put(o, "\n");
    }
}

/* ---- places --------------------------------------------------------------------------------- */

void soumsoum_js_place(struct fm_out *o, unsigned place)
{
    fm_js_key(o, "at");
    fm_js_array(o);
    fm_js_int(o, place / SOUMSOUM_SIDE);
    fm_js_int(o, place % SOUMSOUM_SIDE);
    fm_js_end_array(o);
}

static bool read_place(const struct fm_in *in, unsigned *place)
{
    size_t n;
    int row, column;
    if (!fm_in_array(in, 2, 2, &n))
        return false;
    const struct fm_in r = fm_in_at(in, 0), c = fm_in_at(in, 1);
    if (!fm_in_int(&r, 0, SOUMSOUM_SIDE - 1, &row) || !fm_in_int(&c, 0, SOUMSOUM_SIDE - 1, &column))
        return false;
    *place = (unsigned)(row * SOUMSOUM_SIDE + column);
    return true;
}

/* ---- positions ------------------------------------------------------------------------------ */

static bool read_board(const struct fm_in *in, const struct soumsoum_card *deck,
                       struct soumsoum_position *out)
{
    size_t n;
    unsigned cards = 0;
    if (!fm_in_array(in, SOUMSOUM_SIDE, SOUMSOUM_SIDE, &n))
        return false;
    for (size_t r = 0; r < SOUMSOUM_SIDE; r++) {
        const struct fm_in row = fm_in_at(in, r);
        if (!fm_in_array(&row, SOUMSOUM_SIDE, SOUMSOUM_SIDE, &n))
            return false;
        for (size_t c = 0; c < SOUMSOUM_SIDE; c++) {
            const struct fm_in at = fm_in_at(&row, c);
            const size_t place = r * SOUMSOUM_SIDE + c;
            const bool sub =
                json_is_string(at.json) && strcmp(json_string_value(at.json), "sub") == 0;
            if (sub != (place == SOUMSOUM_MIDDLE))
                return fm_in_fail(&at, FM_E_SETUP,
                                  "\"sub\" stands in the middle, [2][2], and only "
                                  "there");
            if (sub || json_is_null(at.json))
                continue;
            if (!read_card(&at, deck, &out->board[place]))
                return false;
            cards++;
        }
    }
    if (cards == SOUMSOUM_PLACES - 1)
        return fm_in_fail(in, FM_E_SETUP, "the board is full, the game is over already");
    return true;
}

/* One {"at":[r,c],"seat":n}; "worth", as views have it, is passed over. */
static bool read_diver(const struct fm_in *in, int seats, struct soumsoum_position *out)
{
    static const char *const keys[] = {"at", "seat", "worth", NULL};
    struct fm_in value;
    unsigned place;
    int seat, worth;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "at", &value) || !read_place(&value, &place))
        return false;
    if (place == SOUMSOUM_MIDDLE)
        return fm_in_fail(&value, FM_E_SETUP, "no diver goes on the submarine");
    if (out->board[place] == SOUMSOUM_NONE)
        return fm_in_fail(&value, FM_E_SETUP, "there is no card under this diver");
    if (out->diver[place] != SOUMSOUM_NONE)
        return fm_in_fail(&value, FM_E_SETUP, "there is a diver on this card already");
    if (!fm_in_get(in, "seat", &value) || !fm_in_int(&value, 0, seats - 1, &seat))
        return false;
    unsigned placed = 0;
    for (unsigned p = 0; p < SOUMSOUM_PLACES; p++)
        placed += out->diver[p] == seat;
    if (placed == SOUMSOUM_DIVERS)
        return fm_in_fail(in, FM_E_SETUP, "seat %d has only five divers", seat);
    if (fm_in_has(in, "worth", &value) && !fm_in_int(&value, 0, 999, &worth))
        return false;
    out->diver[place] = (uint8_t)seat;
    return true;
}

static bool read_divers(const struct fm_in *in, int seats, struct soumsoum_position *out)
{
    size_t n;
    if (!fm_in_array(in, 0, SOUMSOUM_SEATS * SOUMSOUM_DIVERS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in diver = fm_in_at(in, i);
        if (!read_diver(&diver, seats, out))
            return false;
    }
    return true;
}

static bool read_hands(const struct fm_in *in, const struct soumsoum_card *deck, size_t seats,
                       struct soumsoum_position *out)
{
    size_t n;
    if (!fm_in_array(in, seats, seats, &n))
        return false;
    unsigned cards = 0;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in hand = fm_in_at(in, i);
        if (!read_cards(&hand, deck, SOUMSOUM_HAND, out->hand[i], &out->hand_n[i]))
            return false;
        cards += out->hand_n[i];
    }
    return cards > 0 || fm_in_fail(in, FM_E_SETUP, "nobody has a card, the game is over already");
}

static bool read_position(struct fm_setup *setup, const struct fm_in *in,
                          struct soumsoum_position *out)
{
    static const char *const keys[] = {"board",  "tokens", "hands", "pile",
                                       "market", "active", NULL};
    const struct soumsoum_card *deck = (const void *)setup->deck.cards;
    struct fm_in value;
    int active;
    if (!fm_in_object(in, keys))
        return false;
    memset(out->board, SOUMSOUM_NONE, sizeof out->board);
    memset(out->diver, SOUMSOUM_NONE, sizeof out->diver);
    if ((out->has_board = fm_in_has(in, "board", &value)) && !read_board(&value, deck, out))
        return false;
    if ((out->has_divers = fm_in_has(in, "tokens", &value)) &&
        !read_divers(&value, setup->n_seats, out))
        return false;
    if ((out->has_hands = fm_in_has(in, "hands", &value)) &&
        !read_hands(&value, deck, setup->n_seats, out))
        return false;
    if ((out->has_pile = fm_in_has(in, "pile", &value)) &&
        !read_cards(&value, deck, SOUMSOUM_CARDS, out->pile, &out->pile_n))
        return false;
    const bool market_on = setup->option[SOUMSOUM_OPT_MARKET];
    if (fm_in_has(in, "market", &value) && (market_on || !json_is_null(value.json))) {
        if (!market_on)
            return fm_in_fail(&value, FM_E_SETUP, "this table is without the open market");
        out->has_market = true;
        if (!read_cards(&value, deck, SOUMSOUM_MARKET, out->market, &out->market_n))
            return false;
    }
    if ((out->has_active = fm_in_has(in, "active", &value))) {
        if (!fm_in_int(&value, 0, setup->n_seats - 1, &active))
            return false;
        out->active = (uint8_t)active;
    }
    return true;
}

static enum fm_err parse_position(struct fm_setup *setup, json_t *json, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "setup", fault);
    struct soumsoum_position position = {0};
    if (!read_position(setup, &in, &position))
        return fault->code;
    memcpy(setup->position, &position, sizeof position);
    setup->has_position = true;
    return FM_OK;
}

/* ---- actions -------------------------------------------------------------------------------- */

static bool read_action(const struct fm_in *in, fm_action *out)
{
    static const char *const no_keys[] = {"do", NULL};
    static const char *const place_keys[] = {"do", "card", "at", NULL};
    static const char *const diver_keys[] = {"do", "at", NULL};
    static const char *const take_keys[] = {"do", "market", NULL};
    static const char *const *const keys[] = {place_keys, no_keys, diver_keys, take_keys};
    struct fm_in value;
    int verb, card = 0;
    unsigned place = 0;
    if (!fm_in_get(in, "do", &value) || !fm_in_word(&value, verbs, &verb) ||
        !fm_in_object(in, keys[verb]))
        return false;
    verb++;
    if (verb == SOUMSOUM_DO_PLACE &&
        (!fm_in_get(in, "card", &value) || !fm_in_int(&value, 0, SOUMSOUM_HAND - 1, &card)))
        return false;
    if (verb == SOUMSOUM_DO_TAKE &&
        (!fm_in_get(in, "market", &value) || !fm_in_int(&value, 0, SOUMSOUM_MARKET - 1, &card)))
        return false;
    if ((verb == SOUMSOUM_DO_PLACE || verb == SOUMSOUM_DO_DIVER) &&
        (!fm_in_get(in, "at", &value) || !read_place(&value, &place)))
        return false;
    *out = soumsoum_action((enum soumsoum_verb)verb, (unsigned)card, place);
    return true;
}

static enum fm_err parse_action(fm_action *out, json_t *json, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "", fault);
    return read_action(&in, out) ? FM_OK : fault->code;
}

static void put_action(struct fm_out *o, fm_action a)
{
    const unsigned verb = fm_verb(a);
    fm_assert(verb > 0 && verb < SOUMSOUM_VERBS);
    fm_js_key_word(o, "do", verbs[verb - 1]);
    if (verb == SOUMSOUM_DO_PLACE)
        fm_js_key_int(o, "card", soumsoum_action_card(a));
    if (verb == SOUMSOUM_DO_PLACE || verb == SOUMSOUM_DO_DIVER)
        soumsoum_js_place(o, soumsoum_action_place(a));
    if (verb == SOUMSOUM_DO_TAKE)
        fm_js_key_int(o, "market", soumsoum_action_card(a));
}

/* "zones":{"row":[…],…}: for each place the bits of the places in that zone around it. */
static void put_constants(struct fm_out *o)
{
    fm_js_key(o, "zones");
    fm_js_object(o);
    for (unsigned zone = 0; zone < SOUMSOUM_ZONES; zone++) {
        fm_js_key(o, zones[zone]);
        fm_js_array(o);
        for (unsigned place = 0; place < SOUMSOUM_PLACES; place++)
            fm_js_int(o, soumsoum_zone_mask((enum soumsoum_zone)zone, place));
        fm_js_end_array(o);
    }
    fm_js_end_object(o);
}

const struct fm_wire soumsoum_wire = {
    .compile_deck = compile_deck,
    .put_deck = put_deck,
    .parse_position = parse_position,
    .parse_action = parse_action,
    .put_action = put_action,
    .put_view = soumsoum_put_view,
    .put_state = soumsoum_put_state,
    .put_note = soumsoum_put_note,
    .put_result = soumsoum_put_result,
    .put_constants = put_constants,
    .put_board = soumsoum_put_board,
    .put_sentence = soumsoum_put_sentence,
};
