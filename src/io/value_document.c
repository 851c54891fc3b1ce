#include "value_document.h"

#include "value_lines.h"

#include <stdlib.h>

bool value_document_is_flat(const struct yaml_document *doc)
{
    static const char *const outline[] = {"kind", "parameters", "command", "plays", NULL};
    for (const char *const *key = outline; *key != NULL; key++)
        if (yaml_find(doc->root, *key) != NULL)
            return false;
    return doc->root->kind == YAML_MAPPING;
}

/* Makes each entry of a flat document a scalar. */
static bool flatten(struct yaml_document *doc, struct error *err)
{
    for (struct yaml_node *node = doc->root->child; node != NULL; node = node->next)
        if (node->kind != YAML_SCALAR && !yaml_reduce(node, "value") &&
            !yaml_reduce(node, "default"))
            return yaml_fail(doc, node, err,
                             "expected a value; a parameter file has the keys kind and parameters");
    return true;
}

/* Reads lines, YAML or JSON, with the ranges that they have. */
static bool read_shape(struct yaml_document *doc, const char *name, const char *text, size_t length,
                       struct error *err)
{
    enum value_lines shape = value_lines_recognise(text, length);
    return shape == NO_VALUE_LINES ? yaml_read_text(doc, name, text, length, err)
                                   : value_lines_read(doc, name, text, length, shape, err);
}

bool value_document_from_text(struct yaml_document *doc, const char *name, const char *text,
                              size_t length, struct error *err)
{
    if (!read_shape(doc, name, text, length, err))
        return false;
    if (!value_document_is_flat(doc) || flatten(doc, err))
        return true;
    yaml_finish(doc);
    return false;
}

/* Reads a file with one of the two above. */
static bool read_file(struct yaml_document *doc, const char *path,
                      bool (*read_text)(struct yaml_document *doc, const char *name,
                                        const char *text, size_t length, struct error *err),
                      struct error *err)
{
    size_t length;
    char *text = yaml_load(path, &length, err);
    *doc = (struct yaml_document){0};
    bool read = text != NULL && read_text(doc, yaml_name(path), text, length, err);
    free(text);
    return read;
}

bool value_document_read(struct yaml_document *doc, const char *path, struct error *err)
{
    return read_file(doc, path, value_document_from_text, err);
}

bool value_document_read_ranges(struct yaml_document *doc, const char *path, struct error *err)
{
    return read_file(doc, path, read_shape, err);
}
