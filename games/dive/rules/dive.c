/*
 * dive.c: the rules of Dive around the dive itself: Program and its clocks, companions in use,
 * rounds and the end. D1 to D50 are in text/rules.en.md; setup is in dive_setup.c, Dive and
 * Rest are in dive_resolve.c.
 */
#include "dive/rules/dive_state.h"

#include "base/bits.h"

#include <string.h>

/* D25: announced in Program; the other three are laid with the program or asked for later. */
#define ANNOUNCED                                                                                  \
    (((1u << DIVE_COMPANIONS) - 1) &                                                               \
     ~(1u << DIVE_CLOWNFISH | 1u << DIVE_ANGLERFISH | 1u << DIVE_AXOLOTL_TILE))

/* ---- companions: whose, and whether still to be used ---------------------------------------- */

static bool unused(const struct dive_pub *pub, unsigned seat, unsigned companion)
{
    return pub->companion[seat] == companion && !(pub->spent >> seat & 1);
}

enum dive_kit dive_kit_of(const struct dive_pub *pub, unsigned seat)
{
    if (pub->children)
        return DIVE_KIT_CHILDREN;
    if (unused(pub, seat, DIVE_CLOWNFISH))
        return DIVE_KIT_CLOWNFISH;
    return unused(pub, seat, DIVE_ANGLERFISH) ? DIVE_KIT_ANGLERFISH : DIVE_KIT_PLAIN;
}

unsigned dive_announceable(const struct dive_pub *pub, unsigned seat)
{
    const unsigned companion = pub->companion[seat];
    if (companion == DIVE_NONE || pub->spent >> seat & 1 || !(ANNOUNCED >> companion & 1))
        return DIVE_NONE;
    return companion;
}

static void spend(struct dive_pub *pub, unsigned seat)
{
    pub->spent |= dive_bit(seat);
    pub->effect[pub->companion[seat]] = (uint8_t)seat;
}

/* The seat that is asked after Rest (D33); n_seats: none. */
static unsigned axolotl_owner(const struct dive_pub *pub)
{
    unsigned seat = 0;
    while (seat < pub->head.n_seats && !unused(pub, seat, DIVE_AXOLOTL_TILE))
        seat++;
    return seat;
}

/* ---- rounds --------------------------------------------------------------------------------- */

void dive_begin_round(struct dive_pub *pub, uint32_t t_ms, unsigned steps, struct fm_notes *notes)
{
    const uint64_t deadline = (uint64_t)t_ms + steps * DIVE_STEP_MS + pub->clock * 1000u;
    pub->round++;
    pub->breathed = 0;
    pub->stopped = DIVE_STOP_CLOCK;
    pub->head.phase = DIVE_PROGRAM;
    pub->head.may = pub->head.owes = dive_everybody(pub);
    if (pub->clock > 0 && deadline < FM_NEVER)
        pub->head.deadline_ms = (uint32_t)deadline;
    fm_tell(notes, DIVE_ROUND, FM_TABLE, pub->round);
}

/* D36: companions that were used leave the game. */
static void end_effects(struct dive_pub *pub, struct fm_notes *notes)
{
    for (unsigned m = pub->spent & ~pub->gone; m != 0; m &= m - 1) {
        const unsigned seat = fm__lowest(m);
        fm_tell(notes, DIVE_LEFT, seat, pub->companion[seat]);
    }
    pub->gone = pub->spent;
    memset(pub->effect, DIVE_NONE, sizeof pub->effect);
}

/* D19, D22, D42, D49: the furthest pawn wins. */
static void finish(struct dive_pub *pub, struct fm_notes *notes)
{
    unsigned best = 0, winners = 0;
    for (unsigned who = 0; who < DIVE_PAWNS; who++) {
        if (who < DIVE_CHIEF ? who >= pub->head.n_seats : !pub->chief_on)
            continue;
        if (pub->pawn[who] > best || winners == 0) {
            best = pub->pawn[who];
            winners = 0;
        }
        if (pub->pawn[who] == best)
            winners |= 1u << who;
    }
    if (winners >> DIVE_CHIEF & 1)
        winners = 1u << DIVE_CHIEF;
    const bool tie = winners & (winners - 1);
    pub->winners = (uint8_t)winners;
    pub->shared = tie && pub->children;
    pub->draw = tie && !pub->children;
    pub->head.phase = DIVE_OVER;
    pub->head.status = FM_OVER;
    pub->head.may = pub->head.owes = 0;
    fm_tell(notes, DIVE_ENDED, FM_TABLE,
            winners | (unsigned)pub->draw << 8 | (unsigned)pub->shared << 9 |
                (unsigned)(best < DIVE_GOAL) << 10);
}

