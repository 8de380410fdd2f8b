/*
 * fathom/scenario.h: any position, then moves, then the outcome: the referee.
 *
 *   {"game":…,"rules":N,"options":{…},"setup":{…},"actions":[…]}
 *   and, for files that explain themselves, "title":"…" and "expect":{…}, which the referee reads
 *   past; rules left out: the newest
 */
#ifndef FATHOM_SCENARIO_H
#define FATHOM_SCENARIO_H

#include <fathom/game.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_SCENARIO_MAX 0x100000 /* no scenario is larger: 1 MiB */
#define FM_WHOLE        (-2)     /* the state, not a view */

enum fm_ruling { FM_RULED = 0, FM_ILLEGAL = 1, FM_BAD_FILE = 2 }; /* exit statuses, too */

struct fm_scenario {
    const struct fm_library *library;
    const struct fm_deck *must_use; /* refused if it is played with another; NULL: any */
    uint8_t seed[FM_SEED_BYTES];    /* deals what the setup leaves open */
    int view;                       /* FM_WHOLE, FM_WATCHER or a seat */
};

/* Plays it and writes the answer as one JSON object; scratch holds the events meanwhile. Actions
 * that are not JSON are blanked in the text, so that those before them can be played. */
enum fm_ruling fm_scenario_run(const struct fm_scenario *s, char *text, size_t n,
                               struct fm_out *answer, struct fm_out *scratch);

/* The answer to a scenario that cannot be read at all. */
void fm_scenario_put_fault(struct fm_out *answer, const struct fm_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
