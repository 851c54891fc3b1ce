/* grayling regress: fits the evaluation by gradient methods, a yardstick for the genetic algorithm. */
#include "command.h"

#include "checksum.h"
#include "clock.h"
#include "evaluator.h"
#include "match_all.h"
#include "params_write.h"
#include "parse.h"
#include "paths.h"
#include "regression.h"
#include "suite.h"
#include "text_stream.h"
#include "trust.h"
#include "tuned_evaluation.h"
#include "values.h"
#include "version.h"

#include <signal.h>

enum { REGRESS_TARGETS = 16 };

/* Positions of one or several files, with the measurements on them. */
struct subject {
    const char *name;
    struct dataset positions;
    bool has_moves, has_loss;
    struct regression_loss loss;
    int64_t matched;
};

/* Numbers of weights to keep, falling. */
struct regress_targets {
    int keep[REGRESS_TARGETS], count;
};

/* What training positions were read from. Found before the fit: a pipe is gone after it, and a file may
 * have another content. */
struct origin {
    char checksum[CHECKSUM_MAX]; /* of the file, or of the positions in it if it is a pipe */
    bool is_file;
};

struct regress {
    struct regression_settings settings;
    double likely; /* centipawns; 0: all moves */
    struct tuned_evaluation evaluation;
    int32_t *weights; /* owned: at the start, then those found */
    const char *from, *output, *space, *saliency;
    struct regress_targets prune;
    struct param_table table; /* the weights, with constants for those that are pruned */
    struct param *rows;       /* owned: of `table` */
    struct compiled_set *set; /* of the training positions */
    int64_t scores;           /* percent of the score in what is predicted; 0: the result alone */
    int method, steps;        /* an index of `methods`; -1: the method's default */
    bool force;
    const char *const *files; /* training positions, words of the command line */
    int file_count;
    struct regression_method mixed; /* that of the settings: its own, or one that --scores mixes */
    struct word_list held_out;
    struct origin *origins;   /* of each file of training positions; owned */
    struct subject *subjects; /* the training positions, then each held-out file */
    struct regression_fit fit;
    struct error unmeasured; /* why the values could not be measured; empty if they were */
    double seconds;          /* duration of the fit, compilation included */
    struct progress progress;
    char *report; /* the lines about the fit; owned */
    const volatile sig_atomic_t *stop;
};

/* ---- options ---- */

/* Those of regression_methods, in its order. */
static const char *const methods[] = {"softmax", "softmax-misses", "texel", "texel-entropy", NULL};

/* Reads the numbers of weights to keep, each smaller than the one before. */
static bool take_prune(void *target, const char *text, struct error *err)
{
    struct regress_targets *t = target;
    for (const char *at = text; t->count < REGRESS_TARGETS;) {
        char word[16];
        int64_t keep;
        const size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 15 ? length : 15), at);
        if (!parse_int64(word, &keep) || keep < 1 || keep > EVALUATOR_WEIGHTS_MAX ||
            (t->count > 0 && keep >= t->keep[t->count - 1]))
            break;
        t->keep[t->count++] = (int)keep;
        if (at[length] == '\0')
            return true;
        at += length + 1;
    }
    return error_set(err, "takes up to %d falling numbers from %d to 1, as in 700,350, not '%s'",
                     REGRESS_TARGETS, EVALUATOR_WEIGHTS_MAX, text);
}

#define AT(member) OPTION_AT(struct regress, member)

