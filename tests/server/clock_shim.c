/*
 * clock_shim.c: a calendar that a test can set, for a program started with LD_PRELOAD.
 *
 * The file that $CALENDAR_OFFSET names holds a number of seconds, as a 64-bit integer of this
 * machine; the calendar is ahead by that, at any moment. Other clocks are left alone.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t none, *offset = &none;

__attribute__((constructor)) static void open_offset(void)
{
    const char *path = getenv("CALENDAR_OFFSET");
    const int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, fd, 0);
    if (page != MAP_FAILED)
        offset = page;
    (void)close(fd);
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    const int status = (int)syscall(SYS_clock_gettime, id, t);
    if (status == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
        t->tv_sec += *offset;
    return status;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *t)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (t != NULL)
        *t = now.tv_sec;
    return now.tv_sec;
}
