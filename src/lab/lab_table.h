/* A table in progress: what the data says of it, and the grid of texts that it comes to.
 *
 * The data are the files in tables/, compiled in as one YAML document with these mappings:
 *
 *   tables     what is measured (`kind`, an experiment by name, with its settings), what was published,
 *              and what the paper claims
 *   searches   parameters of our engine: a null-move method, or the base that it is applied to
 *   suites     files of test positions
 *   runs       recipes with settings
 *   texts      sentences that several tables share
 *
 * An entry may be `like` another of its mapping, from which it has what it does not say itself, or leaves
 * out with ~. A setting
 * may depend on the size of the experiment: {quick: 10, usual: 100}; what a size lacks it has from the
 * next smaller one. In notes and settings {word} stands for a word of the table in progress, a setting of
 * its entry, or one of `texts`. */
#ifndef GRAYLING_LAB_TABLE_H
#define GRAYLING_LAB_TABLE_H

#include "experiment.h"
#include "yaml_document.h"

enum { GRID_COLUMNS = 12, GRID_ROWS = 64, GRID_NOTES = 48, GRID_TEXT = 64, GRID_NOTE = 512 };

struct grid_row {
    char label[GRID_TEXT];
    char cells[GRID_COLUMNS][GRID_TEXT]; /* may be empty */
};

/* A table of texts with a heading, and notes. Independent of the output format, a plain value without
 * pointers. Texts that are too long are truncated. */
struct grid {
    char title[GRID_NOTE];
    char corner[GRID_TEXT]; /* above the labels */
    char heads[GRID_COLUMNS][GRID_TEXT];
    int columns;
    struct grid_row rows[GRID_ROWS];
    int row_count;
    char notes[GRID_NOTES][GRID_NOTE]; /* a sentence or two each */
    int note_count;
};

enum { LAB_WORDS = 32 };

struct lab_table {
    struct experiment *x;
    const char *title;
    const struct yaml_node *entry; /* in `tables` */
    struct grid grid;
    int column; /* of the next cell */
    struct {
        const char *name;
        char text[GRID_NOTE];
    } words[LAB_WORDS];
    int word_count;
};

/* ---- the data ---- */

/* The entry `name` of a mapping of the data, which must be there. */
const struct yaml_node *data_entry(const struct experiment *x, const char *mapping,
                                   const char *name);

/* A setting of an entry at the experiment's size; NULL: none. */
const struct yaml_node *data_find(const struct experiment *x, const struct yaml_node *entry,
                                  const char *key);
const char *data_text(const struct experiment *x, const struct yaml_node *entry, const char *key);
int64_t data_number(const struct experiment *x, const struct yaml_node *entry, const char *key,
                    int64_t otherwise);

/* The number or text at an index of a list setting; 0 or "" beyond its end. */
double data_at(const struct yaml_node *list, int index);
const char *data_text_at(const struct yaml_node *list, int index);
int data_count(const struct yaml_node *list);

/* The first setting of an entry whose key is one of `names`, which NULL ends: its index, or -1. */
int data_choice(const struct yaml_node *entry, const char *const *names);

/* Sets the parameters that an entry of `searches`, or another mapping, has in place of those of `p`:
 * first of what it is `like`, where "plain" and "initial" are the engine's. */
void data_search(const struct experiment *x, const struct yaml_node *entry,
                 struct search_params *p);

/* The search of this name over a base of this name (NULL: over nothing). */
struct search_params data_search_params(const struct experiment *x, const char *name,
                                        const char *base);

/* ---- writing ---- */

/* Empties the grid and gives it title, corner and columns of the entry. `title` may be NULL. */
void lab_begin(struct lab_table *t, const char *title);
void lab_column(struct lab_table *t, const char *head);

/* Begins a row, and returns its number; then writes its cells one after another. */
int lab_row(struct lab_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lab_cell(struct lab_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets a word for {name}; `name` is borrowed. */
void lab_word(struct lab_table *t, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lab_count_word(struct lab_table *t, const char *name, int64_t number); /* "12,345" */

/* Fills in a text of an entry. */
void lab_fill(const struct lab_table *t, const struct yaml_node *entry, const char *text,
              char *filled, size_t size);

/* Adds a text, filled in, as a note; or those that the entry has under a key, one or a list, if any. */
void lab_note(struct lab_table *t, const char *text);
void lab_notes(struct lab_table *t, const char *key);

/* Shows the grid. */
void lab_show(const struct lab_table *t);

#endif
