#define _GNU_SOURCE /* fopencookie */
/* grayling trace: our evaluation as a server of the trace protocol; a check of others. */
#include "command.h"

#include "clock.h"
#include "default_params.h"
#include "engine_file.h"
#include "epd.h"
#include "evaluator.h"
#include "movegen.h"
#include "quiesce.h"
#include "source.h"
#include "trace_client.h"
#include "trace_protocol.h"
#include "trust.h"

#include <errno.h>
#include <unistd.h>

enum { POSITIONS_DEFAULT = 1000, NAMES_SHOWN = 4, PROCESSES = 4 /* started for a check */ };

struct arguments {
    const char *params;  /* NULL: the engine's own */
    const char *command; /* NULL: serve */
    const char *output;  /* NULL: no space is written */
    bool force;
    bool list;
    int patience;         /* seconds */
    char **files;         /* of positions */
    int file_count, most; /* positions to ask for; 0: all */
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
    "Speaks the trace protocol (docs/trace-protocol.md) on standard input and output,\n"
    "for Grayling's evaluation: how often each weight counts in a position. With\n"
    "--check, starts a command that speaks it, and checks its weights and answers:\n"
    "for the positions given (default: 1,000 that come with the program) and those\n"
    "after each of their legal moves; with other values if the command can set them;\n"
    "and some in each of several processes. The first fault is named with its\n"
    "position; the exit code is then 2. examples/trace has servers in C and Python.\n",
    option_rows,
    "  grayling trace --check 'python3 examples/trace/psqt.py'\n",
    {"POSITIONS.epd", "positions", 0, OPERANDS_ANY}};

/* ---- serve ---- */

/* Refills the input's buffer, after the answers to what it held are written. */
static ssize_t read_next(void *answers, char *bytes, size_t size)
{
    ssize_t n = fflush(answers) == 0 ? 0 : -1;
    while (n == 0 && (n = read(STDIN_FILENO, bytes, size)) < 0 && errno == EINTR)
        n = 0;
    return n;
}

/* Answers for a position: its score by the evaluation itself, in whole centipawns, and the counts by its trace. */
static void answer_position(const struct evaluation *e, const char *fen)
{
    char text[TRACE_LINE_MAX];
    struct position p;
    struct error reason;
    struct weight_count items[EVALUATION_WEIGHTS];
    if (!position_from_fen(&p, fen, NULL, &reason)) {
        printf("error %s\n", reason.text);
        return;
    }
    const struct leaf_counts counts = {.count = evaluation_counts(e->kind, &p, items),
                                       .items = items};
    const int32_t score = evaluation_exact(e, &p) / evaluation_scale(e->kind);
    fwrite(text, 1, trace_write_answer(text, p.side == WHITE ? score : -score, &counts), stdout);
    putchar('\n');
}

/* Returns the text after `word` if the line begins with it; else NULL. */
static const char *after_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] != ' ' && line[length] != '\0'))
        return NULL;
    return line + length + strspn(line + length, " ");
}

/* Answers lines until `quit` or the end of the input; lines of unknown words have no answer. Answers are written in
 * large pieces, before the server waits for more input. */
static int serve(const struct arguments *a)
{
    struct evaluation e = evaluation_of_weights(&default_weights);
    struct error err;
    char line[TRACE_LINE_MAX];
    const char *rest;
    if (!source_read_evaluation(a->params, &e, &err))
        return command_fail(EXIT_BAD, &err);
    int32_t values[EVALUATION_WEIGHTS];
    const struct param_table *table = evaluation_table(&e);
    evaluation_values(&e, values);
    FILE *in = fopencookie(stdout, "r", (cookie_io_functions_t){.read = read_next});
    if (in == NULL)
        return command_fail(EXIT_FAILED, &(struct error){"no memory for the trace protocol"});
    setvbuf(stdout, NULL, _IOFBF, 2 * TRACE_LINE_MAX);
    while (!ferror(stdout) && fgets(line, sizeof line, in) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (after_word(line, "quit") != NULL)
            break;
        if ((rest = after_word(line, "fen")) != NULL)
            answer_position(&e, rest);
        else if ((rest = after_word(line, "trace")) != NULL && strcmp(rest, "1") == 0) {
            for (int i = 0; i < table->count; i++)
                printf("weight %s %d %d %d\n", table->params[i].name, values[i],
                       table->params[i].min, table->params[i].max);
            printf("scale %d\ntraceok\n", evaluation_scale(e.kind));
        } else if (rest != NULL)
            printf("error this is version 1 of the trace protocol, not '%s'\n", shown_text(rest));
    }
    fclose(in);
    return EXIT_DONE; /* program_main tells if standard output takes no more */
}

