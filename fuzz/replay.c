/* Runs a fuzz target over files, for compilers without libFuzzer: each argument is a file, or a
 * directory whose files are taken. */
#include "fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Hands one file's bytes to the target. */
static bool replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0)
        rewind(file);
    uint8_t *data = size >= 0 ? malloc((size_t)size + 1) : NULL;
    bool done = data != NULL && fread(data, 1, (size_t)size, file) == (size_t)size;
    if (done)
        LLVMFuzzerTestOneInput(data, (size_t)size);
    else
        perror(path);
    free(data);
    if (file != NULL)
        fclose(file);
    return done;
}

/* Replays the files of a directory; those that begin with a dot are left out. */
static bool replay_directory(const char *path, DIR *directory)
{
    bool done = true;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            done &= replay_file(name);
    }
    return done;
}

int main(int argc, char **argv)
{
    bool done = true;
    for (int i = 1; i < argc; i++) {
        DIR *directory = opendir(argv[i]);
        done &= directory != NULL ? replay_directory(argv[i], directory) : replay_file(argv[i]);
        if (directory != NULL)
            closedir(directory);
    }
    return done ? 0 : 1;
}
