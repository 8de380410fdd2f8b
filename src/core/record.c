/* record.c: records written line by line; seeds, commitments and sums. */
#include <fathom/record.h>

#include "base/hash.h"
#include "base/panic.h"
#include "core/record_sum.h"

#include <string.h>

void fm_commitment(uint8_t out[32], const uint8_t seed[FM_SEED_BYTES])
{
    fm__hash(out, "fathom commitment 1", &(struct fm_span){seed, FM_SEED_BYTES}, 1);
}

void fm_deal_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES])
{
    fm__hash(out, "fathom deal 1", &(struct fm_span){seed, FM_SEED_BYTES}, 1);
}

void fm_fair_commitment(uint8_t out[32], const uint8_t seed[FM_SEED_BYTES],
                        const uint8_t table[FM_TABLE_BYTES], const struct fm_setup *setup)
{
    char options[FM_RECORD_LINE];
    struct fm_out o;
    fm_out_init(&o, options, sizeof options);
    fm_put_options(&o, setup);
    fm_assert(fm_out_ok(&o));
    const struct fm_span spans[] = {{seed, FM_SEED_BYTES},
                                    {table, FM_TABLE_BYTES},
                                    {options, o.len},
                                    {setup->deck.hash, sizeof setup->deck.hash}};
    fm__hash(out, "fathom commitment 2", spans, 4);
}

void fm_fair_deal_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES],
                       const struct fm_fair *fair, unsigned n_seats)
{
    struct fm_span spans[1 + FM_MAX_SEATS] = {{seed, FM_SEED_BYTES}};
    for (unsigned seat = 0; seat < n_seats; seat++)
        spans[1 + seat] = (struct fm_span){fair->entropy[seat], fair->entropy_n[seat]};
    fm__hash(out, "fathom deal 2", spans, 1 + n_seats);
}

void fm__record_sum(uint8_t chain[32], const char *text, size_t n)
{
    const struct fm_span spans[] = {{chain, 32}, {text, n}};
    fm__hash(chain, "fathom record 1", spans, 2);
}

/* Close the line that began at `start` with its sum. */
static void end_line(struct fm_recorder *r, struct fm_out *o, size_t start)
{
    fm_assert(fm_out_ok(o));
    fm__record_sum(r->chain, o->buf + start, o->len - start);
    fm_js_key(o, "sum");
    fm_js_hex(o, r->chain, FM__SUM_BYTES);
    fm_js_end_object(o);
    fm_put(o, "\n");
    o->last = '\0'; /* a new line needs no comma */
}

static void put_fair(struct fm_out *o, const struct fm_fair *fair, unsigned n_seats)
{
    fm_js_key(o, "table");
    fm_js_hex(o, fair->table, sizeof fair->table);
    fm_js_key(o, "entropy");
    fm_js_array(o);
    for (unsigned seat = 0; seat < n_seats; seat++) {
        if (fair->entropy_n[seat] > 0)
            fm_js_hex(o, fair->entropy[seat], fair->entropy_n[seat]);
        else
            fm_js_null(o);
    }
    fm_js_end_array(o);
}

void fm_record_begin(struct fm_recorder *r, struct fm_out *o, const struct fm_setup *setup,
                     const uint8_t seed[FM_SEED_BYTES], const struct fm_fair *fair,
                     const struct fm_record_seat *seats, const char *created)
{
    memset(r, 0, sizeof *r);
    r->setup = setup;
    memcpy(r->seed, seed, sizeof r->seed);
    uint8_t commitment[32];
    if (fair != NULL)
        fm_fair_commitment(commitment, seed, fair->table, setup);
    else
        fm_commitment(commitment, seed);
    const size_t start = o->len;
    fm_js_object(o);
    fm_js_key_int(o, "fathom", FM_RECORD_VERSION);
    fm_js_key_text(o, "game", setup->game->id);
    fm_js_key_int(o, "rules", setup->rules);
    fm_js_key(o, "options");
    fm_put_options(o, setup);
    fm_js_key(o, "deck");
    fm_js_object(o);
    fm_js_key_text(o, "id", setup->deck.id);
    fm_js_key(o, "hash");
    fm_js_hex(o, setup->deck.hash, sizeof setup->deck.hash);
    fm_js_end_object(o);
    fm_js_key(o, "commitment");
    fm_js_hex(o, commitment, sizeof commitment);
    if (fair != NULL)
        put_fair(o, fair, setup->n_seats);
    fm_js_key(o, "seats");
    fm_js_array(o);
    for (unsigned seat = 0; seat < setup->n_seats; seat++) {
        fm_js_object(o);
        fm_js_key_text(o, "name", seats[seat].name);
        fm_js_key_text(o, "bot", seats[seat].bot);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
    fm_js_key_text(o, "created", created);
    end_line(r, o, start);
}

void fm_record_event(struct fm_recorder *r, struct fm_out *o, const struct fm_event *ev,
                     const void *state)
{
    const struct fm_game *g = r->setup->game;
    const uint32_t check = fm_check(g, state);
    uint8_t bytes[sizeof check];
    memcpy(bytes, &check, sizeof bytes);
    const size_t start = o->len;
    fm_js_object(o);
    fm_js_key_int(o, "t", ev->t_ms);
    if (ev->seat != FM_TABLE)
        fm_js_key_int(o, "seat", ev->seat);
    g->wire->put_action(o, ev->action);
    fm_js_key(o, "state");
    fm_js_hex(o, bytes, sizeof bytes);
    end_line(r, o, start);
}

void fm_record_end(struct fm_recorder *r, struct fm_out *o, const void *state)
{
    const size_t start = o->len;
    fm_js_object(o);
    fm_js_key(o, "result");
    fm_put_result(o, r->setup->game, state);
    fm_js_key(o, "seed");
    fm_js_hex(o, r->seed, sizeof r->seed);
    end_line(r, o, start);
}
