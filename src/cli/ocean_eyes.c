/*
 * ocean_eyes.c: `fathom ocean eyes`: how well eyes that get nothing but pictures see.
 *
 * Stacks are dealt, drawn and encoded as for players; the eyes say what they believe to lie on
 * each level; only then is it compared with the truth. What they took for what becomes a file of
 * eyes for simulations. With --finds, other stacks are looked at and everything that was found is
 * written down together with the truth, for tools/eyes-fit: so nothing is measured on a stack
 * that anything was fitted to.
 */
#include "cli/crowd.h"
#include "cli/ocean.h"

#include "base/hash.h"
#include "ocean/eyes.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT_MAX 100000
#define LEVELS    FM_EYES_LEVELS
#define KINDS     FM_EYES_KINDS
#define ROUNDS    6 /* stacks are looked at as they are in each of so many rounds ... */
#define A_ROUND   4 /* ... of so many sheets */
#define PRIOR     4 /* stacks' worth of what all kinds have in common, in every row of a table */

struct run {
    struct ocean_flags flags;
    const struct oc_acuity *acuity;
    uint8_t seed[FM_SEED_BYTES];
    uint64_t count, jobs;
    const char *out, *finds_path;
    FILE *finds;
    bool json;
    pthread_mutex_t lock; /* of what follows */
    uint32_t took[LEVELS][KINDS][KINDS]; /* by level, what was there and what was seen */
    double belief[LEVELS];               /* sum of the logarithms given to the truth */
    double draw_ms, look_ms;
};

struct worker {
    struct ocean_game game;
    struct oc_eyes *eyes;
    bool open;
};

/* ---- one stack ------------------------------------------------------------------------------ */

static double cpu_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static bool open_worker(const struct run *run, struct worker *w)
{
    if (w->open)
        return true;
    if (ocean_open(&w->game, &run->flags) != CLI_FINE)
        return false;
    w->eyes = oc_eyes_create(w->game.art, run->flags.water, run->acuity);
    w->open = true;
    if (w->eyes == NULL)
        cli_complain("ocean", "%s", fm_err_text(FM_E_MEMORY));
    return w->eyes != NULL;
}

/* All pictures that the eyes want, drawn and shown to them. */
static bool show(struct worker *w, int left, double *looked)
{
    struct fm_fault fault;
    struct oc_layers *layers =
        oc_bake(&w->game.sheets, left, OC_EYES_PICTURE, false, w->game.scratch, &fault);
    bool fine = layers != NULL;
    for (int i = 0; i < oc_eyes_looks(w->eyes) && fine; i++) {
        const struct oc_look look = oc_eyes_look(w->eyes, i);
        fine = ocean_picture(&w->game, layers, look, NULL, OC_JPEG, OCEAN_QUALITY) == CLI_FINE;
        const double start = cpu_ms();
        if (fine && oc_eyes_see(w->eyes, i, w->game.bytes.data, w->game.bytes.n, &fault) != FM_OK)
            fine = cli_complain("ocean", "%s", fault.text) == CLI_FINE;
        *looked += cpu_ms() - start;
    }
    oc_layers_free(layers);
    return fine;
}

/* The level of the creature that a find is, from 0; -1: of none. */
static int truth_of(const struct oc_sheets *s, int left, const struct oc_find *f)
{
    int best = -1;
    float nearest = .35f * f->size;
    for (int level = 0; level < OC_EYES_DEEP && level < left; level++) {
        const struct oc_sheet *sheet = &s->sheet[left - 1 - level];
        for (int i = 0; i < sheet->n_items; i++) {
            const struct oc_item *item = &sheet->item[i];
            float x = item->x, y = item->y;
            oc_orient(sheet->orientation, &x, &y);
            const float apart = hypotf(x - f->x, y - f->y);
            if (item->drawing->role == f->role && apart < nearest) {
                nearest = apart;
                best = level;
            }
        }
    }
    return best;
}

static void write_finds(const struct run *run, const struct worker *w, int left)
{
    const struct oc_find *finds;
    const int n = oc_eyes_finds(w->eyes, &finds);
    for (int i = 0; i < n; i++) {
        const struct oc_find *f = &finds[i];
        fprintf(run->finds, "%d %d %.4f %.4f %.3f", f->role, truth_of(&w->game.sheets, left, f),
                (double)f->agrees, (double)f->beside, (double)f->depth);
        for (int level = 0; level < OC_EYES_DEEP; level++)
            fprintf(run->finds, " %.4f", (double)f->light[level]);
        fprintf(run->finds, "\n");
    }
}

