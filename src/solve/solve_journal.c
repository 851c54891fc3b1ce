#include "solve_table.h"

#include "checksum.h"
#include "paths.h"
#include "text_stream.h"
#include "version.h"

#include <errno.h>
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
    if (out != NULL) {
        print_head(out, job, checksum);
        if (fclose(out) == 0)
            return text;
    }
    free(text);
    error_set(err, "no memory for the first lines of a journal");
    return NULL;
}

/* ---- writing ---- */

static bool fail_writing(const struct solve_journal *j, struct error *err)
{
    return error_set(err, "cannot write %s: %s", j->path, strerror(errno));
}

/* Locks the file against other processes. */
static bool lock(const struct solve_journal *j, struct error *err)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(j->file), F_SETLK, &all) == 0)
        return true;
    return file_lock_is_held(errno)
               ? error_set(err, "%s is being written by another process", j->path)
               : error_set(err, "cannot lock %s: %s", j->path, strerror(errno));
}

/* Opens the file with `flags`. */
static bool open_file(struct solve_journal *j, const char *path, int flags,
                      const struct solve_table *t, struct error *err)
{
    int fd = open(path, O_RDWR | flags, 0666);
    *j = (struct solve_journal){.path = path, .table = t};
    if (fd < 0)
        return error_set(err, "cannot %s %s: %s", flags == 0 ? "open" : "write", path,
                         strerror(errno));
    j->file = fdopen(fd, "r+");
    if (j->file == NULL) {
        close(fd);
        return error_set(err, "cannot open %s: %s", path, strerror(errno));
    }
    return lock(j, err);
}

/* Removes what the file holds. */
static bool empty(const struct solve_journal *j, struct error *err)
{
    return ftruncate(fileno(j->file), 0) == 0 || fail_writing(j, err);
}

bool solve_journal_begin(struct solve_journal *j, const char *path, bool force,
                         const struct solve_table *t, const char *checksum, struct error *err)
{
    char *head = make_head(t->job, checksum, err);
    const bool opened =
        head != NULL && open_file(j, path, O_CREAT | (force ? 0 : O_EXCL), t, err) && empty(j, err);
    const bool good =
        opened && ((fputs(head, j->file) >= 0 && fflush(j->file) == 0) || fail_writing(j, err));
    if (!good && head != NULL)
        solve_journal_close(j);
    free(head);
    if (opened && !good) {
        j->unwritten = true;
        unlink(path);
    }
    return good;
}

/* Writes nodes, depth and seconds of a moment. */
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
    return (fputc('\n', j->file) != EOF && fflush(j->file) == 0) || fail_writing(j, err);
}

void solve_journal_close(struct solve_journal *j)
{
    if (j->file != NULL)
        fclose(j->file);
    *j = (struct solve_journal){0};
}

/* ---- reading ---- */

/* Reads the whole file: *size bytes and a NUL, malloc'ed. NULL with the reason. */
static char *read_all(const struct solve_journal *j, size_t *size, struct error *err)
{
    char *text = NULL, bytes[4096];
    FILE *out = text_stream(&text, size);
    bool read = out != NULL;
    for (size_t n; read && (n = fread(bytes, 1, sizeof bytes, j->file)) > 0;)
        read = fwrite(bytes, 1, n, out) == n;
    read = read && !ferror(j->file);
    if (!read)
        error_set(err, "%s: cannot read: %s", j->path, strerror(errno));
    if (out != NULL && fclose(out) != 0 && read)
        read = error_set(err, "%s: no memory for its lines", j->path);
    if (read)
        return text;
    free(text);
    return NULL;
}

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

/* Compares the first lines with those of the current job. Returns what follows them, and the number of
 * lines; NULL if they differ. */
static char *skip_head(const struct solve_journal *j, char *text, const char *head, long *lines,
                       struct error *err)
{
    for (const char *now = head; *now != '\0'; now += strcspn(now, "\n") + 1) {
        const int length = (int)strcspn(now, "\n"), found = (int)strcspn(text, "\n");
        if (text[found] == '\0') {
            error_set(err, "%s: not the journal of a solve", j->path);
            return NULL;
        }
        ++*lines;
        if (strncmp(text, now, (size_t)length + 1) != 0) {
            error_set(err, "%s:%ld: it was begun with \"%.*s\", and now there is \"%.*s\"", j->path,
                      *lines, found < 100 ? found : 100, text, length, now);
            return NULL;
        }
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
    if (size < strlen(head) && memcmp(text, head, size) == 0)
        return (fseeko(j->file, 0, SEEK_END) == 0 && fputs(head + size, j->file) >= 0 &&
                fflush(j->file) == 0) ||
               fail_writing(j, err);
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
    return (fseeko(j->file, at - text, SEEK_SET) == 0 &&
            ftruncate(fileno(j->file), at - text) == 0) ||
           fail_writing(j, err);
}

bool solve_journal_resume(struct solve_journal *j, const char *path, struct solve_table *t,
                          const char *checksum, struct error *err)
{
    size_t size;
    char *text = NULL, *head = make_head(t->job, checksum, err);
    bool good = head != NULL && open_file(j, path, 0, t, err) &&
                (text = read_all(j, &size, err)) != NULL && read_text(j, text, size, head, t, err);
    if (good && !solve_table_repeats(t, err))
        good = error_prefix(err, "%s: ", path);
    free(text);
    free(head);
    if (!good && head != NULL)
        solve_journal_close(j);
    return good;
}
