/*
 * dive_program.c: a diver's board as a number: checked, cut, and counted through.
 *
 * The programs with which one may be ready are numbered without listing them: first by depth,
 * then by faces, tile and the levels of the tokens. A uniform number is a uniform program.
 */
#include "games/dive/dive.h"

#include "base/bits.h"
#include "base/panic.h"

#define FACES       0x3fu
#define SIXTH_LEVEL (1u << (DIVE_DEEPEST - 1))

static unsigned plain_mask(uint32_t program)
{
    return (1u << dive_plain_levels(program)) - 1;
}

uint32_t dive_filled(uint32_t program)
{
    uint32_t tokens = 0;
    for (unsigned token = 0; token < DIVE_TOKENS; token++)
        tokens |= 1u << dive_token_level(program, token);
    return tokens >> 1 | plain_mask(program) | (program & DIVE_SIXTH ? SIXTH_LEVEL : 0);
}

static unsigned depth_of(uint32_t filled)
{
    return fm__lowest(~filled);
}

unsigned dive_depth(uint32_t program)
{
    return depth_of(dive_filled(program));
}

uint32_t dive_cut(uint32_t program)
{
    const uint32_t filled = dive_filled(program);
    const unsigned depth = depth_of(filled);
    if (filled >> depth == 0)
        return program;
    for (unsigned token = 0; token < DIVE_TOKENS; token++)
        if (dive_token_level(program, token) > depth)
            program &= ~(7u << 3 * token);
    if (dive_clownfish(program) > depth)
        program &= ~(7u << DIVE_CLOWNFISH_BIT);
    return program & ~((FACES << depth & FACES) << DIVE_FACE_BIT);
}

void dive_speeds(uint32_t program, uint8_t speed[DIVE_DEEPEST + 1])
{
    for (unsigned level = 0; level <= DIVE_DEEPEST; level++)
        speed[level] = 0;
    for (unsigned token = 0; token < DIVE_TOKENS; token++)
        speed[dive_token_level(program, token)] += (uint8_t)(token + 1);
    speed[dive_clownfish(program)] += 3;
    speed[DIVE_DEEPEST] = (program & DIVE_SIXTH) != 0;
}

enum fm_err dive_program_check(uint32_t program)
{
    const uint32_t filled = dive_filled(program);
    const uint32_t tokens = program & ((1u << DIVE_FACE_BIT) - 1);
    const unsigned clownfish = dive_clownfish(program);
    if (program >> DIVE_PROGRAM_BITS || dive_plain_levels(program) > DIVE_LEVELS)
        return FM_E_ACTION;
    if (dive_plain_levels(program) && (tokens || clownfish || program & DIVE_SIXTH))
        return FM_E_ACTION;
    for (unsigned token = 0; token < DIVE_TOKENS; token++)
        if (dive_token_level(program, token) > DIVE_LEVELS)
            return FM_E_LEVEL;
    if (clownfish && !(filled >> (clownfish - 1) & 1))
        return FM_E_CLOWNFISH;
    if (program & DIVE_SIXTH && depth_of(filled) != DIVE_DEEPEST)
        return FM_E_ANGLERFISH;
    if (program >> DIVE_FACE_BIT & FACES & ~filled)
        return FM_E_ACTION; /* a face where nothing lies */
    return FM_OK;
}

enum fm_err dive_program_ready(uint32_t program, bool children)
{
    const uint32_t filled = dive_filled(program);
    if (children)
        return dive_plain_levels(program) == DIVE_LEVELS ? FM_OK : FM_E_FIVE_LEVELS;
    if (filled == 0)
        return FM_E_NO_TOKEN;
    return filled & (filled + 1) ? FM_E_GAP : FM_OK;
}

/* ---- by number ------------------------------------------------------------------------------ */

/*
 * onto[k-1][t][m]: ways to lay t tokens, each on one of k levels or aside, so that m given levels
 * get at least one. The next token goes to one of these m, or to one of the k+1-m others:
 * onto(t,m) = m onto(t-1,m-1) + (k+1-m) onto(t-1,m).
 */
