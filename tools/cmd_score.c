/* grayling score: counts the moves played that a set of parameters chooses too. */
#include "command.h"

#include "evaluator.h"
#include "match_all.h"
#include "source.h"
#include "statistics.h"
#include "trust.h"
#include "values.h"

struct score {
    int threads;
    enum leaf leaf;
    const char **names;     /* of the sources, as given; owned */
    struct source *sources; /* owned */
    int count;
    struct dataset positions;
    /* The evaluation of all sources: one of ours, or one over the trace protocol. */
    const struct param_table *table;           /* its weights */
    const struct evaluator_source *evaluators; /* as compiled_create has it */
    struct trace_evaluator_source *trace;      /* NULL: ours */
    struct evaluator_source traced;
    int32_t *weights; /* a row for each source; owned */
    int64_t *matched; /* by each; owned */
};

#define AT(member) OPTION_AT(struct score, member)

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

/* Sorts the files by content, opens the sources and loads the positions. */
static bool load_files(struct score *s, char **files, int count, struct error *err)
{
    s->names = calloc((size_t)count, sizeof *s->names);
    s->sources = calloc((size_t)count, sizeof *s->sources);
    s->matched = calloc((size_t)count, sizeof *s->matched);
    if (s->names == NULL || s->sources == NULL || s->matched == NULL)
        return error_set(err, "no memory for %d files", count);
    for (int i = 0; i < count; i++) {
        enum source_kind kind = SOURCE_POSITIONS;
        char path[PATH_SIZE] = "-";
        if (strcmp(files[i], "-") != 0 && !source_recognise(files[i], &kind, path, err))
            return false;
        if (kind == SOURCE_POSITIONS && !dataset_load(&s->positions, path, EPD_NEED_BEST, err))
            return false;
        if (kind == SOURCE_POSITIONS)
            continue;
        if (!source_open(&s->sources[s->count], files[i], DATA_EVALUATIONS, err))
            return false;
        s->names[s->count++] = files[i];
    }
    if (s->count == 0)
        return error_set(err, "no parameter file or run among the files");
    return s->positions.count > 0 || error_set(err, "no positions among the files");
}

/* Opens the evaluation of the first source. */
static bool open_evaluation(struct score *s, struct error *err)
{
    const struct source *first = &s->sources[0];
    const struct trace_settings settings = {.command = first->table.command};
    const bool modern = strcmp(first->table.kind, modern_eval_table.kind) == 0;
    s->evaluators = modern ? &modern_evaluator_source : NULL;
    s->table = modern ? &modern_eval_table : &eval_table;
    if (strcmp(first->table.kind, space_kind_trace) != 0)
        return true;
    if (!trust_command(first->path, settings.command, err))
        return false;
    s->trace = trace_evaluator_source_create(&settings, err);
    if (s->trace == NULL)
        return false;
    s->traced = trace_evaluator_source(s->trace);
    s->evaluators = &s->traced;
    s->table = &trace_evaluator_source_weights(s->trace)->table;
    return true;
}

/* Gets the weights of a source over the trace protocol; those that it lacks are as they are. */
static bool take_traced(const struct score *s, int number, int32_t *weights, struct error *err)
{
    const struct source *from = &s->sources[number];
    const char *name = s->names[number], *command = s->sources[0].table.command;
    if (from->table.command == NULL || strcmp(from->table.command, command) != 0)
        return error_set(err, "%s: not of the evaluation '%s', as the first; score it alone", name,
                         command);
    for (int i = 0; i < s->table->count; i++) {
        const struct param *p = &s->table->params[i];
        int at = param_find(&from->table, p->name);
        weights[i] = at < 0 ? p->initial : from->values[at];
        if (weights[i] < p->min || weights[i] > p->max)
            return error_set(err, "%s: %s is %d; the evaluation takes %d to %d", name, p->name,
                             weights[i], p->min, p->max);
    }
    return true;
}

static bool load_weights(struct score *s, struct error *err)
{
    if (!open_evaluation(s, err))
        return false;
    const size_t row = (size_t)s->table->count;
    s->weights = calloc((size_t)s->count * row, sizeof *s->weights);
    bool good = s->weights != NULL || error_set(err, "no memory for weights");
    for (int i = 0; good && i < s->count; i++) {
        int32_t *weights = s->weights + (size_t)i * row;
        struct evaluation ours;
        if (s->trace != NULL) {
            good = take_traced(s, i, weights, err);
            continue;
        }
        if (!values_evaluation(s->sources[i].path, &ours, err))
            return false;
        if (evaluation_table(&ours) != s->table)
            return error_set(err,
                             "%s: parameters of kind %s, and of kind %s before; score them apart",
                             s->names[i], evaluation_table(&ours)->kind, s->table->kind);
        evaluation_values(&ours, weights);
    }
    return good;
}

static void print_scores(const struct score *s)
{
    struct table t;
    char positions[COUNTED_MAX];
    const int64_t total = (int64_t)s->positions.count;
    printf("%s, leaf %s\n", format_things(total, "position", positions), leaves[s->leaf]);
    table_begin(&t, "<0parameters|>2matched|>1  share|>3  95 % interval");
    for (int i = 0; i < s->count; i++) {
        const struct interval share = interval_wilson(s->matched[i], total, 0.95);
        fprintf(t.rows, "%s\t%" PRId64 "\t%.2f %%\t%.2f to %5.2f %%\n", shown_text(s->names[i]),
                s->matched[i], 100 * share.share, 100 * share.low, 100 * share.high);
    }
    table_end(&t, stdout);
}

int cmd_score(int argc, char **argv)
{
    struct score s = {.leaf = LEAF_QUIESCENCE};
    struct error err = {""};
    const int code = options_read(&cmd, &argc, &argv, &s);
    if (code != OPTIONS_READ)
        return code;
    bool good = load_files(&s, argv, argc, &err) && load_weights(&s, &err);
    const struct match_all wanted = {.positions = s.positions.items,
                                     .count = s.positions.count,
                                     .leaf = s.leaf,
                                     .source = s.evaluators,
                                     .values = s.weights,
                                     .organisms = s.count};
    good = good && match_all(&wanted, s.threads, NULL, s.matched, &err) == JOBS_DONE;
    if (good)
        print_scores(&s);
    for (int i = 0; i < s.count; i++)
        source_close(&s.sources[i]);
    trace_evaluator_source_destroy(s.trace);
    dataset_free(&s.positions);
    free(s.names);
    free(s.sources);
    free(s.weights);
    free(s.matched);
    return good ? EXIT_DONE : command_fail(EXIT_BAD, &err);
}
