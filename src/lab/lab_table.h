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
 * An entry may be `like` another of its mapping, from which it has what it does not say itself, or leaves out with ~. A
 * setting may depend on the size of the experiment: {quick: 10, usual: 100}; what a size lacks it has from the next
 * smaller one. In notes and settings {word} stands for a word of the table in progress, a setting of its entry, or one
 * of `texts`. Suites of test positions are files that are no part of the project: the data say where to find them, and
 * how many positions they must hold. */
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
    int column;               /* of the next cell */
    struct dataset positions; /* of lab_positions; owned */
    struct lab_runs *runs;    /* of lab_runs_evolve; owned */
    struct {
        const char *name;
        char text[GRID_NOTE];
    } words[LAB_WORDS];
    int word_count;
};

/* A setting of the table, or the first entry of one; NULL: none. Numbers are 0 then. */
const struct yaml_node *lab_find(const struct lab_table *t, const char *key);
const struct yaml_node *lab_first(const struct lab_table *t, const char *key);
const char *lab_text(const struct lab_table *t, const char *key);
int64_t lab_number(const struct lab_table *t, const char *key);

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

/* Sets the parameters that an entry of `searches`, or another mapping, has in place of those of `p`:
 * first of what it is `like`, where "plain" and "initial" are the engine's. */
void data_search(const struct experiment *x, const struct yaml_node *entry,
                 struct search_params *p);

/* The search of this name over a base of this name, and what it is called. */
struct search_params data_search_params(const struct experiment *x, const char *name,
                                        const char *base, const char **called);

/* ---- positions (test_suites.c) ---- */

/* The number of a suite's solvable positions. `data` is that of the experiment. */
size_t test_suite_size(const struct yaml_node *data, const char *suite);

/* Loads the solvable positions of a suite, from the data themselves or from the files in `directory`, into
 * `d`, which must be zeroed. Fails if a file is missing or has the wrong number of positions. The error
 * says what the file is, where to find it and how many positions it must hold. */
bool test_suite_load(const struct yaml_node *data, const char *suite, const char *directory,
                     struct dataset *d, struct error *err);

/* Leaves `count` positions, evenly spread over the suite and in its order (0: all); only those in which
 * each side has more than king and pawns, if `with_pieces`. */
void test_suite_choose(struct dataset *d, int count, bool with_pieces);

/* Orders the positions so that the first of them, however many, are spread evenly over the suite. */
bool test_suite_spread(struct dataset *d, struct error *err);

/* Loads the positions of the table's suite, and sets the word {positions}. Call it once at most. */
bool lab_positions(struct lab_table *t, struct error *err);

/* ---- writing ---- */

/* Empties the grid and gives it a title, and the corner and columns that the entry has under these keys. */
void lab_begin(struct lab_table *t, const char *title, const char *corner, const char *columns);
void lab_column(struct lab_table *t, const char *head);

/* Begins a row, and returns its number; then writes its cells one after another. */
int lab_row(struct lab_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lab_cell(struct lab_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the rows that the entry has under a key, if any: lists of a label and cells, filled in. */
void lab_rows(struct lab_table *t, const char *key);

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

/* Adds the notes under a key, unless it is NULL, and shows the grid. */
void lab_show(struct lab_table *t, const char *notes);

#endif
