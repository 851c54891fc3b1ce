#include "outcome_file.h"

#include "output.h"
#include "run_written.h"
#include "store.h"

#include <string.h>

/* The "#STAGE" at the end of a store's path, or NULL. A folder's name may contain a # too. */
static const char *find_stage(const char *store_path)
{
    const char *mark = strrchr(store_path, '#');
    return mark != NULL && store_is_stage_name(mark + 1) ? mark : NULL;
}

/* The length of a path without its ".db" or ".db.zst". */
static size_t stem_length(const char *path, size_t length)
{
    static const char *const endings[] = {".db.zst", ".db"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t n = strlen(endings[i]);
        if (length > n && strncmp(path + length - n, endings[i], n) == 0)
            return length - n;
    }
    return length;
}

bool outcome_path(const char *store_path, const char *ending, char path[OUTCOME_PATH],
                  struct error *err)
{
    const char *mark = find_stage(store_path), *stage = mark != NULL ? mark + 1 : "";
    size_t length = mark != NULL ? (size_t)(mark - store_path) : strlen(store_path);
    length = stem_length(store_path, length);
    int needed = snprintf(path, OUTCOME_PATH, "%.*s%s%s%s", (int)length, store_path,
                          mark != NULL ? "-" : "", stage, ending);
    if (needed >= OUTCOME_PATH)
        return error_set(err, "%.60s...: the path is too long for the files beside the run",
                         store_path);
    return strcmp(path, store_path) != 0 ||
           error_set(err, "%s: a run is a .db file; its outcome is written beside it", path);
}

bool outcome_write(const char *store_path, const char *path, outcome_print *print,
                   const void *context, struct error *err)
{
    struct output o;
    if (!output_open(&o, path, err))
        return false;
    if (!print(o.stream, context, err)) {
        output_discard(&o);
        return error_prefix(err, "%s: ", path);
    }
    if (!output_finish(&o, err))
        return false;
    if (run_note_written(store_path, path, o.beside, err))
        return output_publish(&o, err);
    output_discard(&o);
    return false;
}