bool dive_over(const struct dive_pub *pub)
{
    if (pub->stack_n == 0)
        return true; /* D20 */
    for (unsigned who = 0; who < DIVE_PAWNS; who++)
        if (pub->pawn[who] >= DIVE_GOAL)
            return true;
    return false;
}

/* Rest is done, and the axolotl with it. */
static void end_round(struct dive_pub *pub, uint32_t t_ms, unsigned steps, struct fm_notes *notes)
{
    end_effects(pub, notes);
    if (dive_over(pub))
        finish(pub, notes);
    else
        dive_begin_round(pub, t_ms, steps, notes);
}

/* Program is over: Dive and Rest. */
static void dive(struct dive_state *s, uint32_t t_ms, struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    pub->ready = 0;
    pub->head.deadline_ms = FM_NEVER;
    const unsigned steps = dive_resolve(s, notes);
    const unsigned owner = axolotl_owner(pub);
    if (owner == pub->head.n_seats) {
        end_round(pub, t_ms, steps, notes);
        return;
    }
    pub->head.phase = DIVE_AXOLOTL;
    pub->head.may = pub->head.owes = dive_bit(owner);
    fm_tell(notes, DIVE_ASKED, owner, 0);
}

/* Whom Program still waits for (D6, D46); Dive begins when that is nobody. */
static void go_on(struct dive_state *s, uint32_t t_ms, struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    pub->head.may = dive_everybody(pub) & (uint8_t)~pub->breathed;
    pub->head.owes = pub->head.may & (uint8_t)~pub->ready;
    if (pub->head.owes == 0)
        dive(s, t_ms, notes);
}

/* ---- Program (D5 to D8, D44 to D46) --------------------------------------------------------- */

/* May this seat lay the clownfish or the anglerfish that is in the program? */
static enum fm_err check_tile(const struct dive_pub *pub, unsigned seat, uint32_t program)
{
    const bool anglerfish = program & DIVE_SIXTH, clownfish = dive_clownfish(program);
    if (!anglerfish && !clownfish)
        return FM_OK;
    const unsigned tile = anglerfish ? DIVE_ANGLERFISH : DIVE_CLOWNFISH;
    if ((anglerfish && clownfish) || pub->companion[seat] != tile)
        return FM_E_NOT_YOURS; /* nobody has both */
    return pub->spent >> seat & 1 ? FM_E_USED : FM_OK;
}

static enum fm_err do_program(struct dive_state *s, const struct fm_event *ev,
                              struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    const uint64_t rest = dive_action_rest(ev->action);
    const uint32_t program = (uint32_t)rest;
    if (pub->ready >> ev->seat & 1)
        return FM_E_READY;
    if (rest >> DIVE_PROGRAM_BITS)
        return FM_E_ACTION;
    if (program != 0 && pub->children != (dive_plain_levels(program) != 0))
        return pub->children ? FM_E_FACES_ONLY : FM_E_TOKENS_MISSING;
    enum fm_err err = dive_program_check(program);
    if (err == FM_OK)
        err = check_tile(pub, ev->seat, program);
    if (err != FM_OK)
        return err;
    s->priv[ev->seat].program = program;
    dive_whisper(notes, DIVE_PROGRAMMED, ev->seat, program);
    return FM_OK;
}

static enum fm_err do_ready(struct dive_state *s, const struct fm_event *ev, struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    if (pub->ready >> ev->seat & 1)
        return FM_E_READY;
    const enum fm_err err = dive_program_ready(s->priv[ev->seat].program, pub->children);
    if (err != FM_OK)
        return err;
    pub->ready |= dive_bit(ev->seat);
    fm_tell(notes, DIVE_READY, ev->seat, 0);
    go_on(s, ev->t_ms, notes);
    return FM_OK;
}

