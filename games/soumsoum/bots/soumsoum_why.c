/*
 * soumsoum_why.c: why a card was laid, or a diver sent, in Soum Soum.
 *
 * Others see which card was laid, but not from where in the hand it came, nor what else was there:
 * for them the alternatives are the other places for this card.
 */
#include "soumsoum/bots/soumsoum_why.h"

#include "base/bits.h"
#include "soumsoum/bots/soumsoum_sense.h"

static bool explains(fm_action action)
{
    return fm_verb(action) != SOUMSOUM_DO_TAKE;
}

/* A shared win is shared. */
static float chance(const struct fm_outcome *o, unsigned n_seats, unsigned seat)
{
    (void)n_seats;
    return o->winners >> seat & 1 ? 1.0f / (float)fm__count(o->winners) : 0;
}

/* The card that was laid, if that is what was told; SOUMSOUM_NONE: it was something else. */
static unsigned laid_card(const struct why_question *q, unsigned *place)
{
    if (q->told.kind != SOUMSOUM_PLACED)
        return SOUMSOUM_NONE;
    *place = (unsigned)(q->told.open >> 8 & 0xff);
    return (unsigned)(q->told.open & 0xff);
}

static fm_action replay(const struct why_question *q, struct fm_view mover)
{
    const struct soumsoum_pub *pub = (const void *)mover.pub;
    const struct soumsoum_priv *priv = (const void *)mover.priv;
    unsigned place = 0;
    const unsigned card = laid_card(q, &place);
    if (card == SOUMSOUM_NONE)
        return q->played; /* places and passing are seen by everybody */
    for (unsigned i = 0; i < pub->hand_n[q->seat]; i++)
        if (priv->hand[i] == card)
            return soumsoum_action(SOUMSOUM_DO_PLACE, i, place);
    return 0;
}

#define PLACES 8 /* for the card that was laid, the most promising */

/* The other places for the card that was laid. */
static size_t places(const struct why_question *q, struct fm_view mover, fm_action *out, size_t cap)
{
    const struct soumsoum_pub *pub = (const void *)mover.pub;
    const fm_action move = replay(q, mover);
    const unsigned card =
        ((const struct soumsoum_priv *)(const void *)mover.priv)->hand[soumsoum_action_card(move)];
    int value[PLACES];
    size_t n = 0;
    struct soumsoum_survey survey;
    soumsoum_survey(&survey, pub, q->seat);
    for (uint32_t m = pub->empty; m != 0; m &= m - 1) {
        const int here = soumsoum_judge(&survey, (uint8_t)card, fm__lowest(m));
        size_t at = n;
        for (; at > 0 && value[at - 1] < here; at--)
            if (at < PLACES && at < cap) {
                value[at] = value[at - 1];
                out[at] = out[at - 1];
            }
        if (at >= PLACES || at >= cap)
            continue;
        value[at] = here;
        out[at] = soumsoum_action(SOUMSOUM_DO_PLACE, soumsoum_action_card(move), fm__lowest(m));
        n += n < PLACES && n < cap;
    }
    return n;
}

static size_t options(const struct why_question *q, struct fm_view mover, fm_action *out,
                      size_t cap)
{
    if (!fm__why_own(q) && q->told.kind == SOUMSOUM_PLACED)
        return places(q, mover, out, cap);
    return soumsoum_policy.options(mover, out, cap);
}

/* Cards of a hand that others do not see are not told apart. */
static fm_action shown(const struct why_question *q, fm_action action)
{
    if (fm__why_own(q) || fm_verb(action) != SOUMSOUM_DO_PLACE)
        return action;
    return soumsoum_action(SOUMSOUM_DO_PLACE, 0, soumsoum_action_place(action));
}

/* By how many points the placement changes what each seat has now; false: by none. */
static bool points(const struct why_question *q, unsigned card, unsigned place,
                   int change[SOUMSOUM_SEATS])
{
    struct soumsoum_pub pub = *(const struct soumsoum_pub *)(const void *)q->before.pub;
    unsigned before[SOUMSOUM_SEATS] = {0}, after[SOUMSOUM_SEATS] = {0};
    bool any = false;
    soumsoum_scores(&pub, before);
    soumsoum_lay(&pub, (uint8_t)card, place);
    soumsoum_scores(&pub, after);
    for (unsigned seat = 0; seat < pub.head.n_seats; seat++) {
        change[seat] = (int)after[seat] - (int)before[seat];
        any |= change[seat] != 0;
    }
    return any;
}

static void put_points(struct fm_out *o, const int change[SOUMSOUM_SEATS], unsigned n_seats)
{
    fm_js_key_word(o, "code", "points");
    fm_js_key(o, "points");
    fm_js_array(o);
    for (unsigned seat = 0; seat < n_seats; seat++)
        fm_js_int(o, change[seat]);
    fm_js_end_array(o);
}

static void put_diver(struct fm_out *o, const struct soumsoum_pub *pub, unsigned place)
{
    const struct soumsoum_card card = pub->deck[pub->board[place]];
    const uint32_t zone = soumsoum_zone_mask((enum soumsoum_zone)soumsoum_zone(card), place);
    fm_js_key_word(o, "code", "diver");
    fm_js_key_int(o, "worth", soumsoum_worth(pub, place));
    fm_js_key_int(o, "room", fm__count(zone & pub->empty & ~(1u << place)));
}

static bool put_reason(struct fm_out *o, const struct why_question *q)
{
    const struct soumsoum_pub *pub = (const void *)q->before.pub;
    unsigned place = 0;
    const unsigned card = laid_card(q, &place);
    int change[SOUMSOUM_SEATS] = {0};
    if (card != SOUMSOUM_NONE && points(q, card, place, change)) {
        put_points(o, change, pub->head.n_seats);
        return true;
    }
    if (q->told.kind == SOUMSOUM_DIVED) {
        put_diver(o, pub, (unsigned)(q->told.open & 0xff));
        return true;
    }
    return false;
}

const struct fm_reasoning soumsoum_reasoning = {.policy = &soumsoum_policy,
                                                .chance = chance,
                                                .explains = explains,
                                                .replay = replay,
                                                .options = options,
                                                .shown = shown,
                                                .put_reason = put_reason,
                                                .study = &soumsoum_study};
