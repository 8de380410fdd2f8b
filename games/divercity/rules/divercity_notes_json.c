/* divercity_notes_json.c: what happened in DiverCity, as JSON events and as sentences. */
#include "divercity/rules/divercity_names.h"

static const char *const names[DIVERCITY_NOTES] = {
    [DIVERCITY_DEALT] = "dealt",        [DIVERCITY_TOOK] = "took",
    [DIVERCITY_PASSED] = "passed",      [DIVERCITY_BEGINS] = "begins",
    [DIVERCITY_STARTS] = "turn",        [DIVERCITY_RESHUFFLED] = "reshuffled",
    [DIVERCITY_TURNED] = "corporation", [DIVERCITY_DISCARDED] = "rig",
    [DIVERCITY_DYNAMITED] = "boat",     [DIVERCITY_MOVED] = "moved",
    [DIVERCITY_BUILT] = "built",        [DIVERCITY_PLAYED] = "played",
    [DIVERCITY_DREW] = "drew",          [DIVERCITY_TALKED] = "walkie",
    [DIVERCITY_CLOSED] = "closed",      [DIVERCITY_USED] = "used",
    [DIVERCITY_UNBUILT] = "unbuilt",    [DIVERCITY_ORDERED] = "ordered",
    [DIVERCITY_LOOKED] = "looked",      [DIVERCITY_REORDERED] = "reordered",
    [DIVERCITY_STRUCK] = "struck",      [DIVERCITY_SAW] = "explored",
    [DIVERCITY_CLAIMED] = "claimed",    [DIVERCITY_FILLED] = "filled",
    [DIVERCITY_SHOWN] = "shown",        [DIVERCITY_WON] = "won",
    [DIVERCITY_SHOWED] = "showed",
};

static const char *const reasons[] = {"saved", "extinct", "hotels", "stuck", "empty-deck"};

static unsigned byte(uint64_t bytes, unsigned i)
{
    return (unsigned)(bytes >> 8 * i & 0xff);
}

