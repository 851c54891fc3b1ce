/* Any bytes as a parameter file and as a search space: refused with a reason, or values within
 * their ranges that come back the same from what is written. */
#include "evaluate.h"
#include "fuzz.h"
#include "genome.h"
#include "memory_file.h"
#include "params_file.h"
#include "params_write.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct memory_file file;

/* Reads a file of one table's kind. */
static bool params_read(const char *path, const struct param_table *of, int32_t *into,
                        struct error *reason)
{
    const struct param_table *const only[] = {of, NULL};
    return params_read_any(path, only, into, reason) != NULL;
}

static void check_values(const int32_t *values)
{
    char *text = NULL;
    size_t size;
    int32_t again[EVAL_TERMS];
    FILE *out = open_memstream(&text, &size);
    assert(out != NULL);
    assert(params_write(out, PARAMS_YAML, &eval_table, values, NULL, NULL));
    fclose(out);
    memory_file_write(&file, (const uint8_t *)text, size);
    assert(params_read(file.path, &eval_table, again, NULL));
    assert(memcmp(values, again, sizeof again) == 0);
    free(text);
    for (int t = 0; t < EVAL_TERMS; t++)
        assert(values[t] >= eval_table.params[t].min && values[t] <= eval_table.params[t].max);
}

static void check_space(const struct param *params)
{
    const struct param_table table = {"evaluation", params, EVAL_TERMS};
    struct genome genome;
    struct error err = {""};
    if (!genome_init(&genome, &table, &err))
        assert(err.text[0] != '\0');
    for (int t = 0; t < EVAL_TERMS; t++)
        assert(params[t].initial >= params[t].min && params[t].initial <= params[t].max);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct param_table *const only[] = {&eval_table, NULL};
    int32_t values[EVAL_TERMS];
    struct param params[EVAL_TERMS];
    struct yaml_document doc = {0};
    struct error err = {""};
    if (yaml_read_text(&doc, "fuzz", (const char *)data, size, &err) &&
        params_take_space(&doc, only, params) != NULL)
        check_space(params);
    else
        assert(err.text[0] != '\0');
    yaml_finish(&doc);
    err.text[0] = '\0';
    memory_file_write(&file, data, size);
    if (params_read(file.path, &eval_table, values, &err))
        check_values(values);
    else
        assert(err.text[0] != '\0');
    return 0;
}
