/*
 * witness.h: the stack of a round looked at once more, after the game: what average and sharp eyes
 * make of the pictures that seats could look at, and what was there.
 *
 * The eyes get the pictures as they are drawn, before they are compressed: so what they believe
 * does not depend on how that is done, and the page, which compresses nothing, gets the same.
 */
#ifndef OCEAN_WITNESS_H
#define OCEAN_WITNESS_H

#include "base/scene.h"
#include "ocean/sheets.h"

#include <fathom/ocean.h>

struct oc_witness; /* eyes and memory: not for two threads at once */

/* NULL: no memory. sharp: look with sharp eyes, too. The art must outlive it. */
struct oc_witness *oc_witness_create(const struct oc_art *art, const struct oc_water *water,
                                     bool sharp);
void oc_witness_destroy(struct oc_witness *w); /* takes NULL */
/* The sheets of a game, and what everybody knew of the stack at that moment: fills in the scene
 * but for its `eyes`. Where the stack could not be looked at, it has no levels. */
enum fm_err oc_witness_look(struct oc_witness *w, const struct oc_sheets *s,
                            const struct fm_stack *stack, struct fm__scene *scene,
                            struct fm_fault *fault);

#endif
