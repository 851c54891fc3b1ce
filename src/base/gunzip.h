/* Reads a file as it is, or decompressed if it is gzip. Unlike libarchive it compares the CRC-32 and
 * the length of each gzip member. Only gunzip.c uses zlib. */
#ifndef GRAYLING_GUNZIP_H
#define GRAYLING_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>

struct gunzip;

/* Reads from a file descriptor, which the caller keeps open. NULL without memory. */
struct gunzip *gunzip_create(int fd);
void gunzip_destroy(struct gunzip *g); /* accepts NULL */

/* True if the file is gzip. Reads its first bytes. */
bool gunzip_is_packed(struct gunzip *g);

/* Reads the next bytes, which stay valid until the next call. Returns their number, 0 at the end,
 * or -1 with the reason. */
ptrdiff_t gunzip_read(struct gunzip *g, const void **bytes, const char **reason);

#endif
