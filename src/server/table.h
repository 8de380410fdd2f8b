/*
 * table.h: one table: what its log says, and what may be written next.
 *
 * A table is made of events, in order: texts of JSON that the store keeps. Whatever is to happen
 * is drafted first: a draft holds the event, and what changes beside the log, and leaves the table
 * as it is. When the store has it, the draft is committed. Reading the same events back gives the
 * same table: playing is parsing, applying, logging, and so is replaying. The first event says by
 * which version of its game's rules it is played: to the end, whatever is served meanwhile.
 *
 * Nothing here knows sockets, threads, clocks or the store; time is an argument.
 */
#ifndef SERVER_TABLE_H
#define SERVER_TABLE_H

#include "server/name.h"
#include "store/store.h"

#include <fathom/game.h>
#include <fathom/record.h>

#define SRV_CLIENT_ID   40           /* characters of a client's id for an action */
#define SRV_NOTES       4000         /* bytes of a seat's private notes */
#define SRV_SEAT_BYTES  (512u << 10) /* of the events of a seat's notes, all of them together */
#define SRV_TABLE_BYTES (4u << 20)   /* of all events of who came, left, or is a bot */
#define SRV_BOT         32
#define SRV_TEXT        12288  /* bytes of an event */
#define SRV_CREDIT_MS   250    /* a way to the server and back that is longer is not made up for */
#define SRV_MISSED      131072 /* bytes of events that whoever comes back is told, or none of them */
#define SRV_NO_SEAT     (-1)
#define SRV_NO_FROM     (-2) /* whoever comes saw nothing; -1: the table before its start */

enum srv_role { SRV_HOST = 1, SRV_PLAYER }; /* st_token.role */

struct srv_done { /* an action with a client's id */
    uint32_t seq; /* that it was acknowledged with */
    uint8_t seat;
    char id[SRV_CLIENT_ID + 1];
};

struct srv_seat {
    bool taken; /* by a person */
    char name[SRV_NAME];
    uint8_t token[ST_HASH_BYTES]; /* the hash of that person's */
    char bot[SRV_BOT];            /* plays; "": none */
    char *notes;                  /* NULL: none */
};

struct srv_tally {                   /* of what rules let a seat do again and again */
    uint16_t length;                 /* of the match so far: its round */
    uint16_t in_round[FM_MAX_SEATS]; /* by seat, in this round ... */
    uint16_t in_match[FM_MAX_SEATS]; /* ... and in all */
    uint16_t clock;                  /* what the clock said in all */
};

struct srv_table {
    struct st_id id;
    char code[ST_CODE + 1];
    bool listed;
    enum st_state state;
    uint64_t seq; /* of its log */
    uint64_t made_ms, start_ms;
    int64_t shift_ms;            /* what its time is ahead of the server's: see srv_table_resume */
    uint8_t host[ST_HASH_BYTES]; /* the hash of the host's token */
    uint8_t seed[FM_SEED_BYTES]; /* the server's; secret until the end */
    uint8_t commitment[32];
    struct fm_fair fair;
    struct fm_setup setup;
    struct srv_seat seat[FM_MAX_SEATS];
    uint32_t noted_bytes[FM_MAX_SEATS]; /* see SRV_SEAT_BYTES; a new owner begins at 0 */
    uint32_t told_bytes;                /* see SRV_TABLE_BYTES; and notes of those who left */
    bool has_rematch;
    struct st_id rematch;
    struct fm_event *event; /* of the match */
    size_t n_events, cap_events;
    struct srv_tally tally; /* of these events */
    struct srv_done *done;  /* of those events, all that had an id: a retry may come at any time */
    size_t n_done, cap_done;
    _Alignas(8) uint8_t match[FM_STATE_MAX];
};

enum srv_kind {
    SRV_MADE,
    SRV_SAT,
    SRV_LEFT,
    SRV_BOT_SET,
    SRV_STARTED,
    SRV_DID,
    SRV_NOTED,
    SRV_AGAIN,
    SRV_CLOSED
};

struct srv_draft {
    enum srv_kind kind;
    size_t n;
    char text[SRV_TEXT];
    struct st_change change;
    struct st_token tokens[ST_TOKENS_MAX];
    char *record;          /* of a game that ends by it; the draft's */
    struct fm_event event; /* SRV_DID ... */
    struct fm_notes notes; /* ... and SRV_STARTED: what happened */
    int seat;              /* SRV_LEFT, SRV_BOT_SET: whose; only of one that was followed */
    char id[SRV_CLIENT_ID + 1];
    _Alignas(8) uint8_t match[FM_STATE_MAX];
};

