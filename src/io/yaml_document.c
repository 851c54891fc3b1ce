#include "yaml_document.h"

#include "file_kind.h"
#include "key_set.h"
#include "parse.h"
#include "paths.h"
#include "suggest.h"
#include "text_stream.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { FILE_MAX = 1 << 20 }; /* recipes are shorter than a megabyte */

/* ---- reading ---- */

struct reading {
    struct yaml_document *doc;
    yaml_parser_t parser;
    struct key_set keys; /* hashes of all keys so far, each with its mapping */
};

/* Sets the error to "file:line:column: reason" for a place that is not a node. */
static bool fail_at(const struct reading *r, yaml_mark_t mark, const char *reason)
{
    return error_set(r->doc->err, "%s:%zu:%zu: %s", r->doc->path, mark.line + 1, mark.column + 1,
                     reason);
}

/* Parses the next event, which the caller deletes. Fails on broken syntax, and on what has no meaning here. */
static bool next_event(struct reading *r, yaml_event_t *e)
{
    const yaml_parser_t *p = &r->parser;
    if (!yaml_parser_parse(&r->parser, e)) {
        const yaml_mark_t mark = p->error == YAML_READER_ERROR ? p->mark : p->problem_mark;
        const char *problem = p->problem != NULL ? p->problem : "no memory";
        const char *context = p->context != NULL ? p->context : "";
        return error_set(r->doc->err, "%s:%zu:%zu: not YAML: %s%s%s", r->doc->path, mark.line + 1,
                         mark.column + 1, problem, *context != '\0' ? " " : "", context);
    }
    const bool marked =
        e->type == YAML_SCALAR_EVENT ? e->data.scalar.anchor != NULL || e->data.scalar.tag != NULL
        : e->type == YAML_MAPPING_START_EVENT
            ? e->data.mapping_start.anchor != NULL || e->data.mapping_start.tag != NULL
            : e->type == YAML_SEQUENCE_START_EVENT &&
                  (e->data.sequence_start.anchor != NULL || e->data.sequence_start.tag != NULL);
    if (!marked && e->type != YAML_ALIAS_EVENT)
        return true;
    fail_at(r, e->start_mark,
            marked ? "anchors and tags have no meaning here; leave it out"
                   : "anchors and aliases have no meaning here; write the value out");
    yaml_event_delete(e);
    return false;
}

/* Copies a scalar to a C string; NULL, with the reason, if it contains a NUL byte or memory is short. */
static char *copy_scalar(const struct reading *r, const yaml_event_t *e, const char *what)
{
    const char *value = (const char *)e->data.scalar.value;
    const size_t length = e->data.scalar.length;
    const bool clean = memchr(value, '\0', length) == NULL;
    char *copy = clean ? strndup(value, length) : NULL;
    if (copy == NULL)
        fail_at(r, e->start_mark, clean ? "no memory for this file" : what);
    return copy;
}

/* Takes the key of the next entry, which is new in its mapping; owned. NULL with the reason. */
static char *take_key(struct reading *r, const struct yaml_node *mapping, const yaml_event_t *e)
{
    if (e->type != YAML_SCALAR_EVENT) {
        fail_at(r, e->start_mark, "a key must be a plain word");
        return NULL;
    }
    char *key = copy_scalar(r, e, "a key with a NUL byte; keys are plain words");
    if (key == NULL)
        return NULL;
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)(uintptr_t)mapping; /* FNV-1a */
    for (const char *c = key; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    const struct yaml_node *first =
        key_set_has(&r->keys, hash) ? yaml_find(mapping, key) : NULL; /* linear: only if need be */
    if (first == NULL && key_set_add(&r->keys, hash))
        return key;
    char path[YAML_KEY], reason[YAML_KEY + 64] = "no memory for this file";
    if (first != NULL) {
        yaml_path(first, path);
        snprintf(reason, sizeof reason, "%s: repeated key; it is already in line %d", path,
                 first->line);
    }
    fail_at(r, e->start_mark, reason);
    free(key);
    return NULL;
}

