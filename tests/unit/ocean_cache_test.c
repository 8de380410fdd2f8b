/*
 * ocean_cache_test.c: what is made when, what is kept, and what every wish gets.
 *
 * The maker is a fake. The test's own thread does the workers' steps, one after the other, so that
 * the order is known; a second worker works inside a bake or a make of the first. Threads and
 * semaphores are used only where waiting itself is tested.
 */
#include "tests.h"

#include "ocean/cache.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 1000 /* bytes of a table's layers */
#define BYTES  500  /* of a picture */
#define LOG    400

struct outcome {
    uint64_t table;
    uint32_t round;
    int look;
    int version; /* -1: NULL */
};

struct fake {
    struct oc_cache *c;
    struct oc_limits limits;
    struct oc_maker maker;
    /* what happens inside the maker */
    void (*in_bake)(struct fake *f), (*in_make)(struct fake *f); /* once, then forgotten */
    bool bake_fails, make_fails;
    size_t bytes;
    int version; /* the octopus was placed so often */
    sem_t begun, go, told;
    pthread_mutex_t lock; /* of what happened */
    bool threads;         /* done is told by threads: post told */
    bool silent;          /* done is only counted */
    /* what happened */
    int rounds, layers; /* alive */
    int baking, makes_at_once, most_makes, n_freed;
    uint64_t freed[LOG];
    int n_made;
    struct outcome made[LOG];
    int n_done;
    struct outcome done[LOG];
};

struct round {
    struct fake *f;
    uint64_t table;
    size_t bytes;
    int baking;
};

struct worker {
    uint8_t data[4096];
};

/* ---- the fake maker -------------------------------------------------------------------------- */

static struct oc_look look_of(int i)
{
    return (struct oc_look){(uint8_t)(i % OC_TILTS), (uint8_t)(i / OC_TILTS), OC_DAYLIGHT, 0};
}

static int number_of(struct oc_look look)
{
    return look.ty * OC_TILTS + look.tx;
}

static void hook(struct fake *f, void (**in)(struct fake *f))
{
    (void)pthread_mutex_lock(&f->lock);
    void (*call)(struct fake *) = *in;
    *in = NULL;
    (void)pthread_mutex_unlock(&f->lock);
    if (call != NULL)
        call(f);
}

static size_t fake_bake_bytes(const void *round)
{
    return ((const struct round *)round)->bytes;
}

