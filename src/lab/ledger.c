#define _GNU_SOURCE /* tdestroy */
#include "experiment.h"

#include "checksum.h"
#include "input.h"
#include "paths.h"

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
    char path[PATH_SIZE];
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
    fputc('\n', l->file);
    return growing_file_flush(l->file, l->path, err);
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

/* True if a first line is that of a ledger of another program. */
static bool is_of_another(const char *line, const char *head)
{
    return strncmp(line, LEDGER_BEGIN, strlen(LEDGER_BEGIN)) == 0 && strcmp(line, head) != 0;
}

/* Reads a complete line of the file `path`; the first must be the head. */
static bool take_line(struct ledger *l, const char *path, char *line, size_t length, long number,
                      const char *head, struct error *err)
{
    struct piece e;
    if (number == 1 && is_of_another(line, head))
        return error_set(err,
                         "%s:1: it was begun by \"%.80s\", and this is \"%s\"; keep it apart, or "
                         "begin anew with --anew",
                         path, line, head);
    if (number == 1)
        return (strlen(line) == length && strcmp(line, head) == 0) || fail_foreign(path, err);
    if (strlen(line) == length && scan_entry(line, &e))
        return enter(l, &e, err);
    return error_set(err, "%s:%ld: damaged; delete this line to measure it again", path, number);
}

/* Reads all lines, and truncates an incomplete last line; writes the first line if there is none. */
static bool take_text(struct ledger *l, char *text, size_t size, const char *head,
                      struct error *err)
{
    char *at = text, *end;
    long number = 0;
    for (; (end = memchr(at, '\n', size - (size_t)(at - text))) != NULL; at = end + 1) {
        *end = '\0';
        if (!take_line(l, l->path, at, (size_t)(end - at), ++number, head, err))
            return false;
    }
    if (number == 0 && (size > strlen(head) || memcmp(text, head, size) != 0))
        return fail_foreign(l->path, err);
    if (!growing_file_cut(l->file, l->path, at - text, err))
        return false;
    if (number == 0)
        fprintf(l->file, "%s\n", head);
    return growing_file_flush(l->file, l->path, err);
}

/* Reads the compressed ledger beside the file, if it exists. One of another program has no results
 * for this one: it is refused, or passed over if the file, whose text is here, was begun anew beside it. */
static bool take_kept(struct ledger *l, const char *text, const char *head, struct error *err)
{
    char path[sizeof l->path + 8];
    const bool begun = strncmp(text, head, strlen(head)) == 0 && text[strlen(head)] == '\n';
    struct input_line line;
    snprintf(path, sizeof path, "%s.zst", l->path);
    if (access(path, F_OK) != 0)
        return true;
    struct input *in = input_open(path, FILE_OTHER, err);
    enum input_status status = in == NULL ? INPUT_FAILED : INPUT_LINE;
    bool good = in != NULL;
    while (good && (status = input_next(in, &line, err)) == INPUT_LINE) {
        if (begun && line.number == 1 && is_of_another(line.text, head)) {
            status = INPUT_END;
            break;
        }
        char *copy = strdup(line.text);
        good = copy != NULL ? take_line(l, path, copy, line.length, line.number, head, err)
                            : error_set(err, "no memory for the ledger");
        free(copy);
    }
    input_close(in);
    return good && status == INPUT_END;
}

/* Reads the file, or empties it if it is a ledger of any program. */
static bool take_up(struct ledger *l, const char *head, bool anew, struct error *err)
{
    size_t size;
    l->file = growing_file_open(l->path, O_CREAT, err);
    char *text = l->file != NULL ? growing_file_read(l->file, l->path, &size, err) : NULL;
    bool good = text != NULL;
    if (good && anew) {
        good = size == 0 || strncmp(text, LEDGER_BEGIN, strlen(LEDGER_BEGIN)) == 0 ||
               fail_foreign(l->path, err);
        size = 0;
    } else if (good)
        good = take_kept(l, text, head, err);
    good = good && take_text(l, text, size, head, err);
    free(text);
    return good;
}

struct ledger *ledger_open(const char *path, const char *head, bool anew, struct error *err)
{
    struct ledger *l = calloc(1, sizeof *l);
    if (l == NULL)
        return error_null(err, "no memory for the ledger");
    if (path == NULL)
        return l;
    snprintf(l->path, sizeof l->path, "%s", path);
    if (take_up(l, head, anew, err))
        return l;
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
