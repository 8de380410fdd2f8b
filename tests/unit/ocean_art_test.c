/* ocean_art_test.c: the built-in drawings, folders of one's own, and what is refused of them. */
#include "tests.h"

#include "ocean/art.h"
#include "ocean/builtin.h"
#include "ocean/svg_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\">"
#define DISC "<circle cx=\"50\" cy=\"50\" r=\"40\"/>"
#define TAIL "</svg>"
#define TEXT 200000

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
    struct ink ink = {0};
    double alpha = 0;
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            const uint32_t p = d->sprite[sprite][y * side + x];
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
            assert_true(fabs(ink_of(d, k).far - (double)d->reach) < 0.025);
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

/* ---- drawings that are refused ---------------------------------------------------------------- */

static void assert_drawing_refused(const char *svg, size_t n, enum fm_err code, int line,
                                   const char *word)
{
    struct fm_fault fault = {0};
    struct oc_drawing d = {0};
    const enum fm_err err = oc_drawing_load(&d, svg, n, &fault);
    if (err != code || fault.code != code || fault.line != line || !strstr(fault.text, word))
        fail_msg("%.300s: %s, line %d: %s", svg, fm_err_code(err), fault.line, fault.text);
    for (int i = 0; i < OC_SPRITES; i++)
        assert_null(d.sprite[i]);
}

static void assert_refused(const char *svg, int line, const char *word)
{
    assert_drawing_refused(svg, strlen(svg), FM_E_ART, line, word);
}

static void assert_taken(const char *svg)
{
    struct fm_fault fault = {0};
    struct oc_drawing d = {0};
    if (oc_drawing_load(&d, svg, strlen(svg), &fault) != FM_OK)
        fail_msg("%.300s: %s", svg, fault.text);
    for (int i = 0; i < OC_SPRITES; i++)
        assert_non_null(d.sprite[i]);
    oc_drawing_finish(&d);
    oc_drawing_finish(&d);
    assert_null(d.sprite[0]);
}

/* A text of a head, something again and again, and a tail; the caller frees it. */
static char *repeated(const char *head, const char *again, int times, const char *tail)
{
    char *text = malloc(TEXT);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, TEXT, "%s", head);
    for (int i = 0; i < times; i++)
        n += (size_t)snprintf(text + n, TEXT - n, "%s", again);
    n += (size_t)snprintf(text + n, TEXT - n, "%s", tail);
    assert_true(n < TEXT);
    return text;
}

static void assert_repeated_refused(const char *head, const char *again, int times,
                                    const char *tail, const char *word)
{
    char *text = repeated(head, again, times, tail);
    assert_refused(text, 1, word);
    free(text);
}

static void what_drawings_may_hold(void **state)
{
    (void)state;
    assert_taken("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a disc -->\n" HEAD
                 "<title>An &amp; &#233; \xc3\xa9</title>" DISC TAIL "\n");
    assert_taken("<?xml version='1.0'?>" HEAD DISC TAIL);
    assert_taken(HEAD "<g><!-- - --><path d=\"M10,10L90 10 90-9.5.5.5a9 9 0 1150 50Z\"/></g>" TAIL);
    assert_taken(HEAD "<path d=\"m10 10h80v80h-80z\" transform=\"rotate(-720 50 50)\"/>" TAIL);
    assert_taken(HEAD "<g clip-path=\"url(#c)\">" DISC "</g><clipPath id=\"c\">" DISC
                      "</clipPath>" TAIL);
    assert_taken(HEAD
                 "<defs><radialGradient id=\"a\"><stop offset=\"50%\" stop-color=\"red\"/>"
                 "</radialGradient></defs><rect width='90%' height='50' fill='url(#a)'/>" TAIL);
    assert_taken("<svg width=\"21mm\" height=\"21mm\" version=\"1.1\" stroke-width=\"2\" "
                 "viewBox=\"-50,-50 100,100\" xmlns=\"http://www.w3.org/2000/svg\">"
                 "<polygon points=\"-40,-40 40,-40 0,40\" fill=\"rgb(9, 9, 9)\"/></svg>");
}

