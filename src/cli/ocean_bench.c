/*
 * ocean_bench.c: `fathom ocean bench`: how long pictures take, and how large they are.
 *
 * One thread, measured by its processor time; medians. For comparison, pixman composites the same
 * layers: whole ones, shifted by whole pixels, which is less work than refracted sheets.
 */
#include "cli/ocean.h"

#include "ocean/cache.h"

#include <getopt.h>
#include <pixman.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GAMES 5
#define VIEWS (OC_TILTS * OC_TILTS) /* that are measured of each game */

static double now(void) /* milliseconds of this thread */
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof values[0], ascending);
    return values[n / 2];
}

/* ---- pixman --------------------------------------------------------------------------------- */

struct picture { /* a layer as a pixman image */
    uint32_t *argb;
    int side, pad;
};

static uint32_t clamp(double v, uint32_t most)
{
    return v < 0 ? 0 : v > most ? most : (uint32_t)(v + .5);
}

static uint32_t argb_of(uint16_t y, uint16_t u, uint16_t v)
{
    const uint32_t alpha = 255u - (y >> 8);
    const double luma = y & 0xff, grey = 128. * alpha / 255;
    const double cb = (u & 0xff) - grey, cr = (v & 0xff) - grey;
    return alpha << 24 | clamp(luma + 1.402 * cr, alpha) << 16 |
           clamp(luma - .344136 * cb - .714136 * cr, alpha) << 8 | clamp(luma + 1.772 * cb, alpha);
}

static struct picture unpack(const struct oc_layers *layers, int i)
{
    const struct oc_layer *l = &layers->layer[i];
    struct picture p = {.pad = 2}; /* as wide as its largest shift */
    for (int t = 0; t < layers->tiles * layers->tiles; t++) {
        const int shift = oc_shift(layers, i, t, OC_TILT_MAX);
        p.pad = shift + 2 > p.pad ? shift / 2 * 2 + 2 : p.pad;
    }
    p.pad -= 2;
    p.side = layers->tiles * OC_TILE + 2 * p.pad;
    p.argb = cli_alloc((size_t)p.side * (size_t)p.side * sizeof *p.argb);
    for (int y = -p.pad; y < p.side - p.pad; y++)
        for (int x = -p.pad; x < p.side - p.pad; x++)
            p.argb[(ptrdiff_t)(y + p.pad) * p.side + x + p.pad] =
                argb_of(l->y.at[(ptrdiff_t)y * l->y.stride + x],
                        l->u.at[(ptrdiff_t)(y >> 1) * l->u.stride + (x >> 1)],
                        l->v.at[(ptrdiff_t)(y >> 1) * l->v.stride + (x >> 1)]);
    return p;
}

static double measure_pixman(const struct oc_layers *layers, int times)
{
    struct picture pictures[OC_LAYERS];
    double *spent = cli_alloc((size_t)times * sizeof *spent);
    const int side = layers->tiles * OC_TILE;
    uint32_t *out = cli_alloc((size_t)side * (size_t)side * sizeof *out);
    pixman_image_t *to = pixman_image_create_bits(PIXMAN_a8r8g8b8, side, side, out, 4 * side);
    pixman_image_t *from[OC_LAYERS];
    for (int i = 0; i < layers->n; i++) {
        pictures[i] = unpack(layers, i);
        from[i] = pixman_image_create_bits(PIXMAN_a8r8g8b8, pictures[i].side, pictures[i].side,
                                           pictures[i].argb, 4 * pictures[i].side);
    }
    for (int k = 0; k < times; k++) {
        const double start = now();
        for (int i = layers->n - 1; i >= 0; i--) {
            const int x = oc_shift(layers, i, 0, oc_look_degrees((unsigned)(k * 7 % OC_TILTS)));
            const int y = oc_shift(layers, i, 0, oc_look_degrees((unsigned)(k * 5 % OC_TILTS)));
            pixman_image_composite32(i == layers->n - 1 ? PIXMAN_OP_SRC : PIXMAN_OP_OVER, from[i],
                                     NULL, to, pictures[i].pad - x, pictures[i].pad - y, 0, 0, 0, 0,
                                     side, side);
        }
        spent[k] = now() - start;
    }
    for (int i = 0; i < layers->n; i++) {
        pixman_image_unref(from[i]);
        free(pictures[i].argb);
    }
    pixman_image_unref(to);
    free(out);
    const double result = median(spent, times);
    free(spent);
    return result;
}

