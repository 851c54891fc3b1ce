/* A YAML file as a tree that remembers where each thing stood; libyaml (this is the one file that
 * knows it). Only what recipes and parameter files need: mappings, sequences, scalars. Anchors,
 * tags, several documents and repeated keys are refused. */
#ifndef GRAYLING_YAML_DOCUMENT_H
#define GRAYLING_YAML_DOCUMENT_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

enum yaml_kind { YAML_SCALAR, YAML_MAPPING, YAML_SEQUENCE };

struct yaml_node {
    enum yaml_kind kind;
    int line, column;        /* from 1 */
    char *key;               /* in a mapping: this entry's key, else NULL */
    char *text;              /* of a scalar, else NULL */
    struct yaml_node *child; /* first entry of a mapping or sequence */
    struct yaml_node *next;  /* next sibling */
};

struct yaml_document {
    char *path; /* for messages */
    struct yaml_node *root;
};

/* Reads a file ("-": standard input) or a text; reasons are "file:line:column: ...". */
bool yaml_read_file(struct yaml_document *doc, const char *path, struct error *err);
bool yaml_read_text(struct yaml_document *doc, const char *name, const char *text, size_t length,
                    struct error *err);
void yaml_free(struct yaml_document *doc);

/* The entry `key` of a mapping, or NULL. */
const struct yaml_node *yaml_find(const struct yaml_node *mapping, const char *key);

/* Writes "file:line:column: key: " and the reason; returns false. */
bool yaml_fail(const struct yaml_document *doc, const struct yaml_node *node, struct error *err,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
