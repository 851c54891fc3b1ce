#include "gauntlet_report.h"

#include "foreign_text.h"
#include "match_report.h"

#include <inttypes.h>

void gauntlet_report_head(FILE *out, const char *player)
{
    fprintf(out, "%s\n%-22s %5s %4s %4s %4s  %6s  %7s %10s %7s\n", player, "  against", "games",
            "W", "D", "L", "score", "Elo", "95 %", "LOS");
}

/* Prints a row. */
static void print_row(FILE *out, const char *name, const struct match_counts *c)
{
    const struct elo_estimate e = elo_estimate(c);
    fputs("  ", out);
    foreign_text_column(out, name, 20);
    fprintf(out, " %5" PRId64 " %4" PRId64 " %4" PRId64 " %4" PRId64,
            c->wins + c->draws + c->losses, c->wins, c->draws, c->losses);
    fprintf(out, "  %5.1f%%  %+7.1f +/- %-6.1f %6.1f%%\n", 100 * e.score, e.elo, e.elo_margin,
            100 * e.los);
}

void gauntlet_report_row(FILE *out, const struct match *m)
{
    print_row(out, m->settings->players[1].name, &m->counts);
    match_report_test(out, m);
    match_report_conduct(out, m);
}

void gauntlet_report_sum(FILE *out, const struct match_counts *sum)
{
    print_row(out, "all", sum);
}
