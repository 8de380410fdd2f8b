/*
 * eyes_find.c: creatures in pictures that are sharp at one depth.
 *
 * A first glance tries every drawing in all directions, some sizes and all places of a picture
 * half as fine, with few points; a second look moves, turns and sizes the best of them until they
 * agree best, and then tries other depths and the light of other levels.
 */
#include "ocean/eyes_state.h"

#include "base/panic.h"

#include <math.h>
#include <string.h>
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#define PI              3.14159265358979323846
#define DIRECTIONS      28
#define SIZES           3
#define CELL            5 /* coarse pixels: in a square of this size only the best place counts */
#define CELLS           (COARSE / CELL)
#define CLEARLY         .1f               /* what has more merit is surely there */
#define FAINT           -.1f              /* what has less is nothing */
#define REACH           1                 /* pixels around a point that belong to it */
#define KEPT            5                 /* of each drawing on each level, for the second look */
#define LEVEL_AT(level) (2 * (level) + 1) /* its depth's number, were all gaps equal */

#define TOLERANCE 44

struct pose {
    int drawn, level;
    bool mirrored;
    float x, y, angle, size; /* of the window */
    float agrees, beside, value;
};

/* How far a colour may be off and still count: contrast fades with depth. */
static uint8_t tolerance(int level)
{
    return (uint8_t)(TOLERANCE - 4 * level);
}

static void place(const struct pose *p, const struct point *at, float *x, float *y)
{
    const float u = p->size * at->x, v = p->mirrored ? -p->size * at->y : p->size * at->y;
    const float c = cosf(p->angle), s = sinf(p->angle);
    *x = p->x + c * u - s * v;
    *y = p->y + s * u + c * v;
}

/* ---- the first glance ----------------------------------------------------------------------- */

/* Half as fine; around it nothing that agrees with anything. */
static void shrink(struct oc_eyes *e, int depth)
{
    memset(e->coarse, 0, sizeof e->coarse);
    for (int c = 0; c < CHANNELS; c++)
        for (int y = 0; y < COARSE; y++) {
            const uint8_t *a = e->sharp[depth][c] + 2 * y * SIDE, *b = a + SIDE;
            uint8_t *out = e->coarse[c] + (y + MARGIN) * WIDE + MARGIN;
            for (int x = 0; x < COARSE; x++)
                out[x] = (uint8_t)((a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1]) / 4);
        }
}

__attribute__((always_inline)) static inline uint8_t apart(uint8_t a, uint8_t b)
{
    return (uint8_t)(a > b ? a - b : b - a);
}

#define AT_ONCE 5 /* points whose agreement fits a byte together */

struct cells { /* of one drawing on one level: the best pose in each */
    uint16_t sum[CELLS][CELLS];
    struct pose pose[CELLS][CELLS];
};

#ifdef __wasm_simd128__

#define BYTES 16 /* of a vector */

static inline v128_t apart_16(const uint8_t *at, uint8_t tint, v128_t most)
{
    const v128_t a = wasm_v128_load(at), b = wasm_u8x16_splat(tint);
    return wasm_u8x16_min(wasm_v128_or(wasm_u8x16_sub_sat(a, b), wasm_u8x16_sub_sat(b, a)), most);
}

/* Points i to end, for sixteen places: how well they agree. */
static inline v128_t agree_16(const struct oc_eyes *e, const struct colour *tints,
                              const int *offset, int i, int end, int at, v128_t most)
{
    v128_t part = wasm_u8x16_splat(0);
    for (; i < end; i++) {
        const v128_t off = wasm_i8x16_add(
            wasm_i8x16_add(apart_16(e->coarse[0] + at + offset[i], tints[i].c[0], most),
                           apart_16(e->coarse[1] + at + offset[i], tints[i].c[1], most)),
            apart_16(e->coarse[2] + at + offset[i], tints[i].c[2], most));
        part = wasm_i8x16_add(part, wasm_u8x16_sub_sat(most, off));
    }
    return part;
}

