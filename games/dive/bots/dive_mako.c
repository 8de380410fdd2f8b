/*
 * dive_mako.c: dives to win the race, not to get far.
 *
 * It imagines stacks that agree with what it saw, and what others with eyes like its own would
 * make of them; in each, all divers lay their tokens by regret matching, and what a dive is worth
 * is the chance to win from where the pawns are afterwards. So it knows when to be careful in Deep
 * Waters, when only a risk is left, where others will be fast, and what its companion is worth.
 */
#include "bots/regret.h"
#include "dive/bots/dive_bots.h"
#include "dive/bots/dive_sense.h"
#include "dive/bots/dive_steady.h"
#include "dive/bots/dive_why.h"

#include "base/bits.h"
#include "base/hash.h"

#include <string.h>

#define FIRST_LOOK 8  /* of the iterations, one in so many is for all layouts; the rest for ... */
#define KEPT       64 /* ... the best of them */
#define ITERATIONS 640
#define STEADY     60          /* per cent of what others lay is what a steady diver would */
#define LIGHT      DIVE_LEVELS /* layouts that leave tokens aside */
#define LAYOUTS    (541 + LIGHT)
#define CLOWNED    20 /* of the layouts kept, how many are also tried with the clownfish */

struct layout { /* tokens on levels, nothing said about faces */
    struct dive_board board;
    uint32_t program;
    float price; /* of a companion that it uses up */
};

struct diver {
    struct regret regret;
    struct layout layout[REGRET_ACTIONS];
    float worth[REGRET_ACTIONS]; /* added up */
    uint8_t faces;
    struct fm_sight sight;
};

struct mind {
    struct dive_pub pub; /* as it would be with what is tried out */
    const struct fm_eyes *eyes;
    const struct fm_budget *budget;
    unsigned seat, levels; /* its own seat; levels that can be seen */
    struct dive_belief belief;
    struct dive_race race;
    bool taken_for[DIVE_DEEPEST][DIVE_KINDS]; /* face by level and what was seen */
    struct dive_world world;
    struct diver diver[DIVE_SEATS];
    struct fm_rng rng;
    float value[REGRET_ACTIONS];
};

static _Thread_local struct mind mind;
static _Thread_local struct layout layouts[LAYOUTS];

/* ---- layouts -------------------------------------------------------------------------------- */

static struct layout layout_of(uint32_t program)
{
    struct layout l = {.program = program};
    uint8_t speed[DIVE_DEEPEST + 1];
    dive_speeds(program, speed);
    memcpy(l.board.speed, speed + 1, sizeof l.board.speed);
    l.board.depth = (uint8_t)dive_depth(program);
    return l;
}

/* All ways to lay all five tokens without a gap; and some with few, for whom no help is wanted. */
static void list_layouts(void)
{
    unsigned n = 0;
    for (unsigned number = 0;
         number < DIVE_LEVELS * DIVE_LEVELS * DIVE_LEVELS * DIVE_LEVELS * DIVE_LEVELS; number++) {
        uint32_t program = 0, rest = number;
        for (unsigned token = 0; token < DIVE_TOKENS; token++, rest /= DIVE_LEVELS)
            program |= (rest % DIVE_LEVELS + 1) << 3 * token;
        if (dive_program_ready(program, false) == FM_OK)
            layouts[n++] = layout_of(program);
    }
    for (unsigned depth = 1; depth <= LIGHT; depth++) {
        uint32_t program = 0;
        for (unsigned token = 0; token < depth; token++)
            program |= (token + 1) << 3 * token;
        layouts[n++] = layout_of(program);
    }
}

/* ---- worlds --------------------------------------------------------------------------------- */

static float unit(struct fm_rng *rng)
{
    return (float)(fm_rng_u32(rng) >> 8) * 0x1p-24f;
}

static void imagine_stack(struct mind *m)
{
    for (unsigned level = 0; level < DIVE_DEEPEST; level++) {
        float u = unit(&m->rng);
        unsigned kind = 0;
        while (kind < DIVE_KINDS - 1 && (u -= m->belief.kind[level][kind]) >= 0)
            kind++;
        m->world.kind[level] = (uint8_t)kind;
    }
}

