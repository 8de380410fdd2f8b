/* ocean_art_test.c: the built-in drawings, and folders of one's own that replace or add to them. */
#include "unit/ocean_svg.h"

#include "ocean/art.h"
#include "ocean/builtin.h"
#include "ocean/svg_check.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the built-in set ------------------------------------------------------------------------- */

static const struct oc_art *builtin(void)
{
    static struct oc_art *art;
    struct fm_fault fault = {0};
    if (art == NULL)
        art = oc_art_load(NULL, &fault);
    if (art == NULL)
        fail_msg("%s", fault.text);
    return art;
}

static void the_builtin_set_has_every_role(void **state)
{
    (void)state;
    const struct oc_art *art = builtin();
    float weight[OC_ROLES] = {0};
    assert_in_range(art->n, OC_ROLES, OC_DRAWINGS);
    for (int i = 0; i < art->n; i++) {
        const struct oc_drawing *d = &art->drawing[i];
        assert_true(d->small >= 0.02f && d->small <= d->large && d->large <= 0.9f);
        weight[d->role] += d->weight;
    }
    for (int role = 0; role < OC_ROLES; role++) {
        assert_true(weight[role] > 0);
        assert_true(fabsf(weight[role] - art->weight[role]) < 1e-4f);
    }
}

static void every_builtin_file_is_checked_and_listed(void **state)
{
    (void)state;
    const struct oc_art *art = builtin();
    struct fm_fault fault;
    int files = 0;
    for (size_t i = 0; i < oc__builtin_art_count; i++) {
        if (strcmp(oc__builtin_art[i].name, "art.json") == 0)
            continue;
        if (oc_svg_check(oc__builtin_art[i].text, oc__builtin_art[i].n, &fault) != FM_OK)
            fail_msg("%s: %s", oc__builtin_art[i].name, fault.text);
        files++;
    }
    assert_int_equal(files, art->n);
}

struct ink {
    double part, x, y; /* of the picture; the centre of mass, from 0 to 1 */
    double far;
};

static struct ink ink_of(const struct oc_drawing *d, int sprite)
{
    const int side = OC_SPRITE_MAX >> sprite;
    const uint32_t *pixel = oc_sprite(d, sprite);
    struct ink ink = {0};
    double alpha = 0;
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            const uint32_t p = *pixel++;
            const double a = p >> 24, u = (x + 0.5) / side, v = (y + 0.5) / side;
            for (int shift = 0; shift < 24; shift += 8)
                assert_true((p >> shift & 255) <= p >> 24); /* premultiplied */
            alpha += a;
            ink.x += a * u;
            ink.y += a * v;
            ink.part += a > 32;
            ink.far = a > 32 ? fmax(ink.far, hypot(u - 0.5, v - 0.5)) : ink.far;
        }
    }
    ink.part /= (double)side * side;
    ink.x /= alpha;
    ink.y /= alpha;
    return ink;
}

static void sprites_are_filled_and_in_the_middle(void **state)
{
    (void)state;
    const struct oc_art *art = builtin();
    for (int i = 0; i < art->n; i++) {
        const struct oc_drawing *d = &art->drawing[i];
        for (int k = 0; k < OC_SPRITES; k++) {
            const struct ink ink = ink_of(d, k);
            if (ink.part < 0.05 || fabs(ink.x - 0.5) > 0.15 || fabs(ink.y - 0.5) > 0.15)
                fail_msg("%s, sprite %d: ink %.3f around %.2f, %.2f", d->name, k, ink.part, ink.x,
                         ink.y);
        }
    }
}

static void reach_is_where_the_ink_ends(void **state)
{
    (void)state;
    const struct oc_art *art = builtin();
    for (int i = 0; i < art->n; i++) {
        const struct oc_drawing *d = &art->drawing[i];
        assert_true(d->reach > 0.4f && d->reach <= 0.71f);
        for (int k = 0; k < OC_SPRITES; k++) /* all sizes are of one drawing */
            assert_true(fabs(ink_of(d, k).far - (double)d->reach) < (k == 1 ? 0.005 : 0.025));
    }
}

