/* What the files of coevolution share: the objective with its players, limits and openings, and a list of games.
 * The method and its source stand in coevolution.c. */
#ifndef GRAYLING_COEVOLUTION_H
#define GRAYLING_COEVOLUTION_H

#include "fitness.h"
#include "jobs.h"
#include "lineup.h"
#include "opening.h"

struct coevolution {
    struct fitness base;  /* first member, so that a struct fitness * points to it */
    struct recipe recipe; /* with mates games go in pairs, without there are none with the start */
    struct lineup lineup;
    struct game_limits limits;
    struct game_adjudication adjudication; /* for games between organisms */
    int64_t most_games;                    /* of a generation */
    int opponent_games;                    /* 0: no opponent */
    struct book book;
    uint32_t *openings; /* in a random order: */
    size_t reserved;    /* first those for games with the opponent, */
    size_t taught;      /* then those for the organisms, */
    size_t started;     /* then those for games with the start */
    uint32_t *shuffled; /* without pairs: those for the organisms in this generation */
    uint32_t *circle;   /* the organisms, in the order of this generation */
    struct jobs *jobs;  /* plays games */
    struct {
        int64_t games;
        struct engine_faults faults;
    } so_far; /* played by this process */
};

static inline size_t coevolution_genes(const struct coevolution *m, int organisms)
{
    return (size_t)organisms * (size_t)m->lineup.space.table.count;
}

/* A participant. */
struct entrant {
    struct player_ref ref;
    const int32_t *values; /* NULL for the opponent */
};

/* A scheduled game, and its result once it is played. */
struct scheduled_game {
    struct game_record row;
    int entrants[2]; /* White and Black */
    bool known;
};

/* Openings in their order, over and over, each for so many games. */
struct opening_stream {
    const uint32_t *order;
    size_t count;
    int64_t games; /* that have taken theirs */
    int games_each;
};

struct tournament {
    struct coevolution *m;
    const struct recipe *r; /* of m */
    const struct competition *c;
    struct entrant *entrants; /* owned */
    int entrant_count;
    struct opening_stream openings; /* of the games that are scheduled next */
    struct scheduled_game *games;   /* owned */
    int count, room;
    bool stopped; /* the observer asked to stop */
    bool refused; /* a known game is not the scheduled one; the fitness has the reason */
};

/* ---- play.c ---- */

/* Plays a game of a batch; its context is the struct coevolution. */
extern const struct job_kind coevolution_game_job;

/* Plays the scheduled games from number `first` on that are not known. False if it was stopped, or failed
 * (the fitness has the reason). */
bool tournament_play(struct tournament *t, int first);

/* ---- generation.c ---- */

/* Plays a generation; values[i] becomes the objective value of organism i. False if it was stopped, or failed
 * (the fitness has the reason). */
bool generation_compete(struct fitness *f, const struct competition *c, int64_t *values);

/* The half points of all games that an organism can have: what values are scaled to. */
int64_t generation_points(const struct coevolution *m);

/* Plays an organism's games with the opponent; returns its half points, -1 without opponent or result. */
int64_t opponent_points(struct fitness *f, const int32_t *organism,
                        const struct fitness_watcher *watcher);

#endif