static void *fake_bake(void *worker, void *round, struct fm_fault *fault)
{
    struct round *r = round;
    struct fake *f = r->f;
    (void)worker;
    assert_int_equal(r->baking++, 0);
    f->baking++;
    hook(f, &f->in_bake);
    f->baking--;
    r->baking--;
    if (f->bake_fails) {
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    struct round *layers = malloc(sizeof *layers);
    assert_non_null(layers);
    *layers = *r;
    f->layers++;
    return layers;
}

static size_t fake_layers_bytes(const void *layers)
{
    return ((const struct round *)layers)->bytes;
}

static void fake_free_layers(void *layers)
{
    struct round *l = layers;
    l->f->layers--;
    assert_true(l->f->n_freed < LOG);
    l->f->freed[l->f->n_freed++] = l->table;
    free(l);
}

static enum fm_err fake_make(void *worker, const void *layers, struct oc_look look,
                             const uint8_t **data, size_t *n, struct fm_fault *fault)
{
    const struct round *l = layers;
    struct fake *f = l->f;
    uint8_t *out = ((struct worker *)worker)->data;
    (void)pthread_mutex_lock(&f->lock);
    assert_true(f->n_made < LOG);
    f->made[f->n_made++] = (struct outcome){l->table, 0, number_of(look), f->version};
    out[0] = (uint8_t)number_of(look);
    out[1] = (uint8_t)f->version;
    if (++f->makes_at_once > f->most_makes)
        f->most_makes = f->makes_at_once;
    (void)pthread_mutex_unlock(&f->lock);
    hook(f, &f->in_make);
    (void)pthread_mutex_lock(&f->lock);
    f->makes_at_once--;
    (void)pthread_mutex_unlock(&f->lock);
    if (f->make_fails)
        return fm_fail_plain(fault, FM_E_MEMORY);
    *data = out;
    *n = f->bytes;
    return FM_OK;
}

static void fake_drop(void *round)
{
    struct round *r = round;
    assert_int_equal(r->baking, 0);
    r->f->rounds--;
    free(r);
}

static void fake_done(void *arg, uint64_t table, uint32_t round, struct oc_look look,
                      const struct oc_picture *picture)
{
    struct fake *f = arg;
    (void)oc_cache_stats(f->c); /* not for others to do: it shows that no lock is held */
    if (f->silent) {
        f->n_done++;
        return;
    }
    if (picture != NULL) {
        assert_int_equal(picture->n, f->bytes);
        assert_int_equal(picture->data[0], number_of(look));
    }
    (void)pthread_mutex_lock(&f->lock);
    assert_true(f->n_done < LOG);
    f->done[f->n_done++] =
        (struct outcome){table, round, number_of(look), picture == NULL ? -1 : picture->data[1]};
    (void)pthread_mutex_unlock(&f->lock);
    if (f->threads)
        (void)sem_post(&f->told);
}

/* ---- shorthands ------------------------------------------------------------------------------ */

static void start(struct fake *f)
{
    f->maker = (struct oc_maker){
        .bake_bytes = fake_bake_bytes,
        .bake = fake_bake,
        .layers_bytes = fake_layers_bytes,
        .free_layers = fake_free_layers,
        .make = fake_make,
        .drop = fake_drop,
    };
    f->c = oc_cache_create(&f->maker, &f->limits, fake_done, f);
    assert_non_null(f->c);
}

static struct fake *fake_create(void)
{
    struct fake *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->limits = oc_limits_default();
    f->bytes = BYTES;
    (void)pthread_mutex_init(&f->lock, NULL);
    (void)sem_init(&f->begun, 0, 0);
    (void)sem_init(&f->go, 0, 0);
    (void)sem_init(&f->told, 0, 0);
    return f;
}

static struct fake *fake_start(void)
{
    struct fake *f = fake_create();
    start(f);
    return f;
}

static void finish(struct fake *f) /* and nothing is left behind */
{
    oc_cache_destroy(f->c);
    assert_int_equal(f->rounds, 0);
    assert_int_equal(f->layers, 0);
    (void)pthread_mutex_destroy(&f->lock);
    (void)sem_destroy(&f->begun);
    (void)sem_destroy(&f->go);
    (void)sem_destroy(&f->told);
    free(f);
}

static enum fm_err try_round_of(struct fake *f, uint64_t table, uint32_t number, size_t bytes)
{
    struct fm_fault fault;
    struct round *r = malloc(sizeof *r);
    assert_non_null(r);
    *r = (struct round){f, table, bytes, 0};
    f->rounds++;
    const enum fm_err err = oc_cache_round(f->c, table, number, r, &fault);
    if (err != FM_OK)
        fake_drop(r);
    return err;
}

static void round_of(struct fake *f, uint64_t table, uint32_t number)
{
    assert_int_equal(try_round_of(f, table, number, LAYERS), FM_OK);
}

/* Asks; tells whether the picture was there. */
static bool asks_at(struct fake *f, uint64_t table, uint32_t round, int look, enum oc_need need,
                    uint64_t now_ms)
{
    struct fm_fault fault;
    const struct oc_picture *picture;
    assert_int_equal(
        oc_cache_ask(f->c, table, round, look_of(look), need, now_ms, &picture, &fault), FM_OK);
    if (picture == NULL)
        return false;
    assert_int_equal(picture->data[0], look);
    oc_picture_release(picture);
    return true;
}

static bool asks(struct fake *f, uint64_t table, int look, enum oc_need need)
{
    return asks_at(f, table, 1, look, need, 0);
}

static void assert_refuses(struct fake *f, uint64_t table, uint32_t round, struct oc_look look,
                           enum oc_need need, enum fm_err err, const char *part)
{
    struct fm_fault fault;
    const struct oc_picture *picture;
    assert_int_equal(oc_cache_ask(f->c, table, round, look, need, 0, &picture, &fault), err);
    assert_int_equal(fault.code, err);
    assert_non_null(strstr(fault.text, part));
    assert_null(picture);
}

static void step(struct fake *f)
{
    struct worker worker;
    assert_true(oc_cache_work(f->c, &worker));
}

static void work(struct fake *f) /* all there is to do */
{
    for (struct oc_cache_stats s; s = oc_cache_stats(f->c), s.waiting + s.leftovers > 0;)
        step(f);
}

/* The looks made, as letters: 'a' for look 0; of one table, or of all (0) . */
static void assert_made(struct fake *f, uint64_t table, const char *looks)
{
    char text[LOG + 1];
    int n = 0;
    for (int i = 0; i < f->n_made; i++)
        if (table == 0 || f->made[i].table == table)
            text[n++] = (char)('a' + f->made[i].look);
    text[n] = '\0';
    assert_string_equal(text, looks);
}

/* How often done has told of a look, and what at last. */
static int told(const struct fake *f, uint64_t table, uint32_t round, int look, int *version)
{
    int times = 0;
    for (int i = 0; i < f->n_done; i++) {
        const struct outcome *o = &f->done[i];
        if (o->table == table && o->round == round && o->look == look) {
            times++;
            *version = o->version;
        }
    }
    return times;
}

static void assert_told(const struct fake *f, uint64_t table, uint32_t round, int look,
                        bool picture)
{
    int version = -1;
    assert_int_equal(told(f, table, round, look, &version), 1);
    assert_int_equal(version >= 0, picture);
}

/* Bytes that keeping a picture takes. */
static size_t cost(void)
{
    struct fake *f = fake_start();
    round_of(f, 1, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    work(f);
    const size_t bytes = oc_cache_stats(f->c).encoded;
    assert_true(bytes >= BYTES);
    finish(f);
    return bytes;
}

/* ---- pictures are made once ------------------------------------------------------------------ */

static void a_picture_is_made_once_and_found_from_then_on(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    assert_false(asks(f, 7, 0, OC_FINGER));
    work(f);
    assert_told(f, 7, 1, 0, true);
    assert_true(asks(f, 7, 0, OC_FINGER));
    assert_true(asks(f, 7, 0, OC_AHEAD));
    const struct oc_cache_stats s = oc_cache_stats(f->c);
    assert_int_equal(s.asked, 3);
    assert_int_equal(s.found, 2);
    assert_int_equal(s.made, 1);
    assert_int_equal(s.tables, 1);
    assert_int_equal(f->n_done, 1);
    finish(f);
}

static void a_round_is_baked_once_for_all_its_looks(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    assert_int_equal(oc_cache_stats(f->c).bakes, 0); /* not before somebody looks */
    for (int i = 0; i < 20; i++)
        (void)asks(f, 7, i, OC_NEAR);
    work(f);
    const struct oc_cache_stats s = oc_cache_stats(f->c);
    assert_int_equal(s.bakes, 1);
    assert_int_equal(s.baked, 1);
    assert_int_equal(s.layers, LAYERS);
    assert_int_equal(s.made, 20);
    finish(f);
}

static void a_wish_has_one_done_however_often_it_is_asked_for(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    for (unsigned i = 0; i < 9; i++)
        assert_false(asks(f, 7, 3, i % OC_NEEDS));
    assert_int_equal(oc_cache_stats(f->c).waiting, 1);
    work(f);
    assert_told(f, 7, 1, 3, true);
    assert_made(f, 7, "d");
    finish(f);
}

static void ask_for_the_same(struct fake *f)
{
    assert_false(asks(f, 7, 3, OC_FINGER));
    assert_int_equal(oc_cache_stats(f->c).waiting, 0);
}

static void a_wish_that_is_being_made_is_not_made_twice(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 3, OC_NEAR);
    f->in_make = ask_for_the_same;
    work(f);
    assert_told(f, 7, 1, 3, true);
    assert_made(f, 7, "d");
    finish(f);
}

static void pictures_outlive_the_cache(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    struct fm_fault fault;
    const struct oc_picture *picture;
    round_of(f, 7, 1);
    (void)asks(f, 7, 5, OC_NEAR);
    work(f);
    assert_int_equal(oc_cache_ask(f->c, 7, 1, look_of(5), OC_NEAR, 0, &picture, &fault), FM_OK);
    const struct oc_picture *again = oc_picture_keep(picture);
    finish(f);
    oc_picture_release(picture);
    assert_int_equal(again->n, BYTES);
    assert_int_equal(again->data[0], 5);
    oc_picture_release(again);
    oc_picture_release(NULL);
}

/* ---- the order of need ----------------------------------------------------------------------- */

static void needs_come_in_their_order(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_AHEAD);
    (void)asks(f, 7, 1, OC_NEAR);
    (void)asks(f, 7, 2, OC_FINGER);
    work(f);
    assert_made(f, 7, "cba");
    finish(f);
}

