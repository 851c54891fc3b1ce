/* The content of a run's report, read from the run's store. */
#ifndef GRAYLING_REPORT_H
#define GRAYLING_REPORT_H

#include "convergence.h"
#include "run_summary.h"

/* A data file of the run: its role (train, held_out, openings, opponent, evaluation, search), its path relative to
 * the store, and its SHA-256. Or a seed, an organism of generation 0 that is of a file or a run: "seed", that path,
 * "", and its measure; NOT_MEASURED before generation 0. */
struct report_file {
    char *role, *path, *sha256;
    int64_t measure;
};

/* Where a gene's value ended. Within a hundredth of the range of a bound counts as at the bound. A gene whose only
 * two values are the bounds, one of choices, which have no order, and one that does not evolve count as inside. */
enum gene_end { ENDED_INSIDE, ENDED_AT_MINIMUM, ENDED_AT_MAXIMUM };

/* The result of a gene. */
struct report_gene {
    const struct param *param; /* name, bits, range, meaning */
    int32_t evolved;           /* of the run's best organism */
    bool has_paper;            /* it is ours, and the paper publishes a value */
    struct gene_state last;    /* in the last generation */
    enum gene_end end;         /* of the evolved value */
    double chance;             /* p-value of the gene's sign (convergence.h); 0 if unknown */
    int inactive_by;  /* the gene whose evolved value makes this one inactive (param.h), or -1 */
    int32_t compared; /* the paper's value, or else the default of the space */
    double moved;     /* from there to the evolved value, as a share of the range */
    double felt;      /* the distance that is felt in play, likewise; 1: not known */
    /* Its place among all genes, 0 the first: by how far they moved; by what a change costs, that is by the least
     * distance that is felt in play (param.h: c) where the space gives any, else by p-values. Constants are last. */
    int by_moves, by_cost;
};

/* Where a report comes from: the path of the store, as it was given, and what it has, or "", of the recipe, the version
 * of the program and the time of its beginning. */
struct report_origin {
    char *path, *recipe, *version, *created;
};

/* Reads the origin, whose recipe has this key. It must be freed in any case. */
bool report_origin_read(struct report_origin *o, const char *path, struct store *s, const char *key,
                        struct error *err);
void report_origin_free(struct report_origin *o);

/* Owned by the caller between read and free. */
struct report {
    struct report_origin from;
    struct run_summary summary;
    char *values; /* the best organism as a parameter file; NULL before the first generation */
    struct report_file *files;
    int file_count;
    struct report_file *seeds; /* the first organisms of generation 0 */
    int seed_count;
    int64_t games, draws; /* that organisms have played against each other */
    double seconds;       /* total time of its generations */
    /* Of the generations 0 to summary.generation; empty before the first. */
    struct genome genome;
    struct convergence convergence;
    struct report_gene *genes; /* genome.count of them, or NULL */
    struct neutral neutral;    /* what is behind the p-values; of count 0 if there are none */
};

/* A gene with at least this p-value is reported to show no sign of having mattered. */
#define REPORT_NO_SIGN 0.05

/* Pages have pictures of so many genes that evolve, those that moved most. */
enum { REPORT_PICTURED = 40 };

/* Reads a run. The run may be in progress, and may have no generation yet. */
bool report_read(const char *store_path, struct report *r, struct error *err);
void report_free(struct report *r); /* a zeroed one is accepted */

/* True if the gene evolves and shows no sign of having mattered. */
bool report_gene_idle(const struct report_gene *g);

#endif
