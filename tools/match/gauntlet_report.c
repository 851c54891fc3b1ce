#include "gauntlet_report.h"

#include "foreign_text.h"
#include "match_report.h"
#include "terminal.h"

#include <inttypes.h>

static void print_names(FILE *out, const void *context)
{
    (void)context;
    fprintf(out,
            "%-22s" COLUMN(4) " %5s" COLUMN(6) " %4s %4s %4s" COLUMN(3) "  %6s" COLUMN(
                1) "  %7s" COLUMN(2) " %10s" COLUMN(5) " %7s\n",
            "  against", "games", "W", "D", "L", "score", "Elo", "95 %", "LOS");
}

void gauntlet_report_head(FILE *out, const char *player)
{
    fprintf(out, "%s\n", player);
    terminal_table(out, print_names, NULL);
}

struct row {
    const char *name;
    const struct match_counts *counts;
};

static void print_counts(FILE *out, const void *context)
{
    const struct row *row = context;
    const struct match_counts *c = row->counts;
    const struct elo_estimate e = elo_estimate(c);
    fputs("  ", out);
    foreign_text_column(out, row->name, 20);
    fprintf(out, COLUMN(4) " %5" PRId64 COLUMN(6) " %4" PRId64 " %4" PRId64 " %4" PRId64,
            c->wins + c->draws + c->losses, c->wins, c->draws, c->losses);
    fprintf(
        out,
        COLUMN(3) "  %5.1f%%" COLUMN(1) "  %+7.1f" COLUMN(2) " +/- %-6.1f" COLUMN(5) " %6.1f%%\n",
        100 * e.score, e.elo, e.elo_margin, 100 * e.los);
}

/* Prints a row, which is a table of its own: it stands there before the next is known. */
static void print_row(FILE *out, const char *name, const struct match_counts *c)
{
    terminal_table(out, print_counts, &(struct row){name, c});
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