static void big_drawings_are_refused(void **state)
{
    (void)state;
    char *text = repeated(HEAD DISC, " ", OC_SVG_MAX - (int)strlen(HEAD DISC TAIL), TAIL);
    assert_taken(text);
    free(text);
    text = repeated(HEAD DISC, " ", OC_SVG_MAX - (int)strlen(HEAD DISC TAIL) + 1, TAIL);
    assert_drawing_refused(text, strlen(text), FM_E_SIZE, 0, "bytes");
    free(text);
}

static void broken_xml_is_refused(void **state)
{
    (void)state;
    assert_refused("", 1, "no <svg>");
    assert_refused("shark", 1, "text");
    assert_refused(HEAD DISC, 1, "not closed");
    assert_refused(HEAD "\n\n<g>" DISC TAIL, 3, "</g> is expected");
    assert_refused(HEAD DISC TAIL TAIL, 1, "closes nothing");
    assert_refused(HEAD DISC TAIL HEAD DISC TAIL, 1, "one <svg>");
    assert_refused(HEAD "<g\n", 2, "does not end");
    assert_refused(HEAD "<circle r=40/>" TAIL, 1, "quotes");
    assert_refused(HEAD "<circle r/>" TAIL, 1, "no value");
    assert_refused(HEAD "<circle r=\"40/>" TAIL, 1, "does not end");
    assert_refused(HEAD "<circle r=\"40\"cx=\"5\"/>" TAIL, 1, "strange");
    assert_refused(HEAD "<circle r=\"40\" r=\"41\"/>" TAIL, 1, "twice");
    assert_refused(HEAD "<!-- a -- b -->" DISC TAIL, 1, "dashes");
    assert_refused(HEAD "<!-- a" TAIL, 1, "does not end");
    assert_refused(HEAD DISC "</svg", 1, "does not end");
    assert_refused(HEAD "<title>\xff</title>" DISC TAIL, 1, "UTF-8");
    assert_refused(HEAD "\n<title>\xc3", 2, "UTF-8");
    assert_refused(HEAD "<title>\x01</title>" DISC TAIL, 1, "control");
    assert_drawing_refused(HEAD "\0" DISC TAIL, sizeof(HEAD "\0" DISC TAIL) - 1, FM_E_ART, 1,
                           "control");
    assert_refused(HEAD "<title>&#0;</title>" DISC TAIL, 0, "librsvg");
}

static void what_is_not_listed_is_refused(void **state)
{
    (void)state;
    assert_refused(HEAD "\n<text>Shark</text>" TAIL, 2, "<text>");
    assert_refused(HEAD "<use/>" TAIL, 1, "<use>");
    assert_refused(HEAD "<script>1</script>" TAIL, 1, "<script>");
    assert_refused(HEAD "<svg:g/>" TAIL, 1, "<svg:g>");
    assert_refused(HEAD "<svg viewBox=\"0 0 1 1\"/>" TAIL, 1, "no other");
    assert_refused(HEAD "<path><g/></path>" TAIL, 1, "belong");
    assert_refused(HEAD "<stop/>" TAIL, 1, "belong");
    assert_refused("<g/>", 1, "one <svg>");
    assert_refused(HEAD DISC "shark" TAIL, 1, "outside of <title>");
    assert_refused(HEAD "<g\n style=\"fill:red\"/>" TAIL, 2, "\"style\"");
    assert_refused(HEAD "<g onload=\"x\"/>" TAIL, 1, "\"onload\"");
    assert_refused(HEAD "<g filter=\"url(#f)\"/>" TAIL, 1, "\"filter\"");
    assert_refused(HEAD "<path stroke-dasharray=\"1\"/>" TAIL, 1, "\"stroke-dasharray\"");
}

