/*
 * divercity.h: DiverCity as a seat sees it: the public block, a seat's own knowledge, the actions.
 *
 * A hand belongs to a diver. Hand and seat have the same number, but in solo, where seat 0 plays
 * both hands; the industrialist is the last seat and has no hand. Nobody sees the own hand: the
 * private block shows the others' cards, and of the own ones those that a walkie-talkie or the
 * explorer told. What is known of whom is public (told, looked), so that the private blocks
 * follow from the cards and the public block alone.
 */
#ifndef DIVERCITY_H
#define DIVERCITY_H

#include <fathom/game.h>

#define DIVERCITY_SEATS         7
#define DIVERCITY_HANDS         6
#define DIVERCITY_HAND          4 /* cards of the largest hand */
#define DIVERCITY_SPECIES       12
#define DIVERCITY_SPECIES_CARDS 60
#define DIVERCITY_CORPORATIONS  27 /* cards */
#define DIVERCITY_INDUSTRY      4  /* the industrialist's hand */
#define DIVERCITY_LOOK          4  /* cards the visionary looks at */
#define DIVERCITY_HOTELS        6
#define DIVERCITY_ALL_BUILT     ((1u << DIVERCITY_HOTELS) - 1)
#define DIVERCITY_PAIRS         12 /* of hotels that a card may show */
#define DIVERCITY_STRIKES       2  /* cards that the visionary strikes from that hand */
#define DIVERCITY_SIGNS         16 /* the palette of the realistic variant */
#define DIVERCITY_SIGNS_A_CARD  3
#define DIVERCITY_NONE          0xff /* no card, or none that this viewer sees; nobody */

/* A scenario may give more cards than the box has: both piles and all hands full. */
#define DIVERCITY_DISCARD (2 * DIVERCITY_SPECIES_CARDS + DIVERCITY_HANDS * DIVERCITY_HAND)
#define DIVERCITY_CORPS   (2 * DIVERCITY_CORPORATIONS + DIVERCITY_INDUSTRY)

enum divercity_phase {
    DIVERCITY_SETUP, /* diver cards are taken */
    DIVERCITY_RIG,
    DIVERCITY_INDUSTRY_PLAY,
    DIVERCITY_ACTION,
    DIVERCITY_CAPTAIN, /* the one who was ordered to play has the word */
    DIVERCITY_VISIONARY,
    DIVERCITY_AFTER,
    DIVERCITY_OVER
};

enum divercity_option {
    DIVERCITY_OPT_DIVERS,
    DIVERCITY_OPT_LEVEL,
    DIVERCITY_OPT_DIVER_CARDS,
    DIVERCITY_OPT_BEGINNERS,
    DIVERCITY_OPT_SIMPLE,
    DIVERCITY_OPT_FACE_UP,
    DIVERCITY_OPT_INDUSTRIALIST,
    DIVERCITY_OPT_REALISTIC,
    DIVERCITY_OPT_ANY_TURN,
    DIVERCITY_OPT_EMPTY_DECK,
    DIVERCITY_OPT_FIRST,
    DIVERCITY_N_OPTIONS
};

enum divercity_sharing { /* of diver cards, the option's words */
                         DIVERCITY_BY_CHANCE,
                         DIVERCITY_CHOOSE,
                         DIVERCITY_FULL_TEAM,
                         DIVERCITY_NO_DIVERS
};

enum divercity_rule {                          /* bits of pub.variants */
                      DIVERCITY_BEGINNERS = 1, /* rules 1: SIMPLE and FACE_UP in one */
                      DIVERCITY_REALISTIC = 2,
                      DIVERCITY_ANY_TURN = 4,
                      DIVERCITY_EMPTY_LOSES = 8,
                      DIVERCITY_SOLO = 16,
                      DIVERCITY_SIMPLE = 32,
                      DIVERCITY_FACE_UP = 64
};

enum divercity_zone {
    DIVERCITY_EXTINCT,
    DIVERCITY_RED,
    DIVERCITY_BLUE,
    DIVERCITY_GREEN,
    DIVERCITY_SAVED,
    DIVERCITY_ZONES
};

enum divercity_diver {
    DIVERCITY_ENDURANCE,
    DIVERCITY_DIVING,
    DIVERCITY_CAPTAIN_CARD,
    DIVERCITY_ENVIRONMENTALIST,
    DIVERCITY_VISIONARY_CARD,
    DIVERCITY_EXPLORER,
    DIVERCITY_SWIMMER,
    DIVERCITY_COMMUNICATIONS,
    DIVERCITY_DIVERS
};

