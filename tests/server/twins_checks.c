/*
 * twins_checks.c: pairs of worlds in which a viewer must be sent the same bytes.
 *
 *   waiting   before the start: other seeds, other entropy of others, others' notes
 *   dealt     a state of a random match, and one that game->deal makes of the viewer's view
 *   hidden    what others do in secret, their notes, votes, refusals; over restarts, too
 *   bots      the same where one seat is a bot's: what it does, and when, shows nothing of others
 *   why       as dealt, and the viewer asks why others did what they did
 *
 * As long as the viewer's bytes of the match are equal it must be sent equal bytes; once an event
 * shows it something that differs, the pair is done.
 */
#include "server/twins.h"

#include "dive/rules/dive_state.h"

#include <fathom/games.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- before the start ----------------------------------------------------------------------- */

const char *check_waiting(const char *body, unsigned matches)
{
    const char *wrong = NULL;
    for (unsigned m = 0; m < matches / 8 + 1 && wrong == NULL; m++)
        for (int viewer = FM_WATCHER; viewer < 2 && wrong == NULL; viewer++) {
            for (int i = 0; i < 2; i++)
                twin_open(&two[i], body, 100 + m, viewer, i == 1, NULL);
            struct srv_table *t = twin_table(&two[1]);
            t->seed[0] ^= 0x55; /* it only shows in the commitment */
            fm_fair_commitment(t->commitment, t->seed, t->fair.table, &t->setup);
            for (int i = 0; i < 2; i++) {
                twin_listen(&two[i], viewer, SRV_NO_FROM);
                twin_listen(&two[i], viewer, -1);
                stranger_tries(&two[i]);
                ask_all(&two[i], viewer);
            }
            others_come(viewer);
            do_in_secret(viewer);
            for (int i = 0; i < 2; i++) {
                ask_all(&two[i], viewer);
                twin_act(&two[i], 1, "early", noise(t->setup.game, 5));
                hide_commitments(&two[i].http);
            }
            wrong = compare_twins(viewer, "before the start");
            for (int i = 0; i < 2; i++)
                twin_close(&two[i]);
        }
    return wrong;
}

/* ---- dealt worlds --------------------------------------------------------------------------- */

/* The game that a world plays, with the planted leak. */
static void copy_game(struct twin *t, const struct fm_game *game)
{
    t->game = *game;
    t->wire = *game->wire;
    t->game.wire = &t->wire;
    if (leak != NULL && leak->put_view != NULL)
        t->wire.put_view = leak->put_view;
    if (leak != NULL && leak->put_note != NULL)
        t->wire.put_note = leak->put_note;
    if (leak != NULL && leak->legal != NULL)
        t->game.legal = leak->legal;
    if (leak != NULL && leak->apply != NULL)
        t->game.apply = leak->apply;
}

static enum fm_err init_0(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    (void)notes;
    memcpy(state, two[0].origin, setup->game->state_size);
    return FM_OK;
}

static enum fm_err init_1(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    (void)notes;
    memcpy(state, two[1].origin, setup->game->state_size);
    return FM_OK;
}

/* The table of a world is in its origin's state, and was dealt so: also a replay begins there. */
static void set_origin(struct twin *t, const struct fm_game *game, uint32_t since)
{
    struct srv_table *table = twin_table(t);
    copy_game(t, game);
    t->game.init = t == &two[0] ? init_0 : init_1;
    table->setup.game = &t->game;
    memcpy(table->match, t->origin, game->state_size);
    table->n_events = 0;
    table->state = ST_PLAYING;
    table->has_rematch = false;
    table->start_ms = t->w.now_ms - since;
    table->n_done = 0;
    for (int seat = 0; seat < FM_MAX_SEATS; seat++) {
        free(table->seat[seat].notes);
        table->seat[seat].notes = NULL;
    }
    struct srv_slot *slot = world_slot(&t->w, t->id);
    memset(slot->votes_for, 0, sizeof slot->votes_for);
    memset(slot->votes_against, 0, sizeof slot->votes_against);
    memset(slot->reacted_ms, 0, sizeof slot->reacted_ms);
    slot->react_until_ms = 0;
}