/* ---- the questions of a check ----
 *
 * The positions asked for are those given and the ones after each of their legal moves, as leaves of a 1-ply search
 * are. Each is asked for twice, the second time in reverse order: an evaluation that remembers positions, or answers
 * twice, gives other counts then. If the evaluation follows `set`, the positions given are asked for again with all
 * weights at ends of their ranges: counts must be the same, and scores must follow. */
struct trace_report {
    int64_t positions;                   /* checked; 0 if none has an evaluation */
    int64_t counts;                      /* not 0, of all positions */
    int64_t used[EVALUATOR_WEIGHTS_MAX]; /* positions in which each weight counts */
    double seconds;                      /* for these answers, two a position */
    bool settable;                       /* checked with other values too */
};

enum { ROOTS = 64, LEAVES = ROOTS * (MAX_MOVES + 1) };

/* Some positions with all that follow them. */
struct trace_checker {
    struct trace_client *client;
    const char *command;
    struct trace_report *report;
    size_t count;
    bool again;            /* the sums are known, and compared */
    size_t differs;        /* the first position whose counts differ then; or `count` */
    uint64_t sums[LEAVES]; /* of each position's counts */
    struct position positions[LEAVES];
};

/* ---- positions ---- */

/* Adds a position that is not mate, stalemate or drawn by its material: those have no evaluation. */
static void add_position(struct trace_checker *c, const struct position *p)
{
    if (leaf_status(p) == QUIESCE_STAND_PAT)
        c->positions[c->count++] = *p;
}

/* ---- answers ---- */

/* Takes an answer into the report, or compares it with the first one for its position. */
static bool take(void *context, size_t index, const struct leaf_counts *counts)
{
    struct trace_checker *c = context;
    const uint64_t sum = trace_counts_sum(counts);
    if (c->again) {
        c->differs = sum == c->sums[index] ? c->count : index;
        return c->differs == c->count;
    }
    c->sums[index] = sum;
    c->report->positions++;
    c->report->counts += counts->count;
    for (int i = 0; i < counts->count; i++)
        c->report->used[counts->items[i].weight]++;
    return true;
}

/* Asks for the collected positions. If their answers are known, `why` says what is wrong where one has other counts;
 * else it is NULL. */
static bool ask(struct trace_checker *c, const char *why, struct error *err)
{
    char fen[FEN_MAX];
    c->again = why != NULL;
    c->differs = c->count;
    if (trace_client_ask(c->client, c->positions, c->count, take, c, err))
        return true;
    if (why == NULL || c->differs == c->count)
        return false;
    position_to_fen(&c->positions[c->differs], fen);
    return error_set(err, "%s: %s: other counts%s", c->command, fen, why);
}

/* Asks for the collected positions twice, the second time in reverse order. */
static bool ask_twice(struct trace_checker *c, struct error *err)
{
    if (!ask(c, NULL, err))
        return false;
    for (size_t i = 0, k = c->count - 1; c->count > 0 && i < k; i++, k--) {
        const struct position p = c->positions[i];
        const uint64_t sum = c->sums[i];
        c->positions[i] = c->positions[k];
        c->positions[k] = p;
        c->sums[i] = c->sums[k];
        c->sums[k] = sum;
    }
    return ask(c,
               " when it is asked again; an answer must depend on its position alone, and "
               "each question has one answer",
               err);
}

/* ---- other values ---- */

/* Values of all weights that the evaluation is given, one after the other. */
enum values { LEAST, GREATEST, FIRST_HALF_LEAST, EVEN_LEAST, SETTINGS };

