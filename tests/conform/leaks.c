/*
 * leaks.c: proof that the suite finds leaks. Each game here is a real one with one secret let
 * out, or one promise broken; the check named beside it must find it.
 */
#include "conform.h"

#include "base/hash.h"
#include "base/panic.h"
#include "games/dive/dive_state.h"
#include "games/divercity/divercity_state.h"
#include "games/soumsoum/soumsoum_state.h"
#include "tests.h"
#include "toy.h"

#include <fathom/games.h>

#include <stdio.h>
#include <string.h>

static struct soumsoum_state *behind(struct fm_view v) /* what no viewer should reach */
{
    return (void *)(uintptr_t)v.pub;
}

static uint8_t top_of_pile(const struct soumsoum_state *s)
{
    return s->pub.pile_n ? s->secret.pile[s->pub.pile_n - 1] : 0;
}

/* ---- the leaks ------------------------------------------------------------------------------- */

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

static enum fm_err secret_move_counts(void *state, const struct fm_event *ev,
                                      struct fm_notes *notes)
{
    const enum fm_err err = toy_game.apply(state, ev, notes);
    if (err == FM_OK && fm_verb(ev->action) == TOY_BID)
        ((struct toy_state *)state)->pub.head.seq++;
    return err;
}

static enum fm_err secret_move_is_told(void *state, const struct fm_event *ev,
                                       struct fm_notes *notes)
{
    const enum fm_err err = toy_game.apply(state, ev, notes);
    if (err == FM_OK && fm_verb(ev->action) == TOY_BID)
        fm_tell(notes, 9, ev->seat, 0);
    return err;
}

/* ---- Dive, where seats act in secret -------------------------------------------------------------- */

static enum fm_err program_moves_the_clock(void *state, const struct fm_event *ev,
                                           struct fm_notes *notes)
{
    struct dive_state *s = state;
    const enum fm_err err = fm_game_dive.apply(state, ev, notes);
    if (err == FM_OK && fm_verb(ev->action) == DIVE_DO_PROGRAM)
        s->pub.head.now_ms = ev->t_ms;
    return err;
}

static enum fm_err programs_pile_up(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct dive_state *s = state;
    const unsigned seat = ev->seat < DIVE_SEATS ? ev->seat : 0;
    const uint32_t before = s->priv[seat].program;
    const enum fm_err err = fm_game_dive.apply(state, ev, notes);
    if (err == FM_OK && fm_verb(ev->action) == DIVE_DO_PROGRAM && before != 0)
        s->priv[seat].program = before;
    return err;
}

static enum fm_err programs_stand(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct dive_state *s = state;
    if (fm_verb(ev->action) == DIVE_DO_PROGRAM && s->priv[ev->seat].program != 0)
        return FM_E_READY;
    return fm_game_dive.apply(state, ev, notes);
}

static enum fm_err stack_in_public(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct dive_state *s = state;
    const enum fm_err err = fm_game_dive.apply(state, ev, notes);
    if (err == FM_OK && s->pub.stack_n > 0)
        s->pub.zero[0] = s->secret.stack[s->pub.stack_n - 1];
    return err;
}

static enum fm_err who_chose_shows(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct dive_state *s = state;
    const enum fm_err err = fm_game_dive.apply(state, ev, notes);
    if (err == FM_OK && fm_verb(ev->action) == DIVE_DO_CHOOSE)
        s->pub.head.owes &= (uint8_t) ~(1u << ev->seat);
    return err;
}

static void view_shows_depth(struct fm_out *o, struct fm_view v)
{
    const struct dive_state *s = (const void *)v.pub; /* what no viewer should reach */
    fm_game_dive.wire->put_view(o, v);
    fm_js_key_int(o, "deepest", dive_depth(s->priv[0].program));
}

/* ---- DiverCity, where the own hand is the secret ---------------------------------------------- */

static void view_shows_own_card(struct fm_out *o, struct fm_view v)
{
    const struct divercity_state *s = (const void *)v.pub; /* what no viewer should reach */
    fm_game_divercity.wire->put_view(o, v);
    if (v.seat != FM_WATCHER)
        fm_js_key_int(o, "mine", s->secret.hand[v.seat][0]);
}

static enum fm_err own_card_in_private(void *state, const struct fm_event *ev,
                                       struct fm_notes *notes)
{
    struct divercity_state *s = state;
    const enum fm_err err = fm_game_divercity.apply(state, ev, notes);
    for (unsigned hand = 0; err == FM_OK && hand < s->pub.n_hands; hand++)
        s->priv[hand].zero[0] = s->secret.hand[hand][0];
    return err;
}

static enum fm_err everybody_is_told(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = fm_game_divercity.apply(state, ev, notes);
    for (size_t i = 0; err == FM_OK && notes != NULL && i < notes->len; i++)
        notes->item[i].knows = FM_EVERYBODY;
    return err;
}

