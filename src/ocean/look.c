/* look.c: looks from text and to text, on their grid; decimals are read and written by hand. */
#include "ocean/look.h"

#include "base/panic.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Numbers are read into halves of a billionth: an even one is exact, an odd one stands for all
 * that lies between two billionths. So every comparison with an end of a range is exact, however
 * many digits there are. */
#define BILLION  1000000000
#define ONE      (2 * (int64_t)BILLION)
#define TOO_MUCH 1000 /* beyond every range; digits before the point are counted up to it */

#define TILT_MAX ((int64_t)OC_TILT_MAX) /* whole degrees */
#define SPOTS    (OC_LAMP_SPOTS * OC_LAMP_SPOTS)

static_assert(OC_TILTS % 2 == 1 && OC_LAMP_SPOTS % 2 == 1, "both grids have a middle");
static_assert(OC_LAMP_SIDES == 16, "directions are of sixteen");

/* Cosines of the sixteen directions, in billionths. */
static const int32_t cosines[] = {
    1000000000,  923879533,  707106781,  382683432,  0, -382683432, -707106781, -923879533,
    -1000000000, -923879533, -707106781, -382683432, 0, 382683432,  707106781,  923879533,
};
static_assert(sizeof cosines / sizeof cosines[0] == OC_LAMP_SIDES, "one for each direction");

#define FROM_THE_LEFT (OC_LAMP_SIDES / 2)

static const struct {
    const char *word;
    unsigned places; /* how many a lamp of this kind has */
} lights[] = {
    [OC_DAYLIGHT] = {"", 1},
    [OC_ABOVE] = {"above", SPOTS},
    [OC_BELOW] = {"below", SPOTS},
    [OC_SIDE] = {"side", OC_LAMP_SIDES},
};
static_assert(sizeof lights / sizeof lights[0] == OC_LIGHTS, "one for each light");

/* ---- reading -------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* -?digits[.digits] at *text, which is moved behind it. */
static bool read_decimal(const char **text, int64_t *out)
{
    const char *p = *text;
    const bool negative = *p == '-';
    p += negative;
    if (!is_digit(*p))
        return false;
    int64_t whole = 0, part = 0, beyond = 0;
    for (; is_digit(*p); p++)
        whole = whole < TOO_MUCH ? 10 * whole + (*p - '0') : whole;
    if (*p == '.') {
        p++;
        if (!is_digit(*p))
            return false;
        for (int64_t place = BILLION / 10; is_digit(*p); p++, place /= 10) {
            part += place * (*p - '0');
            beyond |= place == 0 && *p != '0';
        }
    }
    const int64_t value = whole * ONE + 2 * part + beyond;
    *out = negative ? -value : value;
    *text = p;
    return true;
}

/* "X,Y" and nothing after it. */
static bool read_pair(const char *text, int64_t pair[2])
{
    if (!read_decimal(&text, &pair[0]) || *text != ',')
        return false;
    text++;
    return read_decimal(&text, &pair[1]) && *text == '\0';
}

static bool within(const int64_t pair[2], int64_t min, int64_t max)
{
    return pair[0] >= min && pair[0] <= max && pair[1] >= min && pair[1] <= max;
}

static bool too_long(const char *text)
{
    return strnlen(text, OC_LOOK_TEXT + 1) > OC_LOOK_TEXT;
}

/* value / max * steps, to the nearest; halves away from 0. */
static int nearest(int64_t value, int64_t max, int steps)
{
    const int64_t size = value < 0 ? -value : value;
    const int step = (int)((2 * size * steps + max) / (2 * max));
    return value < 0 ? -step : step;
}

enum fm_err oc_look_tilt(struct oc_look *look, const char *text, struct fm_fault *fault)
{
    int64_t tilt[2];
    if (too_long(text) || !read_pair(text, tilt))
        return fm_fail(fault, FM_E_VALUE,
                       "the tilt \"%.*s\" is not two numbers of degrees such as -14,9.5",
                       OC_LOOK_TEXT, text);
    if (!within(tilt, -TILT_MAX * ONE, TILT_MAX * ONE))
        return fm_fail(fault, FM_E_VALUE,
                       "the tilt \"%s\" is too far: both its numbers are -%d to %d degrees", text,
                       (int)TILT_MAX, (int)TILT_MAX);
    look->tx = (uint8_t)(OC_STRAIGHT + nearest(tilt[0], TILT_MAX * ONE, OC_STRAIGHT));
    look->ty = (uint8_t)(OC_STRAIGHT + nearest(tilt[1], TILT_MAX * ONE, OC_STRAIGHT));
    return FM_OK;
}

/* The direction of a lamp that is nearest to the one from the middle to a place. */
static unsigned side_of(const int64_t place[2])
{
    const int64_t x = place[0] - ONE / 2, y = place[1] - ONE / 2;
    unsigned best = FROM_THE_LEFT; /* of the middle itself */
    int64_t furthest = 0;
    for (unsigned i = 0; i < OC_LAMP_SIDES; i++) {
        const int64_t sine = cosines[(i + OC_LAMP_SIDES * 3 / 4) % OC_LAMP_SIDES];
        const int64_t along = x * cosines[i] + y * sine;
        if (along > furthest) {
            furthest = along;
            best = i;
        }
    }
    return best;
}

static unsigned spot_of(const int64_t place[2])
{
    const int x = nearest(place[0], ONE, OC_LAMP_SPOTS - 1);
    const int y = nearest(place[1], ONE, OC_LAMP_SPOTS - 1);
    return (unsigned)(y * OC_LAMP_SPOTS + x);
}

