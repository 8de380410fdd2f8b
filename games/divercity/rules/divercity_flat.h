/* divercity_flat.h: DiverCity in fixed numbers. Made public as part of fathom/flat.h, which
 * explains. */
#ifndef DIVERCITY_FLAT_H
#define DIVERCITY_FLAT_H

#include <stdint.h>

struct fm_obs_divercity {
    uint8_t phase; /* 0 setup, 1 rig, 2 industry, 3 action, 4 captain, 5 visionary, 6 after */
    uint8_t seat, n_seats;
    uint8_t version;     /* of the rules */
    uint32_t fresh, old; /* with an industrialist: corporation cards that lie face down: bits */
    uint16_t sign[6][4]; /* realistic variant: the last signs made for each card */
    uint16_t zone[5];    /* species in each zone: bits; extinct, red, blue, green, saved */
    uint16_t round;
    uint8_t variants, sharing; /* the table's: bits and number of its options */
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
    uint8_t next[4];    /* corporation cards on top of the deck that all know; 0: none */
    uint8_t boat_n;     /* cards of the boat pile ... */
    uint8_t boat[12];   /* ... and how many of each species */
    uint8_t end[2];     /* 0 */
};

/* Claims, and diver cards out of turn, are not offered. */
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
    FM_DIVERCITY_SHOW = 102,
    FM_DIVERCITY_INDICES = 103
};

#endif
