#include "aspiration.h"

enum { FIRST_ITERATION = 5, WIDEST = 3000 };

struct aspiration aspiration_first(const struct tree *t, int iteration, int32_t last)
{
    int32_t margin = param(t, ASPIRATION_WINDOW);
    if (margin == 0 || iteration < FIRST_ITERATION || is_mate_score(last))
        return (struct aspiration){-INFINITE_SCORE, INFINITE_SCORE, 0};
    return (struct aspiration){last - margin, last + margin, margin};
}

bool aspiration_widen(struct aspiration *a, int32_t value)
{
    if (value > a->alpha && value < a->beta)
        return false;
    a->margin *= 2;
    bool wide = a->margin > WIDEST || is_mate_score(value);
    if (value <= a->alpha)
        a->alpha = wide ? -INFINITE_SCORE : value - a->margin;
    else
        a->beta = wide ? INFINITE_SCORE : value + a->margin;
    return true;
}
