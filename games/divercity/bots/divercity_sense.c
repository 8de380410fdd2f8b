/* divercity_sense.c: counting and valuing for DiverCity's bots. */
#include "divercity/bots/divercity_sense.h"

#include "divercity/bots/divercity_signs.h"

#include "base/bits.h"

#include <string.h>

/* ---- counting ------------------------------------------------------------------------------- */

unsigned divercity_sense_card(const struct sense *s, unsigned hand, unsigned place)
{
    const unsigned seen = s->priv->hand[hand][place];
    if (seen != DIVERCITY_NONE)
        return seen;
    const unsigned sign = divercity_sign_meaning(s->pub->sign[hand][place], s->unseen);
    if (sign != DIVERCITY_NONE)
        return sign;
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++) /* nothing else is left */
        if (s->unseen[i] > 0 && s->unseen[i] == s->n_unseen)
            return i;
    return DIVERCITY_NONE;
}

static void count_species(struct sense *s)
{
    const struct divercity_pub *pub = s->pub;
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++)
        s->left[i] = pub->species_in_box[i] - pub->boat[i]; /* those never come to a hand */
    for (unsigned i = 0; i < pub->discard_n; i++)
        s->left[pub->discard[i]]--;
    memcpy(s->unseen, s->left, sizeof s->unseen);
    for (unsigned hand = 0; hand < pub->n_hands; hand++)
        for (unsigned i = 0; i < pub->hand_n[hand]; i++)
            if (s->priv->hand[hand][i] != DIVERCITY_NONE)
                s->unseen[s->priv->hand[hand][i]]--;
    s->n_unseen = 0;
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++) {
        if (s->unseen[i] < 0) /* a given position has more cards than the box */
            s->unseen[i] = 0;
        s->n_unseen += s->unseen[i];
    }
}

static void count_ready(struct sense *s)
{
    for (unsigned hand = 0; hand < s->pub->n_hands; hand++)
        for (unsigned i = 0; i < s->pub->hand_n[hand]; i++) {
            const unsigned card = s->priv->hand[hand][i];
            if (card != DIVERCITY_NONE && divercity_sense_owner_knows(s, hand, i))
                s->ready[card]++;
        }
}

static void count_corp(struct sense *s, unsigned card, int by)
{
    s->n_corps += by;
    for (unsigned due = divercity_counting(s->pub, card); due != 0; due >>= 4)
        s->effects[due & 15] += by;
}

static void count_corps(struct sense *s)
{
    const struct divercity_pub *pub = s->pub;
    for (uint32_t m = pub->fresh | pub->old; m != 0; m &= m - 1)
        count_corp(s, pub->corps_in_box[fm__lowest(m)], 1);
    if (pub->industrialist != DIVERCITY_NONE)
        return;
    for (unsigned i = 0; i < pub->corp_discard_n && s->n_corps > 0; i++)
        count_corp(s, pub->corp_discard[i], -1);
}

/* How many of the corporation cards that may come build which colours. */
static void count_hotels(struct sense *s)
{
    for (unsigned i = 0; i < DIVERCITY_PAIRS; i++) {
        const unsigned pair = divercity_pair(DIVERCITY_PAIR_0 + i), one = pair & -pair;
        const int left = s->effects[DIVERCITY_PAIR_0 + i];
        const uint8_t n = (uint8_t)(left > 0 ? left : 0); /* positions may have more than the box */
        s->pair[i] = (uint8_t)pair;
        s->building[pair] += n;
        s->building[one] += n;
        s->building[pair - one] += n;
    }
}

/* ---- tokens --------------------------------------------------------------------------------- */

/* Are there cards for the steps that a species still needs? */
static bool can_be_saved(const struct sense *s, unsigned species, unsigned zone)
{
    return s->left[species] >= (int)(DIVERCITY_SAVED - zone);
}

/* The fewer species may still be lost, the more a token next to extinction matters. */
static int brink(const struct sense *s)
{
    return s->w->lives / (s->pub->to_lose - s->pub->extinct);
}

static int gain_of(const struct sense *s, unsigned species)
{
    const struct weights *w = s->w;
    const int worth[DIVERCITY_ZONES] = {0, w->gain_red, w->gain_blue, w->gain_green, 0};
    const enum divercity_zone zone = divercity_zone_of(s->pub, species);
    if (zone == DIVERCITY_EXTINCT || zone == DIVERCITY_SAVED)
        return 0;
    if (zone == DIVERCITY_GREEN && s->pub->saved + 1 == s->pub->to_save)
        return w->game;
    const int steps = (int)(DIVERCITY_SAVED - zone), more = zone == DIVERCITY_RED ? brink(s) : 0;
    if (!can_be_saved(s, species, zone))
        return (zone == DIVERCITY_RED ? w->vain_red : 0) + more;
    const int ready = s->ready[species] < 2 ? s->ready[species] : 2;
    return worth[zone] + more + w->spare * (s->left[species] - steps) + w->pair * ready;
}

