/* grayling history: a run's generations as a table: one row a generation; of a night the rows of all its stages
 * that evolve, with the stage in the first column; of a closing match one row a game. */
#include "command.h"

#include "foreign_text.h"
#include "json.h"
#include "night.h"
#include "night_match.h"
#include "run_summary.h"

#include <limits.h>
#include <math.h>
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
    {"RUN.db", "one run", 1, 1}};

/* ---- tables ---- */

struct rows {
    struct json json; /* its stream is that of CSV too */
    enum table_format format;
    const char *const *columns; /* names, ended by NULL */
    int column;                 /* of the next cell */
};

/* Begins a table. Everything is borrowed until rows_end. */
static void rows_begin(struct rows *t, FILE *out, enum table_format format,
                       const char *const *columns)
{
    *t = (struct rows){.json = {.out = out}, .format = format, .columns = columns};
    if (format == TABLE_JSON) {
        json_begin(&t->json, NULL, '[');
        return;
    }
    for (int i = 0; columns[i] != NULL; i++) {
        fputs(i > 0 ? "," : "", out);
        csv_text(out, columns[i]);
    }
    fputs("\r\n", out);
}

static void rows_end(struct rows *t)
{
    if (t->format == TABLE_JSON) {
        json_end(&t->json, ']');
        fputc('\n', t->json.out);
    }
}

/* Begins a cell. Returns its name. */
static const char *begin_cell(struct rows *t)
{
    if (t->format == TABLE_CSV)
        fputs(t->column > 0 ? "," : "", t->json.out);
    else if (t->column == 0)
        json_begin(&t->json, NULL, '{');
    return t->columns[t->column];
}

static void end_cell(struct rows *t)
{
    if (t->columns[++t->column] != NULL)
        return;
    t->column = 0;
    if (t->format == TABLE_CSV)
        fputs("\r\n", t->json.out);
    else
        json_end(&t->json, '}');
}

/* These write the next cell; after the last column the row ends by itself. */
static void rows_text(struct rows *t, const char *text)
{
    const char *name = begin_cell(t);
    if (t->format == TABLE_CSV)
        csv_text(t->json.out, text);
    else
        json_text(&t->json, name, text);
    end_cell(t);
}

/* A number; NAN, which is unknown, is empty in CSV and null in JSON. */
static void rows_real(struct rows *t, double value, int decimals)
{
    const char *name = begin_cell(t);
    if (t->format == TABLE_JSON)
        json_real(&t->json, name, value, decimals);
    else if (isfinite(value))
        fprintf(t->json.out, "%.*f", decimals, value);
    end_cell(t);
}

static void rows_integer(struct rows *t, int64_t value)
{
    const char *name = begin_cell(t);
    if (t->format == TABLE_JSON)
        json_integer(&t->json, name, value);
    else
        fprintf(t->json.out, "%" PRId64, value);
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

static void write_generation(struct rows *t, const struct run_summary *s, int g, double seconds,
                             int64_t genomes)
{
    const struct generation_row *row = &s->rows[g];
    char ended[32];
    struct tm utc;
    const time_t when = (time_t)row->ended;
    strftime(ended, sizeof ended, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &utc));
    rows_integer(t, g);
    rows_integer(t, row->best);
    rows_integer(t, row->measure);
    rows_integer(t, s->train_size);
    if (row->held_out == NOT_MEASURED) {
        rows_real(t, NAN, 0);
        rows_real(t, NAN, 0);
    } else {
        rows_integer(t, row->held_out);
        rows_integer(t, s->held_out_size);
    }
    rows_real(t, row->mean, 6);
    rows_real(t, row->deviation, 6);
    rows_real(t, row->diversity, 6);
    rows_real(t, row->seconds, 3);
    rows_real(t, seconds, 3);
    rows_text(t, ended);
    rows_integer(t, ((int64_t)g + 1) * s->recipe.optimiser.population);
    rows_integer(t, genomes);
}

