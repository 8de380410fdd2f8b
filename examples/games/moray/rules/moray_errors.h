/* moray_errors.h: what Moray refuses: name, code on the wire, English sentence. Made public as part
 * of fathom/error.h. */
#ifndef MORAY_ERRORS_H
#define MORAY_ERRORS_H

#define FM_MORAY_ERRORS(X)                                                                         \
    X(E_NO_FISH, "no-such-fish", "this seat has no card with this number")                         \
    X(E_NO_HOLE, "no-such-hole", "there is no hole with this number")

#endif
