/* fuzz_deck.c: any bytes as a deck file: what is accepted can be played to the end. */
#include "fuzz.h"

#include "base/panic.h"

#include <fathom/sim.h>

#include <string.h>

/* A match of random play, twice: it ends, and both times the same. */
static void play(const struct fm_setup *setup)
{
    static _Alignas(8) uint8_t state[FM_STATE_MAX];
    static _Alignas(8) uint8_t view[FM_STATE_MAX];
    const struct fm_game *g = setup->game;
    uint64_t moves[2], hash[2];
    for (int i = 0; i < 2; i++) {
        struct fm_rng rng;
        fm_rng_init(&rng, setup->seed, 1);
        moves[i] = fm_random_match(state, setup, &rng, i ? view : NULL, sizeof view);
        hash[i] = fm_hash(g, state);
    }
    fm_assert(moves[0] > 0 && moves[0] == moves[1] && hash[0] == hash[1]);
    fuzz_check_views(g, state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct fm_deck deck, again;
    static struct fm_setup setup;
    struct fm_fault fault;
    const enum fm_err err = fm_deck_parse(&deck, (const char *)data, n, &fault);
    if (err != FM_OK) {
        fm_assert(fault.code == err && fault.text[0] != '\0' && fault.line >= 0);
        return 0;
    }
    fm_assert(deck.id[0] != '\0' && deck.title[0] != '\0');
    fm_assert(fm_deck_parse(&again, (const char *)data, n, &fault) == FM_OK);
    fm_assert(memcmp(&deck, &again, sizeof deck) == 0);
    const struct fm_library library = {.decks = &deck, .n_decks = 1};
    for (uint8_t pick = 0; pick < 4; pick++) {
        fuzz_setup(&setup, deck.game, &library, pick);
        fm_assert(memcmp(setup.deck.hash, deck.hash, sizeof deck.hash) == 0);
        play(&setup);
    }
    return 0;
}