static const char *const values_named[SETTINGS] = {
    "all weights at their least value", "all weights at their greatest value",
    "the first half of the weights at their least value, the others at their greatest",
    "each second weight at its least value, the others at their greatest"};

/* Asks for the collected positions with other values. The client sees whether the score follows. */
static bool ask_with(struct trace_checker *c, enum values which, struct error *err)
{
    const struct param_table *table = &trace_client_weights(c->client)->table;
    int32_t values[EVALUATOR_WEIGHTS_MAX];
    for (int i = 0; i < table->count; i++) {
        const bool least = which == LEAST || (which == FIRST_HALF_LEAST && i < table->count / 2) ||
                           (which == EVEN_LEAST && i % 2 == 0);
        values[i] = least ? table->params[i].min : table->params[i].max;
    }
    return (trace_client_set(c->client, values, err) &&
            ask(c, "; counts must not depend on weights", err)) ||
           error_prefix(err, "with %s: ", values_named[which]);
}

/* Asks for positions with the values that the evaluation has, then with others, and gives it back its own. */
static bool check_values(struct trace_checker *c, const struct dataset *positions,
                         struct error *err)
{
    const struct param_table *table = &trace_client_weights(c->client)->table;
    struct trace_report ignored = {0};
    int32_t own[EVALUATOR_WEIGHTS_MAX];
    for (int i = 0; i < table->count; i++)
        own[i] = table->params[i].initial;
    c->report = &ignored;
    c->count = 0;
    for (size_t i = 0; i < positions->count && i < LEAVES; i++)
        add_position(c, &positions->items[i].position);
    bool good = ask(c, NULL, err);
    for (enum values which = 0; good && which < SETTINGS; which++)
        good = ask_with(c, which, err);
    return good && trace_client_set(c->client, own, err);
}

/* Asks for the positions. False, with the reason, at the first fault. */
static bool ask_all(const struct arguments *a, struct trace_client *client,
                    const struct dataset *positions, struct trace_report *report, struct error *err)
{
    struct trace_checker *c = malloc(sizeof *c);
    double start = clock_seconds();
    bool good = c != NULL || error_set(err, "no memory for the positions");
    *report = (struct trace_report){0};
    for (size_t first = 0; good && first < positions->count; first += ROOTS) {
        c->client = client;
        c->command = a->command;
        c->report = report;
        c->count = 0;
        for (size_t i = first; i < first + ROOTS && i < positions->count; i++) {
            struct position p = positions->items[i].position;
            struct move_list list;
            add_position(c, &p);
            movegen_legal(&p, &list);
            for (int m = 0; m < list.count; m++) {
                struct undo undo;
                position_make(&p, list.moves[m], &undo);
                add_position(c, &p);
                position_unmake(&p, list.moves[m], &undo);
            }
        }
        good = ask_twice(c, err);
    }
    report->seconds = clock_seconds() - start;
    report->settable = trace_client_weights(client)->settable;
    if (good && report->settable)
        good = check_values(c, positions, err);
    free(c);
    if (good && report->positions == 0) /* then nothing is known of the command */
        return error_set(
            err,
            "%s%s: all positions are mate, stalemate or drawn by material; nothing was "
            "asked; expected positions that have an evaluation",
            a->files[0], a->file_count > 1 ? " and the other files" : "");
    return good;
}

/* ---- check ---- */

static bool load_positions(const struct arguments *a, struct dataset *positions, struct error *err)
{
    char path[PATH_SIZE];
    for (int i = 0; i < a->file_count; i++)
        if (!data_file_find(a->files[i], DATA_POSITIONS, path, err) ||
            !dataset_load(positions, path, EPD_ANY, err))
            return false;
    if (a->most > 0 && positions->count > (size_t)a->most)
        positions->count = (size_t)a->most;
    return positions->count > 0 || error_set(err, "%s: no positions", a->files[0]);
}

