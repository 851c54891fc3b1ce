#include "values_bytes.h"

#include "command_line.h"
#include "params_write.h"
#include "run_summary.h"
#include "space.h"
#include "text_stream.h"
#include "yaml_document.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies a file to another. */
static bool copy(FILE *in, FILE *out)
{
    char piece[1 << 16];
    size_t count;
    while ((count = fread(piece, 1, sizeof piece, in)) > 0)
        if (fwrite(piece, 1, count, out) != count)
            return false;
    return !ferror(in);
}

static bool write_file(const char *path, FILE *out, struct error *err)
{
    FILE *in = fopen(path, "rb");
    bool good = in != NULL && copy(in, out);
    int problem = errno;
    if (in != NULL)
        fclose(in);
    return good || error_set(err, "cannot read %s: %s", path, strerror(problem));
}

static bool is_command(const struct yaml_node *entry)
{
    return (strcmp(entry->key, "command") == 0 || strcmp(entry->key, "plays") == 0) &&
           entry->kind == YAML_SCALAR && entry->text[0] != '\0';
}

/* Makes the commands of a document absolute. */
static bool place_commands(struct yaml_document *doc, struct error *err)
{
    for (struct yaml_node *entry = doc->root->child; entry != NULL; entry = entry->next) {
        if (!is_command(entry))
            continue;
        char *placed = command_of_file_anywhere(doc->path, entry->text, err);
        if (placed == NULL)
            return false;
        free(entry->text);
        entry->text = placed;
    }
    return true;
}

/* Writes a file of another engine. */
static bool write_foreign(const char *path, FILE *out, struct error *err)
{
    struct yaml_document doc;
    if (!yaml_read_file(&doc, path, err))
        return false;
    bool placed = place_commands(&doc, err);
    if (placed)
        yaml_write(out, &doc);
    yaml_finish(&doc);
    return placed;
}

/* Writes the best organism of a run. */
static bool write_run(const char *path, FILE *out, struct error *err)
{
    struct run_summary run;
    if (!run_summary_read(path, &run, err))
        return false;
    bool written = run.best != NULL
                       ? params_write(out, PARAMS_YAML, &run.space, run.best, NULL, err)
                       : error_set(err, "%s: no generation is complete yet", path);
    run_summary_free(&run);
    return written;
}

char *values_bytes(const char *path, size_t *size, struct error *err)
{
    char *bytes = NULL;
    FILE *out = text_stream(&bytes, size);
    if (out == NULL) {
        error_set(err, "no memory for %s", path);
        return NULL;
    }
    bool good = store_is_database(path)       ? write_run(path, out, err)
                : space_file_is_foreign(path) ? write_foreign(path, out, err)
                                              : write_file(path, out, err);
    if (fclose(out) != 0 && good)
        good = error_set(err, "no memory for %s", path);
    if (good)
        return bytes;
    free(bytes);
    return NULL;
}
