/* grayling trace: our evaluation as a server of the trace protocol; a check of others. */
#include "command.h"

#include "count.h"
#include "default_params.h"
#include "foreign_text.h"
#include "options.h"
#include "output.h"
#include "source.h"
#include "terminal.h"
#include "trace_check.h"
#include "trace_evaluator.h"
#include "trace_server.h"
#include "trace_space.h"
#include "trust.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POSITIONS_DEFAULT = 1000, NAMES_SHOWN = 4, PROCESSES = 4 /* started for a check */ };

struct arguments {
    const char *params;  /* NULL: the engine's own */
    const char *command; /* NULL: serve */
    const char *output;  /* NULL: no space is written */
    bool force;
    bool list;
    int patience; /* seconds */
    char **files;
    int file_count;
};

#define AT(member) OPTION_AT(struct arguments, member)

static const struct option_row option_rows[] = {
    {"check", "COMMAND", AS_TEXT, AT(command), "the command with its arguments, as in a shell"},
    {"list", NULL, AS_FLAG, AT(list), "print each weight: value, range, and where it counts"},
    {"patience", "N", AS_NUMBER, AT(patience), "seconds to wait for an answer (10)", 1, 3600},
    {"output", "FILE", AS_TEXT, AT(output), "write the weights as a space for 'evolve'",
     .letter = 'o'},
    {"force", NULL, AS_FLAG, AT(force), "replace an existing file"},
    {"params", "PARAMS.yaml", AS_TEXT, AT(params),
     "values of Grayling's evaluation (default-eval)"},
    {0}};

static const struct command trace = {
    "trace",
    "usage: grayling trace [--params PARAMS.yaml|RUN.db]\n"
    "       grayling trace --check COMMAND [POSITIONS.epd...] [OPTIONS]\n\n"
    "Grayling tunes evaluations that are linear in their weights and that answer, for\n"
    "each position, how often each weight counts: the trace protocol, some lines of\n"
    "text (docs/trace-protocol.md; examples/trace has a server in C and in Python).\n\n"
    "With --check, starts a command that speaks the protocol and checks its weights\n"
    "and its answers: for the positions given (default: 1,000 that come with the\n"
    "program), and for those after each of their legal moves; with other values if\n"
    "the command can set them; and some in each of several processes. The first\n"
    "fault is named with its position; the exit code is then 2. Without --check,\n"
    "speaks the protocol itself, on standard input and output, for the evaluation of\n"
    "Grayling.\n",
    option_rows,
    "  grayling trace --check 'python3 examples/trace/psqt.py'\n",
    "POSITIONS.epd",
    "positions",
    0,
    OPERANDS_ANY};

/* ---- serve ---- */

static bool load_evaluation(const char *name, struct evaluation *e, struct error *err)
{
    struct source s;
    *e = evaluation_of_weights(&default_weights);
    if (name == NULL)
        return true;
    if (!source_open(&s, name, DATA_EVALUATIONS, err))
        return false;
    bool taken = source_evaluation(&s, name, e, err);
    source_close(&s);
    return taken;
}

static int serve(const struct arguments *a)
{
    struct evaluation e;
    struct error err;
    if (!load_evaluation(a->params, &e, &err))
        return command_fail(EXIT_BAD, &err);
    return trace_server_run(&e, STDIN_FILENO, STDOUT_FILENO, &err)
               ? EXIT_DONE
               : command_fail(EXIT_FAILED, &err);
}

/* ---- check ---- */

/* The name of a file of positions: one that is given, or the one that comes with the program. */
static const char *positions_name(const struct arguments *a, int index)
{
    return a->file_count > 0 ? a->files[index] : "held-out";
}

/* Loads the positions: those of the files, or the first of those that come with the program. */
static bool load_positions(const struct arguments *a, struct dataset *positions, struct error *err)
{
    char path[PATH_SIZE];
    int count = a->file_count > 0 ? a->file_count : 1;
    for (int i = 0; i < count; i++)
        if (!data_file_find(positions_name(a, i), DATA_POSITIONS, path, err) ||
            !dataset_load_needed(positions, path, EPD_ANY, err))
            return false;
    if (a->file_count == 0 && positions->count > POSITIONS_DEFAULT)
        positions->count = POSITIONS_DEFAULT;
    return positions->count > 0 || error_set(err, "%s: no positions", positions_name(a, 0));
}

static int count_used(const struct param_table *table, const struct trace_report *r)
{
    int used = 0;
    for (int i = 0; i < table->count; i++)
        used += r->used[i] > 0;
    return used;
}

/* Prints some weights that count nowhere: often a mistake, or squares that no pawn reaches. */
static void print_unused(const struct param_table *table, const struct trace_report *r)
{
    int left = table->count - count_used(table, r), shown = 0;
    for (int i = 0; i < table->count && shown < NAMES_SHOWN; i++)
        if (r->used[i] == 0)
            printf("%s%s", shown++ == 0 ? "never      " : ", ", table->params[i].name);
    if (left > shown)
        printf(" and %d more", left - shown);
    if (left > 0)
        puts("");
}

/* The table of the weights. */
struct weights {
    const struct param_table *table;
    const struct trace_report *report;
};

