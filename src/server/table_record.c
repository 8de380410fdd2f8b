/* table_record.c: the deal of a table, and the record of a finished game. */
#include "server/table_internal.h"

#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>

/* The deal follows from the server's seed and all contributions. */
enum fm_err srv_table_redeal(void *match, struct fm_setup *setup, const struct srv_table *t,
                             struct fm_notes *notes)
{
    *setup = t->setup;
    fm_fair_deal_seed(setup->seed, t->seed, &t->fair, setup->n_seats);
    if (notes != NULL)
        notes->len = 0;
    return fm_init(match, setup, notes);
}

void srv_table_deal(const struct srv_table *t, void *match)
{
    struct fm_setup setup;
    fm_assert(srv_table_redeal(match, &setup, t, NULL) == FM_OK);
}

#define ISO 80

static void iso_time(char out[ISO], uint64_t ms)
{
    /* Howard Hinnant's civil_from_days; independent of the time zone. */
    const uint64_t s = ms / 1000, day = s / 86400, z = day + 719468, era = z / 146097,
                   doe = z - era * 146097,
                   yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365,
                   doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    const unsigned d = (unsigned)(doy - (153 * mp + 2) / 5 + 1),
                   m = (unsigned)(mp < 10 ? mp + 3 : mp - 9),
                   y = (unsigned)(yoe + era * 400 + (m <= 2));
    (void)snprintf(out, ISO, "%04u-%02u-%02uT%02u:%02u:%02uZ", y, m, d, (unsigned)(s / 3600 % 24),
                   (unsigned)(s / 60 % 60), (unsigned)(s % 60));
}

/* Reads a number of n digits at *text, and moves *text past them and the sign that must follow; -1:
 * malformed. */
static int64_t take_number(const char **text, int n, char sign)
{
    int64_t number = 0;
    for (; n > 0; n--, ++*text) {
        if (**text < '0' || **text > '9')
            return -1;
        number = 10 * number + (**text - '0');
    }
    return *(*text)++ == sign ? number : -1;
}

/* Howard Hinnant's days_from_civil. */
static int64_t days_before(int64_t y, int64_t m, int64_t d)
{
    y -= m <= 2;
    const int64_t era = y / 400, yoe = y - era * 400,
                  doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

bool srv_read_created(const char *text, uint64_t *ms)
{
    static const int digits[] = {4, 2, 2, 2, 2, 2};
    int64_t part[6];
    for (int i = 0; i < 6; i++)
        if ((part[i] = take_number(&text, digits[i], "--T::Z"[i])) < 0)
            return false;
    const int64_t days = days_before(part[0], part[1], part[2]);
    if (*text != '\0' || days < 0)
        return false;
    *ms = 1000 * (uint64_t)(86400 * days + 3600 * part[3] + 60 * part[4] + part[5]);
    return true;
}

/* The whole game as a record; last: one more event that ends it, NULL: it has ended. */
char *srv_write_record(const struct srv_table *t, const struct fm_event *last, size_t *n)
{
    struct fm_setup setup;
    struct fm_record_seat seats[FM_MAX_SEATS];
    struct fm_recorder r;
    struct fm_out o;
    char created[ISO];
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    const size_t room = (t->n_events + 3) * FM_RECORD_LINE;
    char *text = malloc(room);
    if (text == NULL)
        return NULL;
    for (unsigned i = 0; i < t->setup.n_seats; i++) {
        const struct srv_seat *s = &t->seat[i];
        seats[i].bot = s->taken ? NULL : s->bot;
        seats[i].name = s->taken ? s->name : s->bot;
    }
    iso_time(created, t->start_ms);
    fm_out_init(&o, text, room);
    fm_assert(srv_table_redeal(match, &setup, t, NULL) == FM_OK);
    fm_record_begin(&r, &o, &setup, t->seed, &t->fair, seats, created);
    for (size_t i = 0; i < t->n_events + (last != NULL); i++) {
        const struct fm_event *ev = i < t->n_events ? &t->event[i] : last;
        fm_assert(fm_apply(setup.game, match, ev, NULL) == FM_OK);
        fm_record_event(&r, &o, ev, match);
    }
    fm_record_end(&r, &o, match);
    fm_assert(fm_out_ok(&o));
    *n = o.len;
    return text;
}

char *srv_table_record(const struct srv_table *t, size_t *n)
{
    fm_assert(t->state == ST_OVER);
    return srv_write_record(t, NULL, n);
}
