/* serve.c: `fathom serve`: its flags, its configuration file, its decks. */
#include "cli/cli.h"
#include "cli/page.h"
#include "cli/systemd.h"

#include "server/log.h"
#include "server/net.h"

#include <fathom/record.h>

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_MAX 65536

struct serve {
    struct srv_config config;
    struct fm_library library;
    struct fm_deck *decks;
    const char *archive; /* records that must replay before anything is served */
    char *text;          /* of the configuration file: values point into it */
    bool checks;         /* tests the configuration, and serves nothing */
    char page[CLI_PATH];
};

/* ---- settings ------------------------------------------------------------------------------- */

static const struct option settings[] = {
    {"host", required_argument, NULL, 'h'},
    {"port", required_argument, NULL, 'p'},
    {"store", required_argument, NULL, 's'},
    {"decks", required_argument, NULL, 'd'},
    {"data", required_argument, NULL, 'D'},
    {"cert", required_argument, NULL, 'c'},
    {"key", required_argument, NULL, 'k'},
    {"origin", required_argument, NULL, 'o'},
    {"bot-ms", required_argument, NULL, 'b'},
    {"think-ms", required_argument, NULL, 'T'},
    {"thinkers", required_argument, NULL, 'N'},
    {"secret-ms", required_argument, NULL, 'S'},
    {"tables", required_argument, NULL, 't'},
    {"connections", required_argument, NULL, 'n'},
    {"rate", required_argument, NULL, 'r'},
    {"proxy", required_argument, NULL, 'P'},
    {"address-connections", required_argument, NULL, 'A'},
    {"address-tables", required_argument, NULL, 'w'},
    {"messages", required_argument, NULL, 'm'},
    {"burst", required_argument, NULL, 'B'},
    {"queue", required_argument, NULL, 'q'},
    {"check-archive", required_argument, NULL, 'a'},
    {"painters", required_argument, NULL, 'I'},
    {"analysis-nice", required_argument, NULL, 'y'},
    {"keep-waiting", required_argument, NULL, 'W'},
    {"keep-idle", required_argument, NULL, 'Y'},
    {"keep-finished", required_argument, NULL, 'F'},
    {"keep-notes", required_argument, NULL, 'O'},
    {"log", required_argument, NULL, 'L'},
    {"check", no_argument, NULL, 'K'},
    {"config", required_argument, NULL, 'C'},
    {NULL, 0, NULL, 0},
};

static int set_number(const char *name, const char *value, uint64_t least, uint64_t most,
                      unsigned *out)
{
    uint64_t number;
    if (!cli_number(value, least, most, &number))
        return cli_complain("serve", "--%s takes a whole number from %llu to %llu, not \"%.40s\"",
                            name, (unsigned long long)least, (unsigned long long)most, value);
    *out = (unsigned)number;
    return CLI_FINE;
}

static int set_keep(const char *name, const char *value, uint64_t *seconds)
{
    if (srv_read_duration(value, seconds))
        return CLI_FINE;
    return cli_complain("serve", "--%s takes " SRV_DURATION_SAY ", not \"%.40s\"", name, value);
}

static int set_log(const char *value)
{
    const bool json = strcmp(value, "json") == 0;
    if (!json && strcmp(value, "text") != 0)
        return cli_complain("serve", "--log takes text or json, not \"%.40s\"", value);
    srv_log_as(json ? SRV_LOG_JSON : SRV_LOG_TEXT);
    return CLI_FINE;
}

static int read_config(struct serve *s, const char *path);

