/* dive_words.c: Dive for terminals: names, a board, notes as sentences. */
#include "dive/rules/dive_state.h"

#include "base/bits.h"

const char *const dive_kind_names[DIVE_KINDS + 1] = {
    "empty", "green", "red", "manta", "shark", "shark+green", "shark+red", "shark+manta", NULL};

const char *const dive_companion_names[DIVE_COMPANIONS + 1] = {
    [DIVE_OCTOPUS] = "octopus",
    [DIVE_ORCA] = "orca",
    [DIVE_ANGLERFISH] = "anglerfish",
    [DIVE_GREEN_TURTLE] = "green-turtle",
    [DIVE_CLOWNFISH] = "clownfish",
    [DIVE_DOLPHINS] = "dolphins",
    [DIVE_GREAT_WHITE] = "great-white",
    [DIVE_AXOLOTL_TILE] = "axolotl",
    [DIVE_FUGU] = "fugu",
    [DIVE_NARWHAL] = "narwhal",
};

/* Seats are letters, as on the pawns of the page. */
static void put_who(struct fm_out *o, unsigned who)
{
    if (who == DIVE_CHIEF)
        fm_put(o, "the chief");
    else
        fm_put_bytes(o, &"ABCD"[who], 1);
}

/* ---- the board ------------------------------------------------------------------------------ */

/* The descent as one line: spaces 0 to 23, who passed it stands at its end. */
static void put_pawns(struct fm_out *o, const struct dive_pub *pub, unsigned who)
{
    static const char marks[] = "ABCD#";
    const unsigned at = pub->pawn[who] < DIVE_GOAL ? pub->pawn[who] : DIVE_GOAL;
    fm_put(o, "  ");
    for (unsigned space = 0; space <= DIVE_GOAL; space++) {
        if (space == DIVE_TRANQUIL_END + 1 || space == DIVE_GOAL)
            fm_put(o, "|");
        fm_put_bytes(o, space == at ? &marks[who] : dive_deep(space) ? "~" : "-", 1);
    }
    fm_put(o, "  ");
    fm_put_int(o, pub->pawn[who]);
    if (who < pub->head.n_seats && pub->ready >> who & 1)
        fm_put(o, "  ready");
    if (who < pub->head.n_seats && pub->companion[who] != DIVE_NONE && !(pub->gone >> who & 1)) {
        fm_put(o, "  ");
        fm_put(o, dive_companion_names[pub->companion[who]]);
    }
    fm_put(o, "\n");
}

/* One board on one line: "1+3 shark, 4, 5 shark". */
static void put_program(struct fm_out *o, uint32_t program)
{
    const uint32_t filled = dive_filled(program);
    for (unsigned level = 1; filled >> (level - 1) != 0; level++) {
        bool more = false;
        fm_put(o, level > 1 ? ", " : "");
        for (unsigned token = 0; token < DIVE_TOKENS; token++) {
            if (dive_token_level(program, token) != level)
                continue;
            fm_put(o, more ? "+" : "");
            fm_put_int(o, token + 1);
            more = true;
        }
        if (dive_clownfish(program) == level)
            fm_put(o, "+clownfish");
        if (level == DIVE_DEEPEST)
            fm_put(o, "anglerfish");
        else if (!more)
            fm_put(o, dive_plain_levels(program) >= level ? "" : "nothing");
        fm_put(o, dive_face(program, level)    ? " shark"
                  : dive_plain_levels(program) ? " clear"
                                               : "");
    }
    if (filled == 0)
        fm_put(o, "nothing");
}

void dive_put_board(struct fm_out *o, struct fm_view v)
{
    const struct dive_pub *pub = (const void *)v.pub;
    const struct dive_priv *priv = (const void *)v.priv;
    for (unsigned who = 0; who < v.pub->n_seats; who++)
        put_pawns(o, pub, who);
    if (pub->chief_on)
        put_pawns(o, pub, DIVE_CHIEF);
    fm_put(o, "  round ");
    fm_put_int(o, pub->round);
    fm_put(o, ", ");
    fm_put_int(o, pub->stack_n);
    fm_put(o, " sheets in the stack\n");
    if (priv != NULL && v.pub->phase == DIVE_PROGRAM) {
        fm_put(o, "  on the board: ");
        put_program(o, priv->program);
        fm_put(o, "\n");
    }
}

/* ---- sentences ------------------------------------------------------------------------------ */

static unsigned byte_of(uint64_t open, unsigned i)
{
    return (unsigned)(open >> 8 * i & 0xff);
}

static void put_from_to(struct fm_out *o, uint64_t open)
{
    if (byte_of(open, 1) == byte_of(open, 2)) {
        fm_put(o, " and stays on ");
    } else {
        fm_put(o, " and moves from ");
        fm_put_int(o, byte_of(open, 1));
        fm_put(o, " to ");
    }
    fm_put_int(o, byte_of(open, 2));
}

