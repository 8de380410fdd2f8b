/* toy_leaks.c: staged secret moves that others notice. */
#include "conform/leaks.h"

#include "base/hash.h"
#include "base/panic.h"
#include "conform/toy.h"

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

static const struct leak leaks[] = {
    {"staged secret move is counted", conform_hidden, .apply = secret_move_counts},
    {"staged secret move is told", conform_hidden, .apply = secret_move_is_told},
};

int main(void)
{
    struct conform c = {0};
    fm_assert(fm__hash_start() == 0);
    toy_table(&c.setup, 3);
    return leaks_run("leaks", &c.setup, leaks, sizeof leaks / sizeof leaks[0]);
}
