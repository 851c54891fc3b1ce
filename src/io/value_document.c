#include "value_document.h"

#include "foreign_text.h"
#include "parse.h"
#include "space.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS = 8 }; /* one more than a line may have */

/* The shapes of lines, one a parameter. */
enum shape { NO_LINES /* YAML or JSON */, SETOPTION, OPENBENCH, FISHTEST, CSV };

/* One line of a text that may be written to. The parts are ended by NUL. */
struct line {
    char *text;
    int number;
    char *name, *value; /* of the parameter, once parsed */
    char *range[3];     /* of a tuner: min, max and c; else NULL */
};

static const char setoption[] = "setoption name ", value_word[] = " value ";

static const char csv_head[] = "name,value,min,max";

/* What a line of each shape looks like. */
static const char *const shapes[] = {
    [SETOPTION] = "setoption name NAME value VALUE",
    [OPENBENCH] = "NAME, int, VALUE, MIN, MAX, C_END, R_END",
    [FISHTEST] = "NAME,VALUE,MIN,MAX,C,R",
    [CSV] = "NAME,VALUE,MIN,MAX",
};

/* ---- lines ---- */

static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
        length--;
    text[length] = '\0';
    return text;
}

/* Removes the next line that is neither blank nor a comment from the front; false at the end. */
static bool next_line(char **rest, struct line *line)
{
    while (*rest != NULL && **rest != '\0') {
        char *end = strchr(*rest, '\n');
        line->text = *rest;
        line->number++;
        *rest = end == NULL ? NULL : end + 1;
        if (end != NULL)
            *end = '\0';
        line->text[strcspn(line->text, "\r")] = '\0';
        const char *content = line->text + strspn(line->text, " \t");
        if (*content != '\0' && *content != '#')
            return true;
    }
    return false;
}

/* ---- fields ---- */

/* Finds the comma that ends a field, or NULL. A comma in quotes does not. */
static char *field_end(char *at)
{
    bool quoted = false;
    for (; *at != '\0' && (quoted || *at != ','); at++)
        quoted ^= *at == '"';
    return *at == '\0' ? NULL : at;
}

/* Removes the quotes around a field, and halves those inside. */
static char *unquote(char *field)
{
    size_t length = strlen(field);
    if (length < 2 || field[0] != '"' || field[length - 1] != '"')
        return field;
    field[length - 1] = '\0';
    char *to = field;
    for (const char *from = field + 1; *from != '\0'; from++) {
        from += from[0] == '"' && from[1] == '"';
        *to++ = *from;
    }
    *to = '\0';
    return field;
}

/* Splits a line at its commas; returns the number of fields, at most FIELDS. */
static int split(char *text, char *fields[FIELDS])
{
    int count = 0;
    while (text != NULL && count < FIELDS) {
        char *end = field_end(text);
        if (end != NULL)
            *end = '\0';
        fields[count++] = unquote(trim(text));
        text = end == NULL ? NULL : end + 1;
    }
    return count;
}

static bool are_numbers(char *const *fields, int from, int end)
{
    double number;
    for (int i = from; i < end; i++)
        if (!parse_double(fields[i], &number))
            return false;
    return true;
}

/* ---- shapes ---- */

static bool parse_setoption(struct line *line)
{
    char *start = line->text + strspn(line->text, " \t");
    if (strncmp(start, setoption, sizeof setoption - 1) != 0)
        return false;
    line->name = start + sizeof setoption - 1;
    char *word = strstr(line->name, value_word);
    if (word == NULL)
        return false;
    *word = '\0';
    line->value = word + sizeof value_word - 1;
    return true;
}

/* Takes the fields of a line, if they are those of a shape. */
static bool take_fields(struct line *line, char *const *fields, int count, enum shape shape)
{
    const int value = shape == OPENBENCH ? 2 : 1;
    if (shape == CSV ? count != 4 : count != value + 5 || !are_numbers(fields, value, count))
        return false;
    if (shape == OPENBENCH && strcmp(fields[1], "int") != 0 && strcmp(fields[1], "float") != 0)
        return false;
    line->name = shape == CSV ? csv_text_read(fields[0]) : fields[0];
    line->value = shape == CSV ? csv_text_read(fields[value]) : fields[value];
    for (int i = 0; i < 3; i++)
        line->range[i] = shape == CSV ? NULL : fields[value + 1 + i];
    return true;
}

