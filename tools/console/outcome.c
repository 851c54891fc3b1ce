#include "outcome.h"

#include "outcome_words.h"
#include "output.h"
#include "params_write.h"
#include "report_file.h"
#include "source.h"
#include "store.h"

#include <unistd.h>

/* Says that a file is in the way of a run: one that is there, or one that is to begin. */
static bool fail_exists(const char *store_path, const char *path, struct error *err)
{
    return error_set(err, "%s exists%s; move it away or give --force", path,
                     store_is_database(store_path) ? " and was changed since this run wrote it"
                                                   : ", and the new run would overwrite it");
}

bool outcome_check(const char *store_path, const char *path, bool force, struct error *err)
{
    return force || access(path, F_OK) != 0 || run_wrote(store_path, path) ||
           report_file_untouched(path) || fail_exists(store_path, path, err);
}

bool outcome_spares(const char *path, const char *role, const char *input, struct error *err)
{
    return !output_is_same(path, input) ||
           error_set(
               err,
               "%s is the %s of the run, and its outcome would overwrite it; choose another -o",
               input, role);
}

bool outcome_spares_file(void *context, const char *role, char input[RECIPE_PATH],
                         struct error *err)
{
    return outcome_spares(context, role, input, err);
}

void outcome_tell(const char *name, const char *path)
{
    char text[OUTCOME_PLACE];
    printf("  %-10s  %s\n", name, outcome_place(path, text));
}

bool outcome_print_values(FILE *out, const void *summary, struct error *err)
{
    const struct run_summary *s = summary;
    char comment[SOURCE_COMMENT];
    return source_describe(s, comment, err) &&
           params_write(out, PARAMS_YAML, &s->space, s->best, comment, err);
}
