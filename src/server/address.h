/*
 * address.h: who asks: an address of a client, and how much each address holds.
 *
 * An IPv6 network of 64 bits counts as one address, since whoever has one has all of it; an IPv4
 * address that is written as IPv6 is that IPv4 address.
 */
#ifndef SERVER_ADDRESS_H
#define SERVER_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

#define SRV_PROXIES 16
#define SRV_COUNTS  4096

struct srv_address {
    uint8_t bytes[16]; /* as IPv6; IPv4 is mapped */
};

bool srv_address_read(struct srv_address *a, const char *text); /* "192.0.2.1", "2001:db8::1" */
void srv_address_of(struct srv_address *a, const struct sockaddr *from);
bool srv_address_is_loopback(const struct srv_address *a);
/* The part of it that limits are about. */
struct srv_address srv_address_network(const struct srv_address *a);

struct srv_proxies {
    struct srv_address address[SRV_PROXIES];
    unsigned n;
};

/* Reads "ADDRESS[,ADDRESS…]"; false: one is none, or there are too many. */
bool srv_proxies_read(struct srv_proxies *p, const char *text);
bool srv_proxies_has(const struct srv_proxies *p, const struct srv_address *a);
/* Who asks through a proxy: the last of X-Forwarded-For. False: that is no address. */
bool srv_proxies_client(struct srv_address *client, const char *forwarded_for);

/* How many of something each address holds. Those that share a slot by their hash share its count;
 * nobody chooses with whom. */
struct srv_counts {
    uint8_t key[16];
    unsigned count[SRV_COUNTS];
};

void srv_counts_init(struct srv_counts *c);
/* Takes one more, unless there are `most` already; *slot is what srv_counts_give takes. */
bool srv_counts_take(struct srv_counts *c, const struct srv_address *network, unsigned most,
                     unsigned *slot);
void srv_counts_give(struct srv_counts *c, unsigned slot);

#endif
