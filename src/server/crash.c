/*
 * crash.c: handlers of fatal signals, which write a report before the program ends.
 *
 * A failed assertion and systemd's watchdog both arrive as SIGABRT. The backtrace is glibc's
 * (execinfo.h). Its first call loads a library and allocates, so one backtrace is made at the
 * start; the handler itself only calls write(2). Addresses are printed as offsets into their file,
 * for addr2line(1).
 */
#define _GNU_SOURCE
#include "server/crash.h"

#include "server/log.h"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FRAMES  48
#define MODULES 96
#define LINE    4096  /* as JSON, all frames are in one line */
#define STACK   65536 /* for the handler, in case the stack overflowed */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

struct module { /* a mapped file with code */
    uintptr_t base, end;
    char name[32];
};

static struct module modules[MODULES];
static size_t n_modules;
static _Thread_local struct {
    bool set;
    struct st_id table;
    uint64_t event;
} at;

void srv_crash_at(const struct st_id *table, uint64_t event)
{
    at.set = false; /* a signal may come between any two of these */
    if (table == NULL)
        return;
    at.table = *table;
    at.event = event;
    at.set = true;
}

/* ---- text without malloc or stdio ------------------------------------------------------------ */

struct line {
    char text[LINE];
    size_t n;
};

static void put(struct line *l, const char *text)
{
    for (; *text != '\0' && l->n < LINE - 1; text++)
        l->text[l->n++] = *text;
}

static void put_number(struct line *l, uint64_t number, unsigned base)
{
    char digits[24];
    size_t i = sizeof digits - 1;
    digits[i] = '\0';
    do
        digits[--i] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    put(l, digits + i);
}

static void put_hex(struct line *l, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char pair[] = {"0123456789abcdef"[bytes[i] >> 4], "0123456789abcdef"[bytes[i] & 15],
                             '\0'};
        put(l, pair);
    }
}

static void end(struct line *l)
{
    l->text[l->n++] = '\n';
    const ssize_t done = write(STDERR_FILENO, l->text, l->n);
    (void)done; /* nothing can be done about it */
    l->n = 0;
}

/* ---- the handler ----------------------------------------------------------------------------- */

static const struct {
    int number;
    const char *name;
} signals[] = {
    {SIGABRT, "SIGABRT"},
#ifndef SANITIZED /* the sanitizers' own reports are better */
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"},
#endif
};

static const char *signal_name(int number)
{
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return "a signal";
}

static void put_frame(struct line *l, uintptr_t address)
{
    const struct module *m = modules;
    while (m < modules + n_modules && (address < m->base || address >= m->end))
        m++;
    put(l, m < modules + n_modules ? m->name : "?");
    put(l, "+0x");
    put_number(l, m < modules + n_modules ? address - m->base : address, 16);
}

static void tell_text(int number, void *const *frame, int n)
{
    struct line l;
    l.n = 0;
    put(&l, "fathom: it ends by ");
    put(&l, signal_name(number));
    put(&l, at.set ? ", at table " : ", at no table");
    if (at.set)
        put_hex(&l, at.table.bytes, sizeof at.table.bytes);
    if (at.set && at.event > 0) {
        put(&l, ", event ");
        put_number(&l, at.event, 10);
    }
    end(&l);
    for (int i = 0; i < n; i++) {
        put(&l, "fathom:   ");
        put_frame(&l, (uintptr_t)frame[i]);
        end(&l);
    }
}

static void tell_json(int number, void *const *frame, int n)
{
    char time[SRV_LOG_TIME + 1] = "";
    struct line l;
    l.n = 0;
    srv_log_put_time(time);
    put(&l, "{\"time\":\"");
    put(&l, time);
    put(&l, "\",\"level\":\"error\",\"event\":\"crash\",\"signal\":\"");
    put(&l, signal_name(number));
    if (at.set) {
        put(&l, "\",\"table\":\"");
        put_hex(&l, at.table.bytes, sizeof at.table.bytes);
    }
    put(&l, "\",\"seq\":");
    put_number(&l, at.set ? at.event : 0, 10);
    put(&l, ",\"frames\":[");
    for (int i = 0; i < n; i++) {
        put(&l, i > 0 ? ",\"" : "\"");
        put_frame(&l, (uintptr_t)frame[i]);
        put(&l, "\"");
    }
    put(&l, "]}");
    end(&l);
}

static void on_crash(int number)
{
    void *frame[FRAMES];
    const int n = backtrace(frame, FRAMES);
    /* entry 0 is this function */
    (srv_log_is_json() ? tell_json : tell_text)(number, frame + (n > 0), n > 0 ? n - 1 : 0);
    (void)raise(number); /* SA_RESETHAND restored the default: the program ends */
}

/* ---- the start ------------------------------------------------------------------------------- */

static int note_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    if (n_modules == MODULES)
        return 1;
    struct module *m = &modules[n_modules];
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash != NULL ? slash + 1 : info->dlpi_name;
    *m = (struct module){.base = info->dlpi_addr, .end = info->dlpi_addr};
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t last =
            info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && last > m->end)
            m->end = last;
    }
    (void)snprintf(m->name, sizeof m->name, "%s", name[0] != '\0' ? name : "fathom");
    n_modules++;
    return 0;
}

void srv_crash_watch(void)
{
    static uint8_t stack[STACK];
    void *frame[1];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_crash,
                               .sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK)};
    (void)backtrace(frame, 1);
    n_modules = 0;
    (void)dl_iterate_phdr(note_module, NULL);
    (void)sigemptyset(&action.sa_mask);
    (void)sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        (void)sigaction(signals[i].number, &action, NULL);
}
