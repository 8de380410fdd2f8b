/* ocean.c: `fathom ocean`: pictures of the see-through stack, to look at and to judge. */
#include "cli/ocean.h"

#include "ocean/picture.h"

#include "base/panic.h"

#include <fathom/ocean.h>

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define A_ROUND     5   /* sheets, at most, without the anglerfish */
#define CONTACT     256 /* width of a sheet on the contact sheet, in pixels */
#define CONTACT_MAX 512

/* ---- what all parts share ------------------------------------------------------------------- */

int ocean_number(const char *name, const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    if (cli_number(text, min, max, out))
        return CLI_FINE;
    return cli_complain("ocean", "--%s takes a whole number from %llu to %llu, not \"%.40s\"", name,
                        (unsigned long long)min, (unsigned long long)max, text);
}

int ocean_no_such_water(const char *command, const char *what, const char *value)
{
    char names[128];
    struct fm_out o;
    fm_out_init(&o, names, sizeof names);
    for (const struct oc_water *w = oc_waters; w->name != NULL; w++) {
        fm_put(&o, w == oc_waters ? "" : ", ");
        fm_put(&o, w->name);
    }
    return cli_complain(command, "there is no %s \"%.40s\"; there are %s", what, value, names);
}

int ocean_flag(struct ocean_flags *f, int flag, const char *value)
{
    uint64_t size;
    if (flag == OCEAN_ART)
        f->art = value;
    else if (flag == OCEAN_PRESET && (f->water = oc_water_find(value)) == NULL)
        return ocean_no_such_water("ocean", "preset", value);
    else if (flag == OCEAN_SIZE_FLAG) {
        if (ocean_number("size", value, OC_SIZE_MIN, OC_SIZE_MAX, &size) != CLI_FINE)
            return CLI_BAD;
        f->size = (int)size;
    }
    return CLI_FINE;
}

int ocean_open_with(struct ocean_game *g, const struct ocean_flags *f, const struct oc_art *art)
{
    struct fm_fault fault;
    memset(g, 0, sizeof *g);
    g->water = f->water;
    g->art = art;
    g->scratch = oc_scratch_create();
    if (g->scratch != NULL && oc_frame_init(&g->frame, f->size, &fault) == FM_OK)
        return CLI_FINE;
    ocean_close(g);
    return cli_complain("ocean", "%s", fm_err_text(FM_E_MEMORY));
}

int ocean_open(struct ocean_game *g, const struct ocean_flags *f)
{
    struct fm_fault fault;
    struct oc_art *art = oc_art_load(f->art, &fault);
    if (art == NULL) {
        memset(g, 0, sizeof *g);
        return cli_complain("ocean", "%s", fault.text);
    }
    const int status = ocean_open_with(g, f, art);
    if (status == CLI_FINE)
        g->own_art = art;
    else
        oc_art_free(art);
    return status;
}

void ocean_close(struct ocean_game *g)
{
    oc_frame_finish(&g->frame);
    oc_bytes_finish(&g->bytes);
    oc_scratch_destroy(g->scratch);
    oc_art_free(g->own_art);
    g->scratch = NULL; /* some commands close what could not be opened */
    g->own_art = NULL;
}

void ocean_deal(struct ocean_game *g, const uint8_t seed[FM_SEED_BYTES])
{
    struct fm_setup setup;
    struct fm_library library = {0};
    struct fm_fault fault;
    const struct fm_game *game = oc_game();
    _Alignas(8) uint8_t state[FM_STATE_MAX];
    fm_assert(game != NULL);
    json_t *table = json_pack("{s:s,s:{}}", "game", game->id, "options");
    fm_assert(table != NULL && fm_setup_parse(&setup, table, &library, &fault) == FM_OK);
    json_decref(table);
    memcpy(setup.seed, seed, sizeof setup.seed);
    fm_assert(fm_init(state, &setup, NULL) == FM_OK);
    oc_deal_of(&g->deal, game, state);
    oc_sheets_make(&g->sheets, g->art, g->water, &g->deal);
}

int ocean_picture(struct ocean_game *g, const struct oc_layers *layers, struct oc_look look,
                  const struct oc_patch *patch, enum oc_format format, int quality)
{
    struct fm_fault fault;
    oc_view(layers, look, patch, oc_kernel_best(), &g->frame);
    if (oc_encode(&g->bytes, &g->frame, format, quality, &fault) != FM_OK)
        return cli_complain("ocean", "%s", fault.text);
    return CLI_FINE;
}

