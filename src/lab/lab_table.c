#include "lab_table.h"

#include "count.h"
#include "parse.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sizes[EXPERIMENT_SIZES] = {"quick", "usual", "overnight"};

/* ---- the data ---- */

const struct yaml_node *data_entry(const struct experiment *x, const char *mapping,
                                   const char *name)
{
    const struct yaml_node *entry = yaml_find(yaml_find(x->data, mapping), name);
    assert(entry != NULL);
    return entry;
}

/* An entry's setting, or that of the entry which it is like. */
static const struct yaml_node *find(const struct yaml_node *entry, const char *key)
{
    const struct yaml_node *found = yaml_find(entry, key), *like = yaml_find(entry, "like");
    if (found != NULL)
        return found->text != NULL && strcmp(found->text, "~") == 0 ? NULL : found;
    return like != NULL ? find(yaml_find(entry->parent, like->text), key) : NULL;
}

const struct yaml_node *data_find(const struct experiment *x, const struct yaml_node *entry,
                                  const char *key)
{
    const struct yaml_node *found = find(entry, key), *sized = NULL;
    bool by_size = false;
    for (int size = 0; found != NULL && size < EXPERIMENT_SIZES; size++) {
        const struct yaml_node *at = yaml_find(found, sizes[size]);
        by_size = by_size || at != NULL;
        sized = at != NULL && size <= (int)x->size ? at : sized;
    }
    return by_size ? sized : found;
}

const char *data_text(const struct experiment *x, const struct yaml_node *entry, const char *key)
{
    const struct yaml_node *found = data_find(x, entry, key);
    return found != NULL ? found->text : NULL;
}

int64_t data_number(const struct experiment *x, const struct yaml_node *entry, const char *key,
                    int64_t otherwise)
{
    const char *text = data_text(x, entry, key);
    int64_t number;
    return text != NULL && parse_int64(text, &number) ? number : otherwise;
}

const char *data_text_at(const struct yaml_node *list, int index)
{
    const struct yaml_node *n = list != NULL ? list->child : NULL;
    while (n != NULL && index-- > 0)
        n = n->next;
    return n != NULL && n->text != NULL ? n->text : "";
}

double data_at(const struct yaml_node *list, int index)
{
    return strtod(data_text_at(list, index), NULL);
}

int data_count(const struct yaml_node *list)
{
    int count = 0;
    for (const struct yaml_node *n = list != NULL ? list->child : NULL; n != NULL; n = n->next)
        count++;
    return count;
}

void data_search(const struct experiment *x, const struct yaml_node *entry, struct search_params *p)
{
    const struct yaml_node *like = yaml_find(entry, "like");
    if (like != NULL && strcmp(like->text, "plain") == 0)
        *p = search_plain_params();
    else if (like != NULL && strcmp(like->text, "initial") == 0)
        *p = search_initial_params();
    else if (like != NULL)
        data_search(x, data_entry(x, "searches", like->text), p);
    for (const struct yaml_node *n = entry->child; n != NULL; n = n->next) {
        int param = param_find(&search_all_table, n->key);
        if (param >= 0)
            p->value[param] = atoi(n->text);
    }
}

struct search_params data_search_params(const struct experiment *x, const char *name,
                                        const char *base, const char **called)
{
    struct search_params p = {{0}};
    const struct yaml_node *search = data_entry(x, "searches", name);
    data_search(x, data_entry(x, "searches", base), &p);
    data_search(x, search, &p);
    *called = data_text(x, search, "name");
    return p;
}

/* ---- the table's settings ---- */

const struct yaml_node *lab_find(const struct lab_table *t, const char *key)
{
    return data_find(t->x, t->entry, key);
}

const struct yaml_node *lab_first(const struct lab_table *t, const char *key)
{
    const struct yaml_node *list = lab_find(t, key);
    return list != NULL ? list->child : NULL;
}

const char *lab_text(const struct lab_table *t, const char *key)
{
    return data_text(t->x, t->entry, key);
}

int64_t lab_number(const struct lab_table *t, const char *key)
{
    return data_number(t->x, t->entry, key, 0);
}

/* ---- words ---- */

void lab_word(struct lab_table *t, const char *name, const char *format, ...)
{
    va_list args;
    int i = 0;
    while (i < t->word_count && strcmp(t->words[i].name, name) != 0)
        i++;
    assert(i < LAB_WORDS);
    t->word_count += i == t->word_count;
    t->words[i].name = name;
    va_start(args, format);
    vsnprintf(t->words[i].text, GRID_NOTE, format, args);
    va_end(args);
}

