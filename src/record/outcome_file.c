#include "outcome_file.h"

#include "checksum.h"
#include "output.h"
#include "paths.h"
#include "store.h"

#include <stdlib.h>
#include <string.h>

bool outcome_path(const char *store_path, const char *ending, char path[OUTCOME_PATH],
                  struct error *err)
{
    static const char *const endings[] = {".db.zst", ".db"};
    const char *mark = strrchr(store_path, '#'); /* a folder's name may contain a # too */
    if (mark != NULL && !path_is_stage_name(mark + 1))
        mark = NULL;
    size_t length = mark != NULL ? (size_t)(mark - store_path) : strlen(store_path);
    for (size_t i = 0, n; i < sizeof endings / sizeof endings[0]; i++)
        if ((n = strlen(endings[i])) < length &&
            strncmp(store_path + length - n, endings[i], n) == 0) {
            length -= n;
            break;
        }
    int needed = snprintf(path, OUTCOME_PATH, "%.*s%s%s%s", (int)length, store_path,
                          mark != NULL ? "-" : "", mark != NULL ? mark + 1 : "", ending);
    if (needed >= OUTCOME_PATH)
        return error_set(err, "%.60s...: the path is too long for the files beside the run",
                         store_path);
    return strcmp(path, store_path) != 0 ||
           error_set(err, "%s: a run is a .db file; its outcome is written beside it", path);
}

/* -- files that a run wrote */

enum { KEY_SIZE = 1024 };

/* Writes the property key of an output file. It has no directory, because runs may be moved. */
static void written_key(const char *path, char *key, size_t size)
{
    snprintf(key, size, "wrote %s", path_name(path));
}

/* Opens the run of the whole file. */
static struct store *open_whole(const char *store_path, enum store_mode mode, struct error *err)
{
    char *file = store_path_of_file(store_path);
    struct store *s = file != NULL ? store_open(file, mode, err) : NULL;
    if (file == NULL)
        error_set(err, "no memory for the store");
    free(file);
    return s;
}

bool run_wrote(const char *store_path, const char *path)
{
    char key[KEY_SIZE], sha256[CHECKSUM_MAX];
    written_key(path, key, sizeof key);
    if (!checksum_file(path, sha256, NULL))
        return false;
    struct store *s = open_whole(store_path, STORE_READ, NULL);
    char *note = s == NULL ? NULL : store_get(s, key); /* "CHECKSUM" or "CHECKSUM CHECKSUM" */
    bool noted = note != NULL && strstr(note, sha256) != NULL;
    free(note);
    store_close(s);
    return noted;
}

/* Notes in the store that `path` will get the content of the file `content`. The previous note stays valid as
 * well. If the process is killed before it moves the content to `path`, the run still recognises the old file. */
static bool note_written(const char *store_path, const char *path, const char *content,
                         struct error *err)
{
    char key[KEY_SIZE], sha256[CHECKSUM_MAX], note[2 * CHECKSUM_MAX];
    if (!checksum_file(content, sha256, err))
        return false;
    struct store *s = open_whole(store_path, STORE_WRITE, err);
    if (s == NULL)
        return false;
    written_key(path, key, sizeof key);
    char *before = store_get(s, key);
    snprintf(note, sizeof note, "%s%s%.64s", sha256, before != NULL ? " " : "",
             before != NULL ? before : "");
    free(before);
    bool put = store_begin(s, err) && store_put(s, key, note, err) && store_commit(s, err);
    store_close(s);
    return put;
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
    if (note_written(store_path, path, o.beside, err))
        return output_publish(&o, err);
    output_discard(&o);
    return false;
}