/* The same in vectors of WebAssembly, whose sums stay out of memory. */
static void glance_row(const struct oc_eyes *e, const struct drawn *d, const struct colour *tints,
                       const int *offset, uint8_t most, int y, int first, uint16_t sum[COARSE])
{
    const v128_t mosts = wasm_u8x16_splat(most);
    for (int next = first; next < COARSE - first; next += BYTES) {
        const int x = next + BYTES <= COARSE ? next : COARSE - BYTES;
        const int at = (y + MARGIN) * WIDE + MARGIN + x;
        v128_t low = wasm_i16x8_splat(0), high = low;
        for (int i = 0; i < d->n_glance; i += AT_ONCE) {
            const int end = i + AT_ONCE < d->n_glance ? i + AT_ONCE : d->n_glance;
            const v128_t part = agree_16(e, tints, offset, i, end, at, mosts);
            low = wasm_i16x8_add(low, wasm_u16x8_extend_low_u8x16(part));
            high = wasm_i16x8_add(high, wasm_u16x8_extend_high_u8x16(part));
        }
        wasm_v128_store(sum + x, low);
        wasm_v128_store(sum + x + BYTES / 2, high);
    }
}

#else

#ifdef __clang__
#define CHECKED __attribute__((no_sanitize("address", "undefined")))
#else
#define CHECKED
#endif

__attribute__((always_inline)) static inline uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

/* How well one point agrees, for a row of places; added in bytes, which vectors hold most of.
 * glance_pose() has checked where rows lie: sanitizers, which look at each byte and let nothing
 * become a vector, may leave this one out. */
CHECKED static inline void agree_row(const uint8_t *restrict y, const uint8_t *restrict u,
                                     const uint8_t *restrict v, struct colour tint, uint8_t most,
                                     uint8_t *restrict sum)
{
    for (int x = 0; x < COARSE; x++) {
        const uint8_t a = least(apart(y[x], tint.c[0]), most);
        const uint8_t b = least(apart(u[x], tint.c[1]), most);
        const uint8_t c = least(apart(v[x], tint.c[2]), most);
        sum[x] = (uint8_t)(sum[x] + most - least((uint8_t)(a + b + c), most));
    }
}

CLONES static void glance_row(const struct oc_eyes *e, const struct drawn *d,
                              const struct colour *tints, const int *offset, uint8_t most, int y,
                              int first, uint16_t sum[COARSE])
{
    (void)first; /* all of the row costs no more */
    memset(sum, 0, COARSE * sizeof *sum);
    for (int i = 0; i < d->n_glance; i += AT_ONCE) {
        uint8_t part[COARSE] = {0};
        for (int k = i; k < i + AT_ONCE && k < d->n_glance; k++) {
            const int at = (y + MARGIN) * WIDE + MARGIN + offset[k];
            agree_row(e->coarse[0] + at, e->coarse[1] + at, e->coarse[2] + at, tints[k], most,
                      part);
        }
        for (int x = 0; x < COARSE; x++)
            sum[x] = (uint16_t)(sum[x] + part[x]);
    }
}

#endif

static void glance_pose(const struct oc_eyes *e, struct pose p, struct cells *cells)
{
    const struct drawn *d = &e->drawn[p.drawn];
    const struct colour *tints = e->tints[p.drawn][p.level].glance;
    int offset[GLANCE];
    uint16_t sum[COARSE];
    p.x = p.y = 0;
    for (int i = 0; i < d->n_glance; i++) {
        float x, y;
        place(&p, &d->glance[i], &x, &y);
        offset[i] = (int)lroundf(y * COARSE) * WIDE + (int)lroundf(x * COARSE);
    }
    const int first = (int)(.25f * p.size * COARSE), last = COARSE - first;
    for (int i = 0; i < d->n_glance; i++) /* rows of any point are within the picture */
        fm_assert((first + MARGIN) * WIDE + MARGIN + offset[i] >= 0 &&
                  (last - 1 + MARGIN) * WIDE + MARGIN + offset[i] + COARSE <= WIDE * WIDE);
    for (int y = first; y < last; y += 2) {
        glance_row(e, d, tints, offset, tolerance(p.level), y, first, sum);
        for (int x = first; x < last; x++)
            if (sum[x] > cells->sum[y / CELL][x / CELL]) {
                cells->sum[y / CELL][x / CELL] = sum[x];
                p.x = ((float)x + .5f) / COARSE;
                p.y = ((float)y + .5f) / COARSE;
                cells->pose[y / CELL][x / CELL] = p;
            }
    }
}

