/* Build step: compiles into C (default_params.h) the sets of parameters that the engine plays with, the default set and
 * that for games; or the default opening book.
 *
 *   gen_defaults EVAL.yaml SEARCH.yaml EVAL.yaml SEARCH.yaml OUT.c
 *   gen_defaults BOOK.epd OUT.c */
#include "evaluation.h"
#include "opening.h"
#include "params_file.h"
#include "search_params.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads a file of one of the kinds and writes its values as a constant: the only member of a structure,
 * by name, or an array. Parameters that the kind lacks are 0. */
static bool write_values(FILE *out, const char *path, const struct param_table *const *kinds,
                         const char *declaration, bool array, struct error *err)
{
    static int32_t values[(int)EVALUATION_WEIGHTS + (int)SEARCH_PARAMS];
    const struct param_table *table = params_read_any(path, kinds, values, err);
    if (table == NULL)
        return false;
    fprintf(out, "\n%s = %s\n", declaration, array ? "{" : "{{");
    for (int i = 0; i < table->count; i++)
        if (array)
            fprintf(out, "    [%d] = %d,\n", i, values[i]);
        else
            fprintf(out, "    [%s] = %d,\n", table->params[i].name, values[i]);
    fputs(array ? "};\n" : "}};\n", out);
    return true;
}

/* Writes all sets, from files in the order of the usage. */
static bool write_sets(FILE *out, char *const *files, struct error *err)
{
    static const struct param_table *const paper[] = {&eval_table, NULL}, *const modern[] = {
                                                                              &modern_eval_table,
                                                                              NULL};
    fputs("#include \"default_params.h\"\n", out);
    return write_values(out, files[0], paper, "const struct eval_weights default_weights", false,
                        err) &&
           write_values(out, files[1], search_tables, "const struct search_params default_search",
                        false, err) &&
           write_values(out, files[2], modern, "const int32_t games_weights[MODERN_WEIGHTS]", true,
                        err) &&
           write_values(out, files[3], search_tables, "const struct search_params games_search",
                        false, err);
}

/* Writes the positions of a book as FENs. Fails if an opening has moves, since FENs hold none. */
static bool write_openings(FILE *out, const char *path, struct error *err)
{
    struct book book = {0};
    char fen[FEN_MAX];
    bool good = book_read(&book, path, 1, err);
    fputs("#include \"default_params.h\"\n\nconst char *const default_openings[] = {\n", out);
    for (size_t i = 0; good && i < book.count; i++) {
        good =
            book.items[i].plies == 0 || error_set(err, "an opening with moves; expected positions");
        position_to_fen(&book.items[i].start, fen);
        fprintf(out, "    \"%s\",\n", fen);
    }
    fprintf(out, "};\nconst size_t default_opening_count = %zu;\n", book.count);
    book_free(&book);
    return good;
}

int main(int argc, char **argv)
{
    struct error err;
    FILE *out = argc == 6 || argc == 3 ? fopen(argv[argc - 1], "w") : NULL;
    if (out == NULL) {
        fputs("usage: gen_defaults EVAL.yaml SEARCH.yaml EVAL.yaml SEARCH.yaml OUT.c\n"
              "       gen_defaults BOOK.epd OUT.c\n",
              stderr);
        return EXIT_FAILURE;
    }
    const bool written =
        argc == 6 ? write_sets(out, argv + 1, &err) : write_openings(out, argv[1], &err);
    if (!written)
        fprintf(stderr, "gen_defaults: %s\n", err.text);
    return fclose(out) == 0 && written ? EXIT_SUCCESS : EXIT_FAILURE;
}
