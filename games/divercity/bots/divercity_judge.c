/* divercity_judge.c: what the judge looks at, and its answer. */
#include "divercity/bots/divercity_judge.h"

#include "base/bits.h"

#include <math.h>
#include <string.h>

struct looks { /* inputs written one after the other */
    float *x;
    unsigned n;
};

static void put(struct looks *l, float value)
{
    l->x[l->n++] = value;
}

/* ---- the sea -------------------------------------------------------------------------------- */

static void look_at_species(struct looks *l, const struct sense *s)
{
    const struct divercity_pub *pub = s->pub;
    int can[DIVERCITY_ZONES] = {0}, cannot[DIVERCITY_ZONES] = {0}, spare[DIVERCITY_ZONES] = {0};
    int ready[DIVERCITY_ZONES] = {0}, pairs = 0;
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++) {
        const unsigned zone = divercity_zone_of(pub, i);
        const int more = s->left[i] - (int)(DIVERCITY_SAVED - zone);
        if (zone == DIVERCITY_EXTINCT || zone == DIVERCITY_SAVED)
            continue;
        can[zone] += more >= 0;
        cannot[zone] += more < 0;
        spare[zone] += more > 3 ? 3 : more > 0 ? more : 0;
        ready[zone] += more >= 0 && s->ready[i] > 0;
        pairs += zone == DIVERCITY_BLUE && more >= 0 && s->ready[i] > 1;
    }
    const int need = pub->to_save - pub->saved, lives = pub->to_lose - pub->extinct;
    const int slack = can[DIVERCITY_RED] + can[DIVERCITY_BLUE] + can[DIVERCITY_GREEN] - need;
    put(l, (float)need / 4);
    put(l, 1.0f / (float)(need > 0 ? need : 1));
    put(l, (float)lives / 3);
    put(l, 1.0f / (float)(lives > 0 ? lives : 1));
    put(l, (float)slack / 4);
    put(l, (float)(need > can[DIVERCITY_GREEN] ? need - can[DIVERCITY_GREEN] : 0) / 3);
    for (unsigned zone = DIVERCITY_RED; zone <= DIVERCITY_GREEN; zone++) {
        put(l, (float)can[zone] / 4);
        put(l, (float)cannot[zone] / 2);
        put(l, (float)spare[zone] / 8);
        put(l, (float)ready[zone] / 2);
    }
    put(l, (float)pairs);
}

/* ---- hands ---------------------------------------------------------------------------------- */

/* Told cards by what they would do, and how many are not told. */
static void count_hand(const struct sense *s, unsigned hand, float n[5])
{
    const struct divercity_pub *pub = s->pub;
    for (unsigned i = 0; i < pub->hand_n[hand]; i++) {
        const unsigned card = s->priv->hand[hand][i];
        if (card == DIVERCITY_NONE || !divercity_sense_owner_knows(s, hand, i)) {
            n[4]++;
            continue;
        }
        const unsigned zone = divercity_zone_of(pub, card);
        const bool helps = s->left[card] >= (int)(DIVERCITY_SAVED - zone);
        n[zone >= DIVERCITY_RED && zone <= DIVERCITY_GREEN && helps ? zone - DIVERCITY_RED : 3]++;
    }
}

/* The active hand, the next, and all the others on average. */
static void look_at_hands(struct looks *l, const struct sense *s)
{
    const unsigned n = s->pub->n_hands;
    float count[3][5] = {{0}};
    for (unsigned k = 0; k < n; k++)
        count_hand(s, (s->pub->active + k) % n, count[k < 2 ? k : 2]);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < 5; i++)
            put(l, count[k][i] / (k == 2 && n > 3 ? (float)(n - 2) : 1) / 2);
    put(l, n == 2 ? 1 : 0);
    put(l, (float)n / 4);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void look_at_corps(struct looks *l, const struct sense *s)
{
    const int built = (int)fm__count(s->pub->hotels), n = s->n_corps > 0 ? s->n_corps : 1;
    put(l, (float)built / 3);
    put(l, built >= 4);
    put(l, built >= 5);
    put(l, (float)divercity_sense_danger(s, s->pub->hotels) / (float)s->w->game);
    put(l, (float)s->effects[DIVERCITY_OIL_RIG] / (float)n);
    put(l, (float)s->effects[DIVERCITY_BOAT] / (float)n);
    put(l, s->pub->industrialist != DIVERCITY_NONE);
    put(l, (float)s->pub->deck_n / 26);
    put(l, s->pub->deck_n < 12 ? (float)(12 - s->pub->deck_n) / 12 : 0);
}

static void look_at_divers(struct looks *l, const struct sense *s)
{
    unsigned unused = 0;
    for (unsigned hand = 0; hand < s->pub->n_hands; hand++)
        unused |= s->pub->unused[hand];
    for (unsigned i = 0; i < DIVERCITY_DIVERS; i++)
        put(l, (float)(unused >> i & 1));
}

void divercity_judge_look(const struct sense *s, float x[JUDGE_INPUTS])
{
    struct looks l = {.x = x};
    memset(x, 0, JUDGE_INPUTS * sizeof x[0]);
    look_at_species(&l, s);
    look_at_hands(&l, s);
    look_at_corps(&l, s);
    look_at_divers(&l, s);
}

float divercity_judge_ask(const struct divercity_judge_net *net, const float x[JUDGE_INPUTS])
{
    float hidden[JUDGE_HIDDEN], sum = net->out_bias;
    memcpy(hidden, net->bias, sizeof hidden);
    for (unsigned i = 0; i < JUDGE_INPUTS; i++)
        if (x[i] != 0)
            for (unsigned k = 0; k < JUDGE_HIDDEN; k++)
                hidden[k] += x[i] * net->in[i][k];
    for (unsigned k = 0; k < JUDGE_HIDDEN; k++)
        sum += hidden[k] > 0 ? hidden[k] * net->out[k] : 0;
    return 1 / (1 + expf(-sum));
}

float divercity_judge_chance(struct fm_view v)
{
    struct sense s;
    float x[JUDGE_INPUTS];
    divercity_sense_init(&s, v, &divercity_weights_pilot);
    divercity_judge_look(&s, x);
    return divercity_judge_ask(&divercity_judge_net, x);
}
