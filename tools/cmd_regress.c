/* grayling regress: fits the evaluation by gradient methods, a yardstick for the genetic
 * algorithm. */
#include "command.h"

#include "checksum.h"
#include "clock.h"
#include "data_files.h"
#include "format.h"
#include "interrupt.h"
#include "output.h"
#include "params_write.h"
#include "parse.h"
#include "progress.h"
#include "regression.h"
#include "softmax.h"
#include "texel.h"
#include "tuned_evaluation.h"
#include "values.h"
#include "version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: grayling regress POSITIONS.epd... [-o PARAMS.yaml] [OPTIONS]\n\n"
    "Fits the evaluation to positions by gradient descent, and measures the fit on\n"
    "these positions and on held-out ones. Where it applies it is faster than\n"
    "evolution, and a yardstick for it. The same positions and options give the same\n"
    "values for any number of threads. Ctrl-C writes nothing (exit code 130).\n\n"
    "  --method METHOD   softmax (default): fits the moves played (bm), by\n"
    "                    multinomial regression on the values of the moves\n"
    "                    texel: fits the results of the games (c9 \"1-0\"; or a\n"
    "                    label: FEN [1.0], FEN; [1-0], FEN | 35 | 1.0, for White), by\n"
    "                    logistic regression on the values of the positions, least\n"
    "                    squares\n"
    "                    texel-entropy: as texel, by cross-entropy. All values are\n"
    "                    those after quiescence\n"
    "  --held-out FILE   positions for measuring only; repeatable. Moves are counted\n"
    "                    in positions with bm, results in those that have one\n"
    "  --from START      initial (default): the initial values\n"
    "                    random: random values by --seed\n"
    "                    FILE: a parameter file, or a run for its best organism\n"
    "  --space SPACE     the weights to fit, with their ranges: a space file of our\n"
    "                    evaluation, or of one that speaks the trace protocol\n"
    "                    (default: our evaluation)\n"
    "  --seed S          seed for random values (1)\n"
    "  --steps N         descent steps (softmax 150, texel 400; three times as many\n"
    "                    from random values); 0 measures the values unchanged\n"
    "  --prior CP        keep weights near the initial values, as a normal prior of this\n"
    "                    standard deviation does (default: none)\n"
    "  --likely CP       softmax: leave out the moves of the training positions that the\n"
    "                    values of --from put more than this below the best; for many\n"
    "                    positions, as it takes a fraction of the memory\n"
    "  --scale CP        K of texel, the temperature of softmax, in centipawns\n"
    "                    (default: fitted)\n"
    "  -o, --output FILE write the values, as a parameter file (default: not written)\n"
    "  --force           overwrite an existing file\n"
    "  --threads N       number of threads (all cores, or OMP_NUM_THREADS)\n\n"
    "  grayling regress results-train --method texel \\\n"
    "      --held-out results-held-out --held-out held-out -o texel.yaml\n";

/* Positions of one or several files, with the measurements on them. */
struct subject {
    const char *name;
    struct dataset positions;
    bool has_moves, has_loss;
    struct regression_loss loss;
    int64_t matched;
};

/* The command line, and the state of the command. */
struct regress {
    struct regression_settings settings;
    double likely; /* centipawns; 0: all moves */
    struct tuned_evaluation evaluation;
    int32_t *weights; /* owned: at the start, then those found */
    const char *from, *output, *space;
    uint64_t seed;
    int steps; /* -1: the method's default */
    bool force, show_help;
    const char **files, **held_out; /* both lists point into argv and are argc long at most */
    int file_count, held_out_count;
    struct subject *subjects; /* the training positions, then each held-out file */
    struct regression_fit fit;
    double seconds; /* duration of the fit, compilation included */
    struct progress progress;
    char *report; /* the lines about the fit; owned */
};

/* ---- options ---- */

enum option_id {
    OPTION_METHOD = 256,
    OPTION_HELD_OUT,
    OPTION_FROM,
    OPTION_SPACE,
    OPTION_SEED,
    OPTION_STEPS,
    OPTION_SCALE,
    OPTION_PRIOR,
    OPTION_LIKELY,
    OPTION_FORCE,
    OPTION_THREADS,
};

