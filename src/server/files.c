/* files.c: reads the files of the page into memory. */
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
#define HASH    8 /* characters of the hash in a file's name */

struct srv_files {
    struct srv_file *bucket[BUCKETS];
    size_t bytes;
};

static const char front_page[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Fathom</title>"
    "<p>Fathom is running. Programs talk to it as docs/protocol-server.md says; "
    "<code>fathom serve --data DIR</code> serves a web page.</p></html>\n";

struct kind {
    const char *ending, *type;
    bool packed; /* is compressed already */
};

static const struct kind kinds[] = {
    {".html", "text/html; charset=utf-8", false},
    {".js", "text/javascript; charset=utf-8", false},
    {".mjs", "text/javascript; charset=utf-8", false},
    {".css", "text/css; charset=utf-8", false},
    {".svg", "image/svg+xml", false},
    {".png", "image/png", true},
    {".jpg", "image/jpeg", true},
    {".webp", "image/webp", true},
    {".avif", "image/avif", true},
    {".ico", "image/x-icon", false},
    {".woff2", "font/woff2", true},
    {".json", "application/json", false},
    {".map", "application/json", false},
    {".webmanifest", "application/manifest+json", false},
    {".wasm", "application/wasm", false},
    {".bin", "application/octet-stream", true},
    {".mp3", "audio/mpeg", true},
    {".ogg", "audio/ogg", true},
    {".wav", "audio/wav", false},
    {".txt", "text/plain; charset=utf-8", false},
    {"", "application/octet-stream", false},
};

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

static const struct kind *kind_of(const char *path)
{
    const struct kind *k = kinds;
    while (!ends_with(path, k->ending))
        k++;
    return k;
}

/* Whether the name carries a hash of the build: in /assets, -XXXXXXXX before the extension, base64,
 * and not all lower case, since an ordinary word could look like that. */
static bool has_hash(const char *path)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-abcdefghijklmnopqrstuvwxyz";
    static const char folder[] = "/assets/";
    const char *dot = strrchr(path, '.');
    if (strncmp(path, folder, sizeof folder - 1) != 0 || dot == NULL || strchr(dot, '/') != NULL ||
        dot - path < (long)sizeof folder - 1 + HASH + 1 || dot[-HASH - 1] != '-')
        return false;
    return strspn(dot - HASH, signs) >= HASH &&
           strcspn(dot - HASH, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") < HASH;
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
    free(file->br);
    free(file);
}

/* Leaves file->gzip NULL if the file is small, or less than a tenth would be saved. */
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
        file->gzip_n = 0;
    }
}

/* Takes over the bytes, even if it fails. */
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
    file->type = kind_of(path)->type;
    file->forever = has_hash(path);
    fm__hash(hash, "fathom file 1", &(struct fm_span){bytes, n}, 1);
    (void)snprintf(file->etag, sizeof file->etag, "\"%02x%02x%02x%02x%02x%02x%02x%02x\"", hash[0],
                   hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]);
    f->bytes += n;
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

/* ---- compressed ------------------------------------------------------------------------------ */

/* Moves the bytes of "/page.js.gz" to "/page.js", if there is one, and removes the former. */
static bool take_packed(struct srv_files *f, const char *path, const char *ending, uint8_t **bytes,
                        size_t *n)
{
    char name[PATH];
    const int length = snprintf(name, sizeof name, "%s%s", path, ending);
    if (length < 0 || (size_t)length >= sizeof name)
        return false;
    for (struct srv_file **at = &f->bucket[bucket_of(name)]; *at != NULL; at = &(*at)->next) {
        struct srv_file *packed = *at;
        if (strcmp(packed->path, name) != 0)
            continue;
        *at = packed->next;
        *bytes = packed->plain;
        *n = packed->plain_n;
        packed->plain = NULL;
        file_free(packed);
        return true;
    }
    return false;
}

/* Uses what the build has compressed, and compresses the rest with gzip. */
static void compress_all(struct srv_files *f)
{
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct srv_file *file = f->bucket[i]; file != NULL; file = file->next) {
            if (ends_with(file->path, ".gz") || ends_with(file->path, ".br"))
                continue;
            (void)take_packed(f, file->path, ".br", &file->br, &file->br_n);
            if (!take_packed(f, file->path, ".gz", &file->gzip, &file->gzip_n) &&
                !kind_of(file->path)->packed) {
                compress_file(file);
                f->bytes += file->gzip_n;
            }
        }
}

enum fm_err srv_files_put(struct srv_files *f, const char *path, const char *text, size_t n,
                          struct fm_fault *fault)
{
    uint8_t *bytes = malloc(n);
    if (bytes != NULL)
        memcpy(bytes, text, n);
    return bytes != NULL && add(f, path, bytes, n) ? FM_OK : fm_fail_plain(fault, FM_E_MEMORY);
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
        err = srv_files_put(f, "/index.html", front_page, sizeof front_page - 1, fault);
    }
    if (err == FM_OK) {
        compress_all(f);
        return f;
    }
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
