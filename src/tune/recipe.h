/* A recipe: everything that decides a run, in one YAML file.
 *
 *     name: paper
 *     phase: evaluation
 *     seed: 1
 *     space: ../eval-space.yaml
 *     data:
 *       train: [../../data/train-1.epd]
 *       held_out: [../../data/held-out.epd]
 *     fitness: {measure: move_match, power: 2, leaf: quiescence}
 *     ga:
 *       population: 100
 *       generations: 200
 *       elitism: 1
 *       selection: {kind: proportional}
 *       crossover: {kind: uniform, rate: 0.75}
 *       mutation: {rate: 0.005}
 *
 * Paths are relative to the recipe. Keys that are absent have the paper's values; unknown keys,
 * wrong types and values out of range are errors that name file, line, column and key. */
#ifndef GRAYLING_RECIPE_H
#define GRAYLING_RECIPE_H

#include "evolution.h"
#include "quiesce.h"

enum { RECIPE_NAME = 64, RECIPE_PATH = 1024, RECIPE_FILES = 16 };

enum recipe_phase { PHASE_EVALUATION };
enum recipe_measure { MEASURE_MOVE_MATCH };

struct recipe {
    char name[RECIPE_NAME];
    enum recipe_phase phase;
    enum recipe_measure measure;
    uint64_t seed;
    char space[RECIPE_PATH]; /* empty: the table's own bits and ranges */
    char train[RECIPE_FILES][RECIPE_PATH];
    int train_count;
    char held_out[RECIPE_FILES][RECIPE_PATH];
    int held_out_count; /* may be 0 */
    int power;          /* fitness = matched ^ power, 1 to 4 */
    enum leaf leaf;
    int generations; /* steps after generation 0: >= 0 */
    struct evolution_settings ga;
};

/* Reads a recipe, each setting "key.path=value" put over the file before it is checked (`--set`;
 * their paths are relative to the working directory). Data files must be there. */
bool recipe_read(const char *path, const char *const *settings, int setting_count,
                 struct recipe *recipe, struct error *err);

/* The recipe with every value spelled out, as YAML text (malloc'ed, the caller frees; NULL without
 * memory): what the run store keeps. Paths stand as they are in `recipe`. */
char *recipe_text(const struct recipe *recipe);

/* Reads such a text back into the same recipe; does not look whether the files are there. */
bool recipe_from_text(const char *name, const char *text, struct recipe *recipe, struct error *err);

/* Every key with what it takes, its default and its meaning, a line each, for `--help` (malloc'ed,
 * the caller frees; NULL without memory). */
char *recipe_reference(void);

#endif
