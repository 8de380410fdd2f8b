/* fuzz_puzzle.c: any bytes as a puzzle's file: what is accepted is what would be written. */
#include "fuzz.h"

#include "analysis/puzzle.h"
#include "base/panic.h"

#include <string.h>

/* What is taken can be weighed: all its candidates are tried in a few worlds. */
static void weigh(const struct puzzle *p)
{
    static struct race race;
    static struct decision d;
    d = p->decision;
    fm__decision_weigh_roughly(&d, &race);
    fm_assert(d.n <= p->decision.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct puzzle puzzle;
    static struct puzzle_memory memory;
    static char text[PUZZLE_TEXT];
    struct fm_fault fault = {.code = FM_OK};
    struct fm_out o;
    memory.library = fuzz_library();
    const enum fm_err err = fm__puzzle_read(&puzzle, (const char *)data, n, &memory, &fault);
    if (err != FM_OK) {
        fm_assert(fault.code == err && fault.text[0] != '\0');
        return 0;
    }
    fm_assert(fm__puzzle_margin(&puzzle.decision) >= PUZZLE_MARGIN);
    fm_out_init(&o, text, sizeof text);
    fm__put_puzzle(&o, &puzzle, memory.record);
    fm_assert(fm_out_ok(&o) && o.len == n && memcmp(text, data, n) == 0);
    weigh(&puzzle);
    return 0;
}
