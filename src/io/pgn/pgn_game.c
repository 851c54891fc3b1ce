#include "pgn.h"

#include <string.h>

enum pgn_result pgn_result_named(const char *text)
{
    if (strcmp(text, "1-0") == 0)
        return PGN_WHITE_WINS;
    if (strcmp(text, "0-1") == 0)
        return PGN_BLACK_WINS;
    if (strncmp(text, "1/2", 3) == 0 || strcmp(text, "\xc2\xbd-\xc2\xbd") == 0)
        return PGN_DRAW;
    return PGN_UNKNOWN;
}

const char *pgn_result_text(enum pgn_result result)
{
    static const char *const texts[] = {
        [PGN_UNKNOWN] = "*",
        [PGN_WHITE_WINS] = "1-0",
        [PGN_BLACK_WINS] = "0-1",
        [PGN_DRAW] = "1/2-1/2",
    };
    return texts[result];
}

bool pgn_wanted(const struct pgn_filter *f, const struct pgn_game *game)
{
    int date = game->year * 10000 + game->month * 100 + game->day;
    bool bounded = f->from_date != 0 || f->to_date != 0;
    return game->white_elo >= f->min_elo && game->black_elo >= f->min_elo &&
           game->plies >= (size_t)(f->min_plies > 0 ? f->min_plies : 0) &&
           !(bounded && game->year == 0) && date >= f->from_date &&
           (f->to_date == 0 || date <= f->to_date) &&
           (!f->decisive || game->result == PGN_WHITE_WINS || game->result == PGN_BLACK_WINS);
}
