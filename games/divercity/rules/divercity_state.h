/* divercity_state.h: the whole of a DiverCity match, secrets included; and positions given to it.
 */
#ifndef DIVERCITY_STATE_H
#define DIVERCITY_STATE_H

#include "divercity/rules/divercity.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

struct divercity_secret {
    struct fm_secret head;
    uint8_t hand[DIVERCITY_HANDS][DIVERCITY_HAND];
    uint8_t deck[DIVERCITY_SPECIES_CARDS]; /* the top is the last of pub.deck_n */
    uint8_t corp_deck[DIVERCITY_CORPS];    /* the top is the last of pub.corp_deck_n */
    uint8_t industry[DIVERCITY_INDUSTRY];
    uint8_t zero[6];
};

struct divercity_state {
    struct divercity_pub pub;
    struct divercity_priv priv[DIVERCITY_SEATS];
    struct divercity_secret secret;
};

struct divercity_position { /* a scenario's setup: what is given replaces what would be dealt */
    bool has_deck, has_discard, has_hands, has_corp_deck, has_corp_discard, has_industry;
    bool has_divers, has_active;
    uint8_t deck_n, discard_n, corp_deck_n, corp_discard_n, industry_n;
    uint8_t active;
    uint8_t built; /* hotels: colour bits */
    uint8_t hand_n[DIVERCITY_HANDS];
    uint8_t hand[DIVERCITY_HANDS][DIVERCITY_HAND];
    uint8_t deck[DIVERCITY_SPECIES_CARDS];    /* all piles top first ... */
    uint8_t discard[DIVERCITY_SPECIES_CARDS]; /* ... and discards oldest first */
    uint8_t corp_deck[DIVERCITY_CORPORATIONS];
    uint8_t corp_discard[DIVERCITY_CORPORATIONS];
    uint8_t industry[DIVERCITY_INDUSTRY];
    uint8_t owner[DIVERCITY_DIVERS];   /* hand or NONE */
    uint8_t lifted[DIVERCITY_SPECIES]; /* zone + 1; 0: not given */
};

struct divercity_box {                            /* a compiled deck */
    uint8_t species[DIVERCITY_SPECIES];           /* how many cards of each */
    uint8_t corporations[DIVERCITY_CORPORATIONS]; /* cards */
};

#pragma GCC diagnostic pop

_Static_assert(sizeof(struct divercity_state) <= 2048, "a DiverCity match fits 2 KiB");
_Static_assert(sizeof(struct divercity_position) <= FM_POSITION_MAX, "a position fits a setup");
_Static_assert(sizeof(struct divercity_box) <= FM_DECK_CARDS, "a deck fits");

#define DIVERCITY_ALL_CORPS ((1u << DIVERCITY_CORPORATIONS) - 1)

extern const struct fm_wire divercity_wire;

#endif
