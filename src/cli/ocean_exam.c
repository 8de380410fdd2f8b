/*
 * ocean_exam.c: `fathom ocean exam`: draws stacks as pictures, keeps the answers apart, and scores
 * guesses.
 *
 * DIR/stack-001/ holds the pictures of a stack, DIR/truth/stack-001.txt what is on its levels.
 * DIR/guesses.txt is to be filled in: one line per stack, five words each. A word is S for a shark,
 * G, R or M for a helper, both letters for both, - for neither.
 */
#include "cli/ocean.h"

#include "base/hash.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#define COUNT_MAX   999
#define LEVELS      5
#define PATH        4096
#define GUESSES_MAX 262144

static const char *const words[OC_KINDS] = {"-", "G", "R", "M", "S", "SG", "SR", "SM"};

struct exam {
    struct ocean_flags flags;
    uint8_t seed[FM_SEED_BYTES];
    uint64_t count, quality;
    const char *dir, *score;
};

/* ---- writing -------------------------------------------------------------------------------- */

static int make_dir(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return CLI_FINE;
    return cli_complain("ocean", "%s: cannot be made: %s", path, strerror(errno));
}

static int join(char *path, const char *format, const char *dir, unsigned long long stack,
                const char *name)
{
    const int n = snprintf(path, PATH, format, dir, stack, name);
    if (n < 0 || n >= PATH)
        return cli_complain("ocean", "the folder's name is too long");
    return CLI_FINE;
}

/* Straight down, and tilted as far as possible in eight directions. */
static const struct {
    const char *name;
    uint8_t tx, ty;
} views[] = {
    {"straight", 6, 6},  {"left", 0, 6},       {"right", 12, 6},
    {"up", 6, 0},        {"down", 6, 12},      {"left-up", 1, 1},
    {"right-up", 11, 1}, {"left-down", 1, 11}, {"right-down", 11, 11},
};

static int write_views(struct ocean_game *g, const struct exam *e, unsigned long long stack)
{
    struct fm_fault fault;
    char path[PATH];
    if (join(path, "%s/stack-%03llu%s", e->dir, stack, "") != CLI_FINE ||
        make_dir(path) != CLI_FINE)
        return CLI_BAD;
    struct oc_layers *layers =
        oc_bake(&g->sheets, g->sheets.n, e->flags.size, false, g->scratch, &fault);
    if (layers == NULL)
        return cli_complain("ocean", "%s", fault.text);
    int status = CLI_FINE;
    for (size_t i = 0; i < sizeof views / sizeof views[0] && status == CLI_FINE; i++) {
        struct oc_look look = oc_look_straight();
        look.tx = views[i].tx;
        look.ty = views[i].ty;
        status = ocean_picture(g, layers, look, NULL, OC_JPEG, (int)e->quality);
        if (status == CLI_FINE)
            status = join(path, "%s/stack-%03llu/%s.jpg", e->dir, stack, views[i].name);
        if (status == CLI_FINE)
            status = ocean_write(g, path);
    }
    oc_layers_free(layers);
    return status;
}

static int write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return cli_complain("ocean", "%s: cannot be opened: %s", path, strerror(errno));
    const bool written = fputs(text, file) >= 0;
    if (fclose(file) != 0 || !written)
        return cli_complain("ocean", "%s: cannot be written: %s", path, strerror(errno));
    return CLI_FINE;
}

static int write_truth(const struct ocean_game *g, const struct exam *e, unsigned long long stack)
{
    char path[PATH], text[128];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    for (int level = 0; level < LEVELS; level++) {
        fm_put(&o, level ? " " : "");
        fm_put(&o, words[g->sheets.sheet[g->sheets.n - 1 - level].kind]);
    }
    fm_put(&o, "\n");
    if (join(path, "%s/truth/stack-%03llu.txt%s", e->dir, stack, "") != CLI_FINE)
        return CLI_BAD;
    return write_text(path, text);
}

