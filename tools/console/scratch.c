#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool scratch_make(struct scratch *s, struct error *err)
{
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] == '\0')
        parent = "/tmp";
    snprintf(s->folder, sizeof s->folder, "%.960s/grayling-XXXXXX", parent);
    if (mkdtemp(s->folder) == NULL)
        return error_set(err, "cannot make a folder in %s: %s", parent, strerror(errno));
    snprintf(s->run, sizeof s->run, "%s/run.db", s->folder);
    return true;
}

/* Removes a folder with all that is in it; anything else at `folder` stays. */
static void remove_folder(const char *folder)
{
    char path[2 * PATH_SIZE];
    DIR *list = opendir(folder);
    if (list == NULL)
        return;
    for (struct dirent *e; (e = readdir(list)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (unlink(path) != 0)
            remove_folder(path);
    }
    closedir(list);
    rmdir(folder);
}

void scratch_remove(const struct scratch *s)
{
    remove_folder(s->folder);
}
