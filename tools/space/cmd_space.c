/* grayling space: the parameters of another engine, or the weights of a file, as a space. */
#include "command.h"

#include "calibrate_space.h"
#include "command_line.h"
#include "count.h"
#include "data_files.h"
#include "foreign_text.h"
#include "output.h"
#include "parse.h"
#include "paths.h"
#include "space_engine.h"
#include "trust.h"
#include "values.h"
#include "version.h"
#include "weight_space.h"
#include "yaml_document.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: grayling space ENGINE [--from FILE] [-o SPACE.yaml]\n"
    "       grayling space PARAMS.yaml [--bits N] [--narrow] [-o SPACE.yaml]\n"
    "       grayling space SPACE.yaml --calibrate [-o SPACE.yaml] [OPTIONS]\n\n"
    "Writes the parameters that a run may change: of an engine's options, which you\n"
    "thin by hand; or of the weights in a file that are not 0. --calibrate finds how\n"
    "far each one moves until 5 % of the best moves change; it plays no game.\n\n"
    "      --from FILE       only the parameters of a tuner's input, with its ranges\n"
    "                        (OpenBench, fishtest or weather-factory's config.json)\n"
    "      --bits N          of weights: at most N bits each, with larger steps\n"
    "      --narrow          of weights: ranges that fit the values\n"
    "      --calibrate       print each parameter's influence; with -o write it as c\n"
    "      --share P         of the moves, in percent (5)\n"
    "      --positions POSITIONS.epd, --count N  where (train-1), how many (500)\n"
    "      --values PARAMS.yaml  where distances begin (the defaults)\n"
    "      --eval PARAMS.yaml, --search PARAMS.yaml  our other half (default-...)\n"
    "      --nodes N, --hash MIB  of a search (2000); of an engine (16; of ours 1)\n"
    "      --threads N       all cores, or OMP_NUM_THREADS\n"
    "  -o, --output FILE, --force, --trust  the space; overwrite; see 'evolve'\n\n"
    "  grayling space toga2 -o toga2.yaml\n";

/* A space, and the words before it. */
struct written {
    struct space space;
    int options; /* that the engine has */
    char comment[640];
};

/* ---- an engine's options ---- */

/* What to do with the file. */
static const char advice[] =
    "Delete the lines that should keep their defaults, and narrow the ranges.\n"
    "Left out, as a run sets them: Hash (fitness.hash), Threads (1), OwnBook and Ponder (false).";

/* Describes where the space comes from, and what to do with it. */
static void describe(const struct uci_client *client, const char *from, char *comment, size_t size)
{
    char name[101], author[101], file[101];
    foreign_text_copy(name, sizeof name, uci_client_name(client));
    foreign_text_copy(author, sizeof author, uci_client_author(client));
    foreign_text_copy(file, sizeof file, from == NULL ? "" : path_name(from));
    snprintf(comment, size, "%s%s%s: its options%s%s, read by grayling " GRAYLING_VERSION ".%s%s",
             name, author[0] == '\0' ? "" : ", by ", author, from == NULL ? "" : " in ", file,
             from == NULL ? "\n" : "", from == NULL ? advice : "");
}

static void print(FILE *out, void *context)
{
    const struct written *w = context;
    struct error ignored; /* output_write looks at the stream */
    space_write(out, &w->space, w->comment, &ignored);
}

/* Writes the file, with the command as seen from there. */
static bool write_file(const char *output, const char *command, struct written *w,
                       struct error *err)
{
    char *placed = command_for_file(output, command, err);
    w->space.table.command = placed;
    bool written = placed != NULL && output_write(output, print, w, err);
    free(placed);
    return written;
}

/* Asks the engine; `from` is a tuner's input that says which of its options evolve, or NULL. */
static bool read_engine(const char *command, const char *from, struct written *w, struct error *err)
{
    const struct uci_settings settings = {.command = command};
    struct uci_client *client = uci_client_start(&settings, err);
    if (client == NULL)
        return false;
    bool read = space_of_engine(client, command, stderr, &w->space, err);
    if (read && w->space.table.count == 0)
        read = error_set(err, "%s has no options that a space can have", command);
    read = read && (from == NULL || space_take_tuner(&w->space, from, stderr, err));
    uci_client_options(client, &w->options);
    describe(client, from, w->comment, sizeof w->comment);
    uci_client_stop(client);
    if (read)
        trust_typed(command);
    return read;
}

/* ---- the command ---- */

/* Says what was taken, and what comes next. */
static void tell(const struct written *w, const char *output)
{
    char evolve[COUNTED_MAX];
    int fixed = 0;
    for (int i = 0; i < w->space.table.count; i++)
        fixed += w->space.table.params[i].bits == 0;
    command_tell("space", output);
    fprintf(stderr, "%-10s  %s to tune and %d fixed, of the engine's %d\n", "took",
            format_things(w->space.table.count - fixed, "option", evolve), fixed, w->options);
    if (strcmp(output, "-") != 0)
        fprintf(stderr,
                "%-10s  thin it by hand; then 'grayling space %s --calibrate', and a recipe\n"
                "%-10s  with 'space: %s' for 'grayling evolve'\n",
                "next", shown_text(output), "", shown_text(output));
}

/* Writes the space of an engine's options. */
static int write_engine(const char *command, const char *from, const char *output)
{
    struct error err;
    struct written w = {0};
    int code = EXIT_DONE;
    if (!read_engine(command, from, &w, &err))
        code = command_fail(EXIT_BAD, &err);
    else if (!write_file(output, command, &w, &err))
        code = command_fail(EXIT_FAILED, &err);
    else
        tell(&w, output);
    space_free(&w.space);
    return code;
}