/* Sharks and whales end in a thin tail: their ink lies ahead of their middle. */
static void creatures_look_to_the_right(void **state)
{
    (void)state;
    const struct oc_art *art = builtin();
    for (int i = 0; i < art->n; i++) {
        const struct oc_drawing *d = &art->drawing[i];
        if ((d->role == OC_SHARK || d->role == OC_WHALE || d->role == OC_MANTA) &&
            ink_of(d, 1).x < 0.5)
            fail_msg("%s looks to the left", d->name);
    }
}

static void picking_weighs(void **state)
{
    (void)state;
    struct oc_art art = {.n = 4, .weight = {[OC_SHARK] = 4, [OC_RED] = 2}};
    art.drawing[0] = (struct oc_drawing){.role = OC_SHARK, .weight = 1};
    art.drawing[1] = (struct oc_drawing){.role = OC_RED, .weight = 2};
    art.drawing[2] = (struct oc_drawing){.role = OC_SHARK, .weight = 0.5f};
    art.drawing[3] = (struct oc_drawing){.role = OC_SHARK, .weight = 2.5f};
    int count[4] = {0};
    for (int i = 0; i < 800; i++)
        count[oc_art_pick(&art, OC_SHARK, i / 800.0) - art.drawing]++;
    assert_int_equal(count[0], 200);
    assert_int_equal(count[1], 0);
    assert_int_equal(count[2], 100);
    assert_int_equal(count[3], 500);
    assert_ptr_equal(oc_art_pick(&art, OC_SHARK, 1), &art.drawing[3]);
    assert_ptr_equal(oc_art_pick(&art, OC_RED, 0.7), &art.drawing[1]);
}

/* ---- folders ---------------------------------------------------------------------------------- */

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "ocean-art-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static const char *path_of(const char *name)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"art.json", "eel.svg", "manta.svg"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        (void)remove(path_of(files[i]));
    return rmdir(folder);
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "wb");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void assert_folder_refused(const char *dir, enum fm_err code, const char *file,
                                  const char *word)
{
    struct fm_fault fault = {0};
    struct oc_art *art = oc_art_load(dir, &fault);
    assert_null(art);
    if (fault.code != code || !strstr(fault.text, file) || !strstr(fault.text, word))
        fail_msg("%s: %s", fm_err_code(fault.code), fault.text);
}

static void assert_list_refused(const char *json, enum fm_err code, const char *word)
{
    write_file("art.json", json);
    assert_folder_refused(folder, code, path_of("art.json"), word);
}

#define ENTRY(name, role)                                                                          \
    "{\"name\":\"" name "\",\"role\":\"" role "\",\"small\":0.3,\"large\":0.5,\"weight\":3}"
#define EEL ENTRY("eel", "decoration")

static const struct oc_drawing *find(const struct oc_art *art, const char *name)
{
    for (int i = 0; i < art->n; i++)
        if (strcmp(art->drawing[i].name, name) == 0)
            return &art->drawing[i];
    return NULL;
}

