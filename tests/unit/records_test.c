/* records_test.c: records replay, any change to one is found, and a deal cannot be replaced. */
#include "tests.h"

#include "base/hash.h"

#include <fathom/games.h>
#include <fathom/record.h>

#include <string.h>

static enum fm_err read_table(struct fm_setup *setup, const char *text, struct fm_fault *fault)
{
    return fm_setup_read(setup, text, strlen(text), NULL, fault);
}

static char record[0x20000];
static size_t record_n;

/* A short random game of Soum Soum, recorded; dealt with `dealt`, and `told` in its first line. */
static void make_record_of(const struct fm_fair *dealt, const struct fm_fair *told)
{
    static _Alignas(8) uint8_t s[FM_STATE_MAX];
    const struct fm_record_seat seats[2] = {{"Ana", NULL}, {"Zoë", "random"}};
    const uint8_t seed[FM_SEED_BYTES] = {3};
    struct fm_setup setup;
    struct fm_fault fault;
    struct fm_recorder r;
    struct fm_rng rng;
    struct fm_out o;
    const struct fm_pub *pub = (const void *)s;
    assert_int_equal(read_table(&setup, "{\"game\":\"soumsoum\"}", &fault), FM_OK);
    if (dealt != NULL)
        fm_fair_deal_seed(setup.seed, seed, dealt, setup.n_seats);
    else
        fm_deal_seed(setup.seed, seed);
    fm_rng_init(&rng, seed, 9);
    fm_out_init(&o, record, sizeof record);
    assert_int_equal(fm_init(s, &setup, NULL), FM_OK);
    fm_record_begin(&r, &o, &setup, seed, told, seats, "2026-01-02T03:04:05Z");
    while (pub->status == FM_RUNNING) {
        const int seat = __builtin_ctz(pub->owes);
        const struct fm_event ev = {.t_ms = pub->now_ms + 5,
                                    .seat = (uint8_t)seat,
                                    .action =
                                        setup.game->sample(fm_view_of(setup.game, s, seat), &rng)};
        assert_int_equal(fm_apply(setup.game, s, &ev, NULL), FM_OK);
        fm_record_event(&r, &o, &ev, s);
    }
    fm_record_end(&r, &o, s);
    assert_true(fm_out_ok(&o));
    record_n = o.len;
}

static void make_record(void)
{
    make_record_of(NULL, NULL);
}

static enum fm_err play_record(const char *text, size_t n, struct fm_fault *fault)
{
    static struct fm_playback p;
    struct fm_event ev;
    enum fm_err err = fm_playback_open(&p, text, n, NULL, NULL, fault);
    while (err == FM_OK)
        err = fm_playback_next(&p, &ev, NULL, fault);
    return err;
}

static void records_replay(void **state)
{
    (void)state;
    struct fm_fault fault;
    make_record();
    assert_int_equal(play_record(record, record_n, &fault), FM_E_OVER);
}

static void every_changed_byte_is_found_on_its_line(void **state)
{
    (void)state;
    static char changed[sizeof record];
    static const char others[] = "\n\"0}x\x00\xff 9";
    make_record();
    int line = 1;
    for (size_t i = 0; i < record_n; i++) {
        memcpy(changed, record, record_n);
        const char before = record[i];
        for (size_t k = 0; k < sizeof others - 1; k++) {
            struct fm_fault fault = {.line = 0};
            if (others[k] == before)
                continue;
            changed[i] = others[k];
            const enum fm_err err = play_record(changed, record_n, &fault);
            if (err == FM_E_OVER || fault.line != line)
                fail_msg("byte %zu of line %d as %02x: found on line %d (%s)", i, line,
                         (unsigned char)others[k], fault.line, fault.text);
        }
        line += before == '\n';
    }
}

/* Where each line of the record begins; the last entry is its end. */
static size_t line_starts(size_t start[], size_t most)
{
    size_t n = 0;
    start[0] = 0;
    for (size_t i = 0; i < record_n; i++)
        if (record[i] == '\n') {
            assert_true(n + 1 < most);
            start[++n] = i + 1;
        }
    return n;
}

/* What replaces `gone` bytes at a place of the record, and the line where that must be found. */
static void assert_found(size_t at, size_t gone, const char *put, size_t n, int line)
{
    static char changed[sizeof record];
    struct fm_fault fault = {.line = 0};
    const size_t rest = record_n - at - gone;
    assert_true(at + n + rest <= sizeof changed);
    memcpy(changed, record, at);
    memcpy(changed + at, put, n);
    memcpy(changed + at + n, record + at + gone, rest);
    const enum fm_err err = play_record(changed, at + n + rest, &fault);
    if (err != FM_E_RECORD || fault.line != line)
        fail_msg("byte %zu of line %d: %zu bytes instead of %zu: found on line %d (%s)", at, line,
                 n, gone, fault.line, fault.text);
    assert_true(strlen(fault.text) > 10);
}

