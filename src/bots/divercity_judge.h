/*
 * divercity_judge.h: how likely the divers are to win from here, by a small net of neurons that
 * learnt it from games between pilots (tools/judge). It looks at what all seats know alike.
 */
#ifndef DIVERCITY_JUDGE_H
#define DIVERCITY_JUDGE_H

#include "bots/divercity_sense.h"

#define JUDGE_INPUTS 53
#define JUDGE_HIDDEN 32

struct judge_net {
    float in[JUDGE_INPUTS][JUDGE_HIDDEN], bias[JUDGE_HIDDEN];
    float out[JUDGE_HIDDEN], out_bias;
};

extern const struct judge_net judge_net;

void judge_look(const struct sense *s, float x[JUDGE_INPUTS]); /* before the active one acts */
float judge_ask(const struct judge_net *net, const float x[JUDGE_INPUTS]);
float judge_chance(struct fm_view v); /* 0 .. 1 */

#endif
