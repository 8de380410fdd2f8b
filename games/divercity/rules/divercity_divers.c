/* divercity_divers.c: the eight diver cards of DiverCity: taking them, using them (C20 - C27). */
#include "base/bits.h"
#include "divercity/rules/divercity_rules.h"

/* ---- who could use which -------------------------------------------------------------------- */

static bool has_target(const struct divercity_pub *pub, unsigned hand, enum divercity_diver diver)
{
    switch (diver) {
    case DIVERCITY_ENDURANCE:
        return pub->zone[DIVERCITY_RED] != 0;
    case DIVERCITY_DIVING:
        return pub->zone[DIVERCITY_BLUE] != 0;
    case DIVERCITY_CAPTAIN_CARD:
    case DIVERCITY_COMMUNICATIONS:
        return divercity_others(pub, hand) != 0;
    case DIVERCITY_ENVIRONMENTALIST:
        return pub->hotels != 0;
    case DIVERCITY_VISIONARY_CARD:
        return pub->industrialist == DIVERCITY_NONE ? pub->corp_deck_n > 0 : pub->industry_n > 0;
    case DIVERCITY_EXPLORER:
    case DIVERCITY_SWIMMER:
        return pub->hand_n[hand] > 0;
    case DIVERCITY_DIVERS:
        break;
    }
    return false;
}

unsigned divercity_usable(const struct divercity_pub *pub, unsigned hand)
{
    unsigned usable = pub->unused[hand];
    for (unsigned m = usable; m != 0; m &= m - 1)
        if (!has_target(pub, hand, (enum divercity_diver)fm__lowest(m)))
            usable &= ~(m & -m);
    return usable;
}

bool divercity_anyone_usable(const struct divercity_pub *pub)
{
    if (pub->sharing == DIVERCITY_NO_DIVERS)
        return false;
    if (!divercity_rule(pub, DIVERCITY_ANY_TURN))
        return divercity_usable(pub, pub->active) != 0;
    for (unsigned hand = 0; hand < pub->n_hands; hand++)
        if (divercity_usable(pub, hand) != 0)
            return true;
    return false;
}

/* ---- taking them at setup (C29, C41) -------------------------------------------------------- */

void divercity_own(struct divercity_pub *pub, unsigned hand, unsigned diver, struct fm_notes *notes)
{
    pub->owner[diver] = (uint8_t)hand;
    pub->unused[hand] |= (uint8_t)(1u << diver);
    fm_tell(notes, DIVERCITY_TOOK, hand, diver);
}

/* The hand this seat takes for: its own; in solo the first that is not done. */
unsigned divercity_taking(const struct divercity_pub *pub, unsigned seat)
{
    if (!divercity_rule(pub, DIVERCITY_SOLO))
        return seat;
    return pub->passed & 1;
}

/* The hand is done taking; the last one ends the setup. */
static void done_taking(struct divercity_state *s, unsigned hand, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    pub->passed |= (uint8_t)(1u << hand);
    if (pub->passed == (1u << pub->n_hands) - 1)
        divercity_begin_turn(s, pub->active, notes);
    else if (!divercity_rule(pub, DIVERCITY_SOLO))
        pub->head.owes &= (uint8_t) ~(1u << hand);
}

enum fm_err divercity_take(struct divercity_state *s, unsigned seat, unsigned diver,
                           struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->head.phase != DIVERCITY_SETUP)
        return FM_E_PHASE;
    if (diver >= DIVERCITY_DIVERS)
        return FM_E_ACTION;
    if (pub->owner[diver] != DIVERCITY_NONE)
        return FM_E_DIVER_TAKEN;
    const unsigned hand = divercity_taking(pub, seat);
    divercity_own(pub, hand, diver, notes);
    if (pub->sharing == DIVERCITY_CHOOSE)
        done_taking(s, hand, notes);
    return FM_OK;
}

