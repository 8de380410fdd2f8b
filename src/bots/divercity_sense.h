/*
 * divercity_sense.h: what DiverCity's bots make of a view: counted cards, what a move of a token
 * is worth, how near the hotels are. Values are in thousandths of a saved species.
 */
#ifndef DIVERCITY_SENSE_H
#define DIVERCITY_SENSE_H

#include "games/divercity/divercity.h"

/* Found by trying, with tools/strength as the judge. */
enum sense_weight {
    SENSE_GAME = 7697, /* the whole game, won or lost */
    /* a step towards survival from each zone, and from red when it cannot be saved any more */
    SENSE_GAIN_RED = 309,
    SENSE_GAIN_BLUE = 581,
    SENSE_GAIN_GREEN = 1103,
    SENSE_VAIN_RED = 180,
    /* a step towards extinction */
    SENSE_HARM_RED = 186,
    SENSE_HARM_BLUE = 461,
    SENSE_HARM_GREEN = 818,
    SENSE_VAIN_HARM = 52,
    SENSE_LIVES = 202, /* how much a step to or from the brink weighs more with few lives left */
    /* hotels: per cent that the card after the next counts; a little dread for each that stands */
    SENSE_HOTEL_SECOND = 33,
    SENSE_HOTEL_DREAD = 136,
    /* talking, in per cent: the listener's next card, the next rig; less for each turn until
     * then */
    SENSE_TALK_NOW = 51,
    SENSE_TALK_RIG = 94,
    SENSE_TALK_WAIT = 22,
};

struct sense {
    const struct divercity_pub *pub;
    const struct divercity_priv *priv;
    unsigned seat;
    int unseen[DIVERCITY_SPECIES]; /* cards of each species that this seat cannot place */
    int n_unseen;
    int left[DIVERCITY_SPECIES];          /* cards of each species that are not discarded */
    int gain[DIVERCITY_SPECIES];          /* of one step towards survival */
    int harm[DIVERCITY_SPECIES];          /* of one step towards extinction */
    int blind_gain, blind_harm;           /* of a card of which nothing is known */
    uint8_t corp[DIVERCITY_CORPORATIONS]; /* corporation cards that may come */
    int n_corps;
};

void sense_init(struct sense *s, struct fm_view v);

/* What a card is to this seat: a species, or DIVERCITY_NONE where it can only count. */
unsigned sense_card(const struct sense *s, unsigned hand, unsigned place);
int sense_gain(const struct sense *s, unsigned card); /* expected; DIVERCITY_NONE: unknown */
int sense_harm(const struct sense *s, unsigned card);

/* Does the owner know this card of its hand, as far as this seat can tell? */
bool sense_owner_knows(const struct sense *s, unsigned hand, unsigned place);

int sense_danger(const struct sense *s, unsigned hotels); /* of losing by these hotels */
/* What a corporation card does now, if this hand is the active one. */
int sense_corp_harm(const struct sense *s, unsigned card, unsigned hand);

fm_action tycoon_choose(struct fm_view v); /* the industrialist's play */
fm_action ranger_choose(struct fm_view v); /* a diver's, claims included; 0: nothing */

#endif
