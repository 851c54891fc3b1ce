/* grayling score: counts the moves played that a set of parameters chooses too. */
#include "command.h"

#include "evaluator.h"
#include "match_all.h"
#include "source.h"
#include "statistics.h"
#include "trust.h"

/* The command line: parameters and positions. */
struct arguments {
    int threads;
    enum leaf leaf;
    const char **sources; /* points into argv, argc long at most */
    int source_count;
    struct dataset positions;
};

#define AT(member) OPTION_AT(struct arguments, member)

static const char *const leaves[] = {
    [LEAF_QUIESCENCE] = "quiescence", [LEAF_STATIC] = "static", NULL};

static const struct option_row option_rows[] = {
    {"leaf", "LEAF", AS_CHOICE, AT(leaf), "quiescence (default) or static", .choices = leaves},
    OPTION_THREADS(AT(threads)),
    OPTION_TRUST("start the evaluation of a file that you have not used before"),
    {0}};

static const struct command cmd = {
    "score",
    "usage: grayling score PARAMS.yaml|RUN.db... POSITIONS.epd... [OPTIONS]\n\n"
    "Counts the positions in which a 1-ply search chooses a best move (bm) of the\n"
    "position, for each parameter file and for the best organism of each run. Prints\n"
    "the share with its 95 % interval (Wilson). The content of a file decides what it\n"
    "is, not its name. '-' reads positions from standard input. 'grayling help\n"
    "parameters' and 'grayling help positions' list files that come by their names.\n"
    "Weights of another evaluation (kind: trace) are scored over the trace protocol.\n",
    option_rows,
    "  grayling score paper-eval runs/quick.db held-out\n",
    {"PARAMS.yaml RUN.db POSITIONS.epd", "files", 1, OPERANDS_ANY}};

/* Sorts the files by content and loads the positions. */
static bool load_files(struct arguments *a, char **files, int count, struct error *err)
{
    for (int i = 0; i < count; i++) {
        enum source_kind kind = SOURCE_POSITIONS;
        char path[PATH_SIZE] = "-";
        if (strcmp(files[i], "-") != 0 && !source_recognise(files[i], &kind, path, err))
            return false;
        if (kind != SOURCE_POSITIONS)
            a->sources[a->source_count++] = files[i];
        else if (!dataset_load(&a->positions, path, EPD_NEED_BEST, err))
            return false;
    }
    if (a->source_count == 0)
        return error_set(err, "no parameter file or run among the files");
    if (a->positions.count == 0)
        return error_set(err, "no positions among the files");
    return true;
}

/* The evaluation of all sources: one of ours, or one over the trace protocol. */
struct scored {
    char *command; /* owned; NULL: ours */
    struct trace_evaluator_source *trace;
    struct evaluator_source traced;
    const struct evaluator_source *evaluators; /* as compiled_create has it */
    const struct param_table *table;           /* its weights */
};

/* Opens the evaluation of a source. */
static bool open_evaluation(struct scored *e, const struct source *s, struct error *err)
{
    const struct trace_settings settings = {.command = s->table.command};
    *e = (struct scored){.table = &eval_table};
    if (strcmp(s->table.kind, modern_eval_table.kind) == 0)
        *e = (struct scored){.evaluators = &modern_evaluator_source, .table = &modern_eval_table};
    if (strcmp(s->table.kind, space_kind_trace) != 0)
        return true;
    if (!trust_command(s->path, settings.command, err))
        return false;
    e->command = strdup(settings.command);
    if (e->command == NULL)
        return error_set(err, "no memory for the command '%s'", settings.command);
    e->trace = trace_evaluator_source_create(&settings, err);
    if (e->trace == NULL)
        return false;
    e->traced = trace_evaluator_source(e->trace);
    e->evaluators = &e->traced;
    e->table = &trace_evaluator_source_weights(e->trace)->table;
    return true;
}