static void imagine_chief(struct mind *m)
{
    m->world.chief = m->pub.chief_on && m->pub.chief_n > 0;
    if (!m->world.chief)
        return;
    unsigned left = 0, card = 0;
    for (unsigned i = 0; i < DIVE_CHIEF_CARDS; i++)
        left += m->pub.chief_left[i];
    unsigned nth = fm_rng_below(&m->rng, left > 0 ? left : 1);
    for (; left > 0 && nth >= m->pub.chief_left[card]; card++)
        nth -= m->pub.chief_left[card];
    dive_chief_card(card, m->world.chief_speed, &m->world.chief_yellow);
}

static unsigned imagine_seen(struct mind *m, unsigned level)
{
    if (m->eyes == NULL)
        return 0;
    const uint32_t *row = m->eyes->chance[level][m->world.kind[level]];
    uint32_t u = fm_rng_u32(&m->rng) % FM_EYES_ONE;
    unsigned seen = 0;
    while (seen < DIVE_KINDS - 1 && u >= row[seen])
        u -= row[seen++];
    return seen;
}

/* What the others take each level for. */
static void imagine_sights(struct mind *m)
{
    for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++) {
        struct diver *d = &m->diver[seat];
        d->sight = (struct fm_sight){.eyes = m->eyes, .levels = m->levels};
        d->faces = 0;
        for (unsigned level = 0; level < DIVE_DEEPEST; level++) {
            const unsigned seen = imagine_seen(m, level);
            const bool shark = seat == m->seat ? m->belief.shark[level] : m->taken_for[level][seen];
            d->sight.seen[level] = (uint8_t)seen;
            d->faces |= (uint8_t)(shark << level);
        }
    }
}

/* What a diver lays in this world: of the others, some are taken to be steady ones. */
static struct dive_board imagine_board(struct mind *m, unsigned seat)
{
    const struct diver *d = &m->diver[seat];
    if (seat != m->seat && fm_rng_below(&m->rng, 100) < STEADY) {
        const struct fm_sight *sight = m->levels > 0 ? &d->sight : NULL;
        const uint32_t program = dive_steady_program(&m->pub, seat, sight, &m->rng);
        struct dive_board board = layout_of(program).board;
        board.faces = (uint8_t)(program >> DIVE_FACE_BIT & ((1u << DIVE_DEEPEST) - 1));
        return board;
    }
    struct dive_board board = d->layout[fm__regret_pick(&d->regret, &m->rng)].board;
    board.faces = d->faces;
    return board;
}

/* ---- learning ------------------------------------------------------------------------------- */

static void learn_seat(struct mind *m, struct dive_board board[DIVE_SEATS], unsigned seat)
{
    struct diver *d = &m->diver[seat];
    const struct dive_board mine = board[seat];
    struct dive_after after;
    for (unsigned i = 0; i < d->regret.n; i++) {
        board[seat] = d->layout[i].board;
        board[seat].faces = d->faces;
        dive_imagine(&m->pub, &m->world, board, &after);
        m->value[i] = dive_race_win(&m->race, &m->pub, after.pawn,
                                    (unsigned)(m->pub.stack_n - after.cards), seat) -
                      d->layout[i].price;
        d->worth[i] += m->value[i];
    }
    board[seat] = mine;
    fm__regret_learn(&d->regret, m->value);
}

/* So many imagined dives, or as many as the time allows; returns how many. */
static uint32_t learn(struct mind *m, uint32_t iterations)
{
    struct dive_board board[DIVE_SEATS];
    uint32_t n = 0;
    do {
        imagine_stack(m);
        imagine_chief(m);
        imagine_sights(m);
        for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++)
            board[seat] = imagine_board(m, seat);
        for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++)
            learn_seat(m, board, seat);
        n++;
    } while (n < iterations && !fm_time_up(m->budget));
    return n;
}