static const struct option_row option_rows[] = {
    {"method", "METHOD", AS_CHOICE, AT(method),
     "softmax (default) or softmax-misses: moves played (bm); texel or texel-entropy: results of "
     "games (c9, [1.0])",
     .choices = methods},
    {"held-out", "POSITIONS.epd", AS_LIST, AT(held_out), "for measuring only; repeatable"},
    {"from", "START", AS_TEXT, AT(from), "initial (default), random, a parameter file, or a run"},
    {"space", "SPACE", AS_TEXT, AT(space),
     "the weights to fit: evaluation (default), evaluation-modern, or a space file"},
    {"steps", "N", AS_NUMBER, AT(steps), "descent steps (150; texel 400; from random ones 3 times)",
     0, 1000000},
    {"batch", "N", AS_NUMBER, AT(settings.batch),
     "positions a step, in a random order (default: all)", 1, INT32_MAX},
    {"scale", "CP", AS_REAL, AT(settings.scale),
     "K of texel, temperature of softmax (default: fitted)", 1, 100000},
    {"prior", "SIZE", AS_REAL, AT(settings.prior),
     "keep weights near the initial values: standard deviation", 1, 100000},
    {"likely", "CP", AS_REAL, AT(likely),
     "softmax: leave out moves this far below the best at first", 1, 100000},
    {"scores", "N", AS_NUMBER, AT(scores),
     "texel: what is predicted is the score (ce) by N per cent", 1, 100},
    {"prune", "N,...", AS_CALL, AT(prune), "remove the weights that matter least until N are left",
     .take = take_prune},
    {"saliency", "FILE", AS_TEXT, AT(saliency), "write what each weight is worth, CSV"},
    {"seed", "S", AS_NUMBER, AT(settings.seed), "(1; all cores, or OMP_NUM_THREADS)", 0, INT64_MAX},
    {"threads", "N", AS_THREADS, AT(settings.threads)},
    {"output", "FILE", AS_TEXT, AT(output), "the values, a parameter file; overwrite",
     .letter = 'o'},
    {"force", NULL, AS_FLAG, AT(force)},
    OPTION_TRUST("start the evaluation of a file that is new to you"),
    {0}};

static const struct command cmd = {
    "regress",
    "usage: grayling regress POSITIONS.epd... [-o PARAMS.yaml] [OPTIONS]\n\n"
    "Fits the evaluation to positions by gradient descent, and measures the fit on\n"
    "these and on held-out ones. grayling(1) says more of the methods.\n",
    option_rows,
    "  grayling regress results-train --method texel --held-out results-held-out\n",
    {"POSITIONS.epd", "positions", 1, OPERANDS_ANY}};

/* Checks the options that not every method has. Returns OPTIONS_READ, or the exit code. */
static int check_options(const struct regress *r)
{
    const struct regression_method *method = r->settings.method;
    if (method->needs_scale && r->settings.scale == 0)
        return command_misuse("regress",
                              "--method %s needs --scale: about a tenth of the temperature of the "
                              "fit that --from names",
                              method->name);
    if (!method->likelihood && (r->prune.count > 0 || r->saliency != NULL))
        return command_misuse("regress",
                              "--prune and --saliency need a likelihood: prune with "
                              "--method softmax or texel-entropy, then fit what is left");
    if (r->scores > 0 && method->need != EPD_NEED_RESULT)
        return command_misuse("regress", "--scores is for methods of results: texel");
    if (r->likely > 0 && method->need != EPD_NEED_BEST)
        return command_misuse("regress", "--likely is for methods that compare moves: softmax");
    if (r->prune.count > 1 && r->output != NULL && strstr(r->output, "%d") == NULL)
        return command_misuse("regress", "-o takes a name with %%d for the results of --prune");
    return OPTIONS_READ;
}

/* ---- input ---- */

