#include "space.h"

#include "command_line.h"
#include "foreign_text.h"
#include "params_file.h"
#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char space_kind_uci[] = "uci", space_kind_trace[] = "trace";

bool space_is_foreign(const struct param_table *table)
{
    return strcmp(table->kind, space_kind_uci) == 0 || strcmp(table->kind, space_kind_trace) == 0;
}

/* ---- memory ---- */

/* The bytes that all texts below a node need, each with a newline and an end. */
static size_t text_size(const struct yaml_node *node)
{
    size_t size = 0;
    if (node->key != NULL)
        size += strlen(node->key) + 2;
    if (node->text != NULL)
        size += strlen(node->text) + 2;
    for (const struct yaml_node *child = node->child; child != NULL; child = child->next)
        size += text_size(child);
    return size;
}

bool space_of_table(const struct param_table *table, struct space *space, struct error *err)
{
    size_t size = (size_t)table->count * sizeof *table->params;
    struct param *params = malloc(size + 1);
    *space = (struct space){0};
    if (params == NULL)
        return error_set(err, "no memory for %d parameters", table->count);
    memcpy(params, table->params, size);
    *space = (struct space){.table = *table, .memory = params};
    space->table.params = params;
    return true;
}

void space_free(struct space *space)
{
    free(space->memory);
    *space = (struct space){0};
}

/* ---- the entry of a parameter of another engine ---- */

/* A space file being read. */
struct space_reader {
    const struct yaml_document *doc;
    struct space *space;
    struct param *params; /* the space's rows */
    char *text;           /* free memory for texts, enough for all of the document */
    struct error *err;
};

/* Appends text and an end mark to the space's texts; returns its place. */
static char *add_text(struct space_reader *in, const char *text, const char *mark)
{
    char *at = in->text;
    in->text = stpcpy(stpcpy(at, text), mark);
    return at;
}

/* Copies a text into the space's memory; returns the copy. */
static const char *keep_text(struct space_reader *in, const char *text)
{
    char *kept = add_text(in, text, "");
    in->text++;
    return kept;
}

/* The keys of an entry. */
static const char known_keys[] =
    "type, min, max, default, bits, step, c, decimals, choices, relative, fixed, meaning, group";

/* Reads a whole number of an entry; leaves the value alone if the key is absent. `unit` is for the reason:
 * "", or what the number counts. */
static bool take_whole(const struct space_reader *in, const struct yaml_node *entry,
                       const char *key, int32_t min, int32_t max, const char *unit, int32_t *value)
{
    char found[YAML_KEY];
    int64_t number;
    const struct yaml_node *node = yaml_find(entry, key);
    if (node == NULL)
        return true;
    if (node->kind != YAML_SCALAR || !parse_int64(node->text, &number) || number < min ||
        number > max) {
        yaml_describe(node, found);
        return yaml_fail(in->doc, node, in->err,
                         "%s is wrong; expected a whole number from %d to %d%s", found, min, max,
                         unit);
    }
    *value = (int32_t)number;
    return true;
}

/* Reads a value of the parameter, as its engine writes it. */
static bool take_value(const struct space_reader *in, const struct yaml_node *node,
                       const struct param *p, int32_t *value)
{
    static const char *const expected[] = {[PARAM_SPIN] = "a whole number",
                                           [PARAM_CHECK] = "true or false",
                                           [PARAM_COMBO] = "one of the choices",
                                           [PARAM_STRING] = "a number with these decimals"};
    char found[YAML_KEY];
    if (node->kind == YAML_SCALAR && param_parse_value(p, node->text, value))
        return true;
    yaml_describe(node, found);
    return yaml_fail(in->doc, node, in->err, "%s is wrong; expected %s", found, expected[p->type]);
}

/* Reads min or max, which must be there unless the type has one. */
static bool take_bound(const struct space_reader *in, const struct yaml_node *entry,
                       const char *key, const struct param *p, int32_t *bound)
{
    const struct yaml_node *node = yaml_find(entry, key);
    if (node == NULL)
        return yaml_fail(in->doc, entry, in->err,
                         "%s is missing; expected min and max, or relative, or fixed", key);
    return take_value(in, node, p, bound);
}

