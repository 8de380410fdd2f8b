/*
 * dive_study.c: for the analysis of Dive: programs tried in imagined rounds, as mako imagines them,
 * from what average eyes made of the pictures; and whether the axolotl paid.
 *
 * A value is the chance to win from where the pawns are after the dive.
 */
#include "bots/study.h"
#include "dive/bots/dive_mind.h"
#include "dive/bots/dive_steady.h"
#include "dive/bots/dive_why.h"

#include "base/bits.h"

#define LEARNING 640 /* imagined dives in which programs are looked for */
#define LISTED   32  /* of mako's programs, how many are compared */
#define DOUBTED  4   /* of them, and of what was played, so many also with other faces ... */
#define UNSURE   .9f /* ... on levels where the likelier one is not surer than this */

static _Thread_local struct { /* while a decision is weighed */
    struct dive_board board[DIVE_SEATS];
    struct fm_sight sight;
    struct fm_budget budget;
} now;

/* ---- belief --------------------------------------------------------------------------------- */

#define DOUBT 4000 /* millionths that each kind gets beside what eyes believe: they err */

/* What eyes believe, and what the deck has left. */
static void believe(struct dive_belief *b, const struct dive_pub *pub,
                    const struct fm__belief *eyes)
{
    dive_believe(b, pub, NULL);
    for (unsigned level = 0; level < eyes->levels; level++) {
        float sum = 0, shark = 0;
        for (unsigned kind = 0; kind < DIVE_KINDS; kind++) {
            const float left = (float)pub->left[kind] + .01f; /* a given stack may hold anything */
            b->kind[level][kind] = left * (float)(eyes->chance[level][kind] + DOUBT);
            sum += b->kind[level][kind];
            shark += kind & DIVE_SHARK ? b->kind[level][kind] : 0;
        }
        for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
            b->kind[level][kind] /= sum;
        b->shark[level] = shark > .5f * sum;
    }
}

static unsigned likeliest(const float kind[DIVE_KINDS])
{
    unsigned best = 0;
    for (unsigned k = 1; k < DIVE_KINDS; k++)
        best = kind[k] > kind[best] ? k : best;
    return best;
}

/* How sure the likelier face of a level is. */
static float sureness(const struct dive_belief *b, unsigned level)
{
    float sure = 0;
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
        if (((kind & DIVE_SHARK) != 0) == b->shark[level])
            sure += b->kind[level][kind];
    return sure;
}

/* ---- candidates ----------------------------------------------------------------------------- */

struct list {
    fm_action *out;
    size_t n, cap;
};

static void add(struct list *list, uint32_t program)
{
    if (list->n < list->cap)
        list->out[list->n++] = dive_action(DIVE_DO_PROGRAM, program);
}

/* A program with the other face, on each level where that may be right. */
static void add_doubts(struct list *list, const struct dive_mind *m, uint32_t program)
{
    const unsigned depth = dive_depth(program);
    for (unsigned level = 0; level < depth; level++)
        if (sureness(&m->belief, level) < UNSURE)
            add(list, program ^ 1u << (DIVE_FACE_BIT + level));
}

/* What was played, with the likelier faces. */
static uint32_t with_likelier_faces(const struct dive_mind *m, uint32_t program)
{
    const uint32_t faces = ((1u << DIVE_DEEPEST) - 1) << DIVE_FACE_BIT;
    return dive_mind_with_faces(m, program & ~faces);
}

/* The number of its best layout of a depth (0: of any) among those that are not taken; n: none. */
static unsigned best_layout(const struct dive_diver *d, unsigned depth, const bool *taken)
{
    unsigned best = d->regret.n;
    for (unsigned i = 0; i < d->regret.n; i++)
        if (!taken[i] && (depth == 0 || d->layout[i].board.depth == depth) &&
            (best == d->regret.n || d->worth[i] > d->worth[best]))
            best = i;
    return best;
}

/* mako's best programs, the best of each depth first. */
static void add_plans(struct list *list, const struct dive_mind *m)
{
    const struct dive_diver *own = &m->diver[m->seat];
    bool taken[REGRET_ACTIONS] = {false};
    for (unsigned i = 0; i < LISTED; i++) {
        const unsigned best = best_layout(own, i < DIVE_DEEPEST ? i + 1 : 0, taken);
        if (best == own->regret.n)
            continue;
        taken[best] = true;
        add(list, dive_mind_with_faces(m, own->layout[best].program));
        if (i >= DIVE_DEEPEST && i < DIVE_DEEPEST + DOUBTED)
            add_doubts(list, m, dive_mind_with_faces(m, own->layout[best].program));
    }
}

