/* grayling solve: counts the nodes that searches need to solve a suite. */
#include "command.h"

#include "beal.h"
#include "default_params.h"
#include "json.h"
#include "solve_table.h"
#include "source.h"
#include "statistics.h"
#include "suite.h"
#include "version.h"

#include <math.h>
#include <unistd.h>

enum { LEFT_OUT_SHOWN = 20, NAME_WIDTH_MAX = 40, TEXT_MAX = 128 };

static const char *const formats[] = {"table", "csv", "json", NULL}; /* of the report */
static const char *const searches[] = {"engine", "beal1", "beal2", "beal3", NULL};

struct solve {
    const char *suite_path, *eval_path, *output, *journal_path;
    struct word_list names; /* of parameter files */
    bool resume, force, verbose;
    int format, search;                  /* indices of `formats` and `searches` */
    char journal_name[OUTPUT_PATH + 16]; /* storage for journal_path if no name is given */
    struct suite suite;
    char checksum[CHECKSUM_MAX];
    struct evaluation evaluation;
    struct search_params *sets; /* owned */
    struct solve_job job;
    struct solve_table table;
    struct solve_journal journal;
    struct progress progress;
    int64_t solved[SOLVE_COUNTS]; /* so far, for the bar */
};

/* ---- options ---- */

#define AT(member) OPTION_AT(struct solve, member)

static const struct option_row option_rows[] = {
    {"params", "PARAMS.yaml", AS_LIST, AT(names),
     "search parameters: a file, or a run; repeatable, side by side (default: the engine's own)"},
    {"eval", "PARAMS.yaml", AS_TEXT, AT(eval_path),
     "evaluation: a file, a run, 'default', or 'material'"},
    {"search", "NAME", AS_CHOICE, AT(search), "engine (default), beal1, beal2 or beal3",
     .choices = searches},
    {"nodes", "N", AS_NUMBER, AT(job.limits.nodes), "limit of a position (500000 nodes)", 1,
     INT64_C(1000000000000)},
    {"depth", "N", AS_NUMBER, AT(job.limits.depth), NULL, 1, MAX_DEPTH},
    {"movetime", "MS", AS_NUMBER, AT(job.limits.movetime), NULL, 1, INT32_MAX},
    {"hash", "MIB", AS_NUMBER, AT(job.hash_mib), "transposition table of each thread (16)",
     HASH_MIN, HASH_MAX},
    OPTION_THREADS(AT(job.threads)),
    {"format", "FORMAT", AS_CHOICE, AT(format),
     "table (default); csv or json, which list each search", .choices = formats},
    {"verbose", NULL, AS_FLAG, AT(verbose), "list each search in the table too"},
    {"output", "FILE", AS_TEXT, AT(output), "output file (standard output)", .letter = 'o'},
    {"journal", "FILE", AS_TEXT, AT(journal_path),
     "keep the results here until it is done (FILE.journal)"},
    {"resume", NULL, AS_FLAG, AT(resume), "continue an interrupted solve, with the same options"},
    {"force", NULL, AS_FLAG, AT(force), "overwrite FILE, and ignore an existing journal"},
    {0}};

static const struct command cmd = {
    "solve",
    "usage: grayling solve SUITE.epd [--params FILE]... [OPTIONS]\n\n"
    "Searches each position of a suite (EPD with bm or am) from a cleared engine, and\n"
    "counts the nodes until a right move is best for the first time (first), and\n"
    "until it stays best (stable). An unsolved position counts as the full limit.\n",
    option_rows,
    "  grayling solve suite.epd --params mine.yaml --params search.db --nodes 100000\n"
    "  grayling solve tactics-held-out --search beal2 --nodes 3000000\n",
    {"SUITE.epd", "one suite", 1, 1}};

/* Checks that there is one limit, no unused parameters, and a place for the journal.
 * Returns OPTIONS_READ, or the exit code. */
