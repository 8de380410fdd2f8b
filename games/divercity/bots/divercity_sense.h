/*
 * divercity_sense.h: what DiverCity's bots make of a view: counted cards, what a move of a token
 * is worth, how near the hotels are. Values are in thousandths of a saved species.
 */
#ifndef DIVERCITY_SENSE_H
#define DIVERCITY_SENSE_H

#include "divercity/rules/divercity.h"

/* What a rule policy goes by. Found by trying: see divercity_weights.c. */
struct weights {
    int game; /* the whole game, won or lost */
    /* a step towards survival from each zone, and from red when it cannot be saved any more */
    int gain_red, gain_blue, gain_green, vain_red;
    int spare; /* more for each card of the species beyond those it needs */
    int pair;  /* more for each of its cards that its owner knows, two at most */
    int blind; /* per cent that a step counts when the card is not known */
    /* a step towards extinction */
    int harm_red, harm_blue, harm_green, vain_harm;
    int lives; /* how much a step to or from the brink weighs more with few lives left */
    /* hotels: per cent that the card after the next counts; a little dread for each that stands,
     * more for each beyond three; per cent of a card's worth that closing one costs */
    int hotel_second, hotel_dread, hotel_many, closing;
    /* talking, in per cent: the listener's next card, the one after it, the next rig; for each
     * card that it does not know; less for each turn until then */
    int talk_now, talk_more, talk_rig, talk_each, talk_wait;
    int rig_harm;      /* the rig: per cent that harm counts beside the gain that is missed */
    int wanted[8];     /* what a diver card must bring to be used */
    int vision, sight; /* what looking at corporation cards brings, and at each own card */
};

extern const struct weights divercity_weights_ranger, divercity_weights_pilot;

struct sense {
    const struct divercity_pub *pub;
    const struct divercity_priv *priv;
    const struct weights *w;
    unsigned seat;
    int unseen[DIVERCITY_SPECIES]; /* cards of each species that this seat cannot place */
    int n_unseen;
    int left[DIVERCITY_SPECIES];  /* cards of each species that are not discarded */
    int gain[DIVERCITY_SPECIES];  /* of one step towards survival */
    int harm[DIVERCITY_SPECIES];  /* of one step towards extinction */
    int ready[DIVERCITY_SPECIES]; /* cards in hands that their owners know */
    int blind_gain, blind_harm;   /* of a card of which nothing is known */
    /* corporation cards that may come: all, and those with each effect */
    int n_corps, effects[DIVERCITY_PAIR_0 + DIVERCITY_PAIRS];
    uint8_t pair[DIVERCITY_PAIRS];             /* colours that each hotels effect builds */
    uint8_t building[DIVERCITY_ALL_BUILT + 1]; /* cards that build all of these colours */
};

void divercity_sense_init(struct sense *s, struct fm_view v, const struct weights *w);

/* What a card is to this seat: a species, or DIVERCITY_NONE where it can only count. */
unsigned divercity_sense_card(const struct sense *s, unsigned hand, unsigned place);
int divercity_sense_gain(const struct sense *s,
                         unsigned card); /* expected; DIVERCITY_NONE: unknown */
int divercity_sense_harm(const struct sense *s, unsigned card);

/* Does the owner know this card of its hand, as far as this seat can tell? */
bool divercity_sense_owner_knows(const struct sense *s, unsigned hand, unsigned place);

/* Signs for each card of a hand, by what they show (divercity_signs.h). 0: they are not asked. */
uint64_t divercity_sense_signs(const struct sense *s, unsigned hand);

int divercity_sense_danger(const struct sense *s, unsigned hotels); /* of losing by these hotels */
/* What a corporation card does now, if this hand is the active one. */
int divercity_sense_corp_harm(const struct sense *s, unsigned card, unsigned hand);

fm_action divercity_tycoon_choose(struct fm_view v); /* the industrialist's play */
fm_action divercity_ranger_choose(struct fm_view v,
                                  const struct weights *w); /* a diver's; 0: nothing */
/* An own card that is known and was not claimed yet, or claimed wrongly; 0: none. */
fm_action divercity_ranger_claim(struct fm_view v);

#endif
