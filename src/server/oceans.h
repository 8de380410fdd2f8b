/*
 * oceans.h: the pictures of Dive's tables: made by worker threads, answered by the loop.
 *
 * All of it is called by the loop. A picture that is not there yet is answered when a worker has
 * made it.
 */
#ifndef SERVER_OCEANS_H
#define SERVER_OCEANS_H

#include "server/hall.h"

#include "ocean/look.h"

struct srv_oceans;
struct srv_ocean;  /* of one table */
struct srv_viewer; /* picture_waits.h: who asks */

#define SRV_PAINTERS 64

/* threads: that make pictures of games in progress, 1 to SRV_PAINTERS. If there are several, one of
 * them never bakes. */
struct srv_oceans *srv_oceans_create(const struct srv_net *net, unsigned threads,
                                     struct fm_fault *fault);
void srv_oceans_destroy(struct srv_oceans *all); /* takes NULL */

/* What the table looks like now: after its start, its loading, and every change. *ocean is NULL
 * for a table that has none yet, and stays so for other games. */
void srv_ocean_update(struct srv_oceans *all, struct srv_ocean **ocean, const struct srv_table *t);
/* Whoever waits for one of its pictures is refused. */
void srv_ocean_forget(struct srv_oceans *all, struct srv_ocean **ocean);

/* "ROUND/TX,TY[/LAMP].jpg" or "ROUND/sheet/LEVEL.jpg": answers now or later, or fills the fault.
 * Of the present round and the last dive's sheets; once the game is over, of all. */
enum fm_err srv_ocean_ask(struct srv_oceans *all, struct srv_ocean *ocean,
                          const struct srv_table *t, const struct srv_viewer *viewer,
                          const char *path, uint64_t now_ms, struct fm_fault *fault);

/* Of stacks that no table plays with; all may be NULL, and so is this then. */
struct srv_glimpses;
struct srv_glimpses *srv_oceans_glimpses(struct srv_oceans *all);
/* "TX,TY.jpg" or "TX,TY/LAMP.jpg" */
enum fm_err srv_read_look(struct oc_look *look, const char *path, struct fm_fault *fault);

/* oceans_past.c */
enum fm_err srv_past_sheet(struct srv_glimpses *all, const struct srv_table *t, unsigned round,
                           const char *level, const struct srv_viewer *viewer, uint64_t now_ms,
                           struct fm_fault *fault);
enum fm_err srv_past_look(struct srv_glimpses *all, const struct srv_table *t, unsigned round,
                          struct oc_look look, const struct srv_viewer *viewer, uint64_t now_ms,
                          struct fm_fault *fault);

void srv_oceans_settle(struct srv_oceans *all); /* what workers have made */

struct srv_oceans_stats {
    uint64_t asked, found;             /* pictures; found: without making them */
    struct srv_histogram baked, drawn; /* layers of a round; pictures */
};
struct srv_oceans_stats srv_oceans_stats(struct srv_oceans *all);
void srv_oceans_tick(struct srv_oceans *all, uint64_t now_ms);

#endif