static int check_options(struct solve *s)
{
    struct solve_limits *l = &s->job.limits;
    s->job.method = s->search == 0 ? &engine_search_method : &beal_methods[s->search - 1];
    if ((l->nodes > 0) + (l->depth > 0) + (l->movetime > 0) > 1)
        return command_misuse("solve", "only one of --nodes, --depth and --movetime can be given");
    if (l->nodes + (uint64_t)l->depth + (uint64_t)l->movetime == 0)
        l->nodes = 500000;
    if (s->job.method != &engine_search_method && s->names.count > 0)
        return command_misuse("solve",
                              "--params sets the search of the engine; --search %s reads none",
                              s->job.method->name);
    if (s->journal_path == NULL && output_is_file(s->output)) {
        snprintf(s->journal_name, sizeof s->journal_name, "%s.journal", s->output);
        s->journal_path = s->journal_name;
    }
    if (s->resume && s->journal_path == NULL)
        return command_misuse("solve", "--resume needs the -o FILE or --journal FILE of before");
    if (s->journal_path != NULL &&
        !command_two_outputs("solve", "--journal", s->journal_path, s->output))
        return EXIT_BAD;
    return OPTIONS_READ;
}

/* ---- the report ----
 *
 * A table, CSV or JSON. Only the times differ between two runs. */

/* "879 positions", "878 positions, 1 left out". */
static const char *count_text(const struct suite *suite, char text[TEXT_MAX])
{
    char positions[COUNTED_MAX];
    int used = snprintf(text, TEXT_MAX, "%s",
                        format_things((int64_t)suite->positions.count, "position", positions));
    if (suite->left_out_count > 0)
        snprintf(text + used, TEXT_MAX - (size_t)used, ", %zu left out", suite->left_out_count);
    return text;
}

/* A search of the table, with its position and parameters. */
struct row {
    size_t position;
    const struct epd *epd;
    long line;
    const char *name; /* of the parameters */
    const struct solved *solved;
    int mate; /* moves; 0: the score is none */
    char move[SAN_MAX];
};

static struct row row_of(const struct solve *s, size_t number)
{
    const size_t sets = (size_t)s->job.set_count, position = number / sets;
    struct row row = {.position = position,
                      .epd = &s->suite.positions.items[position],
                      .line = s->suite.lines[position],
                      .name = s->names.items[number % sets],
                      .solved = &s->table.cells[number],
                      .mate = score_mate_moves(s->table.cells[number].score)};
    if (row.solved->best != NO_MOVE)
        move_to_san(&row.epd->position, row.solved->best, row.move);
    return row;
}

/* The end of a text that is too long for a column, since the ends of paths differ. */
static const char *column_text(const char *text)
{
    while (utf8_columns(text) > NAME_WIDTH_MAX || ((unsigned char)*text & 0xc0) == 0x80)
        text++; /* to the beginning of a character */
    return text;
}

static void print_searches(FILE *out, const struct solve *s)
{
    struct table t;
    table_begin(&t, "<0position|<3parameters|<1move   |>2   score|>4depth|>5 first: nodes|>7depth|"
                    ">7 seconds|>6stable: nodes|>7depth|>7 seconds");
    for (size_t i = 0; i < s->table.count; i++) {
        const struct row row = row_of(s, i);
        if (row.epd->id[0] != '\0')
            fputs(column_text(shown_text(row.epd->id)), t.rows);
        else
            fprintf(t.rows, "line %ld", row.line);
        fprintf(t.rows, "\t%s\t%s\t", column_text(shown_text(row.name)), row.move);
        if (row.mate != 0)
            fprintf(t.rows, "#%d", row.mate);
        else
            fprintf(t.rows, "%+.2f", row.solved->score / 100.0);
        fprintf(t.rows, "\t%d", row.solved->depth);
        for (enum solve_count c = 0; c < SOLVE_COUNTS; c++) {
            const struct solve_moment *m = solve_moment_of(row.solved, c);
            char nodes[COUNT_MAX];
            if (m->nodes == 0)
                fputs("\t-\t-\t-", t.rows);
            else
                fprintf(t.rows, "\t%s\t%d\t%.3f", format_count((int64_t)m->nodes, nodes), m->depth,
                        m->seconds);
        }
        fputc('\n', t.rows);
    }
    table_end(&t, out);
    fputc('\n', out);
}

/* Prints the results of all sets by one of the two counts. */
static void print_summaries(FILE *out, struct solve *s, enum solve_count count)
{
    struct table t;
    char total[COUNT_MAX], mean[COUNT_MAX], median[COUNT_MAX];
    table_begin(
        &t, "<0parameters|>1solved|>2   share|>4   95 % interval|>5          nodes|>3       mean|"
            ">6     median");
    for (int i = 0; i < s->job.set_count; i++) {
        const struct solve_summary sum = solve_table_summary(&s->table, i, count);
        const struct interval share =
            interval_wilson(sum.solved, (int64_t)s->job.position_count, 0.95);
        fprintf(t.rows, "%s\t%" PRId64 "\t%.2f %%\t%.2f to %6.2f %%\t%s\t%s\t%s\n",
                column_text(shown_text(s->names.items[i])), sum.solved, 100 * share.share,
                100 * share.low, 100 * share.high, format_count((int64_t)sum.total, total),
                format_count((int64_t)(sum.mean + 0.5), mean),
                format_count((int64_t)(sum.median + 0.5), median));
    }
    table_end(&t, out);
    fputc('\n', out);
}

