#define _XOPEN_SOURCE 700 /* nftw */
#include "scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)kind, (void)at;
    remove(path);
    return 0;
}

void scratch_remove(const struct scratch *s)
{
    nftw(s->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
