/*
 * ocean_eyes.c: `fathom ocean eyes`: how well eyes see if they get nothing but pictures.
 *
 * Stacks are dealt, drawn and encoded as for players; the eyes say what they believe is on each
 * level; only then is it compared with the truth. What they mistook for what becomes an eyes file
 * for simulations.
 *
 * With --finds, other stacks are looked at, and everything that was found is written with the
 * truth, for tools/eyes-fit: so nothing is measured on a stack that was used for fitting.
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
#define ROUNDS    6 /* stacks are looked at as in each of this many rounds ... */
#define A_ROUND   4 /* ... with this many sheets each */
#define PRIOR     4 /* weight of the average over all kinds, in stacks, in every row of a table */

#define ACUITIES 8 /* most eyes at a time */

struct score { /* of one pair of eyes */
    const struct oc_acuity *acuity;
    uint32_t took[LEVELS][KINDS][KINDS]; /* by level, what was there and what was seen */
    double belief[LEVELS];               /* sum of log P(truth) */
    double look_ms;
};

struct run {
    struct ocean_flags flags;
    struct oc_art *art; /* of all workers */
    uint8_t seed[FM_SEED_BYTES];
    uint64_t count, from, jobs;
    const char *out, *finds_path;
    FILE *finds;
    bool json;
    unsigned n_scores;
    pthread_mutex_t lock; /* of what follows */
    struct score score[ACUITIES];
    double bake_ms, picture_ms;
    uint64_t pictures;
};

struct worker {
    struct ocean_game game;
    struct oc_eyes *eyes[ACUITIES];
    bool open;
    double bake_ms, picture_ms, look_ms; /* of the present stack; of the last eyes */
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
    if (ocean_open_with(&w->game, &run->flags, run->art) != CLI_FINE)
        return false;
    w->open = true;
    for (unsigned i = 0; i < run->n_scores; i++) {
        w->eyes[i] = oc_eyes_create(w->game.art, run->flags.water, run->score[i].acuity);
        if (w->eyes[i] == NULL)
            return cli_complain("ocean", "%s", fm_err_text(FM_E_MEMORY)) == CLI_FINE;
    }
    return true;
}

/* Draws all pictures that the eyes ask for, shows them, and gets what they believe. */
static bool look(struct worker *w, const struct oc_layers *layers, struct oc_eyes *eyes,
                 struct oc_belief *belief)
{
    struct fm_fault fault;
    double now = cpu_ms();
    w->look_ms = 0;
    for (int i = 0; i < oc_eyes_looks(eyes); i++) {
        const struct oc_look at = oc_eyes_look(eyes, i);
        if (ocean_picture(&w->game, layers, at, NULL, OC_JPEG, OCEAN_QUALITY) != CLI_FINE)
            return false;
        const double drawn = cpu_ms();
        w->picture_ms += drawn - now;
        if (oc_eyes_see(eyes, i, w->game.bytes.data, w->game.bytes.n, &fault) != FM_OK)
            return cli_complain("ocean", "%s", fault.text) == CLI_FINE;
        now = cpu_ms();
        w->look_ms += now - drawn;
    }
    oc_eyes_believe(eyes, belief);
    w->look_ms += cpu_ms() - now;
    return true;
}

