#include "game_end.h"

enum { RING = sizeof((struct history *)0)->keys / sizeof(uint64_t) };

void history_init(struct history *h)
{
    *h = (struct history){.count = 0};
}

void history_push(struct history *h, const struct position *p)
{
    h->keys[h->count++ % RING] = p->key;
}

void history_pop(struct history *h)
{
    h->count--;
}

/* Compares positions since the last irreversible move with the same side to move. The first
 * possible repetition is four plies back. */
bool history_draws(const struct history *h, const struct position *p, int ply)
{
    unsigned reversible = p->halfmove < h->count ? p->halfmove : h->count;
    int before = 0;
    for (unsigned back = 4; back <= reversible; back += 2)
        if (h->keys[(h->count - back) % RING] == p->key && ((int)back <= ply || ++before == 2))
            return true;
    return false;
}

bool history_fifty_moves(const struct position *p)
{
    return p->halfmove >= 100;
}

bool game_is_over(const struct position *p, const struct history *history, enum game_end *end)
{
    if (!movegen_any(p))
        *end = position_in_check(p) ? GAME_CHECKMATE : GAME_STALEMATE;
    else if (position_insufficient_material(p))
        *end = GAME_MATERIAL;
    else if (history_draws(history, p, 0))
        *end = GAME_REPETITION;
    else if (history_fifty_moves(p))
        *end = GAME_FIFTY_MOVES;
    else
        return false;
    return true;
}

enum game_result game_result_on_time(const struct position *p)
{
    enum color other = color_other((enum color)p->side);
    bool bare = p->by_color[other] == position_pieces(p, other, KING);
    if (bare)
        return GAME_DRAWN;
    return other == WHITE ? GAME_WHITE_WINS : GAME_BLACK_WINS;
}

/* ---- text ---- */

/* Selects one of three texts by the result. */
static const char *by_result(enum game_result result, const char *white, const char *black,
                             const char *drawn)
{
    return result == GAME_WHITE_WINS ? white : result == GAME_BLACK_WINS ? black : drawn;
}

const char *game_end_text(enum game_end end, enum game_result result)
{
    switch (end) {
    case GAME_CHECKMATE:
        return by_result(result, "White mates", "Black mates", "");
    case GAME_STALEMATE:
        return "draw by stalemate";
    case GAME_REPETITION:
        return "draw by threefold repetition";
    case GAME_FIFTY_MOVES:
        return "draw by the fifty-move rule";
    case GAME_MATERIAL:
        return "draw by insufficient material";
    case GAME_TIME:
        return by_result(result, "Black loses on time", "White loses on time",
                         "draw by time out against a bare king");
    case GAME_RESIGNED:
        return by_result(result, "White wins by adjudication", "Black wins by adjudication", "");
    case GAME_AGREED:
        return "draw by adjudication";
    case GAME_TOO_LONG:
        return "draw by length";
    case GAME_ABANDONED:
        return "abandoned";
    case GAME_EXITED:
        return by_result(result, "Black crashes", "White crashes", "");
    case GAME_HUNG:
        return by_result(result, "Black hangs", "White hangs", "");
    case GAME_ILLEGAL:
        return by_result(result, "Black makes an illegal move", "White makes an illegal move", "");
    case GAME_BROKEN:
        return "an engine returned no legal move";
    }
    return "";
}
