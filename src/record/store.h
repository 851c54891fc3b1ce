/* The run store: an SQLite file that holds a run, or a night and its stages, which are also runs.
 * FILE#STAGE is the path of a stage. The tables, and what their columns mean, are in store_schema.c.
 *
 * While it is written a file is in WAL mode with synchronous FULL; once a second, or when the WAL has grown by
 * 2 MiB, that is copied into the file. A closed store is a single file: its end waits some seconds for others
 * who have it open. If they have it longer, or the writer was killed, whoever closes or opens it next makes it
 * one. After kill -9 or a power failure the last commit is intact. Anyone may query the file with `sqlite3`,
 * also while the run is in progress. A run compressed with zstd (RUN.db.zst) can be read but not written.
 *
 * Every page of the file has a checksum, which is checked whenever it is read (store_pages.c). A writer has a
 * lock on the file itself. It fails to begin a transaction when others have moved, removed or overwritten the
 * file, or removed its WAL.
 *
 * Opening a file fails, with the reason, if it is locked, foreign (PRAGMA application_id), of another
 * version (PRAGMA user_version) or, to write, damaged (PRAGMA quick_check). */
#ifndef GRAYLING_STORE_H
#define GRAYLING_STORE_H

#include "error.h"
#include "game_record.h"
#include "optimiser.h"
#include "paths.h"

enum { STORE_STAGE = PATH_STAGE }; /* the longest name of a stage, including the NUL */

struct store;
struct sqlite3_stmt;

/* STORE_READ sees a snapshot from the moment of opening, whoever writes. STORE_WRITE is exclusive to one process,
 * and checks the file for damage first. */
enum store_mode { STORE_READ, STORE_WRITE };

/* A row of the table `generation`. `measure` and `held_out` (or NOT_MEASURED) are objective values of the best
 * organism; `mean` and `deviation` are over those of the population. */
struct generation_row {
    int generation;
    int best;
    int64_t measure, held_out;
    double mean, deviation, diversity;
    double seconds; /* wall time; never compared */
    int64_t ended;  /* Unix time; never compared */
};

/* Pairs of games of a player, two from one opening with colours reversed, by its half points: 0 to 4. */
struct pair_counts {
    int64_t pairs[5];
};

/* A row of the table `match_game`. */
struct match_game_row {
    int pairing;
    int number;       /* in its pairing, from 0 */
    int white, black; /* players by index */
    int result;       /* half points for White */
    int plies;
    int64_t nodes; /* of both players */
};

/* Returns FILE of FILE#STAGE, else the path. The caller frees it. NULL without memory. */
char *store_path_of_file(const char *path);

/* True if the path is a SQLite database of any kind, compressed or not, or a stage of one. */
bool store_is_database(const char *path);

/* -- life cycle */

/* Creates a run in a file with a temporary name, or as a stage in an existing file, and begins a transaction. Fails if
 * `path` exists, unless `force`, and always if another process writes that run. */
struct store *store_create(const char *path, bool force, struct error *err);
/* Commits, closes and moves the file to its path, over another with `force`. Releases the store in any case. */
bool store_publish(struct store *s, struct error *err);

struct store *store_open(const char *path, enum store_mode mode, struct error *err);

/* Keeps a file as one that is being written while its writers change, as the stages of a night do: no reader keeps the
 * next one out, and no other process can hold it. What is returned can only be closed, last of all. */
struct store *store_hold(const char *path, struct error *err);
/* Accepts NULL. Discards uncommitted changes, and a new run that was not published. */
void store_close(struct store *s);

/* True if store_create would not refuse `path`. */
bool store_available(const char *path, bool force, struct error *err);
/* False, with what to do, if the run at `path` is compressed and so read-only. */
bool store_writable(const char *path, struct error *err);
/* The path of the file, and the stage in it; "" for the file's own run. */
const char *store_file(const struct store *s);
const char *store_stage(const struct store *s);
/* True if another process was writing the run when this store was opened. */
bool store_running(const struct store *s);
bool store_sound(struct store *s, struct error *err);

struct store_check {
    bool broken; /* another program wrote to the file: no checksum was compared */
    int64_t pages, runs;
};

/* Checks each page and each row of a file, and that rows refer to rows that exist. */
bool store_check(const char *path, struct store_check *found, struct error *err);

/* -- writing, between begin and commit; a failure rolls back the transaction */

bool store_begin(struct store *s, struct error *err);
bool store_commit(struct store *s, struct error *err);

/* Properties of the run. */
bool store_put(struct store *s, const char *key, const char *value, struct error *err);
bool store_put_number(struct store *s, const char *key, int64_t value, struct error *err);
bool store_put_moment(struct store *s, const char *key,
                      struct error *err); /* now: "2026-11-21T04:59:54Z" */
bool store_remove(struct store *s, const char *key, struct error *err);
/* Removes another run of the same file, with everything in it. */
bool store_remove_stage(struct store *s, const char *stage, struct error *err);
bool store_put_data(struct store *s, const char *role, const char *path, const char *sha256,
                    struct error *err);
/* Puts the genes, and the commands of another engine as store_kept_command has them. */
bool store_put_genes(struct store *s, const struct param_table *space, struct error *err);
/* A command as the run keeps it: a program that moves with the space file (param.h) as seen from the run, so
 * that a folder with both can be moved. The caller frees it. */
char *store_kept_command(const struct store *s, const char *command, bool moves, struct error *err);
/* Puts organism `index` of generation 0, and the file that it comes from. */
bool store_put_seed(struct store *s, int index, const char *source, const uint64_t *chromosome,
                    int words, struct error *err);
