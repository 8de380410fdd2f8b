/*
 * fathom/error.h: every way to refuse, with its code on the wire and its English sentence.
 *
 * Bytes from outside (sockets, files, flags) end in an fm_err, never in an assertion.
 * Where more can be said than the sentence of the code, an fm_fault carries it.
 *
 * A sentence with {names} has values: they are written as keys beside the code, so that a page can
 * explain the refusal in another language without reading the sentence.
 */
#ifndef FATHOM_ERROR_H
#define FATHOM_ERROR_H

#include <fathom/game_errors.h> /* each game's own, from games/NAME/rules/NAME_errors.h */
#include <fathom/out.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_CORE_ERRORS(X)                                                                          \
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
    X(E_RECORD_VERSION, "record-version",                                                          \
      "there is no version {version} of records here; the newest is {newest}")                     \
    X(E_DIVERGED, "diverged", "the game does not go on as recorded")                               \
    X(E_RULES, "other-rules", "this program does not know the rules that this is played by")       \
    X(E_UNKNOWN_RULES, "unknown-rules",                                                            \
      "there is no version {rules} of these rules; the newest is {newest}")                        \
    X(E_FILE, "bad-file", "the file cannot be read or written")                                    \
    X(E_ART, "bad-art", "this drawing cannot be used")                                             \
    X(E_MEMORY, "no-memory", "there is not enough memory for this")                                \
    X(E_BUSY, "busy", "too much is asked for at once")                                             \
    X(E_GONE, "gone", "this round is over, its pictures are gone")                                 \
    X(E_NO_TABLE, "no-such-table", "there is no such table")                                       \
    X(E_CLOSED, "closed", "this game was closed: nobody had played on for a long time")            \
    X(E_QUOTA, "quota", "as much has been written here as may be")                                 \
    X(E_TAKEN_SEAT, "seat-taken", "this seat is taken")                                            \
    X(E_FULL, "table-full", "all {seats} seats are taken")                                         \
    X(E_FREE_SEAT, "seat-free", "seat {seat} is free: it needs a person or a bot")                 \
    X(E_STARTED, "started", "the game has started")                                                \
    X(E_NOT_STARTED, "not-started", "the game has not started yet")                                \
    X(E_NOT_OVER, "not-over", "the game is not over yet")                                          \
    X(E_EACH_SEAT, "each-seat-once", "each of the {seats} seats is named once")                    \
    X(E_TABLES, "too-many-tables", "{max} tables of this address wait for players already")        \
    X(E_MANY_SEATS, "too-many-seats", "at most {max} can play")                                    \
    X(E_FEW_SEATS, "too-few-seats", "at least {min} must play")                                    \
    X(E_NAME_LONG, "name-too-long", "a name has at most {max} characters")                         \
    X(E_NAME_EMPTY, "name-empty", "there is nothing to read in this name")                         \
    X(E_NOTES_LONG, "notes-too-long", "notes have at most {max} bytes")                            \
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
    X(E_NO_CARD, "no-such-card", "there is no card with this number")                              \
    X(E_TIME, "wrong-time", "an event lies before the last one or before its deadline")            \
    X(E_OVER, "over", "the game is over")                                                          \
    X(E_STUCK, "stuck", "the game waits for a seat that does nothing")                             \
    X(E_OFTEN, "too-often", "this seat has done this too often by now; what it did last stands")   \
    X(E_NOT_NOW, "not-now", "this could give something away now")                                  \
    X(E_NO_REASON, "no-reason", "there is no bot move to explain here")

#define FM_ERR_MAP(X) FM_CORE_ERRORS(X) FM_GAME_ERRORS(X)

enum fm_err {
#define X(name, code, text) FM_##name,
    FM_ERR_MAP(X)
#undef X
        FM_ERR_COUNT
};

#define FM_FAULT_TEXT   256
#define FM_FAULT_VALUES 4

struct fm_value { /* a number with a name; lists end with a NULL name */
    const char *name;
    int value;
};

/* FM_VALUES({"max", 6}): a list on the spot. */
#define FM_VALUES(...) ((const struct fm_value[]){__VA_ARGS__, {NULL, 0}})

struct fm_fault { /* what went wrong, in full */
    enum fm_err code;
    int line;   /* of the file, from 1; 0: not known */
    int action; /* of a scenario, from 0; -1: not in an action */
    int n_values;
    struct fm_value value[FM_FAULT_VALUES]; /* of the sentence's {names} */
    int where;                              /* bytes of the text that name the key, with ": " */
    char text[FM_FAULT_TEXT];               /* a sentence; names the key; may quote input */
};

const char *fm_err_code(enum fm_err err); /* "not-your-turn" */
const char *fm_err_text(enum fm_err err); /* "this seat is not asked anything now" */

/* Fill a fault, printf style, cut at its size; returns the code so that it can be returned on. */
enum fm_err fm_fail(struct fm_fault *fault, enum fm_err code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The sentence of the code itself, which has no {names}; clears line and action too. */
enum fm_err fm_fail_plain(struct fm_fault *fault, enum fm_err code);

/* The sentence of the code with its {names} filled from the list, which must have them all and may
 * have more (NULL: none). The text is "where: sentence"; where NULL or "": the sentence alone. */
enum fm_err fm_fail_values(struct fm_fault *fault, enum fm_err code, const char *where,
                           const struct fm_value *values);

/* The keys of a refusal: "code", its values, "message": the text from its byte `from` on. */
void fm_js_fault(struct fm_out *o, const struct fm_fault *fault, int from);

#ifdef __cplusplus
}
#endif

#endif
