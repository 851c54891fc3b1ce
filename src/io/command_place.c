#include "command_place.h"

#include "command_words.h"
#include "output.h"
#include "paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the program of a command that names it by a relative path, which the caller frees, and what
 * follows it; of other commands NULL and the whole command. */
static bool find_relative(const char *command, char **program, const char **rest, struct error *err)
{
    *program = command_first_word(command, rest, err);
    if (*program == NULL)
        return false;
    if ((*program)[0] != '/' && strchr(*program, '/') != NULL)
        return true;
    free(*program);
    *program = NULL;
    *rest = command;
    return true;
}

/* Joins the first bytes of a folder, the name of a program and what follows it in a command. NULL without
 * memory. */
static char *join(const char *folder, size_t length, const char *program, const char *rest,
                  struct error *err)
{
    char *command = malloc(2 * length + 2 * strlen(program) + strlen(rest) + 1);
    if (command != NULL)
        strcpy(command_write_word(command_write_word(command, folder, length), program,
                                  strlen(program)),
               rest);
    else
        error_set(err, "no memory for a command");
    return command;
}

bool command_is_relative(const char *command)
{
    struct error ignored;
    const char *rest;
    char *program;
    bool relative = find_relative(command, &program, &rest, &ignored) && program != NULL;
    free(program);
    return relative;
}

char *command_of_file(const char *file, const char *command, struct error *err)
{
    const char *slash = strrchr(file, '/'), *rest;
    char *program;
    if (!find_relative(command, &program, &rest, err)) {
        error_prefix(err, "%s: the command %.100s: ", file, command);
        return NULL;
    }
    size_t folder = program == NULL || slash == NULL ? 0 : (size_t)(slash - file) + 1;
    char *placed = join(file, folder, program == NULL ? "" : program, rest, err);
    free(program);
    return placed;
}

char *command_of_file_anywhere(const char *file, const char *command, struct error *err)
{
    char folder[PATH_SIZE + 1];
    if (!path_directory(file, folder, err))
        return NULL;
    strcat(folder, folder[1] == '\0' ? "" : "/");
    return command_of_file(folder, command, err);
}

/* Writes the path of a program as seen from the folder of a file. Its own name stays as it is, as a
 * program behind a link may ask by which name it was started. */
static bool place_program(const char *file, const char *program, char placed[PATH_SIZE],
                          struct error *err)
{
    char to[PATH_SIZE], from[PATH_SIZE], path[2 * PATH_SIZE];
    const char *name = strrchr(program, '/') + 1;
    if (!path_directory(file, to, err) || !path_directory(program, from, err))
        return false;
    int length = snprintf(path, sizeof path, "%s/%s", strcmp(from, "/") == 0 ? "" : from, name);
    return (length < PATH_SIZE ||
            error_set(err, "the path %.200s... is longer than %d bytes", path, PATH_SIZE - 1)) &&
           path_relative(to, path, placed, err);
}

/* Writes a command with its program as seen from the folder of a file. */
static char *place_command(const char *file, const char *program, const char *rest,
                           struct error *err)
{
    char path[PATH_SIZE];
    if (!place_program(file, program, path, err))
        return NULL;
    return join("./", strchr(path, '/') == NULL ? 2 : 0, path, rest, err);
}

char *command_for_file(const char *file, const char *command, struct error *err)
{
    const char *rest;
    char *program;
    if (!output_is_file(file))
        return join("", 0, "", command, err);
    if (!find_relative(command, &program, &rest, err))
        return NULL;
    char *placed =
        program == NULL ? join("", 0, "", command, err) : place_command(file, program, rest, err);
    free(program);
    return placed;
}

char *command_moved_to_file(const char *file, const char *command, struct error *err)
{
    struct error missing;
    const char *rest;
    char *program = command_first_word(command, &rest, err), *placed = NULL;
    if (program == NULL)
        return NULL;
    if (strchr(program, '/') != NULL)
        placed = place_command(file, program, rest, &missing);
    free(program);
    return placed != NULL ? placed : join("", 0, "", command, err);
}
