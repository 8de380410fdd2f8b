/* divercity_leaks_test.c: DiverCity, where the own hand is the secret: let out one at a time. */
#include "conform/leaks.h"

#include "base/hash.h"
#include "base/panic.h"
#include "divercity/rules/divercity_state.h"

#include <fathom/games.h>

#include <string.h>

static void view_shows_own_card(struct fm_out *o, struct fm_view v)
{
    const struct divercity_state *s = (const void *)v.pub; /* what no viewer should reach */
    fm_game_divercity.wire->put_view(o, v);
    if (v.seat != FM_WATCHER)
        fm_js_key_int(o, "mine", s->secret.hand[v.seat][0]);
}

static enum fm_err own_card_in_private(void *state, const struct fm_event *ev,
                                       struct fm_notes *notes)
{
    struct divercity_state *s = state;
    const enum fm_err err = fm_game_divercity.apply(state, ev, notes);
    for (unsigned hand = 0; err == FM_OK && hand < s->pub.n_hands; hand++)
        s->priv[hand].zero[0] = s->secret.hand[hand][0];
    return err;
}

static enum fm_err everybody_is_told(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = fm_game_divercity.apply(state, ev, notes);
    for (size_t i = 0; err == FM_OK && notes != NULL && i < notes->len; i++)
        notes->item[i].knows = FM_EVERYBODY;
    return err;
}

static fm_action sample_knows_own_hand(struct fm_view v, struct fm_rng *rng)
{
    const struct divercity_state *s = (const void *)v.pub;
    for (int i = v.seat == FM_WATCHER ? 0 : s->secret.hand[v.seat][0] & 3; i > 0; i--)
        (void)fm_rng_u32(rng);
    return fm_game_divercity.sample(v, rng);
}

/* ---- rules 2 -------------------------------------------------------------------------------- */

static struct fm_setup visionary, empty_deck;

static void view_shows_next_card(struct fm_out *o, struct fm_view v)
{
    const struct divercity_state *s = (const void *)v.pub;
    fm_game_divercity.wire->put_view(o, v);
    if (s->pub.corp_deck_n > 0)
        fm_js_key_int(o, "next", s->secret.corp_deck[s->pub.corp_deck_n - 1]);
}

/* As if the visionary had shown the cards as soon as it looks. */
static enum fm_err looking_shows(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct divercity_state *s = state;
    const enum fm_err err = fm_game_divercity.apply(state, ev, notes);
    for (unsigned i = 0; err == FM_OK && i < s->pub.looked; i++)
        s->pub.next[i] = s->secret.corp_deck[s->pub.corp_deck_n - 1 - i];
    return err;
}

/* The order is told to everybody, though the cards were not shown. */
static enum fm_err order_is_told(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = fm_game_divercity.apply(state, ev, notes);
    for (size_t i = 0; err == FM_OK && notes != NULL && i < notes->len; i++)
        if (notes->item[i].kind == DIVERCITY_REORDERED)
            notes->item[i].knows = FM_EVERYBODY;
    return err;
}

/* What the next dynamite will turn over. */
static void view_shows_boat_card(struct fm_out *o, struct fm_view v)
{
    const struct divercity_state *s = (const void *)v.pub;
    struct fm_rng rng = s->secret.head.rng;
    fm_game_divercity.wire->put_view(o, v);
    if (s->pub.boat_n > 0)
        fm_js_key_int(o, "boat", fm_rng_below(&rng, s->pub.boat_n));
}

static const struct leak leaks[] = {
    {"a view shows an own card", conform_twins, .put_view = view_shows_own_card},
    {"an own card in the private block", conform_twins, .apply = own_card_in_private},
    {"who draws is told the card", conform_twins, .apply = everybody_is_told},
    {"the sample knows the own hand", conform_twins, .sample = sample_knows_own_hand},
    {"a view shows the next corporation card", conform_twins, &visionary,
     .put_view = view_shows_next_card},
    {"looking shows the cards", conform_twins, &visionary, .apply = looking_shows},
    {"the new order is told without show", conform_twins, &visionary, .apply = order_is_told},
    {"a view shows the boat pile's next card", conform_twins, &empty_deck,
     .put_view = view_shows_boat_card},
};

static struct fm_setup table(const char *json)
{
    struct conform c = {0};
    conform_table(&c, &fm_game_divercity, json);
    return c.setup;
}

int main(void)
{
    fm_assert(fm__hash_start() == 0);
    const struct fm_setup usual = table("{\"game\":\"divercity\",\"options\":{\"divers\":3}}");
    visionary = table("{\"game\":\"divercity\",\"options\":{\"divers\":3},"
                      "\"setup\":{\"diver_cards\":[[\"visionary\"],[],[]]}}");
    empty_deck =
        table("{\"game\":\"divercity\",\"options\":{\"divers\":3},\"setup\":{"
              "\"species_deck\":[\"eel\"],\"species_discard\":[\"crab\",\"eel\",\"manta\","
              "\"crab\",\"oyster\"],\"corporation_deck\":[[\"boat\"],[\"boat\"],[\"boat\"]]}}");
    return leaks_run("divercity_leaks", &usual, leaks, sizeof leaks / sizeof leaks[0]);
}
