/* dive_leaks_test.c: Dive, where seats act in secret: secrets let out one at a time. */
#include "conform/leaks.h"

#include "base/hash.h"
#include "base/panic.h"
#include "dive/rules/dive_state.h"

#include <fathom/games.h>

#include <string.h>

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

static const struct leak leaks[] = {
    {"a program moves the clock", conform_hidden, .apply = program_moves_the_clock},
    {"who has chosen shows", conform_hidden, .apply = who_chose_shows},
    {"a program cannot be replaced", conform_undo, .apply = programs_stand},
    {"a program stays under the next", conform_undo, .apply = programs_pile_up},
    {"the stack in the public block", conform_twins, .apply = stack_in_public},
    {"a view shows how deep another dives", conform_twins, .put_view = view_shows_depth},
};

int main(void)
{
    struct conform c = {0};
    fm_assert(fm__hash_start() == 0);
    conform_table(&c, &fm_game_dive,
                  "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"ten\"}}");
    return leaks_run("dive_leaks", &c.setup, leaks, sizeof leaks / sizeof leaks[0]);
}
