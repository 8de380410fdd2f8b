/* faulty.c: a VFS of SQLite that hands everything on to the real one, and fails when told to. */
#include "store/faulty.h"

#include <sqlite3.h>
#include <string.h>

struct faulty faulty;

struct file {
    sqlite3_file base;
    bool is_log;
    sqlite3_file real[]; /* its own size */
};

static sqlite3_vfs *real;

static sqlite3_file *of(sqlite3_file *f)
{
    return ((struct file *)f)->real;
}

static int fault(void)
{
    faulty.n_writes++;
    if (faulty.code == SQLITE_OK)
        return SQLITE_OK;
    if (faulty.countdown > 0 && --faulty.countdown > 0)
        return SQLITE_OK;
    if (faulty.hit && !faulty.lasting)
        return SQLITE_OK;
    faulty.hit = true;
    return faulty.code;
}

static int f_close(sqlite3_file *f)
{
    return of(f)->pMethods->xClose(of(f));
}

static int f_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return of(f)->pMethods->xRead(of(f), to, n, at);
}

static int f_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    const int code = fault();
    if (code == SQLITE_OK)
        return of(f)->pMethods->xWrite(of(f), from, n, at);
    if (n > 1) /* half of it arrives */
        (void)of(f)->pMethods->xWrite(of(f), from, n / 2, at);
    return code;
}

static int f_truncate(sqlite3_file *f, sqlite3_int64 n)
{
    const int code = fault();
    return code != SQLITE_OK ? code : of(f)->pMethods->xTruncate(of(f), n);
}

static int f_sync(sqlite3_file *f, int flags)
{
    const int code = fault();
    if (((struct file *)f)->is_log)
        faulty.n_synced_logs++;
    return code != SQLITE_OK ? code : of(f)->pMethods->xSync(of(f), flags);
}

static int f_size(sqlite3_file *f, sqlite3_int64 *n)
{
    return of(f)->pMethods->xFileSize(of(f), n);
}

static int f_lock(sqlite3_file *f, int level)
{
    return of(f)->pMethods->xLock(of(f), level);
}

static int f_unlock(sqlite3_file *f, int level)
{
    return of(f)->pMethods->xUnlock(of(f), level);
}

static int f_reserved(sqlite3_file *f, int *out)
{
    return of(f)->pMethods->xCheckReservedLock(of(f), out);
}

static int f_control(sqlite3_file *f, int op, void *arg)
{
    return of(f)->pMethods->xFileControl(of(f), op, arg);
}

static int f_sector(sqlite3_file *f)
{
    return of(f)->pMethods->xSectorSize(of(f));
}

static int f_device(sqlite3_file *f)
{
    return of(f)->pMethods->xDeviceCharacteristics(of(f));
}

static int f_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out)
{
    return of(f)->pMethods->xShmMap(of(f), page, size, extend, out);
}

static int f_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
    return of(f)->pMethods->xShmLock(of(f), offset, n, flags);
}

static void f_shm_barrier(sqlite3_file *f)
{
    of(f)->pMethods->xShmBarrier(of(f));
}

static int f_shm_unmap(sqlite3_file *f, int deletes)
{
    return of(f)->pMethods->xShmUnmap(of(f), deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = f_close,
    .xRead = f_read,
    .xWrite = f_write,
    .xTruncate = f_truncate,
    .xSync = f_sync,
    .xFileSize = f_size,
    .xLock = f_lock,
    .xUnlock = f_unlock,
    .xCheckReservedLock = f_reserved,
    .xFileControl = f_control,
    .xSectorSize = f_sector,
    .xDeviceCharacteristics = f_device,
    .xShmMap = f_shm_map,
    .xShmLock = f_shm_lock,
    .xShmBarrier = f_shm_barrier,
    .xShmUnmap = f_shm_unmap,
};

static int v_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out)
{
    (void)vfs;
    struct file *file = (struct file *)f;
    memset(file, 0, sizeof *file);
    file->is_log = (flags & SQLITE_OPEN_WAL) != 0;
    const int code = real->xOpen(real, name, file->real, flags, out);
    if (file->real[0].pMethods != NULL)
        file->base.pMethods = &methods;
    return code;
}

int faulty_install(void)
{
    static sqlite3_vfs vfs;
    if (real != NULL)
        return 0;
    real = sqlite3_vfs_find(NULL);
    if (real == NULL)
        return 1;
    vfs = *real; /* its other functions take the real one's data, which is copied too */
    vfs.pNext = NULL;
    vfs.zName = "faulty";
    vfs.szOsFile = (int)sizeof(struct file) + real->szOsFile;
    vfs.xOpen = v_open;
    return sqlite3_vfs_register(&vfs, 1) == SQLITE_OK ? 0 : 1;
}

void faulty_arm(int countdown, int code, bool lasting)
{
    faulty.hit = false;
    faulty.lasting = lasting;
    faulty.countdown = countdown;
    faulty.code = code;
}

void faulty_heal(void)
{
    faulty.code = SQLITE_OK;
    faulty.countdown = 0;
}