static const uint16_t onto[DIVE_LEVELS][DIVE_TOKENS][DIVE_LEVELS + 1] = {
    {{1}, {2, 1}, {4, 3}, {8, 7}, {16, 15}},
    {{1}, {3, 1}, {9, 5, 2}, {27, 19, 12}, {81, 65, 50}},
    {{1}, {4, 1}, {16, 7, 2}, {64, 37, 18, 6}, {256, 175, 110, 60}},
    {{1}, {5, 1}, {25, 9, 2}, {125, 61, 24, 6}, {625, 369, 194, 84, 24}},
    {{1}, {6, 1}, {36, 11, 2}, {216, 91, 30, 6}, {1296, 671, 302, 108, 24}},
};

/* Programs of exactly k levels, by kit. */
static const uint32_t programs[DIVE_KIT_CHILDREN][DIVE_LEVELS] = {
    [DIVE_KIT_PLAIN] = {2 * 31, 4 * 180, 8 * 390, 16 * 360, 32 * 120},
    [DIVE_KIT_CLOWNFISH] = {2 * 31 * 2, 4 * 180 * 3, 8 * 390 * 4, 16 * 360 * 5, 32 * 120 * 6},
    [DIVE_KIT_ANGLERFISH] = {2 * 31, 4 * 180, 8 * 390, 16 * 360, 32 * 120 * 3},
};

uint32_t dive_program_count(enum dive_kit kit)
{
    if (kit == DIVE_KIT_CHILDREN)
        return 1u << DIVE_LEVELS;
    uint32_t n = 0;
    for (unsigned k = 0; k < DIVE_LEVELS; k++)
        n += programs[kit][k];
    return n;
}

/* Lists of levels, four bits each: the i-th, and the list without it. */
static unsigned item(uint32_t list, unsigned i)
{
    return list >> 4 * i & 0xf;
}

static uint32_t without(uint32_t list, unsigned i)
{
    const uint32_t before = (1u << 4 * i) - 1;
    return (list & before) | (list >> 4 & ~before);
}

/* The number-th way to lay the tokens on levels 1 .. k, all of them used. */
static uint32_t tokens_at(unsigned k, uint32_t number)
{
    uint32_t missing = 0x54321; /* its first m */
    uint32_t others = 0;        /* its first k + 1 - m: 0, which is aside, and levels in use */
    uint32_t tokens = 0;
    unsigned m = k;
    for (unsigned token = 0; token < DIVE_TOKENS; token++) {
        const uint16_t *ways = onto[k - 1][DIVE_TOKENS - 1 - token];
        const uint32_t repeats = (k + 1 - m) * ways[m];
        unsigned level;
        if (number < repeats) {
            level = item(others, number / ways[m]);
            number %= ways[m];
        } else {
            number -= repeats;
            const unsigned i = number / ways[m - 1];
            number %= ways[m - 1];
            level = item(missing, i);
            missing = without(missing, i);
            others |= level << 4 * (k + 1 - m);
            m--;
        }
        tokens |= level << 3 * token;
    }
    return tokens;
}

uint32_t dive_program_at(enum dive_kit kit, uint32_t number)
{
    fm_assert(number < dive_program_count(kit));
    if (kit == DIVE_KIT_CHILDREN)
        return number << DIVE_FACE_BIT | (uint32_t)DIVE_LEVELS << DIVE_PLAIN_BIT;
    unsigned k = 1;
    for (; number >= programs[kit][k - 1]; k++)
        number -= programs[kit][k - 1];
    uint32_t program = (number & ((1u << k) - 1)) << DIVE_FACE_BIT;
    number >>= k;
    if (kit == DIVE_KIT_CLOWNFISH) {
        program |= number % (k + 1) << DIVE_CLOWNFISH_BIT;
        number /= k + 1;
    } else if (kit == DIVE_KIT_ANGLERFISH && k == DIVE_LEVELS) {
        if (number % 3 != 0)
            program |= DIVE_SIXTH | (number % 3 - 1) << (DIVE_FACE_BIT + DIVE_LEVELS);
        number /= 3;
    }
    return program | tokens_at(k, number);
}
