/*
 * dive.h: Dive as a seat sees it: the public block, a seat's own board, the actions.
 *
 * A card of the ocean is a kind, 0 .. 7: its helper, and whether there is a shark. The stack is
 * nobody's to read: views carry its height, eyes look at pictures of it. Pawns are numbered like
 * their seats; the village chief's is pawn 4.
 */
#ifndef DIVE_H
#define DIVE_H

#include <fathom/game.h>

#define DIVE_SEATS         4
#define DIVE_CHIEF         4 /* the chief's pawn; also its number in notes and moves */
#define DIVE_PAWNS         5
#define DIVE_CARDS         36
#define DIVE_KINDS         8
#define DIVE_TOKENS        5 /* air tokens of a seat, worth 1 .. 5 */
#define DIVE_LEVELS        5
#define DIVE_DEEPEST       6 /* with the anglerfish */
#define DIVE_CHIEF_LEVELS  4
#define DIVE_CHIEF_CARDS   48
#define DIVE_CLOWNFISH_AIR 3  /* what the clownfish adds to a level's speed */
#define DIVE_TRANQUIL_END  15 /* the last space of Tranquil Waters (D4) */
#define DIVE_GOAL          23
#define DIVE_MOVES         16 /* six helps, the dolphins, five rests, four before the axolotl */
#define DIVE_ORCA_MS       10000
#define DIVE_STEP_MS       2500 /* showing one level, or Rest, takes that long */
#define DIVE_CLOCK_MAX     3600
#define DIVE_OCTOPUS_SCALE 10000 /* its x and y count ten-thousandths of the stack's width */
#define DIVE_NONE          0xff

enum dive_phase { DIVE_SETUP, DIVE_PROGRAM, DIVE_AXOLOTL, DIVE_OVER };

enum dive_option {
    DIVE_OPT_DIVERS,
    DIVE_OPT_CHIEF,
    DIVE_OPT_CHILDREN,
    DIVE_OPT_COMPANIONS,
    DIVE_OPT_FLASHLIGHT,
    DIVE_OPT_CLOCK,
    DIVE_OPT_AGES,
    DIVE_N_OPTIONS
};

enum dive_helper { DIVE_NO_HELPER, DIVE_GREEN, DIVE_RED, DIVE_MANTA };

/* A kind is helper | DIVE_SHARK or helper alone. */
#define DIVE_SHARK 4u

enum dive_companion {
    DIVE_OCTOPUS,
    DIVE_ORCA,
    DIVE_ANGLERFISH,
    DIVE_GREEN_TURTLE,
    DIVE_CLOWNFISH,
    DIVE_DOLPHINS,
    DIVE_GREAT_WHITE,
    DIVE_AXOLOTL_TILE, /* the extra three */
    DIVE_FUGU,
    DIVE_NARWHAL,
    DIVE_COMPANIONS
};

/* Why a pawn moved, or might have. */
enum dive_why { DIVE_BY_HELPER, DIVE_BY_DOLPHINS, DIVE_BY_REST, DIVE_BY_AXOLOTL };

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

struct dive_move {
    uint8_t who; /* seat or DIVE_CHIEF */
    uint8_t why;
    uint8_t level; /* of a helper; 0: none */
    uint8_t from, to;
};

struct dive_log {                 /* the last dive, which everybody saw */
    uint32_t program[DIVE_SEATS]; /* without what D8 discards */
    uint16_t round;               /* 0: there was none */
    uint8_t n_cards;
    uint8_t card[DIVE_DEEPEST]; /* kind | orientation << 3 */
    uint8_t chief_card;         /* or NONE */
    uint8_t bubbles;            /* bit level-1: the chief's number there is covered */
    uint8_t n_moves;
    uint8_t judged[DIVE_SEATS]; /* bit level-1: there was a program and a card */
    uint8_t right[DIVE_SEATS];  /* bit level-1: and they agreed */
    uint8_t kept[DIVE_SEATS];   /* levels that count in Rest */
    struct dive_move move[DIVE_MOVES];
};

