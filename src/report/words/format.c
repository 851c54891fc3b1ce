#include "format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *format_duration(double seconds, char text[FORMAT_MAX])
{
    int64_t whole = (int64_t)(seconds + 0.5);
    if (seconds < 0.0995)
        snprintf(text, FORMAT_MAX, "%.0f ms", 1e3 * seconds);
    else if (seconds < 9.95)
        snprintf(text, FORMAT_MAX, "%.1f s", seconds);
    else if (whole < 60)
        snprintf(text, FORMAT_MAX, "%" PRId64 " s", whole);
    else if (whole < 3600)
        snprintf(text, FORMAT_MAX, "%" PRId64 " min %02" PRId64 " s", whole / 60, whole % 60);
    else if (whole < 86400)
        snprintf(text, FORMAT_MAX, "%" PRId64 " h %02" PRId64 " min", whole / 3600,
                 whole % 3600 / 60);
    else
        snprintf(text, FORMAT_MAX, "%" PRId64 " d %" PRId64 " h", whole / 86400,
                 whole % 86400 / 3600);
    return text;
}

const char *format_progress(const char *state, bool complete, int generation, int generations,
                            char text[FORMAT_MAX])
{
    char all[FORMAT_MAX];
    if (!complete)
        snprintf(text, FORMAT_MAX, "%.40s after generation %d of %d", state, generation,
                 generations);
    else if (generations == 0)
        snprintf(text, FORMAT_MAX, "complete, generation 0 only");
    else
        snprintf(text, FORMAT_MAX, "complete, %.40s",
                 format_things(generations, "generation", all));
    return text;
}

const char *format_generation(int generation, int generations, char text[FORMAT_MAX])
{
    if (generations > 0)
        snprintf(text, FORMAT_MAX, "%d of %d", generation, generations);
    else
        snprintf(text, FORMAT_MAX, "%d", generation);
    return text;
}

const char *format_chance(double chance, char text[FORMAT_MAX])
{
    int tenths = (int)(1000 * chance);
    if (chance < 0.02)
        snprintf(text, FORMAT_MAX, "< 2 %%");
    else if (chance < 0.1)
        snprintf(text, FORMAT_MAX, "%d.%d %%", tenths / 10, tenths % 10);
    else
        snprintf(text, FORMAT_MAX, "%.0f %%", 100 * chance);
    return text;
}

/* ---- Elo differences ---- */

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