/* What may happen next in a random match: somebody acts, or the clock does; action 0: nobody. */
static struct fm_event random_event(const struct fm_game *g, const uint8_t *match)
{
    const struct fm_pub *pub = (const void *)match;
    const unsigned asked = pub->owes != 0 ? pub->owes : pub->may;
    struct fm_event ev = {.t_ms = last_ms(g, match) + fm_rng_below(&rng, 300)};
    if (pub->deadline_ms != FM_NEVER &&
        (asked == 0 || ev.t_ms > pub->deadline_ms || fm_rng_below(&rng, 8) == 0)) {
        ev.seat = FM_TABLE;
        ev.t_ms = pub->deadline_ms > last_ms(g, match) ? pub->deadline_ms : last_ms(g, match);
        ev.action = g->due(pub);
        return ev;
    }
    const unsigned seat = fm_rng_below(&rng, pub->n_seats);
    for (unsigned k = 0; k < pub->n_seats && ev.action == 0; k++) {
        ev.seat = (uint8_t)((seat + k) % pub->n_seats);
        if (asked >> ev.seat & 1)
            ev.action = g->sample(fm_view_of(g, match, ev.seat), &rng);
    }
    return ev;
}

/* A state some events into a random match; false: the match is over before. */
static bool random_state(const struct srv_table *table, uint8_t *match, uint32_t depth)
{
    struct fm_setup setup = table->setup;
    const struct fm_game *g = fm_game_find(setup.game->id);
    setup.game = g;
    for (size_t i = 0; i < sizeof setup.seed; i++)
        setup.seed[i] = (uint8_t)fm_rng_u32(&rng);
    fm_assert(fm_init(match, &setup, NULL) == FM_OK);
    const struct fm_pub *pub = (const void *)match;
    for (uint32_t i = 0; i < depth; i++) {
        const struct fm_event ev = random_event(g, match);
        if (ev.action == 0 || fm_apply(g, match, &ev, NULL) != FM_OK)
            break;
    }
    return pub->status != FM_OVER;
}

/* The viewer asks what it would see after one action, or two (then NULL: one). */
static const char *what_if(int viewer, const char *first, const char *then)
{
    static char actions[8192];
    static unsigned number;
    (void)snprintf(actions, sizeof actions, "[%s%s%s]", first, then != NULL ? "," : "",
                   then != NULL ? then : "");
    number++;
    for (int i = 0; i < 2; i++) {
        const uint32_t check = fm_check(&two[i].game, twin_table(&two[i])->match);
        (void)client_say(&two[i].ear[0], "{\"what\":\"w%u\",\"if\":%s}", number, actions);
        if (fm_check(&two[i].game, twin_table(&two[i])->match) != check)
            return found("viewer %d: %s was done, not only asked", viewer, actions);
    }
    return compare_twins(viewer, actions);
}

/* Whatever may be asked of it: all that is legal, in pairs, too, and some noise. */
static const char *what_ifs(int viewer)
{
    static const char *const last[] = {"{\"do\":\"pass\"}", "{\"do\":\"ready\"}",
                                       "{\"do\":\"end\"}"};
    const struct fm_game *g = &two[0].game;
    const char *wrong = NULL;
    if (viewer == FM_WATCHER)
        return what_if(viewer, noise(g, 2), NULL);
    for (int k = 0; k < 4 && wrong == NULL; k++)
        wrong = what_if(viewer, noise(g, fm_rng_u32(&rng)), NULL);
    for (int k = 0; k < 4 && wrong == NULL; k++) {
        const struct fm_view v = view_of(&two[0], viewer);
        const fm_action a = v.game->sample(v, &rng);
        if (a != 0)
            wrong = what_if(viewer, action_text(g, a), k == 3 ? NULL : last[k]);
    }
    return wrong;
}

