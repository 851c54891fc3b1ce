/* SHA-256 of files and texts, as `sha256sum` prints it: what a run's data was. Nettle. */
#ifndef GRAYLING_CHECKSUM_H
#define GRAYLING_CHECKSUM_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_MAX = 65 /* 64 hexadecimal digits and NUL */, CHECKSUM_NUMBERS = 256 };

/* The checksum of a file's bytes as stored (compressed or not). */
bool checksum_file(const char *path, char text[CHECKSUM_MAX], struct error *err);

void checksum_bytes(const void *bytes, size_t length, char text[CHECKSUM_MAX]);

/* The checksum of at most CHECKSUM_NUMBERS numbers, each as four bytes, the least significant
 * first. */
void checksum_numbers(const int32_t *values, size_t count, char text[CHECKSUM_MAX]);

#endif
