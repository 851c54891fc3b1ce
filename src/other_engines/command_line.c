#include "command_line.h"

#include "output.h"
#include "paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLANKS " \t\n"

/* A text being split: where to read, and where to write the characters of words. */
struct splitting {
    const char *from;
    char *to;
};

/* Copies a word without its quotes and backslashes, and ends it. */
static bool copy_word(struct splitting *s, struct error *err)
{
    char quote = '\0';
    for (; *s->from != '\0' && (quote != '\0' || strchr(BLANKS, *s->from) == NULL); s->from++) {
        const char c = *s->from, next = s->from[1];
        if (c == quote)
            quote = '\0';
        else if (quote == '\0' && (c == '\'' || c == '"'))
            quote = c;
        else if (c == '\\' && next != '\0' &&
                 (quote == '\0' || (quote == '"' && (next == '"' || next == '\\'))))
            *s->to++ = *++s->from;
        else
            *s->to++ = c;
    }
    *s->to++ = '\0';
    return quote == '\0' || error_set(err, "the quote %c is not closed", quote);
}

/* The first word, owned; `*rest` is what follows. NULL with the reason, as command_words. */
static char *first_word(const char *text, const char **rest, struct error *err)
{
    text += strspn(text, BLANKS);
    char *word = malloc(strlen(text) + 1);
    struct splitting s = {text, word};
    bool good = word != NULL ? text[0] != '\0' || error_set(err, "there is no command")
                             : error_set(err, "no memory for a command");
    if (good && copy_word(&s, err)) {
        *rest = s.from;
        return word;
    }
    free(word);
    return NULL;
}

/* Writes the first bytes of a text so that they are read as they are within a word: with a backslash
 * before each character that would be taken otherwise. `to` has room for twice as many and a NUL.
 * Returns the end of what is written. */
static char *write_word(char *to, const char *text, size_t length)
{
    for (const char *c = text; c < text + length; *to++ = *c++)
        if (strchr(BLANKS "'\"\\", *c) != NULL)
            *to++ = '\\';
    *to = '\0';
    return to;
}

char **command_words(const char *text, struct error *err)
{
    size_t length = strlen(text), most = length / 2 + 2; /* words, with the NULL */
    char **words = malloc(most * sizeof *words + length + 2);
    if (words == NULL)
        return error_null(err, "no memory for a command");
    struct splitting s = {text, (char *)(words + most)};
    size_t count = 0;
    bool good = true;
    while (good && *(s.from += strspn(s.from, BLANKS)) != '\0') {
        words[count++] = s.to;
        good = copy_word(&s, err);
    }
    words[count] = NULL;
    if (good && (count > 0 || error_set(err, "there is no command")))
        return words;
    free(words);
    return NULL;
}

/* ---- programs ---- */

#define GAMES "/usr/games"

/* True if this is a file that we may execute; else errno says why not. */
static bool is_executable(const char *file)
{
    struct stat status;
    if (stat(file, &status) != 0)
        return false;
    errno = EISDIR;
    return !S_ISDIR(status.st_mode) && access(file, X_OK) == 0;
}

/* Looks for a program in a list of folders separated by colons; an empty name is the current folder. */
static bool find_in(const char *folders, const char *name, char file[PROGRAM_PATH])
{
    for (;; folders++) {
        const int length = (int)strcspn(folders, ":");
        if (snprintf(file, PROGRAM_PATH, "%.*s/%s", length > 0 ? length : 1,
                     length > 0 ? folders : ".", name) < PROGRAM_PATH &&
            is_executable(file))
            return true;
        folders += length;
        if (*folders == '\0')
            return false;
    }
}

bool program_find(const char *name, char file[PROGRAM_PATH], struct error *err)
{
    const char *path = getenv("PATH");
    if (path == NULL)
        path = "/usr/bin:/bin";
    if (strchr(name, '/') == NULL)
        return find_in(path, name, file) || find_in(GAMES, name, file) ||
               error_set(err, "cannot start %s: there is no such program on the PATH or in " GAMES,
                         name);
    errno = ENAMETOOLONG;
    if (strlen(name) < PROGRAM_PATH && is_executable(strcpy(file, name)))
        return true;
    return error_set(err, "cannot start %s: %s", name,
                     errno == EACCES ? "it is not executable" : strerror(errno));
}

/* ---- commands in files ---- */

static bool is_relative(const char *program)
{
    return program[0] != '/' && strchr(program, '/') != NULL;
}

/* Joins the first bytes of a folder, a program's name and what follows. NULL without memory. */
static char *join(const char *folder, size_t length, const char *program, const char *rest,
                  struct error *err)
{
    char *command = malloc(2 * length + 2 * strlen(program) + strlen(rest) + 1);
    if (command != NULL)
        strcpy(write_word(write_word(command, folder, length), program, strlen(program)), rest);
    else
        error_set(err, "no memory for a command");
    return command;
}

char *command_of_file(const char *file, const char *command, bool *relative, struct error *err)
{
    const char *slash = strrchr(file, '/'), *rest;
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - file) + 1;
    char *program = first_word(command, &rest, err);
    if (program == NULL) {
        error_prefix(err, "%s: the command %.100s: ", file, command);
        return NULL;
    }
    const bool moves = is_relative(program);
    char *placed = moves ? join(file, folder, program, rest, err) : join("", 0, "", command, err);
    if (relative != NULL)
        *relative = moves;
    free(program);
    return placed;
}

char *command_of_file_anywhere(const char *file, const char *command, struct error *err)
{
    char folder[PATH_SIZE + 1];
    if (!path_directory(file, folder, err))
        return NULL;
    strcat(folder, folder[1] == '\0' ? "" : "/");
    return command_of_file(folder, command, NULL, err);
}

/* Writes a command with its program as seen from the folder of a file. The program's own name stays as it is, as
 * one behind a link may ask by which name it was started. */
static char *place(const char *file, const char *program, const char *rest, struct error *err)
{
    char to[PATH_SIZE], from[PATH_SIZE], path[2 * PATH_SIZE], placed[PATH_SIZE];
    const char *name = strrchr(program, '/') + 1;
    if (!path_directory(file, to, err) || !path_directory(program, from, err))
        return NULL;
    if (snprintf(path, sizeof path, "%s/%s", strcmp(from, "/") == 0 ? "" : from, name) >= PATH_SIZE)
        return error_null(err, "the path %.200s... is longer than %d bytes", path, PATH_SIZE - 1);
    if (!path_relative(to, path, placed, err))
        return NULL;
    return join("./", strchr(placed, '/') == NULL ? 2 : 0, placed, rest, err);
}

char *command_for_file(const char *file, const char *command, bool moved, struct error *err)
{
    const char *rest;
    char *program = first_word(command, &rest, err);
    if (program == NULL)
        return NULL;
    const bool changes =
        moved ? strchr(program, '/') != NULL : output_is_file(file) && is_relative(program);
    char *placed = changes ? place(file, program, rest, moved ? NULL : err) : NULL;
    free(program);
    return placed != NULL || (changes && !moved) ? placed : join("", 0, "", command, err);
}