int ocean_write(const struct ocean_game *g, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return cli_complain("ocean", "%s: cannot be opened: %s", path, strerror(errno));
    const bool written = fwrite(g->bytes.data, 1, g->bytes.n, file) == g->bytes.n;
    if (fclose(file) != 0 || !written)
        return cli_complain("ocean", "%s: cannot be written: %s", path, strerror(errno));
    return CLI_FINE;
}

/* ---- one picture ---------------------------------------------------------------------------- */

struct job {
    struct ocean_flags flags;
    uint8_t seed[FM_SEED_BYTES];
    bool has_seed, has_octopus;
    uint64_t round, level, quality; /* level 0: the whole stack */
    struct oc_look look;
    double octopus_x, octopus_y;
    const char *out, *sheets, *postcard;
    struct oc_patch patch;
};

/* "X,Y", both from 0 to 1: also the position of a lamp. */
static int read_place(struct job *job, const char *value)
{
    char text[OC_LOOK_TEXT];
    struct oc_look probe = oc_look_straight();
    struct fm_fault fault;
    char *end;
    const int n = snprintf(text, sizeof text, "above:%s", value);
    if (n < 0 || (size_t)n >= sizeof text || oc_look_lamp(&probe, text, &fault) != FM_OK)
        return cli_complain("ocean", "--octopus takes X,Y, each from 0 to 1, not \"%.40s\"", value);
    job->octopus_x = strtod(value, &end);
    job->octopus_y = strtod(end + 1, NULL);
    job->has_octopus = true;
    return CLI_FINE;
}

static int read_look(struct job *job, int flag, const char *value)
{
    struct fm_fault fault;
    const enum fm_err err = flag == 't' ? oc_look_tilt(&job->look, value, &fault)
                                        : oc_look_lamp(&job->look, value, &fault);
    if (err != FM_OK)
        return cli_complain("ocean", "--%s: %s", flag == 't' ? "tilt" : "lamp", fault.text);
    return CLI_FINE;
}

static int read_flag(struct job *job, int flag, const char *value)
{
    switch (flag) {
    case 's':
        if (!cli_seed(value, job->seed))
            return cli_complain("ocean", "--seed takes 64 hex digits, or a number, not \"%.80s\"",
                                value);
        job->has_seed = true;
        return CLI_FINE;
    case 'r':
        return ocean_number("round", value, 1, (OC_SHEETS + A_ROUND - 1) / A_ROUND, &job->round);
    case 'l':
        return ocean_number("sheet", value, 1, OC_SEEN_DOWN, &job->level);
    case 'q':
        return ocean_number("quality", value, 1, 100, &job->quality);
    case 't':
    case 'L':
        return read_look(job, flag, value);
    case 'c':
        return read_place(job, value);
    case 'o':
        job->out = value;
        return CLI_FINE;
    case 'S':
        job->sheets = value;
        return CLI_FINE;
    case 'p':
        job->postcard = value;
        return CLI_FINE;
    default:
        return ocean_flag(&job->flags, flag, value);
    }
}

static int read_flags(struct job *job, int argc, char **argv)
{
    static const struct option list[] = {
        {"seed", required_argument, NULL, 's'},
        {"round", required_argument, NULL, 'r'},
        {"tilt", required_argument, NULL, 't'},
        {"lamp", required_argument, NULL, 'L'},
        {"octopus", required_argument, NULL, 'c'},
        {"sheet", required_argument, NULL, 'l'},
        {"quality", required_argument, NULL, 'q'},
        {"out", required_argument, NULL, 'o'},
        {"sheets", required_argument, NULL, 'S'},
        {"postcard", required_argument, NULL, 'p'},
        {"preset", required_argument, NULL, OCEAN_PRESET},
        {"size", required_argument, NULL, OCEAN_SIZE_FLAG},
        {"art", required_argument, NULL, OCEAN_ART},
        {NULL, 0, NULL, 0},
    };
    int flag, status = CLI_FINE;
    opterr = 0;
    while (status == CLI_FINE && (flag = getopt_long(argc, argv, ":", list, NULL)) != -1)
        status = flag == '?' || flag == ':' ? cli_bad_flag("ocean", argv, flag)
                                            : read_flag(job, flag, optarg);
    if (status == CLI_FINE && optind < argc)
        return cli_complain("ocean", "\"%s\" is one word too many; say exam or bench first",
                            argv[optind]);
    if (status == CLI_FINE && (job->sheets == NULL) == (job->out == NULL))
        return cli_complain("ocean", "say --out FILE.jpg, or --sheets FILE.png for all sheets");
    if (status == CLI_FINE && job->postcard != NULL &&
        (job->has_seed || job->out == NULL || job->round > 1 || job->level > 0))
        return cli_complain("ocean",
                            "--postcard goes with --out and without --seed, --round or --sheet");
    if (status == CLI_FINE && job->out != NULL && job->postcard == NULL && !job->has_seed)
        return cli_complain("ocean", "say --seed HEX: which game's stack");
    return status;
}

