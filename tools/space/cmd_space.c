/* grayling space: the parameters of another engine, or the weights of a file, as a space. */
#include "command.h"

#include "calibrate_space.h"
#include "command_line.h"
#include "engine_file.h"
#include "evaluation.h"
#include "params_file.h"
#include "parse.h"
#include "space_engine.h"
#include "trust.h"
#include "values.h"
#include "version.h"
#include "yaml_document.h"

#include <unistd.h>

/* ---- an engine's options ---- */

/* What to do with the file. */
static const char advice[] =
    "\nDelete the lines that should keep their defaults, and narrow the ranges.\n"
    "Left out, as a run sets them: Hash (fitness.hash), Threads (1), OwnBook and Ponder (false).";

static void tell(const struct param_table *space, int options, const char *output)
{
    char evolve[COUNTED_MAX];
    int fixed = 0;
    for (int i = 0; i < space->count; i++)
        fixed += space->params[i].bits == 0;
    command_tell("space", output);
    fprintf(stderr, "%-10s  %s to tune and %d fixed, of the engine's %d\n", "took",
            format_things(space->count - fixed, "option", evolve), fixed, options);
    if (strcmp(output, "-") != 0)
        fprintf(stderr,
                "%-10s  thin it by hand; then 'grayling space %s --calibrate', and a recipe\n"
                "%-10s  with 'space: %s' for 'grayling evolve'\n",
                "next", shown_text(output), "", shown_text(output));
}

/* Writes the space of an engine's options; `from` is a tuner's input that says which of them evolve, or NULL. */
static int write_engine(const char *command, const char *from, const char *output)
{
    const struct uci_settings settings = {.command = command};
    struct error err;
    struct space space = {.params = NULL};
    char comment[640], name[101], author[101], file[101];
    int options;
    struct uci_client *client = uci_client_start(&settings, &err);
    if (client == NULL)
        return command_fail(EXIT_BAD, &err);
    bool read = space_of_engine(client, command, stderr, &space, &err);
    if (read && space.table.count == 0)
        read = error_set(&err, "%s has no options that a space can have", command);
    read = read && (from == NULL || space_take_tuner(&space, from, stderr, &err));
    uci_client_options(client, &options);
    foreign_text_copy(name, sizeof name, uci_client_name(client));
    foreign_text_copy(author, sizeof author, uci_client_author(client));
    foreign_text_copy(file, sizeof file, from == NULL ? "" : path_name(from));
    snprintf(comment, sizeof comment,
             "%s%s%s: its options%s%s, read by grayling " GRAYLING_VERSION ".%s", name,
             author[0] == '\0' ? "" : ", by ", author, from == NULL ? "" : " in ", file,
             from == NULL ? advice : "");
    uci_client_stop(client);
    space.table.command = command;
    if (read)
        trust_typed(command);
    const bool written = read && space_file_write(output, &space, comment, &err);
    if (written)
        tell(&space.table, options, output);
    space_free(&space);
    return written ? EXIT_DONE : command_fail(read ? EXIT_FAILED : EXIT_BAD, &err);
}

/* ---- the weights of a file ---- */

struct weight_ranges {
    int bits;    /* at most, of each weight; 0: those of the table */
    bool narrow; /* as the values of each term suggest */
};

struct weight_space {
    const char *path;
    struct weight_ranges ranges;
    const struct param_table *table;
    int32_t values[EVALUATION_WEIGHTS];
};

/* The table's range, or one as wide as the values of the weight's term suggest: 2^n values to both sides
 * of 0, or from 0 on, where 2^n is above 1.4 times the largest. It needs bits, and steps of 1. */
