/* fuzz.c: what the fuzzers share. */
#include "fuzz.h"

#include "base/hash.h"
#include "base/json_in.h"
#include "base/panic.h"

#include <string.h>

static struct fm_deck decks[16];
static struct fm_library library;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    struct fm_fault fault;
    fm_assert(fm__hash_start() == 0);
    fm_assert(fm_deck_builtin_count() <= sizeof decks / sizeof decks[0]);
    for (size_t i = 0; i < fm_deck_builtin_count(); i++)
        fm_assert(fm_deck_builtin(&decks[i], i, &fault) == FM_OK);
    library = (struct fm_library){.decks = decks, .n_decks = fm_deck_builtin_count()};
    return 0;
}

const struct fm_library *fuzz_library(void)
{
    return &library;
}

const struct fm_game *fuzz_game(uint8_t pick)
{
    size_t n = 0;
    while (fm_game_at(n) != NULL)
        n++;
    return fm_game_at(pick % n);
}

/* ---- tables --------------------------------------------------------------------------------- */

static json_t *draw_option(const struct fm_option *option, struct fm_rng *rng)
{
    uint32_t n = 0;
    switch (option->kind) {
    case FM_OPT_FLAG:
        return json_boolean(fm_rng_below(rng, 2));
    case FM_OPT_INT:
        n = (uint32_t)(option->max - option->min) + 1;
        return json_integer(option->min + (int)fm_rng_below(rng, n));
    case FM_OPT_WORD:
        while (option->words[n] != NULL)
            n++;
        return json_string(option->words[fm_rng_below(rng, n)]);
    default: /* the others have values that not every table allows */
        return NULL;
    }
}

/* Each option is named in half of the tables. */
static json_t *draw_options(const struct fm_game *g, struct fm_rng *rng)
{
    json_t *options = json_object();
    for (uint32_t i = 0; i < g->n_options; i++) {
        json_t *value = draw_option(&g->options[i], rng);
        if (value != NULL && fm_rng_below(rng, 2))
            (void)json_object_set(options, g->options[i].name, value);
        json_decref(value);
    }
    return options;
}

void fuzz_setup(struct fm_setup *setup, const struct fm_game *g, const struct fm_library *from,
                uint8_t pick)
{
    const uint8_t seed[FM_SEED_BYTES] = {pick};
    struct fm_rng rng;
    struct fm_fault fault;
    fm_rng_init(&rng, seed, 99);
    json_t *table = json_pack("{s:s,s:o}", "game", g->id, "options", draw_options(g, &rng));
    fm_assert(table != NULL);
    if (fm_setup_parse(setup, table, from, &fault) != FM_OK) {
        (void)json_object_clear(json_object_get(table, "options"));
        fm_assert(fm_setup_parse(setup, table, from, &fault) == FM_OK);
    }
    json_decref(table);
    memcpy(setup->seed, seed, sizeof seed);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

json_t *fuzz_parse(const struct fm_out *o)
{
    struct fm_fault fault;
    fm_assert(fm_out_ok(o));
    json_t *json = fm_json_load(o->buf, o->len, &fault);
    fm_assert(json != NULL);
    return json;
}

void fuzz_check_views(const struct fm_game *g, const void *state)
{
    static char text[FM_JSON_MAX];
    const struct fm_pub *pub = state;
    struct fm_out o;
    for (int seat = FM_WATCHER; seat < pub->n_seats; seat++) {
        fm_out_init(&o, text, sizeof text);
        fm_put_view(&o, fm_view_of(g, state, seat));
        json_t *view = fuzz_parse(&o);
        fm_assert((json_object_get(view, "legal") == NULL) == (seat == FM_WATCHER));
        fm_assert((json_object_get(view, "result") != NULL) == (pub->status == FM_OVER));
        json_decref(view);
    }
    fm_out_init(&o, text, sizeof text);
    fm_put_state(&o, g, state);
    json_decref(fuzz_parse(&o));
}
