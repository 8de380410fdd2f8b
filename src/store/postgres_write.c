/*
 * postgres_write.c: writes groups to PostgreSQL, and finds out what became of them.
 *
 * A group is one transaction: all of it is sent at once and answered at once, in one round trip. If
 * the connection is lost meanwhile, it is not known whether the group was committed. Therefore each
 * event has a tag. On the next connection, which may be to another server, the back end looks for
 * the tags, and does not answer before it knows. A stalled server process may still have the group
 * of the lost connection before it; so the back end first bars all its earlier connections
 * (fathom.bar), and only then looks.
 *
 * The notice to the other programs follows the commit and is not a part of it: the database commits
 * only one transaction with a notice at a time, so groups would wait for each other's disk writes.
 * If a notice is lost because of this, the other programs find the events when they next compare
 * heads.
 */
#include "store/postgres_write.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE_MS 3000 /* how long a group that was not committed is tried again */
#define PAUSE_MS    10   /* between two attempts; doubled each time ... */
#define PAUSE_MAX   500  /* ... up to this */

/* The digits that fathom.write returns. */
static const char *const answers[] = {
    NULL,
    "there is no such table to write to",
    "this table has an event with this number",
    "this number would leave a gap in the table's log",
    "there is such a table already, or its code is taken",
    "the table's code is taken meanwhile",
    "this table has such a token already",
};
#define N_ANSWERS (int)(sizeof answers / sizeof answers[0])
#define TOLD      N_ANSWERS /* stored, and other programs want to know */

struct arguments { /* of a statement, in binary */
    const char *values[5 + N_PLAIN + N_COLUMNS];
    int lengths[5 + N_PLAIN + N_COLUMNS], binary[5 + N_PLAIN + N_COLUMNS];
    int n;
};

enum outcome {
    DONE,    /* committed, and every job has its result */
    AGAIN,   /* not committed; the next attempt may succeed */
    REFUSED, /* not committed */
    LOST,    /* not known */
};

static void hang_up(struct st__pg_writer *w)
{
    st__pg_disconnect(w->conn);
    w->conn = NULL;
    w->owes_notice = false;
}

static enum outcome outcome_of_error(const char *sqlstate)
{
    if (sqlstate == NULL || strncmp(sqlstate, "57P", 3) == 0 || strncmp(sqlstate, "08", 2) == 0)
        return LOST; /* the server is closing the connection */
    if (strncmp(sqlstate, "40", 2) == 0 || strcmp(sqlstate, "25006") == 0)
        return AGAIN; /* a deadlock, or a read-only server */
    return REFUSED;
}

/* Reads all results of one pipeline; the first error, if there is one, becomes the fault. text: the
 * rows that the statements return, one after the other; NULL: ignored. */
static enum outcome read_answers(struct st__pg_writer *w, char *text, size_t room,
                                 struct fm_fault *fault)
{
    enum outcome outcome = DONE;
    size_t n = 0;
    bool last_was_null = false;
    for (;;) {
        PGresult *r = PQgetResult(w->conn->pg);
        const ExecStatusType status = PQresultStatus(r);
        if (r == NULL && (PQstatus(w->conn->pg) != CONNECTION_OK || last_was_null)) {
            (void)st__pg_fail(w->conn, NULL, fault);
            return LOST;
        }
        if (r == NULL) {
            last_was_null = true;
            continue;
        }
        last_was_null = false;
        if (status == PGRES_TUPLES_OK && PQntuples(r) == 1 && text != NULL) {
            const size_t has = (size_t)PQgetlength(r, 0, 0);
            if (n + has <= room)
                memcpy(text + n, PQgetvalue(r, 0, 0), has);
            n += has;
        } else if (status == PGRES_FATAL_ERROR && outcome == DONE) {
            (void)st__pg_fail(w->conn, r, fault);
            outcome = outcome_of_error(PQresultErrorField(r, PG_DIAG_SQLSTATE));
        }
        PQclear(r);
        if (status == PGRES_PIPELINE_SYNC)
            break;
    }
    if (outcome == DONE && text != NULL && n != room) {
        (void)fm_fail(fault, FM_E_STORE, "the database: its answer is not understood");
        return LOST;
    }
    return outcome;
}

