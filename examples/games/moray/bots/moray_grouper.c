/*
 * moray_grouper.c: plays Moray one step ahead.
 *
 * For each fish and hole it adds up the points it gets at once, what the others may get before
 * its next turn, and what it may get then with the fish that it keeps.
 */
#include "moray/bots/moray_bots.h"
#include "moray/rules/moray.h"

struct hole {
    unsigned room, total, fish;
};

struct table {
    unsigned unseen[MORAY_SIZE + 1]; /* fish of each size that this seat cannot see */
    unsigned n_unseen;
    unsigned others; /* fish in the other hands together */
};

static struct table look(struct fm_view v)
{
    const struct moray_pub *pub = (const void *)v.pub;
    struct table t = {0};
    uint8_t fish[MORAY_CARDS];
    t.n_unseen = moray_unseen(v, fish);
    for (unsigned i = 0; i < t.n_unseen; i++)
        t.unseen[moray_size(fish[i])]++;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        t.others += (int)seat != v.seat ? pub->hand_n[seat] : 0;
    return t;
}

/* How likely it is that the others hold a fish of this size. */
static double chance(const struct table *t, unsigned size)
{
    double none = 1;
    if (size > MORAY_SIZE)
        return 0;
    for (unsigned i = 0; i < t->others && i < t->n_unseen; i++) {
        const unsigned left = t->n_unseen - i;
        none *= left > t->unseen[size] ? (double)(left - t->unseen[size]) / left : 0;
    }
    return 1 - none;
}

static bool holds(const struct moray_priv *priv, unsigned n, unsigned without, unsigned size)
{
    for (unsigned i = 0; i < n; i++)
        if (i != without && moray_size(priv->hand[i]) == size)
            return true;
    return false;
}

/* What a hole promises after the move: to this seat, less what it promises to the others. */
static double prospect(const struct table *t, struct hole hole, bool mine)
{
    const double theirs = chance(t, hole.room - hole.total);
    const double worth = hole.fish + 1;
    return worth * ((mine ? 0.8 * (1 - theirs) : 0) - theirs);
}

static double value(struct fm_view v, const struct table *t, unsigned card, unsigned laid_in)
{
    const struct moray_pub *pub = (const void *)v.pub;
    const struct moray_priv *priv = (const void *)v.priv;
    double sum = 0;
    for (unsigned i = 0; i < MORAY_HOLES; i++) {
        struct hole hole = {pub->room[i], moray_total(pub, i), pub->hole_n[i]};
        if (i == laid_in) {
            hole.total += moray_size(priv->hand[card]);
            hole.fish++;
        }
        if (hole.total == hole.room)
            sum += hole.fish;
        else if (hole.total > hole.room)
            sum -= pub->hungry ? hole.fish : MORAY_BITE;
        if (hole.total >= hole.room)
            hole.total = hole.fish = 0;
        sum += prospect(t, hole, holds(priv, pub->hand_n[v.seat], card, hole.room - hole.total));
    }
    return sum;
}

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    const struct table t = look(v);
    fm_action legal[MORAY_HOLES * MORAY_HAND];
    struct fm_choice choice = {.after_ms = 800 + fm_rng_below(rng, 1200)};
    double best = 0;
    (void)budget;
    const size_t n = v.game->legal(v, legal, MORAY_HOLES * MORAY_HAND);
    for (size_t i = 0; i < n; i++) {
        const double worth = value(v, &t, moray_action_card(legal[i]), moray_action_hole(legal[i]));
        if (choice.action != 0 && worth <= best)
            continue;
        best = worth;
        choice.action = legal[i];
    }
    return choice;
}

const struct fm_bot fm_bot_moray_grouper = {
    .id = "grouper",
    .game = "moray",
    .about = "one step ahead: its own points, and what it leaves to the others",
    .think = think,
};
