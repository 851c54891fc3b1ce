/* A YAML file as a tree whose nodes know their line and column. Only yaml_document.c uses libyaml.
 * Supports what recipes and parameter files need: mappings, sequences and scalars. Anchors, tags,
 * several documents and repeated keys are errors. */
#ifndef GRAYLING_YAML_DOCUMENT_H
#define GRAYLING_YAML_DOCUMENT_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { YAML_DEPTH = 32, YAML_KEY = 256 };

enum yaml_kind { YAML_SCALAR, YAML_MAPPING, YAML_SEQUENCE };

/* The place of a mapping entry is that of its key; a sequence entry's is its first character. Nodes
 * of a setting have line 0, or -1 if they come from another file. */
struct yaml_node {
    enum yaml_kind kind;
    int line, column;         /* from 1 */
    char *key;                /* the entry's key in a mapping, else NULL */
    char *text;               /* of a scalar, else NULL */
    struct yaml_node *parent; /* NULL for the root */
    struct yaml_node *child;  /* first entry of a mapping or sequence */
    struct yaml_node *next;   /* next sibling */
};

struct yaml_document {
    char *path;             /* for messages */
    struct yaml_node *root; /* never NULL after a successful read */
    const char *setter;     /* for messages: where settings come from; "--set" at first */
    struct error *err;      /* where reasons go, as given to the read; borrowed */
};

/* Reads a file ("-": standard input) or a text; reasons are "file:line:column: ...". A pipe or a device
 * is refused: most of these files are opened more than once. */
bool yaml_read_file(struct yaml_document *doc, const char *path, struct error *err);
bool yaml_read_text(struct yaml_document *doc, const char *name, const char *text, size_t length,
                    struct error *err);
/* The text of a file ("-": standard input), at most a megabyte, with a NUL at its end; the caller frees it. NULL, with
 * the reason, on failure. */
char *yaml_load(const char *path, size_t *length, struct error *err);
/* Accepts a zeroed document. */
void yaml_finish(struct yaml_document *doc);

/* Appends a scalar to a mapping, or an empty mapping for NULL; returns it. NULL if the key is there already. Each call takes time in proportion to the number of entries. */
struct yaml_node *yaml_append(struct yaml_document *doc, struct yaml_node *mapping, const char *key,
                              const char *text, int line, int column);

/* Replaces a mapping by its entry `key`. False if there is none, or it is no scalar. */
bool yaml_reduce(struct yaml_node *mapping, const char *key);

/* Applies the argument of `--set`, "ga.mutation.rate=0.1": sets the value (YAML) at a dotted path, replacing any
 * old value. Creates missing mappings on the way. */
bool yaml_apply(struct yaml_document *doc, const char *setting);

/* Sets the values of a mapping of another document likewise in one of this, entry by entry; keys may be dotted paths. */
bool yaml_merge(struct yaml_document *doc, struct yaml_node *into, const struct yaml_node *from);

/* The entry `key` of a mapping. NULL if it is absent or `mapping` is not a mapping. */
const struct yaml_node *yaml_find(const struct yaml_node *mapping, const char *key);

/* The entry at a dotted path from `node`, or NULL. */
const struct yaml_node *yaml_find_path(const struct yaml_node *node, const char *path);

/* The text of the scalar `key` of a mapping, or NULL. */
const char *yaml_text_at(const struct yaml_node *mapping, const char *key);

/* Reads a whole number from min to max. `unit` goes on with the reason why not: "", or what is counted. */
bool yaml_take_whole(const struct yaml_document *doc, const struct yaml_node *node, int32_t min,
                     int32_t max, const char *unit, int32_t *value);

/* Fails unless a node is a mapping whose keys are among the known ones, which are listed as "kind, parameters". */
bool yaml_check_keys(const struct yaml_document *doc, const struct yaml_node *mapping,
                     const char *known);

/* The dotted path of a node from the root; entries of sequences have that of the sequence. Long ones lose their end. */
void yaml_path(const struct yaml_node *node, char path[YAML_KEY]);

/* "a mapping", "a list", or the text of a scalar in quotes, cut if it is long: for messages. */
void yaml_describe(const struct yaml_node *node, char text[YAML_KEY]);

/* Sets the error to "file:line:column: key: " and the reason, where key is the dotted path. For
 * nodes of a setting it begins with the setter instead: "--set key: ". Returns false. */
bool yaml_fail(const struct yaml_document *doc, const struct yaml_node *node, const char *format,
               ...) __attribute__((format(printf, 3, 4)));

/* The same with the reason "VALUE is wrong; expected " and what is formatted. */
bool yaml_fail_value(const struct yaml_document *doc, const struct yaml_node *node,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Both for a reader with a member `doc`. */
#define refuse(in, node, ...)       yaml_fail((in)->doc, node, __VA_ARGS__)
#define refuse_value(in, node, ...) yaml_fail_value((in)->doc, node, __VA_ARGS__)

/* Writes a clean text (foreign_text.h), or several such lines, in double quotes. */
void yaml_write_text(FILE *out, const char *text);

/* Writes a document of such texts so that it reads back as the same tree, at other places. */
void yaml_write(FILE *out, const struct yaml_document *doc);

#endif
