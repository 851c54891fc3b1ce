/* grayling space: the parameters of another engine, or the weights of a file, as a space. */
#include "command.h"

#include "command_place.h"
#include "data_files.h"
#include "foreign_text.h"
#include "output.h"
#include "space_engine.h"
#include "trust.h"
#include "version.h"
#include "weight_space.h"
#include "yaml_document.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: grayling space ENGINE | PARAMS.yaml [-o SPACE.yaml]\n\n"
    "Writes a space: the parameters that a run may change.\n\n"
    "ENGINE is a command, with its arguments in the same word. Starts it, and writes\n"
    "its options. Thin the file by hand: delete the lines that should keep the\n"
    "engine's default, and narrow the ranges. Options that say how the engine is used\n"
    "(files, logs, tablebases, texts) are written as fixed: they are set, and do not\n"
    "evolve. Hash, threads, the own book and pondering are left out: a run sets them\n"
    "(fitness.hash, one thread, no book, no pondering). Lines may also have\n"
    "'relative: 30 %' instead of min and max, and 'step: 5'.\n\n"
    "PARAMS.yaml is a parameter file of an evaluation, such as grayling regress\n"
    "--prune writes, or the name of one that comes with the program. Writes the\n"
    "weights that are not 0; all others stay 0.\n\n"
    "      --bits N         of PARAMS.yaml: at most N bits a weight, with steps that\n"
    "                       keep the range (its own bits, steps of 1)\n"
    "      --narrow         of PARAMS.yaml: narrower ranges, the same for all weights\n"
    "                       of a term: a power of two above 1.4 times the largest\n"
    "                       value that the term has there, to both sides of 0\n"
    "  -o, --output FILE    write the space to FILE (standard output)\n"
    "      --force          overwrite FILE\n\n"
    "  grayling space toga2 -o toga2.yaml\n"
    "  grayling space 'gnuchess -u' | less\n"
    "  grayling space modern-400.yaml --bits 7 --narrow -o modern-space.yaml\n";

/* A space, and the words before it. */
struct written {
    struct space space;
    char comment[512];
};

/* ---- an engine's options ---- */

/* What to do with the file. */
static const char advice[] =
    "Delete the lines that should keep their defaults, and narrow the ranges.\n"
    "Left out, as a run sets them: Hash (fitness.hash), Threads (1), OwnBook and Ponder (false).";

/* Describes where the space comes from, and what to do with it. */
static void describe(const struct uci_client *client, char *comment, size_t size)
{
    char name[101], author[101];
    foreign_text_copy(name, sizeof name, uci_client_name(client));
    foreign_text_copy(author, sizeof author, uci_client_author(client));
    snprintf(comment, size, "%s%s%s: its options, read by grayling " GRAYLING_VERSION ".\n%s", name,
             author[0] == '\0' ? "" : ", by ", author, advice);
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

/* Asks the engine. */
static bool read_engine(const char *command, struct written *w, struct error *err)
{
    const struct uci_settings settings = {.command = command};
    struct uci_client *client = uci_client_start(&settings, err);
    if (client == NULL)
        return false;
    bool read = space_of_engine(client, command, stderr, &w->space, err);
    describe(client, w->comment, sizeof w->comment);
    if (read && w->space.table.count == 0)
        read = error_set(err, "%s has no options that a space can have", command);
    uci_client_stop(client);
    if (read)
        trust_typed(command);
    return read;
}

/* ---- the command ---- */

/* Writes the space of an engine's options. */
static int write_engine(const char *command, const char *output)
{
    struct error err;
    struct written w = {0};
    int code = EXIT_DONE;
    if (!read_engine(command, &w, &err))
        code = command_fail(EXIT_BAD, &err);
    else if (!write_file(output, command, &w, &err))
        code = command_fail(EXIT_FAILED, &err);
    else
        command_tell("space", output);
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

/* Writes the space of an engine or of a file. */
static int write_space(const char *subject, const struct weight_ranges *ranges, const char *output,
                       bool force)
{
    char path[PATH_SIZE];
    struct error err;
    if (!output_check(output, force, &err))
        return command_fail(EXIT_BAD, &err);
    if (find_file(subject, path))
        return write_weights(path, ranges, output);
    return ranges->bits == 0 && !ranges->narrow
               ? write_engine(subject, output)
               : command_misuse("space", "--%s is for a parameter file; '%s' is none",
                                ranges->bits != 0 ? "bits" : "narrow", subject);
}

int cmd_space(int argc, char **argv)
{
    static const struct option options[] = {
        {"bits", required_argument, NULL, 'b'},   {"narrow", no_argument, NULL, 'n'},
        {"output", required_argument, NULL, 'o'}, {"force", no_argument, NULL, 'F'},
        {"help", no_argument, NULL, 'h'},         {0}};
    const char *output = "-";
    bool force = false;
    struct weight_ranges ranges = {.bits = 0};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("space", c, argv);
        if (c == 'h')
            return fputs(help, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
        if (c == 'b' && !command_int("space", "--bits", optarg, 1, 16, &ranges.bits))
            return EXIT_BAD;
        force = force || c == 'F';
        ranges.narrow = ranges.narrow || c == 'n';
        output = c == 'o' ? optarg : output;
    }
    if (argc - optind != 1)
        return command_misuse("space",
                              "expected one engine or file, not %d; quote an engine's arguments: "
                              "'gnuchess -u'",
                              argc - optind);
    return write_space(argv[optind], &ranges, output, force);
}
