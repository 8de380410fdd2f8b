/* divercity_errors.h: what DiverCity refuses: name, code on the wire, English sentence. Made public
 * as part of fathom/error.h. */
#ifndef DIVERCITY_ERRORS_H
#define DIVERCITY_ERRORS_H

#define FM_DIVERCITY_ERRORS(X)                                                                     \
    X(E_NO_DIVER, "no-such-diver", "there is no such diver at this table")                         \
    X(E_OWN_HAND, "own-hand", "this goes to another diver, not to oneself")                        \
    X(E_EMPTY_HAND, "empty-hand", "that diver has no cards")                                       \
    X(E_SIGNS, "bad-signs",                                                                        \
      "1 to {signs_a_card} signs are made for each card of that hand, no more, no fewer")          \
    X(E_NO_SIGNS, "no-signs", "signs are made in the realistic variant only")                      \
    X(E_NOT_BUILT, "not-built", "no hotel stands there, it is an island")                          \
    X(E_DIVER_TAKEN, "diver-taken", "this diver card was taken already")                           \
    X(E_MUST_TAKE, "must-take", "every diver takes exactly one diver card, nobody passes")         \
    X(E_NOT_OWNED, "not-your-diver-card",                                                          \
      "this diver card lies in front of somebody else, or of nobody")                              \
    X(E_DIVER_USED, "diver-used", "this diver card was used already")                              \
    X(E_WRONG_ZONE, "wrong-zone", "this diver card lifts no token out of that zone")               \
    X(E_NO_USE, "no-use", "there is nothing to use this diver card on now")                        \
    X(E_ORDER, "not-a-permutation", "the new order names each old place exactly once")             \
    X(E_STRIKE, "not-two-cards",                                                                   \
      "{strikes} different cards are struck, or all if there are fewer")                           \
    X(E_NOT_OWN_CARD, "not-your-card", "a claim is about one's own cards")                         \
    X(E_BEGINNERS, "beginners-diver-cards", "beginners play without diver cards")                  \
    X(E_FREEDIVING, "freediving-beginners",                                                        \
      "freediving is a level of the beginners' variant only")                                      \
    X(E_ONLY_SIGNS, "only-signs", "in the realistic variant signs are the only language")          \
    X(E_NO_PARTNER, "no-partner", "a single diver has nobody to make signs to")                    \
    X(E_INDUSTRIALIST, "industrialist-first",                                                      \
      "seat {seat} is the industrialist, and only a diver can begin")

#endif
