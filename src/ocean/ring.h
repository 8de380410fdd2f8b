/* ring.h: lists of things that hold their own links; the head is a link too, a ring of one when
 * the list is empty.
 *
 * The members of a link are read and written here alone. gcc 12.2 at -O2 takes `s->list.next` and
 * `head->next` in one loop for two places though head is &s->list: the one is a member of a member
 * of s, the other a member of a link, and loop-invariant motion hoists the first past a write to
 * the second (tests/unit/ocean_ring_test.c shows it; clang and gcc -O1 do not do it). Through these
 * functions every access has the same path, so that none is taken for another's; no flag of the
 * compiler is needed. */
#ifndef OCEAN_RING_H
#define OCEAN_RING_H

#include <stdbool.h>
#include <stddef.h>

struct oc_ring {
    struct oc_ring *prev_, *next_; /* for the functions below alone */
};

/* What a link lies in. */
#define OC_RING_OF(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

static inline void oc_ring_init(struct oc_ring *r)
{
    r->prev_ = r->next_ = r;
}

/* The link after this one; of the last one, the head. */
static inline struct oc_ring *oc_ring_next(const struct oc_ring *r)
{
    return r->next_;
}

/* The head itself if the list is empty. */
static inline struct oc_ring *oc_ring_first(const struct oc_ring *head)
{
    return head->next_;
}

static inline struct oc_ring *oc_ring_last(const struct oc_ring *head)
{
    return head->prev_;
}

static inline bool oc_ring_empty(const struct oc_ring *head)
{
    return oc_ring_first(head) == head;
}

/* At the end of a list if `before` is its head, at its beginning if it is its first. */
static inline void oc_ring_put(struct oc_ring *r, struct oc_ring *before)
{
    r->prev_ = before->prev_;
    r->next_ = before;
    r->prev_->next_ = before->prev_ = r;
}

static inline void oc_ring_take(struct oc_ring *r) /* also one that is in no list */
{
    r->prev_->next_ = r->next_;
    r->next_->prev_ = r->prev_;
    oc_ring_init(r);
}

#endif
