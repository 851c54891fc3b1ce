#include "program.h"

#include "suggest.h"

#include <dirent.h>
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

/* Offers the names of all files of these folders; the closest is copied. */
static void offer_files(const char *folders, struct suggestion *near, char closest[PROGRAM_PATH])
{
    for (const char *at = folders, *next; at != NULL; at = next) {
        char folder[PROGRAM_PATH];
        int length = (int)strcspn(at, ":");
        next = at[length] == ':' ? at + length + 1 : NULL;
        snprintf(folder, sizeof folder, "%.*s", length, at);
        DIR *files = opendir(folder);
        for (struct dirent *f; files != NULL && (f = readdir(files)) != NULL;) {
            const int before = near->distance;
            suggest_offer(near, f->d_name, closest);
            if (near->distance < before)
                snprintf(closest, PROGRAM_PATH, "%s", f->d_name);
        }
        if (files != NULL)
            closedir(files);
    }
}

/* Says that a program is not there, and which one may be meant. */
static bool fail_unknown(const char *path, const char *name, struct error *err)
{
    char closest[PROGRAM_PATH];
    struct suggestion near;
    if (err == NULL)
        return false;
    suggest_init(&near, name);
    offer_files(GAMES, &near, closest);
    offer_files(path, &near, closest);
    return error_set(err,
                     "cannot start %s: there is no such program on the PATH or in " GAMES "%s%s%s",
                     name, near.name != NULL ? "; did you mean " : "",
                     near.name != NULL ? near.name : "", near.name != NULL ? "?" : "");
}

bool program_find(const char *name, char file[PROGRAM_PATH], struct error *err)
{
    const char *path = getenv("PATH");
    if (path == NULL)
        path = "/usr/bin:/bin";
    if (strchr(name, '/') == NULL)
        return find_in(path, name, file) || find_in(GAMES, name, file) ||
               fail_unknown(path, name, err);
    errno = ENAMETOOLONG;
    if (strlen(name) < PROGRAM_PATH && is_executable(strcpy(file, name)))
        return true;
    return error_set(err, "cannot start %s: %s", name,
                     errno == EACCES ? "it is not executable" : strerror(errno));
}
