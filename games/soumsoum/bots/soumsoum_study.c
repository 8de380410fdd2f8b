/*
 * soumsoum_study.c: for the analysis of Soum Soum: every place for the card that was laid, the last
 * turns exactly, and what was known of the rivals' hands.
 */
#include "base/bits.h"
#include "bots/study.h"
#include "soumsoum/bots/soumsoum_sense.h"
#include "soumsoum/bots/soumsoum_why.h"

/* ---- candidates ------------------------------------------------------------------------------ */

/* What the bots would look at, and all places for the card that was laid. */
static size_t candidates(struct fm_view v, fm_action played, fm_action *out, size_t cap)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const bool places = fm_verb(played) == SOUMSOUM_DO_PLACE;
    const size_t room = places ? cap - SOUMSOUM_PLACES : cap;
    size_t n = soumsoum_policy.options(v, out, room);
    for (uint32_t m = places ? pub->empty : 0; m != 0; m &= m - 1)
        out[n++] = soumsoum_action(SOUMSOUM_DO_PLACE, soumsoum_action_card(played), fm__lowest(m));
    return n;
}

/* ---- what was known -------------------------------------------------------------------------- */

/* Cards that this seat can place nowhere: bits. */
static uint64_t unknown_cards(struct fm_view v)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const struct soumsoum_priv *priv = (const void *)v.priv;
    uint64_t known = 0;
    for (uint32_t m = soumsoum_cards_laid(pub); m != 0; m &= m - 1)
        known |= 1ull << pub->board[fm__lowest(m)];
    for (unsigned i = 0; i < pub->market_n; i++)
        known |= 1ull << pub->market[i];
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++) {
        const uint8_t *hand = (int)seat == v.seat ? priv->hand : pub->seen[seat];
        for (unsigned i = 0; i < pub->hand_n[seat]; i++)
            known |= hand[i] != SOUMSOUM_NONE ? 1ull << hand[i] : 0;
    }
    return ~known & ((1ull << SOUMSOUM_CARDS) - 1);
}

static unsigned count_cards(uint64_t cards)
{
    return fm__count((uint32_t)cards) + fm__count((uint32_t)(cards >> 32));
}

static void put_place(struct fm_out *o, const struct study_value *value)
{
    const unsigned place = soumsoum_action_place(value->action);
    fm_js_object(o);
    fm_js_key(o, "at");
    fm_js_array(o);
    fm_js_int(o, place / SOUMSOUM_SIDE);
    fm_js_int(o, place % SOUMSOUM_SIDE);
    fm_js_end_array(o);
    fm__js_key_chance(o, "value", value->value);
    fm__js_key_chance(o, "se", value->error);
    fm_js_end_object(o);
}

/* "places":[{"at":[1,3],"value":…,"se":…},…] for the card that was laid. */
static void put_places(struct fm_out *o, const struct study_value *value, size_t n)
{
    const unsigned card = soumsoum_action_card(value[0].action);
    fm_js_key(o, "places");
    fm_js_array(o);
    for (unsigned place = 0; place < SOUMSOUM_PLACES; place++)
        for (size_t i = 0; i < n; i++)
            if (value[i].action == soumsoum_action(SOUMSOUM_DO_PLACE, card, place))
                put_place(o, &value[i]);
    fm_js_end_array(o);
}

static void put_card(struct fm_out *o, unsigned card, int64_t chance)
{
    fm_js_object(o);
    fm_js_key_int(o, "card", card);
    fm__js_key_chance(o, "chance", chance);
    fm_js_end_object(o);
}

/* {"seat":1,"cards":[{"card":7,"chance":1.000000},…]}, cards by their place in the deck. */
static void put_rival(struct fm_out *o, const struct soumsoum_pub *pub, unsigned seat,
                      uint64_t unknown)
{
    unsigned hidden = 0;
    fm_js_object(o);
    fm_js_key_int(o, "seat", seat);
    fm_js_key(o, "cards");
    fm_js_array(o);
    for (unsigned i = 0; i < pub->hand_n[seat]; i++) {
        if (pub->seen[seat][i] != SOUMSOUM_NONE)
            put_card(o, pub->seen[seat][i], STUDY_ONE);
        else
            hidden++;
    }
    const unsigned n = count_cards(unknown);
    for (unsigned card = 0; card < SOUMSOUM_CARDS && hidden > 0 && hidden <= n; card++)
        if (unknown >> card & 1)
            put_card(o, card, fm__share(hidden, n));
    fm_js_end_array(o);
    fm_js_end_object(o);
}

static void put_knew(struct fm_out *o, struct fm_view v, const struct study_value *value, size_t n)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    if (fm_verb(value[0].action) == SOUMSOUM_DO_PLACE)
        put_places(o, value, n);
    if (!pub->market_on)
        return;
    fm_js_key(o, "rivals");
    fm_js_array(o);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        if ((int)seat != v.seat)
            put_rival(o, pub, seat, unknown_cards(v));
    fm_js_end_array(o);
}

const struct fm_study soumsoum_study = {.playouts = {2600, 13000, 104000},
                                        .learns = true,
                                        .candidates = candidates,
                                        .exact = soumsoum_exact,
                                        .put_knew = put_knew};
