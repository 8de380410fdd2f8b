/* soumsoum_json.h: what the files share that read and write Soum Soum's JSON. */
#ifndef SOUMSOUM_JSON_H
#define SOUMSOUM_JSON_H

#include "soumsoum/rules/soumsoum_state.h"

/* soumsoum_json.c */
void soumsoum_js_card(struct fm_out *o, const struct soumsoum_card *deck, unsigned card);
void soumsoum_js_cards(struct fm_out *o, const struct soumsoum_card *deck, const uint8_t *cards,
                       unsigned n);
void soumsoum_js_place(struct fm_out *o, unsigned place);

/* soumsoum_view_json.c */
void soumsoum_put_view(struct fm_out *o, struct fm_view v);
void soumsoum_put_state(struct fm_out *o, const void *state);
void soumsoum_put_result(struct fm_out *o, const struct fm_pub *head);
void soumsoum_put_note(struct fm_out *o, struct fm_view v, const struct fm_note *note);

#endif
