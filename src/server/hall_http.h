/* hall_http.h: what hall_http.c (any request over HTTP) and hall_http_table.c (those about one
 * table) share. */
#ifndef SERVER_HALL_HTTP_H
#define SERVER_HALL_HTTP_H

#include "server/hall_state.h"

/* A request on its way through the hall. */
struct srv_exchange {
    struct srv_hall *hall;
    struct srv_call *call;
    const struct srv_http_request *r;
    struct srv_slot *slot;
    const char *rest; /* of the path, after the table's id */
    struct fm_fault fault;
    json_t *body;
    struct srv_parked *parked; /* it waited before; NULL: it did not */
    bool fresh;                /* no other program knows more of the table */
    bool waits;                /* for a read: it is answered later */
};

void srv_exchange_refuse(struct srv_exchange *exchange);                 /* for its fault */
bool srv_exchange_fail(struct srv_exchange *exchange, enum fm_err code); /* refuses it; false */
bool srv_exchange_body(struct srv_exchange *exchange);                   /* false: refused */
struct srv_parked *srv_exchange_park(struct srv_exchange *exchange);     /* NULL: refused */
void srv_exchange_fail_wait(struct srv_exchange *exchange);    /* no memory to wait with */
void srv_exchange_wait_for_log(struct srv_exchange *exchange); /* what other programs wrote */
void srv_handle_table(struct srv_exchange *exchange);          /* its slot and rest are set */

#endif
