/* serve.c: `fathom serve`: the table, for browsers and programs. */
#include "cli/cli.h"

#include "server/net.h"

#include <getopt.h>

static void ready(const char *host, int port)
{
    printf("fathom: serving on http://%s:%d\n", host, port);
    (void)fflush(stdout);
}

static int run(int argc, char **argv)
{
    static const struct option list[] = {
        {"host", required_argument, NULL, 'h'},   {"port", required_argument, NULL, 'p'},
        {"store", required_argument, NULL, 's'},  {"bot-ms", required_argument, NULL, 'b'},
        {"tables", required_argument, NULL, 't'}, {NULL, 0, NULL, 0},
    };
    static const struct fm_library library = {0};
    struct srv_config config = {.host = "127.0.0.1",
                                .port = 8080,
                                .store = "sqlite:fathom.db",
                                .library = &library,
                                .bot_ms = 1200,
                                .tables = 10000};
    struct fm_fault fault;
    uint64_t number;
    int flag;
    opterr = 0;
    while ((flag = getopt_long(argc, argv, ":", list, NULL)) != -1) {
        if (flag == '?' || flag == ':')
            return cli_bad_flag("serve", argv, flag);
        if (flag == 'h') {
            config.host = optarg;
        } else if (flag == 's') {
            config.store = optarg;
        } else if (!cli_number(optarg, flag == 't', flag == 'p' ? 65535 : 1000000, &number)) {
            return cli_complain("serve", "\"%.40s\" is not a number that is taken here", optarg);
        } else if (flag == 'p') {
            config.port = (int)number;
        } else if (flag == 'b') {
            config.bot_ms = (unsigned)number;
        } else {
            config.tables = (unsigned)number;
        }
    }
    if (optind < argc)
        return cli_complain("serve", "\"%s\" is one word too many", argv[optind]);
    if (srv_serve(&config, ready, &fault) != FM_OK)
        return cli_complain("serve", "%s", fault.text);
    return CLI_FINE;
}

const struct cli_command cli_serve = {
    .name = "serve",
    .run = run,
    .about = "serve tables over HTTP and WebSocket",
    .help = "usage: fathom serve [FLAGS]\n"
            "\n"
            "Serves until it is told to stop (SIGTERM, Ctrl-C), and keeps every table.\n"
            "\n"
            "  --host ADDRESS   127.0.0.1\n"
            "  --port N         8080; 0: any that is free\n"
            "  --store WHERE    sqlite:fathom.db\n"
            "  --bot-ms N       the longest that a bot takes over a move; 1200\n"
            "  --tables N       how many are in memory at most; 10000\n"
            "\n"
            "docs/protocol-server.md says how to talk to it.\n",
};
