#include "solve_table.h"

#include "checksum.h"
#include "paths.h"
#include "text_stream.h"
#include "version.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- head ---- */

/* Writes "NAME CHECKSUM" of some values. */
static void print_values(FILE *out, const char *name, const int32_t *values, size_t count)
{
    char checksum[CHECKSUM_MAX];
    checksum_numbers(values, count, checksum);
    fprintf(out, "%s %s\n", name, checksum);
}

static void print_head(FILE *out, const struct solve_job *job, const char *checksum)
{
    int32_t weights[EVALUATION_WEIGHTS];
    fprintf(out, "grayling solve %s\n", GRAYLING_VERSION);
    fprintf(out, "positions %zu\nsuite %s\n", job->position_count, checksum);
    fprintf(out, "nodes %" PRIu64 "\ndepth %d\nmovetime %d\nhash %d\n", job->limits.nodes,
            job->limits.depth, job->limits.movetime, job->hash_mib);
    fprintf(out, "search %s\n", job->method->name);
    evaluation_values(job->evaluation, weights);
    print_values(out, "evaluation", weights, (size_t)evaluation_table(job->evaluation)->count);
    fprintf(out, "sets %d\n", job->set_count);
    for (int i = 0; i < job->set_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "parameters-%d", i + 1);
        print_values(out, name, job->sets[i].value, search_params_length(&job->sets[i]));
    }
}

/* Makes the first lines as text (malloc'ed); NULL with the reason. */
static char *make_head(const struct solve_job *job, const char *checksum, struct error *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    if (out != NULL)
        print_head(out, job, checksum);
    text_close(out, "the first lines of a journal", err);
    return text;
}

/* ---- writing ---- */

static bool open_file(struct solve_journal *j, const char *path, int flags,
                      const struct solve_table *t, struct error *err)
{
    *j = (struct solve_journal){
        .file = growing_file_open(path, flags, err), .path = path, .table = t};
    return j->file != NULL;
}

bool solve_journal_begin(struct solve_journal *j, const char *path, bool force,
                         const struct solve_table *t, const char *checksum, struct error *err)
{
    char *head = make_head(t->job, checksum, err);
    const bool opened = head != NULL &&
                        open_file(j, path, O_CREAT | (force ? 0 : O_EXCL), t, err) &&
                        growing_file_cut(j->file, path, 0, err);
    bool good = opened;
    if (opened) {
        fputs(head, j->file);
        good = growing_file_flush(j->file, path, err);
    }
    if (!good && head != NULL)
        solve_journal_close(j);
    free(head);
    if (opened && !good) {
        j->unwritten = true;
        unlink(path);
    }
    return good;
}

static void print_moment(FILE *out, const struct solve_moment *m)
{
    fprintf(out, " %" PRIu64 " %d %.6f", m->nodes, m->depth, m->seconds);
}

bool solve_journal_add(struct solve_journal *j, size_t number, struct error *err)
{
    char move[UCI_MAX];
    if (j->file == NULL)
        return true;
    const struct solve_job *job = j->table->job;
    const struct solved *s = &j->table->cells[number];
    move_to_uci(&job->positions[number / (size_t)job->set_count].position, s->best, move);
    fprintf(j->file, "%zu %s %" PRId32 " %d %" PRIu64 " %.6f", number, move, s->score, s->depth,
            s->nodes, s->seconds);
    print_moment(j->file, &s->first);
    print_moment(j->file, &s->stable);
    fputc('\n', j->file);
    return growing_file_flush(j->file, j->path, err);
}

void solve_journal_close(struct solve_journal *j)
{
    if (j->file != NULL)
        fclose(j->file);
    *j = (struct solve_journal){0};
}

/* ---- reading ---- */

/* Parses the output of print_moment and advances `*text`. */
static bool scan_moment(const char **text, struct solve_moment *m)
{
    int length = 0;
    if (sscanf(*text, " %" SCNu64 " %d %lf%n", &m->nodes, &m->depth, &m->seconds, &length) != 3)
        return false;
    *text += length;
    return true;
}

/* Parses a result; false if the table has no such search. */
static bool scan_result(const struct solve_table *t, const char *text, size_t *number,
                        struct solved *s)
{
    char move[UCI_MAX];
    int length = 0;
    *s = (struct solved){.best = NO_MOVE};
    if (sscanf(text, "%zu %5s %" SCNd32 " %d %" SCNu64 " %lf%n", number, move, &s->score, &s->depth,
               &s->nodes, &s->seconds, &length) != 6 ||
        *number >= t->count)
        return false;
    const struct epd *epd = &t->job->positions[*number / (size_t)t->job->set_count];
    text += length;
    return (strcmp(move, "0000") == 0 ||
            move_from_text(&epd->position, move, (int)strlen(move), &s->best, NULL)) &&
           scan_moment(&text, &s->first) && scan_moment(&text, &s->stable) && *text == '\0';
}

/* Compares the first lines with those of the job. Returns what follows, and counts them; or NULL. */
static char *skip_head(const struct solve_journal *j, char *text, const char *head, long *lines,
                       struct error *err)
{
    for (const char *now = head; *now != '\0'; now += strcspn(now, "\n") + 1) {
        const int length = (int)strcspn(now, "\n"), found = (int)strcspn(text, "\n");
        if (text[found] == '\0')
            return error_null(err, "%s: not the journal of a solve", j->path);
        ++*lines;
        if (strncmp(text, now, (size_t)length + 1) != 0)
            return error_null(err, "%s:%ld: it was begun with \"%.*s\", and now there is \"%.*s\"",
                              j->path, *lines, found < 100 ? found : 100, text, length, now);
        text += length + 1;
    }
    return text;
}

/* Stores the results of the file in the table, and removes an incomplete last line. If the file ends within
 * the first lines, their writer was interrupted: writes the rest of them. */
static bool read_text(const struct solve_journal *j, char *text, size_t size, const char *head,
                      struct solve_table *t, struct error *err)
{
    char *at = text, *end;
    long line = 0;
    size_t number;
    struct solved s;
    if (size < strlen(head) && memcmp(text, head, size) == 0) {
        fseeko(j->file, 0, SEEK_END);
        fputs(head + size, j->file);
        return growing_file_flush(j->file, j->path, err);
    }
    if ((at = skip_head(j, text, head, &line, err)) == NULL)
        return false;
    for (; (end = memchr(at, '\n', (size_t)(text + size - at))) != NULL; at = end + 1) {
        *end = '\0';
        line++;
        if (!scan_result(t, at, &number, &s) || t->done[number])
            return error_set(err, "%s:%ld: damaged; delete this line to search the position again",
                             j->path, line);
        solve_table_put(t, number, &s);
    }
    return growing_file_cut(j->file, j->path, at - text, err);
}

bool solve_journal_resume(struct solve_journal *j, const char *path, struct solve_table *t,
                          const char *checksum, struct error *err)
{
    size_t size;
    char *text = NULL, *head = make_head(t->job, checksum, err);
    bool good = head != NULL && open_file(j, path, 0, t, err) &&
                (text = growing_file_read(j->file, path, &size, err)) != NULL &&
                read_text(j, text, size, head, t, err);
    if (good && !solve_table_repeats(t, err))
        good = error_prefix(err, "%s: ", path);
    free(text);
    free(head);
    if (!good && head != NULL)
        solve_journal_close(j);
    return good;
}