static enum fm_err do_unready(struct dive_state *s, const struct fm_event *ev,
                              struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    if (!(pub->ready >> ev->seat & 1))
        return FM_E_NOT_READY;
    pub->ready &= (uint8_t)~dive_bit(ev->seat);
    fm_tell(notes, DIVE_UNREADY, ev->seat, 0);
    go_on(s, ev->t_ms, notes);
    return FM_OK;
}

static enum fm_err do_breathe(struct dive_state *s, const struct fm_event *ev,
                              struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    if (pub->effect[DIVE_FUGU] == DIVE_NONE)
        return FM_E_NO_FUGU;
    pub->breathed |= dive_bit(ev->seat);
    fm_tell(notes, DIVE_BREATHED, ev->seat, 0);
    go_on(s, ev->t_ms, notes);
    return FM_OK;
}

/* Why this seat may not announce this companion. */
static enum fm_err may_use(const struct dive_pub *pub, unsigned seat, unsigned companion)
{
    if (companion >= DIVE_COMPANIONS)
        return FM_E_ACTION;
    if (pub->companion[seat] != companion)
        return FM_E_NOT_YOURS;
    if (pub->spent >> seat & 1)
        return FM_E_USED;
    if (companion == DIVE_AXOLOTL_TILE)
        return FM_E_AFTER_REST;
    return ANNOUNCED >> companion & 1 ? FM_OK : FM_E_WITH_PROGRAM;
}

/* Where the dolphins go or the octopus lies; anything else has nothing to say. */
static enum fm_err aim(struct dive_pub *pub, unsigned seat, unsigned companion, uint64_t more)
{
    const unsigned x = more & 0xffff, y = more >> 16 & 0xffff;
    switch (companion) {
    case DIVE_DOLPHINS:
        if (more >= pub->head.n_seats)
            return FM_E_TARGET;
        if (more == seat)
            return FM_E_SELF;
        pub->target = (uint8_t)more;
        return FM_OK;
    case DIVE_OCTOPUS:
        if (more >> 32 || x > DIVE_OCTOPUS_SCALE || y > DIVE_OCTOPUS_SCALE)
            return FM_E_ACTION;
        pub->octopus_x = (uint16_t)x;
        pub->octopus_y = (uint16_t)y;
        return FM_OK;
    default:
        return more == 0 ? FM_OK : FM_E_ACTION;
    }
}

static enum fm_err do_use(struct dive_state *s, const struct fm_event *ev, struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    const uint64_t rest = dive_action_rest(ev->action);
    const unsigned companion = rest & 0xff;
    enum fm_err err = may_use(pub, ev->seat, companion);
    if (err == FM_OK)
        err = aim(pub, ev->seat, companion, rest >> 8);
    if (err != FM_OK)
        return err;
    spend(pub, ev->seat);
    fm_tell(notes, DIVE_USED, ev->seat, rest);
    if (companion == DIVE_ORCA && (uint64_t)ev->t_ms + DIVE_ORCA_MS < pub->head.deadline_ms) {
        pub->head.deadline_ms = ev->t_ms + DIVE_ORCA_MS;
        pub->stopped = DIVE_STOP_ORCA;
    }
    return FM_OK;
}

/* D8, D27: the clock says that Program is over, whatever lies on the boards. */
static enum fm_err do_stop(struct dive_state *s, const struct fm_event *ev, struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    const uint64_t why = dive_action_rest(ev->action);
    if (pub->head.phase != DIVE_PROGRAM)
        return FM_E_PHASE;
    if (why > DIVE_STOP_ORCA)
        return FM_E_ACTION;
    if (why == DIVE_STOP_ORCA && pub->effect[DIVE_ORCA] == DIVE_NONE)
        return FM_E_NO_ORCA;
    fm_tell(notes, DIVE_STOPPED, FM_TABLE, why);
    dive(s, ev->t_ms, notes);
    return FM_OK;
}

/* ---- after Rest (D33) ----------------------------------------------------------------------- */