static const struct option long_options[] = {
    {"method", required_argument, NULL, OPTION_METHOD},
    {"held-out", required_argument, NULL, OPTION_HELD_OUT},
    {"from", required_argument, NULL, OPTION_FROM},
    {"space", required_argument, NULL, OPTION_SPACE},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"steps", required_argument, NULL, OPTION_STEPS},
    {"scale", required_argument, NULL, OPTION_SCALE},
    {"prior", required_argument, NULL, OPTION_PRIOR},
    {"likely", required_argument, NULL, OPTION_LIKELY},
    {"output", required_argument, NULL, 'o'},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* Reads the name of a method. */
static bool take_method(struct regress *r, const char *name)
{
    for (int i = 0; regression_methods[i] != NULL; i++) {
        r->settings.method = regression_methods[i];
        if (strcmp(name, regression_methods[i]->name) == 0)
            return true;
    }
    command_misuse("regress", "--method is softmax, texel or texel-entropy, not '%s'", name);
    return false;
}

/* Reads an option in centipawns. */
static bool take_centipawns(const char *option, const char *text, double *value)
{
    if (parse_double(text, value) && *value >= 1 && *value <= 100000)
        return true;
    command_misuse("regress", "%s takes centipawns from 1 to 100000, not '%s'", option, text);
    return false;
}

/* Reads one option. On failure prints the reason and returns false. */
static bool take_option(struct regress *r, int id, const char *text)
{
    switch (id) {
    case OPTION_METHOD:
        return take_method(r, text);
    case OPTION_HELD_OUT:
        r->held_out[r->held_out_count++] = text;
        return true;
    case OPTION_FROM:
        r->from = text;
        return true;
    case OPTION_SPACE:
        r->space = text;
        return true;
    case OPTION_SEED:
        return command_count("regress", "--seed", text, 0, INT64_MAX, &r->seed);
    case OPTION_STEPS:
        return command_int("regress", "--steps", text, 0, 1000000, &r->steps);
    case OPTION_SCALE:
        return take_centipawns("--scale", text, &r->settings.scale);
    case OPTION_PRIOR:
        return take_centipawns("--prior", text, &r->settings.prior);
    case OPTION_LIKELY:
        return take_centipawns("--likely", text, &r->likely);
    case OPTION_THREADS:
        return command_int("regress", "--threads", text, 1, 1024, &r->settings.threads);
    case OPTION_FORCE:
        return r->force = true;
    case 'h':
        return r->show_help = true;
    default:
        r->output = text;
        return true;
    }
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct regress *r)
{
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("regress", c, argv);
        if (!take_option(r, c, optarg))
            return EXIT_BAD;
    }
    r->file_count = argc - optind;
    for (int i = 0; i < r->file_count; i++)
        r->files[i] = argv[optind + i];
    if (r->show_help)
        return EXIT_DONE;
    if (r->file_count == 0)
        return command_misuse("regress", "no positions are given");
    if (r->likely > 0 && r->settings.method != &softmax_method)
        return command_misuse("regress", "--likely is for --method softmax, which compares moves");
    return EXIT_DONE;
}

/* ---- input ---- */

/* Opens the evaluation whose weights are fitted. */
static bool open_evaluation(struct regress *r, struct error *err)
{
    char path[PATH_SIZE] = "";
    if ((r->space != NULL && !data_file_find(r->space, DATA_SPACES, path, err)) ||
        !tuned_evaluation_open(&r->evaluation, path, err))
        return false;
    r->weights = calloc((size_t)r->evaluation.genes.count + 1, sizeof *r->weights);
    r->settings.start = r->weights;
    r->settings.table = &r->evaluation.genes;
    return r->weights != NULL || error_set(err, "no memory for the weights");
}

