/* apply.h: what fm_init() and fm_apply() do, for those who do it very often. */
#ifndef CORE_APPLY_H
#define CORE_APPLY_H

#include <fathom/game.h>

/* Setting a match up with another seed than its setup's. */
enum fm_err fm__init_seeded(void *state, const struct fm_setup *setup,
                            const uint8_t seed[FM_SEED_BYTES], struct fm_notes *notes);

/* May this seat, or the table itself, do this now? */
static inline enum fm_err fm__vet(const struct fm_game *g, const struct fm_pub *pub,
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

/* Applies an event that was vetted. */
static inline enum fm_err fm__apply_vetted(const struct fm_game *g, void *state,
                                           const struct fm_event *ev, struct fm_notes *notes)
{
    struct fm_pub *pub = state;
    struct fm_secret *secret = (void *)((char *)state + g->secret_off);
    const enum fm_err err = g->apply(state, ev, notes);
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

#endif
