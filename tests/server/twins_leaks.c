/* twins_leaks.c: leaks to plant in the server and in games, each of which the twins must find. */
#include "server/twins.h"

#include "dive/rules/dive_state.h"
#include "divercity/rules/divercity_state.h"
#include "soumsoum/rules/soumsoum_state.h"

#include "bots/why.h"

#include <fathom/games.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- leaks that are planted between the files of the server --------------------------------- */

enum planted planted;
bool restarted;

bool __real_srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                           const void *before, int seat);
bool __wrap_srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                           const void *before, int seat);
void __real_srv_put_hello(struct fm_out *o, const struct srv_table *t, int seat,
                          const struct srv_hello *hello);
void __wrap_srv_put_hello(struct fm_out *o, const struct srv_table *t, int seat,
                          const struct srv_hello *hello);
void __real_srv_put_earlier(struct fm_out *o, const struct srv_table *t, int seat, int64_t until,
                            struct fm_out *seqs);
void __wrap_srv_put_earlier(struct fm_out *o, const struct srv_table *t, int seat, int64_t until,
                            struct fm_out *seqs);
void __real_srv_put_seats(struct fm_out *o, const struct srv_table *t, unsigned here);
void __wrap_srv_put_earlier(struct fm_out *o, const struct srv_table *t, int seat, int64_t until,
                            struct fm_out *seqs)
{
    const int other = seat < 0 ? 0 : (seat + 1) % t->setup.n_seats;
    __real_srv_put_earlier(o, t, planted == EARLIER_OF_ANOTHER_SEAT ? other : seat, until, seqs);
    if (planted == EARLIER_COUNTS_EVENTS)
        fm_js_key_int(o, "n", (int64_t)t->n_events);
}

void __wrap_srv_put_seats(struct fm_out *o, const struct srv_table *t, unsigned here);
void __real_srv_put_table(struct fm_out *o, const struct srv_table *t, unsigned here);
void __wrap_srv_put_table(struct fm_out *o, const struct srv_table *t, unsigned here);
void __real_fm_fair_deal_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES],
                              const struct fm_fair *fair, unsigned n_seats);
void __wrap_fm_fair_deal_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES],
                              const struct fm_fair *fair, unsigned n_seats);

bool __real_srv_read_preview(struct srv_hall *h, struct srv_stream *stream, struct fm_in *in,
                             const char **id);
bool __wrap_srv_read_preview(struct srv_hall *h, struct srv_stream *stream, struct fm_in *in,
                             const char **id);
void __real_srv_reactions_follow(struct srv_hall *h, struct srv_slot *slot,
                                 const struct srv_draft *d, const void *before);
void __wrap_srv_reactions_follow(struct srv_hall *h, struct srv_slot *slot,
                                 const struct srv_draft *d, const void *before);
void __real_fm__why_begin(struct why *w, const struct why_question *q, uint32_t worlds);
void __wrap_fm__why_begin(struct why *w, const struct why_question *q, uint32_t worlds);
const struct fm_bot *__real_fm_bot_find(const struct fm_game *game, const char *id);
const struct fm_bot *__wrap_fm_bot_find(const struct fm_game *game, const char *id);

/* On a bots' thread, while the loop waits for it. */
void __wrap_fm__why_begin(struct why *w, const struct why_question *q, uint32_t worlds)
{
    const struct srv_table *t = twin_table(world_ruling() == &two[0].w ? &two[0] : &two[1]);
    struct why_question other = *q;
    if (planted == WHY_LOOKS_AT_THE_HAND)
        other.before = fm_view_of(t->setup.game, t->match, (int)q->seat);
    __real_fm__why_begin(w, &other, worlds);
    if (planted == WHY_IS_SEEDED_BY_THE_TABLE)
        fm_rng_init(&w->rng, t->seed, 0);
}

/* One more key in the object that was just closed. */
static void add_key(struct fm_out *o, const char *key, int64_t value)
{
    char text[80];
    (void)snprintf(text, sizeof text, ",\"%s\":%lld}", key, (long long)value);
    fm_assert(o->len > 0 && o->buf[o->len - 1] == '}');
    o->len--;
    fm_put(o, text);
}

