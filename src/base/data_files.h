/* The files that come with the program: recipes, parameter files, search spaces and positions. They
 * have the same layout wherever they are, so that a recipe's relative paths hold:
 *
 *     params/recipes/quick.yaml    the recipe quick
 *     params/paper-eval.yaml       the parameter file paper-eval
 *     params/eval-space.yaml       the search space eval-space
 *     data/train-1.epd             the positions train-1
 *
 * A user names such a file without folder and ending. These folders are searched, in this order:
 *
 *     1. $GRAYLING_DATA
 *     2. ../share/grayling beside the folder of the program; in a build directory, a link to the
 *        source tree
 *     3. share/grayling of the prefix that the build was configured with */
#ifndef GRAYLING_DATA_FILES_H
#define GRAYLING_DATA_FILES_H

#include "paths.h"

#include <stddef.h>

/* Kinds of files; a set of kinds is their sum. With DATA_EVALUATIONS or DATA_SEARCHES in place of
 * DATA_PARAMS, a half of a set is found by the name of the set: games-eval or games-search by "games". */
enum data_kind {
    DATA_RECIPES = 1,
    DATA_PARAMS = 2,
    DATA_SPACES = 4,
    DATA_POSITIONS = 8,
    DATA_EVALUATIONS = DATA_PARAMS + 16,
    DATA_SEARCHES = DATA_PARAMS + 32
};

/* What a user may name where parameters or positions are expected. */
enum { DATA_VALUES = DATA_PARAMS | DATA_POSITIONS };

enum { DATA_NAME = 64 };

struct data_file {
    char name[DATA_NAME];
    char path[PATH_SIZE]; /* absolute */
};

/* Owned by the caller between data_files_list and data_files_free. */
struct data_files {
    struct data_file *items; /* by folder, then by name; each name once per kind */
    size_t count;
};

/* Lists the files of these kinds; the list is empty if none are installed. False without memory. */
bool data_files_list(struct data_files *files, unsigned kinds, struct error *err);
void data_files_free(struct data_files *files);

/* True if a name may be that of such a file: it has neither folder nor ending, and no file of the working
 * directory is named so. */
bool data_file_is_name(const char *name);

/* Finds the file that a user names. A file that exists as named wins. Else a name without slash and
 * without ending is one of these kinds; its path is written. Any other name, and "-", is copied
 * unchanged. An unknown name is an error that lists the known ones and suggests the closest. */
bool data_file_find(const char *name, unsigned kinds, char path[PATH_SIZE], struct error *err);

#endif
