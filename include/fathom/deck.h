/*
 * fathom/deck.h: what is printed on the cards. A deck is a JSON file, compiled when it is loaded.
 *
 * It is named by an id and identified by a hash over the game and its cards in order, so that
 * neither layout nor title of the file matter. Records name both.
 */
#ifndef FATHOM_DECK_H
#define FATHOM_DECK_H

#include <fathom/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fm_game;

#define FM_DECK_ID    40
#define FM_DECK_TITLE 96
#define FM_DECK_CARDS 768     /* room for a game's compiled cards */
#define FM_DECK_FILE  0x40000 /* largest deck file */

struct fm_deck {
    const struct fm_game *game;
    char id[FM_DECK_ID];
    char title[FM_DECK_TITLE];
    uint8_t hash[32];
    uint8_t cards[FM_DECK_CARDS]; /* the game's own layout */
};

struct fm_library { /* where tables find their decks: these, then the built-in ones */
    const struct fm_deck *decks;
    size_t n_decks;
};

/* Compile the text of a deck file. */
enum fm_err fm_deck_parse(struct fm_deck *deck, const char *text, size_t n, struct fm_fault *fault);

/* The deck with this id for this game; id NULL: the library's first for this game, or the game's
 * default. */
enum fm_err fm_deck_find(struct fm_deck *deck, const struct fm_library *library,
                         const struct fm_game *game, const char *id, struct fm_fault *fault);

size_t fm_deck_builtin_count(void);
enum fm_err fm_deck_builtin(struct fm_deck *deck, size_t i, struct fm_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
