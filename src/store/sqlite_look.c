/*
 * sqlite_look.c: whether a server could open an SQLite file, without changing anything.
 *
 * SQLite itself makes two files beside a database with a write-ahead log, even to read it. So a
 * database whose log is missing or empty is opened as a file that never changes (immutable).
 */
#define _XOPEN_SOURCE 700 /* strdup, strerror_r */

#include "store/sqlite.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum fm_err fail(const char *path, int error, struct fm_fault *fault)
{
    char why[96] = "it cannot be used";
    (void)strerror_r(error, why, sizeof why);
    return fm_fail(fault, FM_E_FILE, "sqlite:%s: %s", path, why);
}

/* There is no file yet: can it be made? */
static enum fm_err look_at_folder(const char *path, struct fm_fault *fault)
{
    char *copy = strdup(path);
    if (copy == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    const int error = access(dirname(copy), W_OK | X_OK) == 0 ? 0 : errno;
    free(copy);
    return error == 0 ? FM_OK : fail(path, error, fault);
}

static bool has_log(const char *path)
{
    struct stat st;
    const size_t room = strlen(path) + sizeof "-wal";
    char *beside = malloc(room);
    if (beside == NULL)
        return true;
    (void)snprintf(beside, room, "%s-wal", path);
    const bool has = stat(beside, &st) == 0 && st.st_size > 0;
    free(beside);
    return has;
}

/* "file:PATH?immutable=1", in which %, ? and # of the path are escaped; NULL: no memory. */
static char *uri_of(const char *path)
{
    static const char head[] = "file:", tail[] = "?immutable=1";
    char *uri = malloc(sizeof head + 3 * strlen(path) + sizeof tail), *to = uri;
    if (uri == NULL)
        return NULL;
    memcpy(to, head, sizeof head - 1);
    to += sizeof head - 1;
    for (; *path != '\0'; path++)
        if (strchr("%?#", *path) != NULL)
            to += snprintf(to, 4, "%%%02X", (unsigned char)*path);
        else
            *to++ = *path;
    memcpy(to, has_log(path) ? "" : tail, has_log(path) ? 1 : sizeof tail);
    return uri;
}

static enum fm_err look_into(const char *path, struct st_look *out, struct fm_fault *fault)
{
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
    struct fm_fault why;
    sqlite3 *db = NULL;
    char *uri = uri_of(path);
    enum fm_err err = uri == NULL ? FM_E_MEMORY : FM_OK;
    if (uri != NULL && (sqlite3_open_v2(uri, &db, flags, NULL) != SQLITE_OK ||
                        sqlite3_busy_timeout(db, ST__BUSY_MS) != SQLITE_OK))
        err = st__sqlite_fail(db, &why);
    else if (uri != NULL)
        err = st__sqlite_check(db, st__schema_n, &out->version, &why);
    (void)sqlite3_close(db);
    free(uri);
    return err == FM_OK         ? FM_OK
           : err == FM_E_MEMORY ? fm_fail_plain(fault, err)
                                : fm_fail(fault, FM_E_FILE, "sqlite:%s: %s", path, why.text);
}

enum fm_err st__sqlite_look(const char *path, struct st_look *out, struct fm_fault *fault)
{
    struct stat st;
    *out = (struct st_look){.newest = st__schema_n};
    if (path[0] == '\0')
        return fail(path, ENOENT, fault);
    if (stat(path, &st) != 0)
        return errno == ENOENT ? look_at_folder(path, fault) : fail(path, errno, fault);
    if (S_ISDIR(st.st_mode))
        return fail(path, EISDIR, fault);
    if (access(path, R_OK | W_OK) != 0)
        return fail(path, errno, fault);
    const enum fm_err err = st__sqlite_look_claim(path, fault);
    return err == FM_OK ? look_into(path, out, fault) : err;
}
