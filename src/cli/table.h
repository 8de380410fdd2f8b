/* table.h: a table from the command line: every option of a game is a flag of the same name. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli/cli.h"

#include <getopt.h>

/* Handles one of a command's own flags; CLI_FINE to continue. */
typedef int cli_flag_fn(void *context, int flag, const char *value);

/* Reads `GAME [flags]`: the command's own flags go to `own_flag`, the game's options and --deck
 * into the setup. */
int cli_read_table(const char *command, int argc, char **argv, const struct option *own,
                   cli_flag_fn *own_flag, void *context, struct fm_setup *setup);

/* Prints the games, their options, decks and bots, for help pages. */
void cli_help_games(void);

#endif