/* Writes the generations of a run; `stage` is NULL for a run alone. */
static bool write_run(struct rows *t, const char *stage, const char *path,
                      const struct run_summary *s, struct error *err)
{
    const int count = s->generation + 1;
    int64_t *genomes = calloc((size_t)count + 1, sizeof *genomes); /* known after each generation */
    struct store *store = genomes == NULL ? NULL : store_open(path, STORE_READ, err);
    const bool read =
        store != NULL && store_count_genomes_by_generation(store, genomes, count, err);
    double seconds = 0;
    for (int g = 0; read && g < count; g++) {
        seconds += s->rows[g].seconds;
        if (stage != NULL)
            rows_text(t, stage);
        write_generation(t, s, g, seconds, genomes[g]);
    }
    store_close(store);
    free(genomes);
    return read;
}

/* ---- a night ---- */

static bool write_night(FILE *out, enum table_format format, const char *path, struct error *err)
{
    struct rows t;
    struct night_summary night;
    if (!night_summary_read(path, &night, err))
        return false;
    bool written = true;
    rows_begin(&t, out, format, run_columns);
    for (int i = 0; written && i < night.run_count; i++) {
        const struct night_run *run = &night.runs[i].run;
        struct run_summary s;
        if (night.runs[i].state == NIGHT_WAITING || run->stage->is_match)
            continue;
        written =
            run_summary_read(run->path, &s, err) && write_run(&t, run->name, run->path, &s, err);
        run_summary_free(&s);
    }
    rows_end(&t);
    night_summary_free(&night);
    return written;
}

/* ---- a match ---- */

/* Writes the match of a store. Sets *is to false, and writes nothing, if it has none. */
static bool write_match(FILE *out, enum table_format format, const char *path, bool *is,
                        struct error *err)
{
    static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};
    struct rows table;
    struct match_game_row g;
    char players[NIGHT_PLAYERS][RECIPE_NAME];
    const char *name;
    int count = 0;
    struct store *s = store_open(path, STORE_READ, err);
    *is = false;
    if (s == NULL)
        return false;
    struct store_rows r = store_match_players(s);
    while (count < NIGHT_PLAYERS && store_next(&r, "t", &name))
        snprintf(players[count++], RECIPE_NAME, "%s", name);
    bool written = store_end(&r, err);
    *is = written && count > 0;
    if (*is) {
        rows_begin(&table, out, format, match_columns);
        r = store_match_games(s, 0, INT_MAX);
        while (written && store_next_match_game(&r, &g)) {
            if (g.white < 0 || g.white >= count || g.black < 0 || g.black >= count ||
                g.result < 0 || g.result > 2) {
                written =
                    error_set(err, "game %d of pairing %d is damaged", g.number, g.pairing + 1);
                break;
            }
            rows_integer(&table, g.pairing + 1);
            rows_integer(&table, g.number + 1);
            rows_text(&table, players[g.white]);
            rows_text(&table, players[g.black]);
            rows_text(&table, results[g.result]);
            rows_integer(&table, g.plies);
            rows_integer(&table, g.nodes);
        }
        written = store_end(&r, err) && written;
        rows_end(&table);
    }
    store_close(s);
    return written;
}

/* ---- the command ---- */

int cmd_history(int argc, char **argv)
{
    int format = TABLE_CSV;
    struct error err;
    const int code = options_read(&history, &argc, &argv, &format);
    if (code != OPTIONS_READ)
        return code;
    const enum table_format as = (enum table_format)format;
    bool is_match = false, written;
    if (night_is(argv[0]))
        written = write_night(stdout, as, argv[0], &err);
    else if ((written = write_match(stdout, as, argv[0], &is_match, &err)) && !is_match) {
        struct rows t;
        struct run_summary s;
        written = run_summary_read(argv[0], &s, &err);
        if (written) {
            rows_begin(&t, stdout, as, run_columns + 1);
            written = write_run(&t, NULL, argv[0], &s, &err);
            rows_end(&t);
            run_summary_free(&s);
        }
    }
    return written ? EXIT_DONE : command_fail(EXIT_BAD, &err);
}
