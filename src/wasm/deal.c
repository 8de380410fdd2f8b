/* deal.c: the other side is Deal of web/src/engine/ocean.ts. */
#include "wasm/deal.h"

#include "ocean/sheets.h"

#include <fathom/ocean.h>

void put_deal(struct fm_out *o, const struct fm_game *g, const void *dealt, const void *redealt)
{
    struct oc_deal deal;
    uint8_t sheet[FM_SHEETS_MAX];
    oc_deal_of(&deal, g, dealt);
    const unsigned n = g->ocean->sheets(dealt, sheet);
    if (redealt != NULL)
        (void)g->ocean->sheets(redealt, sheet); /* those turned over before stay as they were */
    fm_js_key(o, "secret");
    fm_js_hex(o, deal.secret, sizeof deal.secret);
    fm_js_key(o, "sheets");
    fm_js_hex(o, sheet, n);
    fm_js_key(o, "kinds");
    fm_js_array(o);
    for (const char *const *kind = g->ocean->kinds; *kind != NULL; kind++)
        fm_js_text(o, *kind);
    fm_js_end_array(o);
    fm_js_key_int(o, "levels", g->ocean->levels);
}
