/*
 * fathom/flat.h: the games in fixed numbers, as vectorised stepping has them (fathom/vec.h).
 *
 * An observation is what the seat that acts sees: a struct of fixed size, bytes and small
 * integers without padding. It is made from a view, never from a state. 255 stands for none,
 * nobody or unknown. Seats are numbers at the table; `seat` says which one looks.
 *
 * An action is an index of the game's list below, in the low 12 bits, and a value in the bits
 * above. Most actions are an index alone, their value is 0. Those marked "value" are too many to
 * be listed: fm_vec_values() says how many values one has now, each from 0 up is legal. A mask
 * has a bit for each index.
 */
#ifndef FATHOM_FLAT_H
#define FATHOM_FLAT_H

#include <stdint.h>

#define FM_FLAT_INDEX_BITS 12
#define FM_FLAT_NONE       255

/* ---- Soum Soum ------------------------------------------------------------------------------ */

struct fm_obs_soumsoum {
    uint8_t phase; /* 0 place, 1 diver, 2 take */
    uint8_t seat, n_seats, zero;
    uint32_t empty, free; /* places without a card; with one and without a diver: bits */
    uint8_t active;       /* the same as seat */
    uint8_t market_on, market_n, pile_n;
    uint8_t market[4]; /* cards: numbers into the deck; the fourth is unused */
    uint16_t turns;    /* begun so far */
    uint16_t score[4]; /* 0 until it is over */
    uint8_t winner;    /* likewise */
    uint8_t board[25]; /* cards, row by row */
    uint8_t diver[25]; /* whose diver stands there */
    uint8_t divers_left[4];
    uint8_t hand_n[4];
    uint8_t hand[4];    /* three at most */
    uint8_t seen[4][4]; /* cards of each hand that all saw taken */
    uint8_t end[3];     /* 0 */
};

enum fm_flat_soumsoum {
    FM_SOUMSOUM_PLACE = 0,  /* + 32 * card of the hand + place */
    FM_SOUMSOUM_DIVE = 96,  /* + place */
    FM_SOUMSOUM_PASS = 121, /* no diver */
    FM_SOUMSOUM_TAKE = 122, /* + card of the market */
    FM_SOUMSOUM_INDICES = 125
};

/* ---- Dive ----------------------------------------------------------------------------------- */

/* A program is 28 bits: five times three, the level of each token (0: none); six, sharks on levels
 * 1 to 6; three, the clownfish's level; one, the anglerfish; three, levels without tokens. */
struct fm_obs_dive {
    uint8_t phase; /* 0 setup, 1 program, 2 axolotl */
    uint8_t seat, n_seats;
    uint8_t choice;       /* the companion that it asked for */
    uint32_t program;     /* on the own board */
    uint64_t chief_seen;  /* cards of the chief's that were turned over: bits */
    uint8_t age[4];       /* seats, youngest first */
    uint8_t companion[4]; /* of each seat */
    uint8_t effect[10];   /* the seat that uses each companion now */
    uint8_t pawn[5];      /* the last is the chief's */
    uint8_t left[8];      /* cards of each kind that were not revealed yet */
    uint8_t seen_n;       /* levels that the eyes saw ... */
    uint16_t round;       /* from 1 */
    uint16_t clock;       /* the table's, in seconds; it does not run here */
    uint8_t children, flashlight, chief_on;
    uint8_t stack_n, chief_n;
    uint8_t ready, breathed, spent, gone; /* seat bits */
    uint8_t target;                       /* of the dolphins */
    uint16_t in_play;                     /* companions of this table: bits */
    uint16_t octopus_x, octopus_y;
    uint32_t shown[4];   /* the last dive: programs */
    uint16_t last_round; /* 0: there was none */
    uint8_t n_cards;
    uint8_t card[6]; /* kind | orientation << 3 */
    uint8_t chief_card;
    uint8_t bubbles; /* levels on which the chief was covered: bits */
    uint8_t n_moves;
    uint8_t judged[4]; /* levels that were judged: bits */
    uint8_t right[4];  /* ... and right */
    uint8_t kept[4];   /* levels that counted */
    uint8_t seen[6];   /* what the eyes took the levels for: kinds, from the top */
    uint8_t zero[6];
};

