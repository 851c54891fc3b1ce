#include "space.h"

#include "command_line.h"
#include "foreign_text.h"
#include "params_file.h"
#include "parse.h"
#include "text_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char space_kind_uci[] = "uci", space_kind_trace[] = "trace";

bool space_is_foreign(const struct param_table *table)
{
    return strcmp(table->kind, space_kind_uci) == 0 || strcmp(table->kind, space_kind_trace) == 0;
}

bool space_of_table(const struct param_table *table, struct space *space, struct error *err)
{
    size_t size = (size_t)table->count * sizeof *table->params;
    struct param *params = malloc(size + 1);
    *space = (struct space){0};
    if (params == NULL)
        return error_set(err, "no memory for %d parameters", table->count);
    memcpy(params, table->params, size);
    *space = (struct space){.table = *table, .params = params};
    space->table.params = params;
    return true;
}

void space_free(struct space *space)
{
    yaml_finish(&space->texts);
    free(space->params);
    *space = (struct space){0};
}

/* ---- the entry of a parameter of another engine ---- */

static const char *const type_names[PARAM_TYPES] = {[PARAM_SPIN] = "spin",
                                                    [PARAM_CHECK] = "check",
                                                    [PARAM_COMBO] = "combo",
                                                    [PARAM_STRING] = "string"};

static bool is_text(const struct yaml_node *node)
{
    return node->kind == YAML_SCALAR && foreign_text_is_clean(node->text) &&
           strlen(node->text) < PARAM_TEXT;
}

/* Gives a parameter its choices: a node, and with `all` those behind it. The joined text becomes that of `holder`. */
static bool keep_choices(const struct yaml_document *doc, const struct yaml_node *node, bool all,
                         struct yaml_node *holder, struct param *p)
{
    char *texts = NULL;
    size_t size = 0;
    FILE *out = text_stream(&texts, &size);
    for (; out != NULL && node != NULL; node = all ? node->next : NULL)
        fprintf(out, "%s\n", node->text);
    if (out == NULL || fclose(out) != 0)
        return error_set(doc->err, "%s: no memory", doc->path);
    free(holder->text);
    p->choices = holder->text = texts;
    return true;
}

/* Reads a whole number of an entry; leaves the value alone if the key is absent. */
static bool take_whole(const struct yaml_document *doc, const struct yaml_node *entry,
                       const char *key, int32_t min, int32_t max, const char *unit, int32_t *value)
{
    const struct yaml_node *node = yaml_find(entry, key);
    return node == NULL || yaml_take_whole(doc, node, min, max, unit, value);
}

static bool take_value(const struct yaml_document *doc, const struct yaml_node *node,
                       const struct param *p, int32_t *value)
{
    static const char *const expected[] = {[PARAM_SPIN] = "a whole number",
                                           [PARAM_CHECK] = "true or false",
                                           [PARAM_COMBO] = "one of the choices",
                                           [PARAM_STRING] = "a number with these decimals"};
    return (node->kind == YAML_SCALAR && param_parse_value(p, node->text, value)) ||
           yaml_fail_value(doc, node, "%s", expected[p->type]);
}

/* Reads min or max, which must be there unless the type has one. */
static bool take_bound(const struct yaml_document *doc, const struct yaml_node *entry,
                       const char *key, const struct param *p, int32_t *bound)
{
    const struct yaml_node *node = yaml_find(entry, key);
    if (node == NULL)
        return yaml_fail(doc, entry, "%s is missing; expected min and max, or relative, or fixed",
                         key);
    return take_value(doc, node, p, bound);
}

static bool take_choices(const struct yaml_document *doc, struct yaml_node *entry, struct param *p)
{
    const struct yaml_node *list = yaml_find(entry, "choices");
    if (list == NULL || list->kind != YAML_SEQUENCE || list->child == NULL)
        return yaml_fail(doc, list != NULL ? list : entry,
                         "a combo needs choices: [first, second, ...]");
    p->max = -1;
    for (const struct yaml_node *node = list->child; node != NULL; node = node->next, p->max++)
        if (!is_text(node))
            return yaml_fail(doc, node, "a choice is a text on one line");
    return keep_choices(doc, list->child, true, entry, p);
}

/* Reads a fixed value: a parameter that is set, and is no gene. */
static bool take_fixed(const struct yaml_document *doc, struct yaml_node *node, struct param *p)
{
    const bool may_be_text =
        p->type == PARAM_COMBO || (p->type == PARAM_STRING && p->decimals == 0);
    if (may_be_text && is_text(node)) {
        p->min = p->max = p->initial = 0;
        return keep_choices(doc, node, false, node, p);
    }
    if (!take_value(doc, node, p, &p->initial))
        return false;
    p->min = p->max = p->initial;
    return true;
}

