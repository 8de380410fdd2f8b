/* text.c: cleaning of foreign text, the form of ids. */
#include "base/text.h"

#include <stdint.h>
#include <string.h>

/* Well-formed is what table 3-7 of Unicode lists. */
size_t fm__character(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    static const struct {
        unsigned char first, last, low, high; /* of the first byte; of the second */
        unsigned char n;
    } rows[] = {
        {0x20, 0x7e, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; n > 0 && i < sizeof rows / sizeof rows[0]; i++) {
        if (p[0] < rows[i].first || p[0] > rows[i].last)
            continue;
        if (rows[i].n > n)
            return 0;
        if (rows[i].n > 1 && (p[1] < rows[i].low || p[1] > rows[i].high))
            return 0;
        for (size_t k = 2; k < rows[i].n; k++)
            if ((p[k] & 0xc0) != 0x80)
                return 0;
        if (p[0] == 0xc2 && p[1] < 0xa0) /* C1 controls */
            return 0;
        return rows[i].n;
    }
    return 0;
}

bool fm__is_utf8(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    for (size_t i = 0; i < n;) {
        const bool control = p[i] == 0xc2 && i + 1 < n && p[i + 1] >= 0x80 && p[i + 1] < 0xa0;
        const size_t bytes = p[i] < 0x80 ? 1 : control ? 2 : fm__character(text + i, n - i);
        if (bytes == 0)
            return false;
        i += bytes;
    }
    return true;
}

void fm__clean(char *text)
{
    const char *end = text + strlen(text);
    while (text < end) {
        const size_t n = fm__character(text, (size_t)(end - text));
        if (n == 0)
            *text = '?';
        text += n == 0 ? 1 : n;
    }
}

bool fm__is_id(const char *text)
{
    char before = '-';
    for (const char *p = text; *p != '\0'; p++) {
        const bool plain = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9');
        if (!plain && (*p != '-' || before == '-'))
            return false;
        before = *p;
    }
    return before != '-';
}
