/* options_test.c: what is asked of the hall without a table: games, their options, the
 * referee, and practice. */
#include "server/party.h"

#include <fathom/games.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASK(method, body, ...) world_ask(&world, method, NULL, body, __VA_ARGS__)

/* ---- games and options ---------------------------------------------------------------------- */

static json_t *game_of(const char *id)
{
    assert_int_equal(ASK("GET", NULL, "/api/games"), 200);
    json_t *game = find_in(json_object_get(world.json, "games"), "id", id);
    assert_non_null(game);
    return game;
}

static void every_game_describes_its_options(void **state)
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
            json_t *option = find_in(options, "name", g->options[k].name);
            assert_string_equal(text_of(option, "about"), g->options[k].about);
            assert_non_null(json_object_get(option, "default"));
        }
        assert_non_null(find_in(json_object_get(game, "bots"), "id", "random"));
        assert_non_null(find_in(json_object_get(game, "decks"), "id", g->deck));
    }
    json_t *options = json_object_get(game_of("dive"), "options");
    json_t *divers = find_in(options, "name", "divers");
    assert_string_equal(text_of(divers, "type"), "int");
    assert_int_equal(int_of(divers, "min"), 1);
    assert_int_equal(int_of(divers, "max"), 4);
    assert_int_equal(int_of(divers, "default"), 2);
    json_t *companions = find_in(options, "name", "companions");
    assert_string_equal(text_of(companions, "type"), "choice");
    assert_string_equal(text_of(companions, "default"), "none");
    assert_int_equal(json_array_size(json_object_get(companions, "values")), 3);
    assert_string_equal(text_of(find_in(options, "name", "chief"), "type"), "bool");
    assert_true(json_is_false(json_object_get(find_in(options, "name", "chief"), "default")));
    assert_string_equal(text_of(find_in(options, "name", "ages"), "type"), "seats");
    assert_true(json_is_null(json_object_get(find_in(options, "name", "ages"), "default")));
    json_t *first = find_in(json_object_get(game_of("soumsoum"), "options"), "name", "first");
    assert_string_equal(text_of(first, "type"), "seat");
    assert_string_equal(text_of(first, "default"), "random");
    assert_null(find_in(json_object_get(game_of("dive"), "bots"), "id", "greedy"));
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
        {"dive", "{\"divers\":1}", "alone-needs-chief", "divers"},
        {"dive", "{\"divers\":9}", "too-many-seats", "divers"},
        {"dive", "{\"children\":true,\"chief\":true}", "children-chief", "chief"},
        {"dive", "{\"ages\":[0,0]}", "bad-value", "ages[1]"},
        {"dive", "{\"ages\":[2,0,1]}", "each-seat-once", "ages"},
        {"dive", "{\"fins\":true}", "bad-key", NULL},
        {"dive", "{\"deck\":\"soumsoum-lagoon\"}", "bad-deck", "deck"},
        {"dive", "{\"deck\":\"nowhere\"}", "bad-deck", "deck"},
        {"dive", "7", "bad-value", NULL},
        {"dive", "null", "bad-value", NULL},
        {"soumsoum", "{\"first\":4}", "no-such-seat", "first"},
        {"divercity", "{\"divers\":1,\"realistic\":true}", "no-partner", "realistic"},
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

