/* soumsoum_errors.h: what Soum Soum refuses: name, code on the wire, English sentence. Made public
 * as part of fathom/error.h. */
#ifndef SOUMSOUM_ERRORS_H
#define SOUMSOUM_ERRORS_H

#define FM_SOUMSOUM_ERRORS(X)                                                                      \
    X(E_NO_PLACE, "no-such-place", "there is no such place on the board")                          \
    X(E_OCCUPIED, "place-taken", "there is a card on this place already")                          \
    X(E_SUBMARINE, "submarine", "the submarine stands here for the whole game")                    \
    X(E_BARE, "no-card-there", "a diver needs an ocean card to dive at, this place is empty")      \
    X(E_DIVER_THERE, "diver-there", "there is a diver on this card already")                       \
    X(E_NO_DIVERS, "no-divers-left", "all {divers} divers of this seat are placed")

#endif
