/* grayling regress: fits the evaluation by gradient methods, a yardstick for the genetic
 * algorithm. */
#include "command.h"

#include "interrupt.h"
#include "output.h"
#include "parse.h"
#include "regress.h"
#include "softmax.h"
#include "trust.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: grayling regress POSITIONS.epd... [-o PARAMS.yaml] [OPTIONS]\n\n"
    "Fits the evaluation to positions by gradient descent, and measures the fit on\n"
    "these and on held-out ones. grayling(1) says more of the methods.\n\n"
    "  --method METHOD   softmax (default) or softmax-misses: to moves played (bm);\n"
    "                    texel or texel-entropy: to the results of games (c9, [1.0])\n"
    "  --held-out FILE   positions for measuring only; repeatable\n"
    "  --from START      initial (default), random, a parameter file, or a run\n"
    "  --space SPACE     the weights to fit: evaluation (default), evaluation-modern,\n"
    "                    or a space file, ours or of the trace protocol\n"
    "  --steps N         descent steps (150; texel 400; from random ones 3 times)\n"
    "  --batch N         positions a step, in a random order (default: all)\n"
    "  --scale CP        K of texel, temperature of softmax (default: fitted)\n"
    "  --prior SIZE      keep weights near the initial values: standard deviation\n"
    "  --likely CP       softmax: leave out moves this far below the best at first\n"
    "  --prune N,...     remove the weights that matter least until N are left\n"
    "  --saliency FILE   write what each weight is worth, CSV\n"
    "  --seed S, --threads N  (1; all cores, or OMP_NUM_THREADS)\n"
    "  -o, --output FILE, --force  the values, a parameter file; overwrite\n"
    "  --trust           start the evaluation of a file that you have not used before\n\n"
    "  grayling regress results-train --method texel --held-out results-held-out\n";

/* ---- options ---- */

enum option_id {
    OPTION_METHOD = 256,
    OPTION_HELD_OUT,
    OPTION_FROM,
    OPTION_SPACE,
    OPTION_SEED,
    OPTION_STEPS,
    OPTION_SCALE,
    OPTION_BATCH,
    OPTION_PRIOR,
    OPTION_LIKELY,
    OPTION_PRUNE,
    OPTION_SALIENCY,
    OPTION_FORCE,
    OPTION_TRUST,
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
    {"batch", required_argument, NULL, OPTION_BATCH},
    {"prior", required_argument, NULL, OPTION_PRIOR},
    {"likely", required_argument, NULL, OPTION_LIKELY},
    {"prune", required_argument, NULL, OPTION_PRUNE},
    {"saliency", required_argument, NULL, OPTION_SALIENCY},
    {"output", required_argument, NULL, 'o'},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"trust", no_argument, NULL, OPTION_TRUST},
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
    command_misuse("regress",
                   "--method is softmax, softmax-misses, texel or "
                   "texel-entropy, not '%s'",
                   name);
    return false;
}

/* Reads an option in some unit. */
static bool take_size(const char *option, const char *unit, const char *text, double *value)
{
    if (parse_double(text, value) && *value >= 1 && *value <= 100000)
        return true;
    command_misuse("regress", "%s takes %s from 1 to 100000, not '%s'", option, unit, text);
    return false;
}

/* Reads the numbers of weights to keep, each smaller than the one before. */
static bool take_prune(struct regress *r, const char *text)
{
    for (const char *at = text; r->prune_count < REGRESS_TARGETS;) {
        char word[16];
        size_t length = strcspn(at, ",");
        int *keep = &r->prune[r->prune_count];
        snprintf(word, sizeof word, "%.*s", (int)(length < 15 ? length : 15), at);
        if (!command_int("regress", "--prune", word, 1, EVALUATOR_WEIGHTS_MAX, keep))
            return false;
        if (r->prune_count++ > 0 && *keep >= keep[-1])
            break;
        if (at[length] == '\0')
            return true;
        at += length + 1;
    }
    command_misuse("regress", "--prune takes up to %d falling numbers, as in 700,350, not '%s'",
                   REGRESS_TARGETS, text);
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
        return command_count("regress", "--seed", text, 0, INT64_MAX, &r->settings.seed);
    case OPTION_STEPS:
        return command_int("regress", "--steps", text, 0, 1000000, &r->steps);
    case OPTION_SCALE:
        return take_size("--scale", "centipawns", text, &r->settings.scale);
    case OPTION_BATCH:
        return command_int("regress", "--batch", text, 1, INT32_MAX, &r->settings.batch);
    case OPTION_PRIOR:
        return take_size("--prior", "a size in the unit of the weights", text, &r->settings.prior);
    case OPTION_LIKELY:
        return take_size("--likely", "centipawns", text, &r->likely);
    case OPTION_PRUNE:
        return take_prune(r, text);
    case OPTION_SALIENCY:
        r->saliency = text;
        return true;
    case OPTION_THREADS:
        return command_int("regress", "--threads", text, 1, 1024, &r->settings.threads);
    case OPTION_TRUST:
        trust_all();
        return true;
    case OPTION_FORCE:
        return r->force = true;
    case 'h':
        return r->show_help = true;
    default:
        r->output = text;
        return true;
    }
}

