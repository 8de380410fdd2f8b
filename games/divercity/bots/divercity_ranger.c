/*
 * divercity_ranger.c: a diver who counts cards.
 *
 * What it cannot see of its own hand is spread over the cards it cannot place, exactly. It plays
 * the card with the best expected gain, talks when a partner's ignorance costs more than that,
 * closes hotels when they become dangerous, and uses its diver cards when they bring most. It
 * claims the cards it knows, and takes the others' claims for their knowledge.
 */
#include "divercity/bots/divercity_bots.h"
#include "divercity/bots/divercity_sense.h"
#include "divercity/bots/divercity_why.h"

#include "base/bits.h"

struct option { /* something to do, and what it brings */
    fm_action action;
    int value;
};

static void better(struct option *best, fm_action action, int value)
{
    if (best->action == 0 || value > best->value)
        *best = (struct option){action, value};
}

/* ---- cards of the own hand ------------------------------------------------------------------ */

/* The place with the best expected gain. */
static unsigned best_card(const struct sense *s, unsigned hand, int *gain)
{
    unsigned best = 0;
    *gain = 0;
    for (unsigned i = 0; i < s->pub->hand_n[hand]; i++) {
        const unsigned card = divercity_sense_card(s, hand, i);
        const int here =
            divercity_sense_gain(s, card) * (card == DIVERCITY_NONE ? s->w->blind : 100) / 100;
        if (i == 0 || here > *gain) {
            best = i;
            *gain = here;
        }
    }
    return best;
}

/* The place whose card does least harm when the rig takes it; of these, the least useful. */
static unsigned rig_card(const struct sense *s, unsigned hand)
{
    unsigned best = 0;
    int least = 0;
    for (unsigned i = 0; i < s->pub->hand_n[hand]; i++) {
        const unsigned card = divercity_sense_card(s, hand, i);
        const int here =
            s->w->rig_harm * divercity_sense_harm(s, card) / 100 + divercity_sense_gain(s, card);
        if (i == 0 || here < least) {
            best = i;
            least = here;
        }
    }
    return best;
}

/* The place whose card is missed least. */
static unsigned spare_card(const struct sense *s, unsigned hand, int *worth)
{
    unsigned best = 0;
    *worth = 0;
    for (unsigned i = 0; i < s->pub->hand_n[hand]; i++) {
        const int here = divercity_sense_gain(s, divercity_sense_card(s, hand, i));
        if (i == 0 || here < *worth) {
            best = i;
            *worth = here;
        }
    }
    return best;
}

/* ---- talking -------------------------------------------------------------------------------- */

/* What a partner would do with the hand as it knows it, and as it is. */
struct hearing {
    int best, known;            /* gain of the best card: of all, of those it knows */
    int next, known_next;       /* of the second best, likewise */
    int safe, known_safe;       /* least harm for the rig, likewise */
    int blind_gain, blind_harm; /* sums over those it does not know */
    int n_blind;
};

/* Keeps the two best. */
static void rank(int gain, int *best, int *next)
{
    if (gain > *best) {
        *next = *best;
        *best = gain;
    } else if (gain > *next) {
        *next = gain;
    }
}

static struct hearing hear(const struct sense *s, unsigned hand)
{
    struct hearing h = {.safe = s->w->game, .known_safe = s->w->game};
    for (unsigned i = 0; i < s->pub->hand_n[hand]; i++) {
        const unsigned card = divercity_sense_card(s, hand, i);
        const int gain = divercity_sense_gain(s, card), harm = divercity_sense_harm(s, card);
        rank(gain, &h.best, &h.next);
        h.safe = harm < h.safe ? harm : h.safe;
        if (divercity_sense_owner_knows(s, hand, i)) {
            rank(gain, &h.known, &h.known_next);
            h.known_safe = harm < h.known_safe ? harm : h.known_safe;
        } else {
            h.blind_gain += gain;
            h.blind_harm += harm;
            h.n_blind++;
        }
    }
    return h;
}

static int positive(int value)
{
    return value > 0 ? value : 0;
}

/* In solo nobody sees that hand: turning it is worth what a choice among so many brings. */
static int worth_of_turning(const struct sense *s, unsigned hand)
{
    int n = 0, best = 0;
    for (unsigned i = 0; i < s->pub->hand_n[hand]; i++)
        n += divercity_sense_card(s, hand, i) == DIVERCITY_NONE;
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++)
        if (s->unseen[i] > 0 && s->gain[i] > best)
            best = s->gain[i];
    return positive(best - s->blind_gain) * n / 5 + s->blind_harm * n / 12;
}

