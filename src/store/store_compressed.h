/* Run stores compressed with zstd, RUN.db.zst, the form of published runs. They are read-only. */
#ifndef GRAYLING_STORE_COMPRESSED_H
#define GRAYLING_STORE_COMPRESSED_H

#include "error.h"

#include <stddef.h>

/* True if the file is compressed with zstd, whatever it contains. */
bool store_is_compressed(const char *file);

/* True if the file is compressed with zstd and its decompressed content starts with these bytes. */
bool store_compressed_begins(const char *file, const char *bytes, size_t length);

/* Decompresses a file into memory. The caller frees it. NULL with the reason on failure. */
unsigned char *store_decompress(const char *file, size_t *length, struct error *err);

#endif
