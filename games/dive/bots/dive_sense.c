/* dive_sense.c: belief, imagined dives, the race. */
#include "dive/bots/dive_sense.h"

#include "base/bits.h"

#include <string.h>

/* ---- belief --------------------------------------------------------------------------------- */

static float weight(const struct dive_pub *pub, const struct fm_eyes *eyes, unsigned level,
                    unsigned kind, unsigned seen)
{
    const float left = (float)pub->left[kind] + .01f; /* a given stack may hold anything */
    return eyes == NULL ? left : left * (float)(eyes->chance[level][kind][seen] + 1);
}

void dive_believe(struct dive_belief *b, const struct dive_pub *pub, const struct fm_sight *sight)
{
    for (unsigned level = 0; level < DIVE_DEEPEST; level++) {
        const bool seen = sight != NULL && level < sight->levels;
        float sum = 0, shark = 0;
        for (unsigned kind = 0; kind < DIVE_KINDS; kind++) {
            b->kind[level][kind] =
                weight(pub, seen ? sight->eyes : NULL, level, kind, seen ? sight->seen[level] : 0);
            sum += b->kind[level][kind];
            shark += kind & DIVE_SHARK ? b->kind[level][kind] : 0;
        }
        for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
            b->kind[level][kind] /= sum;
        b->shark[level] = shark > .5f * sum;
    }
}

bool dive_likelier(const struct dive_pub *pub, const struct fm_eyes *eyes, unsigned level,
                   unsigned seen)
{
    float balance = 0;
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++) {
        const float w = weight(pub, eyes, level, kind, seen);
        balance += kind & DIVE_SHARK ? w : -w;
    }
    return balance > 0;
}

/* ---- an imagined dive ----------------------------------------------------------------------- */

struct dive { /* while it lasts */
    const struct dive_pub *pub;
    const struct dive_world *world;
    const struct dive_board *board;
    struct dive_after *after;
    uint8_t depth[DIVE_SEATS];
    uint8_t diving, numbers;
};

static unsigned manta(const uint8_t pawn[DIVE_PAWNS], unsigned who)
{
    const unsigned from = pawn[who];
    unsigned ahead = DIVE_NONE;
    if (dive_deep(from))
        return from;
    for (unsigned other = 0; other < DIVE_PAWNS; other++)
        if (pawn[other] > from && pawn[other] < ahead)
            ahead = pawn[other];
    return ahead == DIVE_NONE ? from : dive_deep(ahead) ? DIVE_TRANQUIL_END : ahead;
}

static void help(struct dive *d, unsigned who, unsigned helper)
{
    const struct dive_pub *pub = d->pub;
    uint8_t *pawn = d->after->pawn;
    if (helper == DIVE_MANTA) {
        pawn[who] = (uint8_t)manta(pawn, who);
        return;
    }
    const uint8_t narwhal = pub->effect[DIVE_NARWHAL];
    int spaces = helper == DIVE_GREEN ? 1 : 2;
    if (narwhal != DIVE_NONE && narwhal != who)
        spaces = -spaces;
    if (helper == DIVE_GREEN && pub->effect[DIVE_GREEN_TURTLE] == who)
        spaces++;
    const int to = pawn[who] + spaces;
    pawn[who] = (uint8_t)(to > 0 ? to : 0);
}

static void cover_if_deep(struct dive *d, unsigned level) /* yellow numbers from this level on */
{
    if (dive_deep(d->after->pawn[DIVE_CHIEF]))
        d->numbers &= (uint8_t) ~(d->world->chief_yellow >> level << level);
}

static void one_level(struct dive *d, unsigned there, unsigned level)
{
    const unsigned kind = d->world->kind[level], helper = kind & 3;
    const unsigned shark = kind & DIVE_SHARK ? 1 : 0;
    unsigned best = 0, who = DIVE_NONE;
    if (d->numbers >> level & 1) {
        best = d->world->chief_speed[level];
        who = DIVE_CHIEF;
    }
    for (unsigned m = there; m != 0; m &= m - 1) {
        const unsigned seat = fm__lowest(m), speed = d->board[seat].speed[level];
        if ((d->board[seat].faces >> level & 1) != shark) {
            d->after->erred |= (uint8_t)(1u << seat);
            d->diving &= (uint8_t) ~(1u << seat);
            d->depth[seat] = dive_deep(d->after->pawn[seat]) ? 0 : (uint8_t)level;
        } else if (speed > best) {
            best = speed;
            who = seat;
        } else if (speed == best) {
            who = DIVE_NONE;
        }
    }
    if (helper == DIVE_NO_HELPER || who == DIVE_NONE)
        return;
    help(d, who, helper);
    if (who == DIVE_CHIEF)
        cover_if_deep(d, level + 1);
}

