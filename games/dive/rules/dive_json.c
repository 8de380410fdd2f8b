/* dive_json.c: programs and actions of Dive as JSON. */
#include "dive/rules/dive_json.h"

#include "base/json_in.h"
#include "base/panic.h"

static const char *const verbs[] = {"choose", "program", "ready", "unready", "breathe",
                                    "use",    "axolotl", "stop",  NULL}; /* from 1 */
const char *const dive_stop_names[DIVE_STOP_ORCA + 2] = {"clock", "orca", NULL};

_Static_assert(sizeof verbs / sizeof verbs[0] == DIVE_VERBS, "a name for each verb");

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
        return fm_in_refuse(in, FM_E_LEVEL, FM_VALUES({"levels", DIVE_LEVELS}));
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
    .compile_deck = dive_compile_deck,
    .put_deck = dive_put_deck,
    .parse_position = dive_parse_position,
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