static int harm_of(const struct sense *s, unsigned species)
{
    const struct weights *w = s->w;
    const int worth[DIVERCITY_ZONES] = {0, w->harm_red, w->harm_blue, w->harm_green, 0};
    const int vain[DIVERCITY_ZONES] = {0, w->harm_red, w->vain_harm, 0, 0};
    const enum divercity_zone zone = divercity_zone_of(s->pub, species);
    if (zone == DIVERCITY_RED && s->pub->extinct + 1 == s->pub->to_lose)
        return w->game;
    return (can_be_saved(s, species, zone) ? worth : vain)[zone] +
           (zone == DIVERCITY_RED ? brink(s) : 0);
}

int divercity_sense_gain(const struct sense *s, unsigned card)
{
    return card == DIVERCITY_NONE ? s->blind_gain : s->gain[card];
}

int divercity_sense_harm(const struct sense *s, unsigned card)
{
    return card == DIVERCITY_NONE ? s->blind_harm : s->harm[card];
}

void divercity_sense_init(struct sense *s, struct fm_view v, const struct weights *w)
{
    memset(s, 0, sizeof *s);
    s->pub = (const void *)v.pub;
    s->priv = (const void *)v.priv;
    s->w = w;
    s->seat = (unsigned)v.seat;
    count_species(s);
    count_ready(s);
    count_corps(s);
    count_hotels(s);
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++) {
        s->gain[i] = gain_of(s, i);
        s->harm[i] = harm_of(s, i);
        s->blind_gain += s->gain[i] * s->unseen[i];
        s->blind_harm += s->harm[i] * s->unseen[i];
    }
    if (s->n_unseen > 0) {
        s->blind_gain /= s->n_unseen;
        s->blind_harm /= s->n_unseen;
    }
}

bool divercity_sense_owner_knows(const struct sense *s, unsigned hand, unsigned place)
{
    const struct divercity_pub *pub = s->pub;
    const unsigned card = s->priv->hand[hand][place];
    return (pub->told[hand] >> place & 1) || pub->claim[hand][place] == card ||
           divercity_sign_meaning(pub->sign[hand][place], NULL) == card;
}

uint64_t divercity_sense_signs(const struct sense *s, unsigned hand)
{
    uint64_t signs = 0;
    if (!divercity_rule(s->pub, DIVERCITY_REALISTIC))
        return 0;
    for (unsigned i = 0; i < s->pub->hand_n[hand]; i++)
        signs |= (uint64_t)divercity_sign_for(s->priv->hand[hand][i]) << i * DIVERCITY_SIGN_BITS;
    return signs;
}

/* ---- hotels --------------------------------------------------------------------------------- */

static unsigned hotels_of(const struct divercity_pub *pub, unsigned card)
{
    unsigned hotels = 0;
    for (unsigned due = divercity_counting(pub, card); due != 0; due >>= 4)
        if ((due & 15) >= DIVERCITY_PAIR_0)
            hotels |= divercity_pair(due & 15);
    return hotels;
}

/* The next card may complete them, or the one after it; a little dread besides for each. */
int divercity_sense_danger(const struct sense *s, unsigned hotels)
{
    const struct weights *w = s->w;
    const int n = s->n_corps, built = (int)fm__count(hotels);
    int second = 0, others = n;
    if (hotels == DIVERCITY_ALL_BUILT)
        return w->game;
    const int dread = built * w->hotel_dread + (built > 3 ? built - 3 : 0) * w->hotel_many;
    if (n <= 0 || built < DIVERCITY_HOTELS - 4) /* two cards build four at most */
        return dread;
    for (unsigned i = 0; i < DIVERCITY_PAIRS; i++) {
        const unsigned missing = DIVERCITY_ALL_BUILT & ~(hotels | s->pair[i]);
        others -= s->effects[DIVERCITY_PAIR_0 + i];
        if (missing != 0)
            second += s->effects[DIVERCITY_PAIR_0 + i] * s->building[missing];
    }
    const int first = s->building[DIVERCITY_ALL_BUILT & ~hotels];
    second += others * first;
    return dread + w->game * first / n + w->game * w->hotel_second / 100 * second / (n * n);
}

/* The rig takes what its victim knows to matter least, or any card. */
static int rig_harm(const struct sense *s, unsigned hand)
{
    const unsigned n = s->pub->hand_n[hand];
    int sum = 0, blind = 0, least = s->blind_harm;
    for (unsigned i = 0; i < n; i++) {
        const int harm = divercity_sense_harm(s, divercity_sense_card(s, hand, i));
        if (divercity_sense_owner_knows(s, hand, i)) {
            least = harm < least ? harm : least;
        } else {
            sum += harm;
            blind++;
        }
    }
    if (n == 0)
        return 0;
    return blind > 0 && least >= s->blind_harm ? sum / blind : least;
}

int divercity_sense_corp_harm(const struct sense *s, unsigned card, unsigned hand)
{
    int harm = 0;
    for (unsigned due = divercity_counting(s->pub, card); due != 0; due >>= 4) {
        if ((due & 15) == DIVERCITY_OIL_RIG)
            harm += rig_harm(s, hand);
        else if ((due & 15) == DIVERCITY_BOAT)
            harm += s->blind_harm;
    }
    const unsigned after = s->pub->hotels | hotels_of(s->pub, card);
    return harm + divercity_sense_danger(s, after) - divercity_sense_danger(s, s->pub->hotels);
}
