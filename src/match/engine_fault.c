#include "engine_fault.h"

#include "checksum.h"
#include "foreign_text.h"
#include "match.h"
#include "notation.h"
#include "output.h"
#include "params_write.h"
#include "parse.h"
#include "paths.h"
#include "text_stream.h"
#include "version.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    text[0] = '\0';
    for (int i = FAULT_NONE + 1; i < FAULT_KINDS; i++)
        if (f->counts[i] > 0)
            text_add(text, ENGINE_FAULTS_TEXT, "%s%" PRId64 " %s", text[0] != '\0' ? ", " : "",
                     f->counts[i], f->counts[i] == 1 ? words[i].one : words[i].many);
    return text;
}

struct engine_faults engine_faults_from_text(const char *text)
{
    struct engine_faults f = {{0}};
    char word[32];
    int64_t count;
    int used;
    while (text != NULL && sscanf(text, "%" SCNd64 " %31[^,]%n", &count, word, &used) == 2) {
        for (int i = FAULT_NONE + 1; i < FAULT_KINDS; i++)
            if (strcmp(word, words[i].one) == 0 || strcmp(word, words[i].many) == 0)
                f.counts[i] += count;
        text += used;
        text += strspn(text, ",");
    }
    return f;
}

/* ---- reports ---- */

void *engine_fault_report(struct job *job, size_t size, const struct param_table *table,
                          const int32_t *values, enum engine_fault fault, const char *position,
                          const char *log, struct error *err)
{
    char *text = NULL, *result = NULL;
    size_t length;
    FILE *out = text_stream(&text, &length);
    if (out != NULL) {
        fprintf(out, "%s\n\nposition %s\n\n", words[fault].file, position);
        params_write(out, PARAMS_UCI, table, values, NULL, NULL);
        fprintf(out, "\n%s", log == NULL ? "" : log);
    }
    if (text_close(out, "the report of a fault", err) &&
        (result = job_grow(job, size + length + 1, err)) != NULL)
        memcpy(result + size, text, length + 1);
    free(text);
    return result;
}

/* True if a folder, which is created, has room for one more report. */
static bool has_room(const char *folder)
{
    if (mkdir(folder, 0777) == 0)
        return true;
    int count = -2; /* "." and ".." are listed too */
    DIR *files = opendir(folder);
    while (files != NULL && count < ENGINE_FAULTS_KEPT && readdir(files) != NULL)
        count++;
    if (files != NULL)
        closedir(files);
    return count < ENGINE_FAULTS_KEPT;
}

static void print(FILE *out, void *text)
{
    fputs(text, out);
}

void engine_fault_keep(const char *folder, enum engine_fault fault, const char *report)
{
    char path[FAULT_PATH], checksum[CHECKSUM_MAX];
    if (folder[0] == '\0' || !has_room(folder))
        return;
    checksum_bytes(report, strlen(report), checksum);
    snprintf(path, sizeof path, "%s/%s-%.12s.txt", folder, words[fault].file, checksum);
    output_write(path, print, (void *)(uintptr_t)report, NULL);
}

/* Writes where a game began, its moves, and where it is. */
static void write_game(FILE *out, const struct game *g)
{
    char fen[FEN_MAX], uci[UCI_MAX];
    struct position p = g->start;
    position_to_fen(&p, fen);
    fprintf(out, "start    %s\nmoves   ", fen);
    for (int i = 0; i < g->plies; i++) {
        struct undo undo;
        move_to_uci(&p, g->moves[i].move, uci);
        fprintf(out, " %s", uci);
        position_make(&p, g->moves[i].move, &undo);
    }
    position_to_fen(&p, fen);
    fprintf(out, "\nposition %s\n", fen);
}

bool match_failure_add(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err)
{
    const struct match_player *players = m->settings->players;
    FILE *out = growing_file_open(path, O_CREAT | O_APPEND | O_NOFOLLOW, err);
    if (out == NULL)
        return false;
    fprintf(out, "game     %" PRId64 ": %s vs %s: %s\n", number + 1,
            players[match_player_of(number, WHITE)].name,
            players[match_player_of(number, BLACK)].name, game_end_text(g->end, g->result));
    write_game(out, g);
    fprintf(out, "%s\n\n", g->failure);
    const bool written = growing_file_flush(out, path, err);
    fclose(out);
    return written;
}

/* Writes a player as two parameter files, or the command of another engine. */
static bool write_player(FILE *out, const struct match_player *p, const char *color,
                         struct error *err)
{
    int32_t weights[EVALUATION_WEIGHTS];
    fprintf(out, "\n%s: %s\n\n", color, p->name);
    if (p->process != NULL)
        return fprintf(out, "%s\n", shown_text(p->process->command)) > 0;
    evaluation_values(&p->eval, weights);
    return params_write(out, PARAMS_YAML, evaluation_table(&p->eval), weights, p->evaluation.name,
                        err) &&
           fputs("\n", out) >= 0 &&
           params_write(out, PARAMS_YAML, &search_all_table, p->params.value, p->search.name, err);
}

bool match_broken_fail(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err)
{
    const struct match_settings *s = m->settings;
    const struct game_limits *l = &s->limits;
    char *text;
    size_t size;
    if (path == NULL || path[0] == '\0')
        return error_set(err, "an engine returned no legal move: a bug");
    FILE *out = text_stream(&text, &size);
    bool written = out != NULL;
    if (written) {
        fprintf(out,
                "An engine returned no legal move.\n\nengine   grayling " GRAYLING_VERSION "\n"
                "game     %" PRId64 ", seed %" PRIu64 ", openings %s\n"
                "limits   nodes %" PRIu64 ", depth %d, time %" PRId64 "+%" PRId64 " ms, hash %d\n",
                number + 1, s->seed, s->book_name, l->nodes, l->depth, l->time, l->increment,
                s->hash_mib);
        write_game(out, g);
        for (int side = WHITE; written && side <= BLACK; side++)
            written = write_player(out, &s->players[match_player_of(number, (enum color)side)],
                                   side == WHITE ? "White" : "Black", err);
    }
    written = text_close(out, path, err) && written && output_write(path, print, text, err);
    free(text);
    return written ? error_set(err,
                               "an engine returned no legal move: a bug; position, moves and "
                               "parameters are in %s",
                               path)
                   : error_prefix(err, "an engine returned no legal move, a bug; ");
}
