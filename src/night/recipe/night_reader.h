/* What the files share that read a night's recipe. Each function here fails with file, line and key. */
#ifndef GRAYLING_NIGHT_READER_H
#define GRAYLING_NIGHT_READER_H

#include "night_recipe.h"
#include "yaml_document.h"

/* The source and the destination of a night that is being read. */
struct night_reader {
    const struct yaml_document *doc;
    const char *directory; /* paths are relative to it; NULL: paths are not changed */
    struct night_recipe *night;
    struct error *err;
};

/* Sets the reader's error to a reason at this node. Always returns false. */
bool night_fail(const struct night_reader *in, const struct yaml_node *node, const char *reason);
/* Checks that a mapping has only known keys (a NULL-terminated list). */
bool night_check_keys(const struct night_reader *in, const struct yaml_node *mapping,
                      const char *const *known);

/* ---- entries ---- */

/* Finds the text of an entry, NULL if the entry is absent. Fails if the entry is not a text. */
bool night_text_of(const struct night_reader *in, const struct yaml_node *mapping, const char *key,
                   const char **text);
/* Copies the text of an entry. An absent entry gives "". */
bool night_take_text(const struct night_reader *in, const struct yaml_node *mapping,
                     const char *key, char *out, size_t size);
/* Reads a number in a range. An absent entry leaves the value unchanged. */
bool night_take_real(const struct night_reader *in, const struct yaml_node *mapping,
                     const char *key, double min, double max, double *value);
/* The same for a whole number that is a multiple of `step`, which is 1 or 2. */
bool night_take_whole(const struct night_reader *in, const struct yaml_node *mapping,
                      const char *key, int min, int max, int step, int *value);
/* Reads "yes" or "no". An absent entry leaves the value unchanged. */
bool night_take_yes(const struct night_reader *in, const struct yaml_node *mapping, const char *key,
                    bool *value);
/* Reads the path of a file, relative to the recipe. The file must exist. */
bool night_take_path(const struct night_reader *in, const struct yaml_node *node,
                     char path[RECIPE_PATH]);
/* Reads the name of an earlier stage that evolves an evaluation, or a search. An absent entry gives "". */
bool night_take_stage(const struct night_reader *in, const struct yaml_node *mapping,
                      const char *key, bool evaluation, char out[STORE_STAGE]);

/* ---- stages ---- */

/* Reads a stage that evolves (night_run_stage.c). */
bool night_take_run(const struct night_reader *in, const struct yaml_node *mapping,
                    struct night_stage *stage);
/* Reads a match (night_match_stage.c). */
bool night_take_match(const struct night_reader *in, const struct yaml_node *mapping,
                      struct night_stage *stage);

/* Checks, after all stages are read, that no name is that of two runs, or of a stage and a word
 * (night_recipe.c). */
bool night_check_names(const struct night_reader *in);

#endif
