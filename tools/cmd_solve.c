/* grayling solve: counts the nodes that searches need to solve a suite. */
#include "command.h"

#include "beal.h"
#include "data_files.h"
#include "default_params.h"
#include "foreign_text.h"
#include "interrupt.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "solve_report.h"
#include "source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEFT_OUT_SHOWN = 20, NAME_MAX_LENGTH = 4096 };

/* The formats of the report, and what prints them. */
static const char *const formats[] = {"table", "csv", "json", NULL};
static void (*const reports[])(FILE *out, void *context) = {solve_report_table, solve_report_csv,
                                                            solve_report_json};

/* The command line, and the state of the command. */
struct solve {
    const char *suite_path, *eval_path, *output, *journal_path;
    struct word_list names; /* of parameter files */
    bool resume, force, verbose;
    int format;                         /* of `reports` */
    char journal_name[NAME_MAX_LENGTH]; /* storage for journal_path if no name is given */
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

static bool take_search(void *method, const char *text, struct error *err)
{
    const struct search_method **taken = method;
    for (int i = -1; i < BEAL_ORDERS; i++) {
        *taken = i < 0 ? &engine_search_method : &beal_methods[i];
        if (strcmp(text, (*taken)->name) == 0)
            return true;
    }
    return error_set(err, "is unknown: '%s'; expected engine, beal1, beal2 or beal3", text);
}

#define AT(member) OPTION_AT(struct solve, member)

static const struct option_row option_rows[] = {
    {"params", "PARAMS.yaml", AS_LIST, AT(names),
     "search parameters: a file, or a run; repeatable, side by side (default: the engine's own)"},
    {"eval", "PARAMS.yaml", AS_TEXT, AT(eval_path),
     "evaluation: a file, a run, 'default', or 'material'"},
    {"search", "NAME", AS_CALL, AT(job.method), "engine (default), beal1, beal2 or beal3",
     .take = take_search},
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
    "SUITE.epd",
    "one suite",
    1,
    1};

/* Checks that there is one limit, no unused parameters, and a place for the journal.
 * Returns OPTIONS_READ, or the exit code. */
static int check_options(struct solve *s)
{
    struct solve_limits *l = &s->job.limits;
    if ((l->nodes > 0) + (l->depth > 0) + (l->movetime > 0) > 1)
        return command_misuse("solve", "only one of --nodes, --depth and --movetime can be given");
    if (l->nodes + (uint64_t)l->depth + (uint64_t)l->movetime == 0)
        l->nodes = 500000;
    if (s->job.method != &engine_search_method && s->names.count > 0)
        return command_misuse("solve",
                              "--params sets the search of the engine; --search %s reads none",
                              s->job.method->name);
    if (strlen(s->output) > sizeof s->journal_name - 16)
        return command_misuse("solve", "the name of the output file is too long");
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

/* ---- input ---- */

/* Reports the lines left out. Fails if no position remains. */
static bool load_suite(struct solve *s, struct error *err)
{
    char count[64], path[PATH_SIZE];
    if (!data_file_find(s->suite_path, DATA_POSITIONS, path, err) ||
        !suite_load(&s->suite, path, err))
        return false;
    for (size_t i = 0; i < s->suite.left_out_count && i < LEFT_OUT_SHOWN; i++)
        fprintf(stderr, "left out: %s\n", s->suite.left_out[i].text);
    if (s->suite.left_out_count > LEFT_OUT_SHOWN)
        fprintf(stderr, "left out: %zu more\n", s->suite.left_out_count - LEFT_OUT_SHOWN);
    if (s->suite.positions.count == 0)
        return error_set(err, "%s: nothing to solve: %s", s->suite_path,
                         solve_report_count(&s->suite, count, sizeof count));
    return suite_checksum(&s->suite, s->checksum, err);
}

/* Reads the evaluation, by name or from a file. */
static bool load_evaluation(struct solve *s, struct error *err)
{
    if (s->eval_path == NULL)
        s->eval_path = s->job.method == &engine_search_method ? "default" : "material";
    if (strcmp(s->eval_path, "default") == 0) {
        s->evaluation = evaluation_of_weights(&default_weights);
        return true;
    }
    if (strcmp(s->eval_path, "material") == 0) {
        const struct eval_weights material = eval_material_weights();
        s->evaluation = evaluation_of_weights(&material);
        return true;
    }
    return source_read_evaluation(s->eval_path, &s->evaluation, err) &&
           (s->job.method == &engine_search_method ||
            beal_check(s->job.method, &s->evaluation, err));
}

/* True if there is a journal to resume. The output may be there too: a kill came before the journal was removed. */
static bool goes_on(const struct solve *s)
{
    return s->resume && access(s->journal_path, F_OK) == 0;
}

/* Reads the sets of search parameters; the default is the engine's own. Beal's search has one set,
 * which it does not read. */
static bool load_sets(struct solve *s, struct error *err)
{
    const int named = s->names.count;
    if (named == 0 &&
        !word_list_add(&s->names,
                       s->job.method == &engine_search_method ? "default" : s->job.method->name,
                       err))
        return false;
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
    if (!output_check(s->output, s->force || goes_on(s), err) || !load_sets(s, err) ||
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

/* Runs the searches that are not done. */
static bool work(struct solve *s, struct error *err)
{
    const struct solve_watcher watcher = {.context = s, .solved = after_search};
    for (size_t i = 0; i < s->table.count; i++)
        if (s->table.done[i])
            count_solved(s, i);
    progress_begin(&s->progress, "search", (int64_t)s->table.done_count);
    bool good = solve_table_run(&s->table, &watcher, err);
    progress_end(&s->progress);
    return good;
}

/* Reports the state of an interrupted solve. */
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
    struct error err;
    struct solve_report r = {.table = &s->table,
                             .suite = &s->suite,
                             .suite_path = s->suite_path,
                             .suite_checksum = s->checksum,
                             .names = s->names.items,
                             .eval_name = s->eval_path,
                             .verbose = s->verbose};
    bool to_file = output_is_file(s->output);
    if (!output_write(s->output, reports[s->format], &r, &err) ||
        (to_file && s->format != 0 && !output_write("-", solve_report_table, &r, &err)))
        return command_fail(EXIT_FAILED, &err);
    command_tell("searches", s->output);
    if (s->journal_path != NULL)
        unlink(s->journal_path);
    return EXIT_DONE;
}

/* Runs the command, after its command line is read. */
static int solve(struct solve *s)
{
    struct error err = {""};
    s->job.limits.stop = interrupt_watch();
    int code = load(s, &err) ? open_journal(s, &err) : EXIT_BAD;
    if (code != EXIT_DONE)
        return command_fail(code, &err);
    if (!work(s, &err))
        return command_fail(EXIT_FAILED, &err);
    if (s->table.done_count < s->table.count)
        return interrupted(s);
    return report(s);
}

int cmd_solve(int argc, char **argv)
{
    struct solve s = {.output = "-", .job.method = &engine_search_method, .job.hash_mib = 16};
    int code = options_read(&cmd, &argc, &argv, &s);
    if (code == OPTIONS_READ) {
        s.suite_path = argv[0];
        code = check_options(&s);
    }
    if (code == OPTIONS_READ)
        code = solve(&s);
    solve_journal_close(&s.journal);
    solve_table_finish(&s.table);
    suite_free(&s.suite);
    free(s.sets);
    free(s.names.items);
    return code;
}
