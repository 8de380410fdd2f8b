/*
 * store.h: where tables survive: an append-only log, keyed by table and sequence number, and what
 * is found by other keys: codes, tokens, deadlines, finished records.
 *
 * A table is what its log says; everything else here can be told from the logs and is kept beside
 * them only to be found quickly. A write is one event with all that changes beside it: it becomes
 * durable as a whole or not at all. The key (table, seq) alone decides races: of two writes with
 * the same key one is refused.
 *
 * The store's thread commits whatever has gathered while it was busy, in one transaction, and
 * then calls done for each write in the order in which they were submitted. Reads are made on the
 * caller's thread, and see every write whose done was called.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <fathom/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ST_ID_BYTES     16    /* a table's id: random */
#define ST_CODE         6     /* letters and digits of an invitation */
#define ST_HASH_BYTES   32    /* a token is kept as its hash */
#define ST_KEY_BYTES    32    /* a secret of the site */
#define ST_EVENT_MAX    65536 /* bytes of an event */
#define ST_RECORD_MAX   (12u << 20)
#define ST_TOKENS_MAX   16 /* that one write brings */
#define ST_QUEUE_WRITES 65536
#define ST_QUEUE_BYTES  (64u << 20)

struct st_id {
    uint8_t bytes[ST_ID_BYTES];
};

struct st_token { /* who may speak for a seat, or for the host */
    uint8_t hash[ST_HASH_BYTES];
    uint8_t role; /* the server's to say what it means */
    uint8_t seat;
};

/* A new table is ST_WAITING. Its code is its own while it waits and is played; once it is over or
 * closed the code is free for others, and finds it no more. ST_CLOSED: given up by all: it is never
 * due; its log, tokens and record can still be read by its id. */
enum st_state { ST_WAITING, ST_PLAYING, ST_OVER, ST_CLOSED };

/* What a write changes beside the log; a zero struct changes nothing. */
struct st_change {
    bool creates;           /* the table itself: its first event, seq 1; with these two: */
    char code[ST_CODE + 1]; /* compared as given; "": it has none */
    bool listed;
    bool moves; /* to this state */
    uint8_t state;
    bool times; /* this is its deadline now; 0: it has none */
    uint64_t deadline_ms;
    const struct st_token *tokens;
    size_t n_tokens;
    const char *record; /* of the finished game, in place of one before; NULL: none */
    size_t record_n;
    bool keeps;   /* this program keeps the table from now on: see ST_KEEP */
    bool removes; /* nothing of the table remains, and the event is not kept either; alone */
};

struct st_write {
    struct st_id table;
    uint64_t seq; /* from 1, without a gap */
    const void *event;
    size_t n;
    struct st_change change;
};

struct st_store;

/*
 * "sqlite:PATH"; the file is made if it is missing, for its owner alone. "postgres:CONNINFO", as
 * libpq takes it; the schema "fathom" is made in that database if it is missing. NULL and a fault:
 * FM_E_VALUE: no such kind of store; FM_E_FILE: it cannot be used, is something else, or was made
 * by a newer program; FM_E_MEMORY. Several stores, also of several programs, may be open on one
 * file or database.
 */
struct st_store *st_open(const char *where, struct fm_fault *fault);
void st_close(struct st_store *s); /* after everything submitted is done; takes NULL */
/*
 * The same for a program that serves from the store, or fills it: no second one may, until this
 * one closes it or ends, however it ends. FM_E_FILE also: another one does, and the fault says
 * which, in the words that it gave as `who`; or the file system has no locks. On a store that
 * programs share (st_shared) any number may; and st_open is refused to nobody.
 */
struct st_store *st_open_alone(const char *where, const char *who, struct fm_fault *fault);
void st_say_who(struct st_store *s, const char *who); /* from now on in other words */

/*
 * Queue a write; all that it points to is copied. done is called on the store's thread, and may
 * be NULL; it may submit and read, but not drain or close:
 * FM_OK: durable; its fault is NULL. FM_E_CONFLICT: there is an event with this key, or seq leaves
 * a gap, or the code is that of another table that waits or is played, or the table has a token
 * with this hash: nothing of this write was kept. FM_E_STORE: nothing of it was kept, and the fault
 * says why (disk full, read-only …); later writes are tried anew. Refused at once, with no done to
 * come: FM_E_SIZE: an event, record or number of tokens beyond its limit; FM_E_VALUE: no write at
 * all (seq 0, creates with another seq than 1, no such state …); FM_E_BUSY: as much is waiting as
 * may (ST_QUEUE_WRITES, ST_QUEUE_BYTES); FM_E_MEMORY.
 */
