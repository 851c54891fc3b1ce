/* SHA-256 checksums, in the format of `sha256sum`. They identify the data of a run. */
#ifndef GRAYLING_CHECKSUM_H
#define GRAYLING_CHECKSUM_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_MAX = 65 /* 64 hexadecimal digits and NUL */ };

/* Of a file's bytes as stored, not decompressed. Refuses a directory, a device or a pipe, which may have no end. */
bool checksum_file(const char *path, char text[CHECKSUM_MAX], struct error *err);

void checksum_bytes(const void *bytes, size_t length, char text[CHECKSUM_MAX]);

/* The same in base64, as policies of web pages have it. */
enum { CHECKSUM_BASE64 = 45 };
void checksum_base64(const void *bytes, size_t length, char text[CHECKSUM_BASE64]);

/* Computes the checksum of numbers, each as four little-endian bytes. */
void checksum_numbers(const int32_t *values, size_t count, char text[CHECKSUM_MAX]);

#endif