static void begin(struct diver *d, unsigned n)
{
    fm__regret_init(&d->regret, n);
    memset(d->worth, 0, sizeof d->worth);
}

/* The best layouts by what they were worth so far, best first. */
static void keep_best(struct diver *d, unsigned keep)
{
    for (unsigned i = 0; i < keep; i++) {
        unsigned best = i;
        for (unsigned j = i + 1; j < d->regret.n; j++)
            if (d->worth[j] > d->worth[best])
                best = j;
        const struct layout l = d->layout[i];
        const float worth = d->worth[i];
        d->layout[i] = d->layout[best];
        d->worth[i] = d->worth[best];
        d->layout[best] = l;
        d->worth[best] = worth;
    }
}

/* Its own tiles: the same layouts with the anglerfish, or the clownfish on some level. */
static unsigned add_sixth(struct diver *d, unsigned n, float price)
{
    const unsigned all = n;
    for (unsigned i = 0; i < all; i++) {
        if (d->layout[i].board.depth != DIVE_LEVELS)
            continue;
        d->layout[n] = layout_of(d->layout[i].program | DIVE_SIXTH);
        d->layout[n++].price = price;
    }
    return n;
}

static unsigned add_clownfish(struct diver *d, unsigned n, float price)
{
    const unsigned some = n < CLOWNED ? n : CLOWNED;
    for (unsigned i = 0; i < some; i++)
        for (unsigned level = 1; level <= d->layout[i].board.depth; level++) {
            d->layout[n] = layout_of(d->layout[i].program | level << DIVE_CLOWNFISH_BIT);
            d->layout[n++].price = price;
        }
    return n;
}

/* A companion is used once: what it may still be worth in later rounds is lost. */
static float price_now(const struct dive_pub *pub)
{
    unsigned first = 0;
    for (unsigned who = 0; who < DIVE_PAWNS; who++)
        first = pub->pawn[who] > first ? pub->pawn[who] : first;
    const float left = first < DIVE_GOAL ? (float)(DIVE_GOAL - first) / DIVE_GOAL : 0;
    return .06f * left * left + .004f;
}

/* Plans the round of m->pub; returns the layouts that it learned about, its own in m->seat. */
static float plan(struct mind *m, uint32_t iterations)
{
    const enum dive_kit kit = dive_kit_of(&m->pub, m->seat);
    const float price = price_now(&m->pub);
    for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++) {
        struct diver *d = &m->diver[seat];
        unsigned n = iterations < FIRST_LOOK ? KEPT : LAYOUTS; /* no time for all of them */
        memcpy(d->layout, layouts, n * sizeof layouts[0]);
        if (seat == m->seat && kit == DIVE_KIT_ANGLERFISH)
            n = add_sixth(d, n, price);
        begin(d, n);
    }
    (void)learn(m, iterations / FIRST_LOOK);
    for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++) {
        struct diver *d = &m->diver[seat];
        keep_best(d, KEPT);
        unsigned n = KEPT;
        if (seat == m->seat && kit == DIVE_KIT_CLOWNFISH)
            n = add_clownfish(d, n, price);
        begin(d, n);
    }
    const uint32_t dives = learn(m, iterations);
    const struct diver *own = &m->diver[m->seat];
    float sum = 0, played = 0;
    for (unsigned i = 0; i < own->regret.n; i++) {
        sum += own->regret.played[i] * own->worth[i];
        played += own->regret.played[i];
    }
    return sum / played / (float)dives;
}

/* ---- a mind --------------------------------------------------------------------------------- */

/* The same situation gives the same plan, however often it is asked: who changed nothing has no
 * reason to lay other tokens. */
static void seed(struct mind *m, const struct dive_pub *pub, const struct fm_sight *sight)
{
    uint8_t key[FM_SEED_BYTES];
    const struct fm_span spans[] = {
        {&pub->round, sizeof pub->round},
        {pub->pawn, sizeof pub->pawn},
        {pub->left, sizeof pub->left},
        {sight != NULL ? sight->seen : key, sight != NULL ? sizeof sight->seen : 0},
    };
    fm__hash(key, "fathom mako 1", spans, 4);
    fm_rng_init(&m->rng, key, m->seat);
}

