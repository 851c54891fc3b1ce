/* What can be asked of a file that may be an open database, without reading it as one. SQLite does it: if
 * this process has the file open as a database, closing a descriptor of our own would release SQLite's
 * locks on it (fcntl(2)). Then a reader that closes the database in another process takes itself for
 * the last one and removes the WAL, and the writer's next commit is lost. */
#ifndef GRAYLING_STORE_HEAD_H
#define GRAYLING_STORE_HEAD_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the first `size` bytes of a file. False if it is no file, cannot be read or is
 * shorter. */
bool store_read_head(const char *file, void *bytes, size_t size);
/* True if a writer or a holder has the file open. */
bool store_is_being_written(const char *file);

#endif