bool __wrap_srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                           const void *before, int seat)
{
    static const uint8_t nothing[FM_STATE_MAX];
    struct srv_draft *started;
    switch (planted) {
    case CHANGE_FORGETS_SEQ:
        if (__real_srv_put_change(o, t, d, before, seat))
            return true;
        started = malloc(sizeof *started); /* as if it were a start: told whatever its seq */
        fm_assert(started != NULL);
        memcpy(started, d, sizeof *started);
        started->kind = SRV_STARTED;
        (void)__real_srv_put_change(o, t, started, nothing, seat);
        free(started);
        return true;
    case CHANGE_TELLS_ALL:
        if (!__real_srv_put_change(o, t, d, before, seat))
            return false;
        for (size_t i = 0; i < d->notes.len; i++)
            add_key(o, "all", (int64_t)(d->notes.item[i].hidden & 0xffffffff));
        return true;
    case CHANGE_TO_WRONG_SEAT:
        return __real_srv_put_change(o, t, d, before,
                                     seat < 0 ? seat : (seat + 1) % t->setup.n_seats);
    case CHANGE_COUNTS_EVENTS:
        if (!__real_srv_put_change(o, t, d, before, seat))
            return false;
        add_key(o, "n", (int64_t)t->n_events);
        return true;
    case SPECTATOR_SEES_SEAT_0:
        return __real_srv_put_change(o, t, d, before, seat < 0 ? 0 : seat);
    default:
        return __real_srv_put_change(o, t, d, before, seat);
    }
}

void __wrap_srv_put_hello(struct fm_out *o, const struct srv_table *t, int seat,
                          const struct srv_hello *hello)
{
    const bool watches =
        planted == HELLO_OF_SPECTATOR_SEES_SEAT_0 && seat < 0 && t->state != ST_WAITING;
    __real_srv_put_hello(o, t, watches ? 0 : seat, hello);
    if (planted == HELLO_SHOWS_LOG)
        add_key(o, "log", (int64_t)t->seq);
    if (planted == HELLO_SHOWS_LAST_ACTION && t->n_events > 0)
        add_key(o, "last", (int64_t)(t->event[t->n_events - 1].action >> 8));
}

void __wrap_srv_put_seats(struct fm_out *o, const struct srv_table *t, unsigned here)
{
    const struct srv_slot *slot =
        (const void *)((const char *)t - offsetof(struct srv_slot, table));
    int64_t more = 0;
    __real_srv_put_seats(o, t, here);
    for (unsigned i = 0; i < FM_MAX_SEATS; i++) {
        const struct srv_seat *s = &t->seat[i];
        if (planted == SEATS_SHOW_NOTES)
            more += s->notes != NULL ? (int64_t)strlen(s->notes) : 0;
        if (planted == SEATS_SHOW_VOTES)
            more += slot->votes_for[i] + slot->votes_against[i];
        if (planted == SEATS_SHOW_WHO_ACTED)
            more += (int64_t)t->n_done;
        if (planted == SEATS_SHOW_ENTROPY)
            more += t->fair.entropy[i][0];
    }
    if (planted >= SEATS_SHOW_NOTES && planted <= SEATS_SHOW_ENTROPY) {
        o->len--; /* ] */
        char text[40];
        (void)snprintf(text, sizeof text, ",%lld]", (long long)more);
        fm_put(o, text);
    }
}

void __wrap_srv_put_table(struct fm_out *o, const struct srv_table *t, unsigned here)
{
    __real_srv_put_table(o, t, here);
    if (planted == TABLE_SHOWS_SEED)
        add_key(o, "seed", t->seed[0]);
    if (planted == TABLE_SHOWS_LOG)
        add_key(o, "log", (int64_t)t->seq);
    for (unsigned i = 0; planted == TABLE_SHOWS_NOTES && i < FM_MAX_SEATS; i++)
        if (t->seat[i].notes != NULL)
            add_key(o, "notes", (int64_t)strlen(t->seat[i].notes));
}

