/* moves.c: plays so many random games and says how many moves they had, for counting instructions.
 */
#include "base/panic.h"

#include <fathom/sim.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    static struct fm_setup setup;
    static _Alignas(8) uint8_t state[FM_STATE_MAX], view[FM_STATE_MAX];
    struct fm_fault fault;
    struct fm_rng rng;
    uint64_t moves = 0;
    const bool with_view = argc == 4 && strcmp(argv[3], "--view") == 0;
    if (argc < 3 || argc > 4 || (argc == 4 && !with_view)) {
        fprintf(stderr, "usage: bench_moves GAME GAMES [--view]\n");
        return 2;
    }
    json_t *table = json_pack("{s:s}", "game", argv[1]);
    if (fm_setup_parse(&setup, table, NULL, &fault) != FM_OK) {
        fprintf(stderr, "bench_moves: %s\n", fault.text);
        return 2;
    }
    json_decref(table);
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){1}, 0);
    for (long left = strtol(argv[2], NULL, 10); left > 0; left--) {
        fm_rng_bytes(&rng, setup.seed, sizeof setup.seed);
        moves += fm_random_match(state, &setup, &rng, with_view ? view : NULL, sizeof view);
    }
    printf("{\"units\":%llu}\n", (unsigned long long)moves);
    return 0;
}
