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

void dive_imagine(const struct dive_pub *pub, const struct dive_world *w,
                  const struct dive_board board[DIVE_SEATS], struct dive_after *after)
{
    struct dive d = {.pub = pub, .world = w, .board = board, .after = after};
    memcpy(after->pawn, pub->pawn, sizeof after->pawn);
    after->cards = after->erred = 0;
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

#define STEPS 11 /* no pawn advances further in a round, as far as the race goes */

struct pace { /* how far a pawn advances in a round: chances */
    float calm[STEPS], deep[STEPS];
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
static void add_helper(float at[STEPS], float share)
{
    const float one = .22f * share, two = .19f * share; /* of 36 sheets 8 green, 5 red, 4 mantas */
    for (int i = STEPS - 1; i >= 0; i--)
        at[i] =
            at[i] * (1 - one - two) + (i > 0 ? at[i - 1] * one : 0) + (i > 1 ? at[i - 2] * two : 0);
}

static void add_shifted(float to[STEPS], const float from[STEPS], unsigned by, float chance)
{
    for (unsigned i = 0; i < STEPS; i++)
        to[i + by < STEPS ? i + by : STEPS - 1] += chance * from[i];
}

static void divers_pace(struct pace *p, const struct dive_pub *pub, const struct fm_eyes *eyes)
{
    const unsigned rivals = pub->head.n_seats + pub->chief_on;
    const float share = .85f / (float)rivals;
    float helped[STEPS] = {1}, reach = 1, best = 0;
    unsigned depth = 1;
    memset(p, 0, sizeof *p);
    for (unsigned level = 0; level < DIVE_LEVELS; level++) {
        const float right = right_on(pub, eyes, level);
        add_shifted(p->calm, helped, level, reach * (1 - right));
        reach *= right;
        add_helper(helped, share);
        if (reach * (float)(level + 1) > best) { /* in Deep Waters: all or nothing */
            best = reach * (float)(level + 1);
            depth = level + 1;
            memset(p->deep, 0, sizeof p->deep);
            add_shifted(p->deep, helped, depth, reach);
            p->deep[0] += 1 - reach;
        }
    }
    add_shifted(p->calm, helped, DIVE_LEVELS, reach);
}

static void chiefs_pace(struct pace *p, const struct dive_pub *pub)
{
    const float share = .85f / (float)(pub->head.n_seats + 1);
    float helped[STEPS] = {1};
    memset(p, 0, sizeof *p);
    for (unsigned level = 1; level <= DIVE_CHIEF_LEVELS; level++) {
        add_helper(helped, share);
        if (level == 2 || level == 3)
            add_shifted(p->deep, helped, level, .5f);
    }
    add_shifted(p->calm, helped, DIVE_CHIEF_LEVELS, 1);
}

/* Both pawns go on until one has arrived. `tie`: what being equal is worth. Of two that are alike
 * one half of the table tells the other. */
static void run(float win[DIVE_GOAL][DIVE_GOAL], const struct pace *own, const struct pace *other,
                float tie)
{
    for (int sum = 2 * (DIVE_GOAL - 1); sum >= 0; sum--)
        for (int p = sum < DIVE_GOAL ? sum : DIVE_GOAL - 1; p >= 0 && sum - p < DIVE_GOAL; p--) {
            const int q = sum - p;
            if (own == other && p < q) {
                win[p][q] = 1 - win[q][p];
                continue;
            }
            const float *a = dive_deep((unsigned)p) ? own->deep : own->calm;
            const float *b = dive_deep((unsigned)q) ? other->deep : other->calm;
            float value = 0;
            for (int i = 0; i < STEPS; i++)
                for (int j = i == 0; j < STEPS; j++) {
                    const int to = p + i, at = q + j;
                    const float end = to > at ? 1 : to < at ? 0 : tie;
                    value += a[i] * b[j] * (to < DIVE_GOAL && at < DIVE_GOAL ? win[to][at] : end);
                }
            win[p][q] = value / (1 - a[0] * b[0] + 1e-6f); /* nobody moves: again */
        }
}

void dive_race_make(struct dive_race *r, const struct dive_pub *pub, const struct fm_eyes *eyes)
{
    struct pace diver, chief;
    divers_pace(&diver, pub, eyes);
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
