/* The searches of a table on other ranks (ranks.h). */
#ifndef GRAYLING_SOLVE_SHARE_H
#define GRAYLING_SOLVE_SHARE_H

#include "jobs.h"
#include "ranks.h"
#include "solve_table.h"

/* Creates the list of searches on all ranks. NULL with the reason. */
struct jobs *solve_share(const struct solve_job *job, const struct job_kind *searches,
                         struct error *err);

/* Builds it on another rank. */
extern const struct ranks_builder solve_builder;

/* The list of searches here (solve_table.c). */
struct jobs *solve_create_jobs(const struct solve_job *job, struct error *err);

#endif
