/*
 * store.h: where tables are kept: an append-only log for each, keyed by table and sequence number,
 * and lookups by other keys: codes, tokens, deadlines, records.
 *
 * The log alone defines a table; everything else follows from it, and is stored beside it only to
 * be found quickly. A write is one event together with everything that changes beside the log: it
 * becomes durable as a whole or not at all. The key (table, seq) alone decides races: of two writes
 * with the same key one is refused.
 *
 * The store's thread commits in one transaction whatever was submitted while it was busy, and then
 * calls done for each write in the order of submission. Reads run on the caller's thread, and see
 * every write whose done was called.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <fathom/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ST_ID_BYTES     16    /* a table's id: random */
#define ST_CODE         6     /* letters and digits of an invitation code */
#define ST_HASH_BYTES   32    /* tokens are stored as hashes */
#define ST_KEY_BYTES    32    /* a secret that all nodes share */
#define ST_EVENT_MAX    65536 /* bytes of an event */
#define ST_RECORD_MAX   (12u << 20)
#define ST_TOKENS_MAX   16 /* most that one write adds */
#define ST_QUEUE_WRITES 65536
#define ST_QUEUE_BYTES  (64u << 20)

struct st_id {
    uint8_t bytes[ST_ID_BYTES];
};

struct st_token { /* makes its owner the player of a seat, or the host */
    uint8_t hash[ST_HASH_BYTES];
    uint8_t role; /* its meaning is the server's */
    uint8_t seat;
};

/* A new table is ST_WAITING. Its code belongs to it while it waits and is played; once it is over
 * or closed, the code no longer finds it and may be given to another table. ST_CLOSED: abandoned.
 * It is never due; its log, tokens and record can still be read by its id. */
enum st_state { ST_WAITING, ST_PLAYING, ST_OVER, ST_CLOSED };

/* What a write changes beside the log; all zero: nothing. */
struct st_change {
    bool creates;           /* the table: this is its first event, seq 1; uses code and listed */
    char code[ST_CODE + 1]; /* compared as given; "": it has none */
    bool listed;
    bool moves; /* sets the state */
    uint8_t state;
    bool times; /* sets the deadline; 0: none */
    uint64_t deadline_ms;
    const struct st_token *tokens;
    size_t n_tokens;
    const char *record; /* of the finished game, replaces an earlier one; NULL: none */
    size_t record_n;
    bool keeps;   /* this program becomes the keeper: see ST_KEEP */
    bool removes; /* deletes the table, this event included; nothing else may be set */
};

struct st_write {
    struct st_id table;
    uint64_t seq; /* from 1, without gaps */
    const void *event;
    size_t n;
    struct st_change change;
};

struct st_store;

/*
 * where: "sqlite:PATH" (the file is created if missing, readable by its owner only) or
 * "postgres:CONNINFO" (a connection string of libpq; the schema "fathom" is created if missing).
 * NULL and a fault: FM_E_VALUE: no such kind of store; FM_E_FILE: it cannot be used, is something
 * else, or was made by a newer program; FM_E_MEMORY. A file or database may be opened several
 * times, also by several programs.
 */
struct st_store *st_open(const char *where, struct fm_fault *fault);
void st_close(struct st_store *s); /* after everything submitted is done; takes NULL */
/*
 * The same for a program that serves the store or fills it. There may be only one at a time: no
 * second program can open the store in this way until the first one closes it or ends, however it
 * ends. FM_E_FILE also: another program has it, and the fault quotes the `who` that it gave; or the
 * file system has no locks. A shared store (st_shared) may be opened by any number. st_open is
 * never refused for this reason.
 */
struct st_store *st_open_alone(const char *where, const char *who, struct fm_fault *fault);
void st_describe(struct st_store *s, const char *who); /* replaces `who` */
/*
 * Could st_open_alone open it? Changes nothing, and creates nothing. FM_OK, and the version of the
 * store (0: there is none yet, it would be created; below newest: it would be upgraded); or a fault
 * as from st_open_alone, but FM_E_BUSY if another program has it.
 */
