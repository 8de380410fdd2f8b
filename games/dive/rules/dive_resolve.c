/* dive_resolve.c: Dive and Rest, level by level: D9 to D18, the companions' part, the chief's. */
#include "dive/rules/dive_state.h"

#include "base/bits.h"

#include <string.h>

struct dive { /* what lies on the boards while it lasts */
    struct dive_state *s;
    struct fm_notes *notes;
    uint8_t speed[DIVE_SEATS][DIVE_DEEPEST + 1];
    uint8_t chief_speed[DIVE_CHIEF_LEVELS];
    uint8_t depth[DIVE_SEATS]; /* levels that hold tokens */
    uint8_t diving;            /* seat bits: not stopped by a mistake */
    uint8_t erred;             /* seat bits */
    uint8_t numbers;           /* bit level-1: the chief's, uncovered */
    uint8_t yellow;            /* bit level-1 */
};

/* ---- pawns ---------------------------------------------------------------------------------- */

void dive_move_pawn(struct dive_pub *pub, unsigned who, enum dive_why why, unsigned level,
                    unsigned to)
{
    pub->log.move[pub->log.n_moves++] = (struct dive_move){.who = (uint8_t)who,
                                                           .why = (uint8_t)why,
                                                           .level = (uint8_t)level,
                                                           .from = pub->pawn[who],
                                                           .to = (uint8_t)to};
    pub->pawn[who] = (uint8_t)to;
}

unsigned dive_manta(const struct dive_pub *pub, unsigned who)
{
    const unsigned from = pub->pawn[who];
    if (dive_deep(from))
        return from;
    unsigned ahead = DIVE_NONE;
    for (unsigned other = 0; other < DIVE_PAWNS; other++) /* who does not play is on 0 */
        if (pub->pawn[other] > from && pub->pawn[other] < ahead)
            ahead = pub->pawn[other];
    if (ahead == DIVE_NONE)
        return from;
    return dive_deep(ahead) ? DIVE_TRANQUIL_END : ahead;
}

/* D14, D29, D35: how far a turtle takes this pawn. */
static int turtle(const struct dive_pub *pub, unsigned who, unsigned helper)
{
    const uint8_t narwhal = pub->effect[DIVE_NARWHAL];
    const int spaces = helper == DIVE_GREEN ? 1 : 2;
    const int moves = narwhal != DIVE_NONE && narwhal != who ? -spaces : spaces;
    return moves + (helper == DIVE_GREEN && pub->effect[DIVE_GREEN_TURTLE] == who);
}

static void help(struct dive *d, unsigned who, unsigned level, unsigned helper)
{
    struct dive_pub *pub = &d->s->pub;
    const unsigned from = pub->pawn[who];
    unsigned to;
    if (helper == DIVE_MANTA) {
        to = dive_manta(pub, who);
    } else {
        const int space = (int)from + turtle(pub, who, helper);
        to = space > 0 ? (unsigned)space : 0;
    }
    dive_move_pawn(pub, who, DIVE_BY_HELPER, level, to);
    fm_tell(d->notes, DIVE_HELPED, who, level | from << 8 | to << 16 | helper << 24);
}

static void advance(struct dive *d, unsigned who, enum dive_why why, unsigned spaces)
{
    struct dive_pub *pub = &d->s->pub;
    const unsigned from = pub->pawn[who], to = from + spaces;
    dive_move_pawn(pub, who, why, 0, to);
    fm_tell(d->notes, DIVE_MOVED, who, (unsigned)why | from << 8 | to << 16);
}

/* D32: a diver that the great white keeps where it is. */
static void stay(struct dive *d, unsigned who)
{
    fm_tell(d->notes, DIVE_HELD, who, d->s->pub.effect[DIVE_GREAT_WHITE]);
    advance(d, who, DIVE_BY_REST, 0);
}

/* ---- the chief (D37 to D41) ----------------------------------------------------------------- */

/* The number-th order of 2, 3, 4, 6; odd cards are yellow on level 3 too. */
void dive_chief_card(unsigned card, uint8_t speed[DIVE_CHIEF_LEVELS], uint8_t *yellow)
{
    uint8_t values[DIVE_CHIEF_LEVELS] = {2, 3, 4, 6};
    unsigned order = card / 2, ways = 6;
    for (unsigned level = 0; level < DIVE_CHIEF_LEVELS; level++) {
        const unsigned pick = order / ways;
        speed[level] = values[pick];
        for (unsigned i = pick; i + 1 < DIVE_CHIEF_LEVELS; i++)
            values[i] = values[i + 1];
        order %= ways;
        if (level < 2)
            ways /= 3 - level;
    }
    *yellow = card & 1 ? 0xc : 0x8;
}

