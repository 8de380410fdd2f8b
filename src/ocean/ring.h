/* ring.h: lists of things that hold their own links; the head is a link too, a ring of one when
 * the list is empty. */
#ifndef OCEAN_RING_H
#define OCEAN_RING_H

#include <stdbool.h>
#include <stddef.h>

struct oc_ring {
    struct oc_ring *prev, *next;
};

/* What a link lies in. */
#define OC_RING_OF(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

static inline void oc_ring_init(struct oc_ring *r)
{
    r->prev = r->next = r;
}

static inline bool oc_ring_empty(const struct oc_ring *head)
{
    return head->next == head;
}

/* At the end of a list if `before` is its head, at its beginning if it is its first. */
static inline void oc_ring_put(struct oc_ring *r, struct oc_ring *before)
{
    r->prev = before->prev;
    r->next = before;
    r->prev->next = before->prev = r;
}

static inline void oc_ring_take(struct oc_ring *r) /* also one that is in no list */
{
    r->prev->next = r->next;
    r->next->prev = r->prev;
    oc_ring_init(r);
}

#endif
