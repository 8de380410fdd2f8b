/* dive_mind.c: imagined rounds, and what is learned from them. */
#include "dive/bots/dive_mind.h"

#include "dive/bots/dive_steady.h"

#include "base/bits.h"
#include "base/hash.h"

#include <string.h>

#define FIRST_LOOK 8  /* of the iterations, one in so many is for all layouts; the rest for ... */
#define KEPT       64 /* ... the best of them */
#define STEADY     60 /* per cent of what others lay is what a steady diver would */
#define LIGHT      DIVE_LEVELS /* layouts that leave tokens aside */
#define LAYOUTS    (541 + LIGHT)
#define CLOWNED    20 /* of the layouts kept, how many are also tried with the clownfish */

static _Thread_local struct dive_layout layouts[LAYOUTS];

struct dive_mind *dive_mind(void)
{
    static _Thread_local struct dive_mind mind;
    return &mind;
}

/* ---- layouts -------------------------------------------------------------------------------- */

static struct dive_layout layout_of(uint32_t program)
{
    struct dive_layout l = {.program = program};
    uint8_t speed[DIVE_DEEPEST + 1];
    dive_speeds(program, speed);
    memcpy(l.board.speed, speed + 1, sizeof l.board.speed);
    l.board.depth = (uint8_t)dive_depth(program);
    return l;
}

static struct dive_board board_of(uint32_t program)
{
    struct dive_board board = layout_of(program).board;
    board.faces = (uint8_t)(program >> DIVE_FACE_BIT & ((1u << DIVE_DEEPEST) - 1));
    return board;
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

static void imagine_stack(struct dive_mind *m)
{
    for (unsigned level = 0; level < DIVE_DEEPEST; level++) {
        float u = unit(&m->rng);
        unsigned kind = 0;
        while (kind < DIVE_KINDS - 1 && (u -= m->belief.kind[level][kind]) >= 0)
            kind++;
        m->world.kind[level] = (uint8_t)kind;
    }
}

static void imagine_chief(struct dive_mind *m)
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

static unsigned imagine_seen(struct dive_mind *m, unsigned level)
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
static void imagine_sights(struct dive_mind *m)
{
    for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++) {
        struct dive_diver *d = &m->diver[seat];
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

/* What a diver lays in this world: of the others, some are taken to be steady ones; of children's
 * boards nothing is learned. */
static struct dive_board imagine_board(struct dive_mind *m, unsigned seat)
{
    const struct dive_diver *d = &m->diver[seat];
    if (m->pub.children || (seat != m->seat && fm_rng_below(&m->rng, 100) < STEADY)) {
        const struct fm_sight *sight = m->levels > 0 ? &d->sight : NULL;
        return board_of(dive_steady_program(&m->pub, seat, sight, &m->rng));
    }
    struct dive_board board = d->layout[fm__regret_pick(&d->regret, &m->rng)].board;
    board.faces = d->faces;
    return board;
}

void dive_mind_imagine(struct dive_mind *m, struct dive_board board[DIVE_SEATS])
{
    imagine_stack(m);
    imagine_chief(m);
    imagine_sights(m);
    for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++)
        board[seat] = imagine_board(m, seat);
}

/* ---- learning ------------------------------------------------------------------------------- */

static void learn_seat(struct dive_mind *m, struct dive_board board[DIVE_SEATS], unsigned seat)
{
    struct dive_diver *d = &m->diver[seat];
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
static uint32_t learn(struct dive_mind *m, uint32_t iterations)
{
    struct dive_board board[DIVE_SEATS];
    uint32_t n = 0;
    do {
        dive_mind_imagine(m, board);
        for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++)
            learn_seat(m, board, seat);
        n++;
    } while (n < iterations && !fm_time_up(m->budget));
    return n;
}

static void begin(struct dive_diver *d, unsigned n)
{
    fm__regret_init(&d->regret, n);
    memset(d->worth, 0, sizeof d->worth);
}

/* The best layouts by what they were worth so far, best first. */
static void keep_best(struct dive_diver *d, unsigned keep)
{
    for (unsigned i = 0; i < keep; i++) {
        unsigned best = i;
        for (unsigned j = i + 1; j < d->regret.n; j++)
            if (d->worth[j] > d->worth[best])
                best = j;
        const struct dive_layout l = d->layout[i];
        const float worth = d->worth[i];
        d->layout[i] = d->layout[best];
        d->worth[i] = d->worth[best];
        d->layout[best] = l;
        d->worth[best] = worth;
    }
}

/* Its own tiles: the same layouts with the anglerfish, or the clownfish on some level. */
static unsigned add_sixth(struct dive_diver *d, unsigned n, float price)
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

static unsigned add_clownfish(struct dive_diver *d, unsigned n, float price)
{
    const unsigned some = n < CLOWNED ? n : CLOWNED;
    for (unsigned i = 0; i < some; i++)
        for (unsigned level = 1; level <= d->layout[i].board.depth; level++) {
            d->layout[n] = layout_of(d->layout[i].program | level << DIVE_CLOWNFISH_BIT);
            d->layout[n++].price = price;
        }
    return n;
}

float dive_mind_price(const struct dive_pub *pub)
{
    unsigned first = 0;
    for (unsigned who = 0; who < DIVE_PAWNS; who++)
        first = pub->pawn[who] > first ? pub->pawn[who] : first;
    const float left = first < DIVE_GOAL ? (float)(DIVE_GOAL - first) / DIVE_GOAL : 0;
    return .06f * left * left + .004f;
}

float dive_mind_plan(struct dive_mind *m, uint32_t iterations)
{
    const enum dive_kit kit = dive_kit_of(&m->pub, m->seat);
    const float price = dive_mind_price(&m->pub);
    for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++) {
        struct dive_diver *d = &m->diver[seat];
        unsigned n = iterations < FIRST_LOOK ? KEPT : LAYOUTS; /* no time for all of them */
        memcpy(d->layout, layouts, n * sizeof layouts[0]);
        if (seat == m->seat && kit == DIVE_KIT_ANGLERFISH)
            n = add_sixth(d, n, price);
        begin(d, n);
    }
    (void)learn(m, iterations / FIRST_LOOK);
    for (unsigned seat = 0; seat < m->pub.head.n_seats; seat++) {
        struct dive_diver *d = &m->diver[seat];
        keep_best(d, KEPT);
        unsigned n = KEPT;
        if (seat == m->seat && kit == DIVE_KIT_CLOWNFISH)
            n = add_clownfish(d, n, price);
        begin(d, n);
    }
    const uint32_t dives = learn(m, iterations);
    const struct dive_diver *own = &m->diver[m->seat];
    float sum = 0, played = 0;
    for (unsigned i = 0; i < own->regret.n; i++) {
        sum += own->regret.played[i] * own->worth[i];
        played += own->regret.played[i];
    }
    return sum / played / (float)dives;
}

