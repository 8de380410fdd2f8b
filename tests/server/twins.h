/* twins.h: two worlds that differ only in what a viewer may not know, and leaks planted in them. */
#ifndef TESTS_SERVER_TWINS_H
#define TESTS_SERVER_TWINS_H

#include "tests.h"

#include "base/panic.h"
#include "server/world.h"

/* ---- twins_leaks.c --------------------------------------------------------------------------- */

/* Leaks between the files of the server. */
enum planted {
    NOTHING,
    CHANGE_FORGETS_SEQ,
    CHANGE_TELLS_ALL,
    CHANGE_TO_WRONG_SEAT,
    CHANGE_COUNTS_EVENTS,
    SPECTATOR_SEES_SEAT_0,
    HELLO_SHOWS_LOG,
    HELLO_SHOWS_LAST_ACTION,
    HELLO_OF_SPECTATOR_SEES_SEAT_0,
    EARLIER_OF_ANOTHER_SEAT,
    EARLIER_COUNTS_EVENTS,
    SEATS_SHOW_NOTES,
    SEATS_SHOW_VOTES,
    SEATS_SHOW_WHO_ACTED,
    SEATS_SHOW_ENTROPY,
    TABLE_SHOWS_SEED,
    TABLE_SHOWS_LOG,
    TABLE_SHOWS_NOTES,
    ACK_TO_OTHERS,
    REFUSAL_TO_OTHERS,
    FAILED_LOGIN_TELLS,
    RESTART_DEALS_AGAIN,
    REACTIONS_FOLLOW_SECRETS,
    WHAT_LOOKS_AT_THE_MATCH,
    WHAT_IS_SEEDED_BY_THE_TABLE,
    BOT_HESITATES,
    BOT_CHOOSES,
    WHY_LOOKS_AT_THE_HAND,
    WHY_IS_SEEDED_BY_THE_TABLE,
};
extern enum planted planted;
extern bool restarted; /* tables are being read again */

/* A leak that must be found, in the server or in functions of a game. */
struct leak {
    const char *name;
    const char *(*found_by)(const char *body, unsigned matches);
    const char *body;
    enum planted planted;
    void (*put_view)(struct fm_out *, struct fm_view);
    void (*put_note)(struct fm_out *, struct fm_view, const struct fm_note *);
    size_t (*legal)(struct fm_view, fm_action *, size_t);
    enum fm_err (*apply)(void *, const struct fm_event *, struct fm_notes *);
};
extern const struct leak leaks[];
extern const size_t n_leaks;
extern const struct leak *leak; /* in the games of both worlds; NULL: none */

/* ---- twins_worlds.c -------------------------------------------------------------------------- */

#define MAX_EARS 8

struct twin {
    struct world w;
    char id[2 * ST_ID_BYTES + 1], host[SRV_TOKEN_TEXT + 1];
    char token[FM_MAX_SEATS][SRV_TOKEN_TEXT + 1];
    struct client seat[FM_MAX_SEATS]; /* those of others, who act */
    struct client ear[MAX_EARS];      /* the viewer's streams, and the stranger's */
    unsigned n_ears;
    struct mail http; /* what the viewer was answered */
    struct fm_game game;
    struct fm_wire wire;
    _Alignas(8) uint8_t origin[FM_STATE_MAX];
};
extern struct twin two[2];
extern struct fm_rng rng;

/* A table with everybody seated and not here; bot: on its last seat, NULL: none. With `other` the
 * seats of others give other chance. */
void twin_open(struct twin *t, const char *body, unsigned chance, int viewer, bool other,
               const char *bot);
void twin_forget_ears(struct twin *t);
void twin_close(struct twin *t);

struct srv_table *twin_table(struct twin *t);
struct fm_view view_of(struct twin *t, int viewer);
int n_seats(void);
bool is_bots(int seat);    /* nobody has a token for it */
size_t n_events_now(void); /* of the table in the world whose turn it is */

void copy_text(char *to, size_t cap, const char *from);

/* A stream of the viewer, with earlier events; from SRV_NO_FROM: without it. */
void twin_listen(struct twin *t, int viewer, int64_t from);
void stranger_tries(struct twin *t);
/* The viewer asks why a seat made its last choice up to a change. */
void ask_why(struct twin *t, int viewer, uint32_t seq, int seat);
/* Everything that may be asked over HTTP, by the viewer and by one who has no token. */
void ask_all(struct twin *t, int viewer);
/* Commitments differ by design until the end. */
void hide_commitments(struct mail *m);

/* What was found, for a failure; it is overwritten by the next. */
const char *found(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What both viewers heard so far; then they listen anew. NULL: it was the same. */
const char *compare_twins(int viewer, const char *when);
bool same_match(int viewer); /* the viewer's bytes of the match */

/* ---- twins_acts.c ---------------------------------------------------------------------------- */

void twin_act(struct twin *t, int seat, const char *id, const char *action);
const char *action_text(const struct fm_game *g, fm_action a);
const char *new_id(void);
/* An action as JSON that may be anything: by number, so that both worlds get the same. */
const char *noise(const struct fm_game *g, uint32_t number);
/* An action that both worlds take from this seat; 0: none was found. */
fm_action common_action(int seat);
/* One action of whoever may act, the same in both worlds. */
bool play_on(void);
/* What others do that the viewer may not notice: more of it in the second world. */
void do_in_secret(int viewer);
/* Hidden actions of others, in each world its own and as many as it likes; how many. */
int act_in_secret(int viewer);
/* Everybody but one of the others comes: presence is the same in both worlds. */
void others_come(int viewer);
uint32_t last_ms(const struct fm_game *g, const void *match);

/* ---- twins_checks.c -------------------------------------------------------------------------- */

/* NULL: the twins heard the same; otherwise what differed. */
const char *check_waiting(const char *body, unsigned matches);
const char *check_dealt(const char *body, unsigned matches);
const char *check_hidden(const char *body, unsigned matches);
const char *check_bots(const char *body, unsigned matches);
const char *check_why(const char *body, unsigned matches);

#endif
