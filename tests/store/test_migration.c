/* Versions 1 and 2 of the store: read as they are, and migrated without a loss, or not at all. */
#include "store.h"

#include "checksum.h"
#include "database.h"
#include "temporary.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* -- files of version 1 */

/* A whole file as text, malloc'ed. */
static char *read_file(const char *path)
{
    char *text = NULL;
    size_t size;
    FILE *in = fopen(path, "r"), *out = open_memstream(&text, &size);
    cr_assert(in != NULL && out != NULL, "%s", path);
    for (int c; (c = getc(in)) != EOF;)
        putc(c, out);
    fclose(in);
    fclose(out);
    return text;
}

/* Makes the file that a dump in tests/store_v1 is of. */
static const char *restore(struct temporary *t, const char *name)
{
    char from[1024];
    snprintf(from, sizeof from, "%s/tests/store_v1/%s.sql", getenv("GRAYLING_SOURCE"), name);
    char *sql = read_file(from);
    const char *path = temporary_file(t, "old.db");
    execute(path, sql);
    free(sql);
    return path;
}

/* -- all that can be read of a run, as text */

static bool tell_data(void *context, const char *role, const char *path, const char *sha256,
                      struct error *err)
{
    (void)err;
    fprintf(context, "data %s %s %s\n", role, path, sha256);
    return true;
}

static bool tell_seed(void *context, const char *source, struct error *err)
{
    (void)err;
    fprintf(context, "seed %s\n", source);
    return true;
}

static bool tell_pairing(void *context, int pairing, int first, int second, struct error *err)
{
    (void)err;
    fprintf(context, "pairing %d: %d meets %d\n", pairing, first, second);
    return true;
}

static bool tell_match_game(void *context, const struct match_game_row *g, struct error *err)
{
    (void)err;
    fprintf(context, "match game %d: %d-%d %d %d %" PRId64 "\n", g->number, g->white, g->black,
            g->result, g->plies, g->nodes);
    return true;
}

static void tell_properties(FILE *out, struct store *s)
{
    static const char *const keys[] = {"version",  "created",        "recipe",        "night",
                                       "name",     "seed",           "generations",   "fitness",
                                       "measure",  "train_size",     "held_out_size", "kind",
                                       "player 0", "evolve-1.ended", "nonexistent"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char *value = store_get(s, keys[i]);
        fprintf(out, "%s = %s\n", keys[i], value == NULL ? "(none)" : value);
        free(value);
    }
}

static void tell_genes(FILE *out, struct store *s)
{
    struct param_table space = {0};
    void *memory = store_get_genes(s, &space, NULL);
    for (int i = 0; i < space.count; i++) {
        const struct param *p = &space.params[i];
        fprintf(out, "gene %s %d %d %d %d %d %s", p->name, p->bits, p->min, p->max, p->initial,
                p->sign, p->meaning);
        fprintf(out, " %s %d %d %d %s\n", p->active_if == NULL ? "unknown" : p->active_if,
                (int)p->type, p->step, p->decimals, p->choices == NULL ? "none" : p->choices);
    }
    free(memory);
}

enum { WORDS = 16 }; /* room for a chromosome */

static void tell_chromosome(FILE *out, const uint64_t *chromosome, int words)
{
    for (int w = 0; w < words; w++)
        fprintf(out, " %016" PRIx64, chromosome[w]);
    fputc('\n', out);
}

/* The words of a chromosome of the run; a match has none. */
static int words_of(struct store *s)
{
    struct param_table space = {0};
    struct genome genome = {0};
    void *memory = store_get_genes(s, &space, NULL);
    cr_assert(genome_init(&genome, &space, NULL) && genome.words <= WORDS);
    free(memory);
    return genome.words;
}

