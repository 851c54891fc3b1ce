/* grayling reproduce: repeats the papers' tables; our figures beside the published ones. */
#include "command.h"

#include "data_files.h"
#include "default_params.h"
#include "foreign_text.h"
#include "interrupt.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "reproduce_show.h"
#include "reproduction.h"
#include "text_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { COMMAND_MAX = 256 };

enum format { TEXT, MARKDOWN };

/* The command line, and the state of the command. */
struct reproduce {
    char **names;
    int name_count;
    const char *output;
    bool force, anew;
    int format; /* enum format */
    struct experiment experiment;
    struct experiment_observer observer;
    struct book book;
    struct progress progress;
    char step[GRID_NOTE]; /* the step that the progress bar shows */
    struct reproductions tables;
    const struct reproduction *present;
    char *text; /* owned: the output so far */
    size_t text_size;
    FILE *shown;             /* into text */
    char recipes[PATH_SIZE]; /* without --recipes: where they are installed */
    int failures;            /* tables that could not be reproduced */
};

#define AT(member) OPTION_AT(struct reproduce, member)

static const char *const formats[] = {[TEXT] = "text", [MARKDOWN] = "markdown", NULL};

static const struct option_row option_rows[] = {
    {"quick", NULL, AS_VALUE, AT(experiment.size), "a small version of every table: seconds",
     SIZE_QUICK},
    {"overnight", NULL, AS_VALUE, AT(experiment.size),
     "deeper searches and the papers' time limits: hours", SIZE_OVERNIGHT},
    {"suites", "DIR", AS_TEXT, AT(experiment.suites),
     "directory of suites that are not ours (data/suites)"},
    {"recipes", "DIR", AS_TEXT, AT(experiment.recipes), "directory of the project's recipes"},
    {"runs", "DIR", AS_TEXT, AT(experiment.runs), "directory of the results (runs/reproduce)"},
    {"anew", NULL, AS_FLAG, AT(anew), "discard the ledger and measure again"},
    {"format", "FORMAT", AS_CHOICE, AT(format), "text (default) or markdown", .choices = formats},
    {"output", "FILE", AS_TEXT, AT(output), "output file (standard output)", .letter = 'o'},
    {"force", NULL, AS_FLAG, AT(force), "overwrite FILE"},
    OPTION_THREADS(AT(experiment.threads)),
    {0}};

static const struct command cmd = {
    "reproduce",
    "usage: grayling reproduce [NAME|all]... [OPTIONS]\n\n"
    "Runs the experiment behind a table or figure of the papers, prints the published\n"
    "figures beside ours, and says whether each claim holds. Without a name, lists\n"
    "them; the beginning of a name selects all that begin with it. Results are kept\n"
    "in DIR (see --runs), and the same command without --anew continues.\n",
    option_rows,
    "  grayling reproduce david-2008-table-2\n"
    "  grayling reproduce all --quick\n",
    NULL,
    "names",
    0,
    OPERANDS_ANY};

/* ---- the list ---- */

static void print_list(FILE *out, const struct reproductions *tables)
{
    int width = 0;
    for (int i = 0; i < tables->count; i++)
        width = (int)strlen(tables->of[i].name) > width ? (int)strlen(tables->of[i].name) : width;
    for (int i = 0; i < tables->count; i++)
        fprintf(out, "  %-*s  %s\n", width, tables->of[i].name, tables->of[i].title);
}

static bool is_meant(const char *name, const struct reproduction *one)
{
    return strcmp(name, "all") == 0 || reproduction_is_meant(one, name);
}

static bool is_wanted(const struct reproduce *r, const struct reproduction *one)
{
    bool wanted = false;
    for (int i = 0; i < r->name_count; i++)
        wanted = wanted || is_meant(r->names[i], one);
    return wanted;
}

/* Checks that every name selects a table; else prints the list. */
static bool check_names(const struct reproduce *r)
{
    for (int i = 0; i < r->name_count; i++) {
        bool known = false;
        for (int j = 0; j < r->tables.count; j++)
            known = known || is_meant(r->names[i], &r->tables.of[j]);
        if (!known) {
            fprintf(stderr, "grayling: no table '%s'; there are\n", shown_text(r->names[i]));
            print_list(stderr, &r->tables);
            return false;
        }
    }
    return true;
}

/* ---- progress ---- */

/* Shows the progress of a step, once where several searches of it are known already. */
static void show_progress(void *context, const char *unit, const char *step, int64_t done,
                          int64_t total)
{
    struct reproduce *r = context;
    if (strcmp(step, r->step) != 0) {
        snprintf(r->step, sizeof r->step, "%s", step);
        progress_begin(&r->progress, unit, done);
    } else if (done == r->progress.done && total == r->progress.total)
        return;
    progress_show(&r->progress, done, total, step);
}

/* The command that produces the table. */
static void format_command(const struct reproduce *r, char command[COMMAND_MAX])
{
    static const char *const sizes[] = {" --quick", "", " --overnight"};
    snprintf(command, COMMAND_MAX, "grayling reproduce %s%s", r->present->name,
             sizes[r->experiment.size]);
}

