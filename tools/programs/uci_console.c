#include "programs.h"

#include "data_files.h"
#include "default_params.h"
#include "params_file.h"
#include "uci.h"
#include "version.h"

#include <string.h>

enum { HASH = 16 };

/* Flushes each answer, since a program waits for it. */
static void write_out(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stdout);
    fflush(stdout);
}

/* Reads a parameter file by its path, or by its name if it comes with the program. What is wrong is
 * said on standard error too, for those who do not read info strings. */
static const struct param_table *read_named(const char *name,
                                            const struct param_table *const *tables,
                                            int32_t *values, struct error *err)
{
    const enum data_kind files = tables == evaluation_tables ? DATA_EVALUATIONS : DATA_SEARCHES;
    char path[PATH_SIZE];
    const struct param_table *table = NULL;
    if (strcmp(name, "-") == 0)
        error_set(err, "expected the path of a readable file");
    else if (data_file_find(name, files, path, err))
        table = params_read_any(path, tables, values, err);
    if (table == NULL)
        fprintf(stderr, "grayling-uci: %s\n", err->text);
    return table;
}

bool uci_console_run(bool tune, struct error *err)
{
    const struct uci_setup setup = {
        .name = "Grayling " GRAYLING_VERSION,
        .author = "the Grayling maintainers",
        .defaults = {.evaluation = tune ? evaluation_of_weights(&default_weights)
                                        : evaluation_from(&modern_eval_table, games_weights),
                     .params = tune ? default_search : games_search,
                     .tune = tune,
                     .hash = HASH,
                     .hash_max = HASH_MAX,
                     .threads_max = THREADS_MAX,
                     .read_params = read_named},
        .write = write_out,
    };
    struct uci *u = uci_create(&setup, err);
    if (u == NULL)
        return false;
    uci_serve(u, stdin);
    uci_destroy(u);
    return true;
}