/* Cover numbers of the chief's card. */
static void cover(struct dive *d, unsigned levels)
{
    levels &= d->numbers;
    d->numbers &= (uint8_t)~levels;
    d->s->pub.log.bubbles |= (uint8_t)levels;
    for (; levels != 0; levels &= levels - 1)
        fm_tell(d->notes, DIVE_BUBBLE, DIVE_CHIEF, fm__lowest(levels) + 1);
}

/* D39: in Deep Waters the yellow numbers below this level are covered. */
static void cover_if_deep(struct dive *d, unsigned level)
{
    if (dive_deep(d->s->pub.pawn[DIVE_CHIEF]))
        cover(d, (unsigned)d->yellow >> level << level);
}

static void reveal_chief(struct dive *d)
{
    struct dive_pub *pub = &d->s->pub;
    if (pub->chief_n == 0)
        return; /* D48 */
    const uint8_t card = d->s->secret.chief[--pub->chief_n];
    d->s->secret.chief[pub->chief_n] = DIVE_NONE;
    pub->chief_seen |= UINT64_C(1) << card;
    if (pub->chief_left[card] > 0) /* a position may give it more often */
        pub->chief_left[card]--;
    pub->log.chief_card = card;
    dive_chief_card(card, d->chief_speed, &d->yellow);
    d->numbers = (1u << DIVE_CHIEF_LEVELS) - 1;
    fm_tell(d->notes, DIVE_CHIEF_SHOWN, DIVE_CHIEF, card);
    cover_if_deep(d, 0);
}

/* ---- one level ------------------------------------------------------------------------------ */

/* Seats that have this level programmed and still dive (D9). */
static unsigned divers_at(const struct dive *d, unsigned level)
{
    unsigned there = 0;
    for (unsigned seat = 0; seat < d->s->pub.head.n_seats; seat++)
        there |= (unsigned)(d->depth[seat] >= level) << seat;
    return there & d->diving;
}

static bool chief_at(const struct dive *d, unsigned level)
{
    return d->numbers >> (level - 1) & 1;
}

/* D11, D12: a mistake. */
static void err(struct dive *d, unsigned seat, unsigned level)
{
    const struct dive_pub *pub = &d->s->pub;
    d->erred |= dive_bit(seat);
    if (!pub->children) {
        d->depth[seat] = dive_deep(pub->pawn[seat]) ? 0 : (uint8_t)(level - 1);
        d->diving &= (uint8_t) ~(1u << seat);
    }
    fm_tell(d->notes, DIVE_WRONG, seat, level | (unsigned)d->depth[seat] << 8);
}

/* D10: who of them is right. */
static unsigned judge(struct dive *d, unsigned there, unsigned level, unsigned kind)
{
    struct dive_log *log = &d->s->pub.log;
    const bool shark = kind & DIVE_SHARK;
    const uint8_t bit = (uint8_t)(1u << (level - 1));
    unsigned right = 0;
    for (unsigned m = there; m != 0; m &= m - 1) {
        const unsigned seat = fm__lowest(m);
        log->judged[seat] |= bit;
        if (dive_face(log->program[seat], level) != shark) {
            err(d, seat, level);
            continue;
        }
        log->right[seat] |= bit;
        right |= 1u << seat;
        fm_tell(d->notes, DIVE_RIGHT, seat, level | (unsigned)d->speed[seat][level] << 8);
    }
    return right;
}

/* D13: who is fastest alone; NONE: nobody is. */
static unsigned fastest(const struct dive *d, unsigned right, unsigned level)
{
    unsigned best = 0, who = DIVE_NONE;
    if (chief_at(d, level)) {
        best = d->chief_speed[level - 1];
        who = DIVE_CHIEF;
    }
    for (unsigned m = right; m != 0; m &= m - 1) {
        const unsigned seat = fm__lowest(m);
        const unsigned speed = d->speed[seat][level];
        if (speed > best) {
            best = speed;
            who = seat;
        } else if (speed == best) {
            who = DIVE_NONE;
        }
    }
    return who;
}

