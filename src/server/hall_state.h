/*
 * hall_state.h: the structs that the files of the hall share, and the functions that they offer
 * each other, file by file.
 *
 * The path of a move: hall_streams.c parses it, hall_requests.c queues it, drafts its event and
 * gives that to the store, and once it is durable hall_broadcast.c sends it to every stream of the
 * table.
 */
#ifndef SERVER_HALL_STATE_H
#define SERVER_HALL_STATE_H

#include "server/crash.h"
#include "server/hall.h"
#include "server/log.h"
#include "server/oceans.h"
#include "server/rates.h"

#include <fathom/bot.h>

#include <pthread.h>

#define SRV_BUCKETS  4096 /* of the hash table of slots */
#define SRV_SPARE    256  /* drafts kept for reuse */
#define SRV_THINKERS 64   /* most threads for bots */
#define SRV_SENDING  256  /* changes per turn of the loop whose delivery is measured */

enum srv_request_kind {
    SRV_REQUEST_SEAT,
    SRV_REQUEST_ENTROPY, /* a contribution to the deal of a rematch */
    SRV_REQUEST_LEAVE,
    SRV_REQUEST_BOT,
    SRV_REQUEST_START,
    SRV_REQUEST_ACT,
    SRV_REQUEST_CLOCK,
    SRV_REQUEST_NOTES,
    SRV_REQUEST_REMATCH,
    SRV_REQUEST_TABLE, /* a new table, in a slot of its own */
    SRV_REQUEST_HANDED /* a game that was played elsewhere, in a slot outside the hall */
};

struct srv_request { /* something asked of a table, until it is answered */
    struct srv_request *next;
    struct srv_hall *hall;
    struct srv_slot *slot;
    enum srv_request_kind kind;
    struct srv_call *call;     /* whom to answer over HTTP; NULL: nobody */
    struct srv_stream *stream; /* who acts; NULL: the stream is closed, or a bot acts */
    int seat;
    uint64_t at_ms;             /* when it arrived */
    uint32_t credit_ms;         /* the round-trip time that its sender is credited with */
    bool of_bot;                /* the action of a bot ... */
    uint32_t view_seq;          /* ... chosen from the view with this number */
    char id[SRV_CLIENT_ID + 1]; /* "": none */
    fm_action action;
    json_t *body;
    bool has_bot;
    char bot[SRV_BOT];
    char token[SRV_TOKEN_TEXT + 1]; /* the answer contains it */
    struct srv_request *merged;     /* notes: other requests that are answered with this one */
    struct srv_request *again; /* the rematch request at the old table that waits for this one */
    struct st_id next_table;   /* the id of the rematch */
    uint64_t seq;              /* of its event in the log */
    bool keeps;                /* by writing it, this node becomes the keeper */
    bool raced;                /* another node wrote event seq; that is being read */
    unsigned lost;             /* how many races for seq it has lost */
    /* the outcome, once the store has answered */
    uint64_t settled_us;
    enum fm_err err;
    struct fm_fault fault;
    struct srv_draft *draft;
};

struct srv_plan { /* what a bot is about to do */
    bool asked;
    uint32_t seq; /* of the view that it was asked about */
    uint64_t asked_ms;
    struct srv_bot_job *job; /* NULL: it is not thinking */
    fm_action action;
    uint64_t at_ms;
    struct fm_sight sight;
    struct fm_rng look;
};

struct srv_read { /* something to read from the store; first member of a larger struct */
    struct srv_read *next;
    struct srv_hall *hall;
    void (*work)(struct srv_read *r); /* on a reader's thread */
    void (*done)(struct srv_read *r); /* then on the loop's thread; frees r */
    void (*free)(struct srv_read *r); /* in place of done when the hall is destroyed */
    bool begun;                       /* under the readers' lock */
};

struct srv_parked { /* an HTTP request, or a stream's hello, that waits for a read */
    struct srv_parked *next;
    struct srv_hall *hall;
    struct srv_call *call;     /* of the HTTP request, or ... */
    struct srv_stream *stream; /* ... the stream of the hello; both NULL: hung up meanwhile */
    bool fresh;                /* the read began after the request arrived */
    struct srv_http_request http;
    const char *path, *message;
    size_t n;                                         /* of the message */
    struct srv_queued_message *queued, **queued_last; /* messages that followed the hello */
    unsigned n_queued;
    size_t bytes;
    char text[];
};

