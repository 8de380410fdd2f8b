/* fuzz_scenario.c: any bytes to the referee: its answer is JSON and fits its ruling. */
#include "fuzz.h"

#include "base/panic.h"

#include <fathom/scenario.h>

#include <string.h>

#define ANSWER_MAX 0x400000

/* The answer's form, see docs/protocol.md, for one viewer. */
static enum fm_ruling rule(const char *given, size_t n, int view)
{
    static char answer[ANSWER_MAX], scratch[ANSWER_MAX], text[ANSWER_MAX];
    memcpy(text, given, n < sizeof text ? n : sizeof text); /* the referee may blank some of it */
    const struct fm_scenario scenario = {.library = fuzz_library(), .view = view};
    struct fm_out a, s;
    fm_out_init(&a, answer, sizeof answer);
    fm_out_init(&s, scratch, sizeof scratch);
    const enum fm_ruling ruling = fm_scenario_run(&scenario, text, n, &a, &s);
    json_t *json = fuzz_parse(&a);
    const json_t *error = json_object_get(json, "error");
    const json_t *action = json_object_get(error, "action");
    fm_assert(json_is_true(json_object_get(json, "ok")) == (ruling == FM_RULED));
    fm_assert((error == NULL) == (ruling == FM_RULED));
    if (ruling == FM_RULED) {
        fm_assert(json_is_object(json_object_get(json, view == FM_WHOLE ? "state" : "view")));
        fm_assert(json_object_get(json, view == FM_WHOLE ? "view" : "state") == NULL);
        fm_assert(json_is_array(json_object_get(json, "events")));
        fm_assert(json_object_get(json, "result") != NULL);
    } else {
        fm_assert(ruling == FM_ILLEGAL ? json_is_integer(action) : json_is_null(action));
        fm_assert(json_string_length(json_object_get(error, "code")) > 0);
        fm_assert(json_string_length(json_object_get(error, "message")) > 0);
    }
    json_decref(json);
    return ruling;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *text = (const char *)data;
    const enum fm_ruling ruling = rule(text, n, FM_WHOLE);
    fm_assert(rule(text, n, FM_WATCHER) == ruling);
    const enum fm_ruling seat = rule(text, n, (int)(n % FM_MAX_SEATS));
    fm_assert(seat == ruling || seat == FM_BAD_FILE); /* there may be no such seat */
    fm_assert(rule(text, n, 0) == ruling);
    return 0;
}
