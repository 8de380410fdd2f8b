/* text.c: texts between the engine and the page. */
#include "wasm/text.h"

#include "base/panic.h"
#include "core/steps.h"

#include <stdlib.h>

#define ANSWER_MAX FM__STEP_MAX /* a step of a replay is the longest of them */

static struct {
    char *text;
    size_t cap;
} room[ROOMS];

static char answer[ANSWER_MAX];
static char *long_answer;
static struct fm_out out;

char *engine_room(unsigned which, size_t n);
EXPORT("room") char *engine_room(unsigned which, size_t n)
{
    fm_assert(which < ROOMS);
    if (n + 1 > room[which].cap) {
        free(room[which].text);
        room[which].text = malloc(n + 1);
        room[which].cap = room[which].text != NULL ? n + 1 : 0;
    }
    if (room[which].text != NULL)
        room[which].text[n] = '\0';
    return room[which].text;
}

const char *engine_answer(void);
EXPORT("answer") const char *engine_answer(void)
{
    return out.buf;
}

char *text_in(unsigned which)
{
    return room[which].text;
}

struct fm_out *text_answer(void)
{
    fm_out_init(&out, answer, sizeof answer);
    return &out;
}

struct fm_out *text_long_answer(size_t n)
{
    free(long_answer);
    long_answer = malloc(n);
    if (long_answer == NULL)
        return NULL;
    fm_out_init(&out, long_answer, n);
    return &out;
}

int text_answered(void)
{
    fm_assert(fm_out_ok(&out));
    return (int)out.len;
}

int text_refused(const struct fm_fault *fault)
{
    struct fm_out *o = text_answer();
    fm_js_object(o);
    fm_js_fault(o, fault, 0);
    fm_js_end_object(o);
    return -text_answered();
}
