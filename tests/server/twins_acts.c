/* twins_acts.c: what happens at the tables of both worlds: the same in public, or other in secret.
 */
#include "server/twins.h"

#include <stdio.h>
#include <string.h>

const char *noise(const struct fm_game *g, uint32_t number)
{
    static char text[200];
    const unsigned a = number >> 4 & 3, b = number >> 6 & 3, c = number >> 8 & 3;
    static const char *const dive[] = {"{\"do\":\"ready\"}",
                                       "{\"do\":\"unready\"}",
                                       "{\"do\":\"breathe\"}",
                                       "{\"do\":\"axolotl\",\"use\":true}",
                                       "{\"do\":\"use\",\"companion\":\"orca\"}",
                                       "{\"do\":\"use\",\"companion\":\"dolphins\",\"target\":1}",
                                       "{\"do\":\"choose\",\"companion\":\"narwhal\"}",
                                       "{\"do\":\"stop\",\"why\":\"orca\"}"};
    static const char *const city[] = {"{\"do\":\"end\"}",
                                       "{\"do\":\"pass\"}",
                                       "{\"do\":\"walkie\",\"target\":1}",
                                       "{\"do\":\"take\",\"diver\":\"captain\"}",
                                       "{\"do\":\"diver\",\"use\":\"explorer\"}",
                                       "{\"do\":\"claim\",\"card\":0,\"species\":\"crab\"}",
                                       "{\"do\":\"rig\",\"card\":0}"};
    if (g->id[0] == 's') {
        if (number % 4 < 2)
            (void)snprintf(text, sizeof text, "{\"do\":\"place\",\"card\":%u,\"at\":[%u,%u]}", a, b,
                           c);
        else
            (void)snprintf(text, sizeof text,
                           number % 4 == 2 ? "{\"do\":\"diver\",\"at\":[%u,%u]}"
                                           : "{\"do\":\"take\",\"market\":%u}",
                           b, c);
        return text;
    }
    if (strcmp(g->id, "dive") == 0) {
        if (number % 3 != 0)
            return dive[number / 3 % 8];
        (void)snprintf(text, sizeof text,
                       "{\"do\":\"program\",\"levels\":[{\"tokens\":[%u],\"shark\":%s}]}", 1 + a,
                       b & 1 ? "true" : "false");
        return text;
    }
    if (number % 3 != 0)
        return city[number / 3 % 7];
    (void)snprintf(text, sizeof text,
                   b & 1 ? "{\"do\":\"play\",\"card\":%u}"
                         : "{\"do\":\"close\",\"card\":%u,\"hotel\":\"red\"}",
                   a);
    return text;
}

void twin_act(struct twin *t, int seat, const char *id, const char *action)
{
    struct client *c = &t->seat[seat];
    if (c->stream.slot == NULL) {
        client_open(c, &t->w, t->id);
        (void)client_say(c, "{\"hello\":\"%s\"}", t->token[seat]);
    }
    (void)client_say(c, "{\"id\":\"%s\",\"action\":%s}", id, action);
    world_settle(&t->w);
    mail_clear(&c->mail);
}

const char *action_text(const struct fm_game *g, fm_action a)
{
    static char text[4096];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_put_action(&o, g, a);
    fm_assert(fm_out_ok(&o));
    return text;
}

const char *new_id(void)
{
    static unsigned number;
    static char id[20];
    (void)snprintf(id, sizeof id, "a%u", ++number);
    return id;
}

fm_action common_action(int seat)
{
    static _Alignas(8) uint8_t there[FM_STATE_MAX];
    for (int tries = 0; tries < 8; tries++) {
        const struct fm_view v = view_of(&two[0], seat);
        const struct fm_event ev = {
            .t_ms = UINT32_MAX >> 2, .seat = (uint8_t)seat, .action = v.game->sample(v, &rng)};
        memcpy(there, twin_table(&two[1])->match, sizeof there);
        struct fm_pub *pub = (void *)there;
        pub->deadline_ms = FM_NEVER; /* only whether it is legal is asked here */
        if (ev.action != 0 && fm_apply(v.game, there, &ev, NULL) == FM_OK)
            return ev.action;
    }
    return 0;
}

uint32_t last_ms(const struct fm_game *g, const void *match)
{
    const struct fm_secret *secret = (const void *)((const char *)match + g->secret_off);
    return secret->now_ms;
}

/* This seat votes for bots in the place of everybody who is away. */
static void vote_for_bots(struct twin *t, int viewer, int seat)
{
    for (int absent = 0; absent < n_seats(); absent++) {
        const struct srv_slot *slot = world_slot(&t->w, t->id);
        if (absent == viewer || absent == seat || is_bots(absent) || (slot->here >> absent & 1) ||
            slot->votes_for[absent] != 0)
            continue;
        char body[40];
        (void)snprintf(body, sizeof body, "{\"seat\":%d,\"bot\":\"random\"}", absent);
        (void)world_ask(&t->w, "POST", t->token[seat], body, "/api/tables/%s/bots", t->id);
    }
}

