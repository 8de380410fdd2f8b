/* picture.h: pictures that are not views of the stack: a revealed sheet, all sheets, a postcard. */
#ifndef OCEAN_PICTURE_H
#define OCEAN_PICTURE_H

#include "ocean/frame.h"
#include "ocean/sheets.h"

/* One sheet alone, as it lay, on plain water. Only for sheets that were revealed. */
enum fm_err oc_sheet_picture(struct oc_frame *frame, const struct oc_sheet *sheet,
                             struct fm_fault *fault);

/* All sheets of a game side by side, top first, as RGB rows of 6 * cell pixels. Not for players. */
#define OC_CONTACT_ACROSS 6
enum fm_err oc_contact_sheet(uint8_t *rgb, int cell, const struct oc_sheets *s,
                             struct fm_fault *fault);

/* A deal for a table's thumbnail: some water without a creature that counts, drawn from what
 * everybody may know of the table. It shows no secret because none goes into it. */
void oc_deal_of_postcard(struct oc_deal *deal, const void *name, size_t n);

#endif
