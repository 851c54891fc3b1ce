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
 * Phase search has other keys under fitness, and its positions may be one file in halves:
 *
 *     phase: search
 *     data: {train: [tactics.epd], split: halves}
 *     fitness: {limit: 500000, definition: first, scale: linear, hash: 16, evaluation: eval.yaml}
 *
 * and so has phase coevolution, which trains on no positions:
 *
 *     phase: coevolution
 *     data: {openings: openings.epd, opponent: paper-eval.yaml}
 *     fitness: {limit: 2000, games: 4, opponent_games: 100, hash: 1, search: ""}
 *
 * Generations are made by the genetic algorithm, or by another optimiser (optimiser.h), of which
 * each has a few keys of its own; the keys of ga but population, generations, seeds and fill then
 * have no effect after generation 0:
 *
 *     optimiser: {kind: cma-es, sigma: 0.3}
 *
 * Generation 0 is random, but for the organisms of ga.seeds: parameter files, or runs, whose best
 * organisms they are.
 *
 * Paths are relative to the recipe. Keys that are absent have the paper's values for the phase;
 * unknown keys, those of another measure or optimiser, wrong types and values out of range are
 * errors that name file, line, column and key. */
#ifndef GRAYLING_RECIPE_H
#define GRAYLING_RECIPE_H

#include "optimiser.h"
#include "quiesce.h"

enum { RECIPE_NAME = 64, RECIPE_PATH = 1024, RECIPE_FILES = 16 };

enum recipe_phase { PHASE_EVALUATION, PHASE_SEARCH, PHASE_COEVOLUTION };
enum recipe_measure { MEASURE_MOVE_MATCH, MEASURE_NODES_TO_SOLUTION, MEASURE_GAMES };

/* True if the training positions are split: the 1st, 3rd, 5th ... train, the rest is held out. */
enum recipe_split { SPLIT_NONE, SPLIT_HALVES };
/* Which nodes are counted (solve.h), and how they add up (log_nodes.h). */
enum recipe_definition { DEFINITION_FIRST, DEFINITION_STABLE };
enum recipe_scale { SCALE_LINEAR, SCALE_LOG };

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
    int first;          /* positions of the train files that are used; 0: all */
    enum recipe_split split;
    /* move_match */
    int power; /* fitness = matched ^ power, 1 to 4 */
    enum leaf leaf;
    /* nodes_to_solution */
    int limit; /* nodes a position */
    enum recipe_definition definition;
    enum recipe_scale scale;
    int hash;                     /* MiB a thread */
    char evaluation[RECIPE_PATH]; /* a parameter file; empty: the initial values */
    /* games; limit (nodes a move) and hash (MiB an engine) as above */
    char openings[RECIPE_PATH]; /* a book (opening.h) */
    char opponent[RECIPE_PATH]; /* whom the best of each generation plays; empty: nobody */
    int opponent_games;         /* even */
    char search[RECIPE_PATH];   /* a parameter file; empty: plain alpha-beta */
    int games;                  /* of each two organisms: even */
    int unique;                 /* no opening twice in a generation */
    int win_score;              /* centipawns that end a game among organisms as won; 0: none do */
    int rematch;                /* more games of the leader against each other: even */
    int seed_games;             /* of every organism against each seed: even */
    int hall;                   /* past champions whom every organism plays, */
    int hall_games;             /* and how often: even */
    /* all */
    int generations;                       /* steps after generation 0: >= 0 */
    char seeds[RECIPE_FILES][RECIPE_PATH]; /* files and runs that generation 0 begins with */
    int seed_count;                        /* may be 0 */
    struct optimiser_settings optimiser;   /* the sections optimiser and ga */
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

/* Calls `visit` for each file that the recipe names: the last word of its key ("train",
 * "openings"), and its path, which may be changed. Ends with the first that says false. */
typedef bool recipe_visit(void *context, const char *role, char path[RECIPE_PATH],
                          struct error *err);
bool recipe_each_file(struct recipe *recipe, recipe_visit *visit, void *context, struct error *err);

/* A visit that rewrites each path as its context, a struct path_view (paths.h), has it. */
recipe_visit recipe_view_path;

/* Every key with what it takes, its default and its meaning, a line each, for `--help` (malloc'ed,
 * the caller frees; NULL without memory). */
char *recipe_reference(void);

#endif
