/* soumsoum_leaks_test.c: secrets let out of Soum Soum one at a time; the suite finds each. */
#include "conform/leaks.h"

#include "base/hash.h"
#include "base/panic.h"
#include "soumsoum/rules/soumsoum_state.h"

#include <fathom/games.h>

#include <string.h>

static struct soumsoum_state *behind(struct fm_view v) /* what no viewer should reach */
{
    return (void *)(uintptr_t)v.pub;
}

static uint8_t top_of_pile(const struct soumsoum_state *s)
{
    return s->pub.pile_n ? s->secret.pile[s->pub.pile_n - 1] : 0;
}

static void view_shows_pile(struct fm_out *o, struct fm_view v)
{
    fm_game_soumsoum.wire->put_view(o, v);
    fm_js_key_int(o, "next", top_of_pile(behind(v)));
}

static void spectator_sees_hands(struct fm_out *o, struct fm_view v)
{
    fm_game_soumsoum.wire->put_view(o, v);
    if (v.seat == FM_WATCHER)
        fm_js_key_int(o, "first_card", behind(v)->priv[0].hand[0]);
}

static void length_tells(struct fm_out *o, struct fm_view v)
{
    fm_game_soumsoum.wire->put_view(o, v);
    fm_js_key_text(o, "pad", top_of_pile(behind(v)) & 1 ? "long" : "");
}

static void note_names_card(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    fm_game_soumsoum.wire->put_note(o, v, note);
    if (note->kind == SOUMSOUM_DREW && note->cut)
        fm_js_key_int(o, "really", behind(v)->priv[note->seat].hand[0]);
}

static size_t list_tells(struct fm_view v, fm_action *out, size_t cap)
{
    const size_t n = fm_game_soumsoum.legal(v, out, cap);
    return n > 1 && (top_of_pile(behind(v)) & 1) ? n - 1 : n;
}

static fm_action sample_tells(struct fm_view v, struct fm_rng *rng)
{
    for (int i = top_of_pile(behind(v)) & 3; i > 0; i--)
        (void)fm_rng_u32(rng);
    return fm_game_soumsoum.sample(v, rng);
}

static enum fm_err error_tells(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = fm_game_soumsoum.apply(state, ev, notes);
    return err == FM_E_OCCUPIED && (top_of_pile(state) & 1) ? FM_E_ACTION : err;
}

static enum fm_err seed_in_public(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    struct soumsoum_state *s = state;
    const enum fm_err err = fm_game_soumsoum.init(state, setup, notes);
    s->pub.zero[0] = setup->seed[0];
    return err;
}

static enum fm_err seed_in_private(void *state, const struct fm_setup *setup,
                                   struct fm_notes *notes)
{
    struct soumsoum_state *s = state;
    const enum fm_err err = fm_game_soumsoum.init(state, setup, notes);
    s->priv[0].head.zero = (uint8_t)s->secret.head.rng.key[0];
    return err;
}

static enum fm_err pile_in_public(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct soumsoum_state *s = state;
    const enum fm_err err = fm_game_soumsoum.apply(state, ev, notes);
    if (err == FM_OK)
        s->pub.zero[0] = top_of_pile(s);
    return err;
}

static enum fm_err log_tells(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = fm_game_soumsoum.apply(state, ev, notes);
    for (size_t i = 0; err == FM_OK && notes != NULL && i < notes->len; i++)
        notes->item[i].knows = FM_EVERYBODY;
    return err;
}

static enum fm_err half_applied(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct soumsoum_state *s = state;
    const enum fm_err err = fm_game_soumsoum.apply(state, ev, notes);
    if (err == FM_E_BARE)
        s->pub.divers_left[s->pub.active]--;
    return err;
}

static enum fm_err deals_again(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    static uint32_t restarts; /* a restart must not deal other cards */
    struct soumsoum_state *s = state;
    const enum fm_err err = fm_game_soumsoum.init(state, setup, notes);
    fm_shuffle(&s->secret.head.rng, s->secret.pile, restarts++ % 2 ? s->pub.pile_n : 0);
    return err;
}

static void action_loses_card(struct fm_out *o, fm_action a)
{
    fm_game_soumsoum.wire->put_action(
        o, fm_verb(a) == SOUMSOUM_DO_PLACE
               ? soumsoum_action(SOUMSOUM_DO_PLACE, 0, soumsoum_action_place(a))
               : a);
}

static enum fm_err deal_forgets(void *state, struct fm_view v, struct fm_rng *rng)
{
    const enum fm_err err = fm_game_soumsoum.deal(state, v, rng);
    ((struct soumsoum_state *)state)->pub.turns++;
    return err;
}

static const struct leak leaks[] = {
    {"initial sync shows the pile", conform_twins, .put_view = view_shows_pile},
    {"spectator path shows a hand", conform_twins, .put_view = spectator_sees_hands},
    {"size of a message tells", conform_twins, .put_view = length_tells},
    {"names of moves tell the card", conform_twins, .put_note = note_names_card},
    {"log tells what was drawn", conform_twins, .apply = log_tells},
    {"legal list tells", conform_twins, .legal = list_tells},
    {"errors tell", conform_twins, .apply = error_tells},
    {"sample tells", conform_twins, .sample = sample_tells},
    {"generator seed in the public block", conform_fresh_twins, .init = seed_in_public},
    {"generator seed in a private block", conform_fresh_twins, .init = seed_in_private},
    {"pile in the public block", conform_twins, .apply = pile_in_public},
    {"refused action half applied", conform_refusals, .apply = half_applied},
    {"restart that re-deals", conform_replay, .init = deals_again},
    {"action that does not survive JSON", conform_round_trips, .put_action = action_loses_card},
    {"deal that changes the view", conform_deal, .deal = deal_forgets},
};

int main(void)
{
    struct conform c = {0};
    fm_assert(fm__hash_start() == 0);
    conform_table(&c, &fm_game_soumsoum,
                  "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"first\":0},\"setup\":"
                  "{\"hands\":[[\"shark:shark@row\",\"shark:octopus@row\",\"hermit:shark@row\"],"
                  "[\"shark:shark@column\",\"octopus:octopus@row\"],[\"hermit:hermit@row\"]]}}");
    return leaks_run("soumsoum_leaks", &c.setup, leaks, sizeof leaks / sizeof leaks[0]);
}
