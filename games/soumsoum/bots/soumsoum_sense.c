/* soumsoum_sense.c: prospects, placements and divers, one step ahead. */
#include "soumsoum/bots/soumsoum_sense.h"

#include "base/bits.h"

/* A card somewhere matches a counted animal one time in three; "any" always. */
static int prospect_of(const struct soumsoum_pub *pub, struct soumsoum_card card, unsigned place)
{
    const uint32_t zone = soumsoum_zone_mask((enum soumsoum_zone)soumsoum_zone(card), place);
    const int open = (int)fm__count(zone & pub->empty & ~(1u << place));
    const int per_card = soumsoum_counts(card) == SOUMSOUM_ANY ? SENSE_UNIT : SENSE_UNIT / 3;
    return (int)soumsoum_worth_of(pub, card, place) * SENSE_UNIT + open * per_card;
}

int soumsoum_prospect(const struct soumsoum_pub *pub, unsigned place)
{
    return prospect_of(pub, pub->deck[pub->board[place]], place);
}

/* The best card for a diver, by prospect; -1: none. */
int soumsoum_best_dive(const struct soumsoum_pub *pub, int *value)
{
    int best = -1;
    *value = 0;
    for (uint32_t m = pub->free; m != 0; m &= m - 1) {
        const int here = soumsoum_prospect(pub, fm__lowest(m));
        if (best < 0 || here > *value) {
            best = (int)fm__lowest(m);
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

void soumsoum_survey(struct soumsoum_survey *s, const struct soumsoum_pub *pub, unsigned seat)
{
    s->pub = pub;
    s->seat = seat;
    s->own = s->others = 0;
    for (uint32_t m = pub->empty; m != 0; m &= m - 1)
        s->reach[fm__lowest(m)] = 0;
    for (uint32_t m = soumsoum_cards_laid(pub); m != 0; m &= m - 1) {
        const unsigned at = fm__lowest(m);
        const struct soumsoum_card card = pub->deck[pub->board[at]];
        const uint32_t zone = soumsoum_zone_mask((enum soumsoum_zone)soumsoum_zone(card), at);
        for (uint32_t open = zone & pub->empty; open != 0; open &= open - 1)
            s->reach[fm__lowest(open)] |= 1u << at;
        s->counted[at] = (uint8_t)soumsoum_counts(card);
        s->prospect[at] = soumsoum_prospect(pub, at);
        if (!(pub->free >> at & 1))
            *(pub->diver[at] == seat ? &s->own : &s->others) += s->prospect[at];
    }
}

/* What a card in its zone changes for the card that lies at a place. */
static int change(const struct soumsoum_survey *s, struct soumsoum_card card, unsigned at)
{
    const unsigned counted = s->counted[at];
    return (int)soumsoum_matches(card, counted) * SENSE_UNIT -
           (counted == SOUMSOUM_ANY ? SENSE_UNIT : SENSE_UNIT / 3);
}

int soumsoum_judge(const struct soumsoum_survey *s, uint8_t card, unsigned place)
{
    const struct soumsoum_pub *pub = s->pub;
    const struct soumsoum_card shown = pub->deck[card];
    const uint32_t reach = s->reach[place];
    int own = s->own, others = s->others, dive = 0;
    for (uint32_t m = reach & ~pub->free; m != 0; m &= m - 1) {
        const unsigned at = fm__lowest(m);
        *(pub->diver[at] == s->seat ? &own : &others) += change(s, shown, at);
    }
    if (pub->divers_left[s->seat] > 0) {
        for (uint32_t m = pub->free; m != 0; m &= m - 1) {
            const unsigned at = fm__lowest(m);
            const int here = s->prospect[at] + (reach >> at & 1 ? change(s, shown, at) : 0);
            dive = here > dive ? here : dive;
        }
        const int here = prospect_of(pub, shown, place);
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