/* The same action in both worlds; *on: the viewer still sees the same. */
static const char *step_both(int viewer, int actor, const char *action, bool *on)
{
    char id[20];
    copy_text(id, sizeof id, new_id());
    const uint32_t seq[2] = {fm_view_seq(view_of(&two[0], viewer)),
                             fm_view_seq(view_of(&two[1], viewer))};
    for (int i = 0; i < 2; i++)
        if (actor == viewer && viewer != FM_WATCHER) {
            (void)client_say(&two[i].ear[0], "{\"id\":\"%s\",\"action\":%s}", id, action);
            world_settle(&two[i].w);
        } else {
            twin_act(&two[i], actor, id, action);
        }
    *on = same_match(viewer) && twin_table(&two[0])->state == ST_PLAYING &&
          twin_table(&two[1])->state == ST_PLAYING;
    if (actor == viewer) { /* it is refused for what the viewer sees, or in neither world */
        const bool a = fm_view_seq(view_of(&two[0], viewer)) != seq[0];
        const bool b = fm_view_seq(view_of(&two[1], viewer)) != seq[1];
        if (a != b)
            return found("viewer %d: %s is taken in one world only", viewer, action);
    }
    return *on ? compare_twins(viewer, action) : NULL;
}

static const char *check_pair(int viewer)
{
    const struct fm_game *g = &two[0].game;
    const uint32_t seq = fm_view_seq(view_of(&two[0], viewer));
    const char *wrong;
    bool on = true;
    for (int i = 0; i < 2; i++) {
        twin_listen(&two[i], viewer, SRV_NO_FROM);
        twin_listen(&two[i], viewer, 0);
        stranger_tries(&two[i]);
        ask_all(&two[i], viewer);
    }
    if ((wrong = compare_twins(viewer, "at hello")) != NULL)
        return wrong;
    others_come(viewer);
    do_in_secret(viewer);
    for (int i = 0; i < 2; i++)
        ask_all(&two[i], viewer);
    if ((wrong = compare_twins(viewer, "after what others asked for")) != NULL ||
        (wrong = what_ifs(viewer)) != NULL)
        return wrong;
    for (int k = 0; k < 4 && on && viewer != FM_WATCHER; k++)
        if ((wrong = step_both(viewer, viewer, noise(g, fm_rng_u32(&rng)), &on)) != NULL)
            return wrong;
    for (int k = 0; k < 6 && on; k++) {
        const int actor = (int)fm_rng_below(&rng, (uint32_t)n_seats());
        const fm_action action = common_action(actor);
        if (action != 0 && (wrong = step_both(viewer, actor, action_text(g, action), &on)) != NULL)
            return wrong;
    }
    if (!on)
        return NULL;
    for (int i = 0; i < 2; i++) { /* a reconnect */
        client_leave(&two[i].ear[1]);
        twin_listen(&two[i], viewer, seq);
        twin_listen(&two[i], viewer, SRV_NO_FROM);
        stranger_tries(&two[i]);
        ask_all(&two[i], viewer);
    }
    return compare_twins(viewer, "after a reconnect");
}

