/*
 * oceans.h: the pictures of Dive's tables: made by worker threads, answered by the loop.
 *
 * All of it is called by the loop. A picture that is not there yet is answered when a worker has
 * made it.
 */
#ifndef SERVER_OCEANS_H
#define SERVER_OCEANS_H

#include "server/hall.h"

struct srv_oceans;
struct srv_ocean; /* of one table */

struct srv_oceans *srv_oceans_create(const struct srv_net *net, struct fm_fault *fault);
void srv_oceans_destroy(struct srv_oceans *all); /* takes NULL */

/* What the table looks like now: after its start, its loading, and every change. *ocean is NULL
 * for a table that has none yet, and stays so for other games. */
void srv_ocean_update(struct srv_oceans *all, struct srv_ocean **ocean, const struct srv_table *t);
void srv_ocean_forget(struct srv_oceans *all, struct srv_ocean **ocean); /* calls are refused */

/* "ROUND/TX,TY[/LAMP].jpg" or "ROUND/sheet/LEVEL.jpg": answers now or later, or fills the fault. */
enum fm_err srv_ocean_ask(struct srv_oceans *all, struct srv_ocean *ocean,
                          const struct srv_table *t, struct srv_call *call, const char *path,
                          uint64_t now_ms, struct fm_fault *fault);
void srv_ocean_hung_up(struct srv_oceans *all, struct srv_call *call);

void srv_oceans_settle(struct srv_oceans *all); /* what workers have made */

struct srv_oceans_stats {
    uint64_t asked, found;             /* pictures; found: without making them */
    struct srv_histogram baked, drawn; /* layers of a round; pictures */
};
struct srv_oceans_stats srv_oceans_stats(struct srv_oceans *all);
void srv_oceans_tick(struct srv_oceans *all, uint64_t now_ms);

#endif
