/*
 * fathom/game.h: the contract between one game's rules and everything else.
 *
 * A match is one fixed-size block of plain bytes:
 *
 *     [ public | private[0] .. private[max_seats-1] | secret ]
 *
 * Seat i sees public + private[i], nothing else, by construction (struct fm_view). What several
 * seats know is repeated in their private blocks. Copy is memcpy, equality memcmp; the hash is over
 * the fields (struct fm_field). No pointers, floats or padding in a state.
 *
 * Rules are pure: equal setup and events give equal bytes on every little-endian target. They
 * read no clock, file or global, never allocate, never print. Time reaches them as
 * fm_event.t_ms, chance from the generator in their secret block.
 *
 *   seat     a place at the table, from 0; a watcher sees the public block only
 *   event    one input: an action of a seat, or the clock's word. The log of a match
 *   action   what a seat does, packed into 64 bits: verb in the low byte; 0 is never legal
 *   note     one thing that happened in an event, to be shown: cut to what a seat may know
 *   may      seats that may act now            owes   seats that the phase waits for
 *   hidden   of a verb: other seats must not notice it, so it moves nothing that they see
 */
#ifndef FATHOM_GAME_H
#define FATHOM_GAME_H

#include <fathom/deck.h>
#include <fathom/error.h>
#include <fathom/eyes.h>
#include <fathom/out.h>
#include <fathom/rng.h>

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_MAX_SEATS    7
#define FM_MAX_OPTIONS  16
#define FM_STATE_MAX    4096       /* every game fits; 8-byte aligned */
#define FM_POSITION_MAX 1024       /* a scenario's position, compiled */
#define FM_NOTES_MAX    160        /* notes of one event */
#define FM_LEGAL_MAX    1024       /* actions worth listing */
#define FM_JSON_MAX     0x40000    /* a view, a state or the notes of an event as JSON */
#define FM_EVENTS_MAX   20000      /* no match is longer */
#define FM_NEVER        UINT32_MAX /* deadline_ms: nothing is ticking */
#define FM_TABLE        0xffu      /* seat of what the table itself does */
#define FM_WATCHER      (-1)       /* a spectator's view: public only */
#define FM_EVERYBODY    0xffu      /* fm_note.knows: all seats and watchers */
#define FM_RANDOM       (-1)       /* FM_OPT_SEAT left to chance */
#define FM_NOT_GIVEN    (-1)       /* FM_OPT_SEATS left out: the game settles it */

typedef uint64_t fm_action;

struct json_t;   /* jansson's */
struct fm_flat;  /* the game in fixed numbers; core/flat.h */
struct fm_ocean; /* its stack of see-through sheets; fathom/ocean.h */

enum fm_status { FM_RUNNING, FM_OVER };

struct fm_event {   /* one line of the log */
    uint32_t t_ms;  /* since the start; never decreases */
    uint32_t check; /* of the state after it, see fm_check(); 0: none */
    fm_action action;
    uint8_t seat; /* FM_TABLE: the table's clock says it */
};

/* ---- what every block begins with ----------------------------------------------------------- */

struct fm_pub {
    uint32_t seq;         /* public changes so far */
    uint32_t now_ms;      /* time of the last public change */
    uint32_t deadline_ms; /* the table acts then, after the seats' actions of that moment */
    uint8_t n_seats;
    uint8_t phase;
    uint8_t status;
    uint8_t may;
    uint8_t owes;
    uint8_t rules; /* the version that this match is played by */
    uint8_t zero[2];
};

struct fm_priv {
    uint32_t seq; /* changes that only this seat noticed */
    uint32_t zero;
};

struct fm_secret {
    struct fm_rng rng;
    uint32_t now_ms; /* time of the last event of all */
    uint32_t n_events;
};

/*
 * What a check covers: the fields of a block one after the other. A field that was once in the list
 * stays there, in its place; its place in the struct may change. New fields are added with the
 * rules that need them, so that earlier records keep their checks. A test finds bytes of a struct
 * that the list does not name.
 */
struct fm_field {
    const char *name;      /* NULL: the list ends */
    uint16_t offset, size; /* in its block */
    uint8_t since; /* first rules whose checks cover it; 0: derived or unused, in no check */
    bool blank;    /* so many zero bytes, for which there is no place in the struct */
};

#define FM_FIELD_SINCE(version, type, member)                                                      \
    {                                                                                              \
        .name = #member, .offset = offsetof(type, member), .size = sizeof(((type *)0)->member),    \
        .since = (version)                                                                         \
    }
