/* The run store: one SQLite file with a run, or with a night and its stages, which are runs too. A
 * stage's path is FILE#STAGE.
 *
 * While it is written it is in WAL mode with synchronous FULL, and a commit is followed by a
 * truncating checkpoint, at most one a second; closed, it is one plain file. After kill -9 or a
 * power cut the last commit stands. Anyone may query it with `sqlite3`, while it runs too.
 *
 * Every table but `run` has a first column `run_id`, which starts its primary key:
 *
 *     table          key                 further columns
 *     run            id                  stage: "" for the file's own run
 *     property       key                 value: version, created, recipe, name, seed, generations,
 *                                        fitness, measure, train_size, held_out_size, kind; of a
 *                                        file that the run wrote, "wrote FILE", its SHA-256
 *     data           idx                 role, path, sha256: what it is trained and tested on
 *     gene           idx                 name, bits, min, max, initial, sign, meaning
 *     seed           idx                 source, chromosome: organism idx of generation 0
 *     genome         id                  chromosome, measure, held_out: each genome once, in the
 *                                        order of measuring; held_out is NULL where not measured
 *     organism       generation, idx     genome, fitness
 *     game           generation, number  white_kind, white_idx, black_kind, black_idx, opening,
 *                                        result, plies, nodes: where organisms play each other
 *                                        (game_record.h)
 *     generation     idx                 best, measure, held_out, mean, deviation, diversity,
 *                                        seconds, ended
 *     match_player   idx                 name: a closing match's players,
 *     match_pairing  idx                 first, second: who meets whom,
 *     match_game     pairing, number     white, black, result, plies, nodes: and their games
 *
 * `generation.best` is the idx of its best organism and `measure` and `held_out` are that
 * organism's; `ended` is the Unix time. `result` is half points for White. Only `seconds`, `ended`
 * and the property `created` depend on the clock. A chromosome is its words in little-endian bytes.
 *
 * Version 1 gave each stage tables of its own. Such a file is read as if it had the tables above,
 * and is migrated, in one transaction, when it is opened to write.
 *
 * A run that was compressed with zstd (RUN.db.zst) is read as it is, and cannot be written.
 *
 * A file that is locked, foreign (PRAGMA application_id), of an unknown version (PRAGMA
 * user_version) or damaged (PRAGMA quick_check) is refused with its reason. */
#ifndef GRAYLING_STORE_H
#define GRAYLING_STORE_H

#include "error.h"
#include "fitness_cache.h"
#include "game_record.h"
#include "optimiser.h"

enum {
    STORE_VERSION = 2,
    STORE_STAGE = 32, /* the longest name of a stage, NUL included */
};

struct store;

/* STORE_READ changes nothing and sees the run as it was when it was opened, while another process
 * writes too. STORE_WRITE is for one process at a time and checks the file for damage first. */
enum store_mode { STORE_READ, STORE_WRITE };

/* A generation as it is stored; `held_out` is NOT_MEASURED where there is no held-out data.
 * Measures are of the best organism; `mean` and `deviation` are over the population's measures. */
struct generation_row {
    int generation;
    int best;
    int64_t measure, held_out;
    double mean, deviation, diversity;
    double seconds; /* wall time; never compared */
    int64_t ended;  /* Unix time; never compared */
};

/* A game of a closing match, as it is stored. */
struct match_game_row {
    int number;       /* in its pairing, from 0 */
    int white, black; /* players by index */
    int result;       /* half points for White */
    int plies;
    int64_t nodes; /* of both */
};

/* Whether a name can be that of a stage: a small letter, then small letters, digits and `-`. */
bool store_is_stage_name(const char *name);

/* Whether a path leads to a database, of whatever kind, compressed or not, or to a stage of one. */
bool store_is_database(const char *path);

/* -- life cycle */

/* Begins a new run under a temporary name, as one transaction; store_publish puts it in its place,
 * so that `path` is a whole run from the first moment. Refuses a path that exists unless `force`,
 * and one that another process writes even then. A stage is begun in the run that is there. */
struct store *store_create(const char *path, bool force, struct error *err);
/* Commits, closes and moves the file to its path, in place of what was there when `force` was
 * given. The store is released whether it works or not. */
bool store_publish(struct store *s, struct error *err);

/* Opens an existing run. The caller closes it. */
struct store *store_open(const char *path, enum store_mode mode, struct error *err);
/* Accepts NULL. What was not committed is gone, and so is a run that was not published. */
void store_close(struct store *s);

/* False, with the reason, when `path` cannot become a new run (it exists, or is being written). */
bool store_available(const char *path, bool force, struct error *err);
/* False, with what to do, when the run at `path` is compressed, so that it cannot be written. */
bool store_writable(const char *path, struct error *err);
/* The file that the store is in. */
const char *store_file(const struct store *s);
/* Whether a process was writing the run when this store was opened with STORE_READ. */
bool store_running(const struct store *s);
/* Whether every page of the file is sound; reads the whole file. */
bool store_sound(struct store *s, struct error *err);

