/* Any bytes as a space: refused with a reason, or parameters whose first values are within their ranges,
 * and whose genes hold their ranges. */
#include "evaluate.h"
#include "fuzz.h"
#include "genome.h"
#include "memory_file.h"
#include "search_params.h"
#include "space.h"

#include <assert.h>

static void check_space(const struct space *s)
{
    struct genome genome;
    struct error err = {""};
    assert(s->table.count >= 1 && s->table.count <= SPACE_PARAMS_MAX);
    for (int i = 0; i < s->table.count; i++) {
        const struct param *p = &s->table.params[i];
        assert(p->name[0] != '\0' && p->min <= p->initial && p->initial <= p->max);
    }
    if (genome_init(&genome, &s->table, &err))
        assert(genome.length >= 0);
    else
        assert(err.text[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct memory_file file;
    const struct param_table *const ours[] = {&eval_table, &search_table, NULL};
    struct error err = {""};
    struct space space = {0};
    memory_file_write(&file, data, size);
    if (space_read(file.path, ours, &space, &err))
        check_space(&space);
    else
        assert(err.text[0] != '\0');
    space_free(&space);
    return 0;
}
