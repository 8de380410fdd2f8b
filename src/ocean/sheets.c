/* sheets.c: draws up the sheets of a game. */
#include "ocean/sheets.h"

#include <fathom/ocean.h>
#include <fathom/out.h>
#include <fathom/rng.h>

#include <math.h>
#include <string.h>

#define PI            3.14159265358979323846
#define DECORATIONS   3   /* at least; and up to three more */
#define WHALES        .35 /* of the sheets on which nothing counts */
#define DRAWING_TRIES 200
#define PLACE_TRIES   60

/* ---- chance --------------------------------------------------------------------------------- */

static double chance(struct fm_rng *rng) /* from 0 to 1 */
{
    return fm_rng_u32(rng) * 0x1p-32;
}

static double between(struct fm_rng *rng, double least, double most)
{
    return least + (most - least) * chance(rng);
}

static double around(struct fm_rng *rng, double vary) /* 1, more or less */
{
    return 1 + vary * between(rng, -1, 1);
}

/* ---- fields --------------------------------------------------------------------------------- */

static void make_field(struct oc_field *f, struct fm_rng *rng)
{
    for (int y = 0; y < OC_FIELD; y++)
        for (int x = 0; x < OC_FIELD; x++)
            f->at[y][x] = (float)between(rng, -1, 1);
}

static float along(float v, int *cell) /* which cell, and how far through it, smoothly */
{
    v = fminf(fmaxf(v, 0), .9999f) * (OC_FIELD - 1);
    *cell = (int)v;
    v -= (float)*cell;
    return v * v * (3 - 2 * v);
}

float oc_field_at(const struct oc_field *f, float x, float y)
{
    int i, j;
    const float u = along(x, &i), v = along(y, &j);
    const float top = f->at[j][i] + u * (f->at[j][i + 1] - f->at[j][i]);
    const float low = f->at[j + 1][i] + u * (f->at[j + 1][i + 1] - f->at[j + 1][i]);
    return top + v * (low - top);
}

/* ---- placing -------------------------------------------------------------------------------- */

bool oc_counts(const struct oc_item *item)
{
    return item->drawing->role <= OC_MANTA;
}

static double footprint(const struct oc_item *item) /* a circle that holds most of its ink */
{
    return .85 * (double)item->drawing->reach * (double)item->size;
}

/* Is there room for this item? Inks of a sheet may touch, never cover each other. */
static bool fits(const struct oc_sheet *sheet, const struct oc_item *item)
{
    const double foot = footprint(item);
    const bool counts = oc_counts(item);
    for (int i = 0; i < sheet->n_items; i++) {
        const struct oc_item *other = &sheet->item[i];
        const double apart = hypot((double)(other->x - item->x), (double)(other->y - item->y));
        if (apart < (counts ? .95 : .80) * (foot + footprint(other)))
            return false;
    }
    for (int i = 0; i < sheet->n_holes; i++) {
        const struct oc_hole *hole = &sheet->hole[i];
        const double apart = hypot((double)(hole->x - item->x), (double)(hole->y - item->y));
        if (apart < (double)hole->r + (counts ? .95 : .70) * foot)
            return false;
    }
    return true;
}

/* Creatures that count lie on the card but for the tip of a fin, decoration may hang over its edge.
 */
static bool place(struct oc_sheet *sheet, struct oc_item item, struct fm_rng *rng, bool pressed)
{
    const double margin = fmin((oc_counts(&item) ? 1.0 : .8) * footprint(&item), .5);
    for (int i = 0; i < PLACE_TRIES; i++) {
        item.x = (float)between(rng, margin, 1 - margin);
        item.y = (float)between(rng, margin, 1 - margin);
        if (pressed || fits(sheet, &item)) {
            sheet->item[sheet->n_items++] = item;
            return true;
        }
    }
    return false;
}

static bool add(struct oc_sheet *sheet, const struct oc_art *art, const struct oc_water *water,
                enum oc_role role, struct fm_rng *rng, bool pressed)
{
    const struct oc_drawing *d = oc_art_pick(art, role, chance(rng));
    const double ink = role == OC_DECORATION ? water->decoration_ink : water->ink;
    struct oc_item item = {.drawing = d};
    item.mirrored = chance(rng) < .5;
    item.size = (float)between(rng, (double)d->small, (double)d->large);
    item.angle = (float)between(rng, 0, 2 * PI);
    item.tone = (float)around(rng, water->tone_vary);
    item.density = (float)(ink * around(rng, water->ink_vary));
    return place(sheet, item, rng, pressed);
}

static void punch(struct oc_sheet *sheet, const struct oc_water *water, struct fm_rng *rng)
{
    if (chance(rng) >= water->hole)
        return;
    const int n = chance(rng) < .5 ? 1 : 2;
    for (int i = 0; i < n; i++) {
        struct oc_hole *h = &sheet->hole[i];
        h->r = (float)between(rng, .05, .10);
        h->x = (float)between(rng, .15, .85);
        h->y = (float)between(rng, .15, .85);
    }
    const struct oc_hole *a = &sheet->hole[0], *b = &sheet->hole[1];
    const bool apart = hypot((double)(a->x - b->x), (double)(a->y - b->y)) > .3;
    sheet->n_holes = (uint8_t)(n == 2 && apart ? 2 : 1);
}

/* ---- sheets --------------------------------------------------------------------------------- */

