/* ocean_look_test.c: looks: from text to the grid, numbered, and back to text. */
#include "tests.h"

#include "ocean/look.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static struct oc_look tilted(const char *text)
{
    struct oc_look look = oc_look_straight();
    struct fm_fault fault;
    if (oc_look_tilt(&look, text, &fault) != FM_OK)
        fail_msg("%s", fault.text);
    return look;
}

static struct oc_look lit(const char *text)
{
    struct oc_look look = oc_look_straight();
    struct fm_fault fault;
    if (oc_look_lamp(&look, text, &fault) != FM_OK)
        fail_msg("%s", fault.text);
    return look;
}

typedef enum fm_err reader(struct oc_look *look, const char *text, struct fm_fault *fault);

/* Refused with a sentence, and the look is what it was. */
static void assert_refused(reader *read, const char *text, const char *sentence)
{
    const struct oc_look before = {.tx = 3, .ty = 4, .light = OC_BELOW, .lamp = 5};
    struct oc_look look = before;
    struct fm_fault fault = {.code = FM_OK};
    if (read(&look, text, &fault) == FM_OK)
        fail_msg("\"%s\" was taken", text);
    assert_int_equal(fault.code, FM_E_VALUE);
    assert_memory_equal(&look, &before, sizeof look);
    if (sentence != NULL)
        assert_string_equal(fault.text, sentence);
    else
        assert_true(strlen(fault.text) > 20);
}

/* ---- tilts ---------------------------------------------------------------------------------- */

static void a_tilt_goes_to_the_nearest_step(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned tx, ty;
    } cases[] = {
        {"0,0", 6, 6},
        {"28,-28", 12, 0},
        {"-28,28", 0, 12},
        {"-14,9.333", 3, 8},
        {"2.33,-2.33", 6, 6},
        {"2.34,-2.34", 7, 5},
        {"25.6,-25.7", 11, 0},
        {"-0,-0.0", 6, 6},
        {"007.00,000", 8, 6},
        {"28.000,-28.0", 12, 0},
        {"0.30000000000000004,-1", 6, 6},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct oc_look look = tilted(cases[i].text);
        assert_int_equal(look.tx, cases[i].tx);
        assert_int_equal(look.ty, cases[i].ty);
        assert_int_equal(look.light, OC_DAYLIGHT);
    }
}

static void a_tilt_halfway_between_steps_goes_away_from_straight(void **state)
{
    (void)state;
    struct oc_look look = tilted("7,-7"); /* a step is 4.667 degrees: 1.5 of them */
    assert_int_equal(look.tx, 8);
    assert_int_equal(look.ty, 4);
    look = tilted("21,-21");
    assert_int_equal(look.tx, 11);
    assert_int_equal(look.ty, 1);
    look = tilted("6.99999999999999999999,-6.9999999999999999999");
    assert_int_equal(look.tx, 7);
    assert_int_equal(look.ty, 5);
}

static void tilts_to_either_side_are_alike(void **state)
{
    (void)state;
    for (int i = 0; i <= 2800; i++) {
        char text[OC_LOOK_TEXT];
        (void)snprintf(text, sizeof text, "%d.%02d,-%d.%02d", i / 100, i % 100, i / 100, i % 100);
        const struct oc_look look = tilted(text);
        assert_int_equal(look.tx - OC_STRAIGHT, OC_STRAIGHT - look.ty);
        assert_true(fabs(oc_look_degrees(look.tx) - i / 100.0) <= OC_TILT_MAX / 12 + 1e-9);
    }
}

static void a_tilt_is_two_numbers_and_nothing_else(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",      ",",     "1",     "1,",      ",1",        "1,2,3", " 1,2",  "1, 2",
        "1 ,2",  "1,2 ",  "+1,2",  "1,+2",    "1e1,2",     "1,2e0", "1.,2",  ".5,2",
        "1,2.",  "--1,2", "-,1",   "1,-",     "nan,0",     "0,inf", "0x1,2", "1;2",
        "1.2.3", "1,2\n", "1\t,2", "1,5,",    "1'0,2",     "a",     "1/2,0", "1:2,0",
        "-.5,0", "0,--0", "٣,0",   "1,2\xff", "1,2 above",
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(oc_look_tilt, wrong[i], NULL);
    assert_refused(oc_look_tilt, "a\x1b[1m,0",
                   "the tilt \"a?[1m,0\" is not two numbers of degrees such as -14,9.5");
}

