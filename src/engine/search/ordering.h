/* Move-ordering statistics: killers (Akl and Newborn 1977), the history heuristic (Schaeffer 1983),
 * continuation history after each of the last two moves, and after that four plies before, and history by the pawns. */
#ifndef GRAYLING_ORDERING_H
#define GRAYLING_ORDERING_H

#include "engine.h"

enum {
    HISTORY_LIMIT = 16384,  /* |history| is at most this */
    PIECE_SQUARES = 6 * 64, /* a piece kind and its destination square */
    CONTINUATIONS = 3,
    PAWN_SETS_BITS = 9,
    PAWN_SETS = (1 << PAWN_SETS_BITS) + 1 /* the first is of no set */
};

struct ordering {
    Move killers[MAX_PLY][2]; /* quiet moves that failed high at this ply, newest first */
    /* By side: from and to square, and whether the enemy attacks them; pawns (a hash), and piece and square; piece and
     * square, and kind captured. */
    int16_t history[2][4][64 * 64], pawns[PAWN_SETS][2][PIECE_SQUARES];
    int16_t captures[2][PIECE_SQUARES][8];
    int32_t capture_weight;              /* of `captures` in the order, 64ths */
    int32_t reward_slope, reward_before; /* REWARD_SLOPE, REWARD_BEFORE */
    /* After their last move, after ours, after ours before that. */
    int16_t continuation[CONTINUATIONS][PIECE_SQUARES][PIECE_SQUARES];
};

/* The index of a piece and its destination square in `continuation`. */
static inline int piece_square(int kind, int square)
{
    return kind << 6 | square;
}

/* What the history of a move depends on besides the move. */
struct context {
    /* Of the last move, the one before, and that four plies before (HISTORY_PLIES): piece_square, -1 for none. */
    int before[CONTINUATIONS];
    int pawns;        /* index of the pawns; 0 without HISTORY_PAWNS */
    Bitboard threats; /* squares that the enemy attacks; none without HISTORY_THREATS */
};

/* The context's table of a move in `history`. */
static inline int threats_index(const struct context *c, Move m)
{
    return (int)(2 * (c->threats >> move_from(m) & 1) + (c->threats >> move_to(m) & 1));
}

void ordering_clear(struct ordering *o);

/* The history score of a quiet move, from -5 to 5 times HISTORY_LIMIT. */
static inline int ordering_score(const struct ordering *o, const struct position *p,
                                 const struct context *c, Move m)
{
    int piece = piece_square(p->board[move_from(m)], move_to(m));
    int score = o->history[p->side][threats_index(c, m)][m & 4095];
    if (c->pawns > 0)
        score += o->pawns[c->pawns][p->side][piece];
    for (int i = 0; i < CONTINUATIONS; i++)
        if (c->before[i] >= 0)
            score += o->continuation[i][c->before[i]][piece];
    return score;
}

/* Whether a quiet move is one of two killers. */
static inline bool is_killer(const Move killers[2], Move m)
{
    return m == killers[0] || m == killers[1];
}

/* Makes a quiet move the first killer of its ply. */
void ordering_add_killer(struct ordering *o, int ply, Move m);

/* Rewards the quiet move that failed high at `depth` quarter plies; penalises the `tried` ones. */
void ordering_reward(struct ordering *o, const struct position *p, const struct context *c,
                     int depth, Move best, const Move *tried, int count);

/* Rewards the quiet move that led to the position, to `piece` (piece_square); `c` is what was before it. */
void ordering_reward_before(struct ordering *o, const struct position *p, const struct context *c,
                            int depth, Move m, int piece);

/* Rewards the same move by how the evaluation rose, in `history` alone. */
void ordering_reward_rise(struct ordering *o, const struct position *p, const struct context *c,
                          Move m, int bonus);

/* The same in the history of captures, for a best move that is one, and the `tried` captures. */
void ordering_reward_captures(struct ordering *o, const struct position *p, int depth, Move best,
                              const Move *tried, int count);

/* Yields the moves of a node one at a time, the most promising first. Each stage is generated when it is reached:
 *
 *   1. the hash move
 *   2. good captures and queen promotions (SEE >= 0), by MVV/LVA
 *   3. killers
 *   4. quiet moves, by history
 *   5. bad captures
 *
 * In check: the hash move, then all evasions: captures first, then quiet moves by history. */

enum pick_stage {
    PICK_HASH,
    PICK_CAPTURES,
    PICK_GOOD,
    PICK_KILLERS,
    PICK_QUIET,
    PICK_BAD,
    PICK_EVASIONS,
    PICK_EVASION,
};

/* Borrows from the search; lives on the stack of its node. */
struct picker {
    const struct position *position;
    const struct ordering *ordering;
    const struct context *context;
    enum pick_stage stage;
    Move hash, killers[2];
    int next, bad_next, bad_count;
    const struct check_squares *checks; /* quiet moves that give none are omitted; NULL: given */
    struct move_list list;
    int32_t scores[MAX_MOVES];
    Move bad[64]; /* captures that lose material; beyond 64, they count as good */
};

/* Starts the moves of the position at `ply`. An illegal hash move is ignored. */
void picker_init(struct picker *k, const struct position *p, const struct ordering *o,
                 const struct context *c, int ply, Move hash, bool in_check);

/* The next legal move, NO_MOVE after the last. The position is that of picker_init. */
Move picker_next(struct picker *k);

/* Like picker_next, but NO_MOVE when the killers or the evasions are next. */
Move picker_next_good(struct picker *k);

/* Omits the killers and quiet moves that give no check. Call it when picker_next_good has ended; the position is not
 * in check. False if it omits nothing: also where it cannot tell in which order the checks would come. */
bool picker_only_checks(struct picker *k, const struct check_squares *checks);

/* Omits the rest of the quiet moves that give no check; nothing before their stage. The position is not in check. */
void picker_skip_quiets(struct picker *k, const struct check_squares *checks);

/* Whether a move neither captures nor promotes to a queen: a move of movegen_quiets. */
static inline bool is_quiet(Move m)
{
    return !move_is_capture(m) && !(move_is_promotion(m) && move_promotion(m) == QUEEN);
}

/* Swaps the first move with the highest score, from index `next` on, to `next`; returns it. */
Move pick_best(struct move_list *list, int32_t *scores, int next);

/* The score of a capture or promotion: MVV/LVA, and the history of captures by its weight. */
int32_t capture_score(const struct ordering *o, const struct position *p, Move m);

/* The MVV/LVA score of a capture or promotion, which orders quiescence moves. */
int32_t mvv_lva_score(const struct position *p, Move m);

#endif
