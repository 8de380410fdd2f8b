/*
 * fathom/bot.h: players that are programs.
 *
 * A bot gets a view, a generator and a budget, and says what it does and when. It never gets a
 * state: its file cannot even include one. Equal view, generator and budget give equal choices,
 * as long as no clock cuts its thinking short.
 */
#ifndef FATHOM_BOT_H
#define FATHOM_BOT_H

#include <fathom/game.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fm_reasoning; /* how moves of a game are explained; bots/why.h */

struct fm_budget {                /* what it has to think with */
    uint32_t iterations;          /* of the bot's search; 0: its own default */
    uint64_t (*clock_us)(void);   /* NULL: only iterations count, so a choice can be repeated ... */
    uint64_t until_us;            /* ... otherwise it stops at this time, however far it is */
    const struct fm_eyes *eyes;   /* how well it sees; NULL: it is blind */
    const struct fm_sight *sight; /* what it saw; NULL: there is nothing to look at */
};

/* Is the time up? To be called about every millisecond; bots do not read clocks themselves. */
static inline bool fm_time_up(const struct fm_budget *budget)
{
    return budget->clock_us != NULL && budget->clock_us() >= budget->until_us;
}

struct fm_choice {
    fm_action action;  /* 0: nothing, until something that it sees changes */
    uint32_t after_ms; /* how long it takes before it acts */
};

struct fm_bot {
    const char *id;    /* "greedy" */
    const char *game;  /* the only game it plays; NULL: any */
    const char *about; /* a sentence */
    const char *eyes;  /* the eyes it has at a table of people, by name; NULL: short-sighted */
    struct fm_choice (*think)(struct fm_view v, struct fm_rng *rng, struct fm_budget budget);
    const struct fm_reasoning *reasoning; /* the same for all bots of a game; NULL: none */
};

const struct fm_bot *fm_bot_find(const struct fm_game *game, const char *id); /* NULL: none */
const struct fm_bot *fm_bot_at(size_t i); /* NULL: past the last */

#ifdef __cplusplus
}
#endif

#endif