static void glance(const struct oc_eyes *e, int drawn, int level, struct cells *cells)
{
    const struct drawn *d = &e->drawn[drawn];
    const int sizes = d->large - d->small > .1f ? SIZES : SIZES - 1;
    memset(cells, 0, sizeof *cells);
    for (int i = 0; i < DIRECTIONS * sizes * (d->even ? 1 : 2); i++) {
        const int k = i / DIRECTIONS % sizes;
        const struct pose p = {.drawn = drawn,
                               .level = level,
                               .mirrored = i / DIRECTIONS / sizes,
                               .angle = (float)(i % DIRECTIONS * 2 * PI / DIRECTIONS),
                               .size = d->small + (d->large - d->small) * (2 * (float)k + 1) /
                                                      (2 * (float)sizes)};
        glance_pose(e, p, cells);
    }
}

/* ---- the second look ------------------------------------------------------------------------ */

static float agreement(const struct oc_eyes *e, const struct pose *p, const struct point *points,
                       const struct colour *tints, int n, int depth, int level)
{
    const int most = tolerance(level);
    const float c = cosf(p->angle) * p->size * SIDE, s = sinf(p->angle) * p->size * SIDE;
    const float flip = p->mirrored ? -1 : 1, px = p->x * SIDE, py = p->y * SIDE;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        const float u = points[i].x, v = flip * points[i].y;
        const int x = (int)(px + c * u - s * v), y = (int)(py + s * u + c * v);
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE)
            continue;
        const int at = y * SIDE + x;
        if (e->claimed[at])
            continue;
        const int off = apart(e->sharp[depth][0][at], tints[i].c[0]) +
                        apart(e->sharp[depth][1][at], tints[i].c[1]) +
                        apart(e->sharp[depth][2][at], tints[i].c[2]);
        sum += off < most ? most - off : 0;
    }
    return (float)sum / (float)(n * most);
}

static void measure(const struct oc_eyes *e, struct pose *p, int depth, int level)
{
    const struct drawn *d = &e->drawn[p->drawn];
    const struct tints *t = &e->tints[p->drawn][level];
    p->agrees = agreement(e, p, d->inside, t->inside, d->n_inside, depth, level);
    p->beside = agreement(e, p, d->around, t->around, d->n_around, depth, level);
    p->value = p->agrees - .5f * p->beside;
}

/* The best of the eight poses that are moved, turned or sized by one step; or the pose itself. */
static struct pose best_step(const struct oc_eyes *e, const struct pose *p, int depth, float move,
                             float turn, float grow)
{
    const struct drawn *d = &e->drawn[p->drawn];
    struct pose best = *p;
    for (int i = 0; i < 8; i++) {
        struct pose q = *p;
        const float sign = i % 2 ? -1 : 1;
        q.x += i / 2 == 0 ? sign * move : 0;
        q.y += i / 2 == 1 ? sign * move : 0;
        q.angle += i / 2 == 2 ? sign * turn : 0;
        q.size += i / 2 == 3 ? sign * grow : 0;
        q.size = fminf(fmaxf(q.size, .95f * d->small), 1.03f * d->large);
        measure(e, &q, depth, p->level);
        if (q.value > best.value)
            best = q;
    }
    return best;
}

/* Moved, turned and sized a little for as long as it agrees better. */
static void settle(const struct oc_eyes *e, struct pose *p, int depth)
{
    float move = 1.5f / SIDE, turn = .09f, grow = .02f;
    measure(e, p, depth, p->level);
    for (int round = 0; round < 3; round++, move /= 2, turn /= 2, grow /= 2) {
        for (int again = 0; again < 4; again++) {
            const struct pose best = best_step(e, p, depth, move, turn, grow);
            if (best.value <= p->value)
                break;
            *p = best;
        }
    }
}

