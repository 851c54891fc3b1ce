/* Regular files: they have an end, and are the same when they are opened again. A pipe, a device and a
 * directory are not. Locks (fcntl) keep two processes from writing one. */
#ifndef GRAYLING_REGULAR_FILE_H
#define GRAYLING_REGULAR_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

/* True if the path leads to a regular file. */
bool regular_file_is(const char *path);

/* Opens a regular file for reading, without waiting for the writer of a pipe. On failure returns NULL
 * and sets *reason: "No such file or directory", "it is not a file". */
FILE *regular_file_open(const char *path, const char **reason);

/* True if a lock was refused with this errno because another process has one. With any other, the file
 * cannot be locked: its file system has no locks, say. */
static inline bool file_lock_is_held(int reason)
{
    return reason == EACCES || reason == EAGAIN;
}

#endif
