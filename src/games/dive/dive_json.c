/* dive_json.c: Dive on the wire: decks, positions, programs, actions. */
#include "games/dive/dive_json.h"

#include "base/bits.h"
#include "base/json_in.h"
#include "base/panic.h"

#include <string.h>

static const char *const verbs[] = {"choose", "program", "ready", "unready", "breathe",
                                    "use",    "axolotl", "stop",  NULL}; /* from 1 */
const char *const dive_stop_names[DIVE_STOP_ORCA + 2] = {"clock", "orca", NULL};

_Static_assert(sizeof verbs / sizeof verbs[0] == DIVE_VERBS, "a name for each verb");

/* ---- decks: how many sheets of each kind ---------------------------------------------------- */

static bool read_count(const struct fm_in *in, uint8_t count[DIVE_KINDS], unsigned *named)
{
    static const char *const keys[] = {"card", "count", NULL};
    struct fm_in value;
    int kind, n;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "card", &value) ||
        !fm_in_word(&value, dive_kind_names, &kind))
        return false;
    if (*named >> kind & 1)
        return fm_in_fail(&value, FM_E_DECK, "\"%s\" stands here twice", dive_kind_names[kind]);
    if (!fm_in_get(in, "count", &value) || !fm_in_int(&value, 0, DIVE_CARDS, &n))
        return false;
    *named |= 1u << kind;
    count[kind] = (uint8_t)n;
    return true;
}

static enum fm_err compile_deck(struct fm_deck *deck, json_t *root, struct fm_fault *fault)
{
    static const char *const keys[] = {"fathom_deck", "id",    "game", "title",
                                       "about",       "cards", NULL};
    const struct fm_in in = fm_in_root(root, "", fault);
    uint8_t count[DIVE_KINDS] = {0};
    unsigned named = 0, total = 0;
    struct fm_in list;
    size_t n;
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "cards", &list) ||
        !fm_in_array(&list, 1, DIVE_KINDS, &n))
        return fault->code;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&list, i);
        if (!read_count(&one, count, &named))
            return fault->code;
    }
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
        total += count[kind];
    if (total != DIVE_CARDS)
        return fm_fail(fault, FM_E_DECK, "cards: a Dive deck has %d sheets, these counts make %u",
                       DIVE_CARDS, total);
    memcpy(deck->cards, count, sizeof count);
    return FM_OK;
}

static void put_deck(struct fm_out *o, const struct fm_deck *deck)
{
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++) {
        fm_put_int(o, deck->cards[kind]);
        fm_put(o, " ");
        fm_put(o, dive_kind_names[kind]);
        fm_put(o, "\n");
    }
}

/* ---- positions ------------------------------------------------------------------------------ */

static bool read_stack(const struct fm_in *in, const struct fm_deck *deck,
                       struct dive_position *out)
{
    size_t n;
    if (!fm_in_array(in, 0, DIVE_CARDS, &n))
        return false;
    if (n == 0)
        return fm_in_fail(in, FM_E_SETUP, "the stack is empty, the game is over already");
    for (size_t i = 0; i < n; i++) {
        const struct fm_in card = fm_in_at(in, i);
        int kind;
        if (!fm_in_word(&card, dive_kind_names, &kind))
            return false;
        if (deck->cards[kind] == 0)
            return fm_in_fail(&card, FM_E_SETUP, "the deck has no card \"%s\"",
                              dive_kind_names[kind]);
        out->stack[i] = (uint8_t)kind;
    }
    out->stack_n = (uint8_t)n;
    return true;
}

static bool read_pawn(const struct fm_in *in, uint8_t *out)
{
    int space;
    if (!fm_in_int(in, 0, 250, &space))
        return false;
    if (space >= DIVE_GOAL)
        return fm_in_fail(in, FM_E_SETUP, "a pawn on %d or beyond: the game is over already",
                          DIVE_GOAL);
    *out = (uint8_t)space;
    return true;
}