/*
 * The depth at which it is sharpest: where the pictures differ least from each other. Each point
 * that agrees votes for the depth that suits it best; the more the depth matters to it, the more
 * weight its vote has. Points under other ink would vote for that ink's depth, but seldom agree.
 */
static void fathom(const struct oc_eyes *e, struct pose *p, struct oc_find *f)
{
    const struct drawn *d = &e->drawn[p->drawn];
    const struct tints *t = &e->tints[p->drawn][p->level];
    const uint8_t most = tolerance(p->level);
    float votes[DEPTHS + 2] = {0}, all = 1e-3f;
    for (int i = 0; i < d->n_inside; i++) {
        float px, py;
        place(p, &d->inside[i], &px, &py);
        const int x = (int)(px * SIDE), y = (int)(py * SIDE), at = y * SIDE + x;
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE || e->claimed[at])
            continue;
        const int depth = LEVEL_AT(p->level);
        const int off = apart(e->sharp[depth][0][at], t->inside[i].c[0]) +
                        apart(e->sharp[depth][1][at], t->inside[i].c[1]) +
                        apart(e->sharp[depth][2][at], t->inside[i].c[2]);
        if (off >= most)
            continue;
        int best = 0, sum = 0;
        for (int k = 0; k < DEPTHS; k++) {
            sum += e->unrest[k][at];
            if (e->unrest[k][at] < e->unrest[best][at])
                best = k;
        }
        const float least_unrest = e->unrest[best][at], mean = (float)sum / DEPTHS;
        const float weight =
            (float)(most - off) / most * (mean - least_unrest) / (least_unrest + 4);
        votes[best + 1] += weight;
        all += weight;
    }
    float share[DEPTHS];
    int best = 0;
    for (int k = 0; k < DEPTHS; k++) {
        share[k] = (.5f * votes[k] + votes[k + 1] + .5f * votes[k + 2]) / all;
        if (share[k] > share[best])
            best = k;
    }
    float sum = 0, moment = 0;
    for (int k = best > 1 ? best - 2 : 0; k <= best + 2 && k < DEPTHS; k++) {
        sum += votes[k + 1];
        moment += votes[k + 1] * (float)k;
    }
    f->depth = sum > 0 ? .5f * moment / sum : .5f * (float)best;
    f->clear = all;
    for (int level = 0; level < OC_EYES_DEEP; level++)
        f->vote[level] = share[LEVEL_AT(level)];
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* The share of its points that nothing else explains. */
static float freedom(const struct oc_eyes *e, const struct pose *p)
{
    const struct drawn *d = &e->drawn[p->drawn];
    int n = 0;
    for (int i = 0; i < d->n_inside; i++) {
        float px, py;
        place(p, &d->inside[i], &px, &py);
        const int x = (int)(px * SIDE), y = (int)(py * SIDE);
        n += x >= 0 && y >= 0 && x < SIDE && y < SIDE && !e->claimed[y * SIDE + x];
    }
    return (float)n / (float)d->n_inside;
}

/* What agrees with a find is explained by it, and speaks for nothing else: of inks that cover each
 * other only the upper one is seen. */
static void claim(struct oc_eyes *e, const struct pose *p)
{
    const struct drawn *d = &e->drawn[p->drawn];
    for (int i = 0; i < d->n_inside; i++) {
        float px, py;
        place(p, &d->inside[i], &px, &py);
        const int x = (int)(px * SIDE), y = (int)(py * SIDE);
        const struct pose point = *p;
        if (agreement(e, &point, &d->inside[i], &e->tints[p->drawn][p->level].inside[i], 1,
                      LEVEL_AT(p->level), p->level) <= 0)
            continue;
        for (int j = y > REACH ? y - REACH : 0; j <= y + REACH && j < SIDE; j++)
            for (int k = x > REACH ? x - REACH : 0; k <= x + REACH && k < SIDE; k++)
                e->claims[j * SIDE + k] = 1;
    }
    memcpy(e->claimed, e->claims, sizeof e->claimed);
}

