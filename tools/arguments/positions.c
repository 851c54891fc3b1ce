#include "positions.h"

#include "count.h"

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
