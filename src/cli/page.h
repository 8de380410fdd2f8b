/* page.h: a server of the page, as `fathom serve` and `fathom replay --open` start it. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "server/net.h"

#include <stdbool.h>

#define CLI_PATH 4096

/* The folder of the page that was installed or built with this program; false: there is none. */
bool cli_find_page(char folder[CLI_PATH]);

/* What a server does unless it is told otherwise. */
struct srv_config cli_usual_server(void);

/* Shows a record that was checked in the browser of this machine, until Ctrl-C. An exit status. */
int cli_open_record(const char *text, size_t n);

#endif
