#include "game_end.h"

#include <stddef.h>

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

/* Looks back to the last irreversible move; the first possible repetition is four plies back. */
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

const char *game_end_text(enum game_end end, enum game_result result)
{
    /* By result; one text for any result is that of a draw. */
    static const char *const texts[][3] = {
        [GAME_CHECKMATE] = {"Black mates", "", "White mates"},
        [GAME_STALEMATE] = {[GAME_DRAWN] = "draw by stalemate"},
        [GAME_REPETITION] = {[GAME_DRAWN] = "draw by threefold repetition"},
        [GAME_FIFTY_MOVES] = {[GAME_DRAWN] = "draw by the fifty-move rule"},
        [GAME_MATERIAL] = {[GAME_DRAWN] = "draw by insufficient material"},
        [GAME_TIME] = {"White loses on time", "draw by time out against a bare king",
                       "Black loses on time"},
        [GAME_RESIGNED] = {"Black wins by adjudication", "", "White wins by adjudication"},
        [GAME_AGREED] = {[GAME_DRAWN] = "draw by adjudication"},
        [GAME_TOO_LONG] = {[GAME_DRAWN] = "draw by length"},
        [GAME_ABANDONED] = {[GAME_DRAWN] = "abandoned"},
        [GAME_EXITED] = {"White crashes", "", "Black crashes"},
        [GAME_HUNG] = {"White hangs", "", "Black hangs"},
        [GAME_ILLEGAL] = {"White makes an illegal move", "", "Black makes an illegal move"},
        [GAME_BROKEN] = {[GAME_DRAWN] = "an engine returned no legal move"},
    };
    return texts[end][texts[end][result] != NULL ? result : GAME_DRAWN];
}
