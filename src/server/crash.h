/*
 * crash.h: what the log says when the program ends by its own mistake: at which table and event,
 * and a backtrace. Nothing else of the table: no cards, names or tokens.
 */
#ifndef SERVER_CRASH_H
#define SERVER_CRASH_H

#include "store/store.h"

/* From now on; call it once, before there are threads. */
void srv_crash_watch(void);
/* This thread works on that event of that table, until it says otherwise; NULL: on none, 0: on all
 * of them. */
void srv_crash_at(const struct st_id *table, uint64_t event);

#endif