static void print_table(FILE *out, void *context)
{
    static const char *const meanings[SOLVE_COUNTS] = {
        [SOLVE_FIRST] = "first: until a right move first became best",
        [SOLVE_STABLE] = "stable: until a right move became best and stayed best to the end"};
    struct solve *s = context;
    struct table t;
    char count[TEXT_MAX], nodes[COUNT_MAX], time[FORMAT_MAX];
    fprintf(out, "%s: %s; ", shown_text(s->suite_path), count_text(&s->suite, count));
    /* Prints "500,000 nodes each, search beal2, hash 16 MiB, evaluation material"; a search that is the engine's is
     * not named. */
    const struct solve_limits *l = &s->job.limits;
    char number[COUNT_MAX];
    if (l->nodes > 0)
        fprintf(out, "%s nodes", format_count((int64_t)l->nodes, number));
    else if (l->depth > 0)
        fprintf(out, "%d %s", l->depth, l->depth == 1 ? "ply" : "plies");
    else
        fprintf(out, "%s ms", format_count(l->movetime, number));
    const bool other = s->job.method != &engine_search_method;
    fprintf(out, " each, %s%s%shash %d MiB, evaluation %s\n", other ? "search " : "",
            other ? s->job.method->name : "", other ? ", " : "", s->job.hash_mib,
            shown_text(s->eval_path));
    fputc('\n', out);
    if (s->verbose)
        print_searches(out, s);
    for (enum solve_count c = 0; c < SOLVE_COUNTS; c++) {
        fprintf(out, "%s\n", meanings[c]);
        print_summaries(out, s, c);
    }
    fputs("searched\n", out);
    table_begin(&t, "<0          |<1");
    for (int i = 0; i < s->job.set_count; i++) {
        const struct solve_summary e = solve_table_summary(&s->table, i, SOLVE_FIRST);
        fprintf(t.rows, "%s\t%s nodes in %s of search, %.2f million a second\n",
                column_text(shown_text(s->names.items[i])), format_count((int64_t)e.nodes, nodes),
                format_duration(e.seconds, time),
                e.seconds > 0 ? (double)e.nodes / e.seconds * 1e-6 : 0.0);
    }
    table_end(&t, out);
}

/* The columns of a search, as json_put takes them. A score is centipawns, or moves to a mate; what was not solved has
 * no moment. */
#define COLUMNS                                                                                    \
    "position:l line:l id:s parameters:s move:s score:0 mate:0 depth:d nodes:l seconds:6 "         \
    "first_nodes:0 first_depth:0 first_seconds:6 stable_nodes:0 stable_depth:0 stable_seconds:6"

static double known(const struct solve_moment *m, double value)
{
    return m->nodes > 0 ? value : NAN;
}

static void put_searches(struct json *j, const struct solve *s)
{
    for (size_t i = 0; i < s->table.count; i++) {
        const struct row row = row_of(s, i);
        const struct solved *r = row.solved;
        const struct solve_moment *first = solve_moment_of(r, SOLVE_FIRST),
                                  *stable = solve_moment_of(r, SOLVE_STABLE);
        json_put(j, "{ " COLUMNS " }", (int64_t)row.position + 1, (int64_t)row.line, row.epd->id,
                 row.name, row.move, row.mate == 0 ? (double)r->score : NAN,
                 row.mate != 0 ? (double)row.mate : NAN, r->depth, r->nodes, r->seconds,
                 known(first, (double)first->nodes), known(first, first->depth),
                 known(first, first->seconds), known(stable, (double)stable->nodes),
                 known(stable, stable->depth), known(stable, stable->seconds));
    }
}

static void print_csv(FILE *out, void *context)
{
    struct json j = {.out = out, .csv = true};
    json_rows_begin(&j, COLUMNS);
    put_searches(&j, context);
    json_rows_end(&j);
}