static unsigned divers_at(const struct dive *d, unsigned level)
{
    unsigned there = 0;
    for (unsigned seat = 0; seat < d->pub->head.n_seats; seat++)
        there |= (unsigned)(d->depth[seat] > level) << seat;
    return there & d->diving;
}

static void rest(struct dive *d)
{
    const struct dive_pub *pub = d->pub;
    struct dive_after *after = d->after;
    const uint8_t dolphins = pub->effect[DIVE_DOLPHINS], white = pub->effect[DIVE_GREAT_WHITE];
    unsigned held = 0;
    if (dolphins != DIVE_NONE && !(after->erred >> pub->target & 1))
        after->pawn[dolphins]++;
    if (white != DIVE_NONE) {
        held = after->erred & ~(1u << white);
        held = held ? held : 1u << white;
    }
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        if (!(held >> seat & 1))
            after->pawn[seat] = (uint8_t)(after->pawn[seat] + d->depth[seat]);
    after->pawn[DIVE_CHIEF] = (uint8_t)(after->pawn[DIVE_CHIEF] + fm__count(d->numbers));
}

/* D22: each right level is worth a space, and nobody is stopped. */
static void imagine_children(const struct dive_pub *pub, const struct dive_world *w,
                             const struct dive_board board[DIVE_SEATS], struct dive_after *after)
{
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        for (unsigned level = 0; level < board[seat].depth && level < pub->stack_n; level++) {
            const unsigned shark = w->kind[level] & DIVE_SHARK ? 1 : 0;
            const bool right = (board[seat].faces >> level & 1) == shark;
            after->pawn[seat] = (uint8_t)(after->pawn[seat] + right);
            after->erred |= (uint8_t)(!right << seat);
            after->cards = (uint8_t)(level >= after->cards ? level + 1 : after->cards);
        }
}

void dive_imagine(const struct dive_pub *pub, const struct dive_world *w,
                  const struct dive_board board[DIVE_SEATS], struct dive_after *after)
{
    struct dive d = {.pub = pub, .world = w, .board = board, .after = after};
    memcpy(after->pawn, pub->pawn, sizeof after->pawn);
    after->cards = after->erred = 0;
    if (pub->children) {
        imagine_children(pub, w, board, after);
        return;
    }
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++) {
        d.depth[seat] = board[seat].depth;
        d.diving |= (uint8_t)(1u << seat);
    }
    d.numbers = w->chief ? (1u << DIVE_CHIEF_LEVELS) - 1 : 0;
    cover_if_deep(&d, 0);
    for (unsigned level = 0; level < DIVE_DEEPEST; level++) {
        const unsigned there = divers_at(&d, level);
        if (there == 0 && !(d.numbers >> level & 1))
            break;
        if (level >= pub->stack_n) { /* D20 */
            for (unsigned m = there; m != 0; m &= m - 1)
                d.depth[fm__lowest(m)] = (uint8_t)level;
            d.numbers &= (uint8_t)((1u << level) - 1);
            break;
        }
        after->cards++;
        one_level(&d, there, level);
    }
    rest(&d);
}

/* ---- the race ------------------------------------------------------------------------------- */

#define STEPS    11  /* without a manta no pawn advances further in a round, for the race */
#define WARINESS .5f /* in Deep Waters one dives for what one is sure of, and errs less often */

/* How far a pawn advances in a round: chances, and apart from them those with a manta on the way,
 * which takes it as far as the other pawn. */
struct stride {
    float plain[STEPS], manta[STEPS];
};

struct pace {
    struct stride calm;
    struct stride deep[DIVE_LEVELS]; /* as one chooses: for each depth */
    unsigned depths, usual;          /* how many there are; the one that brings most */
};

/* How often a face is right on a level. */
static float right_on(const struct dive_pub *pub, const struct fm_eyes *eyes, unsigned level)
{
    float right = 0, sum = 0;
    for (unsigned seen = 0; seen < DIVE_KINDS; seen++) {
        float part[2] = {0, 0};
        for (unsigned kind = 0; kind < DIVE_KINDS; kind++) {
            const float w = weight(pub, eyes, level, kind, seen);
            part[kind & DIVE_SHARK ? 1 : 0] += w;
            sum += w;
        }
        right += part[0] > part[1] ? part[0] : part[1];
    }
    return right / sum;
}

