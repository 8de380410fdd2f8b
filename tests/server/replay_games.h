/* replay_games.h: games that are over, for the tests of replays and of checking records. */
#ifndef TESTS_SERVER_REPLAY_GAMES_H
#define TESTS_SERVER_REPLAY_GAMES_H

#include "server/party.h"

#define ASK(method, body, ...) world_ask(&world, method, NULL, body, __VA_ARGS__)

#define DIVE "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"ten\",\"clock\":20}}"

#define CITY "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"industrialist\":true}}"

#define SOUM_MARKET "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"market\":true}}"

/* A game with everybody at the table, to its end. */
static inline void play(const char *body, uint8_t chance)
{
    open_party(&party, body);
    play_at_random(&party, chance);
}

extern const struct tests_group replay_analysis; /* replay_analysis_test.c */
extern const struct tests_group replay_verify;   /* replay_verify_test.c */

#endif
