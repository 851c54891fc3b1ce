#include "outcome.h"

#include "params_write.h"
#include "report_file.h"
#include "run_written.h"
#include "source.h"

#include <unistd.h>

bool outcome_check(const char *store_path, const char *path, bool force, struct error *err)
{
    return force || access(path, F_OK) != 0 || run_wrote(store_path, path) ||
           report_file_untouched(path) ||
           error_set(err,
                     "%s exists and was changed since this run wrote it; move it away or give "
                     "--force",
                     path);
}

bool outcome_print_values(FILE *out, const void *summary, struct error *err)
{
    const struct run_summary *s = summary;
    char comment[SOURCE_COMMENT];
    return source_describe(s, comment, err) &&
           params_write(out, PARAMS_YAML, &s->space, s->best, comment, err);
}