static bool read_pawns(const struct fm_in *in, size_t seats, struct dive_position *out)
{
    size_t n;
    if (!fm_in_array(in, seats, seats, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in pawn = fm_in_at(in, i);
        if (!read_pawn(&pawn, &out->pawn[i]))
            return false;
    }
    return true;
}

/* The yellow levels of a chief card: 4, or 3 and 4. */
static bool read_yellow(const struct fm_in *in, unsigned *yellow)
{
    size_t n;
    *yellow = 0;
    if (!fm_in_array(in, 0, DIVE_CHIEF_LEVELS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        int level;
        if (!fm_in_int(&one, 1, DIVE_CHIEF_LEVELS, &level))
            return false;
        *yellow |= 1u << (level - 1);
    }
    return (fm__count(*yellow) == n && (*yellow == 0x8 || *yellow == 0xc)) ||
           fm_in_fail(in, FM_E_SETUP, "a chief card is yellow on level 4, or on 3 and 4");
}

static bool read_chief_card(const struct fm_in *in, uint8_t *out)
{
    static const char *const keys[] = {"speeds", "yellow", NULL};
    struct fm_in speeds, value;
    uint8_t wanted[DIVE_CHIEF_LEVELS], speed[DIVE_CHIEF_LEVELS], colours;
    unsigned yellow;
    size_t n;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "speeds", &speeds) ||
        !fm_in_array(&speeds, DIVE_CHIEF_LEVELS, DIVE_CHIEF_LEVELS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&speeds, i);
        int number;
        if (!fm_in_int(&one, 2, 6, &number))
            return false;
        wanted[i] = (uint8_t)number;
    }
    if (!fm_in_get(in, "yellow", &value) || !read_yellow(&value, &yellow))
        return false;
    for (unsigned card = 0; card < DIVE_CHIEF_CARDS; card++) {
        dive_chief_card(card, speed, &colours);
        if (colours == yellow && memcmp(speed, wanted, sizeof speed) == 0) {
            *out = (uint8_t)card;
            return true;
        }
    }
    return fm_in_fail(&speeds, FM_E_SETUP, "a chief card shows 2, 3, 4 and 6 in some order");
}

