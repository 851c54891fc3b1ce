#include "mine_report.h"

#include "count.h"
#include "foreign_text.h"
#include "version.h"

#include <inttypes.h>

/* Writes which engines found the positions, and by what limits. */
static void print_head(FILE *out, const struct mined *m)
{
    const struct uci_tactic_settings *s = m->other;
    fprintf(out, "# Mined by grayling " GRAYLING_VERSION " with %s.\n", shown_text(m->engine));
    fprintf(out,
            "# bm leads the second move by %d centipawns or more in %" PRIu64 " nodes (ce: its "
            "score);\n# a search of %" PRIu64 " nodes chooses another move.\n",
            s->margin, s->deep, s->shallow);
    if (s->check != NULL)
        fprintf(out, "# %s agrees in %" PRIu64 " nodes, with half the lead.\n",
                shown_text(m->check), s->check_nodes);
}

void mine_print(FILE *out, void *context)
{
    struct mined *m = context;
    if (m->other != NULL)
        print_head(out, m);
    positions_print(out, &m->positions);
}

/* Reports what became of the positions that our engine examined. */
static void tell_own(const size_t *v, size_t twice)
{
    fprintf(stderr,
            ": %zu steady, %zu flat, %zu decided, %zu plain, %zu doubtful, %zu found before\n",
            v[TACTIC_STEADY], v[TACTIC_FLAT], v[TACTIC_DECIDED], v[TACTIC_PLAIN],
            v[TACTIC_DOUBTFUL], twice);
}

/* The same of other engines, step by step. */
static void tell_other(const struct mine_report *r)
{
    const size_t *v = r->verdicts;
    const struct {
        const char *what;
        size_t count;
    } steps[] = {
        {"the short search chooses the move too", v[TACTIC_STEADY]},
        {"the long search does not keep the move", v[TACTIC_UNSETTLED]},
        {"the second move is not far enough behind", v[TACTIC_FLAT]},
        {"one side wins in any case", v[TACTIC_DECIDED]},
        {"the second engine does not agree", v[TACTIC_DOUBTFUL]},
        {"an engine had a fault", v[TACTIC_FAULT]},
        {"found in another game before", r->twice},
    };
    fputs(":\n", stderr);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        fprintf(stderr, "%9zu  %s\n", steps[i].count, steps[i].what);
    if (r->fault[0] != '\0')
        fprintf(stderr, "the first fault: %s\n", shown_text(r->fault));
}

void mine_tell(const struct mine_report *report, bool other)
{
    const size_t *v = report->verdicts;
    char games[COUNTED_MAX], positions[COUNTED_MAX];
    size_t examined = 0;
    for (int i = 0; i < TACTIC_VERDICTS; i++)
        examined += v[i];
    positions_tell_read(&report->read);
    fprintf(stderr, "searched %s and examined %s",
            format_things((int64_t)report->games, "game", games),
            format_things((int64_t)examined, "position", positions));
    if (other)
        tell_other(report);
    else
        tell_own(v, report->twice);
}

void mine_tell_found(size_t found, const struct mine_settings *settings)
{
    char positions[COUNTED_MAX];
    fprintf(stderr, "found %zu of %s with seed %" PRIu64 "\n", found,
            format_things((int64_t)settings->count, "position", positions), settings->seed);
}
