/*
 * ocean.c: the see-through stack in the page, one round at a time. The other side is
 * web/src/engine/ocean.ts.
 *
 * The engine, in another Worker, tells what lies in the stack (deal.c).
 */
#include "ocean/pack.h"
#include "wasm/text.h"

#include "base/panic.h"
#include "ocean/layers.h"
#include "ocean/picture.h"
#include "ocean/witness.h"

#include <stdlib.h>
#include <string.h>

struct oc_sprites { /* pictures of a drawing, in the pack */
    const uint32_t *pixels[OC_SPRITES];
};

static struct {
    uint8_t *pack;
    size_t pack_n;
    struct oc_art art;
    struct oc_sprites sprites[OC_DRAWINGS];
    struct oc_deal deal; /* of the sheets */
    struct oc_sheets sheets;
    struct oc_scratch *scratch;
    struct oc_layers *layers;
    struct oc_patch patch;
    bool covered;
    struct oc_frame frame;
    uint8_t pixels[4 * PACK_WINDOW * PACK_WINDOW];
    struct oc_witness *witness; /* for this water, and these eyes; NULL: none yet */
    const struct oc_water *looked_through;
    bool sharp;
    struct fm__scene scene;
} o;

/* ---- drawings -------------------------------------------------------------------------------- */

const uint32_t *oc_sprite(const struct oc_drawing *d, int i)
{
    return d->sprites->pixels[i];
}

/* Where the drawings go, not compressed; NULL: no memory. */
uint8_t *ocean_pack(size_t n);
EXPORT("pack") uint8_t *ocean_pack(size_t n)
{
    free(o.pack);
    o.pack = malloc(n);
    o.pack_n = n;
    return o.pack;
}

static const uint8_t *take(size_t *at, size_t n) /* NULL: the pack is too short */
{
    const uint8_t *from = n <= o.pack_n - *at ? o.pack + *at : NULL;
    *at += from != NULL ? n : 0;
    return from;
}

static bool take_head(struct oc_drawing *d, int *largest, size_t *at)
{
    struct pack_head head;
    const uint8_t *from = take(at, sizeof head);
    if (from == NULL)
        return false;
    memcpy(&head, from, sizeof head);
    if (head.role >= OC_ROLES || head.largest >= OC_SPRITES)
        return false;
    *d = (struct oc_drawing){.role = (uint8_t)head.role,
                             .small = head.small,
                             .large = head.large,
                             .weight = head.weight,
                             .reach = head.reach};
    memcpy(d->name, head.name, sizeof d->name);
    *largest = (int)head.largest;
    return true;
}

static bool take_pictures(struct oc_sprites *s, int largest, size_t *at)
{
    for (int i = largest; i < OC_SPRITES; i++) {
        const size_t side = OC_SPRITE_MAX >> i;
        s->pixels[i] = (const uint32_t *)(const void *)take(at, side * side * sizeof(uint32_t));
        if (s->pixels[i] == NULL)
            return false;
    }
    return true;
}

/* Reads the pack; false: it is not a pack, or there is no memory. */
bool ocean_open(void);
EXPORT("open") bool ocean_open(void)
{
    int largest[OC_DRAWINGS];
    size_t at = 0;
    const uint8_t *count = take(&at, sizeof(uint32_t));
    o.art.n = count != NULL && count[0] <= OC_DRAWINGS ? count[0] : 0;
    for (int i = 0; i < o.art.n; i++) {
        struct oc_drawing *d = &o.art.drawing[i];
        if (!take_head(d, &largest[i], &at))
            return false;
        d->sprites = &o.sprites[i];
        o.art.weight[d->role] += d->weight;
    }
    for (int i = 0; i < o.art.n; i++)
        if (!take_pictures(&o.sprites[i], largest[i], &at))
            return false;
    struct fm_fault fault;
    o.scratch = oc_scratch_create();
    return o.art.n > 0 && at == o.pack_n && o.scratch != NULL &&
           oc_frame_init(&o.frame, PACK_WINDOW, &fault) == FM_OK;
}

/* ---- the stack ------------------------------------------------------------------------------- */

/* Where a deal's bytes go: its secret, then kind | orientation << 3 of each sheet. */
uint8_t *ocean_room(void);
EXPORT("room") uint8_t *ocean_room(void)
{
    static uint8_t room[OC_SECRET_BYTES + OC_SHEETS + OC_LOOK_TEXT + 1];
    return room;
}

static bool read_deal(struct oc_deal *deal, int n)
{
    const uint8_t *from = ocean_room(), *sheet = from + OC_SECRET_BYTES;
    if (n < 0 || n > OC_SHEETS)
        return false;
    memset(deal, 0, sizeof *deal);
    memcpy(deal->secret, from, OC_SECRET_BYTES);
    deal->n = n;
    for (int i = 0; i < n; i++) {
        deal->kind[i] = sheet[i] & (OC_KINDS - 1);
        deal->orientation[i] = sheet[i] >> 3 & (OC_ORIENTATIONS - 1);
    }
    return true;
}

/* Makes the sheets of the deal in the room, n of them. */
bool ocean_deal(int n, int water);
EXPORT("deal") bool ocean_deal(int n, int water)
{
    if (water < 0 || water >= OC_WATERS || !read_deal(&o.deal, n))
        return false;
    oc_layers_free(o.layers);
    o.layers = NULL;
    oc_sheets_make(&o.sheets, &o.art, &oc_waters[water], &o.deal);
    return true;
}

