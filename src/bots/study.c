/* study.c: chances in millionths as JSON. */
#include "bots/study.h"

void fm__js_chance(struct fm_out *o, int64_t chance)
{
    char text[32], *end = text + sizeof text, *at = end;
    int64_t rest = chance < 0 ? -chance : chance;
    for (int i = 0; i < 7 || rest > 0; i++) {
        if (i == 6)
            *--at = '.';
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    }
    if (chance < 0)
        *--at = '-';
    fm_js_raw(o, at, (size_t)(end - at));
}

void fm__js_key_chance(struct fm_out *o, const char *key, int64_t chance)
{
    fm_js_key(o, key);
    fm__js_chance(o, chance);
}
