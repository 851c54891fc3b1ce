#include "params_file.h"

#include "param.h"
#include "parse.h"
#include "space.h"
#include "suggest.h"
#include "value_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A parameter file or search space being read. */
struct reader {
    const struct yaml_document *doc;
    const struct param_table *const *tables; /* the tables it may be for, NULL-terminated */
    const struct param_table *table;         /* the table of its kind, once known */
    bool (*take)(const struct reader *in, const struct yaml_node *node, int index);
    int32_t *values;      /* output of take_value; NULL if ranges are read */
    struct param *params; /* output of take_range; NULL if values are read */
    bool flat;            /* a list of values alone, without kind */
    struct error *err;
};

/* Parses a whole number from min to max. */
static bool parse_within(const struct yaml_node *node, int64_t min, int64_t max, int32_t *value)
{
    int64_t number;
    if (node->kind != YAML_SCALAR || !parse_int64(node->text, &number) || number < min ||
        number > max)
        return false;
    *value = (int32_t)number;
    return true;
}

/* Reports a wrong number and the allowed range. */
static bool fail_number(const struct reader *in, const struct yaml_node *node, int64_t min,
                        int64_t max, const char *why)
{
    char found[YAML_KEY];
    yaml_describe(node, found);
    if (min == max)
        return yaml_fail(in->doc, node, in->err, "%s is wrong; expected %lld%s", found,
                         (long long)min, why);
    return yaml_fail(in->doc, node, in->err,
                     "%s is wrong; expected a whole number from %lld to %lld%s", found,
                     (long long)min, (long long)max, why);
}

/* Reads a value of another engine, as that engine writes it. */
static bool take_foreign_value(const struct reader *in, const struct yaml_node *node,
                               const struct param *p, int32_t *value)
{
    char found[YAML_KEY], min[PARAM_TEXT], max[PARAM_TEXT];
    if (node->kind == YAML_SCALAR && param_parse_value(p, node->text, value) && *value >= p->min &&
        *value <= p->max)
        return true;
    yaml_describe(node, found);
    if (p->choices != NULL)
        return yaml_fail(in->doc, node, in->err, "%s is wrong; expected one of the choices", found);
    return yaml_fail(in->doc, node, in->err, "%s is wrong; expected %s to %s", found,
                     param_value_text(p, p->min, min), param_value_text(p, p->max, max));
}

/* Reads one value of a parameter file. */
static bool take_value(const struct reader *in, const struct yaml_node *node, int index)
{
    const struct param *p = &in->table->params[index];
    if (node->kind == YAML_MAPPING)
        return yaml_fail(in->doc, node, in->err,
                         "a range, not a value; this is a search space, and parameters of the "
                         "form NAME: 123 are expected");
    if (space_is_foreign(in->table))
        return take_foreign_value(in, node, p, &in->values[index]);
    return parse_within(node, p->min, p->max, &in->values[index]) ||
           fail_number(in, node, p->min, p->max, p->min == p->max ? ", a constant" : "");
}

/* Reads bits, min or max of a range. */
static bool take_bound(const struct reader *in, const struct yaml_node *range, const char *key,
                       int32_t min, int32_t max, int32_t *value)
{
    const struct yaml_node *node = yaml_find(range, key);
    if (node == NULL)
        return yaml_fail(in->doc, range, in->err,
                         "%s is missing; expected {bits: B, min: A, max: Z}", key);
    return parse_within(node, min, max, value) || fail_number(in, node, min, max, "");
}

/* Reads the step of a range, if it has one. */
static bool take_step(const struct reader *in, const struct yaml_node *range, int32_t *step)
{
    const int32_t most = INT32_MAX / 2;
    const struct yaml_node *node = yaml_find(range, "step");
    return node == NULL || parse_within(node, 1, most, step) || fail_number(in, node, 1, most, "");
}

/* True if a range has only the keys bits, min, max, step and c. */
static bool check_range_keys(const struct reader *in, const struct yaml_node *range)
{
    for (const struct yaml_node *node = range->child; node != NULL; node = node->next)
        if (strcmp(node->key, "bits") != 0 && strcmp(node->key, "min") != 0 &&
            strcmp(node->key, "max") != 0 && strcmp(node->key, "step") != 0 &&
            strcmp(node->key, "c") != 0)
            return yaml_fail(in->doc, node, in->err,
                             "unknown key; known here: bits, min, max, step, c");
    return true;
}

