#define _GNU_SOURCE /* program_invocation_name */
#include "command.h"

#include "command_line.h"
#include "foreign_text.h"
#include "jobs.h"
#include "output.h"
#include "parse.h"
#include "ranks.h"
#include "suggest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int command_fail(enum exit_code code, const struct error *err)
{
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

/* True if getopt_long has stopped at the first letter of several, -xy: it has not gone past the word. */
static bool is_inside_word(char **argv)
{
    const char *word = argv[optind];
    return word != NULL && word[0] == '-' && word[1] == optopt && word[2] != '\0';
}

/* Reports an option --unknown, and which one may be meant. */
static int refuse_option(const char *name, const char *word, const struct option *options)
{
    char long_name[64];
    struct suggestion near;
    snprintf(long_name, sizeof long_name, "%.*s", (int)strcspn(word, "="), word);
    suggest_init(&near, long_name + 2);
    for (; options->name != NULL; options++)
        suggest_offer(&near, options->name, options->name);
    return near.name == NULL
               ? command_misuse(name, "no option %s", word)
               : command_misuse(name, "no option %s; did you mean --%s?", word, near.name);
}

int command_bad_option(const char *name, int answer, char **argv, const struct option *options)
{
    const char *word = argv[optind - 1];
    if (answer == ':')
        return command_misuse(name, "%s needs a value", word);
    if (optopt == 0) /* --unknown, or the beginning of several */
        return refuse_option(name, word, options);
    if (is_inside_word(argv) || strncmp(word, "--", 2) != 0)
        return command_misuse(name, "no option -%c", optopt);
    return command_misuse(name, "%.*s takes no value", (int)strcspn(word, "="), word);
}

bool command_two_outputs(const char *name, const char *option, const char *path, const char *output)
{
    if (!output_is_same(path, output))
        return true;
    command_misuse(name, "%s and --output must be two files; both name '%s'", option, path);
    return false;
}

bool command_number(const char *name, const char *option, const char *text, int64_t min,
                    int64_t max, int64_t *value)
{
    if (parse_int64(text, value) && *value >= min && *value <= max)
        return true;
    command_misuse(name, "%s takes a whole number from %lld to %lld, not '%s'", option,
                   (long long)min, (long long)max, text);
    return false;
}

bool command_int(const char *name, const char *option, const char *text, int min, int max,
                 int *value)
{
    int64_t number;
    if (!command_number(name, option, text, min, max, &number))
        return false;
    *value = (int)number;
    return true;
}

bool command_count(const char *name, const char *option, const char *text, int64_t min, int64_t max,
                   uint64_t *value)
{
    int64_t number;
    if (!command_number(name, option, text, min, max, &number))
        return false;
    *value = (uint64_t)number;
    return true;
}

bool command_check_share(const char *name, const char *text)
{
    char number[32];
    double share;
    size_t length = strlen(text);
    bool percent = length > 0 && text[length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(percent ? length - 1 : length), text);
    if (!parse_double(number, &share) || share < 0 || (percent ? share / 100 : share) > 1) {
        command_misuse(name, "--check-share takes a share of the jobs such as 1%%, not '%s'", text);
        return false;
    }
    ranks_check_share(percent ? share / 100 : share);
    return true;
}

bool command_job_limit(const char *name, const char *text)
{
    int64_t seconds;
    if (!command_number(name, "--job-limit", text, 1, 1000000, &seconds))
        return false;
    ranks_job_limit((double)seconds);
    return true;
}

int command_threads(void)
{
    return jobs_threads();
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

bool command_hours(const char *name, const char *text, double *hours)
{
    if (parse_double(text, hours) && *hours > 0 && *hours <= 10000)
        return true;
    command_misuse(name, "--hours takes a number above 0, up to 10000, not '%s'", text);
    return false;
}

bool command_at_end(const char *name, const char *text, const char **command)
{
    struct error err;
    char **words = command_words(text, &err);
    *command = text;
    if (words == NULL)
        command_misuse(name, "--at-end: %s", err.text);
    free(words);
    return words != NULL;
}
