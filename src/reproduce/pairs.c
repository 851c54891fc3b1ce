#include "pairs.h"

#include "rank_sum.h"
#include "sign_test.h"

enum { PAIRS_MAX = PAIRS_METHODS * (PAIRS_METHODS - 1) / 2 };

void pairs_add(struct pairs *p, const bool *solved, int methods)
{
    p->positions++;
    for (int a = 0; a < methods; a++)
        for (int b = 0; b < methods; b++)
            p->alone[a][b] += solved[a] && !solved[b];
}

void pairs_rows(struct grid *g, const char *const *names, int methods)
{
    for (int a = 0; a < methods; a++)
        for (int b = a + 1; b < methods; b++)
            grid_row(g, "%.28s : %.28s", names[a], names[b]);
}

void pairs_column(struct grid *g, const char *head, const struct pairs *p, int methods)
{
    double single[PAIRS_MAX], adjusted[PAIRS_MAX];
    int column = g->columns, count = 0;
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