static void look_around(struct mind *m, const struct dive_pub *pub, unsigned seat,
                        const struct fm_budget *budget)
{
    const struct fm_sight *sight = budget->sight;
    m->pub = *pub;
    m->seat = seat;
    m->budget = budget;
    m->eyes = sight != NULL ? sight->eyes : NULL;
    m->levels = sight != NULL ? sight->levels : 0;
    if (layouts[0].program == 0)
        list_layouts();
    dive_believe(&m->belief, pub, sight);
    dive_race_make(&m->race, pub, m->eyes);
    for (unsigned level = 0; level < DIVE_DEEPEST; level++)
        for (unsigned seen = 0; seen < DIVE_KINDS; seen++)
            m->taken_for[level][seen] = dive_likelier(pub, m->eyes, level, seen);
    seed(m, pub, sight);
}

static uint32_t with_faces(const struct mind *m, uint32_t program)
{
    const unsigned depth = dive_depth(program);
    for (unsigned level = 0; level < depth; level++)
        program |= (uint32_t)m->belief.shark[level] << (DIVE_FACE_BIT + level);
    return program;
}

static uint32_t choose_program(struct mind *m, uint32_t iterations)
{
    if (m->pub.children)
        return with_faces(m, (uint32_t)DIVE_LEVELS << DIVE_PLAIN_BIT);
    (void)plan(m, iterations);
    const struct diver *own = &m->diver[m->seat];
    const unsigned best = fm__regret_choose(&own->regret, own->worth);
    return with_faces(m, own->layout[best].program);
}

/* ---- why a program was laid ------------------------------------------------------------------ */

#define WEIGHED  300 /* imagined dives that programs are compared in */
#define LEARNING 120 /* iterations in which the others' programs are learned */

/* What others lay; of children's boards nothing is learned. */
static struct dive_board board_of(struct mind *m, unsigned seat, bool learned)
{
    if (learned)
        return imagine_board(m, seat);
    const uint32_t program =
        dive_steady_program(&m->pub, seat, m->levels > 0 ? &m->diver[seat].sight : NULL, &m->rng);
    struct dive_board board = layout_of(program).board;
    board.faces = (uint8_t)(program >> DIVE_FACE_BIT & ((1u << DIVE_DEEPEST) - 1));
    return board;
}

/* All programs in one more imagined dive. */
static void weigh_once(struct mind *m, struct why_option *option, size_t n, bool learned)
{
    struct dive_board board[DIVE_SEATS];
    struct dive_after after;
    imagine_stack(m);
    imagine_chief(m);
    imagine_sights(m);
    for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++)
        board[seat] = board_of(m, seat, learned);
    for (size_t i = 0; i < n; i++) {
        const uint32_t program = (uint32_t)dive_action_rest(option[i].action);
        const bool companion = dive_clownfish(program) != 0 || (program & DIVE_SIXTH) != 0;
        board[m->seat] = layout_of(program).board;
        board[m->seat].faces = (uint8_t)(program >> DIVE_FACE_BIT & ((1u << DIVE_DEEPEST) - 1));
        dive_imagine(&m->pub, &m->world, board, &after);
        const float value = dive_race_win(&m->race, &m->pub, after.pawn,
                                          (unsigned)(m->pub.stack_n - after.cards), m->seat) -
                            (companion ? price_now(&m->pub) : 0);
        const double chance = value > 0 ? (double)value : 0;
        option[i].sum += chance;
        option[i].squares += chance * chance;
        option[i].n++;
    }
}

/* Its best program of this depth; 0: it considers none. */
static uint32_t best_of_depth(const struct mind *m, unsigned depth)
{
    const struct diver *own = &m->diver[m->seat];
    unsigned best = own->regret.n;
    for (unsigned i = 0; i < own->regret.n; i++)
        if (own->layout[i].board.depth == depth &&
            (best == own->regret.n || own->worth[i] > own->worth[best]))
            best = i;
    return best < own->regret.n ? with_faces(m, own->layout[best].program) : 0;
}

