/* crash_test.c: a program that fails in the midst of a table says where, and nothing that is
 * secret. */
#include "tests.h"

#include "base/panic.h"
#include "server/world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child says to whoever reads it: what it crashes with and what must not be in it, a line
 * each; then it crashes. */
static FILE *facts;

/* ---- planted mistakes ------------------------------------------------------------------------ */

static const struct srv_table *crashing; /* when it is told of a change; NULL: none does */
static bool by_signal;

bool __real_srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                           const void *before, int seat);
bool __wrap_srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                           const void *before, int seat);

bool __wrap_srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                           const void *before, int seat)
{
    if (t == crashing && by_signal)
        (void)raise(SIGSEGV);
    fm_assert(t != crashing); /* the planted mistake */
    return __real_srv_put_change(o, t, d, before, seat);
}

/* ---- the child ------------------------------------------------------------------------------- */

static void tell_secret(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fprintf(facts, "%02x", bytes[i]);
    fputc('\n', facts);
}

/* A game of two people and a watcher; it fails when the first move is told. */
static void crash_at_a_move(void)
{
    static struct world world;
    static struct client ana;
    static char table[2 * ST_ID_BYTES + 1], host[SRV_TOKEN_TEXT + 1], token[SRV_TOKEN_TEXT + 1];
    world_open(&world, 7);
    srv_crash_watch();
    fm_assert(world_ask(&world, "POST", NULL, "{\"game\":\"soumsoum\",\"options\":{\"players\":2}}",
                        "/api/tables") == 201);
    (void)snprintf(table, sizeof table, "%s", world_text(&world, "table"));
    (void)snprintf(host, sizeof host, "%s", world_text(&world, "host"));
    const char *names[] = {"{\"name\":\"Quirin\"}", "{\"name\":\"Zelda\"}"};
    for (int i = 0; i < 2; i++)
        fm_assert(world_ask(&world, "POST", NULL, names[i], "/api/tables/%s/seats", table) == 201);
    (void)snprintf(token, sizeof token, "%s", world_text(&world, "token"));
    const struct srv_table *t = &world_slot(&world, table)->table;
    client_open(&ana, &world, table);
    fm_assert(client_say(&ana, "{\"hello\":\"%s\"}", token));
    fprintf(facts, "%s\n%llu\n%s\n%s\n%s\nQuirin\nZelda\n", table, (unsigned long long)t->seq + 1,
            host, token, t->code);
    tell_secret(t->seed, 4);
    (void)fflush(facts);
    crashing = t;
    (void)world_ask(&world, "POST", host, NULL, "/api/tables/%s/start", table);
    _exit(0); /* it did not crash */
}

/* ---- the parent ------------------------------------------------------------------------------ */

static char said[65536], told[4096];

static void read_all(int fd, char *text, size_t cap)
{
    size_t n = 0;
    for (ssize_t more; n < cap - 1 && (more = read(fd, text + n, cap - 1 - n)) > 0;)
        n += (size_t)more;
    text[n] = '\0';
    (void)close(fd);
}

/* Its status; said is its standard error, told its facts. */
static int child(void (*run)(void))
{
    int errors[2], channel[2], status;
    assert_int_equal(pipe(errors), 0);
    assert_int_equal(pipe(channel), 0);
    (void)fflush(NULL);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)dup2(errors[1], STDERR_FILENO);
        facts = fdopen(channel[1], "w");
        (void)close(errors[0]);
        (void)close(channel[0]);
        run();
        _exit(0);
    }
    (void)close(errors[1]);
    (void)close(channel[1]);
    read_all(errors[0], said, sizeof said);
    read_all(channel[0], told, sizeof told);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static unsigned frames(void)
{
    unsigned n = 0;
    for (const char *at = said; (at = strstr(at, "\nfathom:   ")) != NULL; at++)
        n++;
    return n;
}

static void assert_tells_table_and_backtrace(const char *name)
{
    char line[256], *next = told;
    const char *table = strsep(&next, "\n"), *event = strsep(&next, "\n");
    (void)snprintf(line, sizeof line, "fathom: it ends by %s, at table %s, event %s\n", name, table,
                   event);
    if (strstr(said, line) == NULL)
        fail_msg("not in it: %s\nit says: %s", line, said);
    assert_true(frames() >= 5);
    for (const char *secret; (secret = strsep(&next, "\n")) != NULL;)
        if (secret[0] != '\0' && strstr(said, secret) != NULL)
            fail_msg("%s is in it: %s", secret, said);
    for (const char *at = said; *at != '\0'; at = strchr(at, '\n') + 1) {
        if (strncmp(at, "qemu:", 5) != 0) /* which adds a line when it runs us */
            assert_memory_equal(at, "fathom", 6);
        assert_non_null(strchr(at, '\n'));
    }
}

static void W15_a_panic_tells_its_table_event_and_backtrace_and_no_secret(void **state)
{
    (void)state;
    const int status = child(crash_at_a_move);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(said, "crash_test.c:"));
    assert_non_null(strstr(said, "this should never happen: t != crashing"));
    assert_tells_table_and_backtrace("SIGABRT");
}

static void W15_so_does_a_bad_access(void **state)
{
    (void)state;
    by_signal = true;
    const int status = child(crash_at_a_move);
    by_signal = false;
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    assert_tells_table_and_backtrace("SIGSEGV");
}

static void crash_at_none(void)
{
    srv_crash_watch();
    srv_crash_at(&(struct st_id){{1}}, 3);
    srv_crash_at(NULL, 0);
    abort();
}

static void W15_what_is_done_already_is_not_blamed(void **state)
{
    (void)state;
    const int status = child(crash_at_none);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(said, "fathom: it ends by SIGABRT, at no table\n"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(W15_a_panic_tells_its_table_event_and_backtrace_and_no_secret),
        cmocka_unit_test(W15_what_is_done_already_is_not_blamed),
        cmocka_unit_test(W15_so_does_a_bad_access), /* of which sanitizers tell themselves */
    };
    return tests_run("crash", tests, sizeof tests / sizeof tests[0] - TESTS_SANITIZED);
}