static int write_form(const struct exam *e)
{
    char path[PATH];
    char *text = cli_alloc(32 * COUNT_MAX);
    struct fm_out o;
    fm_out_init(&o, text, 32 * COUNT_MAX);
    for (unsigned long long i = 1; i <= e->count; i++) {
        char line[32];
        (void)snprintf(line, sizeof line, "stack-%03llu ? ? ? ? ?\n", i);
        fm_put(&o, line);
    }
    int status = join(path, "%s/guesses.txt%.0llu%s", e->dir, 0, "");
    if (status == CLI_FINE)
        status = write_text(path, text);
    free(text);
    return status;
}

static int write_exam(const struct exam *e)
{
    struct ocean_game g;
    char path[PATH];
    if (make_dir(e->dir) != CLI_FINE || join(path, "%s/truth%.0llu%s", e->dir, 0, "") != CLI_FINE ||
        make_dir(path) != CLI_FINE || ocean_open(&g, &e->flags) != CLI_FINE)
        return CLI_BAD;
    int status = CLI_FINE;
    for (uint64_t i = 1; i <= e->count && status == CLI_FINE; i++) {
        const struct fm_span spans[] = {{e->seed, sizeof e->seed}, {&i, sizeof i}};
        uint8_t seed[FM_SEED_BYTES];
        fm__hash(seed, "fathom exam 1", spans, 2);
        ocean_deal(&g, seed);
        status = write_views(&g, e, i);
        if (status == CLI_FINE)
            status = write_truth(&g, e, i);
        fprintf(stderr, "\rstack %llu of %llu", (unsigned long long)i,
                (unsigned long long)e->count);
    }
    fprintf(stderr, "\n");
    ocean_close(&g);
    if (status == CLI_FINE)
        status = write_form(e);
    if (status == CLI_FINE)
        printf("%llu stacks of the preset %s in %s; look, fill in guesses.txt, then --score it\n",
               (unsigned long long)e->count, e->flags.water->name, e->dir);
    return status;
}

/* ---- scoring -------------------------------------------------------------------------------- */

static int kind_of(const char *word)
{
    for (int kind = 0; kind < OC_KINDS; kind++)
        if (strcmp(words[kind], word) == 0)
            return kind;
    return -1;
}

static int read_truth(const struct exam *e, const char *stack, int kind[LEVELS])
{
    char path[PATH], *rest = NULL;
    struct fm_fault fault;
    size_t n;
    const int length = snprintf(path, sizeof path, "%s/truth/%s.txt", e->dir, stack);
    if (length < 0 || (size_t)length >= sizeof path)
        return cli_complain("ocean", "the folder's name is too long");
    char *text = cli_read(path, 128, &n, &fault);
    if (text == NULL)
        return cli_complain_file("ocean", path, &fault);
    char copy[130] = {0};
    memcpy(copy, text, n);
    free(text);
    char *word = strtok_r(copy, " \n", &rest);
    for (int level = 0; level < LEVELS; level++, word = strtok_r(NULL, " \n", &rest))
        if (word == NULL || (kind[level] = kind_of(word)) < 0)
            return cli_complain("ocean", "%s: not a truth of this exam", path);
    return CLI_FINE;
}

struct score {
    int stacks, label[LEVELS], shark[LEVELS];
};

/* Scores one line of guesses: a stack's name and five words; ? means no guess. */
static int score_line(const struct exam *e, char *line, int number, struct score *s)
{
    char *rest = NULL;
    int truth[LEVELS];
    const char *stack = strtok_r(line, " \t\r", &rest);
    if (stack == NULL || stack[0] == '#')
        return CLI_FINE;
    if (strspn(stack, "stack-0123456789") != strlen(stack) || strlen(stack) > 16)
        return cli_complain("ocean", "%s:%d: \"%.40s\" is not a stack's name", e->score, number,
                            stack);
    if (read_truth(e, stack, truth) != CLI_FINE)
        return CLI_BAD;
    for (int level = 0; level < LEVELS; level++) {
        const char *word = strtok_r(NULL, " \t\r", &rest);
        const int kind = word != NULL ? kind_of(word) : -1;
        if (word == NULL || (kind < 0 && strcmp(word, "?") != 0))
            return cli_complain("ocean", "%s:%d: level %d: say - G R M S SG SR SM or ?", e->score,
                                number, level + 1);
        s->label[level] += kind == truth[level];
        s->shark[level] += kind >= 0 && ((unsigned)(kind ^ truth[level]) & OC_KIND_SHARK) == 0;
    }
    s->stacks++;
    return CLI_FINE;
}

