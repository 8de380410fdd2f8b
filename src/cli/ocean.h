/* ocean.h: what the parts of `fathom ocean` share: a game's sheets, and files of pictures. */
#ifndef CLI_OCEAN_H
#define CLI_OCEAN_H

#include "cli/cli.h"

#include "ocean/encode.h"
#include "ocean/layers.h"

#define OCEAN_QUALITY 40 /* of JPEG and WebP */
#define OCEAN_SIZE    640

struct ocean_game {
    struct oc_art *art;
    const struct oc_water *water;
    struct oc_deal deal;
    struct oc_sheets sheets;
    struct oc_scratch *scratch;
    struct oc_frame frame;
    struct oc_bytes bytes;
};

struct ocean_flags { /* those that all parts take */
    const char *art;
    const struct oc_water *water;
    int size;
};

/* --art, --preset or --size; CLI_FINE to go on. */
enum { OCEAN_ART = 'A', OCEAN_PRESET = 'P', OCEAN_SIZE_FLAG = 'Z' };
int ocean_flag(struct ocean_flags *f, int flag, const char *value);
/* A whole number of a flag, or a complaint that names its range. */
int ocean_number(const char *name, const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* The art, and memory for pictures; sheets come with ocean_deal. */
int ocean_open(struct ocean_game *g, const struct ocean_flags *f);
void ocean_close(struct ocean_game *g);
/* A game dealt from this seed, with the usual deck. */
void ocean_deal(struct ocean_game *g, const uint8_t seed[FM_SEED_BYTES]);
/* One view of the stack, encoded into g->bytes. */
int ocean_picture(struct ocean_game *g, const struct oc_layers *layers, struct oc_look look,
                  const struct oc_patch *patch, enum oc_format format, int quality);
/* g->bytes to a file, which is not touched before they are all there. */
int ocean_write(const struct ocean_game *g, const char *path);

int ocean_exam(int argc, char **argv);  /* `fathom ocean exam` */
int ocean_bench(int argc, char **argv); /* `fathom ocean bench` */
int ocean_eyes(int argc, char **argv);  /* `fathom ocean eyes` */

#endif
