/* name.h: what people call themselves, made fit to be shown to others. */
#ifndef SERVER_NAME_H
#define SERVER_NAME_H

#include <fathom/error.h>

#include <stddef.h>

#define SRV_NAME_CHARACTERS 32
#define SRV_NAME            (4 * SRV_NAME_CHARACTERS + 1) /* bytes, with the closing NUL */

/* Without control and bidirectional characters, without spaces around it, single ones inside; 1 to
 * 32 characters of UTF-8 are left, or it is refused. */
enum fm_err srv_name_clean(char out[SRV_NAME], const char *text, size_t n, struct fm_fault *fault);

#endif
