/* fuzz_log.c: any lines as the log of a table: it is refused, or the table can be served. */
#include "fuzz.h"

#include "base/panic.h"
#include "core/told.h"
#include "server/table.h"

#include <stdlib.h>
#include <string.h>

#define TEXT (FM_JSON_MAX + FM__MISSED + 65536)

static struct srv_table table;
static struct srv_draft draft;
static char text[TEXT];

static void check_out(const struct fm_out *o)
{
    json_decref(fuzz_parse(o));
}

/* All that a server shows of a table. */
static void look(const struct srv_table *t)
{
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_table(&o, t, 0);
    check_out(&o);
    for (int seat = FM_WATCHER; seat < t->setup.n_seats; seat++) {
        fm_out_init(&o, text, sizeof text);
        srv_put_hello(&o, t, seat,
                      &(struct srv_hello){.from = -1, .earlier = true, .visits = true});
        check_out(&o);
    }
    if (t->state == ST_OVER) {
        size_t n;
        char *record = srv_table_record(t, &n);
        fm_assert(record != NULL && n > 0);
        free(record);
    }
}

/* What is drafted for it can be committed. */
static void go_on(struct srv_table *t)
{
    struct fm_fault fault;
    const uint64_t late = srv_table_deadline(t) + 1000;
    for (int i = 0; i < 4; i++) {
        const enum fm_err err = i == 0   ? srv_draft_started(&draft, t, 1, &fault)
                                : i == 1 ? srv_draft_clock(&draft, t, late, &fault)
                                : i == 2 ? srv_draft_left(&draft, t, 0, &fault)
                                         : srv_draft_noted(&draft, t, 0, "x", 1, &fault);
        if (err == FM_OK)
            fm_assert(srv_table_commit(t, &draft, &fault) == FM_OK);
        srv_draft_finish(&draft);
    }
    look(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const struct st_id id = {{1}};
    struct fm_fault fault;
    enum fm_err err = FM_OK;
    draft.record = NULL;
    srv_table_init(&table);
    for (const char *at = (const char *)data, *end = at + n, *line; err == FM_OK && at < end;
         at = line + 1) {
        line = memchr(at, '\n', (size_t)(end - at));
        if (line == NULL)
            line = end;
        const uint64_t seq = table.seq;
        memset(&fault, 0, sizeof fault);
        err = srv_table_read(&table, &id, at, (size_t)(line - at), fuzz_library(), &fault);
        fm_assert(table.seq == seq + (err == FM_OK));
        fm_assert(err == FM_OK || (fault.code == err && fault.text[0] != '\0'));
    }
    if (err == FM_OK && table.seq > 0) {
        look(&table);
        go_on(&table);
    }
    srv_table_finish(&table);
    return 0;
}
