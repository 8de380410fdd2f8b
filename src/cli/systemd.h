/* systemd.h: notifies systemd about the service (sd_notify(3)); does nothing without systemd. */
#ifndef CLI_SYSTEMD_H
#define CLI_SYSTEMD_H

#include <stdint.h>

void cli_systemd_ready(void);
/* How often systemd is to be notified that the service is alive, in milliseconds: half of
 * WatchdogSec=; 0: never. */
uint64_t cli_systemd_watchdog(void);
void cli_systemd_alive(void);

#endif
