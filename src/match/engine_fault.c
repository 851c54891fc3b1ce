#include "engine_fault.h"

#include "checksum.h"
#include "params_write.h"
#include "parse.h"
#include "ranks.h"
#include "text_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAULT_PATH = 5000 };

/* How a fault is called: once, several times, and in the name of its report. */
static const struct {
    const char *one, *many, *file;
} words[FAULT_KINDS] = {
    [FAULT_EXITED] = {"crash", "crashes", "crash"},
    [FAULT_HUNG] = {"hang", "hangs", "hang"},
    [FAULT_ILLEGAL] = {"illegal move", "illegal moves", "illegal"},
    [FAULT_LATE] = {"loss on time", "losses on time", "late"},
};

enum engine_fault engine_fault_of(enum uci_end end)
{
    return end == UCI_EXITED    ? FAULT_EXITED
           : end == UCI_HUNG    ? FAULT_HUNG
           : end == UCI_ILLEGAL ? FAULT_ILLEGAL
                                : FAULT_NONE;
}

enum engine_fault engine_fault_of_game(enum game_end end)
{
    return end == GAME_EXITED    ? FAULT_EXITED
           : end == GAME_HUNG    ? FAULT_HUNG
           : end == GAME_ILLEGAL ? FAULT_ILLEGAL
           : end == GAME_TIME    ? FAULT_LATE
                                 : FAULT_NONE;
}

/* ---- counts ---- */

void engine_faults_add(struct engine_faults *f, enum engine_fault fault)
{
    f->counts[fault] += fault != FAULT_NONE;
}

void engine_faults_join(struct engine_faults *f, const struct engine_faults *more)
{
    for (int i = FAULT_NONE + 1; i < FAULT_KINDS; i++)
        f->counts[i] += more->counts[i];
}

int64_t engine_faults_total(const struct engine_faults *f)
{
    int64_t total = 0;
    for (int i = FAULT_NONE + 1; i < FAULT_KINDS; i++)
        total += f->counts[i];
    return total;
}

const char *engine_faults_text(const struct engine_faults *f, char text[ENGINE_FAULTS_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = FAULT_NONE + 1; i < FAULT_KINDS; i++)
        if (f->counts[i] > 0)
            used += (size_t)snprintf(text + used, ENGINE_FAULTS_TEXT - used, "%s%" PRId64 " %s",
                                     used > 0 ? ", " : "", f->counts[i],
                                     f->counts[i] == 1 ? words[i].one : words[i].many);
    return text;
}

struct engine_faults engine_faults_from_text(const char *text)
{
    struct engine_faults f = {{0}};
    while (text != NULL && *text != '\0') {
        char *end;
        const int64_t count = strtoll(text, &end, 10);
        const char *word = end + strspn(end, " ");
        const size_t length = strcspn(word, ",");
        for (int i = FAULT_NONE + 1; i < FAULT_KINDS; i++)
            if (word_is((struct word){word, (int)length}, words[i].one) ||
                word_is((struct word){word, (int)length}, words[i].many))
                f.counts[i] += count;
        text = word[length] == ',' ? word + length + 1 : NULL;
    }
    return f;
}

/* ---- reports ---- */

/* Writes the text of a report, malloc'ed; NULL without memory. */
static char *report_text(const struct param_table *table, const int32_t *values,
                         enum engine_fault fault, const char *position, const char *log,
                         size_t *length)
{
    char *text = NULL;
    FILE *out = text_stream(&text, length);
    if (out == NULL)
        return NULL;
    fprintf(out, "%s\n\nposition %s\n\n", words[fault].file, position);
    bool written = params_write(out, PARAMS_UCI, table, values, NULL, NULL);
    fprintf(out, "\n%s", log == NULL ? "" : log);
    if (fclose(out) == 0 && written)
        return text;
    free(text);
    return NULL;
}

void engine_fault_keep(const char *folder, const struct param_table *table, const int32_t *values,
                       enum engine_fault fault, const char *position, const char *log)
{
    char path[FAULT_PATH], checksum[CHECKSUM_MAX];
    size_t length;
    if (folder[0] == '\0')
        return;
    char *text = report_text(table, values, fault, position, log, &length);
    if (text == NULL)
        return;
    checksum_bytes(text, length, checksum);
    if (snprintf(path, sizeof path, "%s/%s-%.12s.txt", folder, words[fault].file, checksum) <
        (int)sizeof path)
        ranks_keep_file(path, text, length, ENGINE_FAULTS_KEPT, NULL);
    free(text);
}