struct srv_waiters {                   /* what continues when a read is done */
    struct srv_parked *first;          /* the newest first */
    struct srv_request *request;       /* one that lost a race; NULL: none */
    struct srv_queued_notice *notices; /* notices about events that were not read yet */
};

struct srv_record { /* the record of a finished game, being read */
    struct srv_read read;
    struct st_id id;
    char *text;
    size_t n;
    enum fm_err err;
    struct fm_fault fault;
    struct srv_parked *parked;
    void (*then)(struct srv_hall *h, struct srv_record *r);
    void *arg;
};

struct srv_peer { /* another node that has streams of the same table */
    uint64_t node;
    unsigned here;     /* bits of who is connected there */
    uint64_t until_ms; /* after that, this entry is free */
};

struct srv_delayed { /* a message held back for a while: hall_delay.c */
    struct srv_delayed *next;
    uint64_t due_ms;
    size_t n;
    char text[];
};

struct srv_slot {
    struct srv_slot *next;          /* in its bucket */
    struct srv_slot *older, *newer; /* least recently used first */
    bool resumed; /* loaded for its bots or its clock; no client has asked since */
    struct srv_table table;
    struct srv_request *first, **last; /* queued */
    unsigned n_waiting;
    struct srv_request *in_flight; /* the one whose draft is with the store; NULL: none */
    struct srv_stream *streams;
    unsigned n_delayed;           /* delayed messages of these streams */
    unsigned here;                /* bits of who is connected, to any node: srv_put_table ... */
    unsigned local;               /* ... and to this one */
    bool kept;                    /* this node is the keeper ... */
    uint64_t kept_seq;            /* ... since this event; older notices do not change that */
    bool watched;                 /* this node asked to be told of what others write */
    unsigned asks_left;           /* times left to ask who else has streams, unless one answers */
    uint64_t announced_ms;        /* when `local` was last sent to the other nodes */
    struct srv_read *catching_up; /* the read of other nodes' events; NULL: none */
    bool catch_up_again;          /* read once more when it is done ... */
    struct srv_waiters waiting;   /* ... for these waiters */
    uint64_t notified_seq;        /* the last event that another node told of */
    struct srv_peer peer[FM_MAX_SEATS];
    int holder;              /* the seat whose look table screens show; FM_WATCHER: nobody */
    uint64_t react_until_ms; /* reactions are open until then: hall_reactions.c ... */
    uint64_t reacted_ms[FM_MAX_SEATS];        /* ... and when each seat reacted last */
    bool clock_waits;                         /* the clock's request is queued */
    bool removed;                             /* deleted from the store */
    struct srv_request *noting[FM_MAX_SEATS]; /* notes that wait: hall_notes.c */
    uint64_t used_ms;
    unsigned n_jobs;                              /* jobs of bots and replays that use this slot */
    struct srv_bucket message_rate[FM_MAX_SEATS]; /* by seat */
    unsigned votes_for[FM_MAX_SEATS];     /* a bot in this seat: bits of the seats that want it */
    unsigned votes_against[FM_MAX_SEATS]; /* the same for taking the bot away */
    struct srv_plan plan[FM_MAX_SEATS];
    struct srv_ocean *ocean;
    char *verdict; /* JSON, about the record with the hash verdict_of; NULL: none yet */
    size_t verdict_n;
    uint8_t verdict_of[32];
};

struct srv_kept { /* a table that this node keeps and that is not in memory */
    struct srv_kept *next;
    struct st_id id;
    uint64_t seq;         /* its last event when it left memory */
    uint64_t deadline_ms; /* of its clock; 0: it does not tick */
    bool wanted;          /* it is queued to be loaded */
};

struct srv_bot_job { /* an action that a bot is to choose; then its choice */
    struct srv_bot_job *next;
    struct srv_slot *slot; /* only for the loop's thread; NULL: it has left memory */
    int seat;
    uint32_t seq;
    struct st_id table; /* for the crash report; the bot does not see it */
    uint64_t event;
    const struct fm_bot *bot;
    struct fm_rng rng;
    const struct fm_eyes *eyes;
    struct fm_sight sight;
    bool has_sight;
    struct fm_choice choice;
    bool stale; /* under the lock: the choice is not needed any more */
    uint64_t asked_us, budget_us, waited_us, took_us;
    const struct fm_game *game;
    _Alignas(8) uint8_t view[FM_STATE_MAX];
};