static void every_missing_or_inserted_byte_is_found_on_its_line(void **state)
{
    (void)state;
    make_record();
    int line = 1;
    for (size_t i = 0; i < record_n; i++) {
        const bool begins = i == 0 || record[i - 1] == '\n';
        if (record[i] != '\n') {
            assert_found(i, 1, "", 0, line);
            assert_found(i, 0, "\n", 1, line);
        }
        if (!begins) /* a blank line before this one would be this line, too */
            assert_found(i, 0, " ", 1, line);
        line += record[i] == '\n';
    }
}

/* Cut after a line, the last one that is there is named; cut within it, that one. */
static void every_cut_is_found_on_its_line(void **state)
{
    (void)state;
    make_record();
    int line = 1;
    for (size_t n = 0; n < record_n; n++) {
        assert_found(n, record_n - n, "", 0, n > 0 && record[n - 1] == '\n' ? line - 1 : line);
        line += record[n] == '\n';
    }
}

static void every_moved_line_is_found(void **state)
{
    (void)state;
    static char two[sizeof record];
    size_t start[200];
    make_record();
    const size_t n = line_starts(start, sizeof start / sizeof start[0]);
    for (size_t i = 0; i < n; i++) {
        const size_t at = start[i], a = start[i + 1] - at;
        const int line = (int)i + 1;
        if (i + 1 < n)
            assert_found(at, a, "", 0, line);              /* dropped */
        assert_found(at + a, 0, record + at, a, line + 1); /* doubled */
        if (i + 1 < n) {                                   /* swapped */
            const size_t b = start[i + 2] - start[i + 1];
            memcpy(two, record + start[i + 1], b);
            memcpy(two + b, record + at, a);
            assert_found(at, a + b, two, a + b, line);
        }
    }
}

static const struct fm_fair fair = {
    .table = {0xab, 1}, .entropy_n = {3, 0}, .entropy = {{7, 8, 9}}};

static void records_of_fair_deals_replay(void **state)
{
    (void)state;
    struct fm_fault fault;
    make_record_of(&fair, &fair);
    assert_non_null(strstr(record, "\"table\":\"ab010000000000000000000000000000\","
                                   "\"entropy\":[\"070809\",null]"));
    assert_int_equal(play_record(record, record_n, &fault), FM_E_OVER);
}

/* Another deal: the first move leads elsewhere, or is none at all. */
static void assert_another_deal(void)
{
    struct fm_fault fault;
    assert_int_not_equal(play_record(record, record_n, &fault), FM_E_OVER);
    assert_int_equal(fault.line, 2);
}

static void a_seats_chance_cannot_be_left_out_or_replaced(void **state)
{
    (void)state;
    struct fm_fair other = fair;
    other.entropy[0][2]++;
    make_record_of(&other, &fair);
    assert_another_deal();
    other = fair;
    other.entropy_n[1] = 1; /* a byte of 0 is not the same as none */
    make_record_of(&other, &fair);
    assert_another_deal();
    make_record_of(NULL, &fair);
    assert_another_deal();
}

static void a_fair_commitment_binds_seed_table_options_and_deck(void **state)
{
    (void)state;
    const uint8_t seed[FM_SEED_BYTES] = {1}, other_seed[FM_SEED_BYTES] = {2};
    const uint8_t table[FM_TABLE_BYTES] = {1}, other_table[FM_TABLE_BYTES] = {2};
    struct fm_setup setup, market;
    struct fm_fault fault;
    uint8_t c[5][32];
    assert_int_equal(read_table(&setup, "{\"game\":\"soumsoum\"}", &fault), FM_OK);
    assert_int_equal(
        read_table(&market, "{\"game\":\"soumsoum\",\"options\":{\"market\":true}}", &fault),
        FM_OK);
    fm_fair_commitment(c[0], seed, table, &setup);
    fm_fair_commitment(c[1], other_seed, table, &setup);
    fm_fair_commitment(c[2], seed, other_table, &setup);
    fm_fair_commitment(c[3], seed, table, &market);
    setup.deck.hash[0] ^= 1;
    fm_fair_commitment(c[4], seed, table, &setup);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(c[i], c[k], 32);
}

static void seeds_are_committed_to(void **state)
{
    (void)state;
    uint8_t a[32], b[32], deal[32];
    fm_commitment(a, (const uint8_t[FM_SEED_BYTES]){1});
    fm_commitment(b, (const uint8_t[FM_SEED_BYTES]){2});
    fm_deal_seed(deal, (const uint8_t[FM_SEED_BYTES]){1});
    assert_memory_not_equal(a, b, 32);
    assert_memory_not_equal(a, deal, 32); /* the commitment does not give the deal away */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_replay),
        cmocka_unit_test(every_changed_byte_is_found_on_its_line),
        cmocka_unit_test(every_missing_or_inserted_byte_is_found_on_its_line),
        cmocka_unit_test(every_cut_is_found_on_its_line),
        cmocka_unit_test(every_moved_line_is_found),
        cmocka_unit_test(records_of_fair_deals_replay),
        cmocka_unit_test(a_seats_chance_cannot_be_left_out_or_replaced),
        cmocka_unit_test(a_fair_commitment_binds_seed_table_options_and_deck),
        cmocka_unit_test(seeds_are_committed_to),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("records", tests, sizeof tests / sizeof tests[0]);
}