/* Puts genomes [first, end) of the fitness cache with their objective values. */
bool store_put_genomes(struct store *s, const struct fitness_cache *cache, size_t first, size_t end,
                       struct error *err);
bool store_put_held_out(struct store *s, int64_t genome, int64_t held_out, struct error *err);
/* Puts the current generation; genomes[i] is the genome id of organism i. */
bool store_put_organisms(struct store *s, const struct optimiser *o, const int64_t *genomes,
                         struct error *err);
bool store_put_game(struct store *s, int generation, const struct game_record *game,
                    struct error *err);
bool store_put_row(struct store *s, const struct generation_row *row, struct error *err);

/* A closing match. */
bool store_put_match_player(struct store *s, int index, const char *name, struct error *err);
bool store_put_match_pairing(struct store *s, int pairing, int first, int second,
                             struct error *err);
bool store_put_match_game(struct store *s, const struct match_game_row *game, struct error *err);
bool store_put_match_pgn(struct store *s, int pairing, int number, const char *text,
                         struct error *err);

/* -- reading */

/* Returns a property, which the caller frees; NULL if it is absent, or could not be read: store_whole tells. */
char *store_get(struct store *s, const char *key);
int64_t store_get_number(struct store *s, const char *key, int64_t missing);

/* Fails if a property or a count could not be read, and so was reported as absent. store_commit calls it. */
bool store_whole(const struct store *s, struct error *err);

/* Rows in their order, which are read so, to the end or not:
 *
 *     struct store_rows r = store_data(s);
 *     while (good && store_next(&r, "ttt", &role, &path, &sha256))
 *         good = ...
 *     return store_end(&r, err) && good;
 *
 * A letter for each column says where it goes, and what a statement is bound to (store_internal.h):
 *
 *     i   int                  n   int64_t              r   double
 *     t   text (const char *), a column's "" for NULL, and valid until the next row
 *     c   chromosome (uint64_t *), and the number of its words
 *
 * A chromosome of another length, or with no place for it, ends the rows before the last: then, as when the
 * caller stops, `status` is not SQLITE_DONE. store_end fails if SQLite did. */
struct store_rows {
    struct store *s;
    struct sqlite3_stmt *row;
    int status;
};
bool store_next(struct store_rows *rows, const char *kinds, ...);
bool store_end(struct store_rows *rows, struct error *err);

struct store_rows store_data(struct store *s);  /* "ttt": role, path and SHA-256 of data files */
struct store_rows store_seeds(struct store *s); /* "ttt": "seed", the file of a seed, "" */
/* Of a closing match, none in other runs: "t": players; games of these pairings, read by store_next_match_game;
 * "t": the texts of all games that it keeps. */
struct store_rows store_match_players(struct store *s);
struct store_rows store_match_games(struct store *s, int first, int last);
bool store_next_match_game(struct store_rows *rows, struct match_game_row *game);
struct store_rows store_match_pgn(struct store *s);

/* Reads the genes into a table, with commands as seen from anywhere. The caller frees it if it was read. */
bool store_get_genes(struct store *s, struct param_table *space, struct error *err);
void store_free_genes(struct param_table *space); /* accepts a zeroed one */

/* These read as many rows as there are or as `count` says; of chromosomes that are not of `words` words they fail. */

/* Reads the seeds in order, *count of them, at most `room`. */
bool store_get_seeds(struct store *s, uint64_t *seeds, int words, int room, int *count,
                     struct error *err);
/* Reads all genomes into an empty cache. */
bool store_get_genomes(struct store *s, struct fitness_cache *cache, struct error *err);
/* Read a generation: fitness and genome ids, or organisms and the objective values of their genomes (unless NULL). */
bool store_get_organisms(struct store *s, int generation, int64_t *fitness, int64_t *genomes,
                         int count, struct error *err);
bool store_get_population(struct store *s, int generation, struct organism *organisms,
                          int64_t *measures, int count, int words, struct error *err);
/* Reads the games of a generation in order. The caller frees *games, which is NULL on failure. */
bool store_get_games(struct store *s, int generation, struct game_record **games, size_t *count,
                     struct error *err);
/* Reads the best organism of the last generation, or of the generations' best ones the fittest; of equal
 * ones, the first. */
bool store_get_best(struct store *s, bool last, int *generation, int *index, uint64_t *chromosome,
                    int words, struct error *err);
/* Reads the rows of all generations. The caller frees them. NULL on failure. */
struct generation_row *store_get_rows(struct store *s, int *count, struct error *err);

/* The last complete generation, or -1. */
int store_last_generation(struct store *s);
/* Counts the pairs that estimates of generations `first` to `last` played with the start (fitness.start_games). */
bool store_count_start_pairs(struct store *s, int first, int last, struct pair_counts *counts,
                             struct error *err);
/* Counts all games, and those that were drawn. */
bool store_count_games(struct store *s, int64_t *games, int64_t *draws, struct error *err);
int64_t store_count_genomes(struct store *s);
/* Writes the number of genomes known after each of the `count` complete generations. */
bool store_count_genomes_by_generation(struct store *s, int64_t *genomes, int count,
                                       struct error *err);
/* Of a closing match: the games of all pairings, and the players; 0 in other runs. */
int64_t store_count_match_games(struct store *s);
int64_t store_count_match_pgn(struct store *s);
int64_t store_count_match_players(struct store *s);

#endif
