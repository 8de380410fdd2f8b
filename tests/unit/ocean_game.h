/* ocean_game.h: games, layers and frames as the tests of the ocean make them. */
#ifndef OCEAN_GAME_H
#define OCEAN_GAME_H

#include "tests.h"

#include "base/json_in.h"
#include "dive/rules/dive_state.h"
#include "ocean/layers.h"

#include <fathom/games.h>

#include <stdlib.h>
#include <string.h>

static struct oc_art *art;
static struct oc_scratch *scratch;
static unsigned stacks = 60; /* how many random ones: the program's argument */

/* Sanitizers make everything slower; there are fewer random stacks then. */
static inline bool in_a_hurry(void)
{
    return stacks < 1000;
}

static inline int run_ocean_tests(const char *name, const struct CMUnitTest *tests, size_t n,
                                  int argc, char **argv)
{
    struct fm_fault fault;
    if (argc > 1)
        stacks = (unsigned)strtoul(argv[1], NULL, 10);
    art = oc_art_load(NULL, &fault);
    scratch = oc_scratch_create();
    const int failed = art == NULL || scratch == NULL ? 1 : tests_run(name, tests, n);
    oc_scratch_destroy(scratch);
    oc_art_free(art);
    return failed;
}

static inline void init_dive(struct dive_state *s, const char *table, unsigned number)
{
    struct fm_setup setup;
    struct fm_fault fault;
    json_t *json = fm_json_load(table, strlen(table), &fault);
    assert_non_null(json);
    assert_int_equal(fm_setup_parse(&setup, json, NULL, &fault), FM_OK);
    json_decref(json);
    setup.seed[0] = (uint8_t)number;
    setup.seed[1] = (uint8_t)(number >> 8);
    assert_int_equal(fm_init(s, &setup, NULL), FM_OK);
}

static inline struct oc_deal deal_number(unsigned number)
{
    struct dive_state s;
    struct oc_deal deal;
    init_dive(&s, "{\"game\":\"dive\"}", number);
    oc_deal_of(&deal, &fm_game_dive, &s);
    return deal;
}

static inline void make_number(struct oc_sheets *s, const struct oc_water *water, unsigned number)
{
    const struct oc_deal deal = deal_number(number);
    oc_sheets_make(s, art, water, &deal);
}

static inline struct oc_layers *bake(const struct oc_sheets *s, int left, int size, bool lamps)
{
    struct fm_fault fault;
    struct oc_layers *layers = oc_bake(s, left, size, lamps, scratch, &fault);
    assert_non_null(layers);
    return layers;
}

static inline struct oc_frame new_frame(int size)
{
    struct fm_fault fault;
    struct oc_frame f;
    assert_int_equal(oc_frame_init(&f, size, &fault), FM_OK);
    return f;
}

static inline struct oc_patch octopus_at(int size, double x, double y)
{
    struct fm_fault fault;
    struct oc_patch p;
    assert_int_equal(oc_patch_init(&p, art, size, x, y, &fault), FM_OK);
    return p;
}

static inline struct oc_look look_to(unsigned tx, unsigned ty)
{
    return (struct oc_look){.tx = (uint8_t)tx, .ty = (uint8_t)ty};
}

/* The k-th of a light's places. */
static inline struct oc_look look_by(unsigned tx, unsigned ty, enum oc_light light, unsigned lamp)
{
    return (struct oc_look){
        .tx = (uint8_t)tx, .ty = (uint8_t)ty, .light = (uint8_t)light, .lamp = (uint8_t)lamp};
}

/* Lamps in the corners, in the middle of edges and in the middle; directions of one at the side. */
static inline unsigned some_lamp(enum oc_light light, unsigned k)
{
    const unsigned x = k % 3 * (OC_LAMP_SPOTS / 2), y = k / 3 % 3 * (OC_LAMP_SPOTS / 2);
    return light == OC_DAYLIGHT ? 0
           : light == OC_SIDE   ? 7 * k % OC_LAMP_SIDES
                                : y * OC_LAMP_SPOTS + x;
}

/* All bytes, those behind the window up to whole tiles as well. */
static inline bool same_frames(const struct oc_frame *a, const struct oc_frame *b)
{
    const size_t side = (size_t)oc_frame_padded(a->size);
    assert_int_equal(a->size, b->size);
    return memcmp(a->y, b->y, side * side + side * side / 2) == 0;
}

#endif
