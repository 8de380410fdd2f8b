/* moray_flat.h: Moray in fixed numbers. Made public as part of fathom/flat.h, which explains. */
#ifndef MORAY_FLAT_H
#define MORAY_FLAT_H

#include <stdint.h>

struct fm_obs_moray {
    uint8_t seat, n_seats, hungry, pile_n;
    uint8_t hand[3], zero; /* fish: kind << 4 | size; 0: none */
    uint8_t hand_n[4];
    int8_t score[4];
    uint8_t bites[4];
    uint8_t room[3], total[3], hole_n[3];
    uint8_t unseen[9]; /* how many fish of sizes 1 to 9 this seat cannot see */
    uint8_t end[2];    /* 0 */
};

enum fm_flat_moray {
    FM_MORAY_LAY = 0, /* + 3 * hole + card of the hand */
    FM_MORAY_INDICES = 9
};

#endif
