/* ocean.h: what the `fathom ocean` commands share: a game's sheets, and picture files. */
#ifndef CLI_OCEAN_H
#define CLI_OCEAN_H

#include "cli/cli.h"

#include "ocean/encode.h"
#include "ocean/layers.h"

#define OCEAN_QUALITY 40 /* of JPEG and WebP */
#define OCEAN_SIZE    640

struct ocean_game {
    const struct oc_art *art;
    struct oc_art *own_art; /* NULL: it belongs to somebody else */
    const struct oc_water *water;
    struct oc_deal deal;
    struct oc_sheets sheets;
    struct oc_scratch *scratch;
    struct oc_frame frame;
    struct oc_bytes bytes;
};

struct ocean_flags { /* that all of them take */
    const char *art;
    const struct oc_water *water;
    int size;
};

/* Handles --art, --preset or --size; CLI_FINE to continue. */
enum { OCEAN_ART = 'A', OCEAN_PRESET = 'P', OCEAN_SIZE_FLAG = 'Z' };
int ocean_flag(struct ocean_flags *f, int flag, const char *value);
/* Complains with the names there are; what: "preset". */
int ocean_no_such_water(const char *command, const char *what, const char *value);
/* Reads the number of a flag, or complains with its range. */
int ocean_number(const char *name, const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* Loads the art, and allocates memory for pictures; sheets are dealt by ocean_deal. */
int ocean_open(struct ocean_game *g, const struct ocean_flags *f);
/* The same with art that is loaded already; several threads may use it at once. */
int ocean_open_with(struct ocean_game *g, const struct ocean_flags *f, const struct oc_art *art);
void ocean_close(struct ocean_game *g);
/* Deals a game from this seed, with its default deck. */
void ocean_deal(struct ocean_game *g, const uint8_t seed[FM_SEED_BYTES]);
/* Draws one view of the stack, encoded into g->bytes. */
int ocean_picture(struct ocean_game *g, const struct oc_layers *layers, struct oc_look look,
                  const struct oc_patch *patch, enum oc_format format, int quality);
/* Writes g->bytes to a file; an existing file is replaced only when all is written. */
int ocean_write(const struct ocean_game *g, const char *path);

int ocean_exam(int argc, char **argv);  /* `fathom ocean exam` */
int ocean_bench(int argc, char **argv); /* `fathom ocean bench` */
int ocean_eyes(int argc, char **argv);  /* `fathom ocean eyes` */

#endif