/* One more level on which a helper may be won by a share of those who are right. */
static void add_helper(struct stride *at, float share)
{
    const float green = .22f * share, red = .14f * share; /* of 36 sheets 8 green, 5 red, */
    const float manta = .11f * share;                     /* 4 mantas; one of them counts */
    for (int i = STEPS - 1; i >= 0; i--) {
        const float plain = at->plain[i];
        at->plain[i] = plain * (1 - green - red - manta) + (i > 0 ? at->plain[i - 1] * green : 0) +
                       (i > 1 ? at->plain[i - 2] * red : 0);
        at->manta[i] = at->manta[i] * (1 - green - red) + (i > 0 ? at->manta[i - 1] * green : 0) +
                       (i > 1 ? at->manta[i - 2] * red : 0) + plain * manta;
    }
}

static void add_shifted(struct stride *to, const struct stride *from, unsigned by, float chance)
{
    for (unsigned i = 0; i < STEPS; i++) {
        const unsigned at = i + by < STEPS ? i + by : STEPS - 1;
        to->plain[at] += chance * from->plain[i];
        to->manta[at] += chance * from->manta[i];
    }
}

/* In Deep Waters a mistake leaves nothing but what helpers brought (D12). */
static void divers_pace(struct pace *p, const struct dive_pub *pub, const struct fm_eyes *eyes)
{
    const float share = .85f / (float)(pub->head.n_seats + pub->chief_on);
    struct stride helped = {.plain = {1}}, erred = {0};
    float reach = 1, wary = 1, best = 0;
    memset(p, 0, sizeof *p);
    for (unsigned level = 0; level < DIVE_LEVELS; level++) {
        const float right = right_on(pub, eyes, level);
        add_shifted(&p->calm, &helped, level, reach * (1 - right));
        add_shifted(&erred, &helped, 0, wary * WARINESS * (1 - right));
        reach *= right;
        wary *= 1 - WARINESS * (1 - right);
        add_helper(&helped, share);
        p->deep[level] = erred;
        add_shifted(&p->deep[level], &helped, level + 1, wary);
        if (wary * (float)(level + 1) <= best)
            continue;
        best = wary * (float)(level + 1);
        p->usual = level;
    }
    add_shifted(&p->calm, &helped, DIVE_LEVELS, reach);
    p->depths = DIVE_LEVELS;
}

/* D22: one zone, no helpers, and every level counts for itself. */
static void childrens_pace(struct pace *p, const struct dive_pub *pub, const struct fm_eyes *eyes)
{
    float *at = p->calm.plain;
    memset(p, 0, sizeof *p);
    at[0] = 1;
    for (unsigned level = 0; level < DIVE_LEVELS; level++) {
        const float right = right_on(pub, eyes, level);
        for (int i = STEPS - 1; i >= 0; i--)
            at[i] = at[i] * (1 - right) + (i > 0 ? at[i - 1] * right : 0);
    }
    p->deep[0] = p->calm;
    p->depths = 1;
}

static void chiefs_pace(struct pace *p, const struct dive_pub *pub)
{
    const float share = .85f / (float)(pub->head.n_seats + 1);
    struct stride helped = {.plain = {1}}, rarely = helped;
    memset(p, 0, sizeof *p);
    for (unsigned level = 1; level <= DIVE_CHIEF_LEVELS; level++) {
        add_helper(&helped, share);
        add_helper(&rarely, .5f * share); /* near the goal divers are fast on the first levels */
        if (level == 2 || level == 3)
            add_shifted(&p->deep[0], &rarely, level, .5f);
    }
    add_shifted(&p->calm, &helped, DIVE_CHIEF_LEVELS, 1);
    p->depths = 1;
}

/* How far a pawn on p advances while the other is on q (D15), with this choice in Deep Waters. */
static void advance(const struct pace *pace, unsigned choice, int p, int q, float out[DIVE_GOAL])
{
    const bool deep = dive_deep((unsigned)p);
    const struct stride *s = deep ? &pace->deep[choice] : &pace->calm;
    const int ahead = q < DIVE_TRANQUIL_END ? q : DIVE_TRANQUIL_END;
    const int ride = !deep && ahead > p ? ahead - p : 0;
    memset(out, 0, DIVE_GOAL * sizeof *out);
    for (int i = 0; i < STEPS; i++) {
        out[i] += s->plain[i];
        out[i + ride < DIVE_GOAL ? i + ride : DIVE_GOAL - 1] += s->manta[i];
    }
}

/* The chance to be ahead from p and q, if it is known from all later places. */
static float one_race(float win[DIVE_GOAL][DIVE_GOAL], const float own[DIVE_GOAL],
                      const float other[DIVE_GOAL], int p, int q, float tie)
{
    float value = 0;
    for (int i = 0; i < DIVE_GOAL; i++)
        for (int j = i == 0; j < DIVE_GOAL && own[i] > 0; j++) {
            const int to = p + i, at = q + j;
            const float end = to > at ? 1 : to < at ? 0 : tie;
            value += own[i] * other[j] * (to < DIVE_GOAL && at < DIVE_GOAL ? win[to][at] : end);
        }
    return value / (1 - own[0] * other[0] + 1e-6f); /* nobody moves: again */
}