/* Opens the evaluation whose weights are fitted, and checks that the least number of them can be reached. */
static bool open_evaluation(struct regress *r, struct error *err)
{
    char path[PATH_SIZE] = "";
    struct error why;
    if (r->space != NULL && recipe_is_kind(r->space))
        snprintf(path, sizeof path, "%s", r->space);
    else if (r->space != NULL &&
             (!data_file_find(r->space, DATA_SPACES, path, err) || !trust_space(path, false, err)))
        return false;
    if (!tuned_evaluation_open(&r->evaluation, path, err))
        return false;
    const struct param_table *genes = &r->evaluation.genes;
    r->weights = calloc((size_t)genes->count + 1, sizeof *r->weights);
    r->rows = calloc((size_t)genes->count + 1, sizeof *r->rows);
    r->settings.start = r->weights;
    r->settings.table = &r->table;
    if (r->weights == NULL || r->rows == NULL)
        return error_set(err, "no memory for the weights");
    memcpy(r->rows, genes->params, (size_t)genes->count * sizeof *r->rows);
    r->table = *genes;
    r->table.params = r->rows;
    return r->prune.count == 0 || prune_check(&r->table, r->prune.keep[r->prune.count - 1], &why) ||
           error_set(err, "--prune: %s", why.text);
}

static bool choose_start(struct regress *r, struct error *err)
{
    struct regression_settings *s = &r->settings;
    const struct param_table *table = &r->evaluation.genes;
    bool random = strcmp(r->from, "random") == 0;
    s->steps = r->steps >= 0 ? r->steps : s->method->steps * (random ? 3 : 1);
    if (random)
        regression_random_start(table, r->settings.seed, r->weights);
    else
        for (int i = 0; i < table->count; i++)
            r->weights[i] = table->params[i].initial;
    char path[PATH_SIZE];
    return random || strcmp(r->from, "initial") == 0 ||
           (data_file_find(r->from, DATA_EVALUATIONS, path, err) &&
            values_read(path, table, r->weights, err));
}

static size_t count_having(const struct dataset *d, enum epd_need need)
{
    size_t count = 0;
    for (size_t i = 0; i < d->count; i++)
        count +=
            need == EPD_NEED_BEST ? d->items[i].best_count > 0 : d->items[i].result != PGN_UNKNOWN;
    return count;
}

/* Checks that all positions have it, or none. */
static bool all_or_none(const char *path, const struct dataset *d, enum epd_need need, bool *all,
                        struct error *err)
{
    const size_t count = count_having(d, need);
    *all = count == d->count;
    return *all || count == 0 ||
           error_set(err, "%s: %zu of %zu positions have %s; expected all, or none", path, count,
                     d->count, need == EPD_NEED_BEST ? "a best move" : "a result");
}

/* Loads a held-out file. Its data decides what is measured on it. */
static bool load_held_out(const struct regress *r, const char *name, struct subject *s,
                          struct error *err)
{
    char path[PATH_SIZE];
    s->name = name;
    if (!data_file_find(name, DATA_POSITIONS, path, err) ||
        !dataset_load(&s->positions, path, EPD_ANY, err) ||
        !all_or_none(path, &s->positions, EPD_NEED_BEST, &s->has_moves, err) ||
        !all_or_none(path, &s->positions, r->settings.method->need, &s->has_loss, err))
        return false;
    return (s->positions.count > 0 && (s->has_moves || s->has_loss)) ||
           error_set(err, "%s: nothing to measure; expected positions with bm MOVE;%s", path,
                     r->settings.method->need == EPD_NEED_RESULT ? " or c9 \"RESULT\";" : "");
}

/* Appends the positions of a file to the training positions, and notes their origin. */
static bool load_file(struct regress *r, const char *name, struct origin *origin, struct error *err)
{
    struct dataset *d = &r->subjects[0].positions;
    const size_t before = d->count;
    char path[PATH_SIZE];
    if (!data_file_find(name, DATA_POSITIONS, path, err))
        return false;
    origin->is_file = regular_file_is(path);
    if ((origin->is_file && !checksum_file(path, origin->checksum, err)) ||
        !dataset_load(d, path, r->settings.method->need, err))
        return false;
    const struct suite part = {.positions = {.items = before < d->count ? d->items + before : NULL,
                                             .count = d->count - before}};
    return origin->is_file || suite_checksum(&part, origin->checksum, err);
}