/* The level of the creature that was found, from 0; -1: none. */
static int truth_of(const struct oc_sheets *s, int left, const struct oc_find *f)
{
    int best = -1;
    float nearest = .2f * f->size;
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

static void write_finds(const struct run *run, const struct worker *w, unsigned eyes, int left)
{
    const struct oc_find *finds;
    const int n = oc_eyes_finds(w->eyes[eyes], &finds);
    for (int i = 0; i < n; i++) {
        const struct oc_find *f = &finds[i];
        fprintf(run->finds, "%d %d %.4f %.4f %.4f %.3f %.3f", f->role,
                truth_of(&w->game.sheets, left, f), (double)f->agrees, (double)f->beside,
                (double)f->free, (double)f->depth, (double)f->clear);
        for (int level = 0; level < OC_EYES_DEEP; level++)
            fprintf(run->finds, " %.4f %.4f", (double)f->light[level], (double)f->vote[level]);
        fprintf(run->finds, "\n");
    }
}

static void count(struct run *run, const struct worker *w, unsigned eyes, int left,
                  const struct oc_belief *belief)
{
    struct score *score = &run->score[eyes];
    (void)pthread_mutex_lock(&run->lock);
    for (unsigned level = 0; level < LEVELS; level++) {
        const unsigned there = w->game.sheets.sheet[left - 1 - (int)level].kind;
        score->took[level][there][oc_belief_best(belief, level)]++;
        score->belief[level] += log(fmax((double)belief->kind[level][there], 1e-6));
    }
    score->look_ms += w->look_ms;
    run->pictures += (uint64_t)oc_eyes_looks(w->eyes[eyes]);
    if (run->finds != NULL)
        write_finds(run, w, eyes, left);
    (void)pthread_mutex_unlock(&run->lock);
}

static bool look_at_one(void *arg, void *memory, uint64_t i)
{
    struct run *run = arg;
    struct worker *w = memory;
    uint8_t seed[FM_SEED_BYTES];
    struct oc_belief belief;
    struct fm_fault fault;
    i += run->from;
    const struct fm_span spans[] = {{run->seed, sizeof run->seed}, {&i, sizeof i}};
    const int left = OC_SHEETS - A_ROUND * (int)(i % ROUNDS);
    fm__hash(seed, run->finds ? "fathom eyes fit 1" : "fathom eyes 1", spans, 2);
    if (!open_worker(run, w))
        return false;
    w->bake_ms = w->picture_ms = 0;
    ocean_deal(&w->game, seed);
    const double start = cpu_ms();
    struct oc_layers *layers =
        oc_bake(&w->game.sheets, left, OC_EYES_PICTURE, false, w->game.scratch, &fault);
    if (layers == NULL)
        return cli_complain("ocean", "%s", fault.text) == CLI_FINE;
    w->bake_ms = cpu_ms() - start;
    bool fine = true;
    for (unsigned k = 0; k < run->n_scores && fine; k++) {
        fine = look(w, layers, w->eyes[k], &belief);
        if (fine)
            count(run, w, k, left, &belief);
    }
    oc_layers_free(layers);
    (void)pthread_mutex_lock(&run->lock);
    run->bake_ms += w->bake_ms;
    run->picture_ms += w->picture_ms;
    (void)pthread_mutex_unlock(&run->lock);
    return fine;
}

/* ---- many ----------------------------------------------------------------------------------- */

static bool look_at_all(struct run *run)
{
    struct fm_fault fault;
    run->art = oc_art_load(run->flags.art, &fault);
    if (run->art == NULL)
        return cli_complain("ocean", "%s", fault.text) == CLI_FINE;
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
        for (unsigned k = 0; k < run->n_scores; k++)
            oc_eyes_destroy(workers[i].eyes[k]);
        if (workers[i].open)
            ocean_close(&workers[i].game);
    }
    free(workers);
    oc_art_free(run->art);
    return fine;
}

/* ---- figures -------------------------------------------------------------------------------- */

struct share { /* share of the stacks, by level */
    double shark, label, belief;
};

static struct share share_of(const struct run *run, const struct score *score, unsigned level)
{
    uint64_t shark = 0, label = 0;
    for (unsigned there = 0; there < KINDS; there++)
        for (unsigned seen = 0; seen < KINDS; seen++) {
            shark += (there ^ seen) & OC_KIND_SHARK ? 0 : score->took[level][there][seen];
            label += there == seen ? score->took[level][there][seen] : 0;
        }
    const double n = (double)run->count;
    return (struct share){(double)shark / n, (double)label / n, exp(score->belief[level] / n)};
}

/*
 * A row of the table: the counts, plus PRIOR stacks with what is expected of any kind. The rare
 * kinds are seen too seldom to say how often each mistake is made.
 */
static void row_of(const struct score *score, unsigned level, unsigned there, double row[KINDS])
{
    uint32_t right = 0, shark = 0, helper = 0, all = 0, n = 0;
    for (unsigned t = 0; t < KINDS; t++)
        for (unsigned s = 0; s < KINDS; s++) {
            const uint32_t took = score->took[level][t][s];
            all += took;
            right += t == s ? took : 0;
            shark += (t ^ s) == OC_KIND_SHARK ? took : 0;
            helper += t != s && !((t ^ s) & OC_KIND_SHARK) ? took : 0;
        }
    const double both = (double)(all - right - shark - helper) / (KINDS / 2 - 1);
    for (unsigned s = 0; s < KINDS; s++)
        n += score->took[level][there][s];
    for (unsigned s = 0; s < KINDS; s++) {
        const double usual = there == s                       ? right
                             : (there ^ s) == OC_KIND_SHARK   ? shark
                             : !((there ^ s) & OC_KIND_SHARK) ? helper / (KINDS / 2. - 1)
                                                              : both;
        row[s] = (score->took[level][there][s] + PRIOR * usual / all) / (n + PRIOR);
    }
}

static int write_table(const struct run *run, const struct score *score, FILE *file)
{
    fprintf(file,
            "{\"fathom_eyes\":1,\n\"about\":\"%s eyes on %llu stacks of the preset %s, as fathom "
            "ocean eyes measured them\",\n\"levels\":[\n",
            score->acuity->name, (unsigned long long)run->count, run->flags.water->name);
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned there = 0; there < KINDS; there++) {
            double row[KINDS];
            row_of(score, level, there, row);
            fprintf(file, "%s[", there == 0 ? "[" : "");
            for (unsigned seen = 0; seen < KINDS; seen++)
                fprintf(file, "%s%.4f", seen ? "," : "", row[seen]);
            fprintf(file, "]%s", there < KINDS - 1 ? ",\n" : level < LEVELS - 1 ? "],\n" : "]");
        }
    fprintf(file, "]}\n");
    return ferror(file) != 0 ? CLI_BAD : CLI_FINE;
}

