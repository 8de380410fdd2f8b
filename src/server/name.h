/* name.h: people's names, cleaned for display. */
#ifndef SERVER_NAME_H
#define SERVER_NAME_H

#include <fathom/error.h>

#include <stddef.h>

#define SRV_NAME_CHARACTERS 32
#define SRV_NAME            (4 * SRV_NAME_CHARACTERS + 1) /* bytes, with the closing NUL */

/* Removes control and bidirectional characters and surplus spaces; refuses a name that is then not
 * 1 to 32 characters of UTF-8. */
enum fm_err srv_name_clean(char out[SRV_NAME], const char *text, size_t n, struct fm_fault *fault);

#endif
