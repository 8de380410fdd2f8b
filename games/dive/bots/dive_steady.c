/*
 * dive_steady.c: dives as far as it can see.
 *
 * Per level it holds a belief over the eight kinds: what the deck has left, weighed by what its
 * eyes told it and by how far these are to be trusted. It takes the likelier face on each level
 * and, among all ways to lay its tokens, the one with the best expected advance: levels kept in
 * Rest, turtles and mantas won from others who also look for them. In Deep Waters it knows that
 * a mistake costs everything.
 */
#include "dive/bots/dive_steady.h"

#include "dive/bots/dive_bots.h"
#include "dive/bots/dive_why.h"

#include "base/bits.h"
#include "dive/rules/dive.h"

#define MAX_SPEED (1 + 2 + 3 + 4 + 5 + 3) /* all tokens on one level, and the clownfish */

struct outlook { /* what a level holds, as far as it believes */
    double kind[DIVE_KINDS];
    double right; /* with the better face */
    bool shark;   /* the better face */
    double helper;
    double gain;   /* spaces that its helper brings, if it is right and won */
    double plunge; /* chance that winning it leads into Deep Waters */
};

struct plan {
    const struct dive_pub *pub;
    unsigned seat;
    double taste[DIVE_DEEPEST + 1];                /* how keen it is on a level's helper, today */
    struct outlook level[DIVE_DEEPEST + 1];        /* from 1 */
    double bonus[DIVE_DEEPEST + 1][MAX_SPEED + 1]; /* expected, by level and speed */
    double best;
    uint32_t tokens; /* of the best program */
    unsigned depth;
    unsigned clownfish; /* its level there, 0: kept */
};

/* ---- belief ---------------------------------------------------------------------------------- */

static void believe(struct outlook *o, const struct dive_pub *pub, const struct fm_sight *sight,
                    unsigned level)
{
    double sum = 0;
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++) {
        o->kind[kind] = pub->left[kind] + 0.01; /* a given stack may hold anything */
        if (sight != NULL && level <= sight->levels)
            o->kind[kind] *= sight->eyes->chance[level - 1][kind][sight->seen[level - 1]] + 1.0;
        sum += o->kind[kind];
    }
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
        o->kind[kind] /= sum;
}

/* Spaces that a helper would bring this seat. */
static double worth(const struct dive_pub *pub, unsigned seat, unsigned helper)
{
    const uint8_t narwhal = pub->effect[DIVE_NARWHAL];
    const double sign = narwhal != DIVE_NONE && narwhal != seat ? -1 : 1;
    switch (helper) {
    case DIVE_GREEN:
        return sign + (pub->effect[DIVE_GREEN_TURTLE] == seat);
    case DIVE_RED:
        return 2 * sign;
    case DIVE_MANTA:
        return (double)dive_manta(pub, seat) - pub->pawn[seat];
    default:
        return 0;
    }
}

static void weigh(struct outlook *o, const struct dive_pub *pub, unsigned seat)
{
    double shark = 0;
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
        shark += kind & DIVE_SHARK ? o->kind[kind] : 0;
    o->shark = shark > 0.5;
    o->right = o->shark ? shark : 1 - shark;
    o->gain = o->helper = o->plunge = 0;
    for (unsigned helper = DIVE_GREEN; helper <= DIVE_MANTA; helper++) {
        const double chance = o->kind[helper | (o->shark ? DIVE_SHARK : 0)];
        const double spaces = worth(pub, seat, helper);
        o->helper += o->kind[helper] + o->kind[helper | DIVE_SHARK];
        o->gain += chance * spaces;
        if (dive_deep((unsigned)(pub->pawn[seat] + (spaces > 0 ? spaces : 0))))
            o->plunge += chance;
    }
}

/* ---- the others ------------------------------------------------------------------------------ */

/* How often one other diver is slower: where nobody expects a helper, and where all do. */
static double slower(unsigned speed, double helper)
{
    static const double idle[] = {0, 0, .30, .55, .75, .90, .95, .97, .98, .99};
    static const double eager[] = {0, 0, .05, .15, .30, .50, .70, .80, .86, .92};
    const unsigned i = speed < 9 ? speed : 9;
    return idle[i] + helper * (eager[i] - idle[i]);
}

