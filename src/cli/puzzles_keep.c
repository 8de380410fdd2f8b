/*
 * puzzles_keep.c: what a search for puzzles has found so far, and the files that it ends with.
 *
 * A puzzle is written as soon as it is found, into a file whose name says which game and which seed
 * it was found with (GAME-DIGITS.part). Whoever starts the same search again finds it there. When
 * all are found, they become GAME-01.json and so on.
 */
#include "cli/puzzles.h"

#include "base/hash.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".part"
#define DIGITS 16

struct found {
    struct puzzles_place place;
    char *text;
    size_t n;
    int64_t difficulty, margin;
};

static bool is_part(const char *name)
{
    const size_t n = strlen(name), m = strlen(ENDING);
    return n > m && strcmp(name + n - m, ENDING) == 0;
}

int puzzles_check_folder(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    bool empty = true;
    if (folder == NULL)
        return cli_complain("puzzles", "%s: cannot be opened: %s", path, strerror(errno));
    while ((entry = readdir(folder)) != NULL)
        empty &= strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                 is_part(entry->d_name);
    (void)closedir(folder);
    /* a name in it is GAME-DIGITS.part, or GAME-NUMBER.json */
    if (strlen(path) + FM_NAME_MAX + DIGITS + 8 > sizeof((struct puzzles_place *)NULL)->path)
        return cli_complain("puzzles", "%s: this path is too long", path);
    return empty ? CLI_FINE : cli_complain("puzzles", "%s: the folder is not empty", path);
}

void puzzles_place(struct puzzles_place *place, const struct puzzles_run *run,
                   const struct fm_game *game, uint64_t i)
{
    const struct fm_span spans[] = {
        {run->seed, sizeof run->seed}, {game->id, strlen(game->id)}, {&i, sizeof i}};
    char digits[DIGITS + 1];
    fm__hash(place->seed, "fathom puzzles 1", spans, 3);
    for (size_t k = 0; k < DIGITS / 2; k++)
        (void)snprintf(digits + 2 * k, 3, "%02x", place->seed[k]);
    (void)snprintf(place->path, sizeof place->path, "%s/%s-%s" ENDING, run->folder, game->id,
                   digits);
}

/* NULL: it is not there, or was not written to its end. */
static char *read_part(const struct puzzles_place *place, size_t *n, struct puzzle *p,
                       struct puzzle_memory *memory)
{
    struct fm_fault fault;
    char *text = cli_read(place->path, PUZZLE_TEXT, n, &fault);
    if (text == NULL || fm__puzzle_read(p, text, *n, memory, &fault) == FM_OK)
        return text;
    free(text);
    return NULL;
}

bool puzzles_is_kept(const struct puzzles_place *place, struct puzzle *p,
                     struct puzzle_memory *memory)
{
    size_t n;
    char *text = read_part(place, &n, p, memory);
    free(text);
    return text != NULL;
}

/* ---- from easy to hard ----------------------------------------------------------------------- */

/* Of equals the one with the wider margin is easier. */
static int by_difficulty(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->difficulty != y->difficulty)
        return x->difficulty < y->difficulty ? -1 : 1;
    if (x->margin != y->margin)
        return x->margin > y->margin ? -1 : 1;
    const int order = memcmp(x->text, y->text, x->n < y->n ? x->n : y->n);
    return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

static int read_all(struct found *found, const struct puzzles_run *run, const struct fm_game *game)
{
    struct puzzle *p = cli_alloc(sizeof *p);
    struct puzzle_memory *memory = cli_alloc(sizeof *memory);
    int status = CLI_FINE;
    for (uint64_t i = 0; i < run->count && status == CLI_FINE; i++) {
        struct found *one = &found[i];
        puzzles_place(&one->place, run, game, i);
        one->text = read_part(&one->place, &one->n, p, memory);
        if (one->text == NULL) {
            status = cli_complain("puzzles", "%s: cannot be read again", one->place.path);
            continue;
        }
        one->difficulty = fm__puzzle_difficulty(p);
        one->margin = fm__puzzle_margin(&p->decision);
    }
    free(memory);
    free(p);
    return status;
}

static int write_all(struct found *found, const struct puzzles_run *run, const struct fm_game *game)
{
    char path[sizeof found->place.path];
    int status = CLI_FINE;
    qsort(found, run->count, sizeof *found, by_difficulty);
    for (uint64_t i = 0; i < run->count && status == CLI_FINE; i++) {
        (void)snprintf(path, sizeof path, "%s/%s-%02u.json", run->folder, game->id,
                       (unsigned)i + 1);
        status = cli_write("puzzles", path, found[i].text, found[i].n);
    }
    return status;
}

int puzzles_sort(const struct puzzles_run *run, const struct fm_game *game)
{
    struct found *found = cli_alloc(run->count * sizeof *found);
    int status = read_all(found, run, game);
    if (status == CLI_FINE)
        status = write_all(found, run, game);
    for (uint64_t i = 0; i < run->count; i++) {
        if (status == CLI_FINE)
            (void)remove(found[i].place.path);
        free(found[i].text);
    }
    free(found);
    if (status == CLI_FINE)
        printf("%s: %llu puzzle%s\n", game->title, (unsigned long long)run->count,
               run->count == 1 ? "" : "s");
    return status;
}