struct srv_queued_notice { /* what the store said about other nodes, until the loop handles it */
    struct srv_queued_notice *next;
    struct st_notice notice;
    char text[]; /* notice.n bytes and a NUL */
};

struct srv_retention; /* hall_retention.c */

struct srv_hall {
    struct st_store *store;
    bool shared;       /* other nodes use the same store */
    uint64_t node;     /* a random number for this node; never 0 */
    size_t heads_at;   /* next bucket whose tables are compared with the store ... */
    uint64_t heads_ms; /* ... in the round that began then */
    bool compares;     /* the store is being read for that */
    struct srv_kept *kept[SRV_BUCKETS]; /* hash table */
    struct srv_oceans *oceans;
    struct fm_library library; /* games and decks that can be played here */
    struct srv_net net;
    struct srv_limits limits;
    struct srv_eyes *eyes; /* of the bots */
    struct srv_games *games;
    struct srv_jobs *replays, *analyses;
    struct srv_practice *practice;
    struct srv_why_job *whys; /* all explanations that are being made; only for the loop's thread */
    unsigned n_whys;
    struct srv_retention *retention;           /* NULL: nothing is removed */
    struct srv_request *noting, **noting_last; /* notes that wait, the oldest first */
    struct srv_slot *bucket[SRV_BUCKETS];
    struct srv_slot *oldest, *newest;
    unsigned n_slots, n_resumed, n_resuming; /* n_resuming: being loaded for bots or clocks */
    struct srv_readers *readers;
    struct srv_load *loads; /* tables that are being loaded */
    struct srv_waiting *waiting;
    struct srv_resume *resume; /* tables to be loaded for their bots or clocks */
    struct srv_draft *spare[SRV_SPARE];
    unsigned n_spare;
    uint64_t now_ms, swept_ms;
    uint64_t send_at_ms;       /* messages are held back until then; 0: they are not */
    struct srv_request *ready; /* drafts for the store, the newest first */
    struct srv_hall_stats stats;
    uint64_t durable_us[SRV_SENDING]; /* of changes on their way: when they became durable */
    unsigned n_sending;
    char *text; /* SRV_MESSAGES buffers of SRV_MESSAGE bytes to build messages in */
    /* filled by other threads, under the lock */
    pthread_mutex_t lock;
    struct srv_request *settled, **settled_last;
    struct srv_bot_job *bot_done;
    struct srv_queued_notice *notices, **notices_last;
    unsigned n_notices;
    bool missed; /* notices were dropped */
    /* the bots' threads */
    pthread_t thinker[SRV_THINKERS];
    unsigned n_thinkers;
    pthread_cond_t bot_wake;
    struct srv_bot_job *bot_queue, **bot_queue_last;
    unsigned n_bot_queue;
    struct srv_why_job *why_queue, **why_queue_last; /* worked on when no bot waits */
    struct srv_why_job *why_done;
    bool closing;
};

/* Every function of hall.h calls this first. */
static inline void srv_hall_enter(struct srv_hall *h, uint64_t now_ms)
{
    h->now_ms = now_ms;
    srv_crash_at(NULL, 0);
}

#define SRV_MESSAGE  (FM_JSON_MAX + 65536)
#define SRV_MESSAGES (FM_MAX_SEATS + 1)

/* hall_slots.c: tables in memory */
struct srv_slot *srv_slot_known(struct srv_hall *h, const struct st_id *id); /* NULL: none */
struct srv_slot *srv_slot_create(const struct st_id *id); /* in no hall yet; NULL: no memory */
void srv_slot_destroy(struct srv_slot *slot);             /* takes NULL */
void srv_slot_add(struct srv_hall *h, struct srv_slot *slot);
struct srv_slot *srv_slot_new(struct srv_hall *h, const struct st_id *id); /* NULL: no memory */
void srv_slot_free(struct srv_hall *h, struct srv_slot *slot);
void srv_forget_votes(struct srv_slot *slot, int seat);
bool srv_vote(struct srv_slot *slot, int seat, int by, bool bot); /* true: a majority */

/* hall_requests.c: each table has one event at a time with the store */
struct srv_request *srv_request_new(struct srv_hall *h, struct srv_slot *slot,
                                    enum srv_request_kind kind,
                                    struct srv_call *call); /* NULL: no memory */
