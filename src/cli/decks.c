/* decks.c: `fathom decks`: lists the built-in decks, checks a file, prints a deck. */
#include "cli/cli.h"

#include <string.h>

static void print_hash(const struct fm_deck *deck)
{
    for (size_t i = 0; i < sizeof deck->hash; i++)
        printf("%02x", deck->hash[i]);
    printf("\n");
}

static int list(void)
{
    struct fm_deck deck;
    struct fm_fault fault;
    for (size_t i = 0; i < fm_deck_builtin_count(); i++) {
        if (fm_deck_builtin(&deck, i, &fault) != FM_OK)
            return cli_complain_file("decks", "a built-in deck", &fault);
        printf("%-18s %-10s %-24s ", deck.id, deck.game->id, deck.title);
        print_hash(&deck);
    }
    return CLI_FINE;
}

static int validate(const char *path)
{
    struct fm_deck deck;
    struct fm_fault fault;
    if (!cli_load_deck(&deck, path, &fault))
        return cli_complain_file("decks", path, &fault);
    printf("%s: fine: %s, a deck for %s, ", path, deck.id, deck.game->id);
    print_hash(&deck);
    return CLI_FINE;
}

static int show(const char *id)
{
    struct fm_deck deck;
    struct fm_fault fault;
    char text[8192];
    struct fm_out o;
    for (size_t i = 0; i < fm_deck_builtin_count(); i++) {
        if (fm_deck_builtin(&deck, i, &fault) != FM_OK || strcmp(deck.id, id) != 0)
            continue;
        fm_out_init(&o, text, sizeof text);
        deck.game->wire->put_deck(&o, &deck);
        printf("%s", text);
        return CLI_FINE;
    }
    return cli_complain("decks", "there is no built-in deck \"%s\"", id);
}

static int run(int argc, char **argv)
{
    if (argc == 1 || (argc == 2 && strcmp(argv[1], "list") == 0))
        return list();
    if (argc == 3 && strcmp(argv[1], "validate") == 0)
        return validate(argv[2]);
    if (argc == 3 && strcmp(argv[1], "show") == 0)
        return show(argv[2]);
    return cli_complain("decks", "say list, validate FILE or show ID (fathom decks --help)");
}

const struct cli_command cli_decks = {
    .name = "decks",
    .run = run,
    .about = "list the built-in decks, or validate a deck file",
    .help = "usage: fathom decks [list]\n"
            "       fathom decks validate FILE|-\n"
            "       fathom decks show ID\n"
            "\n"
            "list      prints id, game, title and hash of the built-in decks\n"
            "validate  checks a deck file of your own, and names the card and field at fault\n"
            "show      prints the cards of a built-in deck\n"
            "\n"
            "docs/decks.md explains the format.\n",
};