static void tell_genomes(FILE *out, struct store *s)
{
    struct error err = {""};
    struct fitness_cache cache = {.words = words_of(s)};
    cr_assert(store_get_genomes(s, &cache, &err), "%s", err.text);
    fprintf(out, "%" PRId64 " genomes\n", store_count_genomes(s));
    for (size_t i = 0; i < cache.count; i++) {
        fprintf(out, "%" PRId64 " %" PRId64, cache.entries[i].measure, cache.entries[i].held_out);
        tell_chromosome(out, fitness_cache_chromosome(&cache, i), cache.words);
    }
    fitness_cache_free(&cache);
}

static void tell_games(FILE *out, struct store *s, int generation)
{
    struct error err = {""};
    struct game_record *games;
    size_t count;
    cr_assert(store_get_games(s, generation, &games, &count, &err), "%s", err.text);
    for (size_t i = 0; i < count; i++) {
        const struct game_record *g = &games[i];
        fprintf(out, "game %d: %d.%d-%d.%d %d %d %d %" PRId64 "\n", g->number, g->white.kind,
                g->white.index, g->black.kind, g->black.index, g->opening, g->result, g->plies,
                g->nodes);
    }
    free(games);
}

/* The organisms of a generation of `population`, 0: as many as there are. */
static void tell_organisms(FILE *out, struct store *s, int generation)
{
    int64_t fitness[16], genomes[16];
    int population = 0;
    while (population < 16 &&
           !store_get_organisms(s, generation, fitness, genomes, population + 1, NULL))
        population++;
    for (int i = 0; i <= population && population < 16; i++)
        fprintf(out, "organism %d of %" PRId64 ": %" PRId64 "\n", i, genomes[i], fitness[i]);
}

static void tell_best(FILE *out, struct store *s)
{
    int generation, index, words = words_of(s);
    uint64_t c[WORDS];
    if (store_get_best(s, &generation, &index, c, words, NULL)) {
        fprintf(out, "best %d of %d", index, generation);
        tell_chromosome(out, c, words);
    }
    if (store_get_last_best(s, &generation, &index, c, words, NULL)) {
        fprintf(out, "last best %d of %d", index, generation);
        tell_chromosome(out, c, words);
    }
}

static void tell_generations(FILE *out, struct store *s)
{
    struct error err = {""};
    int count;
    int64_t champions[16], games, draws;
    struct generation_row *rows = store_get_rows(s, &count, &err);
    cr_assert(rows != NULL && count < 16, "%s", err.text);
    cr_assert(store_get_champions(s, champions, count, &err), "%s", err.text);
    for (int g = 0; g < count; g++) {
        const struct generation_row *r = &rows[g];
        fprintf(out, "%d %d %" PRId64 " %" PRId64 " %a %a %a %a %" PRId64 " %" PRId64 "\n",
                r->generation, r->best, r->measure, r->held_out, r->mean, r->deviation,
                r->diversity, r->seconds, r->ended, champions[g]);
        tell_organisms(out, s, g);
    }
    for (int g = 0; g <= count; g++) /* the last of which may have begun */
        tell_games(out, s, g);
    free(rows);
    cr_assert(store_count_games(s, &games, &draws, &err), "%s", err.text);
    fprintf(out, "%" PRId64 " games, %" PRId64 " drawn\n", games, draws);
}

static void tell_match(FILE *out, struct store *s)
{
    struct error err = {""};
    cr_assert(store_each_match_pairing(s, tell_pairing, out, &err), "%s", err.text);
    for (int p = 0; p < 3; p++)
        cr_assert(store_each_match_game(s, p, tell_match_game, out, &err), "%s", err.text);
    fprintf(out, "%" PRId64 " match games\n", store_count_match_games(s));
}

