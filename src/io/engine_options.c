#include "engine_options.h"

#include "command_line.h"
#include "value_document.h"

#include <stdlib.h>
#include <string.h>

static bool take_parameters(const struct yaml_document *doc, const struct yaml_node *parameters,
                            struct engine_options *o)
{
    if (parameters == NULL)
        return true;
    if (parameters->kind != YAML_MAPPING)
        return yaml_fail(doc, parameters, "expected a value for each option");
    for (const struct yaml_node *n = parameters->child; n != NULL; n = n->next) {
        if (n->kind != YAML_SCALAR)
            return yaml_fail(doc, n, "expected one value, not a range");
        if (!uci_values_add(&o->values, n->key, n->text))
            return error_set(doc->err, "no memory for the options of %s", doc->path);
        const struct uci_values *v = &o->values;
        if (uci_values_find(v->items, v->count - 1, n->key) >= 0)
            return yaml_fail(doc, n, "this option occurs twice");
    }
    return true;
}

static bool is_uci(const struct yaml_document *doc)
{
    const char *kind = yaml_text_at(doc->root, "kind");
    return kind != NULL && strcmp(kind, "uci") == 0;
}

/* Reads a list of values alone, or a file of kind `uci`. */
static bool take_document(const struct yaml_document *doc, struct engine_options *o)
{
    const struct yaml_node *command = yaml_find(doc->root, "command");
    if (value_document_is_flat(doc))
        return take_parameters(doc, doc->root, o);
    if (!is_uci(doc))
        return yaml_fail(doc, doc->root,
                         "expected 'kind: uci' or lines 'setoption name NAME value VALUE'");
    if (!yaml_check_keys(doc, doc->root, "kind, command, parameters"))
        return false;
    if (command != NULL && (command->kind != YAML_SCALAR || command->text[0] == '\0'))
        return yaml_fail(doc, command, "expected the command that starts the engine");
    if (command != NULL &&
        (o->command = command_of_file(doc->path, command->text, NULL, doc->err)) == NULL)
        return false;
    return take_parameters(doc, yaml_find(doc->root, "parameters"), o);
}

bool engine_options_read(const char *path, struct engine_options *o, struct error *err)
{
    struct yaml_document doc;
    *o = (struct engine_options){0};
    if (!value_document_read(&doc, path, false, err))
        return false;
    bool good = take_document(&doc, o);
    yaml_finish(&doc);
    if (!good)
        engine_options_free(o);
    return good;
}

void engine_options_free(struct engine_options *o)
{
    uci_values_free(&o->values);
    free(o->command);
    *o = (struct engine_options){0};
}

bool engine_options_is(const char *path)
{
    struct yaml_document doc = {0};
    struct error ignored;
    bool is = strcmp(path, "-") != 0 && yaml_read_file(&doc, path, &ignored) && is_uci(&doc);
    yaml_finish(&doc);
    return is;
}
