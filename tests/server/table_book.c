/* table_book.c: drafts and commits events of a table, keeps its log, and plays at random. */
#include "server/table_book.h"

#include "base/panic.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bodies[6] = {
    "{\"game\":\"soumsoum\"}",
    "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"market\":true},\"listed\":true}",
    "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\",\"clock\":20}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":2,\"chief\":true,\"companions\":\"seven\"}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"level\":\"divemaster\"}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"industrialist\":true}}",
};

void book_close(struct book *b)
{
    for (size_t i = 0; i < b->length; i++)
        free(b->log[i]);
    srv_table_finish(&b->table);
    b->length = 0;
}

void store_draft(struct book *b)
{
    struct fm_fault fault;
    fm_assert(b->length < LOG_MAX);
    b->log[b->length] = malloc(b->draft.n + 1);
    memcpy(b->log[b->length], b->draft.text, b->draft.n + 1);
    b->n[b->length++] = b->draft.n;
    if (b->draft.kind == SRV_MADE) {
        const struct st_id id = {{9, 8, 7}};
        assert_int_equal(srv_table_read(&b->table, &id, b->draft.text, b->draft.n, NULL, &fault),
                         FM_OK);
    } else {
        assert_int_equal(srv_table_commit(&b->table, &b->draft, &fault), FM_OK);
    }
    srv_draft_finish(&b->draft);
}

void book_open(struct book *b, const char *body)
{
    struct fm_fault fault;
    json_t *json = json_loads(body, 0, NULL);
    assert_non_null(json);
    struct srv_made made = {.id = {{9, 8, 7}}, .code = "ABC234", .now_ms = 1000, .seed = {5}};
    srv_table_init(&b->table);
    b->length = 0;
    b->now_ms = 1000;
    assert_int_equal(srv_draft_made(&b->draft, &made, json, &fault), FM_OK);
    json_decref(json);
    store_draft(b);
}

enum fm_err try_to_sit(struct book *b, const char *body, int *seat, struct fm_fault *fault)
{
    const uint8_t token[ST_HASH_BYTES] = {1};
    json_t *json = json_loads(body, 0, NULL);
    assert_non_null(json);
    const enum fm_err err = srv_draft_sat(&b->draft, &b->table, json, token, seat, fault);
    json_decref(json);
    return err;
}

int sit(struct book *b, const char *body)
{
    struct fm_fault fault;
    int seat = -1;
    assert_int_equal(try_to_sit(b, body, &seat, &fault), FM_OK);
    store_draft(b);
    return seat;
}

void fill_and_start(struct book *b)
{
    struct fm_fault fault;
    for (int seat = 0; seat < b->table.setup.n_seats; seat++)
        if (!b->table.seat[seat].taken)
            (void)sit(b, "{\"name\":\"Somebody\",\"entropy\":\"0a0b\"}");
    assert_int_equal(srv_draft_started(&b->draft, &b->table, b->now_ms += 50, &fault), FM_OK);
    store_draft(b);
}

const struct fm_pub *pub_of(const struct book *b)
{
    return (const void *)b->table.match;
}

void assert_reads_back(const struct book *b)
{
    struct srv_table again;
    struct fm_fault fault;
    srv_table_init(&again);
    for (size_t i = 0; i < b->length; i++)
        assert_int_equal(srv_table_read(&again, &b->table.id, b->log[i], b->n[i], NULL, &fault),
                         FM_OK);
    const struct srv_table *t = &b->table;
    assert_int_equal(again.seq, t->seq);
    assert_int_equal(again.state, t->state);
    assert_int_equal(again.n_events, t->n_events);
    assert_memory_equal(again.match, t->match, t->setup.game->state_size);
    assert_memory_equal(again.commitment, t->commitment, sizeof t->commitment);
    assert_memory_equal(&again.fair, &t->fair, sizeof t->fair);
    for (unsigned i = 0; i < FM_MAX_SEATS; i++) {
        assert_string_equal(again.seat[i].name, t->seat[i].name);
        assert_string_equal(again.seat[i].bot, t->seat[i].bot);
        assert_int_equal(again.seat[i].notes == NULL, t->seat[i].notes == NULL);
    }
    assert_int_equal(again.n_done, t->n_done);
    for (size_t i = 0; i < t->n_done; i++) {
        assert_string_equal(again.done[i].id, t->done[i].id);
        assert_int_equal(again.done[i].seat, t->done[i].seat);
        assert_int_equal(again.done[i].seq, t->done[i].seq);
    }
    srv_table_finish(&again);
}

void play_on(struct book *b, struct fm_rng *rng, int events)
{
    static unsigned long number;
    struct fm_fault fault;
    char id[SRV_CLIENT_ID + 1];
    while (events-- > 0 && b->table.state == ST_PLAYING) {
        const struct fm_game *g = b->table.setup.game;
        const uint8_t may = pub_of(b)->owes != 0 ? pub_of(b)->owes : pub_of(b)->may;
        b->now_ms += fm_rng_below(rng, 3000);
        const uint64_t deadline = srv_table_deadline(&b->table);
        if (deadline != 0 && b->now_ms >= deadline) {
            assert_int_equal(srv_draft_clock(&b->draft, &b->table, b->now_ms, &fault), FM_OK);
            store_draft(b);
            continue;
        }
        assert_true(may != 0);
        int seat = (int)fm_rng_below(rng, b->table.setup.n_seats);
        while (!(may >> seat & 1))
            seat = (seat + 1) % b->table.setup.n_seats;
        const fm_action action = g->sample(fm_view_of(g, b->table.match, seat), rng);
        if (action == 0) /* it lets things be */
            continue;
        (void)snprintf(id, sizeof id, "c%lu", ++number);
        assert_int_equal(
            srv_draft_did(&b->draft, &b->table, seat, id, action, b->now_ms, 0, &fault), FM_OK);
        store_draft(b);
        uint32_t seq;
        assert_true(srv_table_has_action(&b->table, seat, id, &seq));
        assert_int_equal(seq, fm_view_seq(fm_view_of(g, b->table.match, seat)));
    }
}
