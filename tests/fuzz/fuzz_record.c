/*
 * fuzz_record.c: any bytes as a record, played to its end or to its fault.
 *
 * No fuzzer guesses the sums. So an input that begins with '+' is a record without them: they are
 * put at the end of each of its lines, and what lies behind the sums is reached.
 */
#include "fuzz.h"

#include "base/hash.h"
#include "base/panic.h"
#include "core/record_sum.h"

#include <fathom/record.h>

#include <string.h>

#define TEXT_MAX 0x80000

/* Copy the lines of a record without sums, a sum after each; a closing brace is left out first. */
static size_t add_sums(char *text, const char *from, size_t n)
{
    struct fm_out o;
    uint8_t chain[32] = {0};
    fm_out_init(&o, text, TEXT_MAX);
    for (size_t pos = 0; pos < n;) {
        const char *end = memchr(from + pos, '\n', n - pos);
        const size_t length = end ? (size_t)(end - (from + pos)) : n - pos;
        const bool closed = length > 0 && from[pos + length - 1] == '}';
        const size_t used = closed ? length - 1 : length;
        fm__record_sum(chain, from + pos, used);
        fm_put_bytes(&o, from + pos, used);
        fm_put(&o, ",\"sum\":\"");
        fm_put_hex(&o, chain, FM__SUM_BYTES);
        fm_put(&o, "\"}\n");
        pos += length + 1;
    }
    return fm_out_ok(&o) ? o.len : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct fm_playback p;
    static struct fm_notes notes;
    static char summed[TEXT_MAX];
    struct fm_fault fault = {.code = FM_OK};
    struct fm_event ev;
    const char *text = (const char *)data;
    if (n > 0 && text[0] == '+') {
        n = add_sums(summed, text + 1, n - 1);
        text = summed;
    }
    enum fm_err err = fm_playback_open(&p, text, n, fuzz_library(), &notes, &fault);
    const bool opened = err == FM_OK;
    int events = 0;
    while (err == FM_OK) {
        err = fm_playback_next(&p, &ev, &notes, &fault);
        events += err == FM_OK;
        fm_assert(events <= FM_EVENTS_MAX);
    }
    if (opened)
        fuzz_check_views(p.setup.game, p.state);
    if (err == FM_E_OVER) { /* every line between the first and the last was an event */
        const struct fm_secret *secret = (const void *)(p.state + p.setup.game->secret_off);
        fm_assert(events == p.last_line - 2 && secret->n_events == (uint32_t)events);
        fm_assert(((const struct fm_pub *)(const void *)p.state)->status == FM_OVER);
        return 0;
    }
    fm_assert(fault.code == err && fault.text[0] != '\0');
    fm_assert(fault.line >= 1 && (!opened || fault.line <= p.last_line));
    return 0;
}