static size_t list_programs(struct dive_mind *m, uint32_t played, fm_action *out, size_t cap)
{
    struct list list = {.out = out, .cap = cap};
    if (m->pub.children) {
        for (uint32_t i = 0; i < dive_program_count(DIVE_KIT_CHILDREN); i++)
            add(&list, dive_program_at(DIVE_KIT_CHILDREN, i));
        return list.n;
    }
    (void)dive_mind_plan(m, LEARNING);
    if (dive_program_ready(played, false) == FM_OK) {
        add(&list, with_likelier_faces(m, played));
        add_doubts(&list, m, with_likelier_faces(m, played));
    }
    add_plans(&list, m);
    return list.n;
}

/* ---- worlds --------------------------------------------------------------------------------- */

static size_t begin(struct fm_view v, const struct fm__belief *belief, const struct fm_eyes *eyes,
                    fm_action played, fm_action *out, size_t cap, struct fm_rng *rng)
{
    const struct dive_pub *pub = (const void *)v.pub;
    struct dive_mind *m = dive_mind();
    struct dive_belief believed;
    believe(&believed, pub, belief);
    now.sight = (struct fm_sight){.eyes = eyes, .levels = belief->levels};
    for (unsigned level = 0; level < belief->levels; level++)
        now.sight.seen[level] = (uint8_t)likeliest(believed.kind[level]);
    now.budget = (struct fm_budget){.sight = &now.sight};
    dive_mind_look(m, pub, (unsigned)v.seat, &now.budget);
    m->belief = believed;
    if (fm_verb(played) == DIVE_DO_AXOLOTL) {
        out[0] = dive_action(DIVE_DO_AXOLOTL, 0);
        out[1] = dive_action(DIVE_DO_AXOLOTL, 1);
        return 2;
    }
    m->rng = *rng;
    const size_t n = list_programs(m, (uint32_t)dive_action_rest(played), out, cap);
    *rng = m->rng;
    return n;
}

static void imagine(struct fm_rng *rng)
{
    struct dive_mind *m = dive_mind();
    if (m->pub.head.phase != DIVE_PROGRAM)
        return; /* after the dive nothing is left to be imagined */
    m->rng = *rng;
    dive_mind_imagine(m, now.board);
    *rng = m->rng;
}

static int64_t try_out(fm_action action, int64_t *gain)
{
    struct dive_mind *m = dive_mind();
    struct dive_after after;
    float value;
    if (fm_verb(action) == DIVE_DO_AXOLOTL) {
        const bool used = dive_action_rest(action) != 0;
        value = dive_mind_axolotl(m, used) - (used ? dive_mind_price(&m->pub) : 0);
    } else {
        value = dive_mind_try(m, now.board, (uint32_t)dive_action_rest(action), &after);
        *gain = (int64_t)STUDY_ONE * ((int)after.pawn[m->seat] - (int)m->pub.pawn[m->seat]);
    }
    return value > 0 ? (int64_t)((double)value * STUDY_ONE + .5) : 0;
}

/* The same tokens, with the likelier faces. */
static fm_action sharpen(fm_action played)
{
    const uint32_t program = (uint32_t)dive_action_rest(played);
    if (fm_verb(played) != DIVE_DO_PROGRAM)
        return played;
    return dive_action(DIVE_DO_PROGRAM, with_likelier_faces(dive_mind(), program));
}

/* ---- decisions ------------------------------------------------------------------------------ */

/* Companions that are chosen, announced or laid are none: what they bring shows in what follows. */
static bool decides(fm_action played)
{
    return fm_verb(played) == DIVE_DO_PROGRAM || fm_verb(played) == DIVE_DO_AXOLOTL;
}

/* Until the dive a board may be laid anew: what counts is what lies there then. */
static bool replaces(struct fm_view later, struct fm_view earlier)
{
    return later.pub->phase == DIVE_PROGRAM && earlier.pub->phase == DIVE_PROGRAM &&
           ((const struct dive_pub *)(const void *)later.pub)->round ==
               ((const struct dive_pub *)(const void *)earlier.pub)->round;
}

