#include "space.h"

#include "command_place.h"
#include "foreign_text.h"
#include "params_file.h"
#include "space_entry.h"

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
    *kept = placed == NULL ? NULL : space_keep_text(in, placed);
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
        if (!space_take_entry(in, node, &in->params[count++]))
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