/* Gets the weights of a source over the trace protocol; those that it lacks are as they are. */
static bool take_traced(const struct scored *e, const struct source *s, const char *name,
                        int32_t *weights, struct error *err)
{
    if (s->table.command == NULL || strcmp(s->table.command, e->command) != 0)
        return error_set(err, "%s: not of the evaluation '%s', as the first; score it alone", name,
                         e->command);
    for (int i = 0; i < e->table->count; i++) {
        const struct param *p = &e->table->params[i];
        int at = param_find(&s->table, p->name);
        weights[i] = at < 0 ? p->initial : s->values[at];
        if (weights[i] < p->min || weights[i] > p->max)
            return error_set(err, "%s: %s is %d; the evaluation takes %d to %d", name, p->name,
                             weights[i], p->min, p->max);
    }
    return true;
}

/* Gets the weights of a source. */
static bool take_weights(const struct scored *e, const struct source *s, const char *name,
                         int32_t *weights, struct error *err)
{
    struct evaluation ours;
    if (e->trace != NULL)
        return take_traced(e, s, name, weights, err);
    if (!source_evaluation(s, name, &ours, err))
        return false;
    if (evaluation_table(&ours) != e->table)
        return error_set(err, "%s: parameters of kind %s, and of kind %s before; score them apart",
                         name, evaluation_table(&ours)->kind, e->table->kind);
    evaluation_values(&ours, weights);
    return true;
}

/* Opens the first source's evaluation and reads the weights of all sources, a row each; the caller
 * frees them. NULL with the reason. */
static int32_t *load_weights(const struct arguments *a, struct scored *e, struct error *err)
{
    int32_t *rows = NULL;
    for (int i = 0; i < a->source_count; i++) {
        struct source s;
        bool taken = source_open(&s, a->sources[i], DATA_EVALUATIONS, err) &&
                     (i > 0 || open_evaluation(e, &s, err));
        const size_t count = taken ? (size_t)e->table->count : 0;
        if (taken && rows == NULL)
            rows = calloc((size_t)a->source_count * count, sizeof *rows);
        taken = taken && (rows != NULL || error_set(err, "no memory for weights")) &&
                take_weights(e, &s, a->sources[i], rows + (size_t)i * count, err);
        source_close(&s);
        if (!taken) {
            free(rows);
            return NULL;
        }
    }
    return rows;
}

static void print_scores(const struct arguments *a, const int64_t *matched)
{
    struct table t;
    char positions[COUNTED_MAX];
    const int64_t total = (int64_t)a->positions.count;
    printf("%s, leaf %s\n", format_things(total, "position", positions), leaves[a->leaf]);
    table_begin(&t, "<0parameters|>2matched|>1  share|>3  95 % interval");
    for (int i = 0; i < a->source_count; i++) {
        const struct interval share = interval_wilson(matched[i], total, 0.95);
        fprintf(t.rows, "%s\t%lld\t%.2f %%\t%.2f to %5.2f %%\n", shown_text(a->sources[i]),
                (long long)matched[i], 100 * share.share, 100 * share.low, 100 * share.high);
    }
    table_end(&t, stdout);
}

int cmd_score(int argc, char **argv)
{
    struct arguments a = {.leaf = LEAF_QUIESCENCE};
    struct scored e = {0};
    struct error err = {""};
    const int code = options_read(&cmd, &argc, &argv, &a);
    if (code != OPTIONS_READ)
        return code;
    a.sources = calloc((size_t)argc, sizeof *a.sources);
    int64_t *matched = calloc((size_t)argc, sizeof *matched);
    const bool loaded = ((a.sources != NULL && matched != NULL) || error_set(&err, "no memory")) &&
                        load_files(&a, argv, argc, &err);
    int32_t *rows = loaded ? load_weights(&a, &e, &err) : NULL;
    const struct match_all wanted = {.positions = a.positions.items,
                                     .count = a.positions.count,
                                     .leaf = a.leaf,
                                     .source = e.evaluators,
                                     .values = rows,
                                     .organisms = a.source_count};
    const bool good =
        rows != NULL && match_all(&wanted, a.threads, NULL, matched, &err) == JOBS_DONE;
    if (good)
        print_scores(&a, matched);
    trace_evaluator_source_destroy(e.trace);
    dataset_free(&a.positions);
    free(a.sources);
    free(e.command);
    free(rows);
    free(matched);
    return good ? EXIT_DONE : command_fail(EXIT_BAD, &err);
}
