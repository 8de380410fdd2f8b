/*
 * arena.h: tournaments between bots on mirrored deals.
 *
 * An entry is what is measured: two bots against each other, or one bot with itself or with a
 * partner. Every deal of an entry is played several times with the seats swapped, so that neither
 * cards nor seats favour anyone. The outcome of a deal is a pair of whole numbers, so that sums of
 * them do not depend on the order in which threads or machines finish.
 */
#ifndef CLI_ARENA_H
#define CLI_ARENA_H

#include "cli/cli.h"

#define ARENA_BOTS    16
#define ARENA_ENTRIES (ARENA_BOTS * (ARENA_BOTS - 1) / 2)
#define ARENA_POINT   420 /* a game won alone; divisible by any number of winners */
#define ARENA_DEALS   10000000
#define ARENA_HEADER  2048
#define ARENA_NAME    32 /* bytes of a bot's name */

enum arena_mode { ARENA_VERSUS, ARENA_SELF, ARENA_PARTNER };

#define ARENA_PARTNER_BOT ARENA_BOTS /* as the number of a bot */

struct arena {
    enum arena_mode mode;
    unsigned n_seats, n_bots;
    uint64_t deals;
    char name[ARENA_BOTS + 1][ARENA_NAME]; /* of the bots, then of the partner */
    char header[ARENA_HEADER];             /* one line; the same for equal tournaments only */
};

struct arena_sum { /* of an entry */
    uint64_t deals;
    uint64_t a, b;        /* points of its first and its second bot */
    double share_squared; /* sum of squares of the first bot's points: exact in a double */
};

struct arena_result {
    struct arena_sum sum[ARENA_ENTRIES];
    uint8_t *done; /* a bit for each deal of each entry */
};

unsigned arena_entries(const struct arena *a);
unsigned arena_games(const struct arena *a); /* of one deal */
/* The numbers of the two bots of an entry; both are the same if a bot plays with itself. */
void arena_entry(const struct arena *a, unsigned entry, unsigned bots[2]);

void arena_result_init(struct arena_result *r, const struct arena *a);
void arena_result_finish(struct arena_result *r);
bool arena_has(const struct arena_result *r, const struct arena *a, unsigned entry, uint64_t deal);
/* False: the deal had been added already. */
bool arena_add(struct arena_result *r, const struct arena *a, unsigned entry, uint64_t deal,
               unsigned points_a, unsigned points_b);

void arena_put_json(struct fm_out *o, const struct arena *a, const struct arena_result *r);
void arena_put_text(struct fm_out *o, const struct arena *a, const struct arena_result *r);

#endif
