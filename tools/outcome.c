#include "outcome.h"

#include "report_file.h"
#include "run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool outcome_path(const char *store_path, const char *ending, char path[OUTCOME_PATH],
                  struct error *err)
{
    const char *mark = strrchr(store_path, '#'), *stage = mark != NULL ? mark + 1 : "";
    size_t length = mark != NULL ? (size_t)(mark - store_path) : strlen(store_path);
    if (length > 3 && strncmp(store_path + length - 3, ".db", 3) == 0)
        length -= 3;
    int needed = snprintf(path, OUTCOME_PATH, "%.*s%s%s%s", (int)length, store_path,
                          mark != NULL ? "-" : "", stage, ending);
    if (needed >= OUTCOME_PATH)
        return error_set(err, "the name of the run is too long");
    return strcmp(path, store_path) != 0 ||
           error_set(err, "%s: a run is a .db file; its outcome is written beside it", path);
}

bool outcome_check(const char *store_path, const char *path, bool force, struct error *err)
{
    return force || access(path, F_OK) != 0 || run_wrote(store_path, path) ||
           report_file_untouched(path) ||
           error_set(err, "%s exists, and is not as this run left it; move it away or give --force",
                     path);
}
