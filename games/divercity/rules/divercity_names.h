/* divercity_names.h: DiverCity's words on the wire, shared by the files that read and write JSON.
 */
#ifndef DIVERCITY_NAMES_H
#define DIVERCITY_NAMES_H

#include "divercity/rules/divercity_state.h"

#include "base/json_in.h"

void divercity_js_corp(struct fm_out *o, unsigned card);      /* ["rig","hotels:red+yellow"] */
void divercity_js_signs(struct fm_out *o, unsigned sign);     /* [1,7] */
void divercity_js_species(struct fm_out *o, unsigned card);   /* NONE: null */
void divercity_put_effect(struct fm_out *o, unsigned effect); /* hotels:red+yellow */

/* divercity_deck_json.c */
enum fm_err divercity_compile_deck(struct fm_deck *deck, json_t *root, struct fm_fault *fault);
void divercity_put_deck(struct fm_out *o, const struct fm_deck *deck);
bool divercity_read_corp(const struct fm_in *in, uint8_t *card);

/* divercity_actions_json.c */
enum fm_err divercity_parse_action(fm_action *out, json_t *json, struct fm_fault *fault);
void divercity_put_action(struct fm_out *o, fm_action a);
void divercity_put_short_action(struct fm_out *o, fm_action a);

/* divercity_view_json.c */
void divercity_put_view(struct fm_out *o, struct fm_view v);
void divercity_put_state(struct fm_out *o, const void *state);
void divercity_put_result(struct fm_out *o, const struct fm_pub *head);
void divercity_put_board(struct fm_out *o, struct fm_view v);

/* divercity_notes_json.c */
void divercity_put_note(struct fm_out *o, struct fm_view v, const struct fm_note *note);
void divercity_put_sentence(struct fm_out *o, struct fm_view v, const struct fm_note *note);

#endif
