/*
 * files.h: the files of the web page, in memory: read once, compressed once.
 *
 * A file whose name carries a hash of its content (/assets/index-B9f3ac2d.js) may be cached for
 * ever; all others are revalidated by their ETag. NAME.gz and NAME.br are the compressed forms of
 * NAME: they are sent in its place, and have no path of their own.
 */
#ifndef SERVER_FILES_H
#define SERVER_FILES_H

#include <fathom/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct srv_file {
    struct srv_file *next;
    char *path; /* "/assets/index-B9f3ac2d.js" */
    const char *type;
    char etag[36]; /* in quotes */
    bool forever;
    uint8_t *plain, *gzip, *br; /* NULL: there is none, or it is not smaller */
    size_t plain_n, gzip_n, br_n;
};

struct srv_files;

/* Loads a folder (NULL: one page that says that the server is running). NULL and a fault. */
struct srv_files *srv_files_load(const char *folder, struct fm_fault *fault);
/* Serves a text of n bytes as well, which is copied. */
enum fm_err srv_files_put(struct srv_files *f, const char *path, const char *text, size_t n,
                          struct fm_fault *fault);
void srv_files_free(struct srv_files *f);                                           /* takes NULL */
const struct srv_file *srv_files_find(const struct srv_files *f, const char *path); /* or NULL */

#endif
