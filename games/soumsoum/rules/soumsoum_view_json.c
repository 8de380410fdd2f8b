/* soumsoum_view_json.c: Soum Soum on the wire: what a view, a state, a result and a note say. */
#include "soumsoum/rules/soumsoum_json.h"

/* ---- views and states ----------------------------------------------------------------------- */

static void js_board(struct fm_out *o, const struct soumsoum_pub *pub)
{
    fm_js_key(o, "board");
    fm_js_array(o);
    for (unsigned p = 0; p < SOUMSOUM_PLACES; p++) {
        if (p % SOUMSOUM_SIDE == 0)
            fm_js_array(o);
        if (p == SOUMSOUM_MIDDLE)
            fm_js_word(o, "sub");
        else if (pub->board[p] == SOUMSOUM_NONE)
            fm_js_null(o);
        else
            soumsoum_js_card(o, pub->deck, pub->board[p]);
        if (p % SOUMSOUM_SIDE == SOUMSOUM_SIDE - 1)
            fm_js_end_array(o);
    }
    fm_js_end_array(o);
}

static void js_divers(struct fm_out *o, const struct soumsoum_pub *pub)
{
    fm_js_key(o, "tokens");
    fm_js_array(o);
    for (unsigned p = 0; p < SOUMSOUM_PLACES; p++) {
        if (pub->diver[p] == SOUMSOUM_NONE)
            continue;
        fm_js_object(o);
        soumsoum_js_place(o, p);
        fm_js_key_int(o, "seat", pub->diver[p]);
        fm_js_key_int(o, "worth", soumsoum_worth(pub, p));
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
}

static void js_scores(struct fm_out *o, const struct soumsoum_pub *pub)
{
    unsigned score[SOUMSOUM_SEATS];
    soumsoum_scores(pub, score);
    fm_js_key(o, "scores");
    fm_js_array(o);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        fm_js_int(o, score[seat]);
    fm_js_end_array(o);
}

/* What everybody knows: whose cards stand between differs. */
static void js_public_before(struct fm_out *o, const void *about)
{
    const struct soumsoum_pub *pub = about;
    fm_js_key(o, "active");
    if (pub->head.status == FM_OVER)
        fm_js_null(o);
    else
        fm_js_int(o, pub->active);
    js_board(o, pub);
    js_divers(o, pub);
    fm_js_key(o, "tokens_left");
    fm_js_array(o);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        fm_js_int(o, pub->divers_left[seat]);
    fm_js_end_array(o);
}

static void js_public_after(struct fm_out *o, const void *about)
{
    const struct soumsoum_pub *pub = about;
    fm_js_key_int(o, "pile", pub->pile_n);
    fm_js_key(o, "market");
    if (pub->market_on)
        soumsoum_js_cards(o, pub->deck, pub->market, pub->market_n);
    else
        fm_js_null(o);
    js_scores(o, pub);
}

void soumsoum_put_view(struct fm_out *o, struct fm_view v)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const struct soumsoum_priv *priv = (const void *)v.priv;
    fm_put_once(o, js_public_before, pub);
    if (priv != NULL) {
        fm_js_key(o, "hand");
        soumsoum_js_cards(o, pub->deck, priv->hand, pub->hand_n[v.seat]);
    }
    fm_put_once(o, js_public_after, pub);
}

void soumsoum_put_state(struct fm_out *o, const void *state)
{
    const struct soumsoum_state *s = state;
    js_public_before(o, &s->pub);
    fm_js_key(o, "hands");
    fm_js_array(o);
    for (unsigned seat = 0; seat < s->pub.head.n_seats; seat++)
        soumsoum_js_cards(o, s->pub.deck, s->priv[seat].hand, s->pub.hand_n[seat]);
    fm_js_end_array(o);
    js_public_after(o, &s->pub);
}

void soumsoum_put_result(struct fm_out *o, const struct fm_pub *head)
{
    const struct soumsoum_pub *pub = (const void *)head;
    fm_js_object(o);
    fm_js_key(o, "winners");
    fm_js_array(o);
    fm_js_int(o, pub->winner);
    fm_js_end_array(o);
    js_scores(o, pub);
    fm_js_end_object(o);
}

/* ---- notes ---------------------------------------------------------------------------------- */

static const char *const note_names[SOUMSOUM_NOTES] = {
    [SOUMSOUM_DEALT_CARD] = "dealt", [SOUMSOUM_SHOWN] = "shown", [SOUMSOUM_STARTS] = "starts",
    [SOUMSOUM_PLACED] = "placed",    [SOUMSOUM_DIVED] = "dived", [SOUMSOUM_PASSED] = "passed",
    [SOUMSOUM_DREW] = "drew",        [SOUMSOUM_TOOK] = "took",   [SOUMSOUM_SKIPPED] = "skipped",
    [SOUMSOUM_SCORED] = "scored",    [SOUMSOUM_WON] = "won",
};

void soumsoum_put_note(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const unsigned low = (unsigned)note->open & 0xff;
    const unsigned high = (unsigned)(note->open >> 8);
    fm_js_key_word(o, "event", note_names[note->kind]);
    if (note->seat != FM_TABLE)
        fm_js_key_int(o, "seat", note->seat);
    switch (note->kind) {
    case SOUMSOUM_DEALT_CARD:
    case SOUMSOUM_DREW:
        fm_js_key(o, "card");
        if (note->cut)
            fm_js_null(o);
        else
            soumsoum_js_card(o, pub->deck, (unsigned)note->hidden);
        break;
    case SOUMSOUM_SHOWN:
    case SOUMSOUM_TOOK:
        fm_js_key(o, "card");
        soumsoum_js_card(o, pub->deck, low);
        fm_js_key_int(o, "market", high);
        break;
    case SOUMSOUM_PLACED:
        fm_js_key(o, "card");
        soumsoum_js_card(o, pub->deck, low);
        soumsoum_js_place(o, high);
        break;
    case SOUMSOUM_DIVED:
        soumsoum_js_place(o, low);
        fm_js_key_int(o, "worth", high);
        break;
    case SOUMSOUM_SCORED:
        fm_js_key_int(o, "score", (int64_t)note->open);
        break;
    case SOUMSOUM_WON:
        fm_js_key(o, "tie");
        fm_js_bool(o, note->open != 0);
        break;
    default:
        break;
    }
}
