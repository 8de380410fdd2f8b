/* apply.c: the life of a match: set up, advance, replay; the checks that all games share. */
#include <fathom/game.h>

#include "base/hash.h"
#include "base/panic.h"

#include <string.h>

enum fm_err fm_init(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    const struct fm_game *g = setup->game;
    fm_assert(setup->n_seats >= g->min_seats && setup->n_seats <= g->max_seats);
    memset(state, 0, g->state_size);
    struct fm_pub *pub = state;
    struct fm_secret *secret = (void *)((char *)state + g->secret_off);
    pub->n_seats = setup->n_seats;
    pub->deadline_ms = FM_NEVER;
    fm_rng_init(&secret->rng, setup->seed, 0);
    return g->init(state, setup, notes);
}

/* May this seat, or the table, say this now? */
static inline enum fm_err vet(const struct fm_game *g, const struct fm_pub *pub,
                              const struct fm_secret *secret, const struct fm_event *ev)
{
    if (pub->status != FM_RUNNING)
        return FM_E_OVER;
    if (ev->t_ms < secret->now_ms)
        return FM_E_TIME;
    const unsigned verb = fm_verb(ev->action);
    if (verb >= 32)
        return FM_E_ACTION;
    const bool tables = g->table_verbs >> verb & 1;
    if (ev->seat == FM_TABLE)
        return tables ? FM_OK : FM_E_SEAT;
    if (ev->seat >= pub->n_seats)
        return FM_E_SEAT;
    if (tables)
        return FM_E_ACTION;
    return pub->may >> ev->seat & 1 ? FM_OK : FM_E_TURN;
}

enum fm_err fm_apply(const struct fm_game *g, void *state, const struct fm_event *ev,
                     struct fm_notes *notes)
{
    struct fm_pub *pub = state;
    struct fm_secret *secret = (void *)((char *)state + g->secret_off);
    enum fm_err err = vet(g, pub, secret, ev);
    if (err == FM_OK)
        err = g->apply(state, ev, notes);
    if (err != FM_OK)
        return err;
    secret->now_ms = ev->t_ms;
    secret->n_events++;
    if (g->hidden_verbs >> fm_verb(ev->action) & 1) {
        struct fm_priv *priv = (void *)((char *)state + g->priv_off + ev->seat * g->priv_size);
        priv->seq++;
    } else {
        pub->seq++;
        pub->now_ms = ev->t_ms;
    }
    return FM_OK;
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

uint64_t fm_hash(const struct fm_game *g, const void *state)
{
    uint8_t hash[FM_HASH_BYTES];
    fm__hash(hash, "fathom state 1", &(struct fm_span){state, g->state_size}, 1);
    uint64_t out;
    memcpy(&out, hash, sizeof out);
    return out;
}

uint32_t fm_check(const struct fm_game *g, const void *state)
{
    const uint32_t check = (uint32_t)fm_hash(g, state);
    return check ? check : 1;
}