static void put_level(struct fm_out *o, const char *words, const struct fm_note *note)
{
    fm_put(o, words);
    fm_put_int(o, byte_of(note->open, 0));
}

static void put_moved(struct fm_out *o, const struct fm_note *note)
{
    static const char *const why[] = {" is helped", " follows the dolphins", " rests",
                                      " flees the axolotl"};
    fm_put(o, why[byte_of(note->open, 0)]);
    put_from_to(o, note->open);
}

static void put_chief_card(struct fm_out *o, unsigned card)
{
    uint8_t speed[DIVE_CHIEF_LEVELS], yellow;
    dive_chief_card(card, speed, &yellow);
    fm_put(o, " shows");
    for (unsigned level = 0; level < DIVE_CHIEF_LEVELS; level++) {
        fm_put(o, " ");
        fm_put_int(o, speed[level]);
        fm_put(o, yellow >> level & 1 ? " (yellow)" : "");
    }
}

static void put_ended(struct fm_out *o, uint64_t open)
{
    fm_put(o, open >> 10 & 1 ? "the stack is empty: " : "the stone is found: ");
    for (unsigned m = byte_of(open, 0), more = 0; m != 0; m &= m - 1, more = 1) {
        fm_put(o, more ? " and " : "");
        put_who(o, fm__lowest(m));
    }
    fm_put(o, open >> 8 & 1   ? " are level, nobody wins"
              : open >> 9 & 1 ? " share the victory"
                              : " wins");
}

void dive_put_sentence(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    (void)v;
    const unsigned low = byte_of(note->open, 0);
    if (note->seat != FM_TABLE)
        put_who(o, note->seat);
    switch (note->kind) {
    case DIVE_CHOSE:
        fm_put(o, " asks for the ");
        fm_put(o, dive_companion_names[note->hidden]);
        break;
    case DIVE_GOT:
        fm_put(o, " is joined by the ");
        fm_put(o, dive_companion_names[low]);
        break;
    case DIVE_CHOOSE_AGAIN:
        fm_put(o, " chooses again: a younger diver took the ");
        fm_put(o, dive_companion_names[low]);
        break;
    case DIVE_ROUND:
        fm_put(o, "round ");
        fm_put_int(o, (int64_t)note->open);
        break;
    case DIVE_PROGRAMMED:
        fm_put(o, " lays ");
        put_program(o, (uint32_t)note->hidden);
        break;
    case DIVE_READY:
        fm_put(o, " is ready");
        break;
    case DIVE_UNREADY:
        fm_put(o, " is not ready after all");
        break;
    case DIVE_USED:
        fm_put(o, " uses the ");
        fm_put(o, dive_companion_names[low]);
        break;
    case DIVE_BREATHED:
        fm_put(o, " breathes");
        break;
    case DIVE_STOPPED:
        fm_put(o, low == DIVE_STOP_ORCA ? "the orca is here: stop" : "time is up");
        break;
    case DIVE_SHOWN:
        fm_put(o, " had laid ");
        put_program(o, (uint32_t)note->open);
        break;
    case DIVE_CHIEF_SHOWN:
        put_chief_card(o, low);
        break;
    case DIVE_BUBBLE:
        put_level(o, " gets a bubble on level ", note);
        break;
    case DIVE_CARD:
        put_level(o, "level ", note);
        fm_put(o, ": ");
        fm_put(o, dive_kind_names[byte_of(note->open, 1) & (DIVE_KINDS - 1)]);
        break;
    case DIVE_RIGHT:
        fm_put(o, " is right, at speed ");
        fm_put_int(o, byte_of(note->open, 1));
        break;
    case DIVE_WRONG:
        put_level(o, " is wrong on level ", note);
        break;
    case DIVE_HELPED:
        fm_put(o, " is helped by the ");
        fm_put(o, byte_of(note->open, 3) == DIVE_MANTA   ? "manta"
                  : byte_of(note->open, 3) == DIVE_GREEN ? "green turtle"
                                                         : "red turtle");
        put_from_to(o, note->open);
        break;
    case DIVE_NO_CARD:
        put_level(o, " finds no sheet left for level ", note);
        break;
    case DIVE_HELD:
        fm_put(o, " is held by the great white");
        break;
    case DIVE_MOVED:
        put_moved(o, note);
        break;
    case DIVE_ASKED:
        fm_put(o, " may use the axolotl");
        break;
    case DIVE_DECLINED:
        fm_put(o, " keeps the axolotl");
        break;
    case DIVE_LEFT:
        fm_put(o, "'s ");
        fm_put(o, dive_companion_names[low]);
        fm_put(o, " swims away");
        break;
    case DIVE_ENDED:
        put_ended(o, note->open);
        break;
    default:
        break;
    }
}
