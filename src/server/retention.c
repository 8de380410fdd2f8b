/* retention.c: finds old tables by the operator's rules, and removes, closes or blanks them. */
#include "server/retention.h"

#include "server/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP    4        /* tables that are removed in one transaction */
#define BLANKED 64       /* notes that are blanked in one transaction */
#define DAYS    (36500u) /* the longest duration that is not forever */

const struct srv_keep srv_keep_default = {.waiting_s = 2 * 86400,
                                          .idle_s = 30 * 86400,
                                          .finished_s = SRV_FOREVER,
                                          .notes_s = SRV_FOREVER};

/* ---- rules ----------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    enum st_state state;
} rules[SRV_RULES] = {
    [SRV_RULE_WAITING] = {"tables that never started: removed", ST_WAITING},
    [SRV_RULE_IDLE] = {"games that nobody played on: closed", ST_PLAYING},
    [SRV_RULE_CLOSED] = {"closed games: removed", ST_CLOSED},
    [SRV_RULE_FINISHED] = {"finished games: removed", ST_OVER},
    [SRV_RULE_NOTES] = {"games that have ended: notes blanked", ST_OVER},
};

const char *srv_rule_text(enum srv_rule rule)
{
    return rules[rule].text;
}

uint64_t srv_rule_seconds(const struct srv_keep *keep, enum srv_rule rule)
{
    switch (rule) {
    case SRV_RULE_WAITING:
        return keep->waiting_s;
    case SRV_RULE_IDLE:
    case SRV_RULE_CLOSED:
        return keep->idle_s;
    case SRV_RULE_FINISHED:
        return keep->finished_s;
    default:
        return keep->notes_s;
    }
}

static const struct {
    char sign;
    uint32_t seconds;
} units[] = {{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};

bool srv_read_duration(const char *text, uint64_t *seconds)
{
    if (strcmp(text, "forever") == 0) {
        *seconds = SRV_FOREVER;
        return true;
    }
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 10 || strlen(text) != digits + 1)
        return false;
    const uint64_t number = strtoull(text, NULL, 10);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (text[digits] == units[i].sign) {
            *seconds = number * units[i].seconds;
            return number > 0 && *seconds <= UINT64_C(86400) * DAYS;
        }
    return false;
}

void srv_put_duration(char text[SRV_DURATION], uint64_t seconds)
{
    size_t i = 0;
    while (units[i].seconds > 1 && seconds % units[i].seconds != 0)
        i++;
    if (seconds == SRV_FOREVER)
        (void)snprintf(text, SRV_DURATION, "forever");
    else
        (void)snprintf(text, SRV_DURATION, "%" PRIu64 "%c", seconds / units[i].seconds,
                       units[i].sign);
}

/* ---- tables that go, or are closed ----------------------------------------------------------- */

struct leaving { /* the result of a write */
    enum fm_err err;
};

static void on_done(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    struct leaving *l = arg;
    (void)fault;
    l->err = err;
}

static enum fm_err submit(struct srv_pruning *p, enum srv_rule rule, const struct st_table *table,
                          struct leaving *l, struct fm_fault *fault)
{
    char event[SRV_CLOSED_TEXT];
    struct st_write w = {.table = table->id, .seq = table->last_seq + 1};
    if (rule == SRV_RULE_IDLE) {
        w.event = event;
        w.n = srv_put_closed(event);
        w.change.moves = w.change.times = true;
        w.change.state = ST_CLOSED;
    } else {
        w.change.removes = true;
    }
    return st_submit(p->store, &w, on_done, l, fault);
}

/* If a table was written to meanwhile, this write is refused, and the table rightly stays. */
static enum fm_err let_go(struct srv_pruning *p, enum srv_rule rule, const struct st_old *old,
                          size_t n, struct fm_fault *fault)
{
    struct leaving leaving[STEP];
    enum fm_err err = FM_OK;
    for (size_t i = 0; i < n; i++) {
        leaving[i].err = FM_E_BUSY;
        if (err == FM_OK)
            err = submit(p, rule, &old[i].table, &leaving[i], fault);
    }
    st_drain(p->store);
    for (size_t i = 0; i < n; i++) {
        if (leaving[i].err == FM_E_STORE)
            err = fm_fail_plain(fault, FM_E_STORE);
        if (leaving[i].err != FM_OK)
            continue;
        p->sum.tables[rule]++;
        p->sum.bytes[rule] += old[i].bytes;
        if (p->went != NULL)
            p->went(p->arg, &old[i].table.id);
    }
    return err;
}

