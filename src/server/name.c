/* name.c: cleans people's names. */
#include "server/name.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uint32_t code_point(const char *text, size_t n)
{
    const unsigned char *c = (const unsigned char *)text;
    static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t point = c[0] & lead[n];
    for (size_t i = 1; i < n; i++)
        point = point << 6 | (c[i] & 0x3f);
    return point;
}

static bool is_space(uint32_t c)
{
    return c == ' ' || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

#define UNSEEN 0xad /* a soft hyphen */

/* Invisible characters, and those that change how their neighbours are shown. */
static bool is_unseen(uint32_t c)
{
    return (c >= 0x80 && c < 0xa0) || c == UNSEEN || c == 0x61c || c == 0x180e ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) ||
           (c >= 0xe0000 && c <= 0xe0fff);
}

/* Bytes of a control character; 0: there is none. */
static size_t control_at(const char *text, size_t n)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x20 || c[0] == 0x7f)
        return 1;
    return n > 1 && c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0 ? 2 : 0;
}

enum fm_err srv_name_clean(char out[SRV_NAME], const char *text, size_t n, struct fm_fault *fault)
{
    size_t length = 0, characters = 0;
    bool gap = false;
    for (size_t i = 0; i < n;) {
        const size_t bytes = fm__character(text + i, n - i), controls = control_at(text + i, n - i);
        const bool control = bytes == 0 && controls > 0;
        if (bytes == 0 && !control)
            return fm_fail(fault, FM_E_VALUE, "name: this is not UTF-8");
        const bool blank = control && strchr("\t\n\r", text[i]) != NULL && text[i] != '\0';
        const uint32_t c = blank ? ' ' : control ? UNSEEN : code_point(text + i, bytes);
        if (is_space(c)) {
            gap = length > 0;
        } else if (!is_unseen(c)) {
            if (characters + gap + 1 > SRV_NAME_CHARACTERS)
                return fm_fail_values(fault, FM_E_NAME_LONG, "name",
                                      FM_VALUES({"max", SRV_NAME_CHARACTERS}));
            if (gap)
                out[length++] = ' ';
            memcpy(out + length, text + i, bytes);
            length += bytes;
            characters += 1u + gap;
            gap = false;
        }
        i += control ? controls : bytes;
    }
    out[length] = '\0';
    return length > 0 ? FM_OK : fm_fail_values(fault, FM_E_NAME_EMPTY, "name", NULL);
}
