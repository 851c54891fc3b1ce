/* A game of coevolution as a job: which two entrants play it, on which opening, and how it ended. */
#ifndef GRAYLING_COEVOLUTION_GAME_H
#define GRAYLING_COEVOLUTION_GAME_H

#include "coevolution.h"
#include "uci_client.h"

/* A game of a batch. */
struct batch_game {
    int32_t number; /* in its tournament */
    int32_t opening;
    int32_t entrants[2]; /* White and Black */
};

/* The result of a game. */
struct outcome {
    struct game_record record;
    enum engine_fault fault; /* of another engine, which lost by it */
};

/* The input of a batch of games, one block without pointers. */
struct game_batch;

/* Creates the block of a batch with these entrants and room for `games` games; *size is its size. The caller
 * frees it. NULL without memory. */
struct game_batch *game_batch_create(const struct coevolution *m, const struct entrant *entrants,
                                     int entrant_count, int games, size_t *size);
/* The games of a batch, which the caller fills in: job i plays the i-th. */
struct batch_game *game_batch_games(const struct coevolution *m, struct game_batch *batch);

/* Plays a game of a batch; its context is the struct coevolution, its result a struct outcome. */
extern const struct job_kind coevolution_game_job;

#endif
