#include "uci_console.h"

#include "data_files.h"
#include "default_params.h"
#include "params_file.h"
#include "uci.h"
#include "version.h"

enum { HASH = 16 };

/* Flushes each answer, since a program waits for it. */
static void write_out(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stdout);
    fflush(stdout);
}

/* Reads a parameter file by its path, or by its name if it comes with the program. */
static const struct param_table *read_named(const char *name,
                                            const struct param_table *const *tables,
                                            int32_t *values, struct error *err)
{
    char path[PATH_SIZE];
    return data_file_find(name, DATA_PARAMS, path, err) ? params_read_any(path, tables, values, err)
                                                        : NULL;
}

bool uci_console_run(struct error *err)
{
    const struct uci_setup setup = {
        .name = "Grayling " GRAYLING_VERSION,
        .author = "the Grayling maintainers",
        .defaults = {.weights = default_weights,
                     .params = default_search,
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