/* How often the chief is slower: 2, 3, 4 or 6 where it has a number. */
static double chief_slower(const struct dive_pub *pub, unsigned speed, unsigned level)
{
    const bool deep = dive_deep(pub->pawn[DIVE_CHIEF]);
    double number = level <= 2 ? 1 : level == 3 ? (deep ? 0.5 : 1) : level == 4 && !deep;
    if (!pub->chief_on || pub->chief_n == 0)
        number = 0;
    const int below = (speed > 2) + (speed > 3) + (speed > 4) + (speed > 6);
    return 1 - number * (1 - below / 4.0);
}

/* The chance to be fastest, being right. */
static double win(const struct plan *p, unsigned level, unsigned speed)
{
    const double there[] = {0, .93, .84, .72, .55, .35, 0}; /* still diving and right */
    const double each = 1 - there[level] * (1 - slower(speed, p->level[level].helper));
    double chance = chief_slower(p->pub, speed, level);
    for (unsigned other = 1; other < p->pub->head.n_seats; other++)
        chance *= each;
    return chance;
}

/* ---- the best program ------------------------------------------------------------------------ */

/*
 * Levels that Rest will count for a dive of this depth, and reach[]: how likely each level is
 * got to. A mistake from Tranquil Waters keeps what lies above it, one from Deep Waters nothing.
 */
static double rest_value(const struct plan *p, unsigned depth, double reach[DIVE_DEEPEST + 1])
{
    double tranquil = 1, deep = 0, value = 0;
    if (dive_deep(p->pub->pawn[p->seat])) {
        tranquil = 0;
        deep = 1;
    }
    for (unsigned level = 1; level <= depth; level++) {
        const struct outlook *o = &p->level[level];
        const double plunge = o->right > 0 ? o->plunge / o->right * win(p, level, 4) : 0;
        reach[level] = tranquil + deep;
        value += tranquil * (1 - o->right) * (level - 1);
        deep = (deep + tranquil * plunge) * o->right;
        tranquil *= (1 - plunge) * o->right;
    }
    return value + (tranquil + deep) * depth;
}

/* What a speed is expected to bring on each level. */
static void price(struct plan *p, unsigned depth, const double reach[DIVE_DEEPEST + 1])
{
    for (unsigned level = 1; level <= depth; level++)
        for (unsigned speed = 1; speed <= MAX_SPEED; speed++)
            p->bonus[level][speed] =
                p->taste[level] * reach[level] * p->level[level].gain * win(p, level, speed);
}

/* The level on which the clownfish would help most; worth its one use only from here on. */
static unsigned best_clownfish(const struct plan *p, unsigned depth, const uint8_t *speed,
                               double *more)
{
    unsigned best = 0;
    *more = 0.35;
    for (unsigned level = 1; level <= depth; level++) {
        const double gain = p->bonus[level][speed[level] + 3] - p->bonus[level][speed[level]];
        if (gain > *more) {
            *more = gain;
            best = level;
        }
    }
    if (best == 0)
        *more = 0;
    return best;
}

/* Lay the tokens from the highest down in every way that leaves no level of `depth` empty. */
static void lay(struct plan *p, unsigned depth, double value, unsigned token, uint8_t *speed,
                uint32_t tokens, bool clownfish)
{
    if (token > 0) {
        unsigned empty = 0;
        for (unsigned level = 1; level <= depth; level++)
            empty += speed[level] == 0;
        for (unsigned level = 1; level <= depth; level++) {
            if (empty == token && speed[level] != 0)
                continue; /* every token left is needed on an empty level */
            speed[level] = (uint8_t)(speed[level] + token);
            lay(p, depth, value, token - 1, speed, tokens | level << 3 * (token - 1), clownfish);
            speed[level] = (uint8_t)(speed[level] - token);
        }
        return;
    }
    double more = 0;
    const unsigned fish = clownfish ? best_clownfish(p, depth, speed, &more) : 0;
    for (unsigned level = 1; level <= depth; level++)
        value += p->bonus[level][speed[level]];
    if (value + more <= p->best)
        return;
    p->best = value + more;
    p->tokens = tokens;
    p->depth = depth;
    p->clownfish = fish;
}

