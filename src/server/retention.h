/*
 * retention.h: what a store keeps and for how long: the operator's rules, carried out in small
 * steps. Used by the server itself, and by `fathom store prune`.
 */
#ifndef SERVER_RETENTION_H
#define SERVER_RETENTION_H

#include "store/store.h"

#define SRV_FOREVER UINT64_MAX

struct srv_keep {        /* seconds since the last event of a table, or SRV_FOREVER */
    uint64_t waiting_s;  /* tables that never started */
    uint64_t idle_s;     /* games in play: closed after this time, removed after as long again */
    uint64_t finished_s; /* games that are over */
    uint64_t notes_s;    /* of seats in games that have ended; SRV_FOREVER: as long as the table */
};
extern const struct srv_keep srv_keep_default;

enum srv_rule {
    SRV_RULE_WAITING,  /* removed */
    SRV_RULE_IDLE,     /* closed */
    SRV_RULE_CLOSED,   /* removed */
    SRV_RULE_FINISHED, /* removed */
    SRV_RULE_NOTES,    /* blanked */
    SRV_RULES
};
const char *srv_rule_text(enum srv_rule rule); /* "tables that never started: removed" */
uint64_t srv_rule_seconds(const struct srv_keep *keep, enum srv_rule rule);

/* 90s, 15m, 12h, 2d or forever; false: none of these. */
bool srv_read_duration(const char *text, uint64_t *seconds);
#define SRV_DURATION     24
#define SRV_DURATION_SAY "a duration such as 90s, 15m, 12h or 2d, or forever"
void srv_put_duration(char text[SRV_DURATION], uint64_t seconds); /* as it is read */

struct srv_pruned {
    uint64_t tables[SRV_RULES],
        bytes[SRV_RULES]; /* removed, closed or blanked; in a dry run: that would be */
};

struct srv_pruning {
    struct st_store *store;
    struct srv_keep keep;
    bool dry_run; /* count only */
    /* Each of these may be NULL. may: asked before tables that were found are removed. */
    bool (*may)(void *arg);
    bool (*step)(void *arg);                            /* after each step; false: stop */
    void (*went)(void *arg, const struct st_id *table); /* a table was removed or closed */
    void *arg;
    struct srv_pruned sum;
};

/* Applies every rule once to the whole store; FM_OK also if it was stopped. FM_E_BUSY: another
 * program is doing it. */
enum fm_err srv_prune(struct srv_pruning *p, struct fm_fault *fault);

#endif