static struct param full_range(const struct weight_space *w, int weight)
{
    const struct param *p = &w->table->params[weight];
    struct param range = *p;
    int64_t largest = 0;
    int first = weight, end = weight + 1; /* each of the paper's weights is a term */
    if (w->table == &modern_eval_table)
        modern_term_weights(weight, &first, &end);
    for (int i = first; i < end; i++)
        largest = abs(w->values[i]) > largest ? abs(w->values[i]) : largest;
    const int sign = p->min < 0 ? 1 : 0; /* a bit of its own */
    int bits = sign + 1;
    while (bits < p->bits && 10 * (INT64_C(1) << (bits - sign)) <= 14 * largest)
        bits++;
    if (!w->ranges.narrow || bits >= p->bits)
        return range;
    range.bits = bits;
    range.min = sign != 0 ? -(1 << (bits - 1)) : p->min;
    range.max = range.min + (1 << bits) - 1;
    return range;
}

/* Writes the weights that are not 0, with the ranges of their table or narrower ones. */
static void print_weights(FILE *out, void *context)
{
    const struct weight_space *w = context;
    fprintf(out, "# The weights of %s that are not 0. All others are 0.\nkind: %s\nparameters:\n",
            w->path, w->table->kind);
    for (int i = 0; i < w->table->count; i++) {
        if (w->values[i] == 0 && params_omit_zeros(w->table))
            continue;
        struct param p = full_range(w, i);
        const int bits = w->ranges.bits;
        if (bits != 0 && bits < p.bits) { /* with a step */
            p.step = 1 << (p.bits - bits);
            p.bits = bits;
            p.max = param_largest(&p);
        }
        space_write_ours(out, &p);
    }
}

/* Writes the space of a file's weights, of an evaluation of ours. */
static int write_weights(const char *path, const struct weight_ranges *ranges, const char *output)
{
    struct error err;
    struct weight_space w = {.path = path, .ranges = *ranges};
    w.table = params_read_any(path, evaluation_tables, w.values, &err);
    if (w.table == NULL)
        return command_fail(EXIT_BAD, &err);
    return command_wrote(output_write(output, print_weights, &w, &err), "space", output, &err);
}

/* ---- the command ---- */

struct request {
    const char *subject, *from, *output;
    bool force, calibrate;
    struct weight_ranges ranges;
    struct calibrate_options calibration;
};

/* Reads a share of the moves, "5" or "5%". */
static bool take_share(void *target, const char *text, struct error *err)
{
    char number[32] = "";
    double share;
    const size_t length = strcspn(text, "%");
    if (length < sizeof number && (text[length] == '\0' || text[length + 1] == '\0'))
        memcpy(number, text, length);
    if (!parse_double(number, &share) || share <= 0 || share > 50)
        return error_set(err, "takes a percentage above 0, at most 50, not '%s'", text);
    *(double *)target = share;
    return true;
}

#define AT(member) OPTION_AT(struct request, member)

/* Those of --calibrate are together: `check` refuses them without it. */
static const struct option_row calibration_rows[] = {
    {"share", "P", AS_CALL, AT(calibration.share), "of the moves, in percent (5)",
     .take = take_share},
    {"positions", "POSITIONS.epd", AS_TEXT, AT(calibration.positions),
     "where (train-1), how many (500)"},
    {"count", "N", AS_NUMBER, AT(calibration.count), NULL, 1, 1000000},
    {"values", "PARAMS.yaml", AS_TEXT, AT(calibration.values),
     "where distances begin (the defaults)"},
    {"eval", "PARAMS.yaml", AS_TEXT, AT(calibration.evaluation), "our other half (default-...)"},
    {"search", "PARAMS.yaml", AS_TEXT, AT(calibration.search)},
    {"nodes", "N", AS_NUMBER, AT(calibration.nodes),
     "of a search (2000); of an engine (16; of ours 1)", 1, 1000000000},
    {"hash", "MIB", AS_NUMBER, AT(calibration.hash), NULL, 1, 65536},
    OPTION_THREADS(AT(calibration.threads)),
    {0}};

