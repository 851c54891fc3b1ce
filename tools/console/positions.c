#include "positions.h"

#include "command.h"

enum { BROKEN_SHOWN = 5 };

void positions_print(FILE *out, void *context)
{
    const struct positions *p = context;
    if (p->head != NULL)
        p->head(out, p->context);
    epd_print(out, p->items, p->count, p->step);
}

static void name_broken(void *context, const char *reason)
{
    struct positions_view *v = context;
    if (v->broken++ < BROKEN_SHOWN)
        fprintf(stderr, "skipped: %s\n", reason);
    else if (v->broken == BROKEN_SHOWN + 1)
        fputs("skipped: ...\n", stderr);
}

static void show_searched(void *context, size_t done, size_t all, size_t found)
{
    struct positions_view *v = context;
    char note[96];
    if (v->progress.unit == NULL)
        progress_begin(&v->progress, v->unit, 0);
    snprintf(note, sizeof note, "%zu of %zu %s searched", done, all, v->searched);
    progress_show(&v->progress, (int64_t)found, (int64_t)v->wanted, note);
}

struct game_list_watcher positions_watcher(struct positions_view *view)
{
    return (struct game_list_watcher){
        .context = view, .skipped = name_broken, .searched = show_searched};
}

void positions_tell_read(const struct game_list_report *read)
{
    char games[COUNTED_MAX], duplicates[COUNTED_MAX];
    fprintf(stderr, "read %s: %zu broken, %zu filtered out, %s\n",
            format_things((int64_t)read->games, "game", games), read->broken, read->filtered,
            format_things((int64_t)read->twice, "duplicate", duplicates));
}

int positions_finish(const struct search_end *end)
{
    const char *const paths[] = {end->output, end->split};
    struct error err;
    struct positions part = end->found;
    int code = EXIT_DONE;
    if (end->few != NULL && end->failure == NULL) {
        error_set(&err, "%s", end->few);
        return command_fail(end->interrupted ? EXIT_INTERRUPTED : EXIT_BAD, &err);
    }
    part.step = end->split != NULL ? 2 : 1;
    for (int i = 0; end->few == NULL && i < 2 && paths[i] != NULL && code == EXIT_DONE; i++) {
        code = command_wrote(output_write(paths[i], positions_print, &part, &err), end->what,
                             paths[i], &err);
        part.items++, part.count--;
    }
    if (end->few == NULL && code == EXIT_DONE && (end->interrupted || end->failure != NULL))
        fprintf(stderr, "grayling: %s; what was %s so far is written\n",
                end->failure != NULL ? "a search failed" : "interrupted", end->done);
    if (end->failure != NULL)
        return command_fail(EXIT_FAILED, end->failure);
    return code == EXIT_DONE && end->interrupted ? EXIT_INTERRUPTED : code;
}
