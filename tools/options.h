/* The options of a subcommand, one row each. Reading a command line, `--help` and the completion of the
 * shells follow from the rows.
 *
 *     struct job { const char *output; int depth; };
 *     #define AT(member) OPTION_AT(struct job, member)
 *     static const struct option_row rows[] = {
 *         {"output", "FILE", AS_TEXT, AT(output), "output file (standard output)", .letter = 'o'},
 *         {"depth", "N", AS_NUMBER, AT(depth), "plies (1)", 1, 100},
 *         {0}};
 *
 * Defaults are what the structure has before it is read. A command has `--help`, `-h` without a row. */
#ifndef GRAYLING_OPTIONS_H
#define GRAYLING_OPTIONS_H

#include "error.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* How an option is read, and what its target is. */
enum option_kind {
    AS_FLAG,    /* a bool becomes true; without a value */
    AS_VALUE,   /* an int becomes `min`; without a value */
    AS_TEXT,    /* const char *: a word of the command line */
    AS_LIST,    /* struct word_list: the option may be repeated */
    AS_NUMBER,  /* a whole number of 4 or 8 bytes, `min` to `max` */
    AS_REAL,    /* a double, `min` to `max`; a `min` of 0 is excluded */
    AS_CHOICE,  /* an int or enum: the index of a word in `choices` */
    AS_THREADS, /* int: a number of threads; if it is 0 when all is read, that of jobs_threads() */
    AS_CALL     /* what `take` makes of it */
};

struct option_row {
    const char *name;     /* without its dashes; NULL: the end */
    const char *argument; /* the word for its value in the help, such as FILE; NULL: it has none */
    enum option_kind kind;
    size_t at, size;  /* of the target in the command's structure: OPTION_AT */
    const char *help; /* NULL: the row before it tells of both, on one line */
    int64_t min, max;
    char letter;                /* 'o': -o too */
    const char *const *choices; /* ended by NULL */
    /* Reads a value; on failure the reason goes after the option's name: "takes a day, not 'x'". */
    bool (*take)(void *target, const char *text, struct error *err);
    const struct option_row *next; /* of the end: rows that follow, which several commands have */
};

/* The place of a target, and of none. */
#define OPTION_AT(type, member) offsetof(type, member), sizeof(((type *)0)->member)
#define OPTION_NOWHERE          0, 0

/* Ends a table; `rows` follow, for a structure that begins as theirs. */
#define OPTION_ROWS(rows)                                                                          \
    {                                                                                              \
        .next = (rows)                                                                             \
    }

/* Rows that many commands have. */
#define OPTION_THREADS(target)                                                                     \
    {                                                                                              \
        "threads", "N", AS_THREADS, target, "in parallel (all cores, or OMP_NUM_THREADS)"          \
    }
#define OPTION_TRUST(words)                                                                        \
    {                                                                                              \
        "trust", NULL, AS_CALL, OPTION_NOWHERE, words, .take = option_trust                        \
    }

/* Values of an option that was repeated: words of the command line. */
enum { WORDS_MAX = 512 };
struct word_list {
    const char *items[WORDS_MAX];
    int count;
};

/* Adds a value. The word is borrowed. */
bool word_list_add(struct word_list *list, const char *word, struct error *err);

/* A subcommand as its user sees it. */
struct command {
    const char *name;
    const char *about;             /* the help above the options: usage, and what it does */
    const struct option_row *rows; /* NULL: none */
    const char *more;              /* the help below them: examples */
    struct {
        const char *kinds; /* for completion: "RUN.db PARAMS.yaml" */
        const char *name;  /* for reasons: "one run", "positions" */
        int least, most;   /* how many */
    } operands;            /* what stands beside options */
};

enum { OPTIONS_READ = -1, OPERANDS_ANY = INT_MAX };

/* Reads a command line into `target`, the command's structure. Leaves the operands in *argc and *argv. With --complete
 * as its first word prints what completes the last one.
 * Returns OPTIONS_READ, or the exit code if there is nothing left to do: the help was printed, or what is wrong. */
int options_read(const struct command *c, int *argc, char ***argv, void *target);

/* Reads a value of one option, as an answer to a question. On failure prints the reason and returns false. */
bool options_take(const struct command *c, const char *name, const char *text, void *target);

/* The first option, but for a number of threads, that differs between two structures; NULL: none. */
const char *options_changed(const struct option_row *rows, const void *target, const void *usual);

/* Prints those options that differ between two structures, as a command line has them: " --depth 3". */
void options_write(const struct option_row *rows, const void *target, const void *usual);

#endif
