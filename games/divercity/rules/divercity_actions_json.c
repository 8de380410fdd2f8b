/* divercity_actions_json.c: DiverCity on the wire: actions, read and written. */
#include "divercity/rules/divercity_names.h"

#include "base/panic.h"

/* From 1; the last is spelled "diver", too. */
static const char *const verbs[] = {"take",   "pass",  "rig",   "industry", "play",
                                    "walkie", "close", "diver", "reorder",  "strike",
                                    "end",    "claim", "show",  NULL};

_Static_assert(sizeof verbs / sizeof verbs[0] == DIVERCITY_DO_COMMUNICATIONS, "a name each");

/* ---- reading ---------------------------------------------------------------------------------- */

static bool get_int(const struct fm_in *in, const char *key, int max, unsigned *out)
{
    struct fm_in value;
    int number;
    if (!fm_in_get(in, key, &value) || !fm_in_int(&value, 0, max, &number))
        return false;
    *out = (unsigned)number;
    return true;
}

static bool get_word(const struct fm_in *in, const char *key, const char *const *words,
                     unsigned *out)
{
    struct fm_in value;
    int number;
    if (!fm_in_get(in, key, &value) || !fm_in_word(&value, words, &number))
        return false;
    *out = (unsigned)number;
    return true;
}

/* One to three signs as a number from 1: see divercity_talk(). */
static bool read_sign(const struct fm_in *in, unsigned *out)
{
    static const unsigned before[] = {0, 0, DIVERCITY_SIGNS,
                                      DIVERCITY_SIGNS + DIVERCITY_SIGNS * DIVERCITY_SIGNS};
    size_t n;
    unsigned number = 0;
    if (!fm_in_array(in, 1, DIVERCITY_SIGNS_A_CARD, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        int sign;
        if (!fm_in_int(&one, 0, DIVERCITY_SIGNS - 1, &sign))
            return false;
        number = number * DIVERCITY_SIGNS + (unsigned)sign;
    }
    *out = 1 + before[n] + number;
    return true;
}

static bool read_talk(const struct fm_in *in, enum divercity_verb verb, fm_action *out)
{
    struct fm_in value;
    unsigned target;
    uint64_t signs = 0;
    size_t n;
    if (!get_int(in, "target", DIVERCITY_HANDS - 1, &target))
        return false;
    if (fm_in_has(in, "signs", &value)) {
        if (!fm_in_array(&value, 1, DIVERCITY_HAND, &n))
            return false;
        for (size_t i = 0; i < n; i++) {
            const struct fm_in card = fm_in_at(&value, i);
            unsigned sign;
            if (!read_sign(&card, &sign))
                return false;
            signs |= (uint64_t)sign << i * DIVERCITY_SIGN_BITS;
        }
    }
    *out = divercity_talk(verb, target, signs);
    return true;
}

static bool read_list(const struct fm_in *in, const char *key, enum divercity_verb verb,
                      fm_action *out)
{
    struct fm_in value;
    size_t n;
    if (!fm_in_get(in, key, &value) || !fm_in_array(&value, 0, DIVERCITY_LOOK, &n))
        return false;
    *out = verb;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&value, i);
        int place;
        if (!fm_in_int(&one, 0, DIVERCITY_LOOK - 1, &place))
            return false;
        *out = divercity_list_add(*out, (unsigned)place);
    }
    return true;
}

static bool read_use(const struct fm_in *in, fm_action *out)
{
    static const char *const species_keys[] = {"do", "use", "species", NULL};
    static const char *const target_keys[] = {"do", "use", "target", NULL};
    static const char *const hotel_keys[] = {"do", "use", "hotel", NULL};
    static const char *const no_keys[] = {"do", "use", NULL};
    static const char *const card_keys[] = {"do", "use", "card", NULL};
    static const char *const talk_keys[] = {"do", "use", "target", "signs", NULL};
    static const char *const *const keys[] = {species_keys, species_keys, target_keys, hotel_keys,
                                              no_keys,      no_keys,      card_keys,   talk_keys};
    unsigned diver, what = 0;
    bool read = true;
    if (!get_word(in, "use", divercity_diver_names, &diver) || !fm_in_object(in, keys[diver]))
        return false;
    if (diver == DIVERCITY_COMMUNICATIONS)
        return read_talk(in, DIVERCITY_DO_COMMUNICATIONS, out);
    if (keys[diver] == species_keys)
        read = get_word(in, "species", divercity_species_names, &what);
    else if (keys[diver] == target_keys)
        read = get_int(in, "target", DIVERCITY_HANDS - 1, &what);
    else if (keys[diver] == hotel_keys)
        read = get_word(in, "hotel", divercity_colour_names, &what);
    else if (keys[diver] == card_keys)
        read = get_int(in, "card", DIVERCITY_HAND - 1, &what);
    *out = divercity_action(DIVERCITY_DO_DIVER, diver, what);
    return read;
}

