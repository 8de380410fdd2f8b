/*
 * peers_test.c: two halls on one store play the same tables: seats, votes, clocks, bots and
 * rematches happen once, whichever of them is asked, and lost news are made up for.
 */
#include "server/peers.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const bodies[] = {
    "{\"game\":\"soumsoum\",\"options\":{\"players\":4}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"ten\",\"clock\":20}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"level\":\"open-water\"}}",
};

/* Whoever can act does, without waiting for the others; how many did. */
static unsigned everybody_acts(void)
{
    static unsigned number;
    unsigned n = 0;
    for (int seat = 0; seat < n_seats; seat++) {
        const char *action = choose(seat);
        if (action == NULL)
            continue;
        assert_true(client_say(&seat_of[seat], "{\"id\":\"n%u\",\"action\":%s}", number++, action));
        n++;
    }
    return n;
}

/* Both sides act without waiting for each other, and half of the notices are lost. */
static void games_are_played_from_both_sides(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        unsigned number = 0, acks = 0, races = 0;
        begin(bodies[i]);
        for (int k = 0; table_in(HERE)->state != ST_OVER || table_in(THERE)->state != ST_OVER;
             k++) {
            assert_true(k < 20000);
            number += everybody_acts();
            srv_hall_turn(worlds[HERE].hall);
            srv_hall_turn(worlds[THERE].hall);
            settle_both();
            if (world_chance() % 2 == 0)
                tell(HERE, ST_WROTE, id);
            if (world_chance() % 2 == 0)
                tell(THERE, ST_WROTE, id);
            pass(world_chance() % 4 == 0 ? 2100 : 50); /* by then what was lost is found */
        }
        assert_equal_tables();
        for (int seat = 0; seat < n_seats; seat++) {
            assert_told_in_order(&seat_of[seat]);
            acks += mail_count(&seat_of[seat].mail, "ack");
            races += mail_count(&seat_of[seat].mail, "refused");
        }
        assert_told_in_order(&watcher[HERE]);
        assert_told_the_same(&watcher[HERE], &watcher[THERE]);
        assert_int_equal(acks + races, number);         /* each has one answer ... */
        assert_int_equal(acks, table_in(HERE)->n_done); /* ... and was done if that says so */
        go();
    }
    assert_true(st_stats(worlds[HERE].store).conflicts > 0);
    assert_true(st_stats(worlds[THERE].store).conflicts > 0);
}

static void one_of_two_gets_the_seat(void **state)
{
    (void)state;
    struct call call[2] = {0};
    char path[64];
    make("{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    assert_int_equal(world_ask(&worlds[THERE], "GET", NULL, NULL, "/api/tables/%s", id), 200);
    (void)snprintf(path, sizeof path, "/api/tables/%s/seats", id);
    for (int i = 0; i < 2; i++)
        world_send(&worlds[i], &call[i], "POST", NULL, "{\"name\":\"A\",\"seat\":0}", path);
    settle_both();
    assert_int_equal(call[0].answers + call[1].answers, 2);
    assert_int_equal(call[0].status + call[1].status, 201 + 409);
    for (int i = 0; i < 2; i++)
        world_send(&worlds[i], &call[i], "POST", NULL, "{\"name\":\"B\",\"seat\":1}", path);
    settle_both();
    assert_int_equal(call[0].status + call[1].status, 201 + 409);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(world_ask(&worlds[i], "GET", NULL, NULL, "/api/tables/%s", id), 200);
        assert_int_equal(json_array_size(json_object_get(worlds[i].json, "seats")), 2);
        call_finish(&call[i]);
    }
    assert_equal_tables();
}

/* It lost the race against the same request there, and the seat has found its next owner. */
static void leaving_twice_does_not_put_out_the_next_owner(void **state)
{
    (void)state;
    struct call late = {0};
    char path[80];
    make("{\"game\":\"soumsoum\"}");
    sit(0);
    (void)snprintf(path, sizeof path, "/api/tables/%s/seats/0", id);
    world_send(&worlds[HERE], &late, "DELETE", token[0], NULL, path);
    world_read(&worlds[HERE]); /* drafted, but not submitted */
    assert_int_equal(world_ask(&worlds[THERE], "DELETE", token[0], NULL, "%s", path), 200);
    assert_int_equal(world_ask(&worlds[THERE], "POST", NULL, "{\"name\":\"Next\",\"seat\":0}",
                               "/api/tables/%s/seats", id),
                     201);
    settle_both();
    assert_int_equal(late.answers, 1);
    assert_int_equal(late.status, 400);
    call_finish(&late);
    assert_true(table_in(HERE)->seat[0].taken);
    assert_equal_tables();
}