void srv_request_free(struct srv_request *req);
void srv_request_queue(struct srv_request *req);
void srv_request_bot(struct srv_request *req, int seat,
                     const char *bot);            /* queues it; bot NULL: take it away */
void srv_request_next(struct srv_slot *slot);     /* drafts the next one, unless one is in flight */
void srv_request_refuse(struct srv_request *req); /* sends its fault to all who wait */
void srv_request_settle(struct srv_request *req); /* the store has answered */
/* It lost a race, and the winner's event was to be read. fault: why that failed; NULL: it is
 * read. */
void srv_request_raced(struct srv_request *req, const struct fm_fault *fault);
void srv_queue_write(
    struct srv_request *req); /* its draft goes to the store at the end of this turn */
struct srv_draft *srv_draft_new(struct srv_hall *h);          /* NULL: no memory */
void srv_draft_give(struct srv_hall *h, struct srv_draft *d); /* for reuse; takes NULL */

/* hall_answers.c */
void srv_answer_out(struct srv_hall *h, struct srv_call *call, int status, const struct fm_out *o);
void srv_answer_error(struct srv_hall *h, struct srv_call *call, const struct fm_fault *fault);
void srv_answer_error_as(struct srv_hall *h, struct srv_call *call, int status,
                         const struct fm_fault *fault);           /* with this status */
void srv_answer_empty(struct srv_hall *h, struct srv_call *call); /* {} */
void srv_answer_seat(struct srv_request *req);                    /* {"seat":…,"token":…} */
void srv_answer_done(struct srv_request *req);                    /* {"done":true} */
void srv_send_refusal(struct srv_hall *h, struct srv_stream *stream, const char *id,
                      const struct fm_fault *fault);
void srv_send_ack(struct srv_hall *h, struct srv_stream *stream, const char *id, uint32_t seq);

/* hall_broadcast.c */
void srv_put_who_is_here(struct fm_out *o, const struct srv_slot *slot);
void srv_broadcast_seats(struct srv_hall *h, struct srv_slot *slot);
void srv_put_clock(struct fm_out *o, const struct srv_hall *h, const struct srv_table *t);
void srv_put_rematch(struct fm_out *o, const struct srv_table *t);
/* The event of a draft was committed: every viewer who can notice it is sent the change. */
void srv_publish_change(struct srv_hall *h, struct srv_slot *slot, const struct srv_draft *d,
                        const void *before, uint64_t deadline_before, int seat);

/* hall_tokens.c */
void srv_random(void *bytes, size_t n);
void srv_draw_token(char text[SRV_TOKEN_TEXT + 1]);
/* The token that follows from a request's id: a request that is sent again gets the same token. */
void srv_derive_token(char text[SRV_TOKEN_TEXT + 1], const struct st_id *table, const char *id);
void srv_token_hash(uint8_t hash[ST_HASH_BYTES], const char *token);
/* Whose token this is: SRV_HOST, SRV_PLAYER and *seat, or 0: no token of this table. */
int srv_token_role(const struct srv_table *t, const char *token, int *seat);

/* hall_memory.c */
bool srv_memory_start(struct srv_hall *h); /* false: no memory */
void srv_memory_stop(struct srv_hall *h);
void srv_memory_tick(struct srv_hall *h);
void srv_slot_used(struct srv_hall *h,
                   struct srv_slot *slot); /* a client asked for it: it is the newest now */
void srv_slot_unlink(struct srv_hall *h, struct srv_slot *slot);
/* Makes room for one more table, evicting the least recently used one if need be. */
bool srv_make_room(struct srv_hall *h);
bool srv_resume_room(struct srv_hall *h);
/* A table was loaded for its bots or its clock; fault NULL: it succeeded. alone: no client waited
 * for it. */
void srv_resume_done(struct srv_hall *h, const struct st_id *id, bool alone,
                     const struct fm_fault *fault);
enum fm_err srv_resume_list(struct srv_hall *h,
                            struct fm_fault *fault); /* queues all games in play */
/* On a shared store: this node keeps a table that is not in memory, and knows it up to seq. */
void srv_kept_add(struct srv_hall *h, const struct st_id *id, uint64_t seq);
struct srv_kept *srv_kept_find(struct srv_hall *h, const struct st_id *id); /* NULL: none */
void srv_kept_wake(struct srv_hall *h, struct srv_kept *kept);
void srv_kept_forget(struct srv_hall *h, const struct st_id *id);

