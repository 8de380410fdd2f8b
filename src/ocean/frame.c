/* frame.c: memory of a picture before it is encoded. */
#include "ocean/frame.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

int oc_frame_padded(int size)
{
    return (size + OC_TILE - 1) / OC_TILE * OC_TILE;
}

enum fm_err oc_frame_init(struct oc_frame *f, int size, struct fm_fault *fault)
{
    fm_assert(size >= OC_SIZE_MIN && size <= OC_SIZE_MAX);
    const size_t side = (size_t)oc_frame_padded(size), half = side / 2;
    *f = (struct oc_frame){.size = size, .stride = (int)side, .cstride = (int)half};
    f->y = aligned_alloc(64, side * side + 2 * half * half);
    if (f->y == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    memset(f->y, 0, side * side);
    f->u = f->y + side * side;
    f->v = f->u + half * half;
    memset(f->u, 128, 2 * half * half);
    return FM_OK;
}

void oc_frame_finish(struct oc_frame *f)
{
    free(f->y);
    *f = (struct oc_frame){0};
}
