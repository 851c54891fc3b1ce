#include "move_time.h"

/* An iteration begins within the soft limit: parts of a move's share of the clock, later it would seldom finish, and of the
 * increment. Games chose the horizon, the part of the increment and `by_stable` (docs/runs/record.md). */
enum {
    HORIZON = 32, /* expected number of moves in the rest of a game */
    SOFT_PERCENT = 55,
    SOFT_INCREMENT_PERCENT = 75,
    HARD_PERCENT = 350
};

static int64_t at_least(int64_t value, int64_t least)
{
    return value > least ? value : least;
}

static int64_t at_most(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

struct time_limits time_limits_for(const struct time_request *r)
{
    if (r->fixed > 0) { /* less the overhead, but at least half of it */
        const int64_t time = at_least(r->fixed - r->overhead, at_least(r->fixed / 2, 1));
        return (struct time_limits){time, time, true};
    }
    if (!r->has_clock)
        return (struct time_limits){0};
    int64_t usable = at_least(r->left - r->overhead, 1);
    int64_t moves = r->moves > 0 ? at_most(r->moves, HORIZON) : HORIZON;
    const int64_t increment = at_least(r->increment, 0);
    int64_t share = usable / moves + increment * 3 / 4;
    /* all of it for the last move before the time control, otherwise less a reserve for later moves */
    int64_t most = r->moves == 1 ? usable : r->moves == 2 ? usable * 7 / 10 : usable / 2;
    most = at_least(most, 1);
    int64_t hard = at_least(at_most(share * HARD_PERCENT / 100, most), 1);
    int64_t wish = (usable / moves * SOFT_PERCENT + increment * SOFT_INCREMENT_PERCENT) / 100;
    int64_t soft = at_least(at_most(wish, hard), 1);
    return (struct time_limits){soft, hard, false};
}

void time_take_line(struct time_signs *signs, const struct search_line *line)
{
    const bool same = signs->told && signs->best == line->moves[0];
    *signs = (struct time_signs){.told = true,
                                 .best = line->moves[0],
                                 .score = line->score,
                                 .stable = same ? signs->stable + 1 : 0,
                                 .effort = line->effort,
                                 .fall = signs->told ? signs->score - line->score : 0};
}

bool time_is_enough(const struct time_limits *limits, int64_t elapsed,
                    const struct time_signs *signs)
{
    static const int by_stable[] = {190, 155, 125, 105, 90, 80, 72};
    enum { LAST = sizeof by_stable / sizeof by_stable[0] - 1, FALL = 350 };
    if (limits->hard == 0 || limits->fixed)
        return limits->hard > 0 && elapsed >= limits->hard;
    const int64_t stable = by_stable[signs->stable < LAST ? signs->stable : LAST];
    const int64_t effort = 190 - 130 * signs->effort / 100;
    const int64_t fall = 100 + 50 * at_most(at_least(signs->fall, 0), FALL) / FALL;
    return elapsed >= limits->soft * stable * effort * fall / 1000000;
}