static bool look_at_one(void *arg, void *memory, uint64_t i)
{
    struct run *run = arg;
    struct worker *w = memory;
    uint8_t seed[FM_SEED_BYTES];
    struct oc_belief belief;
    const struct fm_span spans[] = {{run->seed, sizeof run->seed}, {&i, sizeof i}};
    fm__hash(seed, run->finds ? "fathom eyes fit 1" : "fathom eyes 1", spans, 2);
    if (!open_worker(run, w))
        return false;
    const int left = OC_SHEETS - A_ROUND * (int)(i % ROUNDS);
    const double start = cpu_ms();
    double looked = 0;
    ocean_deal(&w->game, seed);
    if (!show(w, left, &looked))
        return false;
    const double shown = cpu_ms();
    oc_eyes_believe(w->eyes, &belief);
    (void)pthread_mutex_lock(&run->lock);
    run->draw_ms += shown - start - looked;
    run->look_ms += cpu_ms() - shown + looked;
    for (unsigned level = 0; level < LEVELS; level++) {
        const unsigned there = w->game.sheets.sheet[left - 1 - (int)level].kind;
        run->took[level][there][oc_belief_best(&belief, level)]++;
        run->belief[level] += log(fmax((double)belief.kind[level][there], 1e-6));
    }
    if (run->finds != NULL)
        write_finds(run, w, left);
    (void)pthread_mutex_unlock(&run->lock);
    return true;
}

/* ---- many ----------------------------------------------------------------------------------- */

static bool look_at_all(struct run *run)
{
    struct worker *workers = cli_alloc(run->jobs * sizeof *workers);
    const struct cli_pool pool = {.command = "ocean",
                                  .jobs = run->jobs,
                                  .n = run->count,
                                  .work = look_at_one,
                                  .arg = run,
                                  .memory = workers,
                                  .memory_size = sizeof *workers};
    const bool fine = cli_pool_run(&pool);
    for (uint64_t i = 0; i < run->jobs; i++) {
        oc_eyes_destroy(workers[i].eyes);
        if (workers[i].open)
            ocean_close(&workers[i].game);
    }
    free(workers);
    return fine;
}

/* ---- figures -------------------------------------------------------------------------------- */

struct share { /* of the stacks, on a level */
    double shark, label, belief;
};

static struct share share_of(const struct run *run, unsigned level)
{
    uint64_t shark = 0, label = 0;
    for (unsigned there = 0; there < KINDS; there++)
        for (unsigned seen = 0; seen < KINDS; seen++) {
            shark += (there ^ seen) & OC_KIND_SHARK ? 0 : run->took[level][there][seen];
            label += there == seen ? run->took[level][there][seen] : 0;
        }
    const double n = (double)run->count;
    return (struct share){(double)shark / n, (double)label / n, exp(run->belief[level] / n)};
}

/*
 * A row of the table: what was counted, and as much as PRIOR stacks of what would be expected of
 * any kind: the rare ones are seen too seldom to say how often each mistake is made.
 */
static void row_of(const struct run *run, unsigned level, unsigned there, double row[KINDS])
{
    uint32_t right = 0, shark = 0, helper = 0, all = 0, n = 0;
    for (unsigned t = 0; t < KINDS; t++)
        for (unsigned s = 0; s < KINDS; s++) {
            const uint32_t took = run->took[level][t][s];
            all += took;
            right += t == s ? took : 0;
            shark += (t ^ s) == OC_KIND_SHARK ? took : 0;
            helper += t != s && !((t ^ s) & OC_KIND_SHARK) ? took : 0;
        }
    const double both = (double)(all - right - shark - helper) / (KINDS / 2 - 1);
    for (unsigned s = 0; s < KINDS; s++)
        n += run->took[level][there][s];
    for (unsigned s = 0; s < KINDS; s++) {
        const double usual = there == s                          ? right
                             : (there ^ s) == OC_KIND_SHARK      ? shark
                             : !((there ^ s) & OC_KIND_SHARK)    ? helper / (KINDS / 2. - 1)
                                                                 : both;
        row[s] = (run->took[level][there][s] + PRIOR * usual / all) / (n + PRIOR);
    }
}

static int write_eyes(const struct run *run)
{
    FILE *file = fopen(run->out, "w");
    if (file == NULL)
        return cli_complain("ocean", "%s: cannot be opened: %s", run->out, strerror(errno));
    fprintf(file,
            "{\"fathom_eyes\":1,\n\"about\":\"%s eyes on %llu stacks of the preset %s, as fathom "
            "ocean eyes measured them\",\n\"levels\":[\n",
            run->acuity->name, (unsigned long long)run->count, run->flags.water->name);
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned there = 0; there < KINDS; there++) {
            double row[KINDS];
            row_of(run, level, there, row);
            fprintf(file, "%s[", there == 0 ? "[" : "");
            for (unsigned seen = 0; seen < KINDS; seen++)
                fprintf(file, "%s%.4f", seen ? "," : "", row[seen]);
            fprintf(file, "]%s", there < KINDS - 1 ? ",\n" : level < LEVELS - 1 ? "],\n" : "]");
        }
    fprintf(file, "]}\n");
    if (ferror(file) != 0 || fclose(file) != 0)
        return cli_complain("ocean", "%s: cannot be written", run->out);
    return CLI_FINE;
}

