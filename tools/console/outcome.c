#include "outcome.h"

#include "output.h"
#include "params_write.h"
#include "report_file.h"
#include "source.h"
#include "store.h"

#include <unistd.h>

bool outcome_check(const char *store_path, const char *path, bool force, struct error *err)
{
    return force || access(path, F_OK) != 0 || run_wrote(store_path, path) ||
           report_file_untouched(path) ||
           error_set(err, "%s exists%s; move it away or give --force", path,
                     store_is_database(store_path) ? " and was changed since this run wrote it"
                                                   : ", and the new run would overwrite it");
}

bool outcome_spares(const struct outcome *o, const char *role, const char *input, struct error *err)
{
    for (int i = 0; i < o->count; i++)
        if (output_is_same(o->paths[i], input))
            return error_set(
                err,
                "%s is the %s of the run, and its outcome would overwrite it; choose another -o",
                input, role);
    return true;
}

bool outcome_spares_file(void *outcome, const char *role, char input[RECIPE_PATH],
                         struct error *err)
{
    return outcome_spares(outcome, role, input, err);
}

bool outcome_make(const char *store_path, const char *path, bool force, const char *name,
                  outcome_print *print, const void *context, struct error *err)
{
    if (!outcome_check(store_path, path, force, err) ||
        !outcome_write(store_path, path, print, context, err))
        return false;
    outcome_tell(name, path);
    return true;
}

void outcome_tell(const char *name, const char *path)
{
    char text[OUTCOME_PLACE];
    printf("  %-10s  %s\n", name, outcome_place(path, text));
}

void outcome_tell_lines(const struct outcome_line *lines, int count)
{
    for (int i = 0; i < count; i++)
        if (lines[i].kind >= OUTCOME_FILES) {
            const char *name = outcome_name(lines, i);
            printf("%s%s%*s%s\n", name, name[0] != '\0' ? ":" : " ", 12 - (int)strlen(name), "",
                   lines[i].text);
        }
}

bool outcome_print_values(FILE *out, const void *summary, struct error *err)
{
    const struct run_summary *s = summary;
    char comment[SOURCE_COMMENT];
    return source_describe(s, comment, err) &&
           params_write(out, PARAMS_YAML, &s->space, s->best, comment, err);
}
