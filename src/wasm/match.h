/* match.h: the one match of this engine, for what is asked about it elsewhere. */
#ifndef WASM_MATCH_H
#define WASM_MATCH_H

#include "core/told.h"

/* From its start on. */
struct fm__told match_so_far(void);

#endif
