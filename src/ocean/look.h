/*
 * look.h: from where one looks into the stack, and by which light.
 *
 * Tilts lie on a grid of 13 x 13, lamps on a coarser one: so that there is a small number of
 * pictures, each made once, and a request says nothing but which of them is wanted.
 */
#ifndef OCEAN_LOOK_H
#define OCEAN_LOOK_H

#include <fathom/error.h>
#include <fathom/out.h>

#include <stdint.h>

#define OC_TILT_MAX   28.0 /* degrees, in both axes, to either side */
#define OC_TILTS      13   /* steps of the grid in each axis; the middle one is straight down */
#define OC_STRAIGHT   (OC_TILTS / 2)
#define OC_LAMP_SPOTS 9  /* places of a lamp above or below, in each axis */
#define OC_LAMP_SIDES 16 /* directions of a lamp at the side */
#define OC_LOOK_TEXT  48 /* the longest text of a tilt and a lamp */

enum oc_light { OC_DAYLIGHT, OC_ABOVE, OC_BELOW, OC_SIDE, OC_LIGHTS };

struct oc_look {
    uint8_t tx, ty; /* 0 .. OC_TILTS-1 */
    uint8_t light;  /* enum oc_light */
    uint8_t lamp;   /* above, below: y * OC_LAMP_SPOTS + x; side: direction; daylight: 0 */
};

/* "X,Y" in degrees, to the nearest step of the grid. */
enum fm_err oc_look_tilt(struct oc_look *look, const char *text, struct fm_fault *fault);
/* "above:X,Y", "below:X,Y" or "side:X,Y", X and Y from 0 (left, top) to 1; without a place in the
 * middle, or from the left. */
enum fm_err oc_look_lamp(struct oc_look *look, const char *text, struct fm_fault *fault);

struct oc_look oc_look_straight(void);
double oc_look_degrees(unsigned step);                        /* of tx or ty */
void oc_look_spot(struct oc_look look, double *x, double *y); /* where its lamp is, 0 .. 1 */
struct oc_tilt {
    double x, y; /* degrees */
};
struct oc_tilt oc_look_tilted(struct oc_look look);
/* The gloss on top, 0 to 1, on pixels whose column and row add up to `at` in a window of `size`. */
double oc_look_gloss(struct oc_tilt tilt, double at, int size);
/* All looks of a round, numbered; each number below OC_LOOKS is one. */
#define OC_LOOKS (OC_TILTS * OC_TILTS * (1 + 2 * OC_LAMP_SPOTS * OC_LAMP_SPOTS + OC_LAMP_SIDES))
uint32_t oc_look_number(struct oc_look look);
struct oc_look oc_look_at(uint32_t number);
/* As it is parsed: "-14,9.333" and, with a lamp, " above:0.25,0.5". */
void oc_look_put(struct fm_out *o, struct oc_look look);

#endif