/* ---- ours ----------------------------------------------------------------------------------- */

struct figures {
    double art_ms, deal_ms, bake_ms, bake_lamps_ms, first_ms;
    double view_ms, plain_ms, pixman_ms, jpeg_ms, picture_ms, webp_ms;
    double lamp_ms[OC_LIGHTS]; /* for a view and its JPEG */
    double mean_kb, max_kb, webp_kb;
    double layers_mb, layers_lamps_mb, round_kb;
};

static struct oc_look walk(int k) /* over all tilts, alternating between near and far */
{
    struct oc_look look = oc_look_straight();
    look.tx = (uint8_t)(k * 7 % OC_TILTS);
    look.ty = (uint8_t)((k / OC_TILTS * 5 + k) % OC_TILTS);
    return look;
}

struct times { /* of every view of every game */
    double view[GAMES * VIEWS], plain[GAMES * VIEWS], jpeg[GAMES * VIEWS], both[GAMES * VIEWS];
    size_t bytes, most;
};

static int measure_views(struct ocean_game *g, const struct oc_layers *layers, struct times *times,
                         int game)
{
    struct fm_fault fault;
    for (int k = 0; k < VIEWS; k++) {
        const int i = game * VIEWS + k;
        double t = now();
        oc_view(layers, walk(k), NULL, &oc_kernel_plain, &g->frame);
        times->plain[i] = now() - t;
        t = now();
        oc_view(layers, walk(k), NULL, oc_kernel_best(), &g->frame);
        times->view[i] = now() - t;
        t = now();
        if (oc_encode(&g->bytes, &g->frame, OC_JPEG, OCEAN_QUALITY, &fault) != FM_OK)
            return cli_complain("ocean", "%s", fault.text);
        times->jpeg[i] = now() - t;
        times->both[i] = times->view[i] + times->jpeg[i];
        times->bytes += g->bytes.n;
        times->most = g->bytes.n > times->most ? g->bytes.n : times->most;
    }
    return CLI_FINE;
}

static void sum_up(struct times *times, struct figures *f)
{
    f->view_ms = median(times->view, GAMES * VIEWS);
    f->plain_ms = median(times->plain, GAMES * VIEWS);
    f->jpeg_ms = median(times->jpeg, GAMES * VIEWS);
    f->picture_ms = median(times->both, GAMES * VIEWS);
    f->mean_kb = (double)times->bytes / (GAMES * VIEWS) / 1024;
    f->max_kb = (double)times->most / 1024;
    f->round_kb = (double)times->bytes / GAMES / 1024;
}

static int measure_webp(struct ocean_game *g, struct figures *f)
{
    struct fm_fault fault;
    double webp[5];
    for (int k = 0; k < 5; k++) {
        const double t = now();
        if (oc_encode(&g->bytes, &g->frame, OC_WEBP, OCEAN_QUALITY, &fault) != FM_OK)
            return cli_complain("ocean", "%s", fault.text);
        webp[k] = now() - t;
    }
    f->webp_ms = median(webp, 5);
    f->webp_kb = (double)g->bytes.n / 1024;
    return CLI_FINE;
}