void __wrap_fm_fair_deal_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES],
                              const struct fm_fair *fair, unsigned n_seats)
{
    __real_fm_fair_deal_seed(out, seed, fair, n_seats);
    if (planted == RESTART_DEALS_AGAIN && restarted)
        out[0] ^= 1;
}

/* As the preview would be, were it made of the true match. */
static void answer_truly(struct srv_hall *h, struct srv_stream *stream, json_t *actions)
{
    static _Alignas(8) uint8_t match[FM_STATE_MAX];
    const struct srv_table *t = &stream->slot->table;
    const struct fm_game *g = t->setup.game;
    struct fm_fault fault;
    struct fm_out o;
    memcpy(match, t->match, g->state_size);
    for (size_t i = 0; i < json_array_size(actions); i++) {
        struct fm_event ev = {.t_ms = UINT32_MAX >> 2, .seat = (uint8_t)stream->seat};
        if (g->wire->parse_action(&ev.action, json_array_get(actions, i), &fault) != FM_OK ||
            fm_apply(g, match, &ev, NULL) != FM_OK)
            return;
    }
    fm_out_init(&o, h->text, SRV_MESSAGE);
    fm_put_view(&o, fm_view_of(g, match, stream->seat));
    srv_send(h, stream, &o);
}

bool __wrap_srv_read_preview(struct srv_hall *h, struct srv_stream *stream, struct fm_in *in,
                             const char **id)
{
    struct srv_table *t = &stream->slot->table;
    if (planted == WHAT_LOOKS_AT_THE_MATCH)
        answer_truly(h, stream, json_object_get(in->json, "if"));
    if (planted != WHAT_IS_SEEDED_BY_THE_TABLE || t->state != ST_PLAYING)
        return __real_srv_read_preview(h, stream, in, id);
    struct fm_pub *pub = (void *)t->match; /* as if the seed went into the hash of the view */
    pub->zero[1] = t->seed[0];
    const bool fine = __real_srv_read_preview(h, stream, in, id);
    pub->zero[1] = 0;
    return fine;
}

void __wrap_srv_reactions_follow(struct srv_hall *h, struct srv_slot *slot,
                                 const struct srv_draft *d, const void *before)
{
    __real_srv_reactions_follow(h, slot, d, before);
    if (planted != REACTIONS_FOLLOW_SECRETS || d->kind != SRV_DID)
        return;
    slot->react_until_ms = h->now_ms + slot->table.n_events; /* every event counts */
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next)
        srv_reactions_greet(h, stream);
}

static const struct fm_bot *true_bot;

/* A bot that knows how much has happened, secrets included. */
static struct fm_choice think_leaky(struct fm_view v, struct fm_rng *of, struct fm_budget budget)
{
    const size_t n = n_events_now();
    for (size_t i = 0; planted == BOT_CHOOSES && i < n; i++)
        (void)fm_rng_u32(of);
    struct fm_choice choice = true_bot->think(v, of, budget);
    if (planted == BOT_HESITATES)
        choice.after_ms = (uint32_t)(60 * (n + 1) % 400);
    return choice;
}

const struct fm_bot *__wrap_fm_bot_find(const struct fm_game *game, const char *id)
{
    static struct fm_bot leaky;
    const struct fm_bot *bot = __real_fm_bot_find(game, id);
    if (bot == NULL || (planted != BOT_HESITATES && planted != BOT_CHOOSES))
        return bot;
    true_bot = bot;
    leaky = *bot;
    leaky.think = think_leaky;
    return &leaky;
}

/* ---- leaks in a game ------------------------------------------------------------------------ */

static uint8_t top_of_pile(const void *state)
{
    const struct soumsoum_state *s = state;
    return s->pub.pile_n ? s->secret.pile[s->pub.pile_n - 1] : 0;
}

static void view_shows_pile(struct fm_out *o, struct fm_view v)
{
    fm_game_soumsoum.wire->put_view(o, v);
    fm_js_key_int(o, "next", top_of_pile(v.pub));
}