/* hall_read.c */
bool srv_readers_start(struct srv_hall *h); /* false: no memory */
void srv_readers_stop(struct srv_hall *h);
void srv_readers_free(struct srv_hall *h); /* after everything parked is gone */
/* It begins at the end of this turn of the loop, so that several requests for a table share one
 * read. */
void srv_read_queue(struct srv_hall *h, struct srv_read *r);
void srv_reads_begin(struct srv_hall *h);
bool srv_read_begun(struct srv_hall *h, const struct srv_read *r);
unsigned srv_reads(const struct srv_hall *h); /* how many are not done */
void srv_reads_settle(struct srv_hall *h);
/* NULL and a fault: too many wait already. */
struct srv_parked *srv_park_call(struct srv_hall *h, struct srv_call *call,
                                 const struct srv_http_request *r, struct fm_fault *fault);
struct srv_parked *srv_park_stream(struct srv_hall *h, struct srv_stream *stream, const char *path,
                                   const char *text, size_t n, struct fm_fault *fault);
void srv_park_again(struct srv_parked *parked, struct srv_call *call, struct srv_stream *stream);
bool srv_park_message(struct srv_stream *stream, const char *text,
                      size_t n); /* false: too many messages */
void srv_unpark(struct srv_parked *parked);
void srv_parked_resume(struct srv_parked *parked); /* it is handled again from the start */
void srv_parked_fail(struct srv_parked *parked, const struct fm_fault *fault);
void srv_waiters_add(struct srv_waiters *w, struct srv_parked *parked);
struct srv_parked *srv_waiters_take(struct srv_waiters *w);
void srv_waiters_resume(struct srv_parked *first, const struct fm_fault *fault); /* or NULL */
void srv_waiters_free(struct srv_waiters *w);

/* hall_load.c */
struct srv_load *srv_load_find(struct srv_hall *h, const struct st_id *id); /* NULL: none */
void srv_load_behind(struct srv_load *l); /* the log has grown since the read began */
void srv_load_wait(struct srv_hall *h, const struct st_id *id, struct srv_parked *parked);
bool srv_resume_load(struct srv_hall *h, const struct st_id *id); /* false: no memory */
bool srv_find_code(struct srv_hall *h, const char code[ST_CODE + 1],
                   struct srv_parked *parked);                        /* false: no memory */
bool srv_list_waiting(struct srv_hall *h, struct srv_parked *parked); /* false: no memory */
bool srv_read_record(struct srv_hall *h, const struct st_id *id, struct srv_parked *parked,
                     void (*then)(struct srv_hall *h, struct srv_record *r),
                     void *arg); /* false: no memory */

/* hall_http.c; true: it waits again, for another read */
bool srv_http_resume(struct srv_parked *parked, struct srv_call *call);

/* hall_make.c */
void srv_answer_table(struct srv_hall *h, struct srv_call *call, const struct st_id *id,
                      const char *code, const char *host); /* host NULL: neither code nor host */
void srv_make_table(struct srv_hall *h, struct srv_call *call, const struct srv_http_request *r,
                    json_t *body);
void srv_made_table(struct srv_request *req); /* its first event has been stored, or refused */
bool srv_rematch(struct srv_request *req);    /* true: under way; false: answered and freed */

/* hall_handed.c: games that were played on somebody's device */
void srv_hand_in(struct srv_hall *h, struct srv_parked *parked);
void srv_handed_stored(struct srv_request *req); /* the store has answered */

/* hall_waiting.c: how many tables of an address wait for players */
bool srv_waiting_start(struct srv_hall *h); /* false: no memory */
void srv_waiting_stop(struct srv_hall *h);
bool srv_waiting_may(const struct srv_hall *h, const char *address,
                     unsigned most); /* 0: no limit */
void srv_waiting_add(struct srv_hall *h, const char *address, const struct st_id *id);
void srv_waiting_done(struct srv_hall *h, const struct st_id *id); /* it has started, or is gone */

/* hall_delay.c: the time that an answer takes must not reveal what other seats do in secret */
void srv_delay_begin(const struct srv_request *req); /* what is sent from now on ... */
void srv_delay_end(struct srv_hall *h);              /* ... until here belongs to req */
void srv_send(struct srv_hall *h, struct srv_stream *stream, const struct fm_out *o);
void srv_send_due(struct srv_hall *h, struct srv_slot *slot); /* delayed messages */
void srv_delayed_drop(struct srv_stream *stream);             /* it is closed */

