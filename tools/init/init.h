/* grayling init: from the name of an engine to a folder with a space, a recipe for some hours, and what to do with
 * them.
 *
 *     cmd_init.c      the command line, the questions, what is told
 *     init_engine.c   how fast the engine is, and which limits it keeps
 *     init_space.c    the space: what is left out, the ranges, the perturbations
 *     init_files.c    the recipe and the README */
#ifndef GRAYLING_INIT_H
#define GRAYLING_INIT_H

#include "engine_options.h"
#include "engine_setup.h"
#include "player.h"
#include "scratch.h"
#include "space.h"

#include <signal.h>

enum init_by { BY_GAMES, BY_NODES, BY_MOVES, INIT_BYS };

/* "games", "nodes", "moves", ended by NULL; and the recipes: "games.yaml". */
extern const char *const init_by_names[INIT_BYS + 1], *const init_recipes[INIT_BYS];

struct init {
    /* what is asked for */
    const char *engine, *folder;
    enum init_by by;
    double hours;
    int threads;
    const volatile sig_atomic_t *stop;
    struct scratch scratch; /* where files are tried before the folder has them */

    /* the engine */
    const char *command;           /* as seen from the working directory */
    struct engine_options options; /* owned: of a file that names the engine */
    char name[ENGINE_NAME_MAX];    /* "id name" */
    int hash;                      /* MiB */
    double start;                  /* seconds until it is ready */
    double speed;                  /* nodes a second; 0: it tells none */
    struct game_limits limits;     /* of a move, by games */
    struct game_limits quick;      /* by which moves are compared */
    double quick_seconds;          /* of such a move */
    char kept[160];                /* which limits it keeps, in words */
    bool lives;                    /* a process goes on with other values (lineup.h) */

    /* the space */
    struct space space; /* owned */
    int options_all;    /* of the engine */
    double *influence;  /* owned: the share of moves that each parameter changes; NULL: not known */
    FILE *notes;        /* the comment of the space, while it is written */
    char *comment;      /* owned */
    size_t comment_size;

    /* the recipe */
    int population, generations;
    double generation; /* seconds; 0: not known */
};

/* -- the engine */

/* Measures the engine with the values of the space: speed, and the limits by which it plays and by which its moves
 * are compared. False, with the reason, if it cannot be started or plays by no limit. */
bool init_measure(struct init *x, struct error *err);

/* -- the space */

/* Asks the engine for its options, and leaves out what says how it is used. False, with the reason. */
bool init_read_space(struct init *x, struct error *err);

/* Leaves out what the limit cannot compare, narrows the ranges, and finds the perturbations and what changes no
 * move, if that takes at most so many seconds. False, with the reason, if nothing is left. */
bool init_thin_space(struct init *x, double seconds, struct error *err);

/* True if a parameter evolves. */
static inline bool init_evolves(const struct init *x, int i)
{
    return x->space.table.params[i].bits > 0;
}

/* -- the files */

/* Writes the path of a file of a folder, the scratch folder's for NULL. False, with the reason, if it is too long. */
bool init_path(const struct init *x, const char *folder, const char *file, char path[PATH_SIZE],
               struct error *err);

/* Writes space.yaml and the recipe there, and README.md if it is the folder that was asked for. */
bool init_write(struct init *x, const char *folder, struct error *err);

#endif
