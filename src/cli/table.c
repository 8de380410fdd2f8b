/* table.c: a game's options as flags, and the help that lists them. */
#include "cli/table.h"

#include "base/panic.h"

#include <fathom/bot.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define FLAG_NAME 40

enum { FLAG_OPTION = 256, FLAG_DECK = FLAG_OPTION + FM_MAX_OPTIONS, FLAG_RULES, MAX_FLAGS = 40 };

struct flags {
    struct option list[MAX_FLAGS];
    char names[FM_MAX_OPTIONS][FLAG_NAME];
    int n;
};

static void add(struct flags *f, const char *name, int has_arg, int value)
{
    fm_assert(f->n < MAX_FLAGS - 1); /* the last stays zero and ends the list */
    f->list[f->n++] = (struct option){.name = name, .has_arg = has_arg, .val = value};
}

/* An option's name with dashes, as in flags. */
static void flag_name(const struct fm_option *option, char name[FLAG_NAME])
{
    (void)snprintf(name, FLAG_NAME, "%s", option->name);
    for (char *p = name; *p != '\0'; p++)
        *p = *p == '_' ? '-' : *p;
}

static void collect(struct flags *f, const struct fm_game *g, const struct option *own)
{
    memset(f, 0, sizeof *f);
    for (; own->name != NULL; own++)
        add(f, own->name, own->has_arg, own->val);
    for (uint32_t i = 0; i < g->n_options; i++) {
        const struct fm_option *option = &g->options[i];
        const int has_arg = option->kind == FM_OPT_FLAG ? no_argument : required_argument;
        flag_name(option, f->names[i]);
        add(f, f->names[i], has_arg, FLAG_OPTION + (int)i);
        if (strcmp(f->names[i], option->name) != 0) /* underscores, as in JSON, are accepted too */
            add(f, option->name, has_arg, FLAG_OPTION + (int)i);
    }
    add(f, "deck", required_argument, FLAG_DECK);
    add(f, "rules", required_argument, FLAG_RULES);
}

/* "4" is a number, "[1,0]" a list, anything else a word; the table's own checks do the rest. */
static json_t *flag_value(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    return value ? value : json_string(text);
}

static json_t *option_value(const struct fm_option *option, const char *text)
{
    return option->kind == FM_OPT_FLAG ? json_true() : flag_value(text);
}

static bool looks_like_file(const char *text)
{
    return strchr(text, '/') != NULL || strstr(text, ".json") != NULL || strcmp(text, "-") == 0;
}

/* Handles --deck: a file is loaded, an id becomes an option. */
static int read_deck(const char *command, const char *text, struct fm_library *library,
                     struct fm_deck *deck, json_t *options)
{
    struct fm_fault fault;
    if (!looks_like_file(text))
        return json_object_set_new(options, "deck", json_string(text)) == 0
                   ? CLI_FINE
                   : cli_complain(command, "--deck: this is not UTF-8");
    if (!cli_load_deck(deck, text, &fault))
        return cli_complain_file(command, text, &fault);
    library->decks = deck;
    library->n_decks = 1;
    return CLI_FINE;
}

static int read_flags(const char *command, int argc, char **argv, const struct flags *f,
                      const struct fm_game *g, cli_flag_fn *own_flag, void *context,
                      struct fm_library *library, struct fm_deck *deck, json_t *table)
{
    json_t *options = json_object_get(table, "options");
    int flag, status = CLI_FINE;
    opterr = 0;
    while (status == CLI_FINE && (flag = getopt_long(argc, argv, ":", f->list, NULL)) != -1) {
        if (flag == '?' || flag == ':') {
            status = cli_bad_flag(command, argv, flag);
        } else if (flag == FLAG_DECK) {
            status = read_deck(command, optarg, library, deck, options);
        } else if (flag == FLAG_RULES) {
            if (json_object_set_new(table, "rules", flag_value(optarg)) != 0)
                status = cli_complain(command, "--rules: this is not UTF-8");
        } else if (flag >= FLAG_OPTION) {
            const struct fm_option *option = &g->options[flag - FLAG_OPTION];
            if (json_object_set_new(options, option->name, option_value(option, optarg)) != 0)
                status = cli_complain(command, "--%s: this is not UTF-8", option->name);
        } else {
            status = own_flag(context, flag, optarg);
        }
    }
    if (status == CLI_FINE && optind < argc)
        status = cli_complain(command, "\"%s\" is one word too many", argv[optind]);
    return status;
}

int cli_read_table(const char *command, int argc, char **argv, const struct option *own,
                   cli_flag_fn *own_flag, void *context, struct fm_setup *setup)
{
    if (argc < 2 || argv[1][0] == '-')
        return cli_complain(command, "name a game first (fathom %s --help)", command);
    const struct fm_game *g = fm_game_find(argv[1]);
    if (g == NULL)
        return cli_complain(command, "there is no game \"%s\" (fathom %s --help)", argv[1],
                            command);
    struct flags f;
    collect(&f, g, own);
    struct fm_deck deck;
    struct fm_library library = {0};
    struct fm_fault fault;
    json_t *options = json_object();
    json_t *table = json_pack("{s:s,s:O}", "game", g->id, "options", options);
    fm_assert(table != NULL);
    int status =
        read_flags(command, argc - 1, argv + 1, &f, g, own_flag, context, &library, &deck, table);
    if (status == CLI_FINE && library.n_decks > 0 && deck.game != g)
        status = cli_complain(command, "--deck: %s is a deck for %s, not for %s", deck.id,
                              deck.game->title, g->title);
    if (status == CLI_FINE && fm_setup_parse(setup, table, &library, &fault) != FM_OK)
        status = cli_complain(command, "%s", fault.text);
    json_decref(table);
    json_decref(options);
    return status;
}

/* ---- help ------------------------------------------------------------------------------------ */

/* Prints the words that an option takes, in lines that are not too long. */
static void help_words(const struct fm_option *option)
{
    size_t column = 6 + strlen(option->name);
    for (int i = 0; option->words[i] != NULL; i++) {
        const size_t n = 1 + strlen(option->words[i]);
        const bool fits = column + n < 96;
        printf("%s%s%s", i ? "|" : " ", fits ? "" : "\n            ", option->words[i]);
        column = fits ? column + n : 12 + n;
    }
}

static void help_option(const struct fm_option *option)
{
    char name[FLAG_NAME];
    flag_name(option, name);
    printf("    --%s", name);
    if (option->kind == FM_OPT_INT)
        printf(" %d-%d", option->min, option->max);
    if (option->kind == FM_OPT_SEAT)
        printf(" SEAT|random");
    if (option->kind == FM_OPT_SEATS)
        printf(" [SEAT,SEAT…]");
    if (option->kind == FM_OPT_WORD)
        help_words(option);
    printf("\n        %s\n", option->about);
}

void cli_help_games(void)
{
    const struct fm_game *g;
    const struct fm_bot *bot;
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        printf("\n  %s (%s)\n", g->id, g->title);
        for (uint32_t k = 0; k < g->n_options; k++)
            help_option(&g->options[k]);
        printf("    --deck ID|FILE\n        a built-in deck or a file of your own (default %s)\n",
               g->deck);
        printf("    --rules 1-%d\n        version of the rules (default %d)\n", g->newest_rules,
               g->newest_rules);
        printf("    bots:\n");
        for (size_t k = 0; (bot = fm_bot_at(k)) != NULL; k++)
            if (bot->game == NULL || strcmp(bot->game, g->id) == 0)
                printf("        %-10s %s\n", bot->id, bot->about);
    }
}