static void of_the_finger_the_last_wish_comes_first_and_of_others_the_oldest(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    for (int i = 0; i < 3; i++) {
        (void)asks(f, 7, i, OC_FINGER);
        (void)asks(f, 7, 3 + i, OC_NEAR);
        (void)asks(f, 7, 6 + i, OC_AHEAD);
    }
    work(f);
    assert_made(f, 7, "cbadefghi");
    finish(f);
}

static void the_finger_has_eight_wishes_and_older_ones_become_near(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 20, OC_NEAR);
    for (int i = 0; i < 10; i++)
        (void)asks(f, 7, i, OC_FINGER);
    work(f);
    assert_made(f, 7, "jihgfedcuab");
    finish(f);
}

static void asking_again_moves_a_wish_up_and_never_down(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    for (int i = 0; i < 4; i++)
        (void)asks(f, 7, i, OC_AHEAD);
    (void)asks(f, 7, 2, OC_NEAR);
    (void)asks(f, 7, 3, OC_FINGER);
    (void)asks(f, 7, 4, OC_FINGER);
    (void)asks(f, 7, 3, OC_FINGER); /* the finger is there again */
    (void)asks(f, 7, 3, OC_AHEAD);
    (void)asks(f, 7, 2, OC_NEAR);
    work(f);
    assert_made(f, 7, "decab");
    finish(f);
}

static void tables_take_turns(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    for (uint64_t table = 1; table <= 3; table++)
        round_of(f, table, 1);
    for (int i = 0; i < 9; i++)
        (void)asks(f, 1, i, OC_NEAR);
    for (int i = 0; i < 2; i++)
        (void)asks(f, 2, i, OC_NEAR);
    (void)asks(f, 3, 0, OC_AHEAD);
    work(f);
    static const uint64_t order[] = {1, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 3};
    assert_int_equal(f->n_made, 12);
    for (int i = 0; i < 12; i++)
        assert_int_equal(f->made[i].table, order[i]);
    finish(f);
}

static void asking_the_same_again_and_again_costs_no_turn(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    (void)asks(f, 1, 0, OC_FINGER);
    (void)asks(f, 2, 0, OC_FINGER);
    (void)asks(f, 1, 0, OC_FINGER);
    step(f);
    step(f);
    assert_int_equal(f->made[0].table, 1);
    work(f);
    finish(f);
}

/* ---- full queues ----------------------------------------------------------------------------- */

static void a_full_queue_drops_the_oldest_of_the_least_urgent(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.queue = 4;
    start(f);
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)asks(f, 7, 1, OC_AHEAD);
    (void)asks(f, 7, 2, OC_AHEAD);
    (void)asks(f, 7, 3, OC_NEAR);
    (void)asks(f, 7, 4, OC_NEAR);
    assert_told(f, 7, 1, 1, false);
    (void)asks(f, 7, 5, OC_FINGER);
    assert_told(f, 7, 1, 2, false);
    (void)asks(f, 7, 6, OC_FINGER);
    assert_told(f, 7, 1, 0, false);
    assert_int_equal(f->n_done, 3);
    assert_int_equal(oc_cache_stats(f->c).dropped, 3);
    assert_int_equal(oc_cache_stats(f->c).waiting, 4);
    work(f);
    assert_made(f, 7, "gfde");
    finish(f);
}

