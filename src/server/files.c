/* files.c: a folder read into memory. */
#include "server/files.h"

#include "base/hash.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#define ALL_MAX (64u << 20) /* bytes of all files together */
#define DEPTH   8
#define PATH    2048
#define BUCKETS 256

struct srv_files {
    struct srv_file *bucket[BUCKETS];
    size_t bytes;
};

static const char front_page[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Fathom</title>"
    "<p>Fathom is running. Programs talk to it as docs/protocol-server.md says; "
    "<code>fathom serve --data DIR</code> serves a web page.</p></html>\n";

static const struct {
    const char *ending, *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".webp", "image/webp"},
    {".woff2", "font/woff2"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".ico", "image/x-icon"},
    {".txt", "text/plain; charset=utf-8"},
};

static const char *type_of(const char *path)
{
    const size_t n = strlen(path);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const size_t m = strlen(types[i].ending);
        if (n > m && strcmp(path + n - m, types[i].ending) == 0)
            return types[i].type;
    }
    return "application/octet-stream";
}

/* Eight or more letters and digits between a dash and the ending: a build's hash. */
static bool has_hash(const char *path)
{
    const char *dash = strrchr(path, '-'), *dot = strrchr(path, '.');
    return dash != NULL && dot != NULL && dot - dash > 8 &&
           strcspn(dash + 1, "./") == (size_t)(dot - dash - 1);
}

static unsigned bucket_of(const char *path)
{
    uint32_t h = 2166136261u;
    for (; *path != '\0'; path++)
        h = (h ^ (uint8_t)*path) * 16777619u;
    return h % BUCKETS;
}

const struct srv_file *srv_files_find(const struct srv_files *f, const char *path)
{
    for (const struct srv_file *file = f->bucket[bucket_of(path)]; file != NULL; file = file->next)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

static void file_free(struct srv_file *file)
{
    free(file->path);
    free(file->plain);
    free(file->gzip);
    free(file);
}

/* Compressed, if that saves a tenth. */
static void compress_file(struct srv_file *file)
{
    z_stream z = {0};
    if (file->plain_n < 512 ||
        deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    const size_t room = deflateBound(&z, file->plain_n);
    file->gzip = malloc(room);
    z.next_in = file->plain;
    z.avail_in = (uInt)file->plain_n;
    z.next_out = file->gzip;
    z.avail_out = (uInt)room;
    const bool fine = file->gzip != NULL && deflate(&z, Z_FINISH) == Z_STREAM_END &&
                      z.total_out < file->plain_n / 10 * 9;
    file->gzip_n = z.total_out;
    (void)deflateEnd(&z);
    if (!fine) {
        free(file->gzip);
        file->gzip = NULL;
    }
}

/* The file takes the bytes over. */
static bool add(struct srv_files *f, const char *path, uint8_t *bytes, size_t n)
{
    uint8_t hash[FM_HASH_BYTES];
    struct srv_file *file = calloc(1, sizeof *file);
    if (file == NULL || (file->path = strdup(path)) == NULL) {
        free(file);
        free(bytes);
        return false;
    }
    file->plain = bytes;
    file->plain_n = n;
    file->type = type_of(path);
    file->forever = has_hash(path);
    fm__hash(hash, "fathom file 1", &(struct fm_span){bytes, n}, 1);
    (void)snprintf(file->etag, sizeof file->etag, "\"%02x%02x%02x%02x%02x%02x%02x%02x\"", hash[0],
                   hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]);
    compress_file(file);
    f->bytes += n + file->gzip_n;
    file->next = f->bucket[bucket_of(path)];
    f->bucket[bucket_of(path)] = file;
    return true;
}

static enum fm_err read_file(struct srv_files *f, const char *from, const char *path, size_t size,
                             struct fm_fault *fault)
{
    if (f->bytes + size > ALL_MAX)
        return fm_fail(fault, FM_E_SIZE, "%s: all files together are larger than %u MB", from,
                       ALL_MAX >> 20);
    FILE *file = fopen(from, "rb");
    uint8_t *bytes = malloc(size + 1);
    const bool read = file != NULL && bytes != NULL && fread(bytes, 1, size, file) == size;
    const int error = errno;
    if (file != NULL)
        (void)fclose(file);
    if (!read) {
        free(bytes);
        return fm_fail(fault, FM_E_FILE, "%s: cannot be read: %s", from, strerror(error));
    }
    return add(f, path, bytes, size) ? FM_OK : fm_fail_plain(fault, FM_E_MEMORY);
}

static enum fm_err read_folder(struct srv_files *f, const char *folder, const char *path, int depth,
                               struct fm_fault *fault)
{
    char from[PATH], to[PATH];
    DIR *dir = opendir(folder);
    enum fm_err err = FM_OK;
    if (dir == NULL || depth > DEPTH) {
        if (dir != NULL)
            (void)closedir(dir);
        return fm_fail(fault, FM_E_FILE, "%s: cannot be opened: %s", folder,
                       dir == NULL ? strerror(errno) : "too deep");
    }
    for (struct dirent *e; err == FM_OK && (e = readdir(dir)) != NULL;) {
        struct stat info;
        if (e->d_name[0] == '.')
            continue;
        const int n = snprintf(from, sizeof from, "%s/%s", folder, e->d_name);
        const int m = snprintf(to, sizeof to, "%s/%s", path, e->d_name);
        if (n < 0 || (size_t)n >= sizeof from || m < 0 || (size_t)m >= sizeof to ||
            stat(from, &info) != 0)
            err = fm_fail(fault, FM_E_FILE, "%s: cannot be read", e->d_name);
        else if (S_ISDIR(info.st_mode))
            err = read_folder(f, from, to, depth + 1, fault);
        else if (S_ISREG(info.st_mode))
            err = read_file(f, from, to, (size_t)info.st_size, fault);
    }
    (void)closedir(dir);
    return err;
}

struct srv_files *srv_files_load(const char *folder, struct fm_fault *fault)
{
    struct srv_files *f = calloc(1, sizeof *f);
    enum fm_err err = f == NULL ? fm_fail_plain(fault, FM_E_MEMORY) : FM_OK;
    if (err == FM_OK && folder != NULL) {
        err = read_folder(f, folder, "", 0, fault);
        if (err == FM_OK && srv_files_find(f, "/index.html") == NULL)
            err = fm_fail(fault, FM_E_FILE, "%s: there is no index.html", folder);
    } else if (err == FM_OK) {
        uint8_t *bytes = malloc(sizeof front_page - 1);
        if (bytes != NULL)
            memcpy(bytes, front_page, sizeof front_page - 1);
        if (bytes == NULL || !add(f, "/index.html", bytes, sizeof front_page - 1))
            err = fm_fail_plain(fault, FM_E_MEMORY);
    }
    if (err == FM_OK)
        return f;
    srv_files_free(f);
    return NULL;
}

void srv_files_free(struct srv_files *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        while (f->bucket[i] != NULL) {
            struct srv_file *file = f->bucket[i];
            f->bucket[i] = file->next;
            file_free(file);
        }
    free(f);
}