/* ---- puzzles -------------------------------------------------------------------------------- */

/* At a glance divers lay what a steady one would. */
static fm_action glance(struct fm_view v, const struct fm_sight *sight, struct fm_rng *rng)
{
    if (v.pub->phase != DIVE_PROGRAM)
        return 0;
    return dive_action(DIVE_DO_PROGRAM,
                       dive_steady_program((const void *)v.pub, (unsigned)v.seat, sight, rng));
}

/* How deep, and with which faces; not which tokens lie where. */
static bool alike(fm_action a, fm_action b)
{
    const uint32_t one = (uint32_t)dive_action_rest(a), other = (uint32_t)dive_action_rest(b);
    const unsigned depth = dive_depth(one);
    if (fm_verb(a) != fm_verb(b) || fm_verb(a) != DIVE_DO_PROGRAM || depth != dive_depth(other))
        return false;
    for (unsigned level = 1; level <= depth; level++)
        if (dive_face(one, level) != dive_face(other, level))
            return false;
    return true;
}

/* Ends a level higher: the tokens from below lie on the last level then. */
static uint32_t cut_to(uint32_t program, unsigned depth)
{
    for (unsigned token = 0; token < DIVE_TOKENS; token++)
        if (dive_token_level(program, token) > depth)
            program = (program & ~(7u << 3 * token)) | depth << 3 * token;
    if (dive_clownfish(program) > depth)
        program = (program & ~(7u << DIVE_CLOWNFISH_BIT)) | depth << DIVE_CLOWNFISH_BIT;
    const uint32_t faces = ((1u << depth) - 1) << DIVE_FACE_BIT;
    const uint32_t all = ((1u << DIVE_DEEPEST) - 1) << DIVE_FACE_BIT;
    return program & ~(DIVE_SIXTH | (all & ~faces));
}

/* With the smallest token that is left over, or not alone on its level, a level deeper; 0: there is
 * none. */
static uint32_t deepen(uint32_t program, unsigned depth)
{
    for (unsigned token = 0; token < DIVE_TOKENS; token++) {
        const uint32_t moved = (program & ~(7u << 3 * token)) | (depth + 1) << 3 * token;
        if (dive_depth(moved) == depth + 1)
            return moved;
    }
    return 0;
}

/* Another face, less deep, or a level deeper. Children have all their choices listed. */
static size_t vary(fm_action action, fm_action *out, size_t cap)
{
    const uint32_t program = (uint32_t)dive_action_rest(action);
    const unsigned depth = dive_depth(program);
    struct list list = {.out = out, .cap = cap};
    if (fm_verb(action) != DIVE_DO_PROGRAM || dive_plain_levels(program) > 0)
        return 0;
    for (unsigned level = 1; level <= depth; level++)
        add(&list, program ^ 1u << (DIVE_FACE_BIT + level - 1));
    for (unsigned to = 1; to < depth; to++)
        add(&list, cut_to(program, to));
    const uint32_t deeper = depth < DIVE_LEVELS ? deepen(program, depth) : 0;
    if (deeper != 0) {
        add(&list, deeper);
        add(&list, deeper | 1u << (DIVE_FACE_BIT + depth));
    }
    return list.n;
}

static bool is_true(fm_action action, const struct fm__scene *scene)
{
    const uint32_t program = (uint32_t)dive_action_rest(action);
    const unsigned depth = dive_depth(program);
    for (unsigned level = 1; level <= depth && level <= scene->average.levels; level++)
        if (dive_face(program, level) != ((scene->there[level - 1] & DIVE_SHARK) != 0))
            return false;
    return true;
}

/* ---- for people ----------------------------------------------------------------------------- */

/* The tokens of a level, "2+3 shark"; of children, who have none, "clear" or "shark". */
static void put_tokens(struct fm_out *o, uint32_t program, unsigned level)
{
    bool first = true;
    for (unsigned token = 0; token < DIVE_TOKENS; token++) {
        if (dive_token_level(program, token) != level)
            continue;
        fm_put(o, first ? "" : "+");
        fm_put_int(o, token + 1);
        first = false;
    }
    if (dive_clownfish(program) == level)
        fm_put(o, "+clownfish");
    const bool shark = dive_face(program, level);
    if (first)
        fm_put(o, level == DIVE_DEEPEST ? "anglerfish" : shark ? "" : "clear");
    if (shark)
        fm_put(o, first && level < DIVE_DEEPEST ? "shark" : " shark");
}

