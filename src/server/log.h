/*
 * log.h: the server's log on standard error: one line for each event, as a sentence or as JSON.
 *
 * Nothing in it names a person, or reveals a token, a card or what somebody plans.
 */
#ifndef SERVER_LOG_H
#define SERVER_LOG_H

#include <fathom/out.h>

#define SRV_LOG_TIME 24 /* "2026-11-18T01:10:25.123Z" */

enum srv_log_form { SRV_LOG_TEXT, SRV_LOG_JSON };

enum srv_level {
    SRV_INFO,    /* nothing has to be done */
    SRV_WARNING, /* somebody should look at it */
    SRV_ERROR    /* something does not work, or the program ends */
};

void srv_log_as(enum srv_log_form wanted); /* before there are threads; text at first */
bool srv_log_is_json(void);

/* Begin, then any number of values, then end, which adds the sentence and writes the line. Any
 * thread. event: a fixed word for what happened. */
struct srv_line {
    struct fm_out out;
    char json[4096];
};
void srv_log_begin(struct srv_line *l, enum srv_level level, const char *event);
void srv_log_int(struct srv_line *l, const char *key, int64_t value);
void srv_log_text(struct srv_line *l, const char *key, const char *text); /* is cut and cleaned */
void srv_log_hex(struct srv_line *l, const char *key, const uint8_t *bytes, size_t n);
void srv_log_end(struct srv_line *l, const char *sentence, ...)
    __attribute__((format(printf, 2, 3)));
/* An event without values. */
void srv_log_plain(enum srv_level level, const char *event, const char *sentence);

/* Now, by the machine's calendar; not terminated. Safe in a signal handler. */
void srv_log_put_time(char text[SRV_LOG_TIME]);

#endif
