/* net_listen.c: the listening socket, on a port or on a path of this machine. */
#define _DEFAULT_SOURCE /* flock */

#include "server/net_state.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define UNIX      "unix:"
#define UNIX_MODE 0660 /* of the socket: whoever may write to it is trusted as a proxy */

/* ---- a port ---------------------------------------------------------------------------------- */

/* A socket that listens on one of the addresses; -1 and errno. */
static int listen_at(const struct addrinfo *found)
{
    int fd = -1;
    for (const struct addrinfo *a = found; a != NULL && fd < 0; a = a->ai_next) {
        const int on = 1;
        fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (fd < 0)
            continue;
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (bind(fd, a->ai_addr, a->ai_addrlen) != 0 || listen(fd, SOMAXCONN) != 0) {
            const int why = errno;
            (void)close(fd);
            errno = why;
            fd = -1;
        }
    }
    return fd;
}

int srv_listen_port(int fd)
{
    struct sockaddr_storage at;
    char port[8] = "0";
    socklen_t n = sizeof at;
    if (getsockname(fd, (struct sockaddr *)&at, &n) == 0)
        (void)getnameinfo((const struct sockaddr *)&at, n, NULL, 0, port, sizeof port,
                          NI_NUMERICSERV);
    int number = 0;
    for (const char *p = port; *p >= '0' && *p <= '9'; p++)
        number = 10 * number + (*p - '0');
    return number;
}

static int listen_tcp(const struct srv_config *config, struct fm_fault *fault)
{
    const struct addrinfo wanted = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
                                    .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char text[8];
    (void)snprintf(text, sizeof text, "%u", config->port);
    const int err = getaddrinfo(config->host, text, &wanted, &found);
    if (err != 0) {
        (void)fm_fail(fault, FM_E_FILE, "cannot listen on %s, port %u: %s", config->host,
                      config->port, gai_strerror(err));
        return -1;
    }
    const int fd = listen_at(found), why = errno;
    freeaddrinfo(found);
    if (fd < 0)
        (void)fm_fail(fault, why == EADDRINUSE ? FM_E_BUSY : FM_E_FILE,
                      "cannot listen on %s, port %u: %s", config->host, config->port,
                      strerror(why));
    return fd;
}

/* ---- a path ---------------------------------------------------------------------------------- */

const char *srv_unix_path(const struct srv_config *config)
{
    const size_t n = sizeof UNIX - 1;
    return strncmp(config->host, UNIX, n) == 0 ? config->host + n : NULL;
}

static enum fm_err fail_path(const char *path, int why, struct fm_fault *fault)
{
    return fm_fail(fault, FM_E_FILE, "cannot listen on unix:%.120s: %s", path, strerror(why));
}

static enum fm_err address_of_path(struct sockaddr_un *at, const char *path, struct fm_fault *fault)
{
    *at = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (path[0] == '\0' || strlen(path) >= sizeof at->sun_path)
        return fm_fail(fault, FM_E_FILE, "cannot listen on unix:%.120s: a path has 1 to %zu bytes",
                       path, sizeof at->sun_path - 1);
    memcpy(at->sun_path, path, strlen(path) + 1);
    return FM_OK;
}

/* Is the path free, or a socket that a program has left behind? *stale: the latter. */
static enum fm_err look_at_path(const struct sockaddr_un *at, bool *stale, struct fm_fault *fault)
{
    struct stat st;
    *stale = false;
    if (lstat(at->sun_path, &st) != 0)
        return errno == ENOENT ? FM_OK : fail_path(at->sun_path, errno, fault);
    if (!S_ISSOCK(st.st_mode))
        return fm_fail(fault, FM_E_FILE,
                       "cannot listen on unix:%.120s: something else is there, which is no socket",
                       at->sun_path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return fail_path(at->sun_path, errno, fault);
    const int why = connect(fd, (const struct sockaddr *)at, sizeof *at) == 0 ? 0 : errno;
    (void)close(fd);
    *stale = why == ECONNREFUSED;
    if (*stale)
        return FM_OK;
    return why == 0 || why == EAGAIN
               ? fm_fail(fault, FM_E_BUSY, "cannot listen on unix:%.120s: another program does",
                         at->sun_path)
               : fail_path(at->sun_path, why, fault);
}

/* A folder that is locked while the path is looked at and taken, so that of two servers that start
 * at once, neither removes the other's socket. -1: it cannot be opened. */
static int lock_folder(const char *path)
{
    char *copy = strdup(path);
    const int fd = copy != NULL ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(copy);
    if (fd >= 0)
        (void)flock(fd, LOCK_EX);
    return fd;
}

static int bind_path(const struct sockaddr_un *at, struct srv_socket *made, struct fm_fault *fault)
{
    struct stat st;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && fchmod(fd, UNIX_MODE) == 0 && /* so that nobody else can connect meanwhile */
        bind(fd, (const struct sockaddr *)at, sizeof *at) == 0 &&
        chmod(at->sun_path, UNIX_MODE) == 0 && lstat(at->sun_path, &st) == 0 &&
        listen(fd, SOMAXCONN) == 0) {
        *made = (struct srv_socket){(uint64_t)st.st_dev, (uint64_t)st.st_ino};
        return fd;
    }
    (void)fail_path(at->sun_path, errno, fault);
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

static int listen_unix(const char *path, struct srv_socket *made, struct fm_fault *fault)
{
    struct sockaddr_un at;
    bool stale;
    int fd = -1;
    if (address_of_path(&at, path, fault) != FM_OK)
        return -1;
    const int folder = lock_folder(path);
    if (folder < 0)
        (void)fail_path(path, errno, fault);
    else if (look_at_path(&at, &stale, fault) == FM_OK && stale && unlink(path) != 0)
        (void)fail_path(path, errno, fault);
    else if (fault->code == FM_OK)
        fd = bind_path(&at, made, fault);
    if (folder >= 0)
        (void)close(folder);
    return fd;
}

/* ---- either ---------------------------------------------------------------------------------- */

int srv_listen_socket(const struct srv_config *config, struct srv_socket *made,
                      struct fm_fault *fault)
{
    const char *path = srv_unix_path(config);
    *fault = (struct fm_fault){.code = FM_OK};
    return path != NULL ? listen_unix(path, made, fault) : listen_tcp(config, fault);
}

/* Removes the path before it closes the socket: a server that finds no path makes its own, and that
 * is left alone. */
void srv_listen_close(const struct srv_config *config, int fd, const struct srv_socket *made)
{
    const char *path = srv_unix_path(config);
    struct stat st;
    if (path != NULL && lstat(path, &st) == 0 && (uint64_t)st.st_dev == made->device &&
        (uint64_t)st.st_ino == made->inode)
        (void)unlink(path);
    (void)close(fd);
}

static enum fm_err check_path(const char *path, struct fm_fault *fault)
{
    struct sockaddr_un at;
    bool stale;
    enum fm_err err = address_of_path(&at, path, fault);
    if (err == FM_OK)
        err = look_at_path(&at, &stale, fault);
    char *copy = err == FM_OK ? strdup(path) : NULL;
    if (copy != NULL && access(dirname(copy), W_OK | X_OK) != 0)
        err = fail_path(path, errno, fault);
    free(copy);
    return err;
}

enum fm_err srv_listen_check(const struct srv_config *config, struct fm_fault *fault)
{
    const char *path = srv_unix_path(config);
    if (path != NULL)
        return check_path(path, fault);
    const int fd = listen_tcp(config, fault);
    if (fd < 0)
        return fault->code;
    (void)close(fd);
    return FM_OK;
}