static void nothing_outside_is_referred_to(void **state)
{
    (void)state;
    assert_refused(HEAD "<linearGradient href=\"#a\"/>" TAIL, 1, "\"href\"");
    assert_refused(HEAD "<g xlink:href=\"http://a.example/a.svg\"/>" TAIL, 1, "\"xlink:href\"");
    assert_refused(HEAD "<path fill=\"url(http://a.example/a.svg#a)\"/>" TAIL, 1, "url(#id)");
    assert_refused(HEAD "<path fill=\"url(file.svg#a)\"/>" TAIL, 1, "url(#id)");
    assert_refused(HEAD "<path fill=\"url('#a')\"/>" TAIL, 1, "url(#id)");
    assert_refused(HEAD "<path fill=\"URL(#a)\"/>" TAIL, 1, "url(#id)");
    assert_refused(HEAD "<path fill=\"url(#a) red\"/>" TAIL, 1, "nothing more");
    assert_refused(HEAD "<path fill=\"url(#a b)\"/>" TAIL, 1, "an id");
    assert_refused(HEAD "<path fill=\"u\\72l\"/>" TAIL, 1, "\"\\\"");
    assert_refused("<svg xmlns=\"http://a.example\" viewBox=\"0 0 100 100\">" DISC TAIL, 1,
                   "http://www.w3.org/2000/svg");
}

static void entities_and_doctypes_are_refused(void **state)
{
    (void)state;
    assert_refused("<?xml version=\"1.0\"?>\n<!DOCTYPE svg [<!ENTITY a \"&b;&b;&b;\">"
                   "<!ENTITY b \"&c;&c;&c;\">]>\n" HEAD "<title>&a;</title>" TAIL,
                   2, "DOCTYPE");
    assert_refused("<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"a.dtd\">" HEAD TAIL, 1,
                   "DOCTYPE");
    assert_refused(HEAD "<title>&bomb;</title>" TAIL, 1, "&bomb;");
    assert_refused(HEAD "<title>&#12</title>" TAIL, 1, "entity");
    assert_refused(HEAD "&#32;" TAIL, 1, "text");
    assert_refused(HEAD "<path fill=\"&#117;rl(#a)\"/>" TAIL, 1, "\"&\"");
    assert_refused(HEAD "<title><![CDATA[a]]></title>" TAIL, 1, "CDATA");
    assert_refused("<?xml-stylesheet href=\"a.css\"?>" HEAD DISC TAIL, 1, "<?xml");
    assert_refused(HEAD "<?php 1?>" TAIL, 1, "processing instructions");
    assert_refused("<?xml version=\"1.0\" encoding=\"UTF-7\"?>" HEAD DISC TAIL, 1, "encoding");
    assert_refused("<?xml version=\"1.0\" a=\"b\"?>" HEAD DISC TAIL, 1, "\"a\"");
}

static void the_viewbox_is_a_square(void **state)
{
    (void)state;
    assert_refused("<svg xmlns=\"http://www.w3.org/2000/svg\">" DISC TAIL, 1, "no viewBox");
    assert_refused("<svg viewBox=\"0 0 100 99\">" DISC TAIL, 1, "not square");
    assert_refused("<svg viewBox=\"0 0 100\">" DISC TAIL, 1, "a number is expected");
    assert_refused("<svg viewBox=\"0 0 100 100 100\">" DISC TAIL, 1, "four");
    assert_refused("<svg viewBox=\"0 0 1 1\">" DISC TAIL, 1, "wide");
    assert_refused("<svg viewBox=\"0 0 -100 -100\">" DISC TAIL, 1, "wide");
    assert_refused("<svg viewBox=\"0 0 10000 10000\">" DISC TAIL, 1, "wide");
    assert_refused("<svg viewBox=\"9999 0 100 100\">" DISC TAIL, 1, "too large");
    assert_refused(HEAD "<g viewBox=\"0 0 9 9\"/>" TAIL, 1, "only <svg>");
}

