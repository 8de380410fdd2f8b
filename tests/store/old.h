/* old.h: tests of what every back end keeps when what is old goes, and their shorthands. */
#ifndef TESTS_STORE_OLD_H
#define TESTS_STORE_OLD_H

#include "store/conform.h"

extern const struct CMUnitTest store_old[];
extern const size_t store_old_n;

struct st_write removal_of(uint64_t table, uint64_t seq);
/* A table with a code, tokens, a record, and four events. */
void put_finished(struct st_store *s, uint64_t table, const char *code);
/* How many in this state are at least so old. */
size_t count_old(struct st_store *s, uint8_t state, uint64_t age_s, bool untrimmed);

#endif
