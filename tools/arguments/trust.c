#define _DEFAULT_SOURCE /* realpath */
#include "trust.h"

#include "checksum.h"
#include "command_line.h"
#include "data_kept.h"
#include "engine_file.h"
#include "engine_options.h"
#include "engine_setup.h"
#include "foreign_text.h"
#include "paths.h"
#include "text_stream.h"
#include "values.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char variable[] = "GRAYLING_TRUST", of_option[] = "keep";

enum { SHOWN = 600, FILE_SHOWN = 200, LINE = CHECKSUM_MAX + SHOWN + 8 };

/* A command line that may be started. Owned by the caller between read and free. */
struct line {
    const char *text;           /* borrowed */
    char **words;               /* owned */
    char program[PROGRAM_PATH]; /* the file that is started, from the root */
    char shown[SHOWN];          /* the text for people, without control characters */
    char checksum[CHECKSUM_MAX];
};

/* ---- what is started ---- */

/* Makes the path of a program absolute. Its own name stays as it is: a program behind a link may ask by
 * which name it was started. */
static bool make_absolute(char program[PROGRAM_PATH])
{
    char folder[PATH_SIZE], path[PATH_SIZE];
    if (!path_directory(program, folder, NULL) ||
        !path_absolute(folder, path_name(program), path, NULL))
        return false;
    strcpy(program, path);
    return true;
}

/* True if an argument may name something in the working directory: the whole of it, or what follows a
 * "=". One with blanks may be a script for a shell. */
static bool names_here(const char *argument)
{
    const char *value = strchr(argument, '=');
    if (strpbrk(argument, " \t\n;") != NULL || (value != NULL && names_here(value + 1)))
        return true;
    return argument[0] != '/' && argument[0] != '\0' && access(argument, F_OK) == 0;
}

/* Sums the program, the folder if it matters, and the arguments, each with its end. False without memory. */
static bool sum_words(struct line *l)
{
    char folder[PATH_SIZE] = "", *bytes = NULL;
    size_t size = 0;
    bool here = false;
    for (char **w = l->words + 1; *w != NULL; w++)
        here = here || names_here(*w);
    FILE *out = !here || path_directory("x", folder, NULL) ? text_stream(&bytes, &size) : NULL;
    if (out == NULL)
        return false;
    fprintf(out, "%s%c%s%c", l->program, 0, folder, 0);
    for (char **w = l->words + 1; *w != NULL; w++)
        fprintf(out, "%s%c", *w, 0);
    const bool whole = fclose(out) == 0;
    if (whole)
        checksum_bytes(bytes, size, l->checksum);
    free(bytes);
    return whole;
}

/* Reads a command line. False if it cannot be started anyway: its start tells the reason. */
static bool read_line(struct line *l, const char *command)
{
    *l = (struct line){.text = command, .words = command_words(command, NULL)};
    foreign_text_copy(l->shown, sizeof l->shown, command);
    if (strlen(command) >= sizeof l->shown)
        strcpy(l->shown + strlen(l->shown) - 3, "...");
    return l->words != NULL && program_find(l->words[0], l->program, NULL);
}

/* True if the program is the file `name` in the folder of this one. */
static bool is_beside_us(const char *program, const char *name)
{
    char *own = realpath("/proc/self/exe", NULL), *other = realpath(program, NULL);
    const bool beside = own != NULL && other != NULL && strcmp(path_name(other), name) == 0 &&
                        path_name(own) - own == path_name(other) - other &&
                        strncmp(own, other, (size_t)(path_name(own) - own)) == 0;
    free(own);
    free(other);
    return beside;
}

/* True if a command line needs no consent: our own engine; or a bare name that is installed, with no
 * arguments but those that it needs to speak UCI. */
static bool is_harmless(const struct line *l)
{
    char *const *arguments = l->words + 1;
    const bool installed = strchr(l->words[0], '/') == NULL && l->program[0] == '/';
    if (installed &&
        (arguments[0] == NULL || strcmp(engine_usual_command(l->words[0]), l->text) == 0))
        return true;
    const bool command = arguments[0] != NULL && strcmp(arguments[0], "uci") == 0;
    arguments += command;
    arguments += arguments[0] != NULL && strcmp(arguments[0], "--tune") == 0;
    return arguments[0] == NULL && is_beside_us(l->program, command ? "grayling" : "grayling-uci");
}

/* ---- what was agreed to ---- */

/* Finds the file. False, with errno, if there is no place for it. */
static bool find_file(char path[PATH_SIZE])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    const bool own = state != NULL && state[0] == '/';
    errno = ENOENT;
    if (!own && (home == NULL || home[0] != '/'))
        return false;
    const char *rest = own ? "grayling/trusted" : ".local/state/grayling/trusted";
    errno = ENAMETOOLONG;
    return snprintf(path, PATH_SIZE, "%s/%s", own ? state : home, rest) < PATH_SIZE;
}