void srv_table_init(struct srv_table *t);
void srv_table_finish(struct srv_table *t);
void srv_draft_finish(struct srv_draft *d);

/* ---- drafts: FM_OK, or a refusal ------------------------------------------------------------ */

struct srv_made { /* what a new table is made of */
    struct st_id id;
    const char *code;
    uint8_t seed[FM_SEED_BYTES];
    uint8_t host[ST_HASH_BYTES];
    uint64_t now_ms;
    const struct fm_library *library;
    const struct srv_table *like; /* a rematch: its seats and tokens; NULL: none are taken */
};
/* body: {"game":…,"options":…,"listed":…} */
enum fm_err srv_draft_made(struct srv_draft *d, const struct srv_made *made, struct json_t *body,
                           struct fm_fault *fault);
/* body: {"name":…,"seat":…,"entropy":…,"id":…}; *seat is which one it gets; the token is made from
 * the id by whoever calls. */
enum fm_err srv_draft_sat(struct srv_draft *d, const struct srv_table *t, struct json_t *body,
                          const uint8_t token[ST_HASH_BYTES], int *seat, struct fm_fault *fault);
/* A seat that came with a rematch adds to the deal: {"entropy":…}, once. */
enum fm_err srv_draft_added(struct srv_draft *d, const struct srv_table *t, int seat,
                            struct json_t *body, struct fm_fault *fault);
enum fm_err srv_draft_left(struct srv_draft *d, const struct srv_table *t, int seat,
                           struct fm_fault *fault);
enum fm_err srv_draft_bot(struct srv_draft *d, const struct srv_table *t, int seat, const char *bot,
                          struct fm_fault *fault); /* NULL: none any more */
enum fm_err srv_draft_started(struct srv_draft *d, const struct srv_table *t, uint64_t now_ms,
                              struct fm_fault *fault);
bool srv_is_client_id(const char *id);
/* What a seat does. What comes up to `credit_ms` after the deadline comes at the deadline: it was
 * said in time. Nothing else depends on the credit, so that times which others see do not. */
enum fm_err srv_draft_did(struct srv_draft *d, const struct srv_table *t, int seat, const char *id,
                          fm_action action, uint64_t now_ms, uint32_t credit_ms,
                          struct fm_fault *fault);
/* What the table's clock says; FM_E_TIME: its time has not come. */
enum fm_err srv_draft_clock(struct srv_draft *d, const struct srv_table *t, uint64_t now_ms,
                            struct fm_fault *fault);
enum fm_err srv_draft_noted(struct srv_draft *d, const struct srv_table *t, int seat,
                            const char *text, size_t n, struct fm_fault *fault);
enum fm_err srv_draft_again(struct srv_draft *d, const struct srv_table *t,
                            const struct st_id *rematch, struct fm_fault *fault);

/* Events that are written without looking at their tables, by whoever prunes the store. The first:
 * nobody has played on for long. The second: of a note, without its text; 0: this is none, or it
 * has none. How many bytes. */
#define SRV_CLOSED_TEXT 32
#define SRV_BLANK_TEXT  64
size_t srv_put_closed(char text[SRV_CLOSED_TEXT]);
size_t srv_blank_note(char text[SRV_BLANK_TEXT], const char *event, size_t n);

/* The store has it. */
enum fm_err srv_table_commit(struct srv_table *t, const struct srv_draft *d,
                             struct fm_fault *fault);
/* Is this the number of its next event? FM_E_RECORD: the log has a gap. */
enum fm_err srv_table_expects(const struct srv_table *t, uint64_t seq, struct fm_fault *fault);
/* The next event of a log. A log that does not fit is refused, with FM_E_RECORD; one that is played
 * by rules that are not here, with FM_E_RULES. */
enum fm_err srv_table_read(struct srv_table *t, const struct st_id *id, const char *text, size_t n,
                           const struct fm_library *library, struct fm_fault *fault);

/* The next event of a log that others write, too: d gets what srv_put_change needs, and the seat.
 */
enum fm_err srv_table_follow(struct srv_table *t, struct srv_draft *d, const char *text, size_t n,
                             struct fm_fault *fault);

