/*
 * judge.c: teaches DiverCity's judge (bots/divercity_judge.h) and writes its net as C.
 *
 *   cc -O3 -Iinclude -Ibuild/include -Isrc -Igames games/divercity/tools/judge.c build/libfathom.a
 *      -ljansson -lsodium -lm -o judge
 *   ./judge GAMES > games/divercity/bots/divercity_judge_net.c
 *
 * Pilots play on all levels with all numbers of divers; half of the games begin with mistakes, so
 * that the judge sees worse positions too, and is asked only once these are over. It learns from
 * shuffled positions by Adam how often they are won, and says on stderr how well it did on
 * positions that it had not seen before.
 */
#include "divercity/bots/divercity_judge.h"

#include "base/bits.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEIGHTS (sizeof(struct divercity_judge_net) / sizeof(float))
#define POOL    32768 /* positions shuffled together */
#define MINI    64
#define RATE    0.002f

struct lesson {
    float x[JUDGE_INPUTS];
    float won;
};

static const char *const levels[] = {"open-water", "advanced-open-water",
                                     "divemaster", "assistant-instructor",
                                     "instructor", "cousteau",
                                     "poseidon",   "freediving"};
#define LEVELS 8
#define DIVERS 6

static union {
    struct divercity_judge_net net;
    float w[WEIGHTS];
} judge, slope, first, second;
static struct lesson pool[POOL];
static size_t n_pool;
static unsigned steps;
static double loss, n_loss;

static struct fm_setup setup_of(const char *level, int divers, bool industrialist)
{
    char text[200];
    struct fm_setup setup;
    struct fm_fault fault;
    (void)snprintf(text, sizeof text,
                   "{\"game\":\"divercity\",\"options\":{\"divers\":%d,\"level\":\"%s\"%s%s}}",
                   divers, level, strcmp(level, "freediving") == 0 ? ",\"beginners\":true" : "",
                   industrialist ? ",\"industrialist\":true" : "");
    json_t *json = json_loads(text, 0, NULL);
    if (fm_setup_parse(&setup, json, NULL, &fault) != FM_OK) {
        (void)fprintf(stderr, "judge: %s: %s\n", text, fault.text);
        exit(1);
    }
    json_decref(json);
    return setup;
}

/* ---- learning ------------------------------------------------------------------------------- */

static void learn_one(const struct lesson *l)
{
    float hidden[JUDGE_HIDDEN];
    float sum = judge.net.out_bias;
    for (unsigned k = 0; k < JUDGE_HIDDEN; k++) {
        hidden[k] = judge.net.bias[k];
        for (unsigned i = 0; i < JUDGE_INPUTS; i++)
            hidden[k] += l->x[i] * judge.net.in[i][k];
        hidden[k] = hidden[k] > 0 ? hidden[k] : 0;
        sum += hidden[k] * judge.net.out[k];
    }
    const float p = 1 / (1 + expf(-sum)), error = p - l->won;
    loss -= log((double)(l->won > 0 ? p : 1 - p) + 1e-9);
    n_loss++;
    slope.net.out_bias += error;
    for (unsigned k = 0; k < JUDGE_HIDDEN; k++) {
        slope.net.out[k] += error * hidden[k];
        const float back = hidden[k] > 0 ? error * judge.net.out[k] : 0;
        slope.net.bias[k] += back;
        for (unsigned i = 0; i < JUDGE_INPUTS && back != 0; i++)
            slope.net.in[i][k] += back * l->x[i];
    }
}

static void step(float rate)
{
    steps++;
    const float a = 1 - powf(0.9f, (float)steps), b = 1 - powf(0.999f, (float)steps);
    for (size_t i = 0; i < WEIGHTS; i++) {
        const float g = slope.w[i] / MINI;
        first.w[i] = 0.9f * first.w[i] + 0.1f * g;
        second.w[i] = 0.999f * second.w[i] + 0.001f * g * g;
        judge.w[i] -= rate * (first.w[i] / a) / (sqrtf(second.w[i] / b) + 1e-8f);
    }
    memset(&slope, 0, sizeof slope);
}

static void learn_pool(struct fm_rng *rng, float rate)
{
    for (size_t i = POOL - 1; i > 0; i--) {
        const size_t k = fm_rng_below(rng, (uint32_t)i + 1);
        const struct lesson swap = pool[i];
        pool[i] = pool[k];
        pool[k] = swap;
    }
    for (size_t i = 0; i < POOL; i++) {
        learn_one(&pool[i]);
        if (i % MINI == MINI - 1)
            step(rate);
    }
    n_pool = 0;
}

/* ---- playing -------------------------------------------------------------------------------- */

