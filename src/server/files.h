/*
 * files.h: the files of the web page, in memory: read once, compressed once.
 *
 * A name that carries a hash of its content (/assets/index-B9f3ac2d.js) never changes and may be
 * kept for ever; all others are asked for again, with their ETag. A file that lies beside another
 * as NAME.gz or NAME.br is that one, compressed: it is sent in its place and has no path.
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
    uint8_t *plain, *gzip, *br; /* NULL: there is none, or it is not worth it */
    size_t plain_n, gzip_n, br_n;
};

struct srv_files;

/* All of a folder (NULL: one plain page that says that the server runs). NULL and a fault. */
struct srv_files *srv_files_load(const char *folder, struct fm_fault *fault);
void srv_files_free(struct srv_files *f);                                           /* takes NULL */
const struct srv_file *srv_files_find(const struct srv_files *f, const char *path); /* or NULL */

#endif
