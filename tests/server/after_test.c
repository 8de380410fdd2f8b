/* after_test.c: what is asked of the hall before a table is made and after its game is over: games
 * and options, replays, checks of the record, practice. */
#include "tests.h"

#include "base/panic.h"
#include "server/world.h"

#include <fathom/games.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct world world;

static int open_world(void **state)
{
    (void)state;
    world_open(&world, 11);
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    world_settle(&world);
    world_close(&world);
    return 0;
}

#define ASK(method, body, ...) world_ask(&world, method, NULL, body, __VA_ARGS__)

static const char *text_of(json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL ? text : "";
}

static json_int_t int_of(json_t *json, const char *key)
{
    assert_true(json_is_integer(json_object_get(json, key)));
    return json_integer_value(json_object_get(json, key));
}

/* The entry of a list whose key has this value; NULL: none. */
static json_t *find(json_t *list, const char *key, const char *value)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        if (strcmp(text_of(one, key), value) == 0)
            return one;
    }
    return NULL;
}

static void assert_refused(int status, int expected, const char *code)
{
    if (status != expected || strcmp(world_code(&world), code) != 0)
        fail_msg("%d %s, not %d %s", status, world_code(&world), expected, code);
}

/* ---- games and options ---------------------------------------------------------------------- */

static json_t *game_of(const char *id)
{
    assert_int_equal(ASK("GET", NULL, "/api/games"), 200);
    json_t *game = find(json_object_get(world.json, "games"), "id", id);
    assert_non_null(game);
    return game;
}

static void every_game_says_what_it_can_be_asked_for(void **state)
{
    const struct fm_game *g;
    (void)state;
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        json_t *game = game_of(g->id), *options = json_object_get(game, "options");
        assert_string_equal(text_of(game, "title"), g->title);
        assert_int_equal(int_of(json_object_get(game, "seats"), "min"), g->min_seats);
        assert_int_equal(int_of(json_object_get(game, "seats"), "max"), g->max_seats);
        assert_int_equal(json_array_size(options), g->n_options);
        for (uint32_t k = 0; k < g->n_options; k++) {
            json_t *option = find(options, "name", g->options[k].name);
            assert_string_equal(text_of(option, "about"), g->options[k].about);
            assert_non_null(json_object_get(option, "default"));
        }
        assert_non_null(find(json_object_get(game, "bots"), "id", "random"));
        assert_non_null(find(json_object_get(game, "decks"), "id", g->deck));
    }
    json_t *options = json_object_get(game_of("dive"), "options");
    json_t *divers = find(options, "name", "divers");
    assert_string_equal(text_of(divers, "type"), "int");
    assert_int_equal(int_of(divers, "min"), 1);
    assert_int_equal(int_of(divers, "max"), 4);
    assert_int_equal(int_of(divers, "default"), 2);
    json_t *companions = find(options, "name", "companions");
    assert_string_equal(text_of(companions, "type"), "choice");
    assert_string_equal(text_of(companions, "default"), "none");
    assert_int_equal(json_array_size(json_object_get(companions, "values")), 3);
    assert_string_equal(text_of(find(options, "name", "chief"), "type"), "bool");
    assert_true(json_is_false(json_object_get(find(options, "name", "chief"), "default")));
    assert_string_equal(text_of(find(options, "name", "ages"), "type"), "seats");
    assert_true(json_is_null(json_object_get(find(options, "name", "ages"), "default")));
    json_t *first = find(json_object_get(game_of("soumsoum"), "options"), "name", "first");
    assert_string_equal(text_of(first, "type"), "seat");
    assert_string_equal(text_of(first, "default"), "random");
    assert_null(find(json_object_get(game_of("dive"), "bots"), "id", "greedy"));
}

static void decks_of_the_house_come_first_and_hide_built_in_ones(void **state)
{
    struct fm_deck decks[2];
    struct fm_fault fault;
    const struct fm_library house = {.decks = decks, .n_decks = 2};
    (void)state;
    assert_int_equal(fm_deck_find(&decks[0], NULL, &fm_game_dive, NULL, &fault), FM_OK);
    decks[1] = decks[0];
    (void)snprintf(decks[0].id, sizeof decks[0].id, "our-own");
    (void)snprintf(decks[1].title, sizeof decks[1].title, "Another reef");
    world_close(&world);
    world.library = &house;
    world_open(&world, 11);
    json_t *list = json_object_get(game_of("dive"), "decks");
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(text_of(json_array_get(list, 0), "id"), "our-own");
    assert_string_equal(text_of(json_array_get(list, 1), "title"), "Another reef");
    assert_int_equal(ASK("POST", "{\"options\":[{}]}", "/api/games/dive/check"), 200);
    json_t *answer = json_array_get(json_object_get(world.json, "answers"), 0);
    assert_string_equal(text_of(json_object_get(answer, "options"), "deck"), "our-own");
    world_close(&world);
    world_open(&world, 11);
}

static json_t *check_one(const char *game, const char *options)
{
    char body[512];
    (void)snprintf(body, sizeof body, "{\"options\":[%s]}", options);
    assert_int_equal(ASK("POST", body, "/api/games/%s/check", game), 200);
    assert_int_equal(json_array_size(json_object_get(world.json, "answers")), 1);
    return json_array_get(json_object_get(world.json, "answers"), 0);
}