static void add_argument(struct arguments *a, const void *bytes, size_t n)
{
    a->values[a->n] = bytes;
    a->lengths[a->n] = (int)n;
    a->binary[a->n++] = 1;
}

/* Adds NULL if the array is empty. */
static void add_array(struct arguments *a, const struct st__pg_array *array)
{
    add_argument(a, array->count > 0 ? array->bytes : NULL, array->n);
}

static bool send_call(const struct st__pg *s, struct st__pg_writer *w, size_t from, bool locks)
{
    static const struct st__pg_array none = {.count = 0};
    struct arguments a = {.n = 0};
    uint8_t number[8], tag[8];
    st__pg_put_int(number, w->n_connections, sizeof number);
    st__pg_put_int(tag, w->tag + (int64_t)from, sizeof tag);
    add_argument(&a, w->lock, sizeof w->lock);
    add_argument(&a, number, sizeof number);
    add_argument(&a, s->node.bytes, ST_ID_BYTES);
    add_argument(&a, tag, sizeof tag);
    add_argument(&a, locks ? w->tables.bytes : NULL, w->tables.n);
    for (int i = 0; i < N_PLAIN; i++)
        add_array(&a, i < KEEPS || w->plays ? &w->plain[i] : &none);
    for (int i = 0; i < N_COLUMNS; i++)
        add_array(&a, &w->others[i]);
    return PQsendQueryPrepared(w->conn->pg, "write", a.n, a.values, a.lengths, a.binary, 0) == 1;
}

/*
 * Everything up to the synchronisation is one transaction, without BEGIN and COMMIT. Nearly always
 * one call is enough. Tables are locked in the order of their ids, so that programs cannot
 * deadlock. A single call with plain writes does this by itself; for most other groups, the first
 * call locks all tables in advance.
 */
static enum outcome send_group(const struct st__pg *s, struct st__pg_writer *w,
                               struct fm_fault *fault)
{
    bool sent = true;
    for (size_t from = 0, n; sent && from < w->n; from += n) {
        n = st__pg_put_call(w, from);
        if (n == 0) {
            hang_up(w); /* the server rolls back what was sent */
            (void)fm_fail(fault, FM_E_STORE, "there is not enough memory for this group");
            return REFUSED;
        }
        sent = send_call(s, w, from, from == 0 && (w->locks || n < w->n));
    }
    if (sent && PQpipelineSync(w->conn->pg) == 1)
        return DONE;
    (void)st__pg_fail(w->conn, NULL, fault);
    return LOST;
}

/* Sets the result of each job from the digits, which are in the order of w->jobs. */
static bool share_out(struct st__pg_writer *w, const char *digits)
{
    for (size_t i = 0; i < w->n; i++) {
        const int digit = digits[i] - '0';
        if (digit < 0 || digit > TOLD)
            return false;
        w->jobs[i].told = digit == TOLD;
        w->jobs[i].job->err = digit == 0 || digit == TOLD ? FM_OK : FM_E_CONFLICT;
        w->jobs[i].job->why = digit == TOLD ? NULL : answers[digit];
    }
    return true;
}

static enum outcome try_group(const struct st__pg *s, struct st__pg_writer *w, char *digits,
                              struct fm_fault *fault)
{
    w->conn->no_standby = false;
    enum outcome outcome = send_group(s, w, fault);
    if (outcome == DONE)
        outcome = read_answers(w, digits, w->n, fault);
    if (outcome == DONE && !share_out(w, digits)) {
        (void)fm_fail(fault, FM_E_STORE, "the database: its answer is not understood");
        outcome = LOST;
    }
    /* committed, but the server reports that it did not wait for its standby */
    if (outcome == DONE && w->conn->no_standby)
        outcome = LOST;
    if (outcome == AGAIN)
        hang_up(w); /* perhaps another server accepts it */
    return outcome;
}

/* DONE: the group was committed, and the jobs have their results. AGAIN: it was not, and cannot be
 * any more: what was sent on an earlier connection is refused from now on. */