/* Sets the initial weights and the number of steps. */
static bool choose_start(struct regress *r, struct error *err)
{
    struct regression_settings *s = &r->settings;
    const struct param_table *table = &r->evaluation.genes;
    bool random = strcmp(r->from, "random") == 0;
    s->steps = r->steps >= 0 ? r->steps : s->method->steps * (random ? 3 : 1);
    if (random)
        regression_random_start(table, r->seed, r->weights);
    else
        regression_initial_start(table, r->weights);
    char path[PATH_SIZE];
    return random || strcmp(r->from, "initial") == 0 ||
           (data_file_find(r->from, DATA_PARAMS, path, err) &&
            values_read(path, table, r->weights, err));
}

static bool has_need(const struct epd *epd, enum epd_need need)
{
    return need == EPD_NEED_BEST ? epd->best_count > 0 : epd->result != PGN_UNKNOWN;
}

/* Counts the positions that have the data needed. */
static size_t count_having(const struct dataset *d, enum epd_need need)
{
    size_t count = 0;
    for (size_t i = 0; i < d->count; i++)
        count += has_need(&d->items[i], need);
    return count;
}

/* Checks that all positions have it, or none; else the error names the first that lacks it. */
static bool all_or_none(const char *path, const struct dataset *d, enum epd_need need, bool *all,
                        struct error *err)
{
    struct dataset again = {0};
    size_t count = count_having(d, need);
    *all = count == d->count;
    bool good = *all || count == 0 || dataset_load_needed(&again, path, need, err);
    dataset_free(&again);
    return good;
}

/* Loads a held-out file. Its data decides what is measured on it. */
static bool load_held_out(const struct regress *r, const char *name, struct subject *s,
                          struct error *err)
{
    char path[PATH_SIZE];
    s->name = name;
    if (!data_file_find(name, DATA_POSITIONS, path, err) ||
        !dataset_load(&s->positions, path, true, err) ||
        !all_or_none(path, &s->positions, EPD_NEED_BEST, &s->has_moves, err) ||
        !all_or_none(path, &s->positions, r->settings.method->need, &s->has_loss, err))
        return false;
    return (s->positions.count > 0 && (s->has_moves || s->has_loss)) ||
           error_set(err, "%s: nothing to measure; expected positions with bm MOVE;%s", path,
                     r->settings.method->need == EPD_NEED_RESULT ? " or c9 \"RESULT\";" : "");
}

/* Loads all positions. */
static bool load(struct regress *r, struct error *err)
{
    struct subject *train = &r->subjects[0];
    char path[PATH_SIZE];
    train->name = "train";
    for (int i = 0; i < r->file_count; i++)
        if (!data_file_find(r->files[i], DATA_POSITIONS, path, err) ||
            !dataset_load_needed(&train->positions, path, r->settings.method->need, err))
            return false;
    if (train->positions.count == 0)
        return error_set(err, "%s: no positions", r->files[0]);
    train->has_loss = true;
    train->has_moves = count_having(&train->positions, EPD_NEED_BEST) == train->positions.count;
    for (int i = 0; i < r->held_out_count; i++)
        if (!load_held_out(r, r->held_out[i], &r->subjects[1 + i], err))
            return false;
    return true;
}

/* ---- the work ---- */

static void show_step(void *context, int done, int total, double loss)
{
    struct regress *r = context;
    char note[64];
    if (done == 1)
        progress_begin(&r->progress, "step", 0);
    snprintf(note, sizeof note, "loss %.5f", loss);
    progress_show(&r->progress, done, total, note);
}

/* Compiles the likely moves of the training positions. */
static struct compiled_set *compile_likely(const struct regress *r, const struct subject *train,
                                           struct error *err)
{
    const int count = r->evaluation.genes.count;
    double *weights = calloc((size_t)count + 1, sizeof *weights);
    for (int i = 0; weights != NULL && i < count; i++)
        weights[i] = r->weights[i];
    struct compiled_set *set = NULL;
    if (weights == NULL)
        error_set(err, "no memory for %d weights", count);
    else
        set = compiled_create_likely(train->positions.items, train->positions.count,
                                     LEAF_QUIESCENCE, tuned_evaluation_source(&r->evaluation),
                                     weights, r->likely, r->settings.threads, err);
    free(weights);
    return set;
}