static int worth_of_talk(const struct sense *s, unsigned hand)
{
    if (divercity_rule(s->pub, DIVERCITY_SOLO))
        return worth_of_turning(s, hand);
    const struct hearing h = hear(s, hand);
    if (h.n_blind == 0)
        return 0;
    const int now = h.known >= s->blind_gain ? h.known : h.blind_gain / h.n_blind;
    const int rig = h.known_safe <= s->blind_harm ? h.known_safe : h.blind_harm / h.n_blind;
    const struct weights *w = s->w;
    return (positive(h.best - now) * w->talk_now + positive(h.next - h.known_next) * w->talk_more +
            positive(rig - h.safe) * w->talk_rig) /
               100 +
           w->talk_each * h.n_blind;
}

/* Whom to tell: the sooner it is that one's turn, the better. */
static struct option best_talk(const struct sense *s, unsigned hand, enum divercity_verb verb)
{
    struct option best = {0};
    const unsigned n = s->pub->n_hands;
    for (unsigned m = divercity_others(s->pub, hand); m != 0; m &= m - 1) {
        const unsigned target = fm__lowest(m);
        const int wait = (int)((target + n - s->pub->active - 1) % n);
        better(&best, divercity_talk(verb, target, divercity_sense_signs(s, target)),
               worth_of_talk(s, target) * (100 - s->w->talk_wait * wait) / 100);
    }
    return best;
}

/* ---- hotels --------------------------------------------------------------------------------- */

static struct option best_closing(const struct sense *s)
{
    struct option best = {0};
    const int danger = divercity_sense_danger(s, s->pub->hotels);
    for (unsigned m = s->pub->hotels; m != 0; m &= m - 1)
        better(&best, fm__lowest(m) + 1,
               danger - divercity_sense_danger(s, s->pub->hotels & ~(m & -m)));
    return best; /* the action is the hotel + 1 */
}

/* ---- diver cards ---------------------------------------------------------------------------- */

/* How soon a species' card would follow: own cards, or known ones of others. */
static int at_hand(const struct sense *s, unsigned species)
{
    int n = 0;
    for (unsigned hand = 0; hand < s->pub->n_hands; hand++)
        for (unsigned i = 0; i < s->pub->hand_n[hand]; i++)
            n += divercity_sense_card(s, hand, i) == species &&
                 divercity_sense_owner_knows(s, hand, i);
    return n;
}

static struct option use_lift(const struct sense *s, enum divercity_diver diver)
{
    struct option best = {0};
    const bool endurance = diver == DIVERCITY_ENDURANCE;
    const int lives = s->pub->to_lose - s->pub->extinct;
    const int reds = (int)fm__count(s->pub->zone[DIVERCITY_RED]);
    for (unsigned m = s->pub->zone[endurance ? DIVERCITY_RED : DIVERCITY_BLUE]; m != 0;
         m &= m - 1) {
        const unsigned species = fm__lowest(m);
        const int now = endurance ? 200 * reds + (lives <= 2 ? 500 : 0) : 600 * at_hand(s, species);
        better(&best, divercity_action(DIVERCITY_DO_DIVER, diver, species),
               now + 20 * s->left[species]);
    }
    return best;
}

static struct option use_captain(const struct sense *s, unsigned hand)
{
    struct option best = {0};
    for (unsigned m = divercity_others(s->pub, hand); m != 0; m &= m - 1) {
        const struct hearing h = hear(s, fm__lowest(m));
        better(&best, divercity_action(DIVERCITY_DO_DIVER, DIVERCITY_CAPTAIN_CARD, fm__lowest(m)),
               h.known >= s->blind_gain ? h.known : s->blind_gain);
    }
    return best;
}

