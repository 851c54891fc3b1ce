#define _GNU_SOURCE /* tdestroy */
#include "experiment.h"

#include "checksum.h"
#include "input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Digits of a key's checksum. The probability of a collision among 100,000 texts is 3e-10. */
enum { DIGITS = 16 };

/* A line of the ledger. */
struct piece {
    char key[LEDGER_KEY];
    int64_t values[LEDGER_VALUES];
    int count;
};

struct ledger {
    void *entries; /* a tree of them by key (search.h) */
    FILE *file;    /* NULL: in memory alone */
    char path[1024];
};

/* ---- entries ---- */

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct piece *)a)->key, ((const struct piece *)b)->key);
}

void ledger_key(char key[LEDGER_KEY], const char *kind, const char *text)
{
    char checksum[CHECKSUM_MAX];
    checksum_bytes(text, strlen(text), checksum);
    snprintf(key, LEDGER_KEY, "%.40s-%.*s", kind, DIGITS, checksum);
}

bool ledger_find(const struct ledger *l, const char *key, int64_t *values, int count)
{
    struct piece wanted;
    snprintf(wanted.key, sizeof wanted.key, "%s", key);
    struct piece *const *found = tfind(&wanted, (void *const *)&l->entries, by_key);
    if (found == NULL || (*found)->count != count)
        return false;
    memcpy(values, (*found)->values, (size_t)count * sizeof *values);
    return true;
}

/* Adds a copy of the entry, or replaces the one with the same key. */
static bool enter(struct ledger *l, const struct piece *e, struct error *err)
{
    struct piece *copy = malloc(sizeof *copy);
    struct piece **at = copy == NULL ? NULL : (*copy = *e, tsearch(copy, &l->entries, by_key));
    if (at == NULL || *at != copy)
        free(copy);
    if (at == NULL)
        return error_set(err, "no memory for the ledger");
    **at = *e;
    return true;
}

/* Sets the error of a failed write. */
static bool fail_writing(const struct ledger *l, struct error *err)
{
    return error_set(err, "cannot write %s: %s", l->path, strerror(errno));
}

bool ledger_add(struct ledger *l, const char *key, const int64_t *values, int count,
                struct error *err)
{
    struct piece e = {.count = count};
    assert(strlen(key) < LEDGER_KEY && strpbrk(key, " \n") == NULL && count <= LEDGER_VALUES);
    snprintf(e.key, sizeof e.key, "%s", key);
    memcpy(e.values, values, (size_t)count * sizeof *values);
    if (!enter(l, &e, err))
        return false;
    if (l->file == NULL)
        return true;
    fputs(key, l->file);
    for (int i = 0; i < count; i++)
        fprintf(l->file, " %" PRId64, values[i]);
    return (fputc('\n', l->file) != EOF && fflush(l->file) == 0) || fail_writing(l, err);
}

/* ---- the file ---- */

/* Sets the error for a file with another first line. */
static bool fail_foreign(const char *path, struct error *err)
{
    return error_set(err, "%s: not a ledger; expected \"%s...\" in its first line", path,
                     LEDGER_BEGIN);
}

/* Parses "KEY VALUE VALUE ...". Returns false for other text. */
static bool scan_entry(char *line, struct piece *e)
{
    char *rest, *key = strtok_r(line, " ", &rest);
    *e = (struct piece){0};
    if (key == NULL || strlen(key) >= LEDGER_KEY)
        return false;
    memcpy(e->key, key, strlen(key) + 1);
    for (char *word; (word = strtok_r(NULL, " ", &rest)) != NULL;) {
        char *end;
        errno = 0;
        if (e->count == LEDGER_VALUES)
            return false;
        e->values[e->count++] = strtoll(word, &end, 10);
        if (*end != '\0' || errno != 0)
            return false;
    }
    return true;
}

/* Sets the error for a line that is no entry. */
static bool fail_damaged(const char *path, long number, struct error *err)
{
    return error_set(err, "%s:%ld: damaged; delete this line to measure it again", path, number);
}

/* True if a first line is that of a ledger of another program. */
static bool is_of_another(const char *line, const char *head)
{
    return strncmp(line, LEDGER_BEGIN, strlen(LEDGER_BEGIN)) == 0 && strcmp(line, head) != 0;
}

/* Reads a complete line of the file `path`; the first must be the head. */
static bool take_line(struct ledger *l, const char *path, char *line, long number, const char *head,
                      struct error *err)
{
    struct piece e;
    if (number == 1 && is_of_another(line, head))
        return error_set(err,
                         "%s:1: it was begun by \"%.80s\", and this is \"%s\"; keep it apart, or "
                         "begin anew with --anew",
                         path, line, head);
    if (number == 1)
        return strcmp(line, head) == 0 || fail_foreign(path, err);
    return scan_entry(line, &e) ? enter(l, &e, err) : fail_damaged(path, number, err);
}

/* Whether a text begins with these bytes, none of which is 0. */
static bool begins(const char *text, const char *bytes, size_t size)
{
    return size <= strlen(text) && memcmp(text, bytes, size) == 0;
}

