/* divercity_view_json.c: DiverCity's views and states as JSON, and as a board for terminals. */
#include "divercity/rules/divercity_names.h"

#include "base/bits.h"

#include <string.h>

/* ---- what everybody sees -------------------------------------------------------------------- */

static void js_ladder(struct fm_out *o, const struct divercity_pub *pub)
{
    fm_js_key(o, "ladder");
    fm_js_object(o);
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++)
        fm_js_key_text(o, divercity_species_names[i],
                       divercity_zone_names[divercity_zone_of(pub, i)]);
    fm_js_end_object(o);
}

static void js_hotels(struct fm_out *o, const struct divercity_pub *pub)
{
    fm_js_key(o, "hotels");
    fm_js_array(o);
    for (unsigned m = pub->hotels; m != 0; m &= m - 1)
        fm_js_text(o, divercity_colour_names[fm__lowest(m)]);
    fm_js_end_array(o);
}

static void js_rows(struct fm_out *o, const char *key, const struct divercity_pub *pub,
                    const uint8_t rows[DIVERCITY_HANDS][DIVERCITY_HAND])
{
    fm_js_key(o, key);
    fm_js_array(o);
    for (unsigned hand = 0; hand < pub->n_hands; hand++) {
        fm_js_array(o);
        for (unsigned i = 0; i < pub->hand_n[hand]; i++)
            divercity_js_species(o, rows[hand][i]);
        fm_js_end_array(o);
    }
    fm_js_end_array(o);
}

static void js_signs(struct fm_out *o, const struct divercity_pub *pub)
{
    fm_js_key(o, "signs");
    fm_js_array(o);
    for (unsigned hand = 0; hand < pub->n_hands; hand++) {
        fm_js_array(o);
        for (unsigned i = 0; i < pub->hand_n[hand]; i++) {
            if (pub->sign[hand][i] == 0)
                fm_js_null(o);
            else
                divercity_js_signs(o, pub->sign[hand][i]);
        }
        fm_js_end_array(o);
    }
    fm_js_end_array(o);
}

/* Which cards each diver was told or has looked at; that much everybody saw. */
static void js_told(struct fm_out *o, const struct divercity_pub *pub)
{
    fm_js_key(o, "told");
    fm_js_array(o);
    for (unsigned hand = 0; hand < pub->n_hands; hand++) {
        fm_js_array(o);
        for (unsigned i = 0; i < pub->hand_n[hand]; i++)
            fm_js_bool(o, pub->told[hand] >> i & 1);
        fm_js_end_array(o);
    }
    fm_js_end_array(o);
}

/* The diver cards before each hand: those still to be used, or those that were. */
static void js_divers(struct fm_out *o, const char *key, const struct divercity_pub *pub, bool used)
{
    fm_js_key(o, key);
    fm_js_array(o);
    for (unsigned hand = 0; hand < pub->n_hands; hand++) {
        fm_js_array(o);
        for (unsigned d = 0; d < DIVERCITY_DIVERS; d++) {
            const bool unused = pub->unused[hand] >> d & 1;
            if (used ? pub->owner[d] == hand && !unused : unused)
                fm_js_text(o, divercity_diver_names[d]);
        }
        fm_js_end_array(o);
    }
    fm_js_end_array(o);
}

static void js_corps(struct fm_out *o, const char *key, const uint8_t *cards, unsigned n)
{
    fm_js_key(o, key);
    fm_js_array(o);
    for (unsigned i = 0; i < n; i++)
        divercity_js_corp(o, cards[i]);
    fm_js_end_array(o);
}

static void js_unseen(struct fm_out *o, const struct divercity_pub *pub)
{
    uint8_t cards[DIVERCITY_CORPORATIONS];
    const unsigned n = divercity_unseen_corps(pub, cards);
    js_corps(o, "corporation_unseen", cards, n);
}

static void js_turn(struct fm_out *o, const void *about)
{
    const struct divercity_pub *pub = about;
    fm_js_key(o, "active");
    if (pub->head.status == FM_OVER)
        fm_js_null(o);
    else
        fm_js_int(o, pub->active);
    if (pub->head.phase == DIVERCITY_CAPTAIN)
        fm_js_key_int(o, "ordered", pub->asked);
    fm_js_key_int(o, "round", pub->round);
    fm_js_key_int(o, "to_save", pub->to_save);
    fm_js_key_int(o, "to_lose", pub->to_lose);
    js_ladder(o, pub);
    js_hotels(o, pub);
}