enum fm_err divercity_pass(struct divercity_state *s, unsigned seat, struct fm_notes *notes)
{
    if (s->pub.head.phase != DIVERCITY_SETUP)
        return FM_E_PHASE;
    if (s->pub.sharing == DIVERCITY_CHOOSE)
        return FM_E_MUST_TAKE;
    const unsigned hand = divercity_taking(&s->pub, seat);
    fm_tell(notes, DIVERCITY_PASSED, hand, 0);
    done_taking(s, hand, notes);
    return FM_OK;
}

/* ---- using them ----------------------------------------------------------------------------- */

static void mark_used(struct divercity_pub *pub, enum divercity_diver diver, struct fm_notes *notes)
{
    pub->unused[pub->owner[diver]] &= (uint8_t) ~(1u << diver);
    fm_tell(notes, DIVERCITY_USED, pub->owner[diver], diver);
}

/* C20, C21: one token, from a zone to the next better one. */
static enum fm_err use_lift(struct divercity_state *s, enum divercity_diver diver, unsigned species,
                            struct fm_notes *notes)
{
    const enum divercity_zone from = diver == DIVERCITY_ENDURANCE ? DIVERCITY_RED : DIVERCITY_BLUE;
    if (species >= DIVERCITY_SPECIES)
        return FM_E_ACTION;
    if (!(s->pub.zone[from] >> species & 1))
        return FM_E_WRONG_ZONE;
    mark_used(&s->pub, diver, notes);
    divercity_move(&s->pub, species, 1, notes);
    divercity_go_on(s, notes);
    return FM_OK;
}

/* C22: the other one chooses what to play. */
static enum fm_err use_captain(struct divercity_state *s, unsigned hand, unsigned target,
                               struct fm_notes *notes)
{
    if (target >= s->pub.n_hands)
        return FM_E_NO_DIVER;
    if (target == hand)
        return FM_E_OWN_HAND;
    if (s->pub.hand_n[target] == 0)
        return FM_E_EMPTY_HAND;
    mark_used(&s->pub, DIVERCITY_CAPTAIN_CARD, notes);
    fm_tell(notes, DIVERCITY_ORDERED, hand, target);
    divercity_ask(&s->pub, DIVERCITY_CAPTAIN, target);
    return FM_OK;
}

/* C23 */
static enum fm_err use_environmentalist(struct divercity_state *s, unsigned hotel,
                                        struct fm_notes *notes)
{
    if (hotel >= DIVERCITY_HOTELS)
        return FM_E_ACTION;
    if (!(s->pub.hotels >> hotel & 1))
        return FM_E_NOT_BUILT;
    mark_used(&s->pub, DIVERCITY_ENVIRONMENTALIST, notes);
    s->pub.hotels &= (uint8_t) ~(1u << hotel);
    fm_tell(notes, DIVERCITY_UNBUILT, FM_TABLE, hotel);
    divercity_go_on(s, notes);
    return FM_OK;
}

/* C24: what is looked at; what comes of it is said in a phase of its own. */
static enum fm_err use_visionary(struct divercity_state *s, unsigned hand, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    unsigned n = pub->corp_deck_n < DIVERCITY_LOOK ? pub->corp_deck_n : DIVERCITY_LOOK;
    if (pub->industrialist != DIVERCITY_NONE)
        n = pub->industry_n;
    if (n == 0)
        return FM_E_NO_USE;
    mark_used(pub, DIVERCITY_VISIONARY_CARD, notes);
    pub->looked = (uint8_t)(pub->industrialist == DIVERCITY_NONE ? n : (1u << n) - 1);
    divercity_show_corps(s);
    const unsigned seat = divercity_seat_of(pub, hand);
    const unsigned knows =
        1u << seat | (pub->industrialist == DIVERCITY_NONE ? 0 : 1u << pub->industrialist);
    fm_tell_some(notes, DIVERCITY_LOOKED, hand, n, divercity_bytes(s->priv[seat].corp, n), knows);
    divercity_ask(pub, DIVERCITY_VISIONARY, hand);
    return FM_OK;
}