static enum fm_err do_axolotl(struct dive_state *s, const struct fm_event *ev,
                              struct fm_notes *notes)
{
    struct dive_pub *pub = &s->pub;
    const uint64_t use = dive_action_rest(ev->action);
    if (pub->head.phase != DIVE_AXOLOTL)
        return FM_E_PHASE;
    if (use > 1)
        return FM_E_ACTION;
    unsigned steps = pub->log.n_cards + 1u;
    if (use) {
        steps++;
        spend(pub, ev->seat);
        fm_tell(notes, DIVE_USED, ev->seat, DIVE_AXOLOTL_TILE);
        for (unsigned who = 0; who < DIVE_PAWNS; who++) {
            const unsigned from = pub->pawn[who], to = from < 2 ? 0 : from - 2;
            if (who == ev->seat || from % 2 == 0)
                continue;
            dive_move_pawn(pub, who, DIVE_BY_AXOLOTL, 0, to);
            fm_tell(notes, DIVE_MOVED, who, DIVE_BY_AXOLOTL | from << 8 | to << 16);
        }
    } else {
        fm_tell(notes, DIVE_DECLINED, ev->seat, 0);
    }
    end_round(pub, ev->t_ms, steps, notes);
    return FM_OK;
}

/* ---- actions -------------------------------------------------------------------------------- */

/* What seats do in Program, in time. */
static enum fm_err apply_program_phase(struct dive_state *s, const struct fm_event *ev,
                                       struct fm_notes *notes)
{
    if (s->pub.head.phase != DIVE_PROGRAM)
        return FM_E_PHASE;
    if (ev->t_ms > s->pub.head.deadline_ms)
        return FM_E_LATE;
    switch (fm_verb(ev->action)) {
    case DIVE_DO_PROGRAM:
        return do_program(s, ev, notes);
    case DIVE_DO_USE:
        return do_use(s, ev, notes);
    default:
        break;
    }
    if (dive_action_rest(ev->action) != 0)
        return FM_E_ACTION; /* bits that mean nothing */
    switch (fm_verb(ev->action)) {
    case DIVE_DO_READY:
        return do_ready(s, ev, notes);
    case DIVE_DO_UNREADY:
        return do_unready(s, ev, notes);
    default:
        return do_breathe(s, ev, notes);
    }
}

static enum fm_err apply(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    switch ((enum dive_verb)fm_verb(ev->action)) {
    case DIVE_DO_CHOOSE:
        return dive_choose(state, ev, notes);
    case DIVE_DO_PROGRAM:
    case DIVE_DO_READY:
    case DIVE_DO_UNREADY:
    case DIVE_DO_BREATHE:
    case DIVE_DO_USE:
        return apply_program_phase(state, ev, notes);
    case DIVE_DO_AXOLOTL:
        return do_axolotl(state, ev, notes);
    case DIVE_DO_STOP:
        return do_stop(state, ev, notes);
    case DIVE_VERBS:
        break;
    }
    return FM_E_ACTION;
}

static fm_action due(const struct fm_pub *head)
{
    const struct dive_pub *pub = (const void *)head;
    return dive_action(DIVE_DO_STOP, pub->stopped);
}

/* ---- eyes ----------------------------------------------------------------------------------- */

_Static_assert(FM_EYES_KINDS == DIVE_KINDS && FM_EYES_LEVELS == DIVE_DEEPEST, "eyes fit the stack");

/* The stack is looked at anew in every round: its sheets have come nearer. */
static void look(const void *state, const struct fm_eyes *eyes, struct fm_rng *rng,
                 struct fm_sight *sight)
{
    const struct dive_state *s = state;
    if (s->pub.head.phase != DIVE_PROGRAM || sight->scene == s->pub.round)
        return;
    sight->eyes = eyes;
    sight->scene = s->pub.round;
    sight->levels = s->pub.stack_n < DIVE_DEEPEST ? s->pub.stack_n : DIVE_DEEPEST;
    for (unsigned level = 0; level < sight->levels; level++) {
        const unsigned there = s->secret.stack[s->pub.stack_n - 1 - level] & (DIVE_KINDS - 1);
        const uint32_t chance = fm_rng_below(rng, FM_EYES_ONE);
        uint32_t sum = 0;
        unsigned seen = 0; /* counted without a branch: nobody can predict it */
        for (unsigned kind = 0; kind < DIVE_KINDS - 1; kind++) {
            sum += eyes->chance[level][there][kind];
            seen += chance >= sum;
        }
        sight->seen[level] = (uint8_t)seen;
    }
}