/* hall_streams.c */
void srv_update_here(struct srv_hall *h, struct srv_slot *slot);
bool srv_hello_resume(struct srv_parked *parked, struct srv_stream *stream); /* true: waits again */
void srv_hello_fail(struct srv_hall *h, struct srv_stream *stream, const struct fm_fault *fault);

/* hall_reactions.c */
void srv_reactions_greet(struct srv_hall *h,
                         struct srv_stream *stream); /* says how long they are open, if limited */
/* The event of a draft was committed: reactions open or close. */
void srv_reactions_follow(struct srv_hall *h, struct srv_slot *slot, const struct srv_draft *d,
                          const void *before);
bool srv_read_react(struct srv_hall *h, struct srv_stream *stream, struct fm_in *in,
                    const char **id);
bool srv_handle_react(struct srv_hall *h, struct srv_slot *slot, const struct st_notice *notice);

/* hall_notices.c: what the store says about other nodes */
enum fm_err srv_peers_start(struct srv_hall *h, struct fm_fault *fault);
void srv_peers_stop(struct srv_hall *h);
void srv_peers_settle(struct srv_hall *h);
struct srv_queued_notice *srv_notice_copy(const struct st_notice *notice); /* NULL: no memory */
void srv_notices_free(struct srv_queued_notice *queued);                   /* and those after it */
/* fresh: the log has been read since the notice came. */
void srv_notice_handle(struct srv_hall *h, const struct st_notice *notice, bool fresh);
void srv_compare_heads(struct srv_hall *h); /* finds events whose notice was lost */

/* hall_catch_up.c: reads events that other nodes wrote */
/* What is added to the waiters continues when they have been read. NULL: no memory. */
struct srv_waiters *srv_catch_up(struct srv_hall *h, struct srv_slot *slot);
void srv_check_head(struct srv_hall *h, struct srv_slot *slot,
                    uint64_t seq); /* its log has this many events */

/* hall_peers.c: messages between nodes */
bool srv_keeps(const struct srv_hall *h, const struct srv_slot *slot); /* this node is the keeper */
void srv_peers_tick(struct srv_hall *h);
void srv_watch(struct srv_hall *h, struct srv_slot *slot); /* if it has streams */
void srv_unwatch(struct srv_hall *h, struct srv_slot *slot);
void srv_watch_again(struct srv_hall *h); /* all: the store may have forgotten them */
bool srv_has_peers(const struct srv_hall *h, const struct srv_slot *slot);
unsigned srv_peers_seats(const struct srv_hall *h, const struct srv_slot *slot); /* bits */
void srv_peers_forget(struct srv_slot *slot, int seat);
void srv_peers_here(struct srv_hall *h, struct srv_slot *slot, bool asks);
void srv_peers_ask(struct srv_hall *h, struct srv_slot *slot); /* who else has streams */
void srv_peers_vote(struct srv_hall *h, struct srv_slot *slot, int seat, int by, const char *bot);
void srv_peers_hold(struct srv_hall *h, struct srv_slot *slot);
/* A look or a reaction, for the streams of other nodes. */
void srv_peers_pass_on(struct srv_hall *h, struct srv_slot *slot, const struct fm_out *o);
/* Handles one; false: it was not understood. */
bool srv_peers_message(struct srv_hall *h, struct srv_slot *slot, const struct st_notice *notice,
                       bool fresh);

/* hall_notes.c: notes wait a moment before they are stored */
void srv_notes_put(struct srv_request *req);
void srv_notes_tick(struct srv_hall *h);
/* Stores them now: of this slot or of all (NULL), of this seat or of all (FM_WATCHER). */
void srv_notes_flush(struct srv_hall *h, const struct srv_slot *slot, int seat);
void srv_notes_forget(struct srv_hall *h, struct srv_slot *slot, int seat); /* its owner has left */
bool srv_notes_wait(const struct srv_slot *slot);
const char *srv_notes_of(const struct srv_slot *slot, int seat); /* the newest, stored or not */
void srv_notes_stop(struct srv_hall *h);

/* hall_retention.c: the operator's rules for old tables */
bool srv_retention_start(struct srv_hall *h); /* false: no memory */
void srv_retention_stop(struct srv_hall *h);
void srv_retention_settle(struct srv_hall *h);
/* The table was closed, or deleted from the store: its streams are asked to reconnect. */
void srv_slot_closed(struct srv_hall *h, struct srv_slot *slot);
void srv_slot_removed(struct srv_hall *h, struct srv_slot *slot);
/* FM_OK, or the fault with which every request to this table is refused. */
enum fm_err srv_slot_refusal(const struct srv_slot *slot, struct fm_fault *fault);

