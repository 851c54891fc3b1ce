/* What there is to tell of a run: everything that a report shows, read from its store. */
#ifndef GRAYLING_REPORT_H
#define GRAYLING_REPORT_H

#include "convergence.h"
#include "run_summary.h"

/* A data file of the run: its role (train, held_out, evaluation), its path as seen from the store,
 * and its SHA-256. */
struct report_file {
    char *role, *path, *sha256;
};

/* An organism that generation 0 began with. */
struct report_seed {
    char *source;    /* the file or run it came from, as seen from the store */
    int64_t measure; /* in generation 0; NOT_MEASURED before */
};

/* Where a gene's value ended: at a bound is also within a hundredth of the range of it. A switch,
 * which has only two values, always ends at one. */
enum gene_end { ENDED_INSIDE, ENDED_AT_MINIMUM, ENDED_AT_MAXIMUM };

/* A gene as the run left it. */
struct report_gene {
    const struct param *param; /* name, bits, range, meaning */
    int32_t evolved;           /* of the run's best organism */
    bool has_paper;            /* the paper publishes a value: */
    int32_t paper;
    struct gene_state last; /* in the last generation */
    enum gene_end end;      /* of the evolved value */
    double chance;   /* that an idle gene shows as strong a sign (neutral_bits.h); 0 if not known */
    int inactive_by; /* the gene whose evolved value makes this one inactive (inactive.h), or -1 */
};

/* Owned by the caller between read and free. */
struct report {
    struct run_summary summary;
    char *recipe, *version, *created; /* as the store has them; "" where it has none */
    struct report_file *files;
    int file_count;
    struct report_seed *seeds; /* the first organisms of generation 0 */
    int seed_count;
    int64_t games, draws; /* that organisms have played with each other */
    double seconds;       /* that its generations took together */
    /* Of the generations 0 to summary.generation; empty before the first. */
    struct genome genome;
    struct convergence convergence;
    struct report_gene *genes; /* genome.count of them, or NULL */
    /* That the chances come from; 0 where none are told: only the genetic algorithm has a pedigree
     * that neutral bits can be sent down. */
    int neutral_bits;
};

/* From this chance on a gene is said to show no sign of having mattered. */
#define REPORT_NO_SIGN 0.05

/* Reads a run, also one that is going on or has no generation yet. */
bool report_read(const char *store_path, struct report *r, struct error *err);
void report_free(struct report *r); /* a zeroed one is accepted */

/* The value that david-2014 publishes for a parameter: Figure 3 for the evaluation, Table II for
 * the search. False for parameters that it does not have. */
bool paper_value(const char *name, int32_t *value);

/* Whether the gene evolves, and shows no sign of having mattered. */
bool report_gene_idle(const struct report_gene *g);

#endif
