/* divercity_deck_json.c: DiverCity on the wire: the words, cards and decks. */
#include "divercity/rules/divercity_names.h"

#include "base/bits.h"

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

/* "hotels:red+purple", its colours in either order; DIVERCITY_NO_EFFECT: refused. */
static unsigned read_pair(const struct fm_in *in, const char *text)
{
    size_t n = 0, m = 0;
    const int a = colour_at(text, &n);
    const int b = a >= 0 && text[n] == '+' ? colour_at(text + n + 1, &m) : -1;
    if (b < 0 || text[n + 1 + m] != '\0') {
        (void)fm_in_fail(in, FM_E_VALUE,
                         "hotels are two of red, green, purple, yellow, blue, orange, as in "
                         "\"hotels:red+purple\"");
        return DIVERCITY_NO_EFFECT;
    }
    for (unsigned effect = DIVERCITY_PAIR_0; effect < DIVERCITY_PAIR_0 + DIVERCITY_PAIRS; effect++)
        if (divercity_pair(effect) == (1u << a | 1u << b))
            return effect;
    (void)fm_in_fail(in, FM_E_VALUE,
                     a == b ? "the two hotels of a card are of different colours"
                            : "red+green, purple+yellow and blue+orange are never on a card");
    return DIVERCITY_NO_EFFECT;
}

/* DIVERCITY_NO_EFFECT: refused. */
static unsigned read_effect(const struct fm_in *in)
{
    const char *text;
    if (!fm_in_text(in, EFFECT_TEXT, &text))
        return DIVERCITY_NO_EFFECT;
    if (strncmp(text, "hotels:", 7) == 0)
        return read_pair(in, text + 7);
    if (strcmp(text, "rig") == 0)
        return DIVERCITY_OIL_RIG;
    if (strcmp(text, "boat") == 0)
        return DIVERCITY_BOAT;
    (void)fm_in_fail(in, FM_E_VALUE, "\"%.32s\" is none of rig, boat, hotels:COLOUR+COLOUR", text);
    return DIVERCITY_NO_EFFECT;
}

bool divercity_read_corp(const struct fm_in *in, uint8_t *card)
{
    size_t n;
    unsigned effects = 0;
    if (!fm_in_array(in, 1, 2, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        const unsigned effect = read_effect(&one);
        if (effect == DIVERCITY_NO_EFFECT)
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
        if (!divercity_read_corp(&card, &box->corporations[i]))
            return false;
    }
    return check_colours(in, box);
}

enum fm_err divercity_compile_deck(struct fm_deck *deck, json_t *root, struct fm_fault *fault)
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

void divercity_put_deck(struct fm_out *o, const struct fm_deck *deck)
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
