/*
 * preview.h: what a seat would see after some actions of its own.
 *
 * Only a copy of the seat's view is used. The game deals a match that this view cannot tell from
 * the true one, with a hash of the view as the seed, and applies the actions to it. So the answer
 * contains nothing that the seat does not know, and is the same however often it is asked for.
 */
#ifndef CORE_PREVIEW_H
#define CORE_PREVIEW_H

#include <fathom/game.h>

#define FM__PREVIEW_ACTIONS 4 /* in one preview, at most */

/* match: room for a state; the seat's view of it is the answer. */
enum fm_err fm__preview(void *match, struct fm_view v, const fm_action *action, size_t n);

#endif
