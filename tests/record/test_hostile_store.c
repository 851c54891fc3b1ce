/* Run files that somebody made to do harm: each is refused with a reason, in little time. */
#include "runs.h"

#include "database.h"

enum { POPULATION = 100, PAGE = 4096 };

RUNS(hostile_store);

/* Makes a run of so many generations. */
static void make_generations(int generations)
{
    struct fitness_cache cache = {.words = WORDS};
    unlink(run);
    struct store *s = create_run(run);
    for (int g = 0; g < generations; g++)
        put_generation(s, &cache, g, POPULATION);
    publish_run(s);
    fitness_cache_free(&cache);
}

/* The run is not opened, neither to read nor to write. */
static void expect_closed(const char *reason)
{
    expect_refused(run, STORE_READ, reason);
    expect_refused(run, STORE_WRITE, reason);
}

/* Genes that are others each time they are read. */
static const char restless_genes[] =
    "ALTER TABLE gene RENAME TO gone;"
    "CREATE VIEW gene AS WITH n (i) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8))"
    " SELECT 1 AS run_id, i AS idx, hex(randomblob(abs(random() % 100000))) AS name, 8 AS bits,"
    " 0 AS min, 255 AS max, 0 AS initial, 1 AS sign, hex(randomblob(abs(random() % 100000)))"
    " AS meaning, '' AS active_if, 0 AS type, 1 AS step, 0 AS decimals, '' AS choices FROM n";

Test(hostile_store, a_view_in_place_of_a_table)
{
    make_generations(0);
    execute(run, restless_genes);
    expect_closed("it has the view gene");
    execute(run, "PRAGMA writable_schema = ON;"
                 "UPDATE sqlite_master SET type = 'table', rootpage = 2 WHERE name = 'gene'");
    expect_closed("is damaged (malformed database schema");
}

Test(hostile_store, triggers_and_tables_of_code)
{
    make_generations(0);
    execute(run, "CREATE TRIGGER more AFTER INSERT ON property BEGIN DELETE FROM gene; END");
    expect_closed("it has the trigger more");
    make_generations(0);
    execute(run, "CREATE VIRTUAL TABLE other USING fts5 (text)");
    expect_closed(" table other");
}

static void expect_no_genes(const char *reason)
{
    struct param_table space;
    struct store *s = open_run(run, STORE_READ);
    cr_assert_not(store_get_genes(s, &space, &err));
    SAID(reason);
    SAID("is damaged");
    store_close(s);
}

Test(hostile_store, genes_that_no_space_has)
{
    make_generations(0);
    execute(run, "UPDATE gene SET choices = 'one' || char(10) || 'two'");
    expect_no_genes("choices");
    execute(run, "UPDATE gene SET choices = '', active_if = 'TREE > 1'");
    expect_no_genes("is no condition");
    execute(run, "UPDATE gene SET active_if = '', name = 'A' || char(10) || 'setoption'");
    expect_no_genes("name");
    execute(run, "UPDATE gene SET name = 'A', type = 17");
    expect_no_genes("type 17");
    execute(run, "UPDATE gene SET type = 0, decimals = -3");
    expect_no_genes("gene 0: "); /* the first of those that are damaged */
    SAID("-3 decimals");
    execute(run, "UPDATE gene SET decimals = 0; DELETE FROM gene WHERE idx > 0");
    execute(run, "DELETE FROM property WHERE key = 'kind'");
    expect_no_genes("of what kind its genes are");
}

/* The largest value that is read has 64 MiB. */
Test(hostile_store, a_value_that_fills_the_memory)
{
    make_generations(0);
    execute(run, "UPDATE gene SET meaning = zeroblob((64 << 20) + 1)");
    expect_no_genes("a value is too large");
}

/* What is not in a run is absent; what cannot be read is lost. */
Test(hostile_store, a_property_that_cannot_be_read)
{
    make_generations(0);
    execute(run, "INSERT INTO property VALUES (1, 'recipe', zeroblob((64 << 20) + 1))");
    struct store *s = open_run(run, STORE_READ);
    cr_assert_null(store_get(s, "seed"));
    cr_assert(store_whole(s, &err));
    cr_assert_null(store_get(s, "recipe"));
    cr_assert_not(store_whole(s, &err));
    SAID("no memory to read");
    cr_assert_null(store_get(s, "seed"));
    cr_assert_not(store_whole(s, &err), "it stays lost");
    store_close(s);
}

Test(hostile_store, a_generation_of_another_number)
{
    int count;
    make_generations(2);
    execute(run, "UPDATE generation SET idx = 0x7fffffffffffffff WHERE idx = 1");
    struct store *s = open_run(run, STORE_READ);
    cr_assert_null(store_get_rows(s, &count, &err));
    SAID("generation 1 is missing");
    store_close(s);
}

/* The counts are written for the generations that the caller asks for, and for no other. */
Test(hostile_store, organisms_of_no_generation)
{
    static const char *const generations[] = {"-1", "2", "1000000000"};
    for (int i = 0; i < 3; i++) {
        int64_t *counts = calloc(2, sizeof *counts);
        make_generations(2);
        execute(run, text_of("UPDATE organism SET generation = %s WHERE generation = 1",
                             generations[i]));
        struct store *s = open_run(run, STORE_READ);
        MUST(store_count_genomes_by_generation(s, counts, 2, &err));
        cr_expect_eq(counts[1], 0, "generation %s", generations[i]);
        cr_expect_eq(counts[0], i == 0 ? 2 * POPULATION : POPULATION);
        store_close(s);
        free(counts);
    }
}

