/* Paths as a run keeps them: seen from the directory of its database, so that a folder with runs
 * and data can be moved, cloned or mounted elsewhere and its runs resumed and verified there. */
#ifndef GRAYLING_PATHS_H
#define GRAYLING_PATHS_H

#include "error.h"

enum { PATH_SIZE = 1024 }; /* bytes, the final NUL included */

/* The absolute path of the directory that `file` stands, or is to stand, in. */
bool path_directory(const char *file, char directory[PATH_SIZE], struct error *err);

/* An absolute path as seen from an absolute directory: "../data/train.epd". Both must be free of
 * symbolic links, "." and "..", as realpath gives them. "" stays "". */
bool path_relative(const char *directory, const char *path, char relative[PATH_SIZE],
                   struct error *err);

/* A path seen from an absolute `directory` as an absolute one, what path_relative gave undone; one
 * that is absolute, or "", stays. */
bool path_absolute(const char *directory, const char *path, char absolute[PATH_SIZE],
                   struct error *err);

/* Either of the two. */
typedef bool path_rewrite(const char *directory, const char *path, char out[PATH_SIZE],
                          struct error *err);

/* How paths are to be seen, and from where. */
struct path_view {
    path_rewrite *rewrite;
    const char *directory;
};

#endif
