/* moray_words.c: Moray for terminals: the holes drawn, notes as sentences. */
#include "moray/rules/moray_state.h"

/* Seats are letters here, as in the other games. */
static void put_seat(struct fm_out *o, unsigned seat)
{
    fm_put_bytes(o, &"ABCD"[seat], 1);
}

static void put_fish(struct fm_out *o, uint8_t fish)
{
    fm_put(o, moray_kinds[moray_kind(fish)]);
    fm_put(o, " ");
    fm_put_int(o, moray_size(fish));
}

static void put_points(struct fm_out *o, int points)
{
    fm_put_int(o, points);
    fm_put(o, points == 1 ? " point" : " points");
}

void moray_put_board(struct fm_out *o, struct fm_view v)
{
    const struct moray_pub *pub = (const void *)v.pub;
    for (unsigned hole = 0; hole < MORAY_HOLES; hole++) {
        fm_put(o, "    hole ");
        fm_put_int(o, hole + 1);
        fm_put(o, ": ");
        fm_put_int(o, moray_total(pub, hole));
        fm_put(o, " of ");
        fm_put_int(o, pub->room[hole]);
        for (unsigned i = 0; i < pub->hole_n[hole]; i++) {
            fm_put(o, i == 0 ? " (" : ", ");
            put_fish(o, pub->hole[hole][i]);
        }
        fm_put(o, pub->hole_n[hole] > 0 ? ")\n" : "\n");
    }
    fm_put(o, "  ");
    for (unsigned seat = 0; seat < v.pub->n_seats; seat++) {
        fm_put(o, "  ");
        put_seat(o, seat);
        fm_put(o, " ");
        put_points(o, pub->score[seat]);
        fm_put(o, ",");
    }
    fm_put(o, "  pile ");
    fm_put_int(o, pub->pile_n);
    fm_put(o, "\n");
}

void moray_put_sentence(struct fm_out *o, struct fm_view v, const struct fm_note *note)
{
    const unsigned low = (unsigned)note->open & 0xff;
    const unsigned high = (unsigned)(note->open >> 8);
    (void)v;
    put_seat(o, note->seat);
    switch (note->kind) {
    case MORAY_DEALT:
    case MORAY_DREW:
        fm_put(o, note->kind == MORAY_DREW ? " draws " : " is dealt ");
        if (note->cut)
            fm_put(o, "a fish");
        else
            put_fish(o, (uint8_t)note->hidden);
        break;
    case MORAY_STARTS:
        fm_put(o, " begins");
        break;
    case MORAY_LAID:
        fm_put(o, " puts ");
        put_fish(o, (uint8_t)low);
        fm_put(o, " into hole ");
        fm_put_int(o, high + 1);
        break;
    case MORAY_FILLED:
        fm_put(o, " fills hole ");
        fm_put_int(o, low + 1);
        fm_put(o, ": ");
        put_points(o, (int)high);
        break;
    case MORAY_BITTEN:
        fm_put(o, " is bitten in hole ");
        fm_put_int(o, low + 1);
        fm_put(o, " and loses ");
        put_points(o, (int)high);
        break;
    case MORAY_SKIPPED:
        fm_put(o, " has no fish and is passed over");
        break;
    case MORAY_SCORED:
        fm_put(o, " has ");
        put_points(o, (int)note->open - 256);
        break;
    case MORAY_WON:
        fm_put(o, " wins");
        break;
    default:
        break;
    }
}