struct st_look {
    int version, newest;
};
enum fm_err st_look(const char *where, struct st_look *out, struct fm_fault *fault);

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
/* While held, writes gather and will be committed as one group. Only for a short time. */
void st_hold(struct st_store *s, bool held);
void st_drain(struct st_store *s); /* returns when everything submitted before is done */

/* ---- reading: FM_OK, FM_E_NO_TABLE or FM_E_STORE -------------------------------------------- */

/* Calls each for the events of a table from a sequence number on, in order; each returns false to
 * stop, and may itself read from the store. The event is valid until each returns, and never NULL.
 */
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
/* Finds a token of a table by its hash; FM_E_NO_TABLE: no such token. */
enum fm_err st_find_token(struct st_store *s, const struct st_id *table,
                          const uint8_t hash[ST_HASH_BYTES], struct st_token *out,
                          struct fm_fault *fault);
/* At most max tables: those that are listed and wait, those in a state (both the newest first),
 * those whose deadline is now_ms or before (the earliest first). *n: how many. */
enum fm_err st_list_waiting(struct st_store *s, struct st_table *out, size_t max, size_t *n,
                            struct fm_fault *fault);
enum fm_err st_list_state(struct st_store *s, uint8_t state, struct st_table *out, size_t max,
                          size_t *n, struct fm_fault *fault);
enum fm_err st_list_due(struct st_store *s, uint64_t now_ms, struct st_table *out, size_t max,
                        size_t *n, struct fm_fault *fault);
/* The record of a finished table; free() it. A NUL follows its n bytes. FM_E_NO_TABLE: no such
 * table, or it has no record. */
enum fm_err st_read_record(struct st_store *s, const struct st_id *table, char **text, size_t *n,
                           struct fm_fault *fault);

/* All tables, the oldest first; all tokens of a table. each returns false to stop, and may itself
 * read from the store. For copying and checking a store. */
typedef bool st_each_table_of(void *arg, const struct st_table *table);
enum fm_err st_each_table(struct st_store *s, st_each_table_of *each, void *arg,
                          struct fm_fault *fault);
typedef bool st_each_token_of(void *arg, const struct st_token *token);
enum fm_err st_each_token(struct st_store *s, const struct st_id *table, st_each_token_of *each,
                          void *arg, struct fm_fault *fault);

/* The last seq of each of these tables; 0: no such table. Cheap for many at once. */
enum fm_err st_read_heads(struct st_store *s, const struct st_id *tables, size_t n, uint64_t *seqs,
                          struct fm_fault *fault);

/* ---- retention: old tables -------------------------------------------------------------
 *
 * The store knows when each event was written, by its own calendar. A table is deleted by an
 * ordinary write (removes), so that it cannot succeed together with another write to the table. The
 * rules for what is deleted are the server's.
 */

struct st_old {
    struct st_table table;
    uint64_t age_s; /* of its last event */
    uint64_t bytes; /* of its events and its record */
};

#define ST_OLD_ALL UINT64_MAX

/*
 * Tables in a state whose last event is at least age_s old, in order of creation. One call scans a
 * bounded number of tables from *at on, which is 0 at first and becomes ST_OLD_ALL at the end.
 * untrimmed: only those with events that st_rewrite has not handled. *n: how many were found, at
 * most max.
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
    bool whole; /* no more follow: the table counts as trimmed until its next event */
};
/*
 * Replaces the bytes of events of a table that is over or closed, and whose last event is last_seq.
 * A small transaction of its own; returns when it is durable. FM_E_CONFLICT: the table has changed;
 * FM_E_NO_TABLE, FM_E_STORE.
 */
enum fm_err st_rewrite(struct st_store *s, const struct st_rewriting *r, struct fm_fault *fault);

/* One program at a time prunes a shared store: FM_OK: this one, until st_prune_end; FM_E_BUSY:
 * another one is pruning. Call both, and st_rewrite in between, on the same thread. */
