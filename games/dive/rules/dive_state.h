/* dive_state.h: the whole of a Dive match, secrets included; and positions given to it. */
#ifndef DIVE_STATE_H
#define DIVE_STATE_H

#include "dive/rules/dive.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

/*
 * A sheet keeps its index in the stack for the whole game, so the index names it: whatever is
 * drawn for a sheet (picture, gaps, holes) can be derived from the deal and this number.
 */
struct dive_secret {
    struct fm_secret head;
    uint8_t stack[DIVE_CARDS];       /* kind | orientation << 3; the top is the last of stack_n */
    uint8_t chief[DIVE_CHIEF_CARDS]; /* the top is the last of chief_n */
    uint8_t zero[4];
};

struct dive_state {
    struct dive_pub pub;
    struct dive_priv priv[DIVE_SEATS];
    struct dive_secret secret;
};

struct dive_deck {                   /* compiled */
    uint8_t sheets[DIVE_KINDS];      /* how many of each kind */
    uint8_t chief[DIVE_CHIEF_CARDS]; /* how many of each card; one, unless the file gives them */
    bool chief_given;
};

struct dive_position { /* a scenario's setup: what is given replaces what would be dealt */
    bool has_stack, has_pawns, has_chief_pawn, has_chief_cards, has_companions;
    uint8_t stack[DIVE_CARDS]; /* kinds, top first */
    uint8_t stack_n;
    uint8_t pawn[DIVE_PAWNS];
    uint8_t chief[DIVE_CHIEF_CARDS]; /* top first */
    uint8_t chief_n;
    uint8_t companion[DIVE_SEATS];
};

#pragma GCC diagnostic pop

_Static_assert(sizeof(struct dive_state) <= 1024, "a Dive match fits 1 KiB");
_Static_assert(sizeof(struct dive_deck) <= FM_DECK_CARDS, "a deck fits");
_Static_assert(sizeof(struct dive_position) <= FM_POSITION_MAX, "a position fits a setup");

extern const struct fm_wire dive_wire;
extern const struct fm_ocean dive_ocean; /* dive_ocean.c */

void dive_put_board(struct fm_out *o, struct fm_view v);
void dive_put_sentence(struct fm_out *o, struct fm_view v, const struct fm_note *note);

/* The companions of a table, as bits: 0 none, 1 the seven, 2 the ten (D24, D43). */
uint16_t dive_companions_in_play(int set, bool chief);

/* A seat as a bit of a mask. */
static inline uint8_t dive_bit(unsigned seat)
{
    return (uint8_t)(1u << seat);
}

/* Tell one seat alone. */
static inline void dive_whisper(struct fm_notes *notes, enum dive_note kind, unsigned seat,
                                uint64_t hidden)
{
    if (notes == NULL)
        return;
    fm_notes_add(notes, (struct fm_note){.kind = (uint8_t)kind,
                                         .seat = (uint8_t)seat,
                                         .to = dive_bit(seat),
                                         .knows = dive_bit(seat),
                                         .hidden = hidden});
}

static inline uint8_t dive_everybody(const struct dive_pub *pub) /* all seats, as bits */
{
    return (uint8_t)((1u << pub->head.n_seats) - 1);
}

/* Program begins; its clock starts when `steps` of the last dive have been shown (dive.c). */
void dive_begin_round(struct dive_pub *pub, uint32_t t_ms, unsigned steps, struct fm_notes *notes);
bool dive_over(const struct dive_pub *pub); /* a pawn has arrived, or the stack is empty */

/* Setting up, and choosing companions (dive_setup.c). */
enum fm_err dive_settle(struct fm_setup *setup, struct fm_fault *fault);
enum fm_err dive_init(void *state, const struct fm_setup *setup, struct fm_notes *notes);
enum fm_err dive_choose(struct dive_state *s, const struct fm_event *ev, struct fm_notes *notes);

/* Of struct fm_game (dive_view.c). */
size_t dive_legal(struct fm_view v, fm_action *out, size_t cap);
fm_action dive_sample(struct fm_view v, struct fm_rng *rng);
enum fm_err dive_deal(void *state, struct fm_view v, struct fm_rng *rng);

/* Move a pawn and put it into the log of the dive. */
void dive_move_pawn(struct dive_pub *pub, unsigned who, enum dive_why why, unsigned level,
                    unsigned to);

/* The boards are open: Dive and Rest (D9 to D18), up to the axolotl. Returns the steps that
 * showing it takes. */
unsigned dive_resolve(struct dive_state *s, struct fm_notes *notes);

#endif
