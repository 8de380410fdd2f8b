/*
 * divercity_study.c: for the analysis of DiverCity: what the bots would consider, and what a seat
 * knew of the cards that it does not see.
 */
#include "bots/study.h"
#include "divercity/bots/divercity_sense.h"
#include "divercity/bots/divercity_why.h"

static bool decides(fm_action action)
{
    return fm_verb(action) != DIVERCITY_DO_CLAIM;
}

static size_t candidates(struct fm_view v, fm_action played, fm_action *out, size_t cap)
{
    (void)played;
    return divercity_policy.options(v, out, cap);
}

/* Cards of the own hand that are the same species, or equally unknown, stand for each other. */
static bool same(struct fm_view v, fm_action a, fm_action b)
{
    const unsigned verb = fm_verb(a);
    struct sense s;
    if (verb != fm_verb(b) ||
        (verb != DIVERCITY_DO_PLAY && verb != DIVERCITY_DO_RIG && verb != DIVERCITY_DO_CLOSE))
        return false;
    if (verb == DIVERCITY_DO_CLOSE && divercity_b(a) != divercity_b(b))
        return false;
    divercity_sense_init(&s, v, &divercity_weights_pilot);
    const unsigned hand = s.pub->asked < s.pub->n_hands ? s.pub->asked : 0;
    return divercity_sense_card(&s, hand, divercity_a(a)) ==
           divercity_sense_card(&s, hand, divercity_a(b));
}

/* Talking to the same diver, whichever signs are made. */
static bool alike(fm_action a, fm_action b)
{
    const unsigned verb = fm_verb(a);
    return verb == fm_verb(b) &&
           (verb == DIVERCITY_DO_WALKIE || verb == DIVERCITY_DO_COMMUNICATIONS) &&
           divercity_target(a) == divercity_target(b);
}

/* {"eel":0.25,…}: a card that is known, or DIVERCITY_NONE: by counting. */
static void put_species(struct fm_out *o, const struct sense *s, unsigned card)
{
    fm_js_object(o);
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++) {
        int64_t chance = card == i ? STUDY_ONE : 0;
        if (card == DIVERCITY_NONE && s->n_unseen > 0)
            chance = fm__share(s->unseen[i], s->n_unseen);
        fm__js_key_chance(o, divercity_species_names[i], chance);
    }
    fm_js_end_object(o);
}

static void put_hand(struct fm_out *o, const struct sense *s, unsigned hand)
{
    for (unsigned i = 0; i < s->pub->hand_n[hand]; i++) {
        fm_js_object(o);
        fm_js_key_int(o, "hand", hand);
        fm_js_key_int(o, "card", i);
        fm_js_key(o, "species");
        put_species(o, s, divercity_sense_card(s, hand, i));
        fm_js_end_object(o);
    }
}

/* The own cards, and the next one of the pile: the industrialist has no others that it does not
 * see. */
static void put_knew(struct fm_out *o, struct fm_view v, const struct study_value *value, size_t n)
{
    (void)value;
    (void)n;
    struct sense s;
    divercity_sense_init(&s, v, &divercity_weights_pilot);
    fm_js_key(o, "cards");
    fm_js_array(o);
    for (unsigned hand = 0; hand < s.pub->n_hands; hand++)
        if (divercity_plays(s.pub, (unsigned)v.seat, hand))
            put_hand(o, &s, hand);
    fm_js_end_array(o);
    fm_js_key(o, "pile");
    put_species(o, &s, DIVERCITY_NONE);
}

const struct fm_study divercity_study = {.playouts = {4000, 20000, 160000},
                                         .decides = decides,
                                         .candidates = candidates,
                                         .same = same,
                                         .alike = alike,
                                         .put_knew = put_knew};
