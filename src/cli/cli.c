/* cli.c: files, flags and error messages, for all commands of `fathom`. */
#include "cli/cli.h"

#include "base/hash.h"
#include "base/panic.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void *cli_alloc(size_t n)
{
    void *p = calloc(1, n);
    if (p == NULL) {
        fprintf(stderr, "fathom: out of memory\n");
        exit(CLI_BAD);
    }
    return p;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Reads the rest of a file, up to max + 1 bytes; grows as needed, since most files are small. */
static char *slurp(FILE *file, size_t max, size_t *n)
{
    size_t room = 0x4000;
    char *text = cli_alloc(room);
    *n = 0;
    for (;;) {
        *n += fread(text + *n, 1, room - *n, file);
        if (*n < room || *n > max)
            return text;
        char *more = cli_alloc(2 * room);
        memcpy(more, text, *n);
        free(text);
        text = more;
        room *= 2;
    }
}

char *cli_read(const char *path, size_t max, size_t *n, struct fm_fault *fault)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (file == NULL) {
        fm_fail(fault, FM_E_FILE, "cannot be opened: %s", strerror(errno));
        return NULL;
    }
    errno = 0;
    char *text = slurp(file, max, n);
    const bool failed = ferror(file) != 0;
    const int error = errno;
    if (!standard)
        (void)fclose(file);
    if (!failed && *n <= max)
        return text;
    if (failed)
        fm_fail(fault, FM_E_FILE, "cannot be read: %s", strerror(error));
    else
        fm_fail(fault, FM_E_SIZE, "is larger than %zu bytes", max);
    free(text);
    return NULL;
}

int cli_write(const char *command, const char *path, const char *text, size_t n)
{
    FILE *file = fopen(path, "wb");
    bool written = file != NULL;
    if (file != NULL) {
        written = fwrite(text, 1, n, file) == n;
        written = fclose(file) == 0 && written;
    }
    return written ? CLI_FINE : cli_complain(command, "%s could not be written", path);
}

bool cli_load_deck(struct fm_deck *deck, const char *path, struct fm_fault *fault)
{
    size_t n;
    char *text = cli_read(path, FM_DECK_FILE, &n, fault);
    if (text == NULL)
        return false;
    const enum fm_err err = fm_deck_parse(deck, text, n, fault);
    free(text);
    return err == FM_OK;
}

static bool ends_in(const char *name, const char *ending)
{
    const size_t n = strlen(name), m = strlen(ending);
    return n > m && strcmp(name + n - m, ending) == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

int cli_each(const char *command, const char *folder, const char *ending, cli_each_file *each,
             void *arg)
{
    struct dirent **found;
    struct stat st;
    int status = CLI_FINE;
    const int n = scandir(folder, &found, NULL, by_name);
    if (n < 0)
        return cli_complain(command, "%s: cannot be opened: %s", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        char path[PATH_MAX];
        const char *name = found[i]->d_name;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
        const bool usable = name[0] != '.' && length > 0 && (size_t)length < sizeof path;
        if (status == CLI_FINE && usable && stat(path, &st) == 0) {
            if (S_ISDIR(st.st_mode))
                status = cli_each(command, path, ending, each, arg);
            else if (ends_in(name, ending))
                status = each(arg, path);
        }
        free(found[i]);
    }
    free(found);
    return status;
}

struct deck_folder {
    const char *command;
    struct fm_deck *decks;
    size_t *n;
};

static int load_one(void *arg, const char *path)
{
    const struct deck_folder *f = arg;
    struct fm_fault fault;
    if (*f->n == CLI_DECKS)
        return cli_complain(f->command, "%s: more than %d decks", path, CLI_DECKS);
    if (!cli_load_deck(&f->decks[*f->n], path, &fault))
        return cli_complain_file(f->command, path, &fault);
    ++*f->n;
    return CLI_FINE;
}

int cli_load_decks(const char *command, const char *folder, struct fm_deck *decks, size_t *n)
{
    struct deck_folder f = {command, decks, n};
    return cli_each(command, folder, ".json", load_one, &f);
}

/* ---- flags ---------------------------------------------------------------------------------- */

bool cli_number(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    const size_t n = strlen(text);
    if (n == 0 || n > 20 || strspn(text, "0123456789") != n)
        return false;
    errno = 0;
    *out = strtoull(text, NULL, 10);
    return errno == 0 && *out >= min && *out <= max;
}

bool cli_seed(const char *text, uint8_t seed[FM_SEED_BYTES])
{
    uint64_t number;
    if (fm__unhex(seed, FM_SEED_BYTES, text) == 0)
        return true;
    if (!cli_number(text, 0, UINT64_MAX, &number))
        return false;
    fm__hash(seed, "fathom seed 1", &(struct fm_span){&number, sizeof number}, 1);
    return true;
}

/* ---- words ---------------------------------------------------------------------------------- */

int cli_complain(const char *command, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fm__clean(text);
    (void)fflush(stdout);
    fprintf(stderr, "fathom %s: %s\n", command, text);
    return CLI_BAD;
}

int cli_complain_file(const char *command, const char *path, const struct fm_fault *fault)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (fault->line > 0 && strncmp(fault->text, "line ", 5) != 0)
        return cli_complain(command, "%s: line %d: %s", name, fault->line, fault->text);
    return cli_complain(command, "%s: %s", name, fault->text);
}

int cli_bad_flag(const char *command, char **argv, int option)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    const bool is_letter = optopt > 0 && optopt < 128; /* a one-letter flag: there are none */
    const char *flag = is_letter ? letter : argv[optind > 1 ? optind - 1 : 1];
    if (option == ':')
        return cli_complain(command, "%s needs a value (fathom %s --help)",
                            argv[optind > 1 ? optind - 1 : 1], command);
    return cli_complain(command, "%s is not a flag here (fathom %s --help)", flag, command);
}

void cli_print(const struct fm_out *o)
{
    fm_assert(fm_out_ok(o));
    (void)fwrite(o->buf, 1, o->len, stdout);
    (void)putchar('\n');
}
