/*
 * sheets.h: what lies on each sheet of a game: creatures, places, sizes, holes, and how the sheet
 * is bent. All of it follows from the deal's secret and the kinds of the sheets, and stays the
 * same for the whole game.
 *
 * A sheet is named by its index in the stack as it was dealt; the top one is the last. Its
 * drawing depends on the secret, its index and its kind alone. Those above it may only decide which
 * way up it lies, and in rare cases which of its drawings is taken (visible.c).
 */
#ifndef OCEAN_SHEETS_H
#define OCEAN_SHEETS_H

#include "ocean/art.h"
#include "ocean/water.h"

#include <stdbool.h>

#define OC_SHEETS       36
#define OC_ITEMS        10
#define OC_HOLES        2
#define OC_FIELD        5 /* a smooth field is given by this many points in each axis */
#define OC_SECRET_BYTES 32
#define OC_KINDS        8
#define OC_KIND_SHARK   4u /* a kind is a helper, 0 .. 3, and perhaps a shark */
#define OC_ORIENTATIONS 8

struct oc_deal { /* what the rules say about the sheets */
    uint8_t secret[OC_SECRET_BYTES];
    int n;
    uint8_t kind[OC_SHEETS];
    uint8_t orientation[OC_SHEETS]; /* quarter turns | 4 if flipped */
};

struct oc_item {
    const struct oc_drawing *drawing;
    float x, y, size, angle; /* centre and length in widths of the card; radians */
    float density, tone;
    bool mirrored;
};

struct oc_hole {
    float x, y, r;
};

struct oc_field { /* from -1 to 1, over the card */
    float at[OC_FIELD][OC_FIELD];
};

struct oc_sheet {
    uint8_t kind, orientation, n_items, n_holes;
    struct oc_item item[OC_ITEMS]; /* drawn in this order: creatures that count last */
    struct oc_hole hole[OC_HOLES];
    float gap;            /* to the sheet above it, in gaps, on average */
    struct oc_field bend; /* ... and how that varies over the card */
    struct oc_field murk;
};

struct oc_sheets {
    const struct oc_water *water;
    int n;
    struct oc_sheet sheet[OC_SHEETS];
};

void oc_sheets_make(struct oc_sheets *s, const struct oc_art *art, const struct oc_water *water,
                    const struct oc_deal *deal);
/* One sheet alone; `attempt` counts drawings that were put aside because too little of a
 * creature could be seen. */
void oc_sheet_make(struct oc_sheet *sheet, const struct oc_art *art, const struct oc_water *water,
                   const struct oc_deal *deal, int index, unsigned attempt);
bool oc_counts(const struct oc_item *item); /* does it decide the sheet's kind? */

float oc_field_at(const struct oc_field *f, float x, float y); /* x and y from 0 to 1 */

/* A place on a sheet as drawn, where it is once the sheet lies in its orientation. */
void oc_orient(unsigned orientation, float *x, float *y);

struct oc_circle { /* around a creature that counts, on the sheet as it lies */
    enum oc_role role;
    float x, y, r; /* in widths of the card; no ink of the creature is outside it */
};

/* In the order in which they are drawn; returns how many there are, at most OC_ITEMS. It tells what
 * the sheet is: only for sheets that were revealed. */
int oc_sheet_circles(const struct oc_sheet *sheet, struct oc_circle out[OC_ITEMS]);
unsigned oc_role_kind(
    enum oc_role role); /* the kind of a sheet with nothing else; of the first four */
/* The same as JSON, at most OC_CIRCLES_TEXT bytes: {"creatures":[{"creature":"shark","x":0.5,…}]}.
 * kinds: the game's names for them, of struct fm_ocean. */
#define OC_CIRCLES_TEXT 1024
struct fm_out;
void oc_sheet_circles_put(struct fm_out *o, const struct oc_sheet *sheet, const char *const *kinds);

/* ---- visible.c ------------------------------------------------------------------------------ */

#define OC_VISIBLE   .25 /* at least this much of what counts can be seen, in some view ... */
#define OC_SEEN_DOWN 6   /* ... down to the level of the anglerfish */

/* How much of each creature that counts can be seen, in the best view, of the sheet `index` when
 * `above` sheets lie on it, by role; 1 if there is none. */
void oc_visible_each(const struct oc_sheets *s, int index, int above, double part[OC_MANTA + 1]);
/* The smallest of these. */
double oc_visible(const struct oc_sheets *s, int index, int above);
/* The smallest of these for all sheets of a game, each under as many as can lie on it. */
double oc_least_visible(const struct oc_sheets *s);
/* Turn sheets over, and draw anew where that does not help, until every creature can be seen. */
void oc_make_visible(struct oc_sheets *s, const struct oc_art *art, const struct oc_deal *deal);

/* ---- from the rules (deal.c) ---------------------------------------------------------------- */

struct fm_game;
const struct fm_game *oc_game(void); /* the first game with such a stack; NULL: there is none */
/* Of a match that was just dealt: later, sheets are missing. The game has a stack. */
void oc_deal_of(struct oc_deal *deal, const struct fm_game *game, const void *state);

#endif
