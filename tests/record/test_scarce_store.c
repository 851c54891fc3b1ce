/* A run whose file is read without memory: each allocation of SQLite fails once. What is read is right, or it
 * is told that it could not be read; the file stays as it is. */
#include "store.h"

#include "temporary.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <string.h>

static const struct param params[] = {
    {"GAIN", 11, 0, 6000, 500, +1, "LOSS >= 1", "what is won", .step = 3}};
static const struct param_table table = {"test", params, 1};

static sqlite3_mem_methods system_memory;
static int until_failure; /* allocations; 0: none fails */

static bool fails(void)
{
    return until_failure > 0 && --until_failure == 0;
}

static void *scarce_malloc(int size)
{
    return fails() ? NULL : system_memory.xMalloc(size);
}

static void *scarce_realloc(void *old, int size)
{
    return fails() ? NULL : system_memory.xRealloc(old, size);
}

/* Before SQLite is used for the first time. */
static void make_memory_scarce(void)
{
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory);
    sqlite3_mem_methods scarce = system_memory;
    scarce.xMalloc = scarce_malloc;
    scarce.xRealloc = scarce_realloc;
    cr_assert_eq(sqlite3_config(SQLITE_CONFIG_MALLOC, &scarce), SQLITE_OK);
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0); /* small pieces are allocations too */
}

static void create(const char *path)
{
    struct error err = {""};
    struct store *s = store_create(path, false, &err);
    cr_assert(s != NULL && store_put(s, "name", "scarce", &err) &&
                  store_put_genes(s, &table, &err) && store_publish(s, &err),
              "%s", err.text);
}

/* Opens the run and reads its name while allocation `number` fails. True if there was one. */
static bool read_name(const char *path, enum store_mode mode, int number)
{
    struct error err = {""};
    until_failure = number;
    struct store *s = store_open(path, mode, &err);
    char *name = s != NULL ? store_get(s, "name") : NULL;
    bool whole = s != NULL && store_whole(s, &err);
    cr_expect(s != NULL || err.text[0] != '\0', "allocation %d: no reason", number);
    cr_expect(s == NULL || (name != NULL ? strcmp(name, "scarce") == 0 : !whole),
              "allocation %d: the name is %s", number, name != NULL ? name : "absent");
    free(name);
    store_close(s);
    bool failed = until_failure == 0;
    until_failure = 0;
    return failed;
}

/* The run is what it was, after allocation `number` failed. */
static void check_run(const char *path, int number)
{
    struct error err = {""};
    struct param_table genes;
    struct store *s = store_open(path, STORE_READ, &err);
    cr_assert_not_null(s, "after allocation %d: %s", number, err.text);
    char *name = store_get(s, "name");
    void *memory = store_get_genes(s, &genes, &err);
    cr_assert_not_null(memory, "after allocation %d: %s", number, err.text);
    cr_expect_str_eq(name, "scarce", "after allocation %d", number);
    cr_expect(genes.params->step == 3 && strcmp(genes.params->active_if, "LOSS >= 1") == 0,
              "after allocation %d the gene has another meaning", number);
    free(memory);
    free(name);
    store_close(s);
}

/* Reads so for each allocation, and each time once more undisturbed. */
static void read_each(enum store_mode mode)
{
    struct temporary t = temporary_make();
    make_memory_scarce();
    const char *path = temporary_file(&t, "run.db");
    create(path);
    int number = 1;
    for (; read_name(path, mode, number); number++)
        check_run(path, number);
    cr_expect_gt(number, 100, "%d allocations", number);
    temporary_remove(&t);
}

Test(scarce_store, what_is_read_is_right_or_told)
{
    read_each(STORE_READ);
}

Test(scarce_store, a_file_that_is_opened_to_write_stays_as_it_is)
{
    read_each(STORE_WRITE);
}
