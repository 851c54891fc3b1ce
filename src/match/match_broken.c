#include "match_broken.h"

#include "foreign_text.h"
#include "game_text.h"
#include "kept_file.h"
#include "params_write.h"
#include "text_stream.h"
#include "uci_client.h"
#include "version.h"

#include <inttypes.h>
#include <stdlib.h>

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
    written = written && kept_file_write(path, text, size, err);
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
