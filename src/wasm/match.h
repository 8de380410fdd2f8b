/* match.h: the one match of this engine, for other files that answer questions about it. */
#ifndef WASM_MATCH_H
#define WASM_MATCH_H

#include "core/told.h"

/* The match from its start up to now. */
struct fm__told match_so_far(void);

#endif
