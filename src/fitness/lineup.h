/* The players of a competition: what evolves, what all organisms share, and the fixed opponent.
 *
 *     what evolves                 shared                        how it plays
 *     our evaluation               a search                      in this process
 *     our search                   an evaluation                 in this process
 *     options of another engine    the constants of its space    in a process of its own, one a side;
 *                                                                with other values a new one, if a
 *                                                                process keeps what it computed
 *
 * The opponent is ours, with the shared half, or another engine: a file of kind `uci`. */
#ifndef GRAYLING_LINEUP_H
#define GRAYLING_LINEUP_H

#include "engine_setup.h"
#include "evaluation.h"
#include "game.h"
#include "recipe.h"
#include "search_params.h"
#include "space.h"

/* The parameters of a player of our engine. */
struct whole_player {
    struct evaluation evaluation;
    struct search_params search;
};

/* Owned by the caller between read and free. */
struct lineup {
    struct space space;
    struct whole_player common;   /* shared by all of ours; the half that evolves is unused */
    struct whole_player opponent; /* if it is ours */
    struct engine_setup engine;   /* whose options evolve; no command: ours */
    struct engine_setup rival;    /* the opponent; no command: ours */
    bool has_opponent;
    bool lives; /* a process of the engine that has played with other values plays as a new one */
    int hash;   /* MiB per engine */
};

/* Reads the recipe's space, its shared half and its opponent; starts other engines, to ask for their
 * options and how processes go on. On failure there is nothing to free. */
bool lineup_read(struct lineup *l, const struct recipe *recipe, struct error *err);

/* Lets each other engine play some moves at the run's limits, in as many processes at once as threads will
 * play. Fails, with what it used, if it clearly does not keep them: half of its moves take more than twice the
 * limit, and so much that games would be lost, or more nodes than it counts at once. Limits of a second, or a
 * million nodes, and above are not tried. */
bool lineup_keeps_limits(const struct lineup *l, const struct game_limits *limits, int threads,
                         struct error *err);
void lineup_free(struct lineup *l); /* accepts a zeroed one */

/* The parameters of our engine for an organism with these values; those of the opponent for NULL. */
struct whole_player lineup_whole(const struct lineup *l, const int32_t *values);

/* The players of one worker. */
struct seats;

/* Borrows the lineup. Processes are started when they are needed. NULL without memory. */
struct seats *seats_create(const struct lineup *l, struct error *err);
void seats_destroy(struct seats *s); /* accepts NULL */

/* Seats a player with these values, or the opponent for NULL, on one side; returns the player, which is the seat's.
 * Values that differ from those before go to a new process, unless the engine's live. NULL, with the reason, if an
 * engine refuses a value; one that does not start loses its game. */
struct player *seats_take(struct seats *s, enum color side, const int32_t *values,
                          struct error *err);

#endif
