/*
 * twins.c: hidden means hidden. Two worlds that differ only in what a viewer may not know must
 * look the same to it: bytes, JSON, legal lists, refusals, samples, bots' choices.
 *
 * After the same event in both worlds the viewer may have been shown something. What it is told
 * then (its cut notes) and what it sees (its bytes) must agree: told the same if and only if
 * seeing the same. So a byte that changes without a word is a leak, and a word that leaves no
 * trace in the view is one, too.
 */
#include "play.h"

#include <fathom/bot.h>

#include <stdio.h>
#include <string.h>

struct look { /* all that reaches one viewer */
    uint8_t bytes[FM_STATE_MAX];
    size_t n_bytes;
    char json[FM_JSON_MAX];
    fm_action legal[FM_LEGAL_MAX];
    size_t n_legal;
};

static void look_at(struct look *l, struct fm_view v)
{
    struct fm_out o;
    l->n_bytes = fm_view_copy(v, l->bytes, sizeof l->bytes);
    fm_out_init(&o, l->json, sizeof l->json);
    fm_put_view(&o, v);
    l->n_legal = v.game->legal(v, l->legal, FM_LEGAL_MAX);
}

static const char *difference(const struct look *a, const struct look *b)
{
    if (a->n_bytes != b->n_bytes || memcmp(a->bytes, b->bytes, a->n_bytes) != 0)
        return "bytes";
    if (strcmp(a->json, b->json) != 0)
        return "JSON";
    if (a->n_legal != b->n_legal ||
        memcmp(a->legal, b->legal, a->n_legal * sizeof a->legal[0]) != 0)
        return "legal list";
    return NULL;
}

static bool same_bytes(struct fm_view a, struct fm_view b)
{
    static struct look la, lb;
    la.n_bytes = fm_view_copy(a, la.bytes, sizeof la.bytes);
    lb.n_bytes = fm_view_copy(b, lb.bytes, sizeof lb.bytes);
    return la.n_bytes == lb.n_bytes && memcmp(la.bytes, lb.bytes, la.n_bytes) == 0;
}

/* What the viewer is told of an event, as JSON: that is what would be sent. */
static void told(struct fm_view v, const struct fm_notes *notes, char *text, size_t cap)
{
    struct fm_out o;
    fm_out_init(&o, text, cap);
    fm_put_notes(&o, v, notes, false);
}

/* Told the same if and only if seeing the same. */
static const char *compare_told(struct conform *c, struct fm_view a, struct fm_view b,
                                const struct fm_notes *notes_a, const struct fm_notes *notes_b,
                                const char *when)
{
    static char text_a[65536], text_b[65536];
    told(a, notes_a, text_a, sizeof text_a);
    told(b, notes_b, text_b, sizeof text_b);
    const bool same_words = strcmp(text_a, text_b) == 0;
    if (same_words == same_bytes(a, b))
        return NULL;
    return found(c, "%s: viewer %d is told %s but sees %s", when, a.seat,
                 same_words ? "the same" : "different things",
                 same_words ? "different things" : "the same");
}

/* ---- dealt twins ----------------------------------------------------------------------------- */

static const char *compare_refusals(struct conform *c, struct play *p, const uint8_t *twin,
                                    int seat)
{
    static _Alignas(8) uint8_t here[FM_STATE_MAX], there[FM_STATE_MAX];
    const struct fm_secret *secret = (const void *)(p->state + p->game->secret_off);
    for (int i = 0; i < 6; i++) {
        const struct fm_event ev = {
            .t_ms = secret->now_ms + 1, .seat = (uint8_t)seat, .action = play_garbage(p, seat)};
        memcpy(here, p->state, p->game->state_size);
        memcpy(there, twin, p->game->state_size);
        const enum fm_err a = fm_apply(p->game, here, &ev, NULL);
        const enum fm_err b = fm_apply(p->game, there, &ev, NULL);
        if (a != b)
            return found(c, "event %zu, seat %d: refused as %s in one world, %s in its twin", p->n,
                         seat, fm_err_code(a), fm_err_code(b));
    }
    return NULL;
}

