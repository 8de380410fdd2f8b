/*
 * million.c: plays a million games at random, many at a time, and says how they went.
 *
 *   cc -O2 million.c $(pkg-config --cflags --libs fathom) -o million
 *   ./million '{"game":"soumsoum","options":{"players":3}}' 1000000
 */
#include <fathom/vec.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 64

int main(int argc, char **argv)
{
    const char *table = argc > 1 ? argv[1] : "{\"game\":\"soumsoum\"}";
    const long games = argc > 2 ? strtol(argv[2], NULL, 10) : 1000000;
    static struct fm_setup setup;
    struct fm_fault fault;
    struct fm_vec_shape shape;
    if (argc > 3 || games < 1) {
        fprintf(stderr, "usage: million [TABLE [GAMES]]\n");
        return 2;
    }
    if (fm_setup_read(&setup, table, strlen(table), NULL, &fault) != FM_OK) {
        fprintf(stderr, "million: %s\n", fault.text);
        return 2;
    }
    setup.seed[0] = 1; /* the seed: equal ones give equal games */
    if (fm_vec_measure(&shape, &setup) != FM_OK)
        return 1;

    /* All memory is the caller's. */
    const size_t bytes = shape.vec_bytes + LANES * shape.lane_bytes;
    struct fm_vec *vec = fm_vec_open(malloc(bytes), bytes, &setup, LANES, NULL);
    uint64_t action[LANES], chance = 1;
    const struct fm_vec_io io = {
        .action = action,
        .obs = malloc((size_t)LANES * shape.obs_bytes),
        .mask = malloc((size_t)LANES * shape.mask_words * sizeof(uint64_t)),
        .reward = malloc((size_t)LANES * shape.n_seats * sizeof(float)),
        .flags = malloc(LANES),
        .seat = malloc(LANES),
    };
    if (vec == NULL || io.obs == NULL || fm_vec_reset(vec, &io, 0, LANES) != FM_OK)
        return 1;

    long over = 0, actions = 0, won[FM_MAX_SEATS] = {0};
    while (over < games) {
        fm_vec_random(vec, &io, action, 0, LANES, &chance); /* here a policy would choose */
        if (fm_vec_step(vec, &io, 0, LANES) != FM_OK)
            return 1;
        actions += LANES;
        for (unsigned i = 0; i < LANES && over < games; i++) {
            if (!(io.flags[i] & FM_VEC_OVER))
                continue;
            over++;
            for (unsigned seat = 0; seat < shape.n_seats; seat++)
                won[seat] += io.reward[i * shape.n_seats + seat] > 0;
        }
    }
    printf("%ld games of %s, %.1f actions each\n", over, setup.game->title,
           (double)actions / (double)over);
    for (unsigned seat = 0; seat < shape.n_seats; seat++)
        printf("seat %u won %.1f %%\n", seat, 100.0 * (double)won[seat] / (double)over);
    return 0;
}
