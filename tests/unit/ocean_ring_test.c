/* ocean_ring_test.c: lists hold what was put into them however hard the compiler tries: this file
 * is built at -O2 and at -O3, and take_all below has the shape that gcc 12.2 gets wrong if a
 * head is read in two ways. */
#include "tests.h"

#include "ocean/ring.h"

#include <stdio.h>
#include <stdlib.h>

#define ITEMS 4

struct item {
    struct oc_ring link;
    long cost;
};

struct shelf {
    long cost;
    struct oc_ring items;
};

static int emptied;

/* As oc__picture_put() forgets pictures: not inlined, so that nothing is known of the list. */
__attribute__((noinline)) static void take_all(struct shelf *s, struct item **taken)
{
    while (s->cost > 0) {
        struct item *item = OC_RING_OF(oc_ring_first(&s->items), struct item, link);
        oc_ring_take(&item->link);
        s->cost -= item->cost;
        if (oc_ring_empty(&s->items))
            emptied++;
        *taken++ = item;
    }
}

/* The same, but for the head's being read as a member of its shelf: what nobody may write. */
__attribute__((noinline)) static void take_all_by_two_paths(struct shelf *s, struct item **taken)
{
    while (s->cost > 0) {
        struct item *item = OC_RING_OF(s->items.next_, struct item, link);
        oc_ring_take(&item->link);
        s->cost -= item->cost;
        if (oc_ring_empty(&s->items))
            emptied++;
        *taken++ = item;
    }
}

/* Whether all items were taken, each once and in order. */
static bool takes_all(void (*take)(struct shelf *s, struct item **taken))
{
    struct item item[ITEMS], *taken[ITEMS] = {NULL};
    struct shelf *s = malloc(sizeof *s);
    assert_non_null(s);
    s->cost = ITEMS;
    oc_ring_init(&s->items);
    for (int i = 0; i < ITEMS; i++) {
        item[i].cost = 1;
        oc_ring_put(&item[i].link, &s->items);
    }
    emptied = 0;
    take(s, taken);
    bool right = emptied == 1 && oc_ring_empty(&s->items);
    for (int i = 0; i < ITEMS; i++)
        right = right && taken[i] == &item[i];
    free(s);
    return right;
}

static void W13_a_head_is_read_anew_in_every_round_of_a_loop(void **state)
{
    (void)state;
    assert_true(takes_all(take_all));
    print_message("# a head that is read by two paths: this compiler gets it %s\n",
                  takes_all(take_all_by_two_paths) ? "right" : "wrong");
}

static void W13_first_last_and_next_are_what_was_put_there(void **state)
{
    struct oc_ring head, r[3];
    (void)state;
    oc_ring_init(&head);
    assert_true(oc_ring_empty(&head));
    assert_ptr_equal(oc_ring_first(&head), &head);
    assert_ptr_equal(oc_ring_last(&head), &head);
    oc_ring_put(&r[1], &head);
    oc_ring_put(&r[2], &head);
    oc_ring_put(&r[0], oc_ring_first(&head));
    assert_ptr_equal(oc_ring_first(&head), &r[0]);
    assert_ptr_equal(oc_ring_last(&head), &r[2]);
    int n = 0;
    for (struct oc_ring *at = oc_ring_first(&head); at != &head; at = oc_ring_next(at))
        assert_ptr_equal(at, &r[n++]);
    assert_int_equal(n, 3);
    oc_ring_take(&r[1]);
    oc_ring_take(&r[1]); /* again is harmless */
    assert_ptr_equal(oc_ring_next(&r[0]), &r[2]);
    assert_true(oc_ring_empty(&r[1]));
    oc_ring_take(&r[0]);
    oc_ring_take(&r[2]);
    assert_true(oc_ring_empty(&head));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(W13_a_head_is_read_anew_in_every_round_of_a_loop),
        cmocka_unit_test(W13_first_last_and_next_are_what_was_put_there),
    };
    return tests_run("ocean_ring", tests, sizeof tests / sizeof tests[0]);
}
