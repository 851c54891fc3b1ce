/* A recipe: a YAML file that determines a run completely.
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
 * Other phases and measures have other keys; `grayling help keys` lists all:
 *
 *     phase: search
 *     data: {train: [tactics.epd], split: halves}
 *     fitness: {limit: 500000, definition: first, scale: linear, hash: 16, evaluation: eval.yaml}
 *
 *     phase: games               (coevolution is its former name, the paper's)
 *     data: {openings: openings.epd, opponent: paper-eval.yaml}
 *     fitness: {limit: 2000, games: 4, opponent_games: 100, hash: 1, search: ""}
 *
 *     fitness: {measure: results, k: 200, leaf: quiescence}      labels in the training positions:
 *     fitness: {measure: mentor, clip: 1000, leaf: quiescence}   results of games, a mentor's scores
 *
 * Other optimisers than the genetic algorithm (optimiser.h) have a few keys of their own; with them the keys of `ga`
 * other than population, generations, seeds, start and fill have no effect after generation 0.
 *
 * `space` may also be the kind of one of our parameter tables, for all its parameters with their own bits and ranges.
 * `ga.seeds` lists organisms of generation 0: parameter files, and runs, of which the best organism is taken.
 * `fitness.pairs` is `yes` in a file that does not say otherwise, and `no` in the text of a stored run without it: such
 * a run began with a program that had no pairs, and goes on as it began.
 *
 * Paths are relative to the recipe. A name without folder and ending is that of a file which comes with the program
 * (data_files.h), unless the recipe's folder has a file of this name. Absent keys have the paper's values for the phase.
 * Unknown keys, keys of another measure or optimiser, keys without effect (a tournament's size where parents are
 * selected by rank), wrong types and values out of range are errors, which name file, line, column and key. */
#ifndef GRAYLING_RECIPE_H
#define GRAYLING_RECIPE_H

#include "optimiser.h"
#include "quiesce.h"

enum { RECIPE_NAME = 64, RECIPE_PATH = 1024, RECIPE_FILES = 16, RECIPE_CLOCK = 32 };

enum recipe_phase { PHASE_EVALUATION, PHASE_SEARCH, PHASE_GAMES };
enum recipe_measure {
    MEASURE_MOVE_MATCH,
    MEASURE_NODES_TO_SOLUTION,
    MEASURE_GAMES,
    MEASURE_MENTOR,
    MEASURE_RESULTS,
    RECIPE_MEASURES
};

/* SPLIT_HALVES trains on the 1st, 3rd, 5th ... position and holds out the others. */
enum recipe_split { SPLIT_NONE, SPLIT_HALVES };
/* When a position counts as solved (solve.h), and how the nodes are summed (wide.h). */
enum recipe_definition { DEFINITION_FIRST, DEFINITION_STABLE };
enum recipe_scale { SCALE_LINEAR, SCALE_LOG };
/* What a search costs: nodes, or milliseconds. */
enum recipe_cost { COST_NODES, COST_TIME };

struct yaml_node; /* yaml_document.h */