void lab_count_word(struct lab_table *t, const char *name, int64_t number)
{
    char text[COUNT_MAX];
    lab_word(t, name, "%s", format_count(number, text));
}

/* What a word stands for, or NULL. The settings of another entry than the table's come first. */
static const char *meaning(const struct lab_table *t, const struct yaml_node *entry,
                           const char *word)
{
    const char *text = data_text(t->x, entry, word);
    if (text != NULL && entry != t->entry)
        return text;
    for (int i = 0; i < t->word_count; i++)
        if (strcmp(t->words[i].name, word) == 0)
            return t->words[i].text;
    return text != NULL ? text : data_text(t->x, yaml_find(t->x->data, "texts"), word);
}

void lab_fill(const struct lab_table *t, const struct yaml_node *entry, const char *text,
              char *filled, size_t size)
{
    size_t length = 0;
    for (; *text != '\0' && length + 1 < size; text++) {
        const char *end = *text == '{' ? strchr(text, '}') : NULL;
        char word[GRID_TEXT];
        if (end != NULL)
            snprintf(word, sizeof word, "%.*s", (int)(end - text - 1), text + 1);
        const char *meant = end != NULL ? meaning(t, entry, word) : NULL;
        if (meant == NULL) {
            filled[length++] = *text;
            continue;
        }
        lab_fill(t, entry, meant, filled + length, size - length);
        length += strlen(filled + length);
        text = end;
    }
    filled[length] = '\0';
}

/* ---- the grid ---- */

void lab_column(struct lab_table *t, const char *head)
{
    assert(t->grid.columns < GRID_COLUMNS);
    snprintf(t->grid.heads[t->grid.columns++], GRID_TEXT, "%s", head);
}

void lab_begin(struct lab_table *t, const char *title, const char *corner, const char *columns)
{
    const char *above = lab_text(t, corner);
    t->grid = (struct grid){0};
    snprintf(t->grid.title, sizeof t->grid.title, "%s", title);
    snprintf(t->grid.corner, sizeof t->grid.corner, "%s", above != NULL ? above : "");
    for (const struct yaml_node *n = lab_first(t, columns); n != NULL; n = n->next)
        lab_column(t, n->text);
}

int lab_row(struct lab_table *t, const char *format, ...)
{
    va_list args;
    assert(t->grid.row_count < GRID_ROWS);
    va_start(args, format);
    vsnprintf(t->grid.rows[t->grid.row_count].label, GRID_TEXT, format, args);
    va_end(args);
    t->column = 0;
    return t->grid.row_count++;
}

void lab_cell(struct lab_table *t, const char *format, ...)
{
    va_list args;
    assert(t->grid.row_count > 0 && t->column < GRID_COLUMNS);
    va_start(args, format);
    vsnprintf(t->grid.rows[t->grid.row_count - 1].cells[t->column++], GRID_TEXT, format, args);
    va_end(args);
}

void lab_rows(struct lab_table *t, const char *key)
{
    for (const struct yaml_node *row = lab_first(t, key); row != NULL; row = row->next) {
        lab_row(t, "%s", "");
        struct grid_row *to = &t->grid.rows[t->grid.row_count - 1];
        lab_fill(t, t->entry, row->child->text, to->label, GRID_TEXT);
        for (const struct yaml_node *n = row->child->next; n != NULL; n = n->next)
            lab_fill(t, t->entry, n->text, to->cells[t->column++], GRID_TEXT);
    }
}

void lab_note(struct lab_table *t, const char *text)
{
    assert(t->grid.note_count < GRID_NOTES);
    lab_fill(t, t->entry, text, t->grid.notes[t->grid.note_count++], GRID_NOTE);
}

void lab_notes(struct lab_table *t, const char *key)
{
    const char *one = lab_text(t, key);
    if (one != NULL)
        lab_note(t, one);
    for (const struct yaml_node *n = lab_first(t, key); n != NULL; n = n->next)
        lab_note(t, n->text);
}

void lab_show(struct lab_table *t, const char *notes)
{
    if (notes != NULL)
        lab_notes(t, notes);
    t->x->observer->show(t->x->observer->context, &t->grid);
}