/* Everything of one run, or that there is no such stage. */
static void tell_run(FILE *out, const char *path)
{
    struct error err = {""};
    uint64_t seeds[8 * WORDS];
    int seed_count;
    struct store *s = store_open(path, STORE_READ, &err);
    if (s == NULL) {
        bool absent = strstr(err.text, "no such stage") != NULL ||
                      strstr(err.text, "no run of this name") != NULL;
        fprintf(out, "---- %s: %s\n", path, absent ? "no such stage" : err.text);
        return;
    }
    fprintf(out, "---- %s\n", path);
    tell_properties(out, s);
    tell_genes(out, s);
    cr_assert(store_each_data(s, tell_data, out, &err) && store_each_seed(s, tell_seed, out, &err));
    int words = words_of(s);
    cr_assert(store_get_seeds(s, seeds, words, 8, &seed_count, &err), "%s", err.text);
    for (int i = 0; i < seed_count; i++)
        tell_chromosome(out, seeds + i * words, words);
    tell_genomes(out, s);
    tell_generations(out, s);
    tell_best(out, s);
    tell_match(out, s);
    store_close(s);
}

/* Everything of a night, malloc'ed. */
static char *tell(const char *path)
{
    static const char *const stages[] = {"",        "#evolve-1", "#evolve-2", "#coevolve",
                                         "#search", "#match",    "#evolve",   "#none"};
    char *text = NULL, name[128];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    cr_assert_not_null(out);
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        snprintf(name, sizeof name, "%s%s", path, stages[i]);
        tell_run(out, name);
    }
    fclose(out);
    return text;
}

static void expect_same(const char *path, const char *before, const char *when)
{
    char *after = tell(path);
    cr_assert_str_eq(before, after, "%s", when);
    free(after);
}

static void migrate(const char *path)
{
    struct error err = {""};
    struct store *s = store_open(path, STORE_WRITE, &err);
    cr_assert_not_null(s, "%s", err.text);
    store_close(s);
}

/* -- reading */

static const char *const nights[] = {"killed-in-coevolution", "killed-in-match"};

Test(migration, a_reader_changes_nothing)
{
    struct temporary t = temporary_make();
    for (int i = 0; i < 2; i++) {
        char before[CHECKSUM_MAX], after[CHECKSUM_MAX];
        const char *path = restore(&t, nights[i]);
        cr_assert_eq(chmod(path, 0444), 0);
        cr_assert(checksum_file(path, before, NULL));
        char *text = tell(path);
        cr_assert_not_null(strstr(text, "gene KNIGHT_VALUE"), "%s", text);
        free(text);
        cr_assert(checksum_file(path, after, NULL));
        cr_assert_str_eq(before, after);
        cr_assert_eq(temporary_count(&t), 1);
        unlink(path);
    }
    temporary_remove(&t);
}

/* The name of a stage is as short as a letter. */
Test(migration, a_stage_may_have_any_name)
{
    static const char *const tables[] = {"run",    "data",     "gene", "seed",
                                         "genome", "organism", "game", "generation"};
    struct temporary t = temporary_make();
    struct error err = {""};
    char stage[128], sql[96], *names[2];
    const char *path = restore(&t, "killed-in-coevolution");
    for (int i = 0; i < 2; i++) {
        snprintf(stage, sizeof stage, "%s#%s", path, i == 0 ? "coevolve" : "c");
        struct store *s = store_open(stage, STORE_READ, &err);
        cr_assert_not_null(s, "%s", err.text);
        names[i] = store_get(s, "recipe");
        cr_assert_not_null(names[i]);
        store_close(s);
        for (size_t k = 0; k < sizeof tables / sizeof tables[0] && i == 0; k++) {
            snprintf(sql, sizeof sql, "ALTER TABLE coevolve__%s RENAME TO c__%s", tables[k],
                     tables[k]);
            execute(path, sql);
        }
    }
    cr_assert_str_eq(names[0], names[1]);
    free(names[0]);
    free(names[1]);
    temporary_remove(&t);
}