static void a_tilt_beyond_the_range_is_refused_with_the_range(void **state)
{
    (void)state;
    assert_refused(oc_look_tilt, "28.1,0",
                   "the tilt \"28.1,0\" is too far: both its numbers are -28 to 28 degrees");
    assert_refused(oc_look_tilt, "0,-30",
                   "the tilt \"0,-30\" is too far: both its numbers are -28 to 28 degrees");
    assert_refused(oc_look_tilt, "28.000000000000000000000000000000000000000001,0", NULL);
    assert_refused(oc_look_tilt, "0,-28.000000000000000000000000000000000000001", NULL);
    assert_refused(oc_look_tilt, "99999999999999999999999999999999999999999999,0", NULL);
    assert_refused(oc_look_tilt, "18446744073709551616,0", NULL);
    assert_refused(oc_look_tilt, "0,-4294967296", NULL);
}

static void a_text_is_at_most_48_bytes(void **state)
{
    (void)state;
    char text[1000];
    memset(text, '0', sizeof text);
    memcpy(text, "28,0.", 5);
    text[OC_LOOK_TEXT] = '\0';
    assert_int_equal(tilted(text).tx, 12);
    text[OC_LOOK_TEXT] = '0';
    text[OC_LOOK_TEXT + 1] = '\0';
    assert_refused(oc_look_tilt, text,
                   "the tilt \"28,0.0000000000000000000000000000000000000000000\" is not two "
                   "numbers of degrees such as -14,9.5");
    text[OC_LOOK_TEXT + 1] = '0';
    text[sizeof text - 1] = '\0';
    assert_refused(oc_look_tilt, text, NULL);
    memcpy(text, "side:0,0.", 9);
    assert_refused(oc_look_lamp, text, NULL);
    text[OC_LOOK_TEXT] = '\0';
    assert_int_equal(lit(text).light, OC_SIDE);
}

/* ---- lamps ---------------------------------------------------------------------------------- */

static void a_lamp_above_or_below_goes_to_the_nearest_spot(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned light, x, y;
    } cases[] = {
        {"above", OC_ABOVE, 4, 4},
        {"below", OC_BELOW, 4, 4},
        {"above:0,0", OC_ABOVE, 0, 0},
        {"below:1,0", OC_BELOW, 8, 0},
        {"above:0.25,1.000", OC_ABOVE, 2, 8},
        {"below:0.0624,0.0625", OC_BELOW, 0, 1},
        {"above:-0,0.9374", OC_ABOVE, 0, 7},
        {"above:0.9375,00.5", OC_ABOVE, 8, 4},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct oc_look look = lit(cases[i].text);
        assert_int_equal(look.light, cases[i].light);
        assert_int_equal(look.lamp % OC_LAMP_SPOTS, cases[i].x);
        assert_int_equal(look.lamp / OC_LAMP_SPOTS, cases[i].y);
        assert_int_equal(look.tx, OC_STRAIGHT);
    }
}

