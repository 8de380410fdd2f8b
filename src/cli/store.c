/* store.c: `fathom store`: copies a store into another one, and checks a store; see prune.c. */
#include "cli/cli.h"

#include "base/text.h"
#include "server/table.h"

#include <fathom/record.h>

#include <getopt.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COMPLAINTS 20 /* most tables that are named; the others are only counted */

/* ---- what both do --------------------------------------------------------------------------- */

struct pass { /* over all tables of a store */
    struct st_store *from;
    uint64_t tables, events, tokens, records, wrong;
    uint64_t in_state[ST_CLOSED + 1];
    double start, shown;
    struct fm_fault fault; /* the error that ended it */
    bool failed;
};

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Shows progress on a terminal. */
static void show_progress(struct pass *p)
{
    if (isatty(STDERR_FILENO) && now() - p->shown > 0.1) {
        p->shown = now();
        fprintf(stderr, "\r%llu tables, %llu events ", (unsigned long long)p->tables,
                (unsigned long long)p->events);
    }
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

static void print_sum(const struct pass *p, const char *what)
{
    printf("%llu tables (%llu waiting, %llu in play, %llu over, %llu closed), %llu events, "
           "%llu tokens, %llu records: %s in %.1f s\n",
           (unsigned long long)p->tables, (unsigned long long)p->in_state[ST_WAITING],
           (unsigned long long)p->in_state[ST_PLAYING], (unsigned long long)p->in_state[ST_OVER],
           (unsigned long long)p->in_state[ST_CLOSED], (unsigned long long)p->events,
           (unsigned long long)p->tokens, (unsigned long long)p->records, what, now() - p->start);
}

static void count_table(struct pass *p, const struct st_table *table)
{
    p->tables++;
    if (table->state <= ST_CLOSED)
        p->in_state[table->state]++;
    show_progress(p);
}

/* Opening a file would create it, so a store to read must exist. A store to fill must not be in
 * use. */
static struct st_store *open_store(const char *where, bool filled)
{
    struct fm_fault fault;
    if (!filled && strncmp(where, "sqlite:", 7) == 0 && access(where + 7, F_OK) != 0) {
        (void)cli_complain("store", "%s: there is no such file", where);
        return NULL;
    }
    struct st_store *s =
        filled ? st_open_alone(where, "fathom store copy", &fault) : st_open(where, &fault);
    if (s == NULL)
        (void)cli_complain("store", "%s", fault.text);
    return s;
}

/* ---- copy ----------------------------------------------------------------------------------- */

struct copy {
    struct pass pass;
    struct st_store *to;
    const struct st_table *table; /* being copied */
    struct st_token *token;       /* its tokens */
    size_t n_tokens, cap_tokens, at_token;
    char *record; /* its record; NULL: none */
    size_t record_n;
    atomic_uint refused;
    struct fm_fault refusal; /* the first one; belongs to the store's thread until it is drained */
};

static void on_done(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    struct copy *c = arg;
    if (err != FM_OK && atomic_fetch_add(&c->refused, 1) == 0)
        c->refusal = *fault;
}

static enum fm_err submit(struct copy *c, const struct st_write *w)
{
    enum fm_err err;
    while ((err = st_submit(c->to, w, on_done, c, &c->pass.fault)) == FM_E_BUSY)
        st_drain(c->to);
    return err;
}

/* Tokens are written with the first events, everything else beside the log with the last. */
static bool copy_event(void *arg, uint64_t seq, const void *event, size_t n)
{
    struct copy *c = arg;
    const struct st_table *t = c->table;
    const size_t left = c->n_tokens - c->at_token;
    const size_t tokens = left < ST_TOKENS_MAX ? left : ST_TOKENS_MAX;
    struct st_write w = {.table = t->id, .seq = seq, .event = event, .n = n};
    w.change.creates = seq == 1;
    if (w.change.creates) {
        memcpy(w.change.code, t->code, sizeof w.change.code);
        w.change.listed = t->listed;
    }
    w.change.tokens = tokens > 0 ? c->token + c->at_token : NULL;
    w.change.n_tokens = tokens;
    c->at_token += tokens;
    if (seq == t->last_seq) {
        w.change.moves = true;
        w.change.state = t->state;
        w.change.times = true;
        w.change.deadline_ms = t->deadline_ms;
        w.change.record = c->record;
        w.change.record_n = c->record_n;
    }
    c->pass.events++;
    c->pass.failed = submit(c, &w) != FM_OK;
    return !c->pass.failed && seq < t->last_seq; /* later events are not copied */
}

static bool copy_token(void *arg, const struct st_token *token)
{
    struct copy *c = arg;
    if (c->n_tokens == c->cap_tokens) {
        struct st_token *more = cli_alloc(2 * (c->cap_tokens + 8) * sizeof *more);
        if (c->n_tokens > 0)
            memcpy(more, c->token, c->n_tokens * sizeof *more);
        free(c->token);
        c->token = more;
        c->cap_tokens = 2 * (c->cap_tokens + 8);
    }
    c->token[c->n_tokens++] = *token;
    return true;
}

static bool copy_table(void *arg, const struct st_table *table)
{
    struct copy *c = arg;
    struct pass *p = &c->pass;
    c->table = table;
    c->n_tokens = c->at_token = 0;
    c->record = NULL;
    const uint64_t before = p->events;
    enum fm_err err = st_each_token(p->from, &table->id, copy_token, c, &p->fault);
    if (err == FM_OK)
        err = st_read_record(p->from, &table->id, &c->record, &c->record_n, &p->fault);
    if (err == FM_OK || err == FM_E_NO_TABLE)
        err = st_read_log(p->from, &table->id, 1, copy_event, c, &p->fault);
    p->records += c->record != NULL;
    p->tokens += c->n_tokens;
    free(c->record);
    if (err == FM_OK && !p->failed && p->events - before != table->last_seq)
        err = fm_fail(&p->fault, FM_E_RECORD, "events of a table are missing");
    if (err == FM_OK && !p->failed && c->at_token != c->n_tokens)
        err = fm_fail(&p->fault, FM_E_RECORD, "a table has more tokens than its events bring");
    p->failed = p->failed || err != FM_OK;
    count_table(p, table);
    return !p->failed && c->refused == 0;
}

static bool note_table(void *arg, const struct st_table *table)
{
    (void)table;
    *(bool *)arg = true;
    return false;
}

static int copy_all(struct st_store *from, struct st_store *to, const char *where)
{
    struct copy c = {.pass = {.from = from, .start = now()}, .to = to};
    struct pass *p = &c.pass;
    bool occupied = false;
    if (st_each_table(to, note_table, &occupied, &p->fault) != FM_OK)
        return cli_complain("store", "%s: %s", where, p->fault.text);
    if (occupied)
        return cli_complain("store", "%s holds tables already: copy into an empty store", where);
    if (st_each_table(from, copy_table, &c, &p->fault) != FM_OK)
        p->failed = true;
    st_drain(to);
    end_progress();
    free(c.token);
    if (c.refused > 0)
        return cli_complain("store", "not copied: %s", c.refusal.text);
    if (p->failed)
        return cli_complain("store", "not copied: %s", p->fault.text);
    print_sum(p, "copied");
    return CLI_FINE;
}

static int copy(const char *from_where, const char *to_where)
{
    struct st_store *from = open_store(from_where, false);
    struct st_store *to = from == NULL ? NULL : open_store(to_where, true);
    const int status =
        to == NULL ? CLI_BAD
                   : copy_all(from, to,
                              strncmp(to_where, "postgres:", 9) == 0 ? "the database" : to_where);
    st_close(to);
    st_close(from);
    return status;
}

/* ---- check ---------------------------------------------------------------------------------- */

struct check {
    struct pass pass;
    struct fm_library library;
    struct srv_table table;
    struct fm_playback playback;
    struct fm_fault why; /* what is wrong with this table */
    bool wrong;
};

static bool is_wrong(struct check *c, const char *what)
{
    c->wrong = true;
    (void)fm_fail(&c->why, FM_E_RECORD, "%s", what);
    return false;
}

static bool check_event(void *arg, uint64_t seq, const void *event, size_t n)
{
    struct check *c = arg;
    struct fm_fault fault;
    c->pass.events++;
    if (srv_table_expects(&c->table, seq, &fault) == FM_OK &&
        srv_table_read(&c->table, &c->table.id, event, n, &c->library, &fault) == FM_OK)
        return true;
    c->wrong = true;
    (void)fm_fail(&c->why, FM_E_RECORD, "event %llu: %s", (unsigned long long)seq, fault.text);
    return false;
}

/* What is stored beside the log must agree with the log. */
static bool check_beside(struct check *c, const struct st_table *said)
{
    const struct srv_table *t = &c->table;
    if (t->seq != said->last_seq)
        return is_wrong(c, "its log does not end where it should");
    if (said->state != ST_CLOSED && t->state != said->state)
        return is_wrong(c, "it is listed in a state that its log does not lead to");
    if (strcmp(t->code, said->code) != 0 || t->listed != said->listed)
        return is_wrong(c, "its code is not that of its log");
    if (said->state != ST_CLOSED && srv_table_deadline(t) != said->deadline_ms)
        return is_wrong(c, "its deadline is not that of its log");
    return true;
}

static bool check_token(struct check *c, const uint8_t hash[ST_HASH_BYTES], enum srv_role role,
                        unsigned seat)
{
    struct st_token token;
    struct pass *p = &c->pass;
    const enum fm_err err = st_find_token(p->from, &c->table.id, hash, &token, &p->fault);
    p->failed = err == FM_E_STORE;
    p->tokens++;
    if (err == FM_E_STORE)
        return false;
    if (err != FM_OK || token.role != role || token.seat != seat)
        return is_wrong(c, "a token of its log is missing");
    return true;
}

/* Tokens of people who have left are fine, too, but not of seats that nobody ever took. */
static bool check_any_token(void *arg, const struct st_token *token)
{
    struct check *c = arg;
    if ((token->role == SRV_HOST && token->seat == FM_TABLE) ||
        (token->role == SRV_PLAYER && token->seat < c->table.setup.n_seats))
        return true;
    return is_wrong(c, "it has a token of no seat or role");
}

static bool check_tokens(struct check *c)
{
    const struct srv_table *t = &c->table;
    if (t->handed) /* nobody sat down here */
        return true;
    bool fine = check_token(c, t->host, SRV_HOST, FM_TABLE);
    for (unsigned i = 0; fine && i < t->setup.n_seats; i++)
        if (t->seat[i].taken)
            fine = check_token(c, t->seat[i].token, SRV_PLAYER, i);
    struct pass *p = &c->pass;
    if (fine && st_each_token(p->from, &t->id, check_any_token, c, &p->fault) != FM_OK)
        p->failed = true;
    return fine && !p->failed && !c->wrong;
}

/* The record must be exactly the one that follows from the log, and must replay. */
static bool check_record(struct check *c)
{
    struct pass *p = &c->pass;
    struct fm_fault fault = {.action = -1};
    char *text = NULL, *expected = NULL;
    size_t n, expected_n = 0;
    const enum fm_err err = st_read_record(p->from, &c->table.id, &text, &n, &p->fault);
    p->failed = err == FM_E_STORE;
    if (err == FM_E_NO_TABLE)
        (void)is_wrong(c, "it is over, but has no record");
    if (err != FM_OK)
        return false;
    p->records++;
    expected = srv_table_record(&c->table, &expected_n);
    if (expected == NULL) {
        p->failed = true;
        (void)fm_fail_plain(&p->fault, FM_E_MEMORY);
    } else if (cli_play_record(&c->playback, text, n, &c->library, &fault) != FM_E_OVER) {
        c->wrong = true;
        (void)fm_fail(&c->why, FM_E_RECORD, "its record, line %d: %s", fault.line, fault.text);
    } else if (n != expected_n || memcmp(text, expected, n) != 0) {
        (void)is_wrong(c, "its record is not that of its log");
    }
    free(expected);
    free(text);
    return !p->failed && !c->wrong;
}

static void complain(struct check *c, const struct st_id *table)
{
    char id[2 * ST_ID_BYTES + 1];
    for (size_t i = 0; i < ST_ID_BYTES; i++)
        (void)snprintf(id + 2 * i, 3, "%02x", table->bytes[i]);
    if (c->pass.wrong++ < COMPLAINTS) {
        end_progress();
        fm__clean(c->why.text);
        (void)cli_complain("store", "table %s: %s", id, c->why.text);
    }
}

static bool check_table(void *arg, const struct st_table *said)
{
    struct check *c = arg;
    struct pass *p = &c->pass;
    srv_table_init(&c->table);
    c->table.id = said->id;
    c->wrong = false;
    const enum fm_err err = st_read_log(p->from, &said->id, 1, check_event, c, &p->fault);
    p->failed = err != FM_OK;
    if (!p->failed && !c->wrong && check_beside(c, said) && check_tokens(c) &&
        c->table.state == ST_OVER)
        (void)check_record(c);
    if (c->wrong)
        complain(c, &said->id);
    srv_table_finish(&c->table);
    count_table(p, said);
    return !p->failed;
}

static int check(const char *where, const struct fm_library *library)
{
    struct st_store *s = open_store(where, false);
    if (s == NULL)
        return CLI_BAD;
    struct check *c = cli_alloc(sizeof *c);
    struct pass *p = &c->pass;
    c->library = *library;
    p->from = s;
    p->start = now();
    int status = CLI_FINE;
    if (st_each_table(s, check_table, c, &p->fault) != FM_OK)
        p->failed = true;
    end_progress();
    print_sum(p, p->failed ? "read" : p->wrong == 0 ? "all is right, checked" : "checked");
    if (p->failed)
        status = cli_complain("store", "not checked to the end: %s", p->fault.text);
    else if (p->wrong > 0)
        status = cli_complain("store", "%llu of %llu tables are wrong",
                              (unsigned long long)p->wrong, (unsigned long long)p->tables);
    st_close(s);
    free(c);
    return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

static const struct option flags[] = {
    {"decks", required_argument, NULL, 'd'},
    {NULL, 0, NULL, 0},
};

static int run(int argc, char **argv)
{
    struct fm_deck *decks = NULL;
    struct fm_library library = {.decks = NULL};
    int flag, status = CLI_FINE;
    if (argc > 1 && strcmp(argv[1], "prune") == 0)
        return cli_prune(argc - 1, argv + 1);
    opterr = 0;
    while (status == CLI_FINE && (flag = getopt_long(argc, argv, ":", flags, NULL)) != -1) {
        if (flag != 'd')
            return cli_bad_flag("store", argv, flag);
        free(decks);
        library.decks = decks = cli_alloc(CLI_DECKS * sizeof *decks);
        library.n_decks = 0;
        status = cli_load_decks("store", optarg, decks, &library.n_decks);
    }
    const int words = argc - optind;
    char **word = argv + optind;
    if (status != CLI_FINE)
        ;
    else if (words == 3 && strcmp(word[0], "copy") == 0)
        status = copy(word[1], word[2]);
    else if (words == 2 && strcmp(word[0], "check") == 0)
        status = check(word[1], &library);
    else
        status = cli_complain("store", "say: copy FROM TO, check WHERE, or: prune WHERE");
    free(decks);
    return status;
}

const struct cli_command cli_store = {
    .name = "store",
    .run = run,
    .about = "copy a store, check it, or remove old tables from it",
    .help =
        "usage: fathom store copy FROM TO\n"
        "       fathom store check [--decks DIR] WHERE\n"
        "       fathom store prune [--dry-run] [--keep-... T] WHERE\n"
        "\n"
        "A store is sqlite:PATH or postgres:CONNINFO, as in fathom serve --store.\n"
        "\n"
        "copy   writes every table of FROM, with its events, tokens, deadline and record, into\n"
        "       TO, which must be empty and which no server may have open. Stop the server on\n"
        "       FROM as well: what it writes during the copy would be missing. Games in progress\n"
        "       go on from the copy.\n"
        "check  plays every table from its first event, compares everything else that is\n"
        "       stored with that, and replays every record. Names the tables that are wrong.\n"
        "prune  applies the --keep rules of fathom serve once, and says how much each removed.\n"
        "       It may run beside a server, and does not delay its moves.\n"
        "\n"
        "  --decks DIR   decks of your own, as the server has them\n"
        "  --dry-run     say what would be removed, and change nothing\n"
        "  --keep-waiting T, --keep-idle T, --keep-finished T, --keep-notes T\n"
        "                90s, 15m, 12h, 2d or forever, as in fathom serve (default 2d, 30d,\n"
        "                forever, forever)\n"
        "\n"
        "Exit status: 0 everything is in order, 2 something is not.\n",
};
