/* grayling history: a run's generations as a table: one row a generation; of a night the rows of all its stages
 * that evolve, with the stage in the first column; of a closing match one row a game. */
#include "command.h"

#include "foreign_text.h"
#include "json.h"
#include "night.h"
#include "night_match.h"
#include "options.h"
#include "run_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Rows as CSV (RFC 4180: lines end in CR LF) or as a JSON list of objects. */
enum table_format { TABLE_CSV, TABLE_JSON };

static const char *const formats[] = {[TABLE_CSV] = "csv", [TABLE_JSON] = "json", NULL};

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
    "RUN.db",
    "one run",
    1,
    1};

/* ---- tables ---- */

struct table {
    FILE *out;
    enum table_format format;
    const char *const *columns; /* names, ended by NULL */
    int column;                 /* of the next cell */
    int64_t rows;               /* begun */
};

/* Begins a table. Everything is borrowed until table_end. */
static void table_begin(struct table *t, FILE *out, enum table_format format,
                        const char *const *columns)
{
    *t = (struct table){.out = out, .format = format, .columns = columns};
    if (format == TABLE_JSON) {
        fputc('[', out);
        return;
    }
    for (int i = 0; columns[i] != NULL; i++) {
        fputs(i > 0 ? "," : "", out);
        csv_text(out, columns[i]);
    }
    fputs("\r\n", out);
}

static void table_end(struct table *t)
{
    if (t->format == TABLE_JSON)
        fputs(t->rows > 0 ? "\n]\n" : "]\n", t->out);
}

/* Writes what stands before a cell. */
static void begin_cell(struct table *t)
{
    bool first = t->column == 0;
    t->rows += first;
    if (t->format == TABLE_CSV) {
        fputs(first ? "" : ",", t->out);
        return;
    }
    if (first)
        fputs(t->rows > 1 ? ",\n{" : "\n{", t->out);
    else
        fputc(',', t->out);
    json_text(t->out, t->columns[t->column]);
    fputc(':', t->out);
}

/* Writes what stands after a cell. */
static void end_cell(struct table *t)
{
    if (t->columns[++t->column] != NULL)
        return;
    t->column = 0;
    fputs(t->format == TABLE_CSV ? "\r\n" : "}", t->out);
}

/* These write the next cell; after the last column the row ends by itself. */
static void table_text(struct table *t, const char *text)
{
    begin_cell(t);
    if (t->format == TABLE_CSV)
        csv_text(t->out, text);
    else
        json_text(t->out, text);
    end_cell(t);
}

static void table_integer(struct table *t, int64_t value)
{
    begin_cell(t);
    fprintf(t->out, "%" PRId64, value);
    end_cell(t);
}

/* A number that is not known: empty in CSV, null in JSON. */
static void table_unknown(struct table *t)
{
    begin_cell(t);
    fputs(t->format == TABLE_CSV ? "" : "null", t->out);
    end_cell(t);
}

/* A number; NAN: unknown. */
static void table_real(struct table *t, double value, int decimals)
{
    if (!isfinite(value)) {
        table_unknown(t);
        return;
    }
    begin_cell(t);
    fprintf(t->out, "%.*f", decimals, value);
    end_cell(t);
}

/* ---- columns ---- */

/* The columns of a generation. The first is left out for a run alone. */
static const char *const run_columns[] = {
    "stage",       "generation",  "organism",  "train",     "train_of", "held_out",
    "held_out_of", "mean",        "deviation", "diversity", "seconds",  "seconds_total",
    "ended",       "evaluations", "genomes",   NULL};

static const char *const match_columns[] = {"pairing", "game",  "white", "black",
                                            "result",  "plies", "nodes", NULL};

/* ---- a run ---- */