enum divercity_reason {
    DIVERCITY_BY_SAVED,
    DIVERCITY_BY_EXTINCT,
    DIVERCITY_BY_HOTELS,
    DIVERCITY_BY_STUCK,
    DIVERCITY_BY_EMPTY_DECK,
    DIVERCITY_UNDECIDED
};

/* A corporation card is a byte: its upper effect | its lower one << 4; a single one is upper. */
enum divercity_effect { DIVERCITY_NO_EFFECT, DIVERCITY_OIL_RIG, DIVERCITY_BOAT, DIVERCITY_PAIR_0 };

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

struct divercity_pub {
    struct fm_pub head;
    /*
     * Anybody can count cards: which corporation cards are still face down, as bits into
     * corps_in_box. Of the last shuffle are the fresh ones; the industrialist may hold older
     * ones. Without an industrialist they are not counted down: the discard says it all.
     */
    uint32_t fresh, old;
    uint16_t sign[DIVERCITY_HANDS][DIVERCITY_HAND]; /* realistic: last signs; 0: none */
    uint16_t zone[DIVERCITY_ZONES];                 /* species bits */
    uint16_t round;
    /* the table */
    uint8_t variants; /* bits of enum divercity_rule */
    uint8_t sharing;
    uint8_t to_save, to_lose;
    uint8_t n_hands;
    uint8_t industrialist; /* seat or NONE */
    /* the turn */
    uint8_t active; /* hand */
    uint8_t acted;  /* its action is done */
    uint8_t asked;  /* hand that the phase waits for, in any phase but setup and industry */
    uint8_t open;   /* corporation card face up; 0: none */
    uint8_t due;    /* effects of it that are still to come, as a card */
    uint8_t reason; /* once over */
    /* the sea */
    uint8_t saved, extinct; /* how many */
    uint8_t hotels;         /* built: colour bits */
    /* diver cards */
    uint8_t owner[DIVERCITY_DIVERS]; /* hand or NONE */
    uint8_t unused[DIVERCITY_HANDS]; /* each hand's cards that were not used yet: bits */
    uint8_t passed;                  /* setup: hands that take no more */
    uint8_t looked;                  /* the visionary knows: so many deck cards; or industry bits */
    /* hands, without the cards */
    uint8_t hand_n[DIVERCITY_HANDS];
    uint8_t told[DIVERCITY_HANDS];                  /* cards its owner knows: bits */
    uint8_t claim[DIVERCITY_HANDS][DIVERCITY_HAND]; /* species or NONE */
    uint8_t shown[DIVERCITY_HANDS][DIVERCITY_HAND]; /* the cards, once over */
    uint8_t industry_n;
    uint8_t industry_old; /* places that hold old cards: bits */
    uint8_t industry_gap; /* place that the next card drawn by the industrialist goes to */
    /* piles */
    uint8_t deck_n;
    uint8_t discard_n;
    uint8_t corp_deck_n;
    uint8_t corp_discard_n;
    uint8_t discard[DIVERCITY_DISCARD]; /* oldest first */
    uint8_t corp_discard[DIVERCITY_CORPS];
    uint8_t species_in_box[DIVERCITY_SPECIES]; /* how many cards of each */
    uint8_t corps_in_box[DIVERCITY_CORPORATIONS];
    /* from rules 2 */
    uint8_t next[DIVERCITY_LOOK]; /* corporation cards that were shown, top first; 0: unknown */
    /* The boat pile by species: nobody sees its order, so each card is drawn when it is turned. */
    uint8_t boat_n;
    uint8_t boat[DIVERCITY_SPECIES];
    uint8_t showed;                   /* the visionary has shown what it looked at */
    uint8_t filed;                    /* a corporation card was discarded: C9 of rules 2 holds */
    uint8_t face_up[DIVERCITY_HANDS]; /* cards that lie face up before their owner: bits */
    uint8_t zero[4];
};

struct divercity_priv {
    struct fm_priv head;
    uint8_t hand[DIVERCITY_HANDS][DIVERCITY_HAND]; /* species, NONE where this seat sees none */
    uint8_t corp[DIVERCITY_LOOK]; /* the own hand; or, for the visionary, what it knows: deck cards
                                     from the top, or the industrialist's by place; 0: unknown */
    uint8_t zero[4];
};

#pragma GCC diagnostic pop

/* ---- actions -------------------------------------------------------------------------------- */