static void options_are_checked_by_the_rules_that_are_named(void **state)
{
    static const struct {
        const char *rules, *code; /* code NULL: they are fine */
    } cases[] = {{"1", "freediving-beginners"}, {"2", NULL}, {"3", "unknown-rules"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[128];
        (void)snprintf(body, sizeof body, "{\"rules\":%s,\"options\":[{\"level\":\"freediving\"}]}",
                       cases[i].rules);
        assert_int_equal(ASK("POST", body, "/api/games/divercity/check"), 200);
        json_t *answer = json_array_get(json_object_get(world.json, "answers"), 0);
        assert_int_equal(json_is_true(json_object_get(answer, "ok")), cases[i].code == NULL);
        if (cases[i].code != NULL)
            assert_string_equal(text_of(answer, "code"), cases[i].code);
    }
}

static void answers_about_options_say_the_number_of_seats(void **state)
{
    static const struct {
        const char *game, *options, *key;
        int value;
    } cases[] = {
        {"dive", "{}", "seats", 2},
        {"divercity", "{\"divers\":6,\"industrialist\":true}", "seats", 7},
        {"divercity", "{\"divers\":7}", "max", 6},
        {"soumsoum", "{\"players\":1}", "min", 2},
        {"dive", "{\"divers\":3,\"ages\":[1,0]}", "seats", 3},
        {"divercity", "{\"industrialist\":true,\"first\":2}", "seat", 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *answer = check_one(cases[i].game, cases[i].options);
        assert_int_equal(json_integer_value(json_object_get(answer, cases[i].key)), cases[i].value);
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
    assert_code(ASK("POST", body, "/api/games/dive/check"), 400, "bad-value");
}

static void malformed_questions_about_options_are_refused(void **state)
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
        assert_code(ASK(cases[i].method, cases[i].body, "%s", cases[i].path), cases[i].status,
                    cases[i].code);
}

/* ---- the referee ---------------------------------------------------------------------------- */

#define PLAYED                                                                                     \
    "{\"game\":\"divercity\",\"options\":{\"diver_cards\":\"none\"},\"setup\":{\"active\":0,"      \
    "\"hands\":[[\"crab\"],[\"eel\"]],\"corporation_deck\":[],\"species_deck\":[\"eel\",\"eel\"]}" \
    ","                                                                                            \
    "\"actions\":[{\"seat\":0,\"do\":\"%s\",\"card\":0}]}"

static json_t *rule(const char *who, const char *verb)
{
    char body[512];
    (void)snprintf(body, sizeof body, PLAYED, verb);
    assert_int_equal(ASK("POST", body, "/api/referee/%s", who), 200);
    return world.json;
}

static void the_referee_plays_a_scenario(void **state)
{
    (void)state;
    json_t *whole = json_object_get(rule("open", "play"), "state");
    assert_string_equal(text_of(json_object_get(whole, "ladder"), "crab"), "green");
    assert_int_equal(int_of(whole, "species_deck"), 1);
    json_t *seen = json_object_get(rule("0", "play"), "view");
    assert_int_equal(int_of(seen, "seat"), 0);
    assert_true(json_is_null(json_array_get(json_array_get(json_object_get(seen, "hands"), 0), 0)));
    assert_true(json_is_true(json_object_get(rule("table", "play"), "ok")));
    assert_non_null(json_object_get(world.json, "view"));
}

static void the_referee_says_which_action_is_wrong(void **state)
{
    (void)state;
    json_t *error = json_object_get(rule("open", "dance"), "error");
    assert_int_equal(int_of(error, "action"), 0);
    assert_string_equal(text_of(error, "code"), "bad-value");
    error = json_object_get(rule("5", "play"), "error");
    assert_string_equal(text_of(error, "code"), "no-such-seat");
    assert_int_equal(ASK("POST", "{", "/api/referee/open"), 200);
    assert_string_equal(text_of(json_object_get(world.json, "error"), "code"), "bad-json");
    assert_int_equal(ASK("POST", NULL, "/api/referee/open"), 200);
    assert_true(json_is_false(json_object_get(world.json, "ok")));
    assert_code(ASK("GET", NULL, "/api/referee/open"), 404, "no-such-path");
    assert_code(ASK("POST", "{}", "/api/referee"), 404, "no-such-path");
    assert_code(ASK("POST", "{}", "/api/referee/9"), 404, "no-such-path");
    assert_code(ASK("POST", "{}", "/api/referee/10"), 404, "no-such-path");
}

/* ---- practice ------------------------------------------------------------------------------- */

#define GUESS "{\"guess\":[\"shark\",null,\"shark+green\",\"empty\",\"manta\"]}"

static void practise(char id[33])
{
    assert_int_equal(ASK("POST", "{}", "/api/practice"), 201);
    assert_int_equal(int_of(world.json, "levels"), 5);
    copy_text(id, 33, world_text(&world, "practice"));
}

static void a_guess_is_answered_with_the_truth(void **state)
{
    static const char *const kinds[] = {"empty", "shark",       "green",     "red",
                                        "manta", "shark+green", "shark+red", "shark+manta"};
    unsigned seen = 0;
    char id[33];
    (void)state;
    for (int i = 0; i < 40; i++) {
        practise(id);
        assert_int_equal(ASK("POST", GUESS, "/api/practice/%s/guess", id), 200);
        assert_true(json_is_true(json_object_get(world.json, "sheets")));
        json_t *truth = json_incref(json_object_get(world.json, "truth"));
        assert_int_equal(json_array_size(truth), 5);
        for (size_t level = 0; level < 5; level++) {
            unsigned kind = 0;
            while (strcmp(json_string_value(json_array_get(truth, level)), kinds[kind]) != 0)
                assert_true(++kind < 8);
            seen |= 1u << kind;
        }
        assert_int_equal(ASK("POST", GUESS, "/api/practice/%s/guess", id), 200);
        assert_true(json_equal(json_object_get(world.json, "truth"), truth));
        json_decref(truth);
    }
    assert_true(__builtin_popcount(seen) >= 6); /* two hundred sheets are not all alike */
}

static void only_ids_that_this_server_gave_are_known(void **state)
{
    char id[33];
    (void)state;
    practise(id);
    assert_int_equal(ASK("POST", GUESS, "/api/practice/%s/guess", id), 200);
    for (int i = 0; i < 32; i += 3) {
        char other[33];
        memcpy(other, id, sizeof other);
        other[i] = other[i] == '0' ? '1' : '0';
        assert_code(ASK("POST", GUESS, "/api/practice/%s/guess", other), 404, "gone");
    }
    assert_code(ASK("POST", GUESS, "/api/practice/%.31s/guess", id), 404, "gone");
    assert_code(ASK("POST", GUESS, "/api/practice/x/guess"), 404, "gone");
    world_restart(&world);
    assert_code(ASK("POST", GUESS, "/api/practice/%s/guess", id), 404, "gone");
}

static void malformed_guesses_are_refused(void **state)
{
    static const struct {
        const char *method, *rest, *body;
        int status;
        const char *code;
    } cases[] = {
        {"POST", "/guess", NULL, 400, "bad-json"},
        {"POST", "/guess", "[]", 400, "bad-value"},
        {"POST", "/guess", "{}", 400, "bad-key"},
        {"POST", "/guess", "{\"guess\":[]}", 400, "bad-value"},
        {"POST", "/guess", "{\"guess\":[null,null,null,null]}", 400, "bad-value"},
        {"POST", "/guess", "{\"guess\":[null,null,null,null,null,null]}", 400, "bad-value"},
        {"POST", "/guess", "{\"guess\":[null,null,null,null,\"whale\"]}", 400, "bad-value"},
        {"POST", "/guess", "{\"guess\":[null,null,null,null,3]}", 400, "bad-value"},
        {"POST", "/guess", "{\"guess\":[null,null,null,null,null],\"id\":1}", 400, "bad-key"},
        {"POST", "/look", "{}", 404, "no-such-path"},
        {"POST", "", "{}", 404, "no-such-path"},
        {"GET", "/0,0.jpg", NULL, 404, "no-such-path"}, /* this hall has no pictures */
        {"DELETE", "/guess", NULL, 404, "no-such-path"},
    };
    char id[33];
    (void)state;
    practise(id);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_code(ASK(cases[i].method, cases[i].body, "/api/practice/%s%s", id, cases[i].rest),
                    cases[i].status, cases[i].code);
    assert_code(ASK("POST", "{\"levels\":6}", "/api/practice"), 400, "bad-key");
    assert_code(ASK("POST", "[]", "/api/practice"), 400, "bad-value");
    assert_code(ASK("GET", NULL, "/api/practice"), 404, "no-such-path");
    assert_code(ASK("POST", NULL, "/api/practices"), 404, "no-such-path");
    assert_int_equal(ASK("POST", NULL, "/api/practice"), 201);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_WORLD(every_game_describes_its_options),
        IN_WORLD(decks_of_the_house_come_first_and_hide_built_in_ones),
        IN_WORLD(good_options_come_back_complete),
        IN_WORLD(bad_options_say_which_and_why),
        IN_WORLD(options_are_checked_by_the_rules_that_are_named),
        IN_WORLD(answers_about_options_say_the_number_of_seats),
        IN_WORLD(options_are_checked_many_at_once_in_their_order),
        IN_WORLD(malformed_questions_about_options_are_refused),
        IN_WORLD(the_referee_plays_a_scenario),
        IN_WORLD(the_referee_says_which_action_is_wrong),
        IN_WORLD(a_guess_is_answered_with_the_truth),
        IN_WORLD(only_ids_that_this_server_gave_are_known),
        IN_WORLD(malformed_guesses_are_refused),
    };
    return tests_run("options", tests, sizeof tests / sizeof tests[0]);
}