static const char *compare_choices(struct conform *c, const struct play *p, struct fm_view a,
                                   struct fm_view b)
{
    struct fm_rng ra = p->rng, rb = p->rng;
    if (p->game->sample(a, &ra) != p->game->sample(b, &rb))
        return found(c, "event %zu, seat %d: another sample in the twin world", p->n, a.seat);
    if (a.seat == FM_WATCHER || !(a.pub->may >> a.seat & 1))
        return NULL;
    const struct fm_bot *bot;
    for (size_t i = 0; (bot = fm_bot_at(i)) != NULL; i++) {
        if (bot->game == NULL || strcmp(bot->game, p->game->id) != 0 || (i + p->n) % 5 != 0)
            continue; /* at every event others are asked: thinking takes its time */
        ra = rb = p->rng;
        const struct fm_choice ca = bot->think(a, &ra, (struct fm_budget){.iterations = 2});
        const struct fm_choice cb = bot->think(b, &rb, (struct fm_budget){.iterations = 2});
        if (ca.action != cb.action || ca.after_ms != cb.after_ms)
            return found(c, "event %zu, seat %d: bot %s chooses otherwise in the twin world", p->n,
                         a.seat, bot->id);
    }
    return NULL;
}

/* The same event in both worlds, if both take it. */
static const char *compare_steps(struct conform *c, struct play *p, const uint8_t *twin, int viewer)
{
    static _Alignas(8) uint8_t here[FM_STATE_MAX], there[FM_STATE_MAX];
    static struct fm_notes notes_here, notes_there;
    static struct play next;
    memcpy(&next, p, sizeof next);
    memcpy(here, p->state, p->game->state_size);
    if (!play_step(&next)) /* chooses an event from this world */
        return NULL;
    memcpy(there, twin, p->game->state_size);
    notes_here.len = notes_there.len = 0;
    const struct fm_event ev = {
        .t_ms = next.ev.t_ms, .seat = next.ev.seat, .action = next.ev.action};
    if (fm_apply(p->game, here, &ev, &notes_here) != FM_OK ||
        fm_apply(p->game, there, &ev, &notes_there) != FM_OK)
        return NULL;
    char when[40];
    (void)snprintf(when, sizeof when, "event %zu of seat %d", p->n + 1, ev.seat);
    return compare_told(c, fm_view_of(p->game, here, viewer), fm_view_of(p->game, there, viewer),
                        &notes_here, &notes_there, when);
}

static const char *compare_twin(struct conform *c, struct play *p, int viewer)
{
    static _Alignas(8) uint8_t twin[FM_STATE_MAX];
    static struct look here, there;
    if (p->game->deal(twin, play_view(p, viewer), &p->rng) != FM_OK)
        return found(c, "event %zu: no world can be dealt for viewer %d", p->n, viewer);
    const struct fm_view a = play_view(p, viewer), b = fm_view_of(p->game, twin, viewer);
    look_at(&here, a);
    look_at(&there, b);
    const char *what = difference(&here, &there);
    if (what != NULL)
        return found(c, "event %zu, viewer %d: %s differ in the twin world", p->n, viewer, what);
    const char *wrong = compare_choices(c, p, a, b);
    if (wrong == NULL && viewer != FM_WATCHER)
        wrong = compare_refusals(c, p, twin, viewer);
    if (wrong == NULL && !play_over(p))
        wrong = compare_steps(c, p, twin, viewer);
    return wrong;
}

const char *conform_twins(struct conform *c)
{
    static struct play p;
    for (unsigned i = 0; i < conform_some(c, 20); i++) {
        if (!play_start(&p, c, i))
            return found(c, "match %u cannot start", i);
        for (bool on = true; on; on = !play_over(&p) && play_step(&p)) {
            for (int viewer = FM_WATCHER; viewer < c->setup.n_seats; viewer++) {
                const char *wrong = compare_twin(c, &p, viewer);
                if (wrong != NULL)
                    return wrong;
            }
        }
    }
    return NULL;
}

/* ---- dealt worlds can be played ------------------------------------------------------------------ */

