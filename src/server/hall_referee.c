/* hall_referee.c: /api/referee/WHO: what `fathom referee` says of a scenario. */
#include "server/hall_replay.h"
#include "server/hall_state.h"

#include "base/panic.h"

#include <string.h>

/* A body is short and a scenario has no bots, so playing it takes a few milliseconds at most. */
void srv_referee_handle(struct srv_hall *h, struct srv_call *call, const struct srv_http_request *r,
                        const char *who)
{
    struct fm_scenario scenario = {.library = srv_games_library(h->games)};
    struct fm_fault fault = {.action = -1};
    struct fm_out answer, events;
    char *text = h->text + (size_t)2 * SRV_MESSAGE;
    if (strcmp(r->method, "POST") != 0 || who[0] != '/' || !srv_read_who(who + 1, &scenario.view) ||
        scenario.view >= FM_MAX_SEATS) {
        fm_fail_plain(&fault, FM_E_NO_PATH);
        srv_answer_error(h, call, &fault);
        return;
    }
    fm_assert(r->n < SRV_MESSAGE);
    memcpy(text, r->n > 0 ? r->body : "", r->n);
    text[r->n] = '\0';
    fm_out_init(&answer, h->text, SRV_MESSAGE);
    fm_out_init(&events, h->text + SRV_MESSAGE, SRV_MESSAGE);
    (void)fm_scenario_run(&scenario, text, r->n, &answer, &events);
    srv_answer_out(h, call, 200, &answer);
}