static int set(struct serve *s, int flag, const char *value)
{
    struct srv_config *c = &s->config;
    switch (flag) {
    case 'h':
        c->host = value;
        return CLI_FINE;
    case 'p':
        return set_number("port", value, 0, 65535, &c->port);
    case 's':
        c->store = value;
        return CLI_FINE;
    case 'd':
        s->decks = cli_alloc(CLI_DECKS * sizeof *s->decks);
        s->library.decks = s->decks;
        return cli_load_decks("serve", value, s->decks, &s->library.n_decks);
    case 'a':
        s->archive = value;
        return CLI_FINE;
    case 'D':
        c->data = value;
        return CLI_FINE;
    case 'c':
        c->cert = value;
        return CLI_FINE;
    case 'k':
        c->key = value;
        return CLI_FINE;
    case 'o':
        c->origin = value;
        return CLI_FINE;
    case 'b':
        return set_number("bot-ms", value, 0, 60000, &c->bot_ms);
    case 'S':
        return set_number("secret-ms", value, 0, 1000, &c->secret_ms);
    case 'y':
        return set_number("analysis-nice", value, 0, 19, &c->analysis_nice);
    case 'T':
        return set_number("think-ms", value, 1, 60000, &c->think_ms);
    case 'N':
        return set_number("thinkers", value, 0, 64, &c->thinkers);
    case 'I':
        return set_number("painters", value, 0, 64, &c->painters);
    case 't':
        return set_number("tables", value, 1, 1000000, &c->tables);
    case 'n':
        return set_number("connections", value, 10, 1000000, &c->connections);
    case 'P':
        return srv_proxies_read(&c->proxies, value)
                   ? CLI_FINE
                   : cli_complain("serve",
                                  "--proxy takes 1 to %d addresses with commas between them, "
                                  "such as 127.0.0.1,::1, not \"%.40s\"",
                                  SRV_PROXIES, value);
    case 'A':
        return set_number("address-connections", value, 1, 1000000, &c->address_connections);
    case 'w':
        return set_number("address-tables", value, 1, 1000000, &c->address_tables);
    case 'r':
        return set_number("rate", value, 1, 1000000, &c->rate);
    case 'm':
        return set_number("messages", value, 1, 1000000, &c->messages);
    case 'B':
        return set_number("burst", value, 1, 1000000, &c->burst);
    case 'q':
        return set_number("queue", value, 64, 65536, &c->queue);
    case 'W':
        return set_keep("keep-waiting", value, &c->keep.waiting_s);
    case 'Y':
        return set_keep("keep-idle", value, &c->keep.idle_s);
    case 'F':
        return set_keep("keep-finished", value, &c->keep.finished_s);
    case 'O':
        return set_keep("keep-notes", value, &c->keep.notes_s);
    case 'L':
        return set_log(value);
    case 'K':
        s->checks = true;
        return CLI_FINE;
    default:
        return read_config(s, value);
    }
}

/* Lines of `name = value`; # begins a comment. Reports everything that is wrong in the file. */
static int read_config(struct serve *s, const char *path)
{
    struct fm_fault fault;
    size_t n;
    int number = 0, status = CLI_FINE;
    if (s->text != NULL)
        return cli_complain("serve", "one --config is enough");
    char *text = cli_read(path, CONFIG_MAX, &n, &fault);
    if (text == NULL)
        return cli_complain_file("serve", path, &fault);
    s->text = cli_alloc(n + 1);
    memcpy(s->text, text, n);
    free(text);
    for (char *line = s->text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        char name[32], *value = strchr(line, '=');
        number++;
        line += strspn(line, " \t\r");
        if (line[0] == '\0' || line[0] == '#')
            continue;
        const size_t length = strcspn(line, " \t=");
        if (value == NULL || length == 0 || length >= sizeof name) {
            status = cli_complain("serve", "%s:%d: a line is NAME = VALUE", path, number);
            continue;
        }
        memcpy(name, line, length);
        name[length] = '\0';
        value += 1 + strspn(value + 1, " \t");
        value[strcspn(value, "\r#")] = '\0';
        for (size_t end = strlen(value); end > 0 && strchr(" \t", value[end - 1]) != NULL; end--)
            value[end - 1] = '\0';
        const struct option *o = settings;
        while (o->name != NULL && strcmp(o->name, name) != 0)
            o++;
        if (o->name == NULL || o->val == 'C' || o->val == 'K')
            status = cli_complain("serve", "%s:%d: there is no setting \"%s\"", path, number, name);
        else if (set(s, o->val, value) != CLI_FINE)
            status = CLI_BAD;
    }
    return status;
}

/* Reports everything that is wrong with the flags. */
static int read_flags(struct serve *s, int argc, char **argv)
{
    int flag, status = CLI_FINE;
    opterr = 0;
    while ((flag = getopt_long(argc, argv, ":", settings, NULL)) != -1)
        if ((flag == '?' || flag == ':' ? cli_bad_flag("serve", argv, flag)
                                        : set(s, flag, optarg)) != CLI_FINE)
            status = CLI_BAD;
    if (status == CLI_FINE && optind < argc)
        return cli_complain("serve", "\"%s\" is one word too many", argv[optind]);
    if (status == CLI_FINE && (s->config.cert == NULL) != (s->config.key == NULL))
        return cli_complain("serve", "--cert and --key go together");
    return status;
}

