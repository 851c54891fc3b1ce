/* grayling regress: fits the evaluation by gradient methods, a yardstick for the genetic
 * algorithm. */
#include "command.h"

#include "interrupt.h"
#include "options.h"
#include "output.h"
#include "parse.h"
#include "regress.h"
#include "softmax.h"
#include "trust.h"

#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

static bool take_method(void *target, const char *text, struct error *err)
{
    for (int i = 0; regression_methods[i] != NULL; i++)
        if (strcmp(text, regression_methods[i]->name) == 0) {
            *(const struct regression_method **)target = regression_methods[i];
            return true;
        }
    return error_set(err, "takes softmax, softmax-misses, texel or texel-entropy, not '%s'", text);
}

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
    {"method", "METHOD", AS_CALL, AT(settings.method),
     "softmax (default) or softmax-misses: moves played (bm); texel or texel-entropy: results of games (c9, [1.0])",
     .take = take_method},
    {"held-out", "POSITIONS.epd", AS_LIST, AT(held_out), "for measuring only; repeatable"},
    {"from", "START", AS_TEXT, AT(from), "initial (default), random, a parameter file, or a run"},
    {"space", "SPACE", AS_TEXT, AT(space),
     "the weights to fit: evaluation (default), evaluation-modern, or a space file, ours or of the trace protocol"},
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
    "POSITIONS.epd",
    "positions",
    1,
    OPERANDS_ANY};

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
    if (r->likely > 0 && method->need != EPD_NEED_BEST)
        return command_misuse("regress", "--likely is for methods that compare moves: softmax");
    if (r->prune.count > 1 && r->output != NULL && strstr(r->output, "%d") == NULL)
        return command_misuse("regress", "-o takes a name with %%d for the results of --prune");
    return OPTIONS_READ;
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
    for (int i = 0; i < r->prune.count; i++) {
        output_name(r, r->prune.keep[i], path);
        if (!command_two_outputs("regress", "--saliency", r->saliency, path))
            return false;
    }
    return r->prune.count > 0 ||
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
    for (int i = 0; i < r->prune.count; i++) {
        output_name(r, r->prune.keep[i], path);
        if (!output_check(path, r->force, err))
            return false;
    }
    return r->prune.count > 0 || output_check(r->output, r->force, err);
}

/* Measures and reports a fit. Returns the exit code. */
static int finish(struct regress *r, const char *path)
{
    struct error err = {""};
    const bool measured = *r->stop == 0 && regress_measure(r, &err);
    if (*r->stop != 0) {
        fprintf(stderr, "grayling: interrupted; nothing%s is written\n",
                r->prune.count > 0 ? " more" : "");
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
    for (int i = 0; code == EXIT_DONE && i < r->prune.count; i++) {
        char path[PATH_SIZE];
        struct error err;
        if (!regress_prune(r, r->prune.keep[i], &err))
            return command_fail(EXIT_FAILED, &err);
        if (r->output != NULL)
            output_name(r, r->prune.keep[i], path);
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
    const int code = r->prune.count > 0 && !r->fit.stopped ? prune(r) : finish(r, r->output);
    return written || code != EXIT_DONE ? code : EXIT_FAILED;
}

int cmd_regress(int argc, char **argv)
{
    struct regress r = {
        .from = "initial", .steps = -1, .settings = {.method = &softmax_method, .seed = 1}};
    int code = options_read(&cmd, &argc, &argv, &r);
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
    free(r.held_out.items);
    return code;
}
