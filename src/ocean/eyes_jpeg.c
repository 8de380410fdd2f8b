/* eyes_jpeg.c: eyes that look at a picture's bytes. */
#include "ocean/eyes_state.h"

#include "ocean/decode.h"

_Static_assert(OC_DECODE_LESS == LESS, "pictures are shrunk to SIDE");

enum fm_err oc_eyes_see(struct oc_eyes *e, int i, const uint8_t *bytes, size_t n,
                        struct fm_fault *fault)
{
    static _Thread_local uint8_t pixels[SIDE * SIDE * CHANNELS];
    const enum fm_err err = oc_decode(pixels, SIDE, bytes, n, fault);
    if (err == FM_OK)
        oc_eyes_take(e, i, pixels);
    return err;
}