static void spectator_sees_hand(struct fm_out *o, struct fm_view v)
{
    const struct soumsoum_state *s = (const void *)v.pub;
    fm_game_soumsoum.wire->put_view(o, v);
    if (v.seat == FM_WATCHER)
        fm_js_key_int(o, "first", s->priv[0].hand[0]);
}

static void length_tells(struct fm_out *o, struct fm_view v)
{
    fm_game_soumsoum.wire->put_view(o, v);
    fm_js_key_text(o, "pad", top_of_pile(v.pub) & 1 ? "long" : "");
}

static size_t list_tells(struct fm_view v, fm_action *out, size_t cap)
{
    const size_t n = fm_game_soumsoum.legal(v, out, cap);
    return n > 1 && (top_of_pile(v.pub) & 1) ? n - 1 : n;
}

static enum fm_err error_tells(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = fm_game_soumsoum.apply(state, ev, notes);
    return err != FM_OK && (top_of_pile(state) & 1) ? FM_E_STUCK : err;
}

static void note_tells(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    const struct soumsoum_state *s = (const void *)v.pub;
    fm_game_soumsoum.wire->put_note(o, v, note);
    if (note->cut)
        fm_js_key_int(o, "really", s->priv[note->seat].hand[0]);
}

static void view_shows_depth(struct fm_out *o, struct fm_view v)
{
    const struct dive_state *s = (const void *)v.pub;
    fm_game_dive.wire->put_view(o, v);
    fm_js_key_int(o, "deepest",
                  dive_depth(s->priv[0].program) + 7 * dive_depth(s->priv[1].program));
}

static enum fm_err program_moves_the_clock(void *state, const struct fm_event *ev,
                                           struct fm_notes *notes)
{
    struct dive_state *s = state;
    const enum fm_err err = fm_game_dive.apply(state, ev, notes);
    if (err == FM_OK && fm_verb(ev->action) == DIVE_DO_PROGRAM)
        s->pub.head.seq++;
    return err;
}

static void view_shows_own_card(struct fm_out *o, struct fm_view v)
{
    const struct divercity_state *s = (const void *)v.pub;
    fm_game_divercity.wire->put_view(o, v);
    if (v.seat != FM_WATCHER)
        fm_js_key_int(o, "mine", s->secret.hand[v.seat][0]);
}

const struct leak *leak; /* in the games of both worlds; NULL: none */

/* ---- all of them ------------------------------------------------------------------------------ */

#define SOUM "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"market\":true}}"

#define SOUM_PLAIN "{\"game\":\"soumsoum\",\"options\":{\"players\":3}}"

#define DIVE "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\"}}"

#define DIVE_PLAIN "{\"game\":\"dive\",\"options\":{\"divers\":4}}"

#define CITY "{\"game\":\"divercity\",\"options\":{\"divers\":3}}"