/* ---- the game ------------------------------------------------------------------------------- */

enum reason { STONE, EMPTY_STACK };

static void outcome(const void *state, struct fm_outcome *out)
{
    const struct dive_pub *pub = state;
    *out = (struct fm_outcome){.winners = pub->winners & dive_everybody(pub),
                               .length = pub->round,
                               .automaton = pub->winners >> DIVE_CHIEF & 1};
    out->reason = EMPTY_STACK;
    for (unsigned who = 0; who < DIVE_PAWNS; who++)
        if (pub->pawn[who] >= DIVE_GOAL)
            out->reason = STONE;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        out->score[seat] = pub->pawn[seat];
}

static const char *const phases[] = {"setup", "program", "axolotl", "over", NULL};
static const char *const reasons[] = {[STONE] = "stone", [EMPTY_STACK] = "empty-stack", NULL};
static const char *const companion_sets[] = {"none", "seven", "ten", NULL};

static const struct fm_option options[] = {
    [DIVE_OPT_DIVERS] = {.name = "divers",
                         .players = true,
                         .kind = FM_OPT_INT,
                         .min = 1,
                         .max = DIVE_SEATS,
                         .fallback = 2,
                         .about = "how many dive; one only against the village chief"},
    [DIVE_OPT_CHIEF] = {.name = "chief",
                        .kind = FM_OPT_FLAG,
                        .about = "variant: the village chief dives too"},
    [DIVE_OPT_CHILDREN] = {.name = "children",
                           .kind = FM_OPT_FLAG,
                           .about = "variant: shark or no shark, nothing else"},
    [DIVE_OPT_COMPANIONS] = {.name = "companions",
                             .kind = FM_OPT_WORD,
                             .words = companion_sets,
                             .about = "variant: each diver has a companion, out of seven or ten"},
    [DIVE_OPT_FLASHLIGHT] = {.name = "flashlight",
                             .kind = FM_OPT_FLAG,
                             .about = "variant: everybody may light the stack"},
    [DIVE_OPT_CLOCK] = {.name = "clock",
                        .kind = FM_OPT_INT,
                        .max = DIVE_CLOCK_MAX,
                        .about = "seconds to program in; 0: as long as it takes"},
    [DIVE_OPT_AGES] = {.name = "ages",
                       .kind = FM_OPT_SEATS,
                       .fallback = FM_NOT_GIVEN,
                       .about = "seats, youngest first; left out: the last seat is youngest"},
};

/* Its companion. */
static uint32_t traits_of(const struct fm_pub *head, unsigned seat)
{
    const struct dive_pub *pub = (const void *)head;
    return pub->companion[seat] < DIVE_COMPANIONS ? 1u << pub->companion[seat] : 0;
}

static const struct fm_value constants[] = {
    {"levels", DIVE_LEVELS},
    {"tokens", DIVE_TOKENS},
    {"seven", DIVE_AXOLOTL_TILE}, /* companions without the extra three */
    {"clownfish_air", DIVE_CLOWNFISH_AIR},
    {"tranquil_end", DIVE_TRANQUIL_END},
    {"goal", DIVE_GOAL},
    {"orca_ms", DIVE_ORCA_MS},
    {"step_ms", DIVE_STEP_MS},
    {NULL, 0},
};

/* While a dive is being shown nobody decides in secret; afterwards everybody programs. */
static uint32_t reactions_ms(const struct fm_pub *before, const struct fm_pub *now)
{
    const struct dive_pub *then = (const void *)before, *pub = (const void *)now;
    if (now->status == FM_OVER)
        return FM_NEVER;
    return pub->log.round != then->log.round ? (pub->log.n_cards + 1u) * DIVE_STEP_MS : 0;
}

/* ---- what checks cover --------------------------------------------------------------------- */

