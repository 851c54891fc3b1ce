#include "values_bytes.h"

#include "params_write.h"
#include "run_summary.h"
#include "text_stream.h"

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
    bool good = store_is_database(path) ? write_run(path, out, err) : write_file(path, out, err);
    if (fclose(out) != 0 && good)
        good = error_set(err, "no memory for %s", path);
    if (good)
        return bytes;
    free(bytes);
    return NULL;
}
