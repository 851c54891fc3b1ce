/* Tests two statements of beal-1990 about null-move quiescence on positions: the branching of its
 * tree (section 5), and how often the null-move assumption fails (section 9). */
#ifndef GRAYLING_NULL_MOVE_SURVEY_H
#define GRAYLING_NULL_MOVE_SURVEY_H

#include "beal.h"
#include "epd.h"
#include "jobs.h"

#include <signal.h>

/* The positions and the search. Everything is borrowed. */
struct null_move_survey {
    const struct epd *positions;
    size_t count;
    struct beal_settings settings;
    int hash_mib; /* of each searcher; each thread has one */
    int threads;
    const volatile sig_atomic_t *stop; /* not 0: give up; may be NULL */
};

/* Sums the branching over the searches of all positions, `nodes` nodes each: selected / interior is
 * the branching factor. If `stop` is set, the sum covers a prefix of the positions. Returns false
 * when out of memory. */
bool null_move_branching(const struct null_move_survey *s, uint64_t nodes,
                         struct beal_branching *sum, struct error *err);

/* How the value of passing compares with that of the best move, both by search. */
struct assumption_count {
    int64_t left_out; /* positions in check, or without a move */
    int64_t less;     /* passing is worth less than the best move */
    int64_t equal;    /* passing is worth the same */
    int64_t more;     /* passing is worth more: the assumption fails */
};

/* Compares in every position. Moves are searched to `depth` plies in all (>= 1). */
bool null_move_assumption(const struct null_move_survey *s, int depth,
                          struct assumption_count *count, struct error *err);

/* The searches, which other ranks can do (ranks.h). */
extern const struct job_kind branching_job, assumption_job;

#endif
