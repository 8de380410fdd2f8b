/* hall_reactions_test.c: reactions: who sees them, how often, and when they are closed. */
#include "server/party.h"

#include "server/hall_groups.h"

#include <string.h>

#define CITY "{\"game\":\"divercity\",\"options\":{\"divers\":2}}"
#define DIVE "{\"game\":\"dive\",\"options\":{\"divers\":2}}"

/* NULL: it was shown; otherwise the code of the refusal. */
static const char *react(int seat, const char *name)
{
    static char code[40];
    struct client *c = &party.seat[seat];
    mail_clear(&c->mail);
    (void)client_say(c, "{\"react\":\"%s\"}", name);
    if (mail_count(&c->mail, "react") == 1)
        return NULL;
    json_t *refusal = mail_last(&c->mail, "refused");
    assert_non_null(refusal);
    copy_text(code, sizeof code, text_of(refusal, "code"));
    json_decref(refusal);
    return code;
}

static void a_reaction_is_shown_to_everybody_and_not_logged(void **state)
{
    (void)state;
    open_party(&party, SOUM);
    const uint64_t seq = table_of(&party)->seq;
    mail_clear(&party.seat[1].mail);
    mail_clear(&party.watcher.mail);
    assert_null(react(0, "bravo"));
    static const char shown[] = "{\"react\":{\"seat\":0,\"react\":\"bravo\"}}";
    assert_non_null(strstr(party.seat[0].mail.text, shown));
    assert_non_null(strstr(party.seat[1].mail.text, shown));
    assert_non_null(strstr(party.watcher.mail.text, shown));
    assert_int_equal(table_of(&party)->seq, seq);
    assert_false(client_say(&party.seat[1], "{\"react\":\"I have an eel\"}"));
    assert_false(client_say(&party.seat[1], "{\"react\":7}"));
    assert_false(client_say(&party.seat[1], "{\"react\":\"wow\",\"to\":0}"));
    mail_clear(&party.watcher.mail);
    assert_true(client_say(&party.watcher, "{\"react\":\"wow\"}"));
    assert_refused(&party.watcher, "react", "forbidden");
    assert_stored(&party);
    go_all(&party);
}

static void one_reaction_of_a_seat_in_three_seconds(void **state)
{
    (void)state;
    open_party(&party, SOUM);
    assert_null(react(0, "hello"));
    assert_string_equal(react(0, "hello"), "busy");
    assert_null(react(1, "hello"));
    world.now_ms += 2999;
    assert_string_equal(react(0, "wow"), "busy");
    world.now_ms += 1;
    assert_null(react(0, "wow"));
    go_all(&party);
}

static int64_t last_said(struct client *c)
{
    json_t *said = mail_last(&c->mail, "reactions");
    assert_non_null(said);
    json_t *value = json_object_get(said, "reactions");
    const int64_t ms = json_is_null(value) ? -1 : json_integer_value(value);
    json_decref(said);
    return ms;
}

static void C13_silence_from_the_deal_to_the_end(void **state)
{
    (void)state;
    make(&party, CITY);
    for (int seat = 0; seat < 2; seat++) {
        assert_int_equal(sit(&party, seat), 201);
        come(&party, seat);
    }
    assert_null(react(0, "hello"));
    assert_int_equal(mail_count(&party.seat[1].mail, "reactions"), 0);
    assert_int_equal(begin(&party), 200);
    assert_int_equal(last_said(&party.seat[1]), 0);
    world.now_ms += 4000;
    assert_string_equal(react(0, "wow"), "not-now");
    client_leave(&party.seat[1]);
    come(&party, 1);
    assert_int_equal(last_said(&party.seat[1]), 0); /* told again to who comes */
    mail_clear(&party.seat[1].mail);
    while (table_of(&party)->state == ST_PLAYING) {
        assert_string_equal(react(0, "wow"), "not-now");
        step(&party);
    }
    world.now_ms += 4000;
    assert_null(react(0, "game"));
    client_leave(&party.seat[1]);
    mail_clear(&party.seat[1].mail);
    come(&party, 1);
    assert_int_equal(mail_count(&party.seat[1].mail, "reactions"), 0);
    go_all(&party);
}

static void both_plan_and_are_ready(void)
{
    static unsigned number;
    for (int seat = 0; seat < 2; seat++) {
        assert_true(client_say(&party.seat[seat],
                               "{\"id\":\"p%u\",\"action\":{\"do\":\"program\",\"levels\":[{"
                               "\"tokens\":[1],\"shark\":false}]}}",
                               ++number));
        assert_true(client_say(&party.seat[seat], "{\"id\":\"r%u\",\"action\":{\"do\":\"ready\"}}",
                               ++number));
        world_settle(&world);
    }
    world_pass(&world, 200);
}

static void Dive_is_silent_while_anybody_plans(void **state)
{
    (void)state;
    open_party(&party, DIVE);
    assert_int_equal(last_said(&party.watcher), 0);
    assert_string_equal(react(0, "wow"), "not-now");
    mail_clear(&party.watcher.mail);
    both_plan_and_are_ready();
    const int64_t ms = last_said(&party.watcher);
    assert_in_range(ms, 2 * 2500, 7 * 2500); /* as long as the dive is shown */
    assert_null(react(0, "wow"));
    world.now_ms += (uint64_t)ms;
    assert_string_equal(react(0, "wow"), "not-now");
    both_plan_and_are_ready();
    assert_null(react(1, "phew"));
    /* a plan is a secret: it closes nothing */
    assert_true(client_say(&party.seat[0],
                           "{\"id\":\"s1\",\"action\":{\"do\":\"program\",\"levels\":[{"
                           "\"tokens\":[2],\"shark\":false}]}}"));
    world_settle(&world);
    assert_null(react(0, "phew"));
    assert_true(client_say(&party.seat[0], "{\"id\":\"s2\",\"action\":{\"do\":\"ready\"}}"));
    world_settle(&world);
    world.now_ms += 4000;
    assert_string_equal(react(1, "phew"), "not-now"); /* being ready is public */
    go_all(&party);
}

static const struct CMUnitTest tests[] = {
    IN_WORLD(a_reaction_is_shown_to_everybody_and_not_logged),
    IN_WORLD(one_reaction_of_a_seat_in_three_seconds),
    IN_WORLD(C13_silence_from_the_deal_to_the_end),
    IN_WORLD(Dive_is_silent_while_anybody_plans),
};
const struct tests_group hall_reactions = TESTS_GROUP(tests);
