/* Games of random moves, as PGN, and what is drawn from games as lines. */
#ifndef GRAYLING_TESTS_RANDOM_GAMES_H
#define GRAYLING_TESTS_RANDOM_GAMES_H

#include "epd.h"
#include "movegen.h"
#include "notation.h"
#include "scratch.h"
#include "stream.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* Writes the random moves of game `game`, `plies` of them, fewer where there is no move. */
static inline void random_moves_write(FILE *file, uint64_t seed, int game, int plies)
{
    struct position p;
    struct stream s;
    stream_init(&s, seed, STREAM_TEST, 0, (uint64_t)game);
    position_from_fen(&p, FEN_START, NULL, NULL);
    for (int ply = 0; ply < plies; ply++) {
        struct move_list list;
        struct undo undo;
        char san[SAN_MAX];
        movegen_legal(&p, &list);
        if (list.count == 0)
            break;
        Move m = list.moves[stream_below(&s, (uint64_t)list.count)];
        move_to_san(&p, m, san);
        fprintf(file, "%s ", san);
        position_make(&p, m, &undo);
    }
}

/* Writes `count` games to a file of the scratch directory, named by their numbers; game i has `plies` and i % `more` plies.
 * The same seed gives the same games. */
static inline const char *random_games_write(const char *name, uint64_t seed, int count, int plies,
                                             int more)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    for (int i = 0; i < count; i++) {
        fprintf(file, "[White \"White\"]\n[Black \"B%d\"]\n\n", i);
        random_moves_write(file, seed, i, plies + i % more);
        fprintf(file, "*\n\n");
    }
    cr_assert_eq(fclose(file), 0);
    return path;
}

/* A position as a line of EPD, good until the next call. */
static inline const char *line_of(const struct epd *epd)
{
    static char line[1024];
    cr_assert_gt(epd_format(epd, line, sizeof line), 0);
    return line;
}

/* The first `count` of two lists must be the same, and there. */
static inline void expect_same(const struct dataset *a, const struct dataset *b, size_t count)
{
    cr_assert(a->count >= count && b->count >= count, "%zu and %zu", a->count, b->count);
    for (size_t i = 0; i < count; i++) {
        const char *line = text_of("%s", line_of(&a->items[i]));
        cr_expect_str_eq(line, line_of(&b->items[i]));
    }
}

#endif