/* Reads all lines, and truncates an incomplete last line. */
static bool read_lines(struct ledger *l, const char *head, long *count, struct error *err)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n = 0;
    off_t end = 0;
    bool good = true;
    *count = 0;
    while (good && (n = getline(&line, &size, l->file)) > 0 && line[n - 1] == '\n') {
        line[n - 1] = '\0';
        end += n;
        ++*count;
        good = strlen(line) + 1 == (size_t)n ? take_line(l, l->path, line, *count, head, err)
                                             : fail_damaged(l->path, *count, err);
    }
    if (good && *count == 0 && n > 0 && !begins(head, line, (size_t)n))
        good = fail_foreign(l->path, err);
    free(line);
    if (good && !feof(l->file)) /* or memory is missing */
        good = error_set(err, "%s: cannot read: %s", l->path, strerror(errno));
    if (good && (fseeko(l->file, end, SEEK_SET) != 0 || ftruncate(fileno(l->file), end) != 0))
        good = fail_writing(l, err);
    return good;
}

/* Reads the lines of a compressed ledger; none of another program's, if it may be one. */
static bool read_compressed(struct ledger *l, const char *path, const char *head, bool may_differ,
                            struct error *err)
{
    struct input_line line;
    struct input *in = input_open(path, FILE_OTHER, err);
    enum input_status status = in == NULL ? INPUT_FAILED : INPUT_LINE;
    bool good = in != NULL;
    while (good && (status = input_next(in, &line, err)) == INPUT_LINE) {
        if (may_differ && line.number == 1 && is_of_another(line.text, head)) {
            status = INPUT_END;
            break;
        }
        char *copy = strdup(line.text);
        good = copy != NULL ? take_line(l, path, copy, line.number, head, err)
                            : error_set(err, "no memory for the ledger");
        free(copy);
    }
    input_close(in);
    return good && status == INPUT_END;
}

/* True if the file was begun by this program: its first line is the head. */
static bool is_begun(struct ledger *l, const char *head)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n = getline(&line, &size, l->file);
    bool begun = n == (ssize_t)strlen(head) + 1 && begins(head, line, (size_t)n - 1);
    free(line);
    rewind(l->file);
    return begun;
}

/* Reads the compressed ledger beside the file, if it exists. One of another program has no results
 * for this one: it is refused, or passed over if the file was begun anew beside it. */
static bool take_kept(struct ledger *l, const char *head, struct error *err)
{
    char path[sizeof l->path + 8];
    snprintf(path, sizeof path, "%s.zst", l->path);
    return access(path, F_OK) != 0 || read_compressed(l, path, head, is_begun(l, head), err);
}

/* Empties the file, if it is a ledger of any program. */
static bool empty_file(struct ledger *l, struct error *err)
{
    char begin[sizeof LEDGER_BEGIN] = "";
    size_t length = fread(begin, 1, sizeof begin - 1, l->file);
    if (length > 0 && strcmp(begin, LEDGER_BEGIN) != 0)
        return fail_foreign(l->path, err);
    rewind(l->file);
    return ftruncate(fileno(l->file), 0) == 0 || fail_writing(l, err);
}

/* Opens the file and locks it. */
static bool open_file(struct ledger *l, bool anew, struct error *err)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(l->path, O_RDWR | O_CREAT, 0666);
    if (fd < 0)
        return error_set(err, "cannot open %s: %s", l->path, strerror(errno));
    l->file = fdopen(fd, "r+");
    if (l->file == NULL) {
        close(fd);
        return error_set(err, "no memory for %s", l->path);
    }
    if (fcntl(fd, F_SETLK, &all) != 0)
        return errno == EACCES || errno == EAGAIN
                   ? error_set(err, "%s is being written by another process", l->path)
                   : error_set(err, "cannot lock %s: %s", l->path, strerror(errno));
    return !anew || empty_file(l, err);
}

/* Reads the file, or writes its first line. */
static bool take_up(struct ledger *l, const char *head, bool anew, struct error *err)
{
    long lines;
    if (!open_file(l, anew, err) || (!anew && !take_kept(l, head, err)) ||
        !read_lines(l, head, &lines, err))
        return false;
    return lines > 0 || (fprintf(l->file, "%s\n", head) > 0 && fflush(l->file) == 0) ||
           fail_writing(l, err);
}

struct ledger *ledger_open(const char *path, const char *head, bool anew, struct error *err)
{
    struct ledger *l = calloc(1, sizeof *l);
    if (l == NULL) {
        error_set(err, "no memory for the ledger");
        return NULL;
    }
    if (path == NULL)
        return l;
    snprintf(l->path, sizeof l->path, "%s", path);
    if (strlen(path) < sizeof l->path && take_up(l, head, anew, err))
        return l;
    if (strlen(path) >= sizeof l->path)
        error_set(err, "%.60s...: too long a path for a ledger", path);
    ledger_close(l);
    return NULL;
}

void ledger_close(struct ledger *l)
{
    if (l == NULL)
        return;
    tdestroy(l->entries, free);
    if (l->file != NULL)
        fclose(l->file);
    free(l);
}
