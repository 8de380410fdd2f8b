/*
 * table.h: one table: the state that follows from its log, and drafts of what may be written next.
 *
 * A table is a sequence of events, JSON texts that the store keeps. Whatever is to happen is
 * drafted first: a draft holds the event, and what the store changes beside the log, and leaves the
 * table untouched. Once the store has the event, the draft is committed. Reading the same events
 * back gives the same table, so playing and replaying are the same: parse, apply, log. The first
 * event names the version of the rules, and the table is played by that version to its end, even if
 * the server is updated.
 *
 * Nothing here knows sockets, threads, clocks or the store; time is an argument.
 */
#ifndef SERVER_TABLE_H
#define SERVER_TABLE_H

#include "ocean/water.h"
#include "server/name.h"
#include "store/store.h"

#include <fathom/game.h>
#include <fathom/record.h>

#define SRV_CLIENT_ID   40           /* characters of the id that a client gives an action */
#define SRV_NOTES       4000         /* bytes of a seat's private notes */
#define SRV_SEAT_BYTES  (512u << 10) /* of all events of a seat's notes together */
#define SRV_TABLE_BYTES (4u << 20)   /* of all events about who sits where */
#define SRV_BOT         32
#define SRV_TEXT        12288 /* bytes of an event, except SRV_HANDED */
#define SRV_HANDED_MAX  49152 /* bytes of a record that is handed in: its event has to fit, too */
#define SRV_CREDIT_MS   250   /* most round-trip time that is credited, in ms */
#define SRV_NO_SEAT     (-1)
#define SRV_NO_FROM     (-2) /* the client sent no `from`; -1: it saw the table before the start */

enum srv_role { SRV_HOST = 1, SRV_PLAYER }; /* values of st_token.role */

struct srv_done { /* an action that had an id */
    uint32_t seq; /* in its acknowledgement */
    uint8_t seat;
    char id[SRV_CLIENT_ID + 1];
};

struct srv_seat {
    bool taken; /* a person sits here */
    char name[SRV_NAME];
    uint8_t token[ST_HASH_BYTES]; /* the hash of that person's token */
    char bot[SRV_BOT];            /* the bot that plays; "": none */
    char *notes;                  /* NULL: none */
};

struct srv_tally {                   /* counts what the rules let a seat do again and again */
    uint16_t length;                 /* of the match so far, in rounds */
    uint16_t in_round[FM_MAX_SEATS]; /* by seat, in this round ... */
    uint16_t in_match[FM_MAX_SEATS]; /* ... and in the whole match */
    uint16_t clock;                  /* how often the clock acted */
};

struct srv_table {
    struct st_id id;
    char code[ST_CODE + 1];
    bool listed;
    const struct oc_water *water; /* what pictures of its stack are seen through */
    enum st_state state;
    bool handed;  /* played on somebody's device, and handed in when it was over: unranked */
    uint64_t seq; /* of the last event in its log */
    uint64_t made_ms, start_ms;
    int64_t shift_ms;            /* its time minus the server's: see srv_table_resume */
    uint8_t host[ST_HASH_BYTES]; /* the hash of the host's token */
    uint8_t seed[FM_SEED_BYTES]; /* the server's seed; secret until the end */
    uint8_t commitment[32];
    struct fm_fair fair;
    struct fm_setup setup;
    struct srv_seat seat[FM_MAX_SEATS];
    uint32_t note_bytes[FM_MAX_SEATS]; /* see SRV_SEAT_BYTES; 0 again for a new owner */
    uint32_t public_bytes;             /* see SRV_TABLE_BYTES; includes notes of people who left */
    bool has_rematch;
    struct st_id rematch;
    struct fm_event *event; /* of the match */
    size_t n_events, cap_events;
    struct srv_tally tally; /* of these events */
    struct srv_done *done;  /* all of these events that had an id: a retry may come at any time */
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
    SRV_CLOSED,
    SRV_HANDED
};

struct srv_draft {
    enum srv_kind kind;
    size_t n;
    char text[SRV_TEXT];
    struct st_change change;
    struct st_token tokens[ST_TOKENS_MAX];
    char *handed;          /* SRV_HANDED: the event, in place of text; owned by the draft */
    char *record;          /* if the event ends the game; owned by the draft */
    struct fm_event event; /* SRV_DID */
    struct fm_notes notes; /* SRV_DID and SRV_STARTED: what happened */
    int seat;              /* SRV_LEFT and SRV_BOT_SET; set by srv_table_follow only */
    char id[SRV_CLIENT_ID + 1];
    _Alignas(8) uint8_t match[FM_STATE_MAX];
};

void srv_table_init(struct srv_table *t);
void srv_table_finish(struct srv_table *t);
void srv_draft_finish(struct srv_draft *d);

