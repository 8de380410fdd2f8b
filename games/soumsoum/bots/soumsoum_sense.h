/*
 * soumsoum_sense.h: what Soum Soum's bots make of a board, one step ahead.
 *
 * A diver's prospect is what it is worth now plus what the empty places of its zone may still
 * bring. A placement is judged by what it changes for the divers on the board, own for, others'
 * against, and by the best prospect it leaves for a diver of its own.
 */
#ifndef SOUMSOUM_SENSE_H
#define SOUMSOUM_SENSE_H

#include "soumsoum/rules/soumsoum.h"

#define SENSE_UNIT 60 /* prospects are in sixtieths of a point */

void soumsoum_lay(struct soumsoum_pub *pub, uint8_t card, unsigned place); /* as a turn does */
int soumsoum_prospect(const struct soumsoum_pub *pub, unsigned place);
/* The best card for a diver, by prospect; -1: none. */
int soumsoum_best_dive(const struct soumsoum_pub *pub, int *value);

/* What the cards on the board show, as bits of places: where the number of an animal has this
 * binary digit. */
#define SOUMSOUM_DIGITS 3 /* a card shows six animals at most */
struct soumsoum_shown {
    uint32_t digit[SOUMSOUM_ANIMALS][SOUMSOUM_DIGITS];
};

/* A board looked over once, so that many placements can be judged quickly. */
struct soumsoum_survey {
    const struct soumsoum_pub *pub;
    unsigned seat;
    int own, others;                  /* prospects of all divers on the board */
    uint32_t reach[SOUMSOUM_PLACES];  /* of an empty place: cards whose zone it lies in */
    int prospect[SOUMSOUM_PLACES];    /* of the cards that lie */
    uint8_t counted[SOUMSOUM_PLACES]; /* the animals that they count */
    struct soumsoum_shown shown;
    uint8_t free[SOUMSOUM_PLACES], n_free; /* cards without a diver, best prospect first */
};

void soumsoum_survey(struct soumsoum_survey *s, const struct soumsoum_pub *pub, unsigned seat);
/* What laying this card on this place comes to: own prospects for, the others' shared out
 * against, and the best diver. */
int soumsoum_judge(const struct soumsoum_survey *s, uint8_t card, unsigned place);
/* What a diver should promise to be worth spending now: anything when they must go anyway. */
int soumsoum_threshold(const struct soumsoum_pub *pub, unsigned seat);
/* The choice of whoever acts in this view. */
fm_action soumsoum_greedy_choice(struct fm_view v);
/* The same in the last turns, exactly; 0: too much is still open. */
fm_action soumsoum_solve(struct fm_view v);
/* The chance to win with this action, in millionths, exactly; -1: too much is still open. */
int64_t soumsoum_exact(struct fm_view v, fm_action action);

#endif
