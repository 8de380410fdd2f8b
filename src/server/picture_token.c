/*
 * picture_token.c: the visitor's token of a table.
 *
 * Every stream gets it if its hello asks for it, and every replay contains it. With it a client may
 * ask for pictures, which cost the server work, and nothing else. It is derived from the table's id
 * and the hash of the host's token, which is secret: so every node on the store knows it, even
 * after a restart, and nothing has to be stored.
 */
#include "server/table.h"

#include "base/hash.h"

#include <sodium.h>
#include <string.h>

#define BYTES 16
#define TEXT  (2 * BYTES)

static void visit_of(const struct srv_table *t, char text[TEXT + 1])
{
    uint8_t hash[ST_HASH_BYTES];
    const struct fm_span of[] = {{t->host, sizeof t->host}, {t->id.bytes, sizeof t->id.bytes}};
    fm__hash(hash, "fathom visit 1", of, sizeof of / sizeof of[0]);
    (void)sodium_bin2hex(text, TEXT + 1, hash, BYTES);
}

bool srv_has_pictures(const struct srv_table *t)
{
    return t->setup.game->ocean != NULL;
}

void srv_put_visit(struct fm_out *o, const struct srv_table *t)
{
    char text[TEXT + 1];
    if (!srv_has_pictures(t))
        return;
    visit_of(t, text);
    fm_js_key_text(o, "visit", text);
}

bool srv_is_visit(const struct srv_table *t, const char *token)
{
    char text[TEXT + 1];
    visit_of(t, text);
    return strlen(token) == TEXT && sodium_memcmp(token, text, TEXT) == 0;
}
