/* play.c: random matches for the conformance checks. */
#include "play.h"

#include "base/json_in.h"
#include "base/panic.h"
#include "tests.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *found(struct conform *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(c->found, sizeof c->found, format, args);
    va_end(args);
    return c->found;
}

void conform_table(struct conform *c, const struct fm_game *game, const char *json)
{
    struct fm_fault fault;
    json_t *root = fm_json_load(json, strlen(json), &fault);
    fm_assert(root != NULL);
    if (fm_setup_parse(&c->setup, root, NULL, &fault) != FM_OK)
        fm_panic(__FILE__, __LINE__, fault.text);
    json_t *position = json_object_get(root, "setup");
    if (position != NULL &&
        c->setup.game->wire->parse_position(&c->setup, position, &fault) != FM_OK)
        fm_panic(__FILE__, __LINE__, fault.text);
    c->setup.game = game;
    c->name = json;
    json_decref(root);
}

unsigned conform_some(const struct conform *c, unsigned one_in)
{
    const bool few = TESTS_SANITIZED && c->matches < 200; /* but planted leaks must be found */
    return c->matches / one_in + (few ? 1 : 4);
}

bool play_start(struct play *p, struct conform *c, unsigned i)
{
    uint8_t seed[FM_SEED_BYTES] = {(uint8_t)i, (uint8_t)(i >> 8), 0x5e};
    struct fm_setup setup = c->setup;
    p->game = setup.game;
    p->n = 0;
    p->notes.len = 0;
    fm_rng_init(&p->rng, seed, 99);
    memcpy(setup.seed, seed, sizeof seed);
    return fm_init(p->state, &setup, &p->notes) == FM_OK;
}

const struct fm_pub *play_pub(const struct play *p)
{
    return (const void *)p->state;
}

struct fm_view play_view(const struct play *p, int seat)
{
    return fm_view_of(p->game, p->state, seat);
}

bool play_over(const struct play *p)
{
    return play_pub(p)->status == FM_OVER;
}

/* Mostly a seat that the game waits for, sometimes any that may act, sometimes the clock. */
static void choose(struct play *p)
{
    const struct fm_pub *pub = play_pub(p);
    const struct fm_secret *secret = (const void *)(p->state + p->game->secret_off);
    const uint32_t now = secret->now_ms;
    p->ev = (struct fm_event){.t_ms = now + fm_rng_below(&p->rng, 900)};
    const bool ticking = p->game->due != NULL && pub->deadline_ms != FM_NEVER;
    const bool late = ticking && p->ev.t_ms > pub->deadline_ms;
    if (ticking && (late || pub->owes == 0 || fm_rng_below(&p->rng, 20) == 0)) {
        p->ev.seat = FM_TABLE;
        p->ev.t_ms = pub->deadline_ms > now ? pub->deadline_ms : now;
        p->ev.action = p->game->due(pub);
        return;
    }
    uint32_t seats = pub->owes != 0 && fm_rng_below(&p->rng, 4) != 0 ? pub->owes : pub->may;
    for (unsigned skip = fm_rng_below(&p->rng, (uint32_t)__builtin_popcount(seats)); skip > 0;
         skip--)
        seats &= seats - 1;
    p->ev.seat = (uint8_t)__builtin_ctz(seats);
    p->ev.action = p->game->sample(play_view(p, p->ev.seat), &p->rng);
    /* it may, but wants nothing: ask one that must; of these some may have acted in secret */
    for (uint32_t m = pub->owes; p->ev.action == 0 && m != 0; m &= m - 1) {
        p->ev.seat = (uint8_t)__builtin_ctz(m);
        p->ev.action = p->game->sample(play_view(p, p->ev.seat), &p->rng);
    }
}

bool play_step(struct play *p)
{
    const struct fm_pub *pub = play_pub(p);
    if (p->n >= MAX_EVENTS || (pub->may == 0 && pub->deadline_ms == FM_NEVER))
        return false;
    choose(p);
    p->notes.len = 0;
    p->n++;
    return fm_apply(p->game, p->state, &p->ev, &p->notes) == FM_OK;
}

fm_action play_garbage(struct play *p, int seat)
{
    const fm_action noise = (fm_action)fm_rng_u32(&p->rng) << 32 | fm_rng_u32(&p->rng);
    const fm_action legal =
        seat == FM_WATCHER ? noise : p->game->sample(play_view(p, seat), &p->rng);
    switch (fm_rng_below(&p->rng, 5)) {
    case 0:
        return noise;
    case 1: /* right verb, any payload */
        return (noise & ~(fm_action)0xff) | fm_verb(legal);
    case 2: /* small numbers are nearly right */
        return (1 + (noise & 7)) | (noise >> 3 & 0xff) << 8 | (noise >> 11 & 0x1f) << 16;
    case 3: /* one bit off */
        return legal ^ (fm_action)1 << fm_rng_below(&p->rng, 64);
    default: /* another verb on the same payload */
        return (legal & ~(fm_action)0xff) | (1 + (noise & 15));
    }
}