/* ---- the archive ---------------------------------------------------------------------------- */

struct archive {
    const struct fm_library *library;
    struct fm_playback playback;
    unsigned n;
};

static int check_record(void *arg, const char *path)
{
    struct archive *a = arg;
    struct fm_fault fault = {.action = -1};
    size_t n;
    char *text = cli_read(path, FM_RECORD_MAX, &n, &fault);
    const bool fine =
        text != NULL && cli_play_record(&a->playback, text, n, a->library, &fault) == FM_E_OVER;
    free(text);
    a->n++;
    return fine ? CLI_FINE
                : cli_complain("serve", "not started: the archive does not replay: %s:%d: %s", path,
                               fault.line, fault.text);
}

/* A program that replays old games differently must not continue any. */
static int check_archive(const struct serve *s)
{
    struct archive *a = cli_alloc(sizeof *a);
    a->library = &s->library;
    int status = cli_each("serve", s->archive, ".jsonl", check_record, a);
    if (status == CLI_FINE && a->n == 0)
        status = cli_complain("serve", "%s: there is no record (*.jsonl) to check", s->archive);
    struct srv_line l;
    srv_log_begin(&l, SRV_INFO, "archive-replays");
    srv_log_int(&l, "records", a->n);
    if (status == CLI_FINE)
        srv_log_end(&l, "%u records of the archive replay", a->n);
    free(a);
    return status;
}

/* ---- a check -------------------------------------------------------------------------------- */

static void say_found(void *arg, enum srv_verdict verdict, const char *sentence)
{
    enum srv_verdict *worst = arg;
    if (verdict == SRV_FINE)
        printf("fathom: %s\n", sentence);
    else
        (void)cli_complain("serve", "%s", sentence);
    if (verdict > *worst)
        *worst = verdict;
}

/* Returns 2 if the configuration is wrong, 1 if it is right but cannot be served right now. */
static int check(const struct srv_config *config)
{
    enum srv_verdict worst = SRV_FINE;
    srv_check(config, say_found, &worst);
    if (worst == SRV_FINE)
        printf("fathom: the configuration is right\n");
    return worst == SRV_FINE ? CLI_FINE : worst == SRV_NOT_NOW ? CLI_ILLEGAL : CLI_BAD;
}

/* ---- the command ---------------------------------------------------------------------------- */

static void ready(const struct srv_config *config, int port)
{
    char where[160];
    struct srv_line l;
    cli_systemd_ready();
    if (port > 0)
        (void)snprintf(where, sizeof where, "%s://%.100s:%d",
                       config->cert != NULL ? "https" : "http", config->host, port);
    else
        (void)snprintf(where, sizeof where, "%.120s", config->host); /* unix:PATH */
    if (!srv_log_is_json()) {
        printf("fathom: serving on %s\n", where);
        (void)fflush(stdout);
        return;
    }
    srv_log_begin(&l, SRV_INFO, "serving");
    srv_log_text(&l, "where", where);
    srv_log_text(&l, "version", FATHOM_VERSION);
    srv_log_end(&l, "serving on %s", where);
}

/* What keeps the server from starting. */
static int complain(const struct fm_fault *fault)
{
    struct srv_line l;
    if (!srv_log_is_json())
        return cli_complain("serve", "%s", fault->text);
    srv_log_begin(&l, SRV_ERROR, "not-started");
    srv_log_end(&l, "%s", fault->text);
    return CLI_BAD;
}

static int run(int argc, char **argv)
{
    struct serve s = {.config = cli_usual_server()};
    struct fm_fault fault;
    s.config.library = &s.library;
    s.config.alive_ms = cli_systemd_watchdog();
    s.config.alive = cli_systemd_alive;
    int status = read_flags(&s, argc, argv);
    if (s.config.data == NULL && cli_find_page(s.page))
        s.config.data = s.page;
    else if (s.config.data != NULL && strcmp(s.config.data, "none") == 0)
        s.config.data = NULL;
    if (status == CLI_FINE && s.archive != NULL)
        status = check_archive(&s);
    if (status == CLI_FINE && s.checks)
        status = check(&s.config);
    else if (status == CLI_FINE && srv_serve(&s.config, ready, &fault) != FM_OK)
        status = complain(&fault);
    free(s.decks);
    free(s.text);
    return status;
}