/* -- pages that refer to each other */

static void put_four(unsigned char *at, unsigned value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* Makes all children of an inner page the same one. */
static void set_children(unsigned char *page, unsigned child)
{
    enum { CELLS = 3, LAST_CHILD = 8, FIRST_CELL = 12 };
    const int cells = page[CELLS] << 8 | page[CELLS + 1];
    for (int i = 0; i < cells; i++)
        put_four(page + (page[FIRST_CELL + 2 * i] << 8 | page[FIRST_CELL + 2 * i + 1]), child);
    put_four(page + LAST_CHILD, child);
}

/* The first page of a table. */
static long find_root(const char *name)
{
    sqlite3 *db;
    sqlite3_stmt *st;
    cr_assert_eq(sqlite3_open(run, &db), SQLITE_OK);
    cr_assert_eq(
        sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_master WHERE name = ?", -1, &st, NULL),
        SQLITE_OK);
    sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
    cr_assert_eq(sqlite3_step(st), SQLITE_ROW);
    long root = (long)sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return root;
}

/* Makes a table of so many levels that its rows, which are some pages, seem to have no end. */
static void make_endless(const char *name)
{
    enum { LEVELS = 12, PAGES = 28 };
    unsigned char root[PAGE], first[PAGE];
    const long page = find_root(name);
    FILE *file = fopen(run, "r+b");
    cr_assert(file != NULL && fread(first, PAGE, 1, file) == 1);
    cr_assert(fseek(file, (page - 1) * PAGE, SEEK_SET) == 0 && fread(root, PAGE, 1, file) == 1);
    const unsigned leaf = (unsigned)root[root[12] << 8 | root[13]] << 24 |
                          (unsigned)root[(root[12] << 8 | root[13]) + 1] << 16 |
                          (unsigned)root[(root[12] << 8 | root[13]) + 2] << 8 |
                          root[(root[12] << 8 | root[13]) + 3];
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    unsigned count = (unsigned)(ftell(file) / PAGE);
    for (unsigned level = 1; level <= LEVELS; level++) {
        set_children(root, level == LEVELS ? leaf : count + level + 1);
        cr_assert_eq(fwrite(root, PAGE, 1, file), 1);
    }
    set_children(root, count + 1);
    put_four(first + PAGES, count + LEVELS);
    cr_assert(fseek(file, 0, SEEK_SET) == 0 && fwrite(first, PAGE, 1, file) == 1);
    cr_assert(fseek(file, (page - 1) * PAGE, SEEK_SET) == 0 && fwrite(root, PAGE, 1, file) == 1);
    cr_assert_eq(fclose(file), 0);
}

Test(hostile_store, rows_without_end, .timeout = 60)
{
    uint64_t best[WORDS];
    int generation, index;
    make_generations(30);
    execute(run, "UPDATE generation SET ended = 1"); /* checksums are not compared from here on */
    make_endless("organism");
    struct store *s = open_run(run, STORE_READ);
    cr_assert_not(store_get_best(s, false, &generation, &index, best, WORDS, &err));
    SAID("is damaged (reading it has no end)");
    store_close(s);
}

/* -- work that is no harm */

/* Many statements together may take more steps than a single one. */
Test(hostile_store, a_run_may_be_read_a_thousand_times, .timeout = 60)
{
    int64_t games, draws;
    make_generations(1);
    execute(run, "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)"
                 " INSERT INTO game SELECT 1, 0, i, 0, 0, 0, 0, 0, 1, 60, 100 FROM n");
    struct store *s = open_run(run, STORE_READ);
    for (int i = 0; i < 1500; i++)
        MUST(store_count_games(s, &games, &draws, &err));
    cr_assert(games == 1500 && draws == 1500);
    store_close(s);
}

/* A statement may take the longer the larger the file is. */
Test(hostile_store, a_large_run_is_read_whole, .timeout = 60)
{
    int64_t games, draws;
    make_generations(1);
    execute(run, "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200000)"
                 " INSERT INTO game SELECT 1, 0, i, 0, 0, 0, 0, 0, 1, 60, 100 FROM n");
    struct store *s = open_run(run, STORE_READ);
    MUST(store_count_games(s, &games, &draws, &err));
    cr_assert_eq(games, 1200000);
    store_close(s);
}

/* Another program was killed in a transaction that was in the file already. */
Test(hostile_store, a_reader_rolls_back_what_another_program_left)
{
    int count;
    make_generations(30);
    const char *journal = text_of("%s-journal", run);
    pid_t child = fork();
    if (child == 0) {
        sqlite3 *db = open_database(run);
        _exit(sqlite3_exec(
            db,
            "PRAGMA cache_size = 2; BEGIN; UPDATE organism SET fitness = -1;"
            "UPDATE generation SET best = 1; DELETE FROM game; UPDATE genome SET measure = 5",
            NULL, NULL, NULL));
    }
    waitpid(child, NULL, 0);
    cr_assert_eq(access(journal, F_OK), 0, "the transaction left its journal");
    struct store *s = open_run(run, STORE_READ);
    struct generation_row *rows = store_get_rows(s, &count, &err);
    MUST(rows != NULL && count == 30 && rows[7].best == POPULATION - 1);
    free(rows);
    store_close(s);
    cr_assert_neq(access(journal, F_OK), 0);
}
