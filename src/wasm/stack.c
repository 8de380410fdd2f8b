/*
 * stack.c: what the ocean has to know of the match to draw its stack.
 *
 * It goes from this Worker to the ocean's and never to the page, which gets only pictures. What may
 * be looked at is what a server would show: the stack of the present round and the sheets of the
 * last dive, and everything once the game is over.
 */
#include "wasm/deal.h"
#include "wasm/match.h"
#include "wasm/text.h"

#include "base/panic.h"
#include "ocean/past.h"

#include <string.h>

/* The round in a game that is over; if it was dealt anew, it went on from the new deal. */
static struct oc_past replay(const struct fm__told *told, void *dealt, unsigned round)
{
    const struct fm_game *g = told->setup->game;
    const size_t n = told->redealt != NULL ? told->redealt_at : told->n_events;
    struct oc_past p = oc_past_find(g, dealt, told->event, n, round);
    if (told->redealt == NULL)
        return p;
    memcpy(dealt, told->redealt, g->state_size);
    const struct oc_past later = oc_past_find(g, dealt, told->event + n, told->n_events - n, round);
    if (later.left > 0) {
        p.left = later.left;
        p.covered = later.covered;
        p.x = later.x;
        p.y = later.y;
    }
    if (later.n_turned > 0) {
        p.n_turned = later.n_turned;
        p.top = later.top;
    }
    return p;
}

static struct oc_past find(const struct fm__told *told, void *dealt, unsigned round)
{
    const struct fm_game *g = told->setup->game;
    const struct fm_pub *pub = told->match;
    struct oc_past p = {0};
    struct fm_stack stack;
    if (pub->status == FM_OVER)
        return replay(told, dealt, round);
    g->ocean->stack(told->match, &stack);
    oc_past_note(&p, &stack, round);
    return p;
}

static void put_past(struct fm_out *o, const struct oc_past *p)
{
    fm_js_key_int(o, "left", p->left);
    fm_js_key_int(o, "turned", p->n_turned);
    fm_js_key_int(o, "top", p->top);
    fm_js_key(o, "cover");
    if (!p->covered) {
        fm_js_null(o);
        return;
    }
    fm_js_array(o);
    fm_js_fixed(o, p->x, 4);
    fm_js_fixed(o, p->y, 4);
    fm_js_end_array(o);
}

/* {"secret":…,"sheets":…,"kinds":[…],"levels":5,"lamps":false,"left":36,"turned":0,"top":0,
 * "cover":[x,y]}: the deal, and what may be seen of a round. left: sheets in its stack; 0: not to
 * be seen. turned: how many sheets were turned over, from the index `top` down. */
int engine_stack(unsigned round);
EXPORT("stack") int engine_stack(unsigned round)
{
    static alignas(8) uint8_t dealt[FM_STATE_MAX];
    struct fm_fault fault = {.action = -1};
    struct fm_stack stack;
    const struct fm__told told = match_so_far();
    const struct fm_game *g = told.setup->game;
    if (g->ocean == NULL) {
        (void)fm_fail(&fault, FM_E_NO_PATH, "there is no ocean at this table");
        return text_refused(&fault);
    }
    struct fm_out *o = text_answer();
    fm_assert(fm_init(dealt, told.setup, NULL) == FM_OK);
    fm_js_object(o);
    put_deal(o, g, dealt, told.redealt);
    g->ocean->stack(dealt, &stack);
    fm_js_key(o, "lamps");
    fm_js_bool(o, stack.lamps);
    const struct oc_past p = find(&told, dealt, round);
    put_past(o, &p);
    fm_js_end_object(o);
    return text_answered();
}
