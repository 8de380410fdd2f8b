/* soumsoum_words.c: Soum Soum for terminals: the board drawn, notes as sentences. */
#include "soumsoum/rules/soumsoum_state.h"

/* Seats are letters here, as on the tokens of the page; places are a1 to e5. */
static void put_seat_letter(struct fm_out *o, unsigned seat)
{
    fm_put_bytes(o, &"ABCD"[seat], 1);
}

static void put_place_name(struct fm_out *o, unsigned place)
{
    fm_put_bytes(o, &"abcde"[place % SOUMSOUM_SIDE], 1);
    fm_put_int(o, place / SOUMSOUM_SIDE + 1);
}

static const char *const zone_signs[SOUMSOUM_ZONES] = {"─", "│", "▦", "╳", "┼", "■"};

/* The upper line of a cell, seven columns: what the card shows, counts, and where. */
static void put_cell_card(struct fm_out *o, const struct soumsoum_pub *pub, unsigned place)
{
    static const char shown[] = "SOH", counted[] = "soh*";
    if (place == SOUMSOUM_MIDDLE) {
        fm_put(o, " <===> ");
        return;
    }
    if (pub->board[place] == SOUMSOUM_NONE) {
        fm_put(o, "       ");
        return;
    }
    const struct soumsoum_card card = pub->deck[pub->board[place]];
    unsigned width = 0;
    for (unsigned animal = 0; animal < SOUMSOUM_ANIMALS; animal++)
        for (unsigned i = 0; i < card.shows[animal] && width < 4; i++, width++)
            fm_put_bytes(o, &shown[animal], 1);
    for (; width < 4; width++)
        fm_put(o, " ");
    fm_put_bytes(o, &counted[soumsoum_counts(card)], 1);
    fm_put(o, zone_signs[soumsoum_zone(card)]);
    fm_put(o, soumsoum_self(card) ? " " : "-");
}

/* The lower line: the diver and what it is worth. */
static void put_cell_diver(struct fm_out *o, const struct soumsoum_pub *pub, unsigned place)
{
    if (pub->diver[place] == SOUMSOUM_NONE) {
        fm_put(o, "       ");
        return;
    }
    const unsigned worth = soumsoum_worth(pub, place);
    fm_put(o, worth < 10 ? " (" : worth < 100 ? "(" : "");
    put_seat_letter(o, pub->diver[place]);
    fm_put(o, " ");
    fm_put_int(o, worth);
    fm_put(o, worth < 10 ? ") " : worth < 100 ? ") " : "   ");
}

void soumsoum_put_board(struct fm_out *o, struct fm_view v)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    fm_put(o, "        a       b       c       d       e\n");
    for (unsigned row = 0; row < SOUMSOUM_SIDE; row++) {
        fm_put(o, "    +-------+-------+-------+-------+-------+\n");
        for (unsigned line = 0; line < 2; line++) {
            fm_put(o, "  ");
            fm_put(o, line == 0 ? (const char[]){(char)('1' + row), '\0'} : " ");
            fm_put(o, " |");
            for (unsigned c = 0; c < SOUMSOUM_SIDE; c++) {
                const unsigned place = row * SOUMSOUM_SIDE + c;
                (line == 0 ? put_cell_card : put_cell_diver)(o, pub, place);
                fm_put(o, "|");
            }
            fm_put(o, "\n");
        }
    }
    fm_put(o, "    +-------+-------+-------+-------+-------+\n  ");
    unsigned score[SOUMSOUM_SEATS];
    soumsoum_scores(pub, score);
    for (unsigned seat = 0; seat < v.pub->n_seats; seat++) {
        fm_put(o, "  ");
        put_seat_letter(o, seat);
        fm_put(o, " ");
        fm_put_int(o, score[seat]);
        fm_put(o, score[seat] == 1 ? " point," : " points,");
        fm_put(o, " ");
        fm_put_int(o, pub->divers_left[seat]);
        fm_put(o, " left ");
    }
    fm_put(o, "  pile ");
    fm_put_int(o, pub->pile_n);
    fm_put(o, "\n    S shark, O octopus, H hermit crab; a small letter is what the card counts:\n"
              "    ─ in its row, │ its column, ▦ around it, ╳ on its diagonals\n");
}

void soumsoum_put_sentence(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const unsigned low = (unsigned)note->open & 0xff;
    const unsigned high = (unsigned)(note->open >> 8);
    if (note->seat != FM_TABLE)
        put_seat_letter(o, note->seat);
    switch (note->kind) {
    case SOUMSOUM_DEALT_CARD:
    case SOUMSOUM_DREW:
        fm_put(o, note->kind == SOUMSOUM_DREW ? " draws " : " is dealt ");
        if (note->cut)
            fm_put(o, "a card");
        else
            soumsoum_put_card(o, pub->deck[(unsigned)note->hidden]);
        break;
    case SOUMSOUM_SHOWN:
        soumsoum_put_card(o, pub->deck[low]);
        fm_put(o, " lies in the market");
        break;
    case SOUMSOUM_STARTS:
        fm_put(o, " begins");
        break;
    case SOUMSOUM_PLACED:
        fm_put(o, " places ");
        soumsoum_put_card(o, pub->deck[low]);
        fm_put(o, " on ");
        put_place_name(o, high);
        break;
    case SOUMSOUM_DIVED:
        fm_put(o, " dives on ");
        put_place_name(o, low);
        fm_put(o, ", worth ");
        fm_put_int(o, high);
        fm_put(o, " now");
        break;
    case SOUMSOUM_PASSED:
        fm_put(o, " keeps its divers");
        break;
    case SOUMSOUM_TOOK:
        fm_put(o, " takes ");
        soumsoum_put_card(o, pub->deck[low]);
        fm_put(o, " from the market");
        break;
    case SOUMSOUM_SKIPPED:
        fm_put(o, " has no card and is passed over");
        break;
    case SOUMSOUM_SCORED:
        fm_put(o, " has ");
        fm_put_int(o, (int64_t)note->open);
        fm_put(o, note->open == 1 ? " point" : " points");
        break;
    case SOUMSOUM_WON:
        fm_put(o, note->open ? " wins: level on points, and played last" : " wins");
        break;
    default:
        break;
    }
}
