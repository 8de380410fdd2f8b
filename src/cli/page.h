/* page.h: serving the page, for `fathom serve` and `fathom replay --open`. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "server/net.h"

#include <stdbool.h>

#define CLI_PATH 4096

/* The folder of the page that was installed or built with this program; false: there is none. */
bool cli_find_page(char folder[CLI_PATH]);

/* The default configuration of a server. */
struct srv_config cli_usual_server(void);

/* Shows a checked record in this machine's browser, until Ctrl-C. Returns an exit status. */
int cli_open_record(const char *text, size_t n);

#endif
