#include "program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GAMES "/usr/games"

/* True if this is a file that we may execute; else errno says why not. */
static bool is_executable(const char *file)
{
    struct stat status;
    if (stat(file, &status) != 0)
        return false;
    errno = EISDIR;
    return !S_ISDIR(status.st_mode) && access(file, X_OK) == 0;
}

/* Looks into each folder of a list separated by colons; an empty name is the current folder. */
static bool find_in(const char *folders, const char *name, char file[PROGRAM_PATH])
{
    for (const char *at = folders, *next; at != NULL; at = next) {
        int length = (int)strcspn(at, ":");
        next = at[length] == ':' ? at + length + 1 : NULL;
        int written = snprintf(file, PROGRAM_PATH, "%.*s/%s", length > 0 ? length : 1,
                               length > 0 ? at : ".", name);
        if (written < PROGRAM_PATH && is_executable(file))
            return true;
    }
    return false;
}

bool program_find(const char *name, char file[PROGRAM_PATH], struct error *err)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/') == NULL)
        return find_in(path != NULL ? path : "/usr/bin:/bin", name, file) ||
               find_in(GAMES, name, file) ||
               error_set(err, "cannot start %s: there is no such program on the PATH or in " GAMES,
                         name);
    errno = ENAMETOOLONG;
    if (strlen(name) < PROGRAM_PATH && is_executable(strcpy(file, name)))
        return true;
    return error_set(err, "cannot start %s: %s", name,
                     errno == EACCES ? "it is not executable" : strerror(errno));
}