static void keep(struct oc_eyes *e, const struct pose *p)
{
    struct oc_find f = {.role = e->drawn[p->drawn].role,
                        .x = p->x,
                        .y = p->y,
                        .size = p->size,
                        .angle = p->angle,
                        .agrees = p->agrees,
                        .beside = p->beside,
                        .free = freedom(e, p)};
    struct pose q = *p;
    fathom(e, &q, &f);
    for (int level = 0; level < OC_EYES_DEEP; level++) {
        measure(e, &q, LEVEL_AT(level), level);
        f.light[level] = q.value;
    }
    e->find[e->n_finds++] = f;
}

/* How much better it is than what agrees by accident: drawings that stand out less from the water
 * agree more by accident. */
static float merit(const struct oc_eyes *e, const struct pose *p)
{
    static const float accident[] = {[OC_SHARK] = .31f,
                                     [OC_GREEN] = .13f,
                                     [OC_RED] = .17f,
                                     [OC_MANTA] = .42f,
                                     [OC_WHALE] = .34f};
    return p->value - accident[e->drawn[p->drawn].role];
}

/* The same creature, found once more. */
static bool same_again(const struct oc_eyes *e, const struct pose *a, const struct pose *b)
{
    return e->drawn[a->drawn].role == e->drawn[b->drawn].role &&
           hypotf(a->x - b->x, a->y - b->y) < .25f * fminf(a->size, b->size);
}

/* The best first; then what is left of the others. */
static void choose(struct oc_eyes *e, struct pose *pose, int n)
{
    e->n_finds = 0;
    while (e->n_finds < OC_EYES_FINDS && n > 0) {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (merit(e, &pose[i]) > merit(e, &pose[best]))
                best = i;
        if (merit(e, &pose[best]) < FAINT)
            return;
        const struct pose found = pose[best];
        keep(e, &found);
        if (merit(e, &found) > CLEARLY)
            claim(e, &found);
        pose[best] = pose[--n];
        for (int i = 0; i < n; i++) {
            if (same_again(e, &found, &pose[i]))
                pose[i--] = pose[--n];
            else if (merit(e, &found) > CLEARLY)
                measure(e, &pose[i], LEVEL_AT(pose[i].level), pose[i].level);
        }
    }
}

/* The pose of the cell with the largest sum; it and the cells around it are not taken again. */
static struct pose take_best_cell(struct cells *cells)
{
    int cx = 0, cy = 0;
    for (int i = 0; i < CELLS * CELLS; i++)
        if (cells->sum[i / CELLS][i % CELLS] > cells->sum[cy][cx]) {
            cx = i % CELLS;
            cy = i / CELLS;
        }
    for (int y = cy > 0 ? cy - 1 : 0; y <= cy + 1 && y < CELLS; y++)
        for (int x = cx > 0 ? cx - 1 : 0; x <= cx + 1 && x < CELLS; x++)
            cells->sum[y][x] = 0;
    return cells->pose[cy][cx];
}

void oc_eyes_search(struct oc_eyes *e)
{
    static _Thread_local struct cells cells;
    struct pose pose[DRAWN * OC_EYES_DEEP * KEPT];
    int n = 0;
    memset(e->claims, 0, sizeof e->claims);
    memset(e->claimed, 0, sizeof e->claimed);
    for (int level = 0; level < OC_EYES_DEEP; level++) {
        shrink(e, LEVEL_AT(level));
        for (int drawn = 0; drawn < e->n_drawn; drawn++) {
            glance(e, drawn, level, &cells);
            for (int k = 0; k < KEPT; k++, n++) {
                pose[n] = take_best_cell(&cells);
                settle(e, &pose[n], LEVEL_AT(level));
            }
        }
    }
    choose(e, pose, n);
}
