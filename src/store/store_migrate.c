#include "store_internal.h"

#include <stdio.h>

/* The steps of the migration from version 1, in one transaction:
 *
 *   1  Rename the tables of the file's own run. Their new prefix "__", which no stage has, frees
 *      their names.
 *   2  Create the tables of the present version, and a row of `run` for each run.
 *   3  For each run, create the views that a reader of version 1 uses, copy the rows from them, and
 *      drop the old tables.
 *   4  Set the version.
 *
 * The migration from version 2 converts one table and sets the version.
 *
 * Both lead to version 3. Then each page is written anew, with room for its checksum: version 4. If
 * that fails, for want of room or because a reader is in the way, the file stays one of version 3,
 * which is written without checksums until it is opened the next time. */

/* The tables of each run of version 1. The oldest files lack `seed` and `game`. */
static const char *const old_tables[] = {"run",    "data",     "gene", "seed",
                                         "genome", "organism", "game", "generation"};

enum { OLD_TABLES = sizeof old_tables / sizeof old_tables[0] };

/* 1: renames the file's own tables. */
static bool rename_own_tables(struct store *s, struct error *err)
{
    if (!store_execute(s, "PRAGMA legacy_alter_table = ON", err))
        return false;
    const struct store_old_run own = {.stage = "", .prefix = ""};
    for (int i = 0; i < OLD_TABLES; i++) {
        bool has;
        char sql[128];
        snprintf(sql, sizeof sql, "ALTER TABLE %s RENAME TO __%s", old_tables[i], old_tables[i]);
        if (!store_has_old(s, old_tables[i], &own, &has, err) ||
            (has && !store_execute(s, sql, err)))
            return false;
    }
    return true;
}

/* 2: adds the runs. The name of a stage follows from the name of its table `run`. */
static bool add_runs(struct store *s, int64_t *count, struct error *err)
{
    return store_execute(s,
                         "INSERT INTO run (stage) SELECT "
                         "replace(substr(name, 1, length(name) - length('__run')), '_', '-') "
                         "FROM sqlite_master WHERE type = 'table' AND name GLOB '*__run' "
                         "ORDER BY name <> '__run', rowid",
                         err) &&
           store_query_number(s, "SELECT count(*) FROM run", count, err);
}

/* 3: copies the rows of one table. */
static bool copy_table(struct store *s, const struct store_table *table,
                       const struct store_old_run *from, struct error *err)
{
    char sql[128];
    bool shown;
    snprintf(sql, sizeof sql, "INSERT INTO main.%s SELECT * FROM temp.%s", table->name,
             table->name);
    return store_view_old(s, table, from, &shown, err) && (!shown || store_execute(s, sql, err));
}

/* 3: drops the views and the old tables of a run. */
static bool drop_old(struct store *s, const struct store_old_run *from, struct error *err)
{
    char sql[128];
    for (const struct store_table *t = store_tables; t->name != NULL; t++) {
        snprintf(sql, sizeof sql, "DROP VIEW IF EXISTS temp.%s", t->name);
        if (!store_execute(s, sql, err))
            return false;
    }
    for (int i = 0; i < OLD_TABLES; i++) {
        snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS main.%s%s", from->prefix, old_tables[i]);
        if (!store_execute(s, sql, err))
            return false;
    }
    return true;
}

/* 3: copies one run, which already has its row in `run`. */
static bool copy_run(struct store *s, int64_t run, struct error *err)
{
    char stage[STORE_STAGE], sql[64];
    struct store_old_run from = {.stage = stage, .run = run};
    snprintf(sql, sizeof sql, "SELECT stage FROM main.run WHERE id = %lld", (long long)run);
    if (!store_query_text(s, sql, stage, sizeof stage, err))
        return false;
    store_old_prefix(stage, from.prefix);
    for (const struct store_table *t = store_tables + 1; t->name != NULL; t++)
        if (!copy_table(s, t, &from, err))
            return false;
    return drop_old(s, &from, err);
}

/* Steps 1 to 3, inside a transaction. */
static bool convert_version_1(struct store *s, struct error *err)
{
    int64_t runs;
    if (!rename_own_tables(s, err) || !store_create_tables(s, err) || !add_runs(s, &runs, err))
        return false;
    for (int64_t run = 1; run <= runs; run++)
        if (!copy_run(s, run, err))
            return false;
    return true;
}

/* Converts the tables and sets the version, inside a transaction. */
static bool convert(struct store *s, int64_t version, struct error *err)
{
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", STORE_VERSION_SUMMED - 1);
    return (version == 1 ? convert_version_1 : store_convert_version_2)(s, err) &&
           store_execute(s, sql, err);
}

/* Writes all pages anew with room for checksums, and moves them from the WAL into the file. */
static bool make_room(struct store *s)
{
    int64_t busy;
    return store_pages_reserve(s->db) && store_execute(s, "VACUUM", NULL) &&
           store_query_number(s, "PRAGMA wal_checkpoint(TRUNCATE)", &busy, NULL) && busy == 0;
}

/* Makes a file of version 3 one of the present version, if it can. */
static void add_checksums(struct store *s)
{
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d; PRAGMA wal_checkpoint(TRUNCATE)",
             STORE_VERSION);
    sqlite3_busy_timeout(s->db, 0);
    if (make_room(s) && store_pages_renew(s->db))
        store_execute(s, sql, NULL);
    sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
}

bool store_migrate(struct store *s, struct error *err)
{
    int64_t version;
    if (!store_query_number(s, "PRAGMA user_version", &version, err))
        return false;
    if (version == STORE_VERSION)
        return store_pages_renew(s->db) || store_fail(s, err);
    if (version < STORE_VERSION_SUMMED - 1 &&
        (!store_perform(s, "BEGIN IMMEDIATE", err) || !convert(s, version, err) ||
         !store_perform(s, "COMMIT", err)))
        return store_roll_back(s);
    add_checksums(s);
    return true;
}
