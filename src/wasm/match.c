/*
 * match.c: the one match of this engine, from its commitment to its record. The page keeps the
 * table around it: who sits where, what time it is and whose turn it is to be shown something.
 *
 * Each event answers with its line of the record; what viewers see of it is asked for afterwards.
 */
#include "wasm/match.h"
#include "wasm/page.h"
#include "wasm/text.h"

#include "base/json_in.h"
#include "base/panic.h"
#include "core/bot_chance.h"
#include "core/preview.h"
#include "ocean/water.h"

#include <fathom/bot.h>
#include <fathom/record.h>

#include <stdlib.h>
#include <string.h>

static struct {
    struct fm_setup setup; /* once the match has started, its seed is the deal's */
    uint8_t seed[FM_SEED_BYTES];
    const struct oc_water *water; /* that bots look through, too */
    bool is_fair;                 /* the table has an id, and its seats may add to the deal */
    struct fm_fair fair;
    struct fm_recorder recorder;
    struct fm_event *event;
    size_t n_events, cap_events;
    struct fm_notes notes;             /* of the last event */
    bool looks[FM_MAX_SEATS];          /* eyes has what this seat's bot sees with */
    struct fm_eyes eyes[FM_MAX_SEATS]; /* of bots */
    struct fm_sight sight[FM_MAX_SEATS];
    alignas(8) uint8_t state[FM_STATE_MAX];
    alignas(8) uint8_t before[FM_STATE_MAX]; /* the last event; the deal itself before any */
    bool is_redealt;
    size_t redealt_at; /* after this many events */
    alignas(8) uint8_t redealt[FM_STATE_MAX];
} m;

static struct fm_view view_of(int who)
{
    return fm_view_of(m.setup.game, m.state, who);
}

struct fm__told match_so_far(void)
{
    return (struct fm__told){.setup = &m.setup,
                             .event = m.event,
                             .n_events = m.n_events,
                             .match = m.state,
                             .redealt = m.is_redealt ? m.redealt : NULL,
                             .redealt_at = m.redealt_at};
}

static const struct fm_pub *pub(void)
{
    return (const struct fm_pub *)(const void *)m.state;
}

static const struct fm_secret *secret(void)
{
    return (const struct fm_secret *)(const void *)(m.state + m.setup.game->secret_off);
}

/* ---- setting up ------------------------------------------------------------------------------ */

static bool read_bytes(const struct fm_in *in, const char *key, uint8_t *out, size_t n)
{
    struct fm_in value;
    const char *text;
    return fm_in_get(in, key, &value) && fm_in_text(&value, 2 * n, &text) &&
           (fm__unhex(out, n, text) == 0 ||
            fm_in_fail(&value, FM_E_VALUE, "%zu lower-case hex digits are expected here", 2 * n));
}

static bool read_water(const struct fm_in *in)
{
    struct fm_in value;
    const char *name = oc_waters->name;
    if (fm_in_has(in, "water", &value) && !fm_in_text(&value, 32, &name))
        return false;
    m.water = oc_water_find(name);
    return m.water != NULL || fm_in_fail(&value, FM_E_VALUE, "there is no such water");
}

static bool read_table(json_t *json, struct fm_fault *fault)
{
    static const char *const keys[] = {"game", "rules", "options", "seed", "table", "water", NULL};
    const struct fm_in in = fm_in_root(json, "", fault);
    struct fm_in value;
    if (!fm_in_object(&in, keys) || !read_bytes(&in, "seed", m.seed, sizeof m.seed) ||
        !read_water(&in))
        return false;
    m.is_fair = fm_in_has(&in, "table", &value);
    if (m.is_fair && !read_bytes(&in, "table", m.fair.table, sizeof m.fair.table))
        return false;
    return fm_setup_parse(&m.setup, json, NULL, fault) == FM_OK;
}

