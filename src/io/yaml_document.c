#include "yaml_document.h"

#include "file_kind.h"
#include "key_set.h"
#include "regular_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { FILE_MAX = 1 << 20 }; /* recipes are shorter than a megabyte */

/* A tree being built: the open collection, and the key that waits for its value. */
struct builder {
    struct yaml_document *doc;
    struct yaml_node *open; /* the innermost open mapping or sequence */
    struct yaml_node *last; /* its last entry so far */
    int depth;
    char *key; /* owned until an entry takes it */
    yaml_mark_t key_mark;
    int documents;
    struct key_set keys; /* hashes of all keys so far, each with its mapping */
    struct error *err;
};

/* Sets the error to "file:line:column: reason" for a place that is not a node. */
static bool fail_at(const struct builder *b, yaml_mark_t mark, const char *reason)
{
    return error_set(b->err, "%s:%zu:%zu: %s", b->doc->path, mark.line + 1, mark.column + 1,
                     reason);
}

/* Copies a scalar to a C string; NULL if it contains a NUL byte or memory is short. */
static char *copy_scalar(const yaml_event_t *event)
{
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    return memchr(value, '\0', length) != NULL ? NULL : strndup(value, length);
}

/* Adds an entry to the open collection, or makes it the root, and returns it. */
static struct yaml_node *append(struct builder *b, enum yaml_kind kind, yaml_mark_t mark)
{
    struct yaml_node *node = calloc(1, sizeof *node);
    if (node == NULL) {
        fail_at(b, mark, "no memory for this file");
        return NULL;
    }
    yaml_mark_t place = b->key != NULL ? b->key_mark : mark;
    *node = (struct yaml_node){.kind = kind,
                               .line = (int)place.line + 1,
                               .column = (int)place.column + 1,
                               .key = b->key,
                               .parent = b->open};
    b->key = NULL;
    if (b->open == NULL)
        b->doc->root = node;
    else if (b->last == NULL)
        b->open->child = node;
    else
        b->last->next = node;
    b->last = node;
    return node;
}

/* Opens a mapping or sequence: later entries go inside until it is closed. */
static bool open_collection(struct builder *b, enum yaml_kind kind, yaml_mark_t mark)
{
    if (b->depth == YAML_DEPTH)
        return fail_at(b, mark, "nested too deeply; 32 levels are the most");
    struct yaml_node *node = append(b, kind, mark);
    if (node == NULL)
        return false;
    b->open = node;
    b->last = NULL;
    b->depth++;
    return true;
}

/* Closes the innermost collection. */
static bool close_collection(struct builder *b)
{
    b->last = b->open;
    b->open = b->open->parent;
    b->depth--;
    return true;
}

/* The hash of a key in its mapping (FNV-1a). */
static uint64_t hash_key(const struct yaml_node *mapping, const char *key)
{
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)(uintptr_t)mapping;
    for (const char *c = key; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return hash;
}

/* Stores the key of the next entry; fails if the mapping has it already. */
static bool take_key(struct builder *b, const yaml_event_t *event)
{
    char *key = copy_scalar(event);
    if (key == NULL)
        return fail_at(b, event->start_mark, "a key with a NUL byte; keys are plain words");
    b->key = key;
    b->key_mark = event->start_mark;
    const uint64_t hash = hash_key(b->open, key);
    const struct yaml_node *first =
        key_set_has(&b->keys, hash) ? yaml_find(b->open, key) : NULL; /* linear: only if need be */
    if (first == NULL)
        return key_set_add(&b->keys, hash) || fail_at(b, b->key_mark, "no memory for this file");
    char path[YAML_KEY];
    yaml_path(first, path);
    return error_set(b->err, "%s:%zu:%zu: %s: repeated key; it is already in line %d", b->doc->path,
                     event->start_mark.line + 1, event->start_mark.column + 1, path, first->line);
}

/* Reads a scalar: a key if a mapping is open and no key waits, else a value. */
static bool take_scalar(struct builder *b, const yaml_event_t *event)
{
    if (b->open != NULL && b->open->kind == YAML_MAPPING && b->key == NULL)
        return take_key(b, event);
    char *text = copy_scalar(event);
    if (text == NULL)
        return fail_at(b, event->start_mark, "a value with a NUL byte; values are plain text");
    struct yaml_node *node = append(b, YAML_SCALAR, event->start_mark);
    if (node == NULL) {
        free(text);
        return false;
    }
    node->text = text;
    return true;
}

/* Reads a collection; fails on anchors, tags and collections as keys. */
static bool take_collection(struct builder *b, enum yaml_kind kind, const yaml_event_t *event,
                            const unsigned char *anchor, const unsigned char *tag)
{
    if (anchor != NULL || tag != NULL)
        return fail_at(b, event->start_mark, "anchors and tags have no meaning here; leave it out");
    if (b->open != NULL && b->open->kind == YAML_MAPPING && b->key == NULL)
        return fail_at(b, event->start_mark, "a key must be a plain word");
    return open_collection(b, kind, event->start_mark);
}

