#include "pairs.h"

#include "statistics.h"

#include <stdio.h>

enum { PAIRS_MAX = PAIRS_METHODS * (PAIRS_METHODS - 1) / 2 };

void pairs_add(struct pairs *p, const bool *solved, int methods)
{
    p->positions++;
    for (int a = 0; a < methods; a++)
        for (int b = 0; b < methods; b++)
            p->alone[a][b] += solved[a] && !solved[b];
}

void pairs_begin(struct grid *g, const char *title, const char *corner, const char *const *names,
                 int methods)
{
    char head[GRID_NOTE];
    snprintf(head, sizeof head, "%.400s: pairs of methods", title);
    grid_begin(g, head, corner);
    grid_note(g, "Positions that only the first solves : only the second (McNemar's exact test, "
                 "two-sided). A star: below 5 %% after Holm's correction for all pairs of the "
                 "column. Without one, the difference may be chance.");
    for (int a = 0; a < methods; a++)
        for (int b = a + 1; b < methods; b++)
            grid_row(g, "%.28s : %.28s", names[a], names[b]);
}

void pairs_column(struct grid *g, const char *label, const struct pairs *p, int methods, size_t all)
{
    char head[GRID_TEXT];
    double single[PAIRS_MAX], adjusted[PAIRS_MAX];
    int column = g->columns, count = 0;
    if ((size_t)p->positions < all)
        snprintf(head, sizeof head, "%.30s (%d positions)", label, p->positions);
    else
        snprintf(head, sizeof head, "%s", label);
    grid_column(g, head);
    for (int a = 0; a < methods; a++)
        for (int b = a + 1; b < methods; b++, count++)
            single[count] = adjusted[count] = sign_test(p->alone[a][b], p->alone[b][a]);
    holm_adjust(adjusted, count);
    count = 0;
    for (int a = 0; a < methods; a++)
        for (int b = a + 1; b < methods; b++, count++)
            grid_set(g, count, column, "%d : %d (p = %.2g)%s", p->alone[a][b], p->alone[b][a],
                     single[count], adjusted[count] < 0.05 ? " *" : "");
}
