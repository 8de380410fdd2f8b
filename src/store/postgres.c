/*
 * postgres.c: the store in PostgreSQL: groups of writes, and what became of them.
 *
 * A group is one transaction, sent as a whole and answered as a whole: one way to the server and
 * back. When the connection is lost meanwhile, nobody has said whether the group was kept. Each
 * event carries a tag of its own: on the next connection, which may be to another server, the
 * back end looks for them, and does not answer before it knows. What the lost connection sent may
 * still lie before a server process that has stalled; so the back end first bars all earlier
 * connections of its own (fathom.bar), and only then looks.
 *
 * The notice to the other programs follows the commit and is not a part of it: the database lets
 * only one transaction with a notice commit at a time, which would then wait for each other's disk.
 * A notice that is lost this way is made up for by those who look at the heads now and then.
 */
#include "store/postgres.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE_MS 3000       /* how long a group that is known not to be kept is tried again */
#define PAUSE_MS    10         /* between two tries; then twice as long ... */
#define PAUSE_MAX   500        /* ... up to this */
#define CALL_JOBS   1024       /* writes that one call brings, at most ... */
#define CALL_BYTES  (8u << 20) /* ... about */

/* ---- values ---------------------------------------------------------------------------------- */

void st__pg_put_int(uint8_t *to, int64_t number, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        to[i] = (uint8_t)((uint64_t)number >> (8 * (n_bytes - 1 - i)));
}

int64_t st__pg_int(const PGresult *r, int row, int column)
{
    const uint8_t *from = (const uint8_t *)PQgetvalue(r, row, column);
    const int n = PQgetlength(r, row, column);
    uint64_t number = 0;
    for (int i = 0; i < n && i < 8; i++)
        number = number << 8 | from[i];
    return (int64_t)number;
}

static void *array_room(struct st__pg_array *a, size_t n)
{
    if (!a->failed && a->n + n > a->cap) {
        const size_t cap = 2 * a->cap + n + 1024;
        uint8_t *bytes = realloc(a->bytes, cap);
        a->failed = bytes == NULL;
        if (bytes != NULL) {
            a->bytes = bytes;
            a->cap = cap;
        }
    }
    if (a->failed)
        return NULL;
    a->n += n;
    return a->bytes + a->n - n;
}

/* Dimensions, may it hold NULL, type, length, first index: the length is put in when it is sent. */
void st__pg_array_clear(struct st__pg_array *a, uint32_t type)
{
    a->n = 0;
    a->count = 0;
    a->failed = false;
    uint8_t *head = array_room(a, 20);
    const uint32_t words[] = {1, 1, type, 0, 1};
    for (int i = 0; head != NULL && i < 5; i++)
        st__pg_put_int(head + 4 * i, words[i], 4);
}

static void *array_add(struct st__pg_array *a, int32_t length, size_t n)
{
    uint8_t *to = array_room(a, 4 + n);
    if (to == NULL)
        return NULL;
    st__pg_put_int(to, length, 4);
    st__pg_put_int(a->bytes + 12, ++a->count, 4);
    return to + 4;
}

void st__pg_array_null(struct st__pg_array *a)
{
    (void)array_add(a, -1, 0);
}

void st__pg_array_bytes(struct st__pg_array *a, const void *bytes, size_t n)
{
    void *to = array_add(a, (int32_t)n, n);
    if (to != NULL && n > 0)
        memcpy(to, bytes, n);
}

void st__pg_array_number(struct st__pg_array *a, int64_t number, size_t n_bytes)
{
    uint8_t *to = array_add(a, (int32_t)n_bytes, n_bytes);
    if (to != NULL)
        st__pg_put_int(to, number, n_bytes);
}

/* ---- a group --------------------------------------------------------------------------------- */

/* The arrays that fathom.write takes, in its order. */
enum column {
    PLAIN,
    ID,
    SEQ,
    EVENT,
    DEADLINE,
    KEEPS,
    STATE,
    CODE,
    LISTED,
    TOKENS,
    RECORD,
    N_COLUMNS
};
static const uint32_t types[N_COLUMNS] = {
    [PLAIN] = ST__PG_BOOL,   [ID] = ST__PG_UUID,       [SEQ] = ST__PG_INT8,
    [EVENT] = ST__PG_BYTEA,  [DEADLINE] = ST__PG_INT8, [KEEPS] = ST__PG_BOOL,
    [STATE] = ST__PG_INT2,   [CODE] = ST__PG_BYTEA,    [LISTED] = ST__PG_BOOL,
    [TOKENS] = ST__PG_BYTEA, [RECORD] = ST__PG_BYTEA,
};

