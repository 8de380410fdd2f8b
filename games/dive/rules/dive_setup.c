/* dive_setup.c: a table of Dive set up: options, stack, chief cards, and who gets which companion.
 */
#include "dive/rules/dive_state.h"

#include "base/bits.h"

#include <string.h>

#define ALL_COMPANIONS ((1u << DIVE_COMPANIONS) - 1)
#define SEVEN          ((1u << DIVE_AXOLOTL_TILE) - 1)
#define NOT_WITH_CHIEF (1u << DIVE_DOLPHINS | 1u << DIVE_GREAT_WHITE) /* D43 */
uint16_t dive_companions_in_play(int set, bool chief)
{
    static const uint16_t sets[] = {0, SEVEN, ALL_COMPANIONS};
    return chief ? sets[set] & (uint16_t)~NOT_WITH_CHIEF : sets[set];
}

uint32_t dive_available(const struct dive_pub *pub)
{
    uint32_t left = pub->in_play;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        if (pub->companion[seat] != DIVE_NONE)
            left &= ~(1u << pub->companion[seat]);
    return left;
}

/* ---- setting up (D1 to D3, D23, D24) -------------------------------------------------------- */

enum fm_err dive_settle(struct fm_setup *setup, struct fm_fault *fault)
{
    const int16_t *option = setup->option;
    const int divers = option[DIVE_OPT_DIVERS];
    if (divers == 1 && !option[DIVE_OPT_CHIEF])
        return fm_fail_values(fault, FM_E_ALONE, "options.divers", NULL);
    if (option[DIVE_OPT_CHILDREN] && option[DIVE_OPT_COMPANIONS])
        return fm_fail_values(fault, FM_E_CHILDREN_COMPANIONS, "options.companions", NULL);
    if (option[DIVE_OPT_CHILDREN] && option[DIVE_OPT_CHIEF])
        return fm_fail_values(fault, FM_E_CHILDREN_CHIEF, "options.chief", NULL);
    setup->n_seats = (uint8_t)divers;
    if (option[DIVE_OPT_AGES] == FM_NOT_GIVEN) {
        uint8_t seats[DIVE_SEATS];
        for (int i = 0; i < divers; i++)
            seats[i] = (uint8_t)(divers - 1 - i);
        setup->option[DIVE_OPT_AGES] = fm_seats_pack(seats, (size_t)divers);
    }
    return FM_OK;
}

static void clear(struct dive_state *s, const struct fm_setup *setup)
{
    struct dive_pub *pub = &s->pub;
    const int16_t *option = setup->option;
    const struct dive_deck *deck = (const void *)setup->deck.cards;
    uint8_t ages[FM_MAX_SEATS] = {0};
    (void)fm_seats_unpack(option[DIVE_OPT_AGES], ages);
    memcpy(pub->age, ages, sizeof pub->age);
    memcpy(pub->left, deck->sheets, sizeof pub->left);
    memcpy(pub->chief_left, deck->chief, sizeof pub->chief_left);
    memset(pub->companion, DIVE_NONE, sizeof pub->companion);
    memset(pub->effect, DIVE_NONE, sizeof pub->effect);
    memset(s->secret.stack, DIVE_NONE, sizeof s->secret.stack);
    memset(s->secret.chief, DIVE_NONE, sizeof s->secret.chief);
    pub->chief_on = option[DIVE_OPT_CHIEF] != 0;
    pub->children = option[DIVE_OPT_CHILDREN] != 0;
    pub->flashlight = option[DIVE_OPT_FLASHLIGHT] != 0;
    pub->clock = (uint16_t)option[DIVE_OPT_CLOCK];
    pub->in_play = dive_companions_in_play(option[DIVE_OPT_COMPANIONS], pub->chief_on);
    pub->log.chief_card = DIVE_NONE;
    for (unsigned seat = 0; seat < DIVE_SEATS; seat++)
        s->priv[seat].choice = DIVE_NONE;
}

/* D3: each sheet one of eight ways round; a word of chance serves ten. */
static void turn_sheets(struct dive_secret *secret, unsigned n)
{
    uint32_t chance = 0;
    for (unsigned i = 0; i < n; i++) {
        if (i % 10 == 0)
            chance = fm_rng_u32(&secret->head.rng);
        secret->stack[i] |= (uint8_t)((chance & 7) << 3);
        chance >>= 3;
    }
}