static void js_piles(struct fm_out *o, const void *about)
{
    const struct divercity_pub *pub = about;
    js_rows(o, "claims", pub, pub->claim);
    if (divercity_rule(pub, DIVERCITY_REALISTIC))
        js_signs(o, pub);
    fm_js_key_int(o, "species_deck", pub->deck_n);
    fm_js_key(o, "species_discard");
    fm_js_array(o);
    for (unsigned i = 0; i < pub->discard_n; i++)
        divercity_js_species(o, pub->discard[i]);
    fm_js_end_array(o);
    if (pub->head.rules >= 2)
        fm_js_key_int(o, "boat_pile", pub->boat_n);
    fm_js_key_int(o, "corporation_deck", pub->corp_deck_n);
    js_corps(o, "corporation_discard", pub->corp_discard, pub->corp_discard_n);
    js_unseen(o, pub);
    fm_js_key(o, "corporation_open");
    if (pub->open == 0)
        fm_js_null(o);
    else
        divercity_js_corp(o, pub->open);
    js_told(o, pub);
    js_divers(o, "diver_cards", pub, false);
    js_divers(o, "diver_used", pub, true);
}

/* ---- views and states ----------------------------------------------------------------------- */

/* The cards this viewer has before its eyes; once told is not seen for good (C43, C45). */
static void visible(struct fm_view v, uint8_t rows[DIVERCITY_HANDS][DIVERCITY_HAND])
{
    const struct divercity_pub *pub = (const void *)v.pub;
    const struct divercity_priv *priv = (const void *)v.priv;
    memcpy(rows, pub->shown, sizeof pub->shown);
    if (pub->head.status == FM_OVER || priv == NULL)
        return;
    memcpy(rows, priv->hand, sizeof priv->hand);
    if (divercity_rule(pub, DIVERCITY_SOLO) || v.seat >= pub->n_hands)
        return;
    for (unsigned i = 0; i < DIVERCITY_HAND; i++)
        if (!(pub->face_up[v.seat] >> i & 1))
            rows[v.seat][i] = DIVERCITY_NONE;
}

/* The next corporation cards; null where they are not known. */
static void js_next(struct fm_out *o, const struct divercity_pub *pub,
                    const uint8_t known[DIVERCITY_LOOK])
{
    fm_js_key(o, "corporation_next");
    fm_js_array(o);
    for (unsigned i = 0; i < DIVERCITY_LOOK && i < pub->corp_deck_n; i++) {
        if (known[i] == 0)
            fm_js_null(o);
        else
            divercity_js_corp(o, known[i]);
    }
    fm_js_end_array(o);
}

/* Of these everybody knows what was shown, and the visionary what it looked at (C24). */
static void js_known_next(struct fm_out *o, struct fm_view v)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    const struct divercity_priv *priv = (const void *)v.priv;
    const bool hand = pub->industrialist != DIVERCITY_NONE; /* what it knows is no deck card */
    if (pub->head.rules >= 2)
        js_next(o, pub, priv == NULL || pub->showed || hand ? pub->next : priv->corp);
}

void divercity_put_view(struct fm_out *o, struct fm_view v)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    const struct divercity_priv *priv = (const void *)v.priv;
    uint8_t rows[DIVERCITY_HANDS][DIVERCITY_HAND];
    visible(v, rows);
    fm_put_once(o, js_turn, pub);
    js_rows(o, "hands", pub, rows);
    fm_put_once(o, js_piles, pub);
    js_known_next(o, v);
    if (v.seat == pub->industrialist)
        js_corps(o, "industry_hand", priv->corp, pub->industry_n);
    if (pub->head.phase == DIVERCITY_VISIONARY && v.seat >= 0 && (pub->head.owes >> v.seat & 1))
        js_corps(o, "looked_at", priv->corp,
                 pub->industrialist == DIVERCITY_NONE ? pub->looked : pub->industry_n);
}

