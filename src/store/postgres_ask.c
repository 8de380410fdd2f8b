/*
 * postgres_ask.c: runs the queries that read from PostgreSQL, on an idle connection or a new one.
 *
 * Queries go to the primary, since reads must see every acknowledged write. They run on the
 * caller's thread, so none may take long: if the database cannot be reached, reads fail at once,
 * and a new connection is tried only from time to time.
 */
#include "store/postgres_ask.h"

static const char *const texts[N_STATEMENTS] = {
#define X(name, text) text,
    ST__PG_STATEMENTS(X)
#undef X
};

static const char *const names[N_STATEMENTS] = {
#define X(name, text) #name,
    ST__PG_STATEMENTS(X)
#undef X
};

/* ---- connections ----------------------------------------------------------------------------- */

static struct st__pg_conn *take_waiting(struct st__pg *s)
{
    struct st__pg_conn *c, *old = NULL;
    (void)pthread_mutex_lock(&s->lock);
    while ((c = s->readers) != NULL) {
        s->readers = c->next;
        s->n_readers--;
        if (c->age == s->age)
            break;
        c->next = old;
        old = c;
    }
    (void)pthread_mutex_unlock(&s->lock);
    for (struct st__pg_conn *next; old != NULL; old = next) {
        next = old->next;
        st__pg_disconnect(old);
    }
    return c;
}

/* While the database cannot be reached, most reads must fail without waiting. The longer a failed
 * attempt took, the longer until the next one. */
static struct st__pg_conn *take_new(struct st__pg *s, struct fm_fault *fault)
{
    const uint64_t start = st__pg_now_ms();
    if (start < s->away_until) {
        (void)fm_fail(fault, FM_E_STORE, "the database: it is away");
        return NULL;
    }
    (void)pthread_mutex_lock(&s->lock);
    const unsigned age = s->age;
    (void)pthread_mutex_unlock(&s->lock);
    struct st__pg_conn *c = st__pg_connect(s, ST__PG_READS, fault);
    if (c == NULL) {
        const uint64_t now = st__pg_now_ms();
        s->away_until = now + ST__PG_AWAY_MS + 4 * (now - start);
        return NULL;
    }
    c->age = age;
    return c;
}

static void give(struct st__pg *s, struct st__pg_conn *c, bool lost)
{
    (void)pthread_mutex_lock(&s->lock);
    s->age += lost && c->age == s->age;
    const bool kept = !lost && c->age == s->age && s->n_readers < ST__PG_READERS_KEPT;
    if (kept) {
        c->next = s->readers;
        s->readers = c;
        s->n_readers++;
    }
    (void)pthread_mutex_unlock(&s->lock);
    if (!kept)
        st__pg_disconnect(c);
}

void st__pg_close_readers(struct st__pg *s)
{
    for (struct st__pg_conn *c = s->readers, *next; c != NULL; c = next) {
        next = c->next;
        st__pg_disconnect(c);
    }
    s->readers = NULL;
    s->n_readers = 0;
}

/* ---- questions ------------------------------------------------------------------------------- */

void st__pg_add_bytes(struct st__pg_question *q, const void *bytes, size_t n)
{
    q->values[q->n] = bytes;
    q->lengths[q->n++] = (int)n;
}

void st__pg_add_number(struct st__pg_question *q, uint64_t number)
{
    st__pg_put_int(q->numbers[q->n], number > INT64_MAX ? INT64_MAX : (int64_t)number, 8);
    st__pg_add_bytes(q, q->numbers[q->n], 8);
}

static PGresult *ask_on(struct st__pg_conn *c, const struct st__pg_question *q)
{
    static const int binary[ARGUMENTS] = {1, 1, 1};
    const uint64_t bit = (uint64_t)1 << q->which;
    if ((c->prepared & bit) == 0) {
        PGresult *r = PQsendPrepare(c->pg, names[q->which], texts[q->which], 0, NULL) == 1
                          ? st__pg_result(c, ST__PG_ANSWER_MS)
                          : NULL;
        if (PQresultStatus(r) != PGRES_COMMAND_OK)
            return r;
        PQclear(r);
        c->prepared |= bit;
    }
    const char *values[ARGUMENTS];
    for (int i = 0; i < q->n; i++)
        values[i] = q->values[i];
    if (PQsendQueryPrepared(c->pg, names[q->which], q->n, values, q->lengths, binary, 1) != 1)
        return NULL;
    return st__pg_result(c, ST__PG_ANSWER_MS);
}

PGresult *st__pg_ask(struct st__pg *s, const struct st__pg_question *q, struct fm_fault *fault)
{
    for (bool again = false;; again = true) {
        struct st__pg_conn *c = again ? NULL : take_waiting(s);
        const bool waited = c != NULL;
        if (c == NULL)
            c = take_new(s, fault);
        if (c == NULL)
            return NULL;
        const uint64_t start = st__pg_now_ms();
        PGresult *r = ask_on(c, q);
        const bool fine = PQresultStatus(r) == PGRES_TUPLES_OK;
        const bool lost = r == NULL || PQstatus(c->pg) != CONNECTION_OK;
        if (!fine)
            (void)st__pg_fail(c, r, fault);
        give(s, c, lost);
        if (fine)
            return r;
        PQclear(r);
        if (!lost || !waited || st__pg_now_ms() - start >= ST__PG_ANSWER_MS)
            return NULL;
    }
}

struct st__pg_question st__pg_about(enum st__pg_statement which, const struct st_id *table)
{
    struct st__pg_question q = {.which = which};
    st__pg_add_bytes(&q, table->bytes, ST_ID_BYTES);
    return q;
}

enum fm_err st__pg_ask_one(struct st__pg *s, const struct st__pg_question *q, PGresult **answer,
                           struct fm_fault *fault)
{
    *answer = st__pg_ask(s, q, fault);
    if (*answer == NULL)
        return FM_E_STORE;
    if (PQntuples(*answer) > 0)
        return FM_OK;
    PQclear(*answer);
    return fm_fail_plain(fault, FM_E_NO_TABLE);
}
