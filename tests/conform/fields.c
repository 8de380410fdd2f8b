/* fields.c: the list that a record's checks are taken over names every byte of a state. */
#include "play.h"

#include "core/fields.h"

#include <string.h>

struct cover { /* for each byte of a state: how often it is named, and since which rules */
    uint8_t named[FM_STATE_MAX];
    uint8_t since[FM_STATE_MAX];
};

static const char *add(struct conform *c, struct cover *cover, const struct fm_field *f,
                       size_t block, size_t size)
{
    for (; f->name != NULL; f++) {
        if (f->blank)
            continue;
        if ((size_t)f->offset + f->size > size)
            return found(c, "the field \"%s\" lies outside its block", f->name);
        for (size_t i = block + f->offset; i < block + f->offset + f->size; i++) {
            cover->named[i]++;
            cover->since[i] = f->since;
        }
    }
    return NULL;
}

static const char *read_lists(struct conform *c, struct cover *cover)
{
    const struct fm_game *g = c->setup.game;
    const char *wrong = add(c, cover, fm__pub_fields, 0, g->pub_size);
    if (wrong == NULL)
        wrong = add(c, cover, g->fields.pub, 0, g->pub_size);
    for (unsigned seat = 0; wrong == NULL && seat < g->max_seats; seat++) {
        const size_t priv = g->priv_off + (size_t)seat * g->priv_size;
        wrong = add(c, cover, fm__priv_fields, priv, g->priv_size);
        if (wrong == NULL)
            wrong = add(c, cover, g->fields.priv, priv, g->priv_size);
    }
    const size_t secret = g->secret_off, size = g->state_size - g->secret_off;
    if (wrong == NULL)
        wrong = add(c, cover, fm__secret_fields, secret, size);
    return wrong != NULL ? wrong : add(c, cover, g->fields.secret, secret, size);
}

/* Any change of a covered byte changes the check, of an uncovered one does not. */
static const char *change_bytes(struct conform *c, struct play *p, const struct cover *cover)
{
    const uint64_t hash = fm_hash(p->game, p->state);
    const unsigned rules = play_pub(p)->rules;
    for (size_t i = 0; i < p->game->state_size; i++) {
        if (i == offsetof(struct fm_pub, rules))
            continue; /* it says which fields count */
        p->state[i] ^= 0x55;
        const bool changed = fm_hash(p->game, p->state) != hash;
        p->state[i] ^= 0x55;
        if (changed != (cover->since[i] != 0 && cover->since[i] <= rules))
            return found(c, "byte %zu of the state is %scovered by the check", i,
                         changed ? "" : "not ");
    }
    return NULL;
}

const char *conform_fields(struct conform *c)
{
    static struct cover cover;
    static struct play p;
    memset(&cover, 0, sizeof cover);
    const char *wrong = read_lists(c, &cover);
    for (size_t i = 0; wrong == NULL && i < c->setup.game->state_size; i++)
        if (cover.named[i] != 1)
            wrong = found(c, "byte %zu of the state is named %u times", i, cover.named[i]);
    if (wrong != NULL)
        return wrong;
    if (!play_start(&p, c, 0))
        return found(c, "the match cannot start");
    while (!play_over(&p) && play_step(&p))
        ;
    return change_bytes(c, &p, &cover);
}
