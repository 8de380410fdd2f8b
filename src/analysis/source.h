/* source.h: the record that is analysed: its events, and the names of its seats. */
#ifndef ANALYSIS_SOURCE_H
#define ANALYSIS_SOURCE_H

#include <fathom/record.h>

struct analysis_source {
    struct fm_playback playback;
    struct fm_event *event; /* the caller's, one for each line of the record */
    size_t n_events;
    char name[FM_MAX_SEATS][FM_NAME_MAX + 1];
    const char *names[FM_MAX_SEATS];
};

/* Opens a record; afterwards playback.last_line says for how many events there must be room. */
enum fm_err fm__source_open(struct analysis_source *s, const char *text, size_t n,
                            const struct fm_library *library, struct fm_fault *fault);
/* Plays the whole record and keeps its events. FM_OK: every line is right. */
enum fm_err fm__source_read(struct analysis_source *s, struct fm_fault *fault);

#endif
