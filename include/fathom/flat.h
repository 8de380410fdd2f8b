/*
 * fathom/flat.h: the games in fixed numbers, as vectorised stepping has them (fathom/vec.h).
 *
 * An observation is what the seat that acts sees: a struct of fixed size, bytes and small
 * integers without padding. It is made from a view, never from a state. 255 stands for none,
 * nobody or unknown. Seats are numbers at the table; `seat` says which one looks.
 *
 * An action is an index of the game's list below, in the low 12 bits, and a value in the bits
 * above. Most actions are an index alone, their value is 0. Those marked "value" are too many to
 * be listed: fm_vec_values() says how many values one has now, each from 0 up is legal. A mask
 * has a bit for each index.
 */
#ifndef FATHOM_FLAT_H
#define FATHOM_FLAT_H

#include <fathom/game_flats.h>

#include <stdint.h>

#define FM_FLAT_INDEX_BITS 12
#define FM_FLAT_NONE       255

#endif