/* True if the gene's bits span min to max. A gene without bits is a constant. */
static bool check_reach(const struct reader *in, const struct yaml_node *node,
                        const struct param *p)
{
    int64_t reach = (((int64_t)1 << p->bits) - 1) * param_step(p);
    if (p->min > p->max)
        return yaml_fail(in->doc, node, in->err, "min %d is above max %d", p->min, p->max);
    if (param_largest(p) - p->min <= reach)
        return true;
    return yaml_fail(in->doc, node, in->err, "%d bits reach from %d to %lld; max is %d", p->bits,
                     p->min, (long long)p->min + reach, p->max);
}

bool params_take_c(const struct yaml_document *doc, const struct yaml_node *entry, const char *key,
                   struct param *p, struct error *err)
{
    char found[YAML_KEY];
    double c = 0;
    const double unit = pow(10, p->decimals), most = ((double)p->max - p->min) / 2;
    const struct yaml_node *node = yaml_find(entry, key);
    if (node == NULL)
        return true;
    if (param_is_choice(p) || p->bits == 0 || most <= 0)
        return yaml_fail(doc, node, err, "only a number that evolves has a perturbation");
    if (node->kind == YAML_SCALAR && parse_double(node->text, &c) && c > 0 &&
        c * unit <= most * (1 + 1e-12)) {
        p->c = fmin(c * unit, most);
        return true;
    }
    yaml_describe(node, found);
    return yaml_fail(doc, node, err,
                     "%s is wrong; expected a number above 0 and at most %g, half the range", found,
                     most / unit);
}

/* Reads one range of a search space. */
static bool take_range(const struct reader *in, const struct yaml_node *node, int index)
{
    const struct param *known = &in->table->params[index];
    struct param *p = &in->params[index];
    if (node->kind != YAML_MAPPING)
        return yaml_fail(in->doc, node, in->err,
                         "a value, not a range; expected {bits: B, min: A, max: Z}");
    int32_t bits;
    if (!check_range_keys(in, node) ||
        !take_bound(in, node, "bits", 0, known->bits > 0 ? 30 : 0, &bits) ||
        !take_bound(in, node, "min", known->min, known->max, &p->min) ||
        !take_bound(in, node, "max", known->min, known->max, &p->max) ||
        !take_step(in, node, &p->step))
        return false;
    p->bits = bits;
    p->initial = p->initial < p->min ? p->min : p->initial;
    p->initial = p->initial > p->max ? p->max : p->initial;
    return check_reach(in, node, p) && params_take_c(in->doc, node, "c", p, in->err);
}

/* Reports an unknown parameter and suggests a similar one. */
static bool fail_unknown(const struct reader *in, const struct yaml_node *node)
{
    struct suggestion near;
    suggest_init(&near, node->key);
    for (int i = 0; i < in->table->count; i++)
        suggest_offer(&near, in->table->params[i].name, in->table->params[i].name);
    if (near.name != NULL)
        return yaml_fail(in->doc, node, in->err, "unknown parameter; did you mean %s?", near.name);
    return yaml_fail(in->doc, node, in->err, "unknown parameter; no name of kind %s is like it",
                     in->table->kind);
}

/* Finds the table of the file's kind. Ranges start as the table's own. */
static bool take_kind(struct reader *in)
{
    char found[YAML_KEY], expected[YAML_KEY];
    const struct yaml_node *kind = yaml_find(in->doc->root, "kind");
    param_list_kinds(in->tables, expected, sizeof expected);
    if (kind == NULL)
        return error_set(in->err, "%s: kind: missing; expected kind: %s", in->doc->path, expected);
    for (const struct param_table *const *t = in->tables; *t != NULL; t++)
        if (kind->kind == YAML_SCALAR && strcmp(kind->text, (*t)->kind) == 0)
            in->table = *t;
    if (in->table == NULL) {
        yaml_describe(kind, found);
        return yaml_fail(in->doc, kind, in->err, "%s is wrong; expected %s", found, expected);
    }
    if (in->params != NULL)
        memcpy(in->params, in->table->params, (size_t)in->table->count * sizeof *in->params);
    return true;
}

