/* log_unreadable.c: logs which tables cannot be read, each once, however often they are asked for.
 */
#include "server/hall_state.h"

#include <stdio.h>
#include <string.h>

#define NAMED 256 /* tables remembered; the oldest are forgotten */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the two below */
static struct st_id named[NAMED];
static unsigned n_named;

static bool is_news(const struct st_id *table)
{
    bool known = false;
    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < NAMED && i < n_named; i++)
        known = known || memcmp(&named[i], table, sizeof *table) == 0;
    if (!known)
        named[n_named++ % NAMED] = *table;
    (void)pthread_mutex_unlock(&lock);
    return !known;
}

void srv_log_unreadable(const struct st_id *table, const char *what, const struct fm_fault *fault)
{
    char id[2 * ST_ID_BYTES + 1];
    struct srv_line l;
    if (fault->code == FM_E_STORE || fault->code == FM_E_MEMORY || fault->code == FM_E_BUSY ||
        fault->code == FM_E_NO_TABLE || !is_news(table))
        return;
    for (size_t i = 0; i < ST_ID_BYTES; i++)
        (void)snprintf(id + 2 * i, 3, "%02x", table->bytes[i]);
    srv_log_begin(&l, SRV_ERROR, "table-unreadable");
    srv_log_text(&l, "table", id);
    srv_log_text(&l, "code", fm_err_code(fault->code));
    srv_log_end(&l, "table %s cannot be %s: %s", id, what,
                srv_log_is_json() ? fm_err_text(fault->code) : fault->text);
}
