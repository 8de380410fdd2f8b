/* toy.c: the rules and the wire of the toy game. */
#include "toy.h"

#include "base/json_in.h"

#include <string.h>

void toy_table(struct fm_setup *setup, unsigned seats)
{
    memset(setup, 0, sizeof *setup);
    setup->game = &toy_game;
    setup->rules = 1;
    setup->n_seats = (uint8_t)seats;
}

static void begin_round(struct toy_state *s, uint32_t now_ms)
{
    s->pub.head.may = s->pub.head.owes = (uint8_t)((1u << s->pub.head.n_seats) - 1);
    s->pub.head.deadline_ms = now_ms + TOY_ROUND_MS;
    s->secret.pearl = (uint8_t)(1 + fm_rng_below(&s->secret.head.rng, 9));
    for (unsigned i = 0; i < TOY_SEATS; i++)
        s->priv[i].bid = 0;
}

/* The highest bid that nobody else made wins the pearl. */
static void reveal(struct toy_state *s, uint32_t now_ms, struct fm_notes *notes)
{
    unsigned count[4] = {0}, best = 0;
    uint64_t bids = 0;
    for (unsigned i = 0; i < s->pub.head.n_seats; i++) {
        s->pub.bid[i] = s->priv[i].bid;
        bids = bids << 8 | s->priv[i].bid;
        count[s->priv[i].bid]++;
    }
    for (unsigned bid = 1; bid < 4; bid++)
        best = count[bid] == 1 ? bid : best;
    for (unsigned i = 0; i < s->pub.head.n_seats; i++)
        if (best && s->priv[i].bid == best)
            s->pub.score[i] = (uint8_t)(s->pub.score[i] + s->secret.pearl);
    s->pub.pearl = s->secret.pearl;
    fm_tell(notes, 2, FM_TABLE, bids << 8 | s->pub.pearl);
    if (++s->pub.round < 3) {
        begin_round(s, now_ms);
        return;
    }
    s->secret.pearl = 0;
    s->pub.head.status = FM_OVER;
    s->pub.head.phase = 1;
    s->pub.head.may = s->pub.head.owes = 0;
    s->pub.head.deadline_ms = FM_NEVER;
}

static enum fm_err init(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    (void)setup;
    (void)notes;
    begin_round(state, 0);
    return FM_OK;
}

static enum fm_err apply(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct toy_state *s = state;
    const uint64_t payload = ev->action >> 8;
    switch (fm_verb(ev->action)) {
    case TOY_BID:
        if (payload < 1 || payload > 3)
            return FM_E_ACTION;
        s->priv[ev->seat].bid = (uint8_t)payload;
        return FM_OK;
    case TOY_LOCK:
        if (payload != 0 || s->priv[ev->seat].bid == 0)
            return FM_E_ACTION;
        s->pub.head.may = s->pub.head.owes = (uint8_t)(s->pub.head.may & ~(1u << ev->seat));
        fm_tell(notes, 1, ev->seat, 0);
        if (s->pub.head.owes == 0)
            reveal(s, ev->t_ms, notes);
        return FM_OK;
    case TOY_STOP:
        if (payload != 0)
            return FM_E_ACTION;
        reveal(s, ev->t_ms, notes);
        return FM_OK;
    default:
        return FM_E_ACTION;
    }
}

static size_t legal(struct fm_view v, fm_action *out, size_t cap)
{
    size_t n = 0;
    if (v.seat == FM_WATCHER || !(v.pub->may >> v.seat & 1))
        return 0;
    if (((const struct toy_priv *)(const void *)v.priv)->bid != 0 && n++ < cap)
        out[n - 1] = TOY_LOCK;
    for (fm_action bid = 1; bid <= 3; bid++)
        if (n++ < cap)
            out[n - 1] = TOY_BID | bid << 8;
    return n;
}

static fm_action sample(struct fm_view v, struct fm_rng *rng)
{
    fm_action list[4];
    const size_t n = legal(v, list, 4);
    return n ? list[fm_rng_below(rng, (uint32_t)n)] : 0;
}

static enum fm_err deal(void *state, struct fm_view v, struct fm_rng *rng)
{
    struct toy_state *s = state;
    uint8_t seed[FM_SEED_BYTES];
    memset(s, 0, sizeof *s);
    memcpy(&s->pub, v.pub, sizeof s->pub);
    for (int i = 0; i < v.pub->n_seats; i++) {
        const bool locked = !(v.pub->may >> i & 1) && v.pub->status == FM_RUNNING;
        s->priv[i].bid = (uint8_t)(locked ? 1 + fm_rng_below(rng, 3) : fm_rng_below(rng, 4));
    }
    if (v.seat != FM_WATCHER)
        memcpy(&s->priv[v.seat], v.priv, sizeof s->priv[0]);
    s->secret.pearl = (uint8_t)(1 + fm_rng_below(rng, 9));
    fm_rng_bytes(rng, seed, sizeof seed);
    fm_rng_init(&s->secret.head.rng, seed, 0);
    s->secret.head.now_ms = v.pub->now_ms;
    return FM_OK;
}

