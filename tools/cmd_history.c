/* grayling history: a run's generations as a table. */
#include "command.h"

#include "options.h"
#include "run_history.h"

static const char *const formats[] = {[TABLE_CSV] = "csv", [TABLE_JSON] = "json", NULL};

static const struct option_row option_rows[] = {{"format", "FORMAT", AS_CHOICE, 0, sizeof(int),
                                                 "csv (RFC 4180), or json: a list of objects",
                                                 .choices = formats},
                                                {0}};

static const struct command history = {
    "history",
    "usage: grayling history RUN.db|NIGHT.db|NIGHT.db#STAGE [--format csv|json]\n\n"
    "Writes one row a generation: the best organism, its objective values, mean,\n"
    "deviation and diversity of the population, seconds, the time of its end, and\n"
    "the evaluations and genomes so far. A night has the rows of all its stages,\n"
    "with the stage in the first column; a closing match (NIGHT.db#match) has one\n"
    "row a game. The run may be in progress.\n",
    option_rows,
    "example:\n  grayling history night-seed1.db#coevolve --format csv\n",
    "RUN.db",
    "one run",
    1,
    1};

int cmd_history(int argc, char **argv)
{
    int format = TABLE_CSV;
    struct error err;
    const int code = options_read(&history, &argc, &argv, &format);
    if (code != OPTIONS_READ)
        return code;
    return run_history_write(stdout, (enum table_format)format, argv[0], &err)
               ? EXIT_DONE
               : command_fail(EXIT_BAD, &err);
}
