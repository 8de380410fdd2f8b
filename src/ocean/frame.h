/*
 * frame.h: a picture before it is encoded: planes of luma and of half as fine chroma, full range
 * (the YCbCr of JPEG).
 */
#ifndef OCEAN_FRAME_H
#define OCEAN_FRAME_H

#include <fathom/error.h>

#include <stddef.h>
#include <stdint.h>

#define OC_SIZE_MIN 64 /* pixels of the window's side */
#define OC_SIZE_MAX 2048
#define OC_TILE     32 /* frames are drawn in tiles: planes are padded to whole ones */

struct oc_frame {
    int size;            /* the picture is square */
    int stride, cstride; /* bytes of a row of y, and of u and v; both reach past whole tiles */
    uint8_t *y, *u, *v;  /* one block, owned by y */
};

/* Rows and columns up to the next tile can be written. False: no memory. */
int oc_frame_padded(int size); /* size rounded up to whole tiles */
enum fm_err oc_frame_init(struct oc_frame *f, int size, struct fm_fault *fault);
void oc_frame_finish(struct oc_frame *f); /* also of one that is all zero */
/* A frame as RGB, three bytes a pixel, rows of size pixels; or with 255 as a fourth. */
void oc_frame_rgb(const struct oc_frame *f, uint8_t *rgb);
void oc_frame_rgba(const struct oc_frame *f, uint8_t *rgba);

#endif
