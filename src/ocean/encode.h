/* encode.h: frames to files' bytes. Nothing but the picture and what its format demands. */
#ifndef OCEAN_ENCODE_H
#define OCEAN_ENCODE_H

#include "ocean/frame.h"

#include <fathom/error.h>

enum oc_format { OC_JPEG, OC_WEBP, OC_PNG, OC_FORMATS };

struct oc_bytes { /* a file's bytes; grows, owned */
    uint8_t *data;
    size_t n, cap;
};

void oc_bytes_finish(struct oc_bytes *b);

/* By the ending of a file's name: jpg, jpeg, webp, png, in any case. */
enum fm_err oc_format_of(const char *path, enum oc_format *format, struct fm_fault *fault);

/* Quality 1 .. 100 (PNG ignores it). The bytes replace what b held; its memory is used again. */
enum fm_err oc_encode(struct oc_bytes *b, const struct oc_frame *f, enum oc_format format,
                      int quality, struct fm_fault *fault);
/* A PNG of 8-bit RGB rows, for what is drawn without frames: the sheets side by side. */
enum fm_err oc_encode_rgb(struct oc_bytes *b, const uint8_t *rgb, int width, int height,
                          struct fm_fault *fault);

#endif
