/* Locks of files (fcntl), which keep two processes from writing one file. */
#ifndef GRAYLING_FILE_LOCK_H
#define GRAYLING_FILE_LOCK_H

#include <errno.h>
#include <stdbool.h>

/* True if a lock was refused with this errno because another process has one. With any other, the file
 * cannot be locked: its file system has no locks, say. */
static inline bool file_lock_is_held(int reason)
{
    return reason == EACCES || reason == EAGAIN;
}

#endif