/* Its seat is the industrialist's, not a hand. */
static bool is_industry(const struct fm_note *note)
{
    return note->kind == DIVERCITY_TURNED || note->kind == DIVERCITY_FILLED;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

/* In solo one seat plays two hands, so events name the hand. */
static void js_who(struct fm_out *o, const struct divercity_pub *pub, const struct fm_note *note)
{
    const bool hand = divercity_rule(pub, DIVERCITY_SOLO) && !is_industry(note);
    if (note->seat != FM_TABLE)
        fm_js_key_int(o, hand ? "hand" : "seat", note->seat);
}

/* A list of n cards, null where the viewer may not know them. */
static void js_cards(struct fm_out *o, const char *key, unsigned n, uint64_t cards, bool cut,
                     void (*js_card)(struct fm_out *, unsigned))
{
    fm_js_key(o, key);
    fm_js_array(o);
    for (unsigned i = 0; i < n; i++) {
        if (cut)
            fm_js_null(o);
        else
            js_card(o, byte(cards, i));
    }
    fm_js_end_array(o);
}

static void js_one(struct fm_out *o, const char *key, unsigned card)
{
    fm_js_key(o, key);
    divercity_js_species(o, card);
}

static void js_talk(struct fm_out *o, const struct divercity_pub *pub, const struct fm_note *note)
{
    const unsigned target = (unsigned)(note->open & 7);
    const uint64_t signs = note->open >> 3;
    fm_js_key_int(o, "target", target);
    if (!divercity_rule(pub, DIVERCITY_REALISTIC)) {
        js_cards(o, "cards", byte(note->open, 1), note->hidden, note->cut, divercity_js_species);
        return;
    }
    fm_js_key(o, "signs");
    fm_js_array(o);
    for (unsigned n = 0; n < DIVERCITY_HAND && divercity_sign(signs, n) != 0; n++)
        divercity_js_signs(o, divercity_sign(signs, n));
    fm_js_end_array(o);
}

void divercity_put_note(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    const unsigned low = byte(note->open, 0), high = byte(note->open, 1);
    const unsigned third = byte(note->open, 2);
    fm_js_key_text(o, "event", names[note->kind]);
    js_who(o, pub, note);
    switch ((enum divercity_note)note->kind) {
    case DIVERCITY_DEALT:
    case DIVERCITY_SAW:
        js_cards(o, "cards", low, note->hidden, note->cut, divercity_js_species);
        break;
    case DIVERCITY_SHOWN:
        js_cards(o, "cards", byte(note->open, 4), note->open, false, divercity_js_species);
        break;
    case DIVERCITY_SHOWED:
        js_cards(o, "cards", byte(note->open, 4), note->open, false, divercity_js_corp);
        break;
    case DIVERCITY_LOOKED:
    case DIVERCITY_REORDERED:
        js_cards(o, "cards", low, note->hidden, note->cut, divercity_js_corp);
        break;
    case DIVERCITY_TOOK:
    case DIVERCITY_USED:
        fm_js_key_text(o, "diver", divercity_diver_names[low]);
        break;
    case DIVERCITY_RESHUFFLED:
        fm_js_key_text(o, "pile", low ? "species" : "corporation");
        break;
    case DIVERCITY_TURNED:
        fm_js_key(o, "card");
        divercity_js_corp(o, low);
        break;
    case DIVERCITY_STRUCK:
        fm_js_key_int(o, "place", high);
        fm_js_key(o, "card");
        divercity_js_corp(o, low);
        break;
    case DIVERCITY_CLOSED:
        fm_js_key_text(o, "hotel", divercity_colour_names[third]);
        fm_js_key_int(o, "card", high);
        js_one(o, "species", low);
        break;
    case DIVERCITY_DISCARDED:
    case DIVERCITY_PLAYED:
    case DIVERCITY_CLAIMED:
        fm_js_key_int(o, "card", high);
        js_one(o, "species", low);
        break;
    case DIVERCITY_DYNAMITED:
        js_one(o, "species", low);
        break;
    case DIVERCITY_MOVED:
        js_one(o, "species", low);
        fm_js_key_text(o, "from", divercity_zone_names[high]);
        fm_js_key_text(o, "to", divercity_zone_names[third]);
        break;
    case DIVERCITY_BUILT:
    case DIVERCITY_UNBUILT:
        fm_js_key_text(o, "hotel", divercity_colour_names[low]);
        break;
    case DIVERCITY_DREW:
        fm_js_key_int(o, "card", low);
        js_one(o, "species", note->cut ? DIVERCITY_NONE : (unsigned)note->hidden);
        break;
    case DIVERCITY_TALKED:
        js_talk(o, pub, note);
        break;
    case DIVERCITY_ORDERED:
        fm_js_key_int(o, "target", low);
        break;
    case DIVERCITY_FILLED:
        fm_js_key_int(o, "place", low);
        fm_js_key(o, "card");
        if (note->cut)
            fm_js_null(o);
        else
            divercity_js_corp(o, (unsigned)note->hidden);
        break;
    case DIVERCITY_WON:
        fm_js_key_text(o, "won", low == DIVERCITY_BY_SAVED ? "divers" : "corporations");
        fm_js_key_text(o, "reason", reasons[low]);
        break;
    case DIVERCITY_PASSED:
    case DIVERCITY_BEGINS:
    case DIVERCITY_STARTS:
    case DIVERCITY_NOTES:
        break;
    }
}

/* ---- sentences ------------------------------------------------------------------------------ */

/* Seats are letters here; in solo it is the hand that counts. */
static void put_who(struct fm_out *o, const struct divercity_pub *pub, unsigned who)
{
    if (divercity_rule(pub, DIVERCITY_SOLO)) {
        fm_put(o, "hand ");
        fm_put_int(o, who);
    } else {
        fm_put_bytes(o, &"ABCDEF"[who], 1);
    }
}

static void put_cards(struct fm_out *o, unsigned n, uint64_t cards, bool cut)
{
    for (unsigned i = 0; i < n; i++) {
        fm_put(o, i > 0 ? ", " : "");
        fm_put(o, cut ? "?" : divercity_species_names[byte(cards, i)]);
    }
}

static void put_corp(struct fm_out *o, unsigned card)
{
    for (unsigned step = 0; step < 2; step++) {
        if (divercity_effect(card, step) == DIVERCITY_NO_EFFECT)
            continue;
        fm_put(o, step > 0 ? " over " : "");
        divercity_put_effect(o, divercity_effect(card, step));
    }
}

static void put_corps(struct fm_out *o, unsigned n, uint64_t cards, bool cut)
{
    if (cut) {
        fm_put_int(o, n);
        fm_put(o, n == 1 ? " corporation card" : " corporation cards");
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        fm_put(o, i > 0 ? ", " : "");
        put_corp(o, byte(cards, i));
    }
}

static void put_talk(struct fm_out *o, const struct divercity_pub *pub, const struct fm_note *note)
{
    fm_put(o, divercity_rule(pub, DIVERCITY_REALISTIC) ? " makes signs to " : " tells ");
    put_who(o, pub, (unsigned)(note->open & 7));
    if (divercity_rule(pub, DIVERCITY_REALISTIC))
        return;
    fm_put(o, " the hand: ");
    put_cards(o, byte(note->open, 1), note->hidden, note->cut);
}

static void put_end(struct fm_out *o, unsigned reason)
{
    static const char *const why[] = {
        "the divers win: enough species are saved",
        "the corporations win: too many species are extinct",
        "the corporations win: all six hotels stand",
        "the corporations win: the divers can do nothing any more",
        "the corporations win: the species deck is empty",
    };
    fm_put(o, why[reason]);
}

void divercity_put_sentence(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    const unsigned low = byte(note->open, 0), high = byte(note->open, 1);
    const unsigned third = byte(note->open, 2);
    const bool cut = note->cut;
    if (note->seat != FM_TABLE && is_industry(note))
        fm_put(o, "the industrialist");
    else if (note->seat != FM_TABLE)
        put_who(o, pub, note->seat);
    switch ((enum divercity_note)note->kind) {
    case DIVERCITY_DEALT:
        fm_put(o, " is dealt ");
        put_cards(o, low, note->hidden, cut);
        break;
    case DIVERCITY_TOOK:
        fm_put(o, " gets the diver card ");
        fm_put(o, divercity_diver_names[low]);
        break;
    case DIVERCITY_PASSED:
        fm_put(o, " takes no more diver cards");
        break;
    case DIVERCITY_BEGINS:
        fm_put(o, " goes first");
        break;
    case DIVERCITY_STARTS:
        fm_put(o, "'s turn");
        break;
    case DIVERCITY_RESHUFFLED:
        fm_put(o, low ? "the species discard is shuffled for the dynamite"
                      : "the corporation discard is shuffled");
        break;
    case DIVERCITY_TURNED:
        fm_put(o, note->seat == FM_TABLE ? "the corporations: " : " plays ");
        put_corp(o, low);
        break;
    case DIVERCITY_DISCARDED:
        fm_put(o, " loses to the oil rig: ");
        fm_put(o, divercity_species_names[low]);
        break;
    case DIVERCITY_DYNAMITED:
        fm_put(o, "dynamite hits: ");
        fm_put(o, divercity_species_names[low]);
        break;
    case DIVERCITY_MOVED:
        fm_put(o, divercity_species_names[low]);
        fm_put(o, third > high ? " rises to " : " sinks to ");
        fm_put(o, divercity_zone_names[third]);
        break;
    case DIVERCITY_BUILT:
    case DIVERCITY_UNBUILT:
        fm_put(o, "the ");
        fm_put(o, divercity_colour_names[low]);
        fm_put(o, note->kind == DIVERCITY_BUILT ? " hotel is built" : " hotel is an island again");
        break;
    case DIVERCITY_PLAYED:
        fm_put(o, " plays ");
        fm_put(o, divercity_species_names[low]);
        break;
    case DIVERCITY_DREW:
        fm_put(o, " draws ");
        put_cards(o, 1, note->hidden, cut);
        break;
    case DIVERCITY_TALKED:
        put_talk(o, pub, note);
        break;
    case DIVERCITY_CLOSED:
        fm_put(o, " gives up ");
        fm_put(o, divercity_species_names[low]);
        fm_put(o, " and closes the ");
        fm_put(o, divercity_colour_names[third]);
        fm_put(o, " hotel");
        break;
    case DIVERCITY_USED:
        fm_put(o, " uses the diver card ");
        fm_put(o, divercity_diver_names[low]);
        break;
    case DIVERCITY_ORDERED:
        fm_put(o, " orders ");
        put_who(o, pub, low);
        fm_put(o, " to play");
        break;
    case DIVERCITY_LOOKED:
    case DIVERCITY_REORDERED:
        fm_put(o, note->kind == DIVERCITY_LOOKED ? " looks at " : " puts on top ");
        put_corps(o, low, note->hidden, cut);
        break;
    case DIVERCITY_SHOWED:
        fm_put(o, " shows ");
        put_corps(o, byte(note->open, 4), note->open, false);
        break;
    case DIVERCITY_STRUCK:
        fm_put(o, " strikes from the industrialist's hand: ");
        put_corp(o, low);
        break;
    case DIVERCITY_SAW:
        fm_put(o, " looks at the own hand: ");
        put_cards(o, low, note->hidden, cut);
        break;
    case DIVERCITY_CLAIMED:
        fm_put(o, " believes card ");
        fm_put_int(o, high);
        fm_put(o, " to be ");
        fm_put(o, low < DIVERCITY_SPECIES ? divercity_species_names[low] : "nothing certain");
        break;
    case DIVERCITY_FILLED:
        fm_put(o, " draws ");
        put_corps(o, 1, note->hidden, cut);
        break;
    case DIVERCITY_SHOWN:
        fm_put(o, " held ");
        put_cards(o, byte(note->open, 4), note->open, false);
        break;
    case DIVERCITY_WON:
        put_end(o, low);
        break;
    case DIVERCITY_NOTES:
        break;
    }
}