static struct option use_diver(const struct sense *s, unsigned hand, enum divercity_diver diver)
{
    struct option best = {0};
    int value, unknown = 0;
    switch (diver) {
    case DIVERCITY_ENDURANCE:
    case DIVERCITY_DIVING:
        return use_lift(s, diver);
    case DIVERCITY_CAPTAIN_CARD:
        return use_captain(s, hand);
    case DIVERCITY_ENVIRONMENTALIST:
        best = best_closing(s);
        best.action = divercity_action(DIVERCITY_DO_DIVER, diver, (unsigned)best.action - 1);
        return best;
    case DIVERCITY_VISIONARY_CARD:
        value = s->w->vision + 120 * (int)fm__count(s->pub->hotels);
        return (struct option){divercity_action(DIVERCITY_DO_DIVER, diver, 0), value};
    case DIVERCITY_EXPLORER:
        for (unsigned i = 0; i < s->pub->hand_n[hand]; i++)
            unknown += divercity_sense_card(s, hand, i) == DIVERCITY_NONE;
        value = unknown * (s->pub->zone[DIVERCITY_GREEN] != 0 ? s->w->sight : 100);
        return (struct option){divercity_action(DIVERCITY_DO_DIVER, diver, 0), value};
    case DIVERCITY_SWIMMER:
        best.action = divercity_action(DIVERCITY_DO_DIVER, diver, best_card(s, hand, &best.value));
        return best;
    case DIVERCITY_COMMUNICATIONS:
        return best_talk(s, hand, DIVERCITY_DO_COMMUNICATIONS);
    case DIVERCITY_DIVERS:
        break;
    }
    return best;
}

/* What a diver card must bring to be used now: less when the end is near. */
static int enough(const struct sense *s, enum divercity_diver diver)
{
    const bool pressing = s->pub->to_lose - s->pub->extinct <= 1 || s->pub->deck_n < 15;
    return pressing ? s->w->wanted[diver] / 3 : s->w->wanted[diver];
}

static fm_action use_divers(const struct sense *s)
{
    const struct divercity_pub *pub = s->pub;
    for (unsigned hand = 0; hand < pub->n_hands; hand++) {
        if (!divercity_plays(pub, s->seat, hand) ||
            (hand != pub->active && !divercity_rule(pub, DIVERCITY_ANY_TURN)))
            continue;
        for (unsigned m = divercity_usable(pub, hand); m != 0; m &= m - 1) {
            const enum divercity_diver diver = (enum divercity_diver)fm__lowest(m);
            const struct option use = use_diver(s, hand, diver);
            if (use.value >= enough(s, diver))
                return use.action;
        }
    }
    return 0;
}

/* ---- turns ---------------------------------------------------------------------------------- */

static fm_action choose_action(const struct sense *s)
{
    const struct divercity_pub *pub = s->pub;
    const unsigned hand = pub->active;
    struct option best = best_talk(s, hand, DIVERCITY_DO_WALKIE);
    if (pub->hand_n[hand] == 0)
        return best.action;
    int value;
    const unsigned card = best_card(s, hand, &value);
    better(&best, divercity_action(DIVERCITY_DO_PLAY, card, 0), value);
    const struct option closing = best_closing(s);
    if (closing.action != 0) {
        const unsigned spare = spare_card(s, hand, &value);
        better(&best, divercity_action(DIVERCITY_DO_CLOSE, spare, (unsigned)closing.action - 1),
               closing.value - value * s->w->closing / 100);
    }
    return best.action;
}

/* The mildest corporation card first. */
static fm_action choose_order(const struct sense *s)
{
    fm_action order = DIVERCITY_DO_REORDER;
    const unsigned n = s->pub->looked;
    unsigned left = (1u << n) - 1;
    for (unsigned k = 0; k < n; k++) {
        const unsigned hand = (s->pub->active + 1 + k) % s->pub->n_hands;
        struct option mildest = {0};
        for (unsigned m = left; m != 0; m &= m - 1)
            better(&mildest, fm__lowest(m) + 1,
                   -divercity_sense_corp_harm(s, s->priv->corp[fm__lowest(m)], hand));
        order = divercity_list_add(order, (unsigned)mildest.action - 1);
        left &= ~(1u << (mildest.action - 1));
    }
    return order;
}

/* The two that would hurt most. */
static fm_action choose_strike(const struct sense *s)
{
    fm_action strike = DIVERCITY_DO_STRIKE;
    const unsigned n = s->pub->industry_n, hand = (s->pub->active + 1u) % s->pub->n_hands;
    unsigned left = (1u << n) - 1;
    for (unsigned k = 0; k < (n < 2 ? n : 2); k++) {
        struct option worst = {0};
        for (unsigned m = left; m != 0; m &= m - 1)
            better(&worst, fm__lowest(m) + 1,
                   divercity_sense_corp_harm(s, s->priv->corp[fm__lowest(m)], hand));
        strike = divercity_list_add(strike, (unsigned)worst.action - 1);
        left &= ~(1u << (worst.action - 1));
    }
    return strike;
}

