/*
 * oceans.h: the pictures of tables with a see-through stack: made by worker threads, answered by
 * the loop.
 *
 * Only the loop's thread calls these functions. A request for a picture that does not exist yet is
 * answered when a worker has drawn it.
 */
#ifndef SERVER_OCEANS_H
#define SERVER_OCEANS_H

#include "server/hall.h"

#include "ocean/look.h"

struct srv_oceans;
struct srv_ocean;  /* of one table */
struct srv_viewer; /* picture_waits.h: who asks */

#define SRV_PAINTERS 64

/* threads: for pictures of games in progress, 1 to SRV_PAINTERS. If there are several, one of them
 * never bakes, so that pictures do not wait behind a slow bake. */
struct srv_oceans *srv_oceans_create(const struct srv_net *net, unsigned threads,
                                     struct fm_fault *fault);
void srv_oceans_destroy(struct srv_oceans *all); /* takes NULL */

/* The table has changed, started or been loaded. *ocean is NULL at first, and stays so for games
 * without pictures. */
void srv_ocean_update(struct srv_oceans *all, struct srv_ocean **ocean, const struct srv_table *t);
/* Requests that wait for one of its pictures are refused. */
void srv_ocean_forget(struct srv_oceans *all, struct srv_ocean **ocean);

/* "ROUND/TX,TY[/LAMP].jpg", "ROUND/sheet/LEVEL.jpg" or "ROUND/sheet/LEVEL/1024.jpg": answers now or
 * later, or fills the fault. During the game, only of the present round and of the sheets that were
 * turned over last; once it is over, of all. */
enum fm_err srv_ocean_ask(struct srv_oceans *all, struct srv_ocean *ocean,
                          const struct srv_table *t, const struct srv_viewer *viewer,
                          const char *path, uint64_t now_ms, struct fm_fault *fault);

/* "ROUND/sheet/LEVEL.json": where on such a sheet the things that count are, as
 * oc_sheet_circles_put writes it. */
enum fm_err srv_ocean_creatures(const struct srv_ocean *ocean, const struct srv_table *t,
                                const char *path, struct fm_out *o, struct fm_fault *fault);

/* archive_pictures.h; NULL if all is NULL. */
struct srv_archive_pictures;
struct srv_archive_pictures *srv_oceans_archive(struct srv_oceans *all);
/* "TX,TY.jpg" or "TX,TY/LAMP.jpg" */
enum fm_err srv_read_look(struct oc_look *look, const char *path, struct fm_fault *fault);

/* oceans_past.c. level: "LEVEL" and the rest of the path, which is returned in *rest. */
enum fm_err srv_past_index(const struct srv_table *t, unsigned round, const char *level,
                           const char **rest, int *index, struct fm_fault *fault);
enum fm_err srv_past_sheet(struct srv_archive_pictures *all, const struct srv_table *t,
                           unsigned round, const char *level, const struct srv_viewer *viewer,
                           uint64_t now_ms, struct fm_fault *fault);
enum fm_err srv_past_look(struct srv_archive_pictures *all, const struct srv_table *t,
                          unsigned round, struct oc_look look, const struct srv_viewer *viewer,
                          uint64_t now_ms, struct fm_fault *fault);

void srv_oceans_settle(struct srv_oceans *all); /* answers what workers have drawn */

struct srv_oceans_stats {
    uint64_t asked, found;             /* pictures; found: without drawing them */
    struct srv_histogram baked, drawn; /* rounds; pictures */
};
struct srv_oceans_stats srv_oceans_stats(struct srv_oceans *all);
void srv_oceans_tick(struct srv_oceans *all, uint64_t now_ms);

#endif