/* Reads the node that begins with an event, with all below it, into `*slot`. Takes over the key; `place` is the
 * node's. After a failure the tree holds what has been read. */
static bool read_node(struct reading *r, const yaml_event_t *e, struct yaml_node *parent, char *key,
                      yaml_mark_t place, int depth, struct yaml_node **slot)
{
    struct yaml_node *node = *slot = calloc(1, sizeof *node);
    if (node == NULL) {
        free(key);
        return fail_at(r, place, "no memory for this file");
    }
    *node = (struct yaml_node){.kind = e->type == YAML_SCALAR_EVENT          ? YAML_SCALAR
                                       : e->type == YAML_MAPPING_START_EVENT ? YAML_MAPPING
                                                                             : YAML_SEQUENCE,
                               .line = (int)place.line + 1,
                               .column = (int)place.column + 1,
                               .key = key,
                               .parent = parent};
    if (node->kind == YAML_SCALAR) {
        node->text = copy_scalar(r, e, "a value with a NUL byte; values are plain text");
        return node->text != NULL;
    }
    if (depth == YAML_DEPTH)
        return fail_at(r, e->start_mark, "nested too deeply; 32 levels are the most");
    for (slot = &node->child;; slot = &(*slot)->next) {
        yaml_event_t entry;
        char *entry_key = NULL;
        if (!next_event(r, &entry))
            return false;
        const yaml_mark_t entry_place = entry.start_mark;
        const bool ends =
            entry.type == YAML_MAPPING_END_EVENT || entry.type == YAML_SEQUENCE_END_EVENT;
        if (!ends && node->kind == YAML_MAPPING) {
            entry_key = take_key(r, node, &entry);
            yaml_event_delete(&entry);
            if (entry_key == NULL || !next_event(r, &entry)) {
                free(entry_key);
                return false;
            }
        }
        const bool read =
            ends || read_node(r, &entry, node, entry_key, entry_place, depth + 1, slot);
        yaml_event_delete(&entry);
        if (ends || !read)
            return read;
    }
}

static bool read_document(struct reading *r)
{
    for (yaml_event_type_t type = YAML_NO_EVENT; type != YAML_STREAM_END_EVENT;) {
        yaml_event_t event;
        bool good = next_event(r, &event);
        if (!good)
            return false;
        type = event.type;
        if (type == YAML_DOCUMENT_START_EVENT && r->doc->root != NULL)
            good = fail_at(r, event.start_mark, "a second document; one file holds one document");
        else if (type == YAML_SCALAR_EVENT || type == YAML_MAPPING_START_EVENT ||
                 type == YAML_SEQUENCE_START_EVENT)
            good = read_node(r, &event, NULL, NULL, event.start_mark, 0, &r->doc->root);
        yaml_event_delete(&event);
        if (!good)
            return false;
    }
    return r->doc->root != NULL ||
           error_set(r->doc->err, "%s:1:1: empty; keys and their values are expected",
                     r->doc->path);
}

static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool yaml_read_text(struct yaml_document *doc, const char *name, const char *text, size_t length,
                    struct error *err)
{
    *doc = (struct yaml_document){.path = strdup(name_of(name)), .setter = "--set", .err = err};
    struct reading reading = {.doc = doc};
    if (doc->path == NULL || !yaml_parser_initialize(&reading.parser)) {
        yaml_finish(doc);
        return error_set(err, "%s: no memory", name);
    }
    yaml_parser_set_input_string(&reading.parser, (const unsigned char *)text, length);
    const bool read = read_document(&reading);
    key_set_free(&reading.keys);
    yaml_parser_delete(&reading.parser);
    if (!read)
        yaml_finish(doc);
    return read;
}

/* ---- files ---- */

