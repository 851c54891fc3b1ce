#include "elo_words.h"

#include <math.h>
#include <stdio.h>

#define MINUS    "\xe2\x88\x92"
#define INFINITE "\xe2\x88\x9e"
#define NBSP     "\xc2\xa0"

const char *elo_signed(double elo, int decimals, char text[FORMAT_MAX])
{
    double unit = pow(10, -decimals);
    bool zero = fabs(elo) < unit / 2;
    const char *sign = zero ? "" : elo < 0 ? MINUS : "+";
    if (isinf(elo))
        snprintf(text, FORMAT_MAX, "%s" INFINITE, sign);
    else
        snprintf(text, FORMAT_MAX, "%s%.*f", sign, decimals, zero ? 0 : fabs(elo));
    return text;
}

const char *elo_range(const struct elo_estimate *e, int decimals, char text[FORMAT_MAX])
{
    char low[FORMAT_MAX], high[FORMAT_MAX];
    if (isinf(e->elo_low) && isinf(e->elo_high))
        snprintf(text, FORMAT_MAX, "–");
    else
        snprintf(text, FORMAT_MAX, "%.40s to %.40s", elo_signed(e->elo_low, decimals, low),
                 elo_signed(e->elo_high, decimals, high));
    return text;
}

const char *elo_chance(double chance, char text[FORMAT_MAX])
{
    if (chance < 0.001)
        snprintf(text, FORMAT_MAX, "<" NBSP "0.1" NBSP "%%");
    else if (chance > 0.999)
        snprintf(text, FORMAT_MAX, ">" NBSP "99.9" NBSP "%%");
    else
        snprintf(text, FORMAT_MAX, "%.1f" NBSP "%%", 100 * chance);
    return text;
}

const char *elo_games(const struct match_counts *c, char text[FORMAT_MAX])
{
    return format_things(c->wins + c->draws + c->losses, "game", text);
}

enum elo_verdict elo_verdict(const struct elo_estimate *e)
{
    return e->elo_low > 0 ? ELO_AHEAD : e->elo_high < 0 ? ELO_BEHIND : ELO_OPEN;
}

const char *elo_verdict_class(enum elo_verdict verdict)
{
    static const char *const classes[] = {
        [ELO_OPEN] = "open", [ELO_AHEAD] = "ahead", [ELO_BEHIND] = "behind"};
    return classes[verdict];
}