static void print_json(const struct run *run)
{
    printf("{\"acuity\":\"%s\",\"preset\":\"%s\",\"stacks\":%llu,\"levels\":[", run->acuity->name,
           run->flags.water->name, (unsigned long long)run->count);
    for (unsigned level = 0; level < LEVELS; level++) {
        const struct share s = share_of(run, level);
        printf("%s{\"level\":%u,\"shark\":%.4f,\"label\":%.4f,\"belief\":%.4f,\"took\":[",
               level ? "," : "", level + 1, s.shark, s.label, s.belief);
        for (unsigned there = 0; there < KINDS; there++)
            for (unsigned seen = 0; seen < KINDS; seen++)
                printf("%s%u%s", seen ? "," : there ? ",[" : "[", run->took[level][there][seen],
                       seen == KINDS - 1 ? "]" : "");
        printf("]}");
    }
    printf("],\"draw_ms\":%.1f,\"look_ms\":%.1f}\n", run->draw_ms / (double)run->count,
           run->look_ms / (double)run->count);
}

static void print_text(const struct run *run)
{
    printf("%llu stacks of the preset %s, %s eyes\n", (unsigned long long)run->count,
           run->flags.water->name, run->acuity->name);
    printf("level   shark and helper   shark alone   belief in the truth\n");
    for (unsigned level = 0; level < LEVELS; level++) {
        const struct share s = share_of(run, level);
        printf("%5u   %14.1f %%   %9.1f %%   %17.2f\n", level + 1, 100 * s.label, 100 * s.shark,
               s.belief);
    }
    printf("a stack: %.0f ms to draw, %.0f ms to look at\n", run->draw_ms / (double)run->count,
           run->look_ms / (double)run->count);
}

/* ---- flags ---------------------------------------------------------------------------------- */

static int read_acuity(struct run *run, const char *value)
{
    run->acuity = oc_acuity_find(value);
    if (run->acuity != NULL)
        return CLI_FINE;
    char names[128];
    struct fm_out o;
    fm_out_init(&o, names, sizeof names);
    for (const struct oc_acuity *a = oc_acuities; a->name != NULL; a++) {
        fm_put(&o, a == oc_acuities ? "" : ", ");
        fm_put(&o, a->name);
    }
    return cli_complain("ocean", "there are no \"%.40s\" eyes; there are %s", value, names);
}

static int read_flag(struct run *run, int flag, const char *value)
{
    switch (flag) {
    case 's':
        if (!cli_seed(value, run->seed))
            return cli_complain("ocean", "--seed takes 64 hex digits, or a number, not \"%.80s\"",
                                value);
        return CLI_FINE;
    case 'n':
        return ocean_number("count", value, 1, COUNT_MAX, &run->count);
    case 'j':
        return ocean_number("jobs", value, 1, CLI_JOBS_MAX, &run->jobs);
    case 'a':
        return read_acuity(run, value);
    case 'o':
        run->out = value;
        return CLI_FINE;
    case 'f':
        run->finds_path = value;
        return CLI_FINE;
    case 'J':
        run->json = true;
        return CLI_FINE;
    default:
        return ocean_flag(&run->flags, flag, value);
    }
}

static int look_and_tell(struct run *run)
{
    if (run->finds_path != NULL && (run->finds = fopen(run->finds_path, "w")) == NULL)
        return cli_complain("ocean", "%s: cannot be opened: %s", run->finds_path, strerror(errno));
    int status = look_at_all(run) ? CLI_FINE : CLI_BAD;
    if (run->finds != NULL && fclose(run->finds) != 0)
        status = cli_complain("ocean", "%s: cannot be written", run->finds_path);
    if (status == CLI_FINE && run->out != NULL)
        status = write_eyes(run);
    if (status == CLI_FINE)
        (run->json ? print_json : print_text)(run);
    return status;
}

int ocean_eyes(int argc, char **argv)
{
    static const struct option list[] = {
        {"count", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 's'},
        {"acuity", required_argument, NULL, 'a'},
        {"jobs", required_argument, NULL, 'j'},
        {"out", required_argument, NULL, 'o'},
        {"finds", required_argument, NULL, 'f'},
        {"json", no_argument, NULL, 'J'},
        {"preset", required_argument, NULL, OCEAN_PRESET},
        {"art", required_argument, NULL, OCEAN_ART},
        {NULL, 0, NULL, 0},
    };
    static struct run run;
    run = (struct run){.flags = {.water = oc_waters, .size = OC_EYES_PICTURE},
                       .acuity = oc_acuities,
                       .jobs = cli_cores(),
                       .seed = {1},
                       .count = 100,
                       .lock = PTHREAD_MUTEX_INITIALIZER};
    int flag, status = CLI_FINE;
    opterr = 0;
    while (status == CLI_FINE && (flag = getopt_long(argc, argv, ":", list, NULL)) != -1)
        status = flag == '?' || flag == ':' ? cli_bad_flag("ocean", argv, flag)
                                            : read_flag(&run, flag, optarg);
    if (status == CLI_FINE && optind < argc)
        status = cli_complain("ocean", "\"%s\" is one word too many", argv[optind]);
    return status == CLI_FINE ? look_and_tell(&run) : status;
}
