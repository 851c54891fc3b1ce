/* A summary of a stored run, which may still be in progress. */
#ifndef GRAYLING_RUN_SUMMARY_H
#define GRAYLING_RUN_SUMMARY_H

#include "games_plan.h"
#include "objective_value.h"
#include "recipe.h"
#include "store.h"

/* The objective values of what a run is compared with, as it keeps them: the properties `default_measure`,
 * `default_held_out`, `default_compared` and `default_error`. NOT_MEASURED: unknown, or nothing is held out. */
struct defaults_kept {
    int64_t measure, held_out;
    int64_t compared; /* the generation whose best was compared with them on held-out data */
    int64_t error; /* the standard error of that difference, paired by position, in thousandths */
};

struct defaults_kept defaults_kept_get(struct store *s);

/* Puts what is measured, within a transaction. */
bool defaults_kept_put(struct store *s, const struct defaults_kept *d, struct error *err);

struct run_summary {
    struct recipe recipe;
    int generation; /* the last complete one; -1: none */
    bool complete;
    bool running;                        /* a process is writing it now */
    struct generation_row *rows;         /* owned: generation + 1 of them */
    const struct objective_value *value; /* describes its objective values; a constant */
    int64_t train_size, held_out_size;
    int64_t genomes; /* measured so far */
    /* The best organism: of all generations, or of the last if fitness ranks one generation only. */
    int best_generation, best_index;
    int32_t *best;                 /* owned: its decoded values; NULL before the first generation */
    struct param_table space;      /* owned: the genes */
    struct defaults_kept defaults; /* what the run is compared with */
    struct run_gain gain;          /* over its start, of a run by games */
    struct pair_counts *start;     /* owned: of each generation against the start; NULL: no gain */
    char *faults;                  /* owned: those of another engine, "2 crashes"; NULL: none */
    char *hosts; /* owned: the machines that work on it (hosts_kept.h); NULL: this one alone */
};

bool run_summary_read(const char *store_path, struct run_summary *summary, struct error *err);
void run_summary_free(struct run_summary *summary); /* accepts a zeroed one */

#endif