static uint32_t best_program(struct plan *p, enum dive_kit kit)
{
    p->best = -1000;
    for (unsigned depth = 1; depth <= DIVE_LEVELS; depth++) {
        double reach[DIVE_DEEPEST + 1];
        uint8_t speed[DIVE_DEEPEST + 1] = {0};
        const double rest = rest_value(p, depth, reach);
        price(p, depth, reach);
        lay(p, depth, rest, DIVE_TOKENS, speed, 0, kit == DIVE_KIT_CLOWNFISH);
    }
    uint32_t program = p->tokens | p->clownfish << DIVE_CLOWNFISH_BIT;
    for (unsigned level = 1; level <= p->depth; level++)
        program |= (uint32_t)p->level[level].shark << (DIVE_FACE_BIT + level - 1);
    if (kit == DIVE_KIT_ANGLERFISH && p->depth == DIVE_LEVELS) {
        double reach[DIVE_DEEPEST + 1];
        const double five = rest_value(p, DIVE_LEVELS, reach);
        const double six = rest_value(p, DIVE_DEEPEST, reach);
        if (six + reach[DIVE_DEEPEST] * p->level[DIVE_DEEPEST].gain > five + 0.3)
            program |= DIVE_SIXTH | (uint32_t)p->level[DIVE_DEEPEST].shark
                                        << (DIVE_FACE_BIT + DIVE_LEVELS);
    }
    return program;
}

static uint32_t children_program(const struct plan *p)
{
    uint32_t program = (uint32_t)DIVE_LEVELS << DIVE_PLAIN_BIT;
    for (unsigned level = 1; level <= DIVE_LEVELS; level++)
        program |= (uint32_t)p->level[level].shark << (DIVE_FACE_BIT + level - 1);
    return program;
}

/* Divers who see and think alike would tie for every helper: each weighs them a little its way. */
static void look_ahead(struct plan *p, const struct dive_pub *pub, unsigned seat,
                       const struct fm_sight *sight, struct fm_rng *rng)
{
    p->pub = pub;
    p->seat = seat;
    for (unsigned level = 1; level <= DIVE_DEEPEST; level++) {
        p->taste[level] = 0.5 + fm_rng_below(rng, 1000) / 1000.0;
        believe(&p->level[level], pub, sight, level);
        weigh(&p->level[level], pub, seat);
    }
}

static uint32_t program_of(struct plan *p)
{
    const enum dive_kit kit = dive_kit_of(p->pub, p->seat);
    return kit == DIVE_KIT_CHILDREN ? children_program(p) : best_program(p, kit);
}

uint32_t dive_steady_program(const struct dive_pub *pub, unsigned seat,
                             const struct fm_sight *sight, struct fm_rng *rng)
{
    struct plan p;
    look_ahead(&p, pub, seat, sight, rng);
    return program_of(&p);
}

/* ---- companions ------------------------------------------------------------------------------ */

/* Expected turtles among the first levels, of a colour or of both. */
static double turtles(const struct plan *p, bool red)
{
    double sum = 0;
    for (unsigned level = 1; level <= 4; level++) {
        const double *kind = p->level[level].kind;
        sum += kind[DIVE_GREEN] + kind[DIVE_GREEN | DIVE_SHARK];
        sum += red ? 2 * (kind[DIVE_RED] + kind[DIVE_RED | DIVE_SHARK]) : 0;
    }
    return sum;
}

/* Would it announce its companion now? Those that only hurry or blind others wait until it is
 * done itself. */
static bool wants(const struct plan *p, unsigned companion, bool done)
{
    const struct dive_pub *pub = p->pub;
    switch (companion) {
    case DIVE_GREEN_TURTLE:
        return turtles(p, false) > 1.2 || pub->round >= 5;
    case DIVE_NARWHAL:
        return turtles(p, true) > 2.2 || pub->round >= 5;
    case DIVE_GREAT_WHITE:
        return pub->head.n_seats > 2 && pub->round >= 2;
    case DIVE_DOLPHINS:
        return pub->round >= 2;
    default:
        return done;
    }
}

