/*
 * sqlite_claim.c: only one server at a time may use an SQLite file.
 *
 * The claim is a system lock (flock) on a file beside the database. It ends with the process,
 * however that ends; the file stays, and says which program had it last. The database file itself
 * cannot be locked: closing its descriptor would release the locks that SQLite has on it.
 */
#define _DEFAULT_SOURCE /* flock, gethostname */

#include "store/sqlite.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CLAIM_TEXT 200 /* most bytes that describe the program */
#define TRIES      20  /* a program that was killed may take a moment to end */
#define TRY_MS     50

static enum fm_err fail(const struct st__sqlite *s, const char *what, int error,
                        struct fm_fault *fault)
{
    char why[96] = "it cannot be used";
    (void)strerror_r(error, why, sizeof why);
    return fm_fail(fault, FM_E_FILE, "sqlite:%.100s: %s: %s", s->path, what, why);
}

/* Opens the file beside the database, readable by its owner only; how: O_CREAT, or 0: only if it
 * is there. -1: see errno. */
static int open_claim(const char *path, int how)
{
    const size_t room = strlen(path) + sizeof "-server";
    char *beside = malloc(room);
    struct stat st;
    if (beside == NULL)
        return -1;
    (void)snprintf(beside, room, "%s-server", path);
    const int fd =
        open(beside, O_RDWR | how | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK, 0600);
    free(beside);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        (void)close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

/* 0, or errno; EWOULDBLOCK: another program has it. */
static int lock(int fd)
{
    int error = EWOULDBLOCK;
    for (int tries = 0; tries < TRIES && error == EWOULDBLOCK; tries++) {
        if (tries > 0)
            (void)nanosleep(&(struct timespec){0, TRY_MS * 1000000L}, NULL);
        error = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        if (error == EINTR)
            error = EWOULDBLOCK;
    }
    return error;
}

static enum fm_err refuse(const char *path, int fd, enum fm_err err, struct fm_fault *fault)
{
    char who[CLAIM_TEXT + 1] = "";
    const ssize_t n = pread(fd, who, CLAIM_TEXT, 0);
    who[n > 0 ? n : 0] = '\0';
    who[strcspn(who, "\n")] = '\0';
    fm__clean(who);
    return fm_fail(fault, err, "sqlite:%.80s: another server is at work on it: %s", path,
                   who[0] != '\0' ? who : "it does not say which");
}

/* Writes the text that a second program is refused with. Only the lock matters, so errors such as a
 * full disk are ignored. */
void st__sqlite_describe(void *self, const char *who)
{
    const struct st__sqlite *s = self;
    char text[CLAIM_TEXT + 1], host[64] = "?", since[32] = "?";
    struct tm tm;
    if (s->claim < 0)
        return;
    (void)gethostname(host, sizeof host - 1);
    if (gmtime_r(&s->claimed, &tm) != NULL)
        (void)strftime(since, sizeof since, "%Y-%m-%d %H:%M:%S UTC", &tm);
    const int n = snprintf(text, sizeof text, "process %ld on %s, %s, since %s\n", (long)getpid(),
                           host, who, since);
    const size_t length = n < CLAIM_TEXT ? (size_t)n : CLAIM_TEXT;
    if (ftruncate(s->claim, 0) != 0 || pwrite(s->claim, text, length, 0) < 0)
        return;
}

enum fm_err st__sqlite_claim(struct st__sqlite *s, const char *who, struct fm_fault *fault)
{
    const int fd = open_claim(s->path, O_CREAT);
    if (fd < 0)
        return fail(s, "the file beside it that says who serves it", errno, fault);
    const int error = lock(fd);
    if (error != 0) {
        const enum fm_err err =
            error == EWOULDBLOCK
                ? refuse(s->path, fd, FM_E_FILE, fault)
                : fail(s, "no locks here, so a second server could start on it", error, fault);
        (void)close(fd);
        return err;
    }
    s->claim = fd;
    s->claimed = time(NULL);
    st__sqlite_describe(s, who);
    return FM_OK;
}

enum fm_err st__sqlite_look_claim(const char *path, struct fm_fault *fault)
{
    char *whole = realpath(path, NULL); /* the claim lies beside the file, not beside a link */
    const int fd = whole != NULL ? open_claim(whole, 0) : -1;
    enum fm_err err = FM_OK;
    if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        err = refuse(whole, fd, FM_E_BUSY, fault);
    if (fd >= 0)
        (void)close(fd);
    free(whole);
    return err;
}
