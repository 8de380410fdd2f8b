/* text.h: text that may come from outside, made fit to be shown. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 character that begins a text of n; 0: there is none, or a control character.
 */
size_t fm__character(const char *text, size_t n);

bool fm__is_utf8(const char *text, size_t n); /* control characters are fine here */

/* Replace control characters and whatever is not UTF-8 by '?', in place. */
void fm__clean(char *text);

/* Lower-case letters, digits and single dashes between them: how decks and bots are named. */
bool fm__is_id(const char *text);

#endif
