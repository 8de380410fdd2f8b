/* systemd.h: what systemd is told of a service (sd_notify(3)); nothing happens without systemd. */
#ifndef CLI_SYSTEMD_H
#define CLI_SYSTEMD_H

#include <stdint.h>

void cli_systemd_ready(void);
/* How often it wants to hear that the service is alive, in milliseconds: twice in WatchdogSec=;
 * 0: it does not. */
uint64_t cli_systemd_watchdog(void);
void cli_systemd_alive(void);

#endif
