/* grayling solve: counts the nodes that searches need to solve a suite. */
#include "command.h"

#include "beal.h"
#include "data_files.h"
#include "default_params.h"
#include "foreign_text.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "solve_journal.h"
#include "solve_report.h"
#include "source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: grayling solve SUITE.epd [--params FILE]... [OPTIONS]\n\n"
    "Searches each position of a suite (EPD with bm or am) from a cleared engine, and\n"
    "counts the nodes until a right move is best for the first time (first), and\n"
    "until it stays best (stable). An unsolved position counts as the full limit.\n\n"
    "      --params FILE     search parameters: a file, or a run; repeatable, side by\n"
    "                        side (default: the engine's own)\n"
    "      --eval FILE       evaluation: a file, a run, 'default', or 'material'\n"
    "      --search NAME     engine (default), beal1, beal2 or beal3\n"
    "      --nodes N, --depth N, --movetime MS  limit of a position (500000 nodes)\n"
    "      --hash MIB        transposition table of each thread (16)\n"
    "      --threads N       in parallel (all cores, or OMP_NUM_THREADS)\n"
    "      --format FORMAT   table (default); csv or json, which list each search\n"
    "      --verbose         list each search in the table too\n"
    "  -o, --output FILE     output file (standard output)\n"
    "      --journal FILE    keep the results here until it is done (FILE.journal)\n"
    "      --resume          continue an interrupted solve, with the same options\n"
    "      --force           overwrite FILE, and ignore an existing journal\n\n"
    "  grayling solve suite.epd --params mine.yaml --params search.db --nodes 100000\n"
    "  grayling solve tactics-held-out --search beal2 --nodes 3000000\n";

enum { LEFT_OUT_SHOWN = 20, NAME_MAX_LENGTH = 4096 };

typedef void (*print_report)(FILE *out, void *context);

