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
    int32_t *values;                         /* what is read: values, else NULL; */
    struct param *params;                    /* or ranges, else NULL */
    bool flat;                               /* a list of values alone, without kind */
};

/* Reads one value of a parameter file; of another engine, as that engine writes it. */
static bool take_value(const struct reader *in, const struct yaml_node *node, int index)
{
    const struct param *p = &in->table->params[index];
    int32_t *value = &in->values[index];
    char min[PARAM_TEXT], max[PARAM_TEXT];
    if (node->kind == YAML_MAPPING)
        return refuse(in, node,
                      "a range, not a value; this is a search space, and parameters of the "
                      "form NAME: 123 are expected");
    if (!space_is_foreign(in->table))
        return yaml_take_whole(in->doc, node, p->min, p->max,
                               p->min == p->max ? ", a constant" : "", value);
    if (node->kind == YAML_SCALAR && param_parse_value(p, node->text, value) && *value >= p->min &&
        *value <= p->max)
        return true;
    if (p->choices != NULL)
        return refuse_value(in, node, "one of the choices");
    return refuse_value(in, node, "%s to %s", param_value_text(p, p->min, min),
                        param_value_text(p, p->max, max));
}

static bool take_bound(const struct reader *in, const struct yaml_node *range, const char *key,
                       int32_t min, int32_t max, int32_t *value)
{
    const struct yaml_node *node = yaml_find(range, key);
    if (node == NULL)
        return refuse(in, range, "%s is missing; expected {bits: B, min: A, max: Z}", key);
    return yaml_take_whole(in->doc, node, min, max, "", value);
}

bool params_take_c(const struct yaml_document *doc, const struct yaml_node *entry, const char *key,
                   struct param *p)
{
    double c = 0;
    const double unit = pow(10, p->decimals), most = ((double)p->max - p->min) / 2;
    const struct yaml_node *node = yaml_find(entry, key);
    if (node == NULL)
        return true;
    if (param_is_choice(p) || p->bits == 0 || most <= 0)
        return yaml_fail(doc, node, "only a number that evolves has a perturbation");
    if (node->kind == YAML_SCALAR && parse_double(node->text, &c) && c > 0 &&
        c * unit <= most * (1 + 1e-12)) {
        p->c = fmin(c * unit, most);
        return true;
    }
    return yaml_fail_value(doc, node, "a number above 0 and at most %g, half the range",
                           most / unit);
}

/* Reads one range of a search space. The gene's bits must span min to max; without bits it is a constant. */
static bool take_range(const struct reader *in, const struct yaml_node *node, int index)
{
    const struct param *known = &in->table->params[index];
    struct param *p = &in->params[index];
    const struct yaml_node *step = yaml_find(node, "step");
    int32_t bits;
    if (node->kind != YAML_MAPPING)
        return refuse(in, node, "a value, not a range; expected {bits: B, min: A, max: Z}");
    if (!yaml_check_keys(in->doc, node, "bits, min, max, step, c") ||
        !take_bound(in, node, "bits", 0, known->bits > 0 ? 30 : 0, &bits) ||
        !take_bound(in, node, "min", known->min, known->max, &p->min) ||
        !take_bound(in, node, "max", known->min, known->max, &p->max) ||
        (step != NULL && !yaml_take_whole(in->doc, step, 1, INT32_MAX / 2, "", &p->step)))
        return false;
    p->bits = bits;
    p->initial = p->initial < p->min ? p->min : p->initial;
    p->initial = p->initial > p->max ? p->max : p->initial;
    const int64_t reach = (((int64_t)1 << bits) - 1) * param_step(p);
    if (p->min > p->max)
        return refuse(in, node, "min %d is above max %d", p->min, p->max);
    if (param_largest(p) - p->min > reach)
        return refuse(in, node, "%d bits reach from %d to %lld; max is %d", bits, p->min,
                      (long long)p->min + reach, p->max);
    return params_take_c(in->doc, node, "c", p);
}

static bool fail_unknown(const struct reader *in, const struct yaml_node *node)
{
    struct suggestion near;
    suggest_init(&near, node->key);
    for (int i = 0; i < in->table->count; i++)
        suggest_offer(&near, in->table->params[i].name, in->table->params[i].name);
    if (near.name != NULL)
        return refuse(in, node, "unknown parameter; did you mean %s?", near.name);
    return refuse(in, node, "unknown parameter; no name of kind %s is like it", in->table->kind);
}

/* Finds the table of a list that names no kind: the one that has most of its names, and of several
 * such tables the smallest. */
static bool guess_kind(struct reader *in)
{
    const struct yaml_node *list = in->doc->root;
    char expected[YAML_KEY];
    int most = -1;
    for (const struct param_table *const *t = in->tables; *t != NULL; t++) {
        int known = 0, at = 0;
        for (const struct yaml_node *node = list->child; node != NULL; node = node->next) {
            const int index = param_find_from(*t, node->key, at);
            known += index >= 0;
            at = index + 1;
        }
        if (known > most || (known == most && (*t)->count < in->table->count)) {
            most = known;
            in->table = *t;
        }
    }
    if (most > 0 || list->child == NULL || in->tables[1] == NULL)
        return true;
    param_list_kinds(in->tables, expected, sizeof expected);
    return refuse(in, list->child, "unknown parameter; expected names of kind %s", expected);
}