static bool load(struct regress *r, struct error *err)
{
    struct subject *train = &r->subjects[0];
    train->name = "train";
    for (int i = 0; i < r->file_count; i++)
        if (!load_file(r, r->files[i], &r->origins[i], err))
            return false;
    if (train->positions.count == 0)
        return error_set(err, "%s: no positions", r->files[0]);
    for (size_t i = 0; i < train->positions.count && r->scores > 0; i++)
        if (!train->positions.items[i].has_score)
            return error_set(
                err, "--scores: position %zu has no score (ce); 'grayling label' gives it", i + 1);
    if (r->scores > 0)
        regression_mix(&r->mixed, train->positions.items, train->positions.count,
                       (double)r->scores / 100);
    train->has_loss = true;
    /* Moves matched cost little by the set that is fitted, if it has all moves, or by searches. */
    train->has_moves =
        (r->likely == 0 ||
         own_evaluator_kind(tuned_evaluation_source(&r->evaluation)) != EVALUATION_KINDS) &&
        count_having(&train->positions, EPD_NEED_BEST) == train->positions.count;
    for (int i = 0; i < r->held_out.count; i++)
        if (!load_held_out(r, r->held_out.items[i], &r->subjects[1 + i], err))
            return false;
    return true;
}

/* ---- the fit ---- */

static void show_step(void *context, int done, int total, double loss)
{
    struct regress *r = context;
    char note[64];
    if (done == 1)
        progress_begin(&r->progress, "step", 0);
    snprintf(note, sizeof note, "loss %.5f", loss);
    progress_show(&r->progress, done, total, note);
}

static void show_compiled(void *context, int64_t done, int64_t total)
{
    struct regress *r = context;
    progress_show(&r->progress, done, total,
                  r->likely > 0 ? "likely moves, in two rounds" : "compiled");
}

/* Compiles positions, with all their moves or the likely ones. NULL without a reason if it was stopped. */
static struct compiled_set *compile(const struct regress *r, const struct subject *s, double likely,
                                    const struct compiled_watcher *watcher, struct error *err)
{
    const int count = r->evaluation.genes.count;
    double *weights = calloc((size_t)count + 1, sizeof *weights);
    const struct compiled_settings settings = {.values = r->settings.method->values,
                                               .source = tuned_evaluation_source(&r->evaluation),
                                               .threads = r->settings.threads,
                                               .watcher = watcher,
                                               .likely = likely > 0 ? weights : NULL,
                                               .margin = likely};
    if (weights == NULL)
        return error_null(err, "no memory for %d weights", count);
    for (int i = 0; i < count; i++)
        weights[i] = r->weights[i];
    struct compiled_set *set =
        compiled_create(s->positions.items, s->positions.count, &settings, err);
    free(weights);
    return set;
}

static bool fit_values(struct regress *r, struct error *err)
{
    const struct compiled_watcher compiling = {
        .context = r, .done = show_compiled, .stop = r->stop};
    const struct regression_watcher watcher = {.context = r, .step = show_step, .stop = r->stop};
    double begun = clock_seconds();
    progress_begin(&r->progress, "position", 0);
    r->set = compile(r, &r->subjects[0], r->likely, &compiling, err);
    progress_end(&r->progress);
    r->fit.stopped = r->set == NULL && *r->stop != 0;
    bool good = r->fit.stopped || (r->set != NULL && regression_run(r->set, &r->settings, &watcher,
                                                                    r->weights, &r->fit, err));
    r->seconds = clock_seconds() - begun;
    progress_end(&r->progress);
    return good;
}

static void show_pruned(void *context, int left, int wanted)
{
    struct regress *r = context;
    progress_end(&r->progress);
    fprintf(stderr, "%d weights are left, of %d wanted\n", left, wanted);
}

static void show_matched(void *context, int64_t done, int64_t total)
{
    struct regress *r = context;
    progress_show(&r->progress, done, total, "moves matched");
}

