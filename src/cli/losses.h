/*
 * losses.h: what bots lose by their choices: the mean for a decision, and its standard error over
 * games, since decisions of one game are not independent of each other. All of these are whole
 * numbers: the sums do not depend on their order.
 */
#ifndef CLI_LOSSES_H
#define CLI_LOSSES_H

#include <fathom/out.h>

#include <stdint.h>

struct losses { /* of a seat, or of a bot in all its seats */
    int64_t games;
    int64_t decisions, lost;               /* lost: in millionths, as the analysis has it */
    int64_t squares, products, decisions2; /* sums of a game's loss², loss × decisions, and
                                              decisions²; losses in ten-thousandths */
};

void losses_add(struct losses *l, int64_t decisions, int64_t lost); /* one game */
void losses_merge(struct losses *l, const struct losses *other);
double losses_mean(const struct losses *l);  /* 0 .. 1; 0 without decisions */
double losses_error(const struct losses *l); /* of the mean; < 0: one game is too few */
/* "decisions":…,"lost":…,"lost_se":… */
void losses_put_json(struct fm_out *o, const struct losses *l);
/* A line: who, then the figures. */
void losses_put_text(struct fm_out *o, const struct losses *l, const char *seat, const char *bot);

#endif
