/*
 * glimpses.h: pictures of stacks that no table plays with just now: of rounds that are over, of
 * sheets that were revealed, and to practise on.
 *
 * They have a cache and workers of their own, smaller than the tables' and of lower priority:
 * however much is asked for here, no picture of a game in progress is pushed out or waits in line
 * behind it. All of it is called by the loop; nothing here takes it long.
 */
#ifndef SERVER_GLIMPSES_H
#define SERVER_GLIMPSES_H

#include "server/hall.h"

#include "ocean/cache.h"
#include "ocean/sheets.h"

#define SRV_GLIMPSE_ID 16

struct srv_glimpse { /* a stack as it lay at one time */
    uint8_t id[SRV_GLIMPSE_ID];
    uint32_t round;    /* with the id: which stack */
    enum oc_need need; /* the more urgent come first, and each has its share of the stacks */
    struct oc_deal deal;
    int left; /* sheets */
    bool lamps, octopus;
    double x, y; /* of the octopus */
};

struct srv_glimpses;
struct srv_viewer; /* picture_waits.h: who asks */

struct srv_glimpses *srv_glimpses_create(const struct oc_art *art, const struct srv_net *net,
                                         struct fm_fault *fault);
void srv_glimpses_destroy(struct srv_glimpses *all); /* takes NULL */

/* Answers now or later, or fills the fault. `sheet` is an index in the stack as it was dealt: who
 * asks sees to it that it may be seen. */
enum fm_err srv_glimpse_look(struct srv_glimpses *all, const struct srv_glimpse *g,
                             struct oc_look look, const struct srv_viewer *viewer, uint64_t now_ms,
                             struct fm_fault *fault);
enum fm_err srv_glimpse_sheet(struct srv_glimpses *all, const struct srv_glimpse *g, int sheet,
                              const struct srv_viewer *viewer, uint64_t now_ms,
                              struct fm_fault *fault);

void srv_glimpses_settle(struct srv_glimpses *all); /* what the worker has made */
void srv_glimpses_tick(struct srv_glimpses *all, uint64_t now_ms);

#endif