static int measure_lamps(struct ocean_game *g, const struct oc_layers *layers, struct figures *f)
{
    static const uint8_t places[OC_LIGHTS] = {[OC_ABOVE] = OC_LAMP_SPOTS * OC_LAMP_SPOTS,
                                              [OC_BELOW] = OC_LAMP_SPOTS * OC_LAMP_SPOTS,
                                              [OC_SIDE] = OC_LAMP_SIDES};
    for (int light = OC_ABOVE; light < OC_LIGHTS; light++) {
        double spent[VIEWS];
        for (int k = 0; k < VIEWS; k++) {
            struct oc_look look = walk(k);
            look.light = (uint8_t)light;
            look.lamp = (uint8_t)(k % places[light]);
            const double t = now();
            if (ocean_picture(g, layers, look, NULL, OC_JPEG, OCEAN_QUALITY) != CLI_FINE)
                return CLI_BAD;
            spent[k] = now() - t;
        }
        f->lamp_ms[light] = median(spent, VIEWS);
    }
    return CLI_FINE;
}

struct spent { /* on each game, before anybody looks */
    double deal[GAMES], bake[GAMES], lamps[GAMES], first[GAMES];
};

static int measure_game(struct ocean_game *g, const struct ocean_flags *flags, int game,
                        struct spent *spent, struct times *times, struct figures *f)
{
    const uint8_t seed[FM_SEED_BYTES] = {(uint8_t)game, 1};
    const bool last = game == GAMES - 1;
    struct fm_fault fault;
    double t = now();
    ocean_deal(g, seed);
    spent->deal[game] = now() - t;
    t = now();
    struct oc_layers *layers =
        oc_bake(&g->sheets, g->sheets.n, flags->size, true, g->scratch, &fault);
    spent->lamps[game] = now() - t;
    if (layers == NULL)
        return cli_complain("ocean", "%s", fault.text);
    f->layers_lamps_mb = (double)layers->bytes / 1e6;
    int status = last ? measure_lamps(g, layers, f) : CLI_FINE;
    oc_layers_free(layers);
    if (status != CLI_FINE)
        return status;
    t = now();
    layers = oc_bake(&g->sheets, g->sheets.n, flags->size, false, g->scratch, &fault);
    spent->bake[game] = now() - t;
    if (layers == NULL)
        return cli_complain("ocean", "%s", fault.text);
    status = ocean_picture(g, layers, oc_look_straight(), NULL, OC_JPEG, OCEAN_QUALITY);
    spent->first[game] = now() - t;
    f->layers_mb = (double)layers->bytes / 1e6;
    if (status == CLI_FINE)
        status = measure_views(g, layers, times, game);
    if (status == CLI_FINE && last)
        f->pixman_ms = measure_pixman(layers, 51);
    oc_layers_free(layers);
    return status;
}

static int measure(struct ocean_game *g, const struct ocean_flags *flags, struct figures *f)
{
    struct times *times = cli_alloc(sizeof *times);
    struct spent spent;
    const double start = now();
    int status = ocean_open(g, flags);
    f->art_ms = now() - start;
    for (int game = 0; game < GAMES && status == CLI_FINE; game++)
        status = measure_game(g, flags, game, &spent, times, f);
    if (status == CLI_FINE)
        status = measure_webp(g, f);
    if (status == CLI_FINE) {
        sum_up(times, f);
        f->deal_ms = median(spent.deal, GAMES);
        f->bake_ms = median(spent.bake, GAMES);
        f->bake_lamps_ms = median(spent.lamps, GAMES);
        f->first_ms = median(spent.first, GAMES);
    }
    free(times);
    return status;
}

/* ---- report --------------------------------------------------------------------------------- */