static bool read_chief_cards(const struct fm_in *in, struct dive_position *out)
{
    size_t n;
    if (!fm_in_array(in, 0, DIVE_CHIEF_CARDS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in card = fm_in_at(in, i);
        if (!read_chief_card(&card, &out->chief[i]))
            return false;
    }
    out->chief_n = (uint8_t)n;
    return true;
}

static bool read_companions(const struct fm_in *in, const struct fm_setup *setup,
                            struct dive_position *out)
{
    const unsigned in_play =
        dive_companions_in_play(setup->option[DIVE_OPT_COMPANIONS], setup->option[DIVE_OPT_CHIEF]);
    unsigned given = 0;
    size_t n;
    if (!fm_in_array(in, setup->n_seats, setup->n_seats, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        int companion;
        if (json_is_null(one.json))
            continue;
        if (!fm_in_word(&one, dive_companion_names, &companion))
            return false;
        if (!(in_play >> companion & 1))
            return fm_in_fail(&one, FM_E_SETUP, "\"%s\" is not in play at this table",
                              dive_companion_names[companion]);
        if (given >> companion & 1)
            return fm_in_fail(&one, FM_E_SETUP, "\"%s\" is given twice",
                              dive_companion_names[companion]);
        given |= 1u << companion;
        out->companion[i] = (uint8_t)companion;
    }
    return true;
}

/* A key of the chief's: given, and not to a table without it; null says nothing. */
static bool read_has_chief(const struct fm_in *in, const char *key, bool chief, struct fm_in *value,
                           bool *has)
{
    *has = fm_in_has(in, key, value) && (chief || !json_is_null(value->json));
    return !*has || chief ||
           fm_in_fail(value, FM_E_SETUP, "this table is without the village chief");
}

static bool read_position(const struct fm_setup *setup, const struct fm_in *in,
                          struct dive_position *out)
{
    static const char *const keys[] = {"stack",       "pawns",      "chief_pawn",
                                       "chief_cards", "companions", NULL};
    const bool chief = setup->option[DIVE_OPT_CHIEF];
    struct fm_in value;
    if (!fm_in_object(in, keys))
        return false;
    memset(out->companion, DIVE_NONE, sizeof out->companion);
    if ((out->has_stack = fm_in_has(in, "stack", &value)) && !read_stack(&value, &setup->deck, out))
        return false;
    if (fm_in_has(in, "pawns", &value) && !read_pawns(&value, setup->n_seats, out))
        return false;
    if (!read_has_chief(in, "chief_pawn", chief, &value, &out->has_chief_pawn) ||
        (out->has_chief_pawn && !read_pawn(&value, &out->pawn[DIVE_CHIEF])))
        return false;
    if (!read_has_chief(in, "chief_cards", chief, &value, &out->has_chief_cards) ||
        (out->has_chief_cards && !read_chief_cards(&value, out)))
        return false;
    const bool companions = setup->option[DIVE_OPT_COMPANIONS];
    out->has_companions =
        fm_in_has(in, "companions", &value) && (companions || !json_is_null(value.json));
    return !out->has_companions || read_companions(&value, setup, out);
}

static enum fm_err parse_position(struct fm_setup *setup, json_t *json, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "setup", fault);
    struct dive_position position = {0};
    if (!read_position(setup, &in, &position))
        return fault->code;
    memcpy(setup->position, &position, sizeof position);
    setup->has_position = true;
    return FM_OK;
}

/* ---- programs ------------------------------------------------------------------------------- */

/* The tokens of one level into the program. */
static bool read_tokens(const struct fm_in *in, unsigned level, uint32_t *program)
{
    size_t n;
    if (!fm_in_array(in, 0, DIVE_TOKENS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        int worth;
        if (!fm_in_int(&one, 1, DIVE_TOKENS, &worth))
            return false;
        if (dive_token_level(*program, (unsigned)worth - 1) != 0)
            return fm_in_fail(&one, FM_E_TOKEN_TWICE, "the token %d lies on one level only", worth);
        *program |= level << 3 * (worth - 1);
    }
    return true;
}

static bool read_face(const struct fm_in *in, unsigned level, uint32_t *program)
{
    struct fm_in value;
    bool shark;
    if (!fm_in_get(in, "shark", &value) || !fm_in_bool(&value, &shark))
        return false;
    *program |= (uint32_t)shark << (DIVE_FACE_BIT + level - 1);
    return true;
}

/* One level: with tokens or, for children, with a face alone, but all alike. */
static bool read_level(const struct fm_in *in, unsigned level, bool plain, uint32_t *program)
{
    static const char *const both[] = {"tokens", "shark", NULL};
    static const char *const face[] = {"shark", NULL};
    struct fm_in value;
    if (!fm_in_object(in, plain ? face : both) || !read_face(in, level, program))
        return false;
    if (plain) {
        *program += 1u << DIVE_PLAIN_BIT;
        return true;
    }
    if (!fm_in_get(in, "tokens", &value) || !read_tokens(&value, level, program))
        return false;
    if (json_array_size(value.json) == 0) /* a face where nothing lies says nothing */
        *program &= ~(1u << (DIVE_FACE_BIT + level - 1));
    return true;
}

static bool read_levels(const struct fm_in *in, uint32_t *program)
{
    size_t n;
    if (json_is_array(in->json) && json_array_size(in->json) > DIVE_LEVELS)
        return fm_in_fail(in, FM_E_LEVEL, "%s", fm_err_text(FM_E_LEVEL));
    if (!fm_in_array(in, 0, DIVE_LEVELS, &n))
        return false;
    bool plain = false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in level = fm_in_at(in, i);
        if (i == 0)
            plain = json_is_object(level.json) && !json_object_get(level.json, "tokens");
        if (!read_level(&level, (unsigned)i + 1, plain, program))
            return false;
    }
    return true;
}

static bool read_program(const struct fm_in *in, uint64_t *rest)
{
    static const char *const face[] = {"shark", NULL};
    struct fm_in value;
    uint32_t program = 0;
    int level;
    if (!fm_in_get(in, "levels", &value) || !read_levels(&value, &program))
        return false;
    if (fm_in_has(in, "clownfish", &value)) {
        if (!fm_in_int(&value, 1, DIVE_LEVELS, &level))
            return false;
        program |= (uint32_t)level << DIVE_CLOWNFISH_BIT;
    }
    if (fm_in_has(in, "anglerfish", &value)) {
        if (!fm_in_object(&value, face) || !read_face(&value, DIVE_DEEPEST, &program))
            return false;
        program |= DIVE_SIXTH;
    }
    *rest = program;
    return true;
}

static void js_level(struct fm_out *o, uint32_t program, unsigned level)
{
    fm_js_object(o);
    if (dive_plain_levels(program) == 0) {
        fm_js_key(o, "tokens");
        fm_js_array(o);
        for (unsigned token = 0; token < DIVE_TOKENS; token++)
            if (dive_token_level(program, token) == level)
                fm_js_int(o, token + 1);
        fm_js_end_array(o);
    }
    fm_js_key(o, "shark");
    fm_js_bool(o, dive_face(program, level));
    fm_js_end_object(o);
}

void dive_js_program_keys(struct fm_out *o, uint32_t program)
{
    const uint32_t filled = dive_filled(program) & ((1u << DIVE_LEVELS) - 1);
    fm_js_key(o, "levels");
    fm_js_array(o);
    for (unsigned level = 1; filled >> (level - 1) != 0; level++)
        js_level(o, program, level);
    fm_js_end_array(o);
    if (dive_clownfish(program))
        fm_js_key_int(o, "clownfish", dive_clownfish(program));
    if (program & DIVE_SIXTH) {
        fm_js_key(o, "anglerfish");
        fm_js_object(o);
        fm_js_key(o, "shark");
        fm_js_bool(o, dive_face(program, DIVE_DEEPEST));
        fm_js_end_object(o);
    }
}

void dive_js_program(struct fm_out *o, uint32_t program)
{
    fm_js_object(o);
    dive_js_program_keys(o, program);
    fm_js_end_object(o);
}

/* ---- actions -------------------------------------------------------------------------------- */

static bool read_place(const struct fm_in *in, const char *key, uint64_t *out)
{
    struct fm_in value;
    double number;
    if (!fm_in_get(in, key, &value) || !fm_in_real(&value, 0, 1, &number))
        return false;
    *out = (uint64_t)(number * DIVE_OCTOPUS_SCALE + 0.5);
    return true;
}

static bool read_use(const struct fm_in *in, uint64_t *rest)
{
    static const char *const plain[] = {"do", "companion", NULL};
    static const char *const dolphins[] = {"do", "companion", "target", NULL};
    static const char *const octopus[] = {"do", "companion", "x", "y", NULL};
    struct fm_in value;
    uint64_t x, y;
    int companion, target;
    if (!fm_in_get(in, "companion", &value) ||
        !fm_in_word(&value, dive_companion_names, &companion))
        return false;
    *rest = (uint64_t)companion;
    switch (companion) {
    case DIVE_DOLPHINS:
        if (!fm_in_object(in, dolphins) || !fm_in_get(in, "target", &value) ||
            !fm_in_int(&value, 0, FM_MAX_SEATS - 1, &target))
            return false;
        *rest |= (uint64_t)target << 8;
        return true;
    case DIVE_OCTOPUS:
        if (!fm_in_object(in, octopus) || !read_place(in, "x", &x) || !read_place(in, "y", &y))
            return false;
        *rest |= x << 8 | y << 24;
        return true;
    default:
        return fm_in_object(in, plain);
    }
}

static bool read_rest(const struct fm_in *in, enum dive_verb verb, uint64_t *rest)
{
    struct fm_in value;
    bool use;
    int word;
    switch (verb) {
    case DIVE_DO_CHOOSE:
        if (!fm_in_get(in, "companion", &value) || !fm_in_word(&value, dive_companion_names, &word))
            return false;
        *rest = (uint64_t)word;
        return true;
    case DIVE_DO_PROGRAM:
        return read_program(in, rest);
    case DIVE_DO_USE:
        return read_use(in, rest);
    case DIVE_DO_AXOLOTL:
        if (!fm_in_get(in, "use", &value) || !fm_in_bool(&value, &use))
            return false;
        *rest = use;
        return true;
    case DIVE_DO_STOP:
        if (!fm_in_get(in, "why", &value) || !fm_in_word(&value, dive_stop_names, &word))
            return false;
        *rest = (uint64_t)word;
        return true;
    default:
        return true;
    }
}

static bool read_action(const struct fm_in *in, fm_action *out)
{
    static const char *const none[] = {"do", NULL};
    static const char *const choose[] = {"do", "companion", NULL};
    static const char *const program[] = {"do", "levels", "clownfish", "anglerfish", NULL};
    static const char *const use[] = {"do", "companion", "target", "x", "y", NULL};
    static const char *const axolotl[] = {"do", "use", NULL};
    static const char *const stop[] = {"do", "why", NULL};
    static const char *const *const keys[] = {choose, program, none,    none,
                                              none,   use,     axolotl, stop};
    struct fm_in value;
    uint64_t rest = 0;
    int verb;
    if (!fm_in_get(in, "do", &value) || !fm_in_word(&value, verbs, &verb) ||
        !fm_in_object(in, keys[verb]) || !read_rest(in, (enum dive_verb)(verb + 1), &rest))
        return false;
    *out = dive_action((enum dive_verb)(verb + 1), rest);
    return true;
}

static enum fm_err parse_action(fm_action *out, json_t *json, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "", fault);
    return read_action(&in, out) ? FM_OK : fault->code;
}