static bool read_claim(const struct fm_in *in, fm_action *out)
{
    struct fm_in value;
    unsigned card, hand = DIVERCITY_NONE;
    int species = DIVERCITY_NONE;
    if (!get_int(in, "card", DIVERCITY_HAND - 1, &card) || !fm_in_get(in, "species", &value))
        return false;
    if (!json_is_null(value.json) && !fm_in_word(&value, divercity_species_names, &species))
        return false;
    if (fm_in_has(in, "target", &value) && !get_int(in, "target", DIVERCITY_HANDS - 1, &hand))
        return false;
    *out = divercity_claim(card, (unsigned)species, hand);
    return true;
}

static bool read_action(const struct fm_in *in, fm_action *out)
{
    static const char *const no_keys[] = {"do", NULL};
    static const char *const take_keys[] = {"do", "diver", NULL};
    static const char *const card_keys[] = {"do", "card", NULL};
    static const char *const talk_keys[] = {"do", "target", "signs", NULL};
    static const char *const close_keys[] = {"do", "card", "hotel", NULL};
    static const char *const order_keys[] = {"do", "order", NULL};
    static const char *const strike_keys[] = {"do", "cards", NULL};
    static const char *const claim_keys[] = {"do", "card", "species", "target", NULL};
    static const char *const *const keys[] = {
        take_keys, no_keys,    card_keys,   card_keys, card_keys,  talk_keys, close_keys,
        NULL,      order_keys, strike_keys, no_keys,   claim_keys, no_keys};
    unsigned verb, a = 0, b = 0;
    if (!get_word(in, "do", verbs, &verb) || (keys[verb] && !fm_in_object(in, keys[verb])))
        return false;
    bool read = true;
    switch ((enum divercity_verb)(verb + 1)) {
    case DIVERCITY_DO_WALKIE:
        return read_talk(in, DIVERCITY_DO_WALKIE, out);
    case DIVERCITY_DO_DIVER:
        return read_use(in, out);
    case DIVERCITY_DO_REORDER:
        return read_list(in, "order", DIVERCITY_DO_REORDER, out);
    case DIVERCITY_DO_STRIKE:
        return read_list(in, "cards", DIVERCITY_DO_STRIKE, out);
    case DIVERCITY_DO_CLAIM:
        return read_claim(in, out);
    case DIVERCITY_DO_TAKE:
        read = get_word(in, "diver", divercity_diver_names, &a);
        break;
    case DIVERCITY_DO_RIG:
    case DIVERCITY_DO_INDUSTRY:
    case DIVERCITY_DO_PLAY:
        read = get_int(in, "card", DIVERCITY_HAND - 1, &a);
        break;
    case DIVERCITY_DO_CLOSE:
        read = get_int(in, "card", DIVERCITY_HAND - 1, &a) &&
               get_word(in, "hotel", divercity_colour_names, &b);
        break;
    default:
        break;
    }
    *out = divercity_action((enum divercity_verb)(verb + 1), a, b);
    return read;
}

enum fm_err divercity_parse_action(fm_action *out, json_t *json, struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "", fault);
    return read_action(&in, out) ? FM_OK : fault->code;
}

/* ---- writing ---------------------------------------------------------------------------------- */