static void print_report(const struct arguments *a, const struct trace_weights *w,
                         const struct trace_report *r)
{
    char positions[COUNT_MAX], speed[COUNT_MAX];
    int used = 0;
    for (int i = 0; i < w->table.count; i++)
        used += r->used[i] > 0;
    printf("command    %s\n", shown_text(a->command));
    printf("weights    %d, %d of them count in these positions\n", w->table.count, used);
    printf("scale      %d\n", w->scale);
    printf("positions  %s, each asked for twice: linear, the same counts\n",
           format_count(r->positions, positions));
    printf("counts     %.1f a position\n", (double)r->counts / (double)r->positions);
    printf("speed      %s answers a second\n",
           format_count((int64_t)(2 * (double)r->positions / r->seconds), speed));
    printf("processes  %d, with the same counts\n", PROCESSES);
    printf("values     %s\n", r->settable ? "others were set: the same counts, and scores follow"
                                          : "its own only: it does not name itself settable");
    /* Some weights that count nowhere: often a mistake, or squares that no pawn reaches. */
    int shown = 0;
    for (int i = 0; i < w->table.count && shown < NAMES_SHOWN; i++)
        if (r->used[i] == 0)
            printf("%s%s", shown++ == 0 ? "never      " : ", ", w->table.params[i].name);
    if (w->table.count - used > shown)
        printf(" and %d more", w->table.count - used - shown);
    if (shown > 0)
        puts("");
    if (!a->list)
        return;
    struct table t;
    putchar('\n');
    table_begin(&t, "<0weight                  |>1 value|>3   min|>3   max|>2counts in");
    for (int i = 0; i < w->table.count; i++) {
        const struct param *p = &w->table.params[i];
        fprintf(t.rows, "%s\t%d\t%d\t%d\t%.2f %%\n", p->name, p->initial, p->min, p->max,
                100 * (double)r->used[i] / (double)r->positions);
    }
    table_end(&t, stdout);
}

static int write_space(const struct arguments *a, const struct trace_weights *w)
{
    struct error err;
    if (a->output == NULL)
        return EXIT_DONE;
    trust_typed(a->command);
    struct space space = {.table = w->table};
    space.table.command = a->command;
    const bool written =
        space_file_write(a->output, &space,
                         "The weights of an evaluation, with its own ranges.\n"
                         "Delete the lines that should keep their values, and narrow the ranges.",
                         &err);
    return command_wrote(written, "space", a->output, &err);
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
            e->destroy(e);
    }
    trace_evaluator_source_destroy(s);
    return same;
}

static int check(const struct arguments *a)
{
    const struct trace_settings settings = {.command = a->command, .answer_seconds = a->patience};
    struct dataset positions = {0};
    struct trace_report report;
    struct error err;
    struct trace_client *client = (a->output == NULL || output_check(a->output, a->force, &err)) &&
                                          load_positions(a, &positions, &err)
                                      ? trace_client_start(&settings, &err)
                                      : NULL;
    const bool good = client != NULL && ask_all(a, client, &positions, &report, &err) &&
                      compare_processes(&settings, &err);
    if (good)
        print_report(a, trace_client_weights(client), &report);
    const int code =
        good ? write_space(a, trace_client_weights(client)) : command_fail(EXIT_BAD, &err);
    trace_client_stop(client);
    dataset_free(&positions);
    return code;
}

/* ---- the command line ---- */

int cmd_trace(int argc, char **argv)
{
    char standard[] = "held-out", *standard_files[] = {standard};
    struct arguments a = {.patience = TRACE_ANSWER_SECONDS};
    const int code = options_read(&trace, &argc, &argv, &a);
    if (code != OPTIONS_READ)
        return code;
    if (a.command == NULL && argc > 0)
        return command_misuse("trace", "unexpected argument '%s'; positions go with --check",
                              argv[0]);
    if (a.command == NULL && (a.list || a.output != NULL))
        return command_misuse("trace", "%s goes with --check", a.list ? "--list" : "--output");
    if (a.command != NULL && a.params != NULL)
        return command_misuse("trace", "--params does not go with --check: the command has its own "
                                       "values");
    a.files = argc > 0 ? argv : standard_files;
    a.file_count = argc > 0 ? argc : 1;
    a.most = argc > 0 ? 0 : POSITIONS_DEFAULT;
    return a.command != NULL ? check(&a) : serve(&a);
}
