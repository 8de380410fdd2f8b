/* ocean_encode_frames.h: frames for the tests of encoding, and decoders that read the files again.
 */
#ifndef TESTS_UNIT_OCEAN_ENCODE_FRAMES_H
#define TESTS_UNIT_OCEAN_ENCODE_FRAMES_H

#include "tests.h"

#include "ocean/encode.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const int sizes[] = {64, 65, 79, 80, 81, 96, 97, 333, 640, 2047};

/* Water with rings in it and a little noise; what lies beside the picture is noise only. */
struct oc_frame frame_of(int size, uint8_t seed);
struct oc_bytes encoded(const struct oc_frame *f, enum oc_format format, int quality);

/* What is returned is freed by the caller. */
uint8_t *rgb_of(const struct oc_frame *f);
uint8_t *decode_jpeg(const struct oc_bytes *b, int size);
uint8_t *decode_webp(const struct oc_bytes *b, int size);
uint8_t *decode_png(const struct oc_bytes *b, int width, int height);
/* The planes of a JPEG, before a decoder makes colours of them. */
struct oc_frame planes_of_jpeg(const struct oc_bytes *b, int size);

/* The tests; each is in the file of its name. */
extern const struct tests_group ocean_encode_format, ocean_encode_memory;

#endif
