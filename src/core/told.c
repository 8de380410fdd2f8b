/* told.c: the events that a viewer has missed, and those that it was told before. */
#include "core/told.h"

#include "base/panic.h"

static const struct fm_pub *pub_of(const void *match)
{
    return match;
}

struct retelling {
    const struct fm__told *told;
    int seat;
    int64_t after, until; /* changes by their seq: after this one, until that one */
    size_t skip;          /* the oldest changes are left out, until they make this many bytes */
    size_t most;          /* it stops beyond this many bytes */
    bool forgets;         /* what had to be remembered is cut once it is a lap old */
    struct fm_out *seqs;  /* gets the seq of each event that is put; NULL: not wanted */
};

static uint16_t length_of(const struct fm_game *g, const void *match)
{
    struct fm_outcome outcome;
    g->outcome(match, &outcome);
    return outcome.length;
}

/* Cuts what nobody should be reminded of. */
static void forget(struct fm_notes *notes, const struct fm_game *g)
{
    for (size_t i = 0; i < notes->len; i++)
        if (g->memory_notes >> notes->item[i].kind & 1)
            notes->item[i].knows = 0;
}

/* The seq of a change, once for each of its events that this viewer is told. */
static void put_seqs(const struct retelling *r, const struct fm_notes *notes, int64_t seq)
{
    for (size_t i = 0; i < notes->len && r->seqs != NULL; i++) {
        struct fm_note note = notes->item[i];
        if (fm_note_cut(&note, r->seat))
            fm_js_int(r->seqs, seq);
    }
}

static void put_change_again(struct fm_out *o, const struct retelling *r, const void *match,
                             struct fm_notes *notes)
{
    const struct fm__told *t = r->told;
    const struct fm_game *g = t->setup->game;
    const unsigned lap = t->setup->n_seats;
    if (r->forgets && pub_of(t->match)->status == FM_RUNNING && g->memory_notes != 0 &&
        length_of(g, match) + lap <= length_of(g, t->match))
        forget(notes, g);
    fm_put_notes(o, fm_view_of(g, match, r->seat), notes, false);
}

/* Plays the match again and puts the events of these changes; returns how many bytes they take. */
static size_t retell(struct fm_out *o, const struct retelling *r)
{
    const struct fm__told *t = r->told;
    const struct fm_game *g = t->setup->game;
    struct fm_notes notes = {0};
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    char none[1];
    struct fm_out skipped;
    const size_t before_all = o->len;
    fm_out_init(&skipped, none, sizeof none);
    fm_assert(fm_init(match, t->setup, &notes) == FM_OK);
    int64_t before = -1;
    for (size_t i = 0; i <= t->n_events && o->len - before_all <= r->most; i++) {
        if (i > 0) {
            notes.len = 0;
            fm_assert(fm_apply(g, match, &t->event[i - 1], &notes) == FM_OK);
        }
        if (t->redealt != NULL && i == t->redealt_at)
            memcpy(match, t->redealt, g->state_size);
        const int64_t seq = fm_view_seq(fm_view_of(g, match, r->seat));
        if (seq > before && seq > r->after && seq <= r->until) {
            const bool skips = skipped.len < r->skip;
            put_change_again(skips ? &skipped : o, r, match, &notes);
            if (!skips)
                put_seqs(r, &notes, seq);
        }
        before = seq;
    }
    return o->len - before_all;
}

bool fm__put_missed(struct fm_out *o, const struct fm__told *told, int seat, int64_t from,
                    struct fm_out *seqs)
{
    const struct fm_out before = *o;
    fm_js_key(o, "events");
    fm_js_array(o);
    const struct retelling missed = {.told = told,
                                     .seat = seat,
                                     .after = from,
                                     .until = INT64_MAX,
                                     .most = FM__MISSED,
                                     .seqs = seqs};
    if (retell(o, &missed) <= FM__MISSED) {
        fm_js_end_array(o);
        return true;
    }
    *o = before;
    if (seqs != NULL)
        fm_out_init(seqs, seqs->buf, seqs->cap);
    return false;
}

/* The first time through only counts. */
void fm__put_earlier(struct fm_out *o, const struct fm__told *told, int seat, int64_t until,
                     struct fm_out *seqs)
{
    char none[1];
    struct fm_out counted;
    struct retelling earlier = {
        .told = told, .seat = seat, .after = -1, .until = until, .most = SIZE_MAX, .forgets = true};
    fm_out_init(&counted, none, sizeof none);
    const size_t n = retell(&counted, &earlier);
    earlier.skip = n > FM__EARLIER ? n - FM__EARLIER : 0;
    earlier.seqs = seqs;
    fm_js_key(o, "earlier");
    fm_js_array(o);
    (void)retell(o, &earlier);
    fm_js_end_array(o);
}

void fm__put_seqs(struct fm_out *o, const struct fm_out *earlier, const struct fm_out *missed)
{
    if (!fm_out_ok(earlier) || !fm_out_ok(missed))
        return;
    fm_js_key(o, "seqs");
    fm_js_array(o);
    if (earlier->len > 0)
        fm_js_raw(o, earlier->buf, earlier->len);
    if (missed->len > 0)
        fm_js_raw(o, missed->buf, missed->len);
    fm_js_end_array(o);
}
