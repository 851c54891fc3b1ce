#include "suite.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 1024 };

/* A suite being read. */
struct suite_reader {
    struct suite *suite;
    const char *path;
};

/* Returns `items` with room for one more than `count`; reallocates at powers of two. NULL if memory
 * is short; `items` is then unchanged. */
static void *grown(void *items, size_t count, size_t size)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return items;
    return realloc(items, (count == 0 ? 1 : 2 * count) * size);
}

static bool leave_out(void *context, const struct error *reason, struct error *err)
{
    struct suite_reader *r = context;
    struct suite *s = r->suite;
    if (s->left_out_kept == SUITE_REASONS) {
        s->left_out_count++;
        return true;
    }
    struct error *left_out = grown(s->left_out, s->left_out_kept, sizeof *left_out);
    if (left_out == NULL)
        return error_set(err, "no memory for the lines left out of %s", r->path);
    s->left_out = left_out;
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
    long *lines = grown(s->lines, s->positions.count, sizeof *lines);
    if (lines == NULL)
        return error_set(err, "no memory for %zu positions", s->positions.count + 1);
    s->lines = lines;
    s->lines[s->positions.count] = line;
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

/* All positions as text (malloc'ed), or NULL. */
static char *suite_text(const struct suite *s, size_t *length)
{
    char *text = malloc(s->positions.count * LINE_SIZE + 1);
    *length = 0;
    for (size_t i = 0; text != NULL && i < s->positions.count; i++) {
        int n = epd_format(&s->positions.items[i], text + *length, LINE_SIZE);
        *length += n > 0 ? (size_t)n : 0;
        text[(*length)++] = '\n';
    }
    return text;
}

bool suite_checksum(const struct suite *s, char text[CHECKSUM_MAX], struct error *err)
{
    size_t length;
    char *all = suite_text(s, &length);
    if (all == NULL)
        return error_set(err, "no memory for %zu positions as text", s->positions.count);
    checksum_bytes(all, length, text);
    free(all);
    return true;
}
