/* sqlite_faults.c: disks that fail, fill up or have limits lose no acknowledged write in SQLite. */
#define _GNU_SOURCE /* unshare */
#include "store/sqlite_tests.h"

#include "store/faulty.h"
#include "store/sqlite.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

static void a_write_is_on_the_disk_before_it_is_acknowledged(void **state)
{
    (void)state;
    clear_folder();
    struct st_store *s = open_store();
    assert_non_null(s);
    for (uint64_t seq = 1; seq <= 20; seq++) {
        const int before = faulty.n_synced_logs;
        assert_int_equal(write_now(s, seq == 1 ? new_table(1, "") : event_of(1, seq, "x")), FM_OK);
        assert_true(faulty.n_synced_logs > before);
    }
    st_close(s);
}

static struct st_write faulty_write(uint64_t seq)
{
    static uint8_t event[30000];
    static struct st_token token;
    struct st_write w = seq == 1 ? new_table(1, "ABC234") : event_of(1, seq, "");
    w.event = event;
    w.n = seq == 4 ? sizeof event : 100;
    token.hash[0] = (uint8_t)seq;
    w.change.times = true;
    w.change.deadline_ms = seq;
    w.change.tokens = &token;
    w.change.n_tokens = 1;
    return w;
}

#define FAULTY_WRITES 6

/* The log, the deadline and the tokens are those of the n acknowledged writes. */
static void assert_acknowledged(struct st_store *s, uint64_t n)
{
    if (n == 0) {
        assert_int_equal(last_seq(s, 1), 0);
        return;
    }
    assert_whole_log(s, 1, n);
    const struct st_id id = id_of(1);
    struct st_table t;
    assert_int_equal(st_find_code(s, "ABC234", &t, &why), FM_OK);
    assert_int_equal(t.deadline_ms, n);
    for (uint64_t seq = 1; seq <= FAULTY_WRITES; seq++) {
        struct st_token token;
        const uint8_t hash[ST_HASH_BYTES] = {(uint8_t)seq};
        assert_int_equal(st_find_token(s, &id, hash, &token, &why),
                         seq <= n ? FM_OK : FM_E_NO_TABLE);
    }
}

/* Writes, a fault at the countdown-th; false: it never came to that. */
static bool survives(int countdown, int code, bool lasting, const char *says)
{
    clear_folder();
    faulty_arm(countdown, code, lasting);
    struct st_store *s = st_open(where_of("store.db"), &why);
    if (s == NULL) {
        assert_true(faulty.hit);
        assert_int_equal(why.code, FM_E_FILE);
        faulty_heal();
        s = open_store();
        assert_non_null(s);
    }
    for (uint64_t seq = 1; seq <= FAULTY_WRITES; seq++) {
        enum fm_err err = write_now(s, faulty_write(seq));
        if (err != FM_OK) {
            assert_int_equal(err, FM_E_STORE);
            assert_true(faulty.hit);
            assert_non_null(strstr(why.text, says));
            assert_true(st_stats(s).failures > 0);
            assert_acknowledged(s, seq - 1); /* nothing of it was kept; reading goes on */
            if (lasting) {
                assert_int_equal(write_now(s, faulty_write(seq)), FM_E_STORE);
                assert_acknowledged(s, seq - 1);
            }
            faulty_heal();
            err = write_now(s, faulty_write(seq)); /* tried anew */
        }
        assert_int_equal(err, FM_OK);
        assert_acknowledged(s, seq);
    }
    st_close(s);
    const bool hit = faulty.hit;
    faulty_heal();
    s = open_store();
    assert_non_null(s);
    assert_acknowledged(s, FAULTY_WRITES);
    st_close(s);
    return hit;
}

/* With sanitizers one kind of fault comes at every write, and the others at some: what they share
 * is run again for each. */
#define STEP (TESTS_SANITIZED ? 8 : 1)

static void whatever_fails_acknowledged_writes_are_kept(void **state)
{
    (void)state;
    static const struct {
        int code;
        const char *says;
    } faults[] = {
        {SQLITE_FULL, "disk is full"},
        {SQLITE_IOERR_WRITE, "disk I/O error"},
        {SQLITE_IOERR_FSYNC, "disk I/O error"},
        {SQLITE_READONLY, "read-only"},
    };
    int n = 0;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        for (int lasting = 0; lasting < 2; lasting++)
            for (int k = 1; survives(k, faults[i].code, lasting == 1, faults[i].says);
                 k += i == 0 && lasting == 0 ? 1 : STEP)
                n++;
    print_message("# %d faults\n", n);
    assert_true(n > 8 * 30);
}

static int fails_at;

static void fail_and_die(void)
{
    struct st_store *s = st_open(where_of("store.db"), &why);
    MUST(s != NULL && write_now(s, new_table(1, "ABC234")) == FM_OK);
    faulty_arm(fails_at, SQLITE_IOERR_FSYNC, false);
    const enum fm_err err = write_now(s, event_of(1, 2, "x"));
    MUST(err == (faulty.hit ? FM_E_STORE : FM_OK));
    _exit(err == FM_OK ? 2 : 0);
}

static void the_next_program_does_not_find_a_failed_write(void **state)
{
    (void)state;
    for (fails_at = 1;; fails_at++) {
        clear_folder();
        const int status = in_child(fail_and_die);
        struct st_store *s = open_store();
        assert_non_null(s);
        assert_whole_log(s, 1, status == 2 ? 2 : 1);
        assert_int_equal(write_now(s, event_of(1, status == 2 ? 3 : 2, "x")), FM_OK);
        st_close(s);
        if (status == 2)
            break;
        assert_int_equal(status, 0);
    }
    assert_true(fails_at > 3); /* pages of the log, and their synchronisation */
}