static int contact_sheet(struct ocean_game *g, const char *path, int size)
{
    struct fm_fault fault;
    enum oc_format format;
    const int cell = size == OCEAN_SIZE || size > CONTACT_MAX ? CONTACT : size;
    const int side = OC_CONTACT_ACROSS * cell;
    if (oc_format_of(path, &format, &fault) != FM_OK || format != OC_PNG)
        return cli_complain("ocean", "--sheets writes a .png, not %s", path);
    uint8_t *rgb = cli_alloc(3 * (size_t)side * (size_t)side);
    enum fm_err err = oc_contact_sheet(rgb, cell, &g->sheets, &fault);
    if (err == FM_OK)
        err = oc_encode_rgb(&g->bytes, rgb, side, side, &fault);
    free(rgb);
    return err == FM_OK ? ocean_write(g, path) : cli_complain("ocean", "%s", fault.text);
}

static int stack_picture(struct ocean_game *g, struct job *job, int left, enum oc_format format)
{
    struct fm_fault fault;
    const bool lamps = job->look.light != OC_DAYLIGHT;
    struct oc_layers *layers =
        oc_bake(&g->sheets, left, job->flags.size, lamps, g->scratch, &fault);
    if (layers == NULL)
        return cli_complain("ocean", "%s", fault.text);
    int status = ocean_picture(g, layers, job->look, job->has_octopus ? &job->patch : NULL, format,
                               (int)job->quality);
    oc_layers_free(layers);
    return status;
}

static int sheet_picture(struct ocean_game *g, const struct job *job, int left,
                         enum oc_format format)
{
    struct fm_fault fault;
    if ((int)job->level > left)
        return cli_complain("ocean", "there is no sheet %d, only %d are left", (int)job->level,
                            left);
    if (oc_sheet_picture(&g->frame, &g->sheets.sheet[left - (int)job->level], &fault) != FM_OK ||
        oc_encode(&g->bytes, &g->frame, format, (int)job->quality, &fault) != FM_OK)
        return cli_complain("ocean", "%s", fault.text);
    return CLI_FINE;
}

static void tell_circles(const struct oc_sheet *sheet)
{
    char text[OC_CIRCLES_TEXT];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    oc_sheet_circles_put(&o, sheet, oc_game()->ocean->kinds);
    printf("%.*s\n", (int)o.len, text);
}

static int draw(struct ocean_game *g, struct job *job, enum oc_format format)
{
    struct fm_fault fault;
    if (job->postcard != NULL) {
        oc_deal_of_postcard(&g->deal, job->postcard, strlen(job->postcard));
        oc_sheets_make(&g->sheets, g->art, g->water, &g->deal);
    } else {
        ocean_deal(g, job->seed);
    }
    if (job->sheets != NULL)
        return contact_sheet(g, job->sheets, job->flags.size);
    if (job->has_octopus && oc_patch_init(&job->patch, g->art, job->flags.size, job->octopus_x,
                                          job->octopus_y, &fault) != FM_OK)
        return cli_complain("ocean", "%s", fault.text);
    const int left = g->sheets.n - A_ROUND * ((int)job->round - 1);
    int status =
        job->level > 0 ? sheet_picture(g, job, left, format) : stack_picture(g, job, left, format);
    if (status == CLI_FINE)
        status = ocean_write(g, job->out);
    if (status == CLI_FINE)
        printf("%s: %d x %d, %zu bytes\n", job->out, job->flags.size, job->flags.size, g->bytes.n);
    if (status == CLI_FINE && job->level > 0)
        tell_circles(&g->sheets.sheet[left - (int)job->level]);
    return status;
}