/* Recognises the shape by the first line that is neither blank nor a comment. CSV shows in its head alone. */
static enum shape recognise(const char *text)
{
    struct line line = {0};
    char *copy = strdup(text), *rest = copy, *fields[FIELDS];
    enum shape shape = NO_LINES;
    if (copy != NULL && next_line(&rest, &line)) {
        const char *start = line.text + strspn(line.text, " \t");
        shape = strncmp(start, setoption, sizeof setoption - 1) == 0 ? SETOPTION
                : strcmp(start, csv_head) == 0                       ? CSV
                                                                     : NO_LINES;
        const int count = split(line.text, fields);
        for (int i = OPENBENCH; i <= FISHTEST && shape == NO_LINES; i++)
            if (take_fields(&line, fields, count, (enum shape)i))
                shape = (enum shape)i;
    }
    free(copy);
    return shape;
}

/* Adds an entry to the document: a value, or of a tuner the value and its range. */
static bool add_line(struct yaml_document *doc, const struct line *line)
{
    static const char *const keys[] = {"min_value", "max_value", "step"};
    const int column = (int)(line->name - line->text) + 1;
    const bool ranged = line->range[0] != NULL;
    struct yaml_node *entry =
        yaml_append(doc, doc->root, line->name, ranged ? NULL : line->value, line->number, column);
    bool added = entry != NULL && (!ranged || yaml_append(doc, entry, "value", line->value,
                                                          line->number, column) != NULL);
    for (int i = 0; added && ranged && i < 3; i++)
        added = yaml_append(doc, entry, keys[i], line->range[i], line->number,
                            (int)(line->range[i] - line->text) + 1) != NULL;
    return added;
}

/* Reads the lines into a document. Each name is looked up among those before it; without a limit a long
 * file would look like a hang. */
static bool take_lines(struct yaml_document *doc, char *rest, enum shape shape)
{
    char *fields[FIELDS];
    struct line line = {0};
    if (shape == CSV)
        next_line(&rest, &line);
    for (int count = 0; next_line(&rest, &line); count++) {
        if (count == SPACE_PARAMS_MAX)
            return error_set(doc->err, "%s:%d: more than %d parameters", doc->path, line.number,
                             SPACE_PARAMS_MAX);
        const bool parsed = shape == SETOPTION
                                ? parse_setoption(&line)
                                : take_fields(&line, fields, split(line.text, fields), shape);
        if (!parsed || line.name[0] == '\0')
            return error_set(doc->err, "%s:%d: expected '%s'", doc->path, line.number,
                             shapes[shape]);
        if (!add_line(doc, &line))
            return false;
    }
    return true;
}

bool value_document_is_flat(const struct yaml_document *doc)
{
    static const char *const outline[] = {"kind", "parameters", "command", "plays", NULL};
    for (const char *const *key = outline; *key != NULL; key++)
        if (yaml_find(doc->root, *key) != NULL)
            return false;
    return doc->root->kind == YAML_MAPPING;
}

bool value_document_read(struct yaml_document *doc, const char *path, bool ranges,
                         struct error *err)
{
    size_t length;
    char *text = yaml_load(path, &length, err), *lines = text;
    *doc = (struct yaml_document){0};
    if (text == NULL)
        return false;
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        lines += 3;
    const enum shape shape = strlen(text) == length ? recognise(lines) : NO_LINES;
    bool read = shape == NO_LINES
                    ? yaml_read_text(doc, path, text, length, err)
                    : yaml_read_text(doc, path, "{}", 2, err) && take_lines(doc, lines, shape);
    const bool reduces = read && !ranges && value_document_is_flat(doc);
    for (struct yaml_node *n = reduces ? doc->root->child : NULL; read && n != NULL; n = n->next)
        read = n->kind == YAML_SCALAR || yaml_reduce(n, "value") || yaml_reduce(n, "default") ||
               yaml_fail(doc, n,
                         "expected a value; a parameter file has the keys kind and parameters");
    if (!read)
        yaml_finish(doc);
    free(text);
    return read;
}