/* Sets the range to the default plus and minus a percentage of its size. */
static bool take_relative(const struct yaml_document *doc, const struct yaml_node *node,
                          struct param *p)
{
    char number[32] = "";
    double share = 0;
    if (node->kind == YAML_SCALAR)
        strncat(number, node->text, strcspn(node->text, " %") < 31 ? strcspn(node->text, " %") : 0);
    if (!parse_double(number, &share) || share <= 0 || share > 1000 ||
        strcmp(node->text + strlen(number) + strspn(node->text + strlen(number), " "), "%") != 0)
        return yaml_fail_value(doc, node, "a percentage like 30 %%");
    double reach = fmax(1, round(fabs((double)p->initial) * share / 100)), step = param_step(p);
    reach = fmin(step * ceil(reach / step), 1e9);
    p->min = (int32_t)fmax(p->initial - reach, INT32_MIN / 2);
    p->max = (int32_t)fmin(p->initial + reach, INT32_MAX / 2);
    return true;
}

/* Reads min and max, which bound a relative range too. */
static bool take_range(const struct yaml_document *doc, const struct yaml_node *entry,
                       struct param *p)
{
    const struct yaml_node *relative = yaml_find(entry, "relative");
    if (relative == NULL)
        return take_bound(doc, entry, "min", p, &p->min) &&
               take_bound(doc, entry, "max", p, &p->max);
    int32_t min = INT32_MIN, max = INT32_MAX;
    if ((yaml_find(entry, "min") != NULL && !take_bound(doc, entry, "min", p, &min)) ||
        (yaml_find(entry, "max") != NULL && !take_bound(doc, entry, "max", p, &max)) ||
        !take_relative(doc, relative, p))
        return false;
    p->min = p->min < min ? min : p->min;
    p->max = p->max > max ? max : p->max;
    return true;
}

/* Checks range and default, sets the gene's bits. With `bits: 0` it is a constant, of any range. */
static bool finish_gene(const struct yaml_document *doc, const struct yaml_node *entry,
                        struct param *p)
{
    enum { GENE_BITS = 30 };
    int needed = param_bits(p);
    int32_t bits = needed;
    if (p->min > p->max)
        return yaml_fail(doc, entry, "min is above max");
    if (p->initial < p->min || p->initial > p->max)
        return yaml_fail(doc, entry, "the default is not between min and max");
    if (!take_whole(doc, entry, "bits", 0, GENE_BITS, "", &bits))
        return false;
    if (bits != 0 && needed > GENE_BITS)
        return yaml_fail(doc, entry,
                         "%d bits are needed; a gene has at most %d: narrow the range, or give a "
                         "larger step",
                         needed, GENE_BITS);
    if (bits != 0 && bits < needed)
        return yaml_fail(doc, yaml_find(entry, "bits"),
                         "%d bits do not reach all values; %d are needed", bits, needed);
    p->bits = bits;
    return true;
}

int space_decimals(const char *text)
{
    size_t sign = text[0] == '-', whole = strspn(text + sign, "0123456789");
    const char *point = text + sign + whole;
    if (whole == 0 || *point != '.')
        return -1;
    size_t digits = strspn(point + 1, "0123456789");
    return digits > 0 && digits <= 6 && point[1 + digits] == '\0' ? (int)digits : -1;
}

/* Guesses the type of a value alone: whole number, true or false, decimal number, or text. */
static void guess_type(const char *text, struct param *p)
{
    int64_t whole;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        p->type = PARAM_CHECK;
    else if (!parse_int64(text, &whole) || whole < INT32_MIN || whole > INT32_MAX)
        p->type = PARAM_STRING;
    if (p->type == PARAM_STRING && space_decimals(text) > 0)
        p->decimals = space_decimals(text);
}

/* A clean text of an entry; else `otherwise`. */
static const char *text_of(const struct yaml_node *entry, const char *key, const char *otherwise)
{
    const char *text = yaml_text_at(entry, key);
    return text != NULL && foreign_text_is_clean(text) ? text : otherwise;
}