static bool take_type(const struct space_reader *in, const struct yaml_node *entry, struct param *p)
{
    static const char *const names[PARAM_TYPES] = {[PARAM_SPIN] = "spin",
                                                   [PARAM_CHECK] = "check",
                                                   [PARAM_COMBO] = "combo",
                                                   [PARAM_STRING] = "string"};
    char found[YAML_KEY];
    const struct yaml_node *node = yaml_find(entry, "type");
    if (node == NULL)
        return true;
    for (int i = 0; i < PARAM_TYPES; i++)
        if (node->kind == YAML_SCALAR && strcmp(node->text, names[i]) == 0) {
            p->type = (enum param_type)i;
            return true;
        }
    yaml_describe(node, found);
    return yaml_fail(in->doc, node, in->err, "%s is wrong; expected spin, check, combo or string",
                     found);
}

/* Reads the choices of a combo. */
static bool take_choices(struct space_reader *in, const struct yaml_node *entry, struct param *p)
{
    const struct yaml_node *list = yaml_find(entry, "choices");
    if (list == NULL || list->kind != YAML_SEQUENCE || list->child == NULL)
        return yaml_fail(in->doc, list != NULL ? list : entry, in->err,
                         "a combo needs choices: [first, second, ...]");
    p->choices = in->text;
    p->max = -1;
    for (const struct yaml_node *node = list->child; node != NULL; node = node->next, p->max++) {
        if (node->kind != YAML_SCALAR || !foreign_text_is_clean(node->text) ||
            strlen(node->text) >= PARAM_TEXT)
            return yaml_fail(in->doc, node, in->err, "a choice is a text on one line");
        add_text(in, node->text, "\n");
    }
    in->text++;
    return true;
}

/* Reads a fixed value: a parameter that is set, and is no gene. */
static bool take_fixed(struct space_reader *in, const struct yaml_node *node, struct param *p)
{
    bool is_text = p->type == PARAM_COMBO || (p->type == PARAM_STRING && p->decimals == 0);
    if (is_text && node->kind == YAML_SCALAR && foreign_text_is_clean(node->text) &&
        strlen(node->text) < PARAM_TEXT) {
        p->choices = add_text(in, node->text, "\n");
        in->text++;
        p->min = p->max = p->initial = 0;
        return true;
    }
    if (!take_value(in, node, p, &p->initial))
        return false;
    p->min = p->max = p->initial;
    return true;
}

/* Sets the range to the default plus and minus a percentage of its size. */
static bool take_relative(const struct space_reader *in, const struct yaml_node *node,
                          struct param *p)
{
    char number[32] = "", found[YAML_KEY];
    double share = 0;
    if (node->kind == YAML_SCALAR)
        strncat(number, node->text, strcspn(node->text, " %") < 31 ? strcspn(node->text, " %") : 0);
    if (!parse_double(number, &share) || share <= 0 || share > 1000 ||
        strcmp(node->text + strlen(number) + strspn(node->text + strlen(number), " "), "%") != 0) {
        yaml_describe(node, found);
        return yaml_fail(in->doc, node, in->err, "%s is wrong; expected a percentage like 30 %%",
                         found);
    }
    double reach = fmax(1, round(fabs((double)p->initial) * share / 100)), step = param_step(p);
    reach = fmin(step * ceil(reach / step), 1e9);
    p->min = (int32_t)fmax(p->initial - reach, INT32_MIN / 2);
    p->max = (int32_t)fmin(p->initial + reach, INT32_MAX / 2);
    return true;
}

/* Reads min and max, which bound a relative range too. */
static bool take_range(const struct space_reader *in, const struct yaml_node *entry,
                       struct param *p)
{
    const struct yaml_node *relative = yaml_find(entry, "relative");
    if (relative == NULL)
        return take_bound(in, entry, "min", p, &p->min) && take_bound(in, entry, "max", p, &p->max);
    int32_t min = INT32_MIN, max = INT32_MAX;
    if ((yaml_find(entry, "min") != NULL && !take_bound(in, entry, "min", p, &min)) ||
        (yaml_find(entry, "max") != NULL && !take_bound(in, entry, "max", p, &max)) ||
        !take_relative(in, relative, p))
        return false;
    p->min = p->min < min ? min : p->min;
    p->max = p->max > max ? max : p->max;
    return true;
}

