/* An experiment in work: what the reproductions of the papers' tables search and play with, and
 * where what they find goes.
 *
 * Everything that takes its time is a piece of work with a key in the ledger, so that an experiment
 * that was interrupted goes on where it was, and two tables that rest on the same searches share
 * them. Only limits of time make what comes out depend on the machine. */
#ifndef GRAYLING_EXPERIMENT_H
#define GRAYLING_EXPERIMENT_H

#include "grid.h"
#include "ledger.h"
#include "match.h"
#include "run_summary.h"
#include "searcher.h"
#include "test_suites.h"

/* How much is measured: all within three minutes; what fits an hour or two; what a night is for. */
enum experiment_size { SIZE_QUICK, SIZE_USUAL, SIZE_OVERNIGHT, EXPERIMENT_SIZES };

/* Who is told. No function may be NULL. */
struct experiment_observer {
    void *context;
    /* Of the step in work, `done` of `total` pieces are known. One call at a time. */
    void (*progress)(void *context, const char *step, int64_t done, int64_t total);
    /* A table is complete. */
    void (*show)(void *context, const struct grid *grid);
};

struct experiment {
    enum experiment_size size;
    const char *suites;                 /* the directory of test_suites.h */
    const char *recipes;                /* the directory of the project's recipes */
    const char *runs;                   /* the directory in which runs are kept */
    const struct eval_weights *weights; /* of all engines, unless a table says otherwise */
    const struct search_params *params; /* of ours where it is compared with others */
    const struct book *book;            /* for games; not empty */
    const char *book_name;
    struct ledger *ledger;
    int threads;
    const volatile sig_atomic_t *stop; /* not 0: give up; never NULL */
    const struct experiment_observer *observer;
};

/* The first line of a ledger for this program: its version, and how it searches. */
bool experiment_head(char *text, size_t size, struct error *err);

/* Whether it has been asked to stop: then functions return false without a reason. */
bool experiment_stopped(const struct experiment *x);

/* Searches each position with each of the methods from a clean engine, into cells[position *
 * method_count + method]. Positions are searched side by side, each by one thread. */
struct experiment_search {
    const char *step;                   /* for people: what is being searched */
    enum search_method method;          /* SEARCH_ENGINE unless it says otherwise */
    const struct eval_weights *weights; /* NULL: the experiment's */
    const struct epd *positions;
    size_t position_count;
    const struct search_params *methods;
    int method_count;
    struct solve_limits limits; /* one of nodes, depth, movetime */
};

bool experiment_solve(struct experiment *x, const struct experiment_search *s, struct solved *cells,
                      struct error *err);

/* How many of the positions a search of one method solves, the final move being what counts. */
bool experiment_count_solved(struct experiment *x, const struct experiment_search *s, int *solved,
                             struct error *err);

/* Plays `games` games (even) between two engines. */
struct experiment_match {
    const char *step;
    const char *names[2];
    const struct eval_weights *weights[2]; /* NULL: the experiment's */
    struct search_params players[2];
    struct game_limits limits;
    int64_t games;
};

bool experiment_play(struct experiment *x, const struct experiment_match *m,
                     struct match_counts *counts, struct error *err);

/* True if the run of this name is there; `path` is where it is, or else is to be: NAME.db, or
 * compressed NAME.db.zst. */
bool experiment_find_run(const struct experiment *x, const char *name, char path[RECIPE_PATH]);

/* Evolves by one of the project's recipes with settings put over it (recipe.h), in a run of its own
 * (`name`.db in x->runs), which is gone on with where it is there. `summary` is of the whole run,
 * for the caller to free. */
struct experiment_run {
    const char *step, *name, *recipe;
    const char *const *settings;
    int setting_count;
};

bool experiment_evolve(struct experiment *x, const struct experiment_run *r,
                       struct run_summary *summary, struct error *err);

#endif