/* Compiles the training positions. */
static struct compiled_set *compile_train(const struct regress *r, const struct subject *train,
                                          struct error *err)
{
    const struct regression_settings *s = &r->settings;
    return r->likely > 0
               ? compile_likely(r, train, err)
               : s->method->compile(train->positions.items, train->positions.count,
                                    tuned_evaluation_source(&r->evaluation), s->threads, err);
}

/* Compiles the training positions, fits the values and measures the loss on these positions. */
static bool fit(struct regress *r, const volatile sig_atomic_t *stop, struct error *err)
{
    const struct regression_settings *s = &r->settings;
    const struct regression_watcher watcher = {.context = r, .step = show_step, .stop = stop};
    struct subject *train = &r->subjects[0];
    double begun = clock_seconds();
    struct compiled_set *set = compile_train(r, train, err);
    bool good = set != NULL && regression_run(set, s, &watcher, r->weights, &r->fit, err);
    r->seconds = clock_seconds() - begun;
    if (good && !r->fit.stopped)
        good = regression_measure(set, s->method, r->weights, r->fit.scale, s->threads,
                                  &train->loss, err);
    compiled_destroy(set);
    return good;
}

/* Measures the loss on held-out positions. */
static bool measure_loss(const struct regress *r, struct subject *s, struct error *err)
{
    const struct regression_settings *set = &r->settings;
    struct compiled_set *compiled =
        set->method->compile(s->positions.items, s->positions.count,
                             tuned_evaluation_source(&r->evaluation), set->threads, err);
    bool good = compiled != NULL && regression_measure(compiled, set->method, r->weights,
                                                       r->fit.scale, set->threads, &s->loss, err);
    compiled_destroy(compiled);
    return good;
}

/* Measures the fit on all positions that allow it. */
static bool measure(struct regress *r, const volatile sig_atomic_t *stop, struct error *err)
{
    for (int i = 0; i <= r->held_out_count && *stop == 0; i++) {
        struct subject *s = &r->subjects[i];
        if (i > 0 && s->has_loss && !measure_loss(r, s, err))
            return false;
        if (s->has_moves &&
            !compiled_match_all(s->positions.items, s->positions.count, LEAF_QUIESCENCE,
                                tuned_evaluation_source(&r->evaluation), r->weights, 1,
                                r->settings.threads, &s->matched, err))
            return false;
    }
    return true;
}

/* ---- the report ---- */

/* Prints the origin of the values. */
static bool describe_origin(FILE *out, const struct regress *r, struct error *err)
{
    const struct regression_settings *s = &r->settings;
    char count[COUNTED_MAX], sum[CHECKSUM_MAX], path[PATH_SIZE];
    fprintf(out, "Fitted by grayling " GRAYLING_VERSION ": %s, %s from %s values", s->method->name,
            format_things(s->steps, "step", count), r->from);
    if (strcmp(r->from, "random") == 0)
        fprintf(out, ", seed %" PRIu64, r->seed);
    fprintf(out, ";\n%s %.1f centipawns%s.\n", s->method->scale, r->fit.scale,
            s->scale > 0 ? ", as given" : "");
    fprintf(out, "%s from\n",
            format_things((int64_t)r->subjects[0].positions.count, "position", count));
    for (int i = 0; i < r->file_count; i++) {
        if (!data_file_find(r->files[i], DATA_POSITIONS, path, err) ||
            !checksum_file(path, sum, err))
            return false;
        fprintf(out, "  %s, SHA-256 %s\n", r->files[i], sum);
    }
    return true;
}