static void write_set(struct json *j, struct solve *s, int set)
{
    const struct solve_job *job = &s->job;
    json_put(j, "{ name:s values:{", s->names.items[set]);
    for (int i = 0; i < SEARCH_PARAMS && job->method == &engine_search_method; i++)
        json_put(j, "*:d", search_all_table.params[i].name, job->sets[set].value[i]);
    json_put(j, "}");
    for (enum solve_count c = 0; c < SOLVE_COUNTS; c++) {
        const struct solve_summary sum = solve_table_summary(&s->table, set, c);
        const struct interval share =
            interval_wilson(sum.solved, (int64_t)job->position_count, 0.95);
        json_put(j, "*:{ solved:l interval_95:[ 6 6 ] nodes:l mean:1 median:1 }",
                 solve_count_name(c), sum.solved, share.low, share.high, sum.total, sum.mean,
                 sum.median);
    }
    const struct solve_summary e = solve_table_summary(&s->table, set, SOLVE_FIRST);
    json_put(j, "searched:{ nodes:l seconds:6 } }", e.nodes, e.seconds);
}

static void print_json(FILE *out, void *context)
{
    struct solve *s = context;
    const struct solve_job *job = &s->job;
    struct json j = {.out = out};
    json_put(&j, "{ grayling:s suite:s sha256:s positions:l left_out:[", GRAYLING_VERSION,
             s->suite_path, s->checksum, (int64_t)job->position_count);
    for (size_t i = 0; i < s->suite.left_out_kept; i++)
        json_put(&j, "s", s->suite.left_out[i].text);
    json_put(&j,
             "] left_out_count:l limit:{ nodes:l depth:d movetime:d } search:s hash:d evaluation:s "
             "parameters:[",
             (int64_t)s->suite.left_out_count, job->limits.nodes, job->limits.depth,
             job->limits.movetime, job->method->name, job->hash_mib, s->eval_path);
    for (int i = 0; i < job->set_count; i++)
        write_set(&j, s, i);
    json_put(&j, "] searches:[");
    put_searches(&j, s);
    fputs("]}\n", out);
}

/* ---- input ---- */

/* Reports the lines left out. Fails if no position remains. */
static bool load_suite(struct solve *s, struct error *err)
{
    char count[TEXT_MAX], path[PATH_SIZE];
    if (!data_file_find(s->suite_path, DATA_POSITIONS, path, err) ||
        !suite_load(&s->suite, path, err))
        return false;
    for (size_t i = 0; i < s->suite.left_out_count && i < LEFT_OUT_SHOWN; i++)
        fprintf(stderr, "left out: %s\n", s->suite.left_out[i].text);
    if (s->suite.left_out_count > LEFT_OUT_SHOWN)
        fprintf(stderr, "left out: %zu more\n", s->suite.left_out_count - LEFT_OUT_SHOWN);
    if (s->suite.positions.count == 0)
        return error_set(err, "%s: nothing to solve: %s", s->suite_path,
                         count_text(&s->suite, count));
    return suite_checksum(&s->suite, s->checksum, err);
}

static bool load_evaluation(struct solve *s, struct error *err)
{
    if (s->eval_path == NULL)
        s->eval_path = s->job.method == &engine_search_method ? "default" : "material";
    const struct eval_weights material = eval_material_weights();
    s->evaluation = evaluation_of_weights(&default_weights);
    if (strcmp(s->eval_path, "material") == 0)
        s->evaluation = evaluation_of_weights(&material);
    else if (strcmp(s->eval_path, "default") != 0)
        return source_read_evaluation(s->eval_path, &s->evaluation, err) &&
               (s->job.method == &engine_search_method ||
                beal_check(s->job.method, &s->evaluation, err));
    return true;
}

/* Reads the sets of search parameters; the default is the engine's own. Beal's search has one set,
 * which it does not read. */
static bool load_sets(struct solve *s, struct error *err)
{
    const int named = s->names.count;
    if (named == 0)
        s->names.items[s->names.count++] =
            s->job.method == &engine_search_method ? "default" : s->job.method->name;
    s->sets = calloc((size_t)s->names.count, sizeof *s->sets);
    if (s->sets == NULL)
        return error_set(err, "no memory for %d sets of parameters", s->names.count);
    s->sets[0] = default_search;
    for (int i = 0; i < named; i++)
        if (!source_read_search(s->names.items[i], &s->sets[i], err))
            return false;
    return true;
}