/* Adds one event of the parser to the tree. */
static bool take_event(struct builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->documents++ > 0)
            return fail_at(b, event->start_mark, "a second document; one file holds one document");
        return true;
    case YAML_ALIAS_EVENT:
        return fail_at(b, event->start_mark,
                       "anchors and aliases have no meaning here; "
                       "write the value out");
    case YAML_SCALAR_EVENT:
        if (event->data.scalar.anchor != NULL || event->data.scalar.tag != NULL)
            return fail_at(b, event->start_mark,
                           "anchors and tags have no meaning here; leave it out");
        return take_scalar(b, event);
    case YAML_MAPPING_START_EVENT:
        return take_collection(b, YAML_MAPPING, event, event->data.mapping_start.anchor,
                               event->data.mapping_start.tag);
    case YAML_SEQUENCE_START_EVENT:
        return take_collection(b, YAML_SEQUENCE, event, event->data.sequence_start.anchor,
                               event->data.sequence_start.tag);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        return close_collection(b);
    default:
        return true;
    }
}

/* Reports the parser's own error and its place. */
static bool fail_syntax(const struct builder *b, const yaml_parser_t *parser)
{
    yaml_mark_t mark = parser->problem_mark;
    if (parser->error == YAML_READER_ERROR)
        mark = parser->mark;
    const char *problem = parser->problem != NULL ? parser->problem : "no memory";
    const char *context = parser->context != NULL ? parser->context : "";
    return error_set(b->err, "%s:%zu:%zu: not YAML: %s%s%s", b->doc->path, mark.line + 1,
                     mark.column + 1, problem, *context != '\0' ? " " : "", context);
}

/* Adds every event to the tree until the stream ends or an error occurs. */
static bool build_tree(struct builder *b, yaml_parser_t *parser)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return fail_syntax(b, parser);
        bool end = event.type == YAML_STREAM_END_EVENT;
        bool taken = take_event(b, &event);
        yaml_event_delete(&event);
        if (!taken || end)
            return taken;
    }
}

