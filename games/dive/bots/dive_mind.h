/*
 * dive_mind.h: a diver who imagines the round: stacks that agree with what was seen, what others
 * would lay, and what each own program would come to.
 *
 * In imagined worlds all divers lay their tokens by regret matching; what a dive is worth is the
 * chance to win from where the pawns are afterwards.
 */
#ifndef DIVE_MIND_H
#define DIVE_MIND_H

#include "bots/regret.h"
#include "dive/bots/dive_sense.h"

#include <fathom/bot.h>

struct dive_layout { /* tokens on levels, nothing said about faces */
    struct dive_board board;
    uint32_t program;
    float price; /* of a companion that it uses up */
};

struct dive_diver {
    struct regret regret;
    struct dive_layout layout[REGRET_ACTIONS];
    float worth[REGRET_ACTIONS]; /* added up */
    uint8_t faces;
    struct fm_sight sight;
};

struct dive_mind {
    struct dive_pub pub; /* as it would be with what is tried out */
    const struct fm_eyes *eyes;
    const struct fm_budget *budget;
    unsigned seat, levels; /* its own seat; levels that can be seen */
    struct dive_belief belief;
    struct dive_race race;
    bool taken_for[DIVE_DEEPEST][DIVE_KINDS]; /* face by level and what was seen */
    struct dive_world world;
    struct dive_diver diver[DIVE_SEATS];
    struct fm_rng rng;
    float value[REGRET_ACTIONS];
};

struct dive_mind *dive_mind(void); /* of this thread */

/* Before anything else: what a seat saw, and what follows from that. */
void dive_mind_look(struct dive_mind *m, const struct dive_pub *pub, unsigned seat,
                    const struct fm_budget *budget);
/* The same situation gives the same plan, however often it is asked: who changed nothing has no
 * reason to lay other tokens. */
void dive_mind_seed(struct dive_mind *m, const struct dive_pub *pub, const struct fm_sight *sight);
/* Plans the round of m->pub, with tokens; returns what it is worth. */
float dive_mind_plan(struct dive_mind *m, uint32_t iterations);
/* The program to lay, after that many imagined dives; also of children. */
uint32_t dive_mind_program(struct dive_mind *m, uint32_t iterations);
/* A program with the likelier faces. */
uint32_t dive_mind_with_faces(const struct dive_mind *m, uint32_t program);
/* A companion is used once: what it may still be worth in later rounds is lost. */
float dive_mind_price(const struct dive_pub *pub);

/* One more world, and what everybody lays in it. */
void dive_mind_imagine(struct dive_mind *m, struct dive_board board[DIVE_SEATS]);
/* The chance to win with this program in it, and where it takes the pawns. */
float dive_mind_try(struct dive_mind *m, struct dive_board board[DIVE_SEATS], uint32_t program,
                    struct dive_after *after);
/* After Rest: the chance to win if the axolotl is used, or not. */
float dive_mind_axolotl(const struct dive_mind *m, bool used);

#endif