/* Reads the default, which a check and a combo need not have. */
static bool take_default(const struct space_reader *in, const struct yaml_node *entry,
                         struct param *p)
{
    const struct yaml_node *node = yaml_find(entry, "default");
    if (node != NULL)
        return take_value(in, node, p, &p->initial);
    return p->type == PARAM_CHECK || p->type == PARAM_COMBO ||
           yaml_fail(in->doc, entry, in->err, "default is missing");
}

/* Checks the range and the default, and sets the bits of the gene. With `bits: 0` it is a constant, of
 * any range. */
static bool finish_gene(const struct space_reader *in, const struct yaml_node *entry,
                        struct param *p)
{
    enum { GENE_BITS = 30 };
    int needed = param_bits(p);
    int32_t bits = needed;
    if (p->min > p->max)
        return yaml_fail(in->doc, entry, in->err, "min is above max");
    if (p->initial < p->min || p->initial > p->max)
        return yaml_fail(in->doc, entry, in->err, "the default is not between min and max");
    if (!take_whole(in, entry, "bits", 0, GENE_BITS, "", &bits))
        return false;
    if (bits != 0 && needed > GENE_BITS)
        return yaml_fail(in->doc, entry, in->err,
                         "%d bits are needed; a gene has at most %d: narrow the range, or give a "
                         "larger step",
                         needed, GENE_BITS);
    if (bits != 0 && bits < needed)
        return yaml_fail(in->doc, yaml_find(entry, "bits"), in->err,
                         "%d bits do not reach all values; %d are needed", bits, needed);
    p->bits = bits;
    return true;
}

/* Guesses the type of a value that stands alone: a whole number, true or false, a decimal number, or
 * a text. */
static void guess_type(const char *text, struct param *p)
{
    int64_t whole;
    double real;
    const char *point = strchr(text, '.');
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        p->type = PARAM_CHECK;
    else if (!parse_int64(text, &whole) || whole < INT32_MIN || whole > INT32_MAX)
        p->type = PARAM_STRING;
    if (p->type == PARAM_STRING && point != NULL && parse_double(text, &real) &&
        strlen(point + 1) <= 6 && strpbrk(text, "eE+") == NULL)
        p->decimals = (int)strlen(point + 1);
}

/* Checks that the entry has known keys only. */
static bool check_keys(const struct space_reader *in, const struct yaml_node *entry)
{
    if (entry->kind != YAML_MAPPING)
        return yaml_fail(in->doc, entry, in->err,
                         "a list; expected {min: A, max: Z, default: D} or a value");
    for (const struct yaml_node *node = entry->child; node != NULL; node = node->next) {
        const char *found = strstr(known_keys, node->key);
        size_t length = strlen(node->key);
        if (found == NULL || length == 0 || (found > known_keys && found[-1] != ' ') ||
            (found[length] != ',' && found[length] != '\0'))
            return yaml_fail(in->doc, node, in->err, "unknown key; known here: %s", known_keys);
    }
    return true;
}

