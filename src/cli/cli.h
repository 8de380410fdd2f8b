/* cli.h: what the commands of `fathom` share. */
#ifndef CLI_H
#define CLI_H

#include <fathom/deck.h>
#include <fathom/game.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Exit statuses: an illegal move is 1, a bad file or flag 2. */
enum { CLI_FINE = 0, CLI_ILLEGAL = 1, CLI_BAD = 2 };

struct cli_command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
    const char *about;
    const char *help;
    void (*more_help)(void); /* the part that depends on the build; NULL: none */
};

extern const struct cli_command cli_referee, cli_replay, cli_analyse, cli_puzzles, cli_sim,
    cli_arena, cli_bench, cli_decks, cli_ocean, cli_serve, cli_store, cli_version;

/* ---- files ---------------------------------------------------------------------------------- */

/* Reads a whole file, or standard input for "-"; free() it. NULL and a fault otherwise. */
char *cli_read(const char *path, size_t max, size_t *n, struct fm_fault *fault);
/* Writes a whole file, or complains. */
int cli_write(const char *command, const char *path, const char *text, size_t n);
bool cli_load_deck(struct fm_deck *deck, const char *path, struct fm_fault *fault);
/*
 * Calls each for all files in a folder and its subfolders whose names end with this; stops at the
 * first that does not return CLI_FINE, and returns its status. Complains if the folder cannot be
 * opened.
 */
typedef int cli_each_file(void *arg, const char *path);
int cli_each(const char *command, const char *folder, const char *ending, cli_each_file *each,
             void *arg);
#define CLI_DECKS 64 /* most decks of one's own */
/* Loads all *.json of a folder; decks has room for CLI_DECKS. Prints its own errors. */
int cli_load_decks(const char *command, const char *folder, struct fm_deck *decks, size_t *n);
/* Plays all lines of a record; FM_E_OVER if every one of them is right. */
struct fm_playback;
enum fm_err cli_play_record(struct fm_playback *p, const char *text, size_t n,
                            const struct fm_library *library, struct fm_fault *fault);
/* After a fault of it: was it a move against the rules, or is the file itself broken? */
bool cli_is_illegal_move(const struct fm_fault *fault);
void *cli_alloc(size_t n); /* never NULL */

/* ---- flags ---------------------------------------------------------------------------------- */

bool cli_number(const char *text, uint64_t min, uint64_t max, uint64_t *out);
/* A decimal number or 64 hex digits as a seed. */
bool cli_seed(const char *text, uint8_t seed[FM_SEED_BYTES]);

/* ---- words ---------------------------------------------------------------------------------- */

/* "fathom sim: …" on standard error; returns CLI_BAD. */
int cli_complain(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "fathom replay: FILE:12: …" */
int cli_complain_file(const char *command, const char *path, const struct fm_fault *fault);
/* After getopt's '?' or ':'. */
int cli_bad_flag(const char *command, char **argv, int option);
int cli_prune(int argc, char **argv);   /* `fathom store prune`; argv[0] is "prune" */
void cli_print(const struct fm_out *o); /* to standard output, with a newline */

#endif