static void a_full_queue_refuses_what_is_itself_the_least_urgent(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.queue = 2;
    start(f);
    round_of(f, 7, 1);
    round_of(f, 8, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)asks(f, 7, 1, OC_NEAR);
    assert_refuses(f, 7, 1, look_of(2), OC_NEAR, FM_E_BUSY, "at once");
    assert_refuses(f, 7, 1, look_of(2), OC_AHEAD, FM_E_BUSY, "at once");
    assert_false(asks(f, 7, 1, OC_AHEAD)); /* waits already */
    assert_false(asks(f, 8, 2, OC_AHEAD)); /* another table's queue */
    assert_int_equal(f->n_done, 0);
    for (int i = 2; i < 6; i++)
        (void)asks(f, 7, i, OC_FINGER); /* the last one is never the least urgent */
    assert_int_equal(oc_cache_stats(f->c).dropped, 4);
    work(f);
    assert_made(f, 7, "fe");
    finish(f);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void what_is_not_present_is_gone(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    assert_refuses(f, 7, 1, look_of(0), OC_FINGER, FM_E_GONE, "unknown");
    round_of(f, 7, 2);
    assert_refuses(f, 7, 1, look_of(0), OC_FINGER, FM_E_GONE, "round is over");
    assert_refuses(f, 7, 3, look_of(0), OC_FINGER, FM_E_GONE, "round is over");
    assert_refuses(f, 8, 2, look_of(0), OC_FINGER, FM_E_GONE, "unknown");
    oc_cache_forget(f->c, 7);
    assert_refuses(f, 7, 2, look_of(0), OC_FINGER, FM_E_GONE, "unknown");
    oc_cache_forget(f->c, 7);
    oc_cache_changed(f->c, 7);
    assert_int_equal(f->n_done, 0);
    finish(f);
}

static void looks_are_within_their_range(void **state)
{
    (void)state;
    static const struct oc_look wrong[] = {
        {OC_TILTS, 0, OC_DAYLIGHT, 0},
        {0, OC_TILTS, OC_DAYLIGHT, 0},
        {0, 0, OC_LIGHTS, 0},
        {0, 0, OC_DAYLIGHT, 1},
        {0, 0, OC_ABOVE, OC_LAMP_SPOTS * OC_LAMP_SPOTS},
        {0, 0, OC_BELOW, OC_LAMP_SPOTS * OC_LAMP_SPOTS},
        {0, 0, OC_SIDE, OC_LAMP_SIDES},
        {255, 255, 255, 255},
    };
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refuses(f, 7, 1, wrong[i], OC_NEAR, FM_E_VALUE, "no such tilt");
    finish(f);
}

static void every_look_is_one_of_its_own(void **state)
{
    (void)state;
    static const unsigned lamps[OC_LIGHTS] = {1, OC_LAMP_SPOTS * OC_LAMP_SPOTS,
                                              OC_LAMP_SPOTS * OC_LAMP_SPOTS, OC_LAMP_SIDES};
    struct fake *f = fake_create();
    struct fm_fault fault;
    const struct oc_picture *picture;
    unsigned n = 0;
    f->limits.queue = OC_LOOKS;
    start(f);
    round_of(f, 7, 1);
    for (uint8_t light = 0; light < OC_LIGHTS; light++)
        for (uint8_t lamp = 0; lamp < lamps[light]; lamp++)
            for (uint8_t i = 0; i < OC_TILTS * OC_TILTS; i++) {
                const struct oc_look look = {i % OC_TILTS, i / OC_TILTS, light, lamp};
                assert_int_equal(oc_cache_ask(f->c, 7, 1, look, OC_AHEAD, 0, &picture, &fault),
                                 FM_OK);
                n++;
            }
    assert_int_equal(n, OC_LOOKS);
    assert_int_equal(oc_cache_stats(f->c).waiting, OC_LOOKS);
    f->silent = true; /* no log is as long */
    oc_cache_forget(f->c, 7);
    assert_int_equal(f->n_done, OC_LOOKS);
    finish(f);
}

static void there_are_as_many_tables_as_fit(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.tables = 3;
    start(f);
    for (uint64_t table = 1; table <= 3; table++)
        round_of(f, table, 1);
    assert_int_equal(try_round_of(f, 4, 1, LAYERS), FM_E_BUSY); /* and drops it itself */
    round_of(f, 3, 2);
    oc_cache_forget(f->c, 1);
    round_of(f, 4, 1);
    assert_int_equal(oc_cache_stats(f->c).tables, 3);
    finish(f);
}

static void tables_are_found_whatever_their_numbers(void **state)
{
    (void)state;
    static const uint64_t tables[] = {5,  UINT64_MAX, 0, 1ull << 32, 1ull << 63, (1ull << 32) + 5,
                                      64, 128,        4};
    const int n = sizeof tables / sizeof tables[0];
    struct fake *f = fake_start();
    for (int i = 0; i < n; i++)
        round_of(f, tables[i], (uint32_t)i);
    for (int i = 0; i < n; i += 2)
        oc_cache_forget(f->c, tables[i]);
    for (int i = 0; i < n; i++) {
        if (i % 2 == 0)
            assert_refuses(f, tables[i], (uint32_t)i, look_of(0), OC_NEAR, FM_E_GONE, "unknown");
        else
            assert_false(asks_at(f, tables[i], (uint32_t)i, 0, OC_NEAR, 0));
    }
    work(f);
    assert_int_equal(oc_cache_stats(f->c).made, n / 2);
    finish(f);
}

/* ---- how wishes end -------------------------------------------------------------------------- */

static void a_new_round_ends_the_wishes_of_the_old_one(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    work(f);
    (void)asks(f, 7, 1, OC_NEAR);
    round_of(f, 7, 2);
    assert_told(f, 7, 1, 1, false);
    assert_false(asks_at(f, 7, 2, 0, OC_NEAR, 0));
    assert_refuses(f, 7, 1, look_of(0), OC_NEAR, FM_E_GONE, "round is over");
    work(f);
    assert_told(f, 7, 2, 0, true);
    assert_int_equal(f->n_freed, 1); /* the old layers */
    assert_int_equal(f->rounds, 1);
    assert_int_equal(oc_cache_stats(f->c).bakes, 2);
    round_of(f, 7, 2); /* the same number again is a new round too */
    assert_false(asks_at(f, 7, 2, 0, OC_NEAR, 0));
    finish(f);
}

static void begin_round_2(struct fake *f)
{
    round_of(f, 7, 2);
}

static void a_picture_of_an_old_round_is_not_given(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    f->in_make = begin_round_2;
    work(f);
    assert_told(f, 7, 1, 0, false);
    assert_int_equal(f->layers, 0);
    assert_int_equal(f->rounds, 1);
    assert_int_equal(oc_cache_stats(f->c).encoded, 0);
    finish(f);
}

static void a_bake_of_an_old_round_is_for_nobody(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    f->in_bake = begin_round_2;
    work(f);
    assert_told(f, 7, 1, 0, false);
    assert_int_equal(f->layers, 0);
    assert_int_equal(f->rounds, 1);
    finish(f);
}

static void forget_7(struct fake *f)
{
    oc_cache_forget(f->c, 7);
    assert_int_equal(f->rounds, 1); /* it is being used */
}

static void forgetting_a_table_ends_its_wishes(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    oc_cache_forget(f->c, 7);
    assert_told(f, 7, 1, 0, false);
    work(f);
    assert_int_equal(f->rounds, 0);
    for (int i = 0; i < 2; i++) {
        round_of(f, 7, 1);
        (void)asks(f, 7, 1 + i, OC_NEAR);
        if (i == 0)
            f->in_bake = forget_7;
        else
            f->in_make = forget_7;
        work(f);
        assert_told(f, 7, 1, 1 + i, false);
        assert_int_equal(f->rounds, 0);
        assert_int_equal(f->layers, 0);
    }
    assert_int_equal(oc_cache_stats(f->c).tables, 0);
    finish(f);
}

static void stop_it(struct fake *f)
{
    oc_cache_stop(f->c);
}

static void stopping_ends_all_wishes_that_wait(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    struct worker worker;
    round_of(f, 7, 1);
    round_of(f, 8, 1);
    (void)asks(f, 7, 0, OC_FINGER);
    (void)asks(f, 7, 1, OC_NEAR);
    (void)asks(f, 8, 0, OC_AHEAD);
    f->in_make = stop_it;
    step(f);
    step(f);
    assert_false(oc_cache_work(f->c, &worker));
    assert_told(f, 7, 1, 0, true); /* was being made */
    assert_told(f, 7, 1, 1, false);
    assert_told(f, 8, 1, 0, false);
    assert_refuses(f, 7, 1, look_of(1), OC_FINGER, FM_E_GONE, "ends");
    assert_true(asks(f, 7, 0, OC_FINGER));
    oc_cache_stop(f->c);
    finish(f);
}

static void destroying_ends_all_wishes(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    for (int i = 0; i < 12; i++)
        (void)asks(f, 7, i, OC_NEAR);
    step(f);
    step(f);
    oc_cache_destroy(f->c);
    f->c = NULL;
    assert_told(f, 7, 1, 0, true);
    for (int i = 1; i < 12; i++)
        assert_told(f, 7, 1, i, false);
    finish(f); /* destroys NULL */
}

/* ---- changes --------------------------------------------------------------------------------- */

static void place_octopus(struct fake *f)
{
    f->version++;
    oc_cache_changed(f->c, 7);
}

static void a_change_forgets_pictures_and_keeps_layers(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    int version = -1;
    round_of(f, 7, 1);
    round_of(f, 8, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)asks(f, 8, 0, OC_NEAR);
    work(f);
    (void)asks(f, 7, 1, OC_NEAR);
    place_octopus(f);
    assert_int_equal(f->n_done, 2); /* who waits goes on waiting */
    assert_false(asks(f, 7, 0, OC_NEAR));
    assert_true(asks(f, 8, 0, OC_NEAR));
    work(f);
    assert_int_equal(told(f, 7, 1, 1, &version), 1);
    assert_int_equal(version, 1);
    assert_int_equal(told(f, 7, 1, 0, &version), 2);
    assert_int_equal(version, 1);
    assert_int_equal(oc_cache_stats(f->c).bakes, 2);
    finish(f);
}

static void a_picture_made_while_it_changes_is_made_again(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    int version = -1;
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)asks(f, 7, 1, OC_NEAR);
    f->in_make = place_octopus;
    step(f);
    step(f);
    assert_int_equal(f->n_done, 0);
    assert_int_equal(oc_cache_stats(f->c).encoded, 0);
    assert_int_equal(oc_cache_stats(f->c).waiting, 2);
    work(f);
    assert_int_equal(told(f, 7, 1, 0, &version), 1);
    assert_int_equal(version, 1);
    assert_made(f, 7, "aab"); /* it does not have to queue again */
    finish(f);
}

