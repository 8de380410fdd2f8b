/*
 * hall.c: players at 25 tables of four play Soum Soum at random in a hall without sockets, with
 * rematches, for counting instructions: what a move costs the server, its store included, beside
 * the system and the sockets.
 */
#include "server/world.h"

#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLES 25
#define SEATS  4

struct party {
    char id[2 * ST_ID_BYTES + 1], host[SRV_TOKEN_TEXT + 1];
    char token[SEATS][SRV_TOKEN_TEXT + 1];
    struct client player[SEATS];
    const struct srv_table *table;
};

static struct world world = {.limits = {.tables = 4096}};
static struct party parties[TABLES];
static struct fm_rng rng;
static unsigned long long moves;

static void copy(char *to, size_t cap, const char *key)
{
    (void)snprintf(to, cap, "%s", world_text(&world, key));
    fm_assert(strlen(to) > 0);
}

static void make(struct party *p)
{
    char body[64] = "{\"game\":\"soumsoum\",\"options\":{\"players\":4}}";
    fm_assert(world_ask(&world, "POST", NULL, body, "/api/tables") == 201);
    copy(p->id, sizeof p->id, "table");
    copy(p->host, sizeof p->host, "host");
    for (int seat = 0; seat < SEATS; seat++) {
        (void)snprintf(body, sizeof body, "{\"name\":\"Player %d\",\"seat\":%d}", seat, seat);
        fm_assert(world_ask(&world, "POST", NULL, body, "/api/tables/%s/seats", p->id) == 201);
        copy(p->token[seat], sizeof p->token[seat], "token");
    }
}

/* The same players at a new table. */
static void rematch(struct party *p)
{
    fm_assert(world_ask(&world, "POST", p->host, NULL, "/api/tables/%s/rematch", p->id) == 201);
    copy(p->id, sizeof p->id, "table");
}

static void start(struct party *p)
{
    for (int seat = 0; seat < SEATS; seat++) {
        client_finish(&p->player[seat]);
        client_open(&p->player[seat], &world, p->id);
        fm_assert(client_say(&p->player[seat], "{\"hello\":\"%s\"}", p->token[seat]));
    }
    fm_assert(world_ask(&world, "POST", p->host, NULL, "/api/tables/%s/start", p->id) == 200);
    p->table = &world_slot(&world, p->id)->table;
}

/* Whoever may act does; false: the game is over. */
static bool move(struct party *p)
{
    char text[128];
    struct fm_out o;
    const struct srv_table *t = p->table;
    for (int seat = 0; seat < SEATS && t->state == ST_PLAYING; seat++) {
        const struct fm_view v = fm_view_of(t->setup.game, t->match, seat);
        mail_clear(&p->player[seat].mail);
        if (!(v.pub->may >> seat & 1))
            continue;
        fm_out_init(&o, text, sizeof text);
        fm_put_action(&o, v.game, v.game->sample(v, &rng));
        fm_assert(client_say(&p->player[seat], "{\"id\":\"m%llu\",\"action\":%s}", moves++, text));
        return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    const long games = argc == 2 ? strtol(argv[1], NULL, 10) : 0; /* of each table */
    if (games <= 0) {
        fprintf(stderr, "usage: bench_hall GAMES\n");
        return 2;
    }
    world_open(&world, 1);
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){1}, 0);
    for (int i = 0; i < TABLES; i++)
        make(&parties[i]);
    for (long game = 0; game < games; game++) {
        for (int i = 0; i < TABLES; i++) {
            if (game > 0)
                rematch(&parties[i]);
            start(&parties[i]);
        }
        for (bool more = true; more;) {
            more = false;
            for (int i = 0; i < TABLES; i++)
                more |= move(&parties[i]);
            srv_hall_turn(world.hall);
            st_drain(world.store);
            srv_hall_settle(world.hall, world.now_ms);
        }
    }
    for (int i = 0; i < TABLES; i++)
        for (int seat = 0; seat < SEATS; seat++)
            client_finish(&parties[i].player[seat]);
    world_close(&world);
    printf("{\"units\":%llu}\n", moves);
    return 0;
}