Test(migration, players_are_told_apart)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    struct game_record *games;
    size_t count;
    char path[128];
    snprintf(path, sizeof path, "%s#coevolve", restore(&t, "killed-in-coevolution"));
    execute(
        temporary_file(&t, "old.db"),
        "UPDATE coevolve__game SET white = 3, black = -2 WHERE generation = 1 AND number = 0;"
        "UPDATE coevolve__game SET white = -3, black = 0 WHERE generation = 1 AND number = 1;"
        "UPDATE coevolve__game SET white = -100, black = -99 WHERE generation = 1 AND number = 2;"
        "UPDATE coevolve__game SET white = -117, black = 2 WHERE generation = 1 AND number = 3");
    const struct player_ref expected[4][2] = {
        {{PLAYER_ORGANISM, 3}, {PLAYER_SEED, 0}},
        {{PLAYER_SEED, 1}, {PLAYER_ORGANISM, 0}},
        {{PLAYER_CHAMPION, 0}, {PLAYER_SEED, 97}},
        {{PLAYER_CHAMPION, 17}, {PLAYER_ORGANISM, 2}},
    };
    for (int migrated = 0; migrated < 2; migrated++) {
        struct store *s = store_open(path, migrated ? STORE_WRITE : STORE_READ, &err);
        cr_assert(s != NULL && store_get_games(s, 1, &games, &count, &err), "%s", err.text);
        cr_assert_gt(count, 4u);
        for (int i = 0; i < 4; i++)
            cr_assert(player_ref_equal(games[i].white, expected[i][0]) &&
                          player_ref_equal(games[i].black, expected[i][1]),
                      "game %d", i);
        free(games);
        store_close(s);
    }
    temporary_remove(&t);
}

Test(migration, a_match_has_tables_of_its_own)
{
    struct temporary t = temporary_make();
    const char *path = restore(&t, "killed-in-match");
    int64_t games = number(path, "SELECT count(*) FROM match__game");
    int64_t sum = number(path, "SELECT sum(result * nodes + white) FROM match__game");
    cr_assert_gt(games, 8, "in more than one pairing");
    migrate(path);
    cr_assert_eq(number(path, "SELECT count(*) FROM match_game"), games);
    cr_assert_eq(number(path, "SELECT sum(result * nodes + white) FROM match_game"), sum);
    cr_assert_eq(number(path, "SELECT count(*) FROM game JOIN run ON id = run_id "
                              "WHERE stage = 'match'"),
                 0);
    cr_assert_eq(number(path, "SELECT sum(idx = 2 AND first = 1 AND second = 2) = 1 "
                              "AND count(*) = 3 FROM match_pairing"),
                 1);
    cr_assert_eq(number(path, "SELECT count(*) FROM match_player WHERE (idx, name) IN "
                              "(VALUES (0, 'EVOL*'), (1, 'EVOL0'), (2, 'chance'))"),
                 3);
    cr_assert_eq(number(path, "SELECT count(*) FROM match_game AS g JOIN match_pairing AS p "
                              "ON p.run_id = g.run_id AND p.idx = g.pairing "
                              "WHERE first + second != white + black"),
                 0);
    temporary_remove(&t);
}

/* -- migration */