enum fm_err st_prune_begin(struct st_store *s, struct fm_fault *fault);
void st_prune_end(struct st_store *s);

/* ---- several programs on one store ------------------------------------------------------------
 *
 * Each table in play has one keeper, the program that acts for its clock and its bots: the last one
 * that wrote `keeps`. The tables of a program that is gone, and tables that are overdue, pass to
 * another one. Two keepers at once do no harm: the key (table, seq) lets only one of them write.
 */

const char *st_kind(const struct st_store *s); /* "sqlite", "postgres" */

/* Can several programs serve this store? If not, there are no notices. */
bool st_shared(const struct st_store *s);

/* The calendar that deadlines refer to, in nanoseconds since 1970: on a shared store the
 * database's, as last measured, so that programs agree even if the clocks of their machines do not;
 * otherwise this machine's. Does not block; any thread. */
uint64_t st_calendar_ns(const struct st_store *s);

/* A secret that all programs on a shared store have in common; it never changes. */
enum fm_err st_read_key(struct st_store *s, uint8_t key[ST_KEY_BYTES], struct fm_fault *fault);

#define ST_MESSAGE_MAX 1024 /* bytes */

enum st_notice_kind {
    ST_WROTE,   /* another program wrote: the table has events up to seq */
    ST_WATCHED, /* this program watches the table from now on; it has events up to seq */
    ST_MESSAGE, /* another program sent a text about the table: st_notify */
    ST_KEEP,    /* this program is the keeper of the table, from now on or still */
    ST_MISSED,  /* notices may have been lost: any table may have more events than known */
};
struct st_notice {
    enum st_notice_kind kind;
    struct st_id table;
    uint64_t seq;
    bool keeps;  /* ST_WROTE: the other program is the keeper now */
    bool others; /* ST_WATCHED: other programs are told of the table, too */
    const void *text;
    size_t n;
};
/* Called on a thread of the store's, from st_listen until st_unlisten or st_close. A program gets
 * no notices of its own writes and messages. */
typedef void st_listener(void *arg, const struct st_notice *news);
enum fm_err st_listen(struct st_store *s, st_listener *hear, void *arg,
                      struct fm_fault *fault); /* at most once */
/*
 * A program is told (ST_WROTE) of writes to tables that it keeps or watches; so nobody is told of a
 * table that only its writer serves. Watching is answered with ST_WATCHED: its seq covers whatever
 * was written before, and whatever is written afterwards is told. After ST_MISSED, call st_watch
 * again. Does not block; any thread; in the order of the calls. False: no memory.
 */
bool st_watch(struct st_store *s, const struct st_id *table, bool watches);
/* Sends a message to the other programs; it may be lost. Does not block; any thread. */
void st_notify(struct st_store *s, const struct st_id *table, const void *text, size_t n);
/* When this returns, no more notices come, and messages are no longer sent. */
void st_unlisten(struct st_store *s);
/* Lets other programs become the keepers of its tables at once: this one is about to stop. */
void st_release(struct st_store *s);

struct st_stats {
    uint64_t writes;               /* durable */
    uint64_t commits;              /* groups of them */
    uint64_t conflicts;            /* writes refused */
    uint64_t failures;             /* writes that ended in FM_E_STORE */
    size_t waiting, waiting_bytes; /* whose done was not called yet */
    uint64_t commit_us[24];        /* commits of 2^(i-1) to 2^i - 1 microseconds; the last: more */
    uint64_t commit_us_sum;        /* sum over all commits */
    uint64_t notices_sent, notices_heard; /* between programs */
    uint64_t oldest_us;                   /* how long the oldest write has waited; 0: none waits */
    uint64_t silent_ms; /* since a shared store last answered; 0: just now, or it is not shared */
    bool failing;       /* the last group ended in FM_E_STORE ... */
    char failure[FM_FAULT_TEXT]; /* ... and why */
};
struct st_stats st_stats(struct st_store *s);

#endif
