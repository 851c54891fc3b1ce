#include "resume_words.h"

#include "paths.h"

#include <stdio.h>
#include <string.h>

static const char ending[] = ".zst";

/* The ending of a compressed file in a path, or NULL. */
static const char *find_ending(const char *path)
{
    const char *stage = strchr(path, '#');
    const size_t length = stage != NULL ? (size_t)(stage - path) : strlen(path);
    const size_t own = sizeof ending - 1;
    if (length <= own || strncmp(path + length - own, ending, own) != 0)
        return NULL;
    return path + length - own;
}

const char *resume_words(const char *program, const char *path, char text[RESUME_WORDS])
{
    char word[SHELL_WORD], own[SHELL_WORD], file[PATH_SIZE], run[PATH_SIZE];
    const char *end = find_ending(path);
    int written = 0;
    snprintf(run, sizeof run, "%s", path);
    if (end != NULL) {
        const int before = (int)(end - path);
        snprintf(file, sizeof file, "%.*s%s", before, path, ending);
        snprintf(run, sizeof run, "%.*s%s", before, path, end + sizeof ending - 1);
        written = snprintf(text, RESUME_WORDS, "zstd -d %s && ", shell_word_shown(file, word));
    }
    snprintf(text + written, RESUME_WORDS - (size_t)written, "%s resume %s",
             shell_word_shown(program, own), shell_word_shown(run, word));
    return text;
}