struct dive_pub {
    struct fm_pub head;
    uint16_t round; /* from 1; 0 during setup */
    uint16_t clock; /* seconds for Program; 0: none */
    uint8_t children, flashlight, chief_on;
    uint8_t stack_n;
    uint8_t chief_n;         /* cards left in the chief's pile */
    uint8_t ready, breathed; /* seat bits */
    uint8_t spent;           /* seat bits: its companion was used */
    uint8_t gone;            /* seat bits: ... in an earlier round */
    uint8_t target;          /* seat that the dolphins were sent to */
    uint16_t in_play;        /* bit per companion at this table */
    uint16_t octopus_x, octopus_y;
    uint64_t chief_seen;             /* bit per card that was turned over */
    uint8_t age[DIVE_SEATS];         /* seats, youngest first */
    uint8_t companion[DIVE_SEATS];   /* whose it is or was; NONE: nobody's */
    uint8_t effect[DIVE_COMPANIONS]; /* seat that uses it in this round, or NONE */
    uint8_t pawn[DIVE_PAWNS];
    uint8_t left[DIVE_KINDS]; /* of the deck, without what was revealed */
    uint8_t stopped;          /* why the clock will stop Program: enum dive_stop */
    uint8_t winners;          /* once over: pawn bits */
    uint8_t draw, shared;
    uint8_t zero[5];
    struct dive_log log;
    uint8_t chief_left[DIVE_CHIEF_CARDS]; /* of the deck, without what was turned over */
};

struct dive_priv {
    struct fm_priv head;
    uint32_t program; /* what lies on the board */
    uint8_t choice;   /* the companion asked for, not yet resolved; or NONE */
    uint8_t zero[3];
};

#pragma GCC diagnostic pop

/* ---- actions: verb | rest << 8 -------------------------------------------------------------- */

enum dive_verb {
    DIVE_DO_CHOOSE = 1, /* companion << 8 */
    DIVE_DO_PROGRAM,    /* program << 8 */
    DIVE_DO_READY,
    DIVE_DO_UNREADY,
    DIVE_DO_BREATHE,
    DIVE_DO_USE,     /* companion << 8 | target << 16, or | x << 16 | y << 32 */
    DIVE_DO_AXOLOTL, /* use << 8 */
    DIVE_DO_STOP,    /* enum dive_stop << 8 */
    DIVE_VERBS
};

enum dive_stop { DIVE_STOP_CLOCK, DIVE_STOP_ORCA };

static inline fm_action dive_action(enum dive_verb verb, uint64_t rest)
{
    return (fm_action)verb | rest << 8;
}

static inline uint64_t dive_action_rest(fm_action a)
{
    return a >> 8;
}

/* ---- programs: a whole board in 28 bits (dive_program.c) ------------------------------------ */

#define DIVE_FACE_BIT      15         /* 15 bits before it: the level of each token, 0: unused */
#define DIVE_CLOWNFISH_BIT 21         /* 3 bits: the clownfish's level, 0: not laid */
#define DIVE_SIXTH         (1u << 24) /* the anglerfish is laid */
#define DIVE_PLAIN_BIT     25 /* 3 bits: the children's version: levels with a face and no token */
#define DIVE_PROGRAM_BITS  28

enum dive_kit { DIVE_KIT_PLAIN, DIVE_KIT_CLOWNFISH, DIVE_KIT_ANGLERFISH, DIVE_KIT_CHILDREN };

static inline unsigned dive_token_level(uint32_t program, unsigned token) /* token from 0 */
{
    return program >> 3 * token & 7u;
}

static inline bool dive_face(uint32_t program, unsigned level) /* shark? */
{
    return program >> (DIVE_FACE_BIT + level - 1) & 1u;
}

static inline unsigned dive_clownfish(uint32_t program)
{
    return program >> DIVE_CLOWNFISH_BIT & 7u;
}

static inline unsigned dive_plain_levels(uint32_t program)
{
    return program >> DIVE_PLAIN_BIT & 7u;
}