static void fill_and_change(struct fake *f)
{
    (void)asks(f, 7, 1, OC_NEAR);
    (void)asks(f, 7, 2, OC_NEAR);
    place_octopus(f);
}

static void what_is_made_again_finds_the_queue_full_as_any_other(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.queue = 2;
    start(f);
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    f->in_make = fill_and_change;
    step(f);
    step(f);
    assert_told(f, 7, 1, 0, false);
    assert_int_equal(oc_cache_stats(f->c).waiting, 2);
    assert_int_equal(oc_cache_stats(f->c).dropped, 1);
    work(f);
    assert_int_equal(f->n_done, 3);
    finish(f);
}

static void change_and_stop(struct fake *f)
{
    place_octopus(f);
    oc_cache_stop(f->c);
}

static void nothing_is_made_again_once_stopped(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    f->in_make = change_and_stop;
    step(f);
    step(f);
    assert_told(f, 7, 1, 0, false);
    finish(f);
}

/* ---- memory of pictures ---------------------------------------------------------------------- */

static void a_table_keeps_the_pictures_used_last(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.table_encoded = 3 * cost() + BYTES / 2;
    start(f);
    round_of(f, 7, 1);
    for (int i = 0; i < 3; i++) {
        (void)asks(f, 7, i, OC_NEAR);
        work(f);
    }
    assert_true(asks(f, 7, 0, OC_NEAR)); /* now 1 is the oldest */
    (void)asks(f, 7, 3, OC_NEAR);
    work(f);
    assert_int_equal(oc_cache_stats(f->c).encoded, 3 * cost());
    assert_true(asks(f, 7, 0, OC_NEAR));
    assert_true(asks(f, 7, 2, OC_NEAR));
    assert_true(asks(f, 7, 3, OC_NEAR));
    assert_false(asks(f, 7, 1, OC_NEAR));
    finish(f);
}

static void all_tables_together_keep_the_pictures_of_tables_used_last(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.encoded = 4 * cost();
    start(f);
    for (uint64_t table = 1; table <= 3; table++)
        round_of(f, table, 1);
    for (uint64_t table = 1; table <= 2; table++)
        for (int i = 0; i < 2; i++) {
            (void)asks(f, table, i, OC_NEAR);
            work(f);
        }
    assert_true(asks(f, 1, 1, OC_NEAR)); /* table 2 is used less recently now */
    for (int i = 0; i < 3; i++) {
        (void)asks(f, 3, i, OC_NEAR);
        work(f);
        assert_int_equal(oc_cache_stats(f->c).encoded, 4 * cost());
    }
    for (int i = 0; i < 3; i++)
        assert_true(asks(f, 3, i, OC_NEAR));
    assert_true(asks(f, 1, 1, OC_NEAR));
    assert_false(asks(f, 1, 0, OC_NEAR));
    assert_false(asks(f, 2, 0, OC_NEAR));
    assert_false(asks(f, 2, 1, OC_NEAR));
    finish(f);
}

