/* moray_json.c: Moray on the wire: decks, positions, actions, views, notes. */
#include "moray/rules/moray_state.h"

#include "base/json_in.h"
#include "base/panic.h"

#include <string.h>

const char *const moray_kinds[] = {"goby", "damsel", "clownfish", "butterfly", "surgeon", NULL};
_Static_assert(sizeof moray_kinds / sizeof moray_kinds[0] == MORAY_KINDS + 1, "a name for each");

#define FISH_TEXT 16 /* "clownfish:3" */
#define ROOM_MIN  5
#define SCORE_MAX 36

/* ---- fish: "clownfish:3" ----------------------------------------------------------------------- */

static void js_fish(struct fm_out *o, uint8_t fish)
{
    char text[FISH_TEXT];
    struct fm_out word;
    fm_out_init(&word, text, sizeof text);
    fm_put(&word, moray_kinds[moray_kind(fish)]);
    fm_put(&word, ":");
    fm_put_int(&word, moray_size(fish));
    fm_js_word(o, text);
}

static void js_all_fish(struct fm_out *o, const uint8_t *fish, unsigned n)
{
    fm_js_array(o);
    for (unsigned i = 0; i < n; i++)
        js_fish(o, fish[i]);
    fm_js_end_array(o);
}

static bool parse_fish(const char *text, uint8_t *fish)
{
    for (unsigned kind = 0; kind < MORAY_KINDS; kind++) {
        const size_t n = strlen(moray_kinds[kind]);
        if (strncmp(text, moray_kinds[kind], n) != 0 || text[n] != ':')
            continue;
        const char size = text[n + 1];
        *fish = (uint8_t)(kind << 4 | (unsigned)(size - '0'));
        return size >= '1' && size <= '0' + MORAY_SIZE && text[n + 2] == '\0';
    }
    return false;
}

/* A list of fish, each taken out of what is left of the deck. */
static bool read_fish(const struct fm_in *in, uint8_t left[MORAY_CARDS], size_t max, uint8_t *out,
                      uint8_t *out_n)
{
    size_t n;
    if (!fm_in_array(in, 0, max, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        const char *text;
        if (!fm_in_text(&one, FISH_TEXT, &text))
            return false;
        if (!parse_fish(text, &out[i]))
            return fm_in_fail(&one, FM_E_SETUP, "\"%s\" is no fish; write \"clownfish:3\"", text);
        uint8_t *at = memchr(left, out[i], MORAY_CARDS);
        if (at == NULL)
            return fm_in_fail(&one, FM_E_SETUP, "the deck has no %s, or no more of them", text);
        *at = 0;
    }
    *out_n = (uint8_t)n;
    return true;
}

/* ---- decks ------------------------------------------------------------------------------------- */

static bool read_deck_card(const struct fm_in *in, uint8_t *fish)
{
    static const char *const keys[] = {"fish", "size", NULL};
    struct fm_in value;
    int kind, size;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "fish", &value) ||
        !fm_in_word(&value, moray_kinds, &kind) || !fm_in_get(in, "size", &value) ||
        !fm_in_int(&value, 1, MORAY_SIZE, &size))
        return false;
    *fish = (uint8_t)(kind << 4 | size);
    return true;
}

static bool read_deck(const struct fm_in *in, struct moray_deck *deck)
{
    static const char *const keys[] = {"fathom_deck", "id",    "game",  "title",
                                       "about",       "holes", "cards", NULL};
    struct fm_in list;
    size_t n;
    int room;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "holes", &list) ||
        !fm_in_array(&list, MORAY_HOLES, MORAY_HOLES, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in hole = fm_in_at(&list, i);
        if (!fm_in_int(&hole, ROOM_MIN, MORAY_ROOM, &room))
            return false;
        deck->room[i] = (uint8_t)room;
    }
    if (!fm_in_get(in, "cards", &list) || !fm_in_array(&list, MORAY_CARDS, MORAY_CARDS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in card = fm_in_at(&list, i);
        if (!read_deck_card(&card, &deck->fish[i]))
            return false;
    }
    return true;
}

static enum fm_err compile_deck(struct fm_deck *deck, json_t *root, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(root, "", fault);
    struct moray_deck compiled = {0};
    if (!read_deck(&in, &compiled))
        return fault->code;
    memcpy(deck->cards, &compiled, sizeof compiled);
    return FM_OK;
}

static void put_deck(struct fm_out *o, const struct fm_deck *deck)
{
    struct moray_deck cards;
    memcpy(&cards, deck->cards, sizeof cards);
    for (unsigned i = 0; i < MORAY_HOLES; i++) {
        fm_put_int(o, cards.room[i]);
        fm_put(o, "\n");
    }
    for (unsigned i = 0; i < MORAY_CARDS; i++) {
        fm_put(o, moray_kinds[moray_kind(cards.fish[i])]);
        fm_put(o, ":");
        fm_put_int(o, moray_size(cards.fish[i]));
        fm_put(o, "\n");
    }
}

