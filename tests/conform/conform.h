/*
 * conform.h: what every game must keep, whatever its rules.
 *
 * A check plays matches of one table and returns NULL, or what it found in a sentence. Checks do
 * not assert: planted leaks must be able to show that they are found.
 */
#ifndef CONFORM_H
#define CONFORM_H

#include <fathom/game.h>

struct conform {
    const char *name; /* of the game and table, for reports */
    struct fm_setup setup;
    unsigned matches; /* for each check */
    char found[400];  /* what is wrong */
};

typedef const char *conform_check(struct conform *c);

conform_check conform_random_play; /* masks, legal lists, samples and ends make sense */
conform_check conform_refusals;    /* what is refused leaves every byte as it was */
conform_check conform_round_trips; /* actions survive JSON and text; views are strict JSON, notes
                                    * and boards can be printed */
conform_check conform_replay;      /* the same events give the same bytes, also from a record */
conform_check conform_deal;        /* dealt worlds keep the viewer's bytes and can be played on */
conform_check conform_twins;       /* nothing a viewer gets depends on what it may not know */
conform_check conform_fresh_twins; /* nor does it at the start, whatever the seed */
conform_check conform_hidden;      /* hidden actions move nothing that others see */
conform_check conform_fields;      /* checks cover every byte that is not named as uncovered */
conform_check conform_undo; /* what nobody noticed can be done otherwise, or stands by a rule */

struct conform_named {
    const char *name;
    conform_check *check;
};

extern const struct conform_named conform_checks[];
extern const size_t conform_n_checks;

/* A table given as JSON: {"game":…,"options":…,"setup":…}; game: whose functions are used. */
void conform_table(struct conform *c, const struct fm_game *game, const char *json);

#endif
