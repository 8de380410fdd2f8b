/* fuzz.h: what the fuzzers share: a game and a table picked by bytes, JSON that must parse. */
#ifndef FUZZ_H
#define FUZZ_H

#include <fathom/game.h>

#include <jansson.h>

/* libFuzzer calls these. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* All built-in decks, compiled once: compiling them for every input is what would take the time. */
const struct fm_library *fuzz_library(void);

/* Any of the games there are. */
const struct fm_game *fuzz_game(uint8_t pick);

/* A table of this game, its options and seed drawn from `pick`; where the options drawn do not go
 * together, the game's defaults. */
void fuzz_setup(struct fm_setup *setup, const struct fm_game *g, const struct fm_library *from,
                uint8_t pick);

/* What we wrote ourselves must be whole and must parse; json_decref() it. */
json_t *fuzz_parse(const struct fm_out *o);

/* Every view of a state, and the state itself, as JSON that parses. */
void fuzz_check_views(const struct fm_game *g, const void *state);

#endif
