/* address.c: addresses of clients and proxies, and a counter for each. */
#include "server/address.h"

#include "base/panic.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sodium.h>
#include <string.h>
#include <sys/socket.h>

#define NETWORK_BYTES 8 /* of IPv6 */

static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static bool is_v4(const struct srv_address *a)
{
    return memcmp(a->bytes, mapped, sizeof mapped) == 0;
}

bool srv_address_read(struct srv_address *a, const char *text)
{
    memcpy(a->bytes, mapped, sizeof mapped);
    return inet_pton(AF_INET, text, a->bytes + sizeof mapped) == 1 ||
           inet_pton(AF_INET6, text, a->bytes) == 1;
}

void srv_address_of(struct srv_address *a, const struct sockaddr *from)
{
    memset(a, 0, sizeof *a);
    if (from->sa_family == AF_INET) {
        memcpy(a->bytes, mapped, sizeof mapped);
        memcpy(a->bytes + sizeof mapped,
               &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
    } else if (from->sa_family == AF_INET6) {
        memcpy(a->bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, 16);
    } else if (from->sa_family == AF_UNIX) { /* some program of this machine */
        memcpy(a->bytes, mapped, sizeof mapped);
        a->bytes[sizeof mapped] = 127;
        a->bytes[sizeof a->bytes - 1] = 1;
    }
}

bool srv_address_is_loopback(const struct srv_address *a)
{
    static const uint8_t one[16] = {[15] = 1};
    return is_v4(a) ? a->bytes[sizeof mapped] == 127 : memcmp(a->bytes, one, sizeof one) == 0;
}

struct srv_address srv_address_network(const struct srv_address *a)
{
    struct srv_address network = *a;
    if (!is_v4(a))
        memset(network.bytes + NETWORK_BYTES, 0, sizeof network.bytes - NETWORK_BYTES);
    return network;
}

/* ---- proxies --------------------------------------------------------------------------------- */

/* Parses an address in n bytes, with or without blanks around it. */
static bool read_part(struct srv_address *a, const char *text, size_t n)
{
    char part[INET6_ADDRSTRLEN];
    while (n > 0 && (text[0] == ' ' || text[0] == '\t'))
        text++, n--;
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    if (n == 0 || n >= sizeof part)
        return false;
    memcpy(part, text, n);
    part[n] = '\0';
    return srv_address_read(a, part);
}

bool srv_proxies_read(struct srv_proxies *p, const char *text)
{
    p->n = 0;
    for (const char *at = text;; at++) {
        const size_t n = strcspn(at, ",");
        if (p->n == SRV_PROXIES || !read_part(&p->address[p->n++], at, n))
            return false;
        at += n;
        if (*at == '\0')
            return true;
    }
}

bool srv_proxies_has(const struct srv_proxies *p, const struct srv_address *a)
{
    for (unsigned i = 0; i < p->n; i++)
        if (memcmp(&p->address[i], a, sizeof *a) == 0)
            return true;
    return false;
}

bool srv_proxies_client(struct srv_address *client, const char *forwarded_for)
{
    const char *comma = strrchr(forwarded_for, ',');
    const char *last = comma != NULL ? comma + 1 : forwarded_for;
    return read_part(client, last, strlen(last));
}

/* ---- counts ---------------------------------------------------------------------------------- */

_Static_assert(crypto_shorthash_KEYBYTES == 16, "a key fits");

void srv_counts_init(struct srv_counts *c)
{
    memset(c, 0, sizeof *c);
    randombytes_buf(c->key, sizeof c->key);
}

bool srv_counts_take(struct srv_counts *c, const struct srv_address *network, unsigned most,
                     unsigned *slot)
{
    uint64_t hash;
    crypto_shorthash((uint8_t *)&hash, network->bytes, sizeof network->bytes, c->key);
    *slot = (unsigned)(hash % SRV_COUNTS);
    if (c->count[*slot] >= most)
        return false;
    c->count[*slot]++;
    return true;
}

void srv_counts_give(struct srv_counts *c, unsigned slot)
{
    fm_assert(slot < SRV_COUNTS && c->count[slot] > 0);
    c->count[slot]--;
}
