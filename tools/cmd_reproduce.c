/* grayling reproduce: repeats the papers' tables; our figures beside the published ones. */
#include "command.h"

#include "default_params.h"
#include "reproduction.h"
#include "text_stream.h"

enum format { TEXT, MARKDOWN };

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
    struct yaml_document data;
    const struct yaml_node *tables, *present; /* the first, and the one that is reproduced */
    struct output out;
    int shown;               /* tables in it */
    char recipes[PATH_SIZE]; /* without --recipes: where they are installed */
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
    {NULL, "names", 0, OPERANDS_ANY}};

static void print_list(FILE *out, const struct yaml_node *tables)
{
    struct table t;
    table_begin(&t, "<0|<0");
    for (const struct yaml_node *n = tables; n != NULL; n = n->next)
        fprintf(t.rows, "%s\t%s\n", n->key, yaml_text_at(n, "title"));
    table_end(&t, out);
}

static bool is_meant(const char *name, const struct yaml_node *one)
{
    return strcmp(name, "all") == 0 || reproduction_is_meant(one, name);
}

static bool check_names(const struct reproduce *r)
{
    for (int i = 0; i < r->name_count; i++) {
        const struct yaml_node *one = r->tables;
        while (one != NULL && !is_meant(r->names[i], one))
            one = one->next;
        if (one != NULL)
            continue;
        fprintf(stderr, "grayling: no table '%s'; there are\n", shown_text(r->names[i]));
        print_list(stderr, r->tables);
        return false;
    }
    return true;
}

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

/* As text for a terminal. The first columns are the most important. */
static void show_text(FILE *out, const struct grid *g)
{
    enum { LINE = 100 };
    struct table t;
    char columns[(GRID_COLUMNS + 1) * (GRID_TEXT + 4)];
    snprintf(columns, sizeof columns, "<0  %s", g->corner);
    for (int c = 0; c < g->columns; c++)
        text_add(columns, sizeof columns, "|>%d%s", c < 8 ? c + 1 : 9, g->heads[c]);
    fprintf(out, "%s\n\n", g->title);
    table_begin(&t, columns);
    for (int r = 0; r < g->row_count; r++) {
        fprintf(t.rows, "  %s", g->rows[r].label);
        for (int c = 0; c < g->columns; c++)
            fprintf(t.rows, "\t%s", g->rows[r].cells[c]);
        fputc('\n', t.rows);
    }
    table_end(&t, out);
    fputc('\n', out);
    for (int n = 0; n < g->note_count; n++) {
        fputs("  ", out);
        text_wrap(out, g->notes[n], 2, 2, LINE);
        fputc('\n', out);
    }
    fputc('\n', out);
}