static void a_lamp_at_the_side_shines_from_the_nearest_of_16_directions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned direction; /* clockwise from the right */
    } cases[] = {
        {"side", 8},
        {"side:0.5,0.5", 8},
        {"side:0.500,0.50", 8},
        {"side:1,0.5", 0},
        {"side:0.5,1", 4},
        {"side:0,0.5", 8},
        {"side:0.5,0", 12},
        {"side:1,1", 2},
        {"side:0,1", 6},
        {"side:0,0", 10},
        {"side:1,0", 14},
        {"side:0.51,0.5", 0},
        {"side:1,0.59", 0},
        {"side:1,0.6", 1},
        {"side:1,0.41", 0},
        {"side:1,0.4", 15},
        {"side:0.500000000000000001,0.5", 0},
        {"side:0.5,0.4999999999999999999", 12},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct oc_look look = lit(cases[i].text);
        assert_int_equal(look.light, OC_SIDE);
        assert_int_equal(look.lamp, cases[i].direction);
    }
    for (int i = 0; i < 3600; i++) { /* every tenth of a degree, but for those between two */
        char text[OC_LOOK_TEXT];
        const double angle = i * acos(-1) / 1800, turns = i / 225.0;
        if (fabs(turns - floor(turns) - 0.5) < 1e-3)
            continue;
        (void)snprintf(text, sizeof text, "side:%.9f,%.9f", 0.5 + 0.3 * cos(angle),
                       0.5 + 0.3 * sin(angle));
        assert_int_equal(lit(text).lamp, (unsigned)(turns + 0.5) % OC_LAMP_SIDES);
    }
}

static void a_lamp_is_a_word_and_perhaps_a_place(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",         "lamp",       "Above",      "above ",     " above",      "above:",    "above:1",
        "above:1,", "above:,1",   "above:1,1 ", "above: 1,1", "above:1,1,1", "above1,1",  "abovee",
        "abov",     "above::1,1", "side:1e0,0", "side:.5,0",  "daylight",    "below;0,0", ":0,0",
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_refused(oc_look_lamp, wrong[i], NULL);
    assert_refused(oc_look_lamp, "moon",
                   "the lamp \"moon\" is not above, below or side, alone or with a place such as "
                   ":0.25,1");
    assert_refused(oc_look_lamp, "above:0.5,1.1",
                   "the lamp \"above:0.5,1.1\" is outside: both numbers of its place are 0 to 1");
    assert_refused(oc_look_lamp, "side:-0.000000000000000001,0", NULL);
    assert_refused(oc_look_lamp, "below:1.000000000000000000001,0", NULL);
}

static void tilt_and_lamp_leave_each_other_alone(void **state)
{
    (void)state;
    struct fm_fault fault;
    struct oc_look look = lit("side:0,0");
    assert_int_equal(oc_look_tilt(&look, "28,-28", &fault), FM_OK);
    assert_int_equal(look.light, OC_SIDE);
    assert_int_equal(look.lamp, 10);
    assert_int_equal(oc_look_lamp(&look, "above", &fault), FM_OK);
    assert_int_equal(look.tx, 12);
    assert_int_equal(look.ty, 0);
}

/* ---- all looks ------------------------------------------------------------------------------ */

static void every_number_is_a_look_and_every_look_a_number(void **state)
{
    (void)state;
    unsigned lights[OC_LIGHTS] = {0};
    for (uint32_t i = 0; i < OC_LOOKS; i++) {
        const struct oc_look look = oc_look_at(i);
        assert_true(look.tx < OC_TILTS && look.ty < OC_TILTS && look.light < OC_LIGHTS);
        assert_int_equal(oc_look_number(look), i);
        lights[look.light]++;
    }
    assert_int_equal(lights[OC_DAYLIGHT], 13 * 13);
    assert_int_equal(lights[OC_ABOVE], 13 * 13 * 81);
    assert_int_equal(lights[OC_BELOW], 13 * 13 * 81);
    assert_int_equal(lights[OC_SIDE], 13 * 13 * 16);
}

static void every_look_is_read_back_from_its_text(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < OC_LOOKS; i++) {
        char text[OC_LOOK_TEXT + 1];
        struct fm_out o;
        struct fm_fault fault;
        struct oc_look look = oc_look_straight();
        fm_out_init(&o, text, sizeof text);
        oc_look_put(&o, oc_look_at(i));
        assert_true(fm_out_ok(&o));
        char *lamp = strchr(text, ' ');
        assert_int_equal(lamp == NULL, oc_look_at(i).light == OC_DAYLIGHT);
        if (lamp != NULL) {
            *lamp = '\0';
            assert_int_equal(oc_look_lamp(&look, lamp + 1, &fault), FM_OK);
        }
        assert_int_equal(oc_look_tilt(&look, text, &fault), FM_OK);
        assert_int_equal(oc_look_number(look), i);
    }
}