static void W12_a_seat_asked_for_again_at_the_other_one_is_the_same_seat(void **state)
{
    (void)state;
    static const char body[] = "{\"name\":\"Ana\",\"id\":\"00112233445566778899aabbccddeeff\"}";
    char first[SRV_TOKEN_TEXT + 1], again[SRV_TOKEN_TEXT + 1];
    make("{\"game\":\"soumsoum\"}");
    assert_int_equal(world_ask(&worlds[HERE], "POST", NULL, body, "/api/tables/%s/seats", id), 201);
    copy_text(first, sizeof first, &worlds[HERE], "token");
    assert_int_equal(world_ask(&worlds[THERE], "POST", NULL, body, "/api/tables/%s/seats", id),
                     201);
    copy_text(again, sizeof again, &worlds[THERE], "token");
    assert_string_equal(first, again);
    assert_int_equal(json_integer_value(json_object_get(worlds[THERE].json, "seat")), 0);
    assert_false(table_in(THERE)->seat[1].taken);
}

static void a_retry_at_the_other_one_is_acknowledged_and_not_done_again(void **state)
{
    (void)state;
    begin("{\"game\":\"soumsoum\",\"options\":{\"players\":2,\"first\":0}}");
    struct client other;
    const char *action = choose(0);
    assert_non_null(action);
    assert_true(client_say(&seat_of[0], "{\"id\":\"once\",\"action\":%s}", action));
    settle_both();
    assert_int_equal(mail_count(&seat_of[0].mail, "ack"), 1);
    const uint64_t seq = table_in(THERE)->seq;
    assert_int_equal(table_in(HERE)->seq, seq - 1); /* nobody told it */
    come(&other, &worlds[HERE], token[0]);
    assert_int_equal(table_in(HERE)->seq, seq);
    assert_true(client_say(&other, "{\"id\":\"once\",\"action\":%s}", action));
    settle_both();
    assert_int_equal(mail_count(&other.mail, "ack"), 1);
    assert_int_equal(table_in(HERE)->seq, seq);
    client_finish(&other);
    go();
}

static bool is_here(const struct client *c, int seat)
{
    json_t *last = mail_last(&c->mail, "seats");
    assert_non_null(last);
    const bool here = json_is_true(
        json_object_get(json_array_get(json_object_get(last, "seats"), (size_t)seat), "here"));
    json_decref(last);
    return here;
}

static void a_seat_at_the_other_program_is_here(void **state)
{
    (void)state;
    begin("{\"game\":\"soumsoum\",\"options\":{\"players\":3}}");
    for (int i = 0; i < 2; i++)
        for (int seat = 0; seat < 3; seat++)
            assert_true(is_here(&watcher[i], seat));
    client_leave(&seat_of[1]);
    settle_both();
    assert_false(is_here(&watcher[THERE], 1));
    /* words are lost for a while, then silence is understood */
    lost_words = 100;
    pass(20000);
    assert_false(is_here(&watcher[HERE], 0));
    assert_true(is_here(&watcher[THERE], 0));
    lost_words = 0;
    pass(6000);
    assert_true(is_here(&watcher[HERE], 0));
    /* whoever comes to a table asks */
    client_finish(&watcher[HERE]);
    come(&watcher[HERE], &worlds[HERE], NULL);
    assert_true(is_here(&watcher[HERE], 0));
    go();
}

/* All streams of a table of Soum Soum for two are there; it was made and started here. */
static void begin_there(void)
{
    make("{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    for (int seat = 0; seat < n_seats; seat++) {
        sit(seat);
        come(&seat_of[seat], &worlds[THERE], token[seat]);
    }
    assert_int_equal(world_ask(&worlds[HERE], "POST", host, NULL, "/api/tables/%s/start", id), 200);
    tell(THERE, ST_WROTE, id);
}

