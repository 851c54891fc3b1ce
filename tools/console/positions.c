#include "positions.h"

#include "command.h"

enum { BROKEN_SHOWN = 5 };

void positions_print(FILE *out, void *context)
{
    const struct positions *p = context;
    epd_print(out, p->items, p->count, p->step);
}

void positions_name_broken(void *context, const char *reason)
{
    int *count = context;
    if ((*count)++ < BROKEN_SHOWN)
        fprintf(stderr, "skipped: %s\n", reason);
    else if (*count == BROKEN_SHOWN + 1)
        fputs("skipped: ...\n", stderr);
}

void positions_tell_read(const struct game_list_report *read)
{
    char games[COUNTED_MAX], duplicates[COUNTED_MAX];
    fprintf(stderr, "read %s: %zu broken, %zu filtered out, %s\n",
            format_things((int64_t)read->games, "game", games), read->broken, read->filtered,
            format_things((int64_t)read->twice, "duplicate", duplicates));
}

int positions_finish(const struct search_end *end, int (*write)(const void *context),
                     const void *context)
{
    int code = EXIT_DONE;
    if (end->few == NULL)
        code = write(context);
    else if (end->failure == NULL) {
        struct error err;
        error_set(&err, "%s", end->few);
        return command_fail(end->interrupted ? EXIT_INTERRUPTED : EXIT_BAD, &err);
    }
    if (end->few == NULL && code == EXIT_DONE && (end->interrupted || end->failure != NULL))
        fprintf(stderr, "grayling: %s; what was %s so far is written\n",
                end->failure != NULL ? "a search failed" : "interrupted", end->done);
    if (end->failure != NULL)
        return command_fail(EXIT_FAILED, end->failure);
    return code == EXIT_DONE && end->interrupted ? EXIT_INTERRUPTED : code;
}