static void stack_up(struct dive_state *s, const struct dive_position *given)
{
    uint8_t *stack = s->secret.stack;
    unsigned n = 0;
    if (given->has_stack) {
        for (; n < given->stack_n; n++)
            stack[given->stack_n - 1 - n] = given->stack[n];
    } else {
        for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
            for (unsigned i = 0; i < s->pub.left[kind]; i++)
                stack[n++] = (uint8_t)kind;
        fm_shuffle(&s->secret.head.rng, stack, n);
    }
    turn_sheets(&s->secret, n);
    s->pub.stack_n = (uint8_t)n;
}

static void shuffle_chief(struct dive_state *s, const struct dive_position *given)
{
    uint8_t *pile = s->secret.chief;
    unsigned n = 0;
    if (given->has_chief_cards) {
        for (; n < given->chief_n; n++)
            pile[given->chief_n - 1 - n] = given->chief[n];
    } else {
        for (unsigned card = 0; card < DIVE_CHIEF_CARDS; card++)
            for (unsigned i = 0; i < s->pub.chief_left[card]; i++)
                pile[n++] = (uint8_t)card;
        fm_shuffle(&s->secret.head.rng, pile, n);
    }
    s->pub.chief_n = (uint8_t)n;
}

enum fm_err dive_init(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    static const struct dive_position nothing_given;
    struct dive_state *s = state;
    struct dive_pub *pub = &s->pub;
    const struct dive_position *given =
        setup->has_position ? (const void *)setup->position : &nothing_given;
    clear(s, setup);
    stack_up(s, given);
    if (pub->chief_on)
        shuffle_chief(s, given);
    memcpy(pub->pawn, given->pawn, sizeof pub->pawn);
    if (given->has_companions)
        memcpy(pub->companion, given->companion, sizeof pub->companion);
    if (dive_over(pub))
        return FM_E_SETUP;
    if (pub->in_play && !given->has_companions) {
        pub->head.phase = DIVE_SETUP;
        pub->head.may = pub->head.owes = dive_everybody(pub);
    } else {
        dive_begin_round(pub, 0, 0, notes);
    }
    return FM_OK;
}

/* ---- choosing companions (D24, D47) --------------------------------------------------------- */

/* Every seat without a companion has chosen: the youngest first, the others choose again. */
static void resolve_choices(struct dive_state *s, struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    uint32_t taken = 0;
    for (unsigned i = 0; i < pub->head.n_seats; i++) {
        const unsigned seat = pub->age[i];
        const uint8_t choice = s->priv[seat].choice;
        if (choice == DIVE_NONE)
            continue;
        s->priv[seat].choice = DIVE_NONE;
        if (taken >> choice & 1) {
            fm_tell(notes, DIVE_CHOOSE_AGAIN, seat, choice);
            continue;
        }
        taken |= 1u << choice;
        pub->companion[seat] = choice;
        fm_tell(notes, DIVE_GOT, seat, choice);
    }
}

static uint8_t without_companion(const struct dive_pub *pub)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        seats |= (unsigned)(pub->companion[seat] == DIVE_NONE) << seat;
    return (uint8_t)seats;
}

static bool all_chosen(const struct dive_state *s)
{
    for (unsigned m = s->pub.head.may; m != 0; m &= m - 1)
        if (s->priv[fm__lowest(m)].choice == DIVE_NONE)
            return false;
    return true;
}

enum fm_err dive_choose(struct dive_state *s, const struct fm_event *ev, struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    const uint64_t companion = dive_action_rest(ev->action);
    if (pub->head.phase != DIVE_SETUP)
        return FM_E_PHASE;
    if (companion >= DIVE_COMPANIONS)
        return FM_E_ACTION;
    if (!(pub->in_play >> companion & 1))
        return FM_E_NOT_IN_PLAY;
    if (!(dive_available(pub) >> companion & 1))
        return FM_E_TAKEN;
    if (s->priv[ev->seat].choice != DIVE_NONE)
        return FM_E_CHOSEN;
    s->priv[ev->seat].choice = (uint8_t)companion;
    dive_whisper(notes, DIVE_CHOSE, ev->seat, companion);
    if (!all_chosen(s))
        return FM_OK;
    resolve_choices(s, notes);
    pub->head.may = pub->head.owes = without_companion(pub);
    pub->head.seq++; /* choosing is hidden, its outcome is not */
    pub->head.now_ms = ev->t_ms;
    if (pub->head.owes == 0)
        dive_begin_round(pub, ev->t_ms, 0, notes);
    return FM_OK;
}
