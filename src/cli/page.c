/* page.c: serving the page: where its files are, the defaults, and a server that shows a record. */
#include "cli/page.h"

#include "cli/cli.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_find_page(char folder[CLI_PATH])
{
    static const char *const places[] = {"../share/fathom/web", "../web/dist"};
    char program[CLI_PATH], index[CLI_PATH];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = NULL;
    if (n > 0) {
        program[n] = '\0';
        slash = strrchr(program, '/');
    }
    for (size_t i = 0; slash != NULL && i < sizeof places / sizeof places[0]; i++) {
        const int length = (int)(slash - program);
        const int a = snprintf(folder, CLI_PATH, "%.*s/%s", length, program, places[i]);
        const int b = snprintf(index, CLI_PATH, "%.*s/%s/index.html", length, program, places[i]);
        if (a > 0 && a < CLI_PATH && b > 0 && b < CLI_PATH && access(index, R_OK) == 0)
            return true;
    }
    return false;
}

struct srv_config cli_usual_server(void)
{
    return (struct srv_config){.host = "127.0.0.1",
                               .port = 8080,
                               .store = "sqlite:fathom.db",
                               .bot_ms = 1200,
                               .think_ms = 1000,
                               .secret_ms = 100,
                               .analysis_nice = 15,
                               .tables = 10000,
                               .connections = 12000,
                               .rate = 200,
                               .messages = 30,
                               .burst = 60,
                               .queue = 256,
                               .keep = srv_keep_default};
}

/* ---- a record in the browser ---------------------------------------------------------------- */

extern char **environ;

/* Asks the desktop to show an address. Where there is none, the address was printed. */
static void browse(char *address)
{
    char program[] = "xdg-open";
    char *argv[] = {program, address, NULL};
    posix_spawn_file_actions_t quiet;
    pid_t pid;
    if (posix_spawn_file_actions_init(&quiet) != 0)
        return;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        (void)posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
    (void)posix_spawnp(&pid, program, &quiet, NULL, argv, environ);
    (void)posix_spawn_file_actions_destroy(&quiet);
}

static void opened(const struct srv_config *config, int port)
{
    char address[64];
    (void)snprintf(address, sizeof address, "http://%s:%d/#/replay/opened", config->host, port);
    printf("fathom: the game is shown at %s until Ctrl-C\n", address);
    (void)fflush(stdout);
    browse(address);
}

static int remove_file(void *arg, const char *path)
{
    (void)arg;
    (void)unlink(path);
    return CLI_FINE;
}

/* The store of a server that keeps nothing. */
static void remove_store(const char *folder)
{
    (void)cli_each("replay", folder, "", remove_file, NULL);
    (void)rmdir(folder);
}

int cli_open_record(const char *text, size_t n)
{
    const char *place = getenv("TMPDIR");
    char page[CLI_PATH], folder[CLI_PATH - 32], store[CLI_PATH];
    struct srv_config config = cli_usual_server();
    struct fm_fault fault;
    int status = CLI_FINE;
    if (!cli_find_page(page))
        return cli_complain("replay", "--open needs the web page, which is not installed with this "
                                      "program");
    (void)snprintf(folder, sizeof folder, "%s/fathom-XXXXXX", place != NULL ? place : "/tmp");
    if (mkdtemp(folder) == NULL)
        return cli_complain("replay", "%s: a folder cannot be made here", folder);
    (void)snprintf(store, sizeof store, "sqlite:%s/fathom.db", folder);
    config.port = 0;
    config.store = store;
    config.data = page;
    config.library = &(struct fm_library){0};
    config.record = text;
    config.record_n = n;
    if (srv_serve(&config, opened, &fault) != FM_OK)
        status = cli_complain("replay", "%s", fault.text);
    remove_store(folder);
    return status;
}
