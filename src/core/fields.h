/* fields.h: the heads of the blocks as lists of fields, the same in every game. */
#ifndef CORE_FIELDS_H
#define CORE_FIELDS_H

#include <fathom/game.h>

extern const struct fm_field fm__pub_fields[];
extern const struct fm_field fm__priv_fields[];
extern const struct fm_field fm__secret_fields[];

#endif
