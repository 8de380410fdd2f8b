/*
 * soumsoum_greedy.c: plays Soum Soum one step ahead.
 *
 * A diver's prospect is what it is worth now plus what the empty places of its zone may still
 * bring. A placement is judged by what it changes for the divers on the board, own for, others'
 * against, and by the best prospect it leaves for a diver of its own.
 */
#include "base/bits.h"
#include "bots/bots.h"
#include "games/soumsoum/soumsoum.h"

#define UNIT 60 /* prospects are in sixtieths of a point */

/* A card somewhere matches a counted animal one time in three; "any" always. */
static int prospect(const struct soumsoum_pub *pub, unsigned place)
{
    const struct soumsoum_card card = pub->deck[pub->board[place]];
    const uint32_t zone = soumsoum_zone_mask((enum soumsoum_zone)soumsoum_zone(card), place);
    const int open = (int)fm__count(zone & pub->empty);
    const int per_card = soumsoum_counts(card) == SOUMSOUM_ANY ? UNIT : UNIT / 3;
    return (int)soumsoum_worth(pub, place) * UNIT + open * per_card;
}

/* The best card for a diver, by prospect; -1: none. */
static int best_dive(const struct soumsoum_pub *pub, int *value)
{
    int best = -1;
    *value = 0;
    for (uint32_t m = pub->free; m != 0; m &= m - 1) {
        const int here = prospect(pub, fm__lowest(m));
        if (best < 0 || here > *value) {
            best = (int)fm__lowest(m);
            *value = here;
        }
    }
    return best;
}

static void lay(struct soumsoum_pub *pub, uint8_t card, unsigned place)
{
    pub->board[place] = card;
    pub->empty &= ~(1u << place);
    pub->free |= 1u << place;
}

static void lift(struct soumsoum_pub *pub, unsigned place)
{
    pub->board[place] = SOUMSOUM_NONE;
    pub->empty |= 1u << place;
    pub->free &= ~(1u << place);
}

/* All divers' prospects: own ones for, the others' shared out against. */
static int standing(const struct soumsoum_pub *pub, unsigned seat)
{
    int own = 0, others = 0;
    for (uint32_t m = soumsoum_cards_laid(pub) & ~pub->free; m != 0; m &= m - 1) {
        const unsigned place = fm__lowest(m);
        *(pub->diver[place] == seat ? &own : &others) += prospect(pub, place);
    }
    return own - others / (pub->head.n_seats - 1);
}

/* Turns this seat still has after the card of the present one is laid, this one included. */
static int turns_left(const struct soumsoum_pub *pub)
{
    const int places = (int)fm__count(pub->empty) + 1;
    return (places + pub->head.n_seats - 1) / pub->head.n_seats;
}

/* What a diver should promise to be worth spending now: anything when they must go anyway. */
static int threshold(const struct soumsoum_pub *pub, unsigned seat)
{
    return turns_left(pub) <= pub->divers_left[seat] ? 0 : 2 * UNIT + UNIT / 2;
}

/* What laying this card on this place comes to; the board is as before afterwards. */
static int judge(struct soumsoum_pub *pub, unsigned seat, uint8_t card, unsigned place)
{
    lay(pub, card, place);
    int dive = 0;
    if (pub->divers_left[seat] > 0)
        (void)best_dive(pub, &dive);
    const int value = standing(pub, seat) + dive;
    lift(pub, place);
    return value;
}

/* The best of some cards and its place. */
static fm_action best_placement(const struct soumsoum_pub *seen, unsigned seat,
                                const uint8_t *cards, unsigned n)
{
    struct soumsoum_pub pub = *seen;
    fm_action best = 0;
    int best_value = 0;
    for (unsigned i = 0; i < n; i++) {
        for (uint32_t m = seen->empty; m != 0; m &= m - 1) {
            const int value = judge(&pub, seat, cards[i], fm__lowest(m));
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
    const int best = pub->divers_left[seat] > 0 ? best_dive(pub, &value) : -1;
    if (best < 0 || value < threshold(pub, seat))
        return soumsoum_action(SOUMSOUM_DO_PASS, 0, 0);
    return soumsoum_action(SOUMSOUM_DO_DIVER, 0, (unsigned)best);
}

/* The market card with the best place it could go to now; any of them when the board is full. */
static fm_action choose_take(const struct soumsoum_pub *pub, unsigned seat)
{
    const fm_action best = best_placement(pub, seat, pub->market, pub->market_n);
    return soumsoum_action(SOUMSOUM_DO_TAKE, best ? soumsoum_action_card(best) : 0, 0);
}

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    (void)budget;
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const struct soumsoum_priv *priv = (const void *)v.priv;
    const unsigned seat = (unsigned)v.seat;
    struct fm_choice choice = {.after_ms = 800 + fm_rng_below(rng, 1200)};
    switch (v.pub->phase) {
    case SOUMSOUM_PLACE:
        choice.action = best_placement(pub, seat, priv->hand, pub->hand_n[seat]);
        break;
    case SOUMSOUM_DIVER:
        choice.action = choose_dive(pub, seat);
        break;
    default:
        choice.action = choose_take(pub, seat);
        break;
    }
    return choice;
}

const struct fm_bot fm_bot_soumsoum_greedy = {
    .id = "greedy",
    .game = "soumsoum",
    .about = "one step ahead: the placement and diver with the best prospect",
    .think = think,
};
