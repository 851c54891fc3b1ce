#include "scratch.h"

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

/* Removes what SQLite may have left besides the run. */
void scratch_remove(const struct scratch *s)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    char path[PATH_SIZE + 32];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(path, sizeof path, "%s%s", s->run, endings[i]);
        unlink(path);
    }
    rmdir(s->folder);
}
