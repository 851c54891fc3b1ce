#include "run_written.h"

#include "checksum.h"
#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 1024 };

/* Writes the property key of an output file. It has no directory, because runs may be moved. */
static void written_key(const char *path, char *key, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(key, size, "wrote %s", slash == NULL ? path : slash + 1);
}

/* True if a note, "CHECKSUM" or "CHECKSUM CHECKSUM", contains this checksum. */
static bool notes(const char *note, const char *sha256)
{
    return note != NULL && strstr(note, sha256) != NULL;
}

bool run_wrote(const char *store_path, const char *path)
{
    char key[KEY_SIZE], found[CHECKSUM_MAX];
    struct store *s = store_open(store_path, STORE_READ, NULL);
    if (s == NULL)
        return false;
    written_key(path, key, sizeof key);
    char *note = store_get(s, key);
    store_close(s);
    bool wrote = checksum_file(path, found, NULL) && notes(note, found);
    free(note);
    return wrote;
}

bool run_note_written(const char *store_path, const char *path, const char *content,
                      struct error *err)
{
    char key[KEY_SIZE], sha256[CHECKSUM_MAX], note[2 * CHECKSUM_MAX];
    if (!checksum_file(content, sha256, err))
        return false;
    struct store *s = store_open(store_path, STORE_WRITE, err);
    if (s == NULL)
        return false;
    written_key(path, key, sizeof key);
    char *before = store_get(s, key);
    snprintf(note, sizeof note, "%s%s%.64s", sha256, before != NULL ? " " : "",
             before != NULL ? before : "");
    free(before);
    bool noted = store_begin(s, err) && store_put(s, key, note, err) && store_commit(s, err);
    store_close(s);
    return noted;
}