static void act_there(void)
{
    static unsigned number;
    for (int seat = 0; seat < n_seats; seat++) {
        const char *action = choose_of(table_in(THERE), seat);
        if (action != NULL)
            assert_true(
                client_say(&seat_of[seat], "{\"id\":\"t%u\",\"action\":%s}", number++, action));
        srv_hall_turn(worlds[THERE].hall);
        world_settle(&worlds[THERE]);
    }
}

/* The store may tell of an event before the node has heard that it was its own. */
static void nothing_is_read_for_a_write_of_its_own(void **state)
{
    (void)state;
    begin_there();
    settle_both();
    int seat = 0;
    while (choose_of(table_in(THERE), seat) == NULL)
        seat++;
    assert_true(client_say(&seat_of[seat], "{\"id\":\"mine\",\"action\":%s}",
                           choose_of(table_in(THERE), seat)));
    srv_hall_turn(worlds[THERE].hall);
    st_drain(worlds[THERE].store);
    struct st_notice notice = {.kind = ST_WROTE, .seq = table_in(THERE)->seq + 1};
    notice.table = table_in(THERE)->id;
    srv_notice_handle(worlds[THERE].hall, &notice, false);
    assert_int_equal(srv_reads(worlds[THERE].hall), 0);
    notice.seq++; /* but this one is another node's */
    srv_notice_handle(worlds[THERE].hall, &notice, false);
    assert_int_equal(srv_reads(worlds[THERE].hall), 1);
    settle_both();
    assert_int_equal(mail_count(&seat_of[seat].mail, "ack"), 1);
    for (seat = 0; seat < n_seats; seat++)
        client_finish(&seat_of[seat]);
    memset(seat_of, 0, sizeof seat_of);
}

static void nothing_is_said_of_a_table_that_one_node_serves(void **state)
{
    (void)state;
    begin_there();
    for (int i = 0; i < 5; i++) {
        act_there();
        pass(6000);
    }
    assert_int_equal(n_words[HERE] + n_words[THERE], 0);
    assert_int_equal(n_watch_calls[HERE], 0);
    assert_int_equal(n_watch_calls[THERE], 1); /* for both seats */
    /* a spectator comes here: both learn of each other, and say so from then on */
    come(&watcher[HERE], &worlds[HERE], NULL);
    settle_both();
    assert_int_equal(n_watch_calls[HERE], 1);
    assert_true(is_here(&watcher[HERE], 0));
    for (int i = 0; i < 2; i++)
        assert_true(srv_has_peers(worlds[i].hall, world_slot(&worlds[i], id)));
    /* and leaves: with the next notice this one is done with it, and after a while there is silence
     */
    client_finish(&watcher[HERE]);
    act_there();
    tell(HERE, ST_WROTE, id);
    assert_int_equal(n_watch_calls[HERE], 2);
    pass(30000);
    const unsigned said = n_words[HERE] + n_words[THERE];
    pass(30000);
    assert_int_equal(n_words[HERE] + n_words[THERE], said);
    /* whatever was missed, it is asked for again */
    tell(THERE, ST_MISSED, id);
    assert_int_equal(n_watch_calls[THERE], 2);
    for (int seat = 0; seat < n_seats; seat++)
        client_finish(&seat_of[seat]);
    memset(seat_of, 0, sizeof seat_of);
}

static void the_node_that_serves_a_table_becomes_its_keeper(void **state)
{
    (void)state;
    begin_there();
    struct srv_slot *here = world_slot(&worlds[HERE], id), *there = world_slot(&worlds[THERE], id);
    assert_true(here->kept);
    assert_false(there->kept);
    act_there();
    assert_true(there->kept);
    const struct st_notice news = {
        .kind = ST_WROTE, .table = there->table.id, .seq = there->table.seq, .keeps = true};
    listener[HERE].hear(listener[HERE].arg, &news);
    world_settle(&worlds[HERE]);
    assert_false(here->kept);
    /* but not while another has streams, too: they would take it from each other */
    come(&watcher[HERE], &worlds[HERE], NULL);
    settle_both();
    there->kept = false;
    act_there();
    assert_false(there->kept);
    client_finish(&watcher[HERE]);
    for (int seat = 0; seat < n_seats; seat++)
        client_finish(&seat_of[seat]);
    memset(seat_of, 0, sizeof seat_of);
}