/* Requests, refusals and votes that happen in one world only. */
static void disturb(struct twin *t, int viewer, int seat)
{
    (void)world_ask(&t->w, "GET", t->token[seat], NULL, "/api/tables/%s/notes", t->id);
    (void)world_ask(&t->w, "PUT", t->token[seat], "{\"notes\":7}", "/api/tables/%s/notes", t->id);
    (void)world_ask(&t->w, "POST", "0", NULL, "/api/tables/%s/start", t->id);
    if (t->seat[seat].stream.slot == NULL)
        return;
    if (world_slot(&t->w, t->id)->react_until_ms == 0 && twin_table(t)->state == ST_PLAYING &&
        twin_table(t)->setup.game->reactions_ms != NULL)
        (void)client_say(&t->seat[seat], "{\"react\":\"wow\"}"); /* it is refused */
    twin_act(t, seat, "bad id", "{\"do\":\"nothing\"}");
    twin_act(t, seat, new_id(), "{\"do\":\"stop\",\"why\":\"clock\"}");
    if (n_seats() > 3 && twin_table(t)->state == ST_PLAYING)
        vote_for_bots(t, viewer, seat);
}

void do_in_secret(int viewer)
{
    for (int i = 0; i < 2; i++) {
        struct twin *t = &two[i];
        for (int seat = 0; seat < n_seats(); seat++) {
            if (seat == viewer || is_bots(seat))
                continue;
            (void)world_ask(&t->w, "PUT", t->token[seat],
                            i == 0 ? "{\"notes\":\"a\"}" : "{\"notes\":\"other, longer\"}",
                            "/api/tables/%s/notes", t->id);
            if (i == 1)
                disturb(t, viewer, seat);
        }
        world_settle(&t->w);
    }
}

void others_come(int viewer)
{
    for (int i = 0; i < 2; i++)
        for (int seat = 0; seat < n_seats(); seat++)
            if (seat != viewer && !is_bots(seat) &&
                (seat != (viewer == 0 ? 1 : 0) || n_seats() < 4) &&
                two[i].seat[seat].stream.slot == NULL) {
                client_open(&two[i].seat[seat], &two[i].w, two[i].id);
                (void)client_say(&two[i].seat[seat], "{\"hello\":\"%s\"}", two[i].token[seat]);
                mail_clear(&two[i].seat[seat].mail);
            }
}

bool play_on(void)
{
    const struct fm_pub *pub = (const void *)twin_table(&two[0])->match;
    const int from = (int)fm_rng_below(&rng, 7);
    for (int k = 0; k < FM_MAX_SEATS; k++) {
        const int seat = (from + k) % FM_MAX_SEATS;
        if (!(pub->may >> seat & 1) || is_bots(seat))
            continue;
        const struct fm_view v = view_of(&two[0], seat);
        const fm_action action = v.game->sample(v, &rng);
        if (action == 0)
            continue;
        char id[20];
        copy_text(id, sizeof id, new_id());
        for (int i = 0; i < 2; i++)
            twin_act(&two[i], seat, id, action_text(v.game, action));
        return true;
    }
    return false;
}

/* false: what it tried is not hidden, or would show everything. */
static bool try_in_secret(struct twin *t, int seat)
{
    static _Alignas(8) uint8_t after[FM_STATE_MAX];
    const struct fm_view v = view_of(t, seat);
    const struct fm_event ev = {.t_ms = last_ms(v.game, twin_table(t)->match),
                                .seat = (uint8_t)seat,
                                .action = v.game->sample(v, &rng)};
    memcpy(after, twin_table(t)->match, sizeof after);
    if (ev.action == 0 || !(v.game->hidden_verbs >> fm_verb(ev.action) & 1) ||
        fm_apply(v.game, after, &ev, NULL) != FM_OK)
        return false;
    const struct fm_pub *now = (const void *)after, *then = v.pub;
    if (now->phase != then->phase || now->may != then->may)
        return false; /* the last choice: all is shown */
    twin_act(t, seat, new_id(), action_text(v.game, ev.action));
    return true;
}

int act_in_secret(int viewer)
{
    int n = 0;
    for (int i = 0; i < 2; i++)
        for (int seat = 0; seat < n_seats(); seat++) {
            if (seat == viewer || is_bots(seat))
                continue;
            int done = 0;
            for (int tries = 0; done < 1 + i && tries < 24; tries++)
                done += try_in_secret(&two[i], seat);
            n += done;
        }
    return n;
}
