/*
 * divercity_signs.c: how DiverCity's bots make and read hand signs (C33).
 *
 * Each sign shows something that one can see of an animal: claws, wings, a shell, that it is small.
 * A bot makes the signs that describe a species best. It reads signs of anybody: as a description
 * that it would make itself, in any order; otherwise as the only species that has everything that
 * is shown. The rules text has the same list for people, under "The hand signs".
 */
#include "divercity/bots/divercity_signs.h"

enum sign {
    FLAT_HAND,
    FIST,
    PINCH,
    WRIGGLING_FINGERS,
    SNAKING_HAND,
    FLAPPING_ARMS,
    RING,
    SPREAD_FINGERS,
    FISTS_AT_THE_HEAD,
    STACKED_HANDS,
    THUMB_UP,
    THUMB_DOWN,
    WIDE_APART,
    CLOSE_TOGETHER,
    OPENING_HANDS,
    CROSSED_ARMS
};

#define SHOWS(sign)        (1u << (sign))
#define ONE(sign)          1, {sign}, SHOWS(sign)
#define TWO(first, second) 2, {first, second}, SHOWS(first) | SHOWS(second)

static const struct {
    uint8_t n, made[DIVERCITY_SIGNS_A_CARD]; /* what a bot makes */
    uint16_t shown;                          /* the same as bits */
    uint16_t fits;                           /* further signs that fit the animal */
} animals[DIVERCITY_SPECIES] = {
    /* nudibranch: small, glides over the ground */
    {TWO(CLOSE_TOGETHER, FLAT_HAND), SHOWS(WRIGGLING_FINGERS)},
    /* crab: claws, small */
    {TWO(PINCH, CLOSE_TOGETHER), SHOWS(FLAT_HAND)},
    /* hammerhead: the shape of its head */
    {ONE(FISTS_AT_THE_HEAD), SHOWS(WIDE_APART)},
    /* porcupinefish: a ball with spines */
    {TWO(FIST, SPREAD_FINGERS), SHOWS(RING)},
    /* mandarin: small, with rings of colour */
    {TWO(CLOSE_TOGETHER, RING), 0},
    /* manta: wings */
    {ONE(FLAPPING_ARMS), SHOWS(WIDE_APART) | SHOWS(FLAT_HAND)},
    /* lobster: claws, large */
    {TWO(PINCH, WIDE_APART), SHOWS(WRIGGLING_FINGERS)},
    /* eel: winds its way */
    {ONE(SNAKING_HAND), SHOWS(WIDE_APART)},
    /* octopus: arms that move */
    {ONE(WRIGGLING_FINGERS), SHOWS(WIDE_APART)},
    /* turtle: a shell, and paddles */
    {ONE(STACKED_HANDS), SHOWS(WIDE_APART)},
    /* oyster: it opens */
    {ONE(OPENING_HANDS), SHOWS(CLOSE_TOGETHER) | SHOWS(STACKED_HANDS)},
    /* starfish: five arms */
    {ONE(SPREAD_FINGERS), SHOWS(FLAT_HAND)},
};

unsigned divercity_sign_for(unsigned species)
{
    unsigned number = 0, before = 0, of_n = 1;
    for (unsigned i = 0; i < animals[species].n; i++) {
        number = number * DIVERCITY_SIGNS + animals[species].made[i];
        before += i > 0 ? of_n : 0; /* those with fewer signs */
        of_n *= DIVERCITY_SIGNS;
    }
    return 1 + before + number;
}

/* The signs as bits; how often and in which order they are made does not matter. */
static unsigned shown_by(unsigned sign)
{
    unsigned number = sign - 1, n = 1, shown = 0;
    for (unsigned of_n = DIVERCITY_SIGNS; number >= of_n; of_n *= DIVERCITY_SIGNS, n++)
        number -= of_n;
    for (unsigned i = 0; i < n; i++)
        shown |= SHOWS(number >> 4 * i & (DIVERCITY_SIGNS - 1));
    return shown;
}

unsigned divercity_sign_meaning(unsigned sign, const int left[DIVERCITY_SPECIES])
{
    unsigned meant = DIVERCITY_NONE, n = 0;
    if (sign == 0)
        return DIVERCITY_NONE;
    const unsigned shown = shown_by(sign);
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++) {
        if (left != NULL && left[i] <= 0)
            continue;
        if (shown == animals[i].shown)
            return i;
        if ((shown & ~(animals[i].shown | animals[i].fits)) == 0) {
            meant = i;
            n++;
        }
    }
    return n == 1 ? meant : DIVERCITY_NONE;
}
