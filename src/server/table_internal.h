/* table_internal.h: what the files of table.h share: table.c (what it holds), table_draft.c and
 * table_moves.c (what is to be written), table_read.c (what was written), table_record.c,
 * table_time.c and table_json.c (what viewers get). */
#ifndef SERVER_TABLE_INTERNAL_H
#define SERVER_TABLE_INTERNAL_H

#include "server/table.h"

#include "base/json_in.h"

extern const char *const srv_event_kinds[]; /* indexed by enum srv_kind; ends with NULL */

static inline const struct fm_pub *pub_of(const void *match)
{
    return match;
}

/* table.c */
int srv_free_seat(const struct srv_table *t); /* -1: there is none */

/* table_draft.c */
struct fm_out srv_draft_begin(struct srv_draft *d, enum srv_kind kind);
enum fm_err srv_draft_end(struct srv_draft *d, struct fm_out *o); /* FM_OK */
/* FM_OK, or the fault is filled: the table is in another state, or has no such seat. */
enum fm_err srv_want_state(const struct srv_table *t, enum st_state state, struct fm_fault *fault);
enum fm_err srv_want_seat(const struct srv_table *t, int seat, struct fm_fault *fault);

/* table_read.c */
/* "water", by its name; the default if it is left out. Only a game with a stack to look into has
 * it. */
bool srv_read_water(const struct fm_in *in, const struct fm_game *game,
                    const struct oc_water **water);

/* Adds an event of the match, which has already been applied to t->match. id: the client's, "":
 * none. False: no memory. */
bool srv_keep_event(struct srv_table *t, const struct fm_event *ev, const char *id);

/* table_handed.c */
bool srv_read_handed(struct srv_table *t, const struct fm_in *in, const struct st_id *id,
                     const struct fm_library *library);

/* table_record.c */
/* The time at which a record was begun, from its text; false: that is not a time. */
bool srv_read_created(const char *text, uint64_t *ms);
/* Deals the match from the table's seed and the seats' contributions; notes may be NULL. */
enum fm_err srv_table_redeal(void *match, struct fm_setup *setup, const struct srv_table *t,
                             struct fm_notes *notes);
/* The whole game as a record; last: one more event that ends it, NULL: it has ended. free() it. */
char *srv_write_record(const struct srv_table *t, const struct fm_event *last, size_t *n);

/* table_time.c */
uint32_t srv_last_ms(const struct srv_table *t); /* of the last event, secret or not */
/* The time of an event that arrives now, in ms since the start. */
uint32_t srv_match_time(const struct srv_table *t, uint64_t now_ms, uint32_t credit_ms);
/* When the clock is due, by the table's time; 0: it does not tick. */
uint64_t srv_deadline_after(const void *match, const struct srv_tally *tally, uint64_t start_ms);

#endif
