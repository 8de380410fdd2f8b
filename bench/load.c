/*
 * load.c: players at many tables of Soum Soum on one thread, moving at random as fast as they may;
 * or connections that do nothing; or clients of bench_echo. It speaks to a server by sockets alone.
 */
#define _GNU_SOURCE
#include "load.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define WATCHED 100 /* tables that idle connections look at */

struct load load;

/* One after another over so many microseconds, so that their games do not all end at once. */
static void make_tables(unsigned n, double over_us)
{
    const uint64_t from_us = load_now_us();
    load.n_tables = n;
    load.tables = calloc(n, sizeof *load.tables);
    if (load.tables == NULL)
        load_die("no memory");
    for (unsigned i = 0; i < n; i++) {
        struct table *t = &load.tables[i];
        t->http = (struct conn){.fd = -1, .table = t};
        for (unsigned k = 0; k < SEATS_MAX; k++)
            t->player[k] = (struct conn){.fd = -1, .streams = true, .table = t, .seat = (int)k};
        table_make(t);
        load_serve(from_us + (uint64_t)(over_us * (i + 1) / n), NULL, 0);
    }
}

static double milliseconds(double share)
{
    uint64_t sum = 0;
    for (uint32_t us = 0; us <= LONGEST; us++) {
        sum += load.slow[us];
        if (sum > 0 && (double)sum >= share * (double)load.acks)
            return us / 1000.0;
    }
    return 0;
}