char *yaml_load(const char *path, size_t *length, struct error *err)
{
    const bool standard = strcmp(path, "-") == 0;
    const char *reason = NULL;
    FILE *file = standard ? stdin : regular_file_open(path, &reason);
    char *text = malloc(FILE_MAX + 1);
    bool read = false;
    errno = 0;
    if (file == NULL)
        error_set(err, "%s: cannot open: %s", path, reason);
    else if (text == NULL)
        error_set(err, "%s: no memory", path);
    else {
        *length = fread(text, 1, FILE_MAX + 1, file);
        if (ferror(file))
            error_set(err, "%s: cannot read: %s", path, strerror(errno));
        else if (file_kind_expect(name_of(path), text, *length, FILE_YAML, err))
            read =
                *length <= FILE_MAX ||
                error_set(err, "%s: longer than a megabyte; not a recipe or parameter file", path);
    }
    if (file != NULL && !standard)
        fclose(file);
    if (read) {
        text[*length] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

bool yaml_read_file(struct yaml_document *doc, const char *path, struct error *err)
{
    size_t length;
    char *text = yaml_load(path, &length, err);
    *doc = (struct yaml_document){0};
    bool read = text != NULL && yaml_read_text(doc, path, text, length, err);
    free(text);
    return read;
}

/* ---- the tree ---- */

static void free_entries(struct yaml_node *node)
{
    while (node->child != NULL) {
        struct yaml_node *child = node->child;
        node->child = child->next;
        free_entries(child);
        free(child->key);
        free(child->text);
        free(child);
    }
}

void yaml_finish(struct yaml_document *doc)
{
    if (doc->root != NULL) {
        free_entries(doc->root);
        free(doc->root->text);
        free(doc->root);
    }
    free(doc->path);
    *doc = (struct yaml_document){0};
}

/* The entry of a mapping whose key is the first `length` bytes of `key`. */
static struct yaml_node *find_entry(const struct yaml_node *mapping, const char *key, size_t length)
{
    if (mapping->kind != YAML_MAPPING)
        return NULL;
    for (struct yaml_node *node = mapping->child; node != NULL; node = node->next)
        if (strlen(node->key) == length && memcmp(node->key, key, length) == 0)
            return node;
    return NULL;
}

const struct yaml_node *yaml_find(const struct yaml_node *mapping, const char *key)
{
    return find_entry(mapping, key, strlen(key));
}

const struct yaml_node *yaml_find_path(const struct yaml_node *node, const char *path)
{
    while (node != NULL) {
        size_t length = strcspn(path, ".");
        node = find_entry(node, path, length);
        if (path[length] == '\0')
            return node;
        path += length + 1;
    }
    return NULL;
}

/* Adds an empty entry to the end of a mapping; to a sequence, without a key. */
static struct yaml_node *add_entry(struct yaml_node *mapping, const char *key, size_t length)
{
    struct yaml_node *node = calloc(1, sizeof *node);
    if (node == NULL || (key != NULL && (node->key = strndup(key, length)) == NULL)) {
        free(node);
        return NULL;
    }
    node->kind = YAML_MAPPING;
    node->parent = mapping;
    struct yaml_node **end = &mapping->child;
    while (*end != NULL)
        end = &(*end)->next;
    *end = node;
    return node;
}

struct yaml_node *yaml_append(struct yaml_document *doc, struct yaml_node *mapping, const char *key,
                              const char *text, int line, int column)
{
    const struct yaml_node *first = yaml_find(mapping, key);
    if (first != NULL)
        return error_null(doc->err, "%s:%d:%d: %s: repeated; it is already in line %d", doc->path,
                          line, column, key, first->line);
    struct yaml_node *node = add_entry(mapping, key, strlen(key));
    if (node == NULL || (text != NULL && (node->text = strdup(text)) == NULL))
        return error_null(doc->err, "%s:%d:%d: no memory for this file", doc->path, line, column);
    node->kind = text != NULL ? YAML_SCALAR : YAML_MAPPING;
    node->line = line;
    node->column = column;
    return node;
}

bool yaml_reduce(struct yaml_node *mapping, const char *key)
{
    struct yaml_node *entry = find_entry(mapping, key, strlen(key));
    if (entry == NULL || entry->kind != YAML_SCALAR)
        return false;
    char *text = entry->text;
    entry->text = NULL;
    free_entries(mapping);
    mapping->kind = YAML_SCALAR;
    mapping->text = text;
    return true;
}

/* ---- settings ---- */

/* The node at a dotted path from another; creates it and its parents if missing. */
static struct yaml_node *reach(struct yaml_document *doc, struct yaml_node *node, const char *path)
{
    const char *rest = path;
    for (int depth = 0; depth < YAML_DEPTH; depth++) {
        size_t length = strcspn(rest, ".");
        if (node->kind != YAML_MAPPING) {
            yaml_fail(doc, node, "not a mapping; %s %s cannot go inside", doc->setter, path);
            return NULL;
        }
        struct yaml_node *entry = find_entry(node, rest, length);
        if (entry == NULL)
            entry = add_entry(node, rest, length);
        if (entry == NULL)
            return error_null(doc->err, "--set %s: no memory", path);
        node = entry;
        rest += length;
        if (*rest++ == '\0')
            return node;
    }
    return error_null(doc->err, "--set %.60s...: nested too deeply; 32 levels are the most", path);
}

/* Makes a node and its entries those of another document: of a setting if `given`, or if they are from one there.
 * False without memory. */
static bool copy_node(struct yaml_node *to, const struct yaml_node *from, bool given)
{
    free_entries(to);
    free(to->text);
    to->kind = from->kind;
    to->line = given || from->line == 0 ? 0 : -1;
    to->text = from->text == NULL ? NULL : strdup(from->text);
    for (const struct yaml_node *child = from->child; child != NULL; child = child->next) {
        const size_t length = child->key == NULL ? 0 : strlen(child->key);
        struct yaml_node *entry = add_entry(to, child->key, length);
        if (entry == NULL || !copy_node(entry, child, given))
            return false;
    }
    return from->text == NULL || to->text != NULL;
}

bool yaml_apply(struct yaml_document *doc, const char *setting)
{
    char path[YAML_KEY], name[YAML_KEY + 8];
    struct yaml_document given;
    const size_t length = strcspn(setting, "=");
    if (setting[length] == '\0' || length == 0 || length >= sizeof path)
        return error_set(doc->err, "--set %s: expected key=value, such as ga.population=50",
                         setting);
    const char *value = setting + length + 1;
    snprintf(path, sizeof path, "%.*s", (int)length, setting);
    snprintf(name, sizeof name, "--set %s", path);
    if (!yaml_read_text(&given, name, value, strlen(value), doc->err))
        return false;
    struct yaml_node *node = reach(doc, doc->root, path);
    const bool set = node != NULL && (copy_node(node, given.root, true) ||
                                      error_set(doc->err, "%s: no memory", name));
    yaml_finish(&given);
    return set;
}

bool yaml_merge(struct yaml_document *doc, struct yaml_node *into, const struct yaml_node *from)
{
    for (const struct yaml_node *child = from->child; child != NULL; child = child->next) {
        struct yaml_node *node = reach(doc, into, child->key);
        if (node == NULL)
            return false;
        if (child->kind != YAML_MAPPING && !copy_node(node, child, false))
            return error_set(doc->err, "%s: no memory", doc->path);
        if (child->kind == YAML_MAPPING && !yaml_merge(doc, node, child))
            return false;
    }
    return true;
}

/* ---- messages ---- */

void yaml_path(const struct yaml_node *node, char path[YAML_KEY])
{
    const char *keys[YAML_DEPTH + 1];
    int count = 0;
    for (; node != NULL && count <= YAML_DEPTH; node = node->parent)
        if (node->key != NULL)
            keys[count++] = node->key;
    path[0] = '\0';
    while (count-- > 0)
        text_add(path, YAML_KEY, "%s%s", path[0] != '\0' ? "." : "", keys[count]);
}

void yaml_describe(const struct yaml_node *node, char text[YAML_KEY])
{
    if (node->kind == YAML_SCALAR)
        snprintf(text, YAML_KEY, "'%.60s'", node->text);
    else
        snprintf(text, YAML_KEY, node->kind == YAML_MAPPING ? "a mapping" : "a list");
}

/* Sets the error to the place of a node, a beginning, and the formatted rest of the reason. */
static bool fail_node(const struct yaml_document *doc, const struct yaml_node *node,
                      const char *begin, const char *format, va_list args)
{
    char path[YAML_KEY], reason[sizeof doc->err->text / 2];
    yaml_path(node, path);
    vsnprintf(reason, sizeof reason, format, args);
    const char *colon = path[0] != '\0' ? ": " : "";
    if (node->line <= 0)
        return error_set(doc->err, "%s %s%s%s%s", doc->setter, path, colon, begin, reason);
    return error_set(doc->err, "%s:%d:%d: %s%s%s%s", doc->path, node->line, node->column, path,
                     colon, begin, reason);
}

bool yaml_fail(const struct yaml_document *doc, const struct yaml_node *node, const char *format,
               ...)
{
    va_list args;
    va_start(args, format);
    fail_node(doc, node, "", format, args);
    va_end(args);
    return false;
}

bool yaml_fail_value(const struct yaml_document *doc, const struct yaml_node *node,
                     const char *format, ...)
{
    char begin[2 * YAML_KEY];
    va_list args;
    yaml_describe(node, begin);
    text_add(begin, sizeof begin, " is wrong; expected ");
    va_start(args, format);
    fail_node(doc, node, begin, format, args);
    va_end(args);
    return false;
}

/* ---- values ---- */

const char *yaml_text_at(const struct yaml_node *mapping, const char *key)
{
    const struct yaml_node *node = yaml_find(mapping, key);
    return node != NULL && node->kind == YAML_SCALAR ? node->text : NULL;
}

bool yaml_take_whole(const struct yaml_document *doc, const struct yaml_node *node, int32_t min,
                     int32_t max, const char *unit, int32_t *value)
{
    int64_t number;
    if (node->kind == YAML_SCALAR && parse_int64(node->text, &number) && number >= min &&
        number <= max) {
        *value = (int32_t)number;
        return true;
    }
    if (min == max)
        return yaml_fail_value(doc, node, "%d%s", min, unit);
    return yaml_fail_value(doc, node, "a whole number from %d to %d%s", min, max, unit);
}

bool yaml_check_keys(const struct yaml_document *doc, const struct yaml_node *mapping,
                     const char *known)
{
    if (mapping->kind != YAML_MAPPING)
        return yaml_fail(doc, mapping, "expected keys inside: %s", known);
    for (const struct yaml_node *node = mapping->child; node != NULL; node = node->next) {
        char names[YAML_KEY], *rest;
        struct suggestion near;
        bool found = false;
        suggest_init(&near, node->key);
        snprintf(names, sizeof names, "%s", known);
        for (char *name = strtok_r(names, ", ", &rest); name != NULL && !found;
             name = strtok_r(NULL, ", ", &rest)) {
            found = strcmp(name, node->key) == 0;
            suggest_offer(&near, name, name);
        }
        if (!found && near.name != NULL)
            return yaml_fail(doc, node, "unknown key; did you mean %s?", near.name);
        if (!found)
            return yaml_fail(doc, node, "unknown key; known here: %s", known);
    }
    return true;
}

/* ---- writing ---- */

void yaml_write_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', out);
        if (*text == '\n')
            fputs("\\n", out);
        else
            putc(*text, out);
    }
    putc('"', out);
}

/* Writes a node and all below it, one entry a line. */
static void write_node(FILE *out, const struct yaml_node *node)
{
    const bool mapping = node->kind == YAML_MAPPING;
    if (node->kind == YAML_SCALAR) {
        yaml_write_text(out, node->text);
        return;
    }
    putc(mapping ? '{' : '[', out);
    for (const struct yaml_node *child = node->child; child != NULL; child = child->next) {
        if (mapping) {
            yaml_write_text(out, child->key);
            fputs(": ", out);
        }
        write_node(out, child);
        if (child->next != NULL)
            fputs(",\n", out);
    }
    putc(mapping ? '}' : ']', out);
}

void yaml_write(FILE *out, const struct yaml_document *doc)
{
    write_node(out, doc->root);
    putc('\n', out);
}
