/* What beal-1990 says of null-move quiescence, counted on positions: how its tree branches (section
 * 5) and how often its assumption about passing fails (section 9). */
#ifndef GRAYLING_NULL_MOVE_SURVEY_H
#define GRAYLING_NULL_MOVE_SURVEY_H

#include "beal.h"
#include "epd.h"

#include <signal.h>

/* What is searched and how. Everything is borrowed. */
struct null_move_survey {
    const struct epd *positions;
    size_t count;
    struct beal_settings settings;
    int hash_mib; /* of each searcher, of which each thread has one */
    int threads;
    const volatile sig_atomic_t *stop; /* not 0: give up; may be NULL */
};

/* The branching of the searches of all positions to a limit of nodes, added up: selected / interior
 * is the branching factor. Where `stop` ends it, the sum is of the first positions. False: no
 * memory. */
bool null_move_branching(const struct null_move_survey *s, uint64_t nodes,
                         struct beal_branching *sum, struct error *err);

/* How passing compares with the best move, by the values that are searched. */
struct assumption_count {
    int64_t left_out; /* positions in check, or without a move */
    int64_t less;     /* passing is worth less */
    int64_t equal;    /* as much */
    int64_t more;     /* more: the assumption fails */
};

/* Compares in every position, the moves searched to `depth` plies in all (>= 1). */
bool null_move_assumption(const struct null_move_survey *s, int depth,
                          struct assumption_count *count, struct error *err);

#endif
