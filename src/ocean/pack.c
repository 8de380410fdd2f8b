/* pack.c: writes the ocean's drawings for the page (pack.h). It runs where the page is built. */
#include "ocean/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static int largest(const struct oc_drawing *d)
{
    int i = OC_SPRITES - 1;
    while (i > 0 && (double)(OC_SPRITE_MAX >> i) < (double)d->large * PACK_WINDOW)
        i--;
    return i;
}

static size_t bytes_of(int i)
{
    const size_t side = OC_SPRITE_MAX >> i;
    return side * side * sizeof(uint32_t);
}

static size_t length(const struct oc_art *art)
{
    size_t n = sizeof(uint32_t) + (size_t)art->n * sizeof(struct pack_head);
    for (int k = 0; k < art->n; k++)
        for (int i = largest(&art->drawing[k]); i < OC_SPRITES; i++)
            n += bytes_of(i);
    return n;
}

static uint8_t *put(uint8_t *at, const void *what, size_t n)
{
    memcpy(at, what, n);
    return at + n;
}

/* false: no memory for a picture. */
static bool fill(uint8_t *at, const struct oc_art *art)
{
    const uint32_t n = (uint32_t)art->n;
    at = put(at, &n, sizeof n);
    for (int k = 0; k < art->n; k++) {
        const struct oc_drawing *d = &art->drawing[k];
        struct pack_head head = {.role = d->role,
                                 .largest = (uint32_t)largest(d),
                                 .small = d->small,
                                 .large = d->large,
                                 .weight = d->weight,
                                 .reach = d->reach};
        memcpy(head.name, d->name, sizeof head.name);
        at = put(at, &head, sizeof head);
    }
    for (int k = 0; k < art->n; k++)
        for (int i = largest(&art->drawing[k]); i < OC_SPRITES; i++) {
            const uint32_t *pixels = oc_sprite(&art->drawing[k], i);
            if (pixels == NULL)
                return false;
            at = put(at, pixels, bytes_of(i));
        }
    return true;
}

static bool write_file(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    const bool written = file != NULL && fwrite(bytes, 1, n, file) == n;
    return file != NULL && fclose(file) == 0 && written;
}

int main(int argc, char **argv)
{
    struct fm_fault fault;
    struct oc_art *art = argc == 2 ? oc_art_load(NULL, &fault) : NULL;
    if (art == NULL) {
        (void)fprintf(stderr, "pack: %s\n", argc == 2 ? fault.text : "usage: pack FILE");
        return 1;
    }
    const size_t n = length(art);
    uLongf packed = compressBound(n);
    uint8_t *bytes = malloc(n), *out = malloc(packed);
    const bool fine = bytes != NULL && out != NULL && fill(bytes, art) &&
                      compress2(out, &packed, bytes, n, Z_BEST_COMPRESSION) == Z_OK &&
                      write_file(argv[1], out, packed);
    if (!fine)
        (void)fprintf(stderr, "pack: %s cannot be written\n", argv[1]);
    free(out);
    free(bytes);
    oc_art_free(art);
    return fine ? 0 : 1;
}