/* The command line, and the state of the command. */
struct solve {
    const char *suite_path, *eval_path, *output, *journal_path;
    const char **names; /* of parameter files, argc long at most */
    int name_count;
    bool resume, force, verbose, show_help;
    print_report print;
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

/* Reads the name of a format. On failure prints the reason and returns false. */
static bool take_format(struct solve *s, const char *name)
{
    static const struct {
        const char *name;
        print_report print;
    } formats[] = {
        {"table", solve_report_table}, {"csv", solve_report_csv}, {"json", solve_report_json}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(name, formats[i].name) == 0) {
            s->print = formats[i].print;
            return true;
        }
    command_misuse("solve", "no format '%s'; there are table, csv, json", name);
    return false;
}

/* Reads the name of a search. On failure prints the reason and returns false. */
static bool take_search(struct solve *s, const char *name)
{
    for (int i = -1; i < BEAL_ORDERS; i++) {
        s->job.method = i < 0 ? &engine_search_method : &beal_methods[i];
        if (strcmp(name, s->job.method->name) == 0)
            return true;
    }
    command_misuse("solve", "unknown search '%s'; expected engine, beal1, beal2 or beal3", name);
    return false;
}

/* Reads an option with a number. On failure prints the reason and returns false. */
static bool take_number(struct solve *s, int id, const char *text)
{
    int64_t n;
    switch (id) {
    case 'n':
        s->job.limits.nodes = 0;
        if (!command_number("solve", "--nodes", text, 1, INT64_C(1000000000000), &n))
            return false;
        s->job.limits.nodes = (uint64_t)n;
        return true;
    case 'd':
        if (!command_number("solve", "--depth", text, 1, MAX_DEPTH, &n))
            return false;
        s->job.limits.depth = (int)n;
        return true;
    case 'm':
        if (!command_number("solve", "--movetime", text, 1, INT32_MAX, &n))
            return false;
        s->job.limits.movetime = (int)n;
        return true;
    case 'H':
        if (!command_number("solve", "--hash", text, HASH_MIN, HASH_MAX, &n))
            return false;
        s->job.hash_mib = (int)n;
        return true;
    default:
        if (!command_number("solve", "--threads", text, 1, 1024, &n))
            return false;
        s->job.threads = (int)n;
        return true;
    }
}

/* Reads one option. On failure prints the reason and returns false. */
static bool take_option(struct solve *s, int id, const char *text)
{
    switch (id) {
    case 's':
        return take_search(s, text);
    case 'p':
        s->names[s->name_count++] = text;
        return true;
    case 'e':
        s->eval_path = text;
        return true;
    case 'f':
        return take_format(s, text);
    case 'o':
        s->output = text;
        return true;
    case 'j':
        s->journal_path = text;
        return true;
    case 'v':
        return s->verbose = true;
    case 'r':
        return s->resume = true;
    case 'F':
        return s->force = true;
    case 'h':
        return s->show_help = true;
    default:
        return take_number(s, id, text);
    }
}

/* Checks that there is one limit, one suite, no unused parameters, and a place for the journal.
 * Returns EXIT_DONE, or the exit code. */
static int check_options(struct solve *s, int operands)
{
    struct solve_limits *l = &s->job.limits;
    if ((l->nodes > 0) + (l->depth > 0) + (l->movetime > 0) > 1)
        return command_misuse("solve", "only one of --nodes, --depth and --movetime can be given");
    if (l->nodes + (uint64_t)l->depth + (uint64_t)l->movetime == 0)
        l->nodes = 500000;
    if (s->job.method != &engine_search_method && s->name_count > 0)
        return command_misuse("solve",
                              "--params sets the search of the engine; --search %s reads none",
                              s->job.method->name);
    if (operands != 1)
        return command_misuse("solve", "expected one suite, not %d", operands);
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
    return EXIT_DONE;
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct solve *s)
{
    static const struct option options[] = {
        {"search", required_argument, NULL, 's'}, {"params", required_argument, NULL, 'p'},
        {"eval", required_argument, NULL, 'e'},   {"nodes", required_argument, NULL, 'n'},
        {"depth", required_argument, NULL, 'd'},  {"movetime", required_argument, NULL, 'm'},
        {"hash", required_argument, NULL, 'H'},   {"threads", required_argument, NULL, 't'},
        {"format", required_argument, NULL, 'f'}, {"verbose", no_argument, NULL, 'v'},
        {"output", required_argument, NULL, 'o'}, {"journal", required_argument, NULL, 'j'},
        {"resume", no_argument, NULL, 'r'},       {"force", no_argument, NULL, 'F'},
        {"help", no_argument, NULL, 'h'},         {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("solve", c, argv, options);
        if (!take_option(s, c, optarg))
            return EXIT_BAD;
    }
    if (s->show_help)
        return EXIT_DONE;
    s->suite_path = argv[optind];
    return check_options(s, argc - optind);
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
    struct source source;
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
    if (!source_open(&source, s->eval_path, DATA_EVALUATIONS, err))
        return false;
    bool taken =
        source_evaluation(&source, s->eval_path, &s->evaluation, err) &&
        (s->job.method == &engine_search_method || beal_check(s->job.method, &s->evaluation, err));
    source_close(&source);
    return taken;
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
    int named = s->name_count;
    if (named == 0)
        s->names[s->name_count++] =
            s->job.method == &engine_search_method ? "default" : s->job.method->name;
    s->sets = calloc((size_t)s->name_count, sizeof *s->sets);
    if (s->sets == NULL)
        return error_set(err, "no memory for %d sets of parameters", s->name_count);
    s->sets[0] = default_search;
    for (int i = 0; i < named; i++) {
        struct source source;
        if (!source_open(&source, s->names[i], DATA_SEARCHES, err))
            return false;
        bool taken = source_search_params(&source, s->names[i], &s->sets[i], err);
        source_close(&source);
        if (!taken)
            return false;
    }
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
    s->job.set_count = s->name_count;
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
                             .names = s->names,
                             .eval_name = s->eval_path,
                             .verbose = s->verbose};
    bool to_file = output_is_file(s->output);
    if (!output_write(s->output, s->print, &r, &err) ||
        (to_file && s->print != solve_report_table &&
         !output_write("-", solve_report_table, &r, &err)))
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
    struct solve s = {
        .output = "-",
        .print = solve_report_table,
        .job = {.method = &engine_search_method, .hash_mib = 16, .threads = command_threads()}};
    s.names = calloc((size_t)argc + 1, sizeof *s.names);
    if (s.names == NULL)
        return command_fail(EXIT_FAILED, &(struct error){"no memory"});
    int code = read_options(argc, argv, &s);
    if (code == EXIT_DONE && s.show_help)
        fputs(help, stdout);
    else if (code == EXIT_DONE)
        code = solve(&s);
    solve_journal_close(&s.journal);
    solve_table_finish(&s.table);
    suite_free(&s.suite);
    free(s.sets);
    free(s.names);
    return code;
}