static void a_picture_larger_than_the_cap_is_given_and_not_kept(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        struct fake *f = fake_create();
        *(which == 0 ? &f->limits.encoded : &f->limits.table_encoded) = cost() - 1;
        start(f);
        round_of(f, 7, 1);
        (void)asks(f, 7, 0, OC_NEAR);
        work(f);
        assert_told(f, 7, 1, 0, true);
        assert_int_equal(oc_cache_stats(f->c).encoded, 0);
        assert_false(asks(f, 7, 0, OC_NEAR));
        finish(f);
    }
}

/* ---- memory of layers ------------------------------------------------------------------------ */

static void layers_asked_least_recently_make_room(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = 3 * LAYERS + LAYERS / 2;
    start(f);
    for (uint64_t table = 1; table <= 5; table++)
        round_of(f, table, 1);
    for (uint64_t table = 1; table <= 3; table++)
        (void)asks(f, table, 0, OC_NEAR);
    work(f);
    assert_true(asks(f, 1, 0, OC_NEAR));
    (void)asks(f, 4, 0, OC_NEAR);
    work(f);
    (void)asks(f, 5, 0, OC_NEAR);
    work(f);
    assert_int_equal(f->n_freed, 2);
    assert_int_equal(f->freed[0], 2);
    assert_int_equal(f->freed[1], 3);
    assert_int_equal(oc_cache_stats(f->c).layers, 3 * LAYERS);
    assert_int_equal(oc_cache_stats(f->c).baked, 3);
    assert_true(asks(f, 2, 0, OC_NEAR)); /* its picture is there still */
    assert_false(asks(f, 2, 1, OC_NEAR));
    work(f);
    assert_told(f, 2, 1, 1, true);
    assert_int_equal(oc_cache_stats(f->c).bakes, 6);
    finish(f);
}

static void want_table_3(struct fake *f)
{
    (void)asks(f, 2, 1, OC_NEAR);
    (void)asks(f, 3, 0, OC_FINGER);
    step(f); /* table 1 is to make room, but it is in use: meanwhile there is table 2 */
    assert_int_equal(f->made[f->n_made - 1].table, 2);
    assert_int_equal(f->n_freed, 0);
    assert_int_equal(oc_cache_stats(f->c).layers, 2 * LAYERS);
    assert_int_equal(oc_cache_stats(f->c).baked, 1);
}

static void layers_in_use_are_freed_when_they_are_released(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = 2 * LAYERS;
    start(f);
    for (uint64_t table = 1; table <= 3; table++)
        round_of(f, table, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    (void)asks(f, 2, 0, OC_NEAR);
    work(f);
    (void)asks(f, 1, 1, OC_NEAR);
    (void)asks(f, 2, 0, OC_NEAR);
    f->in_make = want_table_3;
    work(f);
    assert_int_equal(f->n_freed, 1);
    assert_int_equal(f->freed[0], 1);
    assert_told(f, 1, 1, 1, true);
    assert_told(f, 3, 1, 0, true);
    finish(f);
}

static void layers_larger_than_the_cap_are_baked_alone(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = 2 * LAYERS;
    start(f);
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    assert_int_equal(try_round_of(f, 3, 1, 5 * LAYERS), FM_OK);
    for (uint64_t table = 1; table <= 3; table++)
        (void)asks(f, table, 0, OC_NEAR);
    work(f);
    assert_told(f, 3, 1, 0, true);
    assert_int_equal(f->layers, 1);
    assert_int_equal(oc_cache_stats(f->c).layers, 5 * LAYERS);
    (void)asks(f, 1, 1, OC_NEAR);
    work(f);
    assert_told(f, 1, 1, 1, true);
    assert_int_equal(oc_cache_stats(f->c).layers, LAYERS);
    finish(f);
}

static void tables_that_do_not_fit_together_are_not_baked_for_every_picture(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = LAYERS;
    start(f);
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    for (int i = 0; i < OC_TURN + 8; i++) {
        (void)asks(f, 1, i, OC_NEAR);
        (void)asks(f, 2, i, OC_NEAR);
    }
    work(f);
    assert_int_equal(f->n_made, 2 * (OC_TURN + 8));
    assert_int_equal(oc_cache_stats(f->c).bakes, 4);
    for (int i = 0; i < OC_TURN; i++) {
        assert_int_equal(f->made[i].table, 1);
        assert_int_equal(f->made[OC_TURN + i].table, 2);
    }
    finish(f);
}

static void layers_make_room_for_more_urgent_wishes_at_once(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = LAYERS;
    start(f);
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    (void)asks(f, 1, 1, OC_NEAR);
    step(f);
    step(f);
    (void)asks(f, 2, 0, OC_FINGER);
    work(f);
    static const uint64_t order[] = {1, 2, 1};
    for (int i = 0; i < 3; i++)
        assert_int_equal(f->made[i].table, order[i]);
    finish(f);
}

static void idle_layers_are_freed_and_baked_again(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.idle_ms = 1000;
    start(f);
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    (void)asks_at(f, 1, 1, 0, OC_NEAR, 5000);
    (void)asks_at(f, 2, 1, 0, OC_NEAR, 5000);
    work(f);
    assert_true(asks_at(f, 1, 1, 0, OC_NEAR, 5500));
    oc_cache_tidy(f->c, 5999);
    assert_int_equal(oc_cache_stats(f->c).baked, 2);
    oc_cache_tidy(f->c, 6000);
    assert_int_equal(oc_cache_stats(f->c).baked, 1);
    work(f);
    assert_int_equal(f->n_freed, 1);
    assert_int_equal(f->freed[0], 2);
    assert_true(asks_at(f, 2, 1, 0, OC_NEAR, 6100)); /* its picture stays */
    assert_false(asks_at(f, 2, 1, 1, OC_NEAR, 6200));
    work(f);
    assert_told(f, 2, 1, 1, true);
    assert_int_equal(oc_cache_stats(f->c).bakes, 3);
    (void)asks_at(f, 2, 1, 2, OC_NEAR, 6300);
    oc_cache_tidy(f->c, 100000); /* waited for: not idle */
    assert_int_equal(oc_cache_stats(f->c).baked, 1);
    finish(f);
}

static void tidy_late(struct fake *f)
{
    oc_cache_tidy(f->c, UINT64_MAX);
    assert_int_equal(oc_cache_stats(f->c).baked, 1);
}

static void layers_in_use_are_not_idle(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 1, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    f->in_make = tidy_late;
    work(f);
    assert_int_equal(oc_cache_stats(f->c).baked, 1);
    finish(f);
}

/* ---- failures -------------------------------------------------------------------------------- */

static void a_bake_that_fails_ends_the_wishes_of_its_table(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    (void)asks(f, 1, 1, OC_AHEAD);
    (void)asks(f, 2, 0, OC_AHEAD);
    f->bake_fails = true;
    step(f);
    assert_told(f, 1, 1, 0, false);
    assert_told(f, 1, 1, 1, false);
    assert_int_equal(f->n_done, 2);
    assert_int_equal(oc_cache_stats(f->c).failed, 1);
    f->bake_fails = false;
    (void)asks(f, 1, 2, OC_NEAR);
    work(f);
    assert_told(f, 1, 1, 2, true);
    assert_told(f, 2, 1, 0, true);
    finish(f);
}

static void a_picture_that_fails_ends_its_own_wish(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 1, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    (void)asks(f, 1, 1, OC_NEAR);
    f->make_fails = true;
    step(f);
    step(f);
    assert_told(f, 1, 1, 0, false);
    f->make_fails = false;
    work(f);
    assert_told(f, 1, 1, 1, true);
    assert_false(asks(f, 1, 0, OC_NEAR));
    work(f);
    assert_true(asks(f, 1, 0, OC_NEAR));
    assert_int_equal(oc_cache_stats(f->c).failed, 1);
    finish(f);
}

/* ---- several workers ------------------------------------------------------------------------- */

static void second_worker_serves_table_8(struct fake *f)
{
    assert_int_equal(f->baking, 1);
    round_of(f, 7, 2); /* also a new round waits until the table's bake is over */
    (void)asks_at(f, 7, 2, 0, OC_FINGER, 0);
    (void)asks(f, 8, 0, OC_AHEAD);
    step(f);
    step(f);
    assert_told(f, 8, 1, 0, true);
}

static void a_table_is_baked_by_one_worker_while_others_serve_other_tables(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    round_of(f, 8, 1);
    (void)asks(f, 7, 0, OC_FINGER);
    f->in_bake = second_worker_serves_table_8;
    work(f);
    assert_told(f, 7, 1, 0, false);
    assert_told(f, 7, 2, 0, true);
    assert_int_equal(oc_cache_stats(f->c).bakes, 3);
    finish(f);
}

static void second_worker(struct fake *f)
{
    step(f);
}

static void workers_make_pictures_of_the_same_layers_at_once(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)asks(f, 7, 1, OC_NEAR);
    f->in_make = second_worker;
    work(f);
    assert_int_equal(f->most_makes, 2);
    assert_int_equal(oc_cache_stats(f->c).bakes, 1);
    assert_int_equal(f->n_done, 2);
    finish(f);
}

