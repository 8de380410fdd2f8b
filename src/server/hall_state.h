/*
 * hall_state.h: what the files of the hall share: hall.c (tables, wishes), hall_memory.c (which
 * tables are in memory), hall_read.c (threads that read the store), hall_load.c (tables, codes and
 * records are read), hall_make.c (new tables), hall_live.c (streams), hall_http.c (requests),
 * hall_time.c (clocks), hall_secret.c (when a move is told), hall_bots.c, hall_what.c (previews),
 * hall_games.c, practice.c, hall_after.c (replays, verdicts), hall_peers.c (other programs on the
 * same store).
 */
#ifndef SERVER_HALL_STATE_H
#define SERVER_HALL_STATE_H

#include "server/crash.h"
#include "server/hall.h"
#include "server/oceans.h"
#include "server/rates.h"

#include <fathom/bot.h>

#include <pthread.h>

#define SRV_BUCKETS  4096 /* of the tables in memory */
#define SRV_SPARE    256  /* drafts that are kept for the next */
#define SRV_THINKERS 64   /* threads for bots, at most */
#define SRV_TOLD     256  /* changes told in one turn of the loop that are measured */

enum srv_what {
    SRV_WANTS_SEAT,
    SRV_WANTS_CHANCE, /* to add to the deal of a rematch */
    SRV_WANTS_LEAVE,
    SRV_WANTS_BOT,
    SRV_WANTS_START,
    SRV_WANTS_ACT,
    SRV_WANTS_CLOCK,
    SRV_WANTS_NOTES,
    SRV_WANTS_AGAIN,
    SRV_WANTS_TABLE /* a new one, at a place of its own */
};

struct srv_wish { /* something asked of a table, until it is answered */
    struct srv_wish *next;
    struct srv_hall *hall;
    struct srv_place *place;
    enum srv_what what;
    struct srv_call *call; /* NULL: nobody waits */
    struct srv_live *live; /* who acts; NULL: it is gone, or a bot does */
    int seat;
    uint64_t at_ms;             /* when it came ... */
    uint32_t credit_ms;         /* ... after a way of so long */
    bool of_bot;                /* an action that a bot wants ... */
    uint32_t view_seq;          /* ... after what it saw then */
    char id[SRV_CLIENT_ID + 1]; /* "": none */
    fm_action action;
    json_t *body;
    bool has_bot;
    char bot[SRV_BOT];
    char token[SRV_TOKEN_TEXT + 1]; /* that the answer gives */
    struct srv_wish *merged;        /* notes: others that this one is put for, too */
    struct srv_wish *again;         /* of the table before this one, which waits for it */
    struct st_id next_table;        /* a rematch */
    uint64_t seq;                   /* of its event in the log */
    bool raced;                     /* another has this number; what it wrote is being read */
    unsigned lost;                  /* races for it against other programs */
    /* once the store has it or not */
    uint64_t settled_us;
    enum fm_err err;
    struct fm_fault fault;
    struct srv_draft *draft;
};

struct srv_plan { /* what a bot will do */
    bool asked;
    uint32_t seq; /* of the view that it was asked about ... */
    uint64_t asked_ms;
    struct srv_thought *job; /* ... and is thinking about; NULL: no more */
    fm_action action;
    uint64_t at_ms;
    struct fm_sight sight;
    struct fm_rng look;
};

struct srv_read { /* at the head of a struct that says what is read */
    struct srv_read *next;
    struct srv_hall *hall;
    void (*work)(struct srv_read *r); /* on a reader's thread */
    void (*done)(struct srv_read *r); /* on the loop's, afterwards; it frees it */
    void (*free)(struct srv_read *r); /* instead of done, when the hall closes */
    bool begun;
};

struct srv_parked { /* a request, or a stream's hello, that waits for a read */
    struct srv_parked *next;
    struct srv_hall *hall;
    struct srv_call *call; /* whose request it is, or ... */
    struct srv_live *live; /* ... whose hello; both NULL: nobody waits any more */
    bool fresh;            /* the read began after it came */
    struct srv_request request;
    const char *path, *message;
    size_t n;                              /* of the message */
    struct srv_later *later, **later_last; /* what the stream said meanwhile */
    unsigned n_later;
    size_t bytes;
    char text[];
};