/* Levels that hold something, bit level-1; the anglerfish is on level 6. */
uint32_t dive_filled(uint32_t program);
/* Levels from 1 down to the first gap. */
unsigned dive_depth(uint32_t program);
/* D8: without what lies below the first gap. */
uint32_t dive_cut(uint32_t program);
/* The speeds of levels 1 .. 6, tokens and clownfish, 1 for the anglerfish alone on its level;
 * speed[0] is of no level. */
void dive_speeds(uint32_t program, uint8_t speed[DIVE_DEEPEST + 1]);
/* Nothing but meaningful bits, each level and tile where it may be? */
enum fm_err dive_program_check(uint32_t program);
/* D5: may its owner say ready? */
enum fm_err dive_program_ready(uint32_t program, bool children);

/* All programs with which one may be ready, by number: how many, and each. */
uint32_t dive_program_count(enum dive_kit kit);
uint32_t dive_program_at(enum dive_kit kit, uint32_t number);

/* ---- notes ---------------------------------------------------------------------------------- */

enum dive_note {
    DIVE_CHOSE = 1,    /* seat; told to it alone; hidden: companion */
    DIVE_GOT,          /* seat; open: companion: it is its now */
    DIVE_CHOOSE_AGAIN, /* seat; open: companion that a younger one took */
    DIVE_ROUND,        /* open: round: Program begins */
    DIVE_PROGRAMMED,   /* seat; told to it alone; hidden: program */
    DIVE_READY,        /* seat */
    DIVE_UNREADY,      /* seat */
    DIVE_USED,         /* seat; open: as in the action */
    DIVE_BREATHED,     /* seat */
    DIVE_STOPPED,      /* open: enum dive_stop */
    DIVE_SHOWN,        /* seat; open: program: screens off, Dive begins */
    DIVE_CHIEF_SHOWN,  /* open: chief card */
    DIVE_BUBBLE,       /* open: level */
    DIVE_CARD,         /* open: level | kind and orientation << 8 */
    DIVE_RIGHT,        /* seat; open: level | speed << 8 */
    DIVE_WRONG,        /* seat; open: level | levels kept << 8 */
    DIVE_HELPED,       /* seat; open: level | from << 8 | to << 16 | helper << 24 */
    DIVE_NO_CARD,      /* seat; open: first level that is discarded for want of a card */
    DIVE_HELD,         /* seat; open: owner of the great white: no step in Rest */
    DIVE_MOVED,        /* seat; open: why | from << 8 | to << 16 */
    DIVE_ASKED,        /* seat: does it use the axolotl? */
    DIVE_DECLINED,     /* seat: not now */
    DIVE_LEFT,         /* seat; open: companion: it leaves the game */
    DIVE_ENDED,        /* open: pawn bits of the winners | draw << 8 | shared << 9 | stack << 10 */
    DIVE_NOTES
};

/* ---- what follows from the public block ----------------------------------------------------- */

static inline bool dive_deep(unsigned space)
{
    return space > DIVE_TRANQUIL_END;
}

/* D15: where a manta takes this pawn. */
unsigned dive_manta(const struct dive_pub *pub, unsigned who);

/* The four speeds of a chief card, and the bits level-1 of its yellow ones (D37). */
void dive_chief_card(unsigned card, uint8_t speed[DIVE_CHIEF_LEVELS], uint8_t *yellow);

/* Which programs this seat can lay: those of its companion, if that is left. */
enum dive_kit dive_kit_of(const struct dive_pub *pub, unsigned seat);

/* The companion that this seat may announce now; NONE: it has none to announce. */
unsigned dive_announceable(const struct dive_pub *pub, unsigned seat);

/* Companions that a seat may still ask for (D24), as bits. */
uint32_t dive_available(const struct dive_pub *pub);

/* In fixed numbers (dive_flat.c). */
extern const struct fm_flat dive_flat;

/* Names by kind and by companion, NULL-terminated (dive_words.c). */
extern const char *const dive_kind_names[DIVE_KINDS + 1];
extern const char *const dive_companion_names[DIVE_COMPANIONS + 1];

#endif
