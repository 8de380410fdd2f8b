/* losses.c: mean losses, and how sure they are. */
#include "cli/losses.h"

#include "bots/study.h"

#include <math.h>
#include <stdio.h>

#define GRAIN 10000 /* a chance of 1 in sums of squares: coarse, so that none overflows */

void losses_add(struct losses *l, int64_t decisions, int64_t lost)
{
    const int64_t rough = lost / (STUDY_ONE / GRAIN);
    l->games++;
    l->decisions += decisions;
    l->lost += lost;
    l->squares += rough * rough;
    l->products += rough * decisions;
    l->decisions2 += decisions * decisions;
}

void losses_merge(struct losses *l, const struct losses *other)
{
    l->games += other->games;
    l->decisions += other->decisions;
    l->lost += other->lost;
    l->squares += other->squares;
    l->products += other->products;
    l->decisions2 += other->decisions2;
}

double losses_mean(const struct losses *l)
{
    return l->decisions > 0 ? (double)l->lost / STUDY_ONE / (double)l->decisions : 0;
}

/* The error of a ratio of two sums: from each game's loss less the mean times its decisions. */
double losses_error(const struct losses *l)
{
    const double mean = losses_mean(l), n = (double)l->games;
    if (l->games < 2 || l->decisions == 0)
        return -1;
    const double squares = (double)l->squares / GRAIN / GRAIN -
                           2 * mean * (double)l->products / GRAIN +
                           mean * mean * (double)l->decisions2;
    return sqrt(fmax(0, squares) * n / (n - 1)) / (double)l->decisions;
}

void losses_put_json(struct fm_out *o, const struct losses *l)
{
    const double error = losses_error(l);
    fm_js_key_int(o, "decisions", l->decisions);
    fm_js_key(o, "lost");
    fm_js_fixed(o, losses_mean(l), 6);
    fm_js_key(o, "lost_se");
    if (error < 0)
        fm_js_null(o);
    else
        fm_js_fixed(o, error, 6);
}

void losses_put_text(struct fm_out *o, const struct losses *l, const char *seat, const char *bot)
{
    char line[160], sure[32] = "";
    const double error = losses_error(l);
    if (error >= 0)
        (void)snprintf(sure, sizeof sure, "+- %.3f %%", 100 * error);
    (void)snprintf(line, sizeof line, "  %4s  %-10s %7.3f %%  %-12s %9lld\n", seat, bot,
                   100 * losses_mean(l), sure, (long long)l->decisions);
    fm_put(o, line);
}