struct st__pg_writer {
    struct st__pg_conn *conn; /* NULL: none */
    bool owes_notice;         /* the answer to the last notice was not read yet */
    struct st__pg_array columns[N_COLUMNS];
    struct placed {
        struct st__job *job;
        size_t place; /* among those that were submitted */
        bool plain;   /* and so are all others of its table */
    } * jobs;         /* of the group */
    size_t n, cap, bytes;
    struct st__pg_array tables; /* all of them, by id */
    uint8_t lock[8];            /* in the database's order */
    int64_t n_connections;      /* so far: the number of this one */
    int64_t tag;                /* of the first job; the next have the next */
};

/* fathom.write says why, in digits. */
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

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* By table, and within one in the order of submission. */
static int by_table(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    const int order = memcmp(&x->job->write.table, &y->job->write.table, sizeof(struct st_id));
    return order != 0 ? order : by_place(a, b);
}

static bool same_table(const struct placed *a, const struct placed *b)
{
    return memcmp(&a->job->write.table, &b->job->write.table, sizeof(struct st_id)) == 0;
}

/* Nothing but an event: its number alone says whether it is taken. */
static bool is_plain(const struct st__job *job)
{
    const struct st_change *change = &job->write.change;
    return !change->creates && !change->moves && !change->removes && change->n_tokens == 0 &&
           change->record == NULL;
}

static bool gather(struct st__pg_writer *w, struct st__job *jobs)
{
    w->n = w->bytes = 0;
    st__pg_array_clear(&w->tables, ST__PG_UUID);
    for (struct st__job *job = jobs; job != NULL; job = job->next) {
        if (w->n == w->cap) {
            const size_t cap = 2 * w->cap + 64;
            struct placed *more = realloc(w->jobs, cap * sizeof *more);
            if (more == NULL)
                return false;
            w->jobs = more;
            w->cap = cap;
        }
        w->jobs[w->n] = (struct placed){.job = job, .place = w->n};
        w->bytes += job->bytes;
        w->n++;
    }
    qsort(w->jobs, w->n, sizeof *w->jobs, by_table);
    for (size_t from = 0, to; from < w->n; from = to) {
        bool plain = true;
        for (to = from; to < w->n && same_table(&w->jobs[from], &w->jobs[to]); to++)
            plain = plain && is_plain(w->jobs[to].job);
        for (size_t i = from; i < to; i++)
            w->jobs[i].plain = plain;
        st__pg_array_bytes(&w->tables, w->jobs[from].job->write.table.bytes, ST_ID_BYTES);
    }
    qsort(w->jobs, w->n, sizeof *w->jobs, by_place);
    return !w->tables.failed;
}

static void put_tokens(struct st__pg_array *a, const struct st_change *change)
{
    uint8_t bytes[ST_TOKENS_MAX * (ST_HASH_BYTES + 2)];
    size_t n = 0;
    for (size_t i = 0; i < change->n_tokens; i++) {
        memcpy(bytes + n, change->tokens[i].hash, ST_HASH_BYTES);
        bytes[n + ST_HASH_BYTES] = change->tokens[i].role;
        bytes[n + ST_HASH_BYTES + 1] = change->tokens[i].seat;
        n += ST_HASH_BYTES + 2;
    }
    if (n > 0)
        st__pg_array_bytes(a, bytes, n);
    else
        st__pg_array_null(a);
}

static void put_number(struct st__pg_array *a, bool given, int64_t number, size_t n_bytes)
{
    if (given)
        st__pg_array_number(a, number, n_bytes);
    else
        st__pg_array_null(a);
}

