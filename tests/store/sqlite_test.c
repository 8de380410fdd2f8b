/* sqlite_test.c: runs all tests of the store in SQLite, in a folder of their own. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "store/sqlite_tests.h"

#include "store/faulty.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

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

struct st_store *open_store(void)
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

/* In memory if there is enough: nothing here pulls a plug, and disks are slow to say "written". */
static const char *choose_folder(void)
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
    static const struct tests_group *const groups[] = {
        &conform_log, &conform_queue, &conform_find,  &conform_threads, &conform_old,
        &sqlite_file, &sqlite_faults, &sqlite_killed, &sqlite_old,
    };
    (void)snprintf(folder, sizeof folder, "%s/fathom-store-XXXXXX", choose_folder());
    if (mkdtemp(folder) == NULL || faulty_install() != 0) {
        perror(folder);
        return 1;
    }
    const int failed = tests_run_groups("store_sqlite", groups, sizeof groups / sizeof groups[0]);
    clear_folder();
    (void)rmdir(folder);
    return failed;
}
