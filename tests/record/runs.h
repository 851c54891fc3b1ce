/* What tests of run files share: for each test a folder of its own and the path of a run in it, and runs. */
#ifndef GRAYLING_TESTS_RUNS_H
#define GRAYLING_TESTS_RUNS_H

#include "scratch.h"
#include "store.h"

#include <criterion/criterion.h>
#include <sys/wait.h>

enum { WORDS = 2 /* of a chromosome */ };

static struct error err;
static char run[96]; /* DIRECTORY/run.db */

static void begin(void)
{
    scratch_begin();
    strcpy(run, scratch_path("run.db"));
}

/* Before the first test of a suite. */
#define RUNS(suite) TestSuite(suite, .init = begin, .fini = scratch_end)

static const struct param params[] = {
    {"FIXED", 0, 7, 7, 7, +1, NULL, "a constant"},
    {"GAIN", 11, 0, 2047, 500, +1, NULL, "what is won"},
    {"LOSS", 6, 0, 63, 9, -1, NULL, "what is lost"},
};
static const struct param_table table = {"test", params, 3};

static inline struct store *create_run(const char *path)
{
    struct store *s = store_create(path, false, &err);
    MUST(s);
    return s;
}

static inline void publish_run(struct store *s)
{
    MUST(store_put_genes(s, &table, &err) && store_publish(s, &err));
}

/* A published run without a generation, whose name is its own path. */
static inline void make_run(const char *path)
{
    struct store *s = create_run(path);
    MUST(store_put(s, "name", path, &err));
    publish_run(s);
}

static inline struct store *open_run(const char *path, enum store_mode mode)
{
    struct store *s = store_open(path, mode, &err);
    MUST(s);
    return s;
}

static inline void expect_refused(const char *path, enum store_mode mode, const char *reason)
{
    cr_assert_null(store_open(path, mode, &err));
    SAID(reason);
    SAID(path);
}

/* Puts a number in a transaction of its own. */
static inline void put_value(struct store *s, const char *key, int64_t value)
{
    MUST(store_begin(s, &err) && store_put_number(s, key, value, &err) && store_commit(s, &err));
}

static inline void expect_name(const char *path, const char *expected)
{
    struct store *s = open_run(path, STORE_READ);
    char *name = store_get(s, "name");
    cr_expect_str_eq(name, expected);
    free(name);
    store_close(s);
}

/* Puts a generation of new genomes within a transaction. The measures of all count up from 1; fitness is ten
 * times the measure. */
static inline void put_generation(struct store *s, struct fitness_cache *cache, int generation,
                                  int population)
{
    struct organism organisms[100];
    int64_t genomes[100];
    const size_t first = cache->count;
    for (int i = 0; i < population; i++) {
        const int64_t n = generation * population + i + 1;
        const uint64_t chromosome[WORDS] = {(uint64_t)n * 0x9e3779b97f4a7c15u, (uint64_t)n};
        genomes[i] = fitness_cache_add(cache, chromosome, n, NOT_MEASURED);
        organisms[i] = (struct organism){.fitness = 10 * n};
    }
    const struct optimiser o = {
        .population = population, .generation = generation, .organisms = organisms};
    const struct generation_row row = {generation, population - 1, 5, 3, 1.5, 0.1, 2.25, 0.5, 1234};
    MUST(store_put_genomes(s, cache, first, cache->count, &err) &&
         store_put_held_out(s, genomes[0], 3, &err) && store_put_organisms(s, &o, genomes, &err) &&
         store_put_row(s, &row, &err));
}

/* The same in a transaction of its own. */
static inline void add_generation(struct store *s, struct fitness_cache *cache, int generation,
                                  int population)
{
    MUST(store_begin(s, &err));
    put_generation(s, cache, generation, population);
    MUST(store_commit(s, &err));
}

/* The bytes of a file, malloc'ed. */
static inline unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    cr_assert(in != NULL && fseek(in, 0, SEEK_END) == 0);
    *size = (size_t)ftell(in);
    rewind(in);
    unsigned char *bytes = malloc(*size);
    cr_assert_eq(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    cr_assert(out != NULL && fwrite(bytes, 1, size, out) == size && fclose(out) == 0);
}

/* The other process ends, and is content. */
static inline void expect_done(pid_t child)
{
    int status;
    cr_assert(waitpid(child, &status, 0) == child && status == 0);
}

static inline void kill_writer(pid_t writer)
{
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
}

#endif