static int run(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "exam") == 0)
        return ocean_exam(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "bench") == 0)
        return ocean_bench(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "eyes") == 0)
        return ocean_eyes(argc - 1, argv + 1);
    struct job job = {.flags = {.water = oc_waters, .size = OCEAN_SIZE},
                      .look = oc_look_straight(),
                      .round = 1,
                      .quality = OCEAN_QUALITY};
    struct ocean_game g;
    struct fm_fault fault;
    enum oc_format format = OC_PNG;
    if (read_flags(&job, argc, argv) != CLI_FINE)
        return CLI_BAD;
    if (job.out != NULL && oc_format_of(job.out, &format, &fault) != FM_OK)
        return cli_complain("ocean", "--out: %s", fault.text);
    if (ocean_open(&g, &job.flags) != CLI_FINE)
        return CLI_BAD;
    const int status = draw(&g, &job, format);
    oc_patch_finish(&job.patch);
    ocean_close(&g);
    return status;
}

static void more_help(void)
{
    printf("\nPresets\n");
    for (const struct oc_water *w = oc_waters; w->name != NULL; w++)
        printf("  %-8s %s\n", w->name, w->about);
}

const struct cli_command cli_ocean = {
    .name = "ocean",
    .run = run,
    .about = "draw pictures of a see-through stack of sheets",
    .help =
        "usage: fathom ocean --seed HEX [FLAGS] --out FILE.(jpg|webp|png)\n"
        "       fathom ocean [--seed HEX] --sheets FILE.png\n"
        "       fathom ocean --postcard NAME --out FILE.jpg\n"
        "       fathom ocean exam --count N --dir DIR [--seed HEX] [FLAGS]\n"
        "       fathom ocean exam --dir DIR --score FILE\n"
        "       fathom ocean bench [--json]\n"
        "       fathom ocean eyes [--count N] [--acuity NAME] [--out DIR] [--json] [FLAGS]\n"
        "\n"
        "Draws the stack of sheets that this seed deals, as the server shows it to players.\n"
        "\n"
        "  --seed HEX       the deal's seed: 64 hex digits, or a number\n"
        "  --round N        the stack in round N, 1 to 8, if five sheets go in each round (default "
        "1)\n"
        "  --tilt X,Y       degrees to the right and down, -28 to 28, rounded to one of 13 steps\n"
        "                   each (default 0,0: straight down)\n"
        "  --lamp WHERE     a lamp: above:X,Y, below:X,Y or side:X,Y, each from 0 to 1\n"
        "  --octopus X,Y    where the giant octopus lies, each from 0 to 1\n"
        "  --sheet LEVEL    only the sheet of this level, as it is shown after the dive; prints\n"
        "                   where its creatures lie, as circles in widths of the sheet\n"
        "  --preset NAME    the water, see below\n"
        "  --size N         width in pixels, 64 to 2048 (default 640)\n"
        "  --quality N      of JPEG and WebP, 1 to 100 (default 40)\n"
        "  --art DIR        use your own drawings, see docs/ocean.md\n"
        "  --out FILE       the picture: JPEG, WebP or PNG, by the name\n"
        "  --sheets FILE    all 36 sheets side by side, the top one first; --size is the width\n"
        "                   of each, up to 512\n"
        "  --postcard NAME  a thumbnail for a table; it shows nothing secret\n"
        "\n"
        "exam writes pictures of stacks into DIR, for people to judge, and what is on the sheets\n"
        "into DIR/truth; the same --seed gives the same stacks. With --score it compares a file "
        "of\n"
        "guesses with the truth. bench measures how long pictures take.\n"
        "\n"
        "eyes measures how well the bots' eyes, which get nothing but pictures, see random "
        "stacks:\n"
        "  --count N        how many stacks (default 100)\n"
        "  --seed SEED      a number or 64 hex digits; equal seeds give equal stacks\n"
        "  --from N         number of the first stack, to split a run (default 0)\n"
        "  --acuity NAME    keen, average or short-sighted (default: all three)\n"
        "  --preset NAME    the water\n"
        "  --jobs N         threads; the result is the same for any number\n"
        "  --out DIR        write DIR/picture-NAME.json: eyes for fathom sim --eyes FILE\n"
        "  --finds FILE     use other stacks, and write everything that was found, and the truth,\n"
        "                   for tools/eyes-fit\n"
        "  --json           print the figures as JSON\n",
    .more_help = more_help,
};
