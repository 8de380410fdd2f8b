/* leaks.c: plants leaks into a game and holds the checks to finding them. */
#include "conform/leaks.h"

#include "base/hash.h"
#include "base/panic.h"
#include "tests.h"

#include <stdlib.h>

static const struct fm_setup *usual;

static void must_be_found(void **state)
{
    const struct leak *leak = *state;
    const struct fm_setup *table = leak->table != NULL ? leak->table : usual;
    struct fm_game game = *table->game;
    struct fm_wire wire = *game.wire;
    struct conform c = {.name = leak->name, .matches = 200, .setup = *table};
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

int leaks_run(const char *name, const struct fm_setup *setup, const struct leak *leaks, size_t n)
{
    struct CMUnitTest *tests = calloc(n, sizeof *tests);
    fm_assert(tests != NULL);
    usual = setup;
    for (size_t i = 0; i < n; i++)
        tests[i] = (struct CMUnitTest){leaks[i].name, must_be_found, NULL, NULL,
                                       (void *)(uintptr_t)&leaks[i]};
    const int status = tests_run(name, tests, n);
    free(tests);
    return status;
}