/* Counts the moves matched; of a part of the positions if it was stopped. */
static bool match_positions(struct regress *r, struct subject *s, struct error *err)
{
    const struct compiled_watcher watcher = {.context = r, .done = show_matched, .stop = r->stop};
    const struct match_all wanted = {.positions = s->positions.items,
                                     .count = s->positions.count,
                                     .leaf = LEAF_QUIESCENCE,
                                     .source = tuned_evaluation_source(&r->evaluation),
                                     .values = r->weights,
                                     .organisms = 1};
    progress_begin(&r->progress, "position", 0);
    bool good = match_all(&wanted, r->settings.threads, &watcher, &s->matched, err) != JOBS_FAILED;
    progress_end(&r->progress);
    return good;
}

/* Measures the values on all positions that allow it. False without a reason if it was stopped. */
static bool measure_fit(struct regress *r, struct error *err)
{
    const struct regression_settings *set = &r->settings;
    const struct regression_method *method = regression_methods[r->method]; /* of results alone */
    struct subject *train = &r->subjects[0];
    if (!regression_measure(r->set, method, r->weights, r->fit.scale, set->threads, &train->loss,
                            err))
        return false;
    const bool whole = set->method->need == EPD_NEED_BEST && r->likely == 0; /* it has all moves */
    if (train->has_moves &&
        !(whole ? compiled_match(r->set, r->weights, 1, set->threads, NULL, &train->matched, err)
                : match_positions(r, train, err)))
        return false;
    for (int i = 1; i <= r->held_out.count && *r->stop == 0; i++) {
        struct subject *s = &r->subjects[i];
        const struct compiled_watcher stop_only = {.stop = r->stop};
        struct compiled_set *compiled = s->has_loss ? compile(r, s, 0, &stop_only, err) : NULL;
        const bool good =
            !s->has_loss ||
            (compiled != NULL && regression_measure(compiled, method, r->weights, r->fit.scale,
                                                    set->threads, &s->loss, err));
        compiled_destroy(compiled);
        if (!good || (s->has_moves && !match_positions(r, s, err)))
            return error_prefix(err, "%s: ", r->held_out.items[i - 1]);
    }
    return true;
}

/* ---- the report ---- */

static void describe_origin(FILE *out, const struct regress *r)
{
    const struct regression_settings *s = &r->settings;
    char count[COUNTED_MAX];
    fprintf(out, "Fitted by grayling " GRAYLING_VERSION ": %s, %s", s->method->name,
            format_things(s->steps, "step", count));
    if (s->batch > 0)
        fprintf(out, " of %s", format_things(s->batch, "position", count));
    if (r->scores > 0)
        fprintf(out, " (%d %% of the score, at %.1f centipawns)", (int)r->scores,
                r->mixed.score_scale);
    fprintf(out, " from %s values", shown_text(r->from));
    if (strcmp(r->from, "random") == 0 || s->batch > 0)
        fprintf(out, ", seed %" PRIu64, r->settings.seed);
    fprintf(out, ";\n%s %.1f centipawns%s.\n", s->method->scale, r->fit.scale,
            s->scale > 0 ? ", as given" : "");
    int64_t weights = 0;
    for (int i = 0; i < r->table.count; i++)
        weights += r->rows[i].bits > 0 && r->weights[i] != 0;
    if (r->prune.count > 0)
        fprintf(out, "%s.\n", format_things(weights, "weight", count));
    fprintf(out, "%s from\n",
            format_things((int64_t)r->subjects[0].positions.count, "position", count));
    for (int i = 0; i < r->file_count; i++)
        fprintf(out, "  %s, SHA-256 %s%s\n", shown_text(r->files[i]),
                r->origins[i].is_file ? "" : "of the positions ", r->origins[i].checksum);
}

