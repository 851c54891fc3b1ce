#include "suite.h"

#include "array.h"
#include "input.h"
#include "text_stream.h"

#include <stdlib.h>

/* Counts a line that is left out, and keeps the reasons of the first ones. */
static bool leave_out(struct suite *s, const char *path, const struct error *reason,
                      struct error *err)
{
    if (s->left_out == NULL)
        s->left_out = malloc(SUITE_REASONS * sizeof *s->left_out);
    if (s->left_out == NULL)
        return error_set(err, "no memory for the lines left out of %s", path);
    if (s->left_out_kept < SUITE_REASONS)
        s->left_out[s->left_out_kept++] = *reason;
    s->left_out_count++;
    return true;
}

static bool take_position(struct suite *s, const struct epd *epd, long line, struct error *err)
{
    const size_t count = s->positions.count;
    if (!array_grow(s->lines, count))
        return error_set(err, "no memory for %zu positions", count + 1);
    s->lines[count] = line;
    return dataset_append(&s->positions, epd, err);
}

bool suite_load(struct suite *s, const char *path, struct error *err)
{
    struct epd epd;
    struct error reason;
    long line;
    enum epd_status status = EPD_POSITION;
    struct input *in = input_open(path, FILE_POSITIONS, err);
    bool good = in != NULL;
    *s = (struct suite){0};
    while (good && (status = epd_next(in, path, EPD_ANY, &epd, &line, &reason)) <= EPD_REFUSED) {
        if (status == EPD_POSITION && epd.best_count == 0 && epd.avoid_count == 0) {
            error_set(&reason, "%s:%ld: neither a best move (bm) nor one to avoid (am)", path,
                      line);
            status = EPD_REFUSED;
        }
        good = status == EPD_POSITION ? take_position(s, &epd, line, err)
                                      : leave_out(s, path, &reason, err);
    }
    input_close(in);
    if (good && status == EPD_FAILED)
        good = error_set(err, "%s", reason.text);
    if (!good)
        suite_free(s);
    return good;
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
    const bool good = text_close(out, "the positions as text", err);
    if (good)
        checksum_bytes(all, length, text);
    free(all);
    return good;
}