/* Checks the options that not every method has. Returns EXIT_DONE, or the exit code. */
static int check_method(const struct regress *r)
{
    const struct regression_method *method = r->settings.method;
    if (method->needs_scale && r->settings.scale == 0)
        return command_misuse("regress",
                              "--method %s needs --scale: about a tenth of the temperature of the "
                              "fit that --from names",
                              method->name);
    if (!method->likelihood && (r->prune_count > 0 || r->saliency != NULL))
        return command_misuse("regress",
                              "--prune and --saliency need a likelihood: prune with "
                              "--method softmax or texel-entropy, then fit what is left");
    if (r->likely > 0 && method->need != EPD_NEED_BEST)
        return command_misuse("regress", "--likely is for methods that compare moves: softmax");
    return EXIT_DONE;
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct regress *r)
{
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("regress", c, argv, long_options);
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
    if (check_method(r) != EXIT_DONE)
        return EXIT_BAD;
    if (r->prune_count > 1 && r->output != NULL && strstr(r->output, "%d") == NULL)
        return command_misuse("regress", "-o takes a name with %%d for the results of --prune");
    return EXIT_DONE;
}

/* ---- the command ---- */

/* The name of the output with a number of weights in place of %d. */
static void output_name(const struct regress *r, int keep, char path[PATH_SIZE])
{
    const char *place = strstr(r->output, "%d");
    if (place == NULL)
        snprintf(path, PATH_SIZE, "%s", r->output);
    else
        snprintf(path, PATH_SIZE, "%.*s%d%s", (int)(place - r->output), r->output, keep, place + 2);
}

/* Checks that the table of --saliency and the values are different files. On failure prints the reason. */
static bool check_saliency(const struct regress *r)
{
    char path[PATH_SIZE];
    if (r->saliency == NULL || r->output == NULL)
        return true;
    for (int i = 0; i < r->prune_count; i++) {
        output_name(r, r->prune[i], path);
        if (!command_two_outputs("regress", "--saliency", r->saliency, path))
            return false;
    }
    return r->prune_count > 0 ||
           command_two_outputs("regress", "--saliency", r->saliency, r->output);
}

/* Checks that all outputs can be written. */
static bool check_outputs(const struct regress *r, struct error *err)
{
    char path[PATH_SIZE];
    if (r->saliency != NULL && !output_check(r->saliency, r->force, err))
        return false;
    if (r->output == NULL)
        return true;
    for (int i = 0; i < r->prune_count; i++) {
        output_name(r, r->prune[i], path);
        if (!output_check(path, r->force, err))
            return false;
    }
    return r->prune_count > 0 || output_check(r->output, r->force, err);
}

/* Measures and reports a fit. Returns the exit code. */
static int finish(struct regress *r, const char *path)
{
    struct error err = {""};
    const bool measured = *r->stop == 0 && regress_measure(r, &err);
    if (*r->stop != 0) {
        fprintf(stderr, "grayling: interrupted; nothing%s is written\n",
                r->prune_count > 0 ? " more" : "");
        return EXIT_INTERRUPTED;
    }
    if (measured)
        return regress_report(r, path);
    r->unmeasured = err; /* what was fitted is kept all the same */
    regress_report(r, path);
    return command_fail(EXIT_FAILED, &err);
}

/* Prunes to each of the numbers. Returns the exit code. */
static int prune(struct regress *r)
{
    int code = EXIT_DONE;
    for (int i = 0; code == EXIT_DONE && i < r->prune_count; i++) {
        char path[PATH_SIZE];
        struct error err;
        if (!regress_prune(r, r->prune[i], &err))
            return command_fail(EXIT_FAILED, &err);
        if (r->output != NULL)
            output_name(r, r->prune[i], path);
        code = finish(r, r->output != NULL ? path : NULL);
    }
    return code;
}

/* Runs the command, after its command line is read. */
static int run(struct regress *r)
{
    struct error err;
    if (!check_saliency(r))
        return EXIT_BAD;
    r->stop = interrupt_watch();
    progress_wait(&r->progress, "reading the positions");
    if (!check_outputs(r, &err) || !regress_load(r, &err) || !regress_fit(r, &err)) {
        progress_end(&r->progress);
        return command_fail(EXIT_BAD, &err);
    }
    const bool written = r->saliency == NULL || r->fit.stopped || regress_write_saliency(r, &err);
    if (!written)
        command_fail(EXIT_FAILED, &err);
    const int code = r->prune_count > 0 && !r->fit.stopped ? prune(r) : finish(r, r->output);
    return written || code != EXIT_DONE ? code : EXIT_FAILED;
}

int cmd_regress(int argc, char **argv)
{
    struct regress r = {.from = "initial", .steps = -1};
    struct error err;
    r.settings.method = &softmax_method;
    r.settings.seed = 1;
    r.settings.threads = command_threads();
    r.files = calloc((size_t)argc + 1, sizeof *r.files);
    r.held_out = calloc((size_t)argc + 1, sizeof *r.held_out);
    r.subjects = calloc((size_t)argc + 1, sizeof *r.subjects);
    r.origins = calloc((size_t)argc + 1, sizeof *r.origins);
    int code = EXIT_FAILED;
    if (r.files == NULL || r.held_out == NULL || r.subjects == NULL || r.origins == NULL) {
        error_set(&err, "no memory");
        command_fail(EXIT_FAILED, &err);
    } else if ((code = read_options(argc, argv, &r)) == EXIT_DONE && r.show_help)
        fputs(help, stdout);
    else if (code == EXIT_DONE)
        code = run(&r);
    for (int i = 0; r.subjects != NULL && i <= r.held_out_count; i++)
        dataset_free(&r.subjects[i].positions);
    compiled_destroy(r.set);
    tuned_evaluation_close(&r.evaluation);
    free(r.rows);
    free(r.weights);
    free(r.report);
    free(r.origins);
    free(r.subjects);
    free(r.held_out);
    free(r.files);
    return code;
}
