/* eyes.c: eyes by name, and out of a file. */
#include <fathom/eyes.h>

#include "base/json_in.h"
#include "core/builtin.h"

#include <string.h>

#define SHARK   4u
#define HELPERS 4u

/*
 * A mistake is mostly about the helper, which is small; in 3 of 10 cases the shark alone is
 * missed or imagined, in 1 of 10 both are wrong. Any wrong helper is as likely as another.
 */
static double mistake(unsigned there, unsigned seen)
{
    const bool shark = (there ^ seen) & SHARK, helper = (there ^ seen) & (HELPERS - 1);
    if (shark)
        return helper ? 0.1 / (HELPERS - 1) : 0.3;
    return 0.6 / (HELPERS - 1);
}

/* Whole numbers that add up to FM_EYES_ONE exactly; what rounding leaves over goes to the truth. */
static void set_row(uint32_t row[FM_EYES_KINDS], const double chance[FM_EYES_KINDS], unsigned there)
{
    uint32_t sum = 0;
    for (unsigned seen = 0; seen < FM_EYES_KINDS; seen++) {
        row[seen] = (uint32_t)(chance[seen] * FM_EYES_ONE);
        sum += row[seen];
    }
    row[there] += FM_EYES_ONE - sum;
}

static void set_level(struct fm_eyes *eyes, unsigned level, double right)
{
    for (unsigned there = 0; there < FM_EYES_KINDS; there++) {
        double chance[FM_EYES_KINDS];
        for (unsigned seen = 0; seen < FM_EYES_KINDS; seen++)
            chance[seen] = seen == there ? right : (1 - right) * mistake(there, seen);
        set_row(eyes->chance[level][there], chance, there);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool read_row(const struct fm_in *in, uint32_t row[FM_EYES_KINDS], unsigned there)
{
    double chance[FM_EYES_KINDS], sum = 0;
    size_t n;
    if (!fm_in_array(in, FM_EYES_KINDS, FM_EYES_KINDS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        if (!fm_in_real(&one, 0, 1, &chance[i]))
            return false;
        sum += chance[i];
    }
    if (sum < 0.999 || sum > 1.001)
        return fm_in_fail(in, FM_E_VALUE, "a row makes 1 together, not %g", sum);
    for (size_t i = 0; i < n; i++)
        chance[i] /= sum * 1.000001; /* never more than one in all */
    set_row(row, chance, there);
    return true;
}

static bool read_level(const struct fm_in *in, struct fm_eyes *eyes, unsigned level)
{
    double right;
    size_t n;
    if (json_is_number(in->json)) {
        if (!fm_in_real(in, 0, 1, &right))
            return false;
        set_level(eyes, level, right);
        return true;
    }
    if (!fm_in_array(in, FM_EYES_KINDS, FM_EYES_KINDS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in row = fm_in_at(in, i);
        if (!read_row(&row, eyes->chance[level][i], (unsigned)i))
            return false;
    }
    return true;
}

static bool read_eyes(struct fm_eyes *eyes, json_t *root, struct fm_fault *fault)
{
    static const char *const keys[] = {"fathom_eyes", "about", "levels", NULL};
    const struct fm_in in = fm_in_root(root, "", fault);
    struct fm_in value;
    const char *about;
    int version;
    size_t n;
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "fathom_eyes", &value) ||
        !fm_in_int(&value, 1, 1, &version))
        return false;
    if (fm_in_has(&in, "about", &value) && !fm_in_text(&value, 2000, &about))
        return false;
    if (!fm_in_get(&in, "levels", &value) ||
        !fm_in_array(&value, FM_EYES_LEVELS - 1, FM_EYES_LEVELS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in level = fm_in_at(&value, i);
        if (!read_level(&level, eyes, (unsigned)i))
            return false;
    }
    if (n < FM_EYES_LEVELS) /* the sixth is only ever the anglerfish's: take the fifth for it */
        memcpy(eyes->chance[n], eyes->chance[n - 1], sizeof eyes->chance[n]);
    return true;
}

enum fm_err fm_eyes_parse(struct fm_eyes *eyes, const char *text, size_t n, struct fm_fault *fault)
{
    if (n > FM_EYES_FILE)
        return fm_fail(fault, FM_E_SIZE, "a file of eyes has at most %d bytes", FM_EYES_FILE);
    json_t *root = fm_json_load(text, n, fault);
    if (root == NULL)
        return fault->code;
    const bool read = read_eyes(eyes, root, fault);
    json_decref(root);
    return read ? FM_OK : fault->code;
}

/* ---- by name --------------------------------------------------------------------------------- */

enum fm_err fm_eyes_named(struct fm_eyes *eyes, const char *name, struct fm_fault *fault)
{
    static const struct {
        const char *name;
        double right[FM_EYES_LEVELS];
    } known[] = {
        {"keen", {0.95, 0.93, 0.91, 0.88, 0.85, 0.80}},
        {"average", {0.95, 0.91, 0.86, 0.79, 0.72, 0.65}},
        {"short-sighted", {0.95, 0.87, 0.78, 0.69, 0.60, 0.50}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, name) != 0)
            continue;
        for (unsigned level = 0; level < FM_EYES_LEVELS; level++)
            set_level(eyes, level, known[i].right[level]);
        return FM_OK;
    }
    for (size_t i = 0; i < fm__builtin_eyes_count; i++) { /* measured ones */
        const struct fm__builtin *file = &fm__builtin_eyes[i];
        const size_t length = strlen(name);
        if (strncmp(file->name, name, length) == 0 && strcmp(file->name + length, ".json") == 0)
            return fm_eyes_parse(eyes, file->text, file->n, fault);
    }
    return fm_fail(fault, FM_E_VALUE,
                   "\"%.40s\" are no eyes: there are keen, average and short-sighted, and each "
                   "as picture-NAME",
                   name);
}
