/* eyes.c: pictures in, looked through at every depth, a belief out. */
#include "ocean/eyes_state.h"

#include "base/panic.h"

#include <fathom/rng.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

_Static_assert(SIDE *LESS == OC_EYES_PICTURE && LESS % 2 == 0, "pictures are shrunk to SIDE");

const struct oc_acuity oc_acuities[OC_ACUITIES + 1] = {
    {.name = "keen", .steps = 5, .reach = 6},
    {.name = "average", .steps = 3, .reach = 6, .noise = 12},
    {.name = "short-sighted", .steps = 3, .reach = 6, .noise = 24},
    {.name = NULL},
};

const struct oc_acuity *oc_acuity_find(const char *name)
{
    for (const struct oc_acuity *a = oc_acuities; a->name != NULL; a++)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}

/* ---- life ----------------------------------------------------------------------------------- */

struct oc_eyes *oc_eyes_create(const struct oc_art *art, const struct oc_water *water,
                               const struct oc_acuity *acuity)
{
    struct oc_eyes *e = calloc(1, sizeof *e);
    if (e == NULL)
        return NULL;
    e->water = water;
    e->acuity = acuity;
    e->n_looks = acuity->steps * acuity->steps;
    fm_assert(e->n_looks <= OC_EYES_LOOKS && acuity->steps > 1);
    if (oc_eyes_learn(e, art))
        return e;
    free(e);
    return NULL;
}

void oc_eyes_destroy(struct oc_eyes *e)
{
    free(e);
}

int oc_eyes_looks(const struct oc_eyes *e)
{
    return e->n_looks;
}

struct oc_look oc_eyes_look(const struct oc_eyes *e, int i)
{
    const int steps = e->acuity->steps, reach = e->acuity->reach;
    struct oc_look look = oc_look_straight();
    fm_assert(i >= 0 && i < e->n_looks);
    look.tx = (uint8_t)(OC_STRAIGHT - reach + 2 * reach * (i % steps) / (steps - 1));
    look.ty = (uint8_t)(OC_STRAIGHT - reach + 2 * reach * (i / steps) / (steps - 1));
    return look;
}

/* ---- one picture ---------------------------------------------------------------------------- */

static uint8_t clamp(int v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static int noise_of(struct fm_rng *rng, int most)
{
    return most > 0 ? (int)fm_rng_below(rng, (uint32_t)(2 * most + 1)) - most : 0;
}

/* Takes the gloss off, adds noise, and continues the picture beyond its edges. */
static void spread(struct oc_eyes *e, int i, const uint8_t *pixels)
{
    const struct oc_look look = oc_eyes_look(e, i);
    const int noise = e->acuity->noise;
    int gloss[2 * SIDE];
    uint8_t seed[FM_SEED_BYTES] = {0};
    struct fm_rng rng;
    fm_rng_init(&rng, seed, (uint64_t)i);
    for (int at = 0; at < 2 * SIDE; at++)
        gloss[at] = (int)(255 * e->water->sheen *
                          oc_look_gloss(oc_look_tilted(look), LESS * (at + 1), OC_EYES_PICTURE));
    for (int c = 0; c < CHANNELS; c++)
        for (int y = 0; y < ROW; y++) {
            const int py = y < PAD ? 0 : y < PAD + SIDE ? y - PAD : SIDE - 1;
            uint8_t *row = e->view[i][c] + y * ROW;
            for (int x = 0; x < SIDE; x++) {
                const int v = pixels[(py * SIDE + x) * CHANNELS + c] - (c == 0 ? gloss[x + py] : 0);
                row[PAD + x] = clamp(v + noise_of(&rng, noise));
            }
            memset(row, row[PAD], PAD);
            memset(row + PAD + SIDE, row[PAD + SIDE - 1], PAD);
        }
}

static int sum_around(const uint8_t *at, int r)
{
    int sum = 0;
    for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
            sum += at[j * ROW + i];
    return sum;
}

/* Each pixel becomes the mean of a square around it: weaker eyes do not tell its pixels apart. */
static void smear(uint8_t *plane, int r)
{
    static _Thread_local uint8_t copy[ROW * ROW];
    memcpy(copy, plane, sizeof copy);
    for (int y = r; y < ROW - r; y++)
        for (int x = r; x < ROW - r; x++)
            plane[y * ROW + x] =
                (uint8_t)(sum_around(copy + y * ROW + x, r) / ((2 * r + 1) * (2 * r + 1)));
}

void oc_eyes_take(struct oc_eyes *e, int i, const uint8_t *pixels)
{
    spread(e, i, pixels);
    for (int c = 0; c < CHANNELS && e->acuity->blur > 0; c++)
        smear(e->view[i][c], e->acuity->blur);
}

/* The mean of a square of pixels. */
static uint8_t mean(const uint8_t *at, int stride, int side)
{
    int sum = side * side / 2;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            sum += at[y * stride + x];
    return (uint8_t)(sum / (side * side));
}

void oc_eyes_see_frame(struct oc_eyes *e, int i, const struct oc_frame *f)
{
    static _Thread_local uint8_t pixels[SIDE * SIDE * CHANNELS];
    fm_assert(f->size == OC_EYES_PICTURE);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            uint8_t *to = pixels + (y * SIDE + x) * CHANNELS;
            const int chroma = LESS / 2 * (y * f->cstride + x);
            to[0] = mean(f->y + LESS * (y * f->stride + x), f->stride, LESS);
            to[1] = mean(f->u + chroma, f->cstride, LESS / 2);
            to[2] = mean(f->v + chroma, f->cstride, LESS / 2);
        }
    oc_eyes_take(e, i, pixels);
}

