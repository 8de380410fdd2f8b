/* dive_views_json.c: Dive on the wire: views, states, notes, the result. */
#include "dive/rules/dive_json.h"

#include "base/bits.h"

static const char *const whys[] = {"helper", "dolphins", "rest", "axolotl"};

_Static_assert(sizeof whys / sizeof whys[0] == DIVE_BY_AXOLOTL + 1, "a name for each why");

/* ---- views and states ----------------------------------------------------------------------- */

static void js_who(struct fm_out *o, unsigned who)
{
    if (who == DIVE_CHIEF)
        fm_js_text(o, "chief");
    else
        fm_js_int(o, who);
}

static void js_flag(struct fm_out *o, const char *key, bool value)
{
    fm_js_key(o, key);
    fm_js_bool(o, value);
}

static void js_seat_flags(struct fm_out *o, const char *key, const struct dive_pub *pub,
                          unsigned flags)
{
    fm_js_key(o, key);
    fm_js_array(o);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        fm_js_bool(o, flags >> seat & 1);
    fm_js_end_array(o);
}

static void js_pawns(struct fm_out *o, const struct dive_pub *pub)
{
    fm_js_key(o, "pawns");
    fm_js_array(o);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        fm_js_int(o, pub->pawn[seat]);
    fm_js_end_array(o);
    fm_js_key(o, "chief");
    if (pub->chief_on)
        fm_js_int(o, pub->pawn[DIVE_CHIEF]);
    else
        fm_js_null(o);
}

/* D50: not before it is resolved, and not after the round of its use. */
static void js_companions(struct fm_out *o, const struct dive_pub *pub)
{
    fm_js_key(o, "companions");
    fm_js_array(o);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++) {
        const bool has = pub->companion[seat] != DIVE_NONE && !(pub->gone >> seat & 1);
        fm_js_text(o, has ? dive_companion_names[pub->companion[seat]] : NULL);
    }
    fm_js_end_array(o);
}

