/*
 * fathom/sim.h: matches between bots in simulated time. No wall clock: the next event is the
 * earliest choice of a bot or the deadline, whichever comes first.
 */
#ifndef FATHOM_SIM_H
#define FATHOM_SIM_H

#include <fathom/bot.h>

#include <stdalign.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fm_sim {
    const struct fm_game *game;
    const struct fm_bot *bot[FM_MAX_SEATS];
    struct fm_rng rng[FM_MAX_SEATS];
    struct fm_rng look[FM_MAX_SEATS]; /* for what it sees */
    struct fm_sight sight[FM_MAX_SEATS];
    struct fm_budget budget;
    struct {
        fm_action action; /* 0: does nothing for now */
        uint32_t at_ms;
        uint32_t seq; /* of the view it was chosen from ... */
        bool asked;   /* ... if it was asked at all */
    } plan[FM_MAX_SEATS];
    alignas(8) uint8_t state[FM_STATE_MAX];
};

/* Set up; the bots' chance comes from the seed too, but from streams of their own. */
enum fm_err fm_sim_start(struct fm_sim *sim, const struct fm_setup *setup,
                         const struct fm_bot *const bots[], struct fm_budget budget,
                         struct fm_notes *notes);

bool fm_sim_over(const struct fm_sim *sim);

/* Chooses and applies the next event; notes may be NULL, and are cleared first. FM_E_STUCK: nobody
 * acts, and no clock is running. */
enum fm_err fm_sim_step(struct fm_sim *sim, struct fm_event *ev, struct fm_notes *notes);

/* One match of random legal play without bots or notes; returns its moves. With a view buffer
 * (8-byte aligned) each move is chosen from a copy of the mover's view. */
uint64_t fm_random_match(void *state, const struct fm_setup *setup, struct fm_rng *rng,
                         uint8_t *view, size_t cap);

#ifdef __cplusplus
}
#endif

#endif