typedef void st_done(void *arg, enum fm_err err, const struct fm_fault *fault);
enum fm_err st_submit(struct st_store *s, const struct st_write *w, st_done *done, void *arg,
                      struct fm_fault *fault);
/* While it is held, what is submitted gathers and becomes one group. Not for long. */
void st_hold(struct st_store *s, bool held);
void st_drain(struct st_store *s); /* returns when all that was submitted before is done */

/* ---- reading: FM_OK, FM_E_NO_TABLE or FM_E_STORE -------------------------------------------- */

/* Events of a table from a sequence number on, in order; each returns false to stop, and may read
 * on its own. The event is there until each returns; it is never NULL. */
typedef bool st_each_event(void *arg, uint64_t seq, const void *event, size_t n);
enum fm_err st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                        st_each_event *each, void *arg, struct fm_fault *fault);

struct st_table {
    struct st_id id;
    char code[ST_CODE + 1];
    bool listed;
    uint8_t state;
    uint64_t deadline_ms, last_seq;
};
enum fm_err st_find_table(struct st_store *s, const struct st_id *table, struct st_table *out,
                          struct fm_fault *fault);
enum fm_err st_find_code(struct st_store *s, const char *code, struct st_table *out,
                         struct fm_fault *fault);
/* By the hash, within a table; FM_E_NO_TABLE: no such token. */
enum fm_err st_find_token(struct st_store *s, const struct st_id *table,
                          const uint8_t hash[ST_HASH_BYTES], struct st_token *out,
                          struct fm_fault *fault);
/* Tables that are listed and wait; that are in a state; whose deadline is now_ms or before: at most
 * max, the newest first, of deadlines the earliest. *n is how many. */
enum fm_err st_list_waiting(struct st_store *s, struct st_table *out, size_t max, size_t *n,
                            struct fm_fault *fault);
enum fm_err st_list_state(struct st_store *s, uint8_t state, struct st_table *out, size_t max,
                          size_t *n, struct fm_fault *fault);
enum fm_err st_list_due(struct st_store *s, uint64_t now_ms, struct st_table *out, size_t max,
                        size_t *n, struct fm_fault *fault);
/* A finished table's record; free() it. A byte 0 follows its n bytes. FM_E_NO_TABLE: there is no
 * such table, or it has none. */
enum fm_err st_read_record(struct st_store *s, const struct st_id *table, char **text, size_t *n,
                           struct fm_fault *fault);

/* All tables, the oldest first, and all tokens of one; each returns false to stop, and may read on
 * its own. For those who copy or check a store. */
typedef bool st_each_table_of(void *arg, const struct st_table *table);
enum fm_err st_each_table(struct st_store *s, st_each_table_of *each, void *arg,
                          struct fm_fault *fault);
typedef bool st_each_token_of(void *arg, const struct st_token *token);
enum fm_err st_each_token(struct st_store *s, const struct st_id *table, st_each_token_of *each,
                          void *arg, struct fm_fault *fault);

/* The last seq of each of these tables, 0 for one that is not there: cheap, for many at once. */
enum fm_err st_read_heads(struct st_store *s, const struct st_id *tables, size_t n, uint64_t *seqs,
                          struct fm_fault *fault);

/* ---- retention: what is old may go -------------------------------------------------------------
 *
 * The store knows when each event was written, by its own calendar. A table goes by an ordinary
 * write (removes), so that whoever writes to it at the same moment and this one cannot both
 * succeed. Nothing here decides what is to go.
 */

struct st_old {
    struct st_table table;
    uint64_t age_s; /* of its last event */
    uint64_t bytes; /* of its events and its record */
};

#define ST_OLD_ALL UINT64_MAX

