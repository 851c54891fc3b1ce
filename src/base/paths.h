/* Paths as a run stores them, and regular files.
 *
 * A run's paths are relative to the directory of its database. A folder with runs and data can therefore be
 * moved, cloned or mounted elsewhere, and its runs can be resumed and verified there. */
#ifndef GRAYLING_PATHS_H
#define GRAYLING_PATHS_H

#include "error.h"

#include <stdio.h>
#include <sys/types.h>

enum {
    PATH_SIZE = 1024, /* bytes, including the final NUL */
    PATH_STAGE = 32,  /* of the name of a stage, likewise */
};

/* The name of a file without its directory: what follows the last slash. Points into `path`. */
const char *path_name(const char *path);

/* True if this is the name of a stage in FILE#STAGE: a lower-case letter, then lower-case letters, digits
 * and `-`, shorter than PATH_STAGE. */
bool path_is_stage_name(const char *name);

/* Finds the absolute path of the directory of `file`. The directory must exist; `file` need not. */
bool path_directory(const char *file, char directory[PATH_SIZE], struct error *err);

/* Makes the directories in which a file is to be, with these permissions, if they are not there. */
bool path_make_parents(const char *file, unsigned mode, struct error *err);

/* Converts an absolute path to one relative to an absolute directory: "../data/train.epd". Neither may contain symbolic
 * links, "." or "..": realpath returns such paths. Relative paths and "" are copied unchanged, and those of files that
 * were installed with the program, which stay where they are when a run is moved. */
bool path_relative(const char *directory, const char *path, char relative[PATH_SIZE],
                   struct error *err);

/* The inverse of path_relative. Absolute paths and "" are copied unchanged. */
bool path_absolute(const char *directory, const char *path, char absolute[PATH_SIZE],
                   struct error *err);

/* A conversion of paths, and the directory that they are relative to. */
struct path_view {
    bool (*rewrite)(const char *directory, const char *path, char out[PATH_SIZE],
                    struct error *err);
    const char *directory;
};

/* -- regular files: they have an end, and are the same when they are opened again. A pipe, a device and a
 * directory are not. Locks (fcntl) keep two processes from writing one. */

/* True if the path leads to a regular file. */
bool regular_file_is(const char *path);

/* Opens a regular file for reading, without waiting for the writer of a pipe. On failure returns NULL
 * and sets *reason: "No such file or directory", "it is not a file". */
FILE *regular_file_open(const char *path, const char **reason);

/* -- a file that grows while it is open, as a journal or a ledger does. These set the error, which names the
 * path, and return false or NULL on failure. */

/* Opens a file for reading and writing, with these flags of open besides, and locks it: fails if another
 * process has done so, or if its file system has no locks. */
FILE *growing_file_open(const char *path, int flags, struct error *err);

/* Locks a file that was opened otherwise. */
bool growing_file_lock(FILE *file, const char *path, struct error *err);

/* Reads the whole file, and a NUL behind its *size bytes. The caller frees it. */
char *growing_file_read(FILE *file, const char *path, size_t *size, struct error *err);

/* Truncates the file at `end` and seeks there; flushes what was written. */
bool growing_file_cut(FILE *file, const char *path, off_t end, struct error *err);
bool growing_file_flush(FILE *file, const char *path, struct error *err);

#endif