/* Counts the names of a list that a table has. */
static int count_known(const struct param_table *table, const struct yaml_node *list)
{
    int known = 0, at = 0;
    for (const struct yaml_node *node = list->child; node != NULL; node = node->next) {
        int index = param_find_from(table, node->key, at);
        known += index >= 0;
        at = index + 1;
    }
    return known;
}

/* Finds the table of a list that names no kind: the one that has most of its names, and of several
 * such tables the smallest. */
static bool guess_kind(struct reader *in)
{
    const struct yaml_node *list = in->doc->root;
    char expected[YAML_KEY];
    int most = -1;
    for (const struct param_table *const *t = in->tables; *t != NULL; t++) {
        int known = count_known(*t, list);
        if (known > most || (known == most && (*t)->count < in->table->count)) {
            most = known;
            in->table = *t;
        }
    }
    if (most > 0 || list->child == NULL || in->tables[1] == NULL)
        return true;
    param_list_kinds(in->tables, expected, sizeof expected);
    return yaml_fail(in->doc, list->child, in->err, "unknown parameter; expected names of kind %s",
                     expected);
}

/* True if the file has exactly the keys `kind` and `parameters`. */
static bool check_outline(struct reader *in)
{
    const struct yaml_node *root = in->doc->root;
    if (root->kind != YAML_MAPPING)
        return yaml_fail(in->doc, root, in->err, "expected keys: kind, parameters");
    for (const struct yaml_node *node = root->child; node != NULL; node = node->next)
        if (strcmp(node->key, "kind") != 0 && strcmp(node->key, "parameters") != 0 &&
            strcmp(node->key, "command") != 0 && strcmp(node->key, "plays") != 0)
            return yaml_fail(in->doc, node, in->err, "unknown key; known here: kind, parameters");
    const struct yaml_node *list = yaml_find(root, "parameters");
    if (list == NULL)
        return error_set(in->err, "%s: parameters: missing; expected names and their values",
                         in->doc->path);
    if (list->kind != YAML_MAPPING)
        return yaml_fail(in->doc, list, in->err, "expected names and their values");
    return take_kind(in);
}

/* The index of the null move's mode, if its value does not read `gene`; else -1. Other disabled
 * methods may keep their values. */
static int null_move_mode_against(const struct param_table *table, const int32_t *values, int gene)
{
    int off = inactive_by(table, values, gene);
    return off >= 0 && strcmp(table->params[off].name, "NULL_MOVE_MODE") == 0 ? off : -1;
}

bool params_is_unread(const struct param_table *table, const int32_t *values, int index)
{
    return null_move_mode_against(table, values, index) >= 0;
}

/* Fails if a method's setting is combined with a parameter that it does not read. */
static bool check_methods(const struct reader *in, const struct yaml_node *list)
{
    for (int i = 0; i < in->table->count; i++) {
        int mode = null_move_mode_against(in->table, in->values, i);
        if (mode >= 0 && in->values[i] != 0)
            return yaml_fail(in->doc, yaml_find(list, in->table->params[i].name), in->err,
                             "%s %d does not read it; it must be 0 there",
                             in->table->params[mode].name, in->values[mode]);
    }
    return true;
}

bool params_omit_zeros(const struct param_table *table)
{
    return strcmp(table->kind, "evaluation-modern") == 0;
}

/* Makes a parameter this value, or a constant. */
static void set_constant(const struct reader *in, int index, int32_t value)
{
    if (in->values != NULL) {
        in->values[index] = value;
    } else {
        struct param *p = &in->params[index];
        p->bits = 0;
        p->min = p->max = p->initial = value;
    }
}

/* Supplies a parameter that a list does not name: 0 for a weight of our evaluations, so that files outlive new
 * terms; the initial value of one that was added later; and a constant in a list without a kind, because tuners and
 * engines do not know constants. Such a list may be part of the paper's weights, which it must name. False if the
 * parameter must be named. */
static bool supply(const struct reader *in, int index)
{
    const struct param *p = &in->table->params[index];
    const bool paper = strcmp(in->table->kind, "evaluation") == 0;
    if (p->min <= 0 && (params_omit_zeros(in->table) || (paper && !in->flat))) {
        set_constant(in, index, 0);
        return true;
    }
    if (param_is_added(in->table, index)) {
        set_constant(in, index, p->initial);
        return true;
    }
    if (!in->flat || p->bits > 0)
        return false;
    in->values[index] = p->initial;
    return true;
}

