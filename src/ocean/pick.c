/* pick.c: chooses among the drawings of a role. */
#include "ocean/art.h"

#include "base/panic.h"

const struct oc_drawing *oc_art_pick(const struct oc_art *art, enum oc_role role, double u)
{
    const struct oc_drawing *last = NULL;
    double left = u * (double)art->weight[role];
    for (int i = 0; i < art->n; i++) {
        if (art->drawing[i].role != role)
            continue;
        last = &art->drawing[i];
        left -= (double)last->weight;
        if (left < 0)
            break;
    }
    fm_assert(last != NULL);
    return last; /* the last one too if u is 1 or sums were rounded */
}
