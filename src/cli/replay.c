/* replay.c: `fathom replay`: replays a record and checks every line of it. */
#include "cli/cli.h"
#include "cli/page.h"

#include "base/text.h"

#include <fathom/record.h>

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const struct option flags[] = {
    {"deck", required_argument, NULL, 'd'},
    {"json", no_argument, NULL, 'j'},
    {"open", no_argument, NULL, 'o'},
    {NULL, 0, NULL, 0},
};

static void print_fault(const char *path, const struct fm_fault *fault)
{
    char text[4096];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "ok");
    fm_js_bool(&o, false);
    fm_js_key(&o, "error");
    fm_js_object(&o);
    fm_js_key_text(&o, "file", path);
    fm_js_key(&o, "line");
    if (fault->line > 0)
        fm_js_int(&o, fault->line);
    else
        fm_js_null(&o);
    fm_js_key_text(&o, "code", fm_err_code(fault->code));
    fm_js_key_text(&o, "message", fault->text);
    fm_js_end_object(&o);
    fm_js_end_object(&o);
    cli_print(&o);
}

static void print_fine(const struct fm_playback *p, const char *path, bool json)
{
    char text[FM_RECORD_LINE];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    if (json) {
        fm_js_object(&o);
        fm_js_key(&o, "ok");
        fm_js_bool(&o, true);
        fm_js_key_text(&o, "game", p->setup.game->id);
        fm_js_key_int(&o, "events", p->last_line - 2);
        fm_js_key(&o, "result");
        fm_put_result(&o, p->setup.game, p->state);
        fm_js_end_object(&o);
    } else {
        fm_put(&o, path);
        fm_put(&o, ": fine: ");
        fm_put(&o, p->setup.game->title);
        fm_put(&o, ", ");
        fm_put_int(&o, p->last_line - 2);
        fm_put(&o, " events as recorded, the seed fits the commitment; result ");
        o.last = '\0';
        fm_put_result(&o, p->setup.game, p->state);
    }
    cli_print(&o);
}

enum fm_err cli_play_record(struct fm_playback *p, const char *text, size_t n,
                            const struct fm_library *library, struct fm_fault *fault)
{
    struct fm_event ev;
    enum fm_err err = fm_playback_open(p, text, n, library, NULL, fault);
    while (err == FM_OK)
        err = fm_playback_next(p, &ev, NULL, fault);
    return err;
}

bool cli_is_illegal_move(const struct fm_fault *fault)
{
    return fault->code > FM_E_FILE && fault->line > 1; /* the first line is the table */
}

static int tell_fault(const char *path, const struct fm_fault *fault, bool json)
{
    if (json)
        print_fault(path, fault);
    else
        (void)cli_complain_file("replay", path, fault);
    return cli_is_illegal_move(fault) ? CLI_ILLEGAL : CLI_BAD;
}

static int run(int argc, char **argv)
{
    static struct fm_playback playback;
    struct fm_deck deck;
    struct fm_library library = {.decks = &deck};
    struct fm_fault fault = {.action = -1};
    bool json = false, open = false;
    int flag;
    opterr = 0;
    while ((flag = getopt_long(argc, argv, ":", flags, NULL)) != -1) {
        switch (flag) {
        case 'd':
            if (!cli_load_deck(&deck, optarg, &fault))
                return cli_complain_file("replay", optarg, &fault);
            library.n_decks = 1;
            break;
        case 'j':
            json = true;
            break;
        case 'o':
            open = true;
            break;
        default:
            return cli_bad_flag("replay", argv, flag);
        }
    }
    if (optind + 1 != argc)
        return cli_complain("replay", "name one record, or - for standard input");
    if (open && library.n_decks > 0)
        return cli_complain("replay", "--open shows games with built-in decks alone, not --deck");
    char path[1024];
    (void)snprintf(path, sizeof path, "%s", argv[optind]);
    fm__clean(path); /* a file name may contain any bytes, the output must not */
    size_t n;
    char *text = cli_read(argv[optind], FM_RECORD_MAX, &n, &fault);
    int status;
    if (text != NULL && cli_play_record(&playback, text, n, &library, &fault) == FM_E_OVER) {
        print_fine(&playback, path, json);
        status = open ? cli_open_record(text, n) : CLI_FINE;
    } else {
        status = tell_fault(path, &fault, json);
    }
    free(text);
    return status;
}

const struct cli_command cli_replay = {
    .name = "replay",
    .run = run,
    .about = "replay a record and check every line of it",
    .help = "usage: fathom replay [--deck FILE] [--json] [--open] FILE|-\n"
            "\n"
            "Replays a record and checks every line: that no byte was changed, that each move is\n"
            "legal and leads to the recorded state, that the result is right, and that the seed\n"
            "matches the commitment. Names the line that is wrong.\n"
            "\n"
            "  --deck FILE   the deck it was played with, if it is not built in\n"
            "  --json        print the answer as JSON\n"
            "  --open        show the game in the browser of this machine, until Ctrl-C\n"
            "\n"
            "Exit status: 0 the record is correct, 1 a move is illegal, 2 the file is broken or "
            "altered.\n",
};
