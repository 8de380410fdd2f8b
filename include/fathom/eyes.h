/*
 * fathom/eyes.h: how well a simulated player sees what is shown to all but told to nobody.
 *
 * A see-through stack is such a thing: people look into it, programs in a mass simulation cannot.
 * Eyes say, for each level, how likely each of the eight kinds of sheet is taken for each other
 * one; a sighting is drawn with them from the truth. A bot gets the sighting and the eyes it was
 * made with, never the truth.
 */
#ifndef FATHOM_EYES_H
#define FATHOM_EYES_H

#include <fathom/error.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_EYES_LEVELS 6
#define FM_EYES_KINDS  8
#define FM_EYES_ONE    65536   /* certain */
#define FM_EYES_FILE   0x10000 /* largest eyes file */

struct fm_eyes {
    /* chance[level][kind that is there][kind that is seen]; each row makes FM_EYES_ONE. Kinds
     * are helper (none, green, red, manta) + 4 with a shark. */
    uint32_t chance[FM_EYES_LEVELS][FM_EYES_KINDS][FM_EYES_KINDS];
};

struct fm_sight { /* what one seat saw */
    const struct fm_eyes *eyes;
    uint32_t scene;               /* the game's number for what was looked at; 0: nothing yet */
    uint32_t levels;              /* how many could be looked at */
    uint8_t seen[FM_EYES_LEVELS]; /* kinds, from the top */
};

/* "keen", "average" or "short-sighted"; and, as eyes that look at pictures were measured to see,
 * "picture-keen", "picture-average" or "picture-short-sighted"; these also in other water, as
 * "picture-keen-clear" or "picture-keen-murky". */
enum fm_err fm_eyes_named(struct fm_eyes *eyes, const char *name, struct fm_fault *fault);

/* {"fathom_eyes":1,"levels":[…]}: five or six levels, from the top; each a number, how likely a
 * sheet is seen for what it is, or eight lists of eight numbers: the rows of its table. */
enum fm_err fm_eyes_parse(struct fm_eyes *eyes, const char *text, size_t n, struct fm_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
