/*
 * analysis.h: all decisions of a finished game: what each cost its seat, and what others and chance
 * did.
 *
 * For every seat: its result − the value of its first decision = the sum of luck − the sum of lost.
 * All of these are whole millionths, so that the sum holds exactly.
 */
#ifndef ANALYSIS_H
#define ANALYSIS_H

#include "analysis/decision.h"

#define ANALYSIS_DECISION 32768 /* bytes of a decision as JSON, or as text, at most */
#define ANALYSIS_HEAD     8192  /* bytes of all that comes before the decisions, at most */

enum analysis_mark { ANALYSIS_NONE, ANALYSIS_SLIP, ANALYSIS_MISTAKE, ANALYSIS_BLUNDER };
#define ANALYSIS_MARKS 4

struct analysis_seat {
    int64_t result; /* what the end was worth to it */
    unsigned decisions;
    unsigned marks[ANALYSIS_MARKS];
    int64_t lost, luck;
    bool sharp;       /* sharp eyes looked at its decisions ... */
    int64_t eyes;     /* ... and how much more they expect to gain, in millionths */
    int64_t accuracy; /* 0 .. STUDY_ONE; -1: no decision had a chance left */
};

struct analysis {
    const struct fm_setup *setup;
    enum study_budget budget;
    int seat;                 /* only this one; -1: all */
    const char *const *names; /* of the seats */
    struct decision *decision;
    size_t n;
    struct analysis_seat seats[FM_MAX_SEATS];
};

extern const char *const fm__budget_names[STUDY_BUDGETS + 1];
extern const char *const fm__mark_names[ANALYSIS_MARKS];

/* Plays the events and notes down the decisions; returns how many there are. cap: how many there is
 * room for; with 0 none is noted down, and those that are taken back later are counted, too. match:
 * room for a state; afterwards it holds the end of the game. */
size_t fm__analysis_find(struct analysis *a, void *match, const struct fm_event *event,
                         size_t n_events, size_t cap);
/* Once every decision has been weighed: finds luck and totals. false: the sums do not add up. */
bool fm__analysis_settle(struct analysis *a, const void *match);
enum analysis_mark fm__decision_mark(const struct decision *d);

/* "candidates":[…], the best first. */
void fm__put_candidates(struct fm_out *o, const struct decision *d);
void fm__put_analysis(struct fm_out *o, const struct analysis *a);      /* JSON */
void fm__put_analysis_text(struct fm_out *o, const struct analysis *a); /* for people */

#endif