enum divercity_verb {
    DIVERCITY_DO_TAKE = 1, /* a: diver */
    DIVERCITY_DO_PASS,
    DIVERCITY_DO_RIG,      /* a: card */
    DIVERCITY_DO_INDUSTRY, /* a: card */
    DIVERCITY_DO_PLAY,     /* a: card */
    DIVERCITY_DO_WALKIE,   /* target, signs */
    DIVERCITY_DO_CLOSE,    /* a: card, b: hotel */
    DIVERCITY_DO_DIVER,    /* a: diver, b: species, hand, hotel or card, as it needs */
    DIVERCITY_DO_REORDER,  /* list of old places, new top first */
    DIVERCITY_DO_STRIKE,   /* list of places */
    DIVERCITY_DO_END,
    DIVERCITY_DO_CLAIM,          /* a: card, b: species or NONE, c: hand or NONE for the own */
    DIVERCITY_DO_SHOW,           /* from rules 2 */
    DIVERCITY_DO_COMMUNICATIONS, /* the diver card; target, signs: there is no room in DO_DIVER */
    DIVERCITY_VERBS
};

static inline fm_action divercity_action(enum divercity_verb verb, unsigned a, unsigned b)
{
    return (fm_action)verb | (fm_action)a << 8 | (fm_action)b << 16;
}

static inline unsigned divercity_a(fm_action action)
{
    return (unsigned)(action >> 8 & 0xff);
}

static inline unsigned divercity_b(fm_action action)
{
    return (unsigned)(action >> 16 & 0xff);
}

static inline unsigned divercity_c(fm_action action)
{
    return (unsigned)(action >> 24 & 0xff);
}

static inline fm_action divercity_claim(unsigned card, unsigned species, unsigned hand)
{
    return divercity_action(DIVERCITY_DO_CLAIM, card, species) | (fm_action)hand << 24;
}

/*
 * Walkie-talkie: three bits of target, then 13 bits for each card. The one to three signs of a
 * card are a number: 1 .. 16 for one, then the pairs, then the triples; 0: no signs.
 */
#define DIVERCITY_SIGN_BITS 13
#define DIVERCITY_SIGN_MAX  (16 + 16 * 16 + 16 * 16 * 16)

static inline fm_action divercity_talk(enum divercity_verb verb, unsigned target, uint64_t signs)
{
    return (fm_action)verb | (fm_action)target << 8 | signs << 11;
}

static inline unsigned divercity_target(fm_action action)
{
    return (unsigned)(action >> 8 & 7);
}

static inline uint64_t divercity_signs(fm_action action)
{
    return action >> 11;
}

static inline unsigned divercity_sign(uint64_t signs, unsigned card) /* of one card */
{
    return (unsigned)(signs >> card * DIVERCITY_SIGN_BITS) & ((1u << DIVERCITY_SIGN_BITS) - 1);
}

/* Lists: three bits of length, then four bits an element. */
static inline fm_action divercity_list_add(fm_action action, unsigned value)
{
    const unsigned n = (unsigned)(action >> 8 & 7);
    return (action + (1u << 8)) | (fm_action)value << (12 + 4 * n);
}

static inline unsigned divercity_list_n(fm_action action)
{
    return (unsigned)(action >> 8 & 7);
}

static inline unsigned divercity_list(fm_action action, unsigned i)
{
    return (unsigned)(action >> (12 + 4 * i) & 15);
}

/* ---- notes ---------------------------------------------------------------------------------- */

/* The seat of a note is a hand, unless said otherwise. "species…": a byte each, place by place. */
enum divercity_note {
    DIVERCITY_DEALT = 1, /* hidden: species…, open: how many */
    DIVERCITY_TOOK,      /* open: diver */
    DIVERCITY_PASSED,
    DIVERCITY_BEGINS,     /* the first of all */
    DIVERCITY_STARTS,     /* a turn */
    DIVERCITY_RESHUFFLED, /* open: 1 if it was the species discard, for dynamite */
    DIVERCITY_TURNED,     /* open: corporation card; seat: the industrialist's, or the table */
    DIVERCITY_DISCARDED,  /* by the rig; open: species | place << 8 */
    DIVERCITY_DYNAMITED,  /* open: species */
    DIVERCITY_MOVED,      /* open: species | from << 8 | to << 16 */
    DIVERCITY_BUILT,      /* open: hotel */
    DIVERCITY_PLAYED,     /* open: species | place << 8 */
    DIVERCITY_DREW,       /* open: place, hidden: species */
    DIVERCITY_TALKED,     /* open: target | how many << 8; hidden: species…; realistic, open:
                             target | signs << 3 */
    DIVERCITY_CLOSED,     /* open: species | place << 8 | hotel << 16 */
    DIVERCITY_USED,       /* open: diver */
    DIVERCITY_UNBUILT,    /* open: hotel */
    DIVERCITY_ORDERED,    /* open: target */
    DIVERCITY_LOOKED,     /* open: how many, hidden: cards… */
    DIVERCITY_REORDERED,  /* open: how many, hidden: cards…, new top first */
    DIVERCITY_STRUCK,     /* open: corporation card | place << 8 */
    DIVERCITY_SAW,        /* open: how many, hidden: species… */
    DIVERCITY_CLAIMED,    /* open: species | place << 8 */
    DIVERCITY_FILLED,     /* seat: the industrialist's; open: place, hidden: corporation card */
    DIVERCITY_SHOWN,      /* at the end; open: species… | how many << 32 */
    DIVERCITY_WON,        /* open: reason */
    DIVERCITY_SHOWED,     /* open: corporation cards… | how many << 32 */
    DIVERCITY_NOTES
};

