/* watch.c: shows a game of bots: on a terminal as a board, elsewhere as sentences. */
#include "cli/watch.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define SENTENCES (sizeof((struct watch *)0)->said / sizeof((struct watch *)0)->said[0])

static void remember(struct watch *w, const char *sentence)
{
    memmove(w->said[0], w->said[1], sizeof w->said - sizeof w->said[0]);
    (void)snprintf(w->said[SENTENCES - 1], sizeof w->said[0], "%.*s", (int)sizeof w->said[0] - 1,
                   sentence);
}

/* Tells what a spectator sees: hidden cards stay hidden here, too. */
static void tell(struct watch *w, const struct fm_sim *sim, const struct fm_notes *notes)
{
    const struct fm_view v = fm_view_of(sim->game, sim->state, FM_WATCHER);
    for (size_t i = 0; i < notes->len; i++) {
        struct fm_note note = notes->item[i];
        char text[160];
        struct fm_out o;
        if (!fm_note_cut(&note, FM_WATCHER))
            continue;
        fm_out_init(&o, text, sizeof text);
        sim->game->wire->put_sentence(&o, v, &note);
        if (w->live)
            remember(w, text);
        else
            printf("  %s\n", text);
    }
}

static void print_board(const struct fm_sim *sim)
{
    char text[16384];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    sim->game->wire->put_board(&o, fm_view_of(sim->game, sim->state, FM_WATCHER));
    printf("%s", text);
}

static void redraw(struct watch *w, const struct fm_sim *sim)
{
    printf("\033[H\033[J%s, bots at play (Ctrl-C stops)\n\n", sim->game->title);
    print_board(sim);
    printf("\n");
    for (size_t i = 0; i < SENTENCES; i++)
        printf("  %s\n", w->said[i]);
    (void)fflush(stdout);
    const struct timespec pause = {.tv_sec = w->pace_ms / 1000,
                                   .tv_nsec = (long)(w->pace_ms % 1000) * 1000000L};
    (void)nanosleep(&pause, NULL);
}

void watch_begin(struct watch *w, const struct fm_sim *sim, const struct fm_notes *notes)
{
    if (!w->live) {
        printf("%s, a game of bots:", sim->game->title);
        const struct fm_pub *pub = (const void *)sim->state;
        for (unsigned seat = 0; seat < pub->n_seats; seat++)
            printf("%s %c %s", seat ? "," : "", 'A' + (int)seat, sim->bot[seat]->id);
        printf("\n");
    }
    tell(w, sim, notes);
}

void watch_event(struct watch *w, const struct fm_sim *sim, const struct fm_notes *notes)
{
    tell(w, sim, notes);
    if (w->live)
        redraw(w, sim);
}

void watch_end(struct watch *w, const struct fm_sim *sim)
{
    if (!w->live)
        print_board(sim);
}