const char *conform_deal(struct conform *c)
{
    static struct play p, world;
    for (unsigned i = 0; i < conform_some(c, 20); i++) {
        if (!play_start(&p, c, i))
            return found(c, "match %u cannot start", i);
        const uint32_t depth = fm_rng_below(&p.rng, 60);
        for (uint32_t k = 0; k < depth && !play_over(&p); k++)
            if (!play_step(&p))
                return found(c, "match %u stops at event %zu", i, p.n);
        for (int viewer = FM_WATCHER; viewer < c->setup.n_seats; viewer++) {
            world.game = p.game;
            world.rng = p.rng;
            world.n = 0;
            if (p.game->deal(world.state, play_view(&p, viewer), &world.rng) != FM_OK)
                return found(c, "event %zu: no world for viewer %d", p.n, viewer);
            if (!same_bytes(play_view(&p, viewer), play_view(&world, viewer)))
                return found(c, "event %zu: viewer %d sees other bytes in its world", p.n, viewer);
            while (!play_over(&world))
                if (!play_step(&world))
                    return found(c, "event %zu: the world of viewer %d stops after %zu more", p.n,
                                 viewer, world.n);
        }
    }
    return NULL;
}

/* ---- twins from the start -------------------------------------------------------------------------- */

const char *conform_fresh_twins(struct conform *c)
{
    static struct play a, b;
    for (unsigned i = 0; i < 200; i++) {
        if (!play_start(&a, c, 2 * i) || !play_start(&b, c, 2 * i + 1))
            return found(c, "match %u cannot start", i);
        for (int viewer = FM_WATCHER; viewer < c->setup.n_seats; viewer++) {
            const char *wrong = compare_told(c, play_view(&a, viewer), play_view(&b, viewer),
                                             &a.notes, &b.notes, "at the start");
            if (wrong != NULL)
                return wrong;
        }
    }
    return NULL;
}

/* ---- hidden actions ---------------------------------------------------------------------------------- */

static const char *compare_hidden(struct conform *c, struct play *p, int actor)
{
    static _Alignas(8) uint8_t after[FM_STATE_MAX];
    static struct look before_look, after_look;
    static struct fm_notes notes;
    const struct fm_secret *secret = (const void *)(p->state + p->game->secret_off);
    const struct fm_event ev = {.t_ms = secret->now_ms + 77,
                                .seat = (uint8_t)actor,
                                .action = p->game->sample(play_view(p, actor), &p->rng)};
    if (ev.action == 0 || !(p->game->hidden_verbs >> fm_verb(ev.action) & 1))
        return NULL;
    memcpy(after, p->state, p->game->state_size);
    notes.len = 0;
    if (fm_apply(p->game, after, &ev, &notes) != FM_OK)
        return NULL;
    /* the last secret choice may end the choosing: then others may, or may not, act any more */
    const struct fm_pub *now = (const void *)after, *then = play_pub(p);
    const bool published = now->phase != then->phase || now->may != then->may;
    for (int viewer = FM_WATCHER; !published && viewer < c->setup.n_seats; viewer++) {
        if (viewer == actor)
            continue;
        char text[4096];
        look_at(&before_look, play_view(p, viewer));
        look_at(&after_look, fm_view_of(p->game, after, viewer));
        told(fm_view_of(p->game, after, viewer), &notes, text, sizeof text);
        if (difference(&before_look, &after_look) != NULL || text[0] != '\0')
            return found(c, "event %zu: viewer %d notices what seat %d did in secret", p->n, viewer,
                         actor);
    }
    return NULL;
}

const char *conform_hidden(struct conform *c)
{
    static struct play p;
    for (unsigned i = 0; i < conform_some(c, 10); i++) {
        if (!play_start(&p, c, i))
            return found(c, "match %u cannot start", i);
        for (bool on = true; on; on = !play_over(&p) && play_step(&p)) {
            for (int actor = 0; actor < c->setup.n_seats; actor++) {
                /* comparing every view is slow: every fourth chance is enough */
                const bool tries = play_pub(&p)->may >> actor & 1 && fm_rng_below(&p.rng, 4) == 0;
                const char *wrong = tries ? compare_hidden(c, &p, actor) : NULL;
                if (wrong != NULL)
                    return wrong;
            }
        }
    }
    return NULL;
}
