/*
 * fathom/record.h: a finished match as JSON Lines that anyone can check.
 *
 *   {"fathom":1,"game":…,"rules":1,"options":{…},"deck":{…},"commitment":…,"seats":[…],…,"sum":…}
 *   {"t":1200,"seat":0,"do":"place","card":2,"at":[1,3],"state":"5f0c21aa","sum":"91b7d0e4"}
 *   …
 *   {"result":{…},"seed":…,"sum":…}
 *
 * "state" is a short hash of the whole state after the event: where rules diverge, the replay
 * stops at the event that caused it. "sum" covers the bytes of its line and of all before it:
 * a line that was altered, dropped, doubled or moved is found, with its number.
 *
 * The seed of the last line is the one the table committed to before the start; the deal's seed
 * is derived from it. At a server's table every seat may add chance of its own (struct fm_fair):
 * then the first line also has "table" and "entropy", and nobody alone decided the deal.
 */
#ifndef FATHOM_RECORD_H
#define FATHOM_RECORD_H

#include <fathom/game.h>

#include <stdalign.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_RECORD_VERSION 1
#define FM_RECORD_LINE    8192      /* no line is longer */
#define FM_RECORD_MAX     0x1000000 /* no record is larger: 16 MiB */
#define FM_NAME_MAX       128       /* bytes of a seat's name */

struct fm_record_seat {
    const char *name;
    const char *bot; /* NULL: a person */
};

#define FM_TABLE_BYTES   16
#define FM_ENTROPY_BYTES 32 /* that a seat may add, at most */

struct fm_fair { /* a deal that several hands took part in */
    uint8_t table[FM_TABLE_BYTES];
    uint8_t entropy_n[FM_MAX_SEATS]; /* 0: this seat added nothing */
    uint8_t entropy[FM_MAX_SEATS][FM_ENTROPY_BYTES];
};

struct fm_recorder {
    const struct fm_setup *setup;
    uint8_t seed[FM_SEED_BYTES];
    uint8_t chain[32]; /* hash over all lines so far */
};

/* What binds a table to a seed, and what is dealt from it: of the house alone ... */
void fm_commitment(uint8_t out[32], const uint8_t seed[FM_SEED_BYTES]);
void fm_deal_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES]);
/* ... and of a table whose seats take part. The commitment is made before they do, and binds
 * options and deck too. */
void fm_fair_commitment(uint8_t out[32], const uint8_t seed[FM_SEED_BYTES],
                        const uint8_t table[FM_TABLE_BYTES], const struct fm_setup *setup);
void fm_fair_deal_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES],
                       const struct fm_fair *fair, unsigned n_seats);

/* Writing: each call appends one line. setup->seed is the deal's, from `seed` and, unless it is
 * NULL, `fair`; created is ISO 8601. */
void fm_record_begin(struct fm_recorder *r, struct fm_out *o, const struct fm_setup *setup,
                     const uint8_t seed[FM_SEED_BYTES], const struct fm_fair *fair,
                     const struct fm_record_seat *seats, const char *created);
void fm_record_event(struct fm_recorder *r, struct fm_out *o, const struct fm_event *ev,
                     const void *state);
void fm_record_end(struct fm_recorder *r, struct fm_out *o, const void *state);

/* Reading: open checks every byte; next plays the events one by one. */
enum fm_stage { /* what is being checked; after a fault, what did not fit */
                FM_AT_BYTES,
                FM_AT_COMMITMENT,
                FM_AT_DEAL,
                FM_AT_MOVES,
                FM_AT_RESULT
};

struct fm_playback {
    struct fm_setup setup; /* its seed is the deal's */
    const char *text;
    size_t n, pos; /* of the line to come */
    int line;      /* its number */
    int last_line;
    enum fm_stage stage;
    /* once the commitment was checked, whether it fitted or not */
    bool has_commitment;
    uint8_t commitment[32];      /* as it follows from the seed */
    uint8_t seed[FM_SEED_BYTES]; /* of the last line: what the table committed to */
    struct fm_fair fair;         /* all 0: nobody could add anything */
    alignas(8) uint8_t state[FM_STATE_MAX];
};

enum fm_err fm_playback_open(struct fm_playback *p, const char *text, size_t n,
                             const struct fm_library *library, struct fm_notes *notes,
                             struct fm_fault *fault);
/* FM_OK: *ev was applied. FM_E_OVER: that was all, and result and seed are right. Anything else
 * is a fault, with its line. */
enum fm_err fm_playback_next(struct fm_playback *p, struct fm_event *ev, struct fm_notes *notes,
                             struct fm_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
