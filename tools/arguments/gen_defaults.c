/* Build step: compiles the engine's default parameters from their files into C.
 *
 *   gen_defaults EVAL.yaml SEARCH.yaml OUT.c */
#include "evaluate.h"
#include "params_file.h"
#include "search_params.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads a file of one of the kinds and writes its values as the only member of a constant.
 * Parameters that the kind lacks are 0. */
static bool write_values(FILE *out, const char *path, const struct param_table *const *kinds,
                         const char *declaration, struct error *err)
{
    static int32_t values[(int)EVAL_TERMS + (int)SEARCH_PARAMS];
    const struct param_table *table = params_read_any(path, kinds, values, err);
    if (table == NULL)
        return false;
    fprintf(out, "\n%s = {{\n", declaration);
    for (int i = 0; i < table->count; i++)
        fprintf(out, "    [%s] = %d,\n", table->params[i].name, values[i]);
    fputs("}};\n", out);
    return true;
}

int main(int argc, char **argv)
{
    static const struct param_table *const eval_kinds[] = {&eval_table, NULL};
    struct error err;
    FILE *out = argc == 4 ? fopen(argv[3], "w") : NULL;
    if (out == NULL) {
        fputs("usage: gen_defaults EVAL.yaml SEARCH.yaml OUT.c\n", stderr);
        return EXIT_FAILURE;
    }
    fputs("#include \"default_params.h\"\n", out);
    bool written =
        write_values(out, argv[1], eval_kinds, "const struct eval_weights default_weights", &err) &&
        write_values(out, argv[2], search_tables, "const struct search_params default_search",
                     &err);
    if (!written)
        fprintf(stderr, "gen_defaults: %s\n", err.text);
    return fclose(out) == 0 && written ? EXIT_SUCCESS : EXIT_FAILURE;
}
