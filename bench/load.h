/* load.h: what the files of bench_load share: connections, tables, and what is counted. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ID 32 /* hex digits of a table's id, and of a token */

#define SEATS_MAX 4

#define IN_FLIGHT 8 /* moves of a player that may wait for their acknowledgement */

#define LONGEST 2000000 /* microseconds; anything slower counts as this */

#define NODES_MAX 8 /* of a cluster */

struct table;

struct conn { /* an HTTP connection that is kept, or a stream */
    int fd, port;
    bool streams, open; /* open: a stream was upgraded */
    struct table *table;
    int seat;
    char *in;
    size_t n, cap;
    uint64_t echo_us; /* when it last spoke to bench_echo */
};

enum step { MAKING, SITTING, JOINING, STARTING, PLAYING, ENDING };

struct table {
    enum step step;
    bool began;    /* its first game */
    unsigned done; /* seats taken, or streams that were greeted */
    char id[ID + 1], host[ID + 1], token[SEATS_MAX][ID + 1];
    struct conn http, player[SEATS_MAX];
    uint64_t moves[SEATS_MAX], sent_us[SEATS_MAX][IN_FLIGHT];
};

struct load {
    int epoll, port[NODES_MAX];
    const char *path; /* of a socket, in place of the ports; NULL: none */
    unsigned n_ports, opened;
    /* A table's id decides on the port, or (apart) its number, also before it has an id: for
     * servers that share nothing. Otherwise each connection goes to the next one. */
    bool by_table, apart;
    bool marks; /* says when the warm-up is over */
    unsigned n_tables, seats, began;
    struct table *tables;
    uint64_t seed;
    unsigned nap_us; /* between two looks; 0: it waits to be woken */
    bool waits;      /* games are not started */
    bool echoes;     /* the server is bench_echo */
    bool counts;     /* the warm-up is over */
    uint64_t acks, messages, bytes, refused, closed, games;
    uint32_t *slow; /* acknowledgements by their microseconds */
};
extern struct load load;

/* ---- load_conn.c: sockets, HTTP and frames --------------------------------------------------- */

void load_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
uint64_t load_now_us(void);
uint32_t load_below(uint32_t n) /* splitmix64 */;
void conn_open(struct conn *c, const char *table); /* NULL: no table in particular */
void conn_close(struct conn *c);
void conn_put_frame(struct conn *c, int opcode, const char *text, size_t n);
/* table: whose path it is; NULL: of none. what: what follows the table in the path. */
void conn_post(struct conn *c, const char *table, const char *what, const char *token,
               const char *body);
void conn_upgrade(struct conn *c, const char *table);
/* Serves all connections until then, or until enough of what is counted. Waking a sleeper on
 * another processor costs the server that sends as much as half the sending: players elsewhere
 * would not cost it that, so these nap instead, and what lies there meanwhile has to wait. */
void load_serve(uint64_t until_us, const unsigned *count, unsigned enough);

/* ---- load_table.c: what players do ----------------------------------------------------------- */

void table_make(struct table *t);
void table_answered(struct table *t, const char *text); /* over HTTP */
void conn_greet(struct conn *c);
void conn_message(struct conn *c, int opcode, const char *text, size_t n);

#endif
