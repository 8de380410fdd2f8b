/*
 * archive_pictures.h: pictures of stacks that no table plays with just now: of past rounds, of
 * sheets that were revealed, and of practice.
 *
 * They have a cache and workers of their own, smaller than the tables' and of lower priority, so
 * that no amount of requests here evicts or delays a picture of a game in progress. Only the loop's
 * thread calls these functions; none of them takes long.
 */
#ifndef SERVER_ARCHIVE_PICTURES_H
#define SERVER_ARCHIVE_PICTURES_H

#include "server/hall.h"

#include "ocean/cache.h"
#include "ocean/sheets.h"

#define SRV_ARCHIVE_ID 16

struct srv_archive_stack { /* a stack as it was at some moment */
    uint8_t id[SRV_ARCHIVE_ID];
    uint32_t round;    /* id and round name the stack */
    enum oc_need need; /* more urgent ones first; each need has its share of the cache */
    struct oc_deal deal;
    const struct oc_water *water;
    int left; /* sheets */
    bool lamps, octopus;
    double x, y; /* where the octopus is */
};

struct srv_archive_pictures;
struct srv_viewer; /* picture_waits.h */

struct srv_archive_pictures *srv_archive_pictures_create(const struct oc_art *art,
                                                         const struct srv_net *net,
                                                         struct fm_fault *fault);
void srv_archive_pictures_destroy(struct srv_archive_pictures *all); /* takes NULL */

/* Answers now or later, or fills the fault. sheet: an index in the stack as it was dealt; the
 * caller has checked that the viewer may see it. large: for table screens. */
enum fm_err srv_archive_look(struct srv_archive_pictures *all,
                             const struct srv_archive_stack *stack, struct oc_look look,
                             const struct srv_viewer *viewer, uint64_t now_ms,
                             struct fm_fault *fault);
enum fm_err srv_archive_sheet(struct srv_archive_pictures *all,
                              const struct srv_archive_stack *stack, int sheet, bool large,
                              const struct srv_viewer *viewer, uint64_t now_ms,
                              struct fm_fault *fault);

void srv_archive_pictures_settle(
    struct srv_archive_pictures *all); /* answers what the workers have drawn */
void srv_archive_pictures_tick(struct srv_archive_pictures *all, uint64_t now_ms);

#endif