/* True if nobody but the user can have written a file. */
static bool is_private(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* True if the user has agreed to a command line before. */
static bool is_kept(const struct line *l)
{
    char path[PATH_SIZE], line[LINE];
    const char *why;
    bool kept = false;
    FILE *in = find_file(path) ? regular_file_open(path, &why) : NULL;
    if (in == NULL)
        return false;
    while (!kept && is_private(fileno(in)) && fgets(line, sizeof line, in) != NULL)
        kept = strncmp(line, l->checksum, strlen(l->checksum)) == 0;
    fclose(in);
    return kept;
}

/* Keeps a command line. One write appends the whole line, so that others may write at the same time;
 * the file is for the user alone. False, with errno. */
static bool keep(const struct line *l)
{
    char path[PATH_SIZE], line[LINE];
    if (is_kept(l))
        return true;
    if (!find_file(path))
        return false;
    path_make_parents(path, 0700, NULL); /* the open tells what went wrong */
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (file < 0)
        return false;
    int length = snprintf(line, sizeof line, "%s  %s\n", l->checksum, l->shown);
    errno = EPERM; /* a file that others can write to is not read either */
    bool kept = is_private(file);
    if (kept)
        errno = ENOSPC;
    kept = kept && write(file, line, (size_t)length) == length;
    return close(file) == 0 && kept;
}

bool option_trust(void *target, const char *text, struct error *err)
{
    (void)target, (void)text, (void)err;
    setenv(variable, of_option, 1);
    return true;
}

void trust_typed(const char *command)
{
    struct line l;
    if (read_line(&l, command) && !is_harmless(&l) && make_absolute(l.program) && sum_words(&l))
        keep(&l);
    free(l.words);
}

/* ---- asking ---- */

/* Asks on the terminal. False if there is none, if the line is too long to be shown, or if the answer is not yes. */
static bool ask(const char *file, const struct line *l)
{
    char answer[16] = "";
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO) || strlen(l->text) >= sizeof l->shown)
        return false;
    fprintf(stderr, "%s starts another program:\n  %s\nStart it, now and later? [y/N] ", file,
            l->shown);
    fflush(stderr);
    return fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y');
}

/* Decides on a command line that is not harmless. */
static bool decide(const char *file, struct line *l, struct error *err)
{
    char name[FILE_SHOWN];
    const char *now = getenv(variable);
    const bool option = now != NULL && strcmp(now, of_option) == 0;
    if (now != NULL && strcmp(now, "1") == 0)
        return true;
    if (!make_absolute(l->program) || !sum_words(l))
        return error_set(err, "cannot decide on the command '%s': no memory, or no such folder",
                         l->shown);
    if (is_kept(l))
        return true;
    foreign_text_copy(name, sizeof name, file);
    if (!option && !ask(name, l))
        return error_set(err,
                         "%s starts '%s', a command line that you have not agreed to; if you "
                         "trust it, give --trust once",
                         name, l->shown);
    if (!keep(l))
        fprintf(stderr, "note: your consent to '%s' is not kept, and needed again: %s\n", l->shown,
                strerror(errno));
    return true;
}

bool trust_command(const char *file, const char *command, struct error *err)
{
    struct line l = {0};
    bool may =
        command == NULL || !read_line(&l, command) || is_harmless(&l) || decide(file, &l, err);
    free(l.words);
    return may;
}

/* ---- files ---- */

bool trust_space(const char *path, bool plays, struct error *err)
{
    struct space space;
    struct error ignored;
    if (recipe_is_kind(path) || !space_file_is_foreign(path) ||
        !space_read(path, recipe_tables, &space, &ignored))
        return true;
    bool may = trust_command(path, plays ? space_plays(&space.table) : space.table.command, err);
    space_free(&space);
    return may;
}

bool trust_recipe(const struct recipe *recipe, struct error *err)
{
    const bool games = recipe->measure == MEASURE_GAMES;
    struct engine_options options;
    struct error ignored;
    if (recipe->space[0] != '\0' && !trust_space(recipe->space, games, err))
        return false;
    if (!games || recipe->opponent[0] == '\0' || !engine_options_is(recipe->opponent) ||
        !engine_options_read(recipe->opponent, &options, &ignored))
        return true;
    const bool may = trust_command(recipe->opponent, options.command, err);
    engine_options_free(&options);
    return may;
}

bool trust_night(const struct night_recipe *night, struct error *err)
{
    for (int i = 0; i < night->stage_count; i++)
        if (!night->stages[i].is_match && !trust_recipe(night->stages[i].recipe, err))
            return false;
    return true;
}

bool trust_run(const char *path, struct error *err)
{
    struct recipe recipe;
    struct error ignored;
    struct store *s = store_is_database(path) ? store_open(path, STORE_READ, &ignored) : NULL;
    bool may =
        s == NULL || !run_recipe_load(s, path, &recipe, &ignored) || trust_recipe(&recipe, err);
    store_close(s);
    return may;
}
