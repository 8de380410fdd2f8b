/*
 * dive_why.c: why a diver laid its program in Dive.
 *
 * Programs are laid in secret, so while the game goes on there is nothing to explain: even when a
 * dive is over, what its divers took the levels for would tell of sheets that were not turned over.
 * Afterwards it is explained from what the diver's own eyes saw.
 */
#include "dive/bots/dive_why.h"

#include "dive/bots/dive_sense.h"

#include "base/bits.h"

static bool explains(fm_action action)
{
    return fm_verb(action) == DIVE_DO_PROGRAM;
}

static fm_action replay(const struct why_question *q, struct fm_view mover)
{
    (void)q;
    (void)mover;
    return 0;
}

static void put_level(struct fm_out *o, const struct dive_belief *belief, uint32_t program,
                      unsigned level, const struct fm_sight *sight)
{
    const bool shark = dive_face(program, level);
    float sure = 0;
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
        if (((kind & DIVE_SHARK) != 0) == shark)
            sure += belief->kind[level - 1][kind];
    fm_js_object(o);
    fm_js_key_int(o, "level", level);
    fm_js_key(o, "shark");
    fm_js_bool(o, shark);
    fm_js_key_int(o, "sure", (int64_t)(100 * sure + 0.5f));
    fm_js_key(o, "saw");
    if (level <= sight->levels)
        fm_js_word(o, dive_kind_names[sight->seen[level - 1]]);
    else
        fm_js_null(o);
    fm_js_end_object(o);
}

/* The level that is faster than all others, if a helper was seen there. */
static void put_fast(struct fm_out *o, uint32_t program, unsigned depth,
                     const struct fm_sight *sight)
{
    uint8_t speed[DIVE_DEEPEST + 1];
    unsigned best = 1;
    dive_speeds(program, speed);
    for (unsigned level = 2; level <= depth; level++)
        if (speed[level] > speed[best])
            best = level;
    bool fastest = best <= sight->levels && (sight->seen[best - 1] & ~DIVE_SHARK) != 0;
    for (unsigned level = 1; level <= depth; level++)
        fastest &= level == best || speed[level] < speed[best];
    fm_js_key(o, "fast");
    if (fastest) {
        fm_js_object(o);
        fm_js_key_int(o, "level", best);
        fm_js_key_int(o, "speed", speed[best]);
        fm_js_key_word(o, "helper", dive_kind_names[sight->seen[best - 1] & ~DIVE_SHARK]);
        fm_js_end_object(o);
    } else {
        fm_js_null(o);
    }
}

/* {"code":"saw","levels":[{"level":1,"shark":false,"sure":82,"saw":"green"},…],"fast":…} */
static bool put_reason(struct fm_out *o, const struct why_question *q)
{
    const struct dive_pub *pub = (const void *)q->before.pub;
    const struct fm_sight *sight = q->budget.sight;
    struct dive_belief belief;
    if (!fm__why_own(q) || sight == NULL || fm_verb(q->played) != DIVE_DO_PROGRAM)
        return false;
    const uint32_t program = (uint32_t)dive_action_rest(q->played);
    const unsigned depth = pub->children ? dive_plain_levels(program) : dive_depth(program);
    dive_believe(&belief, pub, sight);
    fm_js_key_word(o, "code", "saw");
    fm_js_key(o, "levels");
    fm_js_array(o);
    for (unsigned level = 1; level <= depth; level++)
        put_level(o, &belief, program, level, sight);
    fm_js_end_array(o);
    put_fast(o, program, depth, sight);
    return true;
}

/* Whoever is furthest wins; those who tie share. */
static float chance(const struct fm_outcome *outcome, unsigned n_seats, unsigned seat)
{
    (void)n_seats;
    return outcome->winners >> seat & 1 ? 1 / (float)fm__count(outcome->winners) : 0;
}

const struct fm_reasoning dive_reasoning = {.chance = chance,
                                            .explains = explains,
                                            .replay = replay,
                                            .weigh = dive_mako_weigh,
                                            .put_reason = put_reason,
                                            .study = &dive_study};