#define FM_FIELD(type, member)     FM_FIELD_SINCE(1, type, member)
#define FM_UNCHECKED(type, member) FM_FIELD_SINCE(0, type, member)
#define FM_BLANK(n)                                                                                \
    {                                                                                              \
        .name = "blank", .size = (n), .since = 1, .blank = true                                    \
    }
#define FM_FIELDS_END                                                                              \
    {                                                                                              \
        .name = NULL                                                                               \
    }

struct fm_fields { /* of each block what follows its head */
    const struct fm_field *pub, *priv, *secret;
};

struct fm_view { /* two pointers into a state, or into received bytes: zero copy */
    const struct fm_game *game;
    const struct fm_pub *pub;
    const struct fm_priv *priv; /* NULL: a watcher */
    int seat;                   /* FM_WATCHER: a watcher */
};

/* ---- notes ---------------------------------------------------------------------------------- */

struct fm_note {
    uint8_t kind;  /* the game's; 0: none */
    uint8_t seat;  /* whom it is about, or FM_TABLE */
    uint8_t to;    /* seat bits, 0x80 watchers: who is told at all */
    uint8_t knows; /* the same bits: who may read `hidden` */
    uint8_t cut;   /* set where `hidden` was taken out */
    uint8_t zero[3];
    uint64_t open;
    uint64_t hidden;
};

struct fm_notes {
    size_t len;
    struct fm_note item[FM_NOTES_MAX];
};

/* ---- options and setup ---------------------------------------------------------------------- */

enum fm_option_kind {
    FM_OPT_FLAG,  /* false, true */
    FM_OPT_INT,   /* min .. max */
    FM_OPT_WORD,  /* one of words[] */
    FM_OPT_SEAT,  /* a seat, or "random" (FM_RANDOM) */
    FM_OPT_SEATS, /* all seats in some order, as fm_seats_pack() has it, or FM_NOT_GIVEN */
};

struct fm_option { /* one key of a table's options: drives JSON, flags and help alike */
    const char *name;
    enum fm_option_kind kind;
    int min, max, fallback;
    const char *const *words; /* FM_OPT_WORD: NULL-terminated */
    bool players;             /* FM_OPT_INT: how many play; out of range has codes of its own */
    uint8_t since;            /* first rules that have it; 0: all */
    const char *about;
};

struct fm_setup { /* with the log, all that a replay needs */
    const struct fm_game *game;
    uint8_t seed[FM_SEED_BYTES];    /* of the deal */
    int16_t option[FM_MAX_OPTIONS]; /* in the order of game->options */
    uint32_t given;                 /* bit i: option i was named, not defaulted */
    uint8_t rules;                  /* version, from 1 to game->newest_rules */
    uint8_t n_seats;
    bool has_position;
    struct fm_deck deck;
    alignas(8) uint8_t position[FM_POSITION_MAX]; /* the game's own layout */
};

struct fm_outcome {  /* of a finished match, for statistics; `length` also of one in progress */
    uint8_t winners; /* seat bits */
    uint8_t reason;  /* index into game->reasons */
    uint16_t length; /* turns or rounds, the game's unit */
    bool automaton;  /* game->automaton won */
    int32_t score[FM_MAX_SEATS];
};

/* ---- a game --------------------------------------------------------------------------------- */

struct fm_wire { /* JSON as other programs rely on it; only ever called at the edges */
    /* The cards of a deck file into deck->cards; and back, canonically, for the hash. */
    enum fm_err (*compile_deck)(struct fm_deck *deck, struct json_t *root, struct fm_fault *fault);
    void (*put_deck)(struct fm_out *o, const struct fm_deck *deck);
    /* A scenario's "setup" into setup->position. */
    enum fm_err (*parse_position)(struct fm_setup *setup, struct json_t *json,
                                  struct fm_fault *fault);
    /* {"do":…}: without "seat" and "t", which belong to the event. */
    enum fm_err (*parse_action)(fm_action *out, struct json_t *json, struct fm_fault *fault);
    void (*put_action)(struct fm_out *o, fm_action action); /* keys only, no braces */
    /* The same in a list of what is legal, where one entry stands for many; NULL: put_action. */
    void (*put_legal)(struct fm_out *o, fm_action action);
    /* The game's keys of a view, a state, a note (already cut), the result. */
    void (*put_view)(struct fm_out *o, struct fm_view v);
    void (*put_state)(struct fm_out *o, const void *state);
    void (*put_note)(struct fm_out *o, struct fm_view v, const struct fm_note *note);
    void (*put_result)(struct fm_out *o, const struct fm_pub *pub);
    /* Further keys of the game's constants: tables that a page draws with; NULL: none. */
    void (*put_constants)(struct fm_out *o);
    /* A board for terminals; a note as a sentence. */
    void (*put_board)(struct fm_out *o, struct fm_view v);
    void (*put_sentence)(struct fm_out *o, struct fm_view v, const struct fm_note *note);
};