/*
 * Tables in a state whose last event is age_s old or older, in the order in which they were made.
 * One call looks at a bounded number of tables and goes on from *at, which is 0 at first, and
 * ST_OLD_ALL when all were seen. untrimmed: of these only the ones that have events which
 * st_rewrite has not seen. *n: how many were found, at most max.
 */
struct st_old_query {
    uint8_t state;
    bool untrimmed;
    uint64_t age_s;
};
enum fm_err st_list_old(struct st_store *s, const struct st_old_query *query, uint64_t *at,
                        struct st_old *out, size_t max, size_t *n, struct fm_fault *fault);

struct st_event {
    uint64_t seq;
    const void *bytes;
    size_t n;
};
struct st_rewriting {
    struct st_id table;
    uint64_t last_seq;
    const struct st_event *events;
    size_t n;   /* may be 0 */
    bool whole; /* these were all: it counts as trimmed until it has a later event */
};
/*
 * Other bytes in place of events of a table that is over or closed, and whose last event is
 * last_seq. One small transaction of its own; waits until it is kept. FM_E_CONFLICT: the table has
 * changed; FM_E_NO_TABLE, FM_E_STORE.
 */
enum fm_err st_rewrite(struct st_store *s, const struct st_rewriting *r, struct fm_fault *fault);

/* One program at a time prunes a shared store: FM_OK: this one, until st_prune_end. FM_E_BUSY:
 * another one does. Both, and st_rewrite meanwhile, on the same thread. */
enum fm_err st_prune_begin(struct st_store *s, struct fm_fault *fault);
void st_prune_end(struct st_store *s);

/* ---- several programs on one store ------------------------------------------------------------
 *
 * Each table in play has one keeper, a program that acts for it unasked: its clock, its bots. It
 * is whoever wrote `keeps` last. What a program kept that is gone, and what is overdue, another
 * one gets. Two that act at once do no harm: the key (table, seq) lets only one of them.
 */

/* May several programs be at work on this store? If not, nothing is ever heard. */
bool st_shared(const struct st_store *s);

/* The calendar that all programs on this store go by, in nanoseconds since 1970: the database's
 * own, as it was last heard of; for a program that is alone this machine's. Deadlines are times of
 * this calendar: so programs whose machines disagree agree on them. Does not wait; any thread. */
uint64_t st_calendar_ns(const struct st_store *s);

/* A secret that all programs on a shared store have in common, for as long as there is the store.
 */
enum fm_err st_read_key(struct st_store *s, uint8_t key[ST_KEY_BYTES], struct fm_fault *fault);

#define ST_WORD_MAX 1024 /* bytes */

enum st_news_kind {
    ST_WROTE,  /* another program: the table has events up to seq */
    ST_TOLD,   /* another program said text about the table: st_tell */
    ST_KEEP,   /* this program keeps the table from now on, or still does */
    ST_MISSED, /* news may have been lost: all tables may have more events than is known */
};
struct st_news {
    enum st_news_kind kind;
    struct st_id table;
    uint64_t seq;
    const void *text;
    size_t n;
};
/* Called on a thread of the store's own, from st_listen to st_deafen or st_close. What this program
 * writes and tells is not heard by it. */
typedef void st_hear(void *arg, const struct st_news *news);
enum fm_err st_listen(struct st_store *s, st_hear *hear, void *arg,
                      struct fm_fault *fault); /* once */
/* A word to the other programs: it is not kept, and may be lost. Does not wait; from any thread. */
void st_tell(struct st_store *s, const struct st_id *table, const void *text, size_t n);
/* Once this returns, nothing is heard any more; what is told is lost. */
void st_deafen(struct st_store *s);
/* This program goes: others may keep what it keeps, at once. */
void st_leave(struct st_store *s);

struct st_stats {
    uint64_t writes;               /* durable */
    uint64_t commits;              /* groups of them */
    uint64_t conflicts;            /* writes refused */
    uint64_t failures;             /* writes that ended in FM_E_STORE */
    size_t waiting, waiting_bytes; /* whose done is still to come */
    uint64_t commit_us[24];        /* commits of 2^(i-1) to 2^i - 1 microseconds; the last: more */
    uint64_t commit_us_sum;        /* of all of them */
    uint64_t notices_sent, notices_heard; /* between programs: messages of the database */
};
struct st_stats st_stats(struct st_store *s);

#endif
