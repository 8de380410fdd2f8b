/* ocean_svg_test.c: which drawings are taken, and which are refused as broken, foreign or slow. */
#include "unit/ocean_svg.h"

#include "ocean/art.h"
#include "ocean/svg_check.h"

#include <string.h>

static void assert_drawing_refused(const char *svg, size_t n, enum fm_err code, int line,
                                   const char *word)
{
    struct fm_fault fault = {0};
    struct oc_drawing d = {0};
    const enum fm_err err = oc_drawing_load(&d, svg, n, &fault);
    if (err != code || fault.code != code || fault.line != line || !strstr(fault.text, word))
        fail_msg("%.300s: %s, line %d: %s", svg, fm_err_code(err), fault.line, fault.text);
    assert_null(d.sprites);
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
        assert_non_null(oc_sprite(&d, i));
    oc_drawing_finish(&d);
    oc_drawing_finish(&d);
    assert_null(d.sprites);
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
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
    };
    return tests_run("ocean_svg", tests, sizeof tests / sizeof tests[0]);
}