/* ---- what follows from the public block ----------------------------------------------------- */

static inline bool divercity_rule(const struct divercity_pub *pub, enum divercity_rule rule)
{
    return pub->variants & rule;
}

/* The seat that plays a hand. */
static inline unsigned divercity_seat_of(const struct divercity_pub *pub, unsigned hand)
{
    return divercity_rule(pub, DIVERCITY_SOLO) ? 0 : hand;
}

static inline bool divercity_plays(const struct divercity_pub *pub, unsigned seat, unsigned hand)
{
    return hand < pub->n_hands && divercity_seat_of(pub, hand) == seat;
}

/* The other hands that hold cards: bits. */
static inline unsigned divercity_others(const struct divercity_pub *pub, unsigned hand)
{
    unsigned others = 0;
    for (unsigned i = 0; i < pub->n_hands; i++)
        others |= (unsigned)(pub->hand_n[i] > 0) << i;
    return others & ~(1u << hand);
}

/* Does this seat see this card? (C3, C31, C43) */
static inline bool divercity_sees(const struct divercity_pub *pub, unsigned seat, unsigned hand,
                                  unsigned place)
{
    if (pub->told[hand] >> place & 1)
        return true;
    return !divercity_rule(pub, DIVERCITY_SOLO) && seat != hand;
}

static inline unsigned divercity_effect(unsigned card, unsigned step)
{
    return card >> 4 * step & 15;
}

/* The effects of a card that count, as a card: simple corporations skip the upper of two (C28). */
static inline unsigned divercity_counting(const struct divercity_pub *pub, unsigned card)
{
    const bool simple = pub->variants & (DIVERCITY_BEGINNERS | DIVERCITY_SIMPLE);
    return simple && card >> 4 != 0 ? card >> 4 : card;
}

/* May the visionary show what it looked at? Once, and not where signs are the only language. */
static inline bool divercity_may_show(const struct divercity_pub *pub)
{
    return pub->head.rules >= 2 && pub->head.phase == DIVERCITY_VISIONARY &&
           pub->industrialist == DIVERCITY_NONE && !pub->showed &&
           !divercity_rule(pub, DIVERCITY_REALISTIC);
}

static inline enum divercity_zone divercity_zone_of(const struct divercity_pub *pub,
                                                    unsigned species)
{
    unsigned zone = 0; /* without branches: chance decides where a species stands */
    for (unsigned i = 1; i < DIVERCITY_ZONES; i++)
        zone += i * (pub->zone[i] >> species & 1u);
    return (enum divercity_zone)zone;
}

uint8_t divercity_pair(unsigned effect); /* colour bits of a hotels effect */

/*
 * The corporation cards that lie face down, in the deck and in the industrialist's hand, in the
 * order of the box: whoever counts knows them. Returns how many.
 */
unsigned divercity_unseen_corps(const struct divercity_pub *pub,
                                uint8_t cards[DIVERCITY_CORPORATIONS]);

/* Diver cards of this hand that could be used, if it were their time: bits (C37). */
unsigned divercity_usable(const struct divercity_pub *pub, unsigned hand);

/* Words of the wire, NULL-terminated. */
extern const char *const divercity_species_names[DIVERCITY_SPECIES + 1];
extern const char *const divercity_colour_names[DIVERCITY_HOTELS + 1];
extern const char *const divercity_zone_names[DIVERCITY_ZONES + 1];
extern const char *const divercity_diver_names[DIVERCITY_DIVERS + 1];

/* In fixed numbers (divercity_flat.c). */
extern const struct fm_flat divercity_flat;

#endif
