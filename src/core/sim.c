/* sim.c: a match between bots as a discrete-event simulation. */
#include <fathom/sim.h>

#include "base/panic.h"

#include <string.h>

enum fm_err fm_sim_start(struct fm_sim *sim, const struct fm_setup *setup,
                         const struct fm_bot *const bots[], struct fm_budget budget,
                         struct fm_notes *notes)
{
    fm_assert(setup->game->state_size <= sizeof sim->state);
    sim->game = setup->game;
    sim->budget = budget;
    memset(sim->plan, 0, sizeof sim->plan);
    memset(sim->sight, 0, sizeof sim->sight);
    for (unsigned seat = 0; seat < setup->n_seats; seat++) {
        sim->bot[seat] = bots[seat];
        fm_rng_init(&sim->rng[seat], setup->seed, 1 + seat); /* stream 0 is the deal's */
        fm_rng_init(&sim->look[seat], setup->seed, 101 + seat);
    }
    if (notes != NULL)
        notes->len = 0;
    return fm_init(sim->state, setup, notes);
}

bool fm_sim_over(const struct fm_sim *sim)
{
    return ((const struct fm_pub *)(const void *)sim->state)->status == FM_OVER;
}

static uint32_t now(const struct fm_sim *sim)
{
    return ((const struct fm_secret *)(const void *)(sim->state + sim->game->secret_off))->now_ms;
}

static uint32_t later(uint32_t t_ms, uint32_t after_ms)
{
    return after_ms >= FM_NEVER - t_ms ? FM_NEVER - 1 : t_ms + after_ms;
}

/* The budget that this seat thinks with; it looks at the stack first, if there is one. */
static struct fm_budget budget_of(struct fm_sim *sim, unsigned seat)
{
    struct fm_budget budget = sim->budget;
    if (sim->game->look != NULL && budget.eyes != NULL) {
        sim->game->look(sim->state, budget.eyes, &sim->look[seat], &sim->sight[seat]);
        budget.sight = &sim->sight[seat];
    }
    return budget;
}

/* Ask every seat that may act and sees something it was not asked about yet. */
static void ask(struct fm_sim *sim, const struct fm_pub *pub)
{
    for (unsigned seat = 0; seat < pub->n_seats; seat++) {
        const struct fm_view v = fm_view_of(sim->game, sim->state, (int)seat);
        const uint32_t seq = fm_view_seq(v);
        if (!(pub->may >> seat & 1)) {
            sim->plan[seat].asked = false;
            sim->plan[seat].action = 0;
            continue;
        }
        if (sim->plan[seat].asked && sim->plan[seat].seq == seq)
            continue;
        const struct fm_choice choice =
            sim->bot[seat]->think(v, &sim->rng[seat], budget_of(sim, seat));
        sim->plan[seat].asked = true;
        sim->plan[seat].seq = seq;
        sim->plan[seat].action = choice.action;
        sim->plan[seat].at_ms = later(now(sim), choice.after_ms);
    }
}

enum fm_err fm_sim_step(struct fm_sim *sim, struct fm_event *ev, struct fm_notes *notes)
{
    const struct fm_pub *pub = (const void *)sim->state;
    if (notes != NULL)
        notes->len = 0;
    ask(sim, pub);
    *ev = (struct fm_event){.seat = FM_TABLE, .t_ms = pub->deadline_ms};
    for (unsigned seat = 0; seat < pub->n_seats; seat++) {
        const bool first = ev->seat == FM_TABLE ? sim->plan[seat].at_ms <= ev->t_ms
                                                : sim->plan[seat].at_ms < ev->t_ms;
        if (sim->plan[seat].action != 0 && first) {
            ev->seat = (uint8_t)seat;
            ev->t_ms = sim->plan[seat].at_ms;
            ev->action = sim->plan[seat].action;
        }
    }
    if (ev->seat == FM_TABLE) {
        if (pub->deadline_ms == FM_NEVER || sim->game->due == NULL)
            return FM_E_STUCK;
        if (ev->t_ms < now(sim))
            ev->t_ms = now(sim);
        ev->action = sim->game->due(pub);
    }
    const enum fm_err err = fm_apply(sim->game, sim->state, ev, notes);
    if (err == FM_OK && ev->seat != FM_TABLE)
        sim->plan[ev->seat].asked = false;
    return err;
}