/* C25; in solo it turns the hand face up (C42). */
static enum fm_err use_explorer(struct divercity_state *s, unsigned hand, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    const unsigned n = pub->hand_n[hand];
    if (n == 0)
        return FM_E_NO_USE;
    mark_used(pub, DIVERCITY_EXPLORER, notes);
    pub->told[hand] = (uint8_t)((1u << n) - 1);
    divercity_show_hand(s, hand);
    fm_tell_some(notes, DIVERCITY_SAW, hand, n, divercity_bytes(s->secret.hand[hand], n),
                 divercity_seats(pub));
    divercity_go_on(s, notes);
    return FM_OK;
}

/* C26 */
static enum fm_err use_swimmer(struct divercity_state *s, unsigned hand, unsigned card,
                               struct fm_notes *notes)
{
    if (card >= s->pub.hand_n[hand])
        return FM_E_NO_CARD;
    mark_used(&s->pub, DIVERCITY_SWIMMER, notes);
    if (divercity_play(s, hand, card, notes))
        divercity_go_on(s, notes);
    return FM_OK;
}

/* C27 */
static enum fm_err use_communications(struct divercity_state *s, unsigned hand, fm_action action,
                                      struct fm_notes *notes)
{
    const unsigned target = divercity_target(action);
    const uint64_t signs = divercity_signs(action);
    const enum fm_err err = divercity_may_talk(&s->pub, hand, target, signs);
    if (err != FM_OK)
        return err;
    mark_used(&s->pub, DIVERCITY_COMMUNICATIONS, notes);
    divercity_talk_to(s, hand, target, signs, notes);
    divercity_go_on(s, notes);
    return FM_OK;
}

/* C14: whose, when, and not twice. */
static enum fm_err may_use(const struct divercity_pub *pub, unsigned seat, unsigned diver)
{
    const bool any_turn = divercity_rule(pub, DIVERCITY_ANY_TURN);
    if (!any_turn && !(pub->head.owes >> seat & 1))
        return FM_E_TURN;
    if (pub->head.phase != DIVERCITY_ACTION && pub->head.phase != DIVERCITY_AFTER)
        return FM_E_PHASE;
    if (!divercity_plays(pub, seat, pub->owner[diver]))
        return FM_E_NOT_OWNED;
    if (!(pub->unused[pub->owner[diver]] >> diver & 1))
        return FM_E_DIVER_USED;
    if (!any_turn && pub->owner[diver] != pub->active)
        return FM_E_TURN; /* solo: the other hand's */
    return FM_OK;
}

enum fm_err divercity_use(struct divercity_state *s, unsigned seat, fm_action action,
                          struct fm_notes *notes)
{
    const bool talk = fm_verb(action) == DIVERCITY_DO_COMMUNICATIONS;
    const unsigned diver = talk ? DIVERCITY_COMMUNICATIONS : divercity_a(action);
    const unsigned what = divercity_b(action);
    if (diver >= DIVERCITY_DIVERS || (diver == DIVERCITY_COMMUNICATIONS && !talk))
        return FM_E_ACTION;
    const enum fm_err err = may_use(&s->pub, seat, diver);
    if (err != FM_OK)
        return err;
    const unsigned hand = s->pub.owner[diver];
    switch ((enum divercity_diver)diver) {
    case DIVERCITY_ENDURANCE:
    case DIVERCITY_DIVING:
        return use_lift(s, (enum divercity_diver)diver, what, notes);
    case DIVERCITY_CAPTAIN_CARD:
        return use_captain(s, hand, what, notes);
    case DIVERCITY_ENVIRONMENTALIST:
        return use_environmentalist(s, what, notes);
    case DIVERCITY_VISIONARY_CARD:
        return what == 0 ? use_visionary(s, hand, notes) : FM_E_ACTION;
    case DIVERCITY_EXPLORER:
        return what == 0 ? use_explorer(s, hand, notes) : FM_E_ACTION;
    case DIVERCITY_SWIMMER:
        return use_swimmer(s, hand, what, notes);
    case DIVERCITY_COMMUNICATIONS:
        return use_communications(s, hand, action, notes);
    case DIVERCITY_DIVERS:
        break;
    }
    return FM_E_ACTION;
}