size_t dive_mako_weigh(const struct why_question *q, struct why_option *out, size_t cap)
{
    const struct dive_pub *pub = (const void *)q->before.pub;
    struct mind *m = &mind;
    size_t n = 0;
    m->seat = q->seat;
    look_around(m, pub, q->seat, &q->budget);
    out[n++] = (struct why_option){.action = q->played};
    if (!pub->children)
        (void)choose_program(m, LEARNING);
    for (unsigned depth = 1; depth <= DIVE_DEEPEST && n < cap; depth++) {
        const uint32_t program = pub->children ? 0 : best_of_depth(m, depth);
        if (program != 0 && dive_action(DIVE_DO_PROGRAM, program) != q->played)
            out[n++] = (struct why_option){.action = dive_action(DIVE_DO_PROGRAM, program)};
    }
    for (unsigned i = 0; i < WEIGHED; i++)
        weigh_once(m, out, n, !pub->children);
    return n;
}

/* ---- companions ----------------------------------------------------------------------------- */

/* Those that hurry or blind others are for when it is done itself, they are not, and it matters. */
static bool disturbs(unsigned companion)
{
    return companion == DIVE_OCTOPUS || companion == DIVE_ORCA || companion == DIVE_FUGU;
}

static bool worth_disturbing(const struct dive_pub *pub, unsigned seat)
{
    unsigned first = 0;
    for (unsigned who = 0; who < DIVE_PAWNS; who++)
        first = pub->pawn[who] > first ? pub->pawn[who] : first;
    const unsigned others = ((1u << pub->head.n_seats) - 1) & ~(1u << seat);
    return (others & ~pub->ready) != 0 && first >= DIVE_GOAL / 3;
}

/* What the round is worth with a companion; the same worlds for each. */
static float value_with(struct mind *m, const struct dive_pub *pub, unsigned companion,
                        unsigned target, const struct fm_budget *budget, uint32_t iterations)
{
    m->pub = *pub;
    seed(m, pub, budget->sight);
    if (companion != DIVE_NONE) {
        m->pub.effect[companion] = (uint8_t)m->seat;
        m->pub.target = (uint8_t)target;
    }
    return plan(m, iterations);
}

/* The announcement that wins most, if it wins more than waiting; 0: it waits. */
static fm_action announce(struct mind *m, const struct dive_pub *pub, unsigned companion,
                          const struct fm_budget *budget, uint32_t iterations)
{
    look_around(m, pub, m->seat, budget);
    const float without = value_with(m, pub, DIVE_NONE, 0, budget, iterations);
    float best = without + price_now(pub);
    fm_action action = 0;
    for (unsigned target = 0; target < pub->head.n_seats; target++) {
        const bool named = companion == DIVE_DOLPHINS;
        if ((named && target == m->seat) || (!named && target > 0))
            continue;
        const float with = value_with(m, pub, companion, target, budget, iterations);
        if (with > best) {
            best = with;
            action = dive_action(DIVE_DO_USE, companion | (named ? (uint64_t)target << 8 : 0));
        }
    }
    return action;
}

static fm_action disturb(unsigned companion)
{
    const uint64_t middle = DIVE_OCTOPUS_SCALE / 2;
    return dive_action(DIVE_DO_USE,
                       companion | (companion == DIVE_OCTOPUS ? (middle | middle << 16) << 8 : 0));
}

/* The pawns as the axolotl would leave them. */
static void step_back(const struct dive_pub *pub, unsigned seat, uint8_t pawn[DIVE_PAWNS])
{
    memcpy(pawn, pub->pawn, DIVE_PAWNS);
    for (unsigned who = 0; who < DIVE_PAWNS; who++)
        if (who != seat && pawn[who] & 1)
            pawn[who] = (uint8_t)(pawn[who] > 2 ? pawn[who] - 2 : 0);
}