static void put_table(struct fm_out *o)
{
    uint8_t commitment[32];
    if (m.is_fair)
        fm_fair_commitment(commitment, m.seed, m.fair.table, &m.setup);
    else
        fm_commitment(commitment, m.seed);
    fm_js_object(o);
    fm_js_key_text(o, "game", m.setup.game->id);
    fm_js_key_int(o, "rules", m.setup.rules);
    fm_js_key(o, "options");
    fm_put_options(o, &m.setup);
    fm_js_key_int(o, "seats", m.setup.n_seats);
    fm_js_key(o, "commitment");
    fm_js_hex(o, commitment, sizeof commitment);
    if (m.setup.game->ocean != NULL)
        fm_js_key_text(o, "water", m.water->name);
    fm_js_key(o, "deck");
    fm_js_object(o);
    fm_js_key_text(o, "id", m.setup.deck.id);
    fm_js_key(o, "hash");
    fm_js_hex(o, m.setup.deck.hash, sizeof m.setup.deck.hash);
    fm_js_end_object(o);
    fm_js_end_object(o);
}

/* Room 0: {"game":…,"rules":N,"options":{…},"seed":…,"table":…,"water":…}; with "table", its id,
 * seats may add to the deal. The answer has the options complete, how many seats there are, and the
 * commitment. */
int match_open(size_t n);
EXPORT("open") int match_open(size_t n)
{
    struct fm_fault fault = {.action = -1};
    free(m.event);
    memset(&m, 0, sizeof m);
    json_t *json = fm_json_load(text_in(0), n, &fault);
    const bool fine = json != NULL && read_table(json, &fault);
    json_decref(json);
    if (!fine)
        return text_refused(&fault);
    put_table(text_answer());
    return text_answered();
}

static bool read_entropy(const struct fm_in *in, unsigned seat)
{
    const char *text;
    if (json_is_null(in->json))
        return true;
    if (!fm_in_text(in, (size_t)2 * FM_ENTROPY_BYTES, &text))
        return false;
    m.fair.entropy_n[seat] = (uint8_t)(strlen(text) / 2);
    return fm__unhex(m.fair.entropy[seat], m.fair.entropy_n[seat], text) == 0 ||
           fm_in_fail(in, FM_E_VALUE, "lower-case hex digits are expected here");
}

static bool read_seat(const struct fm_in *in, unsigned seat, struct fm_record_seat *out)
{
    static const char *const keys[] = {"name", "bot", "entropy", NULL};
    struct fm_in value;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "name", &value) ||
        !fm_in_text(&value, FM_NAME_MAX, &out->name) || !fm_in_get(in, "bot", &value) ||
        (!json_is_null(value.json) && !fm_in_text(&value, FM_NAME_MAX, &out->bot)))
        return false;
    return !fm_in_has(in, "entropy", &value) || read_entropy(&value, seat);
}

/* {"seats":[{"name":…,"bot":…,"entropy":…},…],"created":…} */
static bool read_start(json_t *json, struct fm_record_seat *seats, const char **created,
                       struct fm_fault *fault)
{
    static const char *const keys[] = {"seats", "created", NULL};
    const struct fm_in in = fm_in_root(json, "", fault);
    struct fm_in list, value;
    size_t n;
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "seats", &list) ||
        !fm_in_array(&list, m.setup.n_seats, m.setup.n_seats, &n) ||
        !fm_in_get(&in, "created", &value) || !fm_in_text(&value, 40, created))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&list, i);
        if (!read_seat(&one, (unsigned)i, &seats[i]))
            return false;
    }
    return true;
}

static void deal(const struct fm_record_seat *seats, const char *created)
{
    if (m.is_fair)
        fm_fair_deal_seed(m.setup.seed, m.seed, &m.fair, m.setup.n_seats);
    else
        fm_deal_seed(m.setup.seed, m.seed);
    fm_assert(fm_init(m.state, &m.setup, &m.notes) == FM_OK);
    memcpy(m.before, m.state, sizeof m.before);
    fm_record_begin(&m.recorder, text_answer(), &m.setup, m.seed, m.is_fair ? &m.fair : NULL, seats,
                    created);
}