static void empty_drawings_are_refused(void **state)
{
    (void)state;
    assert_refused(HEAD TAIL, 0, "empty");
    assert_refused(HEAD "<circle r=\"4\" cx=\"50\" cy=\"-10\"/>" TAIL, 0, "empty");
    assert_refused(HEAD "<circle r=\"3\" cx=\"50\" cy=\"50\"/>" TAIL, 0, "empty");
    assert_refused(HEAD "<g fill-opacity=\".1\">" DISC "</g>" TAIL, 0, "empty");
    assert_refused(HEAD "<g fill=\"none\">" DISC "</g>" TAIL, 0, "empty");
}

static void odd_numbers_are_refused(void **state)
{
    (void)state;
    assert_refused(HEAD "<circle r=\"1e7\"/>" TAIL, 1, "exponent");
    assert_refused(HEAD "<circle r=\"1e-12\"/>" TAIL, 1, "exponent");
    assert_refused(HEAD "<circle r=\"0.1234567890123456\"/>" TAIL, 1, "16 characters");
    assert_refused(HEAD "<circle r=\"4px\"/>" TAIL, 1, "\"px\"");
    assert_refused(HEAD "<circle r=\"five\"/>" TAIL, 1, "\"five\"");
    assert_refused(HEAD "<circle r=\"1e4\"/>" TAIL, 1, "too large");
    assert_refused(HEAD "<path d=\"M0 0L1 -2000\"/>" TAIL, 1, "too large");
    assert_refused(HEAD "<path d=\"M0 0L1,,1\"/>" TAIL, 1, "a number is expected");
    assert_refused(HEAD "<path d=\"M0 0L1\"/>" TAIL, 1, "a number is expected");
    assert_refused(HEAD "<path d=\"0 0\"/>" TAIL, 1, "without a command");
    assert_refused(HEAD "<path d=\"M0 0T1 1\"/>" TAIL, 1, "\"T\"");
    assert_refused(HEAD "<path d=\"M0 0a1 1 0 2 0 1 1\"/>" TAIL, 1, "flags");
    assert_refused(HEAD "<g transform=\"scale(1e3)\"><circle r=\"9\"/></g>" TAIL, 1, "too large");
    assert_refused(HEAD "<g transform=\"scale\"/>" TAIL, 1, "list of");
    assert_refused(HEAD "<g transform=\"skewX(89)\"/>" TAIL, 1, "\"skewX\"");
    assert_refused(HEAD "<g transform=\"scale(1 1 1)\"/>" TAIL, 1, "with 3 numbers");
    assert_refused(HEAD "<g transform=\"matrix(1 1 1 1 1 1 1)\"/>" TAIL, 1, "one to six");
    assert_refused(HEAD "<g stroke=\"red\" stroke-width=\"101\"/>" TAIL, 1, "broader");
    assert_refused(HEAD "<g stroke-width=\"-1\"/>" TAIL, 1, "without a unit");
    assert_refused(HEAD "<path stroke-miterlimit=\"99\"/>" TAIL, 1, "miterlimit");
}

