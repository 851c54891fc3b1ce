/* The recipe of a night: a sequence of stages, from random parameters to a complete engine and a closing match.
 *
 *     name: night
 *     phase: night
 *     seed: 1
 *     hours: 8
 *     stages:
 *       evolve:   {recipe: paper.yaml, runs: 10, share: 1}
 *       coevolve: {recipe: coevolution.yaml, seeds: evolve, share: 30}
 *       search:   {recipe: search.yaml, evaluation: coevolve, share: 55}
 *       match:
 *         share: 14
 *         games: 1000
 *         limit: 5000
 *         openings: ../../data/openings.epd
 *         players:
 *           evolved: {evaluation: coevolve, search: search}
 *           paper:   {evaluation: ../paper-eval.yaml, search: ../paper-search.yaml}
 *           chance:  {evaluation: random, search: random}
 *
 * A stage is a run, several runs with different seeds, or a match in which all players meet. The recipe of a stage
 * gives its phase and settings; `set` overrides them. Its seed does not count: run n of a stage, from 0, has the
 * night's seed plus n. Paths in `set` are relative to the night's recipe; a name without folder and ending may be
 * that of a file of the program (recipe.h). A stage refers to earlier stages by name and takes their best organism.
 * Of several runs it takes the one with the best held-out objective value. `seeds` takes the best organism of every
 * run, of a stage whose ranges lie within those of this one, for a recipe without seeds of its own; `evaluation` is
 * what a search evolves with, `search` what evaluations play with, in place of the file that the recipe may name for
 * a run alone. `results` takes the games of an earlier stage, a match or a run that evolves by games, or of a list
 * of such, [play-1, play-2], and draws the training positions from them (night_games.h). The hours of the night are divided in proportion to `share`.
 *
 * `runs` and `set` before the stages apply to all stages. A stage can override both. A few lines
 * therefore suffice to compare optimisers (comparison.h):
 *
 *     runs: 10
 *     set: {ga: {population: 10, generations: 49}}
 *     stages:
 *       genetic: {recipe: search-quick.yaml}
 *       cma-es:  {recipe: search-quick.yaml, set: {optimiser: {kind: cma-es}}} */
#ifndef GRAYLING_NIGHT_RECIPE_H
#define GRAYLING_NIGHT_RECIPE_H

#include "recipe.h"
#include "store.h"

#include <stdio.h>

enum { NIGHT_STAGES = 16, NIGHT_PLAYERS = 8, NIGHT_RUNS = 64, NIGHT_RESULTS = 8, NIGHT_KIND = 32 };

/* A night of this many hours or more has no time limit: every stage runs to its end. */
#define NIGHT_UNLIMITED_HOURS 1000.0

/* The evaluation or search of a player is an earlier stage, a file, or one of these words. */
#define NIGHT_RANDOM "random" /* a random organism */
#define NIGHT_PLAIN  "plain"  /* search only: all selective methods off */

struct night_player {
    char name[RECIPE_NAME];
    char evaluation[RECIPE_PATH], search[RECIPE_PATH];
};

struct night_stage {
    char name[STORE_STAGE];
    double share; /* of the remaining time, relative to the shares of the remaining stages */
    bool is_match;
    bool keeps; /* its games, as PGN */
    /* if it is a run: */
    struct recipe *recipe;    /* owned */
    char source[RECIPE_PATH]; /* the file of that recipe; empty in a stored night */
    int runs;
    bool evolves_evaluation;                           /* false: it evolves a search */
    char kind[NIGHT_KIND];                             /* of its space; empty in a stored night */
    char seeds[STORE_STAGE];                           /* an earlier stage, or empty */
    char evaluation[STORE_STAGE], search[STORE_STAGE]; /* the half that does not evolve, likewise */
    char results[NIGHT_RESULTS][STORE_STAGE]; /* earlier stages, to learn from their games */
    int result_count;
    /* if it is a match: */
    struct night_player players[NIGHT_PLAYERS];
    int player_count;
    int games;     /* per pair of players: even */
    int limit;     /* nodes per move */
    int hash;      /* MiB per engine */
    int win_score; /* adjudicates a win when both players see so many centipawns; 0: never */
    char openings[RECIPE_PATH];
};

/* Owned by the caller between read and free. */
struct night_recipe {
    char name[RECIPE_NAME];
    uint64_t seed;
    double hours;
    struct night_stage *stages; /* owned */
    int stage_count;
};

/* Finds out whether a recipe, a file or a text that reasons call `path`, is that of a night. */
bool night_recipe_recognise(const char *path, const char *text, bool *is_night, struct error *err);

/* Reads the recipe of a night and those of its stages, after applying settings "key.path=value", as
 * stages.search.set.fitness.limit=5000. Checks everything, files and references too. */
bool night_recipe_read(const char *path, const char *const *settings, int setting_count,
                       struct night_recipe *night, struct error *err);
void night_recipe_free(struct night_recipe *night); /* accepts a zeroed one */

/* Returns all values, of the stages' recipes too, for night_recipe_from_text. The caller frees it. NULL: no memory. */
char *night_recipe_text(const struct night_recipe *night);
bool night_recipe_from_text(const char *name, const char *text, struct night_recipe *night,
                            struct error *err);

/* Writes the key `recipe` with a recipe's text as a block. */
void night_recipe_write_block(FILE *out, int indent, const char *text);

/* Calls `visit` for each file that the night and its stages' recipes name. */
bool night_recipe_each_file(struct night_recipe *night, recipe_visit *visit, void *context,
                            struct error *err);

/* The same for the files that a match names: its openings and those of its players. */
bool night_match_each_file(const struct night_recipe *night, struct night_stage *match,
                           recipe_visit *visit, void *context, struct error *err);

enum {
    NIGHT_FEWEST_GAMES = 8, /* of a match that a stage learns from */
    NIGHT_BOOK_PLIES = 16,  /* that a match takes from each game of a book */
};

/* The different games that two players have from a book: by nodes they repeat. */
bool night_book_games(const char *path, size_t *games, struct error *err);

/* Returns the stage with this name, or NULL. */
const struct night_stage *night_stage_find(const struct night_recipe *night, const char *name);

/* The number of runs of a stage; a match has one. */
int night_stage_runs(const struct night_stage *s);

/* Writes the name of a run, which no other has: that of the stage, with a number if it has several runs. */
void night_run_name(const struct night_stage *s, int index, char name[STORE_STAGE]);

/* True if a stage learns from the games of another. */
bool night_stage_learns(const struct night_stage *stage, const struct night_stage *match);

#endif