static bool take_entry(const struct yaml_document *doc, struct yaml_node *entry, struct param *p)
{
    if (!foreign_text_is_clean(entry->key) || entry->key[0] == '\0')
        return yaml_fail(doc, entry, "a name is a text on one line");
    *p = (struct param){.name = entry->key, .sign = 1, .meaning = "", .max = 1};
    if (entry->kind == YAML_SCALAR) {
        guess_type(entry->text, p);
        return take_fixed(doc, entry, p);
    }
    if (entry->kind != YAML_MAPPING)
        return yaml_fail(doc, entry, "a list; expected {min: A, max: Z, default: D} or a value");
    if (!yaml_check_keys(doc, entry,
                         "type, min, max, default, bits, step, c, decimals, choices, relative, "
                         "fixed, meaning, group"))
        return false;
    const struct yaml_node *type = yaml_find(entry, "type"), *usual = yaml_find(entry, "default");
    while (type != NULL && p->type < PARAM_TYPES &&
           (type->kind != YAML_SCALAR || strcmp(type->text, type_names[p->type]) != 0))
        p->type++;
    if (p->type == PARAM_TYPES)
        return yaml_fail_value(doc, type, "spin, check, combo or string");
    if (!take_whole(doc, entry, "decimals", 0, 6, "", &p->decimals) ||
        !take_whole(doc, entry, "step", 1, 1000000000,
                    p->decimals > 0 ? ", in units of the last decimal" : "", &p->step))
        return false;
    p->meaning = text_of(entry, "meaning", "");
    p->group = text_of(entry, "group", NULL);
    for (struct yaml_node *node = entry->child; node != NULL; node = node->next)
        if (strcmp(node->key, "fixed") == 0)
            return take_fixed(doc, node, p);
    if (p->type == PARAM_STRING && yaml_find(entry, "decimals") == NULL)
        return yaml_fail(
            doc, entry,
            "a text cannot evolve; give decimals if it is a number, or fixed: its text");
    if (p->type == PARAM_COMBO && !take_choices(doc, entry, p))
        return false;
    const bool ranged = p->type == PARAM_SPIN || p->type == PARAM_STRING;
    if (usual != NULL && !take_value(doc, usual, p, &p->initial))
        return false;
    if (usual == NULL && ranged)
        return yaml_fail(doc, entry, "default is missing");
    return (!ranged || take_range(doc, entry, p)) && finish_gene(doc, entry, p) &&
           params_take_c(doc, entry, "c", p);
}

/* ---- the file ---- */

/* Keeps a command, as it is seen from the working directory, and whether it moves with the file. Leaves it alone if
 * the file has none. */
static bool keep_command(const struct yaml_document *doc, const char *key, const char **kept,
                         bool *moves)
{
    for (struct yaml_node *node = doc->root->child; node != NULL; node = node->next) {
        if (strcmp(node->key, key) != 0 || node->kind != YAML_SCALAR || node->text[0] == '\0' ||
            !foreign_text_is_clean(node->text))
            continue;
        char *placed = command_of_file(doc->path, node->text, moves, doc->err);
        if (placed == NULL)
            return false;
        free(node->text);
        *kept = node->text = placed;
    }
    return true;
}

/* Reads the space of a foreign engine. It takes over the document, whose texts it keeps. */
static bool read_foreign(const struct yaml_document *doc, struct space *space)
{
    struct param_table *table = &space->table;
    const struct yaml_node *root = doc->root, *list = yaml_find(root, "parameters");
    *space = (struct space){.texts = *doc};
    space->texts.err = NULL;
    *table = (struct param_table){.kind = strcmp(yaml_text_at(root, "kind"), space_kind_trace) == 0
                                              ? space_kind_trace
                                              : space_kind_uci};
    table->mixed = table->kind == space_kind_uci;
    if (!yaml_check_keys(doc, root, "kind, command, plays, parameters"))
        return false;
    if (table->mixed && yaml_find(root, "plays") != NULL)
        return yaml_fail(doc, yaml_find(root, "plays"),
                         "this is for kind trace; an engine of kind uci plays with its command");
    if (!keep_command(doc, "command", &table->command, &table->command_moves) ||
        !keep_command(doc, "plays", &table->plays, &table->plays_moves))
        return false;
    if (table->command == NULL)
        return error_set(doc->err, "%s: command: missing; expected how the engine is started",
                         doc->path);
    if (list == NULL || list->kind != YAML_MAPPING || list->child == NULL)
        return error_set(doc->err, "%s: parameters: missing; expected names and their ranges",
                         doc->path);
    size_t count = 0;
    for (const struct yaml_node *node = list->child; node != NULL; node = node->next)
        count++;
    if (count > SPACE_PARAMS_MAX)
        return error_set(doc->err, "%s: %zu parameters; a space has at most %d", doc->path, count,
                         SPACE_PARAMS_MAX);
    table->params = space->params = calloc(count, sizeof *space->params);
    if (space->params == NULL)
        return error_set(doc->err, "%s: no memory", doc->path);
    for (struct yaml_node *node = list->child; node != NULL; node = node->next)
        if (!take_entry(doc, node, &space->params[table->count++]))
            return false;
    return true;
}

static bool is_foreign(const struct yaml_document *doc)
{
    const char *kind = yaml_text_at(doc->root, "kind");
    return kind != NULL && space_is_foreign(&(struct param_table){.kind = kind});
}

