#include "match_broken.h"

#include "foreign_text.h"
#include "notation.h"
#include "params_write.h"
#include "ranks.h"
#include "text_stream.h"
#include "uci_client.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a game ---- */

/* Writes where a game began, its moves, and where it is. */
static void game_text_write(FILE *out, const struct game *g)
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

/* ---- broken games ---- */

static void write_settings(FILE *out, const struct match_settings *s, int64_t number)
{
    const struct game_limits *l = &s->limits;
    fprintf(out, "engine   grayling " GRAYLING_VERSION "\n");
    fprintf(out, "game     %" PRId64 ", seed %" PRIu64 ", openings %s\n", number + 1, s->seed,
            s->book_name);
    fprintf(out, "limits   nodes %" PRIu64 ", depth %d, time %" PRId64 "+%" PRId64 " ms, hash %d\n",
            l->nodes, l->depth, l->time, l->increment, s->hash_mib);
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
    if (!params_write(out, PARAMS_YAML, evaluation_table(&p->eval), weights, p->evaluation.name,
                      err))
        return false;
    fputs("\n", out);
    return params_write(out, PARAMS_YAML, &search_all_table, p->params.value, p->search.name, err);
}

static bool write_all(FILE *out, const struct match *m, int64_t number, const struct game *g,
                      struct error *err)
{
    const struct match_settings *s = m->settings;
    fprintf(out, "An engine returned no legal move.\n\n");
    write_settings(out, s, number);
    game_text_write(out, g);
    return write_player(out, &s->players[match_player_of(number, WHITE)], "White", err) &&
           write_player(out, &s->players[match_player_of(number, BLACK)], "Black", err);
}

bool match_broken_write(const char *path, const struct match *m, int64_t number,
                        const struct game *g, struct error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_stream(&text, &size);
    bool written =
        out != NULL ? write_all(out, m, number, g, err) : error_set(err, "no memory for %s", path);
    if (out != NULL && fclose(out) != 0 && written)
        written = error_set(err, "no memory for %s", path);
    written = written && ranks_keep_file(path, text, size, 0, err);
    free(text);
    return written;
}

bool match_broken_fail(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err)
{
    if (!match_broken_write(path, m, number, g, err))
        return error_prefix(err, "an engine returned no legal move, a bug; ");
    return error_set(err,
                     "an engine returned no legal move: a bug; position, moves and parameters "
                     "are in %s",
                     path);
}

/* ---- failures ---- */

/* Writes a failed game. */
static void write_failure(FILE *out, const struct match *m, int64_t number, const struct game *g)
{
    const struct match_settings *s = m->settings;
    fprintf(out, "game     %" PRId64 ": %s vs %s: %s\n", number + 1,
            s->players[match_player_of(number, WHITE)].name,
            s->players[match_player_of(number, BLACK)].name, game_end_text(g->end, g->result));
    game_text_write(out, g);
    fprintf(out, "%s\n\n", g->failure);
}

bool match_failure_add(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0666);
    FILE *out = fd >= 0 ? fdopen(fd, "a") : NULL;
    if (out == NULL && fd >= 0)
        close(fd);
    bool written = out != NULL;
    if (written) {
        write_failure(out, m, number, g);
        written = !ferror(out);
        written = fclose(out) == 0 && written;
    }
    return written || error_set(err, "cannot write %s: %s", path, strerror(errno));
}