static fm_action due(const struct fm_pub *pub)
{
    (void)pub;
    return TOY_STOP;
}

static void outcome(const void *state, struct fm_outcome *out)
{
    const struct toy_state *s = state;
    *out = (struct fm_outcome){.length = s->pub.round};
    for (unsigned i = 0; i < s->pub.head.n_seats; i++)
        out->score[i] = s->pub.score[i];
}

/* ---- wire ------------------------------------------------------------------------------------ */

static enum fm_err parse_action(fm_action *out, json_t *json, struct fm_fault *fault)
{
    static const char *const verbs[] = {"bid", "lock", "stop", NULL};
    static const char *const keys[] = {"do", "pearls", NULL};
    const struct fm_in in = fm_in_root(json, "", fault);
    struct fm_in value;
    int verb, bid = 0;
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "do", &value) ||
        !fm_in_word(&value, verbs, &verb))
        return fault->code;
    if (verb == 0 && (!fm_in_get(&in, "pearls", &value) || !fm_in_int(&value, 1, 3, &bid)))
        return fault->code;
    *out = (fm_action)(verb + 1) | (fm_action)bid << 8;
    return FM_OK;
}

static void put_action(struct fm_out *o, fm_action a)
{
    static const char *const verbs[] = {"bid", "lock", "stop"};
    fm_js_key_text(o, "do", verbs[fm_verb(a) - 1]);
    if (fm_verb(a) == TOY_BID)
        fm_js_key_int(o, "pearls", (int64_t)(a >> 8));
}

static void put_view(struct fm_out *o, struct fm_view v)
{
    const struct toy_pub *pub = (const void *)v.pub;
    fm_js_key_int(o, "round", pub->round);
    fm_js_key_int(o, "pearl", pub->pearl);
    if (v.priv != NULL)
        fm_js_key_int(o, "bid", ((const struct toy_priv *)(const void *)v.priv)->bid);
}

static void put_state(struct fm_out *o, const void *state)
{
    fm_js_key_int(o, "pearl_now", ((const struct toy_state *)state)->secret.pearl);
}

static void put_note(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    (void)v;
    fm_js_key_int(o, "event", note->kind);
    fm_js_key_int(o, "seat", note->seat);
    fm_js_key_int(o, "open", (int64_t)note->open);
}

static void put_result(struct fm_out *o, const struct fm_pub *pub)
{
    fm_js_int(o, ((const struct toy_pub *)(const void *)pub)->score[0]);
}

static const struct fm_wire wire = {
    .parse_action = parse_action,
    .put_action = put_action,
    .put_view = put_view,
    .put_state = put_state,
    .put_note = put_note,
    .put_result = put_result,
};

/* ---- what checks cover --------------------------------------------------------------------- */

static const struct fm_field pub_fields[] = {
    FM_FIELD(struct toy_pub, round), FM_FIELD(struct toy_pub, pearl), FM_FIELD(struct toy_pub, bid),
    FM_FIELD(struct toy_pub, score), FM_FIELD(struct toy_pub, zero),  FM_FIELDS_END,
};

static const struct fm_field priv_fields[] = {
    FM_FIELD(struct toy_priv, bid),
    FM_FIELD(struct toy_priv, zero),
    FM_FIELDS_END,
};

static const struct fm_field secret_fields[] = {
    FM_FIELD(struct toy_secret, pearl),
    FM_FIELD(struct toy_secret, zero),
    FM_FIELDS_END,
};

const struct fm_game toy_game = {
    .id = "toy",
    .title = "Pearls",
    .length_unit = "rounds",
    .phases = (const char *const[]){"bid", "over", NULL},
    .reasons = (const char *const[]){"three rounds", NULL},
    .hidden_verbs = 1u << TOY_BID,
    .table_verbs = 1u << TOY_STOP,
    .newest_rules = 1,
    .min_seats = 2,
    .max_seats = TOY_SEATS,
    .state_size = sizeof(struct toy_state),
    .pub_size = sizeof(struct toy_pub),
    .priv_off = offsetof(struct toy_state, priv),
    .priv_size = sizeof(struct toy_priv),
    .secret_off = offsetof(struct toy_state, secret),
    .fields = {pub_fields, priv_fields, secret_fields},
    .init = init,
    .apply = apply,
    .legal = legal,
    .sample = sample,
    .deal = deal,
    .due = due,
    .outcome = outcome,
    .wire = &wire,
};
