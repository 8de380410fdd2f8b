/*
 * crash.h: a report on stderr when the program crashes: which table and event, and a backtrace.
 * Nothing else about the table: no cards, names or tokens.
 */
#ifndef SERVER_CRASH_H
#define SERVER_CRASH_H

#include "store/store.h"

/* Installs the handlers; call it once, before there are threads. */
void srv_crash_watch(void);
/* From now on this thread works on this event of this table; event 0: on all of them; table NULL:
 * on none. */
void srv_crash_at(const struct st_id *table, uint64_t event);

#endif
