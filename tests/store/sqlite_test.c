/*
 * sqlite_test.c: the store in SQLite: all that every back end keeps, and what concerns its file:
 * who may read it, what it may be, full disks, and programs that are killed.
 */
#define _GNU_SOURCE /* unshare */
#include "store/sqlite_tests.h"

#include "store/faulty.h"
#include "store/old.h"
#include "store/sqlite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the folder, and children ---------------------------------------------------------------- */

char folder[64];

const char *path_of(const char *name)
{
    static char path[400];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

const char *where_of(const char *name)
{
    static char where[420];
    (void)snprintf(where, sizeof where, "sqlite:%s", path_of(name));
    return where;
}

void clear_folder(void)
{
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            (void)remove(path_of(e->d_name));
    (void)closedir(d);
}

static struct st_store *open_store(void)
{
    struct st_store *s = st_open(where_of("store.db"), &why);
    if (s == NULL)
        print_error("%s\n", why.text);
    return s;
}

const struct store_kind store_kind = {clear_folder, open_store};

_Noreturn void must_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, why.text);
    _exit(1);
}

int in_child(void (*f)(void))
{
    int status;
    (void)fflush(NULL);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        f();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static enum fm_err put(struct st_store *s, struct st_write w)
{
    return write_now(s, &w);
}

/* ---- the file -------------------------------------------------------------------------------- */

static void assert_private(const char *name)
{
    struct stat st;
    assert_int_equal(stat(path_of(name), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
}

static void files_are_for_their_owner_alone(void **state)
{
    (void)state;
    static const mode_t masks[] = {0, 022, 0777};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        clear_folder();
        const mode_t before = umask(masks[i]);
        struct st_store *s = open_store();
        assert_non_null(s);
        assert_int_equal(put(s, new_table(1, "ABC234")), FM_OK);
        assert_int_equal(last_seq(s, 1), 1);
        assert_private("store.db");
        assert_private("store.db-wal");
        assert_private("store.db-shm");
        st_close(s);
        (void)umask(before);
    }
}

static void write_file(const char *name, const char *text, size_t n)
{
    FILE *f = fopen(path_of(name), "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void assert_not_opened(const char *where, const char *says)
{
    assert_null(st_open(where, &why));
    assert_int_equal(why.code, FM_E_FILE);
    if (strstr(why.text, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why.text, says);
}

static void what_is_no_database_is_refused(void **state)
{
    (void)state;
    static char garbage[8192];
    clear_folder();
    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (char)(i * 37 + i / 100);
    write_file("garbage", garbage, sizeof garbage);
    assert_not_opened(where_of("garbage"), "not a database");
    write_file("garbage", "hello\n", 6);
    assert_not_opened(where_of("garbage"), "not a database");
    struct stat st;
    assert_int_equal(stat(path_of("garbage"), &st), 0);
    assert_int_equal(st.st_size, 6); /* it is left alone */
    assert_int_equal(mkdir(path_of("folder"), 0700), 0);
    assert_not_opened(where_of("folder"), "Is a directory");
    assert_not_opened(where_of("folder/no/store.db"), "No such file or directory");
    assert_not_opened(where_of("garbage/store.db"), "Not a directory");
    assert_not_opened("sqlite:", "No such file or directory");
    write_file("empty", "", 0); /* is a database without anything */
    struct st_store *s = st_open(where_of("empty"), &why);
    assert_non_null(s);
    assert_int_equal(put(s, new_table(1, "ABC234")), FM_OK);
    st_close(s);
}

static sqlite3 *raw(const char *name)
{
    sqlite3 *db;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    assert_int_equal(sqlite3_open_v2(path_of(name), &db, flags, NULL), SQLITE_OK);
    return db;
}

static void sql(const char *name, const char *text)
{
    sqlite3 *db = raw(name);
    if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", text, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void other_programs_databases_are_refused_and_left_alone(void **state)
{
    (void)state;
    clear_folder();
    sql("other.db", "CREATE TABLE songs (name)");
    assert_not_opened(where_of("other.db"), "another program");
    sql("other.db", "PRAGMA user_version = 1");
    assert_not_opened(where_of("other.db"), "another program");
    sql("other.db", "PRAGMA application_id = 77");
    assert_not_opened(where_of("other.db"), "another program");
    assert_int_not_equal(access(path_of("other.db-wal"), F_OK), 0);
    FILE *f = fopen(path_of("other.db"), "r");
    assert_non_null(f);
    assert_int_equal(fseek(f, 18, SEEK_SET), 0);
    assert_int_equal(fgetc(f), 1); /* has no write-ahead log still */
    (void)fclose(f);
}

static void a_newer_file_is_refused(void **state)
{
    (void)state;
    clear_folder();
    st_close(open_store());
    char text[64];
    (void)snprintf(text, sizeof text, "PRAGMA user_version = %d", st__schema_n + 1);
    sql("store.db", text);
    assert_not_opened(where_of("store.db"), "newer program");
    sql("store.db", "PRAGMA user_version = -1");
    assert_not_opened(where_of("store.db"), "no version");
    sql("store.db", "PRAGMA user_version = 0");
    assert_not_opened(where_of("store.db"), "no version");
}

static int number_in(sqlite3 *db, const char *text)
{
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v2(db, text, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const int n = sqlite3_column_int(statement, 0);
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
    return n;
}

static void an_older_file_is_brought_to_the_present(void **state)
{
    (void)state;
    static const char *const steps[] = {
        "CREATE TABLE a (x); INSERT INTO a VALUES (1)",
        "ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x + 1; CREATE TABLE b (z)",
        "INSERT INTO b SELECT x + y FROM a",
    };
    const char *const broken[] = {steps[0], steps[1],
                                  "INSERT INTO b VALUES (7); INSERT INTO nowhere VALUES (1)"};
    for (int from = 0; from <= 3; from++) {
        clear_folder();
        sqlite3 *db = raw("old.db");
        if (from > 0)
            assert_int_equal(st__sqlite_migrate(db, steps, from, &why), FM_OK);
        if (from == 2) { /* a step that fails changes nothing */
            assert_int_equal(st__sqlite_migrate(db, broken, 3, &why), FM_E_STORE);
            assert_non_null(strstr(why.text, "nowhere"));
            assert_int_equal(number_in(db, "PRAGMA user_version"), 2);
            assert_int_equal(number_in(db, "SELECT count(*) FROM b"), 0);
            assert_true(sqlite3_get_autocommit(db));
        }
        assert_int_equal(st__sqlite_migrate(db, steps, 3, &why), FM_OK);
        assert_int_equal(number_in(db, "PRAGMA user_version"), 3);
        assert_int_equal(number_in(db, "SELECT y FROM a"), 2);
        assert_int_equal(number_in(db, "SELECT count(*) || sum(z) FROM b"), 13);
        assert_int_equal(st__sqlite_migrate(db, steps, 3, &why), FM_OK); /* again: nothing */
        assert_int_equal(number_in(db, "SELECT count(*) FROM b"), 1);
        assert_int_equal(st__sqlite_migrate(db, steps, 2, &why), FM_E_FILE);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
    }
}

static void every_version_of_the_schema_comes_to_the_present(void **state)
{
    (void)state;
    for (int from = 1; from <= st__schema_n; from++) {
        clear_folder();
        sqlite3 *db = raw("store.db");
        assert_int_equal(st__sqlite_migrate(db, st__schema, from, &why), FM_OK);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        struct st_store *s = open_store();
        assert_non_null(s);
        assert_int_equal(put(s, new_table(1, "ABC234")), FM_OK);
        st_close(s);
        db = raw("store.db");
        assert_int_equal(number_in(db, "PRAGMA user_version"), st__schema_n);
        assert_int_equal(number_in(db, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
    }
}

static void a_store_stays_where_it_was_opened(void **state)
{
    (void)state;
    clear_folder();
    char before[512];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    struct st_store *s = st_open("sqlite::memory:", &why); /* a file as any other */
    assert_non_null(s);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(put(s, new_table(1, "ABC234")), FM_OK);
    assert_int_equal(last_seq(s, 1), 1);
    st_close(s);
    assert_private(":memory:");
}

static void unprivileged(void)
{
    if (geteuid() == 0)
        MUST(chown(folder, 65534, 65534) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
}

static void without_rights(void)
{
    unprivileged();
    MUST(chmod(folder, 0500) == 0);
    MUST(st_open(where_of("store.db"), &why) == NULL && why.code == FM_E_FILE);
    MUST(strstr(why.text, "Permission denied") != NULL);
    MUST(chmod(folder, 0700) == 0);
    struct st_store *s = st_open(where_of("store.db"), &why);
    MUST(s != NULL && put(s, new_table(1, "ABC234")) == FM_OK);
    st_close(s);
    MUST(chmod(path_of("store.db"), 0400) == 0);
    MUST(st_open(where_of("store.db"), &why) == NULL && why.code == FM_E_FILE);
    MUST(strstr(why.text, "Permission denied") != NULL);
    MUST(chmod(path_of("store.db"), 0600) == 0);
    s = st_open(where_of("store.db"), &why);
    MUST(s != NULL && last_seq(s, 1) == 1);
    st_close(s);
}

static void without_rights_nothing_is_opened(void **state)
{
    (void)state;
    clear_folder();
    assert_int_equal(in_child(without_rights), 0);
    if (geteuid() == 0)
        assert_int_equal(chown(folder, geteuid(), getegid()), 0);
}

static void several_programs_may_make_the_same_file(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        pid_t pids[4];
        clear_folder();
        (void)fflush(NULL);
        for (uint64_t i = 0; i < 4; i++) {
            pids[i] = fork();
            assert_true(pids[i] >= 0);
            if (pids[i] == 0) {
                struct st_store *s = st_open(where_of("store.db"), &why);
                MUST(s != NULL);
                MUST(put(s, new_table(1 + i, "")) == FM_OK);
                for (uint64_t seq = 1; seq <= 20; seq++) {
                    const enum fm_err err =
                        put(s, seq == 1 ? new_table(9, "ABC234") : event_of(9, seq, "x"));
                    MUST(err == FM_OK || err == FM_E_CONFLICT);
                }
                st_close(s);
                _exit(0);
            }
        }
        for (int i = 0; i < 4; i++) {
            int status;
            assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
            assert_int_equal(status, 0);
        }
        struct st_store *s = open_store();
        assert_non_null(s);
        for (uint64_t t = 1; t <= 4; t++)
            assert_whole_log(s, t, 1);
        assert_whole_log(s, 9, 20);
        st_close(s);
    }
}

/* ---- disks that fail ------------------------------------------------------------------------- */

static void a_write_is_on_the_disk_before_it_is_told(void **state)
{
    (void)state;
    clear_folder();
    struct st_store *s = open_store();
    assert_non_null(s);
    for (uint64_t seq = 1; seq <= 20; seq++) {
        const int before = faulty.n_synced_logs;
        assert_int_equal(put(s, seq == 1 ? new_table(1, "") : event_of(1, seq, "x")), FM_OK);
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

/* The log, with all beside it, says exactly what was told. */
static void assert_told(struct st_store *s, uint64_t n)
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
        enum fm_err err = put(s, faulty_write(seq));
        if (err != FM_OK) {
            assert_int_equal(err, FM_E_STORE);
            assert_true(faulty.hit);
            assert_non_null(strstr(why.text, says));
            assert_true(st_stats(s).failures > 0);
            assert_told(s, seq - 1); /* nothing of it was kept; reading goes on */
            if (lasting) {
                assert_int_equal(put(s, faulty_write(seq)), FM_E_STORE);
                assert_told(s, seq - 1);
            }
            faulty_heal();
            err = put(s, faulty_write(seq)); /* tried anew */
        }
        assert_int_equal(err, FM_OK);
        assert_told(s, seq);
    }
    st_close(s);
    const bool hit = faulty.hit;
    faulty_heal();
    s = open_store();
    assert_non_null(s);
    assert_told(s, FAULTY_WRITES);
    st_close(s);
    return hit;
}

static void whatever_fails_what_was_told_is_true(void **state)
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
            for (int k = 1; survives(k, faults[i].code, lasting == 1, faults[i].says); k++)
                n++;
    print_message("# %d faults\n", n);
    assert_true(n > 8 * 30);
}

static int fails_at;

static void fail_and_die(void)
{
    struct st_store *s = st_open(where_of("store.db"), &why);
    MUST(s != NULL && put(s, new_table(1, "ABC234")) == FM_OK);
    faulty_arm(fails_at, SQLITE_IOERR_FSYNC, false);
    const enum fm_err err = put(s, event_of(1, 2, "x"));
    MUST(err == (faulty.hit ? FM_E_STORE : FM_OK));
    _exit(err == FM_OK ? 2 : 0);
}

static void what_failed_is_not_found_again_by_the_next_program(void **state)
{
    (void)state;
    for (fails_at = 1;; fails_at++) {
        clear_folder();
        const int status = in_child(fail_and_die);
        struct st_store *s = open_store();
        assert_non_null(s);
        assert_whole_log(s, 1, status == 2 ? 2 : 1);
        assert_int_equal(put(s, event_of(1, status == 2 ? 3 : 2, "x")), FM_OK);
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
    assert_int_equal(put(s, new_table(1, "ABC234")), FM_OK);
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
    assert_int_equal(put(s, event_of(1, 2, "x")), FM_OK);
    assert_whole_log(s, 1, 2);
    st_close(s);
}

/* Fills whatever there is until it is full; how many events there are then. */
static uint64_t fill_up(struct st_store *s)
{
    static uint8_t event[4000];
    MUST(put(s, new_table(1, "ABC234")) == FM_OK);
    for (uint64_t seq = 2; seq < 2000; seq++) {
        struct st_write w = event_of(1, seq, "");
        w.event = event;
        w.n = sizeof event;
        const enum fm_err err = put(s, w);
        MUST(err == FM_OK || err == FM_E_STORE);
        MUST(last_seq(s, 1) == (err == FM_OK ? seq : seq - 1));
        if (err == FM_E_STORE)
            return seq - 1;
    }
    must_fail(__FILE__, __LINE__, "it is never full");
}

static void on_with_room(struct st_store *s, uint64_t n)
{
    MUST(put(s, event_of(1, n + 1, "there is room")) == FM_OK);
    st_close(s);
    s = st_open(where_of("store.db"), &why);
    MUST(s != NULL && last_seq(s, 1) == n + 1);
    MUST(put(s, event_of(1, n + 2, "and again")) == FM_OK);
    st_close(s);
}

static void with_a_limit_of_files(void)
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
    MUST(put(s, event_of(1, n + 1, "still full, small as it is")) == FM_E_STORE);
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

/* A world of its own in which this process may mount; root's is enough for root. */
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

static void a_limit_of_files_is_survived(void **state)
{
    (void)state;
    clear_folder();
    assert_int_equal(in_child(with_a_limit_of_files), 0);
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

/* In memory if there is enough: nothing here pulls a plug, and disks are slow to say "written". */
static const char *place(void)
{
    const char *given = getenv("TMPDIR");
    struct statvfs st;
    if (given != NULL && strlen(given) < sizeof folder / 2)
        return given;
    const bool roomy = statvfs("/dev/shm", &st) == 0 && st.f_bavail * st.f_frsize > 256u << 20;
    return roomy && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}

int main(void)
{
    static const struct CMUnitTest own[] = {
        cmocka_unit_test(files_are_for_their_owner_alone),
        cmocka_unit_test(what_is_no_database_is_refused),
        cmocka_unit_test(other_programs_databases_are_refused_and_left_alone),
        cmocka_unit_test(a_newer_file_is_refused),
        cmocka_unit_test(an_older_file_is_brought_to_the_present),
        cmocka_unit_test(every_version_of_the_schema_comes_to_the_present),
        cmocka_unit_test(a_store_stays_where_it_was_opened),
        cmocka_unit_test(without_rights_nothing_is_opened),
        cmocka_unit_test(several_programs_may_make_the_same_file),
        cmocka_unit_test(a_write_is_on_the_disk_before_it_is_told),
        cmocka_unit_test(whatever_fails_what_was_told_is_true),
        cmocka_unit_test(what_failed_is_not_found_again_by_the_next_program),
        cmocka_unit_test(a_group_fails_as_a_whole),
        cmocka_unit_test(a_limit_of_files_is_survived),
        cmocka_unit_test(a_full_disk_is_survived),
        cmocka_unit_test(every_acknowledged_write_survives_kill_9),
        cmocka_unit_test(W03_tables_of_an_older_file_count_from_its_migration),
        cmocka_unit_test(W03_whatever_fails_a_table_is_whole_or_gone),
        cmocka_unit_test(W03_a_file_whose_tables_go_does_not_grow),
    };
    struct CMUnitTest all[128];
    const size_t n_own = sizeof own / sizeof own[0];
    assert_true(store_conform_n + store_old_n + n_own <= sizeof all / sizeof all[0]);
    memcpy(all, store_conform, store_conform_n * sizeof all[0]);
    memcpy(all + store_conform_n, store_old, store_old_n * sizeof all[0]);
    memcpy(all + store_conform_n + store_old_n, own, sizeof own);
    (void)snprintf(folder, sizeof folder, "%s/fathom-store-XXXXXX", place());
    if (mkdtemp(folder) == NULL || faulty_install() != 0) {
        perror(folder);
        return 1;
    }
    const int failed = tests_run("store_sqlite", all, store_conform_n + store_old_n + n_own);
    clear_folder();
    (void)rmdir(folder);
    return failed;
}