static const struct fm_field pub_fields[] = {
    FM_FIELD(struct dive_pub, round),
    FM_FIELD(struct dive_pub, clock),
    FM_FIELD(struct dive_pub, children),
    FM_FIELD(struct dive_pub, flashlight),
    FM_FIELD(struct dive_pub, chief_on),
    FM_FIELD(struct dive_pub, stack_n),
    FM_FIELD(struct dive_pub, chief_n),
    FM_FIELD(struct dive_pub, ready),
    FM_FIELD(struct dive_pub, breathed),
    FM_FIELD(struct dive_pub, spent),
    FM_FIELD(struct dive_pub, gone),
    FM_FIELD(struct dive_pub, target),
    FM_FIELD(struct dive_pub, in_play),
    FM_FIELD(struct dive_pub, octopus_x),
    FM_FIELD(struct dive_pub, octopus_y),
    FM_FIELD(struct dive_pub, chief_seen),
    FM_FIELD(struct dive_pub, age),
    FM_FIELD(struct dive_pub, companion),
    FM_FIELD(struct dive_pub, effect),
    FM_FIELD(struct dive_pub, pawn),
    FM_FIELD(struct dive_pub, left),
    FM_FIELD(struct dive_pub, stopped),
    FM_FIELD(struct dive_pub, winners),
    FM_FIELD(struct dive_pub, draw),
    FM_FIELD(struct dive_pub, shared),
    FM_FIELD(struct dive_pub, zero),
    FM_FIELD(struct dive_pub, log.program),
    FM_FIELD(struct dive_pub, log.round),
    FM_FIELD(struct dive_pub, log.n_cards),
    FM_FIELD(struct dive_pub, log.card),
    FM_FIELD(struct dive_pub, log.chief_card),
    FM_FIELD(struct dive_pub, log.bubbles),
    FM_FIELD(struct dive_pub, log.n_moves),
    FM_FIELD(struct dive_pub, log.judged),
    FM_FIELD(struct dive_pub, log.right),
    FM_FIELD(struct dive_pub, log.kept),
    FM_FIELD(struct dive_pub, log.move),
    FM_UNCHECKED(struct dive_pub, chief_left), /* derived from the deck and what was turned over */
    FM_FIELDS_END,
};

static const struct fm_field priv_fields[] = {
    FM_FIELD(struct dive_priv, program),
    FM_FIELD(struct dive_priv, choice),
    FM_FIELD(struct dive_priv, zero),
    FM_FIELDS_END,
};

static const struct fm_field secret_fields[] = {
    FM_FIELD(struct dive_secret, stack),
    FM_FIELD(struct dive_secret, chief),
    FM_FIELD(struct dive_secret, zero),
    FM_FIELDS_END,
};

const struct fm_game fm_game_dive = {
    .id = "dive",
    .title = "Dive",
    .deck = "dive-reef",
    .length_unit = "rounds",
    .phases = phases,
    .reasons = reasons,
    .automaton = "chief",
    .options = options,
    .n_options = DIVE_N_OPTIONS,
    .constants = constants,
    .hidden_verbs = 1u << DIVE_DO_CHOOSE | 1u << DIVE_DO_PROGRAM,
    .open_verbs = 1u << DIVE_DO_PROGRAM | 1u << DIVE_DO_USE,
    .table_verbs = 1u << DIVE_DO_STOP,
    .final_verbs = 1u << DIVE_DO_CHOOSE, /* D47 */
    .repeat_verbs = 1u << DIVE_DO_PROGRAM | 1u << DIVE_DO_UNREADY,
    .newest_rules = 1,
    .min_seats = 1,
    .max_seats = DIVE_SEATS,
    .state_size = sizeof(struct dive_state),
    .pub_size = sizeof(struct dive_pub),
    .priv_off = offsetof(struct dive_state, priv),
    .priv_size = sizeof(struct dive_priv),
    .secret_off = offsetof(struct dive_state, secret),
    .fields = {pub_fields, priv_fields, secret_fields},
    .settle = dive_settle,
    .init = dive_init,
    .apply = apply,
    .legal = dive_legal,
    .sample = dive_sample,
    .deal = dive_deal,
    .look = look,
    .due = due,
    .reactions_ms = reactions_ms,
    .outcome = outcome,
    .wire = &dive_wire,
    .flat = &dive_flat,
    .ocean = &dive_ocean,
    .traits = dive_companion_names,
    .traits_of = traits_of,
};