/* ---- at every depth ------------------------------------------------------------------------- */

double oc_eyes_shift(const struct oc_eyes *e, double gaps, double degrees)
{
    const double depth = gaps * e->water->gap;
    return depth / (1 + depth * e->water->perspective) * SIDE * tan(degrees * PI / 180);
}

/* Shifts a picture back, by fractions of a pixel, and adds it to the sum; its squares, too, if
 * wanted. */
CLONES static void add_shifted(const uint8_t *view, double dx, double dy, uint16_t *restrict sum,
                               uint32_t *restrict squares)
{
    const int ix = (int)floor(dx), iy = (int)floor(dy);
    const unsigned fx = (unsigned)(16 * (dx - ix)), fy = (unsigned)(16 * (dy - iy));
    const uint16_t w00 = (uint16_t)((16 - fx) * (16 - fy)), w10 = (uint16_t)(fx * (16 - fy));
    const uint16_t w01 = (uint16_t)((16 - fx) * fy), w11 = (uint16_t)(fx * fy);
    fm_assert(abs(ix) < PAD - 1 && abs(iy) < PAD - 1);
    for (int y = 0; y < SIDE; y++) {
        const uint8_t *restrict a = view + (y + PAD + iy) * ROW + PAD + ix;
        const uint8_t *restrict b = a + ROW;
        uint16_t row[SIDE];
        for (int x = 0; x < SIDE; x++)
            row[x] =
                (uint16_t)((uint16_t)(a[x] * w00 + a[x + 1] * w10 + b[x] * w01 + b[x + 1] * w11) >>
                           8);
        for (int x = 0; x < SIDE; x++)
            sum[y * SIDE + x] = (uint16_t)(sum[y * SIDE + x] + row[x]);
        for (int x = 0; x < SIDE && squares != NULL; x++)
            squares[y * SIDE + x] += (uint32_t)row[x] * row[x];
    }
}

/* The mean of three by three: drawings are not aligned to the pixel. */
static void soften(const uint16_t *sum, int n, uint8_t *out)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const int l = x > 0 ? -1 : 0, r = x < SIDE - 1 ? 1 : 0;
            const int u = y > 0 ? -SIDE : 0, d = y < SIDE - 1 ? SIDE : 0;
            const uint16_t *s = sum + y * SIDE + x;
            const int all =
                s[u + l] + s[u] + s[u + r] + s[l] + s[0] + s[r] + s[d + l] + s[d] + s[d + r];
            out[y * SIDE + x] = (uint8_t)(all / (9 * n));
        }
}

static void focus(struct oc_eyes *e, int depth)
{
    static _Thread_local uint16_t sum[SIDE * SIDE];
    static _Thread_local uint32_t squares[SIDE * SIDE];
    const int n = e->n_looks;
    for (int c = CHANNELS - 1; c >= 0; c--) { /* luma last: its sums stay for its unrest */
        memset(sum, 0, sizeof sum);
        memset(squares, 0, sizeof squares);
        for (int i = 0; i < n; i++) {
            const struct oc_look look = oc_eyes_look(e, i);
            add_shifted(e->view[i][c], oc_eyes_shift(e, .5 * depth, oc_look_degrees(look.tx)),
                        oc_eyes_shift(e, .5 * depth, oc_look_degrees(look.ty)), sum,
                        c == 0 ? squares : NULL);
        }
        soften(sum, n, e->sharp[depth][c]);
    }
    for (int p = 0; p < SIDE * SIDE; p++) {
        const float mean = (float)sum[p] / (float)n;
        const float vary = (float)squares[p] / (float)n - mean * mean;
        e->unrest[depth][p] = clamp((int)(4 * sqrtf(fmaxf(vary, 0))));
    }
}

/* ---- belief --------------------------------------------------------------------------------- */

/* The chance that none of the finds of a role is on a level. */
static float none_of(const struct oc_eyes *e, unsigned role, unsigned level)
{
    float none = 1;
    for (int i = 0; i < e->n_finds; i++)
        if (e->find[i].role == role)
            none *= 1 - e->find[i].chance[level];
    return none;
}

static void weigh(const struct oc_eyes *e, unsigned level, float kind[FM_EYES_KINDS])
{
    float odds[OC_MANTA + 1] = {[0] = 1}, sum = 1;
    const float sharkless = none_of(e, OC_SHARK, level);
    for (unsigned helper = OC_GREEN; helper <= OC_MANTA; helper++) {
        const float none = fmaxf(none_of(e, helper, level), 1e-4f);
        odds[helper] = (1 - none) / none;
        sum += odds[helper];
    }
    for (unsigned helper = 0; helper <= OC_MANTA; helper++) {
        kind[helper] = sharkless * odds[helper] / sum;
        kind[helper + 4] = (1 - sharkless) * odds[helper] / sum;
    }
}

void oc_eyes_believe(struct oc_eyes *e, struct oc_belief *belief)
{
    for (int depth = 0; depth < DEPTHS; depth++)
        focus(e, depth);
    oc_eyes_search(e);
    for (int i = 0; i < e->n_finds; i++)
        oc_eyes_judge(&e->find[i]);
    for (unsigned level = 0; level < FM_EYES_LEVELS; level++)
        weigh(e, level, belief->kind[level]);
}

int oc_eyes_finds(const struct oc_eyes *e, const struct oc_find **finds)
{
    *finds = e->find;
    return e->n_finds;
}

unsigned oc_belief_best(const struct oc_belief *b, unsigned level)
{
    unsigned best = 0;
    for (unsigned kind = 1; kind < FM_EYES_KINDS; kind++)
        if (b->kind[level][kind] > b->kind[level][best])
            best = kind;
    return best;
}
