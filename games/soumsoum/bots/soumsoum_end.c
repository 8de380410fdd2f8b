/*
 * soumsoum_end.c: the last turns of Soum Soum, solved exactly.
 *
 * The last turn hides nothing that matters. In the turn before it, with two players, the rival's
 * hand is any of the cards that were not seen, each hand as likely; of its hand the rival plays
 * what is worst for us. So each card's worst is found once, sorted, and weighed by how many hands
 * have nothing worse.
 */
#include "soumsoum/bots/soumsoum_sense.h"

#include "base/bits.h"

#define WON 4096 /* more than any difference of scores */

struct best {
    fm_action action;
    double value;
};

static void better(struct best *best, fm_action action, double value)
{
    if (best->action == 0 || value > best->value)
        *best = (struct best){action, value};
}

/* ---- the last turn -------------------------------------------------------------------------- */

/* What a seat makes of a full board on which it may still set a diver: the highest card. */
static int finish(const struct soumsoum_pub *pub, unsigned seat)
{
    unsigned score[SOUMSOUM_SEATS], most = 0;
    soumsoum_scores(pub, score);
    if (pub->divers_left[seat] > 0)
        for (uint32_t m = pub->free; m != 0; m &= m - 1) {
            const unsigned worth = soumsoum_worth(pub, fm__lowest(m));
            most = worth > most ? worth : most;
        }
    int rival = 0;
    for (unsigned i = 0; i < pub->head.n_seats; i++)
        if (i != seat && (int)score[i] > rival)
            rival = (int)score[i];
    const int ahead = (int)(score[seat] + most) - rival;
    return ahead >= 0 ? WON + ahead : ahead; /* who plays last wins a tie (S8) */
}

/* The best a seat can do with this card on the only place left. */
static int finish_with(const struct soumsoum_pub *pub, unsigned seat, uint8_t card)
{
    struct soumsoum_pub after = *pub;
    soumsoum_lay(&after, card, fm__lowest(pub->empty));
    return finish(&after, seat);
}

/* ---- the turn before ------------------------------------------------------------------------ */

/* Cards that this seat has not seen; returns how many. */
static unsigned unseen(struct fm_view v, uint8_t *out)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const struct soumsoum_priv *priv = (const void *)v.priv;
    uint64_t seen = 0;
    unsigned n = 0;
    for (uint32_t m = soumsoum_cards_laid(pub); m != 0; m &= m - 1)
        seen |= 1ull << pub->board[fm__lowest(m)];
    for (unsigned i = 0; i < pub->hand_n[v.seat]; i++)
        seen |= 1ull << priv->hand[i];
    for (unsigned card = 0; card < SOUMSOUM_CARDS; card++)
        if (!(seen >> card & 1))
            out[n++] = (uint8_t)card;
    return n;
}

/* What is left for us, on average over the rival's hands, when it plays the last turn. */
static double reply(const struct soumsoum_pub *pub, unsigned rival, const uint8_t *cards,
                    unsigned n)
{
    int worth[SOUMSOUM_CARDS]; /* to the rival, best first */
    for (unsigned i = 0; i < n; i++) {
        const int here = finish_with(pub, rival, cards[i]);
        unsigned k = i;
        for (; k > 0 && worth[k - 1] < here; k--)
            worth[k] = worth[k - 1];
        worth[k] = here;
    }
    /* The best of a hand is worth[i]: it is in the hand, and none of those before it. */
    const unsigned hand = pub->hand_n[rival] < n ? pub->hand_n[rival] : n;
    double sum = 0, none = 1;
    for (unsigned i = 0; i < n && none > 0; i++) {
        const double has = (double)hand / (double)(n - i);
        sum += none * (has < 1 ? has : 1) * worth[i];
        none *= has < 1 ? 1 - has : 0;
    }
    return -sum;
}

static void send_diver(struct soumsoum_pub *pub, unsigned seat, unsigned place)
{
    pub->diver[place] = (uint8_t)seat;
    pub->free &= ~(1u << place);
    pub->divers_left[seat]--;
}

/* The best diver before the rival's last turn, or none. */
static struct best dive(const struct soumsoum_pub *pub, unsigned seat, const uint8_t *cards,
                        unsigned n)
{
    const unsigned rival = 1 - seat;
    struct best best = {0};
    better(&best, soumsoum_action(SOUMSOUM_DO_PASS, 0, 0), reply(pub, rival, cards, n));
    for (uint32_t m = pub->divers_left[seat] > 0 ? pub->free : 0; m != 0; m &= m - 1) {
        struct soumsoum_pub after = *pub;
        const unsigned place = fm__lowest(m);
        send_diver(&after, seat, place);
        better(&best, soumsoum_action(SOUMSOUM_DO_DIVER, 0, place), reply(&after, rival, cards, n));
    }
    return best;
}

/* ---- choices -------------------------------------------------------------------------------- */

static fm_action last_dive(const struct soumsoum_pub *pub, unsigned seat)
{
    struct best best = {0};
    for (uint32_t m = pub->divers_left[seat] > 0 ? pub->free : 0; m != 0; m &= m - 1)
        better(&best, soumsoum_action(SOUMSOUM_DO_DIVER, 0, fm__lowest(m)),
               soumsoum_worth(pub, fm__lowest(m)));
    return best.action != 0 ? best.action : soumsoum_action(SOUMSOUM_DO_PASS, 0, 0);
}