struct recipe {
    char name[RECIPE_NAME];
    enum recipe_phase phase;
    enum recipe_measure measure;
    uint64_t seed;
    char space[RECIPE_PATH]; /* a file, or the kind of a table; empty: the phase's table */
    char train[RECIPE_FILES][RECIPE_PATH];
    int train_count;
    char held_out[RECIPE_FILES][RECIPE_PATH];
    int held_out_count; /* may be 0 */
    int first; /* how many positions of the train files to use, before they are split; 0: all */
    enum recipe_split split;
    /* move_match */
    int power; /* fitness = matched ^ power, 1 to 4 */
    int batch; /* positions that a generation is measured on; 0: all */
    enum leaf leaf;
    /* mentor; also `leaf` */
    int clip; /* centipawns */
    /* results; also `leaf` and `batch` */
    int k;      /* of the logistic function: centipawns */
    int scores; /* percent of the score in what is predicted */
    /* nodes_to_solution */
    int limit; /* nodes per position, or milliseconds */
    enum recipe_cost cost;
    enum recipe_definition definition;
    enum recipe_scale scale;
    int hash;                     /* MiB per thread */
    char evaluation[RECIPE_PATH]; /* a parameter file; empty: the initial values */
    /* games; also `limit` (nodes per move) and `hash` (MiB per engine) */
    char openings[RECIPE_PATH]; /* an opening book (opening.h) */
    char opponent[RECIPE_PATH]; /* plays the best of each generation; empty: none */
    int opponent_games;         /* even */
    char search[RECIPE_PATH];   /* a parameter file; empty: plain alpha-beta */
    int movetime;               /* milliseconds per move instead of nodes; 0: nodes */
    int depth;                  /* plies per move instead of nodes; 0: nodes */
    char tc[RECIPE_CLOCK];      /* a clock instead of both (parse_clock); empty: none */
    int games;                  /* per pair of organisms: even */
    int pairs;                  /* 1: two games from each opening, in one order for the run */
    int neighbours;             /* organisms that each plays: even; 0: all others */
    int mates;                  /* 1: organisms play only their mates, 0 and 1, 2 and 3, ... */
    int start_games;            /* with mates: of the last organism against the start: even */
    int unique;                 /* 1: no opening is used twice in a generation */
    int keep;                   /* 1: the run keeps its games as PGN */
    int win_score;              /* a score in centipawns that wins a game of organisms; 0: none */
    int win_moves;              /* when both sides report it for so many moves */
    int draw_score;             /* a score in centipawns within which they draw; 0: none */
    int draw_moves, draw_from; /* when both sides report it for so many moves, from which move on */
    int rematch;               /* extra games of the leader against each other organism: even */
    int seed_games;            /* of each organism against each seed: even */
    int hall;                  /* number of past champions that each organism plays */
    int hall_games;            /* of each organism against each of them: even */
    /* all */
    int generations;                       /* steps after generation 0: >= 0 */
    char seeds[RECIPE_FILES][RECIPE_PATH]; /* files and runs: the first of generation 0 */
    int seed_count;                        /* may be 0 */
    int fit; /* results: steps by which one more seed is fitted; 0: none */
    struct optimiser_settings optimiser; /* the sections optimiser and ga */
};

/* All parameter tables, of the evaluation and of the search. NULL-terminated. */
extern const struct param_table *const recipe_tables[];

/* True if this is the kind of one of them. Where a space is expected, it stands for the whole table. */
bool recipe_is_kind(const char *name);

/* Returns how many other organisms each organism plays. */
static inline int recipe_opponents(const struct recipe *r)
{
    if (r->mates)
        return 1;
    return r->neighbours > 0 ? r->neighbours : r->optimiser.population - 1;
}

/* True if time limits what is measured, so that the run does not repeat. */
static inline bool recipe_is_timed(const struct recipe *r)
{
    return r->movetime > 0 || r->tc[0] != '\0' || r->cost == COST_TIME;
}

/* Reads a recipe, and applies each setting "key.path=value" (`--set`) before checking it. Paths in
 * settings are relative to the working directory. Data files must exist. */
bool recipe_read(const char *path, const char *const *settings, int setting_count,
                 struct recipe *recipe, struct error *err);

/* What a recipe has from elsewhere once it is read. */
enum {
    RECIPE_TRAIN_LATER = 1, /* its training positions: data.train may be absent */
    RECIPE_SEEDS_LATER = 2, /* its seeds: keys about seeds have an effect without ga.seeds */
};

/* Same, for the recipe of a stage, which has so much from earlier stages: bits from above. The settings are two
 * mappings or NULL, `set` for all stages and of this one, with paths relative to a folder. */
bool recipe_read_of_stage(const char *path, const struct yaml_node *const sets[2],
                          const char *set_directory, unsigned later, struct recipe *recipe,
                          struct error *err);

/* The recipe with all values as YAML text, which the caller frees. NULL without memory. */
char *recipe_text(const struct recipe *recipe);

/* Reads such a text back into the same recipe. Does not check whether the files exist. */
bool recipe_from_text(const char *name, const char *text, struct recipe *recipe, struct error *err);

/* Calls `visit` for each file that the recipe names. `role` is the last word of its key ("train",
 * "openings"). `visit` may change the path. The first call that returns false ends the visit. */
typedef bool recipe_visit(void *context, const char *role, char path[RECIPE_PATH],
                          struct error *err);
bool recipe_each_file(struct recipe *recipe, recipe_visit *visit, void *context, struct error *err);

/* A visitor that converts each path. Its context is a struct path_view (paths.h). */
recipe_visit recipe_view_path;

/* For `--help`: meaning, values and default of each key. The caller frees it. NULL: no memory. */
char *recipe_reference(void);

#endif
