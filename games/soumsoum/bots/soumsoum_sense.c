/* soumsoum_sense.c: prospects, placements and divers, one step ahead. */
#include "soumsoum/bots/soumsoum_sense.h"

#include "base/bits.h"

#include <string.h>

static uint32_t zone_of(struct soumsoum_card card, unsigned place)
{
    return soumsoum_zone_mask((enum soumsoum_zone)soumsoum_zone(card), place);
}

/* ---- what the cards show -------------------------------------------------------------------- */

static void look(struct soumsoum_shown *shown, const struct soumsoum_pub *pub)
{
    memset(shown, 0, sizeof *shown);
    for (uint32_t m = soumsoum_cards_laid(pub); m != 0; m &= m - 1) {
        const struct soumsoum_card card = pub->deck[pub->board[fm__lowest(m)]];
        for (unsigned animal = 0; animal < SOUMSOUM_ANIMALS; animal++)
            for (unsigned digit = 0; digit < SOUMSOUM_DIGITS; digit++)
                shown->digit[animal][digit] |= card.shows[animal] >> digit & 1 ? m & -m : 0;
    }
}

/* How many of an animal the cards on these places show. */
static unsigned count_animal(const struct soumsoum_shown *shown, unsigned animal, uint32_t places)
{
    const uint32_t *digit = shown->digit[animal];
    unsigned n = fm__count(digit[0] & places);
    if (((digit[1] | digit[2]) & places) != 0)
        n += 2 * fm__count(digit[1] & places) + 4 * fm__count(digit[2] & places);
    return n;
}

static unsigned count_shown(const struct soumsoum_shown *shown, unsigned counted, uint32_t places)
{
    if (counted != SOUMSOUM_ANY)
        return count_animal(shown, counted, places);
    return count_animal(shown, SOUMSOUM_SHARK, places) +
           count_animal(shown, SOUMSOUM_OCTOPUS, places) +
           count_animal(shown, SOUMSOUM_HERMIT, places);
}

/* ---- prospects ------------------------------------------------------------------------------ */

/* Of this card on this place. One somewhere matches a counted animal one time in three; "any"
 * always. */
static int prospect_of(const struct soumsoum_pub *pub, const struct soumsoum_shown *shown,
                       struct soumsoum_card card, unsigned place)
{
    const unsigned counted = soumsoum_counts(card);
    const uint32_t zone = zone_of(card, place) & ~(1u << place);
    const int open = (int)fm__count(zone & pub->empty);
    const int per_card = counted == SOUMSOUM_ANY ? SENSE_UNIT : SENSE_UNIT / 3;
    const unsigned worth = count_shown(shown, counted, zone) +
                           (soumsoum_self(card) ? soumsoum_matches(card, counted) : 0);
    return (int)worth * SENSE_UNIT + open * per_card;
}

int soumsoum_prospect(const struct soumsoum_pub *pub, unsigned place)
{
    struct soumsoum_shown shown;
    look(&shown, pub);
    return prospect_of(pub, &shown, pub->deck[pub->board[place]], place);
}

/* The best card for a diver, by prospect; -1: none. */
int soumsoum_best_dive(const struct soumsoum_pub *pub, int *value)
{
    struct soumsoum_shown shown;
    int best = -1;
    *value = 0;
    look(&shown, pub);
    for (uint32_t m = pub->free; m != 0; m &= m - 1) {
        const unsigned at = fm__lowest(m);
        const int here = prospect_of(pub, &shown, pub->deck[pub->board[at]], at);
        if (best < 0 || here > *value) {
            best = (int)at;
            *value = here;
        }
    }
    return best;
}

void soumsoum_lay(struct soumsoum_pub *pub, uint8_t card, unsigned place)
{
    pub->board[place] = card;
    pub->empty &= ~(1u << place);
    pub->free |= 1u << place;
}

/* Turns this seat still has after the card of the present one is laid, this one included. */
static int turns_left(const struct soumsoum_pub *pub)
{
    const int places = (int)fm__count(pub->empty) + 1;
    return (places + pub->head.n_seats - 1) / pub->head.n_seats;
}

/* What a diver should promise to be worth spending now: anything when they must go anyway. */
int soumsoum_threshold(const struct soumsoum_pub *pub, unsigned seat)
{
    return turns_left(pub) <= pub->divers_left[seat] ? 0 : 2 * SENSE_UNIT + SENSE_UNIT / 2;
}

/* A free card takes its place among those with better prospects and those with worse ones. */
static void rank(struct soumsoum_survey *s, unsigned at)
{
    unsigned i = s->n_free++;
    for (; i > 0 && s->prospect[s->free[i - 1]] < s->prospect[at]; i--)
        s->free[i] = s->free[i - 1];
    s->free[i] = (uint8_t)at;
}