/* "companion" and, where it says more, whom or where. */
void dive_js_use(struct fm_out *o, uint64_t rest)
{
    const unsigned companion = rest & 0xff;
    fm_js_key_text(o, "companion", dive_companion_names[companion]);
    if (companion == DIVE_DOLPHINS)
        fm_js_key_int(o, "target", (int64_t)(rest >> 8));
    if (companion == DIVE_OCTOPUS) {
        fm_js_key(o, "x");
        fm_js_fixed(o, (double)(rest >> 8 & 0xffff) / DIVE_OCTOPUS_SCALE, 4);
        fm_js_key(o, "y");
        fm_js_fixed(o, (double)(rest >> 24 & 0xffff) / DIVE_OCTOPUS_SCALE, 4);
    }
}

static void put_action(struct fm_out *o, fm_action a)
{
    const unsigned verb = fm_verb(a);
    const uint64_t rest = dive_action_rest(a);
    fm_assert(verb > 0 && verb < DIVE_VERBS);
    fm_js_key_text(o, "do", verbs[verb - 1]);
    switch (verb) {
    case DIVE_DO_CHOOSE:
        fm_js_key_text(o, "companion", dive_companion_names[rest]);
        break;
    case DIVE_DO_PROGRAM:
        dive_js_program_keys(o, (uint32_t)rest);
        break;
    case DIVE_DO_USE:
        dive_js_use(o, rest);
        break;
    case DIVE_DO_AXOLOTL:
        fm_js_key(o, "use");
        fm_js_bool(o, rest != 0);
        break;
    case DIVE_DO_STOP:
        fm_js_key_text(o, "why", dive_stop_names[rest]);
        break;
    default:
        break;
    }
}

/* `program` without its levels, the octopus without its place. */
static void put_legal(struct fm_out *o, fm_action a)
{
    const bool octopus = fm_verb(a) == DIVE_DO_USE && (dive_action_rest(a) & 0xff) == DIVE_OCTOPUS;
    if (fm_verb(a) != DIVE_DO_PROGRAM && !octopus) {
        put_action(o, a);
        return;
    }
    fm_js_key_text(o, "do", verbs[fm_verb(a) - 1]);
    if (octopus)
        fm_js_key_text(o, "companion", dive_companion_names[DIVE_OCTOPUS]);
}

const struct fm_wire dive_wire = {
    .compile_deck = compile_deck,
    .put_deck = put_deck,
    .parse_position = parse_position,
    .parse_action = parse_action,
    .put_action = put_action,
    .put_legal = put_legal,
    .put_view = dive_put_view,
    .put_state = dive_put_state,
    .put_note = dive_put_note,
    .put_result = dive_put_result,
    .put_board = dive_put_board,
    .put_sentence = dive_put_sentence,
};
