/* house.c: calls that need no match: the games, their options, the referee, records. */
#include "wasm/text.h"

#include "base/hash.h"
#include "base/json_in.h"
#include "base/panic.h"
#include "core/catalogue.h"
#include "core/steps.h"
#include "core/verdict.h"
#include "ocean/water.h"

#include <fathom/games.h>
#include <fathom/record.h>

#include <string.h>

/* ---- games ----------------------------------------------------------------------------------- */

#define DECKS_MAX 16

/* The built-in decks: each game's default first, as in the list of a server. */
static const struct fm_library *library(void)
{
    static struct fm_deck decks[DECKS_MAX];
    static struct fm_library all;
    struct fm_fault fault;
    const size_t n = fm_deck_builtin_count();
    fm_assert(n <= DECKS_MAX);
    for (int others = 0; others < 2 && all.n_decks < n; others++)
        for (size_t i = 0; i < n; i++) {
            struct fm_deck *deck = &decks[all.n_decks];
            fm_assert(fm_deck_builtin(deck, i, &fault) == FM_OK);
            all.n_decks += (strcmp(deck->id, deck->game->deck) != 0) == others;
        }
    all.decks = decks;
    return &all;
}

int engine_games(void);
EXPORT("games") int engine_games(void)
{
    struct fm_out *o = text_answer();
    const struct fm_game *g;
    fm_js_object(o);
    fm_js_key(o, "games");
    fm_js_array(o);
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        fm_js_object(o);
        fm__put_game(o, library(), g);
        if (g->ocean != NULL)
            oc_waters_put(o);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
    fm_js_end_object(o);
    return text_answered();
}

/* Room 0: {"game":…,"rules":N,"options":{…}}. */
int engine_check(size_t n);
EXPORT("check") int engine_check(size_t n)
{
    struct fm_fault fault = {.action = -1};
    json_t *table = fm_json_load(text_in(0), n, &fault);
    if (table == NULL)
        return text_refused(&fault);
    fm__put_options_check(text_answer(), library(), table);
    json_decref(table);
    return text_answered();
}

/* Room 0: a scenario. who: a seat, FM_WATCHER or FM_WHOLE. */
int engine_referee(int who, size_t n);
EXPORT("referee") int engine_referee(int who, size_t n)
{
    static char events[FM_JSON_MAX];
    const struct fm_scenario scenario = {.library = library(), .view = who};
    struct fm_out scratch;
    fm_out_init(&scratch, events, sizeof events);
    (void)fm_scenario_run(&scenario, text_in(0), n, text_answer(), &scratch);
    return text_answered();
}

/* ---- records --------------------------------------------------------------------------------- */

/* Room 0: a record. Room 1: the commitment that was shown, 64 hex digits, or nothing. */
int engine_verify(size_t n, size_t shown_n);
EXPORT("verify") int engine_verify(size_t n, size_t shown_n)
{
    static struct fm__verdict verdict;
    uint8_t shown[FM_SEED_BYTES];
    struct fm_fault fault = {.action = -1};
    const bool known = shown_n > 0;
    if (known && fm__unhex(shown, sizeof shown, text_in(1)) != 0) {
        (void)fm_fail(&fault, FM_E_VALUE, "commitment: 64 lower-case hex digits are expected here");
        return text_refused(&fault);
    }
    memset(&verdict, 0, sizeof verdict);
    fm__judge(&verdict, &(struct fm__played){.commitment = known ? shown : NULL}, text_in(0), n,
              NULL);
    fm__put_verdict(text_answer(), &verdict, known ? shown : NULL);
    return text_answered();
}

static struct fm_playback playback;
static bool is_part; /* of a game that goes on: its last line has no result to be checked */

static int put_step(int who, const struct fm_event *ev, const struct fm_notes *notes)
{
    fm__put_step(text_answer(), playback.setup.game, who, playback.state, ev, notes);
    return text_answered();
}

/* Room 0: a record, which stays there until the last step; part: of a game that goes on. The answer
 * is the deal, as a step. */
int engine_replay(int who, size_t n, bool part);
EXPORT("replay") int engine_replay(int who, size_t n, bool part)
{
    static struct fm_notes notes;
    struct fm_fault fault = {.action = -1};
    if (n > FM_RECORD_MAX) {
        (void)fm_fail_plain(&fault, FM_E_SIZE);
        return text_refused(&fault);
    }
    notes.len = 0;
    is_part = part;
    if (fm_playback_open(&playback, text_in(0), n, NULL, &notes, &fault) != FM_OK)
        return text_refused(&fault);
    if (who >= playback.setup.n_seats) {
        (void)fm_fail_plain(&fault, FM_E_SEAT);
        return text_refused(&fault);
    }
    return put_step(who, NULL, &notes);
}

/* The next event that the viewer noticed; nothing after the last. */
int engine_next(int who);
EXPORT("next") int engine_next(int who)
{
    static struct fm_notes notes;
    struct fm_fault fault = {.action = -1};
    struct fm_event ev = {0};
    while (!is_part || playback.line < playback.last_line) {
        const uint32_t before = fm__step_seq(playback.setup.game, who, playback.state);
        notes.len = 0;
        const enum fm_err err = fm_playback_next(&playback, &ev, &notes, &fault);
        if (err == FM_E_OVER)
            return 0;
        if (err != FM_OK)
            return text_refused(&fault);
        if (fm__step_seq(playback.setup.game, who, playback.state) != before)
            return put_step(who, &ev, &notes);
    }
    return 0;
}