static void print_weights(FILE *out, const void *context)
{
    const struct param_table *table = ((const struct weights *)context)->table;
    const struct trace_report *r = ((const struct weights *)context)->report;
    fprintf(out, "%-24s" COLUMN(1) "  %6s" COLUMN(3) "  %6s  %6s" COLUMN(2) "  counts in\n",
            "weight", "value", "min", "max");
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        fprintf(out, "%-24s" COLUMN(1) "  %6d" COLUMN(3) "  %6d  %6d" COLUMN(2) "  %7.2f %%\n",
                p->name, p->initial, p->min, p->max,
                100 * (double)r->used[i] / (double)r->positions);
    }
}

static void print_report(const struct arguments *a, const struct trace_weights *w,
                         const struct trace_report *r)
{
    char positions[COUNT_MAX], speed[COUNT_MAX];
    printf("command    %s\n", shown_text(a->command));
    printf("weights    %d, %d of them count in these positions\n", w->table.count,
           count_used(&w->table, r));
    printf("scale      %d\n", w->scale);
    printf("positions  %s, each asked for twice: linear, the same counts\n",
           format_count(r->positions, positions));
    printf("counts     %.1f a position\n", (double)r->counts / (double)r->positions);
    printf("speed      %s answers a second\n",
           format_count((int64_t)(2 * (double)r->positions / r->seconds), speed));
    printf("processes  %d, with the same counts\n", PROCESSES);
    printf("values     %s\n", r->settable ? "others were set: the same counts, and scores follow"
                                          : "its own only: it does not name itself settable");
    print_unused(&w->table, r);
    if (a->list) {
        putchar('\n');
        terminal_table(stdout, print_weights, &(struct weights){&w->table, r});
    }
}

/* Writes the space that was asked for. Returns the exit code. */
static int write_space(const struct arguments *a, const struct trace_weights *w)
{
    struct error err;
    if (a->output == NULL)
        return EXIT_DONE;
    trust_typed(a->command);
    if (!trace_space_write(a->output, a->command, w, &err))
        return command_fail(EXIT_FAILED, &err);
    command_tell("space", a->output);
    return EXIT_DONE;
}

/* Runs the check. If no position could be asked for, nothing is known of the command. */
static bool run_check(const struct arguments *a, struct trace_client *client,
                      const struct dataset *positions, struct trace_report *report,
                      struct error *err)
{
    if (!trace_check_run(client, positions, report, err))
        return false;
    if (report->positions > 0)
        return true;
    return error_set(err,
                     "%s%s: all positions are mate, stalemate or drawn by material; nothing was "
                     "asked; expected positions that have an evaluation",
                     positions_name(a, 0), a->file_count > 1 ? " and the other files" : "");
}

/* Starts further processes of the command, as a run does, and asks each for some positions. */
static bool compare_processes(const struct trace_settings *settings, struct error *err)
{
    struct trace_evaluator_source *s = trace_evaluator_source_create(settings, err);
    bool same = s != NULL;
    for (int i = 1; same && i < PROCESSES; i++) {
        const struct evaluator_source source = trace_evaluator_source(s);
        struct evaluator *e = source.create(source.context, err);
        same = e != NULL;
        if (same)
            e->method->destroy(e);
    }
    trace_evaluator_source_destroy(s);
    return same;
}

/* Checks the command with these positions. Returns the exit code. */
static int check_with(const struct arguments *a, const struct dataset *positions)
{
    const struct trace_settings settings = {.command = a->command, .answer_seconds = a->patience};
    struct trace_report report;
    struct error err;
    struct trace_client *client = trace_client_start(&settings, &err);
    if (client == NULL)
        return command_fail(EXIT_BAD, &err);
    int code;
    if (run_check(a, client, positions, &report, &err) && compare_processes(&settings, &err)) {
        print_report(a, trace_client_weights(client), &report);
        code = write_space(a, trace_client_weights(client));
    } else {
        code = command_fail(EXIT_BAD, &err);
    }
    trace_client_stop(client);
    return code;
}

static int check(const struct arguments *a)
{
    struct dataset positions = {0};
    struct error err;
    bool ready = (a->output == NULL || output_check(a->output, a->force, &err)) &&
                 load_positions(a, &positions, &err);
    int code = ready ? check_with(a, &positions) : command_fail(EXIT_BAD, &err);
    dataset_free(&positions);
    return code;
}

/* ---- the command line ---- */

/* Refuses options and files that the use has no place for. */
static int check_use(const struct arguments *a)
{
    if (a->command == NULL && a->file_count > 0)
        return command_misuse("trace", "unexpected argument '%s'; positions go with --check",
                              a->files[0]);
    if (a->command == NULL && (a->list || a->output != NULL))
        return command_misuse("trace", "%s goes with --check", a->list ? "--list" : "--output");
    if (a->command != NULL && a->params != NULL)
        return command_misuse("trace", "--params does not go with --check: the command has its own "
                                       "values");
    return OPTIONS_READ;
}

int cmd_trace(int argc, char **argv)
{
    struct arguments a = {.patience = TRACE_ANSWER_SECONDS};
    int code = options_read(&trace, &argc, &argv, &a);
    a.files = argv;
    a.file_count = argc;
    if (code == OPTIONS_READ)
        code = check_use(&a);
    if (code != OPTIONS_READ)
        return code;
    return a.command != NULL ? check(&a) : serve(&a);
}
