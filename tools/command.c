#define _GNU_SOURCE /* program_invocation_name */
#include "command.h"

#include <errno.h>
#include <stdarg.h>

int command_fail(enum exit_code code, const struct error *err)
{
    if (err->text[0] == '\0')
        return command_fail(EXIT_INTERRUPTED, &(struct error){"interrupted"});
    fprintf(stderr, "grayling: %s\n", err->text);
    return code;
}

int command_misuse(const char *name, const char *format, ...)
{
    char reason[SHOWN_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    const size_t length = strlen(reason);
    const char *see = length > 0 && reason[length - 1] == '?' ? " See" : "; see";
    fprintf(stderr, "grayling %s: %s%s 'grayling %s --help'\n", name, shown_text(reason), see,
            name);
    return EXIT_BAD;
}

bool command_two_outputs(const char *name, const char *option, const char *path, const char *output)
{
    if (!output_is_same(path, output))
        return true;
    command_misuse(name, "%s and --output must be two files; both name '%s'", option, path);
    return false;
}

const char *command_numbered(const char *output, int number, char path[OUTPUT_PATH])
{
    const char *place = strstr(output, "%d");
    if (place == NULL || snprintf(path, OUTPUT_PATH, "%.*s%d%s", (int)(place - output), output,
                                  number, place + 2) >= OUTPUT_PATH)
        return output; /* what is too long is refused when it is opened */
    return path;
}

const char *command_program(void)
{
    return program_invocation_name;
}

void command_tell(const char *what, const char *path)
{
    if (strcmp(path, "-") != 0)
        fprintf(stderr, "%-10s  %s\n", what, shown_text(path));
}

int command_wrote(bool written, const char *what, const char *path, const struct error *err)
{
    if (!written)
        return command_fail(EXIT_FAILED, err);
    command_tell(what, path);
    return EXIT_DONE;
}
