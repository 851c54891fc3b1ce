/* grayling space: the parameters of another engine, as a file to thin by hand. */
#include "command.h"

#include "output.h"
#include "space_engine.h"
#include "version.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: grayling space ENGINE [-o SPACE.yaml]\n\n"
    "Starts a UCI engine, reads its options, and writes them as a space: the\n"
    "parameters that a run may change. Thin the file by hand: delete the lines that\n"
    "shall keep the engine's default, and narrow the ranges. ENGINE is a command,\n"
    "with its arguments in the same word.\n\n"
    "Options that say how the engine is used (Hash, threads, books, texts) are\n"
    "written as fixed: they are set, and do not evolve. Lines may also have\n"
    "'relative: 30 %' instead of min and max, and 'step: 5'.\n\n"
    "  -o, --output FILE    write the space to FILE (standard output)\n"
    "      --force          overwrite FILE\n\n"
    "  grayling space toga2 -o toga2.yaml\n"
    "  grayling space 'gnuchess -u' | less\n";

/* A space, and the words before it. */
struct written {
    struct space space;
    char comment[512];
};

/* Describes where the space comes from, and what to do with it. */
static void describe(const struct uci_client *client, char *comment, size_t size)
{
    const char *author = uci_client_author(client);
    snprintf(comment, size,
             "%.100s%s%.100s: its options, read by grayling " GRAYLING_VERSION
             ".\nDelete the lines that shall keep their defaults, and narrow the ranges.",
             uci_client_name(client), author[0] == '\0' ? "" : ", by ", author);
}

static void print(FILE *out, void *context)
{
    const struct written *w = context;
    struct error ignored; /* output_write looks at the stream */
    space_write(out, &w->space, w->comment, &ignored);
}

/* Asks the engine. */
static bool read_engine(const char *command, struct written *w, struct error *err)
{
    const struct uci_settings settings = {.command = command};
    struct uci_client *client = uci_client_start(&settings, err);
    if (client == NULL)
        return false;
    bool read = space_of_engine(client, command, &w->space, err);
    describe(client, w->comment, sizeof w->comment);
    if (read && w->space.table.count == 0)
        read = error_set(err, "%s has no options", command);
    uci_client_stop(client);
    return read;
}

/* Reads the engine's options and writes them. */
static int write_space(const char *command, const char *output, bool force)
{
    struct error err;
    struct written w = {0};
    int code = EXIT_DONE;
    if (!output_check(output, force, &err) || !read_engine(command, &w, &err))
        code = command_fail(EXIT_BAD, &err);
    else if (!output_write(output, print, &w, &err))
        code = command_fail(EXIT_FAILED, &err);
    else
        output_tell("space", output);
    space_free(&w.space);
    return code;
}

int cmd_space(int argc, char **argv)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"force", no_argument, NULL, 'F'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    const char *output = "-";
    bool force = false;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("space", c, argv);
        if (c == 'h')
            return fputs(help, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
        force = force || c == 'F';
        output = c == 'o' ? optarg : output;
    }
    if (argc - optind != 1)
        return command_misuse("space",
                              "expected one engine, not %d; quote its arguments: "
                              "'gnuchess -u'",
                              argc - optind);
    return write_space(argv[optind], output, force);
}