/* -- writing, between begin and commit; a failure rolls the transaction back */

bool store_begin(struct store *s, struct error *err);
bool store_commit(struct store *s, struct error *err);

bool store_put(struct store *s, const char *key, const char *value, struct error *err);
/* The present moment, for people: "2026-11-21T04:59:54Z". */
bool store_put_moment(struct store *s, const char *key, struct error *err);
bool store_put_data(struct store *s, const char *role, const char *path, const char *sha256,
                    struct error *err);
bool store_put_genes(struct store *s, const struct param_table *space, struct error *err);
/* Seed `index` (organism of generation 0) and the file that it came from. */
bool store_put_seed(struct store *s, int index, const char *source, const struct chromosome *c,
                    int words, struct error *err);
/* Genomes [first, end) of the fitness cache with their measures, chromosomes of `words` words. */
bool store_put_genomes(struct store *s, const struct fitness_cache *cache, size_t first, size_t end,
                       int words, struct error *err);
bool store_put_held_out(struct store *s, int64_t genome, int64_t held_out, struct error *err);
/* The organisms of the present generation; genomes[i] is organism i's genome. */
bool store_put_organisms(struct store *s, const struct optimiser *o, const int64_t *genomes,
                         struct error *err);
bool store_put_game(struct store *s, int generation, const struct game_record *game,
                    struct error *err);
bool store_put_row(struct store *s, const struct generation_row *row, struct error *err);

/* A closing match: player `index`, the players who meet in pairing `pairing`, and a game of it. */
bool store_put_match_player(struct store *s, int index, const char *name, struct error *err);
bool store_put_match_pairing(struct store *s, int pairing, int first, int second,
                             struct error *err);
bool store_put_match_game(struct store *s, int pairing, const struct match_game_row *game,
                          struct error *err);

/* -- reading */

/* A property of the run, malloc'ed; NULL when absent. */
char *store_get(struct store *s, const char *key);
/* The same as a whole number; `missing` when absent. */
int64_t store_get_number(struct store *s, const char *key, int64_t missing);

/* Calls `each` for every data file in the order they were put in; stops when it returns false. */
typedef bool store_data_visit(void *context, const char *role, const char *path, const char *sha256,
                              struct error *err);
bool store_each_data(struct store *s, store_data_visit *each, void *context, struct error *err);

/* The genes as a table. Returns the malloc'ed block that holds its rows and texts, for the caller
 * to free after the table's last use; NULL on failure. */
void *store_get_genes(struct store *s, struct param_table *space, struct error *err);

/* The seeds in order, *count of them, `room` at most. */
bool store_get_seeds(struct store *s, struct chromosome *seeds, int room, int *count,
                     struct error *err);

/* Calls `each` with the file that each seed came from, in order; stops when it says false. */
typedef bool store_seed_visit(void *context, const char *source, struct error *err);
bool store_each_seed(struct store *s, store_seed_visit *each, void *context, struct error *err);

/* All genomes into an empty cache. */
bool store_get_genomes(struct store *s, struct fitness_cache *cache, struct error *err);

/* The last complete generation, -1 when there is none. */
int store_last_generation(struct store *s);
/* Fitness and genome of each of a generation's `count` organisms. */
bool store_get_organisms(struct store *s, int generation, int64_t *fitness, int64_t *genomes,
                         int count, struct error *err);
/* The games of a generation by number, malloc'ed, *count of them (NULL where there are none). On
 * failure NULL and 0. */
bool store_get_games(struct store *s, int generation, struct game_record **games, size_t *count,
                     struct error *err);
/* How many games there are in all, and how many of them were drawn. */
bool store_count_games(struct store *s, int64_t *games, int64_t *draws, struct error *err);
/* The genome of each complete generation's best into genomes[count]. */
bool store_get_champions(struct store *s, int64_t *genomes, int count, struct error *err);
/* The best organism of the last generation. */
bool store_get_last_best(struct store *s, int *generation, int *index, struct chromosome *c,
                         struct error *err);
/* The organism of the highest fitness, of equals the first. */
bool store_get_best(struct store *s, int *generation, int *index, struct chromosome *c,
                    struct error *err);
int64_t store_count_genomes(struct store *s);
/* The rows of all generations, malloc'ed, *count of them. */
struct generation_row *store_get_rows(struct store *s, int *count, struct error *err);

/* Calls `each` for every pairing of a closing match in order; stops when it says false. */
typedef bool store_pairing_visit(void *context, int pairing, int first, int second,
                                 struct error *err);
bool store_each_match_pairing(struct store *s, store_pairing_visit *each, void *context,
                              struct error *err);
/* The same for every game of a pairing. */
typedef bool store_match_game_visit(void *context, const struct match_game_row *game,
                                    struct error *err);
bool store_each_match_game(struct store *s, int pairing, store_match_game_visit *each,
                           void *context, struct error *err);
/* How many games all pairings have. */
int64_t store_count_match_games(struct store *s);

#endif
