/*
 * divercity_why.c: why a diver or the industrialist did something in DiverCity.
 *
 * All that a diver does is seen by everybody, but for the new order of corporation cards. Reasons
 * never name a card that whoever asks does not see: what was played is seen by all, and of a hand
 * they say only which cards its owner was told.
 */
#include "divercity/bots/divercity_why.h"

#include "base/bits.h"
#include "divercity/rules/divercity.h"

/* ---- what was heard -------------------------------------------------------------------------- */

struct memory { /* of each hand: who told its cards last, plus one, and in which turn */
    uint16_t turn[DIVERCITY_HANDS];
    uint8_t by[DIVERCITY_HANDS];
};

_Static_assert(sizeof(struct memory) <= WHY_MEMORY, "it fits");

static void hear(void *memory, const struct fm_pub *head, const struct fm_note *note)
{
    const struct divercity_pub *pub = (const void *)head;
    struct memory *m = memory;
    const unsigned hand = note->kind == DIVERCITY_TALKED ? (unsigned)(note->open & 7)
                          : note->kind == DIVERCITY_SAW  ? note->seat
                                                         : DIVERCITY_NONE;
    if (hand >= DIVERCITY_HANDS || note->seat >= DIVERCITY_HANDS)
        return;
    m->by[hand] = (uint8_t)(note->seat + 1);
    m->turn[hand] = pub->round;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static bool explains(fm_action action)
{
    switch ((enum divercity_verb)fm_verb(action)) {
    case DIVERCITY_DO_CLAIM:
    case DIVERCITY_DO_END:
    case DIVERCITY_DO_PASS:
    case DIVERCITY_DO_TAKE:
    case DIVERCITY_DO_SHOW:
        return false;
    default:
        return true;
    }
}

static fm_action replay(const struct why_question *q, struct fm_view mover)
{
    (void)mover;
    return fm_verb(q->played) == DIVERCITY_DO_REORDER ? 0 : q->played;
}

/* Signs follow from cards that whoever asks may not see; and of the industrialist's hand only the
 * card that was played is known. */
static fm_action shown(const struct why_question *q, fm_action action)
{
    const unsigned verb = fm_verb(action);
    if (verb == DIVERCITY_DO_WALKIE || verb == DIVERCITY_DO_COMMUNICATIONS)
        return divercity_talk((enum divercity_verb)verb, divercity_target(action), 0);
    if (verb == DIVERCITY_DO_INDUSTRY && !fm__why_own(q) && action != q->played)
        return 0;
    return action;
}

/* ---- reasons --------------------------------------------------------------------------------- */

/* A card moves its species one zone up, unless that is saved or extinct. */
static void put_move(struct fm_out *o, const struct why_question *q, unsigned species)
{
    const unsigned from = divercity_zone_of((const void *)q->before.pub, species);
    const bool moves = from != DIVERCITY_EXTINCT && from != DIVERCITY_SAVED;
    fm_js_key_word(o, "species", divercity_species_names[species]);
    fm_js_key_word(o, "from", divercity_zone_names[from]);
    fm_js_key_word(o, "to", divercity_zone_names[from + moves]);
}

/* {"code":"told-card","card":0,"by":1,"turn":10,"species":…,"from":…,"to":…}, or "untold-card". */
static bool put_played(struct fm_out *o, const struct why_question *q)
{
    const struct divercity_pub *pub = (const void *)q->before.pub;
    const struct memory *m = q->memory;
    const unsigned hand = q->told.seat, place = (unsigned)(q->told.open >> 8 & 0xff);
    if (hand >= pub->n_hands || divercity_rule(pub, DIVERCITY_REALISTIC))
        return false;
    const bool told = pub->told[hand] >> place & 1;
    if (told && m->by[hand] == 0)
        return false;
    fm_js_key_word(o, "code", told ? "told-card" : "untold-card");
    fm_js_key_int(o, "card", place);
    if (told) {
        fm_js_key_int(o, "by", m->by[hand] - 1);
        fm_js_key_int(o, "turn", m->turn[hand]);
    }
    put_move(o, q, (unsigned)(q->told.open & 0xff));
    return true;
}

/* {"code":"tells","target":0,"cards":[1,2]}: cards that the listener had not been told. */
static bool put_talked(struct fm_out *o, const struct why_question *q)
{
    const struct divercity_pub *pub = (const void *)q->before.pub;
    const unsigned target = (unsigned)(q->told.open & 7);
    const unsigned all = target < pub->n_hands ? (1u << pub->hand_n[target]) - 1 : 0;
    const unsigned unknown = target < pub->n_hands ? all & ~(unsigned)pub->told[target] : 0;
    if (unknown == 0 || divercity_rule(pub, DIVERCITY_REALISTIC))
        return false;
    fm_js_key_word(o, "code", "tells");
    fm_js_key_int(o, "target", target);
    fm_js_key(o, "cards");
    fm_js_array(o);
    for (unsigned m = unknown; m != 0; m &= m - 1)
        fm_js_int(o, fm__lowest(m));
    fm_js_end_array(o);
    return true;
}

/* Corporation cards face down that would build all hotels that are missing. */
static unsigned fatal(const struct divercity_pub *pub, unsigned hotels, unsigned *all)
{
    uint8_t cards[DIVERCITY_CORPORATIONS];
    unsigned n = 0;
    *all = divercity_unseen_corps(pub, cards);
    for (unsigned i = 0; i < *all; i++) {
        unsigned built = hotels;
        const unsigned card = divercity_counting(pub, cards[i]);
        for (unsigned step = 0; step < 2; step++)
            if (divercity_effect(card, step) >= DIVERCITY_PAIR_0)
                built |= divercity_pair(divercity_effect(card, step));
        n += built == DIVERCITY_ALL_BUILT;
    }
    return n;
}

/* {"code":"hotels","hotel":"purple","cards":1,"of":14}: so many cards would have lost the game. */
static bool put_hotel(struct fm_out *o, const struct why_question *q, unsigned hotel)
{
    const struct divercity_pub *pub = (const void *)q->before.pub;
    unsigned all = 0;
    const unsigned cards = fatal(pub, pub->hotels, &all);
    if (cards == 0 || hotel >= DIVERCITY_HOTELS ||
        fatal(pub, pub->hotels & ~(1u << hotel), &all) >= cards)
        return false;
    fm_js_key_word(o, "code", "hotels");
    fm_js_key_word(o, "hotel", divercity_colour_names[hotel]);
    fm_js_key_int(o, "cards", cards);
    fm_js_key_int(o, "of", all);
    return true;
}

static bool put_reason(struct fm_out *o, const struct why_question *q)
{
    switch ((enum divercity_note)q->told.kind) {
    case DIVERCITY_PLAYED:
        return put_played(o, q);
    case DIVERCITY_TALKED:
        return put_talked(o, q);
    case DIVERCITY_CLOSED:
        return put_hotel(o, q, (unsigned)(q->told.open >> 16 & 0xff));
    default:
        return false;
    }
}

const struct fm_reasoning divercity_reasoning = {.policy = &divercity_policy,
                                                 .explains = explains,
                                                 .replay = replay,
                                                 .shown = shown,
                                                 .hear = hear,
                                                 .put_reason = put_reason,
                                                 .study = &divercity_study};