struct srv_waiters {          /* for one read */
    struct srv_parked *first; /* the last who came */
    struct srv_wish *wish;    /* that lost a race; NULL: none did */
    struct srv_heard *heard;  /* words that overtook the log */
};

struct srv_record { /* of a game that is over, from the store */
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

struct srv_peer { /* another program whose streams are at the same table */
    uint64_t node;
    unsigned here; /* bits of seats; 0: nobody, and this is free */
    uint64_t until_ms;
};

struct srv_held { /* a message that is sent when its time has come: hall_secret.c */
    struct srv_held *next;
    uint64_t due_ms;
    size_t n;
    char text[];
};

struct srv_place {
    struct srv_place *next;          /* in its bucket */
    struct srv_place *older, *newer; /* in the order of their use */
    bool unasked;                    /* it came back for its bots or its clock alone */
    struct srv_table table;
    struct srv_wish *first, **last; /* in line */
    unsigned n_waiting;
    struct srv_wish *flight; /* the one that the store has; NULL: none */
    struct srv_live *lives;
    unsigned n_held;            /* messages that wait on these */
    unsigned here;              /* bits of seats, here or with a peer ... */
    unsigned local;             /* ... and those that are here */
    bool kept;                  /* its clock and its bots are this program's to care for */
    uint64_t told_ms;           /* when peers were told who is here */
    struct srv_read *follows;   /* what others wrote is being read; NULL: it is not ... */
    bool follows_again;         /* ... and is to be read once more then ... */
    struct srv_waiters waiting; /* ... for these */
    uint64_t heard_seq;         /* another program said that the log goes so far */
    struct srv_peer peer[FM_MAX_SEATS];
    int holder;                            /* of the stack on table screens; FM_WATCHER: nobody */
    bool clock_waits;                      /* a wish of the clock's is in line */
    bool removed;                          /* the store has nothing of it any more */
    struct srv_wish *noting[FM_MAX_SEATS]; /* notes that settle */
    uint64_t used_ms;
    unsigned thinking;                    /* jobs of bots and others under way */
    struct srv_bucket said[FM_MAX_SEATS]; /* how much each seat said of late */
    unsigned votes_for[FM_MAX_SEATS];     /* a bot in a seat: bits of those who want it */
    unsigned votes_against[FM_MAX_SEATS]; /* none there any more */
    struct srv_plan plan[FM_MAX_SEATS];
    struct srv_ocean *ocean;
    char *verdict; /* on the record with this hash; NULL: none was asked for */
    size_t verdict_n;
    uint8_t verdict_of[32];
};

struct srv_kept { /* a table that this program keeps, but that is not in memory */
    struct srv_kept *next;
    struct st_id id;
    uint64_t seq;         /* as it was known when it left */
    uint64_t deadline_ms; /* of its clock; 0: it does not tick */
    bool wanted;          /* it is to come back */
};

struct srv_thought { /* a bot's job, and what came of it */
    struct srv_thought *next;
    struct srv_place *place; /* the loop's alone; NULL: it has left the memory */
    int seat;
    uint32_t seq;
    struct st_id table; /* what it is about, should the program crash: not for the bot */
    uint64_t event;
    const struct fm_bot *bot;
    struct fm_rng rng;
    const struct fm_eyes *eyes;
    struct fm_sight sight;
    bool has_sight;
    struct fm_choice choice;
    bool stale; /* under the lock: nobody wants to know any more */
    uint64_t asked_us, budget_us, waited_us, took_us;
    const struct fm_game *game;
    _Alignas(8) uint8_t view[FM_STATE_MAX];
};

struct srv_heard { /* news of the store, until the loop comes to it */
    struct srv_heard *next;
    struct st_news news;
    char text[]; /* of news.n bytes and a 0 */
};

struct srv_retention; /* hall_retention.c */

struct srv_hall {
    struct st_store *store;
    bool shared;   /* with other programs */
    uint64_t node; /* among them; never 0 */
    size_t heads_at;
    bool compares; /* heads of tables with the store's, which are being read */
    uint64_t heads_ms;
    struct srv_kept *kept[SRV_BUCKETS]; /* kept by this program, but not in memory */
    struct srv_oceans *oceans;
    struct fm_library library; /* of the games, below */
    struct srv_net net;
    struct srv_limits limits;
    struct srv_eyes *eyes; /* of the bots */
    struct srv_games *games;
    struct srv_after *after;
    struct srv_practice *practice;
    struct srv_retention *retention;        /* NULL: nothing goes */
    struct srv_wish *noting, **noting_last; /* notes that settle, the oldest first */
    struct srv_place *bucket[SRV_BUCKETS];
    struct srv_place *oldest, *newest;
    unsigned n_places, n_unasked, n_coming; /* the last: that are being read, unasked */
    struct srv_readers *readers;
    struct srv_load *loads; /* tables that are being read */
    struct srv_waiting *waiting;
    struct srv_resume *resume; /* tables that are to come back unasked */
    struct srv_draft *spare[SRV_SPARE];
    unsigned n_spare;
    uint64_t now_ms, swept_ms;
    uint64_t told_at_ms;    /* when what is said now is sent; 0: at once */
    struct srv_wish *ready; /* to go to the store, the last first */
    struct srv_hall_stats stats;
    uint64_t told_us[SRV_TOLD]; /* changes that are being told: since when they are durable */
    unsigned n_told;
    char *text; /* messages are written here, those for different viewers side by side */
    /* what other threads have done, under the lock */
    pthread_mutex_t lock;
    struct srv_wish *settled, **settled_last;
    struct srv_thought *thought;
    struct srv_heard *heard, **heard_last;
    unsigned n_heard;
    bool missed; /* more news than there was room for */
    /* the bots' threads */
    pthread_t thinker[SRV_THINKERS];
    unsigned n_thinkers;
    pthread_cond_t think;
    struct srv_thought *thinking, **thinking_last;
    unsigned in_line; /* of these */
    bool closing;
};

/* Every call of hall.h begins so. */
static inline void srv_hall_enter(struct srv_hall *h, uint64_t now_ms)
{
    h->now_ms = now_ms;
    srv_crash_at(NULL, 0);
}

#define SRV_MESSAGE  (FM_JSON_MAX + 65536)
#define SRV_MESSAGES (FM_MAX_SEATS + 1)

/* hall.c */
struct srv_place *srv_place_known(struct srv_hall *h, const struct st_id *id); /* NULL: not here */
struct srv_place *srv_place_create(const struct st_id *id); /* not of a hall; NULL: no memory */
void srv_place_destroy(struct srv_place *p);                /* takes NULL */
void srv_place_add(struct srv_hall *h, struct srv_place *p);
struct srv_place *srv_place_new(struct srv_hall *h, const struct st_id *id); /* NULL: no memory */
void srv_place_free(struct srv_hall *h, struct srv_place *p);
void srv_wish_queue(struct srv_wish *w);
void srv_wish_bot(struct srv_wish *w, int seat, const char *bot); /* is queued; NULL: none */
void srv_wish_next(struct srv_place *p);  /* the next in line to the store, if none is there */
void srv_wish_refuse(struct srv_wish *w); /* for its fault */
void srv_wish_free(struct srv_wish *w);
/* It lost a race, and what was written has been read; fault: why that failed, or NULL. */
void srv_wish_raced(struct srv_wish *w, const struct fm_fault *fault);
struct srv_draft *srv_draft_new(struct srv_hall *h);          /* NULL: no memory */
void srv_draft_give(struct srv_hall *h, struct srv_draft *d); /* back; takes NULL */
struct srv_wish *srv_wish_new(struct srv_hall *h, struct srv_place *p, enum srv_what what,
                              struct srv_call *call); /* NULL: no memory */
void srv_answer_error(struct srv_hall *h, struct srv_call *call, const struct fm_fault *fault);
void srv_answer_out(struct srv_hall *h, struct srv_call *call, int status, const struct fm_out *o);
void srv_send_out(struct srv_hall *h, struct srv_live *live, const struct fm_out *o);
void srv_send_refusal(struct srv_hall *h, struct srv_live *live, const char *id,
                      const struct fm_fault *fault);
void srv_forget_votes(struct srv_place *p, int seat);
bool srv_vote(struct srv_place *p, int seat, int by, bool bot); /* true: that is enough */
void srv_random(void *bytes, size_t n);
void srv_token_hash(uint8_t hash[ST_HASH_BYTES], const char *token);
/* Whose token this is: SRV_HOST, SRV_PLAYER and *seat, or 0: nobody's of this table. */
int srv_token_role(const struct srv_table *t, const char *token, int *seat);
void srv_fly(struct srv_wish *w); /* the draft goes to the store at the end of this turn */
void srv_broadcast_seats(struct srv_hall *h, struct srv_place *p);
/* The table has the event of a draft now: whoever notices it is told. */
void srv_tell_change(struct srv_hall *h, struct srv_place *p, const struct srv_draft *d,
                     const void *before, uint64_t deadline_before, int seat);
void srv_put_clock(struct fm_out *o, const struct srv_hall *h, const struct srv_table *t);

/* hall_memory.c */
bool srv_memory_start(struct srv_hall *h); /* false: no memory */
void srv_memory_stop(struct srv_hall *h);
void srv_memory_tick(struct srv_hall *h);
void srv_place_used(struct srv_hall *h, struct srv_place *p); /* somebody asks for it */
void srv_place_unlink(struct srv_hall *h, struct srv_place *p);
/* Room for one more table: if need be, the one that was not used for longest leaves. */
bool srv_make_room(struct srv_hall *h);
bool srv_room_for_unasked(struct srv_hall *h);
/* A table that was to come back unasked has been read; fault NULL: it is there. */
void srv_came_unasked(struct srv_hall *h, const struct st_id *id, bool alone,
                      const struct fm_fault *fault);
enum fm_err srv_resume_list(struct srv_hall *h, struct fm_fault *fault); /* all games in play */
/* On a shared store: this program keeps a table that is not in memory; it is to be looked at, or it
 * is known up to seq. */
void srv_keep_away(struct srv_hall *h, const struct st_id *id, uint64_t seq);
struct srv_kept *srv_kept_find(struct srv_hall *h, const struct st_id *id); /* NULL: none */
void srv_kept_wake(struct srv_hall *h, struct srv_kept *k);
void srv_kept_forget(struct srv_hall *h, const struct st_id *id);

/* hall_read.c */
bool srv_readers_start(struct srv_hall *h); /* false: no memory */
void srv_readers_stop(struct srv_hall *h);
void srv_readers_free(struct srv_hall *h); /* when nobody is parked any more */
void srv_read_queue(struct srv_hall *h, struct srv_read *r);
bool srv_read_begun(struct srv_hall *h, const struct srv_read *r);
unsigned srv_reads(const struct srv_hall *h); /* that are not done */
void srv_reads_settle(struct srv_hall *h);
/* NULL and a fault: as many wait as may. */
struct srv_parked *srv_park_call(struct srv_hall *h, struct srv_call *call,
                                 const struct srv_request *r, struct fm_fault *fault);
struct srv_parked *srv_park_live(struct srv_hall *h, struct srv_live *live, const char *path,
                                 const char *text, size_t n, struct fm_fault *fault);
void srv_park_again(struct srv_parked *k, struct srv_call *call, struct srv_live *live);
bool srv_park_later(struct srv_live *live, const char *text, size_t n); /* false: too much */
void srv_unpark(struct srv_parked *k);
void srv_parked_go(struct srv_parked *k); /* it has what it waited for */
void srv_parked_fail(struct srv_parked *k, const struct fm_fault *fault);
void srv_waiters_add(struct srv_waiters *w, struct srv_parked *k);
struct srv_parked *srv_waiters_take(struct srv_waiters *w);
void srv_waiters_go(struct srv_parked *first, const struct fm_fault *fault); /* NULL: none */
void srv_waiters_free(struct srv_waiters *w);

/* hall_load.c */
struct srv_load *srv_load_find(struct srv_hall *h, const struct st_id *id); /* NULL: none */
void srv_load_behind(struct srv_load *l); /* there is more in the log by now */
void srv_load_wait(struct srv_hall *h, const struct st_id *id, struct srv_parked *k);
bool srv_load_unasked(struct srv_hall *h, const struct st_id *id); /* false: no memory */
bool srv_find_code(struct srv_hall *h, const char code[ST_CODE + 1],
                   struct srv_parked *k);                        /* false: no memory */
bool srv_list_waiting(struct srv_hall *h, struct srv_parked *k); /* false: no memory */
bool srv_read_record(struct srv_hall *h, const struct st_id *id, struct srv_parked *k,
                     void (*then)(struct srv_hall *h, struct srv_record *r),
                     void *arg); /* false: no memory */

/* hall_http.c; true: it waits for another read */
bool srv_request_go(struct srv_parked *k, struct srv_call *call);

/* hall_make.c */
/* The token that whoever knows the id of its request gets, however often it asks. */
void srv_derive_token(char text[SRV_TOKEN_TEXT + 1], const struct st_id *table, const char *id);
void srv_draw_token(char text[SRV_TOKEN_TEXT + 1]);
void srv_answer_table(struct srv_hall *h, struct srv_call *call, const struct st_id *id,
                      const char *code, const char *host); /* without host: nor the code */
void srv_make_table(struct srv_hall *h, struct srv_call *call, const struct srv_request *r,
                    json_t *body);
void srv_made_table(struct srv_wish *w); /* the store has its first event, or has not */
bool srv_rematch(struct srv_wish *w);    /* true: under way; false: answered and forgotten */

/* hall_waiting.c: tables of an address that wait for players */
bool srv_waiting_start(struct srv_hall *h); /* false: no memory */
void srv_waiting_stop(struct srv_hall *h);
bool srv_waiting_may(const struct srv_hall *h, const char *address, unsigned most); /* 0: any */
void srv_waiting_add(struct srv_hall *h, const char *address, const struct st_id *id);
void srv_waiting_done(struct srv_hall *h, const struct st_id *id); /* it waits no more */

/* hall_secret.c: how long an answer takes tells nothing of what others do in secret */
void srv_tell_later(const struct srv_wish *w); /* what this leads to, from now on ... */
void srv_tell_at_once(struct srv_hall *h);     /* ... until here */
void srv_say(struct srv_hall *h, struct srv_live *live, const struct fm_out *o);
void srv_say_due(struct srv_hall *h, struct srv_place *p);
void srv_forget_held(struct srv_live *live); /* it is gone */

/* hall_live.c */
void srv_update_here(struct srv_hall *h, struct srv_place *p);
bool srv_hello_go(struct srv_parked *k, struct srv_live *live); /* true: it waits again */
void srv_hello_fail(struct srv_hall *h, struct srv_live *live, const struct fm_fault *fault);

/* hall_peers.c: other programs on the same store */
bool srv_keeps(const struct srv_hall *h, const struct srv_place *p);
enum fm_err srv_peers_start(struct srv_hall *h, struct fm_fault *fault);
void srv_peers_stop(struct srv_hall *h);
void srv_peers_settle(struct srv_hall *h);
void srv_peers_tick(struct srv_hall *h);
/* What others wrote is read, and told; whoever waits for that is added to the waiters. NULL: no
 * memory. */
struct srv_waiters *srv_catch_up(struct srv_hall *h, struct srv_place *p);
void srv_heard_free(struct srv_heard *heard);
unsigned srv_peers_seats(const struct srv_hall *h, const struct srv_place *p); /* bits */
void srv_peers_forget(struct srv_place *p, int seat);
void srv_peers_here(struct srv_hall *h, struct srv_place *p, bool asks);
void srv_peers_vote(struct srv_hall *h, struct srv_place *p, int seat, int by, const char *bot);
void srv_peers_hold(struct srv_hall *h, struct srv_place *p);
void srv_peers_look(struct srv_hall *h, struct srv_place *p, const struct fm_out *look);

/* hall_notes.c: notes settle before they are stored */
void srv_notes_put(struct srv_wish *w);
void srv_notes_tick(struct srv_hall *h);
/* At once: of this place, or of all (NULL); of this seat, or of all (FM_WATCHER). */
void srv_notes_flush(struct srv_hall *h, const struct srv_place *p, int seat);
void srv_notes_forget(struct srv_hall *h, struct srv_place *p, int seat); /* its owner is gone */
bool srv_notes_wait(const struct srv_place *p);
const char *srv_notes_of(const struct srv_place *p, int seat); /* as they were put last */
void srv_notes_stop(struct srv_hall *h);

/* hall_retention.c: what is old goes */
bool srv_retention_start(struct srv_hall *h); /* false: no memory */
void srv_retention_stop(struct srv_hall *h);
void srv_retention_settle(struct srv_hall *h);
/* The table was closed, or the store has it no more: nobody stays there. */
void srv_place_closed(struct srv_hall *h, struct srv_place *p);
void srv_place_removed(struct srv_hall *h, struct srv_place *p);
/* FM_OK, or why nothing can be asked of this table any more. */
enum fm_err srv_place_refusal(const struct srv_place *p, struct fm_fault *fault);

/* hall_time.c */
uint32_t srv_credit(const struct srv_live *l); /* so much of its way is not counted */

/* hall_what.c */
bool srv_read_what(struct srv_hall *h, struct srv_live *live, struct fm_in *in, const char **id);

/* hall_games.c: what can be played here */
struct srv_games *srv_games_create(const struct fm_library *house); /* NULL: no memory */
const struct fm_library *srv_games_library(const struct srv_games *games);
void srv_games_destroy(struct srv_games *games); /* takes NULL */
/* rest: of the path, after /api/games */
void srv_games_ask(struct srv_hall *h, struct srv_call *call, const struct srv_request *r,
                   const char *rest);

/* practice.c: stacks to practise looking on; rest: of the path, after /api/practice */
struct srv_practice *srv_practice_create(struct st_store *store,
                                         struct fm_fault *fault); /* NULL and a fault */
void srv_practice_destroy(struct srv_practice *p);                /* takes NULL */
void srv_practice_ask(struct srv_hall *h, struct srv_call *call, const struct srv_request *r,
                      const char *rest);

/* hall_after.c: replays, and what to think of a record */
struct srv_after *srv_after_create(const struct fm_library *library,
                                   const struct srv_net *net); /* NULL: no memory */
void srv_after_destroy(struct srv_after *a);                   /* takes NULL */
void srv_get_replay(struct srv_hall *h, struct srv_call *call, struct srv_place *p,
                    const char *who);
void srv_get_verify(struct srv_hall *h, struct srv_call *call, struct srv_place *p);
void srv_after_settle(struct srv_hall *h);
void srv_after_hung_up(struct srv_after *a, struct srv_call *call); /* one that has a job */

/* hall_bots.c */
bool srv_bots_start(struct srv_hall *h);
/* A line in the log that names a table whose log cannot be `what` (read, followed), once for each;
 * nothing where the store failed, or there is no such table. Any thread. */
void srv_say_unread(const struct st_id *table, const char *what, const struct fm_fault *fault);

void srv_bots_stop(struct srv_hall *h);
void srv_bots_ask(struct srv_hall *h,
                  struct srv_place *p); /* all that may act and were not asked */
void srv_bots_settle(struct srv_hall *h);
void srv_bots_tick(struct srv_hall *h, struct srv_place *p);
bool srv_bots_will_act(const struct srv_place *p);
unsigned srv_bots_jobs(const struct srv_place *p);            /* of srv_place.thinking */
void srv_bots_leave(struct srv_hall *h, struct srv_place *p); /* the place goes */

#endif