/* ---- positions --------------------------------------------------------------------------------- */

static bool read_holes(const struct fm_in *in, const uint8_t *room, uint8_t left[MORAY_CARDS],
                       struct moray_position *out)
{
    size_t n;
    if (!fm_in_array(in, MORAY_HOLES, MORAY_HOLES, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in hole = fm_in_at(in, i);
        if (!read_fish(&hole, left, MORAY_ROOM, out->hole[i], &out->hole_n[i]))
            return false;
        unsigned total = 0;
        for (unsigned k = 0; k < out->hole_n[i]; k++)
            total += moray_size(out->hole[i][k]);
        if (total >= room[i])
            return fm_in_fail(&hole, FM_E_SETUP, "this hole has room for %d, it is full already",
                              room[i]);
    }
    return true;
}

static bool read_hands(const struct fm_in *in, size_t seats, uint8_t left[MORAY_CARDS],
                       struct moray_position *out)
{
    size_t n;
    unsigned fish = 0;
    if (!fm_in_array(in, seats, seats, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in hand = fm_in_at(in, i);
        if (!read_fish(&hand, left, MORAY_HAND, out->hand[i], &out->hand_n[i]))
            return false;
        fish += out->hand_n[i];
    }
    return fish > 0 || fm_in_fail(in, FM_E_SETUP, "nobody has a fish, the game is over already");
}

/* A number for each seat. */
static bool read_counts(const struct fm_in *in, size_t seats, int min, int8_t *out)
{
    size_t n;
    int value;
    if (!fm_in_array(in, seats, seats, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        if (!fm_in_int(&one, min, SCORE_MAX, &value))
            return false;
        out[i] = (int8_t)value;
    }
    return true;
}

static bool read_position(const struct fm_setup *setup, const struct fm_in *in,
                          struct moray_position *out)
{
    static const char *const keys[] = {"holes", "hands", "pile", "scores", "bites", "active", NULL};
    const struct moray_deck *deck = (const void *)setup->deck.cards;
    const size_t seats = setup->n_seats;
    uint8_t left[MORAY_CARDS];
    struct fm_in value;
    int active = 0;
    memcpy(left, deck->fish, sizeof left);
    if (!fm_in_object(in, keys))
        return false;
    if (fm_in_has(in, "holes", &value) && !read_holes(&value, deck->room, left, out))
        return false;
    if ((out->has_hands = fm_in_has(in, "hands", &value)) && !read_hands(&value, seats, left, out))
        return false;
    if ((out->has_pile = fm_in_has(in, "pile", &value)) &&
        !read_fish(&value, left, MORAY_CARDS, out->pile, &out->pile_n))
        return false;
    if (fm_in_has(in, "scores", &value) && !read_counts(&value, seats, -SCORE_MAX, out->score))
        return false;
    if (fm_in_has(in, "bites", &value) && !read_counts(&value, seats, 0, (int8_t *)out->bites))
        return false;
    if ((out->has_active = fm_in_has(in, "active", &value)) &&
        !fm_in_int(&value, 0, setup->n_seats - 1, &active))
        return false;
    out->active = (uint8_t)active;
    return true;
}

static enum fm_err parse_position(struct fm_setup *setup, json_t *json, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "setup", fault);
    struct moray_position position = {0};
    if (!read_position(setup, &in, &position))
        return fault->code;
    memcpy(setup->position, &position, sizeof position);
    setup->has_position = true;
    return FM_OK;
}

/* ---- actions ----------------------------------------------------------------------------------- */

static enum fm_err parse_action(fm_action *out, json_t *json, struct fm_fault *fault)
{
    static const char *const verbs[] = {"lay", NULL};
    static const char *const keys[] = {"do", "card", "hole", NULL};
    const struct fm_in in = fm_in_root(json, "", fault);
    struct fm_in value;
    int verb, card, hole;
    if (!fm_in_get(&in, "do", &value) || !fm_in_word(&value, verbs, &verb) ||
        !fm_in_object(&in, keys) || !fm_in_get(&in, "card", &value) ||
        !fm_in_int(&value, 0, MORAY_HAND - 1, &card) || !fm_in_get(&in, "hole", &value) ||
        !fm_in_int(&value, 0, MORAY_HOLES - 1, &hole))
        return fault->code;
    *out = moray_action((unsigned)card, (unsigned)hole);
    return FM_OK;
}

static void put_action(struct fm_out *o, fm_action a)
{
    fm_assert(fm_verb(a) == MORAY_DO_LAY);
    fm_js_key_word(o, "do", "lay");
    fm_js_key_int(o, "card", moray_action_card(a));
    fm_js_key_int(o, "hole", moray_action_hole(a));
}

/* ---- views and states -------------------------------------------------------------------------- */

/* With what the next fish would gain or cost there (M5, M6, M10). */
static void js_hole(struct fm_out *o, const struct moray_pub *pub, unsigned hole)
{
    const unsigned with_next = pub->hole_n[hole] + 1u;
    fm_js_object(o);
    fm_js_key_int(o, "room", pub->room[hole]);
    fm_js_key_int(o, "total", moray_total(pub, hole));
    fm_js_key(o, "fish");
    js_all_fish(o, pub->hole[hole], pub->hole_n[hole]);
    fm_js_key_int(o, "worth", with_next);
    fm_js_key_int(o, "bite", pub->hungry ? with_next : MORAY_BITE);
    fm_js_end_object(o);
}

static void js_scores(struct fm_out *o, const struct moray_pub *pub)
{
    fm_js_key(o, "scores");
    fm_js_array(o);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        fm_js_int(o, pub->score[seat]);
    fm_js_end_array(o);
    fm_js_key(o, "bites");
    fm_js_array(o);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        fm_js_int(o, pub->bites[seat]);
    fm_js_end_array(o);
}

static void js_public(struct fm_out *o, const void *about)
{
    const struct moray_pub *pub = about;
    fm_js_key(o, "active");
    if (pub->head.status == FM_OVER)
        fm_js_null(o);
    else
        fm_js_int(o, pub->active);
    fm_js_key(o, "holes");
    fm_js_array(o);
    for (unsigned hole = 0; hole < MORAY_HOLES; hole++)
        js_hole(o, pub, hole);
    fm_js_end_array(o);
    fm_js_key_int(o, "pile", pub->pile_n);
    fm_js_key(o, "hand_sizes");
    fm_js_array(o);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        fm_js_int(o, pub->hand_n[seat]);
    fm_js_end_array(o);
    js_scores(o, pub);
}

static void put_view(struct fm_out *o, struct fm_view v)
{
    const struct moray_pub *pub = (const void *)v.pub;
    const struct moray_priv *priv = (const void *)v.priv;
    fm_put_once(o, js_public, pub);
    if (priv != NULL) {
        fm_js_key(o, "hand");
        js_all_fish(o, priv->hand, pub->hand_n[v.seat]);
    }
}

static void put_state(struct fm_out *o, const void *state)
{
    const struct moray_state *s = state;
    js_public(o, &s->pub);
    fm_js_key(o, "hands");
    fm_js_array(o);
    for (unsigned seat = 0; seat < s->pub.head.n_seats; seat++)
        js_all_fish(o, s->priv[seat].hand, s->pub.hand_n[seat]);
    fm_js_end_array(o);
}

static void put_result(struct fm_out *o, const struct fm_pub *head)
{
    const struct moray_pub *pub = (const void *)head;
    fm_js_object(o);
    fm_js_key(o, "winners");
    fm_js_array(o);
    for (unsigned seat = 0; seat < head->n_seats; seat++)
        if (pub->winners >> seat & 1)
            fm_js_int(o, seat);
    fm_js_end_array(o);
    js_scores(o, pub);
    fm_js_end_object(o);
}

/* ---- notes ------------------------------------------------------------------------------------- */

static const char *const note_names[MORAY_NOTES] = {
    [MORAY_DEALT] = "dealt",     [MORAY_STARTS] = "starts", [MORAY_LAID] = "laid",
    [MORAY_FILLED] = "filled",   [MORAY_BITTEN] = "bitten", [MORAY_DREW] = "drew",
    [MORAY_SKIPPED] = "skipped", [MORAY_SCORED] = "scored", [MORAY_WON] = "won",
};

static void put_note(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    const unsigned low = (unsigned)note->open & 0xff;
    const unsigned high = (unsigned)(note->open >> 8);
    (void)v;
    fm_js_key_word(o, "event", note_names[note->kind]);
    fm_js_key_int(o, "seat", note->seat);
    switch (note->kind) {
    case MORAY_DEALT:
    case MORAY_DREW:
        fm_js_key(o, "fish");
        if (note->cut)
            fm_js_null(o);
        else
            js_fish(o, (uint8_t)note->hidden);
        break;
    case MORAY_LAID:
        fm_js_key(o, "fish");
        js_fish(o, (uint8_t)low);
        fm_js_key_int(o, "hole", high);
        break;
    case MORAY_FILLED:
    case MORAY_BITTEN:
        fm_js_key_int(o, "hole", low);
        fm_js_key_int(o, "points", high);
        break;
    case MORAY_SCORED:
        fm_js_key_int(o, "score", (int64_t)note->open - 256);
        break;
    case MORAY_WON:
        fm_js_key(o, "tie");
        fm_js_bool(o, note->open != 0);
        break;
    default:
        break;
    }
}

const struct fm_wire moray_wire = {
    .compile_deck = compile_deck,
    .put_deck = put_deck,
    .parse_position = parse_position,
    .parse_action = parse_action,
    .put_action = put_action,
    .put_view = put_view,
    .put_state = put_state,
    .put_note = put_note,
    .put_result = put_result,
    .put_board = moray_put_board,
    .put_sentence = moray_put_sentence,
};
