/* What the files of coevolution share: the objective with its players, limits and openings. The method and
 * its source stand in coevolution.c. */
#ifndef GRAYLING_COEVOLUTION_H
#define GRAYLING_COEVOLUTION_H

#include "competition.h"
#include "jobs.h"
#include "lineup.h"
#include "opening.h"

enum { BROKEN_PATH = 1100, GENERATION_GAMES = 100000000 };

struct coevolution {
    struct fitness base; /* first member, so that a struct fitness * points to it */
    struct lineup lineup;
    struct game_limits limits;
    struct game_adjudication adjudication; /* for games between organisms */
    uint64_t seed;
    bool pairs;      /* two games share an opening, and openings go on in the next generation */
    int neighbours;  /* of an organism, in the circle; 0: it plays all others */
    int opponents;   /* of an organism in the round, either way */
    bool mates;      /* its only opponent is the other one of its pair */
    int start_games; /* of the last organism against the start, if organisms play their mates */
    int population, games, rematch, seeds, seed_games, hall, hall_games;
    int64_t most_games; /* of a generation: at most GENERATION_GAMES */
    int opponent_games; /* 0: no opponent */
    struct book book;
    uint32_t *openings;            /* in a random order: */
    size_t reserved;               /* first those for games with the opponent, */
    size_t taught;                 /* then those for the organisms, */
    size_t started;                /* then those for games with the start */
    uint32_t *shuffled;            /* without pairs: those for the organisms in this generation */
    uint32_t *circle;              /* the organisms, in the order of this generation */
    struct jobs *jobs;             /* plays games */
    char broken_path[BROKEN_PATH]; /* the crash report of a broken game (engine_fault.h) */
    struct {
        int64_t games;
        struct engine_faults faults;
    } so_far; /* played by this process (tournament.c) */
};

/* A participant of a tournament. */
struct entrant {
    struct player_ref ref;
    const int32_t *values; /* NULL for the opponent */
};

/* The number of genes of an organism. */
static inline size_t coevolution_genes(const struct coevolution *m)
{
    return (size_t)m->lineup.space.table.count;
}

#endif
