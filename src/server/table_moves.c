/* table_moves.c: drafts of moves: actions of seats, and of the clock. */
#include "server/table_internal.h"

#include <stdio.h>
#include <string.h>

static enum fm_err draft_event(struct srv_draft *d, const struct srv_table *t, const char *id,
                               const struct fm_event *ev, struct fm_fault *fault)
{
    struct fm_out o = srv_draft_begin(d, SRV_DID);
    uint8_t action[sizeof ev->action];
    memcpy(action, &ev->action, sizeof action);
    fm_js_key_int(&o, "t", ev->t_ms);
    fm_js_key_int(&o, "seat", ev->seat);
    fm_js_key_text(&o, "id", id);
    fm_js_key(&o, "action");
    fm_js_hex(&o, action, sizeof action);
    d->event = *ev;
    memcpy(d->match, t->match, t->setup.game->state_size);
    if (t->n_events >= FM_EVENTS_MAX || ev->t_ms > INT32_MAX) /* it could not be replayed */
        return fm_fail_plain(fault, FM_E_STUCK);
    enum fm_err err = fm_apply(t->setup.game, d->match, ev, &d->notes);
    if (err == FM_OK)
        err = srv_check_repeat(&t->tally, t->setup.game, t->match, d->match, ev);
    if (err != FM_OK)
        return fm_refuse(fault, t->setup.game, err);
    (void)snprintf(d->id, sizeof d->id, "%s", id != NULL ? id : "");
    struct srv_tally tally = t->tally;
    srv_tally_add(&tally, t->setup.game, d->match, ev);
    const uint64_t deadline = srv_deadline_after(d->match, &tally, t->start_ms);
    d->change.times = deadline != srv_deadline_after(t->match, &t->tally, t->start_ms);
    d->change.deadline_ms = deadline;
    if (pub_of(d->match)->status == FM_OVER) {
        size_t n;
        d->record = srv_write_record(t, ev, &n);
        if (d->record == NULL)
            return fm_fail_plain(fault, FM_E_MEMORY);
        d->change.record = d->record;
        d->change.record_n = n;
        d->change.moves = true;
        d->change.state = ST_OVER;
    }
    return srv_draft_end(d, &o);
}

enum fm_err srv_draft_did(struct srv_draft *d, const struct srv_table *t, int seat, const char *id,
                          fm_action action, uint64_t now_ms, uint32_t credit_ms,
                          struct fm_fault *fault)
{
    if (srv_want_state(t, ST_PLAYING, fault) != FM_OK || srv_want_seat(t, seat, fault) != FM_OK)
        return fault->code;
    if (id != NULL && !srv_is_client_id(id))
        return fm_fail(fault, FM_E_VALUE, "id: 1 to %d letters, digits, _ and -", SRV_CLIENT_ID);
    const struct fm_event ev = {
        .t_ms = srv_match_time(t, now_ms, credit_ms), .seat = (uint8_t)seat, .action = action};
    return draft_event(d, t, id, &ev, fault);
}

enum fm_err srv_draft_clock(struct srv_draft *d, const struct srv_table *t, uint64_t now_ms,
                            struct fm_fault *fault)
{
    if (srv_want_state(t, ST_PLAYING, fault) != FM_OK)
        return fault->code;
    const struct fm_pub *pub = pub_of(t->match);
    const uint64_t deadline = srv_table_deadline(t);
    if (deadline == 0 || now_ms < deadline)
        return fm_fail_plain(fault, FM_E_TIME);
    const uint32_t at = pub->deadline_ms > srv_last_ms(t) ? pub->deadline_ms : srv_last_ms(t);
    const struct fm_event ev = {.t_ms = at, .seat = FM_TABLE, .action = t->setup.game->due(pub)};
    return draft_event(d, t, NULL, &ev, fault);
}
