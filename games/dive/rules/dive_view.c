/* dive_view.c: what follows from a view: what its seat may do, and the worlds it may be in. */
#include "dive/rules/dive_state.h"

#include "base/bits.h"

#include <string.h>

/* ---- what a seat may do --------------------------------------------------------------------- */

static bool asked(struct fm_view v)
{
    return v.seat != FM_WATCHER && (v.pub->may >> v.seat & 1);
}

static uint32_t choices(struct fm_view v)
{
    const struct dive_pub *pub = (const void *)v.pub;
    const struct dive_priv *priv = (const void *)v.priv;
    return priv->choice == DIVE_NONE ? dive_available(pub) : 0;
}

struct list {
    fm_action *out;
    size_t cap, n;
};

static void add(struct list *list, enum dive_verb verb, uint64_t rest)
{
    if (list->n < list->cap)
        list->out[list->n] = dive_action(verb, rest);
    list->n++;
}

/* `program` and the octopus stand once: an empty board, a corner of the stack. */
static void list_program_phase(struct fm_view v, struct list *list)
{
    const struct dive_pub *pub = (const void *)v.pub;
    const struct dive_priv *priv = (const void *)v.priv;
    const unsigned seat = (unsigned)v.seat;
    const unsigned companion = dive_announceable(pub, seat);
    const bool ready = pub->ready >> seat & 1;
    if (!ready)
        add(list, DIVE_DO_PROGRAM, 0);
    if (!ready && dive_program_ready(priv->program, pub->children) == FM_OK)
        add(list, DIVE_DO_READY, 0);
    if (ready)
        add(list, DIVE_DO_UNREADY, 0);
    if (pub->effect[DIVE_FUGU] != DIVE_NONE)
        add(list, DIVE_DO_BREATHE, 0);
    if (companion == DIVE_DOLPHINS) {
        for (unsigned target = 0; target < v.pub->n_seats; target++)
            if (target != seat)
                add(list, DIVE_DO_USE, companion | target << 8);
    } else if (companion != DIVE_NONE) {
        add(list, DIVE_DO_USE, companion);
    }
}

size_t dive_legal(struct fm_view v, fm_action *out, size_t cap)
{
    struct list list = {.out = out, .cap = cap};
    if (!asked(v))
        return 0;
    switch (v.pub->phase) {
    case DIVE_SETUP:
        for (uint32_t m = choices(v); m != 0; m &= m - 1)
            add(&list, DIVE_DO_CHOOSE, fm__lowest(m));
        break;
    case DIVE_PROGRAM:
        list_program_phase(v, &list);
        break;
    default:
        add(&list, DIVE_DO_AXOLOTL, 0);
        add(&list, DIVE_DO_AXOLOTL, 1);
        break;
    }
    return list.n;
}

static fm_action sample_program(const struct dive_pub *pub, unsigned seat, struct fm_rng *rng)
{
    const enum dive_kit kit = dive_kit_of(pub, seat);
    const uint32_t number = fm_rng_below(rng, dive_program_count(kit));
    return dive_action(DIVE_DO_PROGRAM, dive_program_at(kit, number));
}

static fm_action sample_use(const struct dive_pub *pub, unsigned seat, unsigned companion,
                            struct fm_rng *rng)
{
    uint64_t more = 0;
    if (companion == DIVE_DOLPHINS) {
        const uint32_t step = 1 + fm_rng_below(rng, pub->head.n_seats - 1u);
        more = (seat + step) % pub->head.n_seats;
    } else if (companion == DIVE_OCTOPUS) {
        more = fm_rng_below(rng, DIVE_OCTOPUS_SCALE + 1);
        more |= (uint64_t)fm_rng_below(rng, DIVE_OCTOPUS_SCALE + 1) << 16;
    }
    return dive_action(DIVE_DO_USE, companion | more << 8);
}

/*
 * Random play that ends: companions and breath are used now and then; else a seat with a board
 * to dive with says ready, mostly, and one without lays any of all programs, each as likely. Who
 * is ready stays so, mostly: then there is nothing to do (0).
 */
static fm_action sample_program_phase(struct fm_view v, struct fm_rng *rng)
{
    const struct dive_pub *pub = (const void *)v.pub;
    const struct dive_priv *priv = (const void *)v.priv;
    const unsigned seat = (unsigned)v.seat;
    const unsigned companion = dive_announceable(pub, seat);
    const bool ready = pub->ready >> seat & 1;
    if (companion != DIVE_NONE && fm_rng_below(rng, 16) == 0)
        return sample_use(pub, seat, companion, rng);
    if (pub->effect[DIVE_FUGU] != DIVE_NONE && fm_rng_below(rng, 4) == 0)
        return dive_action(DIVE_DO_BREATHE, 0);
    if (ready)
        return fm_rng_below(rng, 16) == 0 ? dive_action(DIVE_DO_UNREADY, 0) : 0;
    if (dive_program_ready(priv->program, pub->children) == FM_OK && fm_rng_below(rng, 16) != 0)
        return dive_action(DIVE_DO_READY, 0);
    return sample_program(pub, seat, rng);
}

