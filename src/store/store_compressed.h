/* A run store that was compressed with zstd, RUN.db.zst: published runs are kept so. It can be
 * read, and is never written. */
#ifndef GRAYLING_STORE_COMPRESSED_H
#define GRAYLING_STORE_COMPRESSED_H

#include "error.h"

#include <stddef.h>

/* True if the file is compressed with zstd, whatever is inside. */
bool store_is_compressed(const char *file);

/* True if the file is compressed with zstd and begins, decompressed, with these bytes. */
bool store_compressed_begins(const char *file, const char *bytes, size_t length);

/* The decompressed file, malloc'ed, for the caller to free; NULL with the reason. */
unsigned char *store_decompress(const char *file, size_t *length, struct error *err);

#endif
