#include "store_internal.h"

#include "command_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* -- properties, data and genes */

bool store_put(struct store *s, const char *key, const char *value, struct error *err)
{
    return store_change(s, err,
                        "INSERT INTO property VALUES (?1, ?2, ?3) "
                        "ON CONFLICT (run_id, key) DO UPDATE SET value = excluded.value",
                        "tt", key, value);
}

bool store_put_number(struct store *s, const char *key, int64_t value, struct error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return store_put(s, key, text, err);
}

bool store_remove(struct store *s, const char *key, struct error *err)
{
    return store_change(s, err, "DELETE FROM property WHERE run_id = ?1 AND key = ?2", "t", key);
}

bool store_put_moment(struct store *s, const char *key, struct error *err)
{
    char text[32];
    time_t now = time(NULL);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &(struct tm){0}));
    return store_put(s, key, text, err);
}

bool store_put_data(struct store *s, const char *role, const char *path, const char *sha256,
                    struct error *err)
{
    return store_change(
        s, err, "INSERT INTO data SELECT ?1, count(*), ?2, ?3, ?4 FROM data WHERE run_id = ?1",
        "ttt", role, path, sha256);
}

char *store_kept_command(const struct store *s, const char *command, bool moves, struct error *err)
{
    if (moves)
        return command_for_file(s->path, command, true, err);
    char *kept = strdup(command);
    if (kept == NULL)
        error_set(err, "no memory for a command");
    return kept;
}

static bool put_command(struct store *s, const char *key, const char *command, bool moves,
                        struct error *err)
{
    if (command == NULL)
        return true;
    char *kept = store_kept_command(s, command, moves, err);
    bool put = kept != NULL && store_put(s, key, kept, err);
    free(kept);
    return put;
}

bool store_put_genes(struct store *s, const struct param_table *space, struct error *err)
{
    for (int i = 0; i < space->count; i++) {
        const struct param *p = &space->params[i];
        if (!store_change(s, err,
                          "INSERT INTO gene VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
                          " ?12, ?13, ?14)",
                          "itiiiiittiiit", i, p->name, p->bits, p->min, p->max, p->initial, p->sign,
                          p->meaning == NULL ? "" : p->meaning,
                          p->active_if == NULL ? "" : p->active_if, (int)p->type, p->step,
                          p->decimals, p->choices == NULL ? "" : p->choices))
            return false;
    }
    return put_command(s, "command", space->command, space->command_moves, err) &&
           put_command(s, "plays", space->plays, space->plays_moves, err) &&
           store_put(s, "kind", space->kind, err);
}

/* -- genomes, organisms and games */

bool store_put_seed(struct store *s, int index, const char *source, const uint64_t *chromosome,
                    int words, struct error *err)
{
    return store_change(s, err, "INSERT INTO seed VALUES (?1, ?2, ?3, ?4)", "itc", index, source,
                        chromosome, words);
}

bool store_put_genomes(struct store *s, const struct fitness_cache *cache, size_t first, size_t end,
                       struct error *err)
{
    for (size_t id = first; id < end; id++)
        if (!store_change(s, err, "INSERT INTO genome VALUES (?1, ?2, ?3, ?4, NULL)", "ncn",
                          (int64_t)id, fitness_cache_chromosome(cache, id), cache->words,
                          cache->entries[id].measure))
            return false;
    return true;
}

bool store_put_held_out(struct store *s, int64_t genome, int64_t held_out, struct error *err)
{
    return store_change(s, err, "UPDATE genome SET held_out = ?3 WHERE run_id = ?1 AND id = ?2",
                        "nn", genome, held_out);
}

bool store_put_organisms(struct store *s, const struct optimiser *o, const int64_t *genomes,
                         struct error *err)
{
    for (int i = 0; i < o->population; i++)
        if (!store_change(s, err, "INSERT INTO organism VALUES (?1, ?2, ?3, ?4, ?5)", "iinn",
                          o->generation, i, genomes[i], o->organisms[i].fitness))
            return false;
    return true;
}

bool store_put_game(struct store *s, int generation, const struct game_record *game,
                    struct error *err)
{
    return store_change(s, err,
                        "INSERT INTO game VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                        "iiiiiiiiin", generation, game->number, (int)game->white.kind,
                        game->white.index, (int)game->black.kind, game->black.index, game->opening,
                        game->result, game->plies, game->nodes) &&
           (game->text == NULL ||
            store_put_match_pgn(s, generation, game->number, game->text, err));
}

bool store_put_row(struct store *s, const struct generation_row *row, struct error *err)
{
    return store_change(s, err,
                        "INSERT INTO generation VALUES"
                        " (?1, ?2, ?3, ?4, nullif(?5, -1), ?6, ?7, ?8, ?9, ?10)",
                        "iinnrrrrn", row->generation, row->best, row->measure, row->held_out,
                        row->mean, row->deviation, row->diversity, row->seconds, row->ended);
}

/* -- a closing match */

bool store_put_match_player(struct store *s, int index, const char *name, struct error *err)
{
    return store_change(s, err, "INSERT INTO match_player VALUES (?1, ?2, ?3)", "it", index, name);
}

bool store_put_match_pairing(struct store *s, int pairing, int first, int second, struct error *err)
{
    return store_change(s, err, "INSERT INTO match_pairing VALUES (?1, ?2, ?3, ?4)", "iii", pairing,
                        first, second);
}

bool store_put_match_game(struct store *s, const struct match_game_row *game, struct error *err)
{
    return store_change(s, err, "INSERT INTO match_game VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                        "iiiiiin", game->pairing, game->number, game->white, game->black,
                        game->result, game->plies, game->nodes);
}

bool store_put_match_pgn(struct store *s, int pairing, int number, const char *text,
                         struct error *err)
{
    return store_change(s, err, "INSERT INTO match_pgn VALUES (?1, ?2, ?3, ?4)", "iit", pairing,
                        number, text);
}
