/* arena_files.c: result files of a tournament: written deal by deal, read to continue or to
 * merge. */
#include "cli/arena_run.h"

#include "base/json_in.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const modes[] = {
    [ARENA_VERSUS] = "versus", [ARENA_SELF] = "self", [ARENA_PARTNER] = "partner", NULL};

int arena_put_header(struct arena_run *run)
{
    struct arena *a = &run->arena;
    struct fm_out o;
    fm_out_init(&o, a->header, sizeof a->header);
    fm_js_object(&o);
    fm_js_key_int(&o, "fathom_arena", 1);
    fm_js_key_text(&o, "game", run->setup.game->id);
    fm_js_key_int(&o, "rules", run->setup.rules);
    fm_js_key(&o, "options");
    fm_put_options(&o, &run->setup);
    fm_js_key(&o, "deck");
    fm_js_hex(&o, run->setup.deck.hash, sizeof run->setup.deck.hash);
    fm_js_key_int(&o, "seats", a->n_seats);
    fm_js_key_text(&o, "mode", modes[a->mode]);
    fm_js_key(&o, "bots");
    fm_js_array(&o);
    for (unsigned i = 0; i < a->n_bots; i++)
        fm_js_text(&o, a->name[i]);
    fm_js_end_array(&o);
    fm_js_key_text(&o, "partner", a->mode == ARENA_PARTNER ? run->partner_name : NULL);
    fm_js_key_text(&o, "eyes", run->eyes_name);
    fm_js_key_int(&o, "iterations", (int64_t)run->iterations);
    fm_js_key_text(&o, "seed", run->seed_text);
    fm_js_key_int(&o, "deals", (int64_t)a->deals);
    if (run->open_hands) {
        fm_js_key(&o, "open_hands");
        fm_js_bool(&o, true);
    }
    fm_js_end_object(&o);
    return fm_out_ok(&o) ? CLI_FINE : cli_complain("arena", "the tournament's name is too long");
}

/* Reads what the figures need from a header; the rest is only compared byte by byte. */
bool arena_read_header(struct arena *a, const char *line, size_t n, struct fm_fault *fault)
{
    struct fm_in value, name;
    const char *text;
    int number, mode = 0;
    size_t n_bots = 0;
    json_t *json = fm_json_load(line, n, fault);
    if (json == NULL)
        return false;
    const struct fm_in in = fm_in_root(json, "", fault);
    bool fine = n < sizeof a->header || fm_in_fail(&in, FM_E_SIZE, "it is too long");
    fine = fine && fm_in_get(&in, "fathom_arena", &value) && fm_in_int(&value, 1, 1, &number) &&
           fm_in_get(&in, "mode", &value) && fm_in_word(&value, modes, &mode) &&
           fm_in_get(&in, "seats", &value) && fm_in_int(&value, 1, FM_MAX_SEATS, &number);
    a->mode = (enum arena_mode)mode;
    a->n_seats = fine ? (unsigned)number : 0;
    fine = fine && fm_in_get(&in, "deals", &value) && fm_in_int(&value, 1, ARENA_DEALS, &number) &&
           fm_in_get(&in, "bots", &value) &&
           fm_in_array(&value, a->mode == ARENA_VERSUS ? 2 : 1, ARENA_BOTS, &n_bots);
    a->deals = fine ? (uint64_t)number : 0;
    for (size_t i = 0; fine && i < n_bots; i++) {
        name = fm_in_at(&value, i);
        fine = fm_in_text(&name, ARENA_NAME - 1, &text);
        if (fine)
            (void)snprintf(a->name[i], sizeof a->name[i], "%s", text);
    }
    a->n_bots = (unsigned)n_bots;
    if (fine && a->mode == ARENA_PARTNER) {
        fine = fm_in_get(&in, "partner", &value) && fm_in_text(&value, ARENA_NAME - 1, &text);
        if (fine)
            (void)snprintf(a->name[ARENA_PARTNER_BOT], ARENA_NAME, "%s", text);
    }
    if (fine) {
        memcpy(a->header, line, n);
        a->header[n] = '\0';
    }
    json_decref(json);
    return fine;
}

static bool read_line(struct arena_run *run, const char *line, size_t n, struct fm_fault *fault)
{
    static const char *const keys[] = {"entry", "deal", "points", NULL};
    const struct arena *a = &run->arena;
    int entry, deal, points[2];
    size_t two;
    struct fm_in value;
    json_t *json = fm_json_load(line, n, fault);
    if (json == NULL)
        return false;
    const struct fm_in in = fm_in_root(json, "", fault);
    const int most = (int)(ARENA_POINT * arena_games(a));
    bool fine = fm_in_object(&in, keys) && fm_in_get(&in, "entry", &value) &&
                fm_in_int(&value, 0, (int)arena_entries(a) - 1, &entry) &&
                fm_in_get(&in, "deal", &value) && fm_in_int(&value, 0, (int)a->deals - 1, &deal) &&
                fm_in_get(&in, "points", &value) && fm_in_array(&value, 2, 2, &two);
    for (size_t i = 0; fine && i < 2; i++) {
        const struct fm_in at = fm_in_at(&value, i);
        fine = fm_in_int(&at, 0, most, &points[i]);
    }
    if (fine && !arena_add(&run->result, a, (unsigned)entry, (uint64_t)deal, (unsigned)points[0],
                           (unsigned)points[1]))
        fine = fm_in_fail(&in, FM_E_VALUE, "deal %d of entry %d stands there twice", deal, entry);
    json_decref(json);
    return fine;
}

int arena_read_results(struct arena_run *run, const char *path, const char *text, size_t n,
                       size_t *good)
{
    struct fm_fault fault;
    const size_t header = strlen(run->arena.header);
    if (n <= header || memcmp(text, run->arena.header, header) != 0 || text[header] != '\n')
        return cli_complain("arena", "%s holds another tournament", path);
    *good = header + 1;
    for (int line = 2; *good < n; line++) {
        const char *end = memchr(text + *good, '\n', n - *good);
        if (end == NULL)
            break;
        if (!read_line(run, text + *good, (size_t)(end - text) - *good, &fault))
            return cli_complain("arena", "%s: line %d is no outcome of a deal: %s", path, line,
                                fault.text);
        *good = (size_t)(end - text) + 1;
    }
    return CLI_FINE;
}

static int cannot_write(const struct arena_run *run)
{
    return cli_complain("arena", "%s cannot be written: %s", run->path, strerror(errno));
}

int arena_open_results(struct arena_run *run)
{
    struct fm_fault fault;
    size_t n = 0, good = 0;
    if (run->path == NULL)
        return CLI_FINE;
    run->file = fopen(run->path, "ab");
    if (run->file == NULL)
        return cannot_write(run);
    char *text = cli_read(run->path, ARENA_FILE_MAX, &n, &fault);
    if (text == NULL)
        return cli_complain_file("arena", run->path, &fault);
    int status = CLI_FINE;
    if (n == 0)
        status = fprintf(run->file, "%s\n", run->arena.header) > 0 && fflush(run->file) == 0
                     ? CLI_FINE
                     : cannot_write(run);
    else
        status = arena_read_results(run, run->path, text, n, &good);
    if (status == CLI_FINE && good < n && ftruncate(fileno(run->file), (off_t)good) != 0)
        status = cannot_write(run);
    free(text);
    return status;
}
