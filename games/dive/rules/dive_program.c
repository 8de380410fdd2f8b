/*
 * dive_program.c: a diver's board as a number: checked, cut, and counted through.
 *
 * The programs with which one may be ready are numbered without listing them: first by depth,
 * then by faces, tile and the levels of the tokens. A uniform number is a uniform program.
 */
#include "dive/rules/dive.h"

#include "base/bits.h"
#include "base/panic.h"
#include "dive/rules/dive_tokens.h"

#define FACES       0x3fu
#define SIXTH_LEVEL (1u << (DIVE_DEEPEST - 1))

static unsigned plain_mask(uint32_t program)
{
    return (1u << dive_plain_levels(program)) - 1;
}

/* Levels, bit level-1, of two tokens at a time. */
#define LEVEL(i) (uint8_t)((1u << ((i)&7) | 1u << ((i) >> 3)) >> 1)
#define EIGHT(i)                                                                                   \
    LEVEL(i), LEVEL(i + 1), LEVEL(i + 2), LEVEL(i + 3), LEVEL(i + 4), LEVEL(i + 5), LEVEL(i + 6),  \
        LEVEL(i + 7)
static const uint8_t levels_of[64] = {EIGHT(0),  EIGHT(8),  EIGHT(16), EIGHT(24),
                                      EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56)};
#undef EIGHT
#undef LEVEL

uint32_t dive_filled(uint32_t program)
{
    const unsigned tokens =
        levels_of[program & 63] | levels_of[program >> 6 & 63] | levels_of[program >> 12 & 7];
    return tokens | plain_mask(program) | (program & DIVE_SIXTH ? SIXTH_LEVEL : 0);
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
    speed[dive_clownfish(program)] += DIVE_CLOWNFISH_AIR;
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

/* Programs of exactly k levels, by kit. */
static const uint32_t programs[DIVE_KIT_CHILDREN][DIVE_LEVELS] = {
    [DIVE_KIT_PLAIN] = {2 * 31, 4 * 180, 8 * 390, 16 * 360, 32 * 120},
    [DIVE_KIT_CLOWNFISH] = {2 * 31 * 2, 4 * 180 * 3, 8 * 390 * 4, 16 * 360 * 5, 32 * 120 * 6},
    [DIVE_KIT_ANGLERFISH] = {2 * 31, 4 * 180, 8 * 390, 16 * 360, 32 * 120 * 3},
};

uint32_t dive_program_count(enum dive_kit kit)
{
    static const uint32_t all[] = {
        [DIVE_KIT_PLAIN] = 13502,
        [DIVE_KIT_CLOWNFISH] = 66604,
        [DIVE_KIT_ANGLERFISH] = 21182,
        [DIVE_KIT_CHILDREN] = 1u << DIVE_LEVELS,
    };
    return all[kit];
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
    return program | dive_tokens[k - 1][number];
}