fm_action dive_sample(struct fm_view v, struct fm_rng *rng)
{
    if (!asked(v))
        return 0;
    if (v.pub->phase == DIVE_PROGRAM)
        return sample_program_phase(v, rng);
    if (v.pub->phase == DIVE_AXOLOTL)
        return dive_action(DIVE_DO_AXOLOTL, fm_rng_below(rng, 2));
    const uint32_t left = choices(v);
    if (left == 0)
        return 0;
    const uint32_t pick = fm_rng_below(rng, fm__count(left));
    return dive_action(DIVE_DO_CHOOSE, fm__nth(left, pick));
}

/* ---- other worlds --------------------------------------------------------------------------- */

/* A stack of what the deck has left; a position that was given may need more than that. */
static void deal_stack(struct dive_state *s, struct fm_rng *rng)
{
    uint8_t rest[DIVE_CARDS];
    unsigned n = 0;
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
        for (unsigned i = 0; i < s->pub.left[kind]; i++)
            rest[n++] = (uint8_t)kind;
    fm_shuffle(rng, rest, n);
    for (unsigned i = 0; i < s->pub.stack_n; i++) {
        const unsigned kind = i < n ? rest[i] : fm_rng_below(rng, DIVE_KINDS);
        s->secret.stack[i] = (uint8_t)(kind | fm_rng_below(rng, 8) << 3);
    }
}

static void deal_chief(struct dive_state *s, struct fm_rng *rng)
{
    uint8_t rest[DIVE_CHIEF_CARDS];
    unsigned n = 0;
    for (unsigned card = 0; card < DIVE_CHIEF_CARDS; card++)
        for (unsigned i = 0; i < s->pub.chief_left[card]; i++)
            rest[n++] = (uint8_t)card;
    fm_shuffle(rng, rest, n);
    for (unsigned i = 0; i < s->pub.chief_n; i++)
        s->secret.chief[i] = i < n ? rest[i] : (uint8_t)fm_rng_below(rng, DIVE_CHIEF_CARDS);
}

/* What another seat may have done in secret. Somebody has yet to choose, or it were resolved. */
static void deal_seat(struct dive_state *s, unsigned seat, bool may_have_chosen, struct fm_rng *rng)
{
    const struct dive_pub *pub = &s->pub;
    struct dive_priv *priv = &s->priv[seat];
    if (pub->head.phase == DIVE_PROGRAM && (pub->ready >> seat & 1 || fm_rng_below(rng, 4) != 0))
        priv->program = (uint32_t)dive_action_rest(sample_program(pub, seat, rng));
    if (may_have_chosen && pub->companion[seat] == DIVE_NONE && fm_rng_below(rng, 2) != 0) {
        const uint32_t left = dive_available(pub);
        const uint32_t pick = fm_rng_below(rng, fm__count(left));
        priv->choice = (uint8_t)fm__nth(left, pick);
    }
}

/* The seat, other than the viewer's, that has surely not chosen yet: NONE if the viewer has not. */
static unsigned undecided(struct fm_view v, struct fm_rng *rng)
{
    const struct dive_priv *own = (const void *)v.priv;
    uint32_t seats = v.pub->may;
    if (own != NULL && own->choice == DIVE_NONE && seats >> v.seat & 1)
        return DIVE_NONE;
    if (own != NULL)
        seats &= ~(1u << v.seat);
    return fm__nth(seats, fm_rng_below(rng, fm__count(seats)));
}

enum fm_err dive_deal(void *state, struct fm_view v, struct fm_rng *rng)
{
    struct dive_state *s = state;
    memset(s, 0, sizeof *s);
    memcpy(&s->pub, v.pub, sizeof s->pub);
    memset(s->secret.stack, DIVE_NONE, sizeof s->secret.stack);
    memset(s->secret.chief, DIVE_NONE, sizeof s->secret.chief);
    deal_stack(s, rng);
    deal_chief(s, rng);
    const bool choosing = v.pub->phase == DIVE_SETUP;
    const unsigned not_yet = choosing ? undecided(v, rng) : DIVE_NONE;
    for (unsigned seat = 0; seat < DIVE_SEATS; seat++) {
        s->priv[seat].choice = DIVE_NONE;
        if ((int)seat == v.seat)
            memcpy(&s->priv[seat], v.priv, sizeof s->priv[seat]);
        else if (seat < v.pub->n_seats)
            deal_seat(s, seat, choosing && seat != not_yet, rng);
    }
    fm_secret_fresh(&s->secret.head, v, rng);
    return FM_OK;
}