static void describe_measures(FILE *out, const struct regress *r)
{
    char text[FORMAT_MAX];
    if (r->unmeasured.text[0] != '\0') {
        fprintf(out, "not measured: %s\n", r->unmeasured.text);
        return;
    }
    fprintf(out, "%s, 95 %% interval in parentheses:\n", r->settings.method->loss);
    for (int i = 0; i <= r->held_out.count; i++) {
        const struct subject *s = &r->subjects[i];
        const struct regression_loss *l = &s->loss;
        if (!s->has_loss)
            continue;
        /* With likely moves only, the loss of the training positions is not comparable with the others. */
        fprintf(out, "  %-28s  %.5f  (%.5f to %.5f)\n",
                i == 0 && r->likely > 0 ? "train (likely moves)" : s->name, l->mean,
                l->mean - 1.96 * l->error, l->mean + 1.96 * l->error);
    }
    const char *head = "moves matched, 95 % interval in parentheses:\n";
    for (int i = 0; i <= r->held_out.count; i++) {
        const struct subject *s = &r->subjects[i];
        if (!s->has_moves)
            continue;
        fprintf(out, "%s  %-28s  %s\n", head, s->name,
                objective_full(&objective_moves_matched, s->matched, (int64_t)s->positions.count,
                               text));
        head = "";
    }
}

static bool print_values(FILE *out, const void *context, struct error *err)
{
    const struct regress *r = context;
    return params_write(out, PARAMS_YAML, &r->evaluation.genes, r->weights, r->report, err);
}

/* Prints the result and writes the values, to `path` if it is not NULL. Returns the exit code. */
static int report_fit(struct regress *r, const char *path)
{
    struct error err;
    char text[FORMAT_MAX], threads[COUNTED_MAX];
    size_t size;
    free(r->report); /* printed, and written into the parameter file */
    FILE *out = text_stream(&r->report, &size);
    if (out != NULL) {
        describe_origin(out, r);
        describe_measures(out, r);
    }
    if (!text_close(out, "the report", &err) ||
        (path != NULL && !output_write_or_fail(path, print_values, r, &err)))
        return command_fail(EXIT_FAILED, &err);
    if (path != NULL && strcmp(path, "-") == 0)
        return EXIT_DONE;
    fputs(r->report, stdout);
    printf("time  %s, compilation included, %s\n", format_duration(r->seconds, text),
           format_things(r->settings.threads, "thread", threads));
    if (path != NULL)
        printf("parameters  %s\n", shown_text(path));
    return EXIT_DONE;
}

static bool print_saliency(FILE *out, const void *context, struct error *err)
{
    const struct regress *r = context;
    const int count = r->table.count;
    double *values = calloc((size_t)count + 1, sizeof *values);
    const bool good = (values != NULL || error_set(err, "no memory for %d weights", count)) &&
                      prune_saliency(r->set, r->settings.method, r->weights, r->fit.scale,
                                     r->settings.threads, values, err);
    fputs("weight,value,saliency\n", out);
    for (int i = 0; good && i < count; i++) {
        csv_text(out, r->rows[i].name);
        fprintf(out, ",%d,%.9f\n", r->weights[i], values[i]);
    }
    free(values);
    return good;
}

/* ---- the command ---- */

/* The name of the output `i`: of --prune with a number of weights in place of %d. */
static const char *output_name(const struct regress *r, int i, char path[OUTPUT_PATH])
{
    return r->prune.count > 0 ? command_numbered(r->output, r->prune.keep[i], path) : r->output;
}

/* Checks that all outputs can be written, and that the table of --saliency is none of the others. Returns
 * EXIT_DONE, or the exit code. */
