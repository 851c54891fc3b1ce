/* Pictures: what they show, of which size they are, and that nothing is lost when one cannot be
 * drawn. */
#include "chart.h"

#include "picture.h"
#include "temporary.h"

#include <criterion/criterion.h>
#include <math.h>

enum { ROWS = 5 };

/* A run of five generations, as a summary would have it. */
static struct run_summary some_run(struct generation_row rows[ROWS])
{
    struct run_summary s = {.generation = ROWS - 1,
                            .rows = rows,
                            .value = &objective_moves_matched,
                            .train_size = 200,
                            .held_out_size = 100,
                            .defaults = {.measure = NOT_MEASURED, .held_out = NOT_MEASURED}};
    strcpy(s.recipe.name, "Réti's <quick> {run}_2");
    s.recipe.seed = 42;
    for (int g = 0; g < ROWS; g++)
        rows[g] = (struct generation_row){.generation = g,
                                          .measure = 50 + g,
                                          .held_out = 20 + g,
                                          .mean = 40.25 + g,
                                          .deviation = 3.5};
    return s;
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f, "%s", path);
    char *text = calloc(1, 1 << 22);
    cr_assert_gt(fread(text, 1, (1 << 22) - 1, f), 0u);
    fclose(f);
    return text;
}

/* The fitness of a run as a page has it. */
static char *on_page(const struct run_summary *s)
{
    char *text = NULL;
    size_t size;
    struct error err = {""};
    FILE *out = open_memstream(&text, &size);
    cr_assert(plot_fitness(s, &(struct plot_file){.out = out}, &err), "%s", err.text);
    fclose(out);
    cr_assert_null(strstr(text, "nan"), "%s", text);
    cr_assert_null(strstr(text, "inf"), "%s", text);
    return text;
}

/* Draws the fitness of a run into a file. */
static bool draw(const struct run_summary *s, const char *path, bool force, struct error *err)
{
    return plot_fitness(s, &(struct plot_file){.path = path, .force = force}, err);
}

/* The heights of the points of a path, whose beginning is given. Returns their number. */
static int heights_of(const char *text, const char *css, double y[])
{
    const char *at = strstr(text, css);
    int count = 0, used;
    double x;
    cr_assert_not_null(at, "no %s in %s", css, text);
    at = strstr(at, "M");
    for (; sscanf(at, "%*1[ML]%lf %lf%n", &x, &y[count], &used) == 2; count++) {
        at += used;
        at += strncmp(at, "h0", 2) == 0 ? 2 : 0;
    }
    return count;
}

Test(plot, curves_are_where_their_numbers_are)
{
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    double best[ROWS], held_out[ROWS + 1];
    rows[2].held_out = NOT_MEASURED;
    char *text = on_page(&s);
    /* 25 to 27 and 20 to 24 per cent */
    cr_assert_eq(heights_of(text, "curve best\" d=\"M25", best), ROWS);
    cr_assert_eq(heights_of(text, "curve held-out\" d=\"M25", held_out), ROWS - 1, "a gap");
    double unit = (held_out[0] - best[0]) / 5;
    cr_assert_float_eq(best[0] - best[4], 2 * unit, 0.3);
    cr_assert_float_eq(held_out[0] - held_out[3], 4 * unit, 0.3);
    cr_assert_not_null(strstr(text, ">moves matched (%)<"));
    cr_assert_not_null(strstr(text, ">best, held-out<"));
    cr_assert_not_null(strstr(text, ">mean ± standard deviation<"));
    cr_assert_null(strstr(text, "the defaults"));
    free(text);
}

Test(plot, each_value_is_in_the_unit_of_its_axis)
{
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    rows[0].measure = 44000000;
    rows[0].held_out = 20000000; /* over half as many positions */
    s.value = &objective_nodes;
    cr_assert_float_eq(fitness_point(&s, FITNESS_BEST, 0).y, 44, 1e-9);
    cr_assert_float_eq(fitness_point(&s, FITNESS_HELD_OUT, 0).y, 40, 1e-9);
    char *text = on_page(&s);
    cr_assert_not_null(
        strstr(text, ">nodes to solution (millions, 200 positions); fewer are better<"));
    cr_assert_not_null(strstr(text, ">best, held-out (scaled to 200 positions)<"));
    free(text);
    rows[0].measure = 200 * 13 * 1024;
    rows[0].held_out = 100 * 14 * 1024;
    s.value = &objective_log_nodes;
    cr_assert_float_eq(fitness_point(&s, FITNESS_BEST, 0).y, 8192, 1e-6);
    cr_assert_float_eq(fitness_point(&s, FITNESS_HELD_OUT, 0).y, 16384, 1e-6);
}