enum fm_flat_dive {
    FM_DIVE_CHOOSE = 0,   /* + companion */
    FM_DIVE_PROGRAM = 10, /* value: of all programs that one may be ready with */
    FM_DIVE_READY = 11,
    FM_DIVE_UNREADY = 12,
    FM_DIVE_BREATHE = 13,
    FM_DIVE_USE = 14,      /* + companion, without the dolphins; value for the octopus: its place,
                              x + 10001 * y */
    FM_DIVE_DOLPHINS = 24, /* + the seat that they are sent to */
    FM_DIVE_AXOLOTL = 28,  /* + 0: not now, 1: it is used */
    FM_DIVE_INDICES = 30
};

/* ---- DiverCity ------------------------------------------------------------------------------ */

struct fm_obs_divercity {
    uint8_t phase; /* 0 setup, 1 rig, 2 industry, 3 action, 4 captain, 5 visionary, 6 after */
    uint8_t seat, n_seats, zero;
    uint32_t fresh, old; /* with an industrialist: corporation cards that lie face down: bits */
    uint16_t sign[6][4]; /* realistic variant: the last signs made for each card */
    uint16_t zone[5];    /* species in each zone: bits; extinct, red, blue, green, saved */
    uint16_t round;
    uint8_t rules, sharing; /* the table's: bits and number of its options */
    uint8_t to_save, to_lose;
    uint8_t n_hands, industrialist;
    uint8_t active, acted, asked; /* whose turn, whether it acted, which hand has the word */
    uint8_t open, due;            /* the corporation card, and what of it is still to come */
    uint8_t reason;               /* 0 until it is over */
    uint8_t saved, extinct;
    uint8_t hotels;    /* colours: bits */
    uint8_t owner[8];  /* hand that each diver card lies before */
    uint8_t unused[6]; /* each hand's diver cards that were not used: bits */
    uint8_t passed;    /* setup: hands that take no more */
    uint8_t looked;    /* what the visionary knows: deck cards, or industry cards as bits */
    uint8_t hand_n[6];
    uint8_t told[6];     /* cards that their owner knows: bits */
    uint8_t claim[6][4]; /* species that their owner claims */
    uint8_t industry_n;
    uint8_t industry_old; /* its cards from before the last shuffle: bits */
    uint8_t industry_gap;
    uint8_t deck_n, discard_n, corp_deck_n, corp_discard_n;
    uint8_t discard[60]; /* species, oldest first */
    uint8_t corp_discard[27];
    uint8_t hand[6][4]; /* species, 255 where this seat sees none */
    uint8_t corp[4];    /* corporation cards that this seat knows; 0: none */
    uint8_t end[3];     /* 0 */
};

enum fm_flat_divercity {
    FM_DIVERCITY_TAKE = 0, /* + diver card */
    FM_DIVERCITY_PASS = 8,
    FM_DIVERCITY_END = 9,
    FM_DIVERCITY_RIG = 10,      /* + card */
    FM_DIVERCITY_INDUSTRY = 14, /* + card */
    FM_DIVERCITY_PLAY = 18,     /* + card */
    FM_DIVERCITY_WALKIE = 22,   /* + hand; realistic: value: signs, card by card */
    FM_DIVERCITY_CLOSE = 28,    /* + 4 * hotel + card */
    FM_DIVERCITY_USE_VISIONARY = 52,
    FM_DIVERCITY_USE_EXPLORER = 53,
    FM_DIVERCITY_USE_SWIMMER = 54,          /* + card */
    FM_DIVERCITY_USE_COMMUNICATIONS = 58,   /* + hand; realistic: value: signs */
    FM_DIVERCITY_USE_ENDURANCE = 64,        /* + species */
    FM_DIVERCITY_USE_DIVING = 76,           /* + species */
    FM_DIVERCITY_USE_CAPTAIN = 88,          /* + hand */
    FM_DIVERCITY_USE_ENVIRONMENTALIST = 94, /* + hotel */
    FM_DIVERCITY_REORDER = 100,             /* value: the order, as a permutation's number */
    FM_DIVERCITY_STRIKE = 101,              /* value: which two */
    FM_DIVERCITY_INDICES = 102
};

#endif
