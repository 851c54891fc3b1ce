#define _XOPEN_SOURCE 700 /* realpath */
#include "data_files.h"

#include "array.h"
#include "install_paths.h"
#include "suggest.h"
#include "text_stream.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where a kind of file lives, and how its names end. */
struct place {
    unsigned kind;
    const char *folder, *ending;
    const char *noun;
};

static const struct place places[] = {
    {DATA_RECIPES, "params/recipes", ".yaml", "recipe"},
    {DATA_PARAMS, "params", ".yaml", "parameter file"},
    {DATA_SPACES, "params", ".yaml", "search space"},
    {DATA_POSITIONS, "data", ".epd", "file of positions"},
    {DATA_POSITIONS, "data", ".epd.zst", NULL},
    {DATA_POSITIONS, "data", ".epd.gz", NULL},
};

enum { PLACES = sizeof places / sizeof places[0], ROOTS = 3 };

static bool ends_with(const char *text, size_t length, const char *ending)
{
    size_t tail = strlen(ending);
    return length >= tail && strncmp(text + length - tail, ending, tail) == 0;
}

/* ---- the folders ---- */

/* Resolves a folder to search; malloc'ed, NULL if there is no such folder. */
static char *root_of(int root)
{
    char program[PATH_SIZE], beside[PATH_SIZE + sizeof "../share/grayling"];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    while (length > 0 && program[length - 1] != '/')
        length--;
    snprintf(beside, sizeof beside, "%.*s../share/grayling", (int)length, program);
    const char *const names[ROOTS] = {getenv("GRAYLING_DATA"), length > 0 ? beside : NULL,
                                      INSTALLED_DATA};
    return names[root] == NULL ? NULL : realpath(names[root], NULL);
}

/* ---- the list ---- */

/* Appends a file, if it is of the place and no other of its kind, from `from` on, has its name. */
static bool add(struct data_files *files, size_t from, const struct place *place,
                const char *folder, const char *file)
{
    struct data_file item;
    const size_t length = strlen(file), ending = strlen(place->ending);
    if (length <= ending || !ends_with(file, length, place->ending) ||
        length - ending >= DATA_NAME ||
        ends_with(file, length - ending, "-space") != (place->kind == DATA_SPACES) ||
        snprintf(item.path, sizeof item.path, "%s/%s", folder, file) >= PATH_SIZE)
        return true;
    snprintf(item.name, sizeof item.name, "%.*s", (int)(length - ending), file);
    for (size_t i = from; i < files->count; i++)
        if (strcmp(files->items[i].name, item.name) == 0)
            return true;
    if (!array_grow(files->items, files->count))
        return false;
    files->items[files->count++] = item;
    return true;
}

static bool add_place(struct data_files *files, size_t from, const struct place *place,
                      const char *root)
{
    char folder[PATH_SIZE];
    struct dirent **entries = NULL;
    if (snprintf(folder, sizeof folder, "%s/%s", root, place->folder) >= PATH_SIZE)
        return true;
    int count = scandir(folder, &entries, NULL, alphasort);
    bool added = true;
    for (int i = 0; i < count; i++) {
        added = added && add(files, from, place, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return added;
}

bool data_files_list(struct data_files *files, unsigned kinds, struct error *err)
{
    bool added = true;
    *files = (struct data_files){0};
    for (unsigned kind = DATA_RECIPES; kind <= DATA_POSITIONS; kind *= 2) {
        const size_t from = files->count;
        for (int r = 0; r < ROOTS && (kinds & kind) != 0; r++) {
            char *root = root_of(r);
            for (int p = 0; root != NULL && p < PLACES && added; p++)
                if (places[p].kind == kind)
                    added = add_place(files, from, &places[p], root);
            free(root);
        }
    }
    if (added)
        return true;
    data_files_free(files);
    return error_set(err, "no memory for the list of files");
}

void data_files_free(struct data_files *files)
{
    free(files->items);
    *files = (struct data_files){0};
}

/* ---- finding ---- */

bool data_file_is_name(const char *name)
{
    struct stat status;
    return name[0] != '\0' && strpbrk(name, "/.") == NULL && strcmp(name, "-") != 0 &&
           (stat(name, &status) != 0 || S_ISDIR(status.st_mode));
}

/* Says that the name is unknown, what was perhaps meant, and which names there are. */
static void fail_unknown(const char *name, unsigned kinds, const struct data_files *files,
                         struct error *err)
{
    char nouns[80] = ""; /* "recipe", "parameter file or file of positions" */
    char names[sizeof err->text] = "";
    struct suggestion near;
    for (int p = 0; p < PLACES; p++)
        if ((kinds & places[p].kind) != 0 && places[p].noun != NULL)
            text_add(nouns, sizeof nouns, "%s%s", nouns[0] != '\0' ? " or " : "", places[p].noun);
    if (files->count == 0) {
        error_set(err,
                  "no %s is named '%.100s', and there is no such file; none is installed: "
                  "GRAYLING_DATA must name the folder that holds params and data",
                  nouns, name);
        return;
    }
    suggest_init(&near, name);
    for (size_t i = 0; i < files->count; i++) {
        suggest_offer(&near, files->items[i].name, files->items[i].name);
        text_add(names, sizeof names, "%s%s", i > 0 ? ", " : "", files->items[i].name);
    }
    bool found = near.name != NULL;
    error_set(err, "no %s is named '%.100s', and %s; %s%s%s %s", nouns, name,
              access(name, F_OK) == 0 ? "it is a folder" : "there is no such file",
              found ? "did you mean " : "", found ? near.name : "",
              found ? "? There are" : "there are", names);
}

/* True if a file has this name, or is the half of the set of this name that is looked for. */
static bool is_named(const char *file, const char *name, unsigned kinds)
{
    const size_t length = strlen(name);
    return strcmp(file, name) == 0 ||
           (strncmp(file, name, length) == 0 &&
            ((kinds == DATA_EVALUATIONS && strcmp(file + length, "-eval") == 0) ||
             (kinds == DATA_SEARCHES && strcmp(file + length, "-search") == 0)));
}

bool data_file_find(const char *name, unsigned kinds, char path[PATH_SIZE], struct error *err)
{
    struct data_files files;
    size_t i = 0;
    if (!data_file_is_name(name))
        return snprintf(path, PATH_SIZE, "%s", name) < PATH_SIZE ||
               error_set(err, "the path %.200s... is longer than %d bytes", name, PATH_SIZE - 1);
    if (!data_files_list(&files, kinds, err))
        return false;
    while (i < files.count && !is_named(files.items[i].name, name, kinds))
        i++;
    const bool found = i < files.count;
    if (found)
        strcpy(path, files.items[i].path);
    else
        fail_unknown(name, kinds, &files, err);
    data_files_free(&files);
    return found;
}