static bool load(struct solve *s, struct error *err)
{
    /* The output may be there beside the journal: a kill came before that was removed. */
    const bool goes_on = s->resume && access(s->journal_path, F_OK) == 0;
    if (!output_check(s->output, s->force || goes_on, err) || !load_sets(s, err) ||
        !load_evaluation(s, err) || !load_suite(s, err))
        return false;
    s->job.positions = s->suite.positions.items;
    s->job.position_count = s->suite.positions.count;
    s->job.sets = s->sets;
    s->job.set_count = s->names.count;
    s->job.evaluation = &s->evaluation;
    return solve_table_init(&s->table, &s->job, err);
}

/* Starts or resumes a journal, if it has a path. Returns EXIT_DONE, or the exit code. */
static int open_journal(struct solve *s, struct error *err)
{
    const char *path = s->journal_path;
    if (path == NULL)
        return EXIT_DONE;
    if (s->resume)
        return solve_journal_resume(&s->journal, path, &s->table, s->checksum, err) ? EXIT_DONE
                                                                                    : EXIT_BAD;
    if (!s->force && access(path, F_OK) == 0) {
        error_set(err,
                  "%s exists: a solve was interrupted; continue with --resume, or start anew "
                  "with --force",
                  path);
        return EXIT_BAD;
    }
    bool begun = solve_journal_begin(&s->journal, path, s->force, &s->table, s->checksum, err);
    return begun ? EXIT_DONE : s->journal.unwritten ? EXIT_FAILED : EXIT_BAD;
}

/* ---- solving ---- */

static void count_solved(struct solve *s, size_t number)
{
    for (enum solve_count c = 0; c < SOLVE_COUNTS; c++)
        s->solved[c] += solve_moment_of(&s->table.cells[number], c)->nodes > 0;
}

/* Writes a result to the journal and shows the progress. */
static bool after_search(void *context, size_t number, struct error *err)
{
    struct solve *s = context;
    char note[96];
    count_solved(s, number);
    snprintf(note, sizeof note, "solved: first %" PRId64 ", stable %" PRId64,
             s->solved[SOLVE_FIRST], s->solved[SOLVE_STABLE]);
    progress_show(&s->progress, (int64_t)s->table.done_count, (int64_t)s->table.count, note);
    return solve_journal_add(&s->journal, number, err);
}

static int interrupted(const struct solve *s)
{
    if (s->journal_path == NULL)
        fputs("grayling: interrupted; nothing is kept without -o FILE or --journal FILE\n", stderr);
    else
        fprintf(stderr,
                "grayling: interrupted; %zu of %zu searches are in %s\n"
                "continue with the same command and --resume\n",
                s->table.done_count, s->table.count, shown_text(s->journal_path));
    return EXIT_INTERRUPTED;
}

/* Prints the report; if it is CSV or JSON in a file, prints the table for the user too. */
static int report(struct solve *s)
{
    static void (*const reports[])(FILE * out, void *context) = {print_table, print_csv,
                                                                 print_json};
    struct error err;
    if (!output_write(s->output, reports[s->format], s, &err) ||
        (output_is_file(s->output) && s->format != 0 && !output_write("-", print_table, s, &err)))
        return command_fail(EXIT_FAILED, &err);
    command_tell("searches", s->output);
    if (s->journal_path != NULL)
        unlink(s->journal_path);
    return EXIT_DONE;
}

static int solve(struct solve *s)
{
    struct error err = {""};
    s->job.limits.stop = interrupt_watch();
    int code = load(s, &err) ? open_journal(s, &err) : EXIT_BAD;
    if (code != EXIT_DONE)
        return command_fail(code, &err);
    for (size_t i = 0; i < s->table.count; i++)
        if (s->table.done[i])
            count_solved(s, i);
    progress_begin(&s->progress, "search", (int64_t)s->table.done_count);
    const bool good = solve_table_run(
        &s->table, &(struct solve_watcher){.context = s, .solved = after_search}, &err);
    progress_end(&s->progress);
    if (!good)
        return command_fail(EXIT_FAILED, &err);
    return s->table.done_count < s->table.count ? interrupted(s) : report(s);
}

int cmd_solve(int argc, char **argv)
{
    struct solve s = {.output = "-", .job.hash_mib = 16};
    int code = options_read(&cmd, &argc, &argv, &s);
    s.suite_path = argv[0];
    if (code == OPTIONS_READ)
        code = check_options(&s);
    if (code == OPTIONS_READ)
        code = solve(&s);
    solve_journal_close(&s.journal);
    solve_table_finish(&s.table);
    suite_free(&s.suite);
    free(s.sets);
    return code;
}