/* Bakes the stack when `left` sheets are in it, with nothing on top; false: no memory. What lay on
 * top is freed first, so that nothing keeps the new layers from taking the old ones' memory. */
bool ocean_bake(int left, bool lamps);
EXPORT("bake") bool ocean_bake(int left, bool lamps)
{
    struct fm_fault fault;
    oc_patch_finish(&o.patch);
    o.covered = false;
    oc_layers_free(o.layers);
    o.layers = NULL;
    if (left < 0 || left > o.sheets.n)
        return false;
    o.layers = oc_bake(&o.sheets, left, PACK_WINDOW, lamps, o.scratch, &fault);
    return o.layers != NULL;
}

/* Something covers part of the stack, here; below zero: nothing does. */
bool ocean_cover(double x, double y);
EXPORT("cover") bool ocean_cover(double x, double y)
{
    struct fm_fault fault;
    oc_patch_finish(&o.patch);
    o.covered = x >= 0 && oc_patch_init(&o.patch, &o.art, PACK_WINDOW, x, y, &fault) == FM_OK;
    return o.covered == (x >= 0);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static const uint8_t *shown(void)
{
    oc_frame_rgba(&o.frame, o.pixels);
    return o.pixels;
}

/* RGBA of a look, tilted by x and y degrees; the room has its lamp as a text of lamp_n bytes; 0:
 * daylight. NULL: there is no such look. */
const uint8_t *ocean_look(double x, double y, size_t lamp_n);
EXPORT("look") const uint8_t *ocean_look(double x, double y, size_t lamp_n)
{
    struct fm_fault fault;
    struct oc_look look = oc_look_straight();
    char *lamp = (char *)ocean_room();
    if (o.layers == NULL || !(x >= -OC_TILT_MAX && x <= OC_TILT_MAX && y >= -OC_TILT_MAX &&
                              y <= OC_TILT_MAX && lamp_n <= OC_LOOK_TEXT))
        return NULL;
    lamp[lamp_n] = '\0';
    if (lamp_n > 0 &&
        (o.layers->lit_slab.y.at == NULL || oc_look_lamp(&look, lamp, &fault) != FM_OK))
        return NULL;
    oc_view_tilted(o.layers, look, (struct oc_tilt){x, y}, o.covered ? &o.patch : NULL,
                   oc_kernel_best(), &o.frame);
    return shown();
}

/* RGBA of one sheet alone; NULL: there is no such sheet, or no memory. */
const uint8_t *ocean_sheet(int index);
EXPORT("sheet") const uint8_t *ocean_sheet(int index)
{
    struct fm_fault fault;
    if (index < 0 || index >= o.sheets.n ||
        oc_sheet_picture(&o.frame, &o.sheets.sheet[index], &fault) != FM_OK)
        return NULL;
    return shown();
}

struct found { /* a creature that counts, as the page reads it */
    float kind, x, y, r;
};

static struct found found[OC_ITEMS];

const struct found *ocean_found(void);
EXPORT("found") const struct found *ocean_found(void)
{
    return found;
}

/* How many creatures that count lie on a sheet; *ocean_found() has them. */
int ocean_creatures(int index);
EXPORT("creatures") int ocean_creatures(int index)
{
    struct oc_circle circle[OC_ITEMS];
    if (index < 0 || index >= o.sheets.n)
        return 0;
    const int n = oc_sheet_circles(&o.sheets.sheet[index], circle);
    for (int i = 0; i < n; i++)
        found[i] = (struct found){(float)oc_role_kind(circle[i].role), circle[i].x, circle[i].y,
                                  circle[i].r};
    return n;
}

/* ---- eyes ------------------------------------------------------------------------------------ */

static bool open_eyes(bool sharp)
{
    if (o.witness != NULL && o.looked_through == o.sheets.water && o.sharp == sharp)
        return true;
    oc_witness_destroy(o.witness);
    o.witness = oc_witness_create(&o.art, o.sheets.water, sharp);
    o.looked_through = o.sheets.water;
    o.sharp = sharp;
    return o.witness != NULL;
}

/* Bytes of what eyes make of a stack, the same in analysis.c. */
size_t ocean_scene_bytes(void);
EXPORT("scene_bytes") size_t ocean_scene_bytes(void)
{
    return sizeof o.scene - offsetof(struct fm__scene, average);
}

/* What average eyes, and perhaps sharp ones, make of the stack when `left` sheets are in it,
 * covered here (below zero: by nothing), and what was there; NULL: no such stack, or no memory. */
const uint8_t *ocean_scene(int left, double x, double y, bool sharp);
EXPORT("scene") const uint8_t *ocean_scene(int left, double x, double y, bool sharp)
{
    struct fm_fault fault;
    if (left < 0 || left > o.sheets.n || !(x <= 1 && y <= 1))
        return NULL;
    const struct fm_stack stack = {.n = (uint8_t)left,
                                   .open = true,
                                   .covered = x >= 0,
                                   .x = (uint16_t)(x >= 0 ? x * FM_STACK_SCALE + .5 : 0),
                                   .y = (uint16_t)(y >= 0 ? y * FM_STACK_SCALE + .5 : 0)};
    if (!open_eyes(sharp) ||
        oc_witness_look(o.witness, &o.sheets, &stack, &o.scene, &fault) != FM_OK)
        return NULL;
    return (const uint8_t *)&o.scene.average;
}

/* How views are drawn: "simd128" or "plain". */
const char *ocean_kernel(void);
EXPORT("kernel") const char *ocean_kernel(void)
{
    return oc_kernel_name(oc_kernel_best());
}
