/* grayling status: the state of a run, in progress or not. */
#include "command.h"

#include "options.h"
#include "status_json.h"
#include "status_text.h"

enum format { TEXT, JSON };

static const char *const formats[] = {[TEXT] = "text", [JSON] = "json", NULL};

static const struct option_row option_rows[] = {
    {"format", "FORMAT", AS_CHOICE, 0, sizeof(int),
     "text, or json: one object, with the stages of a night", .choices = formats},
    {0}};

static const struct command cmd = {
    "status",
    "usage: grayling status RUN.db [--format text|json]\n\n"
    "Prints the state of a run, its generation, best organism and time left. The run\n"
    "may be in progress.\n",
    option_rows,
    "A run is running, stopped (by Ctrl-C or a signal), ended (by its time),\n"
    "complete, failed (with the reason, such as a full disk), or has died: its\n"
    "process vanished. 'grayling resume' continues it; a complete run with\n"
    "--generations, and a night's match with --games.\n\n"
    "example:\n"
    "  grayling status paper-seed1.db\n",
    "RUN.db",
    "one run",
    1,
    1};

int cmd_status(int argc, char **argv)
{
    struct status status;
    int format = TEXT;
    struct error err;
    const int code = options_read(&cmd, &argc, &argv, &format);
    if (code != OPTIONS_READ)
        return code;
    if (!status_read(argv[0], &status, &err))
        return command_fail(EXIT_BAD, &err);
    if (format == JSON)
        status_json_write(stdout, argv[0], &status);
    else
        status_print(argv[0], &status);
    status_free(&status);
    return EXIT_DONE;
}