/* Processor seconds that the server has had; 0: nobody said which process it is. */
static double server_seconds(long pid)
{
    char path[64], text[1024];
    unsigned long user = 0, system = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = pid > 0 ? fopen(path, "r") : NULL;
    if (f == NULL)
        return 0;
    const size_t n = fread(text, 1, sizeof text - 1, f);
    (void)fclose(f);
    text[n] = '\0';
    const char *at = strrchr(text, ')');
    if (at == NULL ||
        sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double own_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* All are at it: counts for so long and says what it counted. */
static void measure(const char *server, unsigned players, double seconds, long pid)
{
    load.slow = calloc(LONGEST + 1, sizeof *load.slow);
    if (load.slow == NULL)
        load_die("no memory");
    load.counts = true;
    if (load.marks) {
        printf("{\"measures\":true}\n");
        (void)fflush(stdout);
    }
    const double cpu = server_seconds(pid), own = own_seconds();
    const uint64_t start_us = load_now_us();
    load_serve(start_us + (uint64_t)(seconds * 1e6), NULL, 0);
    const double spent = (double)(load_now_us() - start_us) / 1e6;
    const double used = server_seconds(pid) - cpu;
    printf("{\"server\":\"%s\",\"players\":%u,\"tables\":%u,\"seconds\":%.1f,"
           "\"moves_per_second\":%.0f,\"ack_ms\":{\"p50\":%.2f,\"p95\":%.2f,\"p99\":%.2f,"
           "\"max\":%.2f},"
           "\"messages_per_second\":%.0f,\"bytes_per_message\":%.0f,\"games_per_second\":%.1f,"
           "\"server_cpu_us_per_move\":%.0f,\"server_cpu_share\":%.2f,\"load_cpu_share\":%.2f,"
           "\"refused\":%llu,\"closed\":%llu}\n",
           server, players, load.n_tables, spent, (double)load.acks / spent, milliseconds(.5),
           milliseconds(.95), milliseconds(.99), milliseconds(1), (double)load.messages / spent,
           (double)load.bytes / (double)(load.messages > 0 ? load.messages : 1),
           (double)load.games / spent, used * 1e6 / (double)(load.acks > 0 ? load.acks : 1),
           used / spent, (own_seconds() - own) / spent, (unsigned long long)load.refused,
           (unsigned long long)load.closed);
}

static void play(unsigned players, double warm_up, double seconds, long pid)
{
    make_tables(players / load.seats, warm_up * 1e6 / 2);
    load_serve(load_now_us() + 60000000, &load.began, load.n_tables);
    if (load.began < load.n_tables)
        load_die("after a minute only %u tables of %u have begun", load.began, load.n_tables);
    load_serve(load_now_us() + (uint64_t)(warm_up * 1e6 / 2), NULL, 0);
    measure("Fathom", load.n_tables * load.seats, seconds, pid);
}

/* Each says something, and again as soon as it hears it back. */
static void echo(unsigned n, double warm_up, double seconds, long pid)
{
    struct conn *all = calloc(n, sizeof *all);
    if (all == NULL)
        load_die("no memory");
    load.echoes = true;
    for (unsigned i = 0; i < n; i++) {
        all[i] = (struct conn){.fd = -1, .streams = true};
        conn_upgrade(&all[i], "echo");
        if (i % 64 == 63)
            load_serve(load_now_us() + 5000, NULL, 0);
    }
    load_serve(load_now_us() + (uint64_t)(warm_up * 1e6 / 2), NULL, 0);
    measure("libwebsockets echo", n, seconds, pid);
    free(all);
}

static long resident_kib(long pid)
{
    char path[64], line[256];
    long kib = -1;
    (void)snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        load_die("there is no process %ld", pid);
    while (fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    (void)fclose(f);
    return kib;
}

static void idle(unsigned n, long pid, double seconds)
{
    struct conn *all = calloc(n, sizeof *all);
    if (all == NULL)
        load_die("no memory");
    load.seats = 2;
    load.waits = true;
    make_tables(WATCHED, 0);
    load_serve(load_now_us() + 60000000, &load.began, load.n_tables);
    load_serve(load_now_us() + 1000000, NULL, 0);
    const long before = resident_kib(pid);
    const uint64_t from = load_now_us();
    for (unsigned i = 0; i < n; i++) {
        all[i] = (struct conn){.fd = -1, .streams = true};
        conn_upgrade(&all[i], load.tables[i % WATCHED].id);
        if (i % 64 == 63)
            load_serve(load_now_us() + 5000, NULL, 0);
    }
    load_serve(load_now_us() + (uint64_t)(seconds * 1e6), NULL, 0);
    unsigned held = 0;
    for (unsigned i = 0; i < n; i++)
        held += all[i].open && all[i].fd >= 0;
    const long after = resident_kib(pid);
    printf("{\"server\":\"fathom\",\"idle\":%u,\"held\":%u,\"held_for_seconds\":%.1f,"
           "\"rss_kib_before\":%ld,\"rss_kib_after\":%ld,\"kib_per_connection\":%.2f,"
           "\"closed\":%llu}\n",
           n, held, (double)(load_now_us() - from) / 1e6, before, after,
           (double)(after - before) / (double)n, (unsigned long long)load.closed);
    free(all);
}

static void raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int argc, char **argv)
{
    static const struct option list[] = {{"port", required_argument, NULL, 'p'},
                                         {"unix", required_argument, NULL, 'u'},
                                         {"players", required_argument, NULL, 'n'},
                                         {"seats", required_argument, NULL, 's'},
                                         {"warm-up", required_argument, NULL, 'w'},
                                         {"seconds", required_argument, NULL, 't'},
                                         {"idle", required_argument, NULL, 'i'},
                                         {"echo", required_argument, NULL, 'e'},
                                         {"pid", required_argument, NULL, 'P'},
                                         {"seed", required_argument, NULL, 'r'},
                                         {"nap", required_argument, NULL, 'z'},
                                         {"by-table", no_argument, NULL, 'b'},
                                         {"apart", no_argument, NULL, 'a'},
                                         {"mark", no_argument, NULL, 'm'},
                                         {NULL, 0, NULL, 0}};
    unsigned players = 1000, connections = 0, shouting = 0;
    double warm_up = 3, seconds = 10;
    long pid = 0;
    int flag;
    load.seats = 4;
    load.seed = 1;
    load.nap_us = 200;
    while ((flag = getopt_long(argc, argv, "", list, NULL)) != -1)
        switch (flag) {
        case 'p':
            if (load.n_ports < NODES_MAX)
                load.port[load.n_ports++] = (int)strtol(optarg, NULL, 10);
            break;
        case 'u':
            load.path = optarg;
            break;
        case 'n':
            players = (unsigned)(int)strtol(optarg, NULL, 10);
            break;
        case 's':
            load.seats = (unsigned)(int)strtol(optarg, NULL, 10);
            break;
        case 'w':
            warm_up = strtod(optarg, NULL);
            break;
        case 't':
            seconds = strtod(optarg, NULL);
            break;
        case 'i':
            connections = (unsigned)(int)strtol(optarg, NULL, 10);
            break;
        case 'e':
            shouting = (unsigned)(int)strtol(optarg, NULL, 10);
            break;
        case 'P':
            pid = atol(optarg);
            break;
        case 'r':
            load.seed = strtoull(optarg, NULL, 10);
            break;
        case 'z':
            load.nap_us = (unsigned)(int)strtol(optarg, NULL, 10);
            break;
        case 'b':
            load.by_table = true;
            break;
        case 'a':
            load.apart = true;
            break;
        case 'm':
            load.marks = true;
            break;
        default:
            load.seats = 0;
        }
    if ((load.n_ports == 0) == (load.path == NULL) || load.seats < 2 || load.seats > SEATS_MAX ||
        players < load.seats || seconds <= 0 || optind < argc || load.nap_us > 999999 ||
        (connections > 0 && pid == 0)) {
        fprintf(
            stderr,
            "usage: bench_load --port N …|--unix PATH [--players 1000] [--seats 4] [--warm-up 3] "
            "[--seconds 10] [--seed 1] [--nap MICROSECONDS] [--pid OF_THE_SERVER] "
            "[--by-table|--apart] [--mark]\n"
            "       bench_load --port N --idle 10000 --pid OF_THE_SERVER\n"
            "       bench_load --port OF_BENCH_ECHO --echo 1000 [--warm-up 3] "
            "[--seconds 10] [--pid OF_THE_SERVER]\n");
        return 2;
    }
    raise_limit();
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (connections > 0)
        idle(connections, pid, seconds);
    else if (shouting > 0)
        echo(shouting, warm_up, seconds, pid);
    else
        play(players, warm_up, seconds, pid);
    return 0;
}