Test(migration, loses_nothing)
{
    struct temporary t = temporary_make();
    for (int i = 0; i < 2; i++) {
        const char *path = restore(&t, nights[i]);
        char *before = tell(path);
        migrate(path);
        expect_same(path, before, nights[i]);
        cr_assert_eq(number(path, "PRAGMA user_version"), STORE_VERSION);
        cr_assert_eq(number(path, "SELECT count(*) FROM sqlite_master WHERE name GLOB '*__*'"), 0);
        cr_assert_eq(number(path, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
        cr_assert_eq(number(path, "SELECT id FROM run WHERE stage = ''"), 1);
        cr_assert_eq(temporary_count(&t), 1);
        migrate(path); /* a second time there is nothing to do */
        expect_same(path, before, "twice");
        free(before);
        unlink(path);
    }
    temporary_remove(&t);
}

Test(migration, a_stage_may_be_what_is_opened)
{
    struct temporary t = temporary_make();
    char stage[128];
    const char *path = restore(&t, "killed-in-coevolution");
    char *before = tell(path);
    snprintf(stage, sizeof stage, "%s#search", path);
    struct store *s = store_open(stage, STORE_WRITE, NULL);
    cr_assert_null(s, "there is no such stage yet");
    expect_same(path, before, "opened for a stage that it has not");
    s = store_create(stage, false, NULL);
    cr_assert_not_null(s);
    cr_assert(store_publish(s, NULL));
    cr_assert_eq(number(path, "SELECT count(*) FROM run"), 5);
    free(before);
    temporary_remove(&t);
}

/* The earliest runs of version 1 have no tables of seeds and games. */
Test(migration, tables_may_be_missing)
{
    struct temporary t = temporary_make();
    const char *path = restore(&t, "killed-in-coevolution");
    execute(path, "DROP TABLE seed; DROP TABLE game; DROP TABLE evolve_1__seed;"
                  "DROP TABLE evolve_1__game");
    char *before = tell(path);
    migrate(path);
    expect_same(path, before, "without seeds and games");
    free(before);
    temporary_remove(&t);
}

/* People may have added a table or an index. */
Test(migration, leaves_what_is_not_ours)
{
    struct temporary t = temporary_make();
    const char *path = restore(&t, "killed-in-coevolution");
    execute(path, "CREATE TABLE notes (text); INSERT INTO notes VALUES ('good');"
                  "CREATE INDEX by_measure ON evolve_1__genome (measure)");
    migrate(path);
    cr_assert_eq(number(path, "SELECT count(*) FROM notes WHERE text = 'good'"), 1);
    temporary_remove(&t);
}

/* -- version 2 */

/* Converts a file to version 2, of which only the genes were other. */
static void make_version_2(const char *path)
{
    execute(path,
            "ALTER TABLE gene RENAME TO present;"
            "CREATE TABLE gene (run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL,"
            " name TEXT NOT NULL, bits INTEGER NOT NULL, min INTEGER NOT NULL,"
            " max INTEGER NOT NULL, initial INTEGER NOT NULL, sign INTEGER NOT NULL,"
            " meaning TEXT NOT NULL, PRIMARY KEY (run_id, idx)) WITHOUT ROWID;"
            "INSERT INTO gene SELECT run_id, idx, name, bits, min, max, initial, sign, meaning"
            " FROM present;"
            "DROP TABLE present; PRAGMA user_version = 2");
}

Test(migration, genes_of_version_2_read_as_they_are_and_are_migrated)
{
    struct temporary t = temporary_make();
    for (int i = 0; i < 2; i++) {
        const char *path = restore(&t, nights[i]);
        migrate(path);
        char *before = tell(path);
        cr_assert_not_null(strstr(before, "gene KNIGHT_VALUE"));
        cr_assert_not_null(strstr(before, " unknown 0 0 0 none\n"), "%s", before);
        make_version_2(path);
        expect_same(path, before, "read");
        cr_assert_eq(number(path, "PRAGMA user_version"), 2);
        migrate(path);
        expect_same(path, before, "migrated");
        cr_assert_eq(number(path, "PRAGMA user_version"), STORE_VERSION);
        cr_assert_eq(number(path, "SELECT count(*) FROM pragma_table_info('gene')"), 14);
        cr_assert_eq(number(path, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
        cr_assert_eq(number(path, "SELECT count(*) FROM sqlite_master WHERE name GLOB '*__*'"), 0);
        cr_assert_eq(temporary_count(&t), 1);
        free(before);
        unlink(path);
    }
    temporary_remove(&t);
}

/* Version 3 is the present one without checksums. */
Test(migration, version_3_gets_checksums)
{
    struct temporary t = temporary_make();
    const char *path = restore(&t, "killed-in-match");
    migrate(path);
    char *before = tell(path);
    execute(path, "PRAGMA user_version = 3");
    expect_same(path, before, "read");
    cr_assert_eq(number(path, "PRAGMA user_version"), 3);
    migrate(path);
    expect_same(path, before, "migrated");
    cr_assert_eq(number(path, "PRAGMA user_version"), STORE_VERSION);
    free(before);
    temporary_remove(&t);
}

/* -- accidents */

/* Makes a night so large that SQLite writes some of it before the commit. */
static const char *restore_large(struct temporary *t)
{
    const char *path = restore(t, "killed-in-match");
    execute(path, "PRAGMA journal_mode = MEMORY; WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL "
                  "SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO coevolve__game "
                  "SELECT 1000, i, 0, 1, i, 0, 60, 1000 * i FROM n");
    return path;
}

/* The file is of one version, all of it, and has what it had. */
static void expect_whole(const char *path, const char *before, const char *when)
{
    expect_same(path, before, when); /* and, as a reader does, tidies up */
    int64_t version = number(path, "PRAGMA user_version");
    int64_t old = number(path, "SELECT count(*) FROM sqlite_master WHERE name GLOB '*__*'");
    int64_t new = number(path, "SELECT count(*) FROM sqlite_master WHERE name = 'property'");
    const char *game = version == 1 ? "SELECT count(*) FROM coevolve__game WHERE generation = 1000"
                                    : "SELECT count(*) FROM game WHERE generation = 1000";
    cr_assert(version == 1 ? old > 0 && new == 0 : old == 0 && new == 1, "%s: version %d", when,
              (int)version);
    cr_assert(version == 1 || version == 3 || version == STORE_VERSION, "%s: version %d", when,
              (int)version);
    cr_assert_eq(number(path, game), 20000, "%s", when);
}

static void copy_file(const char *from, const char *to)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    cr_assert(in != NULL && out != NULL);
    for (int c; (c = getc(in)) != EOF;)
        putc(c, out);
    cr_assert(fclose(in) == 0 && fclose(out) == 0);
}

/* Migrates in another process, which the kernel kills at the first byte beyond `limit` of a file
 * that it writes. Returns whether it lived. */
static bool migrate_and_die(const char *path, rlim_t limit)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0}, size = {limit, limit};
        signal(SIGXFSZ, SIG_DFL);
        setrlimit(RLIMIT_CORE, &none);
        setrlimit(RLIMIT_FSIZE, &size);
        struct store *s = store_open(path, STORE_WRITE, NULL);
        store_close(s);
        _exit(s == NULL);
    }
    waitpid(child, &status, 0);
    cr_assert(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return !WIFSIGNALED(status);
}

Test(migration, killed_anywhere_it_is_old_or_new)
{
    struct temporary t = temporary_make(), u = temporary_make();
    const char *large = restore_large(&t), *path = temporary_file(&u, "old.db");
    copy_file(large, path);
    char *before = tell(path), when[64];
    int old = 0, new = 0;
    for (rlim_t limit = 4096; unlink(path) == 0; limit += 200 * 1024) {
        copy_file(large, path);
        bool lived = migrate_and_die(path, limit);
        snprintf(when, sizeof when, "killed beyond %d bytes", (int)limit);
        expect_whole(path, before, when);
        *(number(path, "PRAGMA user_version") == 1 ? &old : &new) += 1;
        if (lived)
            break;
    }
    cr_assert(old > 5 && new > 1, "killed %d times before the commit, %d after", old, new);
    free(before);
    temporary_remove(&t);
    temporary_remove(&u);
}

Test(migration, without_room_it_is_refused_and_the_run_is_as_it_was)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    const char *path = restore_large(&t);
    char *before = tell(path);
    const struct rlimit small = {1024 * 1024, RLIM_INFINITY},
                        large = {RLIM_INFINITY, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct store *s = store_open(path, STORE_WRITE, &err);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &large), 0);
    cr_assert_null(s);
    cr_assert_not_null(strstr(err.text, "no space"), "%s", err.text);
    expect_whole(path, before, "without room");
    cr_assert_eq(number(path, "PRAGMA user_version"), 1);
    migrate(path);
    expect_whole(path, before, "with room");
    free(before);
    temporary_remove(&t);
}