/* ---- bounds (table_bounds.c) ------------------------------------------------------------------ */

/*
 * What keeps a match within FM_EVENTS_MAX events, so that its record can be stored. The rules let a
 * seat change its mind without end; the table does not: a verb in fm_game.repeat_verbs is done at
 * most SRV_REPEATS times by a seat in a round (a quiet one as often as it likes), and in a match so
 * often that there is room for everything else. Beyond that it is refused to this seat alone,
 * unless the game waits for the seat and this lets it go on. A clock that has spoken
 * SRV_CLOCK_WORDS times speaks no more.
 */
#define SRV_REPEATS       60
#define SRV_REPEATS_MATCH (FM_EVENTS_MAX * 2 / 5) /* of all seats together */
#define SRV_CLOCK_WORDS   200
#define SRV_RECORD_LINE   512 /* no line of a record for an event is longer: the tests measure it */

_Static_assert((uint64_t)FM_EVENTS_MAX *SRV_RECORD_LINE + (uint64_t)2 * FM_RECORD_LINE <=
                   ST_RECORD_MAX,
               "the record of every match can be stored");

void srv_tally_begin(struct srv_tally *tally, const struct fm_game *g, const void *match);
void srv_tally_add(struct srv_tally *tally, const struct fm_game *g, const void *match,
                   const struct fm_event *ev); /* match: after it */
/* May this seat do this once more? `before` and `after`: the match. */
enum fm_err srv_check_repeat(const struct srv_tally *tally, const struct fm_game *g,
                             const void *before, const void *after, const struct fm_event *ev);
bool srv_clock_rests(const struct srv_tally *tally); /* it speaks no more, and nobody is late */
/* An action that is no repetition, for a bot whose choice was refused; 0: there is none. */
fm_action srv_way_on(struct fm_view v);

/* ---- looking -------------------------------------------------------------------------------- */

/* The record of a table that is over, as it was written when it ended; free() it. NULL: there is no
 * memory. */
char *srv_table_record(const struct srv_table *t, size_t *n);
/* The match as it was dealt. */
void srv_table_deal(const struct srv_table *t, void *match);
/*
 * A table's time is the server's, unless that cannot be: then the table's is shifted.
 *
 * The log has been read. No time can be before the last public event: if the calendar went back,
 * the table's time goes on from there, and its clock does not stand still until the calendar is
 * back. Nor can it be after the deadline, which is not past before the clock has spoken: after a
 * long absence, or a calendar far ahead, one deadline is met and the next is a whole one again.
 */
void srv_table_resume(struct srv_table *t, uint64_t now_ms);
/* Another server wrote an event a moment ago, by its own clock: if that differs by too much, the
 * table's time is that of the event. */
void srv_table_heard(struct srv_table *t, uint64_t now_ms);
/* When its clock speaks, by the server's time; 0: it does not tick. */
uint64_t srv_table_deadline(const struct srv_table *t);
/* Did this seat add just this to the deal already? */
bool srv_table_added(const struct srv_table *t, int seat, struct json_t *body);
/* Whose token has this hash; SRV_NO_SEAT: nobody's who sits here. */
int srv_table_seat_of(const struct srv_table *t, const uint8_t token[ST_HASH_BYTES]);
/* Was an action with this id done by this seat already? */
bool srv_table_knows(const struct srv_table *t, int seat, const char *id, uint32_t *seq);
/* {"table":…}; here: bits of the seats whose people are connected. */
void srv_put_table(struct fm_out *o, const struct srv_table *t, unsigned here);
void srv_put_seats(struct fm_out *o, const struct srv_table *t, unsigned here); /* [SEAT,…] */
/* visit.c: "visit":TOKEN, which lets whoever was told it ask for pictures; nothing where there are
 * none. */
bool srv_has_pictures(const struct srv_table *t);
void srv_put_visit(struct fm_out *o, const struct srv_table *t);
bool srv_is_visit(const struct srv_table *t, const char *token);
/* {"seq":…,"view":…,"visit":…}, with the events that this viewer missed since `from`, unless that
 * is SRV_NO_FROM or they are too many. */
void srv_put_hello(struct fm_out *o, const struct srv_table *t, int seat, int64_t from,
                   bool visits); /* it asks for "visit" */
/* {"seq":…,"events":…,"view":…} of what was committed just now; false: this viewer notices
 * nothing. `before` is the match before it. */
bool srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                    const void *before, int seat);

#endif