static void texts_have_three_decimals_and_no_zeros_at_the_end(void **state)
{
    (void)state;
    static const struct {
        struct oc_look look;
        const char *text;
    } cases[] = {
        {{6, 6, OC_DAYLIGHT, 0}, "0,0"},
        {{3, 8, OC_DAYLIGHT, 0}, "-14,9.333"},
        {{0, 12, OC_DAYLIGHT, 0}, "-28,28"},
        {{7, 10, OC_DAYLIGHT, 0}, "4.667,18.667"},
        {{5, 1, OC_ABOVE, 4 * 9 + 2}, "-4.667,-23.333 above:0.25,0.5"},
        {{6, 6, OC_BELOW, 8 * 9 + 1}, "0,0 below:0.125,1"},
        {{6, 6, OC_SIDE, 0}, "0,0 side:1,0.5"},
        {{6, 6, OC_SIDE, 3}, "0,0 side:0.691,0.962"},
        {{6, 6, OC_SIDE, 9}, "0,0 side:0.038,0.309"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[OC_LOOK_TEXT + 1];
        struct fm_out o;
        fm_out_init(&o, text, sizeof text);
        oc_look_put(&o, cases[i].look);
        assert_string_equal(text, cases[i].text);
    }
}

static void a_lamp_is_where_its_spot_says(void **state)
{
    (void)state;
    double x, y;
    oc_look_spot(oc_look_straight(), &x, &y);
    assert_true(x == 0.5 && y == 0.5);
    oc_look_spot(lit("above:0.25,1"), &x, &y);
    assert_true(x == 0.25 && y == 1);
    oc_look_spot(lit("side"), &x, &y);
    assert_true(x == 0 && y == 0.5);
    for (uint8_t i = 0; i < OC_LAMP_SIDES; i++) {
        const double angle = i * acos(-1) / 8;
        oc_look_spot((struct oc_look){.light = OC_SIDE, .lamp = i}, &x, &y);
        assert_true(fabs(x - 0.5 - 0.5 * cos(angle)) < 1e-9);
        assert_true(fabs(y - 0.5 - 0.5 * sin(angle)) < 1e-9);
        assert_true(x >= 0 && x <= 1 && y >= 0 && y <= 1);
    }
}

static void degrees_of_the_steps(void **state)
{
    (void)state;
    assert_true(oc_look_degrees(0) == -28 && oc_look_degrees(12) == 28);
    assert_true(oc_look_degrees(OC_STRAIGHT) == 0);
    assert_true(oc_look_degrees(3) == -14 && oc_look_degrees(9) == 14);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tilt_goes_to_the_nearest_step),
        cmocka_unit_test(a_tilt_halfway_between_steps_goes_away_from_straight),
        cmocka_unit_test(tilts_to_either_side_are_alike),
        cmocka_unit_test(a_tilt_is_two_numbers_and_nothing_else),
        cmocka_unit_test(a_tilt_beyond_the_range_is_refused_with_the_range),
        cmocka_unit_test(a_text_is_at_most_48_bytes),
        cmocka_unit_test(a_lamp_above_or_below_goes_to_the_nearest_spot),
        cmocka_unit_test(a_lamp_at_the_side_shines_from_the_nearest_of_16_directions),
        cmocka_unit_test(a_lamp_is_a_word_and_perhaps_a_place),
        cmocka_unit_test(tilt_and_lamp_leave_each_other_alone),
        cmocka_unit_test(every_number_is_a_look_and_every_look_a_number),
        cmocka_unit_test(every_look_is_read_back_from_its_text),
        cmocka_unit_test(texts_have_three_decimals_and_no_zeros_at_the_end),
        cmocka_unit_test(a_lamp_is_where_its_spot_says),
        cmocka_unit_test(degrees_of_the_steps),
    };
    return tests_run("ocean_look", tests, sizeof tests / sizeof tests[0]);
}