static void resolve_level(struct dive *d, unsigned there, unsigned level)
{
    struct dive_pub *pub = &d->s->pub;
    const uint8_t card = d->s->secret.stack[--pub->stack_n];
    const unsigned kind = card & (DIVE_KINDS - 1), helper = kind & 3;
    d->s->secret.stack[pub->stack_n] = DIVE_NONE;
    pub->log.card[pub->log.n_cards++] = card;
    if (pub->left[kind] > 0) /* a given stack may hold more than the deck */
        pub->left[kind]--;
    fm_tell(d->notes, DIVE_CARD, FM_TABLE, level | (unsigned)card << 8);
    const unsigned right = judge(d, there, level, kind);
    if (helper == DIVE_NO_HELPER || pub->children)
        return;
    const unsigned who = fastest(d, right, level);
    if (who == DIVE_NONE)
        return;
    help(d, who, level, helper);
    if (who == DIVE_CHIEF)
        cover_if_deep(d, level);
}

/* D20: no card for this level and deeper ones. */
static void run_dry(struct dive *d, unsigned there, unsigned level)
{
    for (unsigned m = there; m != 0; m &= m - 1) {
        const unsigned seat = fm__lowest(m);
        d->depth[seat] = (uint8_t)(level - 1);
        fm_tell(d->notes, DIVE_NO_CARD, seat, level);
    }
    cover(d, 0xfu << (level - 1));
}

/* ---- Dive and Rest -------------------------------------------------------------------------- */

/* Screens off: boards into the open, secret tiles used (D25, D44). */
static void open_boards(struct dive *d)
{
    struct dive_pub *pub = &d->s->pub;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++) {
        const uint32_t laid = d->s->priv[seat].program, program = dive_cut(laid);
        d->s->priv[seat].program = 0;
        pub->log.program[seat] = program;
        dive_speeds(program, d->speed[seat]);
        d->depth[seat] = (uint8_t)dive_depth(program);
        fm_tell(d->notes, DIVE_SHOWN, seat, program);
        if (dive_clownfish(laid) || laid & DIVE_SIXTH) {
            const uint8_t companion = pub->companion[seat];
            pub->spent |= dive_bit(seat);
            pub->effect[companion] = (uint8_t)seat;
            fm_tell(d->notes, DIVE_USED, seat, companion);
        }
    }
    d->diving = dive_everybody(pub);
}

static void begin(struct dive *d)
{
    struct dive_pub *pub = &d->s->pub;
    memset(&pub->log, 0, sizeof pub->log);
    pub->log.round = pub->round;
    pub->log.chief_card = DIVE_NONE;
    pub->octopus_x = pub->octopus_y = 0; /* D26: it is lifted */
    open_boards(d);
    if (pub->chief_on)
        reveal_chief(d);
}

/* D31. */
static void follow_dolphins(struct dive *d)
{
    const struct dive_pub *pub = &d->s->pub;
    const uint8_t owner = pub->effect[DIVE_DOLPHINS];
    if (owner != DIVE_NONE && !(d->erred >> pub->target & 1))
        advance(d, owner, DIVE_BY_DOLPHINS, 1);
}

/* D32: seats that the great white keeps from advancing, as bits. */
static unsigned held_back(const struct dive *d)
{
    const uint8_t owner = d->s->pub.effect[DIVE_GREAT_WHITE];
    if (owner == DIVE_NONE)
        return 0;
    const unsigned others = d->erred & ~(1u << owner);
    return others ? others : 1u << owner;
}

static void rest(struct dive *d)
{
    struct dive_pub *pub = &d->s->pub;
    const unsigned held = held_back(d);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++) {
        const unsigned levels = pub->children ? fm__count(pub->log.right[seat]) : d->depth[seat];
        pub->log.kept[seat] = (uint8_t)levels;
        if (held >> seat & 1)
            stay(d, seat);
        else
            advance(d, seat, DIVE_BY_REST, levels);
    }
    if (pub->chief_on)
        advance(d, DIVE_CHIEF, DIVE_BY_REST, fm__count(d->numbers));
}

unsigned dive_resolve(struct dive_state *s, struct fm_notes *notes)
{
    struct dive d = {.s = s, .notes = notes};
    begin(&d);
    for (unsigned level = 1; level <= DIVE_DEEPEST; level++) {
        const unsigned there = divers_at(&d, level);
        if (there == 0 && !chief_at(&d, level))
            break;
        if (s->pub.stack_n == 0) {
            run_dry(&d, there, level);
            break;
        }
        resolve_level(&d, there, level);
    }
    follow_dolphins(&d);
    rest(&d);
    return s->pub.log.n_cards + 1u;
}