/* Each of these would take cairo from some seconds to some minutes if there were no limit. */
static void slow_drawings_are_refused(void **state)
{
    (void)state;
    assert_repeated_refused(HEAD, "<g>", 16, "", "16 deep");
    assert_repeated_refused(HEAD, "<g/>", 2000, TAIL, "2000 elements");
    assert_repeated_refused(HEAD "<path d=\"M0 0", "h.1v.1", 800, "\"/>" TAIL, "3000 numbers");
    assert_repeated_refused(HEAD, "<circle r=\".1\"/>", 1001, TAIL, "8000 numbers");
    assert_repeated_refused(HEAD "<path d=\"M0 0", "L90 90L0 50", 60, "\"/>" TAIL, "too long");
    assert_repeated_refused(HEAD "<path d=\"M0 0", "a9 900 0 0 1 5 5", 12, "\"/>" TAIL, "too long");
    assert_repeated_refused(HEAD "<path stroke=\"red\" stroke-width=\"90\" d=\"M0 0", "h1v1", 20,
                            "\"/>" TAIL, "too long");
    assert_repeated_refused(HEAD, DISC, 400, TAIL, "all outlines");
    assert_repeated_refused(HEAD "<clipPath>", DISC, 4, "</clipPath>" TAIL, "of clipPaths");
    assert_repeated_refused(HEAD "<g clip-path=\"url(#c)\">", DISC, 25, "</g>" TAIL, "clipped");
    assert_repeated_refused(HEAD "<g clip-path=\"url(#c)\"><path d=\"M0 0", "h.1v.1", 400,
                            "\"/></g>" TAIL, "1500");
    assert_repeated_refused(HEAD, "<g opacity=\".9\"/>", 33, TAIL, "opacities");
    assert_repeated_refused(HEAD, "<path fill=\"url(#a)\"/>", 33, TAIL, "gradients");
    assert_repeated_refused(HEAD "<linearGradient>", "<stop/>", 17, "</linearGradient>" TAIL,
                            "16 stops");
    assert_repeated_refused(HEAD "<g transform=\"", "scale(1)", 9, "\"/>" TAIL, "8 functions");
    assert_refused(HEAD "<g fill=\"url(#a)\"/>" TAIL, 1, "only shapes");
    assert_refused(HEAD "<clipPath clip-path=\"url(#a)\"/>" TAIL, 1, "clipped again");
    assert_refused(HEAD "<clipPath><path clip-path=\"url(#a)\"/></clipPath>" TAIL, 1, "again");
    assert_refused(HEAD "<g clip-path=\"url(#a)\"><g clip-path=\"url(#a)\"/></g>" TAIL, 1, "again");
    assert_refused(HEAD "<clipPath clipPathUnits=\"objectBoundingBox\"/>" TAIL, 1,
                   "userSpaceOnUse");
    assert_refused(HEAD "<linearGradient spreadMethod=\"repeat\"/>" TAIL, 1, "pad");
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
    assert_int_equal(manta->sprite[0][0], 0xff000000u);
    assert_int_equal(manta->sprite[3][64 * 64 - 1], 0xff000000u);
    assert_int_equal(eel->sprite[0][0], 0);
    assert_int_equal(eel->sprite[0][256 * 512 + 256], 0xff000000u);
    const float more = art->weight[OC_DECORATION] - builtin()->weight[OC_DECORATION];
    assert_true(fabsf(more - 3) < 1e-4f);
    oc_art_free(art);
    oc_art_free(NULL);
    oc_drawing_finish(NULL);
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
        cmocka_unit_test(reach_is_where_the_ink_ends),
        cmocka_unit_test(creatures_look_to_the_right),
        cmocka_unit_test(picking_weighs),
        cmocka_unit_test(what_drawings_may_hold),
        cmocka_unit_test(big_drawings_are_refused),
        cmocka_unit_test(broken_xml_is_refused),
        cmocka_unit_test(what_is_not_listed_is_refused),
        cmocka_unit_test(nothing_outside_is_referred_to),
        cmocka_unit_test(entities_and_doctypes_are_refused),
        cmocka_unit_test(the_viewbox_is_a_square),
        cmocka_unit_test(empty_drawings_are_refused),
        cmocka_unit_test(odd_numbers_are_refused),
        cmocka_unit_test(slow_drawings_are_refused),
        IN_FOLDER(a_folder_replaces_and_adds),
        IN_FOLDER(missing_files_are_named),
        IN_FOLDER(unreadable_files_are_named),
        IN_FOLDER(bad_lists_are_refused_with_their_key),
        IN_FOLDER(a_set_is_bounded_and_complete),
        IN_FOLDER(bad_drawings_of_a_folder_are_named),
    };
    return tests_run("ocean_art", tests, sizeof tests / sizeof tests[0]);
}
