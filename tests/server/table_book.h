/* table_book.h: a table without a hall or a store: its drafts go into a log in memory. */
#ifndef TESTS_SERVER_TABLE_BOOK_H
#define TESTS_SERVER_TABLE_BOOK_H

#include "tests.h"

#include "server/table.h"

#define LOG_MAX 30000

struct book { /* a table, what was written about it, and when it is */
    struct srv_table table;
    struct srv_draft draft;
    char *log[LOG_MAX];
    size_t n[LOG_MAX], length;
    uint64_t now_ms;
};

void book_open(struct book *b, const char *body);
void book_close(struct book *b);
void store_draft(struct book *b); /* the draft is in the log, and is done */

enum fm_err try_to_sit(struct book *b, const char *body, int *seat, struct fm_fault *fault);
int sit(struct book *b, const char *body);
void fill_and_start(struct book *b);
const struct fm_pub *pub_of(const struct book *b);
/* Play on at random for so many events at most; each is stored. */
void play_on(struct book *b, struct fm_rng *rng, int events);
/* The log, read again, gives the same table. */
void assert_reads_back(const struct book *b);

extern const char *const bodies[6]; /* tables of all games */

#endif
