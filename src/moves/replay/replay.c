#include "replay.h"

#include <stddef.h>

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