Test(plot, only_what_there_is_is_shown)
{
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    s.held_out_size = 0;
    s.defaults.measure = 45;
    for (int g = 0; g < ROWS; g++)
        rows[g].held_out = NOT_MEASURED;
    char *text = on_page(&s);
    cr_assert_null(strstr(text, "held-out<"));
    cr_assert_not_null(strstr(text, ">the defaults<"));
    free(text);
    s.generation = 0;
    free(on_page(&s)); /* a single generation is a dot */
}

Test(plot, a_steep_start_breaks_the_axis)
{
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    char *text = on_page(&s);
    cr_assert_null(strstr(text, "grid break"), "an even course has a plain axis");
    free(text);
    rows[0].mean = 2;
    text = on_page(&s);
    cr_assert_not_null(strstr(text, "grid break"));
    free(text);
}

Test(plot, games_show_the_score_against_the_opponent_and_no_mean)
{
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    s.value = &objective_points;
    const struct chart_point v = fitness_point(&s, FITNESS_HELD_OUT, 0);
    cr_assert_eq(v.y, 20);
    cr_assert(v.low < 20 && v.high > 20, "%f %f", v.low, v.high);
    char *text = on_page(&s);
    cr_assert_not_null(strstr(text, ">95 % interval against the opponent<"));
    cr_assert_null(strstr(text, ">mean"));
    free(text);
}

Test(plot, a_long_run_is_thinned)
{
    enum { LONG = 5002 };
    struct generation_row *rows = calloc(LONG, sizeof *rows);
    struct generation_row few[ROWS];
    struct run_summary s = some_run(few);
    for (int g = 0; g < LONG; g++)
        rows[g] = (struct generation_row){.generation = g, .measure = g % 100, .held_out = g % 50};
    s.rows = rows;
    s.generation = LONG - 1;
    char *text = on_page(&s);
    cr_assert_not_null(strstr(text, "<title>generation 5001\n"), "it ends at its last generation");
    cr_assert_lt(strlen(text), 200000u);
    free(text);
    free(rows);
}

Test(plot, a_file_is_svg_or_png)
{
    struct temporary t = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    const char *path = temporary_file(&t, "run.svg");
    cr_assert(draw(&s, path, false, &err), "%s", err.text);
    char *picture = read_all(path);
    cr_assert_not_null(strstr(picture, "<svg xmlns"));
    cr_assert_not_null(strstr(picture, "</svg>"), "whole to the end");
    cr_assert_not_null(
        strstr(picture, "<title>Réti&#39;s &lt;quick&gt; {run}_2, seed 42: fitness"));
    cr_assert_null(strstr(picture, "var("), "its colours are written out");
    free(picture);
    path = temporary_file(&t, "run.png");
    bool drawn = draw(&s, path, false, &err);
    cr_assert_eq(drawn, png_available(&err));
    if (drawn) {
        picture = read_all(path);
        cr_assert_eq(memcmp(picture, "\x89PNG\r\n\x1a\n", 8), 0);
        free(picture);
    } else
        cr_assert_not_null(strstr(err.text, "librsvg2-dev"), "%s", err.text);
    temporary_remove(&t);
}

Test(plot, refuses_what_it_cannot_draw)
{
    struct temporary t = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    cr_assert_not(draw(&s, temporary_file(&t, "run.gif"), false, &err));
    cr_assert_not_null(strstr(err.text, "run.gif: a plot is written as .svg or .png"));
    cr_assert_not(draw(&s, ".svg", false, &err));
    s.generation = -1;
    cr_assert_not(draw(&s, temporary_file(&t, "run.svg"), false, &err));
    cr_assert_not_null(strstr(err.text, "no generation yet"));
    s.generation = ROWS - 1;
    temporary_write(temporary_file(&t, "run.svg"), "mine");
    cr_assert_not(draw(&s, t.path, false, &err));
    cr_assert_not_null(strstr(err.text, "exists; choose another name or give --force"));
    cr_assert_eq(temporary_count(&t), 1);
    temporary_remove(&t);
}

/* ---- genes ---- */

enum { UNITS = 3 };

/* Parameters as other engines have them: decimals, texts, true and false. */
static const struct param units[UNITS] = {
    {.name = "Scale", .bits = 9, .min = -100, .max = 300, .type = PARAM_STRING, .decimals = 2},
    {.name = "Style",
     .bits = 2,
     .max = 2,
     .type = PARAM_COMBO,
     .choices = "Solid\nIt's sharp\nAggressive at all costs\n"},
    {.name = "Book", .bits = 1, .max = 1, .type = PARAM_CHECK},
};

