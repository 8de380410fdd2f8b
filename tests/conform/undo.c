/*
 * undo.c: no action needs to be taken back.
 *
 * An action might be taken back where no other view has changed and no chance was shown. This
 * plays, looks for such actions, and finds of each that its seat can still do whatever it could
 * have done instead, with the same outcome; or that a rule says that it stands.
 */
#include "play.h"

#include <string.h>

static struct fm_secret *secret_of(const struct fm_game *g, void *state)
{
    return (void *)((char *)state + g->secret_off);
}

static bool same_view(const struct fm_game *g, const void *a, const void *b, int seat)
{
    uint8_t here[FM_STATE_MAX], there[FM_STATE_MAX];
    const size_t n = fm_view_copy(fm_view_of(g, a, seat), here, sizeof here);
    return fm_view_copy(fm_view_of(g, b, seat), there, sizeof there) == n &&
           memcmp(here, there, n) == 0;
}

/* Nobody but the seat itself can tell the two apart, and chance has not been asked. */
static bool untold(const struct fm_game *g, void *before, void *after, int seat)
{
    const struct fm_pub *pub = before;
    for (int viewer = FM_WATCHER; viewer < pub->n_seats; viewer++)
        if (viewer != seat && !same_view(g, before, after, viewer))
            return false;
    return memcmp(&secret_of(g, before)->rng, &secret_of(g, after)->rng, sizeof(struct fm_rng)) ==
           0;
}

/* What the seat could have done instead, it does now: the same comes of it, counters apart. */
static const char *do_instead(struct conform *c, struct play *p, void *before,
                              const struct fm_event *done)
{
    static _Alignas(8) uint8_t instead[FM_STATE_MAX], afterwards[FM_STATE_MAX];
    const struct fm_game *g = p->game;
    const unsigned verb = fm_verb(done->action);
    const struct fm_event ev = {.t_ms = done->t_ms,
                                .seat = done->seat,
                                .action = g->sample(fm_view_of(g, before, done->seat), &p->rng)};
    memcpy(instead, before, g->state_size);
    memcpy(afterwards, p->state, g->state_size);
    if (fm_verb(ev.action) != verb || fm_apply(g, instead, &ev, NULL) != FM_OK)
        return NULL;
    const enum fm_err err = fm_apply(g, afterwards, &ev, NULL);
    if (err != FM_OK)
        return g->final_verbs >> verb & 1 ? NULL
                                          : found(c, "event %zu: seat %d cannot do otherwise: %s",
                                                  p->n, done->seat, fm_err_code(err));
    if (g->final_verbs >> verb & 1)
        return found(c, "event %zu: seat %d does again what should stand", p->n, done->seat);
    struct fm_priv *priv = (void *)(instead + g->priv_off + done->seat * g->priv_size);
    priv->seq++;
    secret_of(g, instead)->n_events++;
    return memcmp(instead, afterwards, g->state_size) == 0
               ? NULL
               : found(c, "event %zu: seat %d is not where it would be otherwise", p->n,
                       done->seat);
}

const char *conform_undo(struct conform *c)
{
    static struct play p;
    static _Alignas(8) uint8_t before[FM_STATE_MAX];
    for (unsigned i = 0; i < conform_some(c, 10); i++) {
        if (!play_start(&p, c, i))
            return found(c, "match %u cannot start", i);
        while (!play_over(&p)) {
            memcpy(before, p.state, p.game->state_size);
            if (!play_step(&p))
                return found(c, "match %u stops at event %zu", i, p.n);
            if (p.ev.seat == FM_TABLE || !untold(p.game, before, p.state, p.ev.seat))
                continue;
            if (!(p.game->hidden_verbs >> fm_verb(p.ev.action) & 1))
                return found(c, "event %zu: nobody notices what seat %d does openly", p.n,
                             p.ev.seat);
            for (int k = 0; k < 4; k++) {
                const char *wrong = do_instead(c, &p, before, &p.ev);
                if (wrong != NULL)
                    return wrong;
            }
        }
    }
    return NULL;
}