/* ---- the visionary's second step (C24, C39) ------------------------------------------------- */

/* The list as a set, if it has no place twice and none beyond n; all bits otherwise. */
static unsigned distinct_places(fm_action list, unsigned n)
{
    unsigned set = 0;
    for (unsigned i = 0; i < divercity_list_n(list); i++) {
        const unsigned place = divercity_list(list, i);
        if (place >= n || set >> place & 1)
            return ~0u;
        set |= 1u << place;
    }
    return set;
}

enum fm_err divercity_reorder(struct divercity_state *s, fm_action list, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    const unsigned n = pub->looked;
    if (pub->head.phase != DIVERCITY_VISIONARY || pub->industrialist != DIVERCITY_NONE)
        return FM_E_PHASE;
    if (divercity_list_n(list) != n || distinct_places(list, n) != (1u << n) - 1)
        return FM_E_ORDER;
    uint8_t *top = &s->secret.corp_deck[pub->corp_deck_n - 1];
    uint8_t old[DIVERCITY_LOOK];
    for (unsigned i = 0; i < n; i++)
        old[i] = *(top - i);
    for (unsigned i = 0; i < n; i++)
        *(top - i) = old[divercity_list(list, i)];
    divercity_show_corps(s);
    const unsigned hand = pub->owner[DIVERCITY_VISIONARY_CARD];
    const unsigned seat = divercity_seat_of(pub, hand);
    fm_tell_some(notes, DIVERCITY_REORDERED, hand, n, divercity_bytes(s->priv[seat].corp, n),
                 pub->showed ? FM_EVERYBODY : 1u << seat);
    divercity_go_on(s, notes);
    return FM_OK;
}

/* C24, rules 2: "you may discuss them with the other players": before they are put back, the cards
 * may be shown, and are known to everybody from then on. It is talk, so not in realistic (C33). */
enum fm_err divercity_show_looked(struct divercity_state *s, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->head.rules < 2)
        return FM_E_ACTION;
    if (divercity_rule(pub, DIVERCITY_REALISTIC))
        return FM_E_ONLY_SIGNS;
    if (!divercity_may_show(pub))
        return FM_E_PHASE;
    pub->showed = 1;
    divercity_show_corps(s);
    fm_tell(notes, DIVERCITY_SHOWED, pub->owner[DIVERCITY_VISIONARY_CARD],
            divercity_bytes(pub->next, pub->looked) | (uint64_t)pub->looked << 32);
    return FM_OK;
}

enum fm_err divercity_strike(struct divercity_state *s, fm_action list, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->head.phase != DIVERCITY_VISIONARY || pub->industrialist == DIVERCITY_NONE)
        return FM_E_PHASE;
    const unsigned n = pub->industry_n;
    const unsigned places = distinct_places(list, n);
    if (divercity_list_n(list) != (n < DIVERCITY_STRIKES ? n : DIVERCITY_STRIKES) || places == ~0u)
        return FM_E_STRIKE;
    for (unsigned i = 0; i < divercity_list_n(list); i++) {
        const uint8_t card = s->secret.industry[divercity_list(list, i)];
        divercity_discard_corp(pub, card);
        fm_tell(notes, DIVERCITY_STRUCK, pub->owner[DIVERCITY_VISIONARY_CARD],
                card | divercity_list(list, i) << 8);
    }
    for (unsigned place = n; place-- > 0;)
        if (places >> place & 1)
            divercity_take_industry(s, place);
    divercity_renew_at_once(s, notes);
    divercity_go_on(s, notes);
    return FM_OK;
}