/* What is in use in this round, and known to be. */
static void js_announced(struct fm_out *o, const struct dive_pub *pub)
{
    fm_js_key(o, "announced");
    fm_js_array(o);
    for (unsigned companion = 0; companion < DIVE_COMPANIONS; companion++) {
        if (pub->effect[companion] == DIVE_NONE)
            continue;
        uint64_t rest = companion;
        if (companion == DIVE_DOLPHINS)
            rest |= (uint64_t)pub->target << 8;
        if (companion == DIVE_OCTOPUS)
            rest |= (uint64_t)pub->octopus_x << 8 | (uint64_t)pub->octopus_y << 24;
        fm_js_object(o);
        fm_js_key_int(o, "seat", pub->effect[companion]);
        dive_js_use(o, rest);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
}

static void js_levels(struct fm_out *o, const char *key, unsigned levels)
{
    fm_js_key(o, key);
    fm_js_array(o);
    for (; levels != 0; levels &= levels - 1)
        fm_js_int(o, fm__lowest(levels) + 1);
    fm_js_end_array(o);
}

static void js_chief_card_keys(struct fm_out *o, unsigned card)
{
    uint8_t speed[DIVE_CHIEF_LEVELS], yellow;
    dive_chief_card(card, speed, &yellow);
    fm_js_key(o, "speeds");
    fm_js_array(o);
    for (unsigned level = 0; level < DIVE_CHIEF_LEVELS; level++)
        fm_js_int(o, speed[level]);
    fm_js_end_array(o);
    js_levels(o, "yellow", yellow);
}

static void js_move(struct fm_out *o, const struct dive_log *log, const struct dive_move *move)
{
    fm_js_object(o);
    fm_js_key(o, "seat");
    js_who(o, move->who);
    if (move->why == DIVE_BY_HELPER) {
        fm_js_key_text(o, "why", dive_kind_names[log->card[move->level - 1] & 3]);
        fm_js_key_int(o, "level", move->level);
    } else {
        fm_js_key_text(o, "why", whys[move->why]);
    }
    fm_js_key_int(o, "from", move->from);
    fm_js_key_int(o, "to", move->to);
    fm_js_end_object(o);
}

/* Per seat: was it right, level by level, as far as it was judged. */
static void js_judged(struct fm_out *o, const struct dive_log *log, unsigned n_seats)
{
    fm_js_key(o, "right");
    fm_js_array(o);
    for (unsigned seat = 0; seat < n_seats; seat++) {
        fm_js_array(o);
        for (unsigned level = 0; log->judged[seat] >> level != 0; level++)
            fm_js_bool(o, log->right[seat] >> level & 1);
        fm_js_end_array(o);
    }
    fm_js_end_array(o);
}

static void js_dive(struct fm_out *o, const struct dive_pub *pub)
{
    const struct dive_log *log = &pub->log;
    if (log->round == 0)
        return;
    fm_js_key(o, "dive");
    fm_js_object(o);
    fm_js_key_int(o, "round", log->round);
    fm_js_key(o, "cards");
    fm_js_array(o);
    for (unsigned i = 0; i < log->n_cards; i++)
        fm_js_text(o, dive_kind_names[log->card[i] & (DIVE_KINDS - 1)]);
    fm_js_end_array(o);
    fm_js_key(o, "turns");
    fm_js_array(o);
    for (unsigned i = 0; i < log->n_cards; i++)
        fm_js_int(o, log->card[i] >> 3);
    fm_js_end_array(o);
    fm_js_key(o, "programs");
    fm_js_array(o);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        dive_js_program(o, log->program[seat]);
    fm_js_end_array(o);
    js_judged(o, log, pub->head.n_seats);
    fm_js_key(o, "chief");
    if (log->chief_card == DIVE_NONE) {
        fm_js_null(o);
    } else {
        fm_js_object(o);
        js_chief_card_keys(o, log->chief_card);
        js_levels(o, "bubbles", log->bubbles);
        fm_js_end_object(o);
    }
    fm_js_key(o, "moves");
    fm_js_array(o);
    for (unsigned i = 0; i < log->n_moves; i++)
        js_move(o, log, &log->move[i]);
    fm_js_end_array(o);
    fm_js_end_object(o);
}

static void js_public(struct fm_out *o, const void *about)
{
    const struct dive_pub *pub = about;
    fm_js_key_int(o, "round", pub->round > 0 ? pub->round : 1);
    js_pawns(o, pub);
    fm_js_key_int(o, "stack", pub->stack_n);
    js_seat_flags(o, "ready", pub, pub->ready);
    js_companions(o, pub);
    js_announced(o, pub);
    fm_js_key(o, "breathed");
    if (pub->effect[DIVE_FUGU] == DIVE_NONE) {
        fm_js_null(o);
    } else {
        fm_js_array(o);
        for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
            fm_js_bool(o, pub->breathed >> seat & 1);
        fm_js_end_array(o);
    }
    fm_js_key(o, "deadline");
    if (pub->head.deadline_ms == FM_NEVER)
        fm_js_null(o);
    else
        fm_js_int(o, pub->head.deadline_ms);
    js_flag(o, "children", pub->children);
    js_flag(o, "flashlight", pub->flashlight);
    js_dive(o, pub);
}

static void js_choice(struct fm_out *o, const struct dive_priv *priv)
{
    fm_js_text(o, priv->choice == DIVE_NONE ? NULL : dive_companion_names[priv->choice]);
}

void dive_put_view(struct fm_out *o, struct fm_view v)
{
    const struct dive_priv *priv = (const void *)v.priv;
    fm_put_once(o, js_public, v.pub);
    if (priv == NULL)
        return;
    fm_js_key(o, "choice");
    js_choice(o, priv);
    fm_js_key(o, "program");
    dive_js_program(o, priv->program);
}

void dive_put_state(struct fm_out *o, const void *state)
{
    const struct dive_state *s = state;
    js_public(o, &s->pub);
    fm_js_key(o, "choices");
    fm_js_array(o);
    for (unsigned seat = 0; seat < s->pub.head.n_seats; seat++)
        js_choice(o, &s->priv[seat]);
    fm_js_end_array(o);
    fm_js_key(o, "programs");
    fm_js_array(o);
    for (unsigned seat = 0; seat < s->pub.head.n_seats; seat++)
        dive_js_program(o, s->priv[seat].program);
    fm_js_end_array(o);
}

static void js_winners(struct fm_out *o, unsigned winners)
{
    fm_js_key(o, "winners");
    fm_js_array(o);
    for (; winners != 0; winners &= winners - 1)
        js_who(o, fm__lowest(winners));
    fm_js_end_array(o);
}

void dive_put_result(struct fm_out *o, const struct fm_pub *head)
{
    const struct dive_pub *pub = (const void *)head;
    fm_js_object(o);
    js_winners(o, pub->winners);
    js_flag(o, "draw", pub->draw);
    js_flag(o, "shared", pub->shared);
    fm_js_end_object(o);
}

/* ---- notes ---------------------------------------------------------------------------------- */

static const char *const note_names[DIVE_NOTES] = {
    [DIVE_CHOSE] = "chose",
    [DIVE_GOT] = "companion",
    [DIVE_CHOOSE_AGAIN] = "choose-again",
    [DIVE_ROUND] = "round",
    [DIVE_PROGRAMMED] = "programmed",
    [DIVE_READY] = "ready",
    [DIVE_UNREADY] = "unready",
    [DIVE_USED] = "used",
    [DIVE_BREATHED] = "breathed",
    [DIVE_STOPPED] = "stopped",
    [DIVE_SHOWN] = "shown",
    [DIVE_CHIEF_SHOWN] = "chief-card",
    [DIVE_BUBBLE] = "bubble",
    [DIVE_CARD] = "card",
    [DIVE_RIGHT] = "right",
    [DIVE_WRONG] = "wrong",
    [DIVE_HELPED] = "helped",
    [DIVE_NO_CARD] = "no-card",
    [DIVE_HELD] = "held",
    [DIVE_MOVED] = "moved",
    [DIVE_ASKED] = "asked",
    [DIVE_DECLINED] = "declined",
    [DIVE_LEFT] = "left",
    [DIVE_ENDED] = "ended",
};

static unsigned byte_of(uint64_t open, unsigned i)
{
    return (unsigned)(open >> 8 * i & 0xff);
}

static void js_from_to(struct fm_out *o, uint64_t open)
{
    fm_js_key_int(o, "from", byte_of(open, 1));
    fm_js_key_int(o, "to", byte_of(open, 2));
}

/* What happens at one level of a dive. */
static void put_level_note(struct fm_out *o, const struct fm_note *note)
{
    fm_js_key_int(o, "level", byte_of(note->open, 0));
    switch (note->kind) {
    case DIVE_CARD:
        fm_js_key_text(o, "card", dive_kind_names[byte_of(note->open, 1) & (DIVE_KINDS - 1)]);
        fm_js_key_int(o, "turn", byte_of(note->open, 1) >> 3);
        break;
    case DIVE_RIGHT:
        fm_js_key_int(o, "speed", byte_of(note->open, 1));
        break;
    case DIVE_WRONG:
        fm_js_key_int(o, "keeps", byte_of(note->open, 1));
        break;
    case DIVE_HELPED:
        fm_js_key_text(o, "helper", dive_kind_names[byte_of(note->open, 3)]);
        js_from_to(o, note->open);
        break;
    default:
        break;
    }
}

void dive_put_note(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    (void)v;
    fm_js_key_text(o, "event", note_names[note->kind]);
    if (note->seat != FM_TABLE) {
        fm_js_key(o, "seat");
        js_who(o, note->seat);
    }
    switch (note->kind) {
    case DIVE_CHOSE:
        fm_js_key_text(o, "companion", dive_companion_names[note->hidden]);
        break;
    case DIVE_GOT:
    case DIVE_CHOOSE_AGAIN:
    case DIVE_LEFT:
        fm_js_key_text(o, "companion", dive_companion_names[note->open]);
        break;
    case DIVE_ROUND:
        fm_js_key_int(o, "round", (int64_t)note->open);
        break;
    case DIVE_PROGRAMMED:
    case DIVE_SHOWN:
        dive_js_program_keys(o, (uint32_t)(note->kind == DIVE_SHOWN ? note->open : note->hidden));
        break;
    case DIVE_USED:
        dive_js_use(o, note->open);
        break;
    case DIVE_STOPPED:
        fm_js_key_text(o, "why", dive_stop_names[note->open]);
        break;
    case DIVE_CHIEF_SHOWN:
        js_chief_card_keys(o, (unsigned)note->open);
        break;
    case DIVE_BUBBLE:
    case DIVE_CARD:
    case DIVE_RIGHT:
    case DIVE_WRONG:
    case DIVE_HELPED:
    case DIVE_NO_CARD:
        put_level_note(o, note);
        break;
    case DIVE_HELD:
        fm_js_key_int(o, "by", (int64_t)note->open);
        break;
    case DIVE_MOVED:
        fm_js_key_text(o, "why", whys[byte_of(note->open, 0)]);
        js_from_to(o, note->open);
        break;
    case DIVE_ENDED:
        js_winners(o, byte_of(note->open, 0));
        js_flag(o, "draw", note->open >> 8 & 1);
        js_flag(o, "shared", note->open >> 9 & 1);
        fm_js_key_text(o, "reason", note->open >> 10 & 1 ? "empty-stack" : "stone");
        break;
    default:
        break;
    }
}