/* A report of two generations of these; it borrows the rest. */
static struct report some_units(struct report_gene genes[UNITS],
                                struct gene_state states[2 * UNITS])
{
    static const struct genome genome = {.genes = units, .count = UNITS};
    static const int32_t values[UNITS] = {17, 1, 1};
    for (int i = 0; i < 2 * UNITS; i++)
        states[i] = (struct gene_state){.best = values[i % UNITS], .mean = 1, .deviation = 0.5};
    for (int i = 0; i < UNITS; i++)
        genes[i] = (struct report_gene){
            .param = &units[i], .evolved = values[i], .last = states[i], .by_moves = i};
    return (struct report){.summary = {.recipe.name = "units", .generation = 1},
                           .genome = genome,
                           .convergence = {.genome = &genome, .generations = 2, .genes = states},
                           .genes = genes};
}

/* Expects a picture to have all of these texts, the last of which is NULL. */
static void expect_texts(const char *path, const char *const *texts)
{
    char *picture = read_all(path);
    for (; *texts != NULL; texts++)
        cr_assert_not_null(strstr(picture, *texts), "no %s in %s", *texts, picture);
    cr_assert_null(strstr(picture, "Aggressive at all costs"), "it has no room for that");
    free(picture);
}

Test(plot, values_are_shown_as_their_engine_reads_them)
{
    struct temporary t = temporary_make();
    struct report_gene genes[UNITS];
    struct gene_state states[2 * UNITS];
    const struct report r = some_units(genes, states);
    struct error err = {""};
    const struct plot_file file = {.path = temporary_file(&t, "units.svg"), .force = true};
    static const char *const of_genes[] = {">0.17<",
                                           ">of -1.00 to 3.00<",
                                           ">It&#39;s sharp<",
                                           ">of 3 choices<",
                                           ">true<",
                                           ">of 2 choices<",
                                           NULL};
    cr_assert(plot_genes(&r, UNITS, &file, &err), "%s", err.text);
    expect_texts(file.path, of_genes);
    static const char *const of_parameters[] = {">-1.00<",          ">3.00<",  ">0.17<", ">Solid<",
                                                ">It&#39;s sharp<", ">false<", NULL};
    cr_assert(plot_parameters(&r, 0, UNITS, &file, &err), "%s", err.text);
    expect_texts(file.path, of_parameters);
    cr_assert(plot_parameters(&r, 1, UNITS, &file, &err), "%s", err.text);
    char *rest = read_all(file.path);
    cr_assert_null(strstr(rest, ">Scale<"), "the first is left out");
    free(rest);
    temporary_remove(&t);
}

/* Draws as many genes in a file. The picture has 92 units and 20 for each gene. */
static bool draw_genes(int count, const struct plot_file *file, struct error *err)
{
    static const struct param gene = {.name = "G", .bits = 8, .max = 255};
    struct report_gene *genes = calloc((size_t)count, sizeof *genes);
    struct report r = {.summary = {.recipe.name = "long"}, .genome.count = count, .genes = genes};
    cr_assert_not_null(genes);
    for (int i = 0; i < count; i++)
        genes[i].param = &gene;
    bool drawn = plot_genes(&r, count, file, err);
    free(genes);
    return drawn;
}

Test(plot, a_png_is_no_higher_than_cairo_can_draw)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    if (!png_available(&err))
        cr_skip_test("built without PNG");
    const struct plot_file file = {.path = temporary_file(&t, "run.png")};
    cr_assert_not(draw_genes(2400, &file, &err));
    cr_assert_not_null(strstr(err.text, "write it as .svg"), "%s", err.text);
    temporary_remove(&t);
}

Test(plot, a_size_is_asked_for_only_if_it_can_be_given)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    const struct plot_file file = {
        .path = temporary_file(&t, "run.svg"), .width = 900, .height = 8000};
    cr_assert_not(draw_genes(600, &file, &err));
    cr_assert_not_null(strstr(err.text, "900x8000 is too small for this picture, and so is any "
                                        "other size that can be given: leave --size out"),
                       "%s", err.text);
    const struct plot_file low = {.path = file.path, .width = 900, .height = 600};
    cr_assert_not(draw_genes(500, &low, &err));
    cr_assert_not_null(strstr(err.text, "it takes at least 630x7065"), "%s", err.text);
    const struct plot_file enough = {.path = file.path, .width = 630, .height = 7065};
    cr_assert(draw_genes(500, &enough, &err), "%s", err.text);
    temporary_remove(&t);
}