/* Prints the losses and the moves matched, for all positions that have them. */
static void describe_measures(FILE *out, const struct regress *r)
{
    char text[FORMAT_MAX];
    fprintf(out, "%s, 95 %% interval in parentheses:\n", r->settings.method->loss);
    for (int i = 0; i <= r->held_out_count; i++) {
        const struct regression_loss *l = &r->subjects[i].loss;
        if (!r->subjects[i].has_loss)
            continue;
        fprintf(out, "  %-28s  %.5f  (%.5f to %.5f)", r->subjects[i].name, l->mean,
                l->mean - 1.96 * l->error, l->mean + 1.96 * l->error);
        if (l->left_out > 0)
            fprintf(out, ", %zu left out", l->left_out);
        fputc('\n', out);
    }
    bool told = false;
    for (int i = 0; i <= r->held_out_count; i++) {
        const struct subject *s = &r->subjects[i];
        if (s->has_moves && !told)
            fprintf(out, "moves matched, 95 %% interval in parentheses:\n");
        told = told || s->has_moves;
        if (s->has_moves)
            fprintf(out, "  %-28s  %s\n", s->name,
                    objective_full(&objective_moves_matched, s->matched,
                                   (int64_t)s->positions.count, text));
    }
}

/* Collects the report in one text, which is printed and written into the parameter file. */
static bool describe(struct regress *r, struct error *err)
{
    size_t size;
    FILE *out = open_memstream(&r->report, &size);
    if (out == NULL)
        return error_set(err, "no memory for the report");
    bool good = describe_origin(out, r, err);
    if (good)
        describe_measures(out, r);
    return (fclose(out) == 0 || error_set(err, "no memory for the report")) && good;
}

/* Writes the parameter file; a callback for output_write, which detects failures. */
static void print_values(FILE *out, void *context)
{
    const struct regress *r = context;
    params_write(out, PARAMS_YAML, &r->evaluation.genes, r->weights, r->report, NULL);
}

/* ---- the command ---- */

/* Prints and writes the result; returns the exit code. */
static int finish(struct regress *r)
{
    struct error err;
    char text[FORMAT_MAX], threads[COUNTED_MAX];
    if (!describe(r, &err) ||
        (r->output != NULL && !output_write(r->output, print_values, r, &err)))
        return command_fail(EXIT_FAILED, &err);
    if (r->output != NULL && strcmp(r->output, "-") == 0)
        return EXIT_DONE;
    fputs(r->report, stdout);
    printf("time  %s, compilation included, %s\n", format_duration(r->seconds, text),
           format_things(r->settings.threads, "thread", threads));
    if (r->output != NULL)
        printf("parameters  %s\n", r->output);
    return EXIT_DONE;
}

/* Runs the command, after its command line is read. */
static int run(struct regress *r)
{
    struct error err;
    const volatile sig_atomic_t *stop = interrupt_watch();
    progress_wait(&r->progress, "reading the positions");
    if ((r->output != NULL && !output_check(r->output, r->force, &err)) ||
        !open_evaluation(r, &err) || !choose_start(r, &err) || !load(r, &err) ||
        !fit(r, stop, &err)) {
        progress_end(&r->progress);
        return command_fail(EXIT_BAD, &err);
    }
    progress_end(&r->progress);
    if (!measure(r, stop, &err))
        return command_fail(EXIT_FAILED, &err);
    if (*stop != 0) {
        fputs("grayling: interrupted; nothing is written\n", stderr);
        return EXIT_INTERRUPTED;
    }
    return finish(r);
}

int cmd_regress(int argc, char **argv)
{
    struct regress r = {.from = "initial", .seed = 1, .steps = -1};
    struct error err;
    r.settings.method = &softmax_method;
    r.settings.threads = command_threads();
    r.files = calloc((size_t)argc + 1, sizeof *r.files);
    r.held_out = calloc((size_t)argc + 1, sizeof *r.held_out);
    r.subjects = calloc((size_t)argc + 1, sizeof *r.subjects);
    int code = EXIT_FAILED;
    if (r.files == NULL || r.held_out == NULL || r.subjects == NULL) {
        error_set(&err, "no memory");
        command_fail(EXIT_FAILED, &err);
    } else if ((code = read_options(argc, argv, &r)) == EXIT_DONE && r.show_help)
        fputs(help, stdout);
    else if (code == EXIT_DONE)
        code = run(&r);
    for (int i = 0; r.subjects != NULL && i <= r.held_out_count; i++)
        dataset_free(&r.subjects[i].positions);
    tuned_evaluation_close(&r.evaluation);
    free(r.weights);
    free(r.report);
    free(r.subjects);
    free(r.held_out);
    free(r.files);
    return code;
}
