/* apply.c: the life of a match: set up, advance, replay; the checks that all games share. */
#include <fathom/game.h>

#include "base/hash.h"
#include "base/panic.h"
#include "core/apply.h"

#include <string.h>

enum fm_err fm__init_seeded(void *state, const struct fm_setup *setup,
                            const uint8_t seed[FM_SEED_BYTES], struct fm_notes *notes)
{
    const struct fm_game *g = setup->game;
    fm_assert(setup->n_seats >= g->min_seats && setup->n_seats <= g->max_seats);
    fm_assert(setup->rules >= 1 && setup->rules <= g->newest_rules);
    memset(state, 0, g->state_size);
    struct fm_pub *pub = state;
    struct fm_secret *secret = (void *)((char *)state + g->secret_off);
    pub->n_seats = setup->n_seats;
    pub->rules = setup->rules;
    pub->deadline_ms = FM_NEVER;
    fm_rng_init(&secret->rng, seed, 0);
    return g->init(state, setup, notes);
}

enum fm_err fm_init(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    return fm__init_seeded(state, setup, setup->seed, notes);
}

enum fm_err fm_apply(const struct fm_game *g, void *state, const struct fm_event *ev,
                     struct fm_notes *notes)
{
    const struct fm_secret *secret = (const void *)((const char *)state + g->secret_off);
    const enum fm_err err = fm__vet(g, state, secret, ev);
    return err == FM_OK ? fm__apply_vetted(g, state, ev, notes) : err;
}

enum fm_err fm_replay(void *state, const struct fm_setup *setup, const struct fm_event *ev,
                      size_t n, size_t *bad)
{
    *bad = 0;
    enum fm_err err = fm_init(state, setup, NULL);
    for (size_t i = 0; i < n && err == FM_OK; i++) {
        *bad = i;
        err = fm_apply(setup->game, state, &ev[i], NULL);
        if (err == FM_OK && ev[i].check != 0 && ev[i].check != fm_check(setup->game, state))
            err = FM_E_DIVERGED;
    }
    return err;
}

enum fm_err fm_refuse(struct fm_fault *fault, const struct fm_game *g, enum fm_err code)
{
    return fm_fail_values(fault, code, NULL, g->constants);
}