static size_t play(const struct fm_setup *setup, struct fm_rng *rng, struct lesson *out, size_t cap)
{
    static _Alignas(8) uint8_t state[FM_STATE_MAX];
    const struct fm_game *g = setup->game;
    const struct fm_pub *pub = (const void *)state;
    const struct divercity_pub *sea = (const void *)state;
    size_t n = 0;
    if (fm_init(state, setup, NULL) != FM_OK)
        exit(1);
    const unsigned sober = fm_rng_below(rng, 2) == 0 ? 0 : fm_rng_below(rng, 20); /* from then on */
    while (pub->status != FM_OVER && pub->owes != 0) {
        const unsigned seat = fm__lowest(pub->owes);
        const struct fm_view v = fm_view_of(g, state, (int)seat);
        if (sea->round > sober && pub->phase == DIVERCITY_ACTION && !sea->acted && n < cap) {
            struct sense s;
            divercity_sense_init(&s, v, &divercity_weights_pilot);
            divercity_judge_look(&s, out[n++].x);
        }
        fm_action a = 0;
        if (sea->round <= sober && fm_rng_below(rng, 4) == 0)
            a = g->sample(v, rng);
        if (a == 0)
            a = divercity_ranger_choose(v, &divercity_weights_pilot);
        const struct fm_event ev = {.t_ms = pub->now_ms, .seat = (uint8_t)seat, .action = a};
        if (fm_apply(g, state, &ev, NULL) != FM_OK)
            exit(1);
    }
    for (size_t i = 0; i < n; i++)
        out[i].won = sea->saved >= sea->to_save ? 1 : 0;
    return n;
}

static void print_floats(const char *name, const float *w, size_t n)
{
    printf("    .%s = {", name);
    for (size_t i = 0; i < n; i++)
        printf("%s%.4ff,", i % 10 == 0 ? "\n        " : " ", (double)w[i]);
    printf("\n    },\n");
}

int main(int argc, char **argv)
{
    static struct fm_setup setups[2][LEVELS * DIVERS];
    static struct lesson game[200];
    struct fm_rng rng;
    const uint8_t seed[FM_SEED_BYTES] = {8};
    const long games = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    if (games <= 0) {
        (void)fprintf(stderr, "usage: judge GAMES\n");
        return 2;
    }
    fm_rng_init(&rng, seed, 0);
    for (int i = 0; i < LEVELS * DIVERS; i++)
        for (int k = 0; k < 2; k++)
            setups[k][i] = setup_of(levels[i / DIVERS], 1 + i % DIVERS, k != 0);
    for (unsigned i = 0; i < JUDGE_INPUTS; i++)
        for (unsigned k = 0; k < JUDGE_HIDDEN; k++)
            judge.net.in[i][k] = 0.3f * ((float)fm_rng_below(&rng, 2001) / 1000 - 1);
    for (unsigned k = 0; k < JUDGE_HIDDEN; k++)
        judge.net.out[k] = 0.3f * ((float)fm_rng_below(&rng, 2001) / 1000 - 1);
    for (long i = 0; i < games; i++) {
        /* two and three divers twice as often */
        static const int divers[] = {0, 1, 1, 1, 2, 2, 2, 3, 4, 5};
        struct fm_setup *setup =
            &setups[fm_rng_below(&rng, 5) == 0]
                   [fm_rng_below(&rng, LEVELS) * DIVERS + (uint32_t)divers[fm_rng_below(&rng, 10)]];
        fm_rng_bytes(&rng, setup->seed, sizeof setup->seed);
        const size_t n = play(setup, &rng, game, 200);
        for (size_t k = 0; k < n; k++) {
            pool[n_pool++] = game[k];
            if (n_pool == POOL)
                learn_pool(&rng, RATE * (1 - 0.95f * (float)i / (float)games));
        }
        if (i % (games / 10) == games / 10 - 1) {
            (void)fprintf(stderr, "game %ld: %.4f nats a position\n", i + 1, loss / n_loss);
            loss = n_loss = 0;
        }
    }
    printf("/* divercity_judge_net.c: what the judge learnt. Written by tools/judge.c from %ld "
           "games. */\n#include \"divercity/bots/divercity_judge.h\"\n\nconst struct "
           "divercity_judge_net "
           "divercity_judge_net = "
           "{\n    .in = {\n",
           games);
    for (unsigned i = 0; i < JUDGE_INPUTS; i++) {
        printf("        {");
        for (unsigned k = 0; k < JUDGE_HIDDEN; k++)
            printf("%.4ff,%s", (double)judge.net.in[i][k], k + 1 < JUDGE_HIDDEN ? " " : "},\n");
    }
    printf("    },\n");
    print_floats("bias", judge.net.bias, JUDGE_HIDDEN);
    print_floats("out", judge.net.out, JUDGE_HIDDEN);
    printf("    .out_bias = %.4ff,\n};\n", (double)judge.net.out_bias);
    return 0;
}
