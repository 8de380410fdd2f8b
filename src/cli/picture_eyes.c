/* picture_eyes.c: shows the stack to average eyes; what they take it for is what bots saw. */
#include "cli/picture_eyes.h"

#include "ocean/water.h"

bool picture_eyes_deal(struct picture_eyes *p, const struct oc_art *art, const struct fm_sim *sim)
{
    struct oc_deal deal;
    if (p->witness == NULL)
        p->witness = oc_witness_create(art, oc_waters, false);
    if (p->witness == NULL)
        return false;
    oc_deal_of(&deal, sim->game, sim->state);
    oc_sheets_make(&p->sheets, art, oc_waters, &deal);
    return true;
}

static uint8_t likeliest(const uint32_t chance[FM_EYES_KINDS])
{
    unsigned best = 0;
    for (unsigned kind = 1; kind < FM_EYES_KINDS; kind++)
        best = chance[kind] > chance[best] ? kind : best;
    return (uint8_t)best;
}

/*
 * Bots get one kind for each level, and a table that says how often each kind is taken for
 * another. To tell them how clear this very picture is, the column of the kind that was seen is
 * replaced by how well each kind agrees with the picture; the rest of each row is only scaled.
 */
static void fit_level(uint32_t table[FM_EYES_KINDS][FM_EYES_KINDS],
                      const uint32_t chance[FM_EYES_KINDS], unsigned seen)
{
    const uint64_t most = chance[seen], hit = table[seen][seen];
    for (unsigned kind = 0; kind < FM_EYES_KINDS; kind++) {
        const uint64_t others = FM_EYES_ONE - table[kind][seen];
        const uint32_t agrees = (uint32_t)(hit * chance[kind] / most);
        for (unsigned k = 0; k < FM_EYES_KINDS && others > 0; k++)
            if (k != seen)
                table[kind][k] = (uint32_t)(table[kind][k] * (FM_EYES_ONE - agrees) / others);
        table[kind][seen] = agrees;
    }
}

enum fm_err picture_eyes_look(struct picture_eyes *p, struct fm_sim *sim)
{
    struct fm_fault fault;
    struct fm_stack stack;
    sim->game->ocean->stack(sim->state, &stack);
    if (!stack.open || sim->sight[0].scene == stack.round)
        return FM_OK;
    const enum fm_err err = oc_witness_look(p->witness, &p->sheets, &stack, &p->scene, &fault);
    p->eyes = *sim->budget.eyes;
    struct fm_sight sight = {
        .eyes = &p->eyes, .scene = stack.round, .levels = p->scene.average.levels};
    for (unsigned level = 0; level < sight.levels; level++) {
        sight.seen[level] = likeliest(p->scene.average.chance[level]);
        fit_level(p->eyes.chance[level], p->scene.average.chance[level], sight.seen[level]);
    }
    for (unsigned seat = 0; seat < FM_MAX_SEATS; seat++)
        sim->sight[seat] = sight;
    return err;
}

void picture_eyes_finish(struct picture_eyes *p)
{
    oc_witness_destroy(p->witness);
}