fm_action soumsoum_solve(struct fm_view v)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const struct soumsoum_priv *priv = (const void *)v.priv;
    const unsigned seat = (unsigned)v.seat, open = fm__count(pub->empty);
    const bool duel = pub->head.n_seats == 2 && !pub->market_on;
    uint8_t cards[SOUMSOUM_CARDS];
    struct best best = {0};
    if (v.pub->phase == SOUMSOUM_DIVER && open == 0)
        return last_dive(pub, seat);
    if (v.pub->phase == SOUMSOUM_DIVER && open == 1 && duel)
        return dive(pub, seat, cards, unseen(v, cards)).action;
    if (v.pub->phase != SOUMSOUM_PLACE || open > 2 || (open == 2 && !duel))
        return 0;
    const unsigned n = unseen(v, cards);
    for (unsigned i = 0; i < pub->hand_n[seat]; i++)
        for (uint32_t m = pub->empty; m != 0; m &= m - 1) {
            struct soumsoum_pub after = *pub;
            soumsoum_lay(&after, priv->hand[i], fm__lowest(m));
            better(&best, soumsoum_action(SOUMSOUM_DO_PLACE, i, fm__lowest(m)),
                   open == 1 ? finish(&after, seat) : dive(&after, seat, cards, n).value);
        }
    return best.action;
}

/* ---- chances --------------------------------------------------------------------------------- */

/* The chance that no card of the rival's hand wins the last turn. */
static double holds(const struct soumsoum_pub *pub, unsigned rival, const uint8_t *cards,
                    unsigned n)
{
    unsigned safe = 0;
    double chance = 1;
    for (unsigned i = 0; i < n; i++)
        safe += finish_with(pub, rival, cards[i]) < 0;
    for (unsigned i = 0; i < pub->hand_n[rival]; i++)
        chance *= safe > i ? (double)(safe - i) / (double)(n - i) : 0;
    return chance;
}

static double holds_with_diver(const struct soumsoum_pub *pub, unsigned seat, unsigned place,
                               const uint8_t *cards, unsigned n)
{
    struct soumsoum_pub after = *pub;
    send_diver(&after, seat, place);
    return holds(&after, 1 - seat, cards, n);
}

/* The same with the best diver, or none. */
static double holds_at_best(const struct soumsoum_pub *pub, unsigned seat, const uint8_t *cards,
                            unsigned n)
{
    double best = holds(pub, 1 - seat, cards, n);
    for (uint32_t m = pub->divers_left[seat] > 0 ? pub->free : 0; m != 0; m &= m - 1) {
        const double here = holds_with_diver(pub, seat, fm__lowest(m), cards, n);
        best = here > best ? here : best;
    }
    return best;
}

/* A diver, or none, when the board is full. */
static double last_chance(const struct soumsoum_pub *pub, unsigned seat, fm_action action)
{
    struct soumsoum_pub after = *pub;
    if (fm_verb(action) == SOUMSOUM_DO_DIVER)
        send_diver(&after, seat, soumsoum_action_place(action));
    after.divers_left[seat] = 0;
    return finish(&after, seat) >= 0;
}

static double chance_of(struct fm_view v, fm_action action)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const struct soumsoum_priv *priv = (const void *)v.priv;
    const unsigned seat = (unsigned)v.seat, place = soumsoum_action_place(action);
    uint8_t cards[SOUMSOUM_CARDS];
    const unsigned n = unseen(v, cards);
    struct soumsoum_pub after = *pub;
    if (v.pub->phase == SOUMSOUM_DIVER && pub->empty == 0)
        return last_chance(pub, seat, action);
    if (fm_verb(action) == SOUMSOUM_DO_PASS)
        return holds(pub, 1 - seat, cards, n);
    if (fm_verb(action) == SOUMSOUM_DO_DIVER)
        return holds_with_diver(pub, seat, place, cards, n);
    soumsoum_lay(&after, priv->hand[soumsoum_action_card(action)], place);
    return after.empty == 0 ? finish(&after, seat) >= 0 : holds_at_best(&after, seat, cards, n);
}

/* Is this the last turn, or with two players the one before it? */
static bool is_small(struct fm_view v)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    uint8_t cards[SOUMSOUM_CARDS];
    const unsigned open = fm__count(pub->empty) + (v.pub->phase == SOUMSOUM_DIVER);
    if (v.pub->phase != SOUMSOUM_PLACE && v.pub->phase != SOUMSOUM_DIVER)
        return false;
    if (open < 2)
        return true;
    return open == 2 && pub->head.n_seats == 2 && !pub->market_on && pub->hand_n[1 - v.seat] > 0 &&
           pub->hand_n[1 - v.seat] <= unseen(v, cards);
}

int64_t soumsoum_exact(struct fm_view v, fm_action action)
{
    return is_small(v) ? (int64_t)(chance_of(v, action) * 1000000 + 0.5) : -1;
}