static enum outcome settle(struct st__pg_writer *w, char *digits, struct fm_fault *fault)
{
    struct st__pg_array *const ids = &w->plain[ID], *const seqs = &w->plain[SEQ];
    st__pg_array_clear(ids, ST__PG_UUID);
    st__pg_array_clear(seqs, ST__PG_INT8);
    for (size_t i = 0; i < w->n; i++) {
        st__pg_array_bytes(ids, w->jobs[i].job->write.table.bytes, ST_ID_BYTES);
        st__pg_array_number(seqs, (int64_t)w->jobs[i].job->write.seq, 8);
    }
    if (ids->failed || seqs->failed)
        return LOST; /* tried again: memory may be free by then */
    struct arguments a = {.n = 0};
    uint8_t number[8], tag[8];
    st__pg_put_int(number, w->n_connections, sizeof number);
    st__pg_put_int(tag, w->tag, sizeof tag);
    add_argument(&a, number, sizeof number);
    add_argument(&a, w->lock, sizeof w->lock);
    add_argument(&a, tag, sizeof tag);
    add_array(&a, ids);
    add_array(&a, seqs);
    w->conn->no_standby = false;
    if (PQsendQueryPrepared(w->conn->pg, "settle", a.n, a.values, a.lengths, a.binary, 0) != 1 ||
        PQpipelineSync(w->conn->pg) != 1 || read_answers(w, digits, w->n, fault) != DONE ||
        w->conn->no_standby)
        return LOST;
    if (memchr(digits, '1', w->n) == NULL)
        return AGAIN; /* not committed, or all of it was refused: it can be sent again */
    for (size_t i = 0; i < w->n; i++) {
        const bool kept = digits[i] == '1';
        w->jobs[i].told = kept; /* perhaps nobody wants to know, but that is not known here */
        w->jobs[i].job->err = kept ? FM_OK : FM_E_CONFLICT;
        w->jobs[i].job->why = kept ? NULL : "another event was faster at this table";
    }
    return DONE;
}

static bool prepare(struct st__pg_conn *c, const char *name, const char *sql)
{
    PGresult *r =
        PQsendPrepare(c->pg, name, sql, 0, NULL) == 1 ? st__pg_result(c, ST__PG_ANSWER_MS) : NULL;
    const bool fine = PQresultStatus(r) == PGRES_COMMAND_OK;
    PQclear(r);
    return fine;
}

static bool prepare_all(struct st__pg_conn *c)
{
    static const char *const all[][2] = {
        {"write", "SELECT fathom.write($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,"
                  " $15, $16, $17, $18, $19, $20, $21, $22)"},
        {"settle", "SELECT fathom.settle($1, $2, $3, $4, $5)"},
        {"notify", "SELECT pg_notify('fathom', $1)"},
    };
    bool fine = true;
    for (size_t i = 0; fine && i < sizeof all / sizeof all[0]; i++)
        fine = prepare(c, all[i][0], all[i][1]);
    return fine;
}

bool st__pg_writer_connect(struct st__pg *s, struct fm_fault *fault)
{
    struct st__pg_writer *w = s->writer;
    if (w->conn != NULL && w->owes_notice && read_answers(w, NULL, 0, fault) == LOST)
        hang_up(w);
    w->owes_notice = false;
    if (w->conn != NULL)
        return true;
    w->conn = st__pg_connect(s, ST__PG_WRITES, fault);
    if (w->conn == NULL)
        return false;
    w->n_connections++;
    if (!prepare_all(w->conn) || PQenterPipelineMode(w->conn->pg) != 1) {
        (void)st__pg_fail(w->conn, NULL, fault);
        hang_up(w);
        return false;
    }
    return true;
}

/* ---- notices --------------------------------------------------------------------------------- */

static bool send_notice(struct st__pg *s, struct st__pg_writer *w,
                        const struct st__pg_notice *notice)
{
    const char *const values[] = {notice->text};
    if (PQsendQueryPrepared(w->conn->pg, "notify", 1, values, NULL, NULL, 0) != 1)
        return false;
    s->sent++;
    return true;
}

/* Tells the other programs the number of each table's last event, if one of them wants to know. The
 * result is read before the next group. */