static int vote(int voter, int seat)
{
    char body[64];
    (void)snprintf(body, sizeof body, "{\"seat\":%d,\"bot\":\"greedy\"}", seat);
    return world_ask(&worlds[world_of(voter)], "POST", token[voter], body, "/api/tables/%s/bots",
                     id);
}

/* Both make themselves the keeper, one after the other; the notice of the first comes late. */
static void a_late_notice_does_not_take_a_table_from_its_keeper(void **state)
{
    (void)state;
    begin_there();
    act_there(); /* it has streams, so it becomes the keeper */
    const struct srv_slot *slot = world_slot(&worlds[THERE], id);
    assert_true(slot->kept);
    struct st_notice notice = {
        .kind = ST_WROTE, .table = slot->table.id, .seq = slot->kept_seq - 1, .keeps = true};
    listener[THERE].hear(listener[THERE].arg, &notice);
    settle_both();
    assert_true(slot->kept);
    notice.seq = slot->table.seq + 1; /* a newer one does */
    listener[THERE].hear(listener[THERE].arg, &notice);
    settle_both();
    assert_false(slot->kept);
    for (int seat = 0; seat < n_seats; seat++)
        client_finish(&seat_of[seat]);
    memset(seat_of, 0, sizeof seat_of);
}

static void votes_count_on_both_sides(void **state)
{
    (void)state;
    begin("{\"game\":\"soumsoum\",\"options\":{\"players\":4}}");
    assert_int_equal(vote(0, 1), 409);
    client_leave(&seat_of[1]);
    settle_both();
    assert_int_equal(vote(0, 1), 200);
    assert_true(json_is_false(json_object_get(worlds[HERE].json, "done")));
    settle_both();
    assert_int_equal(vote(3, 1), 200);
    assert_true(json_is_true(json_object_get(worlds[THERE].json, "done")));
    tell(HERE, ST_WROTE, id);
    assert_string_equal(table_in(HERE)->seat[1].bot, "greedy");
    /* both at once: neither knows of the other, and whoever hears it counts them together */
    client_leave(&seat_of[0]);
    settle_both();
    const int voters[2] = {2, 3};
    struct call call[2] = {0};
    char path[64];
    (void)snprintf(path, sizeof path, "/api/tables/%s/bots", id);
    for (int i = 0; i < 2; i++) {
        world_send(&worlds[world_of(voters[i])], &call[i], "POST", token[voters[i]],
                   "{\"seat\":0,\"bot\":\"greedy\"}", path);
        world_read(&worlds[world_of(voters[i])]);
        assert_string_equal(call[i].mail.text, "{\"done\":false}\n");
        call_finish(&call[i]);
    }
    settle_both();
    tell(HERE, ST_WROTE, id);
    assert_string_equal(table_in(HERE)->seat[0].bot, "greedy");
    go();
}

static void the_stack_is_held_and_shown_over_both(void **state)
{
    (void)state;
    begin("{\"game\":\"dive\",\"options\":{\"divers\":2}}");
    assert_true(client_say(&seat_of[0], "{\"hold\":true}"));
    settle_both();
    assert_true(client_say(&seat_of[1], "{\"hold\":true}")); /* seat 0 has it */
    mail_clear(&watcher[HERE].mail);
    mail_clear(&watcher[THERE].mail);
    assert_true(client_say(&seat_of[0], "{\"look\":{\"tilt\":[3,-4]}}"));
    assert_true(client_say(&seat_of[1], "{\"look\":{\"tilt\":[1,1]}}"));
    settle_both();
    for (int i = 0; i < 2; i++)
        assert_int_equal(mail_count(&watcher[i].mail, "look"), 1);
    client_leave(&seat_of[0]);
    settle_both();
    assert_true(client_say(&seat_of[1], "{\"hold\":true}"));
    settle_both();
    assert_true(client_say(&seat_of[1], "{\"look\":{\"tilt\":[1,1]}}"));
    settle_both();
    for (int i = 0; i < 2; i++)
        assert_int_equal(mail_count(&watcher[i].mail, "look"), 2);
    go();
}

