/* view.c: what one seat, or a watcher, may know: views and the cutting of notes. */
#include <fathom/game.h>

#include "base/panic.h"

#include <string.h>

struct fm_view fm_view_of(const struct fm_game *g, const void *state, int seat)
{
    const struct fm_pub *pub = state;
    struct fm_view v = {.game = g, .pub = pub, .seat = FM_WATCHER};
    if (seat != FM_WATCHER) {
        fm_assert(seat >= 0 && seat < pub->n_seats);
        v.priv = (const void *)((const char *)state + g->priv_off + (size_t)seat * g->priv_size);
        v.seat = seat;
    }
    return v;
}

size_t fm_view_copy(struct fm_view v, void *buf, size_t cap)
{
    const size_t n = v.game->pub_size + (v.priv ? v.game->priv_size : 0);
    if (n > cap)
        return 0;
    memcpy(buf, v.pub, v.game->pub_size);
    if (v.priv)
        memcpy((char *)buf + v.game->pub_size, v.priv, v.game->priv_size);
    return n;
}

uint32_t fm_view_seq(struct fm_view v)
{
    return v.pub->seq + (v.priv ? v.priv->seq : 0);
}

bool fm_note_cut(struct fm_note *note, int seat)
{
    const unsigned bit = seat == FM_WATCHER ? 0x80u : 1u << seat;
    const bool whole = note->knows & bit;
    const bool told = note->to & bit;
    if (!whole) {
        note->hidden = 0;
        note->cut = 1;
    }
    note->knows = 0; /* who else knows is nobody's business */
    note->to = 0;
    return told;
}

void fm_notes_add(struct fm_notes *notes, struct fm_note note)
{
    fm_assert(notes->len < FM_NOTES_MAX);
    notes->item[notes->len++] = note;
}

void fm_secret_fresh(struct fm_secret *head, struct fm_view v, struct fm_rng *rng)
{
    uint8_t seed[FM_SEED_BYTES];
    fm_rng_bytes(rng, seed, sizeof seed);
    fm_rng_init(&head->rng, seed, 0);
    head->now_ms = v.pub->now_ms;
    head->n_events = v.pub->seq;
}
