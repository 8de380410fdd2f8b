/* dive_json.h: what the files of Dive's JSON share. */
#ifndef DIVE_JSON_H
#define DIVE_JSON_H

#include "dive/rules/dive_state.h"

extern const char *const dive_stop_names[DIVE_STOP_ORCA + 2]; /* NULL-terminated */

void dive_js_program_keys(struct fm_out *o, uint32_t program);
void dive_js_program(struct fm_out *o, uint32_t program); /* {…} */
/* "companion" and, where it says more, whom or where: an action's rest. */
void dive_js_use(struct fm_out *o, uint64_t rest);

enum fm_err dive_compile_deck(struct fm_deck *deck, struct json_t *root, struct fm_fault *fault);
void dive_put_deck(struct fm_out *o, const struct fm_deck *deck);
enum fm_err dive_parse_position(struct fm_setup *setup, struct json_t *json,
                                struct fm_fault *fault);

void dive_put_view(struct fm_out *o, struct fm_view v);
void dive_put_state(struct fm_out *o, const void *state);
void dive_put_note(struct fm_out *o, struct fm_view v, const struct fm_note *note);
void dive_put_result(struct fm_out *o, const struct fm_pub *head);

#endif