/* Reads the entry of one parameter. */
static bool take_entry(struct space_reader *in, const struct yaml_node *entry, struct param *p)
{
    const struct yaml_node *meaning = yaml_find(entry, "meaning");
    if (!foreign_text_is_clean(entry->key) || entry->key[0] == '\0')
        return yaml_fail(in->doc, entry, in->err, "a name is a text on one line");
    *p = (struct param){.name = keep_text(in, entry->key), .sign = 1, .meaning = "", .max = 1};
    if (entry->kind == YAML_SCALAR) {
        guess_type(entry->text, p);
        return take_fixed(in, entry, p);
    }
    if (!check_keys(in, entry) || !take_type(in, entry, p) ||
        !take_whole(in, entry, "decimals", 0, 6, "", &p->decimals) ||
        !take_whole(in, entry, "step", 1, 1000000000,
                    p->decimals > 0 ? ", in units of the last decimal" : "", &p->step))
        return false;
    const struct yaml_node *group = yaml_find(entry, "group");
    if (meaning != NULL && meaning->kind == YAML_SCALAR && foreign_text_is_clean(meaning->text))
        p->meaning = keep_text(in, meaning->text);
    if (group != NULL && group->kind == YAML_SCALAR && foreign_text_is_clean(group->text))
        p->group = keep_text(in, group->text);
    const struct yaml_node *fixed = yaml_find(entry, "fixed");
    if (fixed != NULL)
        return take_fixed(in, fixed, p);
    if (p->type == PARAM_STRING && yaml_find(entry, "decimals") == NULL)
        return yaml_fail(
            in->doc, entry, in->err,
            "a text cannot evolve; give decimals if it is a number, or fixed: its text");
    if (p->type == PARAM_COMBO && !take_choices(in, entry, p))
        return false;
    if (!take_default(in, entry, p))
        return false;
    bool ranged = p->type == PARAM_SPIN || p->type == PARAM_STRING;
    return (!ranged || take_range(in, entry, p)) && finish_gene(in, entry, p) &&
           params_take_c(in->doc, entry, "c", p, in->err);
}

/* ---- the file ---- */

/* Reads a text of the file's first level; NULL if it is absent or no text. */
static const char *text_at(const struct space_reader *in, const char *key)
{
    const struct yaml_node *node = yaml_find(in->doc->root, key);
    return node != NULL && node->kind == YAML_SCALAR && foreign_text_is_clean(node->text)
               ? node->text
               : NULL;
}

/* Keeps a command, as it is seen from the working directory, and whether it moves with the file. */
static bool keep_command(struct space_reader *in, const char *command, const char **kept,
                         bool *moves)
{
    char *placed = command_of_file(in->doc->path, command, in->err);
    *moves = command_is_relative(command);
    *kept = placed == NULL ? NULL : keep_text(in, placed);
    free(placed);
    return *kept != NULL;
}

/* Reads the keys before the parameters. */
static bool take_head(struct space_reader *in)
{
    const struct yaml_node *root = in->doc->root;
    const char *command = text_at(in, "command"), *plays = text_at(in, "plays");
    for (const struct yaml_node *node = root->child; node != NULL; node = node->next)
        if (strcmp(node->key, "kind") != 0 && strcmp(node->key, "command") != 0 &&
            strcmp(node->key, "plays") != 0 && strcmp(node->key, "parameters") != 0)
            return yaml_fail(in->doc, node, in->err,
                             "unknown key; known here: kind, command, plays, parameters");
    if (in->space->table.kind == space_kind_uci && yaml_find(root, "plays") != NULL)
        return yaml_fail(in->doc, yaml_find(root, "plays"), in->err,
                         "this is for kind trace; an engine of kind uci plays with its command");
    if (command == NULL || command[0] == '\0')
        return error_set(in->err, "%s: command: missing; expected how the engine is started",
                         in->doc->path);
    struct param_table *table = &in->space->table;
    return keep_command(in, command, &table->command, &table->command_moves) &&
           (plays == NULL || plays[0] == '\0' ||
            keep_command(in, plays, &table->plays, &table->plays_moves));
}

/* Reads all parameters. */
static bool take_parameters(struct space_reader *in)
{
    const struct yaml_node *list = yaml_find(in->doc->root, "parameters");
    int count = 0;
    if (list == NULL || list->kind != YAML_MAPPING || list->child == NULL)
        return error_set(in->err, "%s: parameters: missing; expected names and their ranges",
                         in->doc->path);
    for (const struct yaml_node *node = list->child; node != NULL; node = node->next)
        if (!take_entry(in, node, &in->params[count++]))
            return false;
    in->space->table.count = count;
    return true;
}

