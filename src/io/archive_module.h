/* bzip2, zstd and zip, by libarchive, which loads some 20 libraries: the module `archive` (module.h). */
#ifndef GRAYLING_ARCHIVE_MODULE_H
#define GRAYLING_ARCHIVE_MODULE_H

#include <stddef.h>
#include <sys/types.h>

enum { ARCHIVE_BLOCK = 1 << 16 };

struct archive_method {
    /* Opens the archive, or text that is none. Its first bytes, at most ARCHIVE_BLOCK, have been read. NULL: no memory. */
    void *(*open)(int fd, const char *first, size_t length);
    /* Reads bytes of its file, which must be its only one; text as it is. Returns their number, 0 at the end,
     * or -1 with the reason, which lasts until the archive is closed. */
    ssize_t (*read)(void *archive, char *bytes, size_t room, const char **reason);
    void (*close)(void *archive);
};

#endif