struct fm_game {
    const char *id;            /* "soumsoum": files, wire, command line */
    const char *title;         /* "Soum Soum" */
    const char *deck;          /* id of the built-in deck it is played with unless told otherwise */
    const char *length_unit;   /* what fm_outcome.length counts: "turns" */
    const char *const *phases; /* names by fm_pub.phase, NULL-terminated */
    const char *const *reasons; /* names by fm_outcome.reason, NULL-terminated */
    const char *automaton; /* a player without a seat, and the option that lets it play; or NULL */
    const struct fm_option *options;
    uint32_t n_options;
    const struct fm_value *constants; /* numbers of the rules that a page or a refusal states */
    uint32_t hidden_verbs;            /* bit v: others must not notice verb v */
    uint32_t open_verbs;   /* bit v: legal() lists verb v once, not each of its actions */
    uint32_t quiet_verbs;  /* bit v: legal() lists verb v, but views do not */
    uint32_t table_verbs;  /* bit v: only the table's clock says verb v */
    uint32_t repeat_verbs; /* bit v: rules let a seat do verb v again and again without end */
    uint32_t final_verbs;  /* bit v: what a seat did stands, although nobody has noticed it yet */
    uint32_t memory_notes; /* bit k: to remember what a note of kind k hides is part of the game */
    uint8_t newest_rules;  /* one more when old records would replay otherwise; all are played */
    uint8_t min_seats, max_seats;
    uint32_t state_size, pub_size, priv_off, priv_size, secret_off;
    struct fm_fields fields; /* what checks cover */

    /* Options together: n_seats, defaults that depend on others, forbidden pairs. */
    enum fm_err (*settle)(struct fm_setup *setup, struct fm_fault *fault);
    /* Fill a zeroed state. */
    enum fm_err (*init)(void *state, const struct fm_setup *setup, struct fm_notes *notes);
    /* Advance by one event; fm_apply() has vetted seat and time. Checks legality itself; on
     * error the state is untouched. */
    enum fm_err (*apply)(void *state, const struct fm_event *ev, struct fm_notes *notes);
    /* The viewer's legal actions, ascending. Returns how many exist, writes at most cap. */
    size_t (*legal)(struct fm_view v, fm_action *out, size_t cap);
    /* One of them, each as likely, without listing; 0 when there is none, or when the game does
     * not wait for this seat and it lets things be. Of open verbs any action, each as likely. */
    fm_action (*sample)(struct fm_view v, struct fm_rng *rng);
    /* Some full state that this view cannot tell from the true one. */
    enum fm_err (*deal)(void *state, struct fm_view v, struct fm_rng *rng);
    /* What eyes make of what a seat may look at now. The same scene looked at again leaves the
     * sight as it is. NULL: there is nothing to look at in this game. */
    void (*look)(const void *state, const struct fm_eyes *eyes, struct fm_rng *rng,
                 struct fm_sight *sight);
    /* What the table says when the deadline has come; NULL: the game knows no deadline. */
    fm_action (*due)(const struct fm_pub *pub);
    /* For how many ms after a change seats may react without saying what the rules forbid; before:
     * the public block before it. FM_NEVER: until the next change. NULL: always. */
    uint32_t (*reactions_ms)(const struct fm_pub *before, const struct fm_pub *now);
    void (*outcome)(const void *state, struct fm_outcome *out);
    const struct fm_wire *wire;
    const struct fm_flat *flat;   /* for fathom/vec.h; NULL: it has none */
    const struct fm_ocean *ocean; /* for pictures; NULL: it has none */

    /* For research. What a seat may have that others have not, by name, NULL-terminated, and which
     * of it a seat has, as bits: who wins with what? NULL: there is no such thing. */
    const char *const *traits;
    uint32_t (*traits_of)(const struct fm_pub *pub, unsigned seat);
    /* Show every seat the cards that only it must not see: what does not knowing them cost? Never
     * at a table of people. NULL: there are none. */
    void (*open_hands)(void *state);
};

/* ---- call these, not the pointers: they hold the checks that all games share ---------------- */

enum fm_err fm_init(void *state, const struct fm_setup *setup, struct fm_notes *notes);
enum fm_err fm_apply(const struct fm_game *g, void *state, const struct fm_event *ev,
                     struct fm_notes *notes); /* notes may be NULL */
