/* divercity_json.c: DiverCity on the wire: cards, decks, positions, actions. */
#include "games/divercity/divercity_names.h"

#include "base/bits.h"
#include "base/json_in.h"
#include "base/panic.h"

#include <string.h>

const char *const divercity_species_names[] = {
    "nudibranch", "crab",    "hammerhead", "porcupinefish", "mandarin", "manta", "lobster",
    "eel",        "octopus", "turtle",     "oyster",        "starfish", NULL};
const char *const divercity_colour_names[] = {"red",  "green",  "purple", "yellow",
                                              "blue", "orange", NULL};
const char *const divercity_zone_names[] = {"extinct", "red", "blue", "green", "saved", NULL};
const char *const divercity_diver_names[] = {"endurance",        "diving",         "captain",
                                             "environmentalist", "visionary",      "explorer",
                                             "swimmer",          "communications", NULL};

/* From 1; the last is spelled "diver", too. */
static const char *const verbs[] = {"take",   "pass",  "rig",   "industry", "play",
                                    "walkie", "close", "diver", "reorder",  "strike",
                                    "end",    "claim", NULL};

_Static_assert(sizeof verbs / sizeof verbs[0] == DIVERCITY_DO_COMMUNICATIONS, "a name each");

/* ---- cards ---------------------------------------------------------------------------------- */

#define EFFECT_TEXT 32

/* The colours of a pair in the order in which the cards name them: a ring, then another. */
static void pair_colours(unsigned effect, unsigned colour[2])
{
    static const uint8_t first[DIVERCITY_PAIRS] = {0, 2, 1, 4, 3, 5, 0, 3, 1, 5, 2, 4};
    colour[0] = first[effect - DIVERCITY_PAIR_0];
    colour[1] = fm__lowest(divercity_pair(effect) & ~(1u << colour[0]));
}

void divercity_put_effect(struct fm_out *o, unsigned effect)
{
    unsigned colour[2];
    if (effect < DIVERCITY_PAIR_0) {
        fm_put(o, effect == DIVERCITY_OIL_RIG ? "rig" : "boat");
        return;
    }
    pair_colours(effect, colour);
    fm_put(o, "hotels:");
    fm_put(o, divercity_colour_names[colour[0]]);
    fm_put(o, "+");
    fm_put(o, divercity_colour_names[colour[1]]);
}

void divercity_js_corp(struct fm_out *o, unsigned card)
{
    fm_js_array(o);
    for (unsigned step = 0; step < 2; step++) {
        char text[EFFECT_TEXT];
        struct fm_out t;
        if (divercity_effect(card, step) == DIVERCITY_NO_EFFECT)
            continue;
        fm_out_init(&t, text, sizeof text);
        divercity_put_effect(&t, divercity_effect(card, step));
        fm_js_text(o, text);
    }
    fm_js_end_array(o);
}

void divercity_js_species(struct fm_out *o, unsigned card)
{
    fm_js_text(o, card < DIVERCITY_SPECIES ? divercity_species_names[card] : NULL);
}

/* A colour's name at the start of the text; -1: none. */
static int colour_at(const char *text, size_t *n)
{
    for (int i = 0; i < DIVERCITY_HOTELS; i++) {
        *n = strlen(divercity_colour_names[i]);
        if (strncmp(text, divercity_colour_names[i], *n) == 0)
            return i;
    }
    return -1;
}

/* "hotels:red+purple", its colours in either order. */
static bool read_pair(const struct fm_in *in, const char *text, unsigned *effect)
{
    size_t n = 0, m = 0;
    const int a = colour_at(text, &n);
    const int b = a >= 0 && text[n] == '+' ? colour_at(text + n + 1, &m) : -1;
    if (b < 0 || text[n + 1 + m] != '\0')
        return fm_in_fail(in, FM_E_VALUE,
                          "hotels are two of red, green, purple, yellow, blue, orange, as in "
                          "\"hotels:red+purple\"");
    for (*effect = DIVERCITY_PAIR_0; *effect < DIVERCITY_PAIR_0 + DIVERCITY_PAIRS; ++*effect)
        if (divercity_pair(*effect) == (1u << a | 1u << b))
            return true;
    return fm_in_fail(in, FM_E_VALUE,
                      a == b ? "the two hotels of a card are of different colours"
                             : "red+green, purple+yellow and blue+orange are never on a card");
}