static void show_grid(void *context, const struct grid *g)
{
    struct reproduce *r = context;
    char command[COMMAND_MAX];
    format_command(r, command);
    progress_end(&r->progress);
    if (r->format == MARKDOWN)
        reproduce_show_markdown(r->shown, g, command);
    else if (output_is_file(r->output))
        reproduce_show_text(r->shown, g, command);
    else
        reproduce_show_text(stdout, g, command);
    fflush(stdout);
}

/* ---- the work ---- */

/* Creates a directory and its parents, if they do not exist. */
static bool make_directories(const char *path, struct error *err)
{
    char part[PATH_SIZE];
    for (size_t i = 1; i <= strlen(path) && i < sizeof part; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        snprintf(part, sizeof part, "%.*s", (int)i, path);
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return error_set(err, "cannot make the directory %s: %s", part, strerror(errno));
    }
    return true;
}

static bool open_ledger(struct reproduce *r, struct error *err)
{
    char head[128], path[PATH_SIZE];
    snprintf(path, sizeof path, "%.1000s/reproduce.ledger", r->experiment.runs);
    if (!experiment_head(r->experiment.data, head, sizeof head, err) ||
        !make_directories(r->experiment.runs, err))
        return false;
    r->experiment.ledger = ledger_open(path, head, r->anew, err);
    return r->experiment.ledger != NULL;
}

/* Finds the folder of the project's recipes, if none is given. */
static bool find_recipes(struct reproduce *r, struct error *err)
{
    char path[PATH_SIZE];
    if (r->experiment.recipes != NULL)
        return true;
    r->experiment.recipes = r->recipes;
    return data_file_find("paper", DATA_RECIPES, path, err) &&
           path_directory(path, r->recipes, err);
}

/* Sets up what all tables need. */
static bool prepare(struct reproduce *r, struct error *err)
{
    r->observer = (struct experiment_observer){r, show_progress, show_grid};
    r->experiment.observer = &r->observer;
    r->experiment.weights = &default_weights;
    r->experiment.params = &default_search;
    r->experiment.stop = interrupt_watch();
    r->experiment.book = &r->book;
    r->experiment.book_name = "default";
    r->shown = text_stream(&r->text, &r->text_size);
    if (r->shown == NULL)
        return error_set(err, "no memory for the tables");
    return find_recipes(r, err) && output_check(r->output, r->force, err) &&
           default_book_read(&r->book, err) && open_ledger(r, err);
}

/* Runs one reproduction. If it fails, the others still run. */
static void run_one(struct reproduce *r, const struct reproduction *one)
{
    struct error err = {""};
    r->present = one;
    r->step[0] = '\0';
    bool good = reproduction_run(&r->experiment, one, &err);
    progress_end(&r->progress);
    if (good || experiment_stopped(&r->experiment))
        return;
    fprintf(stderr, "grayling: %s: %s\n", one->name, err.text);
    r->failures++;
}

static void print_shown(FILE *out, void *context)
{
    const struct reproduce *r = context;
    fputs(r->text, out);
}

static int finish(struct reproduce *r)
{
    struct error err;
    if (experiment_stopped(&r->experiment)) {
        fprintf(stderr, "grayling: interrupted; the same command%s continues from here\n",
                r->anew ? " without --anew" : "");
        return EXIT_INTERRUPTED;
    }
    if (fflush(r->shown) != 0)
        return command_fail(EXIT_FAILED, &(struct error){"no memory for the tables"});
    if (r->text_size > 0 && !output_write(r->output, print_shown, r, &err))
        return command_fail(EXIT_FAILED, &err);
    if (r->text_size > 0)
        command_tell("tables", r->output);
    return r->failures > 0 ? EXIT_BAD : EXIT_DONE;
}

/* Runs the command, after its command line is read. */
static int reproduce(struct reproduce *r)
{
    struct error err = {""};
    if (!prepare(r, &err))
        return command_fail(EXIT_BAD, &err);
    for (int i = 0; i < r->tables.count; i++)
        if (is_wanted(r, &r->tables.of[i]) && !experiment_stopped(&r->experiment))
            run_one(r, &r->tables.of[i]);
    return finish(r);
}

int cmd_reproduce(int argc, char **argv)
{
    struct reproduce r = {
        .output = "-",
        .experiment = {.size = SIZE_USUAL, .suites = "data/suites", .runs = "runs/reproduce"}};
    int code = options_read(&cmd, &argc, &argv, &r);
    if (code != OPTIONS_READ)
        return code;
    r.names = argv;
    r.name_count = argc;
    struct error err = {""};
    if (!reproductions_read(&r.tables, &err))
        code = command_fail(EXIT_FAILED, &err);
    else if (r.name_count == 0) {
        fputs("Tables and figures (see grayling reproduce --help):\n", stdout);
        print_list(stdout, &r.tables);
        code = EXIT_DONE;
    } else {
        r.experiment.data = r.tables.data.root;
        code = check_names(&r) ? reproduce(&r) : EXIT_BAD;
    }
    ledger_close(r.experiment.ledger);
    reproductions_free(&r.tables);
    book_free(&r.book);
    if (r.shown != NULL)
        fclose(r.shown);
    free(r.text);
    return code;
}
