/*
 * address.h: addresses of clients and proxies, and how many connections each address has.
 *
 * An IPv6 /64 counts as one address, since a client usually owns all of it; an IPv4-mapped IPv6
 * address is the IPv4 address.
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
/* A client that connects to a path counts as 127.0.0.1. */
void srv_address_of(struct srv_address *a, const struct sockaddr *from);
bool srv_address_is_loopback(const struct srv_address *a);
/* The part that limits apply to. */
struct srv_address srv_address_network(const struct srv_address *a);

struct srv_proxies {
    struct srv_address address[SRV_PROXIES];
    unsigned n;
};

/* Reads "ADDRESS[,ADDRESS…]"; false: one is not an address, or there are too many. */
bool srv_proxies_read(struct srv_proxies *p, const char *text);
bool srv_proxies_has(const struct srv_proxies *p, const struct srv_address *a);
/* The client behind a proxy: the last of X-Forwarded-For. False: that is not an address. */
bool srv_proxies_client(struct srv_address *client, const char *forwarded_for);

/* A counter per address, in a hash table of fixed size: addresses in the same slot share the
 * counter. The hash is keyed, so that nobody can choose whom to share with. */
struct srv_counts {
    uint8_t key[16];
    unsigned count[SRV_COUNTS];
};

void srv_counts_init(struct srv_counts *c);
/* Counts one more, unless there are `most` already; *slot is for srv_counts_give. */
bool srv_counts_take(struct srv_counts *c, const struct srv_address *network, unsigned most,
                     unsigned *slot);
void srv_counts_give(struct srv_counts *c, unsigned slot);

#endif
