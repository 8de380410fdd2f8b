/*
 * divercity_judge.h: how likely the divers are to win from here, by a small net of neurons that
 * learnt it from games between pilots (tools/judge.c). It looks at what all seats know alike.
 */
#ifndef DIVERCITY_JUDGE_H
#define DIVERCITY_JUDGE_H

#include "divercity/bots/divercity_sense.h"

#define JUDGE_INPUTS 53
#define JUDGE_HIDDEN 32

struct divercity_judge_net {
    float in[JUDGE_INPUTS][JUDGE_HIDDEN], bias[JUDGE_HIDDEN];
    float out[JUDGE_HIDDEN], out_bias;
};

extern const struct divercity_judge_net divercity_judge_net;

void divercity_judge_look(const struct sense *s,
                          float x[JUDGE_INPUTS]); /* before the active one acts */
float divercity_judge_ask(const struct divercity_judge_net *net, const float x[JUDGE_INPUTS]);
float divercity_judge_chance(struct fm_view v); /* 0 .. 1 */

#endif