/* Room 0: who plays. The answer is the first line of the record. */
int match_start(size_t n);
EXPORT("start") int match_start(size_t n)
{
    struct fm_fault fault = {.action = -1};
    struct fm_record_seat seats[FM_MAX_SEATS] = {{0}};
    const char *created;
    fm_assert(m.setup.game != NULL);
    json_t *json = fm_json_load(text_in(0), n, &fault);
    const bool fine = json != NULL && read_start(json, seats, &created, &fault);
    if (fine)
        deal(seats, created);
    json_decref(json);
    return fine ? text_answered() : text_refused(&fault);
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool grow(void)
{
    const size_t cap = m.cap_events > 0 ? 2 * m.cap_events : 256;
    struct fm_event *event = realloc(m.event, cap * sizeof *event);
    if (event == NULL)
        return false;
    m.event = event;
    m.cap_events = cap;
    return true;
}

static int apply(const struct fm_event *ev)
{
    struct fm_fault fault = {.action = -1};
    static alignas(8) uint8_t state[FM_STATE_MAX];
    if (m.n_events == FM_EVENTS_MAX || ev->t_ms > INT32_MAX) { /* it could not be replayed */
        (void)fm_fail_plain(&fault, FM_E_STUCK);
        return text_refused(&fault);
    }
    if (m.n_events == m.cap_events && !grow()) {
        (void)fm_fail_plain(&fault, FM_E_MEMORY);
        return text_refused(&fault);
    }
    memcpy(state, m.state, sizeof state);
    m.notes.len = 0; /* even on error: the last change was told at once, and is not told again */
    const enum fm_err err = fm_apply(m.setup.game, m.state, ev, &m.notes);
    if (err != FM_OK) {
        (void)fm_refuse(&fault, m.setup.game, err);
        return text_refused(&fault);
    }
    memcpy(m.before, state, sizeof state);
    m.event[m.n_events++] = *ev;
    fm_record_event(&m.recorder, text_answer(), ev, m.state);
    return text_answered();
}

static uint32_t time_of(double t_ms)
{
    return t_ms > secret()->now_ms ? (uint32_t)t_ms : secret()->now_ms;
}

/* Room 0: an action, {"do":…}. The answer is its line of the record. */
int match_act(unsigned seat, double t_ms, size_t n);
EXPORT("act") int match_act(unsigned seat, double t_ms, size_t n)
{
    struct fm_fault fault = {.action = -1};
    struct fm_event ev = {.t_ms = time_of(t_ms), .seat = (uint8_t)seat};
    json_t *json = fm_json_load(text_in(0), n, &fault);
    if (json != NULL && !json_is_object(json))
        (void)fm_fail(&fault, FM_E_ACTION, "an action is an object");
    const bool fine =
        json_is_object(json) && m.setup.game->wire->parse_action(&ev.action, json, &fault) == FM_OK;
    json_decref(json);
    return fine ? apply(&ev) : text_refused(&fault);
}

/* The clock's event, once the deadline has come. */
int match_clock(double t_ms);
EXPORT("clock") int match_clock(double t_ms)
{
    struct fm_fault fault = {.action = -1};
    if (pub()->deadline_ms == FM_NEVER || t_ms < pub()->deadline_ms) {
        (void)fm_fail_plain(&fault, FM_E_TIME);
        return text_refused(&fault);
    }
    const struct fm_event ev = {
        .t_ms = time_of(pub()->deadline_ms), .seat = FM_TABLE, .action = m.setup.game->due(pub())};
    return apply(&ev);
}

/* Room 0: 32 bytes in hex. Deals anew what a seat does not know: from here on it is another
 * match, which the seat cannot tell from the old one, and its lines no longer make a record. */
int match_redeal(unsigned seat, size_t n);
EXPORT("redeal") int match_redeal(unsigned seat, size_t n)
{
    struct fm_fault fault = {.action = -1};
    uint8_t seed[FM_SEED_BYTES];
    struct fm_rng rng;
    if (seat >= m.setup.n_seats || n != 2 * sizeof seed ||
        fm__unhex(seed, sizeof seed, text_in(0)) != 0) {
        (void)fm_fail(&fault, FM_E_VALUE, "this cannot be dealt anew");
        return text_refused(&fault);
    }
    fm_rng_init(&rng, seed, seat);
    const enum fm_err err = m.setup.game->deal(m.redealt, view_of((int)seat), &rng);
    if (err != FM_OK) {
        (void)fm_refuse(&fault, m.setup.game, err);
        return text_refused(&fault);
    }
    memcpy(m.state, m.redealt, sizeof m.state);
    memset(m.sight, 0, sizeof m.sight); /* bots look again */
    m.is_redealt = true;
    m.redealt_at = m.n_events;
    (void)text_answer();
    return text_answered();
}

/* The last line of the record. */
int match_end(void);
EXPORT("end") int match_end(void)
{
    fm_assert(pub()->status == FM_OVER);
    fm_record_end(&m.recorder, text_answer(), m.state);
    return text_answered();
}

/* ---- what viewers see ------------------------------------------------------------------------ */

bool match_over(void);
EXPORT("over") bool match_over(void)
{
    return pub()->status == FM_OVER;
}

/* Bits of the seats that may act. */
unsigned match_may(void);
EXPORT("may") unsigned match_may(void)
{
    return pub()->status == FM_OVER ? 0 : pub()->may;
}

/* When the clock acts, in ms since the start; below zero: it does not tick. */
double match_deadline(void);
EXPORT("deadline") double match_deadline(void)
{
    const bool ticks = pub()->status != FM_OVER && pub()->deadline_ms != FM_NEVER;
    return ticks ? (double)pub()->deadline_ms : -1;
}

/* For how many ms after the last public change seats may react; below zero: until the next. */
double match_reactions(void);
EXPORT("reactions") double match_reactions(void)
{
    const struct fm_game *g = m.setup.game;
    if (g->reactions_ms == NULL || pub()->status == FM_OVER)
        return -1;
    const uint32_t ms = g->reactions_ms((const struct fm_pub *)(const void *)m.before, pub());
    return ms == FM_NEVER ? -1 : (double)ms;
}

/* How many changes a viewer has noticed. */
unsigned match_seq(int who);
EXPORT("seq") unsigned match_seq(int who)
{
    return fm_view_seq(view_of(who));
}

/* {"seq":…,"events":[…],"view":{…}}: the last change; nothing: this viewer did not notice it. */
int match_told(int who);
EXPORT("told") int match_told(int who)
{
    const struct fm_view v = view_of(who);
    struct fm_out *o = text_answer();
    if (m.n_events > 0 && fm_view_seq(v) == fm_view_seq(fm_view_of(v.game, m.before, who)))
        return 0;
    fm_js_object(o);
    fm_js_key_int(o, "seq", fm_view_seq(v));
    fm_js_key(o, "events");
    fm_js_array(o);
    fm_put_notes(o, v, &m.notes, false);
    fm_js_end_array(o);
    fm_js_key(o, "view");
    fm_put_view(o, v);
    fm_js_end_object(o);
    return text_answered();
}

/* {"seq":…,"events":[…],"earlier":[…],"seqs":[…],"view":{…}}, as the answer to hello. from: the
 * last change that the viewer saw; below zero: none. wants_earlier: tell it again what it was told
 * before. */
int match_hello(int who, double from, bool wants_earlier);
EXPORT("hello") int match_hello(int who, double from, bool wants_earlier)
{
    static char texts[2][FM__SEQS];
    const struct fm__told told = match_so_far();
    const struct fm_view v = view_of(who);
    struct fm_out *o = text_answer(), earlier, missed;
    bool all = false;
    fm_out_init(&earlier, texts[0], FM__SEQS);
    fm_out_init(&missed, texts[1], FM__SEQS);
    fm_js_object(o);
    fm_js_key_int(o, "seq", fm_view_seq(v));
    if (from >= 0)
        all = fm__put_missed(o, &told, who, (int64_t)from, &missed);
    if (wants_earlier)
        fm__put_earlier(o, &told, who, all ? (int64_t)from : INT64_MAX, &earlier);
    fm__put_seqs(o, &earlier, &missed);
    fm_js_key(o, "view");
    fm_put_view(o, v);
    fm_js_end_object(o);
    return text_answered();
}

/* Room 0: a list of actions of this seat. The answer is what it would see after them. */
int match_preview(int seat, size_t n);
EXPORT("preview") int match_preview(int seat, size_t n)
{
    static alignas(8) uint8_t state[FM_STATE_MAX];
    const struct fm_game *g = m.setup.game;
    struct fm_fault fault = {.action = -1};
    fm_action action[FM__PREVIEW_ACTIONS];
    size_t count = 0;
    json_t *json = fm_json_load(text_in(0), n, &fault);
    const struct fm_in in = fm_in_root(json, "if", &fault);
    bool fine = json != NULL && fm_in_array(&in, 1, FM__PREVIEW_ACTIONS, &count);
    for (size_t i = 0; i < count && fine; i++) {
        const struct fm_in one = fm_in_at(&in, i);
        fine = json_is_object(one.json)
                   ? g->wire->parse_action(&action[i], one.json, &fault) == FM_OK
                   : fm_in_fail(&one, FM_E_ACTION, "an action is an object");
    }
    json_decref(json);
    if (fine) {
        const enum fm_err err =
            match_over() ? FM_E_OVER : fm__preview(state, view_of(seat), action, count);
        fine = err == FM_OK || (fm_refuse(&fault, g, err), false);
    }
    if (!fine)
        return text_refused(&fault);
    fm_put_view(text_answer(), fm_view_of(g, state, seat));
    return text_answered();
}

/* ---- bots ------------------------------------------------------------------------------------ */

static uint64_t now_us(void)
{
    return (uint64_t)page_now_us();
}

/* As measured in the table's water: "picture-keen" in the default, "picture-keen-murky" in murky.
 */
static void open_eyes(struct fm_eyes *eyes, const struct fm_bot *bot)
{
    struct fm_fault fault;
    struct fm_out name;
    char text[64];
    fm_out_init(&name, text, sizeof text);
    fm_put(&name, bot->eyes != NULL ? bot->eyes : "picture-short-sighted");
    if (m.water != oc_waters) {
        fm_put(&name, "-");
        fm_put(&name, m.water->name);
    }
    fm_assert(fm_eyes_named(eyes, text, &fault) == FM_OK);
}

/* A bot sees as it would at a server's table. */
static void look(unsigned seat, const struct fm_bot *bot, struct fm_budget *budget)
{
    struct fm_rng rng;
    if (!m.looks[seat])
        open_eyes(&m.eyes[seat], bot);
    m.looks[seat] = true;
    fm__bot_rng(&rng, m.seed, seat, "look", match_seq((int)seat));
    m.setup.game->look(m.state, &m.eyes[seat], &rng, &m.sight[seat]);
    budget->eyes = &m.eyes[seat];
    budget->sight = &m.sight[seat];
}

/* Room 0: the id of a bot. {"action":{…},"after":900}: what it does in this seat, after how many
 * ms; the action is null if it does nothing for now. think_ms: it thinks no longer than that; 0: as
 * long as it wants. */
int match_think(unsigned seat, double think_ms);
EXPORT("think") int match_think(unsigned seat, double think_ms)
{
    struct fm_budget budget = {0};
    struct fm_fault fault = {.action = -1};
    struct fm_rng rng;
    const struct fm_bot *bot = fm_bot_find(m.setup.game, text_in(0));
    if (bot == NULL) {
        (void)fm_fail(&fault, FM_E_VALUE, "there is no such bot");
        return text_refused(&fault);
    }
    fm__bot_rng(&rng, m.seed, seat, "think", match_seq((int)seat));
    if (m.setup.game->look != NULL)
        look(seat, bot, &budget);
    if (think_ms > 0) {
        budget.clock_us = now_us;
        budget.until_us = now_us() + (uint64_t)(think_ms * 1000);
    }
    const struct fm_choice choice = bot->think(view_of((int)seat), &rng, budget);
    struct fm_out *o = text_answer();
    fm_js_object(o);
    fm_js_key(o, "action");
    if (choice.action != 0)
        fm_put_action(o, m.setup.game, choice.action);
    else
        fm_js_null(o);
    fm_js_key_int(o, "after", choice.after_ms);
    fm_js_end_object(o);
    return text_answered();
}