static int write_eyes(const struct run *run, const struct score *score)
{
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s/picture-%s.json", run->out, score->acuity->name);
    if (n < 0 || (size_t)n >= sizeof path)
        return cli_complain("ocean", "the folder's name is too long");
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return cli_complain("ocean", "%s: cannot be opened: %s", path, strerror(errno));
    const int status = write_table(run, score, file);
    if (fclose(file) != 0 || status != CLI_FINE)
        return cli_complain("ocean", "%s: cannot be written", path);
    return CLI_FINE;
}

static void put_score(const struct run *run, const struct score *score)
{
    printf("{\"acuity\":\"%s\",\"look_ms\":%.1f,\"levels\":[", score->acuity->name,
           score->look_ms / (double)run->count);
    for (unsigned level = 0; level < LEVELS; level++) {
        const struct share s = share_of(run, score, level);
        printf("%s{\"level\":%u,\"shark\":%.4f,\"label\":%.4f,\"belief\":%.4f,\"took\":[",
               level ? "," : "", level + 1, s.shark, s.label, s.belief);
        for (unsigned there = 0; there < KINDS; there++)
            for (unsigned seen = 0; seen < KINDS; seen++)
                printf("%s%u%s",
                       seen    ? ","
                       : there ? ",["
                               : "[",
                       score->took[level][there][seen], seen == KINDS - 1 ? "]" : "");
        printf("]}");
    }
    printf("]}");
}

static void print_json(const struct run *run)
{
    printf("{\"preset\":\"%s\",\"stacks\":%llu,\"bake_ms\":%.1f,\"picture_ms\":%.2f,\"eyes\":[",
           run->flags.water->name, (unsigned long long)run->count,
           run->bake_ms / (double)run->count, run->picture_ms / (double)run->pictures);
    for (unsigned i = 0; i < run->n_scores; i++) {
        printf("%s", i ? "," : "");
        put_score(run, &run->score[i]);
    }
    printf("]}\n");
}

static void print_text(const struct run *run)
{
    printf("%llu stacks of the preset %s: %.0f ms to bake one, %.1f ms a picture\n",
           (unsigned long long)run->count, run->flags.water->name,
           run->bake_ms / (double)run->count, run->picture_ms / (double)run->pictures);
    for (unsigned i = 0; i < run->n_scores; i++) {
        const struct score *score = &run->score[i];
        printf("\n%s eyes, %.0f ms to look\n", score->acuity->name,
               score->look_ms / (double)run->count);
        printf("level   shark and helper   shark alone   belief in the truth\n");
        for (unsigned level = 0; level < LEVELS; level++) {
            const struct share s = share_of(run, score, level);
            printf("%5u   %14.1f %%   %9.1f %%   %19.2f\n", level + 1, 100 * s.label, 100 * s.shark,
                   s.belief);
        }
    }
}

/* ---- flags ---------------------------------------------------------------------------------- */

static int no_such_acuity(const char *value)
{
    char names[128];
    struct fm_out o;
    fm_out_init(&o, names, sizeof names);
    for (const struct oc_acuity *a = oc_acuities; a->name != NULL; a++) {
        fm_put(&o, a == oc_acuities ? "" : ", ");
        fm_put(&o, a->name);
    }
    return cli_complain("ocean", "there are no \"%.40s\" eyes; there are %s", value, names);
}

static int read_acuity(struct run *run, const char *value)
{
    const struct oc_acuity *a = oc_acuity_find(value);
    if (a == NULL)
        return no_such_acuity(value);
    run->score[0].acuity = a;
    run->n_scores = 1;
    return CLI_FINE;
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
    case 'F':
        return ocean_number("from", value, 0, UINT32_MAX, &run->from);
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
    for (unsigned i = 0; i < run->n_scores && status == CLI_FINE && run->out != NULL; i++)
        status = write_eyes(run, &run->score[i]);
    if (status == CLI_FINE)
        (run->json ? print_json : print_text)(run);
    return status;
}

int ocean_eyes(int argc, char **argv)
{
    static const struct option list[] = {
        {"count", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 's'},
        {"from", required_argument, NULL, 'F'},
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
                       .jobs = cli_cores(),
                       .seed = {1},
                       .count = 100,
                       .lock = PTHREAD_MUTEX_INITIALIZER};
    for (const struct oc_acuity *a = oc_acuities; a->name != NULL; a++)
        run.score[run.n_scores++].acuity = a;
    int flag, status = CLI_FINE;
    opterr = 0;
    while (status == CLI_FINE && (flag = getopt_long(argc, argv, ":", list, NULL)) != -1)
        status = flag == '?' || flag == ':' ? cli_bad_flag("ocean", argv, flag)
                                            : read_flag(&run, flag, optarg);
    if (status == CLI_FINE && optind < argc)
        status = cli_complain("ocean", "\"%s\" is one word too many", argv[optind]);
    return status == CLI_FINE ? look_and_tell(&run) : status;
}