bool space_file_is_foreign(const char *path)
{
    struct yaml_document doc;
    struct error ignored;
    if (strcmp(path, "-") == 0 || !yaml_read_file(&doc, path, &ignored))
        return false;
    bool foreign = is_foreign(&doc);
    yaml_finish(&doc);
    return foreign;
}

/* Reads a space of one of our tables. Parameters that the table has got later, and that the file omits, are dropped
 * from the end: so the file has the genes, and the runs, that it had before. */
static bool read_ours(const struct yaml_document *doc, const struct param_table *const *ours,
                      struct space *space)
{
    space->params = malloc(SPACE_PARAMS_MAX * sizeof *space->params);
    if (space->params == NULL)
        return error_set(doc->err, "%s: no memory", doc->path);
    const struct param_table *table = params_take_space(doc, ours, space->params);
    if (table == NULL)
        return false;
    space->table = *table;
    space->table.params = space->params;
    for (int last; (last = space->table.count - 1) >= 0; space->table.count--) {
        const struct param *p = &space->params[last], *whole = &table->params[last];
        if (!param_is_added(table, last) || p->bits > 0 || whole->bits == 0 ||
            p->initial != whole->initial)
            break;
    }
    return true;
}

bool space_read(const char *path, const struct param_table *const *ours, struct space *space,
                struct error *err)
{
    struct yaml_document doc;
    char kinds[128];
    *space = (struct space){0};
    for (const struct param_table *const *t = ours; *t != NULL; t++)
        if (strcmp((*t)->kind, path) == 0)
            return space_of_table(*t, space, err);
    if (!yaml_read_file(&doc, path, err)) {
        const struct error reason = *err;
        param_list_kinds(ours, kinds, sizeof kinds);
        return strpbrk(path, "/.") == NULL &&
               error_set(err, "%s; expected a space file, or %s", reason.text, kinds);
    }
    const bool foreign = is_foreign(&doc);
    const bool read = foreign ? read_foreign(&doc, space) : read_ours(&doc, ours, space);
    if (!foreign)
        yaml_finish(&doc);
    if (!read)
        space_free(space);
    return read;
}

/* ---- writing ---- */

static void write_range(FILE *out, const struct param *p)
{
    if (p->type == PARAM_COMBO) {
        fputs(", choices: [", out);
        for (const char *c = p->choices; *c != '\0'; c += strcspn(c, "\n") + 1) {
            char text[PARAM_TEXT];
            snprintf(text, sizeof text, "%.*s", (int)strcspn(c, "\n"), c);
            fputs(c == p->choices ? "" : ", ", out);
            yaml_write_text(out, text);
        }
        fputs("]", out);
    }
    if (p->type == PARAM_SPIN || p->type == PARAM_STRING) {
        fputs(", min: ", out);
        params_write_yaml_value(out, p, p->min);
        fputs(", max: ", out);
        params_write_yaml_value(out, p, p->max);
    }
    fputs(", default: ", out);
    params_write_yaml_value(out, p, p->initial);
    fprintf(out, ", bits: %d", p->bits);
    if (p->type == PARAM_SPIN || p->type == PARAM_STRING)
        fprintf(out, ", step: %d", param_step(p));
    if (p->c > 0)
        fprintf(out, ", c: %.6g", p->c / pow(10, p->decimals));
}

void space_write_ours(FILE *out, const struct param *p)
{
    fprintf(out, "  %s: {bits: %d, min: %d, max: %d", p->name, p->bits, p->min, p->max);
    if (param_step(p) > 1)
        fprintf(out, ", step: %d", p->step);
    if (p->c > 0)
        fprintf(out, ", c: %.6g", p->c);
    fputs("}\n", out);
}

static void write_text(FILE *out, const char *key, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return;
    fprintf(out, ", %s: ", key);
    yaml_write_text(out, text);
}

static void write_entry(FILE *out, const struct param *p)
{
    fputs("  ", out);
    yaml_write_text(out, p->name);
    fprintf(out, ": {type: %s", type_names[p->type]);
    if (p->decimals > 0)
        fprintf(out, ", decimals: %d", p->decimals);
    if (p->bits > 0) {
        write_range(out, p);
    } else {
        fputs(", fixed: ", out);
        params_write_yaml_value(out, p, p->initial);
    }
    write_text(out, "group", p->group);
    write_text(out, "meaning", p->meaning);
    fputs("}\n", out);
}

void space_write(FILE *out, const struct space *space, const char *comment)
{
    const struct param_table *table = &space->table;
    params_write_comment(out, "#", comment);
    params_write_head(out, table);
    fputs("parameters:\n", out);
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        if (space_is_foreign(table))
            write_entry(out, p);
        else if (!params_omit_zeros(table) || p->bits > 0 || p->initial != 0)
            space_write_ours(out, p);
    }
}