/* Within the bake of table 7: table 8 waits for a bake, table 9 for a picture. */
static void second_worker_draws(struct fake *f)
{
    (void)asks(f, 8, 0, OC_NEAR);
    (void)asks(f, 9, 1, OC_NEAR);
    step(f);
    assert_told(f, 9, 1, 1, true);
    assert_int_equal(f->baking, 1);
}

static void W07_a_worker_is_left_to_draw_while_others_bake(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.bakes = 1;
    start(f);
    for (uint64_t table = 7; table <= 9; table++)
        round_of(f, table, 1);
    (void)asks(f, 9, 0, OC_NEAR);
    work(f);
    (void)asks(f, 7, 0, OC_NEAR);
    f->in_bake = second_worker_draws;
    work(f);
    assert_told(f, 7, 1, 0, true);
    assert_told(f, 8, 1, 0, true);
    finish(f);
}

static void W07_whoever_has_most_layers_makes_room_first(void **state)
{
    enum { GREEDY = 1, MODEST = 2 };
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = 4 * LAYERS;
    start(f);
    round_of(f, 1, 1);
    oc_cache_owner(f->c, 1, MODEST);
    (void)asks(f, 1, 0, OC_NEAR);
    work(f);
    for (uint64_t table = 2; table < 40; table++) {
        round_of(f, table, 1);
        oc_cache_owner(f->c, table, GREEDY);
        (void)asks(f, table, 0, OC_NEAR);
        work(f);
    }
    for (int i = 0; i < f->n_freed; i++)
        assert_int_not_equal(f->freed[i], 1);
    assert_int_equal(f->freed[0], 2); /* of its own, the one that was not asked for longest */
    assert_int_equal(f->n_freed, 35);
    finish(f);
}

static void a_picture_is_found_without_asking_for_it(void **state)
{
    const struct oc_picture *picture;
    struct fm_fault fault;
    (void)state;
    struct fake *f = fake_start();
    assert_int_equal(oc_cache_find(f->c, 7, 1, look_of(0), &picture, &fault), FM_E_GONE);
    round_of(f, 7, 1);
    assert_int_equal(oc_cache_find(f->c, 7, 1, look_of(0), &picture, &fault), FM_OK);
    assert_null(picture);
    assert_int_equal(oc_cache_stats(f->c).waiting, 0);
    (void)asks(f, 7, 0, OC_NEAR);
    work(f);
    assert_int_equal(oc_cache_find(f->c, 7, 1, look_of(0), &picture, &fault), FM_OK);
    assert_int_equal(picture->data[0], 0);
    oc_picture_release(picture);
    assert_int_equal(oc_cache_find(f->c, 7, 2, look_of(0), &picture, &fault), FM_E_GONE);
    assert_int_equal(oc_cache_stats(f->c).asked, 2);
    assert_int_equal(oc_cache_stats(f->c).found, 1);
    finish(f);
}

static void *worker_life(void *arg)
{
    struct fake *f = arg;
    struct worker worker;
    while (oc_cache_work(f->c, &worker))
        ;
    return NULL;
}

