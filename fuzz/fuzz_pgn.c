/* Any bytes as a file of games: each game is broken with a reason, or all its moves are legal. */
#include "fuzz.h"
#include "memory_file.h"
#include "pgn.h"

#include <assert.h>
#include <string.h>

static void check_game(const struct pgn_game *game)
{
    struct position p = game->start;
    for (size_t i = 0; i < game->plies; i++) {
        const Move move = game->moves[i];
        struct undo undo;
        if (move == NO_MOVE) {
            assert(!position_in_check(&p));
            position_make_null(&p, &undo);
        } else {
            assert(movegen_is_legal(&p, move));
            position_make(&p, move, &undo);
        }
    }
    assert(p.key == position_compute_key(&p));
    assert(game->result <= PGN_DRAW && game->white_elo >= 0 && game->black_elo >= 0);
    assert(strlen(game->white) + strlen(game->black) < (size_t)1 << 25);
}

static void read_games(const uint8_t *data, size_t size)
{
    static struct memory_file file;
    struct error err = {""};
    struct pgn_game game;
    enum pgn_status status;
    memory_file_write(&file, data, size);
    struct pgn_reader *r = pgn_open(file.path, &err);
    long number = 0;
    assert(r != NULL || err.text[0] != '\0');
    while (r != NULL && (status = pgn_next(r, &game, &err)) != PGN_END) {
        number++;
        if (status == PGN_GAME) {
            assert(game.number == number);
            check_game(&game);
        } else {
            assert(err.text[0] != '\0');
        }
        err.text[0] = '\0';
    }
    pgn_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_games(data, size);
    return 0;
}
