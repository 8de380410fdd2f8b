/* systemd.c: sends datagrams to systemd, at $NOTIFY_SOCKET. */
#include "cli/systemd.h"

#include "cli/cli.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void notify(const char *word)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const char *path = getenv("NOTIFY_SOCKET");
    const size_t n = path != NULL ? strlen(path) : 0;
    if (n == 0 || n >= sizeof to.sun_path)
        return;
    memcpy(to.sun_path, path, n);
    if (path[0] == '@') /* an abstract socket */
        to.sun_path[0] = '\0';
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return;
    (void)sendto(fd, word, strlen(word), MSG_NOSIGNAL, (const struct sockaddr *)&to,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n));
    (void)close(fd);
}

void cli_systemd_ready(void)
{
    notify("READY=1");
}

void cli_systemd_alive(void)
{
    notify("WATCHDOG=1");
}

uint64_t cli_systemd_watchdog(void)
{
    const char *interval = getenv("WATCHDOG_USEC"), *process = getenv("WATCHDOG_PID");
    uint64_t us, pid;
    if (interval == NULL || !cli_number(interval, 1, UINT64_MAX, &us))
        return 0;
    if (process != NULL && (!cli_number(process, 1, INT32_MAX, &pid) || pid != (uint64_t)getpid()))
        return 0; /* meant for another process */
    return us / 2000 > 0 ? us / 2000 : 1;
}