/* ---- notes ----------------------------------------------------------------------------------- */

struct notes { /* notes of a table that are to be blanked */
    char text[BLANKED][SRV_BLANK_TEXT];
    struct st_event event[BLANKED];
    size_t n;
    uint64_t bytes;
    bool counts; /* only the bytes are wanted */
    bool all;    /* no more follow */
};

static bool find_note(void *arg, uint64_t seq, const void *event, size_t n)
{
    struct notes *notes = arg;
    const size_t blank = srv_blank_note(notes->text[notes->n], event, n);
    if (blank == 0)
        return true;
    notes->event[notes->n] = (struct st_event){seq, notes->text[notes->n], blank};
    notes->bytes += n - blank;
    notes->n += !notes->counts;
    notes->all = notes->n < BLANKED;
    return notes->all;
}

static enum fm_err blank(struct srv_pruning *p, const struct st_table *table,
                         struct fm_fault *fault)
{
    struct notes *notes = malloc(sizeof *notes);
    if (notes == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    enum fm_err err;
    uint64_t bytes = 0;
    do {
        notes->n = 0;
        notes->bytes = 0;
        notes->all = true;
        notes->counts = p->dry_run;
        err = st_read_log(p->store, &table->id, 1, find_note, notes, fault);
        const struct st_rewriting r = {table->id, table->last_seq, notes->event, notes->n,
                                       notes->all};
        if (err == FM_OK && !p->dry_run)
            err = st_rewrite(p->store, &r, fault);
        bytes += notes->bytes;
    } while (err == FM_OK && !notes->all);
    free(notes);
    if (err == FM_E_CONFLICT || err == FM_E_NO_TABLE) /* the table has changed: another time */
        return FM_OK;
    p->sum.tables[SRV_RULE_NOTES] += err == FM_OK && bytes > 0;
    p->sum.bytes[SRV_RULE_NOTES] += err == FM_OK ? bytes : 0;
    return err;
}

/* ---- a pass ---------------------------------------------------------------------------------- */

static void count(struct srv_pruning *p, enum srv_rule rule, const struct st_old *old, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p->sum.bytes[rule] += old[i].bytes;
    p->sum.tables[rule] += n;
}

static enum fm_err carry_out(struct srv_pruning *p, enum srv_rule rule, const struct st_old *old,
                             size_t n, struct fm_fault *fault)
{
    enum fm_err err = FM_OK;
    if (rule == SRV_RULE_NOTES)
        for (size_t i = 0; i < n && err == FM_OK; i++)
            err = blank(p, &old[i].table, fault);
    else if (p->dry_run)
        count(p, rule, old, n);
    else
        err = let_go(p, rule, old, n, fault);
    return err;
}

/* *on becomes false when it was told to stop. */
static enum fm_err follow_rule(struct srv_pruning *p, enum srv_rule rule, enum st_state state,
                               bool *on, struct fm_fault *fault)
{
    const struct st_old_query query = {.state = (uint8_t)state,
                                       .untrimmed = rule == SRV_RULE_NOTES,
                                       .age_s = srv_rule_seconds(&p->keep, rule)};
    enum fm_err err = FM_OK;
    for (uint64_t at = 0; *on && err == FM_OK && at != ST_OLD_ALL;) {
        struct st_old old[STEP];
        size_t n;
        err = st_list_old(p->store, &query, &at, old, STEP, &n, fault);
        *on = p->may == NULL || p->may(p->arg);
        if (err == FM_OK && *on && n > 0)
            err = carry_out(p, rule, old, n, fault);
        *on = *on && (p->step == NULL || p->step(p->arg));
    }
    return err;
}

enum fm_err srv_prune(struct srv_pruning *p, struct fm_fault *fault)
{
    bool on = true;
    enum fm_err err = st_prune_begin(p->store, fault);
    if (err != FM_OK)
        return err;
    for (int rule = 0; rule < SRV_RULES && on && err == FM_OK; rule++)
        if (srv_rule_seconds(&p->keep, (enum srv_rule)rule) != SRV_FOREVER)
            err = follow_rule(p, (enum srv_rule)rule, rules[rule].state, &on, fault);
    if (p->keep.notes_s != SRV_FOREVER && on && err == FM_OK) /* and of games that were closed */
        err = follow_rule(p, SRV_RULE_NOTES, ST_CLOSED, &on, fault);
    st_prune_end(p->store);
    return err;
}
