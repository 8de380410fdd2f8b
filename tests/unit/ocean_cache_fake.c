/* ocean_cache_fake.c: a maker of pictures that only logs, and shorthands for asking the cache. */
#include "unit/ocean_cache_fake.h"

#include <stdlib.h>
#include <string.h>

struct round {
    struct fake *f;
    uint64_t table;
    size_t bytes;
    int baking;
};

struct oc_look look_of(int i)
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

void fake_begin(struct fake *f)
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

struct fake *fake_create(void)
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

struct fake *fake_start(void)
{
    struct fake *f = fake_create();
    fake_begin(f);
    return f;
}

void fake_finish(struct fake *f)
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

enum fm_err try_round_of(struct fake *f, uint64_t table, uint32_t number, size_t bytes)
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

void round_of(struct fake *f, uint64_t table, uint32_t number)
{
    assert_int_equal(try_round_of(f, table, number, LAYERS), FM_OK);
}

bool asks_at(struct fake *f, uint64_t table, uint32_t round, int look, enum oc_need need,
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

bool asks(struct fake *f, uint64_t table, int look, enum oc_need need)
{
    return asks_at(f, table, 1, look, need, 0);
}

void assert_refuses(struct fake *f, uint64_t table, uint32_t round, struct oc_look look,
                    enum oc_need need, enum fm_err err, const char *part)
{
    struct fm_fault fault;
    const struct oc_picture *picture;
    assert_int_equal(oc_cache_ask(f->c, table, round, look, need, 0, &picture, &fault), err);
    assert_int_equal(fault.code, err);
    assert_non_null(strstr(fault.text, part));
    assert_null(picture);
}

void step(struct fake *f)
{
    struct worker worker;
    assert_true(oc_cache_work(f->c, &worker));
}

void work(struct fake *f)
{
    for (struct oc_cache_stats s; s = oc_cache_stats(f->c), s.waiting + s.leftovers > 0;)
        step(f);
}

void assert_made(struct fake *f, uint64_t table, const char *looks)
{
    char text[LOG + 1];
    int n = 0;
    for (int i = 0; i < f->n_made; i++)
        if (table == 0 || f->made[i].table == table)
            text[n++] = (char)('a' + f->made[i].look);
    text[n] = '\0';
    assert_string_equal(text, looks);
}

int times_told(const struct fake *f, uint64_t table, uint32_t round, int look, int *version)
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

void assert_told(const struct fake *f, uint64_t table, uint32_t round, int look, bool picture)
{
    int version = -1;
    assert_int_equal(times_told(f, table, round, look, &version), 1);
    assert_int_equal(version >= 0, picture);
}

size_t picture_cost(void)
{
    struct fake *f = fake_start();
    round_of(f, 1, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    work(f);
    const size_t bytes = oc_cache_stats(f->c).encoded;
    assert_true(bytes >= BYTES);
    fake_finish(f);
    return bytes;
}
