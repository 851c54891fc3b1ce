/* The entry point that every fuzz target defines, as libFuzzer names it. */
#ifndef GRAYLING_FUZZ_H
#define GRAYLING_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Tries one input; aborts when something does not hold. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