static void a_folder_replaces_and_adds(void **state)
{
    (void)state;
    struct fm_fault fault = {0};
    write_file("art.json", "{\"drawings\":[" EEL "," ENTRY("manta", "manta") "]}");
    write_file("eel.svg", HEAD DISC TAIL);
    write_file("manta.svg", HEAD "<rect width=\"100\" height=\"100\"/>" TAIL);
    struct oc_art *art = oc_art_load(folder, &fault);
    if (art == NULL)
        fail_msg("%s", fault.text);
    assert_int_equal(art->n, builtin()->n + 1);
    const struct oc_drawing *eel = find(art, "eel"), *manta = find(art, "manta");
    assert_true(eel->role == OC_DECORATION && fabsf(eel->reach - 0.4f) < 0.005f);
    assert_true(manta->role == OC_MANTA && fabsf(manta->reach - 0.705f) < 0.005f);
    assert_true(fabsf(manta->weight - 3) < 1e-6f && fabsf(manta->small - 0.3f) < 1e-6f);
    assert_int_equal(oc_sprite(manta, 0)[0], 0xff000000u);
    assert_int_equal(oc_sprite(manta, 3)[64 * 64 - 1], 0xff000000u);
    assert_int_equal(oc_sprite(eel, 0)[0], 0);
    assert_int_equal(oc_sprite(eel, 0)[256 * 512 + 256], 0xff000000u);
    const float more = art->weight[OC_DECORATION] - builtin()->weight[OC_DECORATION];
    assert_true(fabsf(more - 3) < 1e-4f);
    oc_art_free(art);
    oc_art_free(NULL);
    oc_drawing_finish(NULL);
}

static void *ask_for_the_largest(void *art)
{
    return (void *)oc_sprite(&((const struct oc_art *)art)->drawing[0], 0);
}

static void threads_that_ask_together_get_the_same_sprite(void **state)
{
    (void)state;
    struct fm_fault fault = {0};
    struct oc_art *art = oc_art_load(NULL, &fault);
    pthread_t thread[4];
    void *got[4];
    assert_non_null(art);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, ask_for_the_largest, art), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_join(thread[i], &got[i]), 0);
    assert_non_null(got[0]);
    for (int i = 1; i < 4; i++)
        assert_ptr_equal(got[i], got[0]);
    oc_art_free(art);
}

static void missing_files_are_named(void **state)
{
    (void)state;
    assert_folder_refused("no/such/folder", FM_E_FILE, "no/such/folder/art.json", "opened");
    assert_folder_refused(folder, FM_E_FILE, path_of("art.json"), "opened");
    assert_list_refused("{\"drawings\":[" EEL "]", FM_E_JSON, "line 1");
    write_file("art.json", "{\"drawings\":[" EEL "]}");
    assert_folder_refused(folder, FM_E_FILE, path_of("eel.svg"), "opened");
    assert_folder_refused(path_of("art.json"), FM_E_FILE, "art.json/art.json", "opened");
    static char longest[5000];
    memset(longest, 'a', sizeof longest - 1);
    assert_folder_refused(longest, FM_E_FILE, "aaa", "long");
}

/* A folder in a file's place: nobody can read that, whatever they may do. */
static void unreadable_files_are_named(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path_of("art.json"), 0700), 0);
    assert_folder_refused(folder, FM_E_FILE, path_of("art.json"), "read");
    assert_int_equal(rmdir(path_of("art.json")), 0);
    write_file("art.json", "{\"drawings\":[" EEL "]}");
    assert_int_equal(mkdir(path_of("eel.svg"), 0700), 0);
    assert_folder_refused(folder, FM_E_FILE, path_of("eel.svg"), "read");
    assert_int_equal(rmdir(path_of("eel.svg")), 0);
}

