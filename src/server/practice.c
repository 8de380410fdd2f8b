/*
 * practice.c: /api/practice: stacks to practise looking at, which belong to no game.
 *
 * A practice is nothing but its id: one half is random, the other proves that this site made it.
 * The stack follows from the id and a key, so nothing has to be stored. A single server draws the
 * key when it starts, so its ids are invalid after a restart; it remembers for which of the latest
 * ids a guess was made, and shows the sheets only then. Nodes that share a store share its key:
 * each of them serves any id, and since none knows of guesses made at another, they show the sheets
 * to everybody.
 */
#include "server/hall_state.h"

#include "server/archive_pictures.h"
#include "server/picture_waits.h"

#include "base/hash.h"
#include "base/panic.h"

#include <fathom/ocean.h>

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define CHANCE  8 /* random bytes of an id; the others are the proof */
#define GUESSED 4096
#define ROUNDS  3 /* stacks are as high as in one of the first so many rounds */

struct id {
    uint8_t bytes[SRV_ARCHIVE_ID];
};

struct srv_practice {
    uint8_t key[ST_KEY_BYTES];
    struct fm_setup setup; /* its game is NULL if none has a stack */
    unsigned n_guessed;
    struct id guessed[GUESSED]; /* the last ones, in a ring */
};

struct srv_practice *srv_practice_create(struct st_store *store, struct fm_fault *fault)
{
    const struct fm_game *game = oc_game();
    struct srv_practice *p = calloc(1, sizeof *p);
    json_t *table = game != NULL ? json_pack("{s:s}", "game", game->id) : json_object();
    bool fine = p != NULL && table != NULL;
    if (!fine)
        fm_fail_plain(fault, FM_E_MEMORY);
    else if (st_shared(store))
        fine = st_read_key(store, p->key, fault) == FM_OK;
    else
        srv_random(p->key, sizeof p->key);
    if (fine && game != NULL)
        fm_assert(fm_setup_parse(&p->setup, table, NULL, fault) == FM_OK);
    json_decref(table);
    if (fine)
        return p;
    free(p);
    return NULL;
}

void srv_practice_destroy(struct srv_practice *p)
{
    if (p != NULL)
        sodium_memzero(p->key, sizeof p->key);
    free(p);
}

/* ---- ids ------------------------------------------------------------------------------------- */

/* Derives bytes from the id's random half and the key. */
static void derive(const struct srv_practice *p, const struct id *id, char domain, uint8_t *out,
                   size_t n)
{
    uint8_t in[1 + CHANCE] = {(uint8_t)domain};
    memcpy(in + 1, id->bytes, CHANCE);
    fm_assert(crypto_generichash(out, n, in, sizeof in, p->key, sizeof p->key) == 0);
}

static void prove(const struct srv_practice *p, struct id *id)
{
    uint8_t proof[crypto_generichash_BYTES_MIN];
    derive(p, id, 'i', proof, sizeof proof);
    memcpy(id->bytes + CHANCE, proof, sizeof id->bytes - CHANCE);
}

static bool read_id(const struct srv_practice *p, const char *text, size_t n, struct id *id,
                    struct fm_fault *fault)
{
    char hex[2 * sizeof id->bytes + 1];
    if (n == sizeof hex - 1) {
        memcpy(hex, text, n);
        hex[n] = '\0';
        if (fm__unhex(id->bytes, sizeof id->bytes, hex) == 0) {
            struct id right = *id;
            prove(p, &right);
            if (sodium_memcmp(right.bytes, id->bytes, sizeof right.bytes) == 0)
                return true;
        }
    }
    fm_fail(fault, FM_E_GONE,
            "there is no such practice: it ends when the server starts anew; begin another");
    return false;
}

static bool has_guessed(const struct srv_practice *p, const struct id *id)
{
    for (unsigned i = 0; i < GUESSED && i < p->n_guessed; i++)
        if (memcmp(&p->guessed[i], id, sizeof *id) == 0)
            return true;
    return false;
}

static void remember(struct srv_practice *p, const struct id *id)
{
    if (!has_guessed(p, id))
        p->guessed[p->n_guessed++ % GUESSED] = *id;
    if (p->n_guessed == 2 * GUESSED) /* it only has to show that the ring is full */
        p->n_guessed = GUESSED;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static const struct fm_ocean *ocean_of(const struct srv_practice *p)
{
    return p->setup.game->ocean;
}

/* As in one of the first rounds of a game, with lamps. */
static void describe_stack(const struct srv_practice *p, const struct id *id,
                           struct srv_archive_stack *stack)
{
    struct fm_setup setup = p->setup;
    uint8_t chance[sizeof setup.seed + 1];
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    derive(p, id, 's', chance, sizeof chance);
    memcpy(setup.seed, chance, sizeof setup.seed);
    fm_assert(fm_init(match, &setup, NULL) == FM_OK);
    memset(stack, 0, sizeof *stack);
    memcpy(stack->id, id->bytes, sizeof stack->id);
    oc_deal_of(&stack->deal, setup.game, match);
    stack->water = oc_waters;
    stack->left = stack->deal.n - chance[sizeof chance - 1] % ROUNDS * ocean_of(p)->levels;
    stack->lamps = true;
    stack->need = OC_AHEAD; /* pictures of games go first, also of finished ones */
}

/* ---- requests -------------------------------------------------------------------------------- */

struct exchange {
    struct srv_hall *hall;
    struct srv_call *call;
    const struct srv_http_request *r;
    struct id id;
    const char *rest; /* the path after the id */
    struct fm_fault fault;
};

static bool begin(struct exchange *a)
{
    static const char *const keys[] = {NULL};
    char text[128];
    struct fm_out o;
    json_t *body = a->r->n > 0 ? fm_json_load(a->r->body, a->r->n, &a->fault) : json_object();
    const struct fm_in in = fm_in_root(body, "", &a->fault);
    const bool fine = body != NULL && fm_in_object(&in, keys);
    json_decref(body);
    if (!fine)
        return false;
    srv_random(a->id.bytes, CHANCE);
    prove(a->hall->practice, &a->id);
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "practice");
    fm_js_hex(&o, a->id.bytes, sizeof a->id.bytes);
    fm_js_key_int(&o, "levels", ocean_of(a->hall->practice)->levels);
    fm_js_end_object(&o);
    srv_answer_out(a->hall, a->call, 201, &o);
    return true;
}

