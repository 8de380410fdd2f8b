/* fuzz_svg.c: any bytes as a drawing: refused with a reason, or drawn in all sizes, and soon. */
#include "fuzz.h"

#include "base/panic.h"
#include "ocean/art.h"

#include <string.h>
#include <time.h>

#define TOO_LONG                                                                                   \
    3.0 /* seconds of this process; a drawing at the limits, with sanitizers, takes 1 */

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct oc_drawing d = {.name = "fuzz"};
    struct fm_fault fault = {.code = FM_OK};
    const double start = seconds();
    const enum fm_err err = oc_drawing_load(&d, (const char *)data, n, &fault);
    fm_assert((d.sprites != NULL) == (err == FM_OK));
    for (int i = 0; err == FM_OK && i < OC_SPRITES; i++)
        fm_assert(oc_sprite(&d, i) != NULL);
    fm_assert(seconds() - start < TOO_LONG);
    if (err == FM_OK)
        fm_assert(d.reach > 0 && d.reach < 0.71f);
    else
        fm_assert(fault.code == err && fault.text[0] != '\0' && fault.line >= 0);
    oc_drawing_finish(&d);
    return 0;
}
