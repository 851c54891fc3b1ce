#include "engine_fault.h"

#include "checksum.h"
#include "kept_file.h"
#include "params_write.h"
#include "text_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_NAME = 64 };

/* ---- counts ---- */

void engine_faults_add(struct engine_faults *f, enum uci_end end)
{
    f->exited += end == UCI_EXITED;
    f->hung += end == UCI_HUNG;
    f->illegal += end == UCI_ILLEGAL;
}

void engine_faults_join(struct engine_faults *f, const struct engine_faults *more)
{
    f->exited += more->exited;
    f->hung += more->hung;
    f->illegal += more->illegal;
}

int64_t engine_faults_total(const struct engine_faults *f)
{
    return f->exited + f->hung + f->illegal;
}

/* Appends "2 crashes" to a list; nothing if the count is 0. */
static void append(char text[ENGINE_FAULTS_TEXT], int64_t count, const char *one, const char *many)
{
    size_t used = strlen(text);
    if (count > 0)
        snprintf(text + used, ENGINE_FAULTS_TEXT - used, "%s%" PRId64 " %s", used > 0 ? ", " : "",
                 count, count == 1 ? one : many);
}

const char *engine_faults_text(const struct engine_faults *f, char text[ENGINE_FAULTS_TEXT])
{
    text[0] = '\0';
    append(text, f->exited, "crash", "crashes");
    append(text, f->hung, "hang", "hangs");
    append(text, f->illegal, "illegal move", "illegal moves");
    return text;
}

struct engine_faults engine_faults_from_text(const char *text)
{
    struct engine_faults f = {0};
    while (text != NULL && *text != '\0') {
        char *word;
        int64_t count = strtoll(text, &word, 10);
        f.exited += strncmp(word, " crash", 6) == 0 ? count : 0;
        f.hung += strncmp(word, " hang", 5) == 0 ? count : 0;
        f.illegal += strncmp(word, " illegal", 8) == 0 ? count : 0;
        text = strchr(text, ',');
        text = text == NULL ? NULL : text + 1;
    }
    return f;
}

/* ---- reports ---- */

static const char *name_of(enum uci_end end)
{
    return end == UCI_EXITED ? "crash" : end == UCI_HUNG ? "hang" : "illegal";
}

/* Writes the text of a report, malloc'ed; NULL without memory. */
static char *report_text(const struct param_table *table, const int32_t *values, enum uci_end end,
                         const char *position, const char *log, size_t *length)
{
    char *text = NULL;
    FILE *out = text_stream(&text, length);
    if (out == NULL)
        return NULL;
    fprintf(out, "%s\n\nposition %s\n\n", name_of(end), position);
    bool written = params_write(out, PARAMS_UCI, table, values, NULL, NULL);
    fprintf(out, "\n%s", log == NULL ? "" : log);
    if (fclose(out) == 0 && written)
        return text;
    free(text);
    return NULL;
}

void engine_fault_keep(const char *folder, const struct param_table *table, const int32_t *values,
                       enum uci_end end, const char *position, const char *log)
{
    char name[FILE_NAME], checksum[CHECKSUM_MAX];
    size_t length;
    if (folder[0] == '\0')
        return;
    char *text = report_text(table, values, end, position, log, &length);
    if (text == NULL)
        return;
    checksum_bytes(text, length, checksum);
    snprintf(name, sizeof name, "%s-%.12s.txt", name_of(end), checksum);
    kept_file_add(folder, name, text, length, ENGINE_FAULTS_KEPT);
    free(text);
}
