/* main.c: `fathom COMMAND …`. */
#include "cli/cli.h"

#include "base/hash.h"
#include "base/panic.h"
#include "server/crash.h"

#include <string.h>

static const struct cli_command *const commands[] = {
    &cli_referee, &cli_replay, &cli_analyse, &cli_puzzles, &cli_sim,   &cli_arena,
    &cli_bench,   &cli_decks,  &cli_ocean,   &cli_serve,   &cli_store, &cli_version,
};

/* The version as JSON, with the rules of each game that can be played. */
static int show_rules(void)
{
    char text[4096];
    struct fm_out o;
    const struct fm_game *g;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_text(&o, "version", FATHOM_VERSION);
    fm_js_key(&o, "games");
    fm_js_array(&o);
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        fm_js_object(&o);
        fm_js_key_text(&o, "game", g->id);
        fm_put_rules(&o, g);
        fm_js_end_object(&o);
    }
    fm_js_end_array(&o);
    fm_js_end_object(&o);
    fm_assert(fm_out_ok(&o));
    printf("%s\n", text);
    return CLI_FINE;
}

static int show_version(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--json") == 0)
        return show_rules();
    if (argc > 1)
        return cli_complain(argv[0], "\"%s\": it takes --json and nothing else", argv[1]);
    printf("fathom %s\n", FATHOM_VERSION);
    return CLI_FINE;
}

const struct cli_command cli_version = {
    .name = "version",
    .run = show_version,
    .about = "print the version",
    .help = "usage: fathom version [--json]\n\n"
            "  --json   as JSON, with the versions of each game's rules\n",
};

static void help(FILE *to)
{
    fprintf(to, "fathom: a server and tools for underwater board games\n\n"
                "usage: fathom COMMAND [FLAGS] [FILE]\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        fprintf(to, "  %-9s %s\n", commands[i]->name, commands[i]->about);
    fprintf(to, "  %-9s print this page, or that of a command\n\n", "help");
    fprintf(to, "fathom COMMAND --help says more. Exit status: 0 success, 1 an illegal move,\n"
                "2 a bad file or flag.\n");
}

static int help_command(const struct cli_command *command)
{
    printf("%s", command->help);
    if (command->more_help != NULL)
        command->more_help();
    return CLI_FINE;
}

static const struct cli_command *find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        help(stderr);
        return CLI_BAD;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0)
        name = "version";
    const bool asks =
        strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    if (asks && argc < 3) {
        help(stdout);
        return CLI_FINE;
    }
    const struct cli_command *command = find(asks ? argv[2] : name);
    if (command == NULL)
        return cli_complain("help", "there is no command \"%s\"", asks ? argv[2] : name);
    for (int i = 2; i < argc; i++)
        if (asks || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return help_command(command);
    return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    srv_crash_watch();
    if (fm__hash_start() != 0) {
        fprintf(stderr, "fathom: libsodium cannot be started\n");
        return CLI_BAD;
    }
    const int status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("fathom: standard output cannot be written");
        return CLI_BAD;
    }
    return status;
}
