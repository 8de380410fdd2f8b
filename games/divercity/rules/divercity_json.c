/* divercity_json.c: DiverCity on the wire: positions, and all that its other files read and write.
 */
#include "divercity/rules/divercity_names.h"

#include <string.h>

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
        if (!divercity_read_corp(&card, &out[i]))
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

const struct fm_wire divercity_wire = {
    .compile_deck = divercity_compile_deck,
    .put_deck = divercity_put_deck,
    .parse_position = parse_position,
    .parse_action = divercity_parse_action,
    .put_action = divercity_put_action,
    .put_legal = divercity_put_short_action,
    .put_view = divercity_put_view,
    .put_state = divercity_put_state,
    .put_note = divercity_put_note,
    .put_result = divercity_put_result,
    .put_board = divercity_put_board,
    .put_sentence = divercity_put_sentence,
};