/* ---- a mind --------------------------------------------------------------------------------- */

void dive_mind_seed(struct dive_mind *m, const struct dive_pub *pub, const struct fm_sight *sight)
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

void dive_mind_look(struct dive_mind *m, const struct dive_pub *pub, unsigned seat,
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
    dive_mind_seed(m, pub, sight);
}

uint32_t dive_mind_with_faces(const struct dive_mind *m, uint32_t program)
{
    const unsigned depth = dive_depth(program);
    for (unsigned level = 0; level < depth; level++)
        program |= (uint32_t)m->belief.shark[level] << (DIVE_FACE_BIT + level);
    return program;
}

uint32_t dive_mind_program(struct dive_mind *m, uint32_t iterations)
{
    if (m->pub.children)
        return dive_mind_with_faces(m, (uint32_t)DIVE_LEVELS << DIVE_PLAIN_BIT);
    (void)dive_mind_plan(m, iterations);
    const struct dive_diver *own = &m->diver[m->seat];
    const unsigned best = fm__regret_choose(&own->regret, own->worth);
    return dive_mind_with_faces(m, own->layout[best].program);
}

/* ---- a program in an imagined round --------------------------------------------------------- */

float dive_mind_try(struct dive_mind *m, struct dive_board board[DIVE_SEATS], uint32_t program,
                    struct dive_after *after)
{
    const bool companion = dive_clownfish(program) != 0 || (program & DIVE_SIXTH) != 0;
    board[m->seat] = board_of(program);
    dive_imagine(&m->pub, &m->world, board, after);
    const float value = dive_race_win(&m->race, &m->pub, after->pawn,
                                      (unsigned)(m->pub.stack_n - after->cards), m->seat) -
                        (companion ? dive_mind_price(&m->pub) : 0);
    return value > 0 ? value : 0;
}

/* ---- after Rest ----------------------------------------------------------------------------- */

float dive_mind_axolotl(const struct dive_mind *m, bool used)
{
    uint8_t pawn[DIVE_PAWNS];
    for (unsigned who = 0; who < DIVE_PAWNS; who++) {
        pawn[who] = m->pub.pawn[who];
        if (used && who != m->seat && pawn[who] & 1)
            pawn[who] = (uint8_t)(pawn[who] > 2 ? pawn[who] - 2 : 0);
    }
    return dive_race_win(&m->race, &m->pub, pawn, m->pub.stack_n, m->seat);
}