static atomic_int n_failed, n_done;

static void count(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)arg;
    n_done++;
    n_failed += err == FM_E_STORE && strcmp(fault->text, "the disk is full") == 0;
}

static void a_group_fails_as_a_whole(void **state)
{
    (void)state;
    clear_folder();
    struct st_store *s = open_store();
    assert_non_null(s);
    assert_int_equal(write_now(s, new_table(1, "ABC234")), FM_OK);
    faulty_arm(1, SQLITE_FULL, true);
    n_failed = n_done = 0;
    for (uint64_t seq = 2; seq <= 200; seq++) {
        const struct st_write w = event_of(seq % 10 == 0 ? 77 : 1, seq, "x"); /* some: conflicts */
        assert_int_equal(st_submit(s, &w, count, NULL, &why), FM_OK);
    }
    st_drain(s);
    assert_int_equal(n_done, 199);
    assert_true(n_failed > 0);
    assert_int_equal(st_stats(s).failures, n_failed);
    assert_int_equal(st_stats(s).writes, 1);
    assert_whole_log(s, 1, 1);
    faulty_heal();
    assert_int_equal(write_now(s, event_of(1, 2, "x")), FM_OK);
    assert_whole_log(s, 1, 2);
    st_close(s);
}

/* Fills whatever there is until it is full; how many events there are then. */
static uint64_t fill_up(struct st_store *s)
{
    static uint8_t event[4000];
    MUST(write_now(s, new_table(1, "ABC234")) == FM_OK);
    for (uint64_t seq = 2; seq < 2000; seq++) {
        struct st_write w = event_of(1, seq, "");
        w.event = event;
        w.n = sizeof event;
        const enum fm_err err = write_now(s, w);
        MUST(err == FM_OK || err == FM_E_STORE);
        MUST(last_seq(s, 1) == (err == FM_OK ? seq : seq - 1));
        if (err == FM_E_STORE)
            return seq - 1;
    }
    must_fail(__FILE__, __LINE__, "it is never full");
}

static void on_with_room(struct st_store *s, uint64_t n)
{
    MUST(write_now(s, event_of(1, n + 1, "there is room")) == FM_OK);
    st_close(s);
    s = st_open(where_of("store.db"), &why);
    MUST(s != NULL && last_seq(s, 1) == n + 1);
    MUST(write_now(s, event_of(1, n + 2, "and again")) == FM_OK);
    st_close(s);
}

static void with_a_limit_on_the_size_of_files(void)
{
    struct rlimit limit;
    (void)signal(SIGXFSZ, SIG_IGN);
    MUST(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    const rlim_t before = limit.rlim_cur;
    struct st_store *s = st_open(where_of("store.db"), &why);
    MUST(s != NULL);
    limit.rlim_cur = 400000;
    MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    const uint64_t n = fill_up(s);
    MUST(strstr(why.text, "File too large") != NULL);
    MUST(write_now(s, event_of(1, n + 1, "still full, small as it is")) == FM_E_STORE);
    limit.rlim_cur = before;
    MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    on_with_room(s, n);
}

static bool say(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    const bool said = f != NULL && fputs(text, f) >= 0;
    return f != NULL && fclose(f) == 0 && said;
}

/* Puts this process into a namespace in which it may mount; root needs no user namespace. */
static bool may_mount(void)
{
    char user[32], group[32];
    (void)snprintf(user, sizeof user, "0 %d 1", (int)geteuid());
    (void)snprintf(group, sizeof group, "0 %d 1", (int)getegid());
    if (unshare(CLONE_NEWNS) == 0)
        return true;
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && say("/proc/self/uid_map", user) &&
           say("/proc/self/setgroups", "deny") && say("/proc/self/gid_map", group);
}

static void on_a_small_disk(void)
{
    char ballast[300000];
    if (!may_mount())
        _exit(SKIPPED);
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", folder, "tmpfs", 0, "size=800k") != 0)
        _exit(SKIPPED);
    memset(ballast, 'b', sizeof ballast);
    const int fd = open(path_of("ballast"), O_CREAT | O_WRONLY, 0600);
    MUST(fd >= 0 && write(fd, ballast, sizeof ballast) == sizeof ballast && close(fd) == 0);
    struct st_store *s = st_open(where_of("store.db"), &why);
    MUST(s != NULL);
    const uint64_t n = fill_up(s);
    MUST(strcmp(why.text, "the disk is full") == 0);
    MUST(unlink(path_of("ballast")) == 0);
    on_with_room(s, n);
}

static void a_limit_on_the_size_of_files_is_survived(void **state)
{
    (void)state;
    clear_folder();
    assert_int_equal(in_child(with_a_limit_on_the_size_of_files), 0);
}

static void a_full_disk_is_survived(void **state)
{
    (void)state;
    clear_folder();
    const int status = in_child(on_a_small_disk);
    if (status == SKIPPED)
        skip(); /* not allowed to mount here; the faults above stand for it */
    assert_int_equal(status, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_write_is_on_the_disk_before_it_is_acknowledged),
    cmocka_unit_test(whatever_fails_acknowledged_writes_are_kept),
    cmocka_unit_test(the_next_program_does_not_find_a_failed_write),
    cmocka_unit_test(a_group_fails_as_a_whole),
    cmocka_unit_test(a_limit_on_the_size_of_files_is_survived),
    cmocka_unit_test(a_full_disk_is_survived),
};
const struct tests_group sqlite_faults = TESTS_GROUP(tests);