static int score_exam(const struct exam *e)
{
    struct score s = {0};
    struct fm_fault fault;
    size_t n;
    char *text = cli_read(e->score, GUESSES_MAX, &n, &fault);
    if (text == NULL)
        return cli_complain_file("ocean", e->score, &fault);
    char *copy = cli_alloc(n + 1);
    memcpy(copy, text, n);
    free(text);
    int status = CLI_FINE, number = 1;
    for (char *line = copy, *next; line != NULL && status == CLI_FINE; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        status = score_line(e, line, number++, &s); /* empty lines count as well */
    }
    free(copy);
    if (status == CLI_FINE && s.stacks == 0)
        status = cli_complain("ocean", "%s: no guesses", e->score);
    if (status != CLI_FINE)
        return status;
    printf("%d stacks   level 1    2    3    4    5\n", s.stacks);
    printf("shark and helper %4d%%", 100 * s.label[0] / s.stacks);
    for (int level = 1; level < LEVELS; level++)
        printf(" %3d%%", 100 * s.label[level] / s.stacks);
    printf("\nshark alone      %4d%%", 100 * s.shark[0] / s.stacks);
    for (int level = 1; level < LEVELS; level++)
        printf(" %3d%%", 100 * s.shark[level] / s.stacks);
    printf("\n");
    return CLI_FINE;
}

/* ---- flags ---------------------------------------------------------------------------------- */

static int read_flag(struct exam *e, int flag, const char *value)
{
    switch (flag) {
    case 's':
        if (!cli_seed(value, e->seed))
            return cli_complain("ocean", "--seed takes 64 hex digits, or a number, not \"%.80s\"",
                                value);
        return CLI_FINE;
    case 'n':
        return ocean_number("count", value, 1, COUNT_MAX, &e->count);
    case 'q':
        return ocean_number("quality", value, 1, 100, &e->quality);
    case 'd':
        e->dir = value;
        return CLI_FINE;
    case 'S':
        e->score = value;
        return CLI_FINE;
    default:
        return ocean_flag(&e->flags, flag, value);
    }
}

int ocean_exam(int argc, char **argv)
{
    static const struct option list[] = {
        {"count", required_argument, NULL, 'n'},
        {"dir", required_argument, NULL, 'd'},
        {"seed", required_argument, NULL, 's'},
        {"score", required_argument, NULL, 'S'},
        {"quality", required_argument, NULL, 'q'},
        {"preset", required_argument, NULL, OCEAN_PRESET},
        {"size", required_argument, NULL, OCEAN_SIZE_FLAG},
        {"art", required_argument, NULL, OCEAN_ART},
        {NULL, 0, NULL, 0},
    };
    struct exam e = {.flags = {.water = oc_waters, .size = OCEAN_SIZE}, .quality = OCEAN_QUALITY};
    int flag, status = CLI_FINE;
    if (getrandom(e.seed, sizeof e.seed, 0) != sizeof e.seed)
        return cli_complain("ocean", "this machine gives no random numbers: %s", strerror(errno));
    opterr = 0;
    while (status == CLI_FINE && (flag = getopt_long(argc, argv, ":", list, NULL)) != -1)
        status = flag == '?' || flag == ':' ? cli_bad_flag("ocean", argv, flag)
                                            : read_flag(&e, flag, optarg);
    if (status != CLI_FINE)
        return status;
    if (optind < argc)
        return cli_complain("ocean", "\"%s\" is one word too many", argv[optind]);
    if (e.dir == NULL || (e.score == NULL) == (e.count == 0))
        return cli_complain("ocean", "exam takes --dir DIR and --count N, or --score FILE");
    return e.score != NULL ? score_exam(&e) : write_exam(&e);
}