static void report(const struct figures *f, const struct ocean_flags *flags, bool json)
{
    const double kept = (double)oc_limits_default().table_encoded / 1e6;
    const struct {
        const char *key, *about;
        double value, budget; /* 0: none */
    } rows[] = {
        {"art_ms", "load the art, once", f->art_ms, 0},
        {"deal_ms", "draw up a game's sheets", f->deal_ms, 0},
        {"bake_ms", "layers of a round", f->bake_ms, 0},
        {"bake_lamps_ms", "... with lamps", f->bake_lamps_ms, 0},
        {"first_picture_ms", "a round's first picture, baking included", f->first_ms, 400},
        {"view_ms", "a view", f->view_ms, 0},
        {"view_plain_ms", "... in plain C", f->plain_ms, 0},
        {"pixman_ms", "... the same layers by pixman", f->pixman_ms, 0},
        {"jpeg_ms", "a JPEG", f->jpeg_ms, 0},
        {"picture_ms", "view and JPEG", f->picture_ms, 3.5},
        {"lamp_above_ms", "... by a lamp above", f->lamp_ms[OC_ABOVE], 6},
        {"lamp_below_ms", "... below", f->lamp_ms[OC_BELOW], 6},
        {"lamp_side_ms", "... at the side", f->lamp_ms[OC_SIDE], 6},
        {"jpeg_mean_kb", "JPEG, mean", f->mean_kb, 36},
        {"jpeg_max_kb", "JPEG, largest", f->max_kb, 0},
        {"webp_ms", "a WebP instead", f->webp_ms, 0},
        {"webp_kb", "... its size", f->webp_kb, 0},
        {"all_views_kb", "all daylight views of a round, encoded", f->round_kb, 0},
        {"layers_mb", "layers of a round", f->layers_mb, 0},
        {"layers_lamps_mb", "... with lamps", f->layers_lamps_mb, 0},
        {"encoded_mb", "pictures that a table keeps, at most", kept, 3},
        {"table_mb", "a table that is looked at, with lamps", f->layers_lamps_mb + kept, 25},
    };
    char text[4096];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_text(&o, "kernel", oc_kernel_name(oc_kernel_best()));
    fm_js_key_text(&o, "preset", flags->water->name);
    fm_js_key_int(&o, "size", flags->size);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fm_js_key(&o, rows[i].key);
        fm_js_fixed(&o, rows[i].value, 3);
    }
    fm_js_key(&o, "budgets");
    fm_js_object(&o);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].budget > 0) {
            fm_js_key(&o, rows[i].key);
            fm_js_fixed(&o, rows[i].budget, 1);
        }
    fm_js_end_object(&o);
    fm_js_end_object(&o);
    if (json) {
        cli_print(&o);
        return;
    }
    printf("%s, %d x %d, kernel %s\n", flags->water->name, flags->size, flags->size,
           oc_kernel_name(oc_kernel_best()));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        printf("%-42s %9.2f %s", rows[i].about, rows[i].value, strrchr(rows[i].key, '_') + 1);
        if (rows[i].budget > 0)
            printf("   of %g", rows[i].budget);
        printf("\n");
    }
}

int ocean_bench(int argc, char **argv)
{
    static const struct option list[] = {
        {"json", no_argument, NULL, 'j'},
        {"preset", required_argument, NULL, OCEAN_PRESET},
        {"size", required_argument, NULL, OCEAN_SIZE_FLAG},
        {"art", required_argument, NULL, OCEAN_ART},
        {NULL, 0, NULL, 0},
    };
    struct ocean_flags flags = {.water = oc_waters, .size = OCEAN_SIZE};
    struct ocean_game g = {0};
    struct figures figures = {0};
    bool json = false;
    int flag, status = CLI_FINE;
    opterr = 0;
    while (status == CLI_FINE && (flag = getopt_long(argc, argv, ":", list, NULL)) != -1) {
        if (flag == 'j')
            json = true;
        else
            status = flag == '?' || flag == ':' ? cli_bad_flag("ocean", argv, flag)
                                                : ocean_flag(&flags, flag, optarg);
    }
    if (status == CLI_FINE && optind < argc)
        status = cli_complain("ocean", "\"%s\" is one word too many", argv[optind]);
    if (status == CLI_FINE)
        status = measure(&g, &flags, &figures);
    if (status == CLI_FINE)
        report(&figures, &flags, json);
    ocean_close(&g);
    return status;
}
