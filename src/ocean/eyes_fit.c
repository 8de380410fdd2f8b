/* eyes_fit.c */
#include "ocean/eyes_state.h"
#include <math.h>
void oc_eyes_judge(struct oc_find *f)
{
    float sum = 0;
    for (int l = 0; l < OC_EYES_DEEP; l++) {
        const float d = f->depth - (float)l - .5f;
        f->chance[l] = expf(-d * d / .5f + 20 * f->light[l]);
        sum += f->chance[l];
    }
    const float real = 1 / (1 + expf(-(f->agrees - .5f * f->beside - .4f) * 20));
    for (int l = 0; l < OC_EYES_DEEP; l++)
        f->chance[l] *= real / sum;
}
