/* source.c: the record that is analysed. */
#include "analysis/source.h"

#include "base/json_in.h"
#include "base/panic.h"

#include <string.h>

enum fm_err fm__source_open(struct analysis_source *s, const char *text, size_t n,
                            const struct fm_library *library, struct fm_fault *fault)
{
    s->n_events = 0;
    return fm_playback_open(&s->playback, text, n, library, NULL, fault);
}

/* The record was checked: its first line is JSON and has a name for each seat. */
static void read_names(struct analysis_source *s)
{
    struct fm_fault fault;
    struct fm_out o;
    json_t *head = fm_json_load(s->playback.text, strcspn(s->playback.text, "\n"), &fault);
    const json_t *seats = json_object_get(head, "seats");
    for (unsigned i = 0; i < s->playback.setup.n_seats; i++) {
        const json_t *name = json_object_get(json_array_get(seats, i), "name");
        fm_assert(json_is_string(name));
        fm_out_init(&o, s->name[i], sizeof s->name[i]);
        fm_put(&o, json_string_value(name));
        s->names[i] = s->name[i];
    }
    json_decref(head);
}

enum fm_err fm__source_read(struct analysis_source *s, struct fm_fault *fault)
{
    struct fm_event ev;
    enum fm_err err;
    while ((err = fm_playback_next(&s->playback, &ev, NULL, fault)) == FM_OK)
        s->event[s->n_events++] = ev;
    if (err != FM_E_OVER)
        return err;
    read_names(s);
    return FM_OK;
}
