#include "suite.h"

#include "text_stream.h"

#include <stdlib.h>

/* A suite being read. */
struct suite_reader {
    struct suite *suite;
    const char *path;
};

static bool leave_out(void *context, const struct error *reason, struct error *err)
{
    struct suite_reader *r = context;
    struct suite *s = r->suite;
    if (s->left_out == NULL)
        s->left_out = malloc(SUITE_REASONS * sizeof *s->left_out);
    if (s->left_out == NULL)
        return error_set(err, "no memory for the lines left out of %s", r->path);
    if (s->left_out_kept < SUITE_REASONS)
        s->left_out[s->left_out_kept++] = *reason;
    s->left_out_count++;
    return true;
}

static bool take_position(void *context, const struct epd *epd, long line, struct error *err)
{
    struct suite_reader *r = context;
    struct suite *s = r->suite;
    if (epd->best_count == 0 && epd->avoid_count == 0) {
        struct error reason;
        error_set(&reason, "%s:%ld: neither a best move (bm) nor one to avoid (am)", r->path, line);
        return leave_out(r, &reason, err);
    }
    const size_t count = s->positions.count;
    if ((count & (count - 1)) == 0) { /* room is a power of two */
        long *lines = realloc(s->lines, (count == 0 ? 1 : 2 * count) * sizeof *lines);
        if (lines == NULL)
            return error_set(err, "no memory for %zu positions", count + 1);
        s->lines = lines;
    }
    s->lines[count] = line;
    return dataset_append(&s->positions, epd, err);
}

bool suite_load(struct suite *s, const char *path, struct error *err)
{
    struct suite_reader r = {s, path};
    const struct epd_reader reader = {.context = &r, .take = take_position, .refuse = leave_out};
    *s = (struct suite){0};
    if (epd_read(path, &reader, err))
        return true;
    suite_free(s);
    return false;
}

void suite_free(struct suite *s)
{
    dataset_free(&s->positions);
    free(s->lines);
    free(s->left_out);
    *s = (struct suite){0};
}

bool suite_checksum(const struct suite *s, char text[CHECKSUM_MAX], struct error *err)
{
    size_t length;
    char *all = NULL;
    FILE *out = text_stream(&all, &length);
    if (out != NULL)
        epd_print(out, s->positions.items, s->positions.count, 1);
    const bool good = out != NULL && fclose(out) == 0;
    if (good)
        checksum_bytes(all, length, text);
    free(all);
    return good || error_set(err, "no memory for %zu positions as text", s->positions.count);
}