/* The light whose word a text begins with; what follows the word is its end or a place. */
static unsigned read_light(const char *text, const char **after)
{
    for (unsigned light = OC_ABOVE; light < OC_LIGHTS; light++) {
        const size_t n = strlen(lights[light].word);
        if (strncmp(text, lights[light].word, n) == 0 && (text[n] == '\0' || text[n] == ':')) {
            *after = text + n;
            return light;
        }
    }
    return OC_DAYLIGHT;
}

enum fm_err oc_look_lamp(struct oc_look *look, const char *text, struct fm_fault *fault)
{
    const char *after = "";
    int64_t place[2] = {ONE / 2, ONE / 2};
    const unsigned light = too_long(text) ? OC_DAYLIGHT : read_light(text, &after);
    if (light == OC_DAYLIGHT || (*after == ':' && !read_pair(after + 1, place)))
        return fm_fail(
            fault, FM_E_VALUE,
            "the lamp \"%.*s\" is not above, below or side, alone or with a place such as :0.25,1",
            OC_LOOK_TEXT, text);
    if (!within(place, 0, ONE))
        return fm_fail(fault, FM_E_VALUE,
                       "the lamp \"%s\" is outside: both numbers of its place are 0 to 1", text);
    look->light = (uint8_t)light;
    look->lamp = (uint8_t)(light == OC_SIDE ? side_of(place) : spot_of(place));
    return FM_OK;
}

/* ---- looks ---------------------------------------------------------------------------------- */

struct oc_look oc_look_straight(void)
{
    return (struct oc_look){.tx = OC_STRAIGHT, .ty = OC_STRAIGHT};
}

double oc_look_degrees(unsigned step)
{
    fm_assert(step < OC_TILTS);
    return ((int)step - OC_STRAIGHT) * OC_TILT_MAX / OC_STRAIGHT;
}

struct oc_tilt oc_look_tilted(struct oc_look look)
{
    return (struct oc_tilt){oc_look_degrees(look.tx), oc_look_degrees(look.ty)};
}

void oc_look_spot(struct oc_look look, double *x, double *y)
{
    fm_assert(look.light < OC_LIGHTS && look.lamp < lights[look.light].places);
    *x = *y = 0.5;
    if (look.light == OC_SIDE) {
        *x += cosines[look.lamp] / (2.0 * BILLION);
        *y += cosines[(look.lamp + OC_LAMP_SIDES * 3 / 4) % OC_LAMP_SIDES] / (2.0 * BILLION);
    } else if (look.light != OC_DAYLIGHT) {
        *x = look.lamp % OC_LAMP_SPOTS / (OC_LAMP_SPOTS - 1.0);
        *y = look.lamp / OC_LAMP_SPOTS / (OC_LAMP_SPOTS - 1.0);
    }
}

static double bell(double t)
{
    return exp(-t * t);
}

/* Two bands from the lower left to the upper right, which wander when one tilts. */
double oc_look_gloss(struct oc_tilt tilt, double at, int size)
{
    const double middle = size * (1 + .9 * sin((tilt.x + tilt.y) * PI / 180)), wide = .22 * size;
    return .6 * bell((at - middle) / wide) + .4 * bell((at - middle - .55 * size) / (.35 * wide));
}

uint32_t oc_look_number(struct oc_look look)
{
    fm_assert(look.tx < OC_TILTS && look.ty < OC_TILTS && look.light < OC_LIGHTS);
    fm_assert(look.lamp < lights[look.light].places);
    uint32_t lamp = look.lamp;
    for (unsigned light = 0; light < look.light; light++)
        lamp += lights[light].places;
    return (lamp * OC_TILTS + look.ty) * OC_TILTS + look.tx;
}

struct oc_look oc_look_at(uint32_t number)
{
    fm_assert(number < OC_LOOKS);
    uint32_t lamp = number / (OC_TILTS * OC_TILTS), light = 0;
    for (; lamp >= lights[light].places; light++)
        lamp -= lights[light].places;
    return (struct oc_look){
        .tx = (uint8_t)(number % OC_TILTS),
        .ty = (uint8_t)(number / OC_TILTS % OC_TILTS),
        .light = (uint8_t)light,
        .lamp = (uint8_t)lamp,
    };
}

/* ---- writing -------------------------------------------------------------------------------- */

/* To three decimals, without zeros at the end. */
static void put_decimal(struct fm_out *o, double value)
{
    const int thousandths = (int)(value * 1000 + (value < 0 ? -0.5 : 0.5));
    const int size = thousandths < 0 ? -thousandths : thousandths;
    if (thousandths < 0)
        fm_put(o, "-");
    fm_put_int(o, size / 1000);
    if (size % 1000 > 0)
        fm_put(o, ".");
    for (int rest = size % 1000; rest > 0; rest = rest * 10 % 1000)
        fm_put_int(o, rest / 100);
}

static void put_pair(struct fm_out *o, double x, double y)
{
    put_decimal(o, x);
    fm_put(o, ",");
    put_decimal(o, y);
}

void oc_look_put(struct fm_out *o, struct oc_look look)
{
    put_pair(o, oc_look_degrees(look.tx), oc_look_degrees(look.ty));
    if (look.light == OC_DAYLIGHT)
        return;
    double x, y;
    oc_look_spot(look, &x, &y);
    fm_put(o, " ");
    fm_put(o, lights[look.light].word);
    fm_put(o, ":");
    put_pair(o, x, y);
}