static void write_moment(struct table *t, int64_t moment)
{
    char text[32];
    struct tm utc;
    time_t when = (time_t)moment;
    gmtime_r(&when, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    table_text(t, text);
}

/* The value of the best organism on held-out data, and its total; unknown if there is none. */
static void write_held_out(struct table *t, const struct run_summary *s, int64_t value)
{
    if (value == NOT_MEASURED) {
        table_unknown(t);
        table_unknown(t);
        return;
    }
    table_integer(t, value);
    table_integer(t, s->held_out_size);
}

static void write_generation(struct table *t, const struct run_summary *s, int g, double seconds,
                             int64_t genomes)
{
    const struct generation_row *row = &s->rows[g];
    table_integer(t, g);
    table_integer(t, row->best);
    table_integer(t, row->measure);
    table_integer(t, s->train_size);
    write_held_out(t, s, row->held_out);
    table_real(t, row->mean, 6);
    table_real(t, row->deviation, 6);
    table_real(t, row->diversity, 6);
    table_real(t, row->seconds, 3);
    table_real(t, seconds, 3);
    write_moment(t, row->ended);
    table_integer(t, ((int64_t)g + 1) * s->recipe.optimiser.population);
    table_integer(t, genomes);
}

/* Reads the genomes known after each generation; malloc'ed. */
static int64_t *read_genomes(const char *path, int count, struct error *err)
{
    int64_t *genomes = calloc((size_t)count + 1, sizeof *genomes);
    struct store *s = genomes == NULL ? NULL : store_open(path, STORE_READ, err);
    bool read = s != NULL && store_count_genomes_by_generation(s, genomes, count, err);
    store_close(s);
    if (read)
        return genomes;
    free(genomes);
    return NULL;
}

/* Writes the generations of a run; `stage` is NULL for a run alone. */
static bool write_run(struct table *t, const char *stage, const char *path,
                      const struct run_summary *s, struct error *err)
{
    int64_t *genomes = read_genomes(path, s->generation + 1, err);
    double seconds = 0;
    for (int g = 0; genomes != NULL && g <= s->generation; g++) {
        seconds += s->rows[g].seconds;
        if (stage != NULL)
            table_text(t, stage);
        write_generation(t, s, g, seconds, genomes[g]);
    }
    free(genomes);
    return genomes != NULL;
}

static bool write_alone(FILE *out, enum table_format format, const char *path, struct error *err)
{
    struct table t;
    struct run_summary s;
    if (!run_summary_read(path, &s, err))
        return false;
    table_begin(&t, out, format, run_columns + 1);
    bool written = write_run(&t, NULL, path, &s, err);
    table_end(&t);
    run_summary_free(&s);
    return written;
}

/* ---- a night ---- */

static bool write_stage(struct table *t, const struct night_run_summary *run, struct error *err)
{
    struct run_summary s;
    if (run->state == NIGHT_WAITING || run->run.stage->is_match)
        return true;
    if (!run_summary_read(run->run.path, &s, err))
        return false;
    bool written = write_run(t, run->run.name, run->run.path, &s, err);
    run_summary_free(&s);
    return written;
}

static bool write_night(FILE *out, enum table_format format, const char *path, struct error *err)
{
    struct table t;
    struct night_summary night;
    if (!night_summary_read(path, &night, err))
        return false;
    bool written = true;
    table_begin(&t, out, format, run_columns);
    for (int i = 0; written && i < night.run_count; i++)
        written = write_stage(&t, &night.runs[i], err);
    table_end(&t);
    night_summary_free(&night);
    return written;
}

/* ---- a match ---- */

/* A match being written. */
struct match_table {
    struct table table;
    char **players;
    int count, pairing;
};

static bool write_game(void *context, const struct match_game_row *game, struct error *err)
{
    static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};
    struct match_table *m = context;
    if (game->white < 0 || game->white >= m->count || game->black < 0 || game->black >= m->count ||
        game->result < 0 || game->result > 2)
        return error_set(err, "game %d of pairing %d is damaged", game->number, m->pairing + 1);
    table_integer(&m->table, m->pairing + 1);
    table_integer(&m->table, game->number + 1);
    table_text(&m->table, m->players[game->white]);
    table_text(&m->table, m->players[game->black]);
    table_text(&m->table, results[game->result]);
    table_integer(&m->table, game->plies);
    table_integer(&m->table, game->nodes);
    return true;
}

static bool count_pairing(void *context, int pairing, int first, int second, struct error *err)
{
    int *count = context;
    (void)first, (void)second, (void)err;
    *count = pairing + 1;
    return true;
}

static bool write_games(FILE *out, enum table_format format, struct store *s, struct match_table *m,
                        struct error *err)
{
    int pairings = 0;
    bool written = store_each_match_pairing(s, count_pairing, &pairings, err);
    if (!written)
        return false;
    table_begin(&m->table, out, format, match_columns);
    for (m->pairing = 0; written && m->pairing < pairings; m->pairing++)
        written = store_each_match_game(s, m->pairing, write_game, m, err);
    table_end(&m->table);
    return written;
}

/* Writes the match of a store. Sets *is to false, and writes nothing, if it has none. */
static bool write_match(FILE *out, enum table_format format, const char *path, bool *is,
                        struct error *err)
{
    struct match_table m = {.count = 0};
    struct store *s = store_open(path, STORE_READ, err);
    bool written = s != NULL && store_get_match_players(s, &m.players, &m.count, err);
    *is = written && m.count > 0;
    if (*is)
        written = write_games(out, format, s, &m, err);
    for (int i = 0; i < m.count; i++)
        free(m.players[i]);
    free(m.players);
    store_close(s);
    return written;
}

/* Writes the table of what is at the path. Nothing is written if it cannot be read, unless it is damaged. */
static bool write_history(FILE *out, enum table_format format, const char *path, struct error *err)
{
    bool is_match;
    if (night_is(path))
        return write_night(out, format, path, err);
    if (!write_match(out, format, path, &is_match, err))
        return false;
    return is_match || write_alone(out, format, path, err);
}

/* ---- the command ---- */

int cmd_history(int argc, char **argv)
{
    int format = TABLE_CSV;
    struct error err;
    const int code = options_read(&history, &argc, &argv, &format);
    if (code != OPTIONS_READ)
        return code;
    return write_history(stdout, (enum table_format)format, argv[0], &err)
               ? EXIT_DONE
               : command_fail(EXIT_BAD, &err);
}
