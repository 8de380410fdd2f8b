/*
 * fuzz_look.c: any bytes as a request for a picture: a tilt, a newline, a lamp.
 *
 * Each is refused with a sentence and changes nothing, or gives a look whose text is read as the
 * same look.
 */
#include "fuzz.h"

#include "base/panic.h"
#include "ocean/look.h"

#include <stdlib.h>
#include <string.h>

/* Text in memory of exactly its length, so that reading past its end is found. */
static char *text_of(const uint8_t *data, size_t n)
{
    char *text = malloc(n + 1);
    fm_assert(text != NULL);
    memcpy(text, data, n);
    text[n] = '\0';
    return text;
}

static bool same(struct oc_look a, struct oc_look b)
{
    return a.tx == b.tx && a.ty == b.ty && a.light == b.light && a.lamp == b.lamp;
}

typedef enum fm_err reader(struct oc_look *look, const char *text, struct fm_fault *fault);

static void read_with(reader *read, struct oc_look *look, const uint8_t *data, size_t n)
{
    struct fm_fault fault = {.code = FM_OK};
    const struct oc_look before = *look;
    char *text = text_of(data, n);
    if (read(look, text, &fault) != FM_OK) {
        fm_assert(fault.code == FM_E_VALUE && fault.text[0] != '\0');
        fm_assert(strlen(fault.text) < FM_FAULT_TEXT - 1); /* what it quotes never cuts it */
        fm_assert(same(*look, before));
    } else {
        fm_assert(strlen(text) <= OC_LOOK_TEXT);
    }
    free(text);
}

static void check(struct oc_look look)
{
    char text[OC_LOOK_TEXT + 1];
    struct fm_out o;
    double x = -1, y = -1;
    fm_assert(oc_look_number(look) < OC_LOOKS);
    fm_assert(same(oc_look_at(oc_look_number(look)), look));
    oc_look_spot(look, &x, &y);
    fm_assert(x >= 0 && x <= 1 && y >= 0 && y <= 1);

    struct oc_look again = oc_look_straight();
    fm_out_init(&o, text, sizeof text);
    oc_look_put(&o, look);
    fm_assert(fm_out_ok(&o));
    const char *space = strchr(text, ' ');
    const size_t tilt = space != NULL ? (size_t)(space - text) : o.len;
    read_with(oc_look_tilt, &again, (const uint8_t *)text, tilt);
    if (space != NULL)
        read_with(oc_look_lamp, &again, (const uint8_t *)space + 1, o.len - tilt - 1);
    fm_assert(same(again, look));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct oc_look look = oc_look_straight();
    const uint8_t *newline = n > 0 ? memchr(data, '\n', n) : NULL;
    const size_t tilt = newline != NULL ? (size_t)(newline - data) : n;
    read_with(oc_look_tilt, &look, data, tilt);
    check(look);
    if (newline != NULL)
        read_with(oc_look_lamp, &look, newline + 1, n - tilt - 1);
    check(look);
    return 0;
}