static bool axolotl_pays(struct mind *m, const struct dive_pub *pub, unsigned seat,
                         const struct fm_budget *budget)
{
    uint8_t pawn[DIVE_PAWNS];
    look_around(m, pub, seat, budget);
    step_back(pub, seat, pawn);
    const float now = dive_race_win(&m->race, pub, pub->pawn, pub->stack_n, seat);
    const float used = dive_race_win(&m->race, pub, pawn, pub->stack_n, seat);
    return used > now + price_now(pub);
}

/* ---- thinking ------------------------------------------------------------------------------- */

static bool others_act(const struct dive_pub *pub, unsigned seat)
{
    for (unsigned c = 0; c < DIVE_COMPANIONS; c++)
        if (pub->effect[c] != DIVE_NONE && pub->effect[c] != seat)
            return true;
    return false;
}

static fm_action program_phase(struct fm_view v, const struct fm_budget *budget)
{
    const struct dive_pub *pub = (const void *)v.pub;
    const struct dive_priv *priv = (const void *)v.priv;
    const unsigned seat = (unsigned)v.seat;
    const uint32_t iterations = budget->iterations ? budget->iterations : ITERATIONS;
    const unsigned companion = dive_announceable(pub, seat);
    const bool ready = pub->ready >> seat & 1;
    const bool done = dive_program_ready(priv->program, pub->children) == FM_OK;
    mind.seat = seat;
    if (pub->breathed >> seat & 1)
        return 0;
    if (companion != DIVE_NONE && disturbs(companion)) {
        if (done && !ready && worth_disturbing(pub, seat))
            return disturb(companion);
    } else if (companion != DIVE_NONE && !done) {
        const fm_action use = announce(&mind, pub, companion, budget, iterations);
        if (use != 0)
            return use;
    }
    if (done && !others_act(pub, seat))
        return ready ? 0 : dive_action(DIVE_DO_READY, 0);
    look_around(&mind, pub, seat, budget);
    const uint32_t program = choose_program(&mind, iterations);
    if (program == priv->program)
        return ready ? 0 : dive_action(DIVE_DO_READY, 0);
    return ready ? dive_action(DIVE_DO_UNREADY, 0) : dive_action(DIVE_DO_PROGRAM, program);
}

/* The companions that win most, best first. */
static fm_action setup_phase(struct fm_view v, struct fm_rng *rng)
{
    static const uint8_t liked[] = {DIVE_ANGLERFISH, DIVE_CLOWNFISH,    DIVE_AXOLOTL_TILE,
                                    DIVE_NARWHAL,    DIVE_GREEN_TURTLE, DIVE_DOLPHINS,
                                    DIVE_GREAT_WHITE};
    const struct dive_priv *priv = (const void *)v.priv;
    const uint32_t left = dive_available((const void *)v.pub);
    if (priv->choice != DIVE_NONE)
        return 0;
    for (unsigned i = 0; i < sizeof liked; i++)
        if (left >> liked[i] & 1)
            return dive_action(DIVE_DO_CHOOSE, liked[i]);
    return dive_action(DIVE_DO_CHOOSE, fm__nth(left, fm_rng_below(rng, fm__count(left))));
}

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    const struct dive_pub *pub = (const void *)v.pub;
    struct fm_choice choice = {.after_ms = 1500 + fm_rng_below(rng, 4000)};
    switch (v.pub->phase) {
    case DIVE_SETUP:
        choice.action = setup_phase(v, rng);
        break;
    case DIVE_PROGRAM:
        choice.action = program_phase(v, &budget);
        break;
    default:
        choice.action =
            dive_action(DIVE_DO_AXOLOTL, axolotl_pays(&mind, pub, (unsigned)v.seat, &budget));
        break;
    }
    return choice;
}

const struct fm_bot fm_bot_dive_mako = {
    .id = "mako",
    .game = "dive",
    .about = "imagines the stack and the others' programs, dives to win the race",
    .eyes = "picture-keen",
    .think = think,
    .reasoning = &dive_reasoning,
};