/* Prints a cell of Markdown, with its bars escaped. */
static void print_cell(FILE *out, const char *text)
{
    fputs(" ", out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
    fputs(" |", out);
}

/* As Markdown for a page, with the command that produces it. */
static void show_markdown(const struct reproduce *r, const struct grid *g)
{
    static const char *const sizes[] = {" --quick", "", " --overnight"};
    FILE *out = r->out.stream;
    fprintf(out, "### %s\n\n`grayling reproduce %s%s`\n\n|", g->title, r->present->key,
            sizes[r->experiment.size]);
    print_cell(out, g->corner);
    for (int c = 0; c < g->columns; c++)
        print_cell(out, g->heads[c]);
    fputs("\n|---|", out);
    for (int c = 0; c < g->columns; c++)
        fputs("---|", out);
    for (int row = 0; row < g->row_count; row++) {
        fputs("\n|", out);
        print_cell(out, g->rows[row].label);
        for (int c = 0; c < g->columns; c++)
            print_cell(out, g->rows[row].cells[c]);
    }
    fputs("\n\n", out);
    for (int n = 0; n < g->note_count; n++)
        fprintf(out, "- %s\n", g->notes[n]);
    fputc('\n', out);
}

static void show_grid(void *context, const struct grid *g)
{
    struct reproduce *r = context;
    progress_end(&r->progress);
    if (r->format == MARKDOWN)
        show_markdown(r, g);
    else
        show_text(r->out.stream, g);
    fflush(r->out.stream);
    r->shown++;
}

static bool prepare(struct reproduce *r, struct error *err)
{
    r->observer = (struct experiment_observer){r, show_progress, show_grid};
    r->experiment.observer = &r->observer;
    r->experiment.weights = &default_weights;
    r->experiment.params = &default_search;
    r->experiment.stop = interrupt_watch();
    r->experiment.book = &r->book;
    r->experiment.book_name = "default";
    if (r->experiment.recipes == NULL) {
        char path[PATH_SIZE];
        r->experiment.recipes = r->recipes;
        if (!data_file_find("paper", DATA_RECIPES, path, err) ||
            !path_directory(path, r->recipes, err))
            return false;
    }
    char head[128], ledger[PATH_SIZE];
    snprintf(ledger, sizeof ledger, "%.1000s/reproduce.ledger", r->experiment.runs);
    if (!output_check(r->output, r->force, err) || !default_book_read(&r->book, err) ||
        !experiment_head(r->experiment.data, head, sizeof head, err) ||
        !path_make_parents(ledger, 0777, err))
        return false;
    r->experiment.ledger = ledger_open(ledger, head, r->anew, err);
    return r->experiment.ledger != NULL && output_open(&r->out, r->output, err);
}

static int reproduce(struct reproduce *r)
{
    struct error err = {""};
    bool failed = false;
    if (!prepare(r, &err))
        return command_fail(EXIT_BAD, &err);
    for (const struct yaml_node *one = r->tables; one != NULL; one = one->next) {
        bool wanted = false;
        for (int n = 0; n < r->name_count; n++)
            wanted = wanted || is_meant(r->names[n], one);
        if (!wanted || experiment_stopped(&r->experiment))
            continue;
        r->present = one;
        r->step[0] = '\0';
        const bool good = reproduction_run(&r->experiment, r->present, &err);
        progress_end(&r->progress);
        if (!good && !experiment_stopped(&r->experiment)) { /* the others still run */
            fprintf(stderr, "grayling: %s: %s\n", one->key, err.text);
            failed = true;
        }
    }
    if (experiment_stopped(&r->experiment)) {
        fprintf(stderr, "grayling: interrupted; the same command%s continues from here\n",
                r->anew ? " without --anew" : "");
        return EXIT_INTERRUPTED;
    }
    int code = EXIT_DONE;
    if (r->shown > 0)
        code = command_wrote(output_finish(&r->out, &err) && output_publish(&r->out, &err),
                             "tables", r->output, &err);
    return code == EXIT_DONE && failed ? EXIT_BAD : code;
}

int cmd_reproduce(int argc, char **argv)
{
    struct reproduce r = {
        .output = "-",
        .experiment = {.size = SIZE_USUAL, .suites = "data/suites", .runs = "runs/reproduce"}};
    int code = options_read(&cmd, &argc, &argv, &r);
    if (code != OPTIONS_READ)
        return code;
    struct error err = {""};
    if (!reproductions_read(&r.data, &err))
        return command_fail(EXIT_FAILED, &err);
    r.names = argv;
    r.name_count = argc;
    r.experiment.data = r.data.root;
    r.tables = yaml_find(r.data.root, "tables")->child;
    if (argc == 0) {
        fputs("Tables and figures (see grayling reproduce --help):\n", stdout);
        print_list(stdout, r.tables);
    }
    code = argc == 0 ? EXIT_DONE : check_names(&r) ? reproduce(&r) : EXIT_BAD;
    ledger_close(r.experiment.ledger);
    yaml_finish(&r.data);
    book_free(&r.book);
    output_discard(&r.out);
    return code;
}
