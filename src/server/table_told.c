/* table_told.c: what a viewer of a table has missed, and what it was told before. */
#include "server/table_internal.h"

#include "core/told.h"

/* The table's match; setup gets the seed of its deal. */
static struct fm__told told_at(const struct srv_table *t, struct fm_setup *setup)
{
    *setup = t->setup;
    fm_fair_deal_seed(setup->seed, t->seed, &t->fair, setup->n_seats);
    return (struct fm__told){
        .setup = setup, .event = t->event, .n_events = t->n_events, .match = t->match};
}

bool srv_put_missed(struct fm_out *o, const struct srv_table *t, int seat, int64_t from,
                    struct fm_out *seqs)
{
    struct fm_setup setup;
    const struct fm__told told = told_at(t, &setup);
    return fm__put_missed(o, &told, seat, from, seqs);
}

void srv_put_earlier(struct fm_out *o, const struct srv_table *t, int seat, int64_t until,
                     struct fm_out *seqs)
{
    struct fm_setup setup;
    const struct fm__told told = told_at(t, &setup);
    fm__put_earlier(o, &told, seat, until, seqs);
}