void divercity_put_state(struct fm_out *o, const void *state)
{
    const struct divercity_state *s = state;
    uint8_t next[DIVERCITY_LOOK] = {0};
    for (unsigned i = 0; i < DIVERCITY_LOOK && i < s->pub.corp_deck_n; i++)
        next[i] = s->secret.corp_deck[s->pub.corp_deck_n - 1 - i];
    js_turn(o, &s->pub);
    js_rows(o, "hands", &s->pub, s->secret.hand);
    js_piles(o, &s->pub);
    if (s->pub.head.rules >= 2)
        js_next(o, &s->pub, next);
    if (s->pub.industrialist != DIVERCITY_NONE)
        js_corps(o, "industry_hand", s->secret.industry, s->pub.industry_n);
}

void divercity_put_result(struct fm_out *o, const struct fm_pub *head)
{
    static const char *const reasons[] = {"saved", "extinct", "hotels", "stuck", "empty-deck"};
    const struct divercity_pub *pub = (const void *)head;
    fm_js_object(o);
    fm_js_key_text(o, "won", pub->reason == DIVERCITY_BY_SAVED ? "divers" : "corporations");
    fm_js_key_text(o, "reason", reasons[pub->reason]);
    fm_js_end_object(o);
}

/* ---- for terminals -------------------------------------------------------------------------- */

static void put_padded(struct fm_out *o, const char *text, size_t width)
{
    fm_put(o, text);
    for (size_t n = strlen(text); n < width; n++)
        fm_put(o, " ");
}

/* A line of the ladder: the species that stand in this zone. */
static void put_zone(struct fm_out *o, const struct divercity_pub *pub, unsigned zone)
{
    fm_put(o, "  ");
    put_padded(o, divercity_zone_names[zone], 9);
    for (unsigned m = pub->zone[zone]; m != 0; m &= m - 1) {
        fm_put(o, divercity_species_names[fm__lowest(m)]);
        fm_put(o, m & (m - 1) ? ", " : "");
    }
    if (zone == DIVERCITY_SAVED || zone == DIVERCITY_EXTINCT) {
        fm_put(o, pub->zone[zone] != 0 ? " (" : "(");
        fm_put_int(o, zone == DIVERCITY_SAVED ? pub->saved : pub->extinct);
        fm_put(o, " of ");
        fm_put_int(o, zone == DIVERCITY_SAVED ? pub->to_save : pub->to_lose);
        fm_put(o, ")");
    }
    fm_put(o, "\n");
}

static void put_hand(struct fm_out *o, const struct divercity_pub *pub, unsigned hand,
                     const uint8_t *row)
{
    fm_put(o, hand == pub->active ? "> " : "  ");
    if (divercity_rule(pub, DIVERCITY_SOLO)) {
        fm_put(o, "hand ");
        fm_put_int(o, hand);
        fm_put(o, "   ");
    } else {
        fm_put_bytes(o, &"ABCDEF"[hand], 1);
        fm_put(o, "        ");
    }
    for (unsigned i = 0; i < pub->hand_n[hand]; i++) {
        const bool seen = row[i] != DIVERCITY_NONE;
        put_padded(o, seen ? divercity_species_names[row[i]] : "?", 14);
    }
    for (unsigned m = pub->unused[hand]; m != 0; m &= m - 1) {
        fm_put(o, " *");
        fm_put(o, divercity_diver_names[fm__lowest(m)]);
    }
    fm_put(o, "\n");
}

void divercity_put_board(struct fm_out *o, struct fm_view v)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    uint8_t rows[DIVERCITY_HANDS][DIVERCITY_HAND];
    visible(v, rows);
    for (unsigned zone = DIVERCITY_ZONES; zone-- > 0;)
        put_zone(o, pub, zone);
    fm_put(o, "  hotels   ");
    for (unsigned m = pub->hotels; m != 0; m &= m - 1) {
        fm_put(o, divercity_colour_names[fm__lowest(m)]);
        fm_put(o, " ");
    }
    fm_put(o, pub->hotels == 0 ? "none\n" : "\n");
    for (unsigned hand = 0; hand < pub->n_hands; hand++)
        put_hand(o, pub, hand, rows[hand]);
    fm_put(o, "  species deck ");
    fm_put_int(o, pub->deck_n);
    if (pub->boat_n > 0) {
        fm_put(o, ", boat pile ");
        fm_put_int(o, pub->boat_n);
    }
    fm_put(o, ", corporation deck ");
    fm_put_int(o, pub->corp_deck_n);
    fm_put(o, "\n");
}