static void tell_others(struct st__pg *s, struct st__pg_writer *w)
{
    struct st__pg_notice notice;
    bool sent = true;
    st__pg_sort_by_table(w);
    st__pg_notice_begin(&notice, s);
    for (size_t i = 0; sent && i < w->n;) {
        const struct st__pg_entry *first = &w->jobs[i];
        const struct st_id *table = &first->job->write.table;
        uint64_t seq = 0;
        bool keeps = false;
        for (; i < w->n && st__pg_same_table(first, &w->jobs[i]); i++)
            if (w->jobs[i].told) {
                seq = w->jobs[i].job->write.seq;
                keeps = keeps || w->jobs[i].job->write.change.keeps;
            }
        if (seq == 0 || st__pg_notice_wrote(&notice, table, seq, keeps))
            continue;
        sent = send_notice(s, w, &notice);
        w->owes_notice = true;
        st__pg_notice_begin(&notice, s);
        (void)st__pg_notice_wrote(&notice, table, seq, keeps);
    }
    if (sent && !st__pg_notice_empty(&notice)) {
        sent = send_notice(s, w, &notice);
        w->owes_notice = true;
    }
    if (!sent || (w->owes_notice && PQpipelineSync(w->conn->pg) != 1))
        hang_up(w);
}

/* ---- the store's thread ---------------------------------------------------------------------- */

static void pause_ms(uint64_t ms)
{
    const struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    (void)nanosleep(&t, NULL);
}

/* One attempt on an open connection. *in_doubt: it is not known whether an earlier attempt was
 * committed; that is settled first. Becomes true if this attempt is lost. */
static enum outcome attempt(struct st__pg *s, struct st__pg_writer *w, char *digits, bool *in_doubt,
                            struct fm_fault *fault)
{
    enum outcome outcome = *in_doubt ? settle(w, digits, fault) : AGAIN;
    *in_doubt = *in_doubt && outcome == LOST;
    if (!*in_doubt && outcome == AGAIN)
        outcome = try_group(s, w, digits, fault);
    if (outcome == LOST) {
        *in_doubt = true;
        hang_up(w);
    }
    return outcome;
}

/*
 * Tries until it is known what became of the group. While that is in doubt no job gets an answer,
 * however long the database cannot be reached; new writes are refused when the queue is full.
 */
static enum fm_err commit_gathered(struct st__pg *s, struct st__pg_writer *w, char *digits,
                                   struct fm_fault *fault)
{
    const uint64_t give_up = st__pg_now_ms() + PATIENCE_MS;
    bool in_doubt = false;
    for (uint64_t wait = PAUSE_MS;; wait = wait < PAUSE_MAX ? 2 * wait : PAUSE_MAX) {
        const enum outcome outcome =
            st__pg_writer_connect(s, fault) ? attempt(s, w, digits, &in_doubt, fault) : AGAIN;
        if (outcome == DONE || outcome == REFUSED)
            s->answered_ms = st__pg_now_ms();
        if (outcome == DONE)
            return FM_OK;
        if (outcome == REFUSED || (!in_doubt && st__pg_now_ms() >= give_up))
            return FM_E_STORE;
        pause_ms(wait);
    }
}

enum fm_err st__pg_commit(void *self, struct st__job *jobs, struct fm_fault *fault)
{
    struct st__pg *s = self;
    struct st__pg_writer *w = s->writer;
    char *digits = st__pg_gather(w, jobs) ? malloc(w->n) : NULL;
    if (digits == NULL)
        return fm_fail(fault, FM_E_STORE, "there is not enough memory for this group");
    randombytes_buf(&w->tag, sizeof w->tag);
    w->tag &= INT64_MAX >> 1; /* so that it does not overflow */
    const enum fm_err err = commit_gathered(s, w, digits, fault);
    free(digits);
    if (err == FM_OK)
        tell_others(s, w);
    return err;
}

/* ---- the writer ------------------------------------------------------------------------------ */

struct st__pg_writer *st__pg_writer_create(const struct st_id *node)
{
    struct st__pg_writer *w = calloc(1, sizeof *w);
    if (w != NULL)
        memcpy(w->lock, node->bytes, sizeof w->lock);
    return w;
}

void st__pg_writer_destroy(struct st__pg_writer *w)
{
    if (w == NULL)
        return;
    struct fm_fault ignored;
    if (w->conn != NULL && w->owes_notice)
        (void)read_answers(w, NULL, 0, &ignored);
    hang_up(w);
    for (int i = 0; i < N_PLAIN; i++)
        free(w->plain[i].bytes);
    for (int i = 0; i < N_COLUMNS; i++)
        free(w->others[i].bytes);
    free(w->tables.bytes);
    free(w->jobs);
    free(w);
}
