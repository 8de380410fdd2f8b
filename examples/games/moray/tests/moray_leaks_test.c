/* moray_leaks_test.c: the secrets of Moray let out one at a time: the conformance suite finds each.
 */
#include "conform/leaks.h"

#include "base/hash.h"
#include "base/panic.h"
#include "moray/rules/moray_state.h"

#include <fathom/games.h>

#include <string.h>

static void view_shows_the_top(struct fm_out *o, struct fm_view v)
{
    const struct moray_state *s = (const void *)v.pub; /* what no viewer should reach */
    fm_game_moray.wire->put_view(o, v);
    if (s->pub.pile_n > 0)
        fm_js_key_int(o, "top", s->secret.pile[s->pub.pile_n - 1]);
}

static enum fm_err hand_in_public(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct moray_state *s = state;
    const enum fm_err err = fm_game_moray.apply(state, ev, notes);
    if (err == FM_OK)
        s->pub.zero[0] = s->priv[0].hand[0];
    return err;
}

static enum fm_err everybody_is_told(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = fm_game_moray.apply(state, ev, notes);
    for (size_t i = 0; err == FM_OK && notes != NULL && i < notes->len; i++)
        notes->item[i].knows = FM_EVERYBODY;
    return err;
}

static fm_action sample_knows_the_pile(struct fm_view v, struct fm_rng *rng)
{
    const struct moray_state *s = (const void *)v.pub;
    for (unsigned i = s->secret.pile[0]; i > 0; i--)
        (void)fm_rng_u32(rng);
    return fm_game_moray.sample(v, rng);
}

static const struct leak leaks[] = {
    {"a view shows the top of the pile", conform_twins, .put_view = view_shows_the_top},
    {"a hand in the public block", conform_twins, .apply = hand_in_public},
    {"everybody is told what is drawn", conform_twins, .apply = everybody_is_told},
    {"the sample knows the pile", conform_twins, .sample = sample_knows_the_pile},
};

int main(void)
{
    struct conform c = {0};
    fm_assert(fm__hash_start() == 0);
    conform_table(&c, &fm_game_moray, "{\"game\":\"moray\",\"options\":{\"players\":3}}");
    return leaks_run("moray_leaks", &c.setup, leaks, sizeof leaks / sizeof leaks[0]);
}
