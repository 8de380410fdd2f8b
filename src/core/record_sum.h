/* record_sum.h: the sum that ends every line of a record, shared by its writer and its reader. */
#ifndef CORE_RECORD_SUM_H
#define CORE_RECORD_SUM_H

#include <stddef.h>
#include <stdint.h>

#define FM__SUM_BYTES 4
#define FM__SUM_TAIL  (sizeof ",\"sum\":\"00000000\"}" - 1) /* what follows the summed bytes */

/* Advance the chain by the bytes of one line, without the tail. */
void fm__record_sum(uint8_t chain[32], const char *text, size_t n);

#endif