static const char *check_dealt_by(const char *body, unsigned matches,
                                  const char *(*check)(int viewer))
{
    const char *wrong = NULL;
    for (int i = 0; i < 2; i++) {
        twin_open(&two[i], body, 200, 0, false, NULL);
        fm_assert(world_ask(&two[i].w, "POST", two[i].host, NULL, "/api/tables/%s/start",
                            two[i].id) == 200);
    }
    const struct fm_game *g = fm_game_find(twin_table(&two[0])->setup.game->id);
    twin_table(&two[1])->seed[0] ^= 0x77;
    for (unsigned m = 0; m < matches && wrong == NULL; m++) {
        static _Alignas(8) uint8_t match[FM_STATE_MAX];
        if (!random_state(twin_table(&two[0]), match, fm_rng_below(&rng, 40)))
            continue;
        for (int viewer = FM_WATCHER; viewer < n_seats() && wrong == NULL; viewer++) {
            memcpy(two[0].origin, match, sizeof match);
            fm_assert(g->deal(two[1].origin, fm_view_of(g, match, viewer), &rng) == FM_OK);
            const uint32_t a = last_ms(g, match), b = last_ms(g, two[1].origin);
            for (int i = 0; i < 2; i++)
                set_origin(&two[i], g, (a > b ? a : b) + 1);
            wrong = check(viewer);
            for (int i = 0; i < 2; i++) {
                world_settle(&two[i].w);
                twin_forget_ears(&two[i]);
                two[i].w.now_ms = 1700000000000 + 1000ull * (m + 1);
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        twin_table(&two[i])->setup.game = g;
        twin_close(&two[i]);
    }
    return wrong;
}

const char *check_dealt(const char *body, unsigned matches)
{
    return check_dealt_by(body, matches, check_pair);
}

/* ---- explanations ---------------------------------------------------------------------------- */

/* What the viewer is told first of an action in one of the worlds; kind 0: it is not taken. */
static struct fm_note first_told(struct twin *t, int viewer, int actor, fm_action action)
{
    static _Alignas(8) uint8_t after[FM_STATE_MAX];
    const struct fm_game *g = fm_game_find(t->game.id);
    const struct fm_event ev = {.t_ms = UINT32_MAX >> 2, .seat = (uint8_t)actor, .action = action};
    struct fm_notes notes = {0};
    memcpy(after, twin_table(t)->match, sizeof after);
    struct fm_pub *pub = (void *)after;
    pub->deadline_ms = FM_NEVER;
    if (fm_apply(g, after, &ev, &notes) != FM_OK || pub->status == FM_OVER)
        return (struct fm_note){0};
    for (size_t i = 0; i < notes.len; i++)
        if (fm_note_cut(&notes.item[i], viewer))
            return notes.item[i];
    return (struct fm_note){0};
}

/* What a bot does is explained: as if the seat were a bot's, and had been all along. */
static const char *why_both(int viewer, int actor, uint32_t seq)
{
    for (int i = 0; i < 2; i++) {
        struct srv_table *table = twin_table(&two[i]);
        table->n_done = 0;
        (void)snprintf(table->seat[actor].bot, sizeof table->seat[actor].bot, "random");
        mail_clear(&two[i].http);
        ask_why(&two[i], viewer, seq, actor);
        ask_why(&two[i], viewer, seq + 5, actor);
        table->seat[actor].bot[0] = '\0';
    }
    for (int i = 0; i < 2; i++) /* streams differ once the worlds do */
        for (unsigned k = 0; k < two[i].n_ears; k++)
            mail_clear(&two[i].ear[k].mail);
    return compare_twins(viewer, "why");
}

/* The same move in both worlds, of which the viewer is told the same at first. What follows may
 * differ, and must not change how it is explained. */
static const char *check_whys(int viewer)
{
    const char *wrong = NULL;
    for (int i = 0; i < 2; i++)
        twin_listen(&two[i], viewer, SRV_NO_FROM);
    others_come(viewer);
    for (int k = 0; k < 12 && wrong == NULL; k++) {
        const int actor = (int)fm_rng_below(&rng, (uint32_t)n_seats());
        const fm_action action = actor != viewer ? common_action(actor) : 0;
        if (action == 0)
            continue;
        const struct fm_note a = first_told(&two[0], viewer, actor, action);
        const struct fm_note b = first_told(&two[1], viewer, actor, action);
        if (a.kind == 0 || memcmp(&a, &b, sizeof a) != 0)
            continue;
        bool on = true;
        (void)step_both(viewer, actor, action_text(&two[0].game, action), &on);
        if (twin_table(&two[0])->state == ST_PLAYING && twin_table(&two[1])->state == ST_PLAYING)
            wrong = why_both(viewer, actor, fm_view_seq(view_of(&two[0], viewer)));
        if (!on)
            break;
    }
    return wrong;
}

const char *check_why(const char *body, unsigned matches)
{
    return check_dealt_by(body, matches, check_whys);
}

/* ---- hidden actions ------------------------------------------------------------------------- */

static void use_leaky_game(struct twin *t)
{
    struct srv_table *table = twin_table(t);
    if (leak == NULL)
        return;
    copy_game(t, table->setup.game);
    table->setup.game = &t->game;
}

static void use_true_game(struct twin *t)
{
    struct srv_slot *slot = world_slot(&t->w, t->id);
    if (slot != NULL)
        slot->table.setup.game = fm_game_find(slot->table.setup.game->id);
}

static const char *check_hidden_once(int viewer, uint32_t depth)
{
    const char *wrong;
    for (int i = 0; i < 2; i++) {
        use_leaky_game(&two[i]);
        twin_listen(&two[i], viewer, SRV_NO_FROM);
    }
    others_come(viewer);
    for (uint32_t k = 0; k < depth && twin_table(&two[0])->state == ST_PLAYING; k++)
        if (!play_on())
            break;
    if (twin_table(&two[0])->state != ST_PLAYING)
        return NULL;
    if ((wrong = compare_twins(viewer, "while both play the same")) != NULL)
        return wrong;
    const uint32_t seq = fm_view_seq(view_of(&two[0], viewer));
    (void)act_in_secret(viewer);
    do_in_secret(viewer);
    if (!same_match(viewer))
        return found("viewer %d sees what was done in secret", viewer);
    for (int i = 0; i < 2; i++) {
        stranger_tries(&two[i]);
        ask_all(&two[i], viewer);
        twin_listen(&two[i], viewer, seq > 2 ? (int64_t)seq - 2 : -1);
    }
    if ((wrong = compare_twins(viewer, "after secret actions")) != NULL)
        return wrong;
    for (int i = 0; i < 2; i++)
        (void)client_say(&two[i].ear[0], "{\"react\":\"phew\"}");
    if ((wrong = compare_twins(viewer, "after a reaction")) != NULL)
        return wrong;
    static const uint32_t own[] = {0, 7, 6, 1};
    for (size_t k = 0; k < 4 && viewer != FM_WATCHER; k++) {
        for (int i = 0; i < 2; i++) {
            (void)client_say(&two[i].ear[0], "{\"id\":\"x%zu\",\"action\":%s}", k,
                             noise(twin_table(&two[i])->setup.game, own[k]));
            world_settle(&two[i].w);
        }
        if (!same_match(viewer)) /* it was the last, and all is shown */
            return NULL;
        if ((wrong = compare_twins(viewer, "after an own action")) != NULL)
            return wrong;
    }
    if (leak != NULL && leak->planted == NOTHING)
        return NULL; /* the game of a table that is read is the true one */
    static char before[2][FM_JSON_MAX];
    for (int i = 0; i < 2; i++) { /* and the same after a restart */
        struct fm_out o;
        fm_out_init(&o, before[i], sizeof before[i]);
        fm_put_view(&o, view_of(&two[i], viewer));
        twin_forget_ears(&two[i]);
        twin_table(&two[i])->setup.game = fm_game_find(twin_table(&two[i])->setup.game->id);
        restarted = true;
        world_restart(&two[i].w);
        twin_listen(&two[i], viewer, SRV_NO_FROM);
        twin_listen(&two[i], viewer, seq);
        restarted = false;
        if (strstr(two[i].ear[0].mail.text, before[i]) == NULL)
            return found("viewer %d is shown something else after a restart", viewer);
        stranger_tries(&two[i]);
        ask_all(&two[i], viewer);
    }
    return compare_twins(viewer, "after a restart");
}

const char *check_hidden(const char *body, unsigned matches)
{
    const char *wrong = NULL;
    for (unsigned m = 0; m < matches && wrong == NULL; m++) {
        const uint32_t depth = fm_rng_below(&rng, 24);
        for (int viewer = FM_WATCHER; viewer < 2 && wrong == NULL; viewer++) {
            for (int i = 0; i < 2; i++) {
                twin_open(&two[i], body, 300 + m, viewer, false, NULL);
                fm_assert(world_ask(&two[i].w, "POST", two[i].host, NULL, "/api/tables/%s/start",
                                    two[i].id) == 200);
            }
            wrong = check_hidden_once(viewer, depth);
            for (int i = 0; i < 2; i++) {
                use_true_game(&two[i]);
                twin_close(&two[i]);
            }
        }
    }
    return wrong;
}

/* ---- with bots ------------------------------------------------------------------------------ */

static const char *bot_of(const char *body, unsigned number)
{
    if (number % 3 == 0)
        return "random";
    return strstr(body, "\"industrialist\"") != NULL ? "tycoon"
           : strstr(body, "divercity") != NULL       ? "ranger"
           : strstr(body, "dive") != NULL            ? "steady"
                                                     : "greedy";
}

/* How often choices and programs were shown: what differed in secret is known then. */
static unsigned shown(struct twin *t)
{
    const struct srv_table *table = twin_table(t);
    const struct dive_pub *pub = (const void *)table->match;
    if (strcmp(table->setup.game->id, "dive") != 0)
        return 0;
    unsigned times = pub->log.round;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        times += pub->companion[seat] != DIVE_NONE;
    return times;
}

static const char *check_bots_once(int viewer)
{
    const char *wrong;
    for (int i = 0; i < 2; i++)
        twin_listen(&two[i], viewer, SRV_NO_FROM);
    others_come(viewer);
    for (int k = 0; k < 24 && twin_table(&two[0])->state == ST_PLAYING; k++) {
        const unsigned before = shown(&two[0]);
        (void)act_in_secret(viewer);
        do_in_secret(viewer);
        if (!same_match(viewer))
            return found("viewer %d sees what was done in secret", viewer);
        for (int ms = 0; ms < 700; ms += 50) { /* when it does something counts, too */
            for (int i = 0; i < 2; i++)
                world_pass(&two[i].w, 50);
            if (shown(&two[0]) != before && shown(&two[1]) != before)
                return NULL;
            if (!same_match(viewer))
                return found("viewer %d: a bot does something else", viewer);
            if ((wrong = compare_twins(viewer, "beside a bot")) != NULL)
                return wrong;
        }
        for (int i = 0; i < 2; i++)
            ask_all(&two[i], viewer);
        if ((wrong = compare_twins(viewer, "asked beside a bot")) != NULL)
            return wrong;
        (void)play_on();
        if (shown(&two[0]) != before)
            return NULL;
        if ((wrong = compare_twins(viewer, "after a move beside a bot")) != NULL)
            return wrong;
    }
    return NULL;
}

const char *check_bots(const char *body, unsigned matches)
{
    const char *wrong = NULL;
    for (unsigned m = 0; m < matches / 4 + 1 && wrong == NULL; m++)
        for (int viewer = FM_WATCHER; viewer < 1 && wrong == NULL; viewer++) {
            for (int i = 0; i < 2; i++) {
                twin_open(&two[i], body, 400 + m, viewer, false, bot_of(body, m));
                fm_assert(world_ask(&two[i].w, "POST", two[i].host, NULL, "/api/tables/%s/start",
                                    two[i].id) == 200);
            }
            wrong = check_bots_once(viewer);
            for (int i = 0; i < 2; i++)
                twin_close(&two[i]);
        }
    return wrong;
}