/* ---- drafts: FM_OK, or a refusal in the fault ------------------------------------------------ */

struct srv_made { /* what a new table starts with */
    struct st_id id;
    const char *code;
    uint8_t seed[FM_SEED_BYTES];
    uint8_t host[ST_HASH_BYTES];
    uint64_t now_ms;
    const struct fm_library *library;
    const struct srv_table
        *like; /* of a rematch: whose seats and tokens it takes over; NULL: none */
};
/* body: {"game":…,"options":…,"listed":…,"water":…} */
enum fm_err srv_draft_made(struct srv_draft *d, const struct srv_made *made, struct json_t *body,
                           struct fm_fault *fault);
/* body: {"name":…,"seat":…,"entropy":…,"id":…}; *seat becomes the seat that was given. The caller
 * has made the token from the id. */
enum fm_err srv_draft_sat(struct srv_draft *d, const struct srv_table *t, struct json_t *body,
                          const uint8_t token[ST_HASH_BYTES], int *seat, struct fm_fault *fault);
/* body: {"entropy":…}: the contribution of a seat that was taken over by a rematch; once. */
enum fm_err srv_draft_entropy(struct srv_draft *d, const struct srv_table *t, int seat,
                              struct json_t *body, struct fm_fault *fault);
enum fm_err srv_draft_left(struct srv_draft *d, const struct srv_table *t, int seat,
                           struct fm_fault *fault);
enum fm_err srv_draft_bot(struct srv_draft *d, const struct srv_table *t, int seat, const char *bot,
                          struct fm_fault *fault); /* bot NULL: the bot leaves */
enum fm_err srv_draft_started(struct srv_draft *d, const struct srv_table *t, uint64_t now_ms,
                              struct fm_fault *fault);
bool srv_is_client_id(const char *id);
/* An action of a seat. One that arrives up to credit_ms after the deadline counts as sent in time,
 * and happens at the deadline. The credit changes nothing else, so it does not show in times that
 * others see. */
enum fm_err srv_draft_did(struct srv_draft *d, const struct srv_table *t, int seat, const char *id,
                          fm_action action, uint64_t now_ms, uint32_t credit_ms,
                          struct fm_fault *fault);
/* The action of the table's clock; FM_E_TIME: it is not due yet. */
enum fm_err srv_draft_clock(struct srv_draft *d, const struct srv_table *t, uint64_t now_ms,
                            struct fm_fault *fault);
enum fm_err srv_draft_noted(struct srv_draft *d, const struct srv_table *t, int seat,
                            const char *text, size_t n, struct fm_fault *fault);
enum fm_err srv_draft_again(struct srv_draft *d, const struct srv_table *t,
                            const struct st_id *rematch, struct fm_fault *fault);

/*
 * table_handed.c: a table whose game was played on somebody's device. Its log is one event, which
 * holds the record. The record is replayed, and must be what this program would have written, byte
 * for byte. Its id follows from the record, so that handing it in twice makes one table.
 */
void srv_handed_id(struct st_id *id, const char *record, size_t n);
enum fm_err srv_draft_handed(struct srv_draft *d, const char *record, size_t n, uint64_t now_ms,
                             const struct fm_library *library, struct fm_fault *fault);

/* Events that retention writes without loading the table. srv_put_closed: nobody has played for too
 * long. srv_blank_note: the same event of a note with an empty text; 0: it is no note, or its text
 * is empty. Both return how many bytes. */
#define SRV_CLOSED_TEXT 32
#define SRV_BLANK_TEXT  64
size_t srv_put_closed(char text[SRV_CLOSED_TEXT]);
size_t srv_blank_note(char text[SRV_BLANK_TEXT], const char *event, size_t n);

/* The store has the event of the draft: it becomes part of the table. */
enum fm_err srv_table_commit(struct srv_table *t, const struct srv_draft *d,
                             struct fm_fault *fault);
/* Checks that seq is the number of the next event; FM_E_RECORD: the log has a gap. */
enum fm_err srv_table_expects(const struct srv_table *t, uint64_t seq, struct fm_fault *fault);
/* Reads the next event of a log. FM_E_RECORD: it does not follow from the events before;
 * FM_E_RULES: this program does not have the rules. */
enum fm_err srv_table_read(struct srv_table *t, const struct st_id *id, const char *text, size_t n,
                           const struct fm_library *library, struct fm_fault *fault);

/* Reads an event that another node wrote; d gets what srv_put_change needs, and the seat. */
enum fm_err srv_table_follow(struct srv_table *t, struct srv_draft *d, const char *text, size_t n,
                             struct fm_fault *fault);

/* ---- bounds (table_bounds.c) ----------------------------------------------------------------- */