/* Reads every entry, and notes which parameters have one. */
static bool take_entries(const struct reader *in, const struct yaml_node *list, bool *given)
{
    int index = -1;
    for (const struct yaml_node *node = list->child; node != NULL; node = node->next) {
        index = param_find_from(in->table, node->key, index + 1);
        if (index < 0 ? !fail_unknown(in, node) : !in->take(in, node, index))
            return false;
        if (index >= 0)
            given[index] = true;
    }
    return true;
}

/* Supplies or misses the parameters that have no entry. */
static bool supply_others(const struct reader *in, const struct yaml_node *list, const bool *given)
{
    for (int i = 0; i < in->table->count; i++)
        if (!given[i] && !supply(in, i))
            return yaml_fail(in->doc, list, in->err, "%s is missing: %s", in->table->params[i].name,
                             in->table->params[i].meaning);
    return true;
}

/* Reads every entry, and supplies or misses the parameters that have none. */
static bool take_list(const struct reader *in, const struct yaml_node *list)
{
    bool *given = calloc((size_t)in->table->count + 1, sizeof *given);
    if (given == NULL)
        return error_set(in->err, "%s: no memory", in->doc->path);
    bool taken = take_entries(in, list, given) && supply_others(in, list, given);
    free(given);
    return taken && (in->values == NULL || check_methods(in, list));
}

/* Reads a document: a file with its kind, or a list of values alone. */
static bool take_document(struct reader *in)
{
    in->flat = in->values != NULL && value_document_is_flat(in->doc);
    if (in->flat)
        return guess_kind(in) && take_list(in, in->doc->root);
    return check_outline(in) && take_list(in, yaml_find(in->doc->root, "parameters"));
}

/* Reads a document and releases it. */
static bool take_and_finish(struct yaml_document *doc, struct reader *in)
{
    in->doc = doc;
    bool taken = take_document(in);
    yaml_finish(doc);
    return taken;
}

/* A reader of values. */
static struct reader value_reader(const struct param_table *const *tables, int32_t *values,
                                  struct error *err)
{
    return (struct reader){.tables = tables, .take = take_value, .values = values, .err = err};
}

/* A reader of ranges. */
static struct reader range_reader(const struct param_table *const *tables, struct param *params,
                                  struct error *err)
{
    return (struct reader){.tables = tables, .take = take_range, .params = params, .err = err};
}

const struct param_table *params_read_any(const char *path, const struct param_table *const *tables,
                                          int32_t *values, struct error *err)
{
    struct yaml_document doc;
    struct reader in = value_reader(tables, values, err);
    return value_document_read(&doc, path, err) && take_and_finish(&doc, &in) ? in.table : NULL;
}

const struct param_table *params_take_space(const struct yaml_document *doc,
                                            const struct param_table *const *tables,
                                            struct param *params, struct error *err)
{
    struct reader in = range_reader(tables, params, err);
    in.doc = doc;
    return take_document(&in) ? in.table : NULL;
}

bool params_read(const char *path, const struct param_table *table, int32_t *values,
                 struct error *err)
{
    const struct param_table *const only[] = {table, NULL};
    return params_read_any(path, only, values, err) != NULL;
}

bool params_from_text(const char *name, const char *text, size_t length,
                      const struct param_table *table, int32_t *values, struct error *err)
{
    struct yaml_document doc;
    const struct param_table *const only[] = {table, NULL};
    struct reader in = value_reader(only, values, err);
    return value_document_from_text(&doc, name, text, length, err) && take_and_finish(&doc, &in);
}

bool params_read_space(const char *path, const struct param_table *table, struct param *params,
                       struct error *err)
{
    struct yaml_document doc;
    const struct param_table *const only[] = {table, NULL};
    struct reader in = range_reader(only, params, err);
    return yaml_read_file(&doc, path, err) && take_and_finish(&doc, &in);
}

bool params_space_from_text(const char *name, const char *text, size_t length,
                            const struct param_table *table, struct param *params,
                            struct error *err)
{
    struct yaml_document doc;
    const struct param_table *const only[] = {table, NULL};
    struct reader in = range_reader(only, params, err);
    return yaml_read_text(&doc, name, text, length, err) && take_and_finish(&doc, &in);
}