static void bad_lists_are_refused_with_their_key(void **state)
{
    (void)state;
    write_file("eel.svg", HEAD DISC TAIL);
    assert_list_refused("", FM_E_JSON, "empty");
    assert_list_refused("{\"drawings\":7}", FM_E_VALUE, "drawings: a list");
    assert_list_refused("[]", FM_E_VALUE, "an object");
    assert_list_refused("{}", FM_E_KEY, "\"drawings\" is missing");
    assert_list_refused("{\"drawings\":[],\"x\":1}", FM_E_KEY, "\"x\"");
    assert_list_refused("{\"drawings\":[{}]}", FM_E_KEY, "drawings[0]: the key \"name\"");
    assert_list_refused("{\"drawings\":[" ENTRY("Eel", "shark") "]}", FM_E_VALUE,
                        "drawings[0].name");
    assert_list_refused("{\"drawings\":[" ENTRY("../eel", "shark") "]}", FM_E_VALUE,
                        "drawings[0].name");
    assert_list_refused("{\"drawings\":[" ENTRY("eel", "eel") "]}", FM_E_VALUE,
                        "drawings[0].role: \"eel\" is none of shark, green");
    assert_list_refused("{\"drawings\":[" EEL "," EEL "]}", FM_E_VALUE,
                        "drawings[1]: \"eel\" is listed twice");
    assert_list_refused("{\"drawings\":[{\"name\":\"eel\",\"role\":\"red\",\"small\":0.01}]}",
                        FM_E_VALUE, "drawings[0].small");
    assert_list_refused(
        "{\"drawings\":[{\"name\":\"eel\",\"role\":\"red\",\"small\":0.5,\"large\":0.4}]}",
        FM_E_VALUE, "drawings[0].large: 0.4");
    assert_list_refused(
        "{\"drawings\":[{\"name\":\"eel\",\"role\":\"red\",\"small\":0.3,\"large\":0.4,"
        "\"weight\":0}]}",
        FM_E_VALUE, "drawings[0].weight");
    char *text = repeated("{\"drawings\":[", EEL ",", OC_DRAWINGS, EEL "]}");
    assert_list_refused(text, FM_E_VALUE, "a list of 0 to 64");
    free(text);
    text = repeated("{\"drawings\":[", " ", 65536, "]}");
    assert_list_refused(text, FM_E_SIZE, "65536 bytes");
    free(text);
}

/* More drawings than there is room for, and a role that lost its last one. */
static void a_set_is_bounded_and_complete(void **state)
{
    (void)state;
    char *text = malloc(TEXT);
    size_t n = (size_t)snprintf(text, TEXT, "{\"drawings\":[");
    for (int i = 0; i < OC_DRAWINGS; i++)
        n += (size_t)snprintf(text + n, TEXT - n,
                              "%s{\"name\":\"eel-%d\",\"role\":\"decoration\",\"small\":0.3,"
                              "\"large\":0.5,\"weight\":1}",
                              i ? "," : "", i);
    (void)snprintf(text + n, TEXT - n, "]}");
    assert_list_refused(text, FM_E_SIZE, "more than 64 drawings");
    free(text);
    write_file("manta.svg", HEAD DISC TAIL);
    write_file("art.json", "{\"drawings\":[" ENTRY("manta", "shark") "]}");
    assert_folder_refused(folder, FM_E_ART, "art.json", "\"manta\"");
}

static void bad_drawings_of_a_folder_are_named(void **state)
{
    (void)state;
    write_file("art.json", "{\"drawings\":[" EEL "]}");
    write_file("eel.svg", HEAD "\n<image/>" TAIL);
    assert_folder_refused(folder, FM_E_ART, path_of("eel.svg"), "line 2: the element <image>");
    char *text = repeated(HEAD DISC, " ", OC_SVG_MAX, TAIL);
    write_file("eel.svg", text);
    free(text);
    assert_folder_refused(folder, FM_E_SIZE, path_of("eel.svg"), "65536 bytes");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_builtin_set_has_every_role),
        cmocka_unit_test(every_builtin_file_is_checked_and_listed),
        cmocka_unit_test(sprites_are_filled_and_in_the_middle),
        cmocka_unit_test(threads_that_ask_together_get_the_same_sprite),
        cmocka_unit_test(reach_is_where_the_ink_ends),
        cmocka_unit_test(creatures_look_to_the_right),
        cmocka_unit_test(picking_weighs),
        IN_FOLDER(a_folder_replaces_and_adds),
        IN_FOLDER(missing_files_are_named),
        IN_FOLDER(unreadable_files_are_named),
        IN_FOLDER(bad_lists_are_refused_with_their_key),
        IN_FOLDER(a_set_is_bounded_and_complete),
        IN_FOLDER(bad_drawings_of_a_folder_are_named),
    };
    return tests_run("ocean_art", tests, sizeof tests / sizeof tests[0]);
}