bool yaml_read_text(struct yaml_document *doc, const char *name, const char *text, size_t length,
                    struct error *err)
{
    *doc = (struct yaml_document){.path = strdup(name), .setter = "--set"};
    yaml_parser_t parser;
    if (doc->path == NULL || !yaml_parser_initialize(&parser)) {
        yaml_finish(doc);
        return error_set(err, "%s: no memory", name);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    struct builder builder = {.doc = doc, .err = err};
    bool built = build_tree(&builder, &parser);
    if (built && doc->root == NULL)
        built = error_set(err, "%s:1:1: empty; keys and their values are expected", name);
    free(builder.key);
    key_set_free(&builder.keys);
    yaml_parser_delete(&parser);
    if (!built)
        yaml_finish(doc);
    return built;
}

/* Reads an open file completely, NUL-terminated; NULL with the reason if it is too long,
 * unreadable, or something else. */
static char *read_all(FILE *file, const char *path, size_t *length, struct error *err)
{
    char *text = malloc(FILE_MAX + 1);
    if (text == NULL) {
        error_set(err, "%s: no memory", path);
        return NULL;
    }
    errno = 0;
    *length = fread(text, 1, FILE_MAX + 1, file);
    const bool expected = file_kind_expect(yaml_name(path), text, *length, FILE_YAML, err);
    if (!ferror(file) && expected && *length <= FILE_MAX) {
        text[*length] = '\0';
        return text;
    }
    if (ferror(file))
        error_set(err, "%s: cannot read: %s", path, strerror(errno));
    else if (expected)
        error_set(err, "%s: longer than a megabyte; not a recipe or parameter file", path);
    free(text);
    return NULL;
}

char *yaml_load(const char *path, size_t *length, struct error *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *reason = NULL;
    FILE *file = standard ? stdin : regular_file_open(path, &reason);
    if (file == NULL) {
        error_set(err, "%s: cannot open: %s", path, reason);
        return NULL;
    }
    char *text = read_all(file, path, length, err);
    if (!standard)
        fclose(file);
    return text;
}

const char *yaml_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool yaml_read_file(struct yaml_document *doc, const char *path, struct error *err)
{
    size_t length;
    char *text = yaml_load(path, &length, err);
    *doc = (struct yaml_document){0};
    bool read = text != NULL && yaml_read_text(doc, yaml_name(path), text, length, err);
    free(text);
    return read;
}

static void free_node(struct yaml_node *node);

/* Frees the entries of a node. */
static void free_entries(struct yaml_node *node)
{
    while (node->child != NULL) {
        struct yaml_node *child = node->child;
        node->child = child->next;
        free_node(child);
    }
}

/* Frees a node and its entries. */
static void free_node(struct yaml_node *node)
{
    free_entries(node);
    free(node->key);
    free(node->text);
    free(node);
}

void yaml_finish(struct yaml_document *doc)
{
    if (doc->root != NULL)
        free_node(doc->root);
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

/* Adds an empty entry to the end of a mapping. */
static struct yaml_node *add_entry(struct yaml_node *mapping, const char *key, size_t length)
{
    struct yaml_node *node = calloc(1, sizeof *node);
    if (node == NULL || (node->key = strndup(key, length)) == NULL) {
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

bool yaml_begin(struct yaml_document *doc, const char *name, struct error *err)
{
    struct yaml_node *root = calloc(1, sizeof *root);
    *doc = (struct yaml_document){.path = strdup(name), .root = root, .setter = "--set"};
    if (root == NULL || doc->path == NULL) {
        yaml_finish(doc);
        return error_set(err, "%s: no memory", name);
    }
    *root = (struct yaml_node){.kind = YAML_MAPPING, .line = 1, .column = 1};
    return true;
}

struct yaml_node *yaml_append(struct yaml_document *doc, struct yaml_node *mapping, const char *key,
                              const char *text, int line, int column, struct error *err)
{
    const struct yaml_node *first = yaml_find(mapping, key);
    if (first != NULL) {
        error_set(err, "%s:%d:%d: %s: repeated; it is already in line %d", doc->path, line, column,
                  key, first->line);
        return NULL;
    }
    struct yaml_node *node = add_entry(mapping, key, strlen(key));
    if (node == NULL || (text != NULL && (node->text = strdup(text)) == NULL)) {
        error_set(err, "%s:%d:%d: no memory for this file", doc->path, line, column);
        return NULL;
    }
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

/* Marks a node and its entries as set by yaml_set rather than the file. */
static void mark_given(struct yaml_node *node)
{
    node->line = node->column = 0;
    for (struct yaml_node *child = node->child; child != NULL; child = child->next) {
        child->parent = node;
        mark_given(child);
    }
}

/* Swaps the contents of a node and the root of its new value. */
static void replace_content(struct yaml_node *node, struct yaml_node *given)
{
    struct yaml_node old = *node;
    node->kind = given->kind;
    node->text = given->text;
    node->child = given->child;
    given->text = old.text;
    given->child = old.child;
    mark_given(node);
}

/* The node at a dotted path; creates it and its parents if missing. */
static struct yaml_node *reach(struct yaml_document *doc, const char *path, struct error *err)
{
    struct yaml_node *node = doc->root;
    const char *rest = path;
    for (int depth = 0; depth < YAML_DEPTH; depth++) {
        size_t length = strcspn(rest, ".");
        if (node->kind != YAML_MAPPING) {
            yaml_fail(doc, node, err, "not a mapping; %s %s cannot go inside", doc->setter, path);
            return NULL;
        }
        struct yaml_node *entry = find_entry(node, rest, length);
        if (entry == NULL)
            entry = add_entry(node, rest, length);
        if (entry == NULL) {
            error_set(err, "--set %s: no memory", path);
            return NULL;
        }
        node = entry;
        rest += length;
        if (*rest++ == '\0')
            return node;
    }
    error_set(err, "--set %.60s...: nested too deeply; 32 levels are the most", path);
    return NULL;
}

bool yaml_set(struct yaml_document *doc, const char *path, const char *value, struct error *err)
{
    char name[YAML_KEY];
    snprintf(name, sizeof name, "--set %s", path);
    struct yaml_document given;
    if (!yaml_read_text(&given, name, value, strlen(value), err))
        return false;
    struct yaml_node *node = reach(doc, path, err);
    if (node != NULL)
        replace_content(node, given.root);
    yaml_finish(&given);
    return node != NULL;
}

bool yaml_apply(struct yaml_document *doc, const char *setting, struct error *err)
{
    char path[YAML_KEY];
    size_t length = strcspn(setting, "=");
    if (setting[length] == '\0' || length == 0 || length >= sizeof path)
        return error_set(err, "--set %s: expected key=value, such as ga.population=50", setting);
    memcpy(path, setting, length);
    path[length] = '\0';
    return yaml_set(doc, path, setting + length + 1, err);
}

void yaml_path(const struct yaml_node *node, char path[YAML_KEY])
{
    const char *keys[YAML_DEPTH + 1];
    int count = 0;
    for (; node != NULL && count <= YAML_DEPTH; node = node->parent)
        if (node->key != NULL)
            keys[count++] = node->key;
    size_t length = 0;
    path[0] = '\0';
    while (count-- > 0 && length < YAML_KEY) {
        int more =
            snprintf(path + length, YAML_KEY - length, "%s%s", length > 0 ? "." : "", keys[count]);
        length += (size_t)more;
    }
}

void yaml_describe(const struct yaml_node *node, char text[YAML_KEY])
{
    if (node->kind == YAML_SCALAR)
        snprintf(text, YAML_KEY, "'%.60s'", node->text);
    else
        snprintf(text, YAML_KEY, node->kind == YAML_MAPPING ? "a mapping" : "a list");
}

bool yaml_fail(const struct yaml_document *doc, const struct yaml_node *node, struct error *err,
               const char *format, ...)
{
    char path[YAML_KEY], reason[sizeof err->text / 2];
    yaml_path(node, path);
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    const char *colon = path[0] != '\0' ? ": " : "";
    if (node->line == 0)
        return error_set(err, "%s %s%s%s", doc->setter, path, colon, reason);
    return error_set(err, "%s:%d:%d: %s%s%s", doc->path, node->line, node->column, path, colon,
                     reason);
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
