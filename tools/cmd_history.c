/* grayling history: a run's generations as a table: one row a generation; of a night the rows of all its stages
 * that evolve, with the stage in the first column; of a closing match one row a game. */
#include "command.h"

#include "json.h"
#include "night.h"
#include "night_match.h"
#include "run_summary.h"

#include <limits.h>
#include <math.h>
#include <time.h>

enum format { CSV, JSON };

static const char *const formats[] = {[CSV] = "csv", [JSON] = "json", NULL};

static const struct option_row option_rows[] = {{"format", "FORMAT", AS_CHOICE, 0, sizeof(int),
                                                 "csv (RFC 4180), or json: a list of objects",
                                                 .choices = formats},
                                                {0}};

static const struct command history = {
    "history",
    "usage: grayling history RUN.db|NIGHT.db|NIGHT.db#STAGE [--format csv|json]\n\n"
    "Writes one row a generation: the best organism, its objective values, mean,\n"
    "deviation and diversity of the population, seconds, the time of its end, and\n"
    "the evaluations and genomes so far. A night has the rows of all its stages,\n"
    "with the stage in the first column; a closing match (NIGHT.db#match) has one\n"
    "row a game. The run may be in progress.\n",
    option_rows,
    "example:\n  grayling history night-seed1.db#coevolve --format csv\n",
    {"RUN.db", "one run", 1, 1}};

/* The columns, as json_put takes them. Those of a night begin with the stage. */
#define RUN_COLUMNS                                                                                \
    "generation:d organism:d train:l train_of:l held_out:0 held_out_of:0 mean:6 deviation:6 "      \
    "diversity:6 seconds:3 seconds_total:3 ended:s evaluations:l genomes:l"
#define MATCH_COLUMNS "pairing:d game:d white:s black:s result:s plies:d nodes:l"

static struct json begin_rows(int format, const char *columns)
{
    struct json j = {.out = stdout, .csv = format == CSV};
    json_rows_begin(&j, columns);
    return j;
}

/* Writes the generations of a run; `stage` is NULL for a run alone. */
static bool write_run(struct json *j, const char *stage, const char *path,
                      const struct run_summary *s, struct error *err)
{
    const int count = s->generation + 1;
    int64_t *genomes = calloc((size_t)count + 1, sizeof *genomes); /* known after each generation */
    struct store *store = genomes == NULL ? NULL : store_open(path, STORE_READ, err);
    const bool read =
        store != NULL && store_count_genomes_by_generation(store, genomes, count, err);
    double seconds = 0;
    for (int g = 0; read && g < count; g++) {
        const struct generation_row *row = &s->rows[g];
        char ended[32];
        const time_t when = (time_t)row->ended;
        const bool held_out = row->held_out != NOT_MEASURED;
        seconds += row->seconds;
        strftime(ended, sizeof ended, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &(struct tm){0}));
        json_put(j, "{");
        if (stage != NULL)
            json_put(j, "stage:s", stage);
        json_put(j, RUN_COLUMNS " }", g, row->best, row->measure, s->train_size,
                 held_out ? (double)row->held_out : NAN, held_out ? (double)s->held_out_size : NAN,
                 row->mean, row->deviation, row->diversity, row->seconds, seconds, ended,
                 ((int64_t)g + 1) * s->recipe.optimiser.population, genomes[g]);
    }
    store_close(store);
    free(genomes);
    return read;
}

static bool write_night(int format, const char *path, struct error *err)
{
    struct night_summary night;
    if (!night_summary_read(path, &night, err))
        return false;
    bool written = true;
    struct json j = begin_rows(format, "stage:s " RUN_COLUMNS);
    for (int i = 0; written && i < night.run_count; i++) {
        const struct night_run *run = &night.runs[i].run;
        struct run_summary s;
        if (night.runs[i].state == NIGHT_WAITING || run->stage->is_match)
            continue;
        written =
            run_summary_read(run->path, &s, err) && write_run(&j, run->name, run->path, &s, err);
        run_summary_free(&s);
    }
    json_rows_end(&j);
    night_summary_free(&night);
    return written;
}

static bool write_match(int format, struct store *s, struct error *err)
{
    static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};
    struct match_game_row g;
    char players[NIGHT_PLAYERS][RECIPE_NAME];
    const char *name;
    int count = 0;
    struct store_rows r = store_match_players(s);
    while (count < NIGHT_PLAYERS && store_next(&r, "t", &name))
        snprintf(players[count++], RECIPE_NAME, "%s", name);
    if (!store_end(&r, err))
        return false;
    bool written = true;
    struct json j = begin_rows(format, MATCH_COLUMNS);
    r = store_match_games(s, 0, INT_MAX);
    while (written && store_next_match_game(&r, &g)) {
        written = (g.white >= 0 && g.white < count && g.black >= 0 && g.black < count &&
                   g.result >= 0 && g.result <= 2) ||
                  error_set(err, "game %d of pairing %d is damaged", g.number, g.pairing + 1);
        if (written)
            json_put(&j, "{ " MATCH_COLUMNS " }", g.pairing + 1, g.number + 1, players[g.white],
                     players[g.black], results[g.result], g.plies, g.nodes);
    }
    written = store_end(&r, err) && written;
    json_rows_end(&j);
    return written;
}

/* Writes a run that is no night, or a match. */
static bool write_alone(int format, const char *path, struct error *err)
{
    struct run_summary s;
    struct store *store = store_open(path, STORE_READ, err);
    const bool match = store != NULL && store_count_match_players(store) > 0;
    bool written =
        match ? write_match(format, store, err) : store != NULL && run_summary_read(path, &s, err);
    if (written && !match) {
        struct json j = begin_rows(format, RUN_COLUMNS);
        written = write_run(&j, NULL, path, &s, err);
        json_rows_end(&j);
        run_summary_free(&s);
    }
    store_close(store);
    return written;
}

int cmd_history(int argc, char **argv)
{
    int format = CSV;
    struct error err;
    const int code = options_read(&history, &argc, &argv, &format);
    if (code != OPTIONS_READ)
        return code;
    return (night_is(argv[0]) ? write_night : write_alone)(format, argv[0], &err)
               ? EXIT_DONE
               : command_fail(EXIT_BAD, &err);
}