static void good_options_come_back_complete(void **state)
{
    (void)state;
    json_t *answer = check_one("dive", "{\"divers\":3}");
    assert_true(json_is_true(json_object_get(answer, "ok")));
    json_t *options = json_object_get(answer, "options");
    assert_int_equal(int_of(options, "divers"), 3);
    assert_string_equal(text_of(options, "companions"), "none");
    assert_string_equal(text_of(options, "deck"), "dive-reef");
    assert_int_equal(json_array_size(json_object_get(options, "ages")), 3);
    /* and such a table can be made, with just these options */
    char body[512];
    char *dumped = json_dumps(options, 0);
    (void)snprintf(body, sizeof body, "{\"game\":\"dive\",\"options\":%s}", dumped);
    free(dumped);
    assert_int_equal(ASK("POST", body, "/api/tables"), 201);
}

static void bad_options_say_which_and_why(void **state)
{
    static const struct {
        const char *game, *options, *code, *path; /* path NULL: all of them */
    } cases[] = {
        {"dive", "{\"divers\":1}", "bad-options", "divers"},
        {"dive", "{\"divers\":9}", "bad-value", "divers"},
        {"dive", "{\"children\":true,\"chief\":true}", "bad-options", "chief"},
        {"dive", "{\"ages\":[0,0]}", "bad-value", "ages[1]"},
        {"dive", "{\"ages\":[2,0,1]}", "bad-value", "ages"},
        {"dive", "{\"fins\":true}", "bad-key", NULL},
        {"dive", "{\"deck\":\"soumsoum-lagoon\"}", "bad-deck", "deck"},
        {"dive", "{\"deck\":\"nowhere\"}", "bad-deck", "deck"},
        {"dive", "7", "bad-value", NULL},
        {"dive", "null", "bad-value", NULL},
        {"soumsoum", "{\"first\":4}", "bad-value", "first"},
        {"divercity", "{\"level\":\"freediving\"}", "bad-options", "level"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *answer = check_one(cases[i].game, cases[i].options);
        assert_true(json_is_false(json_object_get(answer, "ok")));
        assert_string_equal(text_of(answer, "code"), cases[i].code);
        assert_true(strlen(text_of(answer, "message")) > 5);
        assert_null(strstr(text_of(answer, "message"), "options"));
        if (cases[i].path != NULL)
            assert_string_equal(text_of(answer, "path"), cases[i].path);
        else
            assert_true(json_is_null(json_object_get(answer, "path")));
    }
}

static void options_are_checked_many_at_once_in_their_order(void **state)
{
    char body[4096] = "{\"options\":[{}";
    (void)state;
    for (int i = 1; i < 64; i++)
        (void)snprintf(body + strlen(body), sizeof body - strlen(body), ",{\"divers\":%d}", i);
    (void)snprintf(body + strlen(body), sizeof body - strlen(body), "]}");
    assert_int_equal(ASK("POST", body, "/api/games/dive/check"), 200);
    json_t *answers = json_object_get(world.json, "answers");
    assert_int_equal(json_array_size(answers), 64);
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(json_is_true(json_object_get(json_array_get(answers, i), "ok")),
                         i != 1 && i < 5);
    body[strlen(body) - 2] = '\0';
    (void)snprintf(body + strlen(body), sizeof body - strlen(body), ",{}]}");
    assert_refused(ASK("POST", body, "/api/games/dive/check"), 400, "bad-value");
}

static void what_is_no_question_about_options_is_refused(void **state)
{
    static const struct {
        const char *method, *path, *body;
        int status;
        const char *code;
    } cases[] = {
        {"POST", "/api/games/dive/check", NULL, 400, "bad-json"},
        {"POST", "/api/games/dive/check", "{", 400, "bad-json"},
        {"POST", "/api/games/dive/check", "[]", 400, "bad-value"},
        {"POST", "/api/games/dive/check", "{}", 400, "bad-key"},
        {"POST", "/api/games/dive/check", "{\"options\":[]}", 400, "bad-value"},
        {"POST", "/api/games/dive/check", "{\"options\":{}}", 400, "bad-value"},
        {"POST", "/api/games/dive/check", "{\"options\":[{}],\"game\":\"dive\"}", 400, "bad-key"},
        {"POST", "/api/games/chess/check", "{\"options\":[{}]}", 404, "no-such-path"},
        {"POST", "/api/games/dive/checks", "{\"options\":[{}]}", 404, "no-such-path"},
        {"POST", "/api/games//check", "{\"options\":[{}]}", 404, "no-such-path"},
        {"POST", "/api/games", "{}", 404, "no-such-path"},
        {"GET", "/api/games/", NULL, 404, "no-such-path"},
        {"GET", "/api/gamesters", NULL, 404, "no-such-path"},
        {"GET", "/api/games/dive/check", NULL, 404, "no-such-path"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(ASK(cases[i].method, cases[i].body, "%s", cases[i].path), cases[i].status,
                       cases[i].code);
}

#define IN_WORLD(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_WORLD(every_game_says_what_it_can_be_asked_for),
        IN_WORLD(decks_of_the_house_come_first_and_hide_built_in_ones),
        IN_WORLD(good_options_come_back_complete),
        IN_WORLD(bad_options_say_which_and_why),
        IN_WORLD(options_are_checked_many_at_once_in_their_order),
        IN_WORLD(what_is_no_question_about_options_is_refused),
    };
    return tests_run("after", tests, sizeof tests / sizeof tests[0]);
}