/* hall_clock.c */
uint32_t srv_credit(const struct srv_stream *stream); /* ms of its round trip that are credited */

/* hall_preview.c */
bool srv_read_preview(struct srv_hall *h, struct srv_stream *stream, struct fm_in *in,
                      const char **id);

/* hall_games.c: the games and decks that can be played here */
struct srv_games *srv_games_create(const struct fm_library *house); /* NULL: no memory */
const struct fm_library *srv_games_library(const struct srv_games *games);
void srv_games_destroy(struct srv_games *games); /* takes NULL */
/* rest: the path after /api/games */
void srv_games_handle(struct srv_hall *h, struct srv_call *call, const struct srv_http_request *r,
                      const char *rest);

/* hall_referee.c; who: the path after /api/referee */
void srv_referee_handle(struct srv_hall *h, struct srv_call *call, const struct srv_http_request *r,
                        const char *who);

/* practice.c: stacks to practise on; rest: the path after /api/practice */
struct srv_practice *srv_practice_create(struct st_store *store,
                                         struct fm_fault *fault); /* NULL and a fault */
void srv_practice_destroy(struct srv_practice *p);                /* takes NULL */
void srv_practice_handle(struct srv_hall *h, struct srv_call *call,
                         const struct srv_http_request *r, const char *rest);

/* hall_jobs.c: threads for what takes longer than the loop may wait */
struct srv_jobs_limits {
    unsigned most, of_address; /* jobs at a time: all, and of one address */
    int nice;                  /* of the thread */
};
struct srv_jobs *srv_jobs_create(const struct srv_net *net,
                                 struct srv_jobs_limits limits); /* NULL: no memory */
void srv_jobs_destroy(struct srv_jobs *jobs);                    /* takes NULL */
void srv_jobs_settle(struct srv_hall *h, struct srv_jobs *jobs);
void srv_job_hung_up(struct srv_call *call); /* call->job is set */

/* hall_replay.c: replays, and the check of a record */
void srv_get_replay(struct srv_hall *h, struct srv_call *call, struct srv_slot *slot,
                    const char *text);
void srv_get_verify(struct srv_hall *h, struct srv_call *call, struct srv_slot *slot);

/* hall_analysis.c: all decisions of a game */
void srv_get_analysis(struct srv_hall *h, struct srv_call *call, struct srv_slot *slot,
                      const struct srv_http_request *r, const char *seat);

/* log_unreadable.c: logs once per table that it cannot be `what` (read, followed), and why; nothing
 * where the store failed or there is no such table. Any thread. */
void srv_log_unreadable(const struct st_id *table, const char *what, const struct fm_fault *fault);

/* hall_bots.c */
bool srv_bots_start(struct srv_hall *h); /* false: no memory */
void srv_bots_stop(struct srv_hall *h);
void srv_bots_ask(struct srv_hall *h,
                  struct srv_slot *slot); /* those who may act and were not asked yet */
void srv_bots_settle(struct srv_hall *h);
void srv_bots_tick(struct srv_hall *h, struct srv_slot *slot);
bool srv_bots_will_act(const struct srv_slot *slot);
unsigned srv_bots_jobs(const struct srv_slot *slot);            /* bots' share of srv_slot.n_jobs */
void srv_bots_leave(struct srv_hall *h, struct srv_slot *slot); /* the slot is freed next */
const struct fm_eyes *srv_bot_eyes(const struct srv_hall *h, const struct srv_table *t,
                                   const struct fm_bot *bot);

/* hall_why.c: why a bot did something. text: "WHO/SEQ/SEAT": the last choice of SEAT, up to change
 * SEQ of WHO's view, explained to WHO. */
void srv_get_why(struct srv_hall *h, struct srv_call *call, struct srv_slot *slot,
                 const struct srv_http_request *r, const char *text);
bool srv_why_work(struct srv_hall *h); /* on a bots' thread, under the lock; false: none waits */
void srv_why_settle(struct srv_hall *h);
void srv_why_hung_up(struct srv_hall *h, struct srv_call *call); /* call->why is set */
void srv_why_stop(struct srv_hall *h);                           /* the threads have ended */

#endif