const struct cli_command cli_serve = {
    .name = "serve",
    .run = run,
    .about = "serve tables over HTTP and WebSocket",
    .help =
        "usage: fathom serve [FLAGS]\n"
        "\n"
        "Serves tables until it is stopped (SIGTERM, Ctrl-C). All tables are kept in the store.\n"
        "\n"
        "  --host ADDRESS     where to listen (default 127.0.0.1); unix:PATH: on a socket for a\n"
        "                     proxy on this machine, whose X-Forwarded-For names the client\n"
        "  --port N           which port (default 8080); 0: any free one\n"
        "  --store WHERE      sqlite:PATH or postgres:CONNINFO (default sqlite:fathom.db)\n"
        "  --decks DIR        decks of your own, besides the built-in ones\n"
        "  --data DIR         the files of the web page (default: those installed or built with\n"
        "                     this program); none: no page\n"
        "  --cert FILE        for TLS: the certificate (PEM) ...\n"
        "  --key FILE         ... and its private key\n"
        "  --origin URL       the page's origin, if a proxy changes the Host header\n"
        "  --bot-ms N         the longest a bot waits before it acts, so that people can follow\n"
        "                     (default 1200)\n"
        "  --think-ms N       the longest a bot thinks; when more bots think than there are\n"
        "                     threads, each gets its share (default 1000)\n"
        "  --thinkers N       threads for bots; 0: one less than processors\n"
        "  --secret-ms N      where seats act in secret, every action is answered this long after\n"
        "                     it arrived, whatever others do meanwhile (default 100)\n"
        "  --painters N       threads that draw the ocean; 0: half as many as processors, at\n"
        "                     least two\n"
        "  --analysis-nice N  how far analyses of finished games stand back behind everything\n"
        "                     else, as nice(1) counts it (default 15)\n"
        "  --tables N         the most tables in memory; those nobody looks at leave first\n"
        "                     (default 10000)\n"
        "  --connections N    the most open connections (default 12000)\n"
        "  --rate N           requests of one address in a second (default 200); a file of the\n"
        "                     page counts as a fiftieth of one\n"
        "  --address-connections N   open connections of one address (default 1000); no limit\n"
        "                     for this machine itself\n"
        "  --address-tables N tables of one address that wait for players, of those made in the\n"
        "                     last hour (default 100); no limit for this machine itself\n"
        "  --proxy ADDRESS,…  proxies whose X-Forwarded-For names the client\n"
        "  --messages N       messages of a stream, and actions of a seat, in a second (default\n"
        "                     30)\n"
        "  --burst N          how many of these in a burst (default 60)\n"
        "  --queue N          how many KB a reader may fall behind before it is cut off (default\n"
        "                     256)\n"
        "  --keep-waiting T   remove tables that never started this long after their last\n"
        "                     change: 90s, 15m, 12h, 2d or forever (default 2d)\n"
        "  --keep-idle T      close games that nobody has played on for this long, and remove\n"
        "                     them after the same time again (default 30d)\n"
        "  --keep-finished T  remove finished games after this long (default forever)\n"
        "  --keep-notes T     blank the notes of seats this long after the end of the game\n"
        "                     (default forever: as long as the table is kept)\n"
        "  --check-archive DIR   first replay the records (*.jsonl) in this folder; do not start\n"
        "                     if one of them no longer replays\n"
        "  --log FORM         text: the log is sentences (default); json: one line of JSON for\n"
        "                     each event\n"
        "  --config FILE      read flags from this file: lines of NAME = VALUE\n"
        "  --check            test the flags, the page, the store, the certificate, the limit of\n"
        "                     open files and the address, say what is wrong with them, and serve\n"
        "                     nothing. Status 0: all is right; 1: it is, but something is in use\n"
        "                     now, or smaller than wanted; 2: something is wrong\n"
        "\n"
        "docs/protocol-server.md says how to talk to it, docs/operate.md how to run it.\n",
};
