/* log.c: writes lines of the log, as sentences or as JSON. */
#include "server/log.h"

#include "base/panic.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#define TEXT 400 /* most bytes of a sentence, or of a value */

static enum srv_log_form form = SRV_LOG_TEXT;

static void say_panic(const char *file, int line, const char *what)
{
    struct srv_line l;
    srv_log_begin(&l, SRV_ERROR, "bug");
    srv_log_text(&l, "file", file);
    srv_log_int(&l, "line", line);
    srv_log_text(&l, "what", what);
    srv_log_end(&l, "%s:%d: this should never happen: %s", file, line, what);
}

void srv_log_as(enum srv_log_form wanted)
{
    form = wanted;
    fm__panic_says = say_panic;
}

bool srv_log_is_json(void)
{
    return form == SRV_LOG_JSON;
}

/* ---- time ------------------------------------------------------------------------------------ */

static void put_digits(char *to, int64_t number, int digits)
{
    for (; digits > 0; number /= 10)
        to[--digits] = (char)('0' + number % 10);
}

/* gmtime takes a lock, so a signal handler must not call it. The year begins in March here, so that
 * the leap day is its last day. */
void srv_log_put_time(char text[SRV_LOG_TIME])
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    const int64_t day = now.tv_sec / 86400 + 719468, second = now.tv_sec % 86400;
    const int64_t era = day / 146097, of_era = day % 146097;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const int64_t month = (5 * of_year + 2) / 153; /* from March on */
    memcpy(text, "0000-00-00T00:00:00.000Z", SRV_LOG_TIME);
    put_digits(text, 400 * era + year + (month >= 10), 4);
    put_digits(text + 5, month < 10 ? month + 3 : month - 9, 2);
    put_digits(text + 8, of_year - (153 * month + 2) / 5 + 1, 2);
    put_digits(text + 11, second / 3600, 2);
    put_digits(text + 14, second / 60 % 60, 2);
    put_digits(text + 17, second % 60, 2);
    put_digits(text + 20, now.tv_nsec / 1000000, 3);
}

/* ---- lines ----------------------------------------------------------------------------------- */

void srv_log_begin(struct srv_line *l, enum srv_level level, const char *event)
{
    static const char *const levels[] = {"info", "warning", "error"};
    char time[SRV_LOG_TIME + 1] = "";
    fm_out_init(&l->out, l->json, sizeof l->json);
    srv_log_put_time(time);
    fm_js_object(&l->out);
    fm_js_key_word(&l->out, "time", time);
    fm_js_key_word(&l->out, "level", levels[level]);
    fm_js_key_word(&l->out, "event", event);
}

void srv_log_int(struct srv_line *l, const char *key, int64_t value)
{
    fm_js_key_int(&l->out, key, value);
}

void srv_log_text(struct srv_line *l, const char *key, const char *text)
{
    char clean[TEXT];
    (void)snprintf(clean, sizeof clean, "%s", text);
    fm__clean(clean);
    fm_js_key_text(&l->out, key, clean);
}

void srv_log_hex(struct srv_line *l, const char *key, const uint8_t *bytes, size_t n)
{
    fm_js_key(&l->out, key);
    fm_js_hex(&l->out, bytes, n);
}

void srv_log_end(struct srv_line *l, const char *sentence, ...)
{
    char text[TEXT];
    va_list values;
    va_start(values, sentence);
    (void)vsnprintf(text, sizeof text, sentence, values);
    va_end(values);
    fm__clean(text);
    if (form == SRV_LOG_TEXT) {
        fprintf(stderr, "fathom: %s\n", text);
        return;
    }
    fm_js_key_text(&l->out, "message", text);
    fm_js_end_object(&l->out);
    fm_assert(fm_out_ok(&l->out));
    fprintf(stderr, "%s\n", l->json);
}

void srv_log_plain(enum srv_level level, const char *event, const char *sentence)
{
    struct srv_line l;
    srv_log_begin(&l, level, event);
    srv_log_end(&l, "%s", sentence);
}
