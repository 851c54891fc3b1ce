/* Optimisers without enough memory: each says so, and leaves nothing that cannot be destroyed. */
#include "default_settings.h"
#include "optimiser.h"

#include <criterion/criterion.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* So many genes that each array of an optimiser takes pages of its own. */
enum { GENES = 1 << 17, POPULATION = 5, PIECE = 1 << 18 };

/* The sanitizers map memory of their own, which a limit would not allow. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED true
#elif defined __has_feature
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED false
#endif

static struct param *genes;
static struct genome genome;

static void make(void)
{
    if (SANITIZED)
        cr_skip_test("the sanitizers need memory without a limit");
    mallopt(M_MMAP_THRESHOLD, PIECE / 2);
    genes = calloc(GENES, sizeof *genes);
    cr_assert_not_null(genes);
    for (int i = 0; i < GENES; i++)
        genes[i] = (struct param){.name = "x", .bits = 4, .max = 15, .sign = 1, .meaning = ""};
    const struct param_table table = {"test", genes, GENES};
    cr_assert(genome_init(&genome, &table, NULL));
}

static void unmake(void)
{
    free(genes);
}

TestSuite(scarce_memory, .init = make, .fini = unmake);

/* The bytes of memory that this process has mapped. */
static rlim_t mapped(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    cr_assert(f != NULL && fscanf(f, "%ld", &pages) == 1);
    fclose(f);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Limits what the process may map to what it has and so much more; RLIM_INFINITY lifts the limit. */
static void allow(rlim_t more)
{
    struct rlimit limit;
    cr_assert_eq(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = more == RLIM_INFINITY ? limit.rlim_max : mapped() + more;
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
}

static void step_once(struct optimiser *o)
{
    for (int i = 0; i < POPULATION; i++)
        o->organisms[i].fitness = i;
    optimiser_step(o);
    cr_expect_eq(o->generation, 1);
}

/* Creates an optimiser with more and more memory until there is enough. Returns how often there was not. */
static int create_until_enough(enum optimiser_kind kind)
{
    struct optimiser_settings s = optimiser_default_settings(kind);
    s.population = POPULATION;
    for (int refused = 0;; refused++) {
        struct optimiser o;
        struct error err = {""};
        allow((rlim_t)refused * PIECE);
        bool created = optimiser_create(&o, &genome, &s, 1, &err);
        allow(RLIM_INFINITY);
        if (created)
            step_once(&o);
        else
            cr_expect_not_null(strstr(err.text, "no memory for "), "%s", err.text);
        optimiser_destroy(&o);
        if (created)
            return refused;
    }
}

/* What one method has freed may serve the next without asking the system, so it is their sum that counts. */
Test(scarce_memory, is_told_by_every_method_that_fits, .timeout = 60)
{
    int refused = 0;
    for (int k = 0; k < OPTIMISERS; k++)
        if (optimiser_fits(&(struct optimiser_settings){.kind = (enum optimiser_kind)k}, &genome,
                           NULL))
            refused += create_until_enough((enum optimiser_kind)k);
    cr_expect_gt(refused, 100, "%d", refused);
}
