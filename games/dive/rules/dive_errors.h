/* dive_errors.h: what Dive refuses: name, code on the wire, English sentence. Made public as
 * part of fathom/error.h. */
#ifndef DIVE_ERRORS_H
#define DIVE_ERRORS_H

#define FM_DIVE_ERRORS(X)                                                                          \
    X(E_TOKEN_TWICE, "token-twice", "an air token lies on one level only")                         \
    X(E_LEVEL, "no-such-level",                                                                    \
      "there are {levels} levels; one more is the anglerfish's, under its key")                    \
    X(E_GAP, "gap", "a program goes down from level 1 without a gap")                              \
    X(E_NO_TOKEN, "no-token", "at least one air token must be programmed")                         \
    X(E_FIVE_LEVELS, "five-levels",                                                                \
      "in the children's version all {levels} levels are programmed")                              \
    X(E_FACES_ONLY, "faces-only", "in the children's version a level has a face and no tokens")    \
    X(E_TOKENS_MISSING, "tokens-missing", "only the children's version has levels without tokens") \
    X(E_READY, "ready-already", "this seat is ready: it says unready before it changes anything")  \
    X(E_NOT_READY, "not-ready", "this seat is not ready")                                          \
    X(E_LATE, "too-late", "the clock had stopped programming by then")                             \
    X(E_NO_FUGU, "no-fugu", "nobody is holding their breath: no fugu was announced in this round") \
    X(E_NO_ORCA, "no-orca", "no orca was announced in this round")                                 \
    X(E_NOT_IN_PLAY, "not-in-play", "this companion is not in play at this table")                 \
    X(E_TAKEN, "companion-taken", "another diver has this companion already")                      \
    X(E_CHOSEN, "chosen-already", "this seat has chosen; its choice stands until all have")        \
    X(E_NOT_YOURS, "not-your-companion", "this seat does not have this companion")                 \
    X(E_USED, "companion-used", "this companion was used; each helps once in a game")              \
    X(E_WITH_PROGRAM, "with-program", "this companion is laid with the program, in secret")        \
    X(E_AFTER_REST, "after-rest", "the axolotl is used after Rest, when its owner is asked")       \
    X(E_TARGET, "no-such-target", "there is no such diver to send the dolphins to")                \
    X(E_SELF, "not-oneself", "the dolphins go to another diver, not to their owner")               \
    X(E_CLOWNFISH, "clownfish-alone", "the clownfish needs a token on its level")                  \
    X(E_ANGLERFISH, "anglerfish-alone",                                                            \
      "the anglerfish needs all {levels} levels programmed above it")                              \
    X(E_ALONE, "alone-needs-chief", "one diver alone needs the village chief to dive against")     \
    X(E_CHILDREN_COMPANIONS, "children-companions",                                                \
      "the children's version is without companions, for it has neither speed nor helpers")        \
    X(E_CHILDREN_CHIEF, "children-chief",                                                          \
      "the children's version is without the village chief, whose cards are all speed")

#endif