static const struct option_row option_rows[] = {
    {"from", "FILE", AS_TEXT, AT(from),
     "only the parameters of a tuner's input, with its ranges (OpenBench, fishtest or "
     "weather-factory's config.json)"},
    {"bits", "N", AS_NUMBER, AT(ranges.bits), "of weights: at most N bits each, with larger steps",
     1, 16},
    {"narrow", NULL, AS_FLAG, AT(ranges.narrow), "of weights: ranges that fit the values"},
    {"output", "FILE", AS_TEXT, AT(output), "the space; overwrite; see 'evolve'", .letter = 'o'},
    {"force", NULL, AS_FLAG, AT(force)},
    {"trust", NULL, AS_CALL, OPTION_NOWHERE, .take = option_trust},
    {"calibrate", NULL, AS_FLAG, AT(calibrate),
     "print each parameter's influence; with -o write it as c"},
    OPTION_ROWS(calibration_rows)};

static const struct command cmd = {
    "space",
    "usage: grayling space ENGINE [--from FILE] [-o SPACE.yaml]\n"
    "       grayling space PARAMS.yaml [--bits N] [--narrow] [-o SPACE.yaml]\n"
    "       grayling space SPACE.yaml --calibrate [-o SPACE.yaml] [OPTIONS]\n\n"
    "Writes the parameters that a run may change: of an engine's options, which you\n"
    "thin by hand; or of the weights in a file that are not 0. --calibrate finds how\n"
    "far each one moves until 5 % of the best moves change; it plays no game.\n",
    option_rows,
    "  grayling space toga2 -o toga2.yaml\n",
    {"PARAMS.yaml", "one engine or file (quote an engine's arguments: 'gnuchess -u')", 1, 1}};

static const struct request usual = {.calibration = {.positions = "train-1",
                                                     .evaluation = "default-eval",
                                                     .search = "default-search",
                                                     .count = 500,
                                                     .nodes = 2000,
                                                     .share = 5}};

/* Refuses options that do not belong together. */
static int check(const struct request *r)
{
    const char *of_file = r->ranges.bits != 0 ? "--bits" : r->ranges.narrow ? "--narrow" : NULL;
    if (r->calibrate && (r->from != NULL || of_file != NULL))
        return command_misuse("space", "%s makes a space, which --calibrate reads: two commands",
                              r->from != NULL ? "--from" : of_file);
    if (r->from != NULL && of_file != NULL)
        return command_misuse("space", "%s is for a parameter file, and --from for an engine",
                              of_file);
    const char *other = r->calibrate ? NULL : options_changed(calibration_rows, r, &usual);
    return other == NULL ? OPTIONS_READ : command_misuse("space", "--%s needs --calibrate", other);
}

/* Writes the space of an engine or of a file, or calibrates one. */
static int answer(const struct request *r)
{
    char path[PATH_SIZE];
    struct error err;
    if (!output_check(r->output == NULL ? "-" : r->output, r->force, &err))
        return command_fail(EXIT_BAD, &err);
    if (r->calibrate)
        return data_file_find(r->subject, DATA_SPACES, path, &err) || recipe_is_kind(r->subject)
                   ? calibrate_space(recipe_is_kind(r->subject) ? r->subject : path,
                                     &r->calibration, r->output)
                   : command_fail(EXIT_BAD, &err);
    const char *output = r->output == NULL ? "-" : r->output;
    /* What names a file of parameters is no engine. */
    if (r->from == NULL && !uci_command_exists(r->subject) &&
        data_file_find(r->subject, DATA_PARAMS, path, &err) && access(path, R_OK) == 0)
        return write_weights(path, &r->ranges, output);
    return r->ranges.bits == 0 && !r->ranges.narrow
               ? write_engine(r->subject, r->from, output)
               : command_misuse("space", "--%s is for a parameter file; '%s' is none",
                                r->ranges.bits != 0 ? "bits" : "narrow", r->subject);
}

int cmd_space(int argc, char **argv)
{
    struct request r = usual;
    int code = options_read(&cmd, &argc, &argv, &r);
    if (code == OPTIONS_READ) {
        r.subject = argv[0];
        code = check(&r);
    }
    return code == OPTIONS_READ ? answer(&r) : code;
}