/* True if the file has a kind and parameters, and no other keys than these may have. */
static bool check_outline(struct reader *in)
{
    const struct yaml_node *root = in->doc->root;
    if (root->kind != YAML_MAPPING)
        return refuse(in, root, "expected keys: kind, parameters");
    if (!yaml_check_keys(in->doc, root, "kind, command, plays, parameters"))
        return false;
    const struct yaml_node *list = yaml_find(root, "parameters");
    if (list == NULL)
        return error_set(in->doc->err, "%s: parameters: missing; expected names and their values",
                         in->doc->path);
    if (list->kind != YAML_MAPPING)
        return refuse(in, list, "expected names and their values");
    /* The table of the file's kind. Ranges start as the table's own. */
    char expected[YAML_KEY];
    const struct yaml_node *kind = yaml_find(in->doc->root, "kind");
    param_list_kinds(in->tables, expected, sizeof expected);
    if (kind == NULL)
        return error_set(in->doc->err, "%s: kind: missing; expected kind: %s", in->doc->path,
                         expected);
    for (const struct param_table *const *t = in->tables; *t != NULL; t++)
        if (kind->kind == YAML_SCALAR && strcmp(kind->text, (*t)->kind) == 0)
            in->table = *t;
    if (in->table == NULL)
        return refuse_value(in, kind, "%s", expected);
    if (in->params != NULL)
        memcpy(in->params, in->table->params, (size_t)in->table->count * sizeof *in->params);
    return true;
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

bool params_omit_zeros(const struct param_table *table)
{
    return strcmp(table->kind, "evaluation-modern") == 0;
}

/* Supplies a parameter that a list does not name: 0 for a weight of our evaluations, so that files outlive new
 * terms; the initial value of one that was added later; and a constant in a list without a kind, because tuners and
 * engines do not know constants. Such a list may be part of the paper's weights, which it must name. False if the
 * parameter must be named. */
static bool supply(const struct reader *in, int index)
{
    const struct param *p = &in->table->params[index];
    const bool paper = strcmp(in->table->kind, "evaluation") == 0;
    const bool zero = p->min <= 0 && (params_omit_zeros(in->table) || (paper && !in->flat));
    const int32_t value = zero ? 0 : p->initial;
    if (!zero && !param_is_added(in->table, index) && (!in->flat || p->bits > 0))
        return false;
    if (in->values != NULL) {
        in->values[index] = value;
    } else {
        struct param *range = &in->params[index];
        range->bits = 0;
        range->min = range->max = range->initial = value;
    }
    return true;
}

/* Reads every entry, and supplies or misses the parameters that have none. Fails if a method's setting is combined with
 * a parameter that it does not read. */
static bool take_list(const struct reader *in, const struct yaml_node *list)
{
    const int count = in->table->count;
    bool *given = calloc((size_t)count + 1, sizeof *given), taken = given != NULL;
    int index = -1;
    if (given == NULL)
        return error_set(in->doc->err, "%s: no memory", in->doc->path);
    for (const struct yaml_node *node = list->child; taken && node != NULL; node = node->next) {
        index = param_find_from(in->table, node->key, index + 1);
        taken = index < 0            ? fail_unknown(in, node)
                : in->values != NULL ? take_value(in, node, index)
                                     : take_range(in, node, index);
        given[index < 0 ? count : index] = true;
    }
    for (int i = 0; taken && i < count; i++)
        if (!given[i] && !supply(in, i))
            taken = refuse(in, list, "%s is missing: %s", in->table->params[i].name,
                           in->table->params[i].meaning);
    free(given);
    for (int i = 0; taken && in->values != NULL && i < count; i++) {
        const int mode = null_move_mode_against(in->table, in->values, i);
        if (mode >= 0 && in->values[i] != 0)
            taken = refuse(in, yaml_find(list, in->table->params[i].name),
                           "%s %d does not read it; it must be 0 there",
                           in->table->params[mode].name, in->values[mode]);
    }
    return taken;
}

/* Reads a document: a file with its kind, or a list of values alone. */
static const struct param_table *take_document(struct reader *in)
{
    in->flat = in->values != NULL && value_document_is_flat(in->doc);
    const bool taken =
        in->flat ? guess_kind(in) && take_list(in, in->doc->root)
                 : check_outline(in) && take_list(in, yaml_find(in->doc->root, "parameters"));
    return taken ? in->table : NULL;
}

const struct param_table *params_read_any(const char *path, const struct param_table *const *tables,
                                          int32_t *values, struct error *err)
{
    struct yaml_document doc;
    struct reader in = {.doc = &doc, .tables = tables, .values = values};
    if (!value_document_read(&doc, path, false, err))
        return NULL;
    const struct param_table *table = take_document(&in);
    yaml_finish(&doc);
    return table;
}

const struct param_table *params_take_space(const struct yaml_document *doc,
                                            const struct param_table *const *tables,
                                            struct param *params)
{
    struct reader in = {.doc = doc, .tables = tables, .params = params};
    return take_document(&in);
}

void params_write_yaml_value(FILE *out, const struct param *p, int32_t value)
{
    char text[PARAM_TEXT];
    param_value_text(p, value, text);
    if (p->choices != NULL)
        yaml_write_text(out, text);
    else
        fputs(text, out);
}

void params_write_comment(FILE *out, const char *mark, const char *comment)
{
    while (comment != NULL && *comment != '\0') {
        size_t length = strcspn(comment, "\n");
        fprintf(out, "%s %.*s\n", mark, (int)length, comment);
        comment += length + (comment[length] == '\n');
    }
}

void params_write_head(FILE *out, const struct param_table *table)
{
    const char *const keys[][2] = {{"command", table->command}, {"plays", table->plays}};
    fprintf(out, "kind: %s\n", table->kind);
    for (int i = 0; i < 2; i++)
        if (keys[i][1] != NULL) {
            fprintf(out, "%s: ", keys[i][0]);
            yaml_write_text(out, keys[i][1]);
            fputc('\n', out);
        }
}