/* Whom the dolphins go to: who is most careful, being in Deep Waters; else any other. */
static unsigned dolphins_target(const struct dive_pub *pub, unsigned seat, struct fm_rng *rng)
{
    const unsigned n = pub->head.n_seats;
    unsigned target = (seat + 1 + fm_rng_below(rng, n - 1)) % n;
    for (unsigned other = 0; other < n; other++)
        if (other != seat && pub->pawn[other] > pub->pawn[target])
            target = other;
    return target;
}

static fm_action announce(const struct plan *p, unsigned companion, struct fm_rng *rng)
{
    uint64_t more = 0;
    if (companion == DIVE_DOLPHINS)
        more = dolphins_target(p->pub, p->seat, rng);
    if (companion == DIVE_OCTOPUS)
        more = DIVE_OCTOPUS_SCALE / 2 | (uint64_t)DIVE_OCTOPUS_SCALE / 2 << 16;
    return dive_action(DIVE_DO_USE, companion | more << 8);
}

/* The axolotl pays when it costs the others more than a turn of the owner's own would bring. */
static bool axolotl_pays(const struct dive_pub *pub, unsigned seat)
{
    unsigned others = 0, odd = 0;
    bool saves = false;
    for (unsigned who = 0; who < DIVE_PAWNS; who++) {
        if (who == seat || (who < DIVE_CHIEF ? who >= pub->head.n_seats : !pub->chief_on))
            continue;
        others++;
        odd += pub->pawn[who] & 1;
        saves |= pub->pawn[who] >= DIVE_GOAL && pub->pawn[who] & 1;
    }
    return saves || (pub->round >= 3 && 3 * odd >= 2 * others);
}

/* ---- thinking -------------------------------------------------------------------------------- */

static fm_action program_phase(struct fm_view v, struct fm_rng *rng, const struct fm_sight *sight)
{
    const struct dive_pub *pub = (const void *)v.pub;
    const struct dive_priv *priv = (const void *)v.priv;
    const unsigned seat = (unsigned)v.seat;
    const unsigned companion = dive_announceable(pub, seat);
    const bool ready = pub->ready >> seat & 1;
    const bool done = dive_program_ready(priv->program, pub->children) == FM_OK;
    if (ready || (done && companion == DIVE_NONE))
        return ready ? 0 : dive_action(DIVE_DO_READY, 0);
    struct plan p;
    look_ahead(&p, pub, seat, sight, rng);
    if (companion != DIVE_NONE && wants(&p, companion, done))
        return announce(&p, companion, rng);
    if (done)
        return dive_action(DIVE_DO_READY, 0);
    return dive_action(DIVE_DO_PROGRAM, program_of(&p));
}

fm_action dive_any_companion(struct fm_view v, struct fm_rng *rng)
{
    const struct dive_priv *priv = (const void *)v.priv;
    const uint32_t left = dive_available((const void *)v.pub);
    if (priv->choice != DIVE_NONE)
        return 0;
    return dive_action(DIVE_DO_CHOOSE, fm__nth(left, fm_rng_below(rng, fm__count(left))));
}

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    struct fm_choice choice = {.after_ms = 1500 + fm_rng_below(rng, 4000)};
    switch (v.pub->phase) {
    case DIVE_SETUP:
        choice.action = dive_any_companion(v, rng);
        break;
    case DIVE_PROGRAM:
        choice.action = program_phase(v, rng, budget.sight);
        break;
    default:
        choice.action =
            dive_action(DIVE_DO_AXOLOTL, axolotl_pays((const void *)v.pub, (unsigned)v.seat));
        break;
    }
    return choice;
}

const struct fm_bot fm_bot_dive_steady = {
    .id = "steady",
    .game = "dive",
    .about = "believes its eyes as far as they can be trusted, takes the best expected advance",
    .eyes = "picture-average",
    .think = think,
    .reasoning = &dive_reasoning,
};