static void workers_wait_for_wishes_and_end_when_stopped(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    pthread_t thread;
    f->threads = true;
    round_of(f, 7, 1);
    assert_int_equal(pthread_create(&thread, NULL, worker_life, f), 0);
    for (int i = 0; i < 50; i++) {
        (void)asks(f, 7, i, OC_FINGER);
        (void)sem_wait(&f->told);
    }
    oc_cache_stop(f->c);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(f->n_done, 50);
    finish(f);
}

static void wait_inside(struct fake *f)
{
    (void)sem_post(&f->begun);
    (void)sem_wait(&f->go);
}

static void a_finished_bake_has_work_for_all_who_wait(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    pthread_t threads[2];
    f->threads = true;
    f->in_bake = f->in_make = wait_inside;
    round_of(f, 7, 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, worker_life, f), 0);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)sem_wait(&f->begun);
    (void)asks(f, 7, 1, OC_NEAR);
    (void)sem_post(&f->go);
    (void)sem_wait(&f->begun); /* one of them is held up in a picture ... */
    (void)sem_wait(&f->told);  /* ... and the other makes the other one */
    (void)sem_post(&f->go);
    (void)sem_wait(&f->told);
    oc_cache_stop(f->c);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(f->most_makes, 2);
    finish(f);
}

static void the_loop_does_not_wait_for_workers(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    pthread_t thread;
    f->threads = true;
    f->in_bake = f->in_make = wait_inside;
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    assert_int_equal(pthread_create(&thread, NULL, worker_life, f), 0);
    for (int i = 0; i < 2; i++) { /* while it bakes, and while it makes */
        (void)sem_wait(&f->begun);
        (void)asks(f, 7, 1, OC_FINGER);
        oc_cache_changed(f->c, 7);
        oc_cache_tidy(f->c, 1);
        round_of(f, 8, 1);
        (void)asks(f, 8, 2, OC_AHEAD);
        oc_cache_forget(f->c, 8);
        (void)sem_wait(&f->told); /* by forget */
        (void)oc_cache_stats(f->c);
        (void)sem_post(&f->go);
    }
    (void)sem_wait(&f->told);
    (void)sem_wait(&f->told);
    oc_cache_stop(f->c);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_told(f, 7, 1, 0, true);
    assert_told(f, 7, 1, 1, true);
    finish(f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_made_once_and_found_from_then_on),
        cmocka_unit_test(a_round_is_baked_once_for_all_its_looks),
        cmocka_unit_test(a_wish_has_one_done_however_often_it_is_asked_for),
        cmocka_unit_test(a_wish_that_is_being_made_is_not_made_twice),
        cmocka_unit_test(pictures_outlive_the_cache),
        cmocka_unit_test(needs_come_in_their_order),
        cmocka_unit_test(of_the_finger_the_last_wish_comes_first_and_of_others_the_oldest),
        cmocka_unit_test(the_finger_has_eight_wishes_and_older_ones_become_near),
        cmocka_unit_test(asking_again_moves_a_wish_up_and_never_down),
        cmocka_unit_test(tables_take_turns),
        cmocka_unit_test(asking_the_same_again_and_again_costs_no_turn),
        cmocka_unit_test(a_full_queue_drops_the_oldest_of_the_least_urgent),
        cmocka_unit_test(a_full_queue_refuses_what_is_itself_the_least_urgent),
        cmocka_unit_test(what_is_not_present_is_gone),
        cmocka_unit_test(looks_are_within_their_range),
        cmocka_unit_test(every_look_is_one_of_its_own),
        cmocka_unit_test(there_are_as_many_tables_as_fit),
        cmocka_unit_test(tables_are_found_whatever_their_numbers),
        cmocka_unit_test(a_new_round_ends_the_wishes_of_the_old_one),
        cmocka_unit_test(a_picture_of_an_old_round_is_not_given),
        cmocka_unit_test(a_bake_of_an_old_round_is_for_nobody),
        cmocka_unit_test(forgetting_a_table_ends_its_wishes),
        cmocka_unit_test(stopping_ends_all_wishes_that_wait),
        cmocka_unit_test(destroying_ends_all_wishes),
        cmocka_unit_test(a_change_forgets_pictures_and_keeps_layers),
        cmocka_unit_test(a_picture_made_while_it_changes_is_made_again),
        cmocka_unit_test(what_is_made_again_finds_the_queue_full_as_any_other),
        cmocka_unit_test(nothing_is_made_again_once_stopped),
        cmocka_unit_test(a_table_keeps_the_pictures_used_last),
        cmocka_unit_test(all_tables_together_keep_the_pictures_of_tables_used_last),
        cmocka_unit_test(a_picture_larger_than_the_cap_is_given_and_not_kept),
        cmocka_unit_test(layers_asked_least_recently_make_room),
        cmocka_unit_test(layers_in_use_are_freed_when_they_are_released),
        cmocka_unit_test(layers_larger_than_the_cap_are_baked_alone),
        cmocka_unit_test(tables_that_do_not_fit_together_are_not_baked_for_every_picture),
        cmocka_unit_test(layers_make_room_for_more_urgent_wishes_at_once),
        cmocka_unit_test(idle_layers_are_freed_and_baked_again),
        cmocka_unit_test(layers_in_use_are_not_idle),
        cmocka_unit_test(a_bake_that_fails_ends_the_wishes_of_its_table),
        cmocka_unit_test(a_picture_that_fails_ends_its_own_wish),
        cmocka_unit_test(a_table_is_baked_by_one_worker_while_others_serve_other_tables),
        cmocka_unit_test(workers_make_pictures_of_the_same_layers_at_once),
        cmocka_unit_test(W07_a_worker_is_left_to_draw_while_others_bake),
        cmocka_unit_test(W07_whoever_has_most_layers_makes_room_first),
        cmocka_unit_test(a_picture_is_found_without_asking_for_it),
        cmocka_unit_test(workers_wait_for_wishes_and_end_when_stopped),
        cmocka_unit_test(a_finished_bake_has_work_for_all_who_wait),
        cmocka_unit_test(the_loop_does_not_wait_for_workers),
    };
    return tests_run("ocean_cache", tests, sizeof tests / sizeof tests[0]);
}
