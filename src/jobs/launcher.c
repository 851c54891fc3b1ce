#include "launcher.h"

#include "parse.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/* The number in a variable; 0 if there is none. */
static int number_of(const char *name)
{
    int64_t number;
    const char *text = getenv(name);
    return text != NULL && parse_int64(text, &number) && number > 0 && number <= 1000000
               ? (int)number
               : 0;
}

int launcher_ranks(void)
{
    int ranks = number_of("OMPI_COMM_WORLD_SIZE"); /* Open MPI */
    if (ranks == 0)
        ranks = number_of("PMI_SIZE"); /* MPICH, Slurm with pmi2 */
    if (ranks == 0 && getenv("PMIX_RANK") != NULL)
        ranks = number_of("SLURM_STEP_NUM_TASKS"); /* Slurm with pmix */
    return ranks == 0 ? 1 : ranks;
}

int launcher_rank(void)
{
    int rank = number_of("OMPI_COMM_WORLD_RANK");
    if (rank == 0)
        rank = number_of("PMI_RANK");
    return rank == 0 ? number_of("PMIX_RANK") : rank;
}

void launcher_stay_here(void)
{
    const int local = number_of("OMPI_COMM_WORLD_LOCAL_SIZE");
    const bool chosen = getenv("OMPI_MCA_pml") != NULL || getenv("OMPI_MCA_mtl") != NULL;
    if (local == launcher_ranks() && !chosen)
        setenv("OMPI_MCA_pml", "ob1", false);
}

/* True for a variable "NAME=value" of a launcher. */
static bool is_launchers(const char *variable)
{
    static const char *const prefixes[] = {"OMPI_COMM_",    "OMPI_UNIVERSE_", "OMPI_APP_",
                                           "OMPI_MCA_pml=", "PMIX_",          "PMI_",
                                           "ORTE_",         "HYDI_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* Removes the first such variable; false if there is none. */
static bool forget_one(void)
{
    for (char **v = environ; *v != NULL; v++) {
        char name[128];
        size_t length = strcspn(*v, "=");
        if (!is_launchers(*v) || length >= sizeof name)
            continue;
        memcpy(name, *v, length);
        name[length] = '\0';
        return unsetenv(name) == 0;
    }
    return false;
}

void launcher_forget(void)
{
    while (forget_one())
        ;
}