void divercity_js_signs(struct fm_out *o, unsigned sign)
{
    unsigned number = sign - 1, n = 1;
    for (unsigned of_n = DIVERCITY_SIGNS; number >= of_n; of_n *= DIVERCITY_SIGNS, n++)
        number -= of_n;
    fm_js_array(o);
    for (unsigned i = n; i-- > 0;)
        fm_js_int(o, number >> 4 * i & (DIVERCITY_SIGNS - 1));
    fm_js_end_array(o);
}

static void js_list(struct fm_out *o, const char *key, fm_action a)
{
    fm_js_key(o, key);
    fm_js_array(o);
    for (unsigned i = 0; i < divercity_list_n(a); i++)
        fm_js_int(o, divercity_list(a, i));
    fm_js_end_array(o);
}

static void js_use(struct fm_out *o, unsigned diver, unsigned what)
{
    fm_js_key_text(o, "use", divercity_diver_names[diver]);
    switch ((enum divercity_diver)diver) {
    case DIVERCITY_ENDURANCE:
    case DIVERCITY_DIVING:
        fm_js_key_text(o, "species", divercity_species_names[what]);
        break;
    case DIVERCITY_CAPTAIN_CARD:
    case DIVERCITY_COMMUNICATIONS:
        fm_js_key_int(o, "target", what);
        break;
    case DIVERCITY_ENVIRONMENTALIST:
        fm_js_key_text(o, "hotel", divercity_colour_names[what]);
        break;
    case DIVERCITY_SWIMMER:
        fm_js_key_int(o, "card", what);
        break;
    default:
        break;
    }
}

/* Everything but signs, order and struck cards, which lists of legal actions leave out. */
void divercity_put_short_action(struct fm_out *o, fm_action a)
{
    const unsigned verb = fm_verb(a);
    fm_assert(verb > 0 && verb < DIVERCITY_VERBS);
    const bool talk = verb == DIVERCITY_DO_COMMUNICATIONS;
    fm_js_key_text(o, "do", verbs[(talk ? DIVERCITY_DO_DIVER : verb) - 1]);
    switch ((enum divercity_verb)verb) {
    case DIVERCITY_DO_TAKE:
        fm_js_key_text(o, "diver", divercity_diver_names[divercity_a(a)]);
        break;
    case DIVERCITY_DO_CLOSE:
        fm_js_key_int(o, "card", divercity_a(a));
        fm_js_key_text(o, "hotel", divercity_colour_names[divercity_b(a)]);
        break;
    case DIVERCITY_DO_RIG:
    case DIVERCITY_DO_INDUSTRY:
    case DIVERCITY_DO_PLAY:
        fm_js_key_int(o, "card", divercity_a(a));
        break;
    case DIVERCITY_DO_CLAIM:
        fm_js_key_int(o, "card", divercity_a(a));
        fm_js_key(o, "species");
        divercity_js_species(o, divercity_b(a));
        if (divercity_c(a) != DIVERCITY_NONE)
            fm_js_key_int(o, "target", divercity_c(a));
        break;
    case DIVERCITY_DO_WALKIE:
        fm_js_key_int(o, "target", divercity_target(a));
        break;
    case DIVERCITY_DO_COMMUNICATIONS:
        js_use(o, DIVERCITY_COMMUNICATIONS, divercity_target(a));
        break;
    case DIVERCITY_DO_DIVER:
        js_use(o, divercity_a(a), divercity_b(a));
        break;
    default:
        break;
    }
}

void divercity_put_action(struct fm_out *o, fm_action a)
{
    const unsigned verb = fm_verb(a);
    divercity_put_short_action(o, a);
    if (verb == DIVERCITY_DO_REORDER)
        js_list(o, "order", a);
    if (verb == DIVERCITY_DO_STRIKE)
        js_list(o, "cards", a);
    const uint64_t signs = divercity_signs(a);
    if ((verb != DIVERCITY_DO_WALKIE && verb != DIVERCITY_DO_COMMUNICATIONS) || signs == 0)
        return;
    fm_js_key(o, "signs");
    fm_js_array(o);
    for (unsigned i = 0; i < DIVERCITY_HAND && divercity_sign(signs, i) != 0; i++)
        divercity_js_signs(o, divercity_sign(signs, i));
    fm_js_end_array(o);
}