/*
 * A match must stay within FM_EVENTS_MAX events, so that its record can be stored. The rules let a
 * seat change its mind without end; the table does not. A seat may use a verb in
 * fm_game.repeat_verbs at most SRV_REPEATS times in a round (quiet verbs without this limit), and
 * its share of SRV_REPEATS_MATCH in a match. Beyond that it is refused, to this seat only, unless
 * the game waits for the seat and the action lets it go on. After SRV_CLOCK_WORDS actions the clock
 * stops.
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
/* FM_OK: the seat may repeat this. before, after: the match before and after ev. */
enum fm_err srv_check_repeat(const struct srv_tally *tally, const struct fm_game *g,
                             const void *before, const void *after, const struct fm_event *ev);
bool srv_clock_stopped(
    const struct srv_tally *tally); /* for this match: no deadline counts any more */
/* An action that is not a repetition, for a bot whose choice was refused; 0: there is none. */
fm_action srv_unrepeated_action(struct fm_view v);

/* ---- reading the table ----------------------------------------------------------------------- */

/* The record of a finished table, the same bytes as when it ended; free() it. NULL: no memory. */
char *srv_table_record(const struct srv_table *t, size_t *n);
/* The match as it was dealt. */
void srv_table_deal(const struct srv_table *t, void *match);
/*
 * Called when the log has been read. A table's time is the server's, shifted where that is
 * impossible.
 *
 * It cannot be before the last public event: if the calendar went back, the table's time continues
 * from that event, so that its clock does not stand still until the calendar has caught up. Nor can
 * it be after the deadline, since the clock has not acted yet: after a long absence, or with a
 * calendar far ahead, one deadline passes and the next one has its full length.
 */
void srv_table_resume(struct srv_table *t, uint64_t now_ms);
/* Another node has just written an event, by its own clock. If that differs too much from ours, the
 * table's time is set to the event's. */
void srv_table_sync_time(struct srv_table *t, uint64_t now_ms);
/* When its clock is due, by the server's time; 0: it does not tick. */
uint64_t srv_table_deadline(const struct srv_table *t);
/* Has this seat made exactly this contribution already? */
bool srv_table_has_entropy(const struct srv_table *t, int seat, struct json_t *body);
/* The seat whose token has this hash; SRV_NO_SEAT: none. */
int srv_table_seat_of(const struct srv_table *t, const uint8_t token[ST_HASH_BYTES]);
/* Was an action with this id applied for this seat already? */
bool srv_table_has_action(const struct srv_table *t, int seat, const char *id, uint32_t *seq);
/* srv_put_table writes {"table":…}. `here`: bits of who is connected: one for each seat, one for a
 * table's own screen, and one for each seat whose device also has the host's token. */
#define SRV_SCREEN_HERE     (1u << FM_MAX_SEATS)
#define SRV_HOST_HERE(seat) (1u << (FM_MAX_SEATS + 1 + (seat)))
#define SRV_HERE_BITS       (2 * FM_MAX_SEATS + 1)
void srv_put_table(struct fm_out *o, const struct srv_table *t, unsigned here);
void srv_put_seats(struct fm_out *o, const struct srv_table *t, unsigned here); /* [SEAT,…] */
/* picture_token.c: "visit":TOKEN, the visitor's token, with which pictures can be asked for;
 * nothing for games without pictures. */
bool srv_has_pictures(const struct srv_table *t);
void srv_put_visit(struct fm_out *o, const struct srv_table *t);
bool srv_is_visit(const struct srv_table *t, const char *token);
struct srv_hello { /* what a client asks for with its hello */
    int64_t from;  /* the last seq that it saw; SRV_NO_FROM: it does not say */
    bool earlier;  /* with "earlier" */
    bool visits;   /* with "visit" */
    bool seqs;     /* with "seqs" */
};
/* {"seq":…,"events":…,"earlier":…,"seqs":…,"view":…,"visit":…}: events are those that this viewer
 * missed since `from`; left out if that is SRV_NO_FROM or there are too many. */
void srv_put_hello(struct fm_out *o, const struct srv_table *t, int seat,
                   const struct srv_hello *hello);
/* table_told.c */
/* "events":[…]: what this viewer has missed since seq `from`; false: that is too much, and nothing
 * is written. seqs gets the seq of the change that each event belongs to; NULL: not wanted. */
bool srv_put_missed(struct fm_out *o, const struct srv_table *t, int seat, int64_t from,
                    struct fm_out *seqs);
/* "earlier":[…]: what it was told up to seq `until`, the newest that fit. */
void srv_put_earlier(struct fm_out *o, const struct srv_table *t, int seat, int64_t until,
                     struct fm_out *seqs);
/* {"seq":…,"events":…,"view":…} after d was committed; false: this viewer notices nothing. before:
 * the match before it. */
bool srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                    const void *before, int seat);

#endif