/* True if a word names a file of parameters and no engine; its path is written. */
static bool find_file(const char *word, char path[PATH_SIZE])
{
    struct error ignored; /* then it is an engine */
    return !uci_command_exists(word) && data_file_find(word, DATA_PARAMS, path, &ignored) &&
           access(path, R_OK) == 0;
}

/* Writes the space of a file's weights. */
static int write_weights(const char *path, const struct weight_ranges *ranges, const char *output)
{
    struct error err;
    struct weight_space w;
    if (!weight_space_read(path, ranges, &w, &err))
        return command_fail(EXIT_BAD, &err);
    if (!output_write(output, weight_space_print, &w, &err))
        return command_fail(EXIT_FAILED, &err);
    command_tell("space", output);
    return EXIT_DONE;
}

/* The command line. */
struct request {
    const char *subject, *from, *output;
    bool force, calibrate;
    const char *of_calibrate; /* an option that needs --calibrate; NULL: none was given */
    struct weight_ranges ranges;
    struct calibrate_options calibration;
};

/* Reads a share of the moves, "5" or "5%". On failure prints the reason and returns false. */
static bool take_share(const char *text, double *share)
{
    char number[32] = "";
    const size_t length = strcspn(text, "%");
    if (length < sizeof number && (text[length] == '\0' || text[length + 1] == '\0'))
        memcpy(number, text, length);
    if (parse_double(number, share) && *share > 0 && *share <= 50)
        return true;
    command_misuse("space", "--share '%s' is wrong; expected a percentage above 0, at most 50",
                   text);
    return false;
}

/* Reads an option of --calibrate. On failure prints the reason and returns false. */
static bool take_calibration(struct request *r, int id, const char *text)
{
    struct calibrate_options *c = &r->calibration;
    switch (id) {
    case 'N':
        return command_count("space", r->of_calibrate = "--nodes", text, 1, 1000000000, &c->nodes);
    case 'C':
        return command_int("space", r->of_calibrate = "--count", text, 1, 1000000, &c->count);
    case 'H':
        return command_int("space", r->of_calibrate = "--hash", text, 1, 65536, &c->hash);
    case 't':
        return command_int("space", r->of_calibrate = "--threads", text, 1, 1024, &c->threads);
    case 'S':
        r->of_calibrate = "--share";
        return take_share(text, &c->share);
    case 'P':
        r->of_calibrate = "--positions";
        c->positions = text;
        return true;
    case 'V':
        r->of_calibrate = "--values";
        c->values = text;
        return true;
    case 'E':
        r->of_calibrate = "--eval";
        c->evaluation = text;
        return true;
    default:
        r->of_calibrate = "--search";
        c->search = text;
        return true;
    }
}

/* Reads an option. On failure prints the reason and returns false. */
static bool take_option(struct request *r, int id, const char *text)
{
    switch (id) {
    case 'b':
        return command_int("space", "--bits", text, 1, 16, &r->ranges.bits);
    case 'n':
        return r->ranges.narrow = true;
    case 'f':
        r->from = text;
        return true;
    case 'c':
        return r->calibrate = true;
    case 'o':
        r->output = text;
        return true;
    case 'F':
        return r->force = true;
    case 'T':
        trust_all();
        return true;
    default:
        return take_calibration(r, id, text);
    }
}

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
    return r->calibrate || r->of_calibrate == NULL
               ? EXIT_DONE
               : command_misuse("space", "%s needs --calibrate", r->of_calibrate);
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
    if (r->from == NULL && find_file(r->subject, path))
        return write_weights(path, &r->ranges, output);
    return r->ranges.bits == 0 && !r->ranges.narrow
               ? write_engine(r->subject, r->from, output)
               : command_misuse("space", "--%s is for a parameter file; '%s' is none",
                                r->ranges.bits != 0 ? "bits" : "narrow", r->subject);
}

int cmd_space(int argc, char **argv)
{
    static const struct option options[] = {
        {"bits", required_argument, NULL, 'b'},    {"narrow", no_argument, NULL, 'n'},
        {"from", required_argument, NULL, 'f'},    {"calibrate", no_argument, NULL, 'c'},
        {"share", required_argument, NULL, 'S'},   {"nodes", required_argument, NULL, 'N'},
        {"count", required_argument, NULL, 'C'},   {"positions", required_argument, NULL, 'P'},
        {"values", required_argument, NULL, 'V'},  {"eval", required_argument, NULL, 'E'},
        {"search", required_argument, NULL, 's'},  {"hash", required_argument, NULL, 'H'},
        {"threads", required_argument, NULL, 't'}, {"trust", no_argument, NULL, 'T'},
        {"output", required_argument, NULL, 'o'},  {"force", no_argument, NULL, 'F'},
        {"help", no_argument, NULL, 'h'},          {0}};
    struct request r = {.calibration = {.positions = "train-1",
                                        .evaluation = "default-eval",
                                        .search = "default-search",
                                        .count = 500,
                                        .nodes = 2000,
                                        .share = 5,
                                        .threads = command_threads()}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("space", c, argv, options);
        if (c == 'h')
            return fputs(help, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
        if (!take_option(&r, c, optarg))
            return EXIT_BAD;
    }
    if (argc - optind != 1)
        return command_misuse("space",
                              "expected one engine or file, not %d; quote an engine's arguments: "
                              "'gnuchess -u'",
                              argc - optind);
    r.subject = argv[optind];
    const int code = check(&r);
    return code == EXIT_DONE ? answer(&r) : code;
}
