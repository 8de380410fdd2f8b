/*
 * faulty.h: SQLite's files with faults: from some write on (of bytes, of a length, or of all to
 * the disk) they fail. Beneath are real files.
 */
#ifndef TESTS_STORE_FAULTY_H
#define TESTS_STORE_FAULTY_H

#include <stdatomic.h>
#include <stdbool.h>

struct faulty {
    atomic_int countdown; /* the write that brings it to 0 fails; 0: none */
    atomic_int code;      /* what it fails with */
    atomic_bool lasting;  /* and all after it, until code is cleared */
    atomic_int n_writes, n_synced_logs;
    atomic_bool hit;
};
extern struct faulty faulty;

int faulty_install(void); /* for all that is opened from now on; 0: done */
void faulty_arm(int countdown, int code, bool lasting);
void faulty_heal(void);

#endif
