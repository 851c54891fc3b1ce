#include "store_internal.h"

/* Checks that no row refers to one that is missing. */
static bool has_all_rows(struct store *s, struct error *err)
{
    char table[64];
    static const char sql[] =
        "SELECT \"table\" FROM pragma_foreign_key_check UNION ALL "
        "SELECT 'organism' FROM organism AS o WHERE NOT EXISTS"
        " (SELECT 1 FROM generation AS g WHERE g.run_id = o.run_id AND g.idx = o.generation)"
        " UNION ALL SELECT ''";
    if (!store_query_text(s, sql, table, sizeof table, err))
        return false;
    return table[0] == '\0' ||
           error_set(err,
                     "%s is damaged (a row of %s refers to one that is missing); go back to a copy",
                     s->path, table);
}

/* What the checksums of a file say that could be read. */
static void tell_sums(struct store *s, struct store_check *found)
{
    size_t damaged;
    enum store_seal seal = s->image != NULL
                               ? store_pages_check(s->image, (size_t)s->image_size, &damaged)
                               : store_pages_seal(s->db);
    found->sums = seal == STORE_SEALED;
    found->broken = seal == STORE_NOT_SEALED;
}

static bool count_all(struct store *s, struct store_check *found, struct error *err)
{
    int64_t version;
    bool counted =
        store_query_number(s, "PRAGMA user_version", &version, err) &&
        store_query_number(s, "PRAGMA page_count", &found->pages, err) &&
        store_query_number(s, "SELECT count(*) FROM run WHERE id > 0", &found->runs, err);
    found->version = counted ? (int)version : 0;
    return counted;
}

bool store_check(const char *path, struct store_check *found, struct error *err)
{
    *found = (struct store_check){.version = 0};
    struct store *s = store_open(path, STORE_READ, err);
    bool sound = s != NULL && store_sound(s, err) && count_all(s, found, err) &&
                 (found->version < STORE_VERSION || has_all_rows(s, err));
    if (sound)
        tell_sums(s, found);
    store_close(s);
    return sound;
}