void soumsoum_survey(struct soumsoum_survey *s, const struct soumsoum_pub *pub, unsigned seat)
{
    s->pub = pub;
    s->seat = seat;
    s->own = s->others = 0;
    s->n_free = 0;
    look(&s->shown, pub);
    for (uint32_t m = pub->empty; m != 0; m &= m - 1)
        s->reach[fm__lowest(m)] = 0;
    for (uint32_t m = soumsoum_cards_laid(pub); m != 0; m &= m - 1) {
        const unsigned at = fm__lowest(m);
        const struct soumsoum_card card = pub->deck[pub->board[at]];
        for (uint32_t open = zone_of(card, at) & pub->empty; open != 0; open &= open - 1)
            s->reach[fm__lowest(open)] |= 1u << at;
        s->counted[at] = (uint8_t)soumsoum_counts(card);
        s->prospect[at] = prospect_of(pub, &s->shown, card, at);
        if (pub->free >> at & 1)
            rank(s, at);
        else
            *(pub->diver[at] == seat ? &s->own : &s->others) += s->prospect[at];
    }
}

/* What this card in its zone changes for a card that counts each animal. */
static void find_changes(struct soumsoum_card card, int change[SOUMSOUM_ANY + 1])
{
    for (unsigned counted = 0; counted <= SOUMSOUM_ANY; counted++)
        change[counted] = (int)soumsoum_matches(card, counted) * SENSE_UNIT -
                          (counted == SOUMSOUM_ANY ? SENSE_UNIT : SENSE_UNIT / 3);
}

/* The best prospect of a free card that this place does not reach: nothing changes for it. */
static int best_unchanged(const struct soumsoum_survey *s, uint32_t reach)
{
    for (unsigned i = 0; i < s->n_free; i++)
        if (!(reach >> s->free[i] & 1))
            return s->prospect[s->free[i]];
    return 0;
}

int soumsoum_judge(const struct soumsoum_survey *s, uint8_t card, unsigned place)
{
    const struct soumsoum_pub *pub = s->pub;
    const struct soumsoum_card laid = pub->deck[card];
    const uint32_t reach = s->reach[place];
    int own = s->own, others = s->others, dive = 0, change[SOUMSOUM_ANY + 1];
    find_changes(laid, change);
    for (uint32_t m = reach & ~pub->free; m != 0; m &= m - 1) {
        const unsigned at = fm__lowest(m);
        *(pub->diver[at] == s->seat ? &own : &others) += change[s->counted[at]];
    }
    if (pub->divers_left[s->seat] > 0) {
        dive = best_unchanged(s, reach);
        for (uint32_t m = reach & pub->free; m != 0; m &= m - 1) {
            const unsigned at = fm__lowest(m);
            const int here = s->prospect[at] + change[s->counted[at]];
            dive = here > dive ? here : dive;
        }
        const int here = prospect_of(pub, &s->shown, laid, place);
        dive = here > dive ? here : dive;
    }
    return own - others / (pub->head.n_seats - 1) + dive;
}

/* The best of some cards and its place. */
static fm_action best_placement(const struct soumsoum_pub *seen, unsigned seat,
                                const uint8_t *cards, unsigned n)
{
    struct soumsoum_survey survey;
    fm_action best = 0;
    int best_value = 0;
    soumsoum_survey(&survey, seen, seat);
    for (unsigned i = 0; i < n; i++) {
        for (uint32_t m = seen->empty; m != 0; m &= m - 1) {
            const int value = soumsoum_judge(&survey, cards[i], fm__lowest(m));
            if (best == 0 || value > best_value) {
                best = soumsoum_action(SOUMSOUM_DO_PLACE, i, fm__lowest(m));
                best_value = value;
            }
        }
    }
    return best;
}

static fm_action choose_dive(const struct soumsoum_pub *pub, unsigned seat)
{
    int value;
    const int best = pub->divers_left[seat] > 0 ? soumsoum_best_dive(pub, &value) : -1;
    if (best < 0 || value < soumsoum_threshold(pub, seat))
        return soumsoum_action(SOUMSOUM_DO_PASS, 0, 0);
    return soumsoum_action(SOUMSOUM_DO_DIVER, 0, (unsigned)best);
}

/* The market card with the best place it could go to now; any of them when the board is full. */
static fm_action choose_take(const struct soumsoum_pub *pub, unsigned seat)
{
    const fm_action best = best_placement(pub, seat, pub->market, pub->market_n);
    return soumsoum_action(SOUMSOUM_DO_TAKE, best ? soumsoum_action_card(best) : 0, 0);
}

fm_action soumsoum_greedy_choice(struct fm_view v)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const struct soumsoum_priv *priv = (const void *)v.priv;
    const unsigned seat = (unsigned)v.seat;
    switch (v.pub->phase) {
    case SOUMSOUM_PLACE:
        return best_placement(pub, seat, priv->hand, pub->hand_n[seat]);
    case SOUMSOUM_DIVER:
        return choose_dive(pub, seat);
    default:
        return choose_take(pub, seat);
    }
}
