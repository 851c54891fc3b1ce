#include "run_written.h"

#include "checksum.h"
#include "paths.h"
#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 1024 };

/* Writes the property key of an output file. It has no directory, because runs may be moved. */
static void written_key(const char *path, char *key, size_t size)
{
    snprintf(key, size, "wrote %s", path_name(path));
}

/* True if a note, "CHECKSUM" or "CHECKSUM CHECKSUM", contains this checksum. */
static bool notes(const char *note, const char *sha256)
{
    return note != NULL && strstr(note, sha256) != NULL;
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

/* True if an open run, which may be NULL, noted this checksum. Closes it. */
static bool noted(struct store *s, const char *key, const char *sha256)
{
    char *note = s == NULL ? NULL : store_get(s, key);
    bool found = notes(note, sha256);
    free(note);
    store_close(s);
    return found;
}

bool run_wrote(const char *store_path, const char *path)
{
    char key[KEY_SIZE], found[CHECKSUM_MAX];
    written_key(path, key, sizeof key);
    return checksum_file(path, found, NULL) &&
           (noted(open_whole(store_path, STORE_READ, NULL), key, found) ||
            noted(store_open(store_path, STORE_READ, NULL), key, found)); /* of older programs */
}

bool run_note_written(const char *store_path, const char *path, const char *content,
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