/* Allocates the rows and texts of a document. */
static bool reserve(struct space_reader *in)
{
    const struct yaml_node *list = yaml_find(in->doc->root, "parameters");
    size_t count = 1;
    for (const struct yaml_node *n = list == NULL ? NULL : list->child; n != NULL; n = n->next)
        count++;
    if (count - 1 > SPACE_PARAMS_MAX)
        return error_set(in->err, "%s: %zu parameters; a space has at most %d", in->doc->path,
                         count - 1, SPACE_PARAMS_MAX);
    size_t rows = count * sizeof *in->params;
    /* Commands may get the file's folder, and a backslash before each of their characters. */
    size_t texts = 2 * text_size(in->doc->root) + 4 * strlen(in->doc->path) + 2;
    in->space->memory = malloc(rows + texts);
    if (in->space->memory == NULL)
        return error_set(in->err, "%s: no memory", in->doc->path);
    in->params = in->space->memory;
    in->text = (char *)in->space->memory + rows;
    in->space->table.params = in->params;
    return true;
}

/* Reads the space of a foreign engine. */
static bool read_foreign(const struct yaml_document *doc, struct space *space, struct error *err)
{
    struct space_reader in = {.doc = doc, .space = space, .err = err};
    const char *kind = text_at(&in, "kind");
    *space = (struct space){0};
    space->table.kind =
        kind != NULL && strcmp(kind, space_kind_trace) == 0 ? space_kind_trace : space_kind_uci;
    space->table.mixed = space->table.kind == space_kind_uci;
    if (reserve(&in) && take_head(&in) && take_parameters(&in))
        return true;
    space_free(space);
    return false;
}

/* True if a document describes a foreign engine. */
static bool is_foreign(const struct yaml_document *doc)
{
    const struct yaml_node *kind = yaml_find(doc->root, "kind");
    return kind != NULL && kind->kind == YAML_SCALAR &&
           space_is_foreign(&(struct param_table){.kind = kind->text});
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

/* True if a parameter of a space is one that the table has got later, as it is where it is omitted. */
static bool is_as_omitted(const struct param_table *space, const struct param_table *table,
                          int index)
{
    const struct param *p = &space->params[index], *whole = &table->params[index];
    return param_is_added(table, index) && p->bits == 0 && whole->bits > 0 &&
           p->initial == whole->initial;
}

/* Drops such parameters from the end: a space file that omits them has the genes, and so the runs, that
 * it had before. */
static void drop_omitted(struct param_table *space, const struct param_table *table)
{
    while (is_as_omitted(space, table, space->count - 1))
        space->count--;
}

/* Reads a space of one of our tables. */
static bool read_ours(const struct yaml_document *doc, const struct param_table *const *ours,
                      struct space *space, struct error *err)
{
    const struct param_table *largest = ours[0];
    for (const struct param_table *const *t = ours; *t != NULL; t++)
        largest = (*t)->count > largest->count ? *t : largest;
    if (!space_of_table(largest, space, err))
        return false;
    const struct param_table *table = params_take_space(doc, ours, space->memory, err);
    if (table == NULL) {
        space_free(space);
        return false;
    }
    space->table.kind = table->kind;
    space->table.count = table->count;
    space->table.required = table->required;
    drop_omitted(&space->table, table);
    return true;
}

/* Finds the table whose kind has this name; NULL if there is none. */
static const struct param_table *find_kind(const struct param_table *const *ours, const char *name)
{
    for (; *ours != NULL; ours++)
        if (strcmp((*ours)->kind, name) == 0)
            return *ours;
    return NULL;
}

/* Adds what a name without folder and ending may be to the reason why it cannot be read. */
static bool fail_name(const char *path, const struct param_table *const *ours, struct error *err)
{
    const struct error reason = *err;
    char kinds[128];
    if (strpbrk(path, "/.") != NULL)
        return false;
    param_list_kinds(ours, kinds, sizeof kinds);
    return error_set(err, "%s; expected a space file, or %s", reason.text, kinds);
}

bool space_read(const char *path, const struct param_table *const *ours, struct space *space,
                struct error *err)
{
    struct yaml_document doc;
    const struct param_table *whole = find_kind(ours, path);
    *space = (struct space){0};
    if (whole != NULL)
        return space_of_table(whole, space, err);
    if (!yaml_read_file(&doc, path, err))
        return fail_name(path, ours, err);
    bool read =
        is_foreign(&doc) ? read_foreign(&doc, space, err) : read_ours(&doc, ours, space, err);
    yaml_finish(&doc);
    return read;
}