static void a_reaction_is_shown_over_both(void **state)
{
    (void)state;
    begin("{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    for (int i = 0; i < 2; i++)
        mail_clear(&watcher[i].mail);
    assert_true(client_say(&seat_of[0], "{\"react\":\"thanks\"}"));
    settle_both();
    for (int i = 0; i < 2; i++)
        assert_int_equal(mail_count(&watcher[i].mail, "react"), 1);
    assert_string_equal(watcher[HERE].mail.text, watcher[THERE].mail.text);
    go();
}

static void make_for_bots(void)
{
    make("{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    for (int seat = 0; seat < 2; seat++) {
        char body[64];
        (void)snprintf(body, sizeof body, "{\"seat\":%d,\"bot\":\"greedy\"}", seat);
        assert_int_equal(world_ask(&worlds[HERE], "POST", host, body, "/api/tables/%s/bots", id),
                         200);
    }
}

/* Only the keeper's bots and clocks act; if it is silent, whoever the store names goes on. */
static void the_keeper_acts_and_another_may_become_it(void **state)
{
    (void)state;
    make_for_bots();
    n_seats = 0;
    come(&watcher[THERE], &worlds[THERE], NULL);
    assert_int_equal(world_ask(&worlds[HERE], "POST", host, NULL, "/api/tables/%s/start", id), 200);
    world_pass(&worlds[THERE], 5000); /* it finds out by itself, and does nothing */
    const uint64_t seq = table_in(THERE)->seq;
    assert_int_equal(table_in(THERE)->state, ST_PLAYING);
    world_pass(&worlds[THERE], 5000);
    assert_int_equal(table_in(THERE)->seq, seq);
    world_pass(&worlds[HERE], 2000);
    assert_true(table_in(HERE)->seq > seq);
    tell(THERE, ST_KEEP, id); /* now both believe so: it does no harm */
    for (int k = 0; table_in(THERE)->state == ST_PLAYING; k++) {
        assert_true(k < 1000);
        pass(400);
    }
    tell(HERE, ST_WROTE, id);
    assert_equal_tables();
    assert_told_in_order(&watcher[THERE]);
    client_finish(&watcher[THERE]);
}

/* The store names a keeper once: if it cannot read the table just then, it reads it later. */
static void a_keeper_that_cannot_read_its_table_tries_again(void **state)
{
    (void)state;
    make_for_bots();
    assert_int_equal(world_ask(&worlds[HERE], "POST", host, NULL, "/api/tables/%s/start", id), 200);
    store_away = true;
    tell(THERE, ST_KEEP, id);
    world_pass(&worlds[THERE], 3000);
    assert_null(world_slot(&worlds[THERE], id));
    store_away = false;
    world_pass(&worlds[THERE], 3000);
    assert_non_null(world_slot(&worlds[THERE], id));
    assert_true(world_slot(&worlds[THERE], id)->kept);
    const uint64_t seq = table_in(THERE)->seq;
    world_pass(&worlds[THERE], 3000);
    assert_true(table_in(THERE)->seq > seq);
}

/* A person plays against a bot that the other program keeps, goes away, and comes back. */
static void W02_a_table_that_left_the_memory_of_its_keeper_has_bots_again(void **state)
{
    (void)state;
    make("{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    n_seats = 0;
    assert_int_equal(world_ask(&worlds[HERE], "POST", NULL, "{\"name\":\"P\",\"seat\":0}",
                               "/api/tables/%s/seats", id),
                     201);
    copy_text(token[0], sizeof token[0], &worlds[HERE], "token");
    assert_int_equal(world_ask(&worlds[HERE], "POST", host, "{\"seat\":1,\"bot\":\"greedy\"}",
                               "/api/tables/%s/bots", id),
                     200);
    assert_int_equal(world_ask(&worlds[HERE], "POST", host, NULL, "/api/tables/%s/start", id), 200);
    for (int round = 0; round < 3; round++) {
        pass(worlds[HERE].limits.idle_ms + 5000); /* the person is to move */
        assert_null(world_slot(&worlds[HERE], id));
        assert_null(world_slot(&worlds[THERE], id));
        come(&seat_of[0], &worlds[THERE], token[0]);
        settle_both();
        const struct srv_table *t = table_in(THERE);
        const uint64_t seq = t->seq;
        const struct fm_pub *pub = (const void *)t->match;
        for (int k = 0; pub->owes & 1; k++) { /* it places, and perhaps sends a diver */
            assert_true(k < 10);
            assert_true(client_say(&seat_of[0], "{\"id\":\"r%dk%d\",\"action\":%s}", round, k,
                                   choose_of(t, 0)));
            settle_both();
            if (round == 1) /* in another round the notice is lost */
                continue;
            const struct st_notice news = {.kind = ST_WROTE, .table = t->id, .seq = t->seq};
            listener[HERE].hear(listener[HERE].arg, &news);
            world_settle(&worlds[HERE]);
        }
        for (int k = 0; !(pub->owes & 1); k++) {
            assert_true(k < 400);
            pass(100);
        }
        assert_true(t->seq > seq);
        client_finish(&seat_of[0]);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(world_ask(&worlds[i], "GET", NULL, NULL, "/api/tables/%s", id), 200);
    assert_equal_tables();
}

static void the_clock_acts_once(void **state)
{
    (void)state;
    begin("{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":10}}");
    const uint64_t seq = table_in(THERE)->seq;
    pass(9900);
    assert_int_equal(table_in(THERE)->seq, seq);
    tell(HERE, ST_KEEP, id); /* both */
    pass(3000);
    assert_true(table_in(THERE)->seq > seq);
    assert_equal_tables();
    go();
}

static void rematches_of_both_sides_are_one(void **state)
{
    (void)state;
    struct call call[2] = {0};
    char path[64];
    begin("{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    for (int k = 0; table_in(HERE)->state != ST_OVER; k++) {
        assert_true(k < 1000);
        for (int seat = 0; seat < 2; seat++) {
            const char *action = choose(seat);
            if (action != NULL)
                assert_true(
                    client_say(&seat_of[seat], "{\"id\":\"n%d\",\"action\":%s}", k, action));
        }
        settle_both();
        tell(HERE, ST_WROTE, id);
        tell(THERE, ST_WROTE, id);
    }
    (void)snprintf(path, sizeof path, "/api/tables/%s/rematch", id);
    for (int i = 0; i < 2; i++)
        world_send(&worlds[i], &call[i], "POST", token[0], NULL, path);
    settle_both();
    assert_int_equal(call[0].status, 201);
    assert_int_equal(call[1].status, 201);
    assert_string_equal(call[0].mail.text, call[1].mail.text);
    for (int i = 0; i < 2; i++) {
        call_finish(&call[i]);
        tell(i, ST_WROTE, id);
        assert_int_equal(mail_count(&watcher[i].mail, "rematch"), 1);
    }
    go();
}

/* A newer program wrote something that this one cannot read. */
static void a_table_that_cannot_be_followed_sends_its_streams_away(void **state)
{
    (void)state;
    begin("{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    struct fm_fault fault;
    const struct srv_table *t = table_in(HERE);
    const struct st_write w = {
        .table = t->id, .seq = t->seq + 1, .event = "{\"e\":\"sung\"}", .n = 12};
    assert_int_equal(st_submit(worlds[HERE].store, &w, NULL, NULL, &fault), FM_OK);
    st_drain(worlds[HERE].store);
    pass(2100);
    assert_true(seat_of[0].away && seat_of[1].away);
    assert_true(watcher[HERE].away && watcher[THERE].away);
    assert_int_equal(world_ask(&worlds[HERE], "GET", NULL, NULL, "/api/tables/%s", id), 503);
    assert_string_equal(world_code(&worlds[HERE]), "other-rules");
    go();
}

/* The store of both is damaged while they run: there is an event, but not the one before it. */
static void W08_a_gap_is_not_followed(void **state)
{
    (void)state;
    char path[128], text[200];
    sqlite3 *db;
    begin("{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    const uint64_t seq = table_in(HERE)->seq;
    (void)snprintf(path, sizeof path, "%s/hall.db", worlds[HERE].folder);
    (void)snprintf(text, sizeof text,
                   "INSERT INTO events (table_n, seq, event) SELECT table_n, seq + 2, event"
                   " FROM events WHERE seq = %u",
                   (unsigned)seq);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
    pass(2100);
    assert_true(seat_of[0].away && seat_of[1].away);
    assert_int_equal(world_ask(&worlds[HERE], "GET", NULL, NULL, "/api/tables/%s", id), 500);
    assert_string_equal(world_code(&worlds[HERE]), "bad-record");
    go();
}

static void news_that_make_no_sense_change_nothing(void **state)
{
    (void)state;
    static const char *const words[] = {"",
                                        "{",
                                        "[]",
                                        "{}",
                                        "{\"here\":99,\"node\":\"00\",\"asks\":true}",
                                        "{\"here\":-1}",
                                        "{\"here\":1,\"node\":\"xx\",\"asks\":false}",
                                        "{\"vote\":7,\"by\":0,\"bot\":true}",
                                        "{\"vote\":0,\"by\":9,\"bot\":true}",
                                        "{\"hold\":9}",
                                        "{\"hold\":\"x\"}"};
    begin("{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    const unsigned lines = watcher[HERE].mail.lines;
    struct srv_slot *slot = world_slot(&worlds[HERE], id);
    const unsigned here = slot->here;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        st_notify(worlds[THERE].store, &slot->table.id, words[i], strlen(words[i]));
    settle_both();
    assert_int_equal(watcher[HERE].mail.lines, lines);
    assert_int_equal(slot->here, here);
    assert_int_equal(slot->holder, FM_WATCHER);
    go();
}

static void a_practice_of_one_is_one_of_the_other(void **state)
{
    static const char guess[] = "{\"guess\":[\"shark\",null,null,\"empty\",\"manta\"]}";
    char practice[2 * ST_ID_BYTES + 1];
    json_t *truth[2];
    (void)state;
    assert_int_equal(world_ask(&worlds[HERE], "POST", NULL, NULL, "/api/practice"), 201);
    copy_text(practice, sizeof practice, &worlds[HERE], "practice");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            world_ask(&worlds[i], "POST", NULL, guess, "/api/practice/%s/guess", practice), 200);
        truth[i] = json_incref(json_object_get(worlds[i].json, "truth"));
    }
    assert_int_equal(json_array_size(truth[HERE]), 5);
    assert_true(json_equal(truth[HERE], truth[THERE]));
    json_decref(truth[HERE]);
    json_decref(truth[THERE]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_BOTH(games_are_played_from_both_sides),
        WITH_BOTH(one_of_two_gets_the_seat),
        WITH_BOTH(leaving_twice_does_not_put_out_the_next_owner),
        WITH_BOTH(W12_a_seat_asked_for_again_at_the_other_one_is_the_same_seat),
        WITH_BOTH(a_retry_at_the_other_one_is_acknowledged_and_not_done_again),
        WITH_BOTH(a_seat_at_the_other_program_is_here),
        WITH_BOTH(nothing_is_read_for_a_write_of_its_own),
        WITH_BOTH(nothing_is_said_of_a_table_that_one_node_serves),
        WITH_BOTH(the_node_that_serves_a_table_becomes_its_keeper),
        WITH_BOTH(a_late_notice_does_not_take_a_table_from_its_keeper),
        WITH_BOTH(votes_count_on_both_sides),
        WITH_BOTH(the_stack_is_held_and_shown_over_both),
        WITH_BOTH(a_reaction_is_shown_over_both),
        WITH_BOTH(the_keeper_acts_and_another_may_become_it),
        WITH_BOTH(a_keeper_that_cannot_read_its_table_tries_again),
        WITH_BOTH(W02_a_table_that_left_the_memory_of_its_keeper_has_bots_again),
        WITH_BOTH(the_clock_acts_once),
        WITH_BOTH(rematches_of_both_sides_are_one),
        WITH_BOTH(a_table_that_cannot_be_followed_sends_its_streams_away),
        WITH_BOTH(W08_a_gap_is_not_followed),
        WITH_BOTH(news_that_make_no_sense_change_nothing),
        WITH_BOTH(a_practice_of_one_is_one_of_the_other),
    };
    return tests_run("peers", tests, sizeof tests / sizeof tests[0]);
}
