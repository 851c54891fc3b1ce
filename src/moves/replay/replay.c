#include "replay.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

extern const struct replay replay_portable;
#ifdef HAVE_X86_KERNELS
extern const struct replay replay_avx2, replay_avx512;
#endif

const struct replay *const replay_kernels[] = {
#ifdef HAVE_X86_KERNELS
    &replay_avx512,
    &replay_avx2,
#endif
    &replay_portable,
    NULL,
};

const struct replay *replay_best(void)
{
    const struct replay *const *kernel = replay_kernels;
    while (!(*kernel)->supported())
        kernel++;
    return *kernel;
}

void replay_pack(const int32_t *weights, int count, struct lane_weights *packed)
{
    memset(packed, 0, sizeof *packed);
    for (int lane = 0; lane < count; lane++) {
        int high = 0;
        for (int t = 0; t < EVAL_TERMS; t++) {
            int32_t value = weights[lane * EVAL_TERMS + t];
            assert(value >= 0 && value <= eval_table.params[t].max);
            packed->whole[t][lane] = (int16_t)value;
            packed->low[t / 4][lane][t % 4] = (uint8_t)(value & 127);
            if (eval_table.params[t].max > 127) {
                packed->high[high / 4][lane][high % 4] = (uint8_t)(value >> 7);
                high++;
            }
        }
    }
}
