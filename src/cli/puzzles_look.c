/* puzzles_look.c: draws the stack of a puzzle, and shows it to average eyes. */
#include "cli/puzzles.h"

#include "base/panic.h"
#include "ocean/water.h"

#include <stdlib.h>

int puzzles_ocean_open(struct puzzles_ocean *ocean)
{
    struct fm_fault fault;
    ocean->art = oc_art_load(NULL, &fault);
    if (ocean->art == NULL)
        return cli_complain("puzzles", "%s", fault.text);
    return cli_read_eyes("puzzles", PUZZLE_EYES, oc_game(), &ocean->eyes);
}

void puzzles_ocean_close(struct puzzles_ocean *ocean)
{
    oc_art_free(ocean->art);
}

/* The sheets as they were dealt. */
static void deal(struct oc_sheets *sheets, const struct puzzles_witness *w)
{
    _Alignas(8) uint8_t dealt[FM_STATE_MAX];
    struct oc_deal deal;
    fm_assert(fm_init(dealt, w->setup, NULL) == FM_OK);
    oc_deal_of(&deal, w->setup->game, dealt);
    oc_sheets_make(sheets, w->ocean->art, oc_waters, &deal);
}

bool puzzles_look(void *arg, const struct decision *d, struct fm__scene *scene)
{
    struct puzzles_witness *w = arg;
    struct fm_fault fault = {.action = -1};
    struct fm_stack stack;
    struct oc_sheets *sheets = cli_alloc(sizeof *sheets);
    enum fm_err err = FM_E_MEMORY;
    if (w->witness == NULL)
        w->witness = oc_witness_create(w->ocean->art, oc_waters, false);
    if (w->witness != NULL) {
        deal(sheets, w);
        d->game->ocean->stack(d->view, &stack);
        err = oc_witness_look(w->witness, sheets, &stack, scene, &fault);
    }
    free(sheets);
    scene->eyes = &w->ocean->eyes;
    return err == FM_OK && scene->average.levels > 0;
}
