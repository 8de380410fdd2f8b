/*
 * fathom/error.h: every way to refuse, with its code on the wire and its English sentence.
 *
 * Bytes from outside (sockets, files, flags) end in an fm_err, never in an assertion.
 * Where more can be said than the sentence of the code, an fm_fault carries it.
 */
#ifndef FATHOM_ERROR_H
#define FATHOM_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

#define FM_ERR_MAP(X)                                                                              \
    X(OK, "ok", "fine")                                                                            \
    /* files and tables */                                                                         \
    X(E_JSON, "bad-json", "this is not the JSON that is expected here")                            \
    X(E_KEY, "bad-key", "a key is unknown, missing or given twice")                                \
    X(E_VALUE, "bad-value", "a value has the wrong type or is out of range")                       \
    X(E_SIZE, "too-big", "this is larger than anything that is accepted here")                     \
    X(E_GAME, "no-such-game", "no game has this name")                                             \
    X(E_OPTIONS, "bad-options", "these options do not go together")                                \
    X(E_DECK, "bad-deck", "this deck cannot be played with")                                       \
    X(E_SETUP, "bad-setup", "this position cannot be set up")                                      \
    X(E_RECORD, "bad-record", "this record was altered, cut or never complete")                    \
    X(E_DIVERGED, "diverged", "the game does not go on as recorded")                               \
    X(E_RULES, "other-rules", "this program does not know the rules that this is played by")       \
    X(E_FILE, "bad-file", "the file cannot be read or written")                                    \
    X(E_ART, "bad-art", "this drawing cannot be used")                                             \
    X(E_MEMORY, "no-memory", "there is not enough memory for this")                                \
    X(E_BUSY, "busy", "too much is asked for at once")                                             \
    X(E_GONE, "gone", "this round is over, its pictures are gone")                                 \
    X(E_NO_TABLE, "no-such-table", "there is no such table")                                       \
    X(E_CLOSED, "closed", "this game was closed: nobody had played on for a long time")            \
    X(E_QUOTA, "quota", "as much has been written here as may be")                                 \
    X(E_TAKEN_SEAT, "seat-taken", "this seat is taken")                                            \
    X(E_NO_TOKEN_GIVEN, "no-such-token", "this needs a token, and a right one")                    \
    X(E_FORBIDDEN, "forbidden", "not with this token")                                             \
    X(E_NO_PATH, "no-such-path", "there is nothing here")                                          \
    X(E_CONFLICT, "conflict", "something else has happened at this table meanwhile")               \
    X(E_STORE, "not-stored", "this could not be stored, and nothing has changed")                  \
    /* any game */                                                                                 \
    X(E_ACTION, "bad-action", "this is not an action of the game")                                 \
    X(E_SEAT, "no-such-seat", "there is no such seat at this table")                               \
    X(E_TURN, "not-your-turn", "this seat is not asked anything now")                              \
    X(E_PHASE, "wrong-phase", "this cannot be done in the present phase")                          \
    X(E_TIME, "wrong-time", "an event lies before the last one or before its deadline")            \
    X(E_OVER, "over", "the game is over")                                                          \
    X(E_STUCK, "stuck", "the game waits for a seat that does nothing")                             \
    X(E_OFTEN, "too-often", "this seat has done this too often by now; what it did last stands")   \
    /* Soum Soum */                                                                                \
    X(E_NO_CARD, "no-such-card", "there is no card with this number")                              \
    X(E_NO_PLACE, "no-such-place", "there is no such place on the board")                          \
    X(E_OCCUPIED, "place-taken", "there is a card on this place already")                          \
    X(E_SUBMARINE, "submarine", "the submarine stands here for the whole game")                    \
    X(E_BARE, "no-card-there", "a diver needs an ocean card to dive at, this place is empty")      \
    X(E_DIVER_THERE, "diver-there", "there is a diver on this card already")                       \
    X(E_NO_DIVERS, "no-divers-left", "all five divers of this seat are placed")                    \
    /* Dive */                                                                                     \
    X(E_TOKEN_TWICE, "token-twice", "an air token lies on one level only")                         \
    X(E_LEVEL, "no-such-level",                                                                    \
      "there are five levels; a sixth is the anglerfish's, under its key")                         \
    X(E_GAP, "gap", "a program goes down from level 1 without a gap")                              \
    X(E_NO_TOKEN, "no-token", "at least one air token must be programmed")                         \
    X(E_FIVE_LEVELS, "five-levels", "in the children's version all five levels are programmed")    \
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
      "the anglerfish needs all five levels programmed above it")                                  \
    /* DiverCity */                                                                                \
    X(E_NO_DIVER, "no-such-diver", "there is no such diver at this table")                         \
    X(E_OWN_HAND, "own-hand", "this goes to another diver, not to oneself")                        \
    X(E_EMPTY_HAND, "empty-hand", "that diver has no cards")                                       \
    X(E_SIGNS, "bad-signs",                                                                        \
      "one to three signs are made for each card of that hand, no more, no fewer")                 \
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
    X(E_STRIKE, "not-two-cards", "two different cards are struck, or all if there are fewer")      \
    X(E_NOT_OWN_CARD, "not-your-card", "a claim is about one's own cards")

enum fm_err {
#define X(name, code, text) FM_##name,
    FM_ERR_MAP(X)
#undef X
        FM_ERR_COUNT
};

#define FM_FAULT_TEXT 256

struct fm_fault { /* what went wrong, in full */
    enum fm_err code;
    int line;                 /* of the file, from 1; 0: not known */
    int action;               /* of a scenario, from 0; -1: not in an action */
    char text[FM_FAULT_TEXT]; /* a sentence; names the key; may quote input */
};

const char *fm_err_code(enum fm_err err); /* "not-your-turn" */
const char *fm_err_text(enum fm_err err); /* "this seat is not asked anything now" */

/* Fill a fault, printf style, cut at its size; returns the code so that it can be returned on. */
enum fm_err fm_fail(struct fm_fault *fault, enum fm_err code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The sentence of the code itself; clears line and action too. */
enum fm_err fm_fail_plain(struct fm_fault *fault, enum fm_err code);

#ifdef __cplusplus
}
#endif

#endif
