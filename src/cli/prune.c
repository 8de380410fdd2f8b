/* prune.c: `fathom store prune`: removes old tables from a store, or only counts them. */
#include "cli/cli.h"

#include "server/retention.h"

#include <getopt.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct prune {
    struct srv_pruning pruning;
    struct timespec step; /* when the last step ended */
    long shown_ms;
};

static const struct option flags[] = {
    {"dry-run", no_argument, NULL, 'n'},          {"keep-waiting", required_argument, NULL, 'W'},
    {"keep-idle", required_argument, NULL, 'I'},  {"keep-finished", required_argument, NULL, 'F'},
    {"keep-notes", required_argument, NULL, 'O'}, {NULL, 0, NULL, 0},
};

static int set_keep(struct srv_keep *keep, int flag, const char *value)
{
    uint64_t *seconds = flag == 'W'   ? &keep->waiting_s
                        : flag == 'I' ? &keep->idle_s
                        : flag == 'F' ? &keep->finished_s
                                      : &keep->notes_s;
    size_t i = 0;
    while (flags[i].val != flag)
        i++;
    if (srv_read_duration(value, seconds))
        return CLI_FINE;
    return cli_complain("store", "--%s takes " SRV_DURATION_SAY ", not \"%.40s\"", flags[i].name,
                        value);
}

static long ms_between(const struct timespec *a, const struct timespec *b)
{
    return (long)(b->tv_sec - a->tv_sec) * 1000 + (b->tv_nsec - a->tv_nsec) / 1000000;
}

/* Pauses for as long as the step took, in case a server is using the store. Shows progress on a
 * terminal. */
static bool on_step(void *arg)
{
    struct prune *p = arg;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const long ms = ms_between(&p->step, &now);
    p->shown_ms += ms;
    if (isatty(STDERR_FILENO) && p->shown_ms > 100) {
        uint64_t tables = 0;
        for (int rule = 0; rule < SRV_RULES; rule++)
            tables += p->pruning.sum.tables[rule];
        p->shown_ms = 0;
        fprintf(stderr, "\r%llu tables ", (unsigned long long)tables);
    }
    if (!p->pruning.dry_run) {
        const struct timespec pause = {0, (ms < 1 ? 1 : ms > 100 ? 100 : ms) * 1000000};
        (void)nanosleep(&pause, NULL);
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &p->step);
    return true;
}

static void print_sum(const struct srv_pruning *p)
{
    uint64_t tables = 0, bytes = 0;
    for (int i = 0; i < SRV_RULES; i++) {
        const enum srv_rule rule = (enum srv_rule)i;
        char after[SRV_DURATION];
        srv_put_duration(after, srv_rule_seconds(&p->keep, rule));
        printf("%-38s after %-8s %10llu %12llu bytes\n", srv_rule_text(rule), after,
               (unsigned long long)p->sum.tables[rule], (unsigned long long)p->sum.bytes[rule]);
        tables += p->sum.tables[rule];
        bytes += rule == SRV_RULE_IDLE ? 0 : p->sum.bytes[rule]; /* closed tables stay stored */
    }
    printf("%llu tables, %llu bytes: %s\n", (unsigned long long)tables, (unsigned long long)bytes,
           p->dry_run ? "would go; nothing was changed" : "gone");
}

static int prune_store(struct prune *p, const char *where)
{
    struct fm_fault fault;
    if (strncmp(where, "sqlite:", 7) == 0 && access(where + 7, F_OK) != 0)
        return cli_complain("store", "%s: there is no such file", where);
    p->pruning.store = st_open(where, &fault);
    if (p->pruning.store == NULL)
        return cli_complain("store", "%s", fault.text);
    p->pruning.step = on_step;
    p->pruning.arg = p;
    (void)clock_gettime(CLOCK_MONOTONIC, &p->step);
    const enum fm_err err = srv_prune(&p->pruning, &fault);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    st_close(p->pruning.store);
    print_sum(&p->pruning);
    return err == FM_OK ? CLI_FINE : cli_complain("store", "not pruned to the end: %s", fault.text);
}

int cli_prune(int argc, char **argv)
{
    struct prune p = {.pruning = {.keep = srv_keep_default}};
    int flag, status = CLI_FINE;
    opterr = 0;
    while (status == CLI_FINE && (flag = getopt_long(argc, argv, ":", flags, NULL)) != -1) {
        if (flag == '?' || flag == ':')
            return cli_bad_flag("store", argv, flag);
        if (flag == 'n')
            p.pruning.dry_run = true;
        else
            status = set_keep(&p.pruning.keep, flag, optarg);
    }
    if (status == CLI_FINE && argc - optind != 1)
        return cli_complain("store", "say which store to prune: sqlite:PATH or postgres:CONNINFO");
    return status == CLI_FINE ? prune_store(&p, argv[optind]) : status;
}