static fm_action sample_knows_own_hand(struct fm_view v, struct fm_rng *rng)
{
    const struct divercity_state *s = (const void *)v.pub;
    for (int i = v.seat == FM_WATCHER ? 0 : s->secret.hand[v.seat][0] & 3; i > 0; i--)
        (void)fm_rng_u32(rng);
    return fm_game_divercity.sample(v, rng);
}

/* ---- each must be found ------------------------------------------------------------------------ */

struct leak {
    const char *name;
    conform_check *found_by;
    enum { SOUMSOUM, TOY, DIVE, DIVERCITY } of;
    /* what is put in place of the real function */
    enum fm_err (*init)(void *, const struct fm_setup *, struct fm_notes *);
    enum fm_err (*apply)(void *, const struct fm_event *, struct fm_notes *);
    size_t (*legal)(struct fm_view, fm_action *, size_t);
    fm_action (*sample)(struct fm_view, struct fm_rng *);
    enum fm_err (*deal)(void *, struct fm_view, struct fm_rng *);
    void (*put_view)(struct fm_out *, struct fm_view);
    void (*put_note)(struct fm_out *, struct fm_view, const struct fm_note *);
    void (*put_action)(struct fm_out *, fm_action);
};

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
    {"staged secret move is counted", conform_hidden, TOY, .apply = secret_move_counts},
    {"staged secret move is told", conform_hidden, TOY, .apply = secret_move_is_told},
    {"Dive: a program moves the clock", conform_hidden, DIVE, .apply = program_moves_the_clock},
    {"Dive: who has chosen shows", conform_hidden, DIVE, .apply = who_chose_shows},
    {"Dive: a program cannot be replaced", conform_undo, DIVE, .apply = programs_stand},
    {"Dive: a program stays under the next", conform_undo, DIVE, .apply = programs_pile_up},
    {"Dive: the stack in the public block", conform_twins, DIVE, .apply = stack_in_public},
    {"Dive: a view shows how deep another dives", conform_twins, DIVE,
     .put_view = view_shows_depth},
    {"DiverCity: a view shows an own card", conform_twins, DIVERCITY,
     .put_view = view_shows_own_card},
    {"DiverCity: an own card in the private block", conform_twins, DIVERCITY,
     .apply = own_card_in_private},
    {"DiverCity: who draws is told the card", conform_twins, DIVERCITY, .apply = everybody_is_told},
    {"DiverCity: the sample knows the own hand", conform_twins, DIVERCITY,
     .sample = sample_knows_own_hand},
};

static void must_be_found(void **state)
{
    const struct leak *leak = *state;
    const struct fm_game *const whole[] = {
        [SOUMSOUM] = &fm_game_soumsoum,
        [TOY] = &toy_game,
        [DIVE] = &fm_game_dive,
        [DIVERCITY] = &fm_game_divercity,
    };
    struct fm_game game = *whole[leak->of];
    struct fm_wire wire = *game.wire;
    struct conform c = {.matches = 200};
    if (leak->of == TOY)
        toy_table(&c.setup, 3);
    else if (leak->of == DIVE)
        conform_table(&c, &game,
                      "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"ten\"}}");
    else if (leak->of == DIVERCITY)
        conform_table(&c, &game, "{\"game\":\"divercity\",\"options\":{\"divers\":3}}");
    else
        conform_table(
            &c, &game,
            "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"first\":0},\"setup\":"
            "{\"hands\":[[\"shark:shark@row\",\"shark:octopus@row\",\"hermit:shark@row\"],"
            "[\"shark:shark@column\",\"octopus:octopus@row\"],[\"hermit:hermit@row\"]]}}");
    c.name = leak->name;
    game.wire = &wire;
    c.setup.game = &game;
    if (leak->found_by(&c) != NULL)
        fail_msg("without the leak: %s", c.found);
#define REPLACE(in, function)                                                                      \
    if (leak->function != NULL)                                                                    \
    (in).function = leak->function
    REPLACE(game, init);
    REPLACE(game, apply);
    REPLACE(game, legal);
    REPLACE(game, sample);
    REPLACE(game, deal);
    REPLACE(wire, put_view);
    REPLACE(wire, put_note);
    REPLACE(wire, put_action);
    if (leak->found_by(&c) == NULL)
        fail_msg("it is not found");
}

int main(void)
{
    enum { N = sizeof leaks / sizeof leaks[0] };
    static struct CMUnitTest tests[N];
    fm_assert(fm__hash_start() == 0);
    for (size_t i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){leaks[i].name, must_be_found, NULL, NULL,
                                       (void *)(uintptr_t)&leaks[i]};
    return tests_run("leaks", tests, N);
}