static bool read_effect(const struct fm_in *in, unsigned *effect)
{
    const char *text;
    if (!fm_in_text(in, EFFECT_TEXT, &text))
        return false;
    if (strncmp(text, "hotels:", 7) == 0)
        return read_pair(in, text + 7, effect);
    *effect = strcmp(text, "rig") == 0    ? DIVERCITY_OIL_RIG
              : strcmp(text, "boat") == 0 ? DIVERCITY_BOAT
                                          : DIVERCITY_NO_EFFECT;
    return *effect != DIVERCITY_NO_EFFECT ||
           fm_in_fail(in, FM_E_VALUE, "\"%.32s\" is none of rig, boat, hotels:COLOUR+COLOUR", text);
}

static bool read_corp(const struct fm_in *in, uint8_t *card)
{
    size_t n;
    unsigned effects = 0;
    if (!fm_in_array(in, 1, 2, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        unsigned effect;
        if (!read_effect(&one, &effect))
            return false;
        effects |= effect << 4 * i;
    }
    *card = (uint8_t)effects;
    return true;
}

/* ---- decks ---------------------------------------------------------------------------------- */

static bool read_species_counts(const struct fm_in *in, struct divercity_box *box)
{
    unsigned all = 0;
    if (!fm_in_object(in, divercity_species_names))
        return false;
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++) {
        struct fm_in value;
        int n;
        if (!fm_in_get(in, divercity_species_names[i], &value) ||
            !fm_in_int(&value, 0, DIVERCITY_SPECIES_CARDS, &n))
            return false;
        box->species[i] = (uint8_t)n;
        all += (unsigned)n;
    }
    return all == DIVERCITY_SPECIES_CARDS ||
           fm_in_fail(in, FM_E_DECK, "a DiverCity deck has %d species cards, this one has %u",
                      DIVERCITY_SPECIES_CARDS, all);
}

/* The rulebook says so of every box: four cards show each colour. */
static bool check_colours(const struct fm_in *in, const struct divercity_box *box)
{
    unsigned shown[DIVERCITY_HOTELS] = {0};
    for (unsigned i = 0; i < DIVERCITY_CORPORATIONS; i++)
        for (unsigned step = 0; step < 2; step++) {
            const unsigned effect = divercity_effect(box->corporations[i], step);
            for (unsigned m = effect >= DIVERCITY_PAIR_0 ? divercity_pair(effect) : 0; m != 0;
                 m &= m - 1)
                shown[fm__lowest(m)]++;
        }
    for (unsigned hotel = 0; hotel < DIVERCITY_HOTELS; hotel++)
        if (shown[hotel] != 4)
            return fm_in_fail(in, FM_E_DECK, "the %s hotel is on %u cards, it should be on four",
                              divercity_colour_names[hotel], shown[hotel]);
    return true;
}

static bool read_corporations(const struct fm_in *in, struct divercity_box *box)
{
    size_t n;
    if (json_is_array(in->json) && json_array_size(in->json) != DIVERCITY_CORPORATIONS)
        return fm_in_fail(in, FM_E_DECK,
                          "a DiverCity deck has %d corporation cards, this one has %zu",
                          DIVERCITY_CORPORATIONS, json_array_size(in->json));
    if (!fm_in_array(in, DIVERCITY_CORPORATIONS, DIVERCITY_CORPORATIONS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in card = fm_in_at(in, i);
        if (!read_corp(&card, &box->corporations[i]))
            return false;
    }
    return check_colours(in, box);
}

static enum fm_err compile_deck(struct fm_deck *deck, json_t *root, struct fm_fault *fault)
{
    static const char *const keys[] = {"fathom_deck", "id",      "game",         "title",
                                       "about",       "species", "corporations", NULL};
    const struct fm_in in = fm_in_root(root, "", fault);
    struct divercity_box box = {0};
    struct fm_in value;
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "species", &value) ||
        !read_species_counts(&value, &box) || !fm_in_get(&in, "corporations", &value) ||
        !read_corporations(&value, &box))
        return fault->code;
    memcpy(deck->cards, &box, sizeof box);
    return FM_OK;
}

