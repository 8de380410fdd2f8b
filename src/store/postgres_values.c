/* postgres_values.c: numbers and arrays in PostgreSQL's binary form. */
#include "store/postgres.h"

#include <stdlib.h>
#include <string.h>

void st__pg_put_int(uint8_t *to, int64_t number, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        to[i] = (uint8_t)((uint64_t)number >> (8 * (n_bytes - 1 - i)));
}

int64_t st__pg_int(const PGresult *r, int row, int column)
{
    const uint8_t *from = (const uint8_t *)PQgetvalue(r, row, column);
    const int n = PQgetlength(r, row, column);
    uint64_t number = 0;
    for (int i = 0; i < n && i < 8; i++)
        number = number << 8 | from[i];
    return (int64_t)number;
}

static void *array_room(struct st__pg_array *a, size_t n)
{
    if (!a->failed && a->n + n > a->cap) {
        const size_t cap = 2 * a->cap + n + 1024;
        uint8_t *bytes = realloc(a->bytes, cap);
        a->failed = bytes == NULL;
        if (bytes != NULL) {
            a->bytes = bytes;
            a->cap = cap;
        }
    }
    if (a->failed)
        return NULL;
    a->n += n;
    return a->bytes + a->n - n;
}

/* The header: dimensions, whether it has NULLs, type, length, first index. array_add keeps the
 * length up to date. */
void st__pg_array_clear(struct st__pg_array *a, uint32_t type)
{
    a->n = 0;
    a->count = 0;
    a->failed = false;
    uint8_t *head = array_room(a, 20);
    const uint32_t words[] = {1, 1, type, 0, 1};
    for (int i = 0; head != NULL && i < 5; i++)
        st__pg_put_int(head + 4 * i, words[i], 4);
}

static void *array_add(struct st__pg_array *a, int32_t length, size_t n)
{
    uint8_t *to = array_room(a, 4 + n);
    if (to == NULL)
        return NULL;
    st__pg_put_int(to, length, 4);
    st__pg_put_int(a->bytes + 12, ++a->count, 4);
    return to + 4;
}

void st__pg_array_null(struct st__pg_array *a)
{
    (void)array_add(a, -1, 0);
}

void st__pg_array_bytes(struct st__pg_array *a, const void *bytes, size_t n)
{
    void *to = array_add(a, (int32_t)n, n);
    if (to != NULL && n > 0)
        memcpy(to, bytes, n);
}

void st__pg_array_number(struct st__pg_array *a, int64_t number, size_t n_bytes)
{
    uint8_t *to = array_add(a, (int32_t)n_bytes, n_bytes);
    if (to != NULL)
        st__pg_put_int(to, number, n_bytes);
}