/* "program 1 shark / 2 / 3+5": levels from the top. */
static void put_action(struct fm_out *o, fm_action action)
{
    const uint32_t program = (uint32_t)dive_action_rest(action);
    if (fm_verb(action) == DIVE_DO_AXOLOTL) {
        fm_put(o, program != 0 ? "use the axolotl" : "keep the axolotl");
        return;
    }
    const unsigned depth = dive_depth(program);
    fm_put(o, depth > 0 ? "program " : "program nothing");
    for (unsigned level = 1; level <= depth; level++) {
        fm_put(o, level > 1 ? " / " : "");
        put_tokens(o, program, level);
    }
}

/* ---- what was known ------------------------------------------------------------------------- */

static void put_chances(struct fm_out *o, const float kind[DIVE_KINDS])
{
    fm_js_object(o);
    for (unsigned k = 0; k < DIVE_KINDS; k++)
        fm__js_key_chance(o, dive_kind_names[k], (int64_t)((double)kind[k] * STUDY_ONE + .5));
    fm_js_end_object(o);
}

/* How much could be seen of each creature: {"shark":64,"green":100}. */
static void put_seen(struct fm_out *o, const struct fm__scene *scene, unsigned level)
{
    const unsigned there = scene->there[level], helper = there & ~DIVE_SHARK;
    fm_js_object(o);
    if (there & DIVE_SHARK)
        fm_js_key_int(o, dive_kind_names[DIVE_SHARK], scene->shark[level]);
    if (helper != DIVE_NO_HELPER)
        fm_js_key_int(o, dive_kind_names[helper], scene->helper[level]);
    fm_js_end_object(o);
}

static void put_level(struct fm_out *o, const struct fm__scene *scene, const float kind[DIVE_KINDS],
                      unsigned level)
{
    fm_js_object(o);
    fm_js_key_int(o, "level", level + 1);
    fm_js_key(o, "chances");
    put_chances(o, kind);
    fm_js_key_word(o, "there", dive_kind_names[scene->there[level]]);
    fm_js_key(o, "seen");
    put_seen(o, scene, level);
    fm_js_end_object(o);
}

/* Levels that sharp eyes were right about, and average ones were not: look again. */
static void put_again(struct fm_out *o, const struct fm__scene *scene,
                      const struct dive_belief *average, const struct dive_belief *sharp)
{
    fm_js_key(o, "again");
    fm_js_array(o);
    for (unsigned level = 0; level < scene->sharp.levels; level++)
        if (likeliest(average->kind[level]) != scene->there[level] &&
            likeliest(sharp->kind[level]) == scene->there[level])
            fm_js_int(o, level + 1);
    fm_js_end_array(o);
}

static void put_knew(struct fm_out *o, struct fm_view v, const struct fm__scene *scene)
{
    const struct dive_pub *pub = (const void *)v.pub;
    struct dive_belief average, sharp;
    if (scene->average.levels == 0)
        return;
    believe(&average, pub, &scene->average);
    fm_js_key(o, "levels");
    fm_js_array(o);
    for (unsigned level = 0; level < scene->average.levels; level++)
        put_level(o, scene, average.kind[level], level);
    fm_js_end_array(o);
    if (scene->sharp.levels == 0)
        return;
    believe(&sharp, pub, &scene->sharp);
    fm_js_key(o, "sharp");
    fm_js_array(o);
    for (unsigned level = 0; level < scene->sharp.levels; level++)
        put_chances(o, sharp.kind[level]);
    fm_js_end_array(o);
    put_again(o, scene, &average, &sharp);
}

static const struct study_worlds worlds = {.begin = begin,
                                           .imagine = imagine,
                                           .try_out = try_out,
                                           .sharpen = sharpen,
                                           .gain = "advance",
                                           .unit = "spaces",
                                           .glance = glance,
                                           .vary = vary,
                                           .is_true = is_true,
                                           .put_action = put_action,
                                           .put_knew = put_knew};

const struct fm_study dive_study = {.playouts = {12000, 120000, 1200000},
                                    .worlds = &worlds,
                                    .decides = decides,
                                    .alike = alike,
                                    .replaces = replaces};