enum fm_err fm_replay(void *state, const struct fm_setup *setup, const struct fm_event *ev,
                      size_t n, size_t *bad); /* *bad: the event that did not go through */

/* A code of the rules as a fault, its values taken from the game's constants. */
enum fm_err fm_refuse(struct fm_fault *fault, const struct fm_game *g, enum fm_err code);

struct fm_view fm_view_of(const struct fm_game *g, const void *state, int seat);
size_t fm_view_copy(struct fm_view v, void *buf, size_t cap);  /* packed; 0: no room */
uint32_t fm_view_seq(struct fm_view v);                        /* changes this viewer noticed */
uint64_t fm_hash(const struct fm_game *g, const void *state);  /* over g->fields */
uint32_t fm_check(const struct fm_game *g, const void *state); /* short hash, never 0 */

bool fm_note_cut(struct fm_note *note, int seat); /* to what a seat may know; false: nothing */
void fm_notes_add(struct fm_notes *notes, struct fm_note note);
/* For `deal`: a secret block's head with chance of its own. */
void fm_secret_fresh(struct fm_secret *head, struct fm_view v, struct fm_rng *rng);

/* For rules: everybody is told, some may know what is hidden. notes may be NULL. */
static inline void fm_tell_some(struct fm_notes *notes, unsigned kind, unsigned seat, uint64_t open,
                                uint64_t hidden, unsigned knows)
{
    if (notes != NULL)
        fm_notes_add(notes, (struct fm_note){.kind = (uint8_t)kind,
                                             .seat = (uint8_t)seat,
                                             .to = FM_EVERYBODY,
                                             .knows = (uint8_t)knows,
                                             .cut = 0,
                                             .zero = {0, 0, 0},
                                             .open = open,
                                             .hidden = hidden});
}

/* For rules: everybody is told everything. */
static inline void fm_tell(struct fm_notes *notes, unsigned kind, unsigned seat, uint64_t open)
{
    fm_tell_some(notes, kind, seat, open, 0, FM_EVERYBODY);
}

static inline unsigned fm_verb(fm_action a)
{
    return (unsigned)(a & 0xff);
}

/* ---- tables and JSON ------------------------------------------------------------------------ */

const struct fm_game *fm_game_find(const char *id); /* NULL: none */
const struct fm_game *fm_game_at(size_t i);         /* NULL: past the last */

/* {"game":…,"rules":N,"options":{…}} as a setup (no seed, no position); rules left out: newest. */
enum fm_err fm_setup_parse(struct fm_setup *setup, struct json_t *table,
                           const struct fm_library *library, struct fm_fault *fault);
/* The same from text, with no other keys: for programs without jansson. */
enum fm_err fm_setup_read(struct fm_setup *setup, const char *text, size_t n,
                          const struct fm_library *library, struct fm_fault *fault);
/* All n seats in some order as a number for FM_OPT_SEATS, and back; returns n. */
int16_t fm_seats_pack(const uint8_t *seats, size_t n);
size_t fm_seats_unpack(int16_t packed, uint8_t seats[FM_MAX_SEATS]);

void fm_put_rules(struct fm_out *o, const struct fm_game *g);        /* "rules":[1,2],"newest":2 */
void fm_put_options(struct fm_out *o, const struct fm_setup *setup); /* {…}, defaults included */

/* {"t":1200,"seat":0,"do":…}; without "t" the time that *ev came with stays; without "seat" it is
 * the table's word. */
enum fm_err fm_event_parse(const struct fm_game *g, struct fm_event *ev, struct json_t *json,
                           struct fm_fault *fault);
void fm_put_action(struct fm_out *o, const struct fm_game *g, fm_action a); /* {"do":…} */
/* The same on one line for people: "place card=2 at=[1,3]". */
void fm_put_action_text(struct fm_out *o, const struct fm_game *g, fm_action a);
enum fm_err fm_action_parse_text(const struct fm_game *g, fm_action *out, const char *text,
                                 struct fm_fault *fault);
void fm_put_event(struct fm_out *o, const struct fm_game *g, const struct fm_event *ev);
void fm_put_view(struct fm_out *o, struct fm_view v);                            /* {…} */
void fm_put_state(struct fm_out *o, const struct fm_game *g, const void *state); /* {…} */
/* What a viewer is told, as values without brackets; `all` (with a watcher's view): uncut. */
void fm_put_notes(struct fm_out *o, struct fm_view v, const struct fm_notes *notes, bool all);
void fm_put_result(struct fm_out *o, const struct fm_game *g, const void *state); /* or null */

#ifdef __cplusplus
}
#endif

#endif