/* Holes and creatures that count; false if there was no room. */
static bool settle(struct oc_sheet *sheet, const struct oc_art *art, const struct oc_water *water,
                   struct fm_rng *rng, bool pressed)
{
    const unsigned helper = sheet->kind & (OC_KIND_SHARK - 1);
    sheet->n_items = sheet->n_holes = 0;
    if (!pressed)
        punch(sheet, water, rng);
    if (sheet->kind & OC_KIND_SHARK && !add(sheet, art, water, OC_SHARK, rng, pressed))
        return false;
    return helper == 0 || add(sheet, art, water, (enum oc_role)helper, rng, pressed);
}

static void decorate(struct oc_sheet *sheet, const struct oc_art *art, const struct oc_water *water,
                     struct fm_rng *rng)
{
    const int counting = sheet->n_items;
    struct oc_item keys[2];
    if (counting == 0 && chance(rng) < WHALES)
        add(sheet, art, water, OC_WHALE, rng, false);
    for (int n = DECORATIONS + (int)fm_rng_below(rng, 4); n > 0; n--)
        add(sheet, art, water, OC_DECORATION, rng, false);
    memcpy(keys, sheet->item, sizeof keys); /* drawn last, they are not covered */
    memmove(sheet->item, sheet->item + counting,
            (size_t)(sheet->n_items - counting) * sizeof sheet->item[0]);
    memcpy(sheet->item + sheet->n_items - counting, keys, (size_t)counting * sizeof keys[0]);
}

_Static_assert(2 + 1 + DECORATIONS + 3 <= OC_ITEMS, "all items of a sheet have room");

void oc_sheet_make(struct oc_sheet *sheet, const struct oc_art *art, const struct oc_water *water,
                   const struct oc_deal *deal, int index, unsigned attempt)
{
    struct fm_rng rng;
    /* The sheet's own stream: no other sheet's drawing moves this one's. Films before drawings:
     * they stay when a sheet is drawn anew. */
    fm_rng_init(&rng, deal->secret, (uint64_t)index);
    memset(sheet, 0, sizeof *sheet);
    sheet->kind = deal->kind[index];
    sheet->orientation = deal->orientation[index];
    sheet->gap = (float)around(&rng, water->gap_vary);
    make_field(&sheet->bend, &rng);
    make_field(&sheet->murk, &rng);
    fm_rng_init(&rng, deal->secret, (uint64_t)index | (uint64_t)(attempt + 1) << 8);
    bool settled = false;
    for (int i = 0; i < DRAWING_TRIES && !settled; i++)
        settled = settle(sheet, art, water, &rng, false);
    if (!settled) /* art of enormous creatures: they overlap, but none is left out */
        settle(sheet, art, water, &rng, true);
    decorate(sheet, art, water, &rng);
}

void oc_sheets_make(struct oc_sheets *s, const struct oc_art *art, const struct oc_water *water,
                    const struct oc_deal *deal)
{
    memset(s, 0, sizeof *s);
    s->water = water;
    s->n = deal->n;
    for (int i = 0; i < s->n; i++)
        oc_sheet_make(&s->sheet[i], art, water, deal, i, 0);
    oc_make_visible(s, art, deal);
}

void oc_orient(unsigned orientation, float *x, float *y)
{
    float u = *x - .5f, v = *y - .5f;
    if (orientation & 4)
        u = -u;
    for (unsigned i = 0; i < (orientation & 3); i++) {
        const float w = u;
        u = -v;
        v = w;
    }
    *x = u + .5f;
    *y = v + .5f;
}

int oc_sheet_circles(const struct oc_sheet *sheet, struct oc_circle out[OC_ITEMS])
{
    int n = 0;
    for (int i = 0; i < sheet->n_items; i++) {
        const struct oc_item *item = &sheet->item[i];
        if (!oc_counts(item))
            continue;
        struct oc_circle *c = &out[n++];
        *c = (struct oc_circle){.role = item->drawing->role,
                                .x = item->x,
                                .y = item->y,
                                .r = item->drawing->reach * item->size};
        oc_orient(sheet->orientation, &c->x, &c->y);
    }
    return n;
}

unsigned oc_role_kind(enum oc_role role)
{
    static const uint8_t kind[] = {[OC_SHARK] = FM_SHEET_SHARK,
                                   [OC_GREEN] = FM_SHEET_GREEN,
                                   [OC_RED] = FM_SHEET_RED,
                                   [OC_MANTA] = FM_SHEET_MANTA};
    return kind[role];
}

static void put_circle(struct fm_out *o, const struct oc_circle *c, const char *const *kinds)
{
    fm_js_object(o);
    fm_js_key_word(o, "creature", kinds[oc_role_kind(c->role)]);
    fm_js_key(o, "x");
    fm_js_fixed(o, (double)c->x, 3);
    fm_js_key(o, "y");
    fm_js_fixed(o, (double)c->y, 3);
    fm_js_key(o, "r");
    fm_js_fixed(o, (double)c->r, 3);
    fm_js_end_object(o);
}

void oc_sheet_circles_put(struct fm_out *o, const struct oc_sheet *sheet, const char *const *kinds)
{
    struct oc_circle circle[OC_ITEMS];
    const int n = oc_sheet_circles(sheet, circle);
    fm_js_object(o);
    fm_js_key(o, "creatures");
    fm_js_array(o);
    for (int i = 0; i < n; i++)
        put_circle(o, &circle[i], kinds);
    fm_js_end_array(o);
    fm_js_end_object(o);
}