/* {"guess":["shark",null,…]}: checks only its form: the player compares it with the sheets. */
static bool read_guess(json_t *body, const struct fm_ocean *ocean, struct fm_fault *fault)
{
    static const char *const keys[] = {"guess", NULL};
    const struct fm_in in = fm_in_root(body, "", fault);
    struct fm_in list;
    size_t n;
    int kind;
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "guess", &list) ||
        !fm_in_array(&list, ocean->levels, ocean->levels, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&list, i);
        if (!json_is_null(one.json) && !fm_in_word(&one, ocean->kinds, &kind))
            return false;
    }
    return true;
}

static bool guess(struct exchange *a)
{
    char text[256];
    const struct fm_ocean *ocean = ocean_of(a->hall->practice);
    struct srv_archive_stack g;
    struct fm_out o;
    json_t *body = fm_json_load(a->r->body, a->r->n, &a->fault);
    const bool fine = body != NULL && read_guess(body, ocean, &a->fault);
    json_decref(body);
    if (!fine)
        return false;
    remember(a->hall->practice, &a->id);
    describe_stack(a->hall->practice, &a->id, &g);
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "truth");
    fm_js_array(&o);
    for (int level = 1; level <= ocean->levels; level++)
        fm_js_text(&o, ocean->kinds[g.deal.kind[g.left - level]]);
    fm_js_end_array(&o);
    fm_js_key(&o, "sheets");
    fm_js_bool(&o, true);
    fm_js_end_object(&o);
    srv_answer_out(a->hall, a->call, 200, &o);
    return true;
}

static struct srv_viewer viewer_of(const struct exchange *a)
{
    return (struct srv_viewer){.call = a->call, .address = a->r->address, .seat = FM_WATCHER};
}

static bool see_sheet(struct exchange *a, struct srv_archive_pictures *all, const char *level)
{
    struct srv_archive_stack g;
    if (level[0] < '1' || level[0] > '0' + ocean_of(a->hall->practice)->levels ||
        strcmp(level + 1, ".jpg") != 0)
        return fm_fail_plain(&a->fault, FM_E_NO_PATH) == FM_OK;
    if (!a->hall->shared && !has_guessed(a->hall->practice, &a->id))
        return fm_fail(&a->fault, FM_E_PHASE, "the sheets are shown after a guess") == FM_OK;
    describe_stack(a->hall->practice, &a->id, &g);
    const struct srv_viewer viewer = viewer_of(a);
    return srv_archive_sheet(all, &g, g.left - (level[0] - '0'), false, &viewer, a->hall->now_ms,
                             &a->fault) == FM_OK;
}

static bool see(struct exchange *a)
{
    static const char sheet[] = "sheet/";
    struct srv_archive_pictures *all = srv_oceans_archive(a->hall->oceans);
    struct srv_archive_stack g;
    struct oc_look look;
    if (all == NULL)
        return fm_fail(&a->fault, FM_E_NO_PATH, "there are no pictures here") == FM_OK;
    if (strncmp(a->rest + 1, sheet, sizeof sheet - 1) == 0)
        return see_sheet(a, all, a->rest + sizeof sheet);
    if (srv_read_look(&look, a->rest + 1, &a->fault) != FM_OK)
        return false;
    describe_stack(a->hall->practice, &a->id, &g);
    const struct srv_viewer viewer = viewer_of(a);
    return srv_archive_look(all, &g, look, &viewer, a->hall->now_ms, &a->fault) == FM_OK;
}

static bool answer(struct exchange *a, const char *rest)
{
    const bool post = strcmp(a->r->method, "POST") == 0, get = strcmp(a->r->method, "GET") == 0;
    if (a->hall->practice->setup.game == NULL)
        return fm_fail(&a->fault, FM_E_NO_PATH, "no game here has a stack to look into") == FM_OK;
    if (rest[0] == '\0' && post)
        return begin(a);
    const size_t n = rest[0] == '/' ? strcspn(rest + 1, "/") : 0;
    if (n == 0 || rest[1 + n] != '/')
        return fm_fail_plain(&a->fault, FM_E_NO_PATH) == FM_OK;
    a->rest = rest + 1 + n;
    if (!read_id(a->hall->practice, rest + 1, n, &a->id, &a->fault))
        return false;
    if (post && strcmp(a->rest, "/guess") == 0)
        return guess(a);
    return get ? see(a) : fm_fail_plain(&a->fault, FM_E_NO_PATH) == FM_OK;
}

void srv_practice_handle(struct srv_hall *h, struct srv_call *call,
                         const struct srv_http_request *r, const char *rest)
{
    struct exchange a = {.hall = h, .call = call, .r = r, .fault = {.action = -1}};
    if (!answer(&a, rest))
        srv_answer_error(h, call, &a.fault);
}