/* The depth with which a pawn is ahead most often: who has to catch up dares more. The other pawn
 * advances as usual. */
static unsigned best_depth(float win[DIVE_GOAL][DIVE_GOAL], const struct pace *own,
                           const struct pace *other, int p, int q, float tie)
{
    float a[DIVE_GOAL], b[DIVE_GOAL], most = -1;
    unsigned best = own->usual;
    advance(other, other->usual, q, p, b);
    for (unsigned i = 0; i < own->depths && own->depths > 1 && dive_deep((unsigned)p); i++) {
        advance(own, i, p, q, a);
        const float value = one_race(win, a, b, p, q, tie);
        best = value > most ? i : best;
        most = value > most ? value : most;
    }
    return best;
}

/* The same for the other pawn, which wants this one to be behind. */
static unsigned worst_depth(float win[DIVE_GOAL][DIVE_GOAL], const struct pace *own,
                            const struct pace *other, int p, int q, float tie)
{
    float a[DIVE_GOAL], b[DIVE_GOAL], least = 2;
    unsigned best = other->usual;
    advance(own, own->usual, p, q, a);
    for (unsigned i = 0; i < other->depths && other->depths > 1 && dive_deep((unsigned)q); i++) {
        advance(other, i, q, p, b);
        const float value = one_race(win, a, b, p, q, tie);
        best = value < least ? i : best;
        least = value < least ? value : least;
    }
    return best;
}

/* Both pawns go on until one has arrived. `tie`: what being equal is worth. Of two that are alike
 * one half of the table tells the other. */
static void run(float win[DIVE_GOAL][DIVE_GOAL], const struct pace *own, const struct pace *other,
                float tie)
{
    float a[DIVE_GOAL], b[DIVE_GOAL];
    for (int sum = 2 * (DIVE_GOAL - 1); sum >= 0; sum--)
        for (int p = sum < DIVE_GOAL ? sum : DIVE_GOAL - 1; p >= 0 && sum - p < DIVE_GOAL; p--) {
            const int q = sum - p;
            if (own == other && p < q) {
                win[p][q] = 1 - win[q][p];
                continue;
            }
            advance(own, best_depth(win, own, other, p, q, tie), p, q, a);
            advance(other, worst_depth(win, own, other, p, q, tie), q, p, b);
            win[p][q] = one_race(win, a, b, p, q, tie);
        }
}

void dive_race_make(struct dive_race *r, const struct dive_pub *pub, const struct fm_eyes *eyes)
{
    struct pace diver, chief;
    (pub->children ? childrens_pace : divers_pace)(&diver, pub, eyes);
    run(r->diver, &diver, &diver, .5f);
    if (!pub->chief_on)
        return;
    chiefs_pace(&chief, pub);
    run(r->chief, &diver, &chief, 0); /* D42 */
}

/* It is over: the furthest pawn wins, the tied share. */
static float won(const struct dive_pub *pub, const uint8_t pawn[DIVE_PAWNS], unsigned seat)
{
    unsigned tied = 0;
    for (unsigned other = 0; other < pub->head.n_seats; other++) {
        if (pawn[other] > pawn[seat])
            return 0;
        tied += pawn[other] == pawn[seat];
    }
    if (pub->chief_on && pawn[DIVE_CHIEF] >= pawn[seat])
        return 0;
    return 1 / (float)tied;
}

float dive_race_win(const struct dive_race *r, const struct dive_pub *pub,
                    const uint8_t pawn[DIVE_PAWNS], unsigned left, unsigned seat)
{
    const unsigned n = pub->head.n_seats;
    bool over = left == 0;
    for (unsigned who = 0; who < DIVE_PAWNS; who++)
        over |= pawn[who] >= DIVE_GOAL;
    if (over)
        return won(pub, pawn, seat);
    if (n == 2 && !pub->chief_on)
        return r->diver[pawn[seat]][pawn[1 - seat]];
    float own = 0, sum = 0, chief = pub->chief_on ? 1 : 0;
    for (unsigned who = 0; who < n; who++) {
        float ahead = 1;
        for (unsigned other = 0; other < n; other++)
            ahead *= other == who ? 1 : r->diver[pawn[who]][pawn[other]];
        if (pub->chief_on) {
            ahead *= r->chief[pawn[who]][pawn[DIVE_CHIEF]];
            chief *= 1 - r->chief[pawn[who]][pawn[DIVE_CHIEF]];
        }
        own = who == seat ? ahead : own;
        sum += ahead;
    }
    return own / (sum + chief + 1e-9f);
}
