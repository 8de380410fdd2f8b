/* divercity_rules.h: what the rules' files call of each other. */
#ifndef DIVERCITY_RULES_H
#define DIVERCITY_RULES_H

#include "divercity/rules/divercity_state.h"

/* ---- divercity_cards.c: hands, piles, the ladder, and who is told what ---------------------- */

/* Up to eight cards as the bytes of a note, the first lowest. */
uint64_t divercity_bytes(const uint8_t *cards, unsigned n);
/* Seats that may know the cards of a hand, told or not; and those that see a new one. */
static inline unsigned divercity_seats(const struct divercity_pub *pub)
{
    return (1u << pub->head.n_seats) - 1;
}

static inline unsigned divercity_watching(const struct divercity_pub *pub, unsigned hand)
{
    return divercity_rule(pub, DIVERCITY_SOLO) ? 0 : divercity_seats(pub) & ~(1u << hand);
}

/* Private blocks from the cards and the public block: all of them, or one hand's part. */
void divercity_show_all(struct divercity_state *s);
void divercity_show_hand(struct divercity_state *s, unsigned hand);
void divercity_show_corps(struct divercity_state *s);

void divercity_renew_at_once(struct divercity_state *s, struct fm_notes *notes); /* no card open */
uint8_t divercity_draw_corp(struct divercity_state *s, struct fm_notes *notes);  /* 0: none left */
void divercity_fill_industry(struct divercity_state *s, struct fm_notes *notes);
void divercity_take_industry(struct divercity_state *s, unsigned place); /* out of the hand */
/* A face-down card becomes known to all. */
void divercity_count_seen(struct divercity_pub *pub, uint8_t card, bool old);
void divercity_discard_corp(struct divercity_pub *pub, uint8_t card);

void divercity_move(struct divercity_pub *pub, unsigned species, int by, struct fm_notes *notes);
/* An own card, blind, onto the discard; returns its species. Its place waits to be refilled. */
uint8_t divercity_discard(struct divercity_state *s, unsigned hand, unsigned place);
void divercity_draw(struct divercity_state *s, unsigned hand, unsigned place,
                    struct fm_notes *notes);
void divercity_close_up(struct divercity_state *s, unsigned hand, unsigned place);

/* ---- divercity_turn.c: the course of a turn and the end ------------------------------------- */

void divercity_ask(struct divercity_pub *pub, enum divercity_phase phase, unsigned hand);
enum divercity_reason divercity_verdict(const struct divercity_pub *pub); /* C16 - C18 */
bool divercity_ended(struct divercity_state *s, struct fm_notes *notes);  /* after a whole change */
void divercity_begin_turn(struct divercity_state *s, unsigned hand, struct fm_notes *notes);
void divercity_end_turn(struct divercity_state *s, struct fm_notes *notes);
/* After the rig's discard: what is left of the open card. */
void divercity_resume(struct divercity_state *s, struct fm_notes *notes);
/* After an action or a diver card: end, or whatever the turn waits for now. */
void divercity_go_on(struct divercity_state *s, struct fm_notes *notes);
/* Fill a place, unless the game ends before or by that (C38, C40); false: it is over. */
bool divercity_refill(struct divercity_state *s, unsigned hand, unsigned place,
                      struct fm_notes *notes);
/* C10.1: play a card; false: it is over. */
bool divercity_play(struct divercity_state *s, unsigned hand, unsigned place,
                    struct fm_notes *notes);
/* C10.2: may `hand` talk to `target` with these signs? And do it. */
enum fm_err divercity_may_talk(const struct divercity_pub *pub, unsigned hand, unsigned target,
                               uint64_t signs);
void divercity_talk_to(struct divercity_state *s, unsigned hand, unsigned target, uint64_t signs,
                       struct fm_notes *notes);

/* ---- divercity_divers.c: the eight diver cards ---------------------------------------------- */

enum fm_err divercity_use(struct divercity_state *s, unsigned seat, fm_action action,
                          struct fm_notes *notes);
enum fm_err divercity_reorder(struct divercity_state *s, fm_action list, struct fm_notes *notes);
enum fm_err divercity_show_looked(struct divercity_state *s, struct fm_notes *notes);
enum fm_err divercity_strike(struct divercity_state *s, fm_action list, struct fm_notes *notes);
void divercity_own(struct divercity_pub *pub, unsigned hand, unsigned diver,
                   struct fm_notes *notes);
enum fm_err divercity_take(struct divercity_state *s, unsigned seat, unsigned diver,
                           struct fm_notes *notes);
enum fm_err divercity_pass(struct divercity_state *s, unsigned seat, struct fm_notes *notes);
unsigned divercity_taking(const struct divercity_pub *pub, unsigned seat); /* for which hand */
/* Could any seat use a diver card now? */
bool divercity_anyone_usable(const struct divercity_pub *pub);

/* ---- divercity_setup.c: dealing, given positions, other worlds ------------------------------ */

enum fm_err divercity_settle(struct fm_setup *setup, struct fm_fault *fault);
enum fm_err divercity_init(void *state, const struct fm_setup *setup, struct fm_notes *notes);
enum fm_err divercity_deal(void *state, struct fm_view v, struct fm_rng *rng);

#endif
