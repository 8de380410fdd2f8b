/* hall_games.c: /api/games: the games that can be played here, their options, bots and decks. */
#include "server/hall_state.h"

#include "base/panic.h"
#include "core/catalogue.h"

#include <stdlib.h>
#include <string.h>

#define CHECKS_MAX 64 /* most sets of options in a request */
#define PAGE_MAX   65536

/*
 * Decks are compiled once: checking options must cost little. The operator's own come first, then
 * each game's default deck, then the others; so the first of a game is the one that is used if none
 * is named, as in fm_deck_find().
 */
struct srv_games {
    struct fm_library library;
    struct fm_deck *decks;
    size_t n; /* of the text */
    char text[PAGE_MAX];
};

/* ---- decks ----------------------------------------------------------------------------------- */

static bool knows(const struct fm_library *l, const struct fm_deck *deck)
{
    for (size_t i = 0; i < l->n_decks; i++)
        if (l->decks[i].game == deck->game && strcmp(l->decks[i].id, deck->id) == 0)
            return true;
    return false;
}

/* The built-in ones, unless the operator has a deck with the same id. */
static void add_builtin(struct srv_games *g, bool defaults)
{
    struct fm_fault fault;
    for (size_t i = 0; i < fm_deck_builtin_count(); i++) {
        struct fm_deck *deck = &g->decks[g->library.n_decks];
        fm_assert(fm_deck_builtin(deck, i, &fault) == FM_OK);
        if ((strcmp(deck->id, deck->game->deck) == 0) == defaults && !knows(&g->library, deck))
            g->library.n_decks++;
    }
}

static bool gather_decks(struct srv_games *g, const struct fm_library *house)
{
    const size_t own = house != NULL ? house->n_decks : 0;
    g->decks = calloc(own + fm_deck_builtin_count() + 1, sizeof *g->decks);
    if (g->decks == NULL)
        return false;
    if (own > 0)
        memcpy(g->decks, house->decks, own * sizeof *g->decks);
    g->library = (struct fm_library){.decks = g->decks, .n_decks = own};
    add_builtin(g, true);
    add_builtin(g, false);
    return true;
}

/* ---- the page -------------------------------------------------------------------------------- */

static void put_game(struct fm_out *o, const struct fm_library *l, const struct fm_game *g)
{
    fm_js_object(o);
    fm__put_game(o, l, g);
    if (g->ocean != NULL)
        oc_waters_put(o);
    fm_js_end_object(o);
}

struct srv_games *srv_games_create(const struct fm_library *house)
{
    struct srv_games *games = calloc(1, sizeof *games);
    const struct fm_game *g;
    struct fm_out o;
    if (games == NULL || !gather_decks(games, house)) {
        free(games);
        return NULL;
    }
    fm_out_init(&o, games->text, sizeof games->text);
    fm_js_object(&o);
    fm_js_key(&o, "games");
    fm_js_array(&o);
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++)
        put_game(&o, &games->library, g);
    fm_js_end_array(&o);
    fm_js_end_object(&o);
    fm_assert(fm_out_ok(&o)); /* 64 decks of the operator take 20 KB */
    games->n = o.len;
    return games;
}

const struct fm_library *srv_games_library(const struct srv_games *games)
{
    return &games->library;
}

void srv_games_destroy(struct srv_games *games)
{
    if (games != NULL)
        free(games->decks);
    free(games);
}

static void get_games(struct srv_hall *h, struct srv_call *call)
{
    const struct fm_out o = {.buf = h->games->text, .cap = PAGE_MAX, .len = h->games->n};
    srv_answer_out(h, call, 200, &o);
}

/* ---- which options go together --------------------------------------------------------------- */

/* By the rules that are named, or by the newest if rules is NULL. */
static bool put_answer(struct fm_out *o, const struct srv_games *games, const struct fm_game *g,
                       json_t *rules, json_t *options)
{
    json_t *table = json_pack("{s:s,s:O*,s:O}", "game", g->id, "rules", rules, "options", options);
    if (table != NULL)
        fm__put_options_check(o, &games->library, table);
    json_decref(table);
    return table != NULL;
}

static bool check(struct srv_hall *h, struct srv_call *call, const struct fm_game *g, json_t *body,
                  struct fm_fault *fault)
{
    static const char *const keys[] = {"rules", "options", NULL};
    const struct fm_in in = fm_in_root(body, "", fault);
    struct fm_in list;
    struct fm_out o;
    size_t n;
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "options", &list) ||
        !fm_in_array(&list, 1, CHECKS_MAX, &n))
        return false;
    fm_out_init(&o, h->text, SRV_MESSAGE);
    fm_js_object(&o);
    fm_js_key(&o, "answers");
    fm_js_array(&o);
    for (size_t i = 0; i < n; i++)
        if (!put_answer(&o, h->games, g, json_object_get(body, "rules"),
                        json_array_get(list.json, i))) {
            (void)fm_fail_plain(fault, FM_E_MEMORY);
            return false;
        }
    fm_js_end_array(&o);
    fm_js_end_object(&o);
    srv_answer_out(h, call, 200, &o);
    return true;
}

static void post_check(struct srv_hall *h, struct srv_call *call, const struct fm_game *g,
                       const struct srv_http_request *r)
{
    struct fm_fault fault = {.action = -1};
    json_t *body = fm_json_load(r->body, r->n, &fault);
    if (body == NULL || !check(h, call, g, body, &fault))
        srv_answer_error(h, call, &fault);
    json_decref(body);
}

void srv_games_handle(struct srv_hall *h, struct srv_call *call, const struct srv_http_request *r,
                      const char *rest)
{
    static const char ending[] = "/check";
    struct fm_fault fault = {.action = -1};
    const struct fm_game *g;
    if (rest[0] == '\0' && strcmp(r->method, "GET") == 0) {
        get_games(h, call);
        return;
    }
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        const size_t n = strlen(g->id);
        if (strcmp(r->method, "POST") == 0 && rest[0] == '/' && strncmp(rest + 1, g->id, n) == 0 &&
            strcmp(rest + 1 + n, ending) == 0) {
            post_check(h, call, g, r);
            return;
        }
    }
    fm_fail_plain(&fault, FM_E_NO_PATH);
    srv_answer_error(h, call, &fault);
}