static void put_job(struct st__pg_array *a, const struct placed *placed)
{
    const struct st_write *w = &placed->job->write;
    const struct st_change *change = &w->change;
    st__pg_array_number(&a[PLAIN], placed->plain, 1);
    st__pg_array_bytes(&a[ID], w->table.bytes, ST_ID_BYTES);
    st__pg_array_number(&a[SEQ], (int64_t)w->seq, 8);
    st__pg_array_bytes(&a[EVENT], w->event, w->n);
    put_number(&a[DEADLINE], change->times, (int64_t)change->deadline_ms, 8);
    st__pg_array_number(&a[KEEPS], change->keeps, 1);
    put_number(&a[STATE], change->moves || change->removes,
               change->removes ? ST__PG_REMOVED : change->state, 2);
    if (change->creates)
        st__pg_array_bytes(&a[CODE], change->code, strlen(change->code));
    else
        st__pg_array_null(&a[CODE]);
    put_number(&a[LISTED], change->creates, change->listed, 1);
    put_tokens(&a[TOKENS], change);
    if (change->record != NULL)
        st__pg_array_bytes(&a[RECORD], change->record, change->record_n);
    else
        st__pg_array_null(&a[RECORD]);
}

/* As many jobs from this one on as a call takes; how many. 0: there is not enough memory. */
static size_t put_call(struct st__pg_writer *w, size_t from)
{
    size_t n = 0, bytes = 0;
    for (int i = 0; i < N_COLUMNS; i++)
        st__pg_array_clear(&w->columns[i], types[i]);
    while (from + n < w->n && n < CALL_JOBS && bytes < CALL_BYTES) {
        bytes += w->jobs[from + n].job->bytes;
        put_job(w->columns, &w->jobs[from + n++]);
    }
    for (int i = 0; i < N_COLUMNS; i++)
        if (w->columns[i].failed)
            return 0;
    return n;
}

/* ---- asking the server ----------------------------------------------------------------------- */

enum outcome {
    DONE,    /* and every job has its answer */
    AGAIN,   /* nothing was kept; the next try may do better */
    REFUSED, /* nothing was kept */
    LOST,    /* nobody knows */
};

static void hang_up(struct st__pg_writer *w)
{
    st__pg_disconnect(w->conn);
    w->conn = NULL;
    w->owes_notice = false;
}

/* Everything up to the end of what was sent together; the first error, if there is one, is said.
 * NULL: the connection is lost. text: the answers of what returns rows, one after the other. */
