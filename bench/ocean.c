/*
 * ocean.c: looks at a stack so many times, for counting instructions. Nothing is drawn on its
 * sheets: what they cost does not depend on that, and cairo's part is not ours to count.
 */
#include "base/panic.h"
#include "ocean/layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 320

int main(int argc, char **argv)
{
    static const char *const whats[] = {"plain", "fast", "lamp", "bake", NULL};
    static struct oc_sheets sheets;
    struct oc_frame frame;
    struct fm_fault fault;
    int what = 0;
    while (argc == 3 && whats[what] != NULL && strcmp(whats[what], argv[1]) != 0)
        what++;
    if (argc != 3 || whats[what] == NULL) {
        fprintf(stderr, "usage: bench_ocean plain|fast|lamp|bake TIMES\n");
        return 2;
    }
    sheets.water = oc_waters;
    sheets.n = OC_SHEETS;
    for (int i = 0; i < OC_SHEETS; i++)
        sheets.sheet[i].gap = 1;
    struct oc_scratch *scratch = oc_scratch_create();
    fm_assert(scratch != NULL && oc_frame_init(&frame, SIZE, &fault) == FM_OK);
    struct oc_layers *layers = oc_bake(&sheets, sheets.n, SIZE, true, scratch, &fault);
    fm_assert(layers != NULL);
    const long times = strtol(argv[2], NULL, 10);
    for (long i = 0; i < times; i++) {
        struct oc_look look = oc_look_straight();
        look.tx = (uint8_t)(i * 7 % OC_TILTS);
        look.ty = (uint8_t)(i * 5 % OC_TILTS);
        look.light = what == 2 ? OC_ABOVE : OC_DAYLIGHT;
        if (what == 3) {
            oc_layers_free(layers);
            layers = oc_bake(&sheets, sheets.n, SIZE, true, scratch, &fault);
            fm_assert(layers != NULL);
        } else {
            oc_view(layers, look, NULL, what == 0 ? &oc_kernel_plain : oc_kernel_best(), &frame);
        }
    }
    const bool vectors = what == 1 || what == 2;
    printf("{\"units\":%ld,\"skip\":%s}\n", times * SIZE * SIZE,
           vectors && oc_kernel_avx2() == NULL ? "true" : "false");
    oc_layers_free(layers);
    oc_scratch_destroy(scratch);
    oc_frame_finish(&frame);
    return 0;
}