/* Diver cards, shared out evenly, the most useful first. */
static fm_action choose_diver(const struct sense *s)
{
    static const uint8_t wishes[DIVERCITY_DIVERS] = {
        DIVERCITY_DIVING,           DIVERCITY_SWIMMER,       DIVERCITY_COMMUNICATIONS,
        DIVERCITY_CAPTAIN_CARD,     DIVERCITY_EXPLORER,      DIVERCITY_ENDURANCE,
        DIVERCITY_ENVIRONMENTALIST, DIVERCITY_VISIONARY_CARD};
    const struct divercity_pub *pub = s->pub;
    const unsigned hand = divercity_rule(pub, DIVERCITY_SOLO) ? pub->passed & 1 : s->seat;
    const unsigned share = (DIVERCITY_DIVERS + pub->n_hands - 1u) / pub->n_hands;
    for (unsigned i = 0; i < DIVERCITY_DIVERS && fm__count(pub->unused[hand]) < share; i++)
        if (pub->owner[wishes[i]] == DIVERCITY_NONE)
            return divercity_action(DIVERCITY_DO_TAKE, wishes[i], 0);
    return divercity_action(DIVERCITY_DO_PASS, 0, 0);
}

fm_action divercity_ranger_claim(struct fm_view v)
{
    struct sense s;
    divercity_sense_init(&s, v, &divercity_weights_ranger);
    const struct divercity_pub *pub = s.pub;
    const bool only_signs = pub->head.rules >= 2 && divercity_rule(pub, DIVERCITY_REALISTIC);
    if (divercity_rule(pub, DIVERCITY_SOLO) || s.seat >= pub->n_hands || only_signs)
        return 0;
    for (unsigned i = 0; i < pub->hand_n[s.seat]; i++) {
        const unsigned card = divercity_sense_card(&s, s.seat, i);
        if (card != DIVERCITY_NONE && pub->claim[s.seat][i] != card)
            return divercity_claim(i, card, DIVERCITY_NONE);
    }
    return 0;
}

static fm_action choose_asked(const struct sense *s, struct fm_view v)
{
    int gain;
    switch ((enum divercity_phase)v.pub->phase) {
    case DIVERCITY_SETUP:
        return choose_diver(s);
    case DIVERCITY_RIG:
        return divercity_action(DIVERCITY_DO_RIG, rig_card(s, s->pub->asked), 0);
    case DIVERCITY_INDUSTRY_PLAY:
        return divercity_tycoon_choose(v);
    case DIVERCITY_CAPTAIN:
        return divercity_action(DIVERCITY_DO_PLAY, best_card(s, s->pub->asked, &gain), 0);
    case DIVERCITY_VISIONARY:
        if (divercity_may_show(s->pub))
            return divercity_action(DIVERCITY_DO_SHOW, 0, 0);
        return s->pub->industrialist == DIVERCITY_NONE ? choose_order(s) : choose_strike(s);
    case DIVERCITY_ACTION:
        return choose_action(s);
    case DIVERCITY_AFTER:
        return divercity_action(DIVERCITY_DO_END, 0, 0);
    case DIVERCITY_OVER:
        break;
    }
    return 0;
}

fm_action divercity_ranger_choose(struct fm_view v, const struct weights *w)
{
    struct sense s;
    fm_action action = 0;
    divercity_sense_init(&s, v, w);
    if (v.pub->phase == DIVERCITY_ACTION || v.pub->phase == DIVERCITY_AFTER)
        action = use_divers(&s);
    if (action == 0 && (v.pub->owes >> v.seat & 1))
        action = choose_asked(&s, v);
    return action;
}

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    (void)budget;
    const fm_action claim = divercity_ranger_claim(v);
    if (claim != 0)
        return (struct fm_choice){claim, 200 + fm_rng_below(rng, 200)};
    return (struct fm_choice){divercity_ranger_choose(v, &divercity_weights_ranger),
                              800 + fm_rng_below(rng, 1200)};
}

const struct fm_bot fm_bot_divercity_ranger = {
    .id = "ranger",
    .game = "divercity",
    .about = "counts cards, plays, talks and closes by expected gain; as industrialist a tycoon",
    .think = think,
    .reasoning = &divercity_reasoning,
};