static enum outcome read_answers(struct st__pg_writer *w, char *text, size_t room,
                                 struct fm_fault *fault)
{
    enum outcome outcome = DONE;
    size_t n = 0;
    bool last_was_null = false;
    for (;;) {
        PGresult *r = PQgetResult(w->conn->pg);
        const ExecStatusType status = PQresultStatus(r);
        if (r == NULL) {
            if (PQstatus(w->conn->pg) != CONNECTION_OK || last_was_null) {
                (void)st__pg_fail(w->conn, NULL, fault);
                return LOST;
            }
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
            const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
            (void)st__pg_fail(w->conn, r, fault);
            outcome = state == NULL || strncmp(state, "57P", 3) == 0 || strncmp(state, "08", 2) == 0
                          ? LOST
                      : strncmp(state, "40", 2) == 0 || strcmp(state, "25006") == 0 ? AGAIN
                                                                                    : REFUSED;
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

static bool send_plain(struct st__pg_writer *w, const char *sql)
{
    return PQsendQueryParams(w->conn->pg, sql, 0, NULL, NULL, NULL, NULL, 0) == 1;
}

#define BEFORE 4 /* arguments of fathom.write before the columns */

/* fathom.write of these columns; the connection, the program, the lock and the tag stand before
 * them. */
static bool send_call(const struct st__pg *s, struct st__pg_writer *w, size_t from)
{
    uint8_t number[8], tag[8];
    st__pg_put_int(number, w->n_connections, sizeof number);
    st__pg_put_int(tag, w->tag + (int64_t)from, sizeof tag);
    const char *values[BEFORE + N_COLUMNS] = {(const char *)number, (const char *)s->node.bytes,
                                              (const char *)w->lock, (const char *)tag};
    int lengths[BEFORE + N_COLUMNS] = {sizeof number, ST_ID_BYTES, sizeof w->lock, sizeof tag};
    int binary[BEFORE + N_COLUMNS] = {1, 1, 1, 1};
    for (int i = 0; i < N_COLUMNS; i++) {
        values[BEFORE + i] = (const char *)w->columns[i].bytes;
        lengths[BEFORE + i] = (int)w->columns[i].n;
        binary[BEFORE + i] = 1;
    }
    return PQsendQueryPrepared(w->conn->pg, "write", BEFORE + N_COLUMNS, values, lengths, binary,
                               0) == 1;
}

/* Tables are locked in the order of their ids, so that programs wait for each other in one
 * direction only. A call does that for what it brings; of several the first must do it for all. */
static bool send_lock(struct st__pg_writer *w)
{
    const char *const values[] = {(const char *)w->lock, (const char *)w->tables.bytes};
    const int lengths[] = {sizeof w->lock, (int)w->tables.n};
    static const int binary[] = {1, 1};
    return PQsendQueryPrepared(w->conn->pg, "lock", 2, values, lengths, binary, 0) == 1;
}

static enum outcome send_group(const struct st__pg *s, struct st__pg_writer *w,
                               struct fm_fault *fault)
{
    bool sent = send_plain(w, "BEGIN");
    if (sent && (w->n > CALL_JOBS || w->bytes >= CALL_BYTES))
        sent = send_lock(w);
    for (size_t from = 0, n; sent && from < w->n; from += n) {
        n = put_call(w, from);
        if (n == 0) {
            hang_up(w); /* what was sent ends without a COMMIT */
            (void)fm_fail(fault, FM_E_STORE, "there is not enough memory for this group");
            return REFUSED;
        }
        sent = send_call(s, w, from);
    }
    if (sent && send_plain(w, "COMMIT") && PQpipelineSync(w->conn->pg) == 1)
        return DONE;
    (void)st__pg_fail(w->conn, NULL, fault);
    return LOST;
}

/* The digits of the answers, in the order of w->jobs. */
static bool share_out(struct st__pg_writer *w, const char *digits)
{
    for (size_t i = 0; i < w->n; i++) {
        const int digit = digits[i] - '0';
        if (digit < 0 || digit >= N_ANSWERS)
            return false;
        w->jobs[i].job->err = digit == 0 ? FM_OK : FM_E_CONFLICT;
        w->jobs[i].job->why = answers[digit];
    }
    return true;
}

static void roll_back(struct st__pg_writer *w)
{
    struct fm_fault ignored;
    if (!send_plain(w, "ROLLBACK") || PQpipelineSync(w->conn->pg) != 1 ||
        read_answers(w, NULL, 0, &ignored) != DONE)
        hang_up(w);
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
    /* it was kept, but the server says that it did not wait for its standby */
    if (outcome == DONE && w->conn->no_standby)
        outcome = LOST;
    if (outcome == AGAIN)
        hang_up(w); /* perhaps another server will take it */
    else if (outcome == REFUSED && w->conn != NULL)
        roll_back(w);
    return outcome;
}

/* DONE: the group was kept, and the jobs have their answers. AGAIN: it was not, and will not be:
 * what was sent on an earlier connection is refused from now on, whenever it arrives. */
static enum outcome settle(struct st__pg_writer *w, char *digits, struct fm_fault *fault)
{
    for (int i = ID; i <= SEQ; i++)
        st__pg_array_clear(&w->columns[i], types[i]);
    for (size_t i = 0; i < w->n; i++) {
        st__pg_array_bytes(&w->columns[ID], w->jobs[i].job->write.table.bytes, ST_ID_BYTES);
        st__pg_array_number(&w->columns[SEQ], (int64_t)w->jobs[i].job->write.seq, 8);
    }
    if (w->columns[ID].failed || w->columns[SEQ].failed)
        return LOST; /* there may be memory later */
    uint8_t number[8], tag[8];
    st__pg_put_int(number, w->n_connections, sizeof number);
    st__pg_put_int(tag, w->tag, sizeof tag);
    const char *const values[] = {(const char *)number, (const char *)w->lock, (const char *)tag,
                                  (const char *)w->columns[ID].bytes,
                                  (const char *)w->columns[SEQ].bytes};
    const int lengths[] = {sizeof number, sizeof w->lock, sizeof tag, (int)w->columns[ID].n,
                           (int)w->columns[SEQ].n};
    static const int binary[] = {1, 1, 1, 1, 1};
    w->conn->no_standby = false;
    if (PQsendQueryPrepared(w->conn->pg, "settle", 5, values, lengths, binary, 0) != 1 ||
        PQpipelineSync(w->conn->pg) != 1 || read_answers(w, digits, w->n, fault) != DONE ||
        w->conn->no_standby)
        return LOST;
    if (memchr(digits, '1', w->n) == NULL)
        return AGAIN; /* not kept, or all of it was refused: that can be asked again */
    for (size_t i = 0; i < w->n; i++) {
        const bool kept = digits[i] == '1';
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

/* A connection on which nothing is under way. */
static bool ready(struct st__pg *s, struct st__pg_writer *w, struct fm_fault *fault)
{
    if (w->conn != NULL && w->owes_notice && read_answers(w, NULL, 0, fault) == LOST)
        hang_up(w);
    w->owes_notice = false;
    if (w->conn != NULL)
        return true;
    w->conn = st__pg_connect(s, ST__PG_WRITES, fault);
    if (w->conn == NULL)
        return false;
    w->n_connections++;
    if (!prepare(w->conn, "write",
                 "SELECT fathom.write($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,"
                 " $15)") ||
        !prepare(w->conn, "lock", "SELECT fathom.lock($1, $2)") ||
        !prepare(w->conn, "settle", "SELECT fathom.settle($1, $2, $3, $4, $5)") ||
        !prepare(w->conn, "notify", "SELECT pg_notify('fathom', $1)") ||
        PQenterPipelineMode(w->conn->pg) != 1) {
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

/* Of each table the last event: it says all. The answer is read when the next group comes. */
static void tell_others(struct st__pg *s, struct st__pg_writer *w)
{
    struct st__pg_notice notice;
    bool sent = true;
    qsort(w->jobs, w->n, sizeof *w->jobs, by_table);
    st__pg_notice_begin(&notice, s);
    for (size_t i = 0; sent && i < w->n;) {
        const struct placed *first = &w->jobs[i];
        const struct st_id *table = &first->job->write.table;
        uint64_t seq = 0;
        for (; i < w->n && same_table(first, &w->jobs[i]); i++)
            if (w->jobs[i].job->err == FM_OK)
                seq = w->jobs[i].job->write.seq;
        if (seq == 0 || st__pg_notice_wrote(&notice, table, seq))
            continue;
        sent = send_notice(s, w, &notice);
        w->owes_notice = true;
        st__pg_notice_begin(&notice, s);
        (void)st__pg_notice_wrote(&notice, table, seq);
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

/*
 * Tries until it is known what became of the group. While that is in doubt nobody is answered,
 * however long the database stays away; the queue's cap refuses what comes meanwhile.
 */
static enum fm_err commit_gathered(struct st__pg *s, struct st__pg_writer *w, char *digits,
                                   struct fm_fault *fault)
{
    const uint64_t give_up = st__pg_now_ms() + PATIENCE_MS;
    bool in_doubt = false;
    for (uint64_t wait = PAUSE_MS;; wait = wait < PAUSE_MAX ? 2 * wait : PAUSE_MAX) {
        enum outcome outcome = AGAIN;
        if (ready(s, w, fault)) {
            outcome = in_doubt ? settle(w, digits, fault) : AGAIN;
            in_doubt = in_doubt && outcome == LOST;
            if (!in_doubt && outcome == AGAIN)
                outcome = try_group(s, w, digits, fault);
            if (outcome == LOST) {
                in_doubt = true;
                hang_up(w);
            }
        }
        if (outcome == DONE)
            return FM_OK;
        if (outcome == REFUSED || (!in_doubt && st__pg_now_ms() >= give_up))
            return FM_E_STORE;
        pause_ms(wait);
    }
}

static enum fm_err commit(void *self, struct st__job *jobs, struct fm_fault *fault)
{
    struct st__pg *s = self;
    struct st__pg_writer *w = s->writer;
    char *digits = gather(w, jobs) ? malloc(w->n) : NULL;
    if (digits == NULL)
        return fm_fail(fault, FM_E_STORE, "there is not enough memory for this group");
    randombytes_buf(&w->tag, sizeof w->tag);
    w->tag &= INT64_MAX >> 1; /* there is room above it */
    const enum fm_err err = commit_gathered(s, w, digits, fault);
    free(digits);
    if (err == FM_OK)
        tell_others(s, w);
    return err;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static void close_all(void *self)
{
    struct st__pg *s = self;
    st__pg_deafen(s);
    st__pg_close_readers(s);
    st__pg_prune_end(s);
    if (s->writer != NULL) {
        struct fm_fault ignored;
        if (s->writer->conn != NULL && s->writer->owes_notice)
            (void)read_answers(s->writer, NULL, 0, &ignored);
        hang_up(s->writer);
        for (int i = 0; i < N_COLUMNS; i++)
            free(s->writer->columns[i].bytes);
        free(s->writer->tables.bytes);
        free(s->writer->jobs);
        free(s->writer);
    }
    (void)pthread_mutex_destroy(&s->lock);
    free(s->conninfo);
    free(s);
}

static enum fm_err check_conninfo(const char *conninfo, struct fm_fault *fault)
{
    char *why = NULL;
    PQconninfoOption *options = PQconninfoParse(conninfo, &why);
    if (options == NULL) {
        char line[160];
        (void)snprintf(line, sizeof line, "%s", why == NULL ? "not enough memory" : why);
        line[strcspn(line, "\n")] = '\0';
        (void)fm_fail(fault, FM_E_FILE, "postgres: %s", line);
    }
    PQfreemem(why);
    PQconninfoFree(options);
    return options == NULL ? FM_E_FILE : FM_OK;
}

/* Nothing of the conninfo is ever said: it may hold a password. */
static void *open_database(const char *address, const char *who, struct fm_fault *fault)
{
    (void)who; /* any number of programs may serve it */
    if (check_conninfo(address, fault) != FM_OK)
        return NULL;
    struct st__pg *s = calloc(1, sizeof *s);
    if (s == NULL || sodium_init() < 0) {
        free(s);
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    (void)pthread_mutex_init(&s->lock, NULL);
    randombytes_buf(s->node.bytes, sizeof s->node.bytes);
    (void)sodium_bin2hex(s->name, sizeof s->name, s->node.bytes, sizeof s->node.bytes);
    s->conninfo = strdup(address);
    s->writer = calloc(1, sizeof *s->writer);
    if (s->conninfo == NULL || s->writer == NULL) {
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        close_all(s);
        return NULL;
    }
    memcpy(s->writer->lock, s->node.bytes, sizeof s->writer->lock);
    struct st__pg_conn *c = st__pg_connect(s, ST__PG_WRITES, fault);
    const bool fine = c != NULL &&
                      st__pg_migrate(c, st__pg_schema, st__pg_schema_n, fault) == FM_OK &&
                      (st__pg_read_clock(s, c) || st__pg_fail(c, NULL, fault) == FM_OK);
    st__pg_disconnect(c);
    if (!fine || !ready(s, s->writer, fault)) {
        const struct fm_fault why = *fault;
        (void)fm_fail(fault, FM_E_FILE, "postgres: %s", why.text);
        close_all(s);
        return NULL;
    }
    return s;
}

static void count(void *self, struct st_stats *stats)
{
    const struct st__pg *s = self;
    stats->notices_sent += s->sent;
    stats->notices_heard += s->heard;
}

const struct st__backend st__postgres = {
    .scheme = "postgres",
    .open = open_database,
    .close = close_all,
    .commit = commit,
    .read_log = st__pg_read_log,
    .find_table = st__pg_find_table,
    .find_code = st__pg_find_code,
    .find_token = st__pg_find_token,
    .list_waiting = st__pg_list_waiting,
    .list_state = st__pg_list_state,
    .list_due = st__pg_list_due,
    .each_table = st__pg_each_table,
    .each_token = st__pg_each_token,
    .read_record = st__pg_read_record,
    .read_heads = st__pg_read_heads,
    .calendar_ns = st__pg_calendar_ns,
    .read_key = st__pg_read_key,
    .listen = st__pg_listen,
    .tell = st__pg_tell,
    .leave = st__pg_leave,
    .deafen = st__pg_deafen,
    .count = count,
    .list_old = st__pg_list_old,
    .rewrite = st__pg_rewrite,
    .rewrites_apart = true,
    .prune_begin = st__pg_prune_begin,
    .prune_end = st__pg_prune_end,
};
