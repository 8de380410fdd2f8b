/* unhex.c: hex digits back to bytes. */
#include "base/hash.h"

#include <string.h>

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

int fm__unhex(uint8_t *out, size_t n, const char *hex)
{
    if (strspn(hex, "0123456789abcdef") != 2 * n || hex[2 * n] != '\0')
        return -1;
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return 0;
}