static int check_outputs(const struct regress *r)
{
    struct error err;
    char path[OUTPUT_PATH];
    const int outputs = r->output == NULL ? 0 : r->prune.count > 0 ? r->prune.count : 1;
    for (int i = 0; r->saliency != NULL && i < outputs; i++)
        if (!command_two_outputs("regress", "--saliency", r->saliency, output_name(r, i, path)))
            return EXIT_BAD;
    for (int i = 0; i < outputs; i++)
        if (!output_check(output_name(r, i, path), r->force, &err))
            return command_fail(EXIT_BAD, &err);
    return r->saliency == NULL || output_check(r->saliency, r->force, &err)
               ? EXIT_DONE
               : command_fail(EXIT_BAD, &err);
}

static int finish(struct regress *r, const char *path)
{
    struct error err = {""};
    const bool measured = *r->stop == 0 && measure_fit(r, &err);
    if (*r->stop != 0) {
        fprintf(stderr, "grayling: interrupted; nothing%s is written\n",
                r->prune.count > 0 ? " more" : "");
        return EXIT_INTERRUPTED;
    }
    if (measured)
        return report_fit(r, path);
    r->unmeasured = err; /* what was fitted is kept all the same */
    report_fit(r, path);
    return command_fail(EXIT_FAILED, &err);
}

static int prune(struct regress *r)
{
    int code = EXIT_DONE;
    for (int i = 0; code == EXIT_DONE && i < r->prune.count; i++) {
        char path[OUTPUT_PATH];
        struct error err;
        const struct prune_watcher watcher = {
            .context = r,
            .pruned = show_pruned,
            .fit = {.context = r, .step = show_step, .stop = r->stop}};
        const double begun = clock_seconds();
        const bool good = prune_run(r->set, &r->settings, r->rows, r->prune.keep[i], &watcher,
                                    r->weights, &r->fit, &err);
        r->seconds += clock_seconds() - begun;
        progress_end(&r->progress);
        if (!good)
            return command_fail(EXIT_FAILED, &err);
        code = finish(r, r->output != NULL ? output_name(r, i, path) : NULL);
    }
    return code;
}

static int run(struct regress *r)
{
    struct error err;
    if (check_outputs(r) != EXIT_DONE)
        return EXIT_BAD;
    r->stop = interrupt_watch();
    progress_wait(&r->progress, "reading the positions");
    if (!open_evaluation(r, &err) || !choose_start(r, &err) || !load(r, &err) ||
        !fit_values(r, &err)) {
        progress_end(&r->progress);
        return command_fail(EXIT_BAD, &err);
    }
    const bool written = r->saliency == NULL || r->fit.stopped ||
                         output_write_or_fail(r->saliency, print_saliency, r, &err);
    if (!written)
        command_fail(EXIT_FAILED, &err);
    const int code = r->prune.count > 0 && !r->fit.stopped ? prune(r) : finish(r, r->output);
    return written || code != EXIT_DONE ? code : EXIT_FAILED;
}

int cmd_regress(int argc, char **argv)
{
    struct regress r = {.from = "initial", .steps = -1, .settings.seed = 1};
    int code = options_read(&cmd, &argc, &argv, &r);
    r.mixed = *regression_methods[r.method];
    r.settings.method = &r.mixed;
    if (code == OPTIONS_READ)
        code = check_options(&r);
    if (code == OPTIONS_READ) {
        r.files = (const char *const *)argv;
        r.file_count = argc;
        r.subjects = calloc((size_t)r.held_out.count + 1, sizeof *r.subjects);
        r.origins = calloc((size_t)argc + 1, sizeof *r.origins);
        code = r.subjects != NULL && r.origins != NULL
                   ? run(&r)
                   : command_fail(EXIT_FAILED, &(struct error){"no memory"});
    }
    for (int i = 0; r.subjects != NULL && i <= r.held_out.count; i++)
        dataset_free(&r.subjects[i].positions);
    compiled_destroy(r.set);
    tuned_evaluation_close(&r.evaluation);
    free(r.rows);
    free(r.weights);
    free(r.report);
    free(r.origins);
    free(r.subjects);
    return code;
}