const struct leak leaks[] = {
    {"a view shows the pile", check_dealt, SOUM_PLAIN, .put_view = view_shows_pile},
    {"a spectator's view shows a hand", check_dealt, SOUM_PLAIN, .put_view = spectator_sees_hand},
    {"the size of a message tells", check_dealt, SOUM_PLAIN, .put_view = length_tells},
    {"the legal list tells", check_dealt, SOUM_PLAIN, .legal = list_tells},
    {"refusals tell", check_dealt, SOUM_PLAIN, .apply = error_tells},
    {"names of moves tell", check_dealt, SOUM_PLAIN, .put_note = note_tells},
    {"Dive: a view shows how deep another dives", check_dealt, DIVE, .put_view = view_shows_depth},
    {"Dive: the same, of hidden actions", check_hidden, DIVE, .put_view = view_shows_depth},
    {"Dive: a program is counted", check_hidden, DIVE, .apply = program_moves_the_clock},
    {"DiverCity: a view shows an own card", check_dealt, CITY, .put_view = view_shows_own_card},
    {"a change is sent whether noticed or not", check_hidden, DIVE, .planted = CHANGE_FORGETS_SEQ},
    {"a change tells all", check_dealt, SOUM_PLAIN, .planted = CHANGE_TELLS_ALL},
    {"a change goes to the wrong seat", check_hidden, DIVE, .planted = CHANGE_TO_WRONG_SEAT},
    {"a change counts all events", check_hidden, DIVE, .planted = CHANGE_COUNTS_EVENTS},
    {"a spectator is told what seat 0 is", check_dealt, SOUM_PLAIN,
     .planted = SPECTATOR_SEES_SEAT_0},
    {"hello shows how long the log is", check_hidden, DIVE, .planted = HELLO_SHOWS_LOG},
    {"hello shows the last action", check_hidden, DIVE, .planted = HELLO_SHOWS_LAST_ACTION},
    {"hello shows a spectator what seat 0 sees", check_dealt, SOUM_PLAIN,
     .planted = HELLO_OF_SPECTATOR_SEES_SEAT_0},
    {"earlier events are another seat's", check_hidden, DIVE, .planted = EARLIER_OF_ANOTHER_SEAT},
    {"earlier events are those of a hand", check_dealt, SOUM_PLAIN,
     .planted = EARLIER_OF_ANOTHER_SEAT},
    {"earlier events are counted, secret ones too", check_hidden, DIVE,
     .planted = EARLIER_COUNTS_EVENTS},
    {"presence shows notes", check_hidden, SOUM, .planted = SEATS_SHOW_NOTES},
    {"presence shows votes", check_hidden, SOUM, .planted = SEATS_SHOW_VOTES},
    {"presence shows who has acted", check_hidden, DIVE, .planted = SEATS_SHOW_WHO_ACTED},
    {"presence shows entropy", check_waiting, SOUM, .planted = SEATS_SHOW_ENTROPY},
    {"a table shows its seed", check_waiting, SOUM, .planted = TABLE_SHOWS_SEED},
    {"a table shows its seed in the game", check_dealt, SOUM, .planted = TABLE_SHOWS_SEED},
    {"a table shows how long its log is", check_hidden, DIVE, .planted = TABLE_SHOWS_LOG},
    {"a table shows notes", check_hidden, CITY, .planted = TABLE_SHOWS_NOTES},
    {"an acknowledgement goes to others", check_hidden, DIVE, .planted = ACK_TO_OTHERS},
    {"a refusal goes to others", check_hidden, DIVE, .planted = REFUSAL_TO_OTHERS},
    {"a failed log-in tells", check_dealt, SOUM, .planted = FAILED_LOGIN_TELLS},
    {"a restart deals again", check_hidden, SOUM, .planted = RESTART_DEALS_AGAIN},
    {"reactions follow what others do in secret", check_hidden, DIVE_PLAIN,
     .planted = REACTIONS_FOLLOW_SECRETS},
    {"a what-if draws the true card", check_dealt, SOUM_PLAIN, .planted = WHAT_LOOKS_AT_THE_MATCH},
    {"Dive: a what-if knows the others' programs", check_dealt, DIVE,
     .planted = WHAT_LOOKS_AT_THE_MATCH},
    {"DiverCity: a what-if plays the true card", check_dealt, CITY,
     .planted = WHAT_LOOKS_AT_THE_MATCH},
    {"a what-if is dealt by the table's seed", check_dealt, SOUM_PLAIN,
     .planted = WHAT_IS_SEEDED_BY_THE_TABLE},
    {"an explanation looks at the hand of the bot", check_why, SOUM_PLAIN,
     .planted = WHY_LOOKS_AT_THE_HAND},
    {"DiverCity: an explanation knows an own card", check_why, CITY,
     .planted = WHY_LOOKS_AT_THE_HAND},
    {"an explanation is dealt by the table's seed", check_why, SOUM_PLAIN,
     .planted = WHY_IS_SEEDED_BY_THE_TABLE},
    {"a bot hesitates when others act in secret", check_bots, DIVE_PLAIN, .planted = BOT_HESITATES},
    {"a bot chooses by what others do in secret", check_bots, DIVE_PLAIN, .planted = BOT_CHOOSES},
};
const size_t n_leaks = sizeof leaks / sizeof leaks[0];