static void put_deck(struct fm_out *o, const struct fm_deck *deck)
{
    struct divercity_box box;
    memcpy(&box, deck->cards, sizeof box);
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++) {
        fm_put_int(o, box.species[i]);
        fm_put(o, " ");
        fm_put(o, divercity_species_names[i]);
        fm_put(o, "\n");
    }
    for (unsigned i = 0; i < DIVERCITY_CORPORATIONS; i++) {
        for (unsigned step = 0; step < 2; step++) {
            const unsigned effect = divercity_effect(box.corporations[i], step);
            if (effect == DIVERCITY_NO_EFFECT)
                continue;
            fm_put(o, step == 1 ? " " : "");
            divercity_put_effect(o, effect);
        }
        fm_put(o, "\n");
    }
}

/* ---- positions ------------------------------------------------------------------------------ */

static bool read_species_list(const struct fm_in *in, size_t max, uint8_t *out, uint8_t *out_n)
{
    size_t n;
    if (!fm_in_array(in, 0, max, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in card = fm_in_at(in, i);
        int species;
        if (!fm_in_word(&card, divercity_species_names, &species))
            return false;
        out[i] = (uint8_t)species;
    }
    *out_n = (uint8_t)n;
    return true;
}

static bool read_corp_list(const struct fm_in *in, const struct divercity_box *box, size_t max,
                           uint8_t *out, uint8_t *out_n)
{
    size_t n;
    if (!fm_in_array(in, 0, max, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in card = fm_in_at(in, i);
        if (!read_corp(&card, &out[i]))
            return false;
        if (memchr(box->corporations, out[i], sizeof box->corporations) == NULL)
            return fm_in_fail(&card, FM_E_SETUP, "the deck has no such corporation card");
    }
    *out_n = (uint8_t)n;
    return true;
}

static bool read_hands(const struct fm_in *in, size_t hands, struct divercity_position *out)
{
    size_t n;
    if (!fm_in_array(in, hands, hands, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in hand = fm_in_at(in, i);
        if (!read_species_list(&hand, DIVERCITY_HAND, out->hand[i], &out->hand_n[i]))
            return false;
    }
    return true;
}

static bool read_ladder(const struct fm_in *in, struct divercity_position *out)
{
    if (!fm_in_object(in, divercity_species_names))
        return false;
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++) {
        struct fm_in value;
        int zone;
        if (!fm_in_has(in, divercity_species_names[i], &value))
            continue;
        if (!fm_in_word(&value, divercity_zone_names, &zone))
            return false;
        out->lifted[i] = (uint8_t)(zone + 1);
    }
    return true;
}

static bool read_hotels(const struct fm_in *in, struct divercity_position *out)
{
    size_t n;
    if (!fm_in_array(in, 0, DIVERCITY_HOTELS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in colour = fm_in_at(in, i);
        int hotel;
        if (!fm_in_word(&colour, divercity_colour_names, &hotel))
            return false;
        if (out->built >> hotel & 1)
            return fm_in_fail(&colour, FM_E_SETUP, "the %s hotel is given twice",
                              divercity_colour_names[hotel]);
        out->built |= (uint8_t)(1u << hotel);
    }
    return true;
}

static bool read_divers(const struct fm_in *in, size_t hands, struct divercity_position *out)
{
    size_t n, m;
    if (!fm_in_array(in, hands, hands, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in list = fm_in_at(in, i);
        if (!fm_in_array(&list, 0, DIVERCITY_DIVERS, &m))
            return false;
        for (size_t k = 0; k < m; k++) {
            const struct fm_in card = fm_in_at(&list, k);
            int diver;
            if (!fm_in_word(&card, divercity_diver_names, &diver))
                return false;
            if (out->owner[diver] != DIVERCITY_NONE)
                return fm_in_fail(&card, FM_E_SETUP, "the diver card \"%s\" is given twice",
                                  divercity_diver_names[diver]);
            out->owner[diver] = (uint8_t)i;
        }
    }
    return true;
}

static bool read_position(const struct fm_setup *setup, const struct fm_in *in,
                          struct divercity_position *out)
{
    static const char *const keys[] = {
        "species_deck",        "species_discard", "hands",  "corporation_deck",
        "corporation_discard", "industry_hand",   "ladder", "hotels",
        "diver_cards",         "active",          NULL};
    const struct divercity_box *box = (const void *)setup->deck.cards;
    const int divers = setup->option[DIVERCITY_OPT_DIVERS];
    const size_t hands = divers == 1 ? 2 : (size_t)divers;
    struct fm_in value;
    int active;
    memset(out->owner, DIVERCITY_NONE, sizeof out->owner);
    if (!fm_in_object(in, keys))
        return false;
    if ((out->has_deck = fm_in_has(in, "species_deck", &value)) &&
        !read_species_list(&value, DIVERCITY_SPECIES_CARDS, out->deck, &out->deck_n))
        return false;
    if ((out->has_discard = fm_in_has(in, "species_discard", &value)) &&
        !read_species_list(&value, DIVERCITY_SPECIES_CARDS, out->discard, &out->discard_n))
        return false;
    if ((out->has_hands = fm_in_has(in, "hands", &value)) && !read_hands(&value, hands, out))
        return false;
    if ((out->has_corp_deck = fm_in_has(in, "corporation_deck", &value)) &&
        !read_corp_list(&value, box, DIVERCITY_CORPORATIONS, out->corp_deck, &out->corp_deck_n))
        return false;
    if ((out->has_corp_discard = fm_in_has(in, "corporation_discard", &value)) &&
        !read_corp_list(&value, box, DIVERCITY_CORPORATIONS, out->corp_discard,
                        &out->corp_discard_n))
        return false;
    if ((out->has_industry = fm_in_has(in, "industry_hand", &value))) {
        if (!setup->option[DIVERCITY_OPT_INDUSTRIALIST])
            return fm_in_fail(&value, FM_E_SETUP, "this table is without an industrialist");
        if (!read_corp_list(&value, box, DIVERCITY_INDUSTRY, out->industry, &out->industry_n))
            return false;
    }
    if (fm_in_has(in, "ladder", &value) && !read_ladder(&value, out))
        return false;
    if (fm_in_has(in, "hotels", &value) && !read_hotels(&value, out))
        return false;
    if ((out->has_divers = fm_in_has(in, "diver_cards", &value))) {
        if (setup->option[DIVERCITY_OPT_DIVER_CARDS] == DIVERCITY_NO_DIVERS)
            return fm_in_fail(&value, FM_E_SETUP, "this table is without diver cards");
        if (!read_divers(&value, hands, out))
            return false;
    }
    if ((out->has_active = fm_in_has(in, "active", &value))) {
        if (!fm_in_int(&value, 0, (int)hands - 1, &active))
            return false;
        out->active = (uint8_t)active;
    }
    return true;
}

static enum fm_err parse_position(struct fm_setup *setup, json_t *json, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "setup", fault);
    struct divercity_position position = {0};
    if (!read_position(setup, &in, &position))
        return fault->code;
    memcpy(setup->position, &position, sizeof position);
    setup->has_position = true;
    return FM_OK;
}

/* ---- reading actions ------------------------------------------------------------------------ */

static bool get_int(const struct fm_in *in, const char *key, int max, unsigned *out)
{
    struct fm_in value;
    int number;
    if (!fm_in_get(in, key, &value) || !fm_in_int(&value, 0, max, &number))
        return false;
    *out = (unsigned)number;
    return true;
}

static bool get_word(const struct fm_in *in, const char *key, const char *const *words,
                     unsigned *out)
{
    struct fm_in value;
    int number;
    if (!fm_in_get(in, key, &value) || !fm_in_word(&value, words, &number))
        return false;
    *out = (unsigned)number;
    return true;
}

/* One to three signs as a number from 1: see divercity_talk(). */
static bool read_sign(const struct fm_in *in, unsigned *out)
{
    static const unsigned before[] = {0, 0, DIVERCITY_SIGNS,
                                      DIVERCITY_SIGNS + DIVERCITY_SIGNS * DIVERCITY_SIGNS};
    size_t n;
    unsigned number = 0;
    if (!fm_in_array(in, 1, 3, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        int sign;
        if (!fm_in_int(&one, 0, DIVERCITY_SIGNS - 1, &sign))
            return false;
        number = number * DIVERCITY_SIGNS + (unsigned)sign;
    }
    *out = 1 + before[n] + number;
    return true;
}

void divercity_js_signs(struct fm_out *o, unsigned sign)
{
    unsigned number = sign - 1, n = 1;
    for (unsigned of_n = DIVERCITY_SIGNS; number >= of_n; of_n *= DIVERCITY_SIGNS, n++)
        number -= of_n;
    fm_js_array(o);
    for (unsigned i = n; i-- > 0;)
        fm_js_int(o, number >> 4 * i & (DIVERCITY_SIGNS - 1));
    fm_js_end_array(o);
}

static bool read_talk(const struct fm_in *in, enum divercity_verb verb, fm_action *out)
{
    struct fm_in value;
    unsigned target;
    uint64_t signs = 0;
    size_t n;
    if (!get_int(in, "target", DIVERCITY_HANDS - 1, &target))
        return false;
    if (fm_in_has(in, "signs", &value)) {
        if (!fm_in_array(&value, 1, DIVERCITY_HAND, &n))
            return false;
        for (size_t i = 0; i < n; i++) {
            const struct fm_in card = fm_in_at(&value, i);
            unsigned sign;
            if (!read_sign(&card, &sign))
                return false;
            signs |= (uint64_t)sign << i * DIVERCITY_SIGN_BITS;
        }
    }
    *out = divercity_talk(verb, target, signs);
    return true;
}

static bool read_list(const struct fm_in *in, const char *key, enum divercity_verb verb,
                      fm_action *out)
{
    struct fm_in value;
    size_t n;
    if (!fm_in_get(in, key, &value) || !fm_in_array(&value, 0, DIVERCITY_LOOK, &n))
        return false;
    *out = verb;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&value, i);
        int place;
        if (!fm_in_int(&one, 0, DIVERCITY_LOOK - 1, &place))
            return false;
        *out = divercity_list_add(*out, (unsigned)place);
    }
    return true;
}

static bool read_use(const struct fm_in *in, fm_action *out)
{
    static const char *const species_keys[] = {"do", "use", "species", NULL};
    static const char *const target_keys[] = {"do", "use", "target", NULL};
    static const char *const hotel_keys[] = {"do", "use", "hotel", NULL};
    static const char *const no_keys[] = {"do", "use", NULL};
    static const char *const card_keys[] = {"do", "use", "card", NULL};
    static const char *const talk_keys[] = {"do", "use", "target", "signs", NULL};
    static const char *const *const keys[] = {species_keys, species_keys, target_keys, hotel_keys,
                                              no_keys,      no_keys,      card_keys,   talk_keys};
    unsigned diver, what = 0;
    bool read = true;
    if (!get_word(in, "use", divercity_diver_names, &diver) || !fm_in_object(in, keys[diver]))
        return false;
    if (diver == DIVERCITY_COMMUNICATIONS)
        return read_talk(in, DIVERCITY_DO_COMMUNICATIONS, out);
    if (keys[diver] == species_keys)
        read = get_word(in, "species", divercity_species_names, &what);
    else if (keys[diver] == target_keys)
        read = get_int(in, "target", DIVERCITY_HANDS - 1, &what);
    else if (keys[diver] == hotel_keys)
        read = get_word(in, "hotel", divercity_colour_names, &what);
    else if (keys[diver] == card_keys)
        read = get_int(in, "card", DIVERCITY_HAND - 1, &what);
    *out = divercity_action(DIVERCITY_DO_DIVER, diver, what);
    return read;
}

static bool read_claim(const struct fm_in *in, fm_action *out)
{
    struct fm_in value;
    unsigned card, hand = DIVERCITY_NONE;
    int species = DIVERCITY_NONE;
    if (!get_int(in, "card", DIVERCITY_HAND - 1, &card) || !fm_in_get(in, "species", &value))
        return false;
    if (!json_is_null(value.json) && !fm_in_word(&value, divercity_species_names, &species))
        return false;
    if (fm_in_has(in, "target", &value) && !get_int(in, "target", DIVERCITY_HANDS - 1, &hand))
        return false;
    *out = divercity_claim(card, (unsigned)species, hand);
    return true;
}

static bool read_action(const struct fm_in *in, fm_action *out)
{
    static const char *const no_keys[] = {"do", NULL};
    static const char *const take_keys[] = {"do", "diver", NULL};
    static const char *const card_keys[] = {"do", "card", NULL};
    static const char *const talk_keys[] = {"do", "target", "signs", NULL};
    static const char *const close_keys[] = {"do", "card", "hotel", NULL};
    static const char *const order_keys[] = {"do", "order", NULL};
    static const char *const strike_keys[] = {"do", "cards", NULL};
    static const char *const claim_keys[] = {"do", "card", "species", "target", NULL};
    static const char *const *const keys[] = {take_keys,  no_keys,     card_keys,  card_keys,
                                              card_keys,  talk_keys,   close_keys, NULL,
                                              order_keys, strike_keys, no_keys,    claim_keys};
    unsigned verb, a = 0, b = 0;
    if (!get_word(in, "do", verbs, &verb) || (keys[verb] && !fm_in_object(in, keys[verb])))
        return false;
    bool read = true;
    switch ((enum divercity_verb)(verb + 1)) {
    case DIVERCITY_DO_WALKIE:
        return read_talk(in, DIVERCITY_DO_WALKIE, out);
    case DIVERCITY_DO_DIVER:
        return read_use(in, out);
    case DIVERCITY_DO_REORDER:
        return read_list(in, "order", DIVERCITY_DO_REORDER, out);
    case DIVERCITY_DO_STRIKE:
        return read_list(in, "cards", DIVERCITY_DO_STRIKE, out);
    case DIVERCITY_DO_CLAIM:
        return read_claim(in, out);
    case DIVERCITY_DO_TAKE:
        read = get_word(in, "diver", divercity_diver_names, &a);
        break;
    case DIVERCITY_DO_RIG:
    case DIVERCITY_DO_INDUSTRY:
    case DIVERCITY_DO_PLAY:
        read = get_int(in, "card", DIVERCITY_HAND - 1, &a);
        break;
    case DIVERCITY_DO_CLOSE:
        read = get_int(in, "card", DIVERCITY_HAND - 1, &a) &&
               get_word(in, "hotel", divercity_colour_names, &b);
        break;
    default:
        break;
    }
    *out = divercity_action((enum divercity_verb)(verb + 1), a, b);
    return read;
}

static enum fm_err parse_action(fm_action *out, json_t *json, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "", fault);
    return read_action(&in, out) ? FM_OK : fault->code;
}

/* ---- writing actions ------------------------------------------------------------------------ */

static void js_list(struct fm_out *o, const char *key, fm_action a)
{
    fm_js_key(o, key);
    fm_js_array(o);
    for (unsigned i = 0; i < divercity_list_n(a); i++)
        fm_js_int(o, divercity_list(a, i));
    fm_js_end_array(o);
}

static void js_use(struct fm_out *o, unsigned diver, unsigned what)
{
    fm_js_key_text(o, "use", divercity_diver_names[diver]);
    switch ((enum divercity_diver)diver) {
    case DIVERCITY_ENDURANCE:
    case DIVERCITY_DIVING:
        fm_js_key_text(o, "species", divercity_species_names[what]);
        break;
    case DIVERCITY_CAPTAIN_CARD:
    case DIVERCITY_COMMUNICATIONS:
        fm_js_key_int(o, "target", what);
        break;
    case DIVERCITY_ENVIRONMENTALIST:
        fm_js_key_text(o, "hotel", divercity_colour_names[what]);
        break;
    case DIVERCITY_SWIMMER:
        fm_js_key_int(o, "card", what);
        break;
    default:
        break;
    }
}

/* Everything but signs, order and struck cards, which lists of legal actions leave out. */
static void put_short_action(struct fm_out *o, fm_action a)
{
    const unsigned verb = fm_verb(a);
    fm_assert(verb > 0 && verb < DIVERCITY_VERBS);
    const bool talk = verb == DIVERCITY_DO_COMMUNICATIONS;
    fm_js_key_text(o, "do", verbs[(talk ? DIVERCITY_DO_DIVER : verb) - 1]);
    switch ((enum divercity_verb)verb) {
    case DIVERCITY_DO_TAKE:
        fm_js_key_text(o, "diver", divercity_diver_names[divercity_a(a)]);
        break;
    case DIVERCITY_DO_CLOSE:
        fm_js_key_int(o, "card", divercity_a(a));
        fm_js_key_text(o, "hotel", divercity_colour_names[divercity_b(a)]);
        break;
    case DIVERCITY_DO_RIG:
    case DIVERCITY_DO_INDUSTRY:
    case DIVERCITY_DO_PLAY:
        fm_js_key_int(o, "card", divercity_a(a));
        break;
    case DIVERCITY_DO_CLAIM:
        fm_js_key_int(o, "card", divercity_a(a));
        fm_js_key(o, "species");
        divercity_js_species(o, divercity_b(a));
        if (divercity_c(a) != DIVERCITY_NONE)
            fm_js_key_int(o, "target", divercity_c(a));
        break;
    case DIVERCITY_DO_WALKIE:
        fm_js_key_int(o, "target", divercity_target(a));
        break;
    case DIVERCITY_DO_COMMUNICATIONS:
        js_use(o, DIVERCITY_COMMUNICATIONS, divercity_target(a));
        break;
    case DIVERCITY_DO_DIVER:
        js_use(o, divercity_a(a), divercity_b(a));
        break;
    default:
        break;
    }
}

static void put_action(struct fm_out *o, fm_action a)
{
    const unsigned verb = fm_verb(a);
    put_short_action(o, a);
    if (verb == DIVERCITY_DO_REORDER)
        js_list(o, "order", a);
    if (verb == DIVERCITY_DO_STRIKE)
        js_list(o, "cards", a);
    const uint64_t signs = divercity_signs(a);
    if ((verb != DIVERCITY_DO_WALKIE && verb != DIVERCITY_DO_COMMUNICATIONS) || signs == 0)
        return;
    fm_js_key(o, "signs");
    fm_js_array(o);
    for (unsigned i = 0; i < DIVERCITY_HAND && divercity_sign(signs, i) != 0; i++)
        divercity_js_signs(o, divercity_sign(signs, i));
    fm_js_end_array(o);
}

const struct fm_wire divercity_wire = {
    .compile_deck = compile_deck,
    .put_deck = put_deck,
    .parse_position = parse_position,
    .parse_action = parse_action,
    .put_action = put_action,
    .put_legal = put_short_action,
    .put_view = divercity_put_view,
    .put_state = divercity_put_state,
    .put_note = divercity_put_note,
    .put_result = divercity_put_result,
    .put_board = divercity_put_board,
    .put_sentence = divercity_put_sentence,
};
